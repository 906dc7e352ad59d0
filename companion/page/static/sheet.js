// The sheet that slides up from the bottom: one question at a time.

import { button, el, fill, find } from "./dom.js";

const dialog = find("#sheet");
let whenClosed = null;

// The event of a closing comes late, when the next question may be open already.
dialog.addEventListener("close", () => dialog.open || clear());
dialog.addEventListener("click", (event) => event.target === dialog && shut());

function clear() {
  const done = whenClosed;
  whenClosed = null;
  fill(dialog);
  done?.();
}

// Opens with a title, a body and buttons [label, press, kind]; `closed` is called when it is left in any way.
export function open(title, body, buttons = [], { closed = null, kind = "" } = {}) {
  shut();
  whenClosed = closed;
  dialog.className = `sheet ${kind}`;
  const leave = button("×", shut, "leave");
  leave.setAttribute("aria-label", "Close");
  const row = buttons.length ? el("div", { class: "choices" }, buttons.map((args) => button(...args))) : null;
  fill(dialog, el("header", {}, el("h2", { id: "sheet-title" }, title), leave), el("div", { class: "body" }, body), row);
  dialog.dataset.topic = kind;
  dialog.showModal();
  dialog.focus();
}

export function shut() {
  if (!dialog.open) return;
  dialog.close();
  clear();
}

export const topic = () => (dialog.open ? dialog.dataset.topic : "");

// Resolves to whether people are sure.
export function sure(title, text, yes) {
  return new Promise((decide) => {
    const say = (answer) => () => {
      decide(answer);
      shut();
    };
    const buttons = [
      [yes, say(true), "main"],
      ["Not now", say(false), ""],
    ];
    open(title, el("p", {}, text), buttons, { closed: () => decide(false), kind: "sure" });
  });
}
