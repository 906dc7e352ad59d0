// Setting the position: what the editors of all games share, and which of them a game has.

import { AnyEditor } from "./anygame.js";
import { SLOW, act, markOf, tell } from "./ask.js";
import { Board } from "./board.js";
import { byName } from "./byname.js";
import { el, fill, find, svg } from "./dom.js";
import { seatChip } from "./edit.js";
import { patient } from "./live.js";
import { RaceEditor } from "./race.js";
import { open, shut, topic } from "./sheet.js";
import { StackEditor } from "./stacks.js";
import { positionOf } from "./state.js";

// While pieces are moved it is asked who plays next: the referee knows it where that does not depend on the play.
export async function editPosition(view) {
  const mark = markOf("position");
  const slow = setTimeout(() => tell("One moment …"), SLOW);
  let state;
  try {
    state = await (await patient("/api/state")).json();
  } catch {
    return tell("The referee cannot be reached just now. Please try again.", false);
  } finally {
    clearTimeout(slow);
  }
  if (topic()) return; // what was opened meanwhile is not shut by it
  const editor = editorOf(state);
  if (!editor) return tell("The position of this game cannot be set on this page.", false);
  const moving = view.due_kind === "play" || view.due_kind === "move";
  editor.guesses = moving;
  editor.mark = mark;
  show(editor, moving ? "Who plays next?" : "Whose turn is it?");
}

function editorOf(state) {
  if (state.stands) return new AnyEditor(state);
  if (state.squares) return new StackEditor(state);
  const position = positionOf(state);
  return position && new RaceEditor(state, position);
}

// An editor has: due and next, null until it is said; seats; tap(x, y) in mm; drawOn(board, targets); help; extras, what stands
// below the board; and what byName needs of it.
function show(editor, words) {
  editor.held = null;
  const board = Board.blank();
  const targets = svg("g", { class: "targets" });
  const help = el("p", { class: "help", role: "status" });
  const extras = el("div", { class: "extras" });
  const chips = el("div", { class: "seats", role: "group", "aria-labelledby": "due-label" });
  board.pawnsLayer.before(targets);
  const [without, renamed] = byName(editor, () => refresh());
  const refresh = () => {
    renamed();
    if (editor.guesses) editor.due = editor.next;
    editor.drawOn(board, targets);
    fill(help, editor.help);
    fill(extras, editor.extras(refresh));
    fill(chips, editor.seats.map((seat) => seatChip(seat, editor.due === seat, () => choose(seat))));
    const set = find("#sheet .choices .main");
    set.disabled = editor.due === null;
    set.textContent = set.disabled ? "Say who plays next" : "Set this position";
  };
  const choose = (seat) => {
    [editor.due, editor.guesses] = [seat, false];
    refresh();
  };
  board.root.addEventListener("click", (event) => {
    editor.tap(board, ...board.at(event));
    refresh();
  });
  const due = el("div", { class: "due-row" }, el("span", { id: "due-label" }, words), chips);
  const body = [help, el("div", { class: "board" }, board.root), extras, due, without];
  const before = contents(editor);
  const holds = () => {
    const moved = contents(editor) !== before;
    if (moved) tell("Not set yet: press the button below, or × to leave all as it was.");
    return moved;
  };
  open("Set the position", body, [["Set this position", () => submit(editor), "main"]], { kind: "editor", holds });
  refresh();
}

// All that would be lost with the sheet.
const contents = (editor) => JSON.stringify([editor.state(), editor.beside]);

// What the referee refuses is mended in the same editor; where the table changed meanwhile, pressing once more sets it.
async function submit(editor) {
  const mark = editor.refused ? markOf("position") : editor.mark;
  editor.refused = !(await act("position", { state: editor.state(), mark }));
  if (!editor.refused) shut();
}
