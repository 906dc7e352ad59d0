// What may be done now: the likeliest on the bar at the bottom, the rest behind "More".

import { act, keep, markOf, marksNow, recall, tell } from "./ask.js";
import { hasCamera, showLive } from "./camera.js";
import { badge, button, capital, el, fill, find, isKiosk } from "./dom.js";
import { enterDice } from "./dice.js";
import { editPosition } from "./editor.js";
import { newGame } from "./newgame.js";
import { label, MOST_ARROWS, nouns, seatOf } from "./plan.js";
import { claim, reads } from "./question.js";
import { askSeat, mySeat } from "./seat.js";
import { open, shut, sure } from "./sheet.js";
import { asksAnew } from "./taps.js";

const bar = find("#bar");
const CHANGED = "The table has changed meanwhile: look again, and press once more if it is still to be done.";

export const hintsOn = () => recall("hints") !== "off";

let now = null;
let again = () => {};
let meant = new Set();
new ResizeObserver(() => document.body.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);

// Every action of one button as [label, press]. about: what each action is about that acts at once, or asks for dice, as
// those of one turn are not entered for another.
function ways(about = markOf) {
  const at = (name) => () => act(name, { mark: about(name) });
  const [due, rolled] = [() => now.dice, () => (now.thrown.length ? now.thrown : [now.roll.length || 2])];
  const fits = (name) => possible(name) && about(name) === markOf(name);
  const ask = (name, did, counts) => enterDice(name, `What did the ${diceWord(counts)} ${did}?`, counts);
  const dice = (name, did, counts) => () => (fits(name) ? ask(name, did, counts()) : tell(CHANGED, false));
  return {
    roll: [`Enter the ${diceWord(now.dice)}`, dice("roll", "show", due)],
    confirm: [now.done || "Done", () => confirm(about("confirm"))],
    takeback: ["Take back", at("takeback")],
    accept: ["Accept as played", () => accept(about("accept"))],
    correct: [`Correct the ${diceWord(rolled())}`, dice("correct", "really show", rolled)],
    undo: ["Undo the last change", at("undo")],
    position: ["Set the position", () => editPosition(now)],
    newgame: ["New game", () => newGame(now)],
    adopt: ["Use these dice", at("adopt")],
    dismiss: ["It is settled", at("dismiss")],
    stop: ["We agree to stop", () => stop(about("stop"))],
  };
}

const diceWord = (counts) => (Math.max(...counts) === 1 ? "die" : "dice");

// Before the first agreement "done" says that the board is set up: asked once more where much looks otherwise.
async function confirm(mark) {
  const wrong = now.trouble?.kind === "unclear" ? now.trouble.put_right.length : 0;
  const text = `The camera sees ${wrong} ${nouns.pieces} elsewhere than the picture shows them. If the board is set up all the same, the referee goes by the picture.`;
  if (wrong <= MOST_ARROWS || (await sure("Is the board set up?", text, "Yes, as the picture shows"))) await act("confirm", { mark });
}

async function accept(mark) {
  const text = "The game goes on from what stands on the board now, whatever the rules say.";
  if (await sure("Accept as played?", text, "Yes, accept")) await act("accept", { mark });
}

async function stop(mark) {
  const text = "The game ends here for all, and counts as a stalemate: whoever has most pieces in goal wins.";
  if (await sure("Does everybody agree to stop?", text, "Yes, we all agree")) await act("stop", { mark });
}

// A camera that is there may have given no picture yet, or none since the position was set by hand.
const isWatched = (view) => view.watched && hasCamera(view);

// The two that people most likely want, best first. Where nobody watches the board, players say how it stands.
function likely(view) {
  const { trouble, due_kind: due } = view;
  const moved = isWatched(view) ? ["confirm", "takeback"] : ["position", "confirm"];
  // A reminder that a play is not done yet leaves nothing to accept: it goes on, and the one before is not meant.
  const wrong = possible("accept") ? ["takeback", "accept"] : moved;
  const usual = {
    over: ["newgame"],
    illegal: wrong,
    unclear: ["confirm", "roll", "correct", "accept"],
    play: moved,
    move: moved,
    question: ["takeback"],
    declaration: ["takeback"],
    challenge: ["confirm", "takeback"],
  };
  const order = usual[due === "over" ? due : trouble?.kind] ?? usual[due] ?? ["roll", "confirm"];
  return ["adopt", "dismiss", ...order].filter(possible).slice(0, 2);
}

// What is asked now beside one button: an answer, a partner, a piece to challenge, one die or two. A foul comes first; a
// board that cannot be seen keeps nobody from going on. Each as {action, words, press, pressed, seat}.
function asked(view) {
  if (view.trouble?.kind === "illegal") return [];
  if (possible("answer")) return answers(view);
  if (possible("declare")) return view.partners.map(partner);
  if (possible("challenge")) return view.targets.map((space) => target(view, space));
  return possible("dice") ? view.dice.map((count) => diceCount(view, count)) : [];
}

// Cards on the table are judged on any phone; a digital question by whoever reads it.
function answers(view) {
  const words = { true: "Right", false: "Wrong" };
  const judge = (right) => ({ action: "answer", words: words[right], kind: words[right].toLowerCase(), press: () => act("answer", { right }) });
  if (!view.deck || reads(view) || isKiosk) return [judge(true), judge(false)];
  const press = () => {
    claim(now); // not `view`: the button stays while it says the same
    again();
  };
  return [{ action: "reader", words: "I am the reader", kind: mySeat(view) === null ? "main" : "", press }];
}

function partner(seat) {
  const { name, mark } = seatOf(seat);
  return { action: "declare", words: `${capital(name)} plays`, icon: mark, seat, press: () => act("declare", { seat }) };
}

function target({ position }, space) {
  const seat = position[space]?.[0];
  const icon = seat === undefined ? null : seatOf(seat).mark;
  return { action: "challenge", words: `Challenge ${label(space)}`, icon, seat, press: () => act("challenge", { space }) };
}

function diceCount({ throwing }, count) {
  const words = { 1: "One die", 2: "Both dice" }[count] ?? `${count} dice`;
  return { action: "dice", words, pressed: String(throwing === count), press: () => act("dice", { count }) };
}

// Buttons stay as they are while they say the same, so that a thumb or the focus on them is not lost.
export function showBar(view, refresh) {
  [now, again] = [view, refresh];
  const all = ways();
  const names = likely(view);
  const first = asked(view);
  const calm = waitsForHands(view) || first.length > 0;
  const said = JSON.stringify([names.map((name) => all[name][0]), first, calm]);
  if (bar.dataset.words !== said) fillBar(names.map((name) => [name, ...all[name]]), first, calm);
  bar.dataset.words = said;
  const buttons = [...bar.querySelectorAll("button")];
  for (const one of buttons) if (!meant.has(meaning(one))) asksAnew(one);
  meant = new Set(buttons.map(meaning));
}

// What a tap at its place means: a finger on its way to a button of which nothing changed finds what it meant.
function meaning(one) {
  const { left, top, width, height } = one.getBoundingClientRect();
  const { action } = one.dataset;
  return JSON.stringify([action, one.textContent, markOf(action), ...[left, top, width, height].map(Math.round)]);
}

function fillBar(names, first, calm) {
  const buttons = names.map(([name, words, press], i) => named(name, button(words, press, i || calm ? "" : "main")));
  const more = button("More", () => showMore(again), "more");
  const row = first.length ? el("div", { class: "asked", role: "group" }, first.map(choice), names.length ? null : more) : null;
  fill(bar, row, buttons, row && !names.length ? null : more);
}

function choice({ action, words, press, kind = "", icon = null, pressed = null, seat = null }) {
  const look = { type: "button", class: kind, "aria-pressed": pressed, "data-seat": seat, "data-action": action };
  return el("button", { ...look, onclick: press }, icon ? badge(icon) : null, words);
}

// While pieces are to be moved and somebody watches, no button asks to be pressed.
function waitsForHands(view) {
  const { trouble, due_kind: due, hints } = view;
  const moves = (due === "play" || due === "move") && hints.length > 0;
  return trouble?.kind === "illegal" || trouble?.kind === "lost" || (!trouble && moves && isWatched(view));
}

function named(name, made) {
  made.dataset.action = name;
  return made;
}

// Its rows are about the table as it was when it was opened: others play on meanwhile.
function showMore(refresh) {
  const about = marksNow();
  const all = ways(about);
  const rest = Object.keys(all).filter(possible);
  const rows = rest.map((name) => named(name, button(all[name][0], after(all[name][1]), "row")));
  const camera = named("camera", button("What the camera sees", after(() => showLive(now)), "row"));
  const { past, setup } = document.body.dataset;
  const last = [hasCamera(now) ? camera : null, leaving("past", "Earlier games", past), leaving("setup", "Check and set up the table", setup)];
  const more = [hintsSwitch(refresh), isKiosk ? null : seatRow(refresh), ...otherAnswers(about("answer")), ...rows, ...last];
  open("More", el("div", { class: "rows" }, more), [], { kind: "more-list" });
}

// A row that leads to another page; none where this table has no such page.
const leaving = (name, words, where) => (where ? named(name, button(words, () => location.assign(where), "row")) : null);

function seatRow(refresh) {
  const seat = mySeat(now);
  const words = seat === null ? "I sit at …" : `I sit at ${seatOf(seat).name}`;
  return named("seat", button(words, after(() => askSeat(now, refresh)), "row"));
}

// The reader's phone may be away; somebody else then says what came of the question.
function otherAnswers(mark) {
  if (!possible("answer") || !now.deck || reads(now)) return [];
  const row = (words, right) => named("answer", button(words, after(() => act("answer", { right, mark })), "row"));
  return [row("The answer was right", true), row("The answer was wrong", false)];
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
