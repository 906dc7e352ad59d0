// STATE of a game ⇄ what stands where on the board, as far as the sheet tells it.

import { plan } from "./plan.js";

const HOME_OF = (seat) => `base${seat}`;

// space → seats, or null where this page does not know how the game counts its spaces.
export function positionOf(state) {
  const position = {};
  for (const [seat, pieces] of Object.entries(state.pieces ?? {})) {
    for (const progress of pieces) {
      const name = progress === -1 ? HOME_OF(seat) : plan.ways[seat]?.[progress];
      if (!name) return null;
      (position[name] ??= []).push(Number(seat));
    }
  }
  return state.pieces ? position : null;
}

// Where a piece of a seat may be put: its base and every space on its way.
export const reachable = (seat) => [HOME_OF(seat), ...(plan.ways[seat] ?? [])];

export function stateOf(state, position, due) {
  const pieces = Object.fromEntries(Object.keys(state.pieces).map((seat) => [seat, []]));
  for (const [name, content] of Object.entries(position)) {
    for (const seat of content) pieces[seat].push(name === HOME_OF(seat) ? -1 : plan.ways[seat].indexOf(name));
  }
  for (const list of Object.values(pieces)) list.sort((a, b) => a - b);
  const { expects, ...rest } = state;
  return { ...rest, pieces, due, ...("doublets" in state ? { doublets: due === state.due ? state.doublets : 0 } : {}) };
}
