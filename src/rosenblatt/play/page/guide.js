// The guide through a lesson: what there is to see, a question, and the answer after it.

import { buttonOf } from "./fields.js";
import { LESSONS } from "./lessons.js";
import { prose } from "./notation.js";
import { recorded } from "./recorded.js";
import { html } from "./svg.js";
import { inLanguage, say } from "./words.js";

const KEY = "rosenblatt.lessons";

/** How many steps of each lesson were answered, as this browser remembers it. */
const progress = {
  read() {
    try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
  },
  reach(name, steps) {
    const known = this.read();
    known[name] = Math.max(known[name] ?? 0, steps);
    try { localStorage.setItem(KEY, JSON.stringify(known)); } catch { /* a private window */ }
  },
};

/** The states that a lesson shows. */
export const statesOf = (name) => LESSONS.find((lesson) => lesson.name === name).steps
  .flatMap(({ show, solution }) => (solution ? [show, solution] : [show]));

export class Guide {
  #chosen = null; // the answer that was given
  #isReached = false; // whether the goal is, or a solution is shown

  /** `page` has open(state, lesson) and leave(), and save(name) to write a lesson to a file. */
  constructor(root, list, page) {
    Object.assign(this, { root, list, page, lesson: null, at: 0 });
  }

  /** Take up a place, such as "loss.2", or none. */
  take(place) {
    if (place === this.place) return this.draw();
    const [name, at] = (place ?? "").split(".");
    this.lesson = LESSONS.find((lesson) => lesson.name === name) ?? null;
    this.at = Math.max(0, Math.min(Number(at) || 0, (this.lesson?.steps.length ?? 1) - 1));
    [this.#chosen, this.#isReached] = [null, false];
    this.draw();
  }

  get step() {
    return this.lesson?.steps[this.at];
  }

  get place() {
    return this.lesson ? `${this.lesson.name}.${this.at}` : null;
  }

  /** The right option, or the point of the next update. */
  get #right() {
    const { point, answer } = this.step;
    return point === undefined ? answer : this.run?.log.i[point];
  }

  /** Go to a step of a lesson, with its state; beyond the last, the lesson is over. */
  go(lesson, at) {
    if (at >= lesson.steps.length) return this.leave();
    this.take(`${lesson.name}.${at}`);
    this.page.open(this.step.show, this.place);
    this.root.querySelector("h2").focus();
  }

  leave() {
    this.take(null);
    this.page.leave();
  }

  /** See whether a run reaches the goal. */
  judge(run) {
    this.run = run;
    if (this.step?.goal && !this.#isReached && this.step.goal(run)) this.#answered(null, true);
    else if (this.step?.point !== undefined) this.draw();
  }

  /** A point was chosen; tells whether that was an answer. */
  choosePoint(i) {
    if (this.step?.point === undefined || this.#chosen !== null) return false;
    this.#answered(i, false);
    return true;
  }

  #answered(chosen, isReached) {
    [this.#chosen, this.#isReached] = [chosen, isReached];
    progress.reach(this.lesson.name, this.at + 1);
    this.draw();
  }

  // -- What it shows ------------------------------------------------------------------------------

  draw() {
    this.list.replaceChildren(...this.#entries());
    this.root.hidden = !this.lesson;
    document.body.classList.toggle("puzzled", Boolean(this.step?.veiled) && this.#chosen === null);
    if (!this.lesson) return;
    const { title, steps } = this.lesson;
    const { tell, ask, goal } = this.step;
    this.root.replaceChildren(
      html("h2", { tabindex: -1 }, `${inLanguage(title)} (${say("place", { k: this.at + 1, n: steps.length })})`),
      html("p", {}, ...prose(inLanguage(tell))), html("p", { class: "ask" }, ...prose(inLanguage(ask))),
      goal ? this.#goal() : this.#options(), this.#answer(), this.#foot());
  }

  /** All lessons, each with what is left of it. */
  #entries() {
    const known = progress.read();
    return LESSONS.map((lesson) => {
      const left = lesson.steps.length - (known[lesson.name] ?? 0);
      const entry = buttonOf(`lesson-${lesson.name}`, inLanguage(lesson.title), () => this.go(lesson, 0));
      entry.append(html("span", { class: "done" }, left > 0 ? "" : say("done")));
      return html("li", {}, entry);
    });
  }

  #options() {
    const { point, options, ask } = this.step;
    const texts = point === undefined ? options.map(inLanguage) : (this.run?.points ?? []).map((_, i) => say("point i", { i: i + 1 }));
    const group = html("div", { class: "options", role: "group", "aria-label": inLanguage(ask) });
    texts.forEach((text, j) => {
      const button = buttonOf(`option-${j}`, text, () => {
        if (this.#chosen === null) this.#answered(j, false);
        this.root.querySelector("#lesson-next").focus();
      });
      const mark = this.#chosen === null ? "" : j === this.#right ? "right" : j === this.#chosen ? "wrong" : "";
      if (mark) button.classList.add(mark);
      if (mark) button.append(html("span", { class: "done" }, say(mark)));
      group.append(button);
    });
    return group;
  }

  /** What a hand must do; a file has no server that would learn from it, but it has a solution. */
  #goal() {
    const group = html("div", { class: "options" });
    if (this.#isReached) return group;
    if (recorded) group.append(html("p", { class: "note" }, say("by hand")));
    group.append(buttonOf("lesson-solution", say("solution"), () => {
      this.page.open(this.step.solution, this.place);
    }));
    return group;
  }

  #answer() {
    const told = html("p", { class: "then", "aria-live": "polite" });
    if (this.#isReached || this.#chosen !== null) {
      const word = this.#isReached || this.#chosen === this.#right ? "right" : "wrong";
      told.append(html("strong", {}, say(word)), ...prose(`${say("gap")} ${inLanguage(this.step.then)}`));
    }
    return told;
  }

  #foot() {
    const last = this.at === this.lesson.steps.length - 1;
    const foot = html("div", { class: "foot" });
    if (this.at) foot.append(buttonOf("lesson-back", say("previous"), () => this.go(this.lesson, this.at - 1)));
    foot.append(buttonOf("lesson-next", say(last ? "finish" : "next"), () => this.go(this.lesson, this.at + 1)));
    if (!last && !recorded) foot.append(buttonOf("lesson-leave", say("leave"), () => this.leave()));
    if (!recorded) foot.append(buttonOf("lesson-save", say("save lesson"), () => this.page.save(this.lesson.name)));
    return foot;
  }
}
