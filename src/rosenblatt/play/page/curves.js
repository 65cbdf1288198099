// How many points are wrong under each hypothesis of the run: the current one, the one kept and the
// best of all; among the points learned from and, where there are some, those held out.

import { Chart, thinned } from "./charts.js";
import { through } from "./notation.js";
import { html } from "./svg.js";
import { count, say } from "./words.js";

export class Curves {
  constructor(root) {
    this.chart = new Chart();
    this.note = html("p", { class: "note", id: "curves-note" });
    root.append(this.chart.root, this.note);
  }

  show(replay) {
    this.replay = replay;
    this.chart.root.hidden = !replay.last;
    if (!replay.last) return;
    this.parts = parts(replay);
    const [main] = this.parts;
    const seen = this.parts.flatMap(({ at }) => main.some.slice(1).map(at)).filter((v) => v !== null);
    const top = 1.15 * Math.max(1, ...seen); // at the start, without a line, all are wrong
    this.chart.scale(say(replay.held.size ? "curves chart held" : "curves chart"), [0, replay.last], [0, top]);
    for (const { name, at } of this.parts) {
      if (at(0) !== null) this.chart.curve(name, main.some.map((k) => [k, Math.min(at(k), top)]));
    }
    this.#best(replay);
  }

  /** The fewest mistakes of any line, and how many of the points held out that line has wrong. */
  #best({ run: { fewest }, kernel, last, held, trained }) {
    if (!fewest || kernel) return; // the border of a kernel is no line and may have fewer wrong
    const level = (name, value) => this.chart.curve(name, [[0, value], [last, value]]);
    const [least, out] = held.size ? [(100 * fewest.at_least) / trained, (100 * fewest.held) / held.size] : [fewest.at_least, null];
    level("best", least);
    if (out !== null) level("best out", out);
    this.chart.word(say("best line"), [last, least], "best", -5);
  }

  draw(k) {
    const { replay } = this;
    const { run, held } = replay;
    const kept = replay.keptErrors(k);
    const told = [say(kept === null ? "curves note" : "curves kept", { now: count(run.errors[k]), kept: count(kept ?? 0) })];
    if (held.size) told.push(say(kept === null ? "curves held" : "curves held kept", { n: count(held.size), now: count(run.held_errors[k]), kept: count(replay.keptHeld(k) ?? 0) }));
    if (held.size && run.fewest && !replay.kernel) told.push(say("curves held best", { n: count(run.fewest.held), through: through(replay) }));
    this.note.textContent = told.join(say("gap"));
    if (!this.chart.root.hidden) this.chart.move(k, k ? this.parts.map(({ at }) => at(k)).filter((v) => v !== null) : []);
  }
}

/** The curves: counts or, to compare with points held out, per cent. */
const parts = (replay) => {
  const { run, held, trained } = replay;
  const some = thinned(run.errors.length, false);
  const part = (name, of, n) => ({ name, some, at: (k) => (of(k) === null ? null : held.size ? (100 * of(k)) / n : of(k)) });
  const own = [part("norm", (k) => run.errors[k], trained), part("held", (k) => replay.keptErrors(k), trained)];
  if (!held.size) return own;
  return [...own, part("norm out", (k) => run.held_errors[k], held.size), part("held out", (k) => replay.keptHeld(k), held.size)];
};
