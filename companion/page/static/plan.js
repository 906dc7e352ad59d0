// The plan of the board: where pieces stand on each space, what spaces are called, who sits where.

import { find, last } from "./dom.js";

export const plan = JSON.parse(find("#plan").textContent);

const seats = new Map(plan.seats.map((seat) => [seat.seat, seat]));

export const seatOf = (seat) => seats.get(Number(seat)) ?? { seat, name: `player ${seat}`, mark: "circle" };

export const nouns = plan.nouns;

export function space(name) {
  const found = plan.spaces[name] ?? plan.spaces[name.split(".")[0]];
  if (!found) return null;
  const [x, y, ux, uy, gap, area, label] = found;
  return { name, x, y, ux, uy, gap, area, label };
}

let players = new Set(seats.keys());

export function seated(view) {
  players = new Set(view.seats.map(({ seat }) => seat));
}

// A space in words: "red's circle"; "the blue circle" where nobody plays blue.
export function label(name) {
  if (name === "") return "beside the board";
  const words = space(name)?.label ?? name;
  const owner = /^(?:base|lane|home)(\d+)/.exec(name)?.[1];
  return owner === undefined || players.has(Number(owner)) ? words : words.replace(/^(.+?)'s /, "the $1 ");
}

// Where `count` pieces stand on a space; the same as the first paint draws.
export function spots({ x, y, ux, uy, gap, area }, count) {
  if (area) {
    const columns = Math.ceil(Math.sqrt(Math.max(4, count)));
    const step = (2 * gap) / (columns - 1);
    return Array.from({ length: count }, (_, i) => [
      x - gap + step * (i % columns),
      y - gap + step * Math.floor(i / columns),
    ]);
  }
  const close = gap * Math.min(1, 2 / Math.max(1, count));
  return Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * close).map((o) => [x + ux * o, y + uy * o]);
}

// How many moves to put the board right can be followed as arrows; the first paint knows the same number.
export const MOST_ARROWS = 4;

// What stands on the board: as the referee takes it, and as seen where that is wrong. Where much is wrong, only how it
// should be: that is the picture to set the board up by.
export function standing(view) {
  const few = (view.trouble?.put_right.length ?? 0) <= MOST_ARROWS;
  return { ...view.position, ...(few ? (view.trouble?.seen ?? {}) : {}) };
}

// The stack of which the top is seen on a space, bottom to top; [] where there is none.
export function stackOn(stacks, name, content) {
  const stack = stacks[name] ?? [];
  return content.length === 1 && last(stack) === content[0] ? stack : [];
}

export function spoken(view) {
  const board = Object.entries({ ...standing(view), ...view.stacks }).sort();
  return view.seats.map(({ seat, name }) => {
    const counts = new Map();
    for (const [where, content] of board) {
      const count = content.filter((s) => s === seat).length;
      if (count) counts.set(label(where), (counts.get(label(where)) ?? 0) + count);
    }
    const parts = [...counts].map(([where, count]) => `${count} on ${where}`);
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${parts.join(", ") || "no pieces on the board"}.`;
  });
}
