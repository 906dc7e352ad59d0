// A photo to tap on: it scrolls, zooms (by two fingers, too), and rings on it can be dragged. Points are its pixels.
// By keys: the arrows move a cross over it, Enter taps there, Space takes a ring up and puts it down.

import { fill, put, svg } from "./dom.js";

const STEADY = 6;
const LARGEST = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ENDS = ["pointerup", "pointercancel"];
const TOUCHES = ["touchstart", "touchmove", "touchend", "touchcancel"];
const [AGAIN, TRIES] = [2000, 20]; // ms until a picture that did not come is asked for again, and how often it is
const STRIDES = 60; // of the cross over the width that is seen; with Shift it goes by pixels

export class Photo {
  // onLate: told that the picture did not come, and whether it is asked for again. there: before it is seen nothing is
  // tapped.
  constructor(view, { onTap, onDrag, onLate, onCorner = null, label = "The photo of the empty board" }) {
    Object.assign(this, { view, onTap, onDrag, onLate, onCorner, scale: 1, wide: 640, loose: [], there: false, wanted: "", letGo: null, apart: 0 });
    this.root = svg("svg", { role: "img", "aria-label": label });
    this.picture = svg("image", {});
    this.marks = svg("g", {});
    this.cross = svg("g", { class: "cross" });
    this.root.append(this.picture, this.marks, this.cross);
    this.root.addEventListener("click", (event) => this.click(event));
    view.addEventListener("keydown", (event) => this.key(event));
    view.addEventListener("pointerdown", ({ isPrimary }) => isPrimary || this.letGo?.());
    for (const kind of TOUCHES) view.addEventListener(kind, (event) => this.pinch(event), { passive: false });
    put(view, this.root);
  }

  // Done once it is seen; never where another one was wanted meanwhile.
  load(address) {
    this.there = false;
    this.wanted = address;
    this.picture.removeAttribute("href");
    put(this.marks);
    this.aimAt(null);
    return new Promise((done) => this.fetch(address, done));
  }

  fetch(address, done, tries = TRIES) {
    const image = new Image();
    const unlessOther = (go) => () => this.wanted === address && go();
    image.onload = unlessOther(() => {
      this.seen(address, image.naturalWidth, image.naturalHeight);
      done();
    });
    image.onerror = unlessOther(() => {
      this.onLate(tries > 1);
      if (tries > 1) setTimeout(unlessOther(() => this.fetch(address, done, tries - 1)), AGAIN);
    });
    image.src = address;
  }

  seen(address, wide, high) {
    this.there = true;
    this.wide = wide;
    this.root.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.view.style.aspectRatio = `${wide} / ${high}`;
    for (const [name, value] of [["href", address], ["width", wide], ["height", high]]) this.picture.setAttribute(name, value);
    this.zoom(1);
    this.aimAt(null);
  }

  // What is seen at a place of the view, by default in its middle, stays there.
  zoom(by, [x, y] = [this.view.clientWidth / 2, this.view.clientHeight / 2]) {
    const { view, root } = this;
    const at = [(view.scrollLeft + x) / root.clientWidth, (view.scrollTop + y) / root.clientHeight];
    this.scale = Math.min(LARGEST, Math.max(1, this.scale * by));
    root.style.width = `${100 * this.scale}%`;
    view.scrollLeft = at[0] * root.clientWidth - x;
    view.scrollTop = at[1] * root.clientHeight - y;
  }

  // Two fingers that part enlarge it between them.
  pinch(event) {
    const [a, b] = [event.touches[0], event.touches[1]];
    const apart = event.touches.length === 2 ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
    if (apart && event.cancelable) event.preventDefault();
    if (apart && this.apart) {
      const { left, top } = this.view.getBoundingClientRect();
      this.zoom(apart / this.apart, [(a.clientX + b.clientX) / 2 - left, (a.clientY + b.clientY) / 2 - top]);
    }
    this.apart = apart;
  }

  // A finger that slips beyond the photo is at its edge.
  at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return this.within(x, y);
  }

  within(x, y) {
    const { width, height } = this.root.viewBox.baseVal;
    const bounded = (value, most) => Math.round(10 * Math.min(most, Math.max(0, value))) / 10;
    return [bounded(x, width), bounded(y, height)];
  }

  click(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (this.there) this.onTap(...this.at(event));
  }

  // --- by keys ---

  key(event) {
    const arrow = ARROWS[event.key];
    if (!arrow && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!this.there) return;
    if (arrow) this.steer(arrow, event.shiftKey);
    else if (this.aim && event.key === "Enter" && !this.carried) this.onTap(...this.aim);
    else if (this.aim) this.takeUp();
  }

  steer([dx, dy], fine) {
    const stride = fine ? 1 : this.wide / STRIDES / this.scale;
    const [x, y] = this.aim ?? this.middle();
    this.aimAt(this.within(x + dx * stride, y + dy * stride));
  }

  middle() {
    const box = this.view.getBoundingClientRect();
    return this.at({ clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 });
  }

  // The cross stays in sight, and takes along what it took up.
  aimAt(aim) {
    this.aim = aim;
    if (!aim) this.carried = null;
    const [x, y, arm] = [...(aim ?? [0, 0]), this.wide / 30];
    const d = `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`;
    put(this.cross, ...(aim ? [svg("path", { class: "casing", d }), svg("path", { d })] : []));
    this.carried?.ring.setAttribute("cx", x);
    this.carried?.ring.setAttribute("cy", y);
    this.cross.firstChild?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  takeUp() {
    const { carried } = this;
    this.carried = null;
    if (carried) return carried.drop(...this.aim);
    const far = ({ ring }) => Math.hypot(ring.getAttribute("cx") - this.aim[0], ring.getAttribute("cy") - this.aim[1]);
    const near = this.loose.filter((one) => far(one) < Math.max(one.ring.getAttribute("r"), this.wide / 60));
    this.carried = near.sort((a, b) => far(a) - far(b))[0] ?? null;
  }

  // What is dragged just now lies anew, too, and is let go: its ring hears of the finger no more.
  show({ corners, spaces, taps, moved, next }) {
    this.loose = [];
    this.carried = null;
    this.dragged = false;
    const points = corners.map((at) => at.join(",")).join(" ");
    const outline = svg("polygon", { class: "outline", points });
    const dots = corners.map((at, index) => this.corner(at, index));
    const rings = Object.entries(spaces).map(([name, at]) => this.ring(name, at, kindOf(name, taps, moved, next)));
    const lone = Object.keys(spaces).length ? [] : Object.values(taps).map(([cx, cy]) => svg("circle", { class: "corner", cx, cy, r: 5 }));
    fill(this.marks, corners.length > 1 ? outline : null, rings, dots.flat(), lone);
  }

  ring(name, [cx, cy, r], kind) {
    const ring = svg("circle", { class: `space ${kind} ${this.onDrag ? "loose" : ""}`, cx, cy, r: Math.max(r, 4) });
    ring.append(svg("title", {}, name));
    if (this.onDrag) this.loosen(ring, (...at) => this.onDrag(name, ...at));
    return ring;
  }

  // Where corners can be dragged, they are as large as a fingertip, and seen through.
  corner([cx, cy], index) {
    const dot = svg("circle", { class: "corner", cx, cy, r: this.wide / 200 });
    if (!this.onCorner) return dot;
    const grip = svg("circle", { class: "grip", cx, cy, r: this.wide / 24 });
    this.loosen(grip, (...at) => this.onCorner(index, ...at));
    return [dot, grip];
  }

  loosen(ring, drop) {
    this.loose.push({ ring, drop });
    ring.addEventListener("pointerdown", (event) => this.grab(event, ring, drop));
  }

  // A ring that is hardly moved was tapped, not dragged. It lies where it was seen last: a phone that takes the finger
  // away, as for a call, does not say where. Where a second finger comes, as to enlarge the photo, it lies as before.
  grab(event, ring, drop) {
    if (!event.isPrimary) return;
    const from = [event.clientX, event.clientY];
    const before = ["cx", "cy"].map((name) => [name, ring.getAttribute(name)]);
    let at = null;
    ring.setPointerCapture(event.pointerId);
    const move = (to) => {
      this.dragged = this.dragged || Math.hypot(to.clientX - from[0], to.clientY - from[1]) > STEADY;
      if (!this.dragged) return;
      at = this.at(to);
      ring.setAttribute("cx", at[0]);
      ring.setAttribute("cy", at[1]);
    };
    const leave = () => {
      this.letGo = null;
      ring.removeEventListener("pointermove", move);
      for (const kind of ENDS) ring.removeEventListener(kind, leave);
      if (at) drop(...at);
      setTimeout(() => (this.dragged = false));
    };
    this.letGo = () => {
      at = null;
      for (const [name, value] of before) ring.setAttribute(name, value);
      leave();
    };
    this.dragged = false;
    ring.addEventListener("pointermove", move);
    for (const kind of ENDS) ring.addEventListener(kind, leave);
  }
}

const kindOf = (name, taps, moved, next) => (name === next ? "next" : name in taps ? "tapped" : name in moved ? "moved" : "");
