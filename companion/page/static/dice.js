// Entering dice by phone: one row of faces a die.

import { act, markOf, tell } from "./ask.js";
import { button, die, el, fill, listed } from "./dom.js";
import { open, shut, topic } from "./sheet.js";
import { busy } from "./wishing.js";

const ORDINALS = ["First die", "Second die", "Third die", "Fourth die", "Fifth die", "Sixth die"];

let sending = false;

// counts: how many dice may be entered.
export function enterDice(action, title, counts) {
  const most = Math.max(...counts);
  const picked = Array(most).fill(null);
  const mark = markOf(action);
  const send = button("", submit, "main");
  const refresh = () => {
    const dice = picked.filter(Boolean);
    send.disabled = !counts.includes(dice.length);
    const shown = dice.length === 1 ? "The die shows" : "The dice show";
    send.textContent = send.disabled ? `Tap what ${most === 1 ? "the die shows" : "the dice show"}` : `${shown} ${listed(dice)}`;
  };
  const rows = el("div", { class: "picker" }, picked.map((_, index) => row(index, most, picked, refresh)));
  refresh();
  open(title, [rows, send], [], { kind: action === "roll" ? "dice" : "correct" });

  // What did not arrive stays to be sent again, unless somebody was quicker.
  async function submit() {
    const sent = () => act(action, { dice: picked.filter(Boolean), mark });
    sending = true;
    const done = await busy(send, "One moment …", sent);
    sending = false;
    if (done || markOf(action) !== mark) shut();
    else refresh();
  }
}

function row(index, most, picked, refresh) {
  const name = most > 1 ? (ORDINALS[index] ?? `Die ${index + 1}`) : "The die";
  const faces = [1, 2, 3, 4, 5, 6].map((value) => {
    const pick = () => {
      picked[index] = picked[index] === value ? null : value;
      faces.forEach((face, i) => face.setAttribute("aria-pressed", picked[index] === i + 1));
      refresh();
    };
    const face = el("button", { type: "button", "aria-pressed": "false", "aria-label": `${name}: ${value}`, onclick: pick });
    return fill(face, die(value));
  });
  return el("div", { class: "faces", role: "group", "aria-label": name }, faces);
}

// The dice came another way meanwhile, or those that were sent arrived.
export function noMoreDice() {
  if (topic() !== "dice") return;
  shut();
  if (!sending) tell("The dice came another way meanwhile.");
}
