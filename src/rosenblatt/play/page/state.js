// The state of the page, and the address that holds it: #data=…&a.order=…&k=…

import { Trouble } from "./server.js";
import { plain } from "./words.js";

export const KNOBS = {
  textbook: {},
  credit: {},
  clouds: { n: 60, margin: 0.3, noise: 0, seed: 1 },
  xor: {},
  touching: {},
  circles: { n: 80, noise: 0.05, seed: 1 },
  moons: { n: 80, noise: 0.1, seed: 1 },
  groups: { n: 60, classes: 3, noise: 0.7, seed: 1 },
  iris: {},
};

export const LEARNER = {
  kernel: "none", gamma: "scale", degree: 3, coef0: 1,
  form: "primal", order: "given", rule: "rosenblatt", eta0: 1, margin: 1, C: 1,
  start: "", batch_size: "1", keep: "pocket", fit_intercept: true,
  max_iter: 100, min_margin: 0.001, random_state: 0, settle: "after",
  features: "", boundary: "mistake", class_weight: "",
};

export const beginning = () => ({
  data: { name: "textbook" }, learners: [{ ...LEARNER }], k: 7, lang: null, theme: null, lesson: null,
});

/** How many points are held out, where some are. */
export const heldOf = ({ held }) => (held ? { held } : {});

// -- The address ----------------------------------------------------------------------------------

const typed = (text, like) =>
  typeof like === "number" ? finite(Number(text)) : typeof like === "boolean" ? text === "true" : text;

const finite = (x) => {
  if (!Number.isFinite(x)) throw new Error("not a number");
  return x;
};

const USUAL = { classes: /^-?1$/, features: /^x[₀-₉]+$/ }; // names that points have unless told

/** Two classes are written -1 and 1, several with their numbers. */
const writePoints = ({ X, y, classes = [] }) => {
  const label = (code) => (classes.length > 2 ? code : 2 * code - 1);
  return X.map((row, i) => [...row, label(y[i])].join("_")).join("~");
};

const readPoints = (text) => {
  if (text === "") return { X: [], y: [] };
  const rows = text.split("~").map((row) => row.split("_").map((x) => finite(Number(x))));
  const labels = rows.map((row) => row.at(-1));
  const y = labels.includes(-1) ? labels.map((label) => (label + 1) / 2) : labels;
  return { X: rows.map((row) => row.slice(0, -1)), y };
};

/** Whether these are points of fewer than two classes, drawn by hand, from which nothing is learned yet. */
export const isSketch = ({ name, y }) => name === "points" && new Set(y).size < 2;

/** The part of the address that holds a state; what is as usual is left out. */
export const toHash = (state) => {
  const parts = [["data", state.data.name]];
  if (state.data.name === "points") {
    parts.push(["p", writePoints(state.data)]);
    for (const [key, usual] of Object.entries(USUAL)) {
      const names = state.data[key] ?? [];
      if (!names.every((name) => usual.test(name))) parts.push([key, names.map(encodeURIComponent).join("~")]);
    }
  }
  for (const key of Object.keys(KNOBS[state.data.name] ?? {})) parts.push([key, state.data[key]]);
  if (state.data.held) parts.push(["held", state.data.held]);
  state.learners.forEach((learner, j) => {
    if (j) parts.push(["compare", 1]);
    for (const key of Object.keys(LEARNER)) {
      if (learner[key] !== LEARNER[key]) parts.push([`${"ab"[j]}.${key}`, encodeURIComponent(learner[key])]);
    }
  });
  parts.push(["k", state.k]);
  for (const key of ["lang", "theme", "lesson"]) if (state[key]) parts.push([key, state[key]]);
  return `#${parts.map((part) => part.join("=")).join("&")}`;
};

/** The state that an address holds; throws if it makes no sense. */
export const fromHash = (hash) => {
  const state = beginning();
  if (hash.length < 2) return state;
  const found = new Map(hash.slice(1).split("&").map((part) => {
    const cut = part.indexOf("=");
    return [part.slice(0, cut), part.slice(cut + 1)];
  }));
  const name = found.get("data") ?? "textbook";
  if (name === "points") {
    if (!found.has("p")) throw new Error("no points");
    state.data = { name, ...readPoints(found.get("p")) };
    for (const key of Object.keys(USUAL)) if (found.has(key)) state.data[key] = found.get(key).split("~").map(decodeURIComponent);
  } else {
    if (!Object.hasOwn(KNOBS, name)) throw new Error("unknown data");
    state.data = { name, ...KNOBS[name] };
    for (const key of Object.keys(KNOBS[name])) if (found.has(key)) state.data[key] = finite(Number(found.get(key)));
  }
  if (found.has("held")) state.data.held = finite(Number(found.get("held")));
  state.learners = (found.has("compare") ? ["a", "b"] : ["a"]).map((letter) => {
    const learner = { ...LEARNER };
    for (const key of Object.keys(LEARNER)) {
      const text = found.get(`${letter}.${key}`);
      if (text !== undefined) learner[key] = typed(decodeURIComponent(text), LEARNER[key]);
    }
    return learner;
  });
  state.k = Math.max(0, Math.floor(finite(Number(found.get("k") ?? 0))));
  for (const key of ["lang", "theme", "lesson"]) state[key] = found.get(key) ?? null;
  return state;
};

// -- What the server is asked ---------------------------------------------------------------------

const RULES_WITH_MARGIN = ["margin", "pa", "pa1", "pa2", "relaxation"];

/** Which of a learner's settings mean something, given the others. */
export const applies = (key, learner) => {
  const kernel = learner.kernel !== "none";
  switch (key) {
    case "form": case "start": case "settle": case "features": return !kernel;
    case "boundary": return learner.rule === "rosenblatt";
    case "gamma": return ["poly", "rbf", "laplacian", "sigmoid"].includes(learner.kernel);
    case "degree": return learner.kernel === "poly";
    case "coef0": return ["poly", "sigmoid"].includes(learner.kernel);
    case "margin": return RULES_WITH_MARGIN.includes(learner.rule);
    case "C": return ["pa1", "pa2"].includes(learner.rule);
    case "eta0": return !["pa", "pa1", "pa2"].includes(learner.rule);
    case "random_state": return ["shuffled", "random"].includes(learner.order);
    default: return true;
  }
};

/** A number of a setting; what is none, or too large to be one, is refused. */
const number = (text, name) => {
  const found = Number(text);
  if (Number.isNaN(found)) throw new Trouble("setting", "", { name });
  if (!Number.isFinite(found)) throw new Trouble("size", "");
  return found;
};

const numberOr = (text, name) => (/^\s*[\d.+-]/.test(plain(text)) ? number(plain(text), name) : text);

const numbers = (text, name) => plain(text).split(/[\s,;]+/).filter(Boolean).map((part) => number(part, name));

/** A learner's settings as the parameters of an estimator. */
export const parameters = (learner) => {
  const chosen = Object.fromEntries(Object.entries(learner).filter(([key]) => applies(key, learner)));
  const { order, start, batch_size, kernel, gamma, features, boundary, class_weight, ...rest } = chosen;
  const params = { ...rest, batch_size: numberOr(batch_size, "batch_size") };
  params.order = order === "given" || order === "shuffled" ? "sweep" : order;
  if (params.order === "sweep") params.shuffle = order === "shuffled";
  if (kernel !== "none") params.kernel = kernel;
  if (gamma !== undefined) params.gamma = numberOr(gamma, "gamma");
  if (features) params.features = features.split(".");
  if (boundary && boundary !== "mistake") params.boundary = Number(boundary);
  if (class_weight) params.class_weight = class_weight === "balanced" ? class_weight : numbers(class_weight, "class_weight");
  const begin = numbers(start ?? "", "start");
  if (begin.length) params.start = begin;
  return params;
};
