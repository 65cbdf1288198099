// Where things are drawn: from features to a plane, from the plane to pixels, and back.

import { ticks } from "./svg.js";

const PAD = 0.18;
export const dot = (a, b) => a.reduce((sum, x, j) => sum + x * b[j], 0);

export class View {
  /** The part of a plane that holds some places, of pixels width × height. */
  constructor(plane, points, width, height) {
    Object.assign(this, { plane, width, height });
    this.spans = widened(points.map((x) => this.flat(x)));
    this.resize(width, height);
  }

  resize(width, height) {
    Object.assign(this, { width, height });
    let [[left, right], [bottom, top]] = this.spans;
    const [sx, sy] = [(right - left) / width, (top - bottom) / height];
    const oneScale = sx / sy < 5 && sy / sx < 5; // else one axis would be squeezed to nothing
    if (oneScale && sx < sy) [left, right] = stretched(left, right, sy * width);
    if (oneScale && sy < sx) [bottom, top] = stretched(bottom, top, sx * height);
    this.box = [left, right, bottom, top];
  }

  /** A point of the data in the plane. */
  flat(x) {
    const { origin, axes } = this.plane;
    const from = x.map((v, j) => v - origin[j]);
    return [dot(axes[0], from), dot(axes[1], from)];
  }

  /** A place of the plane among the data, moved there from x, which keeps what is not in the plane. */
  lift(place, x) {
    const { origin, axes } = this.plane;
    const base = x ?? origin;
    const here = this.flat(base);
    return base.map((v, j) => v + (place[0] - here[0]) * axes[0][j] + (place[1] - here[1]) * axes[1][j]);
  }

  /** The line of a hyperplane in the plane: a·p + c = 0. */
  line(hypothesis) {
    const w = hypothesis.slice(0, -1);
    const { origin, axes } = this.plane;
    return [dot(axes[0], w), dot(axes[1], w), dot(origin, w) + hypothesis.at(-1)];
  }

  pixel([a, b]) {
    const [left, right, bottom, top] = this.box;
    return [((a - left) / (right - left)) * this.width, ((top - b) / (top - bottom)) * this.height];
  }

  place([x, y]) {
    const [left, right, bottom, top] = this.box;
    return [left + (x / this.width) * (right - left), top - (y / this.height) * (top - bottom)];
  }

  holds(x) {
    const [px, py] = this.pixel(this.flat(x));
    return px >= 0 && px <= this.width && py >= 0 && py <= this.height;
  }

  /** A place, rounded to what a hand can aim at. */
  rounded(values) {
    const [left, right] = this.box;
    const step = ticks(0, right - left, 150)[1];
    return values.map((v) => Number((Math.round(v / step) * step).toPrecision(10)));
  }

  get corners() {
    const [left, right, bottom, top] = this.box;
    return [[left, bottom], [right, bottom], [right, top], [left, top]];
  }

  /** The part of the view where a·p + c has a sign: a polygon in pixels. */
  side(line, sign) {
    return clipped(this.corners, line, sign).map((p) => this.pixel(p));
  }

  /** The part of the view where a·p + c is between -1 and 1. */
  strip([a, b, c]) {
    const above = clipped(this.corners, [a, b, c + 1], 1);
    return clipped(above, [a, b, c - 1], -1).map((p) => this.pixel(p));
  }

  /** The ends of the line a·p + c = 0 in the view, in pixels; none if it is not there. */
  ends([a, b, c]) {
    if (a === 0 && b === 0) return [];
    const found = [];
    this.corners.forEach((p, j, corners) => {
      const q = corners[(j + 1) % 4];
      const [vp, vq] = [a * p[0] + b * p[1] + c, a * q[0] + b * q[1] + c];
      if (vp < 0 !== vq < 0) found.push(this.pixel(between(p, q, vp / (vp - vq))));
    });
    return found;
  }
}

const between = (p, q, t) => [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];

/** A convex polygon, cut off where sign (a·p + c) is negative. */
export const clipped = (polygon, [a, b, c], sign) => {
  const value = (p) => sign * (a * p[0] + b * p[1] + c);
  return polygon.flatMap((p, j) => {
    const q = polygon[(j + 1) % polygon.length];
    const [vp, vq] = [value(p), value(q)];
    const here = vp >= 0 ? [p] : [];
    return vp * vq < 0 ? [...here, between(p, q, vp / (vp - vq))] : here;
  });
};

const stretched = (low, high, size) => [(low + high - size) / 2, (low + high + size) / 2];

/** The ranges of places with room around them, and with the origin if that is near. */
const widened = (places) => [0, 1].map((axis) => {
  const values = places.length ? places.map((p) => p[axis]) : [0];
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const size = high - low;
  if (low > 0 && low < size) low = 0;
  if (high < 0 && -high < size) high = 0;
  const room = PAD * (high - low);
  return [low - room, high + room];
});
