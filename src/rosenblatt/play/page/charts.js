// Small charts with a mark at the mistake shown: the curves are drawn once, the mark moves.

import { circles, html, polyline, set, svg, ticks } from "./svg.js";
import { num } from "./words.js";

const HEIGHT = 170;
const EDGE = { left: 36, right: 8, top: 10, bottom: 22 };
const VERTICES = 300;

/** Of many places, some, and always the last. */
export const thinned = (n, logarithmic) => {
  if (n <= VERTICES) return Array.from({ length: n }, (_, j) => j);
  const at = (s) => (logarithmic ? Math.round(n ** s) - 1 : Math.round(s * (n - 1)));
  return [...new Set(Array.from({ length: VERTICES }, (_, j) => at(j / (VERTICES - 1))))];
};

export class Chart {
  constructor() {
    this.root = html("div");
    this.picture = svg("svg", { class: "chart", height: HEIGHT, role: "img" });
    this.still = svg("g");
    this.mark = svg("path", { class: "mark" });
    this.dots = svg("path", { class: "dots" });
    this.picture.append(this.still, this.mark, this.dots);
    this.root.append(this.picture);
  }

  /** Set what is shown, and the ranges; `log` tells which axes are logarithmic. */
  scale(label, x, y, log = {}) {
    this.width = Math.max(200, this.root.clientWidth);
    set(this.picture, { viewBox: `0 0 ${this.width} ${HEIGHT}`, width: this.width, "aria-label": label });
    const along = ([low, high], isLog, from, to) => {
      const f = isLog ? (v) => Math.log(Math.max(v, low)) : (v) => v;
      return (v) => from + ((f(v) - f(low)) / (f(high) - f(low) || 1)) * (to - from);
    };
    this.x = along(x, log.x, EDGE.left, this.width - EDGE.right);
    this.y = along(y, log.y, HEIGHT - EDGE.bottom, EDGE.top);
    const marks = log.x ? decades(x) : ticks(x[0], x[1], 4).filter((v) => v === Math.round(v));
    const heights = log.y ? decades(y) : ticks(y[0], y[1], 3);
    this.still.replaceChildren(
      ...heights.map((v) => svg("path", { class: "rule", d: `M${EDGE.left} ${this.y(v)}H${this.width - EDGE.right}` })),
      ...heights.map((v) => svg("text", { x: EDGE.left - 5, y: this.y(v) + 4, "text-anchor": "end" }, tick(v))),
      ...marks.map((v) => svg("text", { x: this.x(v), y: HEIGHT - 6, "text-anchor": this.#anchor(this.x(v)) }, tick(v))),
    );
  }

  #anchor(x) {
    return x > this.width - 24 ? "end" : "middle";
  }

  curve(name, places) {
    this.still.append(svg("path", { class: `curve ${name}`, d: polyline(this.#pixels(places)) }));
  }

  area(name, places) {
    this.still.append(svg("path", { class: `area ${name}`, d: polyline(this.#pixels(places), true) }));
  }

  word(text, [x, y], name, dy = -4) {
    const px = Math.min(this.width - 10, this.x(x));
    const anchor = px > this.width * 0.6 ? "end" : px < 90 ? "start" : "middle";
    const label = svg("text", { x: px, y: this.y(y) + dy, class: `label ${name}`, "text-anchor": anchor }, text);
    this.still.append(label);
    this.#settle(label, Math.sign(dy));
  }

  /** Move a label on, up or down, until it is over no other. */
  #settle(label, way) {
    const others = [...this.still.querySelectorAll(".label")].filter((other) => other !== label).map((other) => other.getBBox());
    const clashes = () => others.some((box) => overlap(box, label.getBBox()));
    for (let tries = 0; tries < 6 && clashes(); tries++) label.setAttribute("y", Number(label.getAttribute("y")) + 6 * way);
  }

  #pixels(places) {
    return places.map(([x, y]) => [this.x(x), this.y(y)]);
  }

  /** Move the mark to x, with dots at some heights. */
  move(x, heights) {
    const px = this.x(x);
    this.mark.setAttribute("d", `M${px} ${EDGE.top}V${HEIGHT - EDGE.bottom}`);
    this.dots.setAttribute("d", circles(heights.map((y) => [px, this.y(y)]), 3.5));
  }
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number, or a power of ten where that is shorter. */
const tick = (v) => {
  const e = Math.round(Math.log10(v));
  return v >= 1e4 && v === 10 ** e ? `10${[...String(e)].map((d) => POWERS[d]).join("")}` : num(v, 4);
};

const decades = ([low, high]) => {
  const found = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); 10 ** e <= high * 1.0001; e++) found.push(10 ** e);
  const every = Math.ceil(found.length / 5);
  return found.filter((_, j) => j % every === 0);
};
