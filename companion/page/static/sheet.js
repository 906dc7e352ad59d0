// The sheet that slides up from the bottom: one question at a time; over it, the table's door, where the PIN is asked.

import { button, el, fill, find, keepFocus, last, wordsOf } from "./dom.js";

const toast = find("#toast");

class Sheet {
  constructor(dialog) {
    this.dialog = dialog;
    this.whenClosed = null;
    this.holds = () => false;
    // The event of a closing comes late, when the next question may be open already. A browser that was once kept from
    // going back asks no more the second time: what would be lost comes up again.
    dialog.addEventListener("close", () => this.isOpen || (this.holds() ? this.rise() : this.clear()));
    dialog.addEventListener("click", (event) => event.target === dialog && !this.holds() && this.shut());
    // Escape, and a phone's way back.
    dialog.addEventListener("cancel", (event) => event.target === dialog && this.holds() && event.preventDefault());
  }

  // Opens with a title, a body and buttons [label, press, kind]; `closed` is called when it is left in any way. holds:
  // whether a tap beside it, or going back, does not leave it, as something would be lost.
  open(title, body, buttons = [], { closed = null, kind = "", holds = () => false } = {}) {
    const { dialog } = this;
    this.shut();
    this.whenClosed = closed;
    this.holds = holds;
    this.from = document.activeElement === document.body ? null : wordsOf(document.activeElement);
    dialog.className = `sheet ${kind}`;
    const leave = button("×", () => this.shut(), "leave");
    leave.setAttribute("aria-label", "Close");
    const row = buttons.length ? el("div", { class: "choices" }, buttons.map((args) => button(...args))) : null;
    const heading = el("h2", { id: `${dialog.id}-title` }, title);
    fill(dialog, el("header", {}, heading, leave), el("div", { class: "body" }, body), row);
    dialog.dataset.topic = kind;
    this.rise();
    dialog.scrollTop = 0;
    raise();
  }

  shut() {
    if (!this.isOpen) return;
    this.sink();
    this.clear();
  }

  get isOpen() {
    return this.dialog.hasAttribute("open");
  }

  // Safari has dialogs since 2022; before that the sheet lies over a page that is only darker.
  rise() {
    if (this.dialog.showModal) this.dialog.showModal();
    else this.dialog.setAttribute("open", "");
    this.dialog.focus();
  }

  sink() {
    if (this.dialog.close) this.dialog.close();
    else this.dialog.removeAttribute("open");
  }

  clear() {
    const done = this.whenClosed;
    this.whenClosed = null;
    this.holds = () => false;
    raise();
    fill(this.dialog);
    // The browser goes back to the button that opened it, unless that was made anew meanwhile.
    const lost = [document.body, this.dialog].includes(document.activeElement);
    if (lost && this.from !== null) keepFocus(document.body, this.from);
    done?.();
  }

  get topic() {
    return this.isOpen ? this.dialog.dataset.topic : "";
  }
}

// What is told is read before any sheet, not behind it.
function raise() {
  const place = last([...document.querySelectorAll(".sheet[open]")]) ?? document.body;
  if (toast.parentNode !== place) place.append(toast);
}

const sheet = new Sheet(find("#sheet"));
document.body.classList.toggle("no-dialogs", !find("#sheet").showModal);
export const door = new Sheet(find("#door"));
export const open = (...how) => sheet.open(...how);
export const shut = () => sheet.shut();
export const shutAll = () => [door, sheet].forEach((one) => one.shut());
export const topic = () => sheet.topic;

// Resolves to whether people are sure. more: what is shown below the text.
export function sure(title, text, yes, more = null) {
  return new Promise((decide) => {
    const say = (answer) => () => {
      decide(answer);
      shut();
    };
    const buttons = [
      [yes, say(true), "main"],
      ["Not now", say(false), ""],
    ];
    open(title, [el("p", {}, text), more], buttons, { closed: () => decide(false), kind: "sure" });
  });
}
