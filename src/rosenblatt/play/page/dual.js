// The dual form: how often each point moved w, and the Gram matrix of those that did.

import { html, resolved } from "./svg.js";
import { num, say } from "./words.js";

const SIDE = 240;
const CELL = 48; // pixels, at most
const LISTED = 12;
const EDGE = 24; // pixels, for the numbers of the points

export class Dual {
  constructor(root) {
    this.list = html("p", { class: "figures", id: "counts" });
    this.canvas = html("canvas", { class: "gram", role: "img" });
    this.some = html("p", { class: "note" });
    this.note = html("p", { class: "note" });
    root.append(this.list, this.canvas, this.some, this.note);
  }

  show(replay) {
    this.replay = replay;
    const { rows, moved } = replay.run.gram;
    this.note.textContent = say("dual note");
    this.some.textContent = moved > rows.length ? say("dual some", { shown: rows.length, moved }) : "";
    this.canvas.setAttribute("aria-label", say("gram", { n: rows.length }));
    this.canvas.hidden = !rows.length;
    this.#heat();
  }

  /** The matrix: the colour of a class for either sign, stronger for larger values. */
  #heat() {
    const { rows, values } = this.replay.run.gram;
    const n = rows.length;
    if (!n) return;
    const cell = Math.min(CELL, Math.max(3, Math.floor((SIDE - EDGE) / n)));
    const pen = this.#pen(cell * n + EDGE);
    const most = Math.max(...values.map((row) => Math.max(...row.map(Math.abs)))) || 1;
    const [plus, minus] = [resolved("var(--pos)"), resolved("var(--neg)")];
    values.forEach((row, i) => row.forEach((value, j) => {
      pen.globalAlpha = Math.sqrt(Math.abs(value) / most);
      pen.fillStyle = value >= 0 ? plus : minus;
      pen.fillRect(EDGE + j * cell, EDGE + i * cell, cell, cell);
    }));
    pen.globalAlpha = 1;
    this.#figures(pen, cell);
  }

  #pen(side) {
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: side * ratio, height: side * ratio });
    this.canvas.style.width = this.canvas.style.height = `${side}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    return pen;
  }

  /** The numbers of the points along the edges, and the values where there is room. */
  #figures(pen, cell) {
    const { rows, values } = this.replay.run.gram;
    Object.assign(pen, { font: "11px system-ui", textAlign: "center", textBaseline: "middle" });
    const at = (j) => EDGE + (j + 0.5) * cell;
    const every = Math.ceil(14 / cell);
    pen.fillStyle = resolved("var(--soft)");
    rows.forEach((row, j) => {
      if (j % every) return;
      pen.fillText(row + 1, at(j), EDGE / 2);
      pen.fillText(row + 1, EDGE / 2, at(j));
    });
    pen.fillStyle = resolved("var(--ink)");
    if (cell < 34) return;
    values.forEach((row, i) => row.forEach((value, j) => pen.fillText(num(value, 3), at(j), at(i), cell - 2)));
  }

  /** How often the points of the matrix moved w, in its order; of many, the busiest. */
  draw(k) {
    const counts = this.replay.counts(k);
    const { rows } = this.replay.run.gram;
    const busy = [...rows].sort((i, j) => counts[j] - counts[i] || i - j).slice(0, LISTED);
    const told = rows.filter((i) => busy.includes(i)).map((i) => `n${sub(i + 1)} = ${counts[i]}`).join(", ");
    this.list.textContent = told + (rows.length > LISTED ? ", …" : "") || "n = 0";
  }
}

const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
