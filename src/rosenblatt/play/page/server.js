// Questions to the server. Of questions in the same line, one is under way and only the newest waits.

import { recall, recorded } from "./recorded.js";

const PASSING = ["gone", "busy", "failed"]; // troubles of the server, not of what it was asked

export class Trouble extends Error {
  constructor(code, message, values = {}) {
    super(message);
    Object.assign(this, { code, values, passing: PASSING.includes(code) });
  }
}

export const ask = async (name, body) => {
  if (recorded) {
    const answer = recall(body);
    if (!answer) throw new Trouble("recorded", "");
    return answer;
  }
  let reply;
  try {
    reply = await fetch(name, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Trouble("gone", "");
  }
  const found = await reply.json().catch(() => ({ error: reply.statusText, code: "failed" }));
  if (!reply.ok) throw new Trouble(found.code, found.error, found.values);
  return found;
};

/** A line of questions: `send` gives the answer, or null if a newer question made it stale. */
export class Line {
  #running = null;
  #number = 0;

  async send(name, body) {
    const mine = ++this.#number;
    while (this.#running) await this.#running.catch(() => {});
    if (mine !== this.#number) return null;
    this.#running = ask(name, body);
    try {
      return await this.#running;
    } finally {
      this.#running = null;
    }
  }
}
