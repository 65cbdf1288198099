// Formulas as the notes print them: italic letters, subscripts, numbers with a minus sign.

import { html } from "./svg.js";
import { num, say, vector } from "./words.js";

export const four = (x) => num(x, 4);

export const signed = (x) => (x < 0 ? `(${four(x)})` : four(x));

export const weights = (w) => vector(w.slice(0, -1), 4);

/** What a step is called: the learning rate, with the weight of the class, or as long as needed. */
export const stepName = ({ rule, class_weight }) =>
  (rule === "rosenblatt" || rule === "margin" ? `*η*${class_weight ? " *v*" : ""}` : "*τ*");

/** The same in the sum over a batch, whose steps may differ. */
export const sumName = ({ rule, class_weight }) =>
  (rule === "rosenblatt" || rule === "margin" ? `*η* Σ${class_weight ? " *v*_{i}" : ""}` : "Σ *τ*_{i}");

/** What restricts the lines, or the linear machines, that a learner without a bias is about. */
export const through = ({ learner, several }) =>
  (learner.fit_intercept ? "" : say(several ? "without biases" : "through origin"));

/** A line of formulas, which is wrapped after its left part first. */
export const formula = (left, ...right) => {
  const node = html("p", {});
  node.append(...parsed(left), html("span", { class: "eq" }, ...right.flatMap(parsed)));
  return node;
};

/** Prose in which no line breaks within a quotient of R and γ. */
export const prose = (text) => text.split(/(\(R\/γ\)²|γ\*\/R)/).filter(Boolean)
  .map((part) => (/^\(?[Rγ]\*?\//.test(part) ? html("span", { class: "whole" }, part) : part));

/** Text with *italic* letters and _{subscripts}. */
const parsed = (text) => text.split(/(\*[^*]+\*|_\{[^}]*\})/).filter(Boolean).map((part) => {
  if (part.startsWith("*")) return html("var", {}, part.slice(1, -1));
  if (part.startsWith("_{")) return html("sub", {}, part.slice(2, -1));
  return document.createTextNode(part);
});
