// A run as the server told it, at any of its mistakes. Nothing is learned here: it is looked up.

import { Grid } from "./outlines.js";
import { KernelScores, lead, LinearScores } from "./scores.js";

const BORDERS = 200; // curves that are remembered

export class Replay {
  /** A run, and the data and the learner it is of. */
  constructor(run, data, learner) {
    Object.assign(this, { run, data, learner });
    this.last = run.log.ends.length;
    this.kernel = run.kernel !== null;
    this.curved = this.kernel || run.lift !== null;
    this.several = run.classes.length > 2;
    this.rows = run.lift?.rows ?? run.points; // what is learned from
    this.held = new Set(run.held ?? []);
    this.trained = run.points.length - this.held.size;
    this.scores = this.kernel ? new KernelScores(run, run.points) : new LinearScores(this.rows);
  }

  /** Look at the run in a view, in which curves have places. */
  look(view) {
    this.borders = new Map();
    if (this.curved) this.grid = new Grid(this.run, view);
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

  /** Hypothesis k as it is drawn. */
  hypothesis(k) {
    if (!this.curved) return this.run.path[k];
    if (this.borders.size > BORDERS) this.borders.clear();
    if (!this.borders.has(k)) this.borders.set(k, this.kernel ? this.grid.after(this.mistakes(k)) : this.#drawn(this.run.path[k]));
    return this.borders.get(k);
  }

  /** Weights as they are drawn. */
  #drawn(weights) {
    if (!this.curved) return weights;
    return weights.flat().some((v) => v !== 0) ? this.grid.of(weights) : null;
  }

  /** How often each point has moved the hypothesis, by k. */
  counts(k) {
    const counts = new Array(this.run.points.length).fill(0);
    const { i } = this.run.log;
    for (let j = this.mistakes(k) - 1; j >= 0; j--) counts[i[j]]++;
    return counts;
  }

  /** The points, among those learned from, that hypothesis k has wrong. */
  wrong(k) {
    const { codes, boundary } = this.run;
    const scores = this.kernel ? this.scores.after(this.mistakes(k)) : this.scores.of(this.run.path[k]);
    const leads = this.several ? scores.map((_, c) => lead(scores, c)) : null;
    const rows = [];
    for (let i = 0; i < codes.length; i++) {
      const sign = codes[i] ? 1 : -1;
      const margin = leads ? leads[codes[i]][i] : sign * scores[0][i];
      if ((margin < 0 || (margin === 0 && sign !== boundary)) && !this.held.has(i)) rows.push(i);
    }
    return rows;
  }

  /** What of the proof can be drawn: a band, hulls and their common point are of lines only. */
  get proof() {
    const { verdict } = this.run;
    return this.run.lift ? { conflict: verdict.conflict && { rows: verdict.conflict.rows } } : verdict;
  }

  // -- What the keeper holds ----------------------------------------------------------------------

  /** What is kept at k, as it is drawn; nothing if that is the hypothesis itself. */
  kept(k) {
    const { kept, handed, settled } = this.run;
    if (this.learner.keep === "vote") return null; // the border of a vote is no line
    if (k === this.last && !this.kernel) {
      const [mine, now] = [handed.flat(), this.run.path[k].flat()];
      return mine.every((v, j) => v === now[j]) && !settled ? null : this.#drawn(handed);
    }
    if (kept?.means) return this.#drawn(kept.means[k]);
    const which = this.#which(k);
    return which === undefined || which === k ? null : this.hypothesis(which);
  }

  /** How many points the kept hypothesis has wrong at k; null if it is none of the run. */
  keptErrors(k) {
    return this.#kept(k, this.run.handed_errors, this.run.errors, this.run.kept?.errors);
  }

  /** The same among the points held out. */
  keptHeld(k) {
    return this.#kept(k, this.run.handed_held, this.run.held_errors, this.run.kept?.held);
  }

  #kept(k, inTheEnd, each, means) {
    if (k === this.last) return inTheEnd;
    if (means) return means[k];
    const which = this.#which(k);
    return which === undefined ? null : each[which];
  }

  /** The number of the hypothesis that is kept at k; there is one more, for the end. */
  #which(k) {
    return this.run.kept?.which?.[k === this.last ? k + 1 : k];
  }
}
