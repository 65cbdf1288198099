// The weights as vectors: w before, the arrow η y x, w after; and, of two, the version space: those
// that have every point on its side, with the bias as it is. Each point cuts off half of the plane.

import { arrow, html, polyline, set, svg, ticks } from "./svg.js";
import { clipped } from "./view.js";
import { num, say, vector } from "./words.js";

const HEIGHT = 190;
const TRAIL = 400; // hypotheses in the trail

export class Weights {
  constructor(root) {
    this.root = root;
    this.text = html("p", { class: "figures", id: "now" });
    this.picture = svg("svg", { class: "vectors", height: HEIGHT, role: "img" });
    this.parts = Object.fromEntries(["grid", "space", "cut", "trail", "before", "step", "after"].map((name) => [
      name, svg(name === "grid" ? "g" : "path", { class: name }),
    ]));
    this.picture.append(...Object.values(this.parts));
    this.note = html("p", { class: "note" });
    root.append(this.text, this.picture, this.note);
  }

  show(replay, view) {
    this.replay = replay;
    if (replay.kernel) return;
    this.hasSpace = replay.run.points[0].length === 2;
    this.note.textContent = say("weights note") + (this.hasSpace ? say("gap") + say("space note") : "");
    this.picture.setAttribute("aria-label", say("weights note"));
    this.flat = replay.run.path.map((w) => view.line(w).slice(0, 2));
    this.#scale();
    const every = Math.ceil(this.flat.length / TRAIL);
    this.trail = this.flat.filter((_, k) => k % every === 0);
    this.#drawGrid();
    this.parts.trail.setAttribute("d", polyline(this.trail.map((p) => this.pixel(p))));
  }

  #scale() {
    this.width = Math.max(200, this.root.clientWidth);
    const reach = (axis) => {
      let [low, high] = [0, 0];
      for (const p of this.flat) [low, high] = [Math.min(low, p[axis]), Math.max(high, p[axis])];
      return [low, high];
    };
    const [[l, r], [b, t]] = [reach(0), reach(1)];
    const scale = Math.max((r - l) / (this.width - 40), (t - b) / (HEIGHT - 30)) || 1;
    const [cx, cy] = [(l + r) / 2, (b + t) / 2];
    this.scale = scale;
    this.pixel = ([x, y]) => [this.width / 2 + (x - cx) / scale, HEIGHT / 2 - (y - cy) / scale];
    this.box = [cx - (this.width / 2) * scale, cx + (this.width / 2) * scale, cy - (HEIGHT / 2) * scale, cy + (HEIGHT / 2) * scale];
    set(this.picture, { viewBox: `0 0 ${this.width} ${HEIGHT}`, width: this.width });
  }

  #drawGrid() {
    const [left, right, bottom, top] = this.box;
    const [ox, oy] = this.pixel([0, 0]);
    const parts = [svg("path", { class: "axis", d: `M0 ${oy}H${this.width}M${ox} 0V${HEIGHT}` })];
    for (const a of ticks(left, right, 5)) {
      const [x] = this.pixel([a, 0]);
      if (a !== 0 && x > 12 && x < this.width - 12) parts.push(svg("text", { x, y: Math.min(HEIGHT - 3, oy + 12), "text-anchor": "middle" }, num(a, 4)));
    }
    for (const b of ticks(bottom, top, 4)) {
      const [, y] = this.pixel([0, b]);
      if (b !== 0 && y > 8 && y < HEIGHT - 8) parts.push(svg("text", { x: Math.max(3, ox + 4), y: y + 4 }, num(b, 4)));
    }
    this.parts.grid.replaceChildren(...parts);
  }

  /** What is left of the plane of weights when every point has cut off what has it wrong. */
  #drawSpace(k, bias) {
    const { points, signs, log } = this.replay.run;
    const cut = (i) => [signs[i] * points[i][0], signs[i] * points[i][1], signs[i] * bias];
    const [left, right, bottom, top] = this.box;
    let space = [[left, bottom], [right, bottom], [right, top], [left, top]];
    for (let i = 0; i < points.length && space.length; i++) space = clipped(space, cut(i), 1);
    this.parts.space.setAttribute("d", polyline(space.map((p) => this.pixel(p)), true));
    const moved = this.replay.moves(k);
    const [a, b, c] = moved.length === 1 ? cut(log.i[moved[0]]) : [0, 0, 0];
    const edge = 2 * (right - left + top - bottom) / (Math.hypot(a, b) || 1);
    const foot = [(-c * a) / (a * a + b * b), (-c * b) / (a * a + b * b)];
    const ends = [1, -1].map((s) => this.pixel([foot[0] - s * edge * b, foot[1] + s * edge * a]));
    this.parts.cut.setAttribute("d", a || b ? polyline(ends) : "");
  }

  draw(k) {
    if (this.replay.kernel) return;
    const w = this.replay.run.path[k];
    this.text.textContent = `w = ${vector(w.slice(0, -1))},  b = ${num(w.at(-1))}`;
    const origin = this.pixel([0, 0]);
    const after = this.pixel(this.flat[k]);
    const before = k ? this.pixel(this.flat[k - 1]) : origin;
    this.parts.before.setAttribute("d", k ? arrow(origin, before) : "");
    this.parts.step.setAttribute("d", k ? arrow(before, after) : "");
    this.parts.after.setAttribute("d", arrow(origin, after));
    if (this.hasSpace) this.#drawSpace(k, w.at(-1));
  }
}
