// The plan of the board: where pieces stand on each space, what spaces are called, who sits where.

import { find } from "./dom.js";

export const plan = JSON.parse(find("#plan").textContent);

const seats = new Map(plan.seats.map((seat) => [seat.seat, seat]));

export const seatOf = (seat) => seats.get(Number(seat)) ?? { seat, name: `player ${seat}`, mark: "circle" };

export function space(name) {
  const found = plan.spaces[name] ?? plan.spaces[name.split(".")[0]];
  if (!found) return null;
  const [x, y, ux, uy, gap, area, label] = found;
  return { name, x, y, ux, uy, gap, area, label };
}

export function label(name) {
  return name === "" ? "beside the board" : (space(name)?.label ?? name);
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

// What stands on the board: as the referee takes it, and as seen where that is wrong.
export function standing(view) {
  return { ...view.position, ...(view.trouble?.seen ?? {}) };
}

export function spoken(view) {
  const board = Object.entries(standing(view)).sort();
  return view.seats.map(({ seat, name }) => {
    const parts = board
      .map(([where, content]) => [content.filter((s) => s === seat).length, where])
      .filter(([count]) => count)
      .map(([count, where]) => `${count} on ${label(where)}`);
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${parts.join(", ") || "no pieces on the board"}.`;
  });
}
