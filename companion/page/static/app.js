// The page: takes each view of the table and shows it.

import { Board } from "./board.js";
import { hintsOn, showBar } from "./choices.js";
import { noMoreDice } from "./dice.js";
import { find } from "./dom.js";
import { Live } from "./live.js";
import { showDevices, showPlayers, showStory, showTurn } from "./paint.js";
import { standing } from "./plan.js";
import { pointers, showTrouble } from "./trouble.js";

const { stamp, build } = document.body.dataset;
const board = new Board(find("#board svg"));
let view = JSON.parse(find("#first").textContent);

function show(newest) {
  view = withQuestion(newest);
  showTurn(view);
  showTrouble(view, showBoard);
  showBoard();
  showPlayers(view);
  showStory(view);
  showDevices(view);
  showBar(view, showBoard);
  if (!view.dice.length) noMoreDice();
  document.body.classList.toggle("troubled", Boolean(view.trouble));
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

function showBoard() {
  board.arrange(standing(view), view.last);
  board.trail(view.trouble ? [] : view.last);
  const calm = !view.trouble && hintsOn() && view.due_kind === "play";
  board.hints(calm ? view.hints : [], view.due);
  board.arrows(...pointers(view.trouble));
}

function showLink(there) {
  find("#link").hidden = there;
  document.body.classList.toggle("offline", !there);
}

show(view);
document.body.classList.add("ready");
new Live({ stamp, build, onView: show, onLink: showLink }).start();
