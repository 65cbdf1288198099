// Borders that are curves: outlines on a grid over a view.

import { KernelScores, lead, lifted, LinearScores } from "./scores.js";

const BEYOND = 0.04; // by which the grid is larger than the view, so that its edge is not seen

/** A grid over a view, coarser for runs with many points in their sums. */
export class Grid {
  constructor(run, view) {
    this.run = run;
    const rows = run.kernel ? new Set(run.log.i).size * (run.classes.length - 1) : 0;
    this.side = rows <= 100 ? 141 : rows <= 400 ? 101 : 71;
    const [left, right, bottom, top] = view.box;
    const along = (low, high) => Array.from({ length: this.side }, (_, j) =>
      low - BEYOND * (high - low) + ((1 + 2 * BEYOND) * (high - low) * j) / (this.side - 1));
    [this.x, this.y] = [along(left, right), along(bottom, top)];
    const places = this.y.flatMap((b) => this.x.map((a) => view.lift([a, b])));
    this.scores = run.kernel ? new KernelScores(run, places) : new LinearScores(places.map((x) => lifted(x, run.lift.kinds)));
  }

  /** The side of each class under the hypothesis after so many mistakes of a kernel. */
  after(made) {
    return this.#regions(this.scores.near(made));
  }

  /** The same under weights. */
  of(hypothesis) {
    return this.#regions(this.scores.of(hypothesis));
  }

  #regions(scores) {
    const values = scores.length > 1 ? scores.map((_, c) => lead(scores, c)) : scores;
    return { regions: values.map((each) => outlines(this.x, this.y, each)) };
  }
}

// Marching squares. A cell has corners 1 2 4 8, from below left against the clock, of which those
// with a positive value make its case; a border crosses it from edge to edge with them on its left.
// Edges: 0 below, 1 right, 2 above, 3 left.
const CROSSINGS = [
  [], [[0, 3]], [[1, 0]], [[1, 3]], [[2, 1]], [[0, 3], [2, 1]], [[2, 0]], [[2, 3]],
  [[3, 2]], [[0, 2]], [[1, 0], [3, 2]], [[1, 2]], [[3, 1]], [[0, 1]], [[3, 0]], [],
];
const JOINED = { 5: [[2, 3], [0, 1]], 10: [[1, 2], [3, 0]] }; // where the middle is positive, too

const outlines = (x, y, values) => {
  const [n, m] = [x.length, y.length];
  // Beyond the grid everything is negative, so that each outline is closed.
  const at = (i, j) => (i < 0 || j < 0 || i >= n || j >= m ? -Infinity : values[j * n + i]);
  const isPositive = signs(values, n, m);
  const next = new Map();
  for (let j = -1, c = 0; j < m; j++, c++) for (let i = -1; i < n; i++, c++) {
    const kind = isPositive[c] + 2 * isPositive[c + 1] + 4 * isPositive[c + n + 3] + 8 * isPositive[c + n + 2];
    if (kind === 0 || kind === 15) continue; // nearly all cells
    const middle = at(i, j) + at(i + 1, j) + at(i + 1, j + 1) + at(i, j + 1) > 0;
    for (const [from, to] of (middle && JOINED[kind]) || CROSSINGS[kind]) {
      next.set(edge(i, j, from, n), { to: edge(i, j, to, n), place: between(x, y, at, i, j, from) });
    }
  }
  return linked(next);
};

/** Which values are positive, with an edge of those that are not around them. */
const signs = (values, n, m) => {
  const found = new Uint8Array((n + 2) * (m + 2));
  for (let j = 0, c = 0; j < m; j++) for (let i = 0; i < n; i++, c++) if (values[c] > 0) found[(j + 1) * (n + 2) + i + 1] = 1;
  return found;
};

/** The number of an edge, which is that of a corner, with 1 more for the edges that go up. */
const edge = (i, j, side, n) => {
  const corner = (a, b) => 2 * ((b + 1) * (n + 2) + a + 1);
  return [corner(i, j), corner(i + 1, j) + 1, corner(i, j + 1), corner(i, j) + 1][side];
};

/** Where the border crosses an edge of a cell. */
const between = (x, y, at, i, j, side) => {
  const [[a, b], [c, d]] = [[[i, j], [i + 1, j]], [[i + 1, j], [i + 1, j + 1]], [[i, j + 1], [i + 1, j + 1]], [[i, j], [i, j + 1]]][side];
  const [p, q] = [at(a, b), at(c, d)];
  const t = p === -Infinity ? 1 : q === -Infinity ? 0 : p / (p - q);
  const on = (axis, u, v) => (1 - t) * (axis[u] ?? axis[v]) + t * (axis[v] ?? axis[u]);
  return [on(x, a, c), on(y, b, d)];
};

/** Crossings, linked from each to the next until they close. */
const linked = (next) => {
  const loops = [];
  while (next.size) {
    const loop = [];
    let [key] = next.keys();
    for (let here = next.get(key); here; here = next.get(key)) {
      loop.push(here.place);
      next.delete(key);
      key = here.to;
    }
    loops.push(loop);
  }
  return loops;
};
