// The page: a state comes from the address, the server tells its runs, and the parts show them.

import { dataPanel, keysPanel, learnerPanel, sharePanel } from "./controls.js";
import { Dual } from "./dual.js";
import { Player } from "./player.js";
import { Plot } from "./plot.js";
import { Bound, Bracket } from "./proofs.js";
import { Replay } from "./replay.js";
import { ending, formulas, remaining, sentence } from "./sentences.js";
import { Line } from "./server.js";
import { beginning, fromHash, KNOBS, parameters, toHash } from "./state.js";
import { html } from "./svg.js";
import { Verdict } from "./verdict.js";
import { Weights } from "./weights.js";
import { count, has, label, say, setLanguage, shown, vector } from "./words.js";

const byId = (id) => document.getElementById(id);

let state = read();
let tool = 1;
let tab = 0;
let selected = null;
const replays = [null, null];
const lines = [new Line(), new Line()];

// -- Parts ----------------------------------------------------------------------------------------

const hands = {
  get selected() { return selected; },
  select(i) { selected = i; draw(); },
  move(i, x) { edit((X) => { X[i] = x; }); },
  click(i, x, other) {
    if (i === null) return tool === 0 ? undefined : add(x, other ? -tool : tool);
    if (tool === 0) remove(i);
  },
};

const plots = [new Plot(byId("figure-a"), hands), new Plot(byId("figure-b"), hands)];
const verdict = new Verdict(byId("verdict"), () => draw());
const weights = new Weights(byId("weights"));
const dual = new Dual(byId("dual"));
const bound = new Bound(byId("bound"));
const bracket = new Bracket(byId("bracket"));
const player = new Player(() => { draw(); remember(); });

// -- The address and the settings -----------------------------------------------------------------

function read() {
  try {
    return fromHash(location.hash);
  } catch {
    setTimeout(() => complain({ code: "link" }));
    return beginning();
  }
}

let writing = null;

/** Keep the address up to date, but not more often than browsers bear. */
function remember() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    state.k = player.k;
    history.replaceState(null, "", toHash(state));
  }, 200);
}

window.addEventListener("hashchange", () => {
  state = read();
  tab = 0;
  player.k = state.k;
  player.end = Math.max(player.end, state.k + 1);
  settle();
  learn({ fresh: true });
});

/** Language and theme. */
function settle() {
  const lang = state.lang ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
  setLanguage(lang);
  document.documentElement.dataset.theme = state.theme ?? "";
  label(document);
  document.title = say("title");
  for (const button of document.querySelectorAll("[data-lang]")) button.setAttribute("aria-pressed", button.dataset.lang === lang);
  keysPanel(byId("keys"));
  legend();
}

for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => {
    state.lang = button.dataset.lang;
    settle();
    show();
    remember();
  });
}

byId("theme").addEventListener("click", () => {
  const dark = getComputedStyle(document.body).getPropertyValue("--is-dark").trim() === "1";
  state.theme = dark ? "light" : "dark";
  settle();
  show();
  remember();
});

function legend() {
  const glyph = (kind, word) => html("span", {}, html("i", { class: kind }), say(word));
  byId("legend").replaceChildren(
    glyph("old", "old line"), glyph("line", "new line"), glyph("kept", "kept line"),
    glyph("wrong", "wrong point"), glyph("erring", "this point"));
}

// -- Learning, which is asking --------------------------------------------------------------------

/** Ask for the runs of all learners, or of one, and show them. */
async function learn({ fresh = false, only = null } = {}) {
  byId("figure-b").hidden = state.learners.length < 2;
  const some = state.learners.map((_, j) => j).filter((j) => only === null || j === only);
  await Promise.all(some.map((j) => learnOne(j, fresh)));
  if (state.data.name !== "table") remember();
}

let asked = 0;

/** Tell that so many more answers are waited for. */
function waiting(more) {
  asked += more;
  document.body.toggleAttribute("aria-busy", asked > 0);
}

async function learnOne(j, fresh) {
  const question = { data: state.data, learner: parameters(state.learners[j]) };
  waiting(1);
  try {
    const run = await lines[j].send("run", question);
    if (!run) return;
    accept(j, run, question, fresh);
    byId("notice").hidden = true;
  } catch (trouble) {
    complain(trouble);
  } finally {
    waiting(-1);
  }
}

function accept(j, run, question, fresh) {
  if (question.data.name === "table" && state.data === question.data) {
    state.data = { name: "points", X: run.points, y: run.signs, classes: run.classes };
  }
  replays[j] = new Replay(run, question, () => draw());
  plots[j].show(run, fresh);
  player.fit(Math.max(...state.learners.map((_, l) => replays[l]?.last ?? 0)));
  show();
}

function complain(trouble) {
  const key = `error ${trouble.code}`;
  byId("notice").textContent = has(key) ? say(key) : say("trouble", { message: trouble.message });
  byId("notice").hidden = false;
}

// -- Changing the data ----------------------------------------------------------------------------

/** Change the points by hand; from then on they are the reader's own. */
function edit(change) {
  const { points, signs, classes } = replays[0].run;
  const own = state.data.name === "points";
  const X = own ? [...state.data.X] : points.map((x) => [...x]);
  const y = own ? [...state.data.y] : [...signs];
  change(X, y);
  if (new Set(y).size < 2) return complain({ code: "one_class" });
  state.data = { name: "points", X, y, classes: own ? state.data.classes : classes };
  learn();
}

const add = (x, sign) => edit((X, y) => { X.push(x); y.push(sign); selected = X.length - 1; });

const remove = (i) => {
  selected = null;
  edit((X, y) => { X.splice(i, 1); y.splice(i, 1); });
};

const data = {
  choose(name) {
    if (name === "points") return;
    state.data = { name, ...KNOBS[name] };
    selected = null;
    learn({ fresh: true });
  },
  turn(key, value) {
    state.data = { ...state.data, [key]: value };
    learn({ fresh: true });
  },
  pick(kind) { tool = kind; },
  async paste(text) {
    const before = state.data;
    state.data = { name: "table", text };
    await learn({ fresh: true });
    if (state.data.name === "table") state.data = before; // it was refused
    remember();
  },
};

const learner = {
  set(key, value) {
    state.learners[tab] = { ...state.learners[tab], [key]: value };
    learn({ only: tab });
  },
  compare(on) {
    state.learners = on ? [state.learners[0], { ...state.learners[0], order: "worst" }] : [state.learners[0]];
    tab = on ? 1 : 0;
    replays[1] = null;
    byId("figure-b").hidden = !on;
    resize();
    learn({ fresh: on, only: on ? 1 : 0 });
  },
  tab(j) { tab = j; show(); },
};

// -- Showing --------------------------------------------------------------------------------------

/** Show the run of the learner that is looked at, in all parts; then the moment. */
function show() {
  const replay = replays[tab] ?? replays[0];
  if (!replay) return;
  const chosen = state.learners[tab];
  panels();
  verdict.show(replay);
  byId("card-weights").hidden = replay.kernel;
  byId("card-dual").hidden = !replay.kernel && chosen.form !== "dual";
  weights.show(replay, plots[tab].view ?? plots[0].view);
  dual.show(replay);
  bound.show(replay, chosen);
  bracket.show(replay);
  sharePanel(byId("share"), { replay: () => replays[tab], picture: () => plots[tab].root });
  player.tell();
  draw();
}

/** The panels of choices, unless somebody is at work in them. */
function panels() {
  const context = { state, tab, tool, run: replays[0]?.run, replays };
  const busy = (id) => byId(id).contains(document.activeElement) && document.activeElement.matches("[type=range], textarea");
  if (!busy("data")) refreshed("data", (root) => dataPanel(root, context, data));
  if (!busy("learner")) refreshed("learner", (root) => learnerPanel(root, context, learner));
}

/** Build a panel anew with the focus, and what was open, as they were. */
function refreshed(id, build) {
  const root = byId(id);
  const focus = root.contains(document.activeElement) ? document.activeElement.id : null;
  const open = [...root.querySelectorAll("details")].map((node) => node.open);
  build(root);
  root.querySelectorAll("details").forEach((node, j) => { node.open = open[j] ?? false; });
  if (focus) byId(focus)?.focus();
}

/** Draw the mistake that the player is at. */
function draw() {
  state.learners.forEach((chosen, j) => drawPlot(j, chosen));
  const replay = replays[tab] ?? replays[0];
  if (!replay) return;
  const k = Math.min(player.k, replay.last);
  const chosen = state.learners[tab];
  byId("sentence").textContent = sentence(replay, k, chosen);
  byId("formulas").replaceChildren(...formulas(replay, k, chosen));
  byId("ending").textContent = ending(replay, k);
  for (const part of [weights, dual, bound, bracket]) part.draw(k);
}

function drawPlot(j, chosen) {
  const [replay, plot] = [replays[j], plots[j]];
  if (!replay) return;
  const k = Math.min(player.k, replay.last);
  replay.fetch(k, plot.view).catch(complain);
  const wrong = replay.wrong(k);
  const kept = replay.kept(k);
  const proof = verdict.always || k === replay.last ? replay.run.verdict : null;
  plot.draw({
    before: k ? replay.hypothesis(k - 1) : null,
    after: replay.hypothesis(k),
    kept: kept?.hypothesis,
    erring: replay.moves(k).map((m) => replay.run.log.i[m]),
    wrong,
    counts: replay.kernel || chosen.form === "dual" ? replay.counts(k) : null,
    proof,
  });
  caption(j, replay, k);
}

function caption(j, replay, k) {
  const { run } = replay;
  const [n, errors] = [run.points.length, run.errors[k]];
  const point = run.points[selected];
  const told = point ? say("selected", { i: selected + 1, x: vector(point, 4), c: run.classes[run.signs[selected] < 0 ? 0 : 1] }) : "";
  plots[j].root.setAttribute("aria-label", say("plot", { n, wrong: errors, selected: told }));
  const letter = state.learners.length > 1 ? `${"AB"[j]}  ` : "";
  plots[j].figure.querySelector("figcaption").textContent = `${letter}${say("shown", { n: count(n), a: `● ${shown(run.classes[0])}`, b: `■ ${shown(run.classes[1])}` })}${say("gap")}${remaining(n, errors)}`;
}

// -- Keys in the picture --------------------------------------------------------------------------

const nudge = (dx, dy) => {
  const { view, run } = plots[0];
  const [left, right, bottom, top] = view.box;
  const [a, b] = view.flat(run.points[selected]);
  const to = [a + (dx * (right - left)) / 50, b + (dy * (top - bottom)) / 50];
  const lifted = view.lift(to, run.points[selected]);
  edit((X) => { X[selected] = lifted.map((v) => Number(v.toPrecision(6))); });
};

const middle = () => {
  const { view, run } = plots[0];
  if (selected !== null) return view.lift(view.flat(run.points[selected]).map((v, j) => v + (view.box[1] - view.box[0]) / (j ? 25 : 20)));
  const [left, right, bottom, top] = view.box;
  return view.lift(view.rounded([(left + right) / 2, (bottom + top) / 2]));
};

function pictureKey(event) {
  const n = replays[0].run.points.length;
  const turn = (by) => hands.select(((selected ?? (by > 0 ? -1 : 0)) + by + n) % n);
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const actions = {
    n: () => turn(1), p: () => turn(-1),
    "+": () => add(middle(), 1), "-": () => add(middle(), -1),
    Delete: () => selected !== null && remove(selected),
    Backspace: () => selected !== null && remove(selected),
    Escape: () => hands.select(null),
  };
  const move = event.altKey && selected !== null && moves[event.key];
  const action = move ? () => nudge(...move) : actions[event.key];
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

for (const plot of plots) plot.root.addEventListener("keydown", pictureKey);

// -- Beginning ------------------------------------------------------------------------------------

function resize() {
  plots.forEach((plot, j) => { if (replays[j] && !plot.figure.hidden) plot.resize(); });
  for (const replay of replays) replay?.borders.clear();
  show();
}

let resizing = null;
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(resize);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show());

settle();
byId("sentence").textContent = say("waiting");
player.k = state.k;
player.end = state.k + 1;
learn({ fresh: true });
