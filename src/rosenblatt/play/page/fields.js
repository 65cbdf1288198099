// Fields and buttons, and how a panel of them is drawn anew.

import { html } from "./svg.js";
import { has, plain, say } from "./words.js";

export const field = (word, input, kind = "") => html("label", { class: `field ${kind}` }, html("span", {}, say(word)), input);

/** A choice among pairs of a value and its text. */
export const selectOf = (id, options, value, changed) => {
  const select = html("select", { id });
  for (const [key, text] of options) select.append(new Option(text, key, false, key === value));
  select.addEventListener("change", () => changed(select.value));
  return select;
};

export const inputOf = (id, attributes, value, changed, event = "change") => {
  const input = html("input", { id, ...attributes });
  const isText = attributes.type === "text";
  input.value = value;
  input.addEventListener(event, () => {
    if (isText) input.value = plain(input.value);
    const isGood = input.checkValidity();
    const told = input.nextElementSibling;
    if (told?.matches(".refused")) told.remove();
    if (!isGood) return input.after(html("small", { class: "refused", role: "alert" }, say("refused", { what: taken(input) })));
    changed(isText ? input.value : Number(input.value));
  });
  return input;
};

/** What a field takes. */
const taken = ({ id, min, max, step }) => {
  if (has(`takes ${id}`)) return say(`takes ${id}`);
  return say(step === "1" && max ? "takes whole" : min ? "takes least" : "takes number", { min, max });
};

/** A box to check, in its label. */
export const checkOf = (id, isChecked, text, changed, kind = "check") => {
  const box = html("input", { type: "checkbox", id });
  box.checked = isChecked;
  box.addEventListener("change", () => changed(box.checked));
  return html("label", { class: kind }, box, text);
};

export const buttonOf = (id, text, pressed) => {
  const button = html("button", { type: "button", id }, text);
  button.addEventListener("click", () => pressed(button));
  return button;
};

/** Put new parts into a panel. The part that somebody is at stays as it is, what was open is open. */
export const renew = (root, parts) => {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const kept = [...root.children].find((child) => active?.id && child.contains(active));
  const at = kept ? parts.findIndex((part) => part.id === active.id || part.querySelector(`#${active.id}`)) : -1;
  const open = root.querySelector("details")?.open ?? false;
  if (at < 0) root.replaceChildren(...parts);
  else {
    for (const child of [...root.children]) if (child !== kept) child.remove();
    kept.before(...parts.slice(0, at));
    kept.after(...parts.slice(at + 1));
    if (!active.matches(":user-invalid, .typing, textarea")) adopt(active, parts[at].querySelector(`#${active.id}`) ?? parts[at]);
  }
  for (const box of root.querySelectorAll("details")) box.open = open;
};

/** Take the value of a field's newer self, which somebody may have undone. */
const adopt = (field, { value, checked }) => {
  if (field.value !== value) field.value = value;
  if (field.type !== "radio") field.checked = checked;
};

document.addEventListener("input", ({ target }) => target.classList.add("typing"));
document.addEventListener("change", ({ target }) => target.classList.remove("typing"));
