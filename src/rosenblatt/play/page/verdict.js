// The verdict: separable with the widest band, or the points in conflict, with their weights.

import { GLYPHS, KINDS } from "./classes.js";
import { certifiedTable, pointsTable, save } from "./exports.js";
import { buttonOf, checkOf } from "./fields.js";
import { through } from "./notation.js";
import { html } from "./svg.js";
import { count, num, say, shown, vector } from "./words.js";

const LISTED = 8;

export class Verdict {
  constructor(root, page) {
    Object.assign(this, { root, page, always: false });
  }

  show(replay) {
    const { run } = replay;
    const [name, why] = [title(replay), html("p", {}, reason(replay))];
    const hasPicture = run.verdict.conflict || (run.verdict.band && !run.lift);
    const proof = [...evidence(replay), ...this.#fewest(replay), ...(hasPicture ? [this.#drawBox()] : []), ...downloads(replay)];
    this.root.replaceChildren(...(replay.kernel ? lifted(replay, this.#lines(replay, [why, ...proof])) : [name, why, ...proof]));
  }

  /** What is known of lines, folded away beside a kernel. */
  #lines(replay, parts) {
    const told = say(replay.several ? "by machines" : "by lines", { verdict: say(replay.run.verdict.verdict), through: through(replay) });
    const box = html("details", { class: "paste" }, html("summary", {}, told), ...parts);
    box.open = this.unfolded ?? false;
    box.addEventListener("toggle", () => { this.unfolded = box.open; });
    return box;
  }

  /** The best line of all, and the points without which it separates the rest. */
  #fewest(replay) {
    const { fewest, codes, verdict } = replay.run;
    if (!fewest) return [];
    const told = [say(fewest.mistakes === fewest.at_least ? "fewest" : "fewest between", { ...fewest, through: through(replay) })];
    if (verdict.verdict === "touching") told.push(say("fewest on line"));
    const n = fewest.rows.length;
    const button = buttonOf("repair", say(n === 1 ? "repair one" : "repair", { n }), () => this.page.repair(fewest.rows));
    button.classList.add("online");
    const left = new Set(codes.filter((_, i) => !fewest.rows.includes(i)));
    return [html("p", { id: "fewest" }, told.join(say("gap"))), ...(left.size > 1 ? [button] : [])];
  }

  #drawBox() {
    return checkOf("draw-proof", this.always, say("draw proof"), (on) => {
      this.always = on;
      this.page.redraw();
    });
  }
}

/** The certificate, and the table that it is about where that is not the one of all points. */
const downloads = (replay) => {
  const { run } = replay;
  const proof = buttonOf("certificate", say("certificate"), () => save("certificate.json", JSON.stringify(run.verdict.certificate, null, 2), "application/json"));
  const rows = certifiedTable(replay);
  if (rows === pointsTable(run)) return [proof];
  const table = buttonOf("certified", say("certified points"), () => save("certified.csv", rows, "text/csv"));
  return [html("div", { class: "foot" }, proof, table), html("p", { class: "note" }, say("certified note"))];
};

const stamp = (verdict, text = say(verdict)) => html("p", { class: `stamp ${verdict}`, id: "stamp" }, text);

/** The verdict; of explicit features, it is about the space that they make. */
const title = ({ run, curved }) => {
  const { verdict } = run.verdict;
  const lift = { separable: "separated", undecided: "undecided" }[verdict] ?? "inseparable";
  return stamp(verdict, say(curved ? `lifted ${lift}` : verdict));
};

/** What the run tells of the kernel's feature space; the verdict is about lines. */
const lifted = (replay, lines) => {
  const { stop } = replay.run;
  const kind = stop === "separated" || stop === "inseparable" ? stop : "undecided";
  const looks = { separated: "separable", inseparable: "overlapping", undecided: "undecided" };
  return [stamp(looks[kind], say(`lifted ${kind}`)), html("p", {}, say(`lifted ${kind} why`, { through: through(replay) })), lines];
};

const evidence = (replay) => {
  const { conflict } = replay.run.verdict;
  if (!conflict) return [];
  const isDrawn = conflict.point && !replay.run.lift;
  const meeting = isDrawn && html("p", { id: "meeting" }, say("common point", { point: vector(conflict.point, 4) }));
  return [table(replay.run, conflict), ...(meeting ? [meeting] : [])];
};

const reason = (replay) => {
  const { run, several, learner } = replay;
  const { verdict, band, conflict, margin } = run.verdict;
  const about = { through: through(replay), around: learner.fit_intercept ? "" : say("around origin") };
  if (several) return say(`${verdict}${verdict === "undecided" ? "" : " classes"} why`, { ...about, margin: num(margin, 4) });
  if (verdict === "separable") return say(`${run.lift ? "features" : "separable"} why`, { ...about, width: num(2 * band.margin, 4), count: count(band.support.length) });
  if (conflict && !conflict.point) return say(run.lift ? "features origin why" : "origin why");
  return say(verdict !== "undecided" && run.lift ? "features conflict why" : `${verdict} why`);
};

const table = (run, { rows, weights, shares, rivals }) => {
  const named = ["point", "class", ...(rivals ? ["rival"] : []), "weight"];
  const head = html("tr", {}, ...named.map((word) => html("th", { scope: "col" }, say(word))));
  const lines = rows.slice(0, LISTED).map((i, j) => html("tr", {},
    html("td", {}, String(i + 1)),
    html("td", {}, ...called(run, run.codes[i])),
    ...(rivals ? [html("td", {}, ...called(run, rivals[j]))] : []),
    html("td", { title: weights[j] }, weights[j].length > 14 ? num(shares[j], 4) : weights[j])));
  const more = rows.length > LISTED ? [html("caption", {}, say("more", { n: rows.length - LISTED }))] : [];
  return html("table", { id: "conflict" }, ...more, head, ...lines);
};

const called = ({ classes }, code) => [html("span", { class: KINDS[code] }, GLYPHS[code]), ` ${shown(classes[code])}`];
