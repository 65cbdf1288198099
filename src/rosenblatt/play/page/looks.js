// Language, theme and legend.

import { keysPanel } from "./share-panel.js";
import { html } from "./svg.js";
import { label, say, setLanguage } from "./words.js";

const byId = (id) => document.getElementById(id);

/** Put on the looks that a state asks for, or else those of the browser. */
export const dress = ({ lang, theme }) => {
  const spoken = lang ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
  setLanguage(spoken);
  document.documentElement.dataset.theme = theme ?? "";
  label(document);
  document.title = say("title");
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", button.dataset.lang === spoken);
  }
  keysPanel(byId("keys"));
};

const LEGEND = {
  old: "old line", line: "new line", kept: "kept line", wrong: "wrong point", erring: "this point",
  best: "best line", halo: "moved often", band: "widest band", crossed: "in conflict", meeting: "common",
};

/** Explain what is drawn in some plots, and nothing else. */
export const legend = (root, plots) => {
  const drawn = Object.keys(LEGEND).filter((layer) => plots.some((plot) => plot.layers[layer].getAttribute("d")));
  const told = `${document.documentElement.lang} ${drawn}`;
  if (root.dataset.told === told) return;
  root.dataset.told = told;
  root.replaceChildren(...drawn.map((layer) => html("span", {}, html("i", { class: layer }), say(LEGEND[layer]))));
};

/** Large type, on all of the screen, for those in the last row; or no longer. */
export const enlarge = () => {
  const root = document.documentElement;
  const on = root.dataset.size !== "large";
  root.dataset.size = on ? "large" : "";
  byId("large").setAttribute("aria-pressed", on);
  const asked = on ? root.requestFullscreen?.() : document.fullscreenElement && document.exitFullscreen();
  asked?.catch(() => {}); // the page may be in a frame that forbids it
};

const isDark = () => getComputedStyle(document.body).getPropertyValue("--is-dark").trim() === "1";

/** Call back with what the reader chooses: { lang } or { theme }. */
export const onChoice = (chosen) => {
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.addEventListener("click", () => chosen({ lang: button.dataset.lang }));
  }
  byId("theme").addEventListener("click", () => chosen({ theme: isDark() ? "light" : "dark" }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chosen({}));
};
