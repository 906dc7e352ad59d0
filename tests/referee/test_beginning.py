"""When a game begins: a board that never agreed with the game is asked about, and nobody is judged on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.games.catalogue import game_for
from companion.model import (
    BadInput,
    BoardSeen,
    Confirmed,
    DiceCorrected,
    DueKind,
    NotDue,
    OptionError,
    Position,
    PositionSet,
    Roll,
    Rolled,
    Saw,
    SpaceSeen,
    StateError,
    Thrown,
    Undone,
    Verdict,
)
from companion.referee.bench import Bench, tell
from companion.referee.turn import Turn

NAMES = {0: "red", 1: "green", 2: "yellow", 3: "blue", 4: "black", 5: "white"}
UNSURE = 3.0


class Setting:
    """A game that is to begin, over a board on which other things may stand. doubtful: spaces not read for sure."""

    def __init__(self, game: str = "parcheesi", seats: tuple[int, ...] = (0, 2), board: Any = None) -> None:
        self.game = game_for(game, list(seats))
        self.bench = Bench.opening(self.game, NAMES, self.game.opening(seats[0]), seats[0])
        self.wanted = self.game.position(self.game.opening(seats[0]))
        self.board = self.wanted if board is None else board
        self.doubtful: tuple[str, ...] = ()
        self.unsure = UNSURE
        self.now = 0.0

    def tell(self, word: Any) -> list[Verdict]:
        self.bench, verdicts = tell(self.bench, word)
        return verdicts

    def look(self, seconds: float = 3.0) -> list[str]:
        said = self.tell(Saw(self.now, replace(self.seen(), moving=True)))
        for _ in range(int(seconds * 5)):
            self.now += 0.2
            said += self.tell(Saw(self.now, self.seen()))
        return [verdict.kind.value for verdict in said]

    def still_look(self) -> list[str]:
        """One more look at a board that nobody touches."""
        self.now += 0.2
        return [verdict.kind.value for verdict in self.tell(Saw(self.now, self.seen()))]

    def roll(self, *dice: int) -> list[str]:
        return [verdict.kind.value for verdict in self.tell(Rolled(self.now, Roll(dice)))]

    def done(self, by: str = "phone") -> list[str]:
        return [verdict.kind.value for verdict in self.tell(Confirmed(self.now, by))]

    def seen(self) -> BoardSeen:
        spaces = {}
        for name in self.game.spaces():
            content, true = self.board.at(name), self.wanted.at(name)
            known: Mapping[Any, float] = {(): -10.0, content: 0.0}
            if name in self.doubtful:
                known = {**known, true: -self.unsure}
            spaces[name] = SpaceSeen(content, 0.95 if name in self.doubtful else 0.999, False, known)
        return BoardSeen(self.now, spaces)


def far_on(seats: tuple[int, ...]) -> Position:
    """Pieces out on the track, the bases empty."""
    return Position.of({f"t{4 + 9 * seat + 2 * k}": (seat,) for seat in seats for k in range(2)})


@pytest.mark.parametrize(("game", "dice"), [("parcheesi", (5, 3)), ("parcheesi", (1, 3)), ("aggravation", (6,))])
def test_a_roll_before_the_board_is_set_up_waits_and_done_accuses_nobody(game: str, dice: tuple[int, ...]) -> None:
    table = Setting(game, board=far_on((0, 2)))
    assert table.look() == ["unclear"]
    assert table.roll(*dice) == ["note"] and table.bench.early
    assert table.look(20.0) == [] and not table.bench.begun
    assert table.bench.trouble is not None and "set up the board" in table.bench.trouble.text
    table.board = table.wanted
    assert set(table.look()) <= {"pass"} and table.bench.begun
    assert table.bench.turn is not None and table.bench.turn.dice == dice
    assert not table.bench.misread


def test_a_roll_that_waits_for_the_board_can_be_corrected() -> None:
    table = Setting(board=far_on((0, 2)))
    table.look()
    table.roll(5, 3)
    with pytest.raises(BadInput, match="3 dice cannot be what was rolled: 2 are thrown now"):
        table.tell(DiceCorrected(table.now, Roll((5, 4, 1))))
    assert "The roll waits" in table.tell(DiceCorrected(table.now, Roll((5, 4))))[0].text
    table.tell(Undone(table.now))
    assert table.bench.waiting_roll is not None and table.bench.waiting_roll.roll == Roll((5, 3))
    table.tell(DiceCorrected(table.now, Roll((5, 4))))
    table.board = table.wanted
    table.look()
    assert table.bench.turn is not None and table.bench.turn.dice == (5, 4)


def test_a_roll_that_waits_for_the_board_can_be_taken_back() -> None:
    table = Setting(board=far_on((0, 2)))
    table.look()
    table.roll(5, 3)
    assert "roll of 5 and 3 is taken back" in table.tell(Undone(table.now))[0].text
    with pytest.raises(NotDue, match="no roll to correct"):
        table.tell(DiceCorrected(table.now, Roll((5, 4))))
    table.board = table.wanted
    table.look()
    assert table.bench.begun and table.bench.turn is None
    assert "note" not in table.roll(1, 4) and table.bench.turn is not None


@pytest.mark.parametrize(("touched", "said"), [(False, []), (True, ["legal"])])
def test_what_looked_so_before_it_was_thrown_who_begins_is_no_play(touched: bool, said: list[str]) -> None:
    """In a film four lamps in the lacquer were a white disc on c2: "White moved from c8 to c2", before anybody did."""
    table = Setting("game-of-god")
    table.bench = Bench.opening(table.game, NAMES, None, 0)
    table.board = table.wanted.with_piece(0, "c2")
    table.look()
    for seat, value in ((0, 6), (2, 3), (0, 6), (2, 3)):
        if table.bench.rolloff is not None:
            table.tell(Thrown(table.now, seat, value))
    assert table.bench.rolloff is None
    found = table.look(1.5) if touched else [kind for _ in range(8) for kind in table.still_look()]
    assert [kind for kind in found if kind == "legal"] == said


def test_the_players_may_say_that_the_board_is_set_up() -> None:
    table = Setting(board=far_on((0, 2)))
    table.look()
    table.roll(5, 3)
    assert "illegal" not in table.done()
    assert table.bench.begun and not table.bench.early and table.bench.turn is not None


def test_where_some_of_the_board_is_set_up_it_is_said_what_looks_otherwise_and_what_to_say_if_it_is_right() -> None:
    table = Setting(seats=(0, 1, 2), board=Position.of({"base0": (0,) * 4, "base2": (2,) * 3}))
    table.look()
    assert table.bench.trouble is not None
    assert table.bench.trouble.text == (
        "To begin, please set up the board as the picture shows. To me green's circle and yellow's circle "
        "look otherwise; if all is right there, say so on the phone: “The board is set up”."
    )
    table.done()
    assert table.bench.begun


@pytest.mark.parametrize("board", [Position.of({}), far_on((0, 1, 2, 3))])
def test_where_nothing_is_set_up_yet_only_that_is_said(board: Position) -> None:
    table = Setting(seats=(0, 1, 2, 3), board=board)
    table.look()
    assert table.bench.trouble is not None
    assert table.bench.trouble.text == "To begin, please set up the board as the picture shows."


def test_a_button_at_the_table_does_not_say_so_of_a_board_on_which_much_is_otherwise() -> None:
    table = Setting(board=far_on((0, 2)))
    table.look()
    assert table.done("button") == ["note"] and not table.bench.begun
    table.board = table.wanted.with_piece(0, "t14")
    table.look()
    assert table.done("button") == ["note"] and table.bench.begun and not table.bench.taken


def test_nobody_is_accused_on_a_board_that_was_only_said_to_be_set_up() -> None:
    table = Setting(board=far_on((0, 2)))
    table.look()
    table.roll(5, 3)
    table.done()
    assert table.bench.taken
    said = [*table.done(), *table.look(20.0)]
    table.board = table.board.moved(0, "t4", "t9")
    said += table.look(20.0)
    table.board = table.board.without(2, "t22")
    said += table.look(20.0)
    assert said and "illegal" not in said and said.count("unclear") <= 4
    table.board = table.wanted
    table.look()
    assert not table.bench.taken
    table.board = table.wanted.moved(0, "base0", "t4")
    assert table.look() == ["illegal"]


def test_a_piece_that_stands_elsewhere_is_no_little_difference() -> None:
    table = Setting()
    table.board = table.wanted.moved(0, "base0", "t14")
    assert table.look() == ["unclear"]
    assert table.roll(5, 3) == ["note"] and not table.bench.begun


@pytest.mark.parametrize("what", ["a piece too many", "a piece too few", "doubtful readings"])
def test_going_on_settles_a_little_difference(what: str) -> None:
    table = Setting()
    if what == "a piece too many":
        table.board = table.wanted.with_piece(0, "t14")
    elif what == "a piece too few":
        table.board = table.wanted.without(0, "base0")
    else:
        table.doubtful = ("t1", "t11", "t21", "t31")
        table.board = Position.of({**table.wanted, **{name: (0,) for name in table.doubtful}})
    assert table.look() == ["unclear"]
    assert table.roll(5, 3) == [] and table.bench.begun
    assert table.look(20.0) == []


def test_a_roll_made_while_the_board_moves_is_judged_by_how_it_stood_before() -> None:
    table = Setting(board=far_on((0, 2)))
    table.look()
    table.tell(Saw(table.now, replace(table.seen(), moving=True)))
    assert table.roll(5, 3) == ["note"]
    table = Setting()
    table.board = table.wanted.with_piece(0, "t14")
    table.look()
    table.tell(Saw(table.now, replace(table.seen(), moving=True)))
    assert table.roll(5, 3) == [] and table.bench.misread == {"t14": ((0,), ())}


def test_without_a_camera_a_roll_counts_at_once() -> None:
    table = Setting()
    assert table.roll(5, 3) == [] and table.bench.turn is not None
    assert not table.bench.setting_up


def test_a_roll_before_the_first_look_counts_and_the_board_is_compared_all_the_same() -> None:
    table = Setting()
    table.roll(5, 3)
    table.board = far_on((0, 2))
    assert table.look(10.0) == ["unclear"] and not table.bench.begun
    assert table.done("button") == ["note"] and not table.bench.begun
    assert table.look(10.0) == []
    table.board = table.wanted.moved(0, "base0", "t0")
    assert table.look() == ["partial"] and table.bench.begun


def test_a_position_set_by_hand_is_compared_anew() -> None:
    table = Setting()
    assert table.look() == [] and table.bench.begun
    state = dict(table.game.to_json(table.bench.state))
    state["pieces"] = {"0": [10, 20, 30, 40], "2": [-1] * 4}
    table.tell(PositionSet(table.now, state))
    assert table.look() == ["unclear"] and table.bench.setting_up
    assert table.bench.trouble is not None and table.bench.trouble.text.startswith("To go on, please set up the board")
    assert table.roll(5, 3) == ["note"]
    table.board = table.bench.position
    table.look()
    assert table.bench.begun


class UnderACup(Setting):
    """Parcheesi for Red and Blue; some spaces are covered. It was said by hand that a red pawn stands on space 0 and
    that Blue is to roll, but nobody put it there."""

    covered: tuple[str, ...] = ()

    def __init__(self, *covered: str) -> None:
        super().__init__(seats=(0, 3))
        self.look()
        state = dict(self.game.to_json(self.bench.state))
        self.tell(PositionSet(self.now, {**state, "due": 3, "pieces": {**state["pieces"], "0": [0, -1, -1, -1]}}))
        self.covered = covered

    def seen(self) -> BoardSeen:
        shown, hidden = super().seen(), SpaceSeen((), 0.0, True)
        return replace(shown, spaces={n: hidden if n in self.covered else s for n, s in shown.spaces.items()})

    def freed(self) -> list[str]:
        """What is said once nothing is covered any more."""
        self.covered = ()
        return self.look(12.0)


COVERED = [("base0", "t0"), ("base0", "t0", "base3", *(f"t{k}" for k in range(20)))]


@pytest.mark.parametrize("covered", COVERED)
def test_a_board_of_which_pieces_are_covered_does_not_agree_yet(covered: tuple[str, ...]) -> None:
    """COM-2: the camera was away, and came back with something before it. What was free agreed, and as soon as the rest
    was seen Red "moved, but it is Blue's turn"."""
    table = UnderACup(*covered)
    assert table.look(12.0) == ["unclear"] and not table.bench.begun
    assert table.bench.trouble is not None and "Please make it free" in table.bench.trouble.text
    assert table.freed() == ["unclear"] and table.bench.setting_up
    table.board = table.bench.position
    table.look()
    assert table.bench.begun and table.bench.trouble is None


@pytest.mark.parametrize("covered", COVERED)
def test_whoever_goes_on_over_covered_pieces_is_not_accused_of_what_they_hid(covered: tuple[str, ...]) -> None:
    table = UnderACup(*covered)
    table.look(12.0)
    assert table.roll(1, 3) == ["pass"] and table.bench.begun, "a cup on the board keeps nobody from playing"
    assert table.freed() == ["unclear"] and table.bench.setting_up


def test_what_was_covered_may_agree_and_then_what_is_changed_there_is_judged() -> None:
    """COM-3"""
    table = UnderACup("base0", "t0")
    table.board = table.bench.position
    table.look()
    table.roll(1, 3)
    assert table.freed() == [] and not table.bench.unshown
    table.board = table.wanted
    assert table.look(12.0) == ["illegal"]


def asked_what_a_cup_hides() -> UnderACup:
    """Red's pawn went from space 0 to 3, and a cup stands there: it is said by hand."""
    table = UnderACup()
    table.board = table.bench.position
    table.look()
    table.roll(1, 3)
    table.look()
    table.covered = ("t0", "t3")
    table.board = table.board.moved(0, "t0", "t3")
    table.look(12.0)
    state = dict(table.game.to_json(table.bench.state))
    table.tell(PositionSet(table.now, {**state, "pieces": {**state["pieces"], "0": [3, -1, -1, -1]}}))
    return table


def test_a_foul_is_one_where_something_else_was_covered_and_said_by_hand() -> None:
    """COM-3: once it was said what stands under a hand's shadow, a piece was moved otherwise, and all that was said was
    how to set up the board."""
    table = asked_what_a_cup_hides()
    assert table.bench.begun and table.bench.unshown == {"t3"}
    table.board = table.board.moved(0, "base0", "t9")
    assert table.look(12.0) == ["illegal"]


def test_what_was_said_of_a_covered_space_is_no_foul_if_it_looks_otherwise() -> None:
    table = asked_what_a_cup_hides()
    table.board = table.board.moved(0, "t3", "t4")
    assert table.freed() == ["unclear"] and table.bench.setting_up


def test_who_says_that_a_covered_board_is_set_up_is_believed() -> None:
    table = UnderACup("base0", "t0")
    table.look()
    table.done()
    assert table.bench.begun and not table.bench.unshown


def test_of_a_chosen_set_up_nothing_is_said_to_be_wrong_that_is_not_seen_for_sure() -> None:
    """GOD-2, where the players choose: in the image of a lamp three squares of Black's are seen as nothing much."""
    table = Setting("game-of-god", (0, 1, 2, 3))
    other = {"b1": "g1", "a2": "a7", "b8": "g8", "h2": "h7"}
    chosen = {other.get(name, name): content for name, content in table.wanted.items()}
    table.wanted = Position.of(chosen)
    table.board = Position.of({name: content for name, content in chosen.items() if name not in ("d1", "e1", "f1")})
    table.doubtful = ("d1", "e1", "f1")
    table.bench = replace(table.bench, rolloff=None)
    assert table.look() == ["unclear"] and table.bench.trouble is not None
    assert "I cannot see for sure what stands on d1, e1 and f1" in table.bench.trouble.text
    table.board = table.board.with_piece(2, "g6")
    assert table.look() == ["unclear"] and "g6 is no goal area" in table.bench.trouble.text
    table.board = table.wanted
    assert table.look() == ["note"] and table.bench.begun


VACANT = {(0, 2): {"c8": "h8", "c1": "h1"}, (0, 1, 2, 3): {"b1": "g1", "a2": "a7", "b8": "g8", "h2": "h7"}}


class Chosen(Setting):
    """Game of God, set up with other squares vacant than those that the referee would begin with."""

    def __init__(self, seats: tuple[int, ...] = (0, 2)) -> None:
        super().__init__("game-of-god", seats)
        moved = VACANT[seats]
        self.wanted = Position.of({moved.get(name, name): content for name, content in self.wanted.items()})
        self.board = self.wanted
        assert self.wanted != self.bench.position


def test_the_chosen_set_up_is_read_from_the_board() -> None:
    for seats in VACANT:
        table = Chosen(seats)
        assert table.look() == ["note"] and table.bench.begun and table.bench.position == table.wanted


def test_a_pair_in_doubt_is_known_by_the_one_that_faces_it_and_nobody_is_asked() -> None:
    """GOD-1: where a pair of South's cannot be seen for sure, North's stands opposite."""
    table = Chosen()
    table.board, table.doubtful = table.wanted.without(2, "d1"), ("d1",)
    assert table.look(20.0) == ["note"] and table.bench.position == table.wanted


def test_of_two_set_ups_that_look_nearly_alike_the_players_are_asked() -> None:
    table = Chosen()
    other = {"d8": "c8", "d1": "c1"}
    table.board = Position.of({other.get(name, name): content for name, content in table.wanted.items()})
    table.doubtful, table.unsure = ("c8", "c1", "d8", "d1"), 0.5
    assert table.look(20.0) == ["unclear"] and table.bench.trouble is not None
    assert "I cannot see for sure what stands on c1, c8, d1 and d8" in table.bench.trouble.text


@pytest.mark.parametrize("seats", VACANT)
def test_said_to_be_set_up_the_game_begins_as_the_board_is_seen_and_not_as_it_is_set_up_by_default(
    seats: tuple[int, ...],
) -> None:
    """GOD-1, GOD-2: three pairs of South's are not seen in the image of a lamp, and the lamp cannot be moved."""
    table = Chosen(seats)
    table.board = Position.of({n: content for n, content in table.wanted.items() if n not in ("d1", "e1", "f1")})
    table.doubtful = ("d1", "e1", "f1")
    assert table.look() == ["unclear"]
    table.done()
    assert table.bench.begun and not table.bench.taken and table.bench.position == table.wanted
    assert table.look(20.0) == []
    table.board = table.board.with_piece(0, "d5")
    assert table.look() == ["legal"]


def test_said_to_be_set_up_though_much_is_otherwise_nobody_is_accused() -> None:
    table = Chosen()
    table.board = Position.of({"a8": (0,), "b8": (0,), "d1": (2,), "e5": (2,)})
    assert table.look() == ["unclear"]
    table.done()
    assert table.bench.begun and table.bench.taken
    table.board = table.board.moved(2, "d1", "d4")
    assert "illegal" not in table.look(20.0)


def test_a_board_that_was_not_seen_yet_cannot_be_said_to_be_set_up_where_the_players_choose() -> None:
    table = Chosen()
    table.tell(Saw(table.now, replace(table.seen(), moving=True)))
    with pytest.raises(NotDue, match="take the hands away and try again"):
        table.done()
    assert not table.bench.begun


def test_a_set_up_that_was_said_by_hand_is_not_read_from_the_board() -> None:
    table = Chosen()
    game, state = table.game, table.bench.state
    table.tell(PositionSet(table.now, game.to_json(state)))
    assert table.look() == ["unclear"] and table.bench.position == game.position(state)


def test_a_position_said_by_hand_is_no_move_on_a_board_that_nobody_touched() -> None:
    """GOD-5: a piece stays on d1, in the image of a lamp, and another stands on d4; filmed (warm lamp, 714)."""
    table = Setting("game-of-god")
    game = table.game
    state = game.opening(2)
    for seat, target in ((2, "d4"), (0, "a5")):
        seen = game.position(state).with_piece(seat, target)
        state = Turn.without_dice(game, state).by_position[seen][0].after
    table.bench = replace(table.bench, rolloff=None)
    table.wanted = game.position(state)
    table.board = table.wanted.without(2, "d1")
    table.look()
    table.tell(PositionSet(table.now, game.to_json(state)))
    said = [kind for _ in range(20) for kind in table.still_look()]
    assert said == ["unclear"] and not table.bench.begun
    assert table.bench.position == table.wanted


def test_a_first_move_made_before_the_board_was_seen_still_counts() -> None:
    """GOD-5: North moves a piece of the pair on b8 as soon as the last pair stands."""
    table = Chosen()
    table.board = table.wanted.with_piece(0, "b5")
    assert table.look() == ["legal"] and table.bench.begun
    assert table.bench.game.everything(table.bench.state).at("b8") == (0,)


def test_what_is_wrong_with_a_chosen_set_up_is_said_with_the_players_colours_and_the_rule_beside_it() -> None:
    """GOD-1: yellow, who sits in the South, is not the mirror of red."""
    table = Chosen()
    table.board = table.wanted.moved(2, "d1", "c1")
    table.look()
    trouble = table.bench.trouble
    assert trouble is not None and trouble.rules == ("GOD-1",)
    wrong = "c8 is vacant, so c1 must be vacant too: move Yellow's pair from c1 to d1."
    assert trouble.text == f"To begin: {wrong}"


@pytest.mark.parametrize(("seats", "said"), [
    ((0, 2), "Yellow threw highest. Yellow chooses which square stays vacant. Now throw for who begins."),
    ((0, 1, 2, 3), "Yellow threw highest. Yellow and Blue choose which square stays vacant. "
     "Red and Green leave the squares vacant that face those. Now throw for who begins."),
])  # fmt: skip
def test_the_highest_throw_chooses_the_set_up_and_with_four_the_next_one_too(seats: tuple[int, ...], said: str) -> None:
    """GOD-1, GOD-2, COM-1."""
    bench = Bench.opening(game_for("game-of-god", list(seats)), NAMES, None, seats[0])
    for seat in seats:
        bench, verdicts = tell(bench, Thrown(0.0, seat, 6 if seat == 2 else 1))
    assert [verdict.text for verdict in verdicts] == [said]


def test_each_throw_for_who_begins_is_told_and_who_throws_again() -> None:
    """COM-1: a mistyped throw was seen nowhere, and two that were equal only by the page asking again."""
    bench = Bench.opening(game_for("parcheesi", [0, 1, 2]), NAMES, None, 0)
    said = []
    for seat, value in ((0, 7), (2, 3), (1, 7), (0, 2), (1, 5)):
        bench, verdicts = tell(bench, Thrown(0.0, seat, value))
        said += [verdict.text for verdict in verdicts]
    assert said == [
        "Red threw 7.",
        "Yellow threw 3.",
        "Green threw 7. Red and Green threw the most, and throw again.",
        "Red threw 2.",
        "Green threw highest and begins.",
    ]


@pytest.mark.parametrize(("name", "value", "said"), [
    ("parcheesi", 70, "throw 70: 2 dice show 2 to 12"),
    ("parcheesi", 1, "throw 1: 2 dice show 2 to 12"),
    ("gloria", 7, "throw 7: one die shows 1 to 6"),
])  # fmt: skip
def test_a_throw_for_who_begins_that_no_dice_show_is_refused(name: str, value: int, said: str) -> None:
    """COM-1: a recording that somebody mistyped let the wrong one begin."""
    bench = Bench.opening(game_for(name, [0, 2]), NAMES, None, 0)
    with pytest.raises(OptionError, match=said):
        tell(bench, Thrown(0.0, 0, value))


def test_a_throw_for_who_begins_that_was_mistyped_is_undone() -> None:
    """COM-1."""
    bench = Bench.opening(game_for("parcheesi", [0, 2]), NAMES, None, 0)
    with pytest.raises(NotDue, match="nothing to undo"):
        tell(bench, Undone(0.0))
    bench, _ = tell(bench, Thrown(0.0, 0, 11))
    bench, [note] = tell(bench, Undone(0.0))
    assert note.text == "Red's throw does not count: please throw again." and bench.due.seat == 0
    for seat, value in ((0, 4), (2, 4)):
        bench, _ = tell(bench, Thrown(0.0, seat, value))
    bench, [note] = tell(bench, Undone(0.0))
    assert note.seat == 2 and bench.due.seat == 2, "that of a round that was played out, too"
    bench, _ = tell(bench, Thrown(0.0, 2, 3))
    assert bench.rolloff is None and bench.due.seat == 0
    bench, [note] = tell(bench, Undone(0.0))
    assert note.text == "Yellow's throw does not count: please throw again.", "that which decided, too"
    bench, _ = tell(bench, Thrown(0.0, 2, 8))
    assert bench.rolloff is None and bench.due.seat == 2


def test_no_throw_for_who_begins_is_undone_once_somebody_plays() -> None:
    """COM-1: but a roll that is taken back leaves who begins open once more."""
    bench = Bench.opening(game_for("parcheesi", [0, 2]), NAMES, None, 0)
    for word in (Thrown(0.0, 0, 11), Thrown(0.0, 2, 4), Rolled(1.0, Roll((5, 3)))):
        bench, _ = tell(bench, word)
    with pytest.raises(NotDue, match="nothing to undo"):
        tell(bench, Undone(2.0))


def test_a_throw_for_who_chooses_the_set_up_is_undone() -> None:
    """GOD-1: the throws for that, and then those for who begins, one after the other."""
    bench = Bench.opening(game_for("game-of-god", [0, 2]), NAMES, None, 0)
    for seat, value in ((0, 5), (2, 3), (0, 1), (2, 6)):
        bench, _ = tell(bench, Thrown(0.0, seat, value))
    assert bench.rolloff is None and bench.due.seat == 2
    seats = []
    for _ in range(4):
        bench, [note] = tell(bench, Undone(0.0))
        seats.append(note.seat)
    assert seats == [2, 0, 2, 0] and bench.choosing
    with pytest.raises(NotDue, match="nothing to undo"):
        tell(bench, Undone(0.0))


def test_where_no_square_stays_vacant_nobody_chooses() -> None:
    """GOD-3: with pairs on every square the first throws say who begins."""
    bench = Bench.opening(game_for("game-of-god", [0, 2], {"pairs": 8}), NAMES, None, 0)
    for seat, value in ((0, 2), (2, 5)):
        bench, verdicts = tell(bench, Thrown(0.0, seat, value))
    assert [verdict.text for verdict in verdicts] == ["Yellow threw highest and begins."] and bench.rolloff is None


def test_what_is_surely_wrong_with_a_set_up_is_said_though_another_square_is_in_doubt() -> None:
    """GOD-1: a lamp shines on b3, where something seems to stand; and North's vacant square is not South's."""
    table = Chosen()
    table.board = table.wanted.moved(2, "d1", "c1").with_piece(0, "b3")
    table.doubtful, table.unsure = ("b3",), 0.1
    assert table.look() == ["unclear"] and table.bench.trouble is not None
    assert table.bench.trouble.rules == ("GOD-1",) and "b3" not in table.bench.trouble.text


def test_the_set_up_is_not_asked_for_again_because_a_doubt_wavers() -> None:
    """Filmed (Parcheesi, dim and noisy, 1205): the same words eight times over one doubtful lane."""
    table = Setting(board=far_on((0, 2)))
    assert table.look() == ["unclear"]
    calm, table.doubtful = table.board, ("t20",)
    for seat in (0, 2):
        table.board = calm.with_piece(seat, "t20")
        assert table.look() == []
    table.doubtful = ()
    assert table.look() == ["unclear"]


def test_done_says_nothing_of_a_board_whose_set_up_is_still_thrown_for() -> None:
    """GOD-1: the button at the table said that the usual set-up stands, though another did; the first move was a foul
    then."""
    bench = Bench.opening(game_for("game-of-god", [0, 2]), NAMES, None, 0)
    for who, throws in (("chooses the set-up", ((0, 5), (2, 3))), ("begins", ((0, 1), (2, 6)))):
        for seat, value in throws:
            bench, [note] = tell(bench, Confirmed(0.0))
            assert note.text == f"First each player throws for who {who}." and not bench.begun
            bench, _ = tell(bench, Thrown(0.0, seat, value))
    assert bench.rolloff is None and not bench.begun


def test_god_2_the_vacant_squares_are_told_by_hand_while_it_is_thrown_who_begins() -> None:
    """Where no camera looks they can be told in no other way: the throws ended there, and White began."""
    game = game_for("game-of-god", [0, 1, 2, 3])
    usual = game.opening(0)
    squares = dict(game.to_json(usual)["squares"])
    squares["g8"], squares["g1"] = squares.pop("b8"), squares.pop("b1")
    chosen = PositionSet(0.0, {**game.to_json(usual), "squares": squares})
    bench = Bench.opening(game, NAMES, None, 0)
    for seat, value in ((0, 5), (1, 3), (2, 2), (3, 1), (0, 2)):
        bench, _ = tell(bench, Thrown(0.0, seat, value))
    bench, [note] = tell(bench, chosen)
    assert note.text == "The board is set up so." and bench.position == game.position(game.from_json(chosen.state))
    assert bench.due.kind is DueKind.THROW and bench.due.seat == 1
    bench, _ = tell(bench, Thrown(0.0, 1, 6))
    bench, [note] = tell(bench, Undone(0.0))
    assert bench.due.seat == 1 and "b8" not in bench.position, "the throw came after it"
    undone, _ = tell(bench, Undone(0.0))
    assert undone.due.seat == 1 and "b8" in undone.position
    for seat, value in ((1, 6), (2, 1), (3, 3)):
        bench, _ = tell(bench, Thrown(0.0, seat, value))
    assert bench.rolloff is None and game.to_json(bench.state) == {**chosen.state, "due": "E"}


def test_god_2_a_set_up_told_by_hand_that_nobody_mirrored_is_refused() -> None:
    """It was taken for a game in its midst, in which White moved, and nobody threw any more."""
    game = game_for("game-of-god", [0, 1, 2, 3])
    usual = game.to_json(game.opening(0))
    squares = dict(usual["squares"])
    squares["g8"] = squares.pop("b8")
    bench = Bench.opening(game, NAMES, None, 0)
    with pytest.raises(StateError, match=r"b8 is vacant, so b1 must be vacant too: move .* pair from b1 to g1"):
        tell(bench, PositionSet(0.0, {**usual, "squares": squares}))
    moved = {**squares, "b8": "N", "b5": "N"}
    del moved["g8"]
    bench, _ = tell(bench, PositionSet(0.0, {**usual, "squares": moved}))
    assert bench.rolloff is None, "a game that goes on"


def test_who_says_by_hand_which_seat_begins_ends_the_throws() -> None:
    game = game_for("game-of-god", [0, 2])
    bench, _ = tell(Bench.opening(game, NAMES, None, 0), PositionSet(0.0, game.to_json(game.opening(2))))
    assert bench.rolloff is None and bench.due.seat == 2
