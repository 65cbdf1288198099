// The scores of a run's hypotheses at some places, for each class, or the one of two classes.

import { dot } from "./view.js";

/** Kernels, as the library has them. */
const KERNELS = {
  linear: (x, z) => dot(x, z),
  poly: (x, z, { gamma, degree, coef0 }) => (gamma * dot(x, z) + coef0) ** degree,
  rbf: (x, z, { gamma }) => Math.exp(-gamma * x.reduce((sum, v, j) => sum + (v - z[j]) ** 2, 0)),
  laplacian: (x, z, { gamma }) => Math.exp(-gamma * x.reduce((sum, v, j) => sum + Math.abs(v - z[j]), 0)),
  sigmoid: (x, z, { gamma, coef0 }) => Math.tanh(gamma * dot(x, z) + coef0),
  cosine: (x, z) => dot(x, z) / (Math.sqrt(dot(x, x) * dot(z, z)) || 1),
};

/** Hypotheses of a kernel, Σ cᵢ K(xᵢ, ·). */
export class KernelScores {
  constructor(run, places) {
    Object.assign(this, { run, places, columns: new Map() });
  }

  /** After so many mistakes. */
  after(made) {
    return this.#add(0, made, this.#zeros());
  }

  /** The same up to rounding, which is quick where it was asked for shortly before or after. */
  near(made) {
    const known = this.known ?? { made: 0, sums: this.#zeros() };
    const sums = Math.abs(made - known.made) < made
      ? this.#add(known.made, made, known.sums.map((each) => each.slice())) : this.after(made);
    this.known = { made, sums };
    return sums;
  }

  #zeros() {
    const { classes } = this.run;
    return Array.from({ length: classes.length > 2 ? classes.length : 1 }, () => new Float64Array(this.places.length));
  }

  /** Add the moves between two moments to sums; from the later to the earlier, take them off. */
  #add(from, to, sums) {
    const { log } = this.run;
    const sign = to < from ? -1 : 1;
    const steps = sums.map(() => new Map());
    const count = (c, i, step) => steps[c].set(i, (steps[c].get(i) ?? 0) + step);
    for (let j = Math.min(from, to); j < Math.max(from, to); j++) {
      count(log.own ? log.own[j] : 0, log.i[j], sign * log.c[j]);
      if (log.own) count(log.rival[j], log.i[j], -sign * log.c[j]);
    }
    steps.forEach((some, c) => { for (const [row, step] of some) this.#addTo(sums[c], step, this.#column(row)); });
    return sums;
  }

  #addTo(sums, step, column) {
    for (let j = 0; j < sums.length; j++) sums[j] += step * column[j];
  }

  /** The kernel of a row with all places, and the constant feature. */
  #column(row) {
    if (!this.columns.has(row)) {
      const { kernel, points } = this.run;
      const value = (z) => KERNELS[kernel.name](points[row], z, kernel);
      this.columns.set(row, Float64Array.from(this.places, (z) => value(z) + kernel.bias));
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
