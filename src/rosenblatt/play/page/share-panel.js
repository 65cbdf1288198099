// The panel of sharing: links, files, pictures, code; and the list of keys.

import { save, savePng, saveSvg, saveTrace } from "./exports.js";
import { buttonOf } from "./fields.js";
import { recorded } from "./recorded.js";
import { html } from "./svg.js";
import { say } from "./words.js";

export const sharePanel = (root, { replay, picture, link, file }) => {
  const byHand = html("input", { type: "text", id: "link", readonly: true, hidden: true, "aria-label": say("copy by hand") });
  const copied = async (button, text) => {
    if (!(await copy(text))) {
      Object.assign(byHand, { hidden: false, value: text });
      return byHand.select();
    }
    button.textContent = say("copied");
    setTimeout(() => { button.textContent = say("copy link"); }, 1500);
  };
  const row = (word, ...buttons) => html("div", { class: "row" }, html("span", {}, say(word)), ...buttons);
  const saved = async (button) => {
    button.disabled = true;
    const page = await file();
    button.disabled = false;
    if (page) save("perceptron.html", page, "text/html");
  };
  const online = recorded ? [] : [
    buttonOf("copy-link", say("copy link"), (button) => copied(button, link())),
    byHand,
    html("p", { class: "note" }, say("share note")),
    row("replay file", buttonOf("save-html", "HTML", saved)),
  ];
  root.replaceChildren(
    ...online,
    row("image", buttonOf("save-svg", "SVG", () => saveSvg(picture())), buttonOf("save-png", "PNG", () => savePng(picture()))),
    row("trace", buttonOf("save-json", "JSON", () => saveTrace(replay(), "json")), buttonOf("save-csv", "CSV", () => saveTrace(replay(), "csv"))),
    codeBox(replay),
    ...classroom(),
  );
};

/** Where other machines may come in: the address for them, and its square. */
const classroom = () => {
  const { classroom: address } = document.body.dataset;
  if (!address) return [];
  const picture = html("img", { src: "classroom.svg", alt: say("square", { address }), class: "square" });
  picture.addEventListener("error", () => picture.remove());
  return [html("details", { class: "paste", id: "classroom" }, html("summary", {}, say("classroom")), html("p", { class: "figures" }, address), picture)];
};

/** Whether a text could be put on the clipboard; browsers give it to pages of this machine only. */
const copy = (text) => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;

const codeBox = (replay) => {
  const text = html("pre", { id: "code", tabindex: 0 });
  const box = html("details", { class: "paste" }, html("summary", {}, say("code")), text);
  box.append(buttonOf("save-code", ".py", () => save("perceptron.py", replay().run.code, "text/x-python")));
  box.addEventListener("toggle", () => { if (box.open) text.textContent = replay().run.code; });
  return box;
};

export const keysPanel = (root) => {
  const lines = ["keys step", "keys play", "keys select", "keys add", "keys mouse", "keys line"].map((key) => html("li", {}, say(key)));
  root.replaceChildren(html("ul", {}, ...lines));
};
