// The dual form: how often each point moved w, and the Gram matrix of those that did.

import { html, resolved } from "./svg.js";
import { num, say } from "./words.js";

const SIDE = 240;
const CELL = 48; // pixels, at most
const LISTED = 12;

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
    this.cell = Math.min(CELL, Math.max(3, Math.floor(SIDE / n)));
    const ratio = window.devicePixelRatio || 1;
    const side = this.cell * n;
    Object.assign(this.canvas, { width: side * ratio, height: side * ratio });
    this.canvas.style.width = this.canvas.style.height = `${side}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const most = Math.max(...values.map((row) => Math.max(...row.map(Math.abs)))) || 1;
    const style = getComputedStyle(this.canvas);
    const [plus, minus] = [resolved("var(--pos)"), resolved("var(--neg)")];
    values.forEach((row, i) => row.forEach((value, j) => {
      pen.globalAlpha = Math.sqrt(Math.abs(value) / most);
      pen.fillStyle = value >= 0 ? plus : minus;
      pen.fillRect(j * this.cell, i * this.cell, this.cell, this.cell);
    }));
    pen.globalAlpha = 1;
    if (this.cell >= 38) this.#figures(pen, values, style.color);
  }

  #figures(pen, values, colour) {
    pen.fillStyle = colour;
    pen.font = "11px system-ui";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    values.forEach((row, i) => row.forEach((value, j) =>
      pen.fillText(num(value, 3), (j + 0.5) * this.cell, (i + 0.5) * this.cell, this.cell - 2)));
  }

  draw(k) {
    const counts = this.replay.counts(k);
    const busy = counts.map((n, i) => [n, i]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]);
    const told = busy.slice(0, LISTED).map(([n, i]) => `n${sub(i + 1)} = ${n}`).join(", ");
    this.list.textContent = told + (busy.length > LISTED ? ", …" : "") || "n = 0";
  }
}

const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
