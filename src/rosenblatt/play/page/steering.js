// The line itself in a hand: its middle is shifted, its ends are turned. What it becomes is where
// the run starts.

const REACH = { mouse: 7, touch: 16, pen: 10 }; // pixels from the line within which it is meant
const MIDDLE = 0.25; // of the line, on either side of its middle, by which it is shifted

/** Whether a plot shows a line that can be taken: (w, b) of two features. */
const isLine = ({ hypothesis, run }) =>
  run?.points[0]?.length === 2 && hypothesis?.length === 3 && (hypothesis[0] !== 0 || hypothesis[1] !== 0);

/** Take hold of the line of a plot at a place in pixels; null if it is not there. */
export const grip = (plot, [x, y], { pointerType, fitsBias }) => {
  if (!isLine(plot)) return null;
  const ends = plot.view.ends(plot.view.line(plot.hypothesis));
  if (ends.length < 2) return null;
  const [[ax, ay], [bx, by]] = ends;
  const t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
  const away = Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y);
  if (t < 0 || t > 1 || away > (REACH[pointerType] ?? REACH.mouse)) return null;
  const middle = plot.view.place([(ax + bx) / 2, (ay + by) / 2]);
  return { from: plot.hypothesis, at: plot.view.place([x, y]), pivot: fitsBias ? middle : [0, 0], shifts: fitsBias && Math.abs(t - 0.5) < MIDDLE };
};

/** The line that a hand has made of it at another place. */
export const moved = ({ from: [w1, w2, b], at, pivot, shifts }, place) => {
  if (shifts) return [w1, w2, b - w1 * (place[0] - at[0]) - w2 * (place[1] - at[1])].map(rounded);
  const angle = ([x, y]) => Math.atan2(y - pivot[1], x - pivot[0]);
  const turn = angle(place) - angle(at);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [v1, v2] = [c * w1 - s * w2, s * w1 + c * w2];
  return [v1, v2, 0 - v1 * pivot[0] - v2 * pivot[1]].map(rounded);
};

const rounded = (v) => Number(v.toPrecision(4)) || 0;
