// The page: a state comes from the address, the server tells its runs, and the parts show them.

import { Address } from "./address.js";
import { dataPanel } from "./data-panel.js";
import { pageOf, save } from "./exports.js";
import { Guide, statesOf } from "./guide.js";
import { Hands } from "./hands.js";
import { learnerPanel } from "./learner-panel.js";
import { dress, enlarge, onChoice } from "./looks.js";
import { Notice } from "./notice.js";
import { Player } from "./player.js";
import { recorded } from "./recorded.js";
import { Replay } from "./replay.js";
import { Line } from "./server.js";
import { sharePanel } from "./share-panel.js";
import { Stage } from "./stage.js";
import { beginning, fromHash, heldOf, isSketch, KNOBS, LEARNER, parameters, toHash } from "./state.js";
import { say } from "./words.js";

const byId = (id) => document.getElementById(id);

let state = beginning();
let good = null; // the last state whose runs are all known
let tab = 0; // the learner that is looked at
const replays = [null, null];
const lines = [new Line(), new Line()];

const notice = new Notice(byId("notice"));
const address = new Address(tellSteps);
const hands = new Hands({
  data: () => state.data, run: drawn, learner: (plot) => state.learners[plots.indexOf(plot)],
  changed: use, steered: steer, redraw: draw, isAnswer: (i) => guide.choosePoint(i),
});
const guide = new Guide(byId("guide"), byId("lessons"), { open: openLesson, leave: leaveLesson, save: saveLesson });
const stage = new Stage({ redraw: draw, repair });
const { plots } = stage;
const player = new Player(() => { draw(); remember(); });

// -- The address ----------------------------------------------------------------------------------

/** Begin at the state of the address; if it makes no sense, or is refused, say so and begin anew. */
async function begin() {
  try {
    open(recorded ? opening() : fromHash(location.hash));
  } catch {
    await anew();
    return notice.tell({ code: "link" }, "afresh", afresh);
  }
  address.adopt(state);
  const trouble = await learn({ fresh: true });
  if (!trouble) return remember();
  if (trouble.passing) return;
  await anew();
  notice.tell(Object.assign(trouble, { link: true }), "afresh", afresh);
}

/** The state that a file opens with. */
const opening = () => ({
  ...recorded.state, learners: recorded.state.learners.map((learner) => ({ ...LEARNER, ...learner })),
});

/** Begin where everybody begins. */
function anew() {
  open({ ...beginning(), lang: state.lang, theme: state.theme });
  return learn({ fresh: true });
}

const afresh = () => anew().then(remember);

function open(next) {
  state = next;
  tab = 0;
  hands.selected = null;
  player.start(state.k);
  dress(state);
  guide.take(state.lesson);
}

/** Show a state of a lesson. */
async function openLesson(hash, lesson) {
  const { lang, theme } = state;
  open({ ...fromHash(`#${hash}`), lang, theme, lesson });
  await learn({ fresh: true });
  remember();
  address.flush();
}

function leaveLesson() {
  state.lesson = null;
  resize();
  remember();
  address.flush();
}

async function saveLesson(name) {
  const states = statesOf(name).map((hash) => fromHash(`#${hash}`));
  const page = await file({ ...states[0], lesson: `${name}.0` }, states);
  if (page) save(`perceptron-${name}.html`, page, "text/html");
}

/** Whether all that is shown is of the state as it is: nothing was refused, nothing is awaited. */
function isShown() {
  return isSketch(state.data) || state.learners.every((learner, j) => replays[j]?.data === state.data && replays[j].learner === learner);
}

/** Keep the address up to date; what was refused is not written there. */
function remember() {
  if (good && !recorded) address.write(current());
}

const current = () => ({ ...state, ...good, k: player.k });

/** Go back to what was shown before: the last choice if it was refused, else the one before it. */
function undo() {
  address.flush();
  if (!isShown() && good) return restore();
  if (address.canUndo) history.back();
}

function restore() {
  Object.assign(state, good, { learners: [...good.learners] });
  tab = Math.min(tab, state.learners.length - 1);
  learn({ fresh: false });
}

function tellSteps() {
  byId("undo").setAttribute("aria-disabled", !address.canUndo);
  byId("redo").setAttribute("aria-disabled", !address.canRedo);
}

// -- Learning, which is asking --------------------------------------------------------------------

/** Ask for the runs of all learners, or of one, and show them; tells the trouble, if there is any. */
async function learn({ fresh = false, only = null } = {}) {
  byId("figure-b").hidden = state.learners.length < 2;
  if (isSketch(state.data)) return forget(fresh);
  const some = state.learners.map((_, j) => j).filter((j) => only === null || j === only || replays[j]?.learner !== state.learners[j]);
  const troubles = await Promise.all(some.map((j) => learnOne(j, fresh)));
  if (isShown()) good = { data: state.data, learners: [...state.learners] };
  return troubles.find(Boolean) ?? null;
}

async function learnOne(j, fresh) {
  const [data, learner] = [state.data, state.learners[j]];
  waiting(1);
  try {
    const run = await lines[j].send("run", { data, learner: parameters(learner) });
    if (run && !isSketch(state.data)) accept(j, run, data, learner, fresh);
    return null;
  } catch (trouble) {
    if (isSketch(state.data)) return null;
    complain(trouble);
    return trouble;
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

/** When no answer is waited for any more. */
const settled = async () => { while (asked) await new Promise(requestAnimationFrame); };

function accept(j, run, data, learner, fresh) {
  notice.clear();
  if (data.name === "table" && state.data === data) {
    const { points: X, codes: y, classes, features } = run;
    state.data = { name: "points", X, y, classes, features, ...heldOf(data) };
  }
  document.body.classList.remove("sketched");
  replays[j] = new Replay(run, data.name === "table" ? state.data : data, learner);
  stage.place(j, replays[j], fresh);
  player.fit(Math.max(...state.learners.map((_, l) => replays[l]?.last ?? 0)));
  if (j === 0) guide.judge(run);
  show();
}

/** Tell a trouble: what passes can be tried again, what was refused is taken back. */
function complain(trouble) {
  panels();
  if (trouble.passing) notice.tell(trouble, "again", () => learn().then(remember));
  else notice.tell(trouble, good && !isShown() ? "undo" : null, restore);
}

// -- Choices --------------------------------------------------------------------------------------

async function use(data) {
  state.data = data;
  await learn();
  remember();
}

/** Remove the points that the best line has wrong, and watch the run on those that are left. */
async function repair(rows) {
  player.start(0);
  hands.drop(rows);
  await settled();
  player.toggle();
}

/** Start from a line that a hand has moved. */
function steer(plot, line) {
  const j = plots.indexOf(plot);
  state.learners[j] = { ...state.learners[j], start: line.join(", ") };
  player.start(0);
  learn({ only: j }).then(remember);
}

/** Until there are two classes of points, they are drawn, and nothing is known of them. */
function forget(fresh) {
  replays.fill(null);
  good = { data: state.data, learners: [...state.learners] };
  document.body.classList.add("sketched");
  player.fit(0);
  show();
  notice.tell({ code: "one_class" }, fresh ? "afresh" : "undo", fresh ? afresh : undo);
  return null;
}

function sketch() {
  const { X: points, y: codes, classes = ["-1", "1"] } = state.data;
  const features = state.data.features ?? ["x₁", "x₂", ...(points[0] ?? []).slice(2).map(() => "")];
  stage.sketch({ points, codes, classes, features }, state.learners.length, hands.selected);
}

/** What is drawn: a run, or points of which nothing is known. */
function drawn() {
  return plots[0].run;
}

const data = {
  choose(name) {
    if (name === "points") return;
    state.data = { name, ...KNOBS[name], ...heldOf(state.data) };
    hands.selected = null;
    learn({ fresh: true }).then(remember);
  },
  turn(key, value) {
    state.data = { ...state.data, [key]: value };
    learn({ fresh: true }).then(remember);
  },
  hold(held) {
    state.data = { ...state.data, held };
    learn().then(remember);
  },
  pick(kind) { hands.tool = kind; },
  clear() { hands.drop(drawn().points.keys()); },
  run: drawn,
  async paste(text) {
    const before = state.data;
    state.data = { name: "table", text, ...heldOf(before) };
    await learn({ fresh: true });
    if (state.data.name === "table") state.data = before; // it was refused
    remember();
  },
};

const learner = {
  set(key, value) {
    state.learners[tab] = { ...state.learners[tab], [key]: value };
    learn({ only: tab }).then(remember);
  },
  compare(on) {
    const [first] = state.learners;
    state.learners = on ? [first, { ...first, order: "worst" }] : [first];
    tab = on ? 1 : 0;
    replays[1] = null;
    byId("figure-b").hidden = !on;
    resize();
    learn({ fresh: on, only: tab }).then(remember);
  },
  tab(j) { tab = j; show(); },
};

// -- Showing --------------------------------------------------------------------------------------

const looked = () => replays[tab] ?? replays[0];

/** Show the run of the learner that is looked at, in all parts; then the moment. */
function show() {
  const replay = looked();
  if (!replay) return draw();
  panels();
  stage.show(replay, state.learners.map((_, j) => replays[j]), plots[tab].view ?? plots[0].view);
  sharePanel(byId("share"), { replay: looked, picture: () => plots[tab].root, link, file: () => file(current()) });
  player.tell();
  draw();
}

/** The link to what is shown, without the secret of this server. */
const link = () => `${location.origin}/${toHash(current())}`;

/** All that is shown, or a lesson, as one file that replays without a server; null if refused. */
const file = (...states) => pageOf(...states).catch(complain);

function panels() {
  const context = { state, tab, tool: hands.tool, run: drawn(), replays };
  dataPanel(byId("data"), context, data);
  learnerPanel(byId("learner"), context, learner);
}

/** Draw the mistake that the player is at. */
function draw() {
  if (isSketch(state.data)) {
    sketch();
    return panels();
  }
  stage.draw(state.learners.map((_, j) => replays[j]), looked(), player.k, hands.selected);
}

function resize() {
  stage.resize(replays);
  show();
}

// -- Beginning ------------------------------------------------------------------------------------

for (const plot of plots) hands.hold(plot);
onChoice((chosen) => {
  Object.assign(state, chosen);
  dress(state);
  notice.translate();
  guide.draw();
  show();
  remember();
});
byId("to-lessons").addEventListener("click", () => {
  byId("card-lessons").open = true;
  byId("lessons").querySelector("button").focus();
});
byId("undo").addEventListener("click", undo);
byId("large").addEventListener("click", () => { enlarge(); resize(); });
byId("redo").addEventListener("click", () => address.canRedo && history.forward());
window.addEventListener("hashchange", begin);
window.addEventListener("pagehide", () => address.flush());
let resizing = null;
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(resize);
});
tellSteps();
byId("sentence").textContent = say("waiting");
begin();
