// Hypotheses as shapes: the side of each class, the border between them, and the normal of a line.
// A hypothesis is a line (w, b); or, of several classes, a list of them, of which the largest wins;
// or it is curved, and comes with the outlines of the side of each class.

import { arrow, polyline } from "./svg.js";
import { clipped } from "./view.js";

const NOTHING = { sides: [], border: "", normal: "" };

export const trace = (view, hypothesis) => {
  if (!hypothesis) return NOTHING;
  if (hypothesis.regions) return curved(view, hypothesis.regions);
  if (Array.isArray(hypothesis[0])) return machine(view, hypothesis);
  return hypothesis.every((v) => v === 0) ? NOTHING : line(view, hypothesis);
};

const line = (view, hypothesis) => {
  const flat = view.line(hypothesis);
  const ends = view.ends(flat);
  return {
    sides: [-1, 1].map((sign) => polyline(view.side(flat, sign), true)),
    border: polyline(ends),
    normal: normal(view, flat, ends),
  };
};

/** A short arrow from the middle of a line to its positive side. */
const normal = ({ box, width, height }, [a, b], ends) => {
  if (ends.length < 2) return "";
  const middle = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
  const [dx, dy] = [(a * width) / (box[1] - box[0]), (-b * height) / (box[3] - box[2])];
  const length = Math.hypot(dx, dy) || 1;
  return arrow(middle, [middle[0] + (34 * dx) / length, middle[1] + (34 * dy) / length]);
};

// -- Several classes ------------------------------------------------------------------------------

/** Where each class scores highest, and where two of them do alike and no third one higher. */
const machine = (view, rows) => {
  const flat = rows.map((row) => view.line(row));
  const over = (a, b) => flat[a].map((v, j) => v - flat[b][j]);
  const others = (...known) => flat.map((_, c) => c).filter((c) => !known.includes(c));
  const side = (c) => {
    const leads = others(c).map((b) => over(c, b));
    if (leads.some((lead) => lead.every((v) => v === 0))) return []; // a tie is nobody's
    return leads.reduce((polygon, lead) => clipped(polygon, lead, 1), view.corners);
  };
  const borders = flat.flatMap((_, a) => flat.slice(a + 1).map((_, j) => {
    const b = a + 1 + j;
    const ends = view.ends(over(a, b)).map((p) => view.place(p));
    return others(a, b).reduce((piece, c) => shortened(piece, over(a, c)), ends);
  }));
  return {
    sides: flat.map((_, c) => polyline(side(c).map((p) => view.pixel(p)), true)),
    border: borders.map((piece) => polyline(piece.map((p) => view.pixel(p)))).join(""),
    normal: "",
  };
};

/** The part of a piece of a line where a·p + c is not negative. */
const shortened = (piece, [a, b, c]) => {
  if (piece.length < 2) return [];
  const [p, q] = piece;
  const [vp, vq] = [p, q].map(([x, y]) => a * x + b * y + c);
  if (vp < 0 && vq < 0) return [];
  if (vp >= 0 && vq >= 0) return piece;
  const t = vp / (vp - vq);
  const cut = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
  return vp >= 0 ? [p, cut] : [cut, q];
};

// -- Curves ---------------------------------------------------------------------------------------

/** Of two classes there is the outline of one; the other one has what is around it. */
const curved = (view, regions) => {
  const places = regions.map((loops) => loops.map((loop) => loop.map((p) => view.pixel(p))));
  const drawn = places.map((loops) => loops.map((loop) => polyline(loop, true)).join(""));
  if (drawn.length > 1) return { sides: drawn, border: once(places.flat()), normal: "" };
  const { width, height } = view;
  return { sides: [`M-200-200H${width + 200}V${height + 200}H-200Z${drawn[0]}`, drawn[0]], border: drawn[0], normal: "" };
};

/** Closed lines, of which what two have in common is drawn once: dashes drawn twice look solid. */
const once = (loops) => {
  const seen = new Set();
  const pieces = loops.flatMap((loop) => {
    const runs = [[]];
    loop.forEach((p, j) => {
      const q = loop[(j + 1) % loop.length];
      const middle = `${Math.round((p[0] + q[0]) / 2)} ${Math.round((p[1] + q[1]) / 2)}`;
      if (seen.has(middle)) return void (runs.at(-1).length && runs.push([]));
      seen.add(middle);
      runs.at(-1).push(...(runs.at(-1).length ? [q] : [p, q]));
    });
    return runs;
  });
  return pieces.map((piece) => polyline(piece)).join("");
};
