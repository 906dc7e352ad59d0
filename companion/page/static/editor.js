// Setting the position: tap a pawn, tap its space, say whose turn it is.

import { act, tell } from "./ask.js";
import { Board } from "./board.js";
import { badge, button, capital, el, fill, say, svg } from "./dom.js";
import { patient } from "./live.js";
import { label, plan, seatOf, space } from "./plan.js";
import { open, shut } from "./sheet.js";
import { positionOf, reachable, stateOf } from "./state.js";

export async function editPosition() {
  let state;
  try {
    state = await (await patient("/api/state")).json();
  } catch {
    return tell("The referee cannot be reached just now. Please try again.", false);
  }
  const position = positionOf(state);
  if (!position) return tell("The position of this game cannot be set on this page.", false);
  new Editor(state, position).show();
}

class Editor {
  constructor(state, position) {
    this.state = state;
    this.position = position;
    this.due = state.due;
    this.board = Board.blank();
    this.help = el("p", { class: "help", role: "status" });
    this.targets = svg("g", { class: "targets" });
    this.board.pawnsLayer.before(this.targets);
    this.board.root.addEventListener("click", (event) => this.tap(event));
  }

  show() {
    const chips = el("div", { class: "seats", role: "group", "aria-labelledby": "due-label" });
    const refresh = () => fill(chips, this.state.seats.map((seat) => this.chip(seat, refresh)));
    refresh();
    this.draw();
    const due = el("div", { class: "due-row" }, el("span", { id: "due-label" }, "Who rolls next?"), chips);
    const body = [this.help, el("div", { class: "board" }, this.board.root), due];
    const save = ["Set this position", () => this.submit(), "main"];
    open("Set the position", body, [save], { kind: "editor" });
  }

  chip(seat, refresh) {
    const press = () => {
      this.due = seat;
      refresh();
    };
    const { name, mark } = seatOf(seat);
    const words = { type: "button", class: "chip", "aria-label": capital(name), "aria-pressed": String(this.due === seat) };
    return el("button", { ...words, "data-seat": seat, onclick: press }, badge(mark));
  }

  draw() {
    this.board.arrange(this.position);
    for (const pawn of this.board.pawns) pawn.node.classList.toggle("held", pawn === this.held);
    const names = this.held ? reachable(this.held.seat).filter((name) => name !== this.held.name && space(name)) : [];
    this.targets.setAttribute("data-seat", this.held?.seat ?? "");
    this.targets.replaceChildren(...names.map((name) => this.target(space(name))));
    const mover = this.held && seatOf(this.held.seat).name;
    say(this.help, this.held ? `Now tap where the ${mover} pawn from ${label(this.held.name)} stands.` : "Tap a pawn.");
  }

  target({ x, y, area, gap }) {
    return svg("circle", { class: "ring", cx: x, cy: y, r: area ? gap + plan.diameter * 0.7 : plan.diameter * 0.2 });
  }

  // Fingers are thick and spaces small: the nearest pawn or space counts.
  tap(event) {
    const matrix = this.board.root.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const far = (at) => Math.hypot(at[0] - x, at[1] - y);
    const pawn = nearest(this.board.pawns, (p) => far(p.at));
    if (!this.held) this.held = far(pawn.at) < plan.diameter * 1.5 ? pawn : null;
    else this.put(x, y, pawn, far);
    this.draw();
  }

  put(x, y, pawn, far) {
    const within = (name) => (space(name).area ? Math.max(0, far(at(name)) - space(name).gap) : far(at(name)));
    const at = (name) => [space(name).x, space(name).y];
    const name = nearest(reachable(this.held.seat).filter(space), within);
    const sameAgain = pawn === this.held && far(pawn.at) < plan.diameter * 0.6;
    if (!sameAgain && name !== this.held.name && within(name) < plan.diameter * 1.6) this.carry(this.held, name);
    this.held = null;
  }

  carry({ seat, name }, target) {
    const rest = [...this.position[name]];
    rest.splice(rest.indexOf(seat), 1);
    this.position = { ...this.position, [name]: rest, [target]: [...(this.position[target] ?? []), seat] };
    this.board.arrange(this.position, [[name, target]]);
  }

  async submit() {
    const state = stateOf(this.state, this.position, this.due);
    if (await act("position", { state })) shut();
    else this.show();
  }
}

function nearest(things, distance) {
  return things.reduce((best, thing) => (best === null || distance(thing) < distance(best) ? thing : best), null);
}
