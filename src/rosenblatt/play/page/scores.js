// The scores of a run's hypotheses at some places, for each class, or the one of two classes.

import { kernelOf } from "./kernel.js";

/** Hypotheses of a kernel, Σ cᵢ K(xᵢ, ·). */
export class KernelScores {
  constructor(run, places) {
    Object.assign(this, { run, places, columns: new Map() });
  }

  /** After so many mistakes. */
  after(made) {
    const { log, classes } = this.run;
    const n = classes.length > 2 ? classes.length : 1;
    const steps = Array.from({ length: n }, () => new Map());
    const add = (c, i, step) => steps[c].set(i, (steps[c].get(i) ?? 0) + step);
    for (let j = 0; j < made; j++) {
      add(n > 1 ? log.own[j] : 0, log.i[j], log.c[j]);
      if (n > 1) add(log.rival[j], log.i[j], -log.c[j]);
    }
    return steps.map((some) => this.#sum(some));
  }

  #sum(steps) {
    const sums = new Float64Array(this.places.length);
    for (const [row, step] of steps) {
      const column = this.#column(row);
      for (let j = 0; j < sums.length; j++) sums[j] += step * column[j];
    }
    return sums;
  }

  /** The kernel of a row with all places, and the constant feature. */
  #column(row) {
    if (!this.columns.has(row)) {
      const { kernel, points } = this.run;
      const value = kernelOf(kernel);
      this.columns.set(row, Float64Array.from(this.places, (z) => value(points[row], z) + kernel.bias));
    }
    return this.columns.get(row);
  }
}

/** Hypotheses (w, b), whose places are rows of features; row by row in one array, which is quick. */
export class LinearScores {
  constructor(rows) {
    this.n = rows.length;
    this.d = rows[0].length;
    this.rows = new Float64Array(this.n * this.d);
    rows.forEach((row, i) => this.rows.set(row, i * this.d));
  }

  /** Under a hypothesis, or under those of several classes. */
  of(hypothesis) {
    return (Array.isArray(hypothesis[0]) ? hypothesis : [hypothesis]).map((w) => this.#one(w));
  }

  #one(w) {
    const { n, d, rows } = this;
    const sums = new Float64Array(n).fill(w[d]);
    for (let i = 0, at = 0; i < n; i++) for (let j = 0; j < d; j++) sums[i] += w[j] * rows[at++];
    return sums;
  }
}

/** By how much a class leads over the best other one, at each place. */
export const lead = (scores, c) => scores[c].map((own, i) => {
  let best = -Infinity;
  for (let b = 0; b < scores.length; b++) if (b !== c && scores[b][i] > best) best = scores[b][i];
  return own - best;
});

// -- Explicit features ----------------------------------------------------------------------------

const MADE = {
  squares: (x) => x.map((v) => v * v),
  products: (x) => x.flatMap((v, j) => x.slice(j + 1).map((u) => v * u)),
  sines: (x) => x.map(Math.sin),
};

/** A place with its explicit features. */
export const lifted = (x, kinds) => [...x, ...kinds.flatMap((kind) => MADE[kind](x))];
