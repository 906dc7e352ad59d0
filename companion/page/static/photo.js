// A photo to tap on: it scrolls and zooms, and rings on it can be dragged. Points are pixels of the photo.

import { fill, svg } from "./dom.js";

const STEADY = 6;
const LARGEST = 6;

export class Photo {
  constructor(view, { onTap, onDrag, onCorner = null, label = "The photo of the empty board" }) {
    Object.assign(this, { view, onTap, onDrag, onCorner, scale: 1, wide: 640 });
    this.root = svg("svg", { role: "img", "aria-label": label });
    this.picture = svg("image", {});
    this.marks = svg("g", {});
    this.root.append(this.picture, this.marks);
    this.root.addEventListener("click", (event) => this.click(event));
    view.replaceChildren(this.root);
  }

  load(address) {
    return new Promise((done) => {
      const image = new Image();
      image.onload = () => {
        const [wide, high] = [image.naturalWidth, image.naturalHeight];
        this.wide = wide;
        this.root.setAttribute("viewBox", `0 0 ${wide} ${high}`);
        this.view.style.aspectRatio = `${wide} / ${high}`;
        for (const [name, value] of [["href", address], ["width", wide], ["height", high]]) this.picture.setAttribute(name, value);
        this.zoom(1);
        done();
      };
      image.onerror = done;
      image.src = address;
    });
  }

  // The middle of what is seen stays where it is.
  zoom(by) {
    const { view, root } = this;
    const middle = [(view.scrollLeft + view.clientWidth / 2) / root.clientWidth, (view.scrollTop + view.clientHeight / 2) / root.clientHeight];
    this.scale = Math.min(LARGEST, Math.max(1, this.scale * by));
    root.style.width = `${100 * this.scale}%`;
    view.scrollLeft = middle[0] * root.clientWidth - view.clientWidth / 2;
    view.scrollTop = middle[1] * root.clientHeight - view.clientHeight / 2;
  }

  at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
  }

  click(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    this.onTap(...this.at(event));
  }

  show({ corners, spaces, taps, moved, next }) {
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
    if (this.onDrag) ring.addEventListener("pointerdown", (event) => this.grab(event, ring, (...at) => this.onDrag(name, ...at)));
    return ring;
  }

  // Where corners can be dragged, they are as large as a fingertip, and seen through.
  corner([cx, cy], index) {
    const dot = svg("circle", { class: "corner", cx, cy, r: this.wide / 200 });
    if (!this.onCorner) return dot;
    const grip = svg("circle", { class: "grip", cx, cy, r: this.wide / 24 });
    grip.addEventListener("pointerdown", (event) => this.grab(event, grip, (...at) => this.onCorner(index, ...at)));
    return [dot, grip];
  }

  // A ring that is hardly moved was tapped, not dragged.
  grab(event, ring, drop) {
    const from = [event.clientX, event.clientY];
    ring.setPointerCapture(event.pointerId);
    const move = (to) => {
      this.dragged ||= Math.hypot(to.clientX - from[0], to.clientY - from[1]) > STEADY;
      if (!this.dragged) return;
      const [x, y] = this.at(to);
      ring.setAttribute("cx", x);
      ring.setAttribute("cy", y);
    };
    const leave = (to) => {
      ring.removeEventListener("pointermove", move);
      if (this.dragged) drop(...this.at(to));
      setTimeout(() => (this.dragged = false));
    };
    this.dragged = false;
    ring.addEventListener("pointermove", move);
    ring.addEventListener("pointerup", leave, { once: true });
  }
}

const kindOf = (name, taps, moved, next) => (name === next ? "next" : name in taps ? "tapped" : name in moved ? "moved" : "");
