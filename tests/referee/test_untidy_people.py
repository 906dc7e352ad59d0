"""People who are untidy and honest: what a referee must not mind, and what it must say so that they find on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.catalogue import game_for
from companion.model import (
    AcceptedAsPlayed,
    Answered,
    BoardSeen,
    Challenged,
    Confirmed,
    Due,
    DueKind,
    Kind,
    NotDue,
    Position,
    Roll,
    Rolled,
    Saw,
    Seat,
    SpaceSeen,
    TakenBack,
    Thrown,
    Verdict,
)
from companion.referee.bench import Bench, tell
from companion.service.table.presenter import headline, throwable

NAMES = {0: "red", 1: "green", 2: "yellow", 3: "blue"}
GOD = {"game": "game-of-god", "options": {}, "seats": ["N", "S"]}
PARCHEESI = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
PRINT = {**PARCHEESI, "game": "parcheesi-print"}
GLORIA = {**PARCHEESI, "game": "gloria"}
AGGRAVATION = {**PARCHEESI, "game": "aggravation"}
ON_TRACK = {"0": [5, 20, -1, -1], "2": [7, -1, -1, -1]}


class Table:
    """A board that is seen for sure, and a hand that is over it whenever something changes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        seats = [0, 2] if data["game"] == "game-of-god" else data["seats"]
        self.game, self.now = game_for(data["game"], seats, data["options"]), 0.0
        self.bench = Bench.opening(self.game, NAMES, self.game.from_json(data), 0)
        self.board = self.bench.position
        self.look()

    def tell(self, word: Any) -> list[Verdict]:
        self.bench, said = tell(self.bench, word)
        return said

    def look(self, seconds: float = 2.5, hand: bool = True) -> list[Verdict]:
        """A hand, if any, and then a still board."""
        seen = {n: SpaceSeen(self.board.at(n), 0.999, likelihoods={self.board.at(n): 0.0}) for n in self.game.spaces()}
        said: list[Verdict] = []
        for k in range(round(5 * seconds)):
            self.now += 0.2
            said += self.tell(Saw(self.now, BoardSeen(self.now, seen, moving=hand and k == 0)))
        return said

    def show(self, board: Position, seconds: float = 2.5) -> list[Kind]:
        """The board is changed by hand; what is said of it."""
        self.board = board
        return kinds(self.look(seconds))

    def move(self, seat: Seat, origin: str, target: str, seconds: float = 2.5) -> list[Kind]:
        """A piece is moved by hand, the top one where they stand on each other; it uncovers one of its own."""
        return self.show(self.board.moved(seat, origin, target), seconds)

    def roll(self, *dice: int) -> list[Verdict]:
        """Dice of the table's own, typed on a phone."""
        return self.tell(Rolled(self.now, Roll(dice), by="phone"))

    def done(self) -> list[Verdict]:
        self.now += 1.0
        return self.tell(Confirmed(self.now))


def kinds(said: list[Verdict]) -> list[Kind]:
    return [verdict.kind for verdict in said]


# --- Game of God: moves that nobody saw may never have been made ---

STACKS = {"a4": "NN", "a6": "NN", "c5": "N", "d1": "NNN", "e1": "NNN", "g1": "NNN"}
STACKS |= {"b3": "S", "f2": "SS", "f4": "SS", "h6": "S", "h8": "SS", "c8": "SSS", "d8": "SS", "c3": "S"}


def test_a_piece_that_fell_and_is_put_back_was_no_move_and_neither_was_one_before_it() -> None:
    """GOD-5: a piece that vanishes beside a stack of its own looks as if it went there, and as if the player who is due
    had moved unseen before. What stands as before says that neither was done, so that player is not out of turn."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    before = table.board
    assert table.show(before.without(2, "h6")) == [Kind.LEGAL, Kind.LEGAL]
    assert table.bench.due.seat == 0
    assert table.show(before) == [Kind.TAKEBACK]
    assert table.bench.due.seat == 0
    assert table.move(0, "c5", "c4") == [Kind.LEGAL]
    assert table.move(2, "b3", "b2", seconds=6) == [Kind.LEGAL] and table.bench.due.seat == 0


def test_who_moved_after_an_unseen_move_and_thinks_better_of_it_still_moves() -> None:
    """GOD-5: the unseen move was made, and the one after it taken back and played otherwise."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    before = table.board
    assert table.move(2, "b3", "b2") == [Kind.LEGAL, Kind.LEGAL]
    assert table.show(before) == [Kind.TAKEBACK]
    assert table.move(2, "b3", "a3") == [Kind.LEGAL, Kind.LEGAL]
    assert table.bench.position == table.board


def test_everybody_says_done_after_a_move_that_was_seen_and_nobody_moved_unseen() -> None:
    """GOD-5, GOD-11: the first "done" is that there is no challenge; the others are habit, for no hand was there."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    assert table.move(0, "c5", "c4") == [Kind.LEGAL] and table.bench.due.kind is DueKind.CHALLENGE
    assert kinds(table.done()) == [Kind.NOTE]
    (note,) = table.done()
    assert note.text.startswith("Yellow, I have seen no move yet.") and "say “Done” once more" in note.text
    assert table.done() == [] and kinds(table.look(5.0, hand=False)) == []
    assert table.bench.due.kind is DueKind.MOVE and table.bench.due.seat == 2
    table.look()
    assert kinds(table.done()) == [Kind.LEGAL], "a hand was there since"


def test_who_moved_unseen_before_the_last_move_was_seen_says_done_once_more() -> None:
    """GOD-5: the two hands followed so closely that one alone was seen."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    assert table.move(0, "c5", "c4") == [Kind.LEGAL]
    assert [kinds(table.done()) for _ in range(7)] == [[Kind.NOTE], [Kind.NOTE], [], [], [], [], [Kind.LEGAL]]


def test_who_may_place_a_piece_and_says_done_leaves_it_and_may_still_place_it() -> None:
    """GOD-13: it was taken for a move that nobody saw, and placing the piece for a foul."""
    table = may_place()
    (note,) = table.done()
    assert note.text == "Yellow leaves the piece where it is." and table.bench.due.seat == 2
    table.look()
    moved, _ = tell(table.bench, Confirmed(table.now + 5.0))
    assert moved.due.seat == 0 or moved.due.kind is DueKind.CHALLENGE, "it went from one stack to another, then"
    assert table.show(table.board.without(2, "c3").without(0, "c4").with_piece(2, "c4")) == [Kind.LEGAL]


def test_everybody_says_done_after_a_challenge_and_nobody_moved_unseen() -> None:
    """GOD-13: the second "done" was taken for a move that nobody saw, though nobody had been asked for it."""
    table = may_place()
    (left,) = table.done()
    assert left.text == "Yellow leaves the piece where it is." and headline(table.bench) == "Yellow, move a piece."
    table.look(5.0, hand=False)
    (note,) = table.done()
    assert note.text.startswith("Yellow, I have seen no move yet.") and table.bench.due.kind is DueKind.MOVE
    table.look(5.0, hand=False)
    assert kinds(table.done()) == [Kind.LEGAL]


def test_done_after_a_move_that_looks_like_another_leaves_both_possible() -> None:
    """GOD-5, GOD-11: from one of the two stacks on which the piece may be a challenge could be made, from the other
    not, and "done" was taken to say that it is on the first; what followed was called a foul."""
    white = {"a6": "NN", "b4": "N", "a8": "NN", "d1": "NNN", "e1": "NNN", "g1": "NNN"}
    black = {"f4": "S", "f6": "SS", "c4": "SS", "h8": "SS", "c8": "SSS", "d8": "SSSS"}
    table = Table({**GOD, "due": "S", "squares": white | black})
    assert table.show(table.board.without(2, "f4"), seconds=6) == [Kind.LEGAL]
    assert kinds(table.done()) == [Kind.NOTE] and table.bench.due.seat == 0
    piles = [table.game.everything(node.after) for node in table.bench.standing]
    assert {(len(pile.at("c4")), len(pile.at("f6"))) for pile in piles} == {(3, 2), (2, 3)}


def may_place() -> Table:
    """Black has won a challenge: the piece on c3 may be put on the one on c4, and black moves next in any case."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    table.move(0, "c5", "c4")
    for seat, value in ((0, 2), (2, 5)):
        table.tell(Thrown(table.now, seat, value))
    return table


def test_who_may_place_a_piece_and_puts_it_on_a_wrong_square_first_may_still_place_it() -> None:
    """GOD-13: it was ruled to be the next move, and placing it after that one move too many."""
    table = may_place()
    placed = table.board.without(2, "c3").without(0, "c4").with_piece(2, "c4")
    assert table.move(2, "c3", "e3") == [Kind.LEGAL]
    assert table.show(placed, seconds=6) == [Kind.TAKEBACK, Kind.LEGAL]
    assert table.bench.due.kind is DueKind.MOVE and table.bench.due.seat == 2
    assert table.game.everything(table.bench.state).at("c4") == (0, 2)


def test_who_may_place_a_piece_and_takes_a_move_back_may_still_place_it() -> None:
    table = may_place()
    stands = table.board
    assert table.move(2, "c3", "e3") == [Kind.LEGAL]
    assert table.show(stands) == [Kind.TAKEBACK] and "may put the piece from c3 on c4" in headline(table.bench)
    assert table.show(stands.without(2, "c3").without(0, "c4").with_piece(2, "c4")) == [Kind.LEGAL]


def test_who_places_a_piece_and_moves_next_without_a_pause_is_not_out_of_turn() -> None:
    """GOD-13: "Yellow moved, but it is Red's turn." was said."""
    table = may_place()
    placed = table.board.without(2, "c3").without(0, "c4").with_piece(2, "c4")
    assert table.show(placed.moved(2, "b3", "b2")) == [Kind.LEGAL, Kind.LEGAL]
    assert table.bench.due.kind is DueKind.MOVE and table.bench.due.seat == 0
    assert table.game.everything(table.bench.state).at("c4") == (0, 2)


def test_who_moves_at_once_after_a_piece_that_had_to_be_placed_is_not_asked_to_go_back() -> None:
    """GOD-12: to put both pieces back was asked for."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    table.move(0, "c5", "c4")
    for seat, value in ((0, 5), (2, 2)):
        table.tell(Thrown(table.now, seat, value))
    placed = table.board.without(0, "c4").without(2, "c3").with_piece(0, "c3")
    assert table.show(placed.moved(2, "b3", "b2")) == [Kind.LEGAL, Kind.LEGAL]
    assert table.bench.due.seat == 0 and table.game.everything(table.bench.state).at("c3") == (2, 0)


def test_who_takes_a_move_back_by_word_is_told_to_move_and_not_which_piece() -> None:
    """GOD-5: "put the piece from a4 on a3" was said, as if a challenge had been won."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    before = table.board
    table.move(0, "c5", "c6")
    table.tell(TakenBack(table.now))
    table.show(before)
    assert headline(table.bench) == "Red, move a piece."


def test_done_before_the_move_is_seen_tells_of_no_other_move() -> None:
    """GOD-5: the hand was still there, or its move was not seen yet, and an unseen one was announced beside it."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    table.look(0.2)
    table.board = table.board.moved(0, "c5", "c6")
    table.look(0.2)
    assert table.tell(Confirmed(table.now)) == []
    assert kinds(table.look(6.0, hand=False)) == [Kind.LEGAL]


def test_done_while_the_hand_leaves_tells_of_a_move_that_nobody_saw() -> None:
    table = Table({**GOD, "due": "N", "squares": STACKS})
    table.look(0.2)
    assert table.tell(Confirmed(table.now)) == []
    assert kinds(table.look(4.0, hand=False)) == [Kind.LEGAL]
    assert {node.after is not None and table.game.due(node.after).seat for node in table.bench.standing} == {0, 2}


def test_a_piece_that_fell_is_put_back_and_the_next_move_made_at_once() -> None:
    """GOD-5: what stands there is explained where no move was made unseen, and not otherwise."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    before = table.board
    assert table.show(before.without(2, "h6")) == [Kind.LEGAL, Kind.LEGAL]
    assert table.show(before.moved(0, "c5", "c6")) == [Kind.TAKEBACK, Kind.LEGAL]
    assert table.bench.due.seat == 2 and table.bench.position == table.board


def test_a_move_that_nobody_saw_is_taken_back_and_not_the_one_before_it() -> None:
    """GOD-5: the other player's move was taken back, which had been seen; or it was said that there is none."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    table.move(0, "c5", "c6")
    table.look(6.0)
    table.done()
    stood = table.board
    assert table.show(stood.with_piece(0, "b4")) == [Kind.LEGAL], "from a pair"
    assert kinds(table.tell(TakenBack(table.now))) == [Kind.TAKEBACK]
    table.show(stood)
    (unseen,) = table.tell(TakenBack(table.now))
    assert (unseen.kind, unseen.seat, unseen.text) == (Kind.TAKEBACK, 2, "Yellow took the move back.")
    assert table.bench.due == Due(DueKind.MOVE, 2) and len(table.bench.standing) == 1
    (seen,) = table.tell(TakenBack(table.now))
    assert (seen.seat, seen.put_right) == (0, ((0, "c6", "c5"),))


def test_who_moves_onto_an_own_stack_at_once_after_another_is_not_out_of_turn() -> None:
    """GOD-5: the first of two quick moves was seen, of the second only what it left: "Yellow moved, but it is Red's
    turn." was said, or that a piece does not move around a corner."""
    table = Table({**GOD, "due": "N", "squares": STACKS})
    moved = table.board.moved(0, "c5", "c6")
    assert table.show(moved.without(2, "h6"), seconds=14) == [Kind.LEGAL, Kind.LEGAL]
    assert table.bench.due == Due(DueKind.MOVE, 0)
    assert (2, 2, 2) in {table.game.everything(node.after).at("h8") for node in table.bench.standing}
    assert table.show(moved, seconds=6) == [Kind.TAKEBACK] and table.bench.due == Due(DueKind.MOVE, 2)


def test_who_moves_at_once_after_a_piece_went_onto_an_own_stack_is_not_out_of_turn() -> None:
    """GOD-5: of the first of two quick moves only what it left was seen: "Some pieces are not where they were" was said
    of both, or that the second was out of turn."""
    table = Table({**GOD, "due": "S", "squares": STACKS})
    left = table.board.without(2, "h6")
    assert table.show(left.moved(0, "c5", "c6"), seconds=14) == [Kind.LEGAL, Kind.LEGAL]
    assert table.bench.due == Due(DueKind.MOVE, 2)
    assert table.game.everything(table.bench.state).at("h8") == (2, 2, 2)


def test_a_piece_that_was_trapped_without_a_challenge_did_not_go_away_first() -> None:
    """COM-2, GOD-5: the piece below was said to have moved, and the other to its vacant square."""
    squares = {name: stack for name, stack in STACKS.items() if name not in ("c5", "b3")} | {"a5": "N", "b5": "S"}
    table = Table({**GOD, "due": "N", "squares": squares})
    trapped = table.board.without(2, "b5").without(0, "a5").with_piece(2, "a5")
    assert table.show(trapped, seconds=6) == [Kind.ILLEGAL]


def test_a_piece_that_jumps_over_the_one_on_which_it_may_be_placed_was_not_placed_first() -> None:
    """GOD-5: it was said to have been put there, and then to have moved on."""
    table = may_place()
    assert table.move(2, "c3", "c6", seconds=6) == [Kind.ILLEGAL]


def test_who_throws_where_whose_piece_is_challenged_is_not_seen_is_asked_which() -> None:
    """GOD-11: the piece went onto one of two stacks, and beside each stands one of another player; the die was taken
    for the wrong one's, and the placing that followed called a foul."""
    squares = {"d4": "N", "e4": "NN", "d2": "NN", "c8": "NN", "d8": "NN", "e8": "N", "e3": "S", "c2": "E"}
    squares |= {"b1": "SS", "c1": "SS", "d1": "SS", "e1": "SS", "f1": "S", "h6": "E"}
    squares |= {f"h{n}": "EE" for n in range(2, 6)} | {f"a{n}": "WW" for n in range(2, 7)}
    game = game_for("game-of-god", (0, 1, 2, 3), {})
    told = {"game": "game-of-god", "options": {}, "seats": ["N", "E", "S", "W"], "due": "N", "squares": squares}
    table = Table({**GOD, "due": "N", "squares": STACKS})
    table.game, table.bench = game, Bench.opening(game, NAMES, game.from_json(told), 0)
    table.board = table.bench.position
    table.look()
    assert table.show(table.board.without(0, "d4")) == [Kind.LEGAL] and throwable(table.bench) == ()
    with pytest.raises(NotDue, match="which piece is challenged: c2 or e3"):
        table.tell(Thrown(table.now, 0, 5))
    table.tell(Challenged(table.now, "e3"))
    table.tell(Thrown(table.now, 0, 5))
    assert table.bench.due == Due(DueKind.THROW, 2, (1,))


def test_two_pieces_that_only_vanish_were_not_moved_one_after_the_other() -> None:
    """GOD-5: as both may be misread, it is asked about them."""
    squares = {name: stack for name, stack in STACKS.items() if name != "c5"} | {"a5": "N"}
    table = Table({**GOD, "due": "S", "squares": squares})
    gone = table.board.without(2, "h6").without(0, "a5")
    assert table.show(gone, seconds=6) == [Kind.UNCLEAR]


def carry(table: Table, origin: str, target: str) -> Verdict:
    """A stack is moved as one, so that nothing stays where it stood; what is ruled after a while."""
    table.board = table.board.moved(table.board.at(origin)[0], origin, target)
    return table.look(13.0)[-1]


CARRIED = [("S", "f4", "f5", (2, 2)), ("N", "a7", "b7", (0, 2)), ("N", "c6", "c7", (0, 0, 0))]


@pytest.mark.parametrize(("due", "origin", "target", "stack"), CARRIED, ids=["own", "trapped", "three high"])
def test_who_moves_a_whole_stack_is_told_so_and_nothing_is_taken_from_another(
    due: str, origin: str, target: str, stack: tuple[Seat, ...]
) -> None:
    """GOD-5: of two pieces it was said that the player moved out of turn, of a piece trapped below that its owner did,
    and that one of another stack was to be put there; of three nothing, and who moved them was to move once more."""
    white = {"a4": "NN", "c6": "NNN", "d1": "NNN", "e1": "NNN", "g1": "NN"}
    black = {"a7": "SN", "b3": "S", "f2": "SS", "f4": "SS", "h6": "S", "h8": "SS", "c8": "SSS", "d8": "SS"}
    table = Table({**GOD, "due": due, "squares": white | black})
    seat, before = table.board.at(origin)[0], table.board
    said = carry(table, origin, target)
    assert (said.kind, said.rules) == (Kind.ILLEGAL, ("GOD-5",)) and said.seat == seat
    assert said.text.endswith(f"moved the whole stack from {origin}: only its top piece can move.")
    assert sorted(said.put_right) == [(one, target, origin) for one in sorted(stack)]
    accepted, _ = tell(table.bench, AcceptedAsPlayed(table.now))
    assert accepted.due == Due(DueKind.MOVE, 2 - seat)
    assert table.game.everything(accepted.state).at(target)[-1] == seat
    assert table.show(before) == [Kind.RESTORED] and table.bench.due == Due(DueKind.MOVE, seat)


# --- dice that are told late, early, or twice ---

LATE = [
    (PARCHEESI, (5, 3), (0, "t5", "t8"), Kind.PARTIAL),
    (PRINT, (2,), (0, "t5", "t7"), Kind.LEGAL),
    (AGGRAVATION, (3,), (0, "t14", "t17"), Kind.LEGAL),
]


def late_table(data: Mapping[str, Any]) -> Table:
    pieces = {"0": [5, 20, 30, 40], "2": [7, -1, -1, -1]} if data is PARCHEESI else ON_TRACK
    return Table({**data, "pieces": pieces})


@pytest.mark.parametrize(("data", "dice", "move", "kind"), LATE)
def test_a_roll_that_is_told_after_its_move_makes_the_move_right(
    data: Mapping[str, Any], dice: tuple[int, ...], move: tuple[Seat, str, str], kind: Kind
) -> None:
    """PAR-4, PRN-1, AGG-4: dice of the table's own were thrown, and typed on the phone a moment too late."""
    table = late_table(data)
    assert table.move(*move) == [Kind.ILLEGAL]
    assert table.roll(*dice) == []
    assert kinds(table.look(hand=False)) == [kind]


def test_a_roll_that_is_told_after_its_move_counts_where_a_question_was_answered_before() -> None:
    """GLO-1, GLO-4."""
    table = Table({**GLORIA, "pieces": ON_TRACK, "expects": "roll"})
    assert table.bench.due.kind is DueKind.ROLL
    assert table.move(0, "t5", "t8") == [Kind.ILLEGAL]
    assert table.roll(3) == [] and kinds(table.look(hand=False)) == [Kind.LEGAL]


def test_a_roll_that_does_not_fit_the_move_before_it_waits_and_it_is_said_for_what() -> None:
    """AGG-4."""
    table = late_table(AGGRAVATION)
    assert table.move(0, "t14", "t18") == [Kind.ILLEGAL]
    (note,) = table.roll(3)
    assert note.text == "The new roll of 3 waits: first please put the marbles right."
    assert table.move(0, "t18", "t14") == [Kind.RESTORED]
    assert table.move(0, "t14", "t17") == [Kind.LEGAL]


def test_a_roll_too_many_says_whose_play_it_waits_for() -> None:
    """PAR-4: nothing was moved yet, so no move is unfinished."""
    table = late_table(PARCHEESI)
    table.roll(5, 3)
    (note,) = table.roll(6, 1)
    assert note.text == "Red has not played 5 and 3 yet; the new roll of 6 and 1 waits."


# --- Gloria: the reader's buttons are slower than the dice ---


@pytest.mark.parametrize("pieces", [ON_TRACK, {}], ids=["a roll that can be played", "a pass"])
@pytest.mark.parametrize("right", [True, False])
def test_an_answer_after_its_roll_is_none_to_the_next_question(right: bool, pieces: dict[str, list[int]]) -> None:
    """GLO-1: who rolled before the reader pressed the button had answered rightly, it was taken, and the button said
    what the next player had answered, who was not asked yet; "wrong" let that player's turn be over."""
    table = Table({**GLORIA, "pieces": {"0": [-1] * 4, "2": [-1] * 4} | pieces})
    table.roll(3)
    table.look(1.0, hand=False)
    said = table.tell(Answered(table.now, right))
    assert [(verdict.kind, verdict.seat) for verdict in said] == ([] if right else [(Kind.PASS, 0)])
    if right and pieces:
        assert table.bench.due.kind is DueKind.PLAY
        assert table.move(0, "t5", "t8") == [Kind.LEGAL]
    assert table.bench.due == Due(DueKind.QUESTION, 2) and not table.bench.early
    assert [verdict.seat for verdict in table.tell(Answered(table.now + 5.0, False))] == [2]
