// The question of a digital deck: shown on the phone of the one who reads it, and on no other.

import { ask, keep, recall } from "./ask.js";
import { button, el, fill, find, goTo, isKiosk } from "./dom.js";
import { mySeat } from "./seat.js";

const place = find("#card");

let declined = "";
let shown = "";
let drawn = "";

// Of one turn's question: whoever said "I am the reader" for the last one did not say it for this. Kept on the phone, as
// its page may be loaded anew meanwhile.
const turnOf = (view) => `${view.due_kind}.${view.due}.${view.reader}`;

export function reads(view) {
  if (view.due_kind !== "question" || !view.deck || isKiosk) return false;
  return mySeat(view) === view.reader || recall("reader") === turnOf(view);
}

export function claim(view) {
  keep("reader", turnOf(view));
  declined = "";
}

// Asks for the card at each change of the table, since the next question may have the same reader; but for the PIN
// only once in a turn.
export async function showCard(view) {
  const turn = turnOf(view);
  if (recall("reader") && recall("reader") !== turn) keep("reader", "");
  if (declined !== turn) declined = "";
  if (!reads(view)) return hide();
  const wanted = `${turn}.${view.version}`;
  if (shown === wanted || declined) return;
  shown = wanted;
  const answer = await ask("/api/question", () => ({ seat: view.reader }));
  if (answer === null) declined = turn;
  if (shown !== wanted) return;
  if (answer?.ok) return draw(answer.question);
  shown = drawn = "";
  offer(view, answer?.text ?? "The question is shown to players who know the table's PIN.");
  place.hidden = false;
}

function hide() {
  shown = drawn = "";
  place.hidden = true;
  fill(place);
}

function offer(view, why) {
  const again = () => {
    declined = "";
    showCard(view);
  };
  fill(place, el("p", {}, why), button("Show the question", again));
}

// The same question is not written anew, as a screen reader would read it again. Whoever reads the story below is shown
// a new one.
function draw(card) {
  const words = JSON.stringify(card);
  if (drawn === words) return;
  drawn = words;
  const { category, text, choices, answer } = card;
  const right = (choice) => el("li", { class: choice === answer ? "right" : "" }, choice);
  const list = choices.length ? el("ol", { type: "A" }, choices.map(right)) : null;
  const solution = choices.length ? null : el("p", { class: "solution" }, "Answer: ", el("b", {}, answer));
  fill(place, category ? el("h2", {}, category) : null, el("p", { class: "question" }, text), list, solution);
  place.hidden = false;
  requestAnimationFrame(() => goTo("#card", "nearest"));
}
