// The weights as vectors: w before, the arrow η y x, w after; of several classes, those of each. Of
// two weights, also the version space: those that classify every point correctly, with the bias as it
// is. Each point cuts off half of the plane. Of explicit features, the weights in words.

import { KINDS } from "./classes.js";
import { arrow, html, polyline, set, svg, ticks } from "./svg.js";
import { clipped } from "./view.js";
import { num, say, shown, vector } from "./words.js";

const HEIGHT = 190;
const TRAIL = 400; // hypotheses in the trail

export class Weights {
  constructor(root) {
    this.root = root;
    this.text = html("p", { class: "figures", id: "now" });
    this.picture = svg("svg", { class: "vectors", height: HEIGHT, role: "img" });
    this.parts = Object.fromEntries(["grid", "space", "cut", "trail", "before", "step", "after", ...KINDS.map((kind) => `after-${kind}`)].map((name) => [
      name, svg(name === "grid" ? "g" : "path", { class: name }),
    ]));
    this.picture.append(...Object.values(this.parts));
    this.note = html("p", { class: "note" });
    root.append(this.text, this.picture, this.note);
  }

  show(replay, { view }) {
    this.replay = replay;
    if (replay.kernel) return;
    const { run, several } = replay;
    this.isFlat = !replay.curved;
    this.picture.style.display = this.isFlat ? "" : "none";
    this.hasSpace = this.isFlat && !several && run.points[0].length === 2;
    const note = say(several ? "weights classes" : this.isFlat ? "weights note" : "weights features");
    this.note.textContent = note + (this.hasSpace ? say("gap") + say("space note") : "");
    this.picture.setAttribute("aria-label", note);
    if (this.isFlat) this.#lay(view);
  }

  /** Lay out the vectors of all hypotheses: of one class, or of each. */
  #lay(view) {
    const rows = this.replay.several ? this.replay.run.path : this.replay.run.path.map((w) => [w]);
    this.flat = rows.map((each) => each.map((w) => view.line(w).slice(0, 2)));
    this.#scale();
    this.#drawGrid();
    const every = Math.ceil(this.flat.length / TRAIL);
    const trail = this.flat.filter((_, k) => k % every === 0);
    const trails = this.flat[0].map((_, c) => polyline(trail.map((each) => this.pixel(each[c]))));
    this.parts.trail.setAttribute("d", trails.join(""));
  }

  #scale() {
    this.width = Math.max(200, this.root.clientWidth);
    const reach = (axis) => {
      let [low, high] = [0, 0];
      for (const each of this.flat) for (const p of each) [low, high] = [Math.min(low, p[axis]), Math.max(high, p[axis])];
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
    const { points, codes, log } = this.replay.run;
    const cut = (i) => [points[i][0], points[i][1], bias].map((v) => (codes[i] ? v : -v));
    const [left, right, bottom, top] = this.box;
    let space = [[left, bottom], [right, bottom], [right, top], [left, top]];
    for (let i = 0; i < points.length && space.length; i++) if (!this.replay.held.has(i)) space = clipped(space, cut(i), 1);
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
    this.text.textContent = this.replay.several ? this.#eachClass(w) : this.isFlat ? written(w) : this.#eachFeature(w);
    if (this.isFlat) this.#drawArrows(k);
    if (this.hasSpace) this.#drawSpace(k, w.at(-1));
    else for (const name of ["space", "cut"]) this.parts[name].setAttribute("d", "");
  }

  #drawArrows(k) {
    const origin = this.pixel([0, 0]);
    const [after, before] = [this.flat[k], this.flat[Math.max(0, k - 1)]].map((each) => each.map((p) => this.pixel(p)));
    const moved = after.map((_, c) => c).filter((c) => k && (after[c][0] !== before[c][0] || after[c][1] !== before[c][1]));
    const arrows = (make) => moved.map(make).join("");
    this.parts.before.setAttribute("d", arrows((c) => arrow(origin, before[c])));
    this.parts.step.setAttribute("d", arrows((c) => arrow(before[c], after[c])));
    const { several } = this.replay;
    this.parts.after.setAttribute("d", several ? "" : arrow(origin, after[0]));
    KINDS.forEach((kind, c) => this.parts[`after-${kind}`].setAttribute("d", several && after[c] ? arrow(origin, after[c]) : ""));
  }

  #eachClass(rows) {
    return rows.map((w, c) => `${shown(this.replay.run.classes[c])}: ${written(w, 4)}`).join("\n");
  }

  #eachFeature(w) {
    const { names } = this.replay.run.lift;
    return [...names.map((name, j) => `${name}: ${num(w[j])}`), `b: ${num(w.at(-1))}`].join("\n");
  }
}

const written = (w, digits) => `w = ${vector(w.slice(0, -1), digits)},  b = ${num(w.at(-1), digits)}`;
