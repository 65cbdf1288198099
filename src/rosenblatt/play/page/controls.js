// The panels of choices: data, learner, sharing.

import { GLYPHS, KINDS, MOST, namesOf } from "./classes.js";
import { cell, save, savePng, saveSvg, saveTrace } from "./exports.js";
import { recorded } from "./recorded.js";
import { applies, KNOBS } from "./state.js";
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
const HELD = [0, 5, 4, 3, 2]; // of so many points one is held out
const NAMES = { margin: "margin of rule" };
const SLIDERS = {
  n: { min: 4, max: 1000, step: 1 }, margin: { min: 0, max: 2, step: 0.05 },
  noise: { min: 0, max: 0.5, step: 0.01 }, classes: { min: 3, max: 4, step: 1 }, seed: { min: 0, max: 50, step: 1 },
};

const field = (word, input, kind = "") => html("label", { class: `field ${kind}` }, html("span", {}, say(word)), input);

const selectOf = (id, options, value, changed) => {
  const select = html("select", { id });
  for (const [key, word] of Object.entries(options)) select.append(new Option(say(word), key, false, key === value));
  select.addEventListener("change", () => changed(select.value));
  return select;
};

const inputOf = (id, attributes, value, changed, event = "change") => {
  const input = html("input", { id, ...attributes });
  input.value = value;
  input.addEventListener(event, () => input.checkValidity() && changed(attributes.type === "text" ? input.value : Number(input.value)));
  return input;
};

const buttonOf = (id, text, pressed) => {
  const button = html("button", { type: "button", id }, text);
  button.addEventListener("click", () => pressed(button));
  return button;
};

/** Put new parts into a panel. The part that somebody is at stays as it is, what was open is open. */
const renew = (root, parts) => {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const kept = [...root.children].find((child) => active?.id && child.contains(active));
  const at = kept ? parts.findIndex((part) => part.id === active.id || part.querySelector(`#${active.id}`)) : -1;
  const open = root.querySelector("details")?.open ?? false;
  if (at < 0) root.replaceChildren(...parts);
  else {
    for (const child of [...root.children]) if (child !== kept) child.remove();
    kept.before(...parts.slice(0, at));
    kept.after(...parts.slice(at + 1));
    if (!active.matches(":user-invalid, .typing, textarea")) adopt(active, parts[at].querySelector(`#${active.id}`) ?? parts[at]);
  }
  for (const box of root.querySelectorAll("details")) box.open = open;
};

/** Take the value of a field's newer self, which somebody may have undone. */
const adopt = (field, { value, checked }) => {
  if (field.value !== value) field.value = value;
  if (field.type !== "radio") field.checked = checked;
};

document.addEventListener("input", ({ target }) => target.classList.add("typing"));
document.addEventListener("change", ({ target }) => target.classList.remove("typing"));

// -- Data -----------------------------------------------------------------------------------------

export const dataPanel = (root, { state, run, tool }, act) => {
  const names = Object.fromEntries(Object.keys(KNOBS).map((name) => [name, name === "touching" ? "data touching" : name]));
  if (state.data.name === "points") names.points = "points";
  const select = selectOf("data-name", names, state.data.name, act.choose);
  select.setAttribute("aria-label", say("data"));
  const parts = [select];
  for (const key of Object.keys(KNOBS[state.data.name] ?? {})) parts.push(slider(key, state.data, act.turn));
  parts.push(heldOut(state.data.held ?? 0, act.hold));
  if (run) {
    parts.push(tools(namesOf(state.data, run), tool, act.pick), buttonOf("clear", say("clear"), act.clear));
    if (run.points[0].length > 2) parts.push(html("p", { class: "note" }, say("shadow", { d: run.points[0].length })));
  }
  parts.push(pasteBox(act));
  renew(root, parts);
};

/** How far a slider goes; the spread of groups goes further than other noise. */
const reach = (key, { name }) => (name === "groups" && key === "noise" ? { min: 0, max: 2, step: 0.05 } : SLIDERS[key]);

const slider = (key, data, turned) => {
  const shown = html("output", {}, String(data[key]));
  const input = inputOf(`knob-${key}`, { type: "range", ...reach(key, data) }, data[key], (v) => {
    shown.textContent = v;
    turned(key, v);
  }, "input");
  return html("label", { class: "field slider" }, html("span", {}, say(key)), input, shown);
};

const heldOut = (value, changed) => {
  const select = html("select", { id: "held" });
  for (const n of HELD) select.append(new Option(n ? say("held one", { n }) : say("held none"), n, false, n === value));
  select.addEventListener("change", () => changed(Number(select.value)));
  return field("held", select, "choice");
};

const tools = (classes, chosen, pick) => {
  const group = html("fieldset", { class: "tools" }, html("legend", {}, say("tool")));
  const adds = classes.map((name, code) => [String(code), GLYPHS[code], say("add", { name: shown(name) }), KINDS[code]]);
  const more = classes.length < MOST ? [["new", "+", say("add new"), "none"]] : [];
  const flip = say(classes.length > 2 ? "next class" : "flip");
  for (const [kind, glyph, text, look] of [...adds, ...more, ["flip", "⇄", flip, "none"], ["erase", "×", say("erase"), "none"]]) {
    const radio = html("input", { type: "radio", name: "tool", value: kind, id: `tool-${kind}` });
    radio.checked = kind === chosen;
    radio.addEventListener("change", () => pick(kind));
    const mark = html("span", { class: look, "aria-hidden": "true" }, glyph);
    group.append(html("label", {}, radio, mark, ` ${text}`));
  }
  return group;
};

const pasteBox = ({ run, paste }) => {
  const area = html("textarea", { id: "csv", rows: 6, spellcheck: "false", "aria-label": say("paste") });
  const box = html("details", { class: "paste" }, html("summary", {}, say("paste")), area);
  box.addEventListener("toggle", () => { if (box.open && run()) area.value = csv(run()); });
  const file = html("input", { type: "file", id: "csv-file", accept: ".csv,.tsv,.txt,.data" });
  file.addEventListener("change", async () => paste(await file.files[0].text()));
  box.append(
    html("p", { class: "note" }, say("paste note")), buttonOf("csv-apply", say("apply"), () => paste(area.value)),
    html("label", { class: "note" }, say("file"), file));
  return box;
};

/** The points of a run as a table. */
const csv = (run) => {
  const rows = run.points.map((x, i) => [...x, run.classes[run.codes[i]]]);
  return [[...run.features, "class"], ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
};

// -- The learner ----------------------------------------------------------------------------------

export const learnerPanel = (root, { state, tab, run, replays }, act) => {
  const learner = state.learners[tab];
  const several = run?.classes.length > 2;
  const compare = html("input", { type: "checkbox", id: "compare" });
  compare.checked = state.learners.length > 1;
  compare.addEventListener("change", () => act.compare(compare.checked));
  const parts = [html("label", { class: "check" }, compare, say("compare"))];
  if (compare.checked) parts.push(tabs(tab, act.tab), summary(replays));
  const first = ["kernel", "gamma", "degree", "coef0"];
  const then = ["form", "order", "random_state", "rule", "eta0", "margin", "C", "batch_size", "keep", "start", "max_iter", "min_margin", "settle", "boundary", "class_weight"];
  const settings = (keys) => keys.filter((key) => applies(key, learner) && !(key === "boundary" && several)).map((key) => setting(key, learner, act.set, run));
  parts.push(...settings(first));
  if (applies("features", learner)) parts.push(features(learner, act.set));
  parts.push(...settings(then));
  if (learner.order === "adversary") parts.push(html("p", { class: "note" }, say("adversary note")));
  const bias = html("input", { type: "checkbox", id: "fit_intercept" });
  bias.checked = learner.fit_intercept;
  bias.addEventListener("change", () => act.set("fit_intercept", bias.checked));
  parts.push(html("label", { class: "check" }, bias, say("fit_intercept")));
  renew(root, parts);
};

/** Explicit features, beside those that the points have. */
const features = (learner, set) => {
  const chosen = new Set(learner.features.split(".").filter(Boolean));
  const group = html("fieldset", { class: "tools" }, html("legend", {}, say("features")));
  for (const [kind, text] of Object.entries(FEATURES)) {
    const box = html("input", { type: "checkbox", id: `feature-${kind}` });
    box.checked = chosen.has(kind);
    box.addEventListener("change", () => {
      chosen[box.checked ? "add" : "delete"](kind);
      set("features", Object.keys(FEATURES).filter((each) => chosen.has(each)).join("."));
    });
    group.append(html("label", {}, box, html("span", { class: "maths" }, text)));
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
  if (key === "boundary") {
    const select = html("select", { id: key });
    for (const [value, text] of boundaries(run)) select.append(new Option(text, value, false, value === learner[key]));
    select.addEventListener("change", () => changed(select.value));
    return field(word, select);
  }
  if (key in CHOICES) return field(word, selectOf(key, CHOICES[key], learner[key], changed), "choice");
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

// -- Sharing --------------------------------------------------------------------------------------

export const sharePanel = (root, { replay, picture, link, file }) => {
  const byHand = html("input", { type: "text", id: "link", readonly: true, hidden: true, "aria-label": say("copy by hand") });
  const copied = async (button, text) => {
    if (!(await copy(text))) {
      Object.assign(byHand, { hidden: false, value: text });
      return byHand.select();
    }
    button.textContent = say("copied");
    setTimeout(() => { button.textContent = say("copy link"); }, 1500);
  };
  const row = (word, ...buttons) => html("div", { class: "row" }, html("span", {}, say(word)), ...buttons);
  const saved = async (button) => {
    button.disabled = true;
    const page = await file();
    button.disabled = false;
    if (page) save("perceptron.html", page, "text/html");
  };
  const online = recorded ? [] : [
    buttonOf("copy-link", say("copy link"), (button) => copied(button, link())),
    byHand,
    html("p", { class: "note" }, say("share note")),
    row("replay file", buttonOf("save-html", "HTML", saved)),
  ];
  root.replaceChildren(
    ...online,
    row("image", buttonOf("save-svg", "SVG", () => saveSvg(picture())), buttonOf("save-png", "PNG", () => savePng(picture()))),
    row("trace", buttonOf("save-json", "JSON", () => saveTrace(replay(), "json")), buttonOf("save-csv", "CSV", () => saveTrace(replay(), "csv"))),
    codeBox(replay),
    ...classroom(),
  );
};

/** Where other machines may come in: the address for them, and its square. */
const classroom = () => {
  const { classroom: address } = document.body.dataset;
  if (!address) return [];
  const picture = html("img", { src: "classroom.svg", alt: say("square", { address }), class: "square" });
  picture.addEventListener("error", () => picture.remove());
  return [html("details", { class: "paste", id: "classroom" }, html("summary", {}, say("classroom")), html("p", { class: "figures" }, address), picture)];
};

/** Whether a text could be put on the clipboard; browsers give it to pages of this machine only. */
const copy = (text) => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;

const codeBox = (replay) => {
  const text = html("pre", { id: "code", tabindex: 0 });
  const box = html("details", { class: "paste" }, html("summary", {}, say("code")), text);
  box.append(buttonOf("save-code", ".py", () => save("perceptron.py", replay().run.code, "text/x-python")));
  box.addEventListener("toggle", () => { if (box.open) text.textContent = replay().run.code; });
  return box;
};

export const keysPanel = (root) => {
  const lines = ["keys step", "keys play", "keys select", "keys add", "keys mouse", "keys line"].map((key) => html("li", {}, say(key)));
  root.replaceChildren(html("ul", {}, ...lines));
};
