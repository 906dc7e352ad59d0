// Which seat this phone sits at, if it said so: kept on the phone, changed at any time.

import { keep, recall } from "./ask.js";
import { badge, capital, el } from "./dom.js";
import { open, shut } from "./sheet.js";

export function mySeat(view) {
  const seat = recall("seat");
  return seat !== "" && view.seats.some((s) => String(s.seat) === seat) ? Number(seat) : null;
}

export function askSeat(view, refresh) {
  const choose = (seat) => () => {
    keep("seat", seat === null ? "" : String(seat));
    shut();
    refresh();
  };
  const mine = mySeat(view);
  const chips = view.seats.map(({ seat, name, mark }) => chip(seat === mine, choose(seat), badge(mark), capital(name), seat));
  const nobody = chip(mine === null, choose(null), null, "Nowhere, or at several", null);
  const why = "So that this phone shows what only you should see. You can change it at any time.";
  open("I sit at …", [el("p", {}, why), el("div", { class: "chips" }, chips, nobody)], [], { kind: "seat" });
}

function chip(chosen, press, icon, label, seat) {
  const words = { type: "button", class: "chip", "data-seat": seat, "aria-pressed": String(chosen), onclick: press };
  return el("button", words, icon, label);
}
