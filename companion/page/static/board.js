// The board: pawns over the sheet's picture, the last move, what may come next, and how to put it right.

import { put, svg } from "./dom.js";
import { plan, seatOf, space, spots, stackOn } from "./plan.js";

const SIZE = plan.diameter;
const EDGE = 9;
const RIM = 0.11;
const MOST_RIMS = 4;
const FEW_HINTS = 8;

export class Board {
  constructor(root) {
    this.root = root;
    this.pawns = [];
    for (const name of ["hints", "trail", "pawns", "arrows"]) {
      this[`${name}Layer`] = root.querySelector(`.${name}`) ?? root.appendChild(svg("g", { class: name }));
    }
    put(this.pawnsLayer);
  }

  static blank() {
    const { width, height } = plan;
    const print = svg("image", { class: "print", href: "/board.svg", width, height });
    return new Board(svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "The board" }, print));
  }

  // --- pawns ---

  // stacks: spaces with several pieces on each other, bottom to top; position has the top alone.
  arrange(position, moves = [], stacks = {}) {
    const wanted = Object.entries(position).flatMap(([name, content]) => content.map((seat) => ({ seat, name })));
    const pairs = pairUp(this.pawns, wanted, moves);
    const kept = new Set(pairs.map(([pawn]) => pawn));
    for (const pawn of this.pawns) if (!kept.has(pawn)) pawn.node.remove();
    this.pawns = pairs.map(([pawn, want]) => this.settle(pawn ?? this.pawn(want.seat), want.name));
    for (const name of new Set(this.pawns.map((pawn) => pawn.name))) this.line(name);
    for (const pawn of this.pawns) stack(pawn, stackOn(stacks, pawn.name, position[pawn.name]));
  }

  pawn(seat) {
    const half = 0.31 * SIZE;
    const box = { x: -half, y: -half, width: 2 * half, height: 2 * half };
    const node = svg(
      "g",
      { class: "pawn", "data-seat": seat },
      svg("circle", { class: "foot", r: SIZE / 2 }),
      svg("circle", { class: "finish", r: SIZE * 0.41 }),
      svg("use", { class: "mark", href: `#mark-${seatOf(seat).mark}`, ...box }),
    );
    this.pawnsLayer.append(node);
    return { seat, node, name: null, slot: null };
  }

  settle(pawn, name) {
    if (pawn.name !== name) Object.assign(pawn, { name, slot: null });
    return pawn;
  }

  // Give each pawn of a space its spot. In an area those that stay keep theirs; on a path they close up.
  line(name) {
    const where = space(name);
    const here = this.pawns.filter((pawn) => pawn.name === name);
    if (!where) return here.forEach((pawn) => pawn.node.remove());
    const taken = new Set(where.area ? here.map((pawn) => pawn.slot).filter((slot) => slot !== null) : []);
    if (!where.area) here.sort((a, b) => a.seat - b.seat).forEach((pawn, i) => (pawn.slot = i));
    for (const pawn of here) if (pawn.slot === null) taken.add((pawn.slot = firstFree(taken)));
    const places = spots(where, where.area ? Math.max(...here.map((pawn) => pawn.slot)) + 1 : here.length);
    for (const pawn of here) this.move(pawn, places[pawn.slot]);
  }

  move(pawn, at) {
    pawn.at = at;
    pawn.node.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
  }

  // --- what is drawn over and under them ---

  // A piece that moved on is ringed where it stands now.
  trail(moves) {
    const lines = moves.flatMap(([from, to]) => this.way(this.next(from), this.anchor(to)));
    const left = new Set(moves.map(([from]) => from));
    const ends = moves.map(([, to]) => to).filter((to) => !left.has(to));
    const starts = moves.map(([from]) => ring(this.next(from), SIZE * 0.14));
    put(this.trailLayer, ...lines, ...starts, ...ends.map((to) => ring(this.anchor(to), SIZE * 0.66)));
  }

  // Where pieces may go: all at once where these are few, else those of the piece that was tapped. Returns whether
  // there are more to see by tapping.
  hints(moves) {
    const few = moves.length <= FEW_HINTS;
    const origins = new Set(moves.map(([from]) => from));
    if (!origins.has(this.focus)) this.focus = null;
    const shown = moves.filter(([from]) => (few && !this.focus) || from === this.focus);
    const movers = this.pawns.filter((pawn) => origins.has(pawn.name));
    this.hintsLayer.setAttribute("data-seat", movers[0]?.seat ?? "");
    const lines = shown.flatMap(([from, to]) => this.way(this.anchor(from), this.next(to)));
    const targets = [...new Set(shown.map(([, to]) => to))].map((to) => ring(this.next(to), SIZE * 0.42));
    put(this.hintsLayer, ...lines, ...targets);
    this.root.setAttribute("tabindex", moves.length ? 0 : -1);
    for (const pawn of this.pawns) {
      pawn.node.classList.toggle("can", origins.has(pawn.name));
      pawn.node.classList.toggle("held", pawn.name === this.focus);
    }
    return !few && !this.focus;
  }

  // A tap on a piece that may move asks where it may go; anywhere else, no more.
  pick(event) {
    const [x, y] = this.at(event);
    const far = (pawn) => Math.hypot(pawn.at[0] - x, pawn.at[1] - y);
    const near = this.pawns.filter((pawn) => pawn.node.classList.contains("can") && far(pawn) < SIZE);
    const name = near.sort((a, b) => far(a) - far(b))[0]?.name ?? null;
    this.focus = name === this.focus ? null : name;
  }

  // Keys go from piece to piece that may move, as one reads; by 0 none is chosen any more.
  step(by) {
    const movers = this.pawns.filter((pawn) => pawn.node.classList.contains("can"));
    movers.sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0]);
    const names = [...new Set(movers.map((pawn) => pawn.name))];
    const at = names.indexOf(this.focus);
    const next = (at < 0 && by < 0 ? at : at + by) + names.length;
    this.focus = by === 0 ? null : names[next % names.length] ?? null;
  }

  // Where on the board (mm) an event was.
  at(event) {
    const matrix = this.root.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x, y];
  }

  // moves: [seat, from, to]; "" is beside the board.
  arrows(moves, kind, odd = []) {
    const rings = odd.filter((name) => !space(name)?.area).map((name) => ring(this.anchor(name), SIZE * 0.72));
    const lines = moves.flatMap(([seat, from, to]) => {
      const start = from === "" ? edge(this.next(to)) : this.anchor(from, seat);
      const end = to === "" ? edge(start) : this.next(to);
      return this.way(start, end, true);
    });
    this.arrowsLayer.setAttribute("class", `arrows ${kind}`);
    put(this.arrowsLayer, ...rings, ...lines);
  }

  // Where a piece of `seat` stands on a space, or would if it were alone there.
  anchor(name, seat = null) {
    const there = this.pawns.filter((pawn) => pawn.name === name && (seat === null || pawn.seat === seat));
    return there[0]?.at ?? this.next(name);
  }

  // The spot that the next piece takes.
  next(name) {
    const where = space(name);
    if (!where) return [plan.width / 2, plan.height / 2];
    if (!where.area) return [where.x, where.y];
    const taken = new Set(this.pawns.filter((pawn) => pawn.name === name).map((pawn) => pawn.slot));
    const slot = firstFree(taken);
    return spots(where, slot + 1)[slot];
  }

  way(from, to, head = false) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1) return [];
    const d = bend(from, to, head ? SIZE * 0.3 : 0);
    const lines = [svg("path", { class: "way casing", d: d.path }), svg("path", { class: "way", d: d.path })];
    return head ? [...lines, svg("path", { class: "head", d: tip(d.end, d.angle) })] : lines;
  }
}

// What lies under a piece: a rim each, the lowest outermost, and the number of pieces.
function stack({ node }, seats) {
  const below = seats.slice(0, -1).slice(-MOST_RIMS);
  const words = seats.join();
  if ((node.dataset.stack ?? "") === words) return;
  node.dataset.stack = words;
  for (const old of node.querySelectorAll(".rim, .height")) old.remove();
  const radius = (i) => (SIZE * (0.5 + RIM * (below.length - i))).toFixed(2);
  node.prepend(...below.map((seat, i) => svg("circle", { class: "rim", "data-seat": seat, r: radius(i) })));
  if (seats.length < 2) return;
  const text = svg("text", { dy: ".36em", "font-size": SIZE * 0.4 }, String(seats.length));
  const transform = `translate(${SIZE * 0.46} ${-SIZE * 0.46})`;
  node.append(svg("g", { class: "height", transform }, svg("circle", { r: SIZE * 0.25 }), text));
}

function ring([cx, cy], r) {
  return svg("circle", { class: "ring", cx, cy, r });
}

function firstFree(taken) {
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

// Which old pawn is which wanted one: those that stay, those that moves explain, then any of the same seat.
function pairUp(pawns, wanted, moves) {
  const ends = (name) => moves.reduce((at, [from, to]) => (at === from ? to : at), name);
  const rest = new Set(pawns);
  const pairs = [];
  let open = wanted;
  for (const fits of [(p, w) => p.name === w.name, (p, w) => ends(p.name) === w.name, () => true]) {
    open = open.filter((want) => {
      const pawn = [...rest].find((p) => p.seat === want.seat && fits(p, want));
      if (!pawn) return true;
      rest.delete(pawn);
      pairs.push([pawn, want]);
      return false;
    });
  }
  return [...pairs, ...open.map((want) => [null, want])];
}

// A slightly bent line that begins and ends beside the middle of the pieces.
function bend([ax, ay], [bx, by], short) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  const [cx, cy] = [(ax + bx) / 2 - dy * 0.14, (ay + by) / 2 + dx * 0.14];
  const angle = Math.atan2(by - cy, bx - cx);
  const cut = Math.min(short, length / 3);
  const end = [bx - Math.cos(angle) * cut, by - Math.sin(angle) * cut];
  const round = (value) => value.toFixed(2);
  return { path: `M${round(ax)} ${round(ay)}Q${round(cx)} ${round(cy)} ${round(end[0])} ${round(end[1])}`, end, angle };
}

function tip([x, y], angle) {
  const at = (forward, aside) => [
    x + Math.cos(angle) * forward - Math.sin(angle) * aside,
    y + Math.sin(angle) * forward + Math.cos(angle) * aside,
  ];
  return `M${[at(6, 0), at(-4, 5), at(-4, -5)].map((point) => point.map((v) => v.toFixed(2)).join(" ")).join("L")}Z`;
}

function edge([x, y]) {
  const options = [
    [EDGE, y],
    [plan.width - EDGE, y],
    [x, EDGE],
    [x, plan.height - EDGE],
  ];
  const far = (point) => Math.hypot(point[0] - x, point[1] - y);
  return options.reduce((best, point) => (far(point) < far(best) ? point : best));
}
