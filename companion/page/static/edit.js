// What the editors share: a chip for a seat, and the nearest of several things.

import { badge, capital, el } from "./dom.js";
import { seatOf } from "./plan.js";

export function seatChip(seat, chosen, press) {
  const { name, mark } = seatOf(seat);
  const words = { type: "button", class: "chip", "aria-label": capital(name), "aria-pressed": String(chosen) };
  return el("button", { ...words, "data-seat": seat, onclick: press }, badge(mark));
}

export function nearest(things, distance) {
  return things.reduce((best, thing) => (best === null || distance(thing) < distance(best) ? thing : best), null);
}
