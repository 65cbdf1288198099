// What can be taken away: pictures, the trace, the link.

import { ask } from "./server.js";
import { parameters } from "./state.js";
import { resolved, svg } from "./svg.js";

const LOOK = [
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity",
  "stroke-linecap", "stroke-linejoin", "opacity", "paint-order", "font-family", "font-size", "font-style", "font-weight",
];

export const save = (name, content, type) => {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

/** A page that opens with a state and replays it, and others, without a server. */
export const pageOf = async (first, states = [first]) => {
  const all = states.flatMap(({ data, learners }) => learners.map((learner) => ({ data, learner: parameters(learner) })));
  const questions = [...new Set(all.map((question) => JSON.stringify(question)))].map((text) => JSON.parse(text));
  const lang = document.documentElement.lang.slice(0, 2);
  return (await ask("export", { state: { ...first, lang }, questions })).html;
};

/** A picture that looks the same without our style sheet. */
export const standalone = (picture) => {
  const copy = picture.cloneNode(true);
  const originals = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, j) => {
    const style = getComputedStyle(originals[j]);
    for (const name of LOOK) node.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "focusable"]) node.removeAttribute(name);
  });
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--card");
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: resolved(paper) }));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
};

export const saveSvg = (picture) => save("perceptron.svg", standalone(picture), "image/svg+xml");

export const savePng = async (picture) => {
  const address = URL.createObjectURL(new Blob([standalone(picture)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  const [width, height] = [picture.clientWidth, picture.clientHeight];
  Object.assign(canvas, { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => save("perceptron.png", blob), "image/png");
};

/** The weights and the bias of a hypothesis; of several classes, a list of each. */
const parts = (hypothesis) => (Array.isArray(hypothesis[0])
  ? { w: hypothesis.map((row) => row.slice(0, -1)), b: hypothesis.map((row) => row.at(-1)) }
  : { w: hypothesis.slice(0, -1), b: hypothesis.at(-1) });

/** The updates of a run, one object each; points count from 1, as everywhere on the page. */
export const trace = (replay) => {
  const { log, path, classes } = replay.run;
  let k = 0;
  return log.i.map((row, j) => {
    if (j > log.ends[k]) k++;
    const whole = path && j === log.ends[k]; // within a batch there is no hypothesis yet
    return {
      update: j + 1, seen: log.t[j], point: row + 1, step: log.c[j],
      ...(log.own ? { own: classes[log.own[j]], rival: classes[log.rival[j]] } : {}),
      ...(whole ? parts(path[k + 1]) : { w: null, b: null }),
    };
  });
};

export const saveTrace = (replay, kind) => {
  const rows = trace(replay);
  if (kind === "json") {
    const { stop, passes, mistakes, path } = replay.run;
    const start = path ? parts(path[0]) : null;
    save("trace.json", JSON.stringify({ stop, passes, mistakes, start, trace: rows }, null, 1), "application/json");
    return;
  }
  save("trace.csv", table(replay, rows), "text/csv");
};

/** The updates as a table, with a column for each weight, of each class if there are several. */
const table = ({ rows: [{ length: d }], several, run }, rows) => {
  const of = several ? run.classes.map((name) => `_${name}`) : [""];
  const names = of.flatMap((name) => [...Array.from({ length: d }, (_, j) => `w${j + 1}${name}`), `b${name}`]);
  const values = ({ w, b }) => (w === null ? names.map(() => "") : several ? w.flatMap((each, c) => [...each, b[c]]) : [...w, b]);
  const first = several ? ["own", "rival"] : [];
  const lines = rows.map((row) => [row.update, row.seen, row.point, row.step, ...first.map((key) => row[key]), ...values(row)].map(cell).join(","));
  return `${["update", "seen", "point", "step", ...first, ...names].map(cell).join(",")}\n${lines.join("\n")}\n`;
};

/** Rows with their labels, as a table whose last column is the class. */
const labelledTable = (features, rows, labels) =>
  [[...features, "class"], ...rows.map((x, i) => [...x, labels[i]])].map((row) => `${row.map(cell).join(",")}\n`).join("");

/** The points of a run as a table. */
export const pointsTable = ({ points, features, classes, codes }) => labelledTable(features, points, codes.map((code) => classes[code]));

/** The table that a certificate is about: the points learned from, with all features. */
export const certifiedTable = ({ run, rows, held }) => {
  const { classes } = run.verdict.certificate;
  const kept = rows.map((_, i) => i).filter((i) => !held.has(i));
  return labelledTable(run.lift?.names ?? run.features, kept.map((i) => rows[i]), kept.map((i) => classes[run.codes[i]]));
};

/** A cell, in quotes where it must be. */
export const cell = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
