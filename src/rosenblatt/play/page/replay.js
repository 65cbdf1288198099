// A run as the server told it, at any of its mistakes. Nothing is learned here: it is looked up.

import { Line } from "./server.js";

const AHEAD = 40; // borders of kernels that are asked for beyond the one shown
const ALL = 120; // and so many at once, if there are no more

export class Replay {
  constructor(run, question, changed) {
    this.run = run;
    this.question = question;
    this.changed = changed;
    this.last = run.log.ends.length;
    this.kernel = run.path === null;
    this.borders = new Map();
    this.line = new Line();
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
    return this.kernel ? this.borders.get(k) ?? null : this.run.path[k];
  }

  /** How often each point has moved the hypothesis, by k. */
  counts(k) {
    const counts = new Array(this.run.points.length).fill(0);
    const { i } = this.run.log;
    for (let j = this.mistakes(k) - 1; j >= 0; j--) counts[i[j]]++;
    return counts;
  }

  score(k, i) {
    const w = this.run.path[k];
    const x = this.run.points[i];
    let sum = w[x.length];
    for (let j = 0; j < x.length; j++) sum += w[j] * x[j];
    return sum;
  }

  wrong(k) {
    if (this.kernel) return this.borders.get(k)?.wrong ?? [];
    const { signs } = this.run;
    const rows = [];
    for (let i = 0; i < signs.length; i++) if (signs[i] * this.score(k, i) <= 0) rows.push(i);
    return rows;
  }

  /** What the keeper holds at k; nothing if that is the hypothesis itself. */
  kept(k) {
    const { kept, handed, settled } = this.run;
    if (k === this.last && !this.kernel) {
      const same = handed.every((v, j) => v === this.run.path[k][j]);
      return same && !settled ? null : handed;
    }
    if (kept?.means) return kept.means[k];
    const which = this.#which(k);
    return which === undefined || which === k ? null : this.hypothesis(which);
  }

  /** The number of the hypothesis that is kept at k; there is one more, for the end. */
  #which(k) {
    return this.run.kept?.which?.[k === this.last ? k + 1 : k];
  }

  // -- The borders of kernels, which the server draws ---------------------------------------------

  /** Ask for the borders around k, in a view, unless they are there. */
  async fetch(k, view) {
    if (!this.kernel || !view) return;
    const wanted = this.#wanted(k).filter((j) => !this.borders.has(j));
    if (![k - 1, k, this.#which(k)].some((j) => wanted.includes(j))) return;
    const { origin, axes } = view.plane;
    const asked = { box: view.box, origin, axes, steps: wanted };
    const found = await this.line.send("borders", { ...this.question, view: asked });
    if (!found) return;
    for (const border of found.borders) this.borders.set(border.k, border);
    this.changed();
  }

  #wanted(k) {
    if (this.last <= ALL) return Array.from({ length: this.last + 1 }, (_, j) => j);
    const near = Array.from({ length: AHEAD + 2 }, (_, j) => k - 1 + j);
    return [...new Set([...near, ...near.map((j) => this.#which(j))])].filter((j) => j >= 0 && j <= this.last);
  }
}
