// What may be done now: the likeliest on the bar at the bottom, the rest behind "More".

import { act, keep, recall } from "./ask.js";
import { showLive } from "./camera.js";
import { button, el, fill, find } from "./dom.js";
import { enterDice } from "./dice.js";
import { editPosition } from "./editor.js";
import { newGame } from "./newgame.js";
import { open, shut, sure } from "./sheet.js";

const bar = find("#bar");

export const hintsOn = () => recall("hints") !== "off";

let now = null;

// Every action as [label, press].
function ways() {
  return {
    roll: ["Enter the dice", () => enterDice("roll", "What do the dice show?", now.dice)],
    confirm: [confirmWord(now), () => act("confirm")],
    takeback: ["Take back", () => act("takeback")],
    accept: ["Accept as played", accept],
    correct: ["Correct the dice", () => enterDice("correct", "What did the dice really show?", [now.roll.length || 2])],
    undo: ["Undo the last change", () => act("undo")],
    position: ["Set the position", editPosition],
    newgame: ["New game", () => newGame(now)],
    adopt: ["Use these dice", () => act("adopt")],
    dismiss: ["It is settled", () => act("dismiss")],
  };
}

function confirmWord(view) {
  if (view.due_kind !== "play") return "The board is ready";
  return view.hints.length || !view.left.length ? "Done" : "Pass";
}

async function accept() {
  const text = "The game goes on from what stands on the board now, whatever the rules say.";
  if (await sure("Accept as played?", text, "Yes, accept")) await act("accept");
}

// The two that people most likely want, best first.
function likely({ trouble, due_kind: due }) {
  const usual = {
    over: ["newgame"],
    illegal: ["takeback", "accept"],
    unclear: ["roll", "confirm", "correct", "accept"],
    play: ["confirm", "takeback"],
  };
  const order = usual[due === "over" ? due : trouble?.kind] ?? usual[due] ?? ["roll", "confirm"];
  return ["adopt", "dismiss", ...order].filter(possible).slice(0, 2);
}

// Buttons stay as they are while they say the same, so that a thumb or the focus on them is not lost.
export function showBar(view, refresh) {
  now = view;
  const all = ways();
  const names = likely(view);
  const calm = waitsForHands(view);
  const words = `${names.map((name) => all[name][0]).join("|")}|${calm}`;
  if (bar.dataset.words === words) return;
  bar.dataset.words = words;
  const buttons = names.map((name, i) => named(name, button(all[name][0], all[name][1], i || calm ? "" : "main")));
  fill(bar, buttons, button("More", () => showMore(refresh), "more"));
}

// While pawns are to be moved, no button asks to be pressed.
function waitsForHands({ trouble, due_kind: due, hints }) {
  return trouble?.kind === "illegal" || trouble?.kind === "lost" || (!trouble && due === "play" && hints.length > 0);
}

function named(name, made) {
  made.dataset.action = name;
  return made;
}

function showMore(refresh) {
  const all = ways();
  const rest = Object.keys(all).filter(possible);
  const rows = rest.map((name) => named(name, button(all[name][0], after(all[name][1]), "row")));
  const camera = button("What the camera sees", after(showLive), "row");
  open("More", el("div", { class: "rows" }, hintsSwitch(refresh), rows, camera), [], { kind: "more-list" });
}

const possible = (name) => now.actions.includes(name) && (name !== "roll" || now.dice.length > 0);

const after = (press) => () => {
  shut();
  press();
};

function hintsSwitch(refresh) {
  const box = el("input", { type: "checkbox", role: "switch", id: "hints-switch" });
  box.checked = hintsOn();
  box.addEventListener("change", () => {
    keep("hints", box.checked ? "on" : "off");
    refresh();
  });
  return el("label", { class: "row switch", for: "hints-switch" }, "Show possible moves", box);
}
