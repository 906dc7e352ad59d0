// Setting the position: what the editors of all games share, and which of them a game has.

import { act, tell } from "./ask.js";
import { Board } from "./board.js";
import { byName } from "./byname.js";
import { el, fill, svg } from "./dom.js";
import { seatChip } from "./edit.js";
import { patient } from "./live.js";
import { RaceEditor } from "./race.js";
import { open, shut } from "./sheet.js";
import { StackEditor } from "./stacks.js";
import { positionOf } from "./state.js";

export async function editPosition() {
  let state;
  try {
    state = await (await patient("/api/state")).json();
  } catch {
    return tell("The referee cannot be reached just now. Please try again.", false);
  }
  const position = state.squares ? null : positionOf(state);
  if (state.squares) show(new StackEditor(state));
  else if (position) show(new RaceEditor(state, position));
  else tell("The position of this game cannot be set on this page.", false);
}

// An editor has: due; seats; tap(x, y) in mm; drawOn(board, targets); help; extras, what stands below the board; and
// what byName needs of it.
function show(editor) {
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
    editor.drawOn(board, targets);
    fill(help, editor.help);
    fill(extras, editor.extras(refresh));
    fill(chips, editor.seats.map((seat) => seatChip(seat, editor.due === seat, () => ((editor.due = seat), refresh()))));
  };
  board.root.addEventListener("click", (event) => {
    editor.tap(board, ...board.at(event));
    refresh();
  });
  refresh();
  const due = el("div", { class: "due-row" }, el("span", { id: "due-label" }, "Whose turn is it?"), chips);
  const body = [help, el("div", { class: "board" }, board.root), extras, due, without];
  open("Set the position", body, [["Set this position", () => submit(editor), "main"]], { kind: "editor" });
}

// What the referee refuses is mended in the same editor.
async function submit(editor) {
  if (await act("position", { state: editor.state() })) shut();
}
