// The page: takes each view of the table and shows it.

import { whenAlone } from "./alone.js";
import { keepMarks } from "./ask.js";
import { Board } from "./board.js";
import { hintsOn, showBar } from "./choices.js";
import { noMoreDice } from "./dice.js";
import { capital, el, fill, find, isKiosk, isOnByKeys, listed, readOut, say } from "./dom.js";
import { inviteAnew } from "./join.js";
import { Live } from "./live.js";
import { showDevices, showPlayers, showStory, showTurn } from "./paint.js";
import { label, nouns, seated, standing } from "./plan.js";
import { showCard } from "./question.js";
import { shutAll } from "./sheet.js";
import { oneTapAtATime } from "./taps.js";
import { pointers, showTrouble } from "./trouble.js";

const { stamp, build } = document.body.dataset;
const board = new Board(find("#board svg"));
let view = JSON.parse(find("#first").textContent);

function show(newest) {
  view = withQuestion(newest);
  seated(view);
  keepMarks(view.marks);
  showTurn(view);
  showTrouble(view, showBoard);
  showBoard();
  showPlayers(view);
  showStory(view);
  showDevices(view);
  showAsked();
  if (!view.dice.length) noMoreDice();
  document.body.classList.toggle("troubled", Boolean(view.trouble));
  document.body.classList.toggle("unseen-board", view.trouble?.kind === "lost");
  document.body.dataset.version = view.version;
}

// What the dice box asks is asked like any other question.
function withQuestion(given) {
  const asks = given.actions.some((name) => name === "adopt" || name === "dismiss");
  if (given.trouble || !asks) return given;
  const text = given.devices.find(({ name }) => name === "dice")?.text ?? "The dice ask something.";
  const nothing = { rules: [], put_right: [], legal: [], seen: {}, rolls: [], before: null, after: null };
  return { ...given, trouble: { kind: "unclear", text, ...nothing } };
}

function showAsked() {
  showBar(view, showChosen);
  showCard(view);
}

// What this phone alone chose: hints, the seat, who reads.
function showChosen() {
  showBoard();
  showAsked();
}

function showBoard() {
  board.arrange(standing(view), view.last, view.stacks);
  board.trail(view.trouble ? [] : view.last);
  const calm = !view.trouble && hintsOn();
  const hints = calm ? view.hints : [];
  const more = board.hints(hints);
  say(find("#tap-hint"), board.focus ? mayGo(hints, board.focus) : more ? howToSee() : "");
  fill(find("#may"), [...new Set(hints.map(([from]) => from))].map((from) => el("li", {}, mayGo(hints, from))));
  board.arrows(...(view.trouble ? pointers(view.trouble) : [[], "ask", view.targets]));
}

function howToSee() {
  const [choose, how] = isOnByKeys(find("#board svg")) ? ["Choose", ", by the arrow keys"] : ["Tap", ""];
  return `${choose} a ${nouns.piece} to see where it may go${how}.`;
}

// What the board shows of possible moves in words: "Space 4: to space 7 and space 9."
function mayGo(hints, from) {
  const goals = hints.filter(([origin]) => origin === from).map(([, to]) => label(to));
  return `${capital(label(from))}: to ${listed([...new Set(goals)])}.`;
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Escape: 0 };

function stepped(event) {
  if (!(event.key in STEPS)) return;
  event.preventDefault();
  board.step(STEPS[event.key]);
  showBoard();
  readOut(find("#tap-hint").textContent);
}

// farewell: what a service said that ended, rather than the network.
function showLink(there, farewell) {
  find("#link").textContent = farewell ?? "Connection lost. Trying again…";
  find("#link").hidden = there;
  document.body.classList.toggle("offline", !there);
}

find("#board svg").addEventListener("click", (event) => {
  board.pick(event);
  showBoard();
});
find("#board svg").addEventListener("keydown", stepped);
for (const kind of ["focus", "blur"]) find("#board svg").addEventListener(kind, showBoard);
// A kiosk that nobody can touch shows its buttons once it has a keyboard.
document.addEventListener("keydown", () => document.body.classList.add("keyed"), { once: true, capture: true });
oneTapAtATime();
whenAlone(5, shutAll);
show(view);
document.body.classList.add("ready");
new Live({ stamp, build, onView: show, onLink: showLink, onBeat: isKiosk ? inviteAnew : () => {} }).start();
