// STATE of a game ⇄ what stands where on the board, by the ways of the plan.

import { last } from "./dom.js";
import { plan } from "./plan.js";

const BASE = -1;
const LETTERS = "NESW";
const ways = Object.fromEntries(Object.entries(plan.ways).map(([seat, way]) => [seat, new Map(way)]));

// The places of an area that is drawn as several ("base0.1" …), or the space itself.
function placesOf(name) {
  const places = Object.keys(plan.spaces).filter((place) => place.startsWith(`${name}.`));
  return plan.spaces[name] || !places.length ? [name] : places.sort();
}

// --- race games: pieces with a progress ---

// space → seats, or null where this page does not know how the game counts its spaces.
export function positionOf(state) {
  const position = {};
  for (const [seat, pieces] of Object.entries(state.pieces ?? {})) {
    for (const progress of pieces) {
      const name = ways[seat]?.get(progress);
      if (!name) return null;
      put(position, name, Number(seat));
    }
  }
  return state.pieces ? position : null;
}

// As the referee tells it of a game that this page does not know: space → seats.
export function standing(stands) {
  const position = {};
  for (const [name, content] of Object.entries(stands)) for (const seat of content) put(position, name, seat);
  return position;
}

// A piece goes to the first free place of a base.
function put(position, name, seat) {
  const places = placesOf(name);
  const free = places.find((place) => !position[place]?.length) ?? places[0];
  position[free] = [...(position[free] ?? []), seat];
}

// Every place where a piece of a seat may be put.
export const reachable = (seat) => [...new Set((ways[seat] ? [...ways[seat].values()] : []).flatMap(placesOf))];

// The numbers that a place may mean for a seat: two for Gloria's start.
export function progressOn(seat, name) {
  const means = ([, space]) => space === name || placesOf(space).includes(name);
  return [...(ways[seat] ?? [])].filter(means).map(([progress]) => progress);
}

// round: the seats whose piece on its start has been round the board already.
export function stateOf(state, position, { due, round, opened }) {
  const pieces = Object.fromEntries(Object.keys(state.pieces).map((seat) => [seat, []]));
  for (const [name, content] of Object.entries(position)) {
    for (const seat of content) {
      const means = progressOn(seat, name);
      pieces[seat].push(round.has(seat) ? last(means) : means[0]);
    }
  }
  for (const list of Object.values(pieces)) list.sort((a, b) => a - b);
  const { expects, player, next, ...rest } = state;
  const made = { ...rest, pieces, due };
  if ("doublets" in state) made.doublets = due === state.due ? state.doublets : 0;
  if ("opened" in state) made.opened = [...opened].sort((a, b) => a - b);
  if (expects === "roll" && due === state.due) made.expects = expects;
  return made;
}

// Who must have thrown a 6 already: a pawn of theirs is out.
export const isOut = (position, seat) =>
  Object.entries(position).some(([name, content]) => content.includes(seat) && !progressOn(seat, name).includes(BASE));

// --- Game of God: stacks, bottom to top ---

export const seatOfLetter = (letter) => LETTERS.indexOf(letter);

export function stacksOf(state) {
  const read = ([name, letters]) => [name, [...letters].map(seatOfLetter)];
  return Object.fromEntries(Object.entries(state.squares).map(read));
}

export function stateOfStacks({ game, options, seats }, stacks, due) {
  const written = Object.entries(stacks).filter(([, content]) => content.length);
  const squares = Object.fromEntries(written.map(([name, content]) => [name, content.map((seat) => LETTERS[seat]).join("")]));
  return { game, options, seats, due: LETTERS[due], squares };
}
