// The picture of the points, and of the line before and after a mistake.

import { KINDS, mark } from "./classes.js";
import { circles, crosses, polyline, set, svg, ticks } from "./svg.js";
import { trace } from "./traces.js";
import { View } from "./view.js";
import { num } from "./words.js";

const BELOW = 372; // pixels for the head of the page, the player and the formulas
const guided = () => document.getElementById("guide").offsetHeight;
const COUNTS = 80; // points on which counts are written out

const LAYERS = [
  "side-neg", "side-pos", "side-third", "side-fourth", "band", "old", "kept", "line", "normal", "halo", "points", "wrong",
  "best", "hull", "crossed", "meeting", "erring", "selected", "counts",
];

export class Plot {
  constructor(figure) {
    this.figure = figure;
    this.root = svg("svg", { class: "plot", tabindex: 0, role: "application", focusable: true });
    this.grid = svg("g", { class: "grid" });
    this.layers = Object.fromEntries(LAYERS.map((name) => [
      name, svg(name === "points" || name === "counts" ? "g" : "path", { class: name }),
    ]));
    this.root.append(this.grid, ...Object.values(this.layers));
    figure.prepend(this.root);
  }

  /** Show another run; the view stays unless the data are others or leave it. */
  show(run, fresh) {
    this.run = run;
    const isNew = fresh || !this.view;
    const plane = isNew ? run.plane : this.view.plane;
    if (isNew || !run.points.every((x) => this.view.holds(x))) this.view = new View(plane, run.points, ...this.#size());
    this.resize();
  }

  /** Show points of which nothing is known yet. */
  sketch(points, selected) {
    this.run = points;
    this.view ??= new View(flatPlane(points.features.length), points.points, ...this.#size());
    this.#layOut();
    const none = { before: null, after: [0], kept: null, best: null, proof: null, counts: null, erring: [], wrong: [] };
    this.draw({ ...none, selected });
  }

  /** Say what is shown, to those who see it and to those who do not. */
  describe(caption, label) {
    this.figure.querySelector("figcaption").textContent = caption;
    this.root.setAttribute("aria-label", label);
  }

  resize() {
    this.view.resize(...this.#size());
    this.#layOut();
  }

  #size() {
    const width = Math.max(240, Math.round(this.figure.clientWidth));
    const height = Math.round(Math.min(width * 0.78, Math.max(260, window.innerHeight - BELOW - guided())));
    return [width, height];
  }

  #layOut() {
    const { width, height } = this.view;
    set(this.root, { viewBox: `0 0 ${width} ${height}`, width, height });
    this.#drawGrid();
    this.places = this.run.points.map((x) => this.view.pixel(this.view.flat(x)));
    const n = this.places.length;
    this.size = n > 400 ? 3 : n > 120 ? 4.2 : 6;
    const held = new Set(this.run.held ?? []);
    this.layers.points.replaceChildren(...this.places.map((p, i) => mark(p, this.size, this.run.codes[i], held.has(i))));
    const numbered = n <= COUNTS ? this.places : [];
    this.layers.counts.replaceChildren(...numbered.map(([x, y]) => svg("text", { x: x + 9, y: y - 8 })));
  }

  #drawGrid() {
    const { view } = this;
    const [left, right, bottom, top] = view.box;
    const parts = [];
    const named = view.plane.origin.length <= 2;
    const across = ticks(left, right, view.width / 75);
    const up = ticks(bottom, top, view.height / 65);
    for (const a of across) {
      const [x] = view.pixel([a, 0]);
      parts.push(svg("path", { d: `M${x} 0V${view.height}`, class: a === 0 && named ? "axis" : "rule" }));
      if (x > 20 && x < view.width - 60) parts.push(svg("text", { x, y: view.height - 6, "text-anchor": "middle" }, num(a)));
    }
    for (const b of up) {
      const [, y] = view.pixel([0, b]);
      parts.push(svg("path", { d: `M0 ${y}H${view.width}`, class: b === 0 && named ? "axis" : "rule" }));
      if (y > 24 && y < view.height - 20) parts.push(svg("text", { x: 6, y: y + 4 }, num(b)));
    }
    if (named) {
      const [first, second = ""] = this.run.features;
      parts.push(svg("text", { x: view.width - 8, y: view.height - 6, "text-anchor": "end", class: "name" }, first));
      parts.push(svg("text", { x: 6, y: 16, class: "name" }, second));
    }
    this.grid.replaceChildren(...parts);
  }

  // -- One moment of the run ----------------------------------------------------------------------

  /** Draw a moment: hypotheses before, after and kept, who errs, who is wrong. */
  draw(moment) {
    const at = (rows) => rows.map((i) => this.places[i]);
    if (moment.after) { // else it is on its way, and what is there stays
      this.#drawHypotheses(moment);
      this.hypothesis = moment.after;
      this.#path("wrong", circles(at(moment.wrong), this.size + 3));
    }
    this.#path("erring", circles(at(moment.erring), this.size + 7));
    this.#drawCounts(moment.counts);
    this.#drawProof(moment.proof);
    this.#path("best", trace(this.view, moment.best).border);
    this.#path("selected", circles(at(moment.selected === null ? [] : [moment.selected]).filter(Boolean), this.size + 11));
  }

  #path(name, d) {
    this.layers[name].setAttribute("d", d);
  }

  #drawHypotheses({ before, after, kept }) {
    const now = trace(this.view, after);
    KINDS.forEach((kind, code) => this.#path(`side-${kind}`, now.sides[code] ?? ""));
    this.#path("line", now.border);
    this.#path("normal", now.normal);
    this.#path("old", trace(this.view, before).border);
    this.#path("kept", trace(this.view, kept).border);
  }

  /** Show a line that a hand is moving, until its run is known. */
  preview(hypothesis) {
    this.#drawHypotheses({ before: null, after: hypothesis, kept: null });
  }

  #drawCounts(counts) {
    const rows = counts ? this.places.map((_, i) => i).filter((i) => counts[i] > 0) : [];
    const radii = rows.map((i) => Math.round(this.size + 5 * Math.sqrt(counts[i])));
    this.#path("halo", circles(rows.map((i) => this.places[i]), radii.map((r) => Math.min(r, 40))));
    [...this.layers.counts.children].forEach((node, i) => {
      const text = counts && counts[i] > 0 ? String(counts[i]) : "";
      if (node.textContent !== text) node.textContent = text;
    });
  }

  #drawProof(proof) {
    const band = proof?.band;
    this.#path("band", band ? polyline(this.view.strip(this.view.line([...band.w, band.b])), true) : "");
    const clash = proof?.conflict;
    const rows = clash?.rows ?? [];
    this.#path("crossed", crosses(rows.map((i) => this.places[i]), this.size + 3));
    const sides = clash?.point ? [1, 0].map((code) => rows.filter((i) => this.run.codes[i] === code)) : [];
    this.#path("hull", sides.map((side) => polyline(hull(side.map((i) => this.places[i])), true)).join(""));
    const point = clash?.point;
    this.#path("meeting", point ? star(this.view.pixel(this.view.flat(point))) : "");
  }
}

/** The plane of the first two features. */
const flatPlane = (d) => {
  const axis = (which) => Array.from({ length: d }, (_, j) => Number(j === which));
  return { origin: axis(-1), axes: [axis(0), axis(1)] };
};

const star = ([x, y]) =>
  polyline(Array.from({ length: 10 }, (_, j) => {
    const [r, turn] = [j % 2 ? 3.6 : 9, (Math.PI * (j - 2.5)) / 5];
    return [x + r * Math.cos(turn), y + r * Math.sin(turn)];
  }), true);

/** The convex hull of places (Andrew's monotone chain). */
const hull = (places) => {
  const sorted = [...places].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  if (sorted.length < 3) return sorted;
  const half = (points) => {
    const chain = [];
    for (const p of points) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
};

const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
