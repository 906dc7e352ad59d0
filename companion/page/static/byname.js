// Setting the position without tapping the board: a piece and its goal by name, for keyboards and screen readers.

import { button, capital, el, fill } from "./dom.js";
import { label, nouns, seatOf } from "./plan.js";

// editor: pieces, [{seat, name}]; goals(piece), names of places; send(piece, goal). Returns [node, refresh].
export function byName(editor, moved) {
  const piece = el("select", { class: "which", "aria-label": capital(nouns.piece), onchange: () => choose() });
  const goal = el("select", { class: "goal", "aria-label": "goes to" });
  let pieces = [];
  const choose = () => fill(goal, named(editor.goals(pieces[piece.selectedIndex])));
  const refresh = () => {
    pieces = editor.pieces;
    const kept = piece.selectedIndex;
    fill(piece, pieces.map(({ seat, name }) => el("option", {}, `${capital(seatOf(seat).name)}, ${label(name)}`)));
    piece.selectedIndex = Math.max(0, Math.min(kept, pieces.length - 1));
    choose();
  };
  const send = () => {
    editor.send(pieces[piece.selectedIndex], goal.value);
    moved();
  };
  const row = el("div", { class: "by-name" }, piece, el("span", {}, "goes to"), goal, button("Move it", send, "move-it"));
  return [el("details", {}, el("summary", {}, "Without tapping"), row), refresh];
}

// Places that are called alike, as those of a base, are one goal.
function named(names) {
  const words = new Map();
  for (const name of names) if (!words.has(label(name))) words.set(label(name), name);
  return [...words].map(([word, name]) => el("option", { value: name }, word));
}
