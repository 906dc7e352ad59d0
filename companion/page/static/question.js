// The question of a digital deck: shown on the phone of the one who reads it, and on no other.

import { ask } from "./ask.js";
import { el, fill, find } from "./dom.js";
import { mySeat } from "./seat.js";

const place = find("#card");
const isKiosk = document.body.classList.contains("kiosk");

let claimed = "";
let shown = "";

// Of one turn's question: whoever said "I am the reader" for the last one did not say it for this.
const turnOf = (view) => `${view.due_kind}.${view.due}.${view.reader}`;

export function reads(view) {
  if (view.due_kind !== "question" || !view.deck || isKiosk) return false;
  return mySeat(view) === view.reader || claimed === turnOf(view);
}

export function claim(view) {
  claimed = turnOf(view);
}

// Asks for the card at each change of the table, since the next question may have the same reader.
export async function showCard(view) {
  if (claimed !== turnOf(view)) claimed = "";
  if (!reads(view)) return hide();
  const wanted = `${turnOf(view)}.${view.version}`;
  if (shown === wanted) return;
  shown = wanted;
  const answer = await ask("/api/question", () => ({ seat: view.reader }));
  if (shown !== wanted) return;
  if (answer?.ok) draw(answer.question);
  else if (!answer) {
    claimed = "";
    hide();
    fill(place, el("p", {}, "The question is shown to players who know the table’s PIN."));
    place.hidden = false;
  }
}

function hide() {
  shown = "";
  place.hidden = true;
  fill(place);
}

function draw({ category, text, choices, answer }) {
  const right = (choice) => el("li", { class: choice === answer ? "right" : "" }, choice);
  const list = choices.length ? el("ol", { type: "A" }, choices.map(right)) : null;
  const solution = choices.length ? null : el("p", { class: "solution" }, "Answer: ", el("b", {}, answer));
  fill(place, category ? el("h2", {}, category) : null, el("p", { class: "question" }, text), list, solution);
  place.hidden = false;
}
