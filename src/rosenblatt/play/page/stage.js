// The stage: the pictures of one or two runs, and all that is told beside and below them.

import { Curves } from "./curves.js";
import { Dual } from "./dual.js";
import { legend } from "./looks.js";
import { Plot } from "./plot.js";
import { Bound, Bracket } from "./proofs.js";
import { caption, counted, described, ending, formulas, sentence } from "./sentences.js";
import { Verdict } from "./verdict.js";
import { Weights } from "./weights.js";

const byId = (id) => document.getElementById(id);

export class Stage {
  /** `page` has redraw() and repair(rows), for what is asked for beside the verdict. */
  constructor(page) {
    this.plots = [new Plot(byId("figure-a")), new Plot(byId("figure-b"))];
    this.verdict = new Verdict(byId("verdict"), page);
    const kinds = { weights: Weights, bound: Bound, dual: Dual, bracket: Bracket, curves: Curves };
    this.parts = Object.entries(kinds).map(([id, Part]) => new Part(byId(id)));
  }

  /** Put a run into its picture; the view stays unless it is asked to be fresh. */
  place(j, replay, fresh) {
    this.plots[j].show(replay.run, fresh);
    replay.look(this.plots[j].view);
  }

  resize(replays) {
    this.plots.forEach((plot, j) => {
      if (!plot.view) return;
      plot.resize();
      replays[j]?.look(plot.view);
    });
  }

  /** Show points of which nothing is known yet, in so many pictures. */
  sketch(points, n, selected) {
    for (const plot of this.plots.slice(0, n)) {
      plot.sketch(points, selected);
      plot.describe(counted(points), counted(points));
    }
  }

  /** Show the run that is looked at, in all parts. */
  show(replay, replays, view) {
    this.verdict.show(replay);
    byId("card-weights").hidden = replay.kernel;
    byId("card-dual").hidden = !replay.kernel && replay.learner.form !== "dual";
    for (const part of this.parts) part.show(replay, { replays, view });
  }

  /** Draw a moment of all runs, and tell that of the one that is looked at. */
  draw(replays, replay, moment, selected) {
    replays.forEach((each, j) => { if (each) this.#picture(j, each, moment, selected, replays.length > 1); });
    legend(byId("legend"), this.plots.slice(0, replays.length));
    if (!replay) return;
    const k = Math.min(moment, replay.last);
    byId("sentence").textContent = sentence(replay, k);
    byId("formulas").replaceChildren(...formulas(replay, k));
    byId("ending").textContent = ending(replay, k);
    for (const part of this.parts) part.draw(k, moment);
  }

  #picture(j, replay, moment, selected, isOneOfTwo) {
    const k = Math.min(moment, replay.last);
    const isProved = this.verdict.always || (k === replay.last && !replay.kernel);
    this.plots[j].draw({
      before: k ? replay.hypothesis(k - 1) : null,
      after: replay.hypothesis(k),
      kept: replay.kept(k),
      erring: replay.moves(k).map((m) => replay.run.log.i[m]),
      wrong: replay.wrong(k),
      counts: replay.kernel || replay.learner.form === "dual" ? replay.counts(k) : null,
      proof: isProved ? replay.proof : null,
      best: isProved ? replay.run.fewest?.line : null,
      selected,
    });
    const letter = isOneOfTwo ? `${"AB"[j]}  ` : "";
    this.plots[j].describe(letter + caption(replay, k), described(replay.run, k, selected));
  }
}
