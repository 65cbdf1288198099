// Hands: points are added, moved and deleted, and the line is moved, with a pointer or with keys.

import { MOST, namesOf, withAnother, withoutEmpty } from "./classes.js";
import { recorded } from "./recorded.js";
import { heldOf } from "./state.js";
import { grip, moved } from "./steering.js";

const REACH = { mouse: 12, touch: 24, pen: 16 }; // pixels from a point within which it is meant
const STILL = 4; // pixels that a hand may slip in a click

export class Hands {
  /** `page` has data(), run() and learner(plot) to read, and changed(data), steered(plot, line),
   * redraw() and isAnswer(point) to tell. */
  constructor(page) {
    this.page = page;
    this.tool = "1"; // the number of the class that a click adds; or "new", "flip", "erase"
    this.selected = null;
  }

  // -- What they do -------------------------------------------------------------------------------

  select(i) {
    this.selected = i;
    this.page.redraw();
  }

  /** Change the points; from then on they are the reader's own. A file has no server to ask. */
  edit(change) {
    if (recorded) return;
    const { points, codes, classes, features } = this.page.run();
    const data = this.page.data();
    const own = data.name === "points" ? { classes: ["-1", "1"], ...data }
      : { X: points, y: codes, classes, features, ...heldOf(data) };
    const next = { ...own, name: "points", X: [...own.X], y: [...own.y], classes: [...own.classes] };
    change(next.X, next.y, next);
    this.page.changed(withoutEmpty(next));
  }

  move(i, x) {
    this.edit((X) => { X[i] = x; });
  }

  add(x, code) {
    this.edit((X, y, data) => {
      if (code >= data.classes.length) return;
      this.selected = X.push(x) - 1;
      y.push(code);
    });
  }

  /** Add a point of a class that was not there. */
  addClass(x) {
    this.edit((X, y, data) => {
      if (data.classes.length >= MOST) return;
      data.classes = withAnother(data.classes);
      this.tool = String(data.classes.length - 1);
      this.selected = X.push(x) - 1;
      y.push(data.classes.length - 1);
    });
  }

  /** Delete some points. */
  drop(rows) {
    this.selected = null;
    this.edit((X, y) => { for (const i of [...rows].sort((a, b) => b - a)) [X, y].forEach((all) => all.splice(i, 1)); });
  }

  /** Give a point the next class, of two the other one. */
  flip(i) {
    this.edit((_, y, { classes }) => { y[i] = (y[i] + 1) % classes.length; });
  }

  click(i, x, other) {
    if (i !== null && this.tool === "flip") return this.flip(i);
    if (i !== null && this.page.isAnswer(i)) return;
    if (i !== null && this.tool === "erase") return this.drop([i]);
    if (i !== null || ["flip", "erase"].includes(this.tool)) return;
    if (this.tool === "new") return this.addClass(x);
    const k = namesOf(this.page.data(), this.page.run()).length;
    this.add(x, (Number(this.tool) + (other ? 1 : 0)) % k);
  }

  // -- With a pointer -----------------------------------------------------------------------------

  /** Take hold of a plot. */
  hold(plot) {
    const { root } = plot;
    let held = null;
    root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !plot.run) return;
      const i = nearest(plot, event);
      held = { i, line: i === null ? this.#grip(plot, event) : null, x: event.clientX, y: event.clientY, moved: false };
      root.setPointerCapture(event.pointerId);
      if (held.i !== null) this.select(held.i);
    });
    root.addEventListener("pointermove", (event) => {
      if (!held) return void root.classList.toggle("over", this.#isOver(plot, event));
      held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL;
      if (!held.moved) return;
      if (held.i !== null) this.move(held.i, lifted(plot, event, plot.run.points[held.i]));
      else if (held.line) this.#steer(plot, held.line, event);
    });
    root.addEventListener("pointerup", (event) => {
      if (held && !held.moved) this.click(held.i, lifted(plot, event), event.shiftKey);
      held = null;
    });
    root.addEventListener("pointercancel", () => { held = null; });
    // A finger on a point or the line drags it; anywhere else it scrolls the page.
    root.addEventListener("touchstart", (event) => {
      const { clientX, clientY } = event.touches[0];
      if (this.#isOver(plot, { clientX, clientY, pointerType: "touch" })) event.preventDefault();
    }, { passive: false });
    root.addEventListener("keydown", (event) => this.#key(plot, event));
  }

  #grip(plot, event) {
    const learner = recorded ? null : this.page.learner(plot);
    return learner && grip(plot, where(plot, event), { pointerType: event.pointerType, fitsBias: learner.fit_intercept });
  }

  #steer(plot, line, event) {
    const next = moved(line, plot.view.place(where(plot, event)));
    plot.preview(next);
    this.page.steered(plot, next);
  }

  #isOver(plot, event) {
    return nearest(plot, event) !== null || this.#grip(plot, event) !== null;
  }

  // -- With keys ----------------------------------------------------------------------------------

  #key(plot, event) {
    const n = plot.run.points.length;
    const { selected } = this;
    const turn = (by) => n && this.select(((selected ?? (by > 0 ? -1 : 0)) + by + n) % n);
    const erase = () => selected !== null && this.drop([selected]);
    const actions = {
      Enter: () => selected !== null && this.page.isAnswer(selected),
      n: () => turn(1), p: () => turn(-1), Escape: () => this.select(null),
      "+": () => this.add(beside(plot, selected), 1), "-": () => this.add(beside(plot, selected), 0),
      Delete: erase, Backspace: erase, f: () => selected !== null && this.flip(selected),
    };
    for (let c = 0; c < MOST; c++) actions[c + 1] = () => this.add(beside(plot, selected), c);
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const move = event.altKey && selected !== null && moves[event.key];
    const action = move ? () => this.move(selected, shifted(plot, selected, move, 50)) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

// -- Places ---------------------------------------------------------------------------------------

const where = (plot, event) => {
  const frame = plot.root.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
};

/** The point that is meant, if any. */
const nearest = (plot, event) => {
  const [x, y] = where(plot, event);
  let [best, found] = [REACH[event.pointerType] ?? REACH.mouse, null];
  plot.places?.forEach(([px, py], i) => {
    const away = Math.hypot(px - x, py - y);
    if (away < best) [best, found] = [away, i];
  });
  return found;
};

const plain = (x) => x.map((v) => Number(v.toPrecision(6)));

/** The point of the data where a hand is; of one that is moved, what is not in the plane stays. */
const lifted = ({ view }, event, x) => {
  const place = view.rounded(view.place(where({ root: event.currentTarget }, event)));
  return plain(view.lift(place, x));
};

/** A point, a part of the view further on. */
const shifted = ({ view, run }, i, [dx, dy], parts) => {
  const [left, right, bottom, top] = view.box;
  const [a, b] = view.flat(run.points[i]);
  return plain(view.lift([a + (dx * (right - left)) / parts, b + (dy * (top - bottom)) / parts], run.points[i]));
};

/** A place for a new point: beside one, or in the middle. */
const beside = (plot, i) => {
  if (i !== null) return shifted(plot, i, [1, 1], 20);
  const [left, right, bottom, top] = plot.view.box;
  return plain(plot.view.lift(plot.view.rounded([(left + right) / 2, (bottom + top) / 2])));
};
