// The position of Game of God: tap a square to take its top piece up, another to put it there; pieces may wait beside.

import { badge, button, el, last, put, svg } from "./dom.js";
import { nearest, seatChip } from "./edit.js";
import { plan, seatOf, space } from "./plan.js";
import { seatOfLetter, stacksOf, stateOfStacks } from "./state.js";

const BESIDE = "";

export class StackEditor {
  constructor(state) {
    Object.assign(this, { given: state, stacks: stacksOf(state), beside: [], held: null, carried: [] });
    this.due = seatOfLetter(state.due);
    this.follows = state.next ? seatOfLetter(state.next) : null;
    this.seats = state.seats.map(seatOfLetter);
  }

  // Who plays after a move; of more than one piece, as where the set-up is chosen, nobody knows.
  get next() {
    const missing = ([name, content]) => Math.max(0, content.length - (this.stacks[name] ?? []).length);
    const moved = Object.entries(stacksOf(this.given)).map(missing).reduce((sum, count) => sum + count, 0);
    return moved > 1 ? null : this.follows;
  }

  // held: {name, seat}: the square (or BESIDE) from which a piece is taken, and whose it is.
  get help() {
    if (!this.held) return this.beside.length ? "Put every piece on the board: tap it, then its square." : "Tap a piece.";
    const { name, seat } = this.held;
    const color = seatOf(seat).name;
    if ((this.stacks[name] ?? []).length < 2) return `Now tap where the ${color} piece from ${name || "beside the board"} stands.`;
    return [`${name}, bottom to top: `, pile(this.stacks[name]), ` Now tap where the ${color} piece on top stands.`];
  }

  drawOn(board, targets) {
    const shown = Object.entries(this.stacks).filter(([, content]) => content.length);
    board.arrange(Object.fromEntries(shown.map(([name, content]) => [name, [last(content)]])), this.carried, this.stacks);
    this.carried = [];
    for (const pawn of board.pawns) pawn.node.classList.toggle("held", pawn.name === this.held?.name);
    const names = this.held ? Object.keys(plan.spaces).filter((name) => name !== this.held.name) : [];
    targets.setAttribute("data-seat", this.held?.seat ?? "");
    put(targets, ...names.map((name) => dot(space(name))));
  }

  tap(board, x, y) {
    const name = nearest(Object.keys(plan.spaces), (other) => Math.hypot(space(other).x - x, space(other).y - y));
    const content = this.stacks[name] ?? [];
    if (this.held) this.put(name);
    else if (content.length) this.held = { name, seat: last(content) };
  }

  put(target) {
    const { name, seat } = this.held;
    this.held = null;
    if (target === name) return;
    this.take(name, seat);
    if (target === BESIDE) this.beside.push(seat);
    else this.stacks[target] = [...(this.stacks[target] ?? []), seat];
    this.carried = [[name, target]];
  }

  take(name, seat) {
    if (name === BESIDE) this.beside.splice(this.beside.indexOf(seat), 1);
    else this.stacks[name] = this.stacks[name].slice(0, -1);
  }

  get pieces() {
    const tops = Object.entries(this.stacks).filter(([, content]) => content.length).map(([name, content]) => ({ seat: last(content), name }));
    return [...tops, ...this.beside.map((seat) => ({ seat, name: BESIDE }))].sort((a, b) => a.seat - b.seat);
  }

  goals({ name }) {
    return [...Object.keys(plan.spaces), BESIDE].filter((other) => other !== name);
  }

  send(piece, goal) {
    this.held = piece;
    this.put(goal);
  }

  extras(refresh) {
    return [this.stackRow(refresh), this.besideRow(refresh)];
  }

  // What may be done with what stands on the square that was tapped, beside moving its top. Its room is kept, or the board
  // would give way under the finger.
  stackRow(refresh) {
    if (!this.held || this.held.name === BESIDE) return el("div", { class: "stack-row" });
    const { name } = this.held;
    const stack = this.stacks[name];
    const turn = () => {
      this.stacks[name] = [...stack].reverse();
      this.held = null;
      refresh();
    };
    const off = () => {
      this.put(BESIDE);
      refresh();
    };
    const turnOver = stack.length > 1 ? button("Turn it over", turn, "turn-over") : null;
    return el("div", { class: "stack-row" }, turnOver, button("Take off", off, "take-off"));
  }

  besideRow(refresh) {
    if (!this.beside.length) return null;
    const chips = this.beside.map((seat) => seatChip(seat, this.held?.name === BESIDE && this.held.seat === seat, () => {
      this.held = { name: BESIDE, seat };
      refresh();
    }));
    return el("div", { class: "stack-row beside" }, el("span", {}, "Beside the board:"), chips);
  }

  state() {
    return stateOfStacks(this.given, this.stacks, this.due);
  }
}

function dot({ x, y }) {
  return svg("circle", { class: "ring", cx: x, cy: y, r: plan.diameter * 0.12 });
}

function pile(stack) {
  const piece = (seat) => el("span", { "data-seat": seat, role: "img", "aria-label": seatOf(seat).name }, badge(seatOf(seat).mark));
  return el("span", { class: "pile" }, stack.map(piece));
}
