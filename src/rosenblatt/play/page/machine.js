// A mistake with several classes: the weights of two of them move, those of the right one towards
// the point, those of its best rival away from it.

import { formula, four, signed, stepName, weights } from "./notation.js";
import { num, say, shown, vector } from "./words.js";

const ROWS = 4; // of a batch, whose moves are written out

/** The classes between which a row of the log moved weights: the right one, and its rival. */
export const between = ({ run }, j) => [run.log.own[j], run.log.rival[j]];

/** Why a point moved the weights, and what that did for it. */
export const blameOfClasses = (replay, k, j) => {
  const { log, margins, classes } = replay.run;
  const [before, after] = [margins.before[j], margins.after[j]];
  const [own, rival] = between(replay, j).map((c) => shown(classes[c]));
  const led = before > 0 ? "leads little" : before < 0 ? "is behind" : "is tied";
  const then = after > 0 ? "now right" : "wrong still";
  return [
    say(led, { i: log.i[j] + 1, own, rival }),
    say("two move", { own, rival }),
    say("lead raised", { before: num(before, 4), after: num(after, 4) }) + say(then),
  ].join(say("gap"));
};

/** All weights. */
export const machineNow = ({ run }, k) => run.path[k].map((w, c) => {
  const name = shown(run.classes[c]);
  return formula(`*w*_{${name}} = `, weights(w), `,  *b*_{${name}} = `, four(w.at(-1)));
});

export const machineFormulas = (replay, k, moves) => {
  if (moves.length > 1) return batch(replay, k, moves);
  if (replay.kernel || replay.learner.form === "dual") return dual(replay, k, moves[0]);
  return primal(replay, k, moves[0]);
};

const limit = ({ learner }) => (learner.rule === "rosenblatt" ? " ≤ 0" : ` ≤ ${four(learner.margin)}`);

/** The lead that was too small. */
const lead = (replay, j, formulaOf) => {
  const [a, b] = between(replay, j).map((c) => shown(replay.run.classes[c]));
  return formula(formulaOf(a, b), ` = ${four(replay.run.margins.before[j])}`, limit(replay));
};

const primal = (replay, k, j) => {
  const { run } = replay;
  const [before, after, x, step] = [run.path[k - 1], run.path[k], replay.rows[run.log.i[j]], four(run.log.c[j])];
  const lines = [lead(replay, j, (a, b) => `(*w*_{${a}}·*x* + *b*_{${a}}) − (*w*_{${b}}·*x* + *b*_{${b}})`)];
  between(replay, j).forEach((c, which) => {
    const [name, sign] = [shown(run.classes[c]), "+−"[which]];
    lines.push(formula(`*w*_{${name}} ← *w*_{${name}} ${sign} ${stepName(replay.learner)} *x* = `,
      `${weights(before[c])} ${sign} ${step}·${vector(x, 4)} = ${weights(after[c])}`, ...bias(replay, k, j, which).map((b) => `,  ${b}`)));
  });
  return lines;
};

/** What a mistake adds to the bias of one of its two classes, where there is one. */
const bias = (replay, k, j, which) => {
  const { run, learner } = replay;
  if (!learner.fit_intercept) return [];
  const c = between(replay, j)[which];
  const [before, after] = [run.path[k - 1], run.path[k]].map((w) => four(w[c].at(-1)));
  return [`*b*_{${shown(run.classes[c])}} ← ${before} ${"+−"[which]} ${four(run.log.c[j])} = ${after}`];
};

/** The classes whose weights a batch moved. */
const batch = (replay, k, moves) => {
  const { run, learner } = replay;
  const moved = [...new Set(moves.flatMap((j) => between(replay, j)))].sort();
  if (replay.kernel) return moves.slice(0, ROWS).flatMap((j) => dual(replay, k, j).slice(1));
  return moved.map((c) => {
    const name = shown(run.classes[c]);
    const [w, now] = [run.path[k - 1][c], run.path[k][c]];
    const sum = now.map((v, d) => v - w[d]);
    const bias = learner.fit_intercept ? [`,  *b*_{${name}} ← ${four(w.at(-1))} + ${signed(sum.at(-1))} = ${four(now.at(-1))}`] : [];
    return formula(`*w*_{${name}} ← `, `${weights(w)} + ${weights(sum)} = ${weights(now)}`, ...bias);
  });
};

/** A coefficient for each point and class. */
const dual = (replay, k, j) => {
  const { run } = replay;
  const i = run.log.i[j] + 1;
  const [a, b] = between(replay, j).map((c) => shown(run.classes[c]));
  const inner = replay.kernel ? "K(*x*_{j}, *x*)" : "*x*_{j}·*x*";
  const isFromZero = replay.kernel || run.path[0].every((w) => w.slice(0, -1).every((v) => v === 0));
  const from = isFromZero ? "" : `(*w*_{0,${a}} − *w*_{0,${b}})·*x* + `;
  const step = four(run.log.c[j]);
  const biases = replay.kernel ? [] : [0, 1].flatMap((which) => bias(replay, k, j, which));
  return [
    lead(replay, j, () => `${from}Σ (*α*_{j,${a}} − *α*_{j,${b}}) ${inner} + *b*_{${a}} − *b*_{${b}}`),
    formula(`*α*_{${i},${a}} ← *α*_{${i},${a}} + ${stepName(replay.learner)}`, `,  *α*_{${i},${b}} ← *α*_{${i},${b}} − ${stepName(replay.learner)}`, ` ,  ${stepName(replay.learner)} = ${step}`),
    ...(biases.length ? [formula(biases.join(",  "))] : []),
  ];
};
