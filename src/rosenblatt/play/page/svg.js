// Elements, and the few shapes that the pictures are made of.

const NS = "http://www.w3.org/2000/svg";

const filled = (node, attributes, children) => {
  set(node, attributes);
  node.append(...children);
  return node;
};

export const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS(NS, tag), attributes, children);

export const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

export const set = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
};

const r1 = (x) => Math.round(x * 10) / 10;

/** Circles as one path. */
export const circles = (places, radius) =>
  places.map(([x, y], j) => {
    const r = typeof radius === "number" ? radius : radius[j];
    return `M${r1(x - r)} ${r1(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  }).join("");

export const crosses = (places, r) =>
  places.map(([x, y]) => `M${r1(x - r)} ${r1(y - r)}l${2 * r} ${2 * r}M${r1(x - r)} ${r1(y + r)}l${2 * r} ${-2 * r}`).join("");

export const polyline = (places, close = false) =>
  places.length ? `M${places.map(([x, y]) => `${r1(x)} ${r1(y)}`).join("L")}${close ? "Z" : ""}` : "";

/** An arrow, its head no longer than itself. */
export const arrow = ([x0, y0], [x1, y1]) => {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return "";
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(9, length * 0.6);
  const [bx, by] = [x1 - ux * head, y1 - uy * head];
  const half = head * 0.42;
  return `${polyline([[x0, y0], [x1, y1]])}${polyline([[bx - uy * half, by + ux * half], [x1, y1], [bx + uy * half, by - ux * half]])}`;
};

/** Round numbers that cut a range into about so many parts. */
export const ticks = (low, high, parts = 6) => {
  const rough = (high - low) / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const found = [];
  for (let j = first; j * step <= high + step * 1e-9; j++) found.push(Number((j * step).toPrecision(12)));
  return found;
};

/** A colour as numbers, whatever it was written as. */
export const resolved = (colour) => {
  const probe = document.createElement("span");
  probe.style.color = colour;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
};
