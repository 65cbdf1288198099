// The panel of the learner: its settings, and two learners compared.

import { buttonOf, checkOf, field, inputOf, renew, selectOf } from "./fields.js";
import { applies } from "./state.js";
import { html } from "./svg.js";
import { say, shown } from "./words.js";

const CHOICES = {
  kernel: { none: "none", poly: "poly", rbf: "rbf", laplacian: "laplacian", cosine: "cosine", sigmoid: "sigmoid", linear: "linear" },
  form: { primal: "primal", dual: "dualform" },
  order: { given: "given", shuffled: "shuffled", random: "random", worst: "worst", active: "active", adversary: "adversary" },
  rule: { rosenblatt: "rosenblatt", margin: "marginrule", pa: "pa", pa1: "pa1", pa2: "pa2", relaxation: "relaxation" },
  settle: { after: "settle after", first: "settle first", never: "settle never" },
  keep: { pocket: "pocket", best: "best", last: "lastkeep", average: "average", vote: "vote" },
};
const NUMBERS = {
  eta0: { min: 0.01, step: "any" }, margin: { min: 0, step: "any" }, C: { min: 0.001, step: "any" },
  degree: { min: 1, max: 10, step: 1 }, coef0: { step: "any" }, max_iter: { min: 1, max: 1000, step: 1 },
  min_margin: { min: 0, step: "any" }, random_state: { min: 0, max: 9999, step: 1 },
};
const FEATURES = { squares: "x₁², x₂²", products: "x₁·x₂", sines: "sin x₁, sin x₂" };
const NAMES = { margin: "margin of rule" };

export const learnerPanel = (root, { state, tab, run, replays }, act) => {
  const learner = state.learners[tab];
  const several = run?.classes.length > 2;
  const areTwo = state.learners.length > 1;
  const parts = [checkOf("compare", areTwo, say("compare"), act.compare)];
  if (areTwo) parts.push(tabs(tab, act.tab), summary(replays));
  const first = ["kernel", "gamma", "degree", "coef0"];
  const then = ["form", "order", "random_state", "rule", "eta0", "margin", "C", "batch_size", "keep", "start", "max_iter", "min_margin", "settle", "boundary", "class_weight"];
  const settings = (keys) => keys.filter((key) => applies(key, learner) && !(key === "boundary" && several)).map((key) => setting(key, learner, act.set, run));
  parts.push(...settings(first));
  if (applies("features", learner)) parts.push(features(learner, act.set));
  parts.push(...settings(then));
  if (learner.order === "adversary") parts.push(html("p", { class: "note" }, say("adversary note")));
  parts.push(checkOf("fit_intercept", learner.fit_intercept, say("fit_intercept"), (on) => act.set("fit_intercept", on)));
  renew(root, parts);
};

/** Explicit features, beside those that the points have. */
const features = (learner, set) => {
  const chosen = new Set(learner.features.split(".").filter(Boolean));
  const group = html("fieldset", { class: "tools" }, html("legend", {}, say("features")));
  for (const [kind, text] of Object.entries(FEATURES)) {
    group.append(checkOf(`feature-${kind}`, chosen.has(kind), html("span", { class: "maths" }, text), (on) => {
      chosen[on ? "add" : "delete"](kind);
      set("features", Object.keys(FEATURES).filter((each) => chosen.has(each)).join("."));
    }, null));
  }
  return group;
};

/** What a point on the line counts as. */
const boundaries = (run) => {
  const names = run?.classes.length === 2 ? run.classes : ["-1", "1"];
  return [["mistake", say("boundary mistake")], ...["-1", "1"].map((side, code) => [side, say("boundary side", { c: shown(names[code]) })])];
};

const setting = (key, learner, set, run) => {
  const word = NAMES[key] ?? key;
  const changed = (value) => set(key, value);
  const choice = (options, kind) => field(word, selectOf(key, options, learner[key], changed), kind);
  if (key === "boundary") return choice(boundaries(run));
  if (key in CHOICES) return choice(Object.entries(CHOICES[key]).map(([value, name]) => [value, say(name)]), "choice");
  if (key in NUMBERS) return field(word, inputOf(key, { type: "number", required: true, ...NUMBERS[key] }, learner[key], changed));
  const patterns = {
    gamma: "scale|auto|[0-9.e\\-]+", batch_size: "all|[1-9][0-9]*", start: "[0-9.,;e\\s+\\-]*",
    class_weight: "balanced|[0-9.,;e\\s+\\-]*",
  };
  const hints = { gamma: "scale", batch_size: "1", start: "0, 0, 0", class_weight: "1, 1" };
  return field(word, inputOf(key, { type: "text", pattern: patterns[key], placeholder: hints[key] }, learner[key], changed));
};

const tabs = (tab, chosen) => {
  const group = html("div", { class: "switch wide", role: "group", "aria-label": say("compare") });
  ["A", "B"].forEach((letter, j) => {
    const button = buttonOf(`tab-${letter}`, letter, () => chosen(j));
    button.setAttribute("aria-pressed", j === tab);
    group.append(button);
  });
  return group;
};

const summary = (replays) => {
  const head = html("tr", {}, html("th", {}), ...["A", "B"].map((letter) => html("th", { scope: "col" }, letter)));
  const line = (word, value) => html("tr", {}, html("th", { scope: "row" }, say(word)), ...replays.map((r) => html("td", {}, r ? value(r.run) : "…")));
  return html("table", { id: "summary" }, head,
    line("updates", (run) => run.mistakes.toLocaleString("en")),
    line("passes", (run) => run.passes.toLocaleString("en")),
    line("errors", (run) => String(run.handed_errors)),
    line("ended", (run) => say(`stop ${run.stop}`)));
};
