// The panel of data: a choice with its sliders, points held out, what a click does, and tables.

import { GLYPHS, KINDS, MOST, namesOf } from "./classes.js";
import { pointsTable } from "./exports.js";
import { buttonOf, field, inputOf, renew, selectOf } from "./fields.js";
import { KNOBS } from "./state.js";
import { html } from "./svg.js";
import { say, shown } from "./words.js";

const HELD = [0, 5, 4, 3, 2]; // of so many points one is held out
const SLIDERS = {
  n: { min: 4, max: 1000, step: 1 }, margin: { min: 0, max: 2, step: 0.05 },
  noise: { min: 0, max: 0.5, step: 0.01 }, classes: { min: 3, max: 4, step: 1 }, seed: { min: 0, max: 50, step: 1 },
};

export const dataPanel = (root, { state, run, tool }, act) => {
  const names = Object.keys(KNOBS).map((name) => [name, say(name === "touching" ? "data touching" : name)]);
  if (state.data.name === "points") names.push(["points", say("points")]);
  const select = selectOf("data-name", names, state.data.name, act.choose);
  select.setAttribute("aria-label", say("data"));
  const parts = [select];
  for (const key of Object.keys(KNOBS[state.data.name] ?? {})) parts.push(slider(key, state.data, act.turn));
  parts.push(heldOut(state.data.held ?? 0, act.hold));
  if (run) {
    parts.push(tools(namesOf(state.data, run), tool, act.pick), buttonOf("clear", say("clear"), act.clear));
    if (run.points[0]?.length > 2) parts.push(html("p", { class: "note" }, say("shadow", { d: run.points[0].length })));
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
  const options = HELD.map((n) => [n, n ? say("held one", { n }) : say("held none")]);
  return field("held", selectOf("held", options, value, (n) => changed(Number(n))));
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
  box.addEventListener("toggle", () => { if (box.open && run()) area.value = pointsTable(run()); });
  const file = html("input", { type: "file", id: "csv-file", accept: ".csv,.tsv,.txt,.data" });
  file.addEventListener("change", async () => paste(await file.files[0].text()));
  box.append(
    html("p", { class: "note" }, say("paste note")), buttonOf("csv-apply", say("apply"), () => paste(area.value)),
    html("label", { class: "note" }, say("file"), file));
  return box;
};
