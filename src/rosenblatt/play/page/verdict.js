// The verdict: separable with the widest band, or the points in conflict, with their weights.

import { save } from "./exports.js";
import { html } from "./svg.js";
import { count, num, say, shown, vector } from "./words.js";

const LISTED = 8;

export class Verdict {
  constructor(root, changed) {
    this.root = root;
    this.always = false;
    this.changed = changed;
  }

  show(replay) {
    const { run } = replay;
    const { verdict } = run;
    const parts = [
      html("p", { class: `stamp ${verdict.verdict}`, id: "stamp" }, say(verdict.verdict)),
      html("p", {}, reason(verdict)),
    ];
    if (verdict.conflict) parts.push(table(run, verdict.conflict));
    if (verdict.conflict?.point) parts.push(html("p", { id: "meeting" }, say("common point", { point: vector(verdict.conflict.point, 4) })));
    if (replay.kernel && run.stop === "separated" && verdict.verdict !== "separable") {
      parts.push(html("p", { class: "aside" }, say("kernel verdict")));
    }
    parts.push(this.#drawBox(), this.#download(verdict));
    this.root.replaceChildren(...parts);
  }

  #drawBox() {
    const box = html("input", { type: "checkbox", id: "draw-proof" });
    box.checked = this.always;
    box.addEventListener("change", () => {
      this.always = box.checked;
      this.changed();
    });
    return html("label", { class: "check" }, box, say("draw proof"));
  }

  #download({ certificate }) {
    const button = html("button", { type: "button", id: "certificate" }, say("certificate"));
    button.addEventListener("click", () => save("certificate.json", JSON.stringify(certificate, null, 2), "application/json"));
    return button;
  }
}

const reason = ({ verdict, band, conflict }) => {
  if (verdict === "separable") return say("separable why", { width: num(2 * band.margin, 4), count: count(band.support.length) });
  if (conflict && !conflict.point) return say("origin why");
  return say(`${verdict} why`);
};

const table = (run, { rows, weights }) => {
  const head = html("tr", {}, ...["point", "class", "weight"].map((word) => html("th", { scope: "col" }, say(word))));
  const lines = rows.slice(0, LISTED).map((i, j) => html("tr", {},
    html("td", {}, String(i + 1)),
    html("td", {}, glyph(run.signs[i]), ` ${shown(run.classes[run.signs[i] < 0 ? 0 : 1])}`),
    html("td", { title: weights[j] }, weights[j].length > 14 ? num(share(weights[j]), 4) : weights[j])));
  const more = rows.length > LISTED ? [html("caption", {}, say("more", { n: rows.length - LISTED }))] : [];
  return html("table", { id: "conflict" }, ...more, head, ...lines);
};

const glyph = (sign) => html("span", { class: sign < 0 ? "neg" : "pos" }, sign < 0 ? "●" : "■");

const share = (text) => {
  const [top, below = "1"] = text.split("/");
  const cut = Math.max(0, Math.max(top.length, below.length) - 15); // numerators can have hundreds of digits
  return Number(top.slice(0, top.length - cut) || 0) / Number(below.slice(0, below.length - cut) || 1);
};
