// The position of a race game: tap a piece, then where it stands. What a board cannot show is asked below it.

import { el, last, put, svg } from "./dom.js";
import { nearest, seatChip } from "./edit.js";
import { label, nouns, plan, seatOf, space } from "./plan.js";
import { isOut, progressOn, reachable, stateOf } from "./state.js";

export class RaceEditor {
  constructor(state, position) {
    Object.assign(this, { given: state, position, due: state.due, next: state.next ?? null, seats: state.seats, held: null, carried: [] });
    this.opened = new Set(state.opened ?? []);
    this.round = new Set();
    for (const [seat, pieces] of Object.entries(state.pieces)) {
      const start = progressOn(seat, this.startOf(seat) ?? "");
      if (start.length > 1 && pieces.includes(last(start))) this.round.add(Number(seat));
    }
  }

  // Every place where a piece of a seat may be put.
  reach(seat) {
    return reachable(seat);
  }

  // The space that means two things for a seat, if there is one.
  startOf(seat) {
    return reachable(seat).find((name) => progressOn(seat, name).length > 1);
  }

  get help() {
    if (!this.held) return `Tap a ${nouns.piece}.`;
    return `Now tap where the ${seatOf(this.held.seat).name} ${nouns.piece} from ${label(this.held.name)} stands.`;
  }

  drawOn(board, targets) {
    board.arrange(this.position, this.carried);
    this.carried = [];
    const free = this.held ? this.reach(this.held.seat).filter((name) => name !== this.held.name && space(name)) : [];
    for (const pawn of board.pawns) pawn.node.classList.toggle("held", pawn === this.held);
    targets.setAttribute("data-seat", this.held?.seat ?? "");
    put(targets, ...free.map((name) => target(space(name))));
  }

  // Fingers are thick and spaces small: the nearest piece or space counts.
  tap(board, x, y) {
    const far = (at) => Math.hypot(at[0] - x, at[1] - y);
    const pawn = nearest(board.pawns, (p) => far(p.at));
    if (!this.held) this.held = pawn && far(pawn.at) < plan.diameter * 1.5 ? pawn : null;
    else this.put(pawn, far);
  }

  put(pawn, far) {
    const at = (name) => [space(name).x, space(name).y];
    const within = (name) => (space(name).area ? Math.max(0, far(at(name)) - space(name).gap) : far(at(name)));
    const name = nearest(this.reach(this.held.seat).filter(space), within);
    const sameAgain = pawn === this.held && far(pawn.at) < plan.diameter * 0.6;
    if (!sameAgain && name !== this.held.name && within(name) < plan.diameter * 1.6) this.carry(this.held, name);
    this.held = null;
  }

  // A pawn that is put on its start has come round, unless it comes out of its base.
  carry({ seat, name }, target) {
    const rest = [...this.position[name]];
    rest.splice(rest.indexOf(seat), 1);
    this.position = { ...this.position, [name]: rest, [target]: [...(this.position[target] ?? []), seat] };
    this.carried = [[name, target]];
    if (target === this.startOf(seat)) this.round[name.startsWith("base") ? "delete" : "add"](seat);
    if (name === this.startOf(seat) && !rest.includes(seat)) this.round.delete(seat);
  }

  get pieces() {
    const each = ([name, content]) => [...new Set(content)].map((seat) => ({ seat, name }));
    return Object.entries(this.position).flatMap(each).sort((a, b) => a.seat - b.seat);
  }

  // Free places first: a base has several of one name.
  goals({ seat, name }) {
    const taken = (place) => Boolean(this.position[place]?.length);
    return this.reach(seat).filter((place) => place !== name && space(place)).sort((a, b) => taken(a) - taken(b));
  }

  send(piece, goal) {
    this.held = null;
    this.carry(piece, goal);
  }

  extras(refresh) {
    const out = this.given.opened ? this.openedRow(refresh) : null;
    return [...this.seats.map((seat) => this.roundRow(seat, refresh)), out];
  }

  roundRow(seat, refresh) {
    const start = this.startOf(seat);
    if (!start || !this.position[start]?.includes(seat)) return null;
    const words = `The ${seatOf(seat).name} ${nouns.piece} on its start has been round the board`;
    const turn = () => {
      this.round[this.round.has(seat) ? "delete" : "add"](seat);
      refresh();
    };
    const box = el("input", { type: "checkbox", class: "round", "data-seat": seat, onchange: turn });
    box.checked = this.round.has(seat);
    return el("label", { class: "row switch" }, words, box);
  }

  openedRow(refresh) {
    const has = (seat) => this.opened.has(seat) || isOut(this.position, seat);
    const chips = this.seats.map((seat) => seatChip(seat, has(seat), () => {
      this.opened[this.opened.has(seat) ? "delete" : "add"](seat);
      refresh();
    }));
    const words = el("span", { id: "opened-label" }, "Who has thrown a 6 already?");
    return el("div", { class: "due-row opened", role: "group", "aria-labelledby": "opened-label" }, words, el("div", { class: "seats" }, chips));
  }

  state() {
    const opened = this.seats.filter((seat) => this.opened.has(seat) || isOut(this.position, seat));
    return stateOf(this.given, this.position, { due: this.due, round: this.round, opened });
  }
}

function target({ x, y, area, gap }) {
  return svg("circle", { class: "ring", cx: x, cy: y, r: area ? gap + plan.diameter * 0.7 : plan.diameter * 0.2 });
}
