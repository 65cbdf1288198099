// How many points are wrong under each hypothesis of the run: the current one, and the one kept.

import { Chart, thinned } from "./charts.js";
import { html } from "./svg.js";
import { count, say } from "./words.js";

export class Curves {
  constructor(root) {
    this.holder = html("div");
    this.note = html("p", { class: "note", id: "curves-note" });
    root.append(this.holder, this.note);
    this.chart = new Chart(this.holder, "");
  }

  show(replay) {
    this.replay = replay;
    this.holder.hidden = !replay.last;
    if (!replay.last) return;
    const { errors, fewest } = replay.run;
    this.chart.describe = say("curves chart");
    const top = 1.15 * Math.max(1, ...errors.slice(1)); // at the start, without a line, all are wrong
    this.chart.scale([0, replay.last], [0, top]);
    const curve = (of) => thinned(errors.length, false).map((k) => [k, Math.min(of(k), top)]);
    this.chart.curve("norm", curve((k) => errors[k]));
    if (replay.keptErrors(0) !== null) this.chart.curve("held", curve((k) => replay.keptErrors(k)));
    if (!fewest) return;
    this.chart.curve("best", [[0, fewest.at_least], [replay.last, fewest.at_least]]);
    this.chart.word(say("best line"), [replay.last, fewest.at_least], "best", -5);
  }

  draw(k) {
    const now = this.replay.run.errors[k];
    const kept = this.replay.keptErrors(k);
    this.note.textContent = say(kept === null ? "curves note" : "curves kept", { now: count(now), kept: count(kept ?? 0) });
    if (!this.holder.hidden) this.chart.move(k, k ? [now, kept].filter((v) => v !== null) : []);
  }
}
