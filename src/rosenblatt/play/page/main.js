// The page: a state comes from the address, the server tells its runs, and the parts show them.

import { dataPanel, learnerPanel, sharePanel } from "./controls.js";
import { Dual } from "./dual.js";
import { Hands } from "./hands.js";
import { dress, onChoice } from "./looks.js";
import { Player } from "./player.js";
import { Plot } from "./plot.js";
import { Bound, Bracket } from "./proofs.js";
import { Replay } from "./replay.js";
import { ending, formulas, remaining, sentence } from "./sentences.js";
import { Line } from "./server.js";
import { beginning, fromHash, KNOBS, parameters, toHash } from "./state.js";
import { Verdict } from "./verdict.js";
import { Weights } from "./weights.js";
import { count, has, say, shown, vector } from "./words.js";

const byId = (id) => document.getElementById(id);

let state = read();
let tab = 0; // the learner that is looked at
const replays = [null, null];
const lines = [new Line(), new Line()];

const hands = new Hands({ data: () => state.data, run: () => replays[0].run, changed: use, redraw: draw });
const plots = [new Plot(byId("figure-a")), new Plot(byId("figure-b"))];
const verdict = new Verdict(byId("verdict"), draw);
const weights = new Weights(byId("weights"));
const dual = new Dual(byId("dual"));
const bound = new Bound(byId("bound"));
const bracket = new Bracket(byId("bracket"));
const player = new Player(() => { draw(); remember(); });

// -- The address ----------------------------------------------------------------------------------

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
    if (state.data.name === "table") return; // it is not known yet whether it can be read
    state.k = player.k;
    history.replaceState(null, "", toHash(state));
  }, 200);
}

/** Begin at the state that was read. */
function begin() {
  tab = 0;
  hands.selected = null;
  player.start(state.k);
  dress(state);
  learn({ fresh: true });
}

// -- Learning, which is asking --------------------------------------------------------------------

/** Ask for the runs of all learners, or of one, and show them. */
async function learn({ fresh = false, only = null } = {}) {
  byId("figure-b").hidden = state.learners.length < 2;
  const some = state.learners.map((_, j) => j).filter((j) => only === null || j === only);
  await Promise.all(some.map((j) => learnOne(j, fresh)));
  remember();
}

async function learnOne(j, fresh) {
  const question = { data: state.data, learner: parameters(state.learners[j]) };
  waiting(1);
  try {
    const run = await lines[j].send("run", question);
    if (!run) return;
    byId("notice").hidden = true;
    accept(j, run, question, fresh);
  } catch (trouble) {
    complain(trouble);
  } finally {
    waiting(-1);
  }
}

let asked = 0;

/** Tell that so many more answers are waited for. */
function waiting(more) {
  asked += more;
  document.body.toggleAttribute("aria-busy", asked > 0);
}

function accept(j, run, question, fresh) {
  if (question.data.name === "table" && state.data === question.data) {
    state.data = { name: "points", X: run.points, y: run.signs, classes: run.classes, features: run.features };
  }
  replays[j] = new Replay(run, question, draw);
  plots[j].show(run, fresh);
  player.fit(Math.max(...state.learners.map((_, l) => replays[l]?.last ?? 0)));
  show();
}

function complain(trouble) {
  const key = `error ${trouble.code}`;
  byId("notice").textContent = has(key) ? say(key) : say("trouble", { message: trouble.message });
  byId("notice").hidden = false;
}

// -- Choices --------------------------------------------------------------------------------------

/** Use other points, if there are two classes of them. */
function use(data) {
  if (new Set(data.y).size < 2) return complain({ code: "one_class" });
  state.data = data;
  learn();
}

const data = {
  choose(name) {
    if (name === "points") return;
    state.data = { name, ...KNOBS[name] };
    hands.selected = null;
    learn({ fresh: true });
  },
  turn(key, value) {
    state.data = { ...state.data, [key]: value };
    learn({ fresh: true });
  },
  pick(kind) { hands.tool = kind; },
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
    const [first] = state.learners;
    state.learners = on ? [first, { ...first, order: "worst" }] : [first];
    tab = on ? 1 : 0;
    replays[1] = null;
    byId("figure-b").hidden = !on;
    resize();
    learn({ fresh: on, only: tab });
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
  sharePanel(byId("share"), { replay: () => replays[tab] ?? replays[0], picture: () => plots[tab].root });
  player.tell();
  draw();
}

/** The panels of choices, unless somebody is at work in them. */
function panels() {
  const context = { state, tab, tool: hands.tool, run: replays[0]?.run, replays };
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
  plot.draw({
    before: k ? replay.hypothesis(k - 1) : null,
    after: replay.hypothesis(k),
    kept: replay.kept(k),
    erring: replay.moves(k).map((m) => replay.run.log.i[m]),
    wrong: replay.wrong(k),
    counts: replay.kernel || chosen.form === "dual" ? replay.counts(k) : null,
    proof: verdict.always || k === replay.last ? replay.run.verdict : null,
    selected: hands.selected,
  });
  caption(j, replay.run, replay.run.errors[k]);
}

function caption(j, run, errors) {
  const { selected } = hands;
  const n = run.points.length;
  const [a, b] = run.classes.map(shown);
  const point = run.points[selected];
  const told = point ? say("selected", { i: selected + 1, x: vector(point, 4), c: run.signs[selected] < 0 ? a : b }) : "";
  plots[j].root.setAttribute("aria-label", say("plot", { n, wrong: errors, selected: told }));
  const letter = state.learners.length > 1 ? `${"AB"[j]}  ` : "";
  const points = say("shown", { n: count(n), a: `● ${a}`, b: `■ ${b}` });
  plots[j].figure.querySelector("figcaption").textContent = letter + points + say("gap") + remaining(n, errors);
}

function resize() {
  plots.forEach((plot, j) => replays[j] && plot.resize());
  for (const replay of replays) replay?.borders.clear();
  show();
}

// -- Beginning ------------------------------------------------------------------------------------

for (const plot of plots) hands.hold(plot);
onChoice((chosen) => {
  Object.assign(state, chosen);
  dress(state);
  show();
  remember();
});
window.addEventListener("hashchange", () => { state = read(); begin(); });
let resizing = null;
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(resize);
});
begin();
byId("sentence").textContent = say("waiting");
