// The sentence and the formulas of a mistake, as the notes write them, with the figures filled in.

import { GLYPHS } from "./classes.js";
import { blameOfClasses, machineFormulas, machineNow } from "./machine.js";
import { formula, four, signed, stepName, sumName, through, weights } from "./notation.js";
import { count, listed, many, num, say, shown, vector } from "./words.js";

/** What happened at hypothesis k. */
export const sentence = (replay, k) => {
  const { run, learner } = replay;
  const n = replay.trained;
  if (k === 0) return start(replay, n);
  const moves = replay.moves(k);
  const errors = run.errors[k];
  const left = remaining(n, errors);
  const word = learner.rule === "rosenblatt" && replay.last === run.mistakes ? "mistake" : "update";
  const head = say(word, { k: count(k), m: count(replay.last) }) + say("colon");
  const told = moves.length > 1 ? say("batch", { count: moves.length })
    : replay.several ? blameOfClasses(replay, k, moves[0]) : blame(replay, k, moves[0]);
  return head + sentences(told, left);
};

const sentences = (...parts) => parts.join(say("gap"));

/** How many points are wrong. */
export const remaining = (n, errors) =>
  say(["left none", "left one"][errors] ?? "left", { n: count(n), errors: count(errors) });

/** What a picture shows, in a line. */
export const caption = ({ run, trained, held }, k) => {
  const out = held.size ? [say("held out", { n: count(held.size) })] : [];
  return sentences(counted(run), ...out, remaining(trained, run.errors[k]));
};

/** How many points there are, and of which classes. */
export const counted = ({ points, classes }) =>
  say("shown", { points: many("points", points.length), classes: listed(classes.map((name, code) => `${GLYPHS[code]} ${shown(name)}`)) });

/** The same for a screen reader, with the point that is selected. */
export const described = (run, k, selected) => {
  const point = run.points[selected];
  const c = point && shown(run.classes[run.codes[selected]]);
  const told = point ? say("selected", { i: selected + 1, x: vector(point, 4), c }) : "";
  return say("plot", { n: run.points.length, wrong: run.errors[k], selected: told });
};

const start = (replay, n) => {
  const { run } = replay;
  const isZero = replay.kernel || run.path[0].flat().every((v) => v === 0);
  const zero = replay.several ? "start classes" : run.boundary ? "start side" : "start zero";
  const from = isZero ? say(zero, { c: sideName(run) }) : say("start given", { errors: run.errors[0], n });
  return replay.last || run.settled ? from : sentences(from, say("no mistakes"));
};

/** The class of a point on the line, where it has one. */
const sideName = ({ boundary, classes }) => shown(classes[boundary > 0 ? 1 : 0]);

/** Why a point moved the hypothesis, and what that did for it. */
const blame = (replay, k, j) => {
  const { log, margins, path, boundary } = replay.run;
  const [before, after] = [margins.before[j], margins.after[j]];
  const blank = path ? path[k - 1].slice(0, -1).every((v) => v === 0) : k === 1;
  const on = `${blank ? "no line" : "on line"}${boundary ? " side" : ""}`;
  const key = before > 0 ? "within" : before < 0 ? "wrong side" : on;
  const told = { gain: num(after - before, 4), before: num(before, 4), after: num(after, 4) };
  return sentences(say(key, { i: log.i[j] + 1, c: sideName(replay.run) }), say("raised", told) + say(outcome(replay, log.i[j], after, k === replay.last)));
};

const outcome = ({ run, learner }, i, after, last) => {
  const isAllowed = after === 0 && (run.codes[i] ? 1 : -1) === run.boundary;
  if (after <= 0 && !isAllowed) return last ? "wrong still" : "still wrong";
  if (learner.rule === "rosenblatt") return "now right";
  return after > learner.margin * (1 - 1e-9) ? "now beyond" : "now within";
};

/** How the run ended; told at its last hypothesis. */
export const ending = (replay, k) => {
  if (k < replay.last) return "";
  const { run } = replay;
  const values = { m: many(replay.learner.rule === "rosenblatt" ? "mistakes" : "updates", run.mistakes), passes: many("passes", run.passes), errors: count(run.handed_errors), through: through(replay) };
  const told = [say(`end ${kind(replay)}`, values)];
  if (run.stop !== "separated") told.push(say(`keeps ${keeps(replay)}`, values));
  if (run.full && run.stop !== "max_updates") told.push(say("full", { n: count(run.full) }));
  return sentences(...told);
};

const kind = ({ run, kernel, curved, several, last }) => {
  const settled = kernel || run.errors[last] ? "settled" : "settled right";
  const lifted = kernel ? " kernel" : "";
  if (run.stop === "inseparable") return `inseparable${several ? " several" : curved ? lifted || " features" : ""}`;
  if (run.stop !== "separated") return run.stop;
  return `${run.settled ? (last ? settled : "first") : "separated"}${lifted}`;
};

/** What is kept need not be of the run: a search may have found it, or all hypotheses vote. */
const keeps = ({ run, learner }) => (learner.keep === "vote" ? "vote" : run.settled ? "found" : "line");

// -- Formulas -------------------------------------------------------------------------------------

/** The formulas of hypothesis k. */
export const formulas = (replay, k) => {
  const { learner } = replay;
  const moves = replay.moves(k);
  if (k === 0 || !moves.length) return replay.kernel ? [] : replay.several ? machineNow(replay, k) : [now(replay, k)];
  if (replay.several) return machineFormulas(replay, k, moves);
  if (replay.kernel || learner.form === "dual") return dual(replay, k, moves);
  return moves.length > 1 ? batch(replay, k, moves) : primal(replay, k, moves[0]);
};

const now = (replay, k) => {
  const w = replay.run.path[k];
  return formula("*w* = ", weights(w), ",  *b* = ", four(w.at(-1)));
};

/** What the margin of a point that moves the hypothesis is not above. */
const limit = ({ run, learner }, i) => {
  if (learner.rule !== "rosenblatt") return ` ≤ ${four(learner.margin)}`;
  return (run.codes[i] ? 1 : -1) === run.boundary ? " < 0" : " ≤ 0";
};

const primal = (replay, k, j) => {
  const { run, learner } = replay;
  const i = run.log.i[j];
  const [w, after, x, y, c] = [run.path[k - 1], run.path[k], replay.rows[i], run.codes[i] ? 1 : -1, run.log.c[j]];
  const terms = x.map((v, d) => `${signed(w[d])}·${signed(v)}`).slice(0, 4).join(" + ");
  const more = x.length > 4 ? " + …" : "";
  const m = run.margins.before[j];
  const step = Math.abs(c);
  const rate = stepName(learner);
  const lines = [
    formula("*y* (*w*·*x* + *b*) = ", `${signed(y)}·(${terms}${more} + ${signed(w.at(-1))}) = ${four(m)}`, limit(replay, i)),
    formula(`*w* ← *w* + ${rate} *y* *x* = `, `${weights(w)} + ${four(step)}·${signed(y)}·${vector(x, 4)} = `, weights(after)),
  ];
  return [...lines, ...bias(replay, k, [j])];
};

/** What some moves add to the bias, where there is one. */
const bias = ({ run, learner }, k, moves) => {
  if (!learner.fit_intercept) return [];
  const [b, after] = [run.path[k - 1].at(-1), run.path[k].at(-1)];
  if (moves.length > 1) return [formula(`*b* ← *b* + ${sumName(learner)} *y*_{i} = `, `${four(b)} + ${signed(after - b)} = ${four(after)}`)];
  const [step, y] = [Math.abs(run.log.c[moves[0]]), run.codes[run.log.i[moves[0]]] ? 1 : -1];
  return [formula(`*b* ← *b* + ${stepName(learner)} *y* = `, `${four(b)} + ${four(step)}·${signed(y)} = `, four(after))];
};

const batch = (replay, k, moves) => {
  const { run, learner } = replay;
  const [w, after] = [run.path[k - 1], run.path[k]];
  const sum = after.map((v, d) => v - w[d]);
  const rows = moves.slice(0, 6).map((j) => run.log.i[j] + 1).join(", ") + (moves.length > 6 ? ", …" : "");
  return [
    formula(`*w* ← *w* + ${sumName(learner)} *y*_{i} *x*_{i} = `, `${weights(w)} + ${weights(sum)} = ${weights(after)}`, ` ,  i = ${rows}`),
    ...bias(replay, k, moves),
  ];
};

const dual = (replay, k, moves) => {
  const { run } = replay;
  const counts = replay.counts(k);
  const lines = moves.slice(0, 4).map((j) => alpha(replay, counts, j));
  const isFromZero = replay.kernel || run.path[0].slice(0, -1).every((v) => v === 0);
  const from = (term) => (isFromZero ? "" : `${term} + `);
  if (!replay.kernel) lines.push(...bias(replay, k, moves), formula(`*w* = ${from("*w*_{0}")}Σ *α*_{j} *y*_{j} *x*_{j} = `, weights(run.path[k])));
  const inner = replay.kernel ? "K(*x*_{j}, *x*_{i})" : "*x*_{j}·*x*_{i}";
  if (moves.length === 1) {
    const i = run.log.i[moves[0]];
    const value = ` = ${four(run.margins.before[moves[0]])}`;
    lines.unshift(formula(`*y*_{i} (${from("*w*_{0}·*x*_{i}")}Σ *α*_{j} *y*_{j} ${inner} + *b*)`, value, limit(replay, i), ` ,  i = ${i + 1}`));
  }
  return lines;
};

const alpha = ({ run: { log }, learner }, counts, j) => {
  const [i, step] = [log.i[j], Math.abs(log.c[j])];
  const even = learner.rule === "rosenblatt" || learner.rule === "margin";
  if (!even) return formula(`*α*_{${i + 1}} ← *α*_{${i + 1}} + *τ*`, `,  *τ* = ${four(step)}`);
  return formula(`*α*_{${i + 1}} ← *α*_{${i + 1}} + ${stepName(learner)} = `, `${four((counts[i] - 1) * step)} + ${four(step)} = ${four(counts[i] * step)}`);
};
