// Troubles, told above the picture in the reader's language until they are over or dismissed.

import { buttonOf } from "./fields.js";
import { html } from "./svg.js";
import { has, say } from "./words.js";

const SETTINGS = { margin: "margin of rule" }; // whose words are not their names

/** What a trouble is called; what has no words here is told as the server told it. */
const sentence = ({ code, message, values = {} }) => {
  if (code === "setting") return say("error setting", { name: say(SETTINGS[values.name] ?? values.name) });
  return has(`error ${code}`) ? say(`error ${code}`, values) : say("trouble", { message });
};

export class Notice {
  constructor(root) {
    this.root = root;
  }

  /** Tell a trouble, with a way out of it: a word and what it does. */
  tell(trouble, word, action) {
    this.again = () => this.tell(trouble, word, action);
    const prefix = trouble.link ? say("error link") + say("gap") : "";
    const button = (id, text, pressed) => buttonOf(id, text, () => { this.clear(); pressed?.(); });
    const close = button("dismiss", "×");
    close.setAttribute("aria-label", say("dismiss"));
    this.root.replaceChildren(html("span", {}, prefix + sentence(trouble)), ...(word ? [button("way-out", say(word), action)] : []), close);
    this.root.hidden = false;
  }

  clear() {
    this.root.hidden = true;
    this.again = null;
  }

  /** Say it once more, in another language. */
  translate() {
    this.again?.();
  }
}
