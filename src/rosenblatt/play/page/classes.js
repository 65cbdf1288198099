// What tells classes apart: a colour, a shape, a name.

import { polyline, svg } from "./svg.js";

export const MOST = 4;
export const KINDS = ["neg", "pos", "third", "fourth"]; // their colours, in the style sheet
export const GLYPHS = ["●", "■", "▲", "◆"];

/** The mark of a point at a place; those held out are hollow. */
export const mark = ([x, y], r, code, isHeld) => {
  const name = `${KINDS[code]}${isHeld ? " out" : ""}`;
  if (code === 0) return svg("circle", { class: name, cx: x, cy: y, r });
  if (code === 1) return svg("rect", { class: name, x: x - 0.9 * r, y: y - 0.9 * r, width: 1.8 * r, height: 1.8 * r });
  const corners = code === 2
    ? [[0, -1.25], [1.15, 0.85], [-1.15, 0.85]]
    : [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]];
  return svg("path", { class: name, d: polyline(corners.map(([a, b]) => [x + a * r, y + b * r]), true) });
};

/** The names of the classes of some data, which a run may not have seen yet. */
export const namesOf = (data, run) => (data.name === "points" ? data.classes ?? ["-1", "1"] : run.classes);

const isUsual = (classes) => classes.length === 2 && classes[0] === "-1" && classes[1] === "1";

/** Names of classes with one more; −1 and 1 become A and B. */
export const withAnother = (classes) => {
  const known = isUsual(classes) ? ["A", "B"] : classes;
  return [...known, [..."ABCDEFGH"].find((name) => !known.includes(name))];
};

/** Points without the classes that have none, as long as two are left. */
export const withoutEmpty = (data) => {
  const { y, classes } = data;
  const used = classes.map((_, code) => code).filter((code) => y.includes(code));
  if (used.length === classes.length || used.length < 2) return data;
  return { ...data, y: y.map((code) => used.indexOf(code)), classes: used.map((code) => classes[code]) };
};
