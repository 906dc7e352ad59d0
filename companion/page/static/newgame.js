// A new game: who plays.

import { act, markOf } from "./ask.js";
import { badge, button, capital, el, fill } from "./dom.js";
import { plan, seatOf } from "./plan.js";
import { open, shut } from "./sheet.js";
import { busy } from "./wishing.js";

// Game of God has two sides or four; the other games any two seats or more, or one where one plays alone.
function missing(game, seats, alone) {
  if (!seats.length && alone) return "Choose who plays";
  if (seats.length < 2 && !alone) return "Choose at least two";
  const facing = [...seats].sort().join() === "0,2";
  const [one, other] = [seatOf(0).name, seatOf(2).name];
  return game === "game-of-god" && seats.length !== 4 && !facing ? `Choose ${one} and ${other}, or all four` : "";
}

export function newGame(view) {
  const chosen = new Set(view.seats.map(({ seat }) => seat));
  const mark = markOf("newgame");
  let first = null;
  const start = button("", begin, "main");
  const beginners = el("div", { class: "chips", role: "group", "aria-labelledby": "first-label" });
  const refresh = () => {
    if (!chosen.has(first)) first = null;
    const why = missing(view.game, [...chosen], view.seats.length === 1);
    start.disabled = Boolean(why);
    start.textContent = why || (chosen.size === 1 ? "Begin with one player" : `Begin with ${chosen.size} players`);
    const seats = plan.seats.filter(({ seat }) => chosen.has(seat));
    fill(beginners, beginner(null, "Throw for it"), seats.map((seat) => beginner(seat.seat, capital(seat.name), seat.mark)));
  };
  const beginner = (seat, words, mark = null) => {
    const press = () => {
      first = seat;
      refresh();
    };
    const look = { type: "button", class: "chip", "data-seat": seat, "aria-pressed": String(first === seat), onclick: press };
    return el("button", look, mark ? badge(mark) : null, words);
  };
  const chips = plan.seats.map((seat) => chip(seat, chosen, refresh));
  const warning = view.due_kind === "over" ? null : el("p", {}, "The game in progress ends; its story is kept.");
  refresh();
  const who = el("h3", { id: "first-label" }, "Who begins?");
  const seats = el("div", { class: "chips playing" }, chips);
  open("New game: who plays?", [warning, seats, who, beginners, start], [], { kind: "newgame" });

  async function begin() {
    const wish = () => act("newgame", { seats: [...chosen].sort((a, b) => a - b), first, mark });
    if ((await busy(start, "One moment …", wish)) || markOf("newgame") !== mark) shut();
    else refresh();
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
