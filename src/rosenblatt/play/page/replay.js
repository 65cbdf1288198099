// A run as the server told it, at any of its mistakes. Nothing is learned here: it is looked up.

import { Grid, Scores } from "./kernel.js";

export class Replay {
  /** A run, and the data and the learner it is of. */
  constructor(run, data, learner) {
    Object.assign(this, { run, data, learner });
    this.last = run.log.ends.length;
    this.kernel = run.kernel !== null;
    if (this.kernel) this.scores = new Scores(run, run.points);
  }

  /** Look at the run in a view, in which a kernel has borders. */
  look(view) {
    this.borders = new Map();
    if (this.kernel) this.grid = new Grid(this.run, view);
  }

  /** The rows of the log that made hypothesis k. */
  moves(k) {
    const { ends } = this.run.log;
    if (k === 0) return [];
    const begin = k > 1 ? ends[k - 2] + 1 : 0;
    return Array.from({ length: ends[k - 1] + 1 - begin }, (_, j) => begin + j);
  }

  /** Mistakes up to hypothesis k. */
  mistakes(k) {
    return k ? this.run.log.ends[k - 1] + 1 : 0;
  }

  hypothesis(k) {
    return this.kernel ? this.#border(k) : this.run.path[k];
  }

  /** How often each point has moved the hypothesis, by k. */
  counts(k) {
    const counts = new Array(this.run.points.length).fill(0);
    const { i } = this.run.log;
    for (let j = this.mistakes(k) - 1; j >= 0; j--) counts[i[j]]++;
    return counts;
  }

  #border(k) {
    if (!this.borders.has(k)) this.borders.set(k, { loops: this.grid.loops(this.mistakes(k)) });
    return this.borders.get(k);
  }

  score(k, i) {
    const w = this.run.path[k];
    const x = this.run.points[i];
    let sum = w[x.length];
    for (let j = 0; j < x.length; j++) sum += w[j] * x[j];
    return sum;
  }

  wrong(k) {
    const { signs } = this.run;
    const lifted = this.kernel ? this.scores.after(this.mistakes(k)) : null;
    const rows = [];
    for (let i = 0; i < signs.length; i++) if (signs[i] * (lifted ? lifted[i] : this.score(k, i)) <= 0) rows.push(i);
    return rows;
  }

  /** What the keeper holds at k; nothing if that is the hypothesis itself. */
  kept(k) {
    const { kept, handed, settled } = this.run;
    if (this.learner.keep === "vote") return null; // the border of a vote is no line
    if (k === this.last && !this.kernel) {
      const same = handed.every((v, j) => v === this.run.path[k][j]);
      return same && !settled ? null : handed;
    }
    if (kept?.means) return kept.means[k];
    const which = this.#which(k);
    return which === undefined || which === k ? null : this.hypothesis(which);
  }

  /** How many points the kept hypothesis has wrong at k; null if it is none of the run. */
  keptErrors(k) {
    if (k === this.last) return this.run.handed_errors;
    const which = this.#which(k);
    return which === undefined ? null : this.run.errors[which];
  }

  /** The number of the hypothesis that is kept at k; there is one more, for the end. */
  #which(k) {
    return this.run.kept?.which?.[k === this.last ? k + 1 : k];
  }
}
