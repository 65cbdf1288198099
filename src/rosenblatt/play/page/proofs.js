// Why it stops, and the bounds on the margin: two charts that follow the updates.

import { Chart, thinned } from "./charts.js";
import { prose, through } from "./notation.js";
import { html } from "./svg.js";
import { count, num, say } from "./words.js";

/** Novikoff's bound: mistakes so far against (R/γ)², and both inequalities. */
export class Bound {
  constructor(root) {
    this.big = html("p", { class: "figures big" });
    this.bars = html("div", { class: "race", id: "race" });
    this.chart = new Chart();
    this.chain = html("p", { class: "figures chain", id: "chain" });
    this.note = html("p", { class: "note" });
    root.append(this.big, this.bars, this.chart.root, this.chain, this.note);
  }

  /** Show a run; the bars are a race of all runs. */
  show(replay, { replays }) {
    this.replay = replay;
    this.replays = replays.filter(Boolean);
    const { bound } = replay.run;
    this.applies = bound.progress !== undefined && replay.last > 0;
    for (const part of [this.big, this.bars, this.chart.root, this.chain]) part.hidden = !this.applies;
    this.note.replaceChildren(...prose(this.applies ? say("bound note")
      : replay.last ? say("no bound", { why: objection(replay) }) : say("no updates")));
    this.bars.replaceChildren(...this.replays.map(() => html("div", { class: "bar" }, html("div"))));
    if (this.applies) this.#curves(bound);
  }

  /** How far each run is on its way to its bound. */
  #race(k) {
    this.replays.forEach((replay, j) => {
      const { bound } = replay.run.bound;
      const made = replay.mistakes(Math.min(k, replay.last));
      this.bars.children[j].firstChild.style.width = bound ? `${Math.min(100, (100 * made) / bound)}%` : "0";
      if (this.replays.length > 1) this.bars.children[j].dataset.name = `${"AB"[j]}  ${count(made)}`;
    });
  }

  #curves({ radius, gamma, bound, eta, progress, length2 }) {
    const end = Math.max(bound, progress.length) * 1.6;
    const lengths = length2.map(Math.sqrt);
    const [least, most] = [(k) => k * eta * gamma, (k) => Math.sqrt(k) * eta * radius];
    const low = Math.min(least(1), ...lengths.filter((v) => v > 0)) / 3;
    this.chart.scale(say("bound chart"), [1, end], [low, most(end) * 1.6], { x: true, y: true });
    this.chart.area("possible", [[1, least(1)], [1, most(1)], [bound, most(bound)]]);
    this.chart.curve("least", [[1, least(1)], [end, least(end)]]);
    this.chart.curve("most", [[1, most(1)], [end, most(end)]]);
    const some = thinned(progress.length, true);
    this.chart.curve("progress", some.filter((j) => progress[j] > 0).map((j) => [j + 1, progress[j]]));
    this.chart.curve("norm", some.map((j) => [j + 1, lengths[j]]));
    this.chart.word("√k ηR", [1, most(1)], "most", -6);
    this.chart.word("k ηγ", [1, least(1)], "least", 14);
    this.chart.word("(R/γ)²", [bound, most(bound)], "limit", -6);
    const last = progress.length;
    this.chart.word("|w|", [last, lengths.at(-1)], "norm", -8);
    this.chart.word("w·w*", [last, progress.at(-1)], "progress", 14);
    this.lengths = lengths;
  }

  /** The chain of inequalities that is the proof, with the numbers of this mistake. */
  #inequalities(k) {
    const { gamma, radius, eta, progress } = this.replay.run.bound;
    if (!k) return "k ηγ ≤ w·w* ≤ |w| ≤ √k ηR";
    const numbers = [k * eta * gamma, progress[k - 1], this.lengths[k - 1], Math.sqrt(k) * eta * radius];
    return `k ηγ ≤ w·w* ≤ |w| ≤ √k ηR\n${numbers.map((v) => num(v, 4)).join(" ≤ ")}`;
  }

  /** Draw a moment of the run; `moment` is that of the longest. */
  draw(k, moment) {
    if (!this.applies) return;
    this.#race(moment);
    const { bound, progress } = this.replay.run.bound;
    const made = this.replay.mistakes(k);
    const line = say(made === 1 ? "bound line one" : "bound line", { bound: count(bound) });
    this.big.replaceChildren(html("strong", {}, count(made)), ...prose(` ${line}`));
    const j = Math.max(0, made - 1);
    this.chain.textContent = this.#inequalities(made);
    this.chart.move(Math.max(1, made), made ? [this.lengths[j], progress[j]].filter((v) => v > 0) : []);
  }
}

/** Why the theorem does not apply, in the reader's language. */
const objection = (replay) => {
  const { run, learner, several } = replay;
  if (several) return say("why classes");
  if (learner.rule !== "rosenblatt") return say("why rule");
  if (learner.batch_size !== "1") return say("why batch");
  if (run.path && run.path[0].some((v) => v !== 0)) return say("why start");
  if (learner.class_weight) return say("why weights");
  if (learner.kernel !== "none" && !run.bracket) return say("why kernel");
  if (run.bound.code === "many") return say("why many");
  if (run.kernel ? run.stop !== "separated" : run.verdict.verdict !== "separable") return say("why inseparable", { through: through(replay) });
  return say("why else", { reason: run.bound.reason ?? "" });
};

/** The bracket around the widest margin. */
export class Bracket {
  constructor(root) {
    this.chart = new Chart();
    this.note = html("p", { class: "note" });
    root.append(this.chart.root, this.note);
  }

  show(replay) {
    this.replay = replay;
    const { bracket } = replay.run;
    this.chart.root.hidden = !bracket || !replay.last;
    if (!bracket) this.note.textContent = say("no bracket");
    if (!this.chart.root.hidden) this.#curves(bracket, replay.run);
  }

  #curves({ lower, upper }, { verdict, radius }) {
    const last = upper.length - 1;
    const known = [...lower, ...upper].filter((v) => v > 0);
    this.chart.scale(say("bracket chart"), [0, last], [Math.min(1, ...known) / 2, 1.2], { y: true });
    const some = thinned(upper.length, false);
    const up = some.map((k) => [k, upper[k]]);
    const down = some.map((k) => [k, lower[k]]);
    this.chart.area("possible", [...up, ...down.reverse()]);
    this.chart.curve("most", up);
    this.chart.curve("least", down.reverse());
    const widest = verdict.band && !this.replay.kernel ? verdict.gamma / radius : null;
    if (widest) this.chart.curve("limit", [[0, widest], [last, widest]]);
    if (widest) this.chart.word("γ*/R", [last, widest], "limit", -5);
  }

  draw(k) {
    const { bracket } = this.replay.run;
    if (!bracket) return;
    const [lower, upper] = [bracket.lower[k], bracket.upper[k]];
    const word = upper > 0 ? lower > 0 ? "bracket note" : "bracket below" : "bracket zero";
    this.note.replaceChildren(...prose(say(word, { lower: num(lower, 3), upper: num(upper, 3), through: through(this.replay) })));
    if (!this.chart.root.hidden) this.chart.move(k, k ? [lower, upper] : []);
  }
}
