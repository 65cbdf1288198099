// The player: where in the run we are, and how it moves on.

import { say } from "./words.js";

const ICONS = { play: "M6 3v14l11-7z", pause: "M5 3h4v14H5zM11 3h4v14h-4z" };

const byId = (id) => document.getElementById(id);

/** Mistakes a second at a position of the slider: 1, 2, … 1000. */
const rate = (position) => 10 ** (0.3 * position);

export class Player {
  #playing = false;
  #last = 0;
  #owed = 0;

  constructor(moved) {
    this.k = 0;
    this.end = 0;
    this.moved = moved;
    this.slider = byId("scrub");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const press = { first: () => this.go(0), back: () => this.go(this.k - 1), play: () => this.toggle(), forward: () => this.go(this.k + 1), last: () => this.go(this.end) };
    for (const [id, action] of Object.entries(press)) byId(id).addEventListener("click", action);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Begin at k, whatever run comes. */
  start(k) {
    this.pause();
    [this.k, this.end] = [k, Infinity];
  }

  /** A new run: stay at the end if there, else where we are if the run is that long. */
  fit(end) {
    const atEnd = this.k === this.end && this.end > 0;
    this.end = end;
    this.slider.max = end;
    this.k = atEnd ? end : Math.min(this.k, end);
    this.tell();
  }

  go(k) {
    this.pause();
    this.#move(k);
  }

  #move(k) {
    const to = Math.max(0, Math.min(this.end, k));
    if (to === this.k) return;
    this.k = to;
    this.tell();
    this.moved();
  }

  tell() {
    this.slider.value = this.k;
    const place = say("place", { k: this.k.toLocaleString("en"), n: this.end.toLocaleString("en") });
    byId("place").textContent = place;
    this.slider.setAttribute("aria-valuetext", place);
    // Not disabled, which would take the focus away from whoever pressed them.
    for (const id of ["first", "back"]) byId(id).setAttribute("aria-disabled", this.k === 0);
    for (const id of ["forward", "last"]) byId(id).setAttribute("aria-disabled", this.k === this.end);
  }

  toggle() {
    if (this.#playing) return this.pause();
    if (this.k === this.end) this.#move(0);
    this.#playing = true;
    this.#owed = 0;
    this.#last = performance.now();
    this.#face();
    requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    this.#playing = false;
    this.#face();
  }

  #face() {
    const button = byId("play");
    const name = this.#playing ? "pause" : "play";
    button.querySelector("path").setAttribute("d", ICONS[name]);
    const word = say(name);
    button.setAttribute("aria-label", word);
    button.title = word;
  }

  #tick(now) {
    if (!this.#playing) return;
    this.#owed += ((now - this.#last) / 1000) * rate(Number(byId("speed").value));
    this.#last = now;
    const steps = Math.floor(this.#owed);
    this.#owed -= steps;
    this.#move(this.k + steps);
    if (this.k === this.end) return this.pause();
    requestAnimationFrame((later) => this.#tick(later));
  }

  #key(event) {
    const { target, key } = event;
    const typing = target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const leap = event.shiftKey ? 10 : 1;
    const actions = {
      ArrowLeft: () => this.go(this.k - leap),
      ArrowRight: () => this.go(this.k + leap),
      Home: () => this.go(0),
      End: () => this.go(this.end),
    };
    if (target.matches?.("[type=radio]") && key.startsWith("Arrow")) return;
    if (key === " " && !target.matches?.("button, summary, input, a")) actions[" "] = () => this.toggle();
    if (!actions[key]) return;
    event.preventDefault();
    actions[key]();
  }
}
