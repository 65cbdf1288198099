// The address: it holds the state last shown, and each choice is a step of the browser's history.

import { toHash } from "./state.js";

const QUIET = 200; // milliseconds between writings; browsers bear no more

export class Address {
  #timer = null;
  #choice = null;
  #top = 0; // the step that "redo" leads to at most

  constructor(told) {
    this.told = told;
  }

  /** Write a state soon. */
  write(state) {
    this.state = state;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), QUIET);
  }

  /** Write now what is to be written; a moment or a look of the same choice replaces the last. */
  flush() {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    const choice = choiceOf(this.state);
    const isNew = this.#choice !== null && choice !== this.#choice;
    const step = this.step + (isNew ? 1 : 0);
    history[isNew ? "pushState" : "replaceState"]({ step }, "", toHash(this.state));
    if (isNew) this.#top = step;
    this.#choice = choice;
    this.told();
  }

  /** Somebody went back, or on, or wrote an address by hand. */
  adopt(state) {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#choice = choiceOf(state);
    this.#top = Math.max(this.#top, this.step);
    this.told();
  }

  get step() {
    return history.state?.step ?? 0;
  }

  get canUndo() {
    return this.step > 0;
  }

  get canRedo() {
    return this.step < this.#top;
  }
}

const choiceOf = (state) => toHash({ ...state, k: 0, lang: null, theme: null });
