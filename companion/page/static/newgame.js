// A new game: who plays.

import { act } from "./ask.js";
import { badge, button, capital, el } from "./dom.js";
import { plan } from "./plan.js";
import { open, shut } from "./sheet.js";

export function newGame(view) {
  const chosen = new Set(view.seats.map(({ seat }) => seat));
  const start = button("", begin, "main");
  const refresh = () => {
    start.disabled = chosen.size < 2;
    start.textContent = start.disabled ? "Choose at least two" : `Begin with ${chosen.size} players`;
  };
  const chips = plan.seats.map((seat) => chip(seat, chosen, refresh));
  const warning = view.due_kind === "over" ? null : el("p", {}, "The game in progress ends; its story is kept.");
  refresh();
  open("New game: who plays?", [warning, el("div", { class: "chips" }, chips), start], [], { kind: "newgame" });

  async function begin() {
    shut();
    await act("newgame", { seats: [...chosen].sort((a, b) => a - b) });
  }
}

function chip({ seat, name, mark }, chosen, refresh) {
  const press = () => {
    if (!chosen.delete(seat)) chosen.add(seat);
    made.setAttribute("aria-pressed", chosen.has(seat));
    refresh();
  };
  const made = el(
    "button",
    { type: "button", class: "chip", "data-seat": seat, "aria-pressed": String(chosen.has(seat)), onclick: press },
    badge(mark),
    capital(name),
  );
  return made;
}
