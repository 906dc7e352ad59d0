"""Who is meant, and by which rule: two at once, after a roll that cannot be played, by a partner, after overrides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.catalogue import game_from_json
from companion.games.parcheesi_board import NAMES
from companion.model import (
    AcceptedAsPlayed,
    BoardSeen,
    Challenged,
    Confirmed,
    DueKind,
    Kind,
    NotDue,
    PositionSet,
    Roll,
    Rolled,
    Saw,
    Seat,
    SpaceSeen,
    TakenBack,
    Thrown,
    Verdict,
)
from companion.panel.patterns import Pattern, lamps
from companion.referee.bench import Bench, tell
from companion.service.table.desk import looking_anew

COLORS = {0: "red", 1: "green", 2: "yellow", 3: "blue"}
OUT = [-1] * 4
PARCHEESI: dict[str, Any] = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
PRINT: dict[str, Any] = {"game": "parcheesi-print", "options": {}, "seats": [0, 2], "due": 0}
GLORIA: dict[str, Any] = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "expects": "roll"}
AGGRAVATION: dict[str, Any] = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0}
GOD: dict[str, Any] = {
    "game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N",
    "squares": {"f5": "N", "h5": "N", "c1": "N" * 6, "d1": "N" * 6, "a8": "S" * 6, "b8": "S" * 5, "c4": "S", "g1": "S",
                "e8": "S"},
}  # fmt: skip


class Table:
    """A pretend table of any game, read surely, five times a second."""

    def __init__(self, state: Mapping[str, Any], red: list[int] | None = None, yellow: list[int] | None = None) -> None:
        pieces = {} if red is None else {"pieces": {"0": red, "2": yellow or OUT}}
        self.game = game_from_json({**state, **pieces})
        begun = self.game.from_json({**state, **pieces})
        self.bench = Bench.opening(self.game, COLORS, begun, 0)
        self.board, self.now = self.game.position(begun), 0.0
        assert self.look() == []

    def tell(self, word: Any) -> list[Verdict]:
        self.bench, verdicts = tell(self.bench, word)
        return verdicts

    def roll(self, *dice: int) -> list[Verdict]:
        return self.tell(Rolled(self.now, Roll(dice)))

    def see(self, moving: bool = False) -> BoardSeen:
        others = {(): -10.0, **{(seat,): -10.0 for seat in self.game.seats}}
        spaces = {}
        for name in self.game.spaces():
            seen = self.board.at(name)[-1:] if self.game.stacks else self.board.at(name)
            spaces[name] = SpaceSeen(seen, 0.999, False, {**others, seen: 0.0})
        return BoardSeen(self.now, spaces, moving)

    def look(self, seconds: float = 2.0) -> list[Verdict]:
        verdicts = []
        for _ in range(round(seconds * 5)):
            self.now += 0.2
            verdicts += self.tell(Saw(self.now, self.see()))
        return verdicts

    def play(self, *moves: tuple[Seat, str, str], seconds: float = 2.0) -> list[Verdict]:
        for seat, origin, target in moves:
            self.board = self.board.without(seat, origin) if origin else self.board
            self.board = self.board.with_piece(seat, target) if target else self.board
        self.now += 0.2
        return [*self.tell(Saw(self.now, self.see(moving=True))), *self.look(seconds)]


TOGETHER = [
    (PARCHEESI, [10, 20, 30, 40], [5, -1, -1, -1], (3, 1), [(0, "t10", "t14"), (2, "t39", "t42")], "PAR-4"),
    (PRINT, [10, 20, 30, 40], [5, -1, -1, -1], (3, 1), [(0, "t10", "t14"), (2, "t39", "t42")], "PRN-1"),
    (GLORIA, [5, -1, -1, -1], [5, -1, -1, -1], (3,), [(0, "t5", "t8"), (2, "t25", "t28")], "GLO-1"),
    (AGGRAVATION, [5, -1, -1, -1], [5, -1, -1, -1], (3,), [(0, "t14", "t17"), (2, "t42", "t45")], "AGG-4"),
]


@pytest.mark.parametrize(("state", "red", "yellow", "dice", "moves", "rule"), TOGETHER)
def test_who_moves_together_with_a_right_play_is_meant_and_the_play_stays(
    state: Any, red: Any, yellow: Any, dice: Any, moves: Any, rule: str
) -> None:
    """COM-2, COM-3: red plays its roll, and yellow moves before the board was seen still."""
    table = Table(state, red, yellow)
    table.roll(*dice)
    (foul,) = table.play(*moves)
    assert (foul.kind, foul.seat, foul.rules[0]) == (Kind.ILLEGAL, 2, rule) and foul.text.startswith("Yellow")
    _, origin, target = moves[1]
    assert foul.put_right == ((2, target, origin),) and foul.legal == ()
    shown = lamps(table.game.seats, table.bench.due, foul).seats
    assert shown[2] is Pattern.FAST and shown[0] is not Pattern.FAST
    (legal,) = table.play((2, target, origin))
    assert (legal.kind, legal.seat) == (Kind.LEGAL, 0)


@pytest.mark.parametrize(("state", "dice", "said"), [
    (GLORIA, (4,), "Red's pawn moved 3 spaces, but the die shows 4."),
    (PARCHEESI, (6, 2), "Red's pawn moved 3 spaces, but the dice show 6 and 2."),
    (PRINT, (6, 2), "Red's piece moved 3 spaces, but the dice show 6 and 2."),
])  # fmt: skip
def test_two_pieces_of_a_colour_went_each_its_own_way_and_none_backwards(state: Any, dice: Any, said: str) -> None:
    """GLO-4, PAR-4, PRN-5: who shares a roll out among two pieces was told that one went backwards, to where the other
    one stood, and each was to go back to the other's space."""
    table = Table(state, [7, 20, -1, -1])
    table.roll(*dice)
    (foul,) = table.play((0, "t7", "t10"), (0, "t20", "t23"))
    assert foul.text == said and set(foul.put_right) == {(0, "t10", "t7"), (0, "t23", "t20")}


def test_of_two_pieces_none_went_backwards_though_one_passed_a_blockade() -> None:
    """PAR-4, PAR-10: that way breaks one rule more, and a pawn was said to have gone past its lane, to where the other
    one had been moved."""
    table = Table(PARCHEESI, [7, 50, -1, -1], [19, 19, -1, -1])  # yellow's two stand on space 53
    table.roll(6, 1)
    (foul,) = table.play((0, "t7", "t16"), (0, "t50", "t55"))
    assert foul.rules == ("PAR-4", "PAR-10") and "moved 9 spaces" in foul.text
    assert set(foul.put_right) == {(0, "t16", "t7"), (0, "t55", "t50")}


def test_par_2_of_two_pawns_that_moved_each_by_a_die_none_is_said_to_have_gone_round_the_board() -> None:
    """ "Red's pawn moved 67 spaces, but the dice show 5 and 5" was said, as if one had gone where the other did."""
    table = Table(PARCHEESI, [-1, 0, 53, 62], [13, 17, 31, 35])
    table.roll(5, 5)
    (foul,) = table.play((0, "t62", "lane0.4"), (0, "t0", "t5"))
    assert foul.rules == ("PAR-2",) and "that pawn must enter with it" in foul.text
    assert set(foul.put_right) == {(0, "lane0.4", "t62"), (0, "t5", "t0")}


SENT_HOME = [
    (PARCHEESI, [10, 20, -1, -1], [46, -1, -1, -1], (3, 1), (0, "t10", "t14"), (2, "t12", "base2"), "space 12"),
    (PRINT, [10, 20, -1, -1], [46, -1, -1, -1], (4,), (0, "t10", "t14"), (2, "t12", "base2"), "space 12"),
    (GLORIA, [10, -1, -1, -1], [32, -1, -1, -1], (4,), (0, "t10", "t14"), (2, "t12", "base2"), "space 12"),
    (AGGRAVATION, [5, -1, -1, -1], [34, -1, -1, -1], (3,), (0, "t14", "t17"), (2, "t15", "base2"), "hole 15"),
]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("state", "red", "yellow", "dice", "play", "sent", "stood"), SENT_HOME)
def test_com_3_a_piece_that_was_passed_and_sent_home_was_not_moved_by_its_owner(
    state: Any, red: Any, yellow: Any, dice: Any, play: Any, sent: Any, stood: str, at_once: bool
) -> None:
    """ "Yellow moved before rolling" was said of red, who took a pawn that is passed for a captured one."""
    table = Table(state, red, yellow)
    table.roll(*dice)
    if not at_once:
        assert [verdict.kind for verdict in table.play(play)] == [Kind.LEGAL]
    (foul,) = table.play(*([play] if at_once else []), sent)
    assert (foul.kind, foul.rules) == (Kind.ILLEGAL, ("COM-3",))
    assert "is not captured: it stays where it stood" in foul.text and foul.text.endswith(f"on {stood}.")
    seat, stands, base = sent
    assert foul.put_right == ((seat, base, stands),)
    (right,) = table.play((seat, base, stands))
    assert right.kind is (Kind.LEGAL if at_once else Kind.RESTORED) and table.bench.due.seat == 2


CAUGHT = [
    (PARCHEESI, [10, -1, -1, -1], [40, -1, -1, -1], (3, 1), (2, "t6", "t10")),
    (PRINT, [10, -1, -1, -1], [40, -1, -1, -1], (3, 1), (2, "t6", "t10")),
    (GLORIA, [5, -1, -1, -1], [22, -1, -1, -1], (4,), (2, "t2", "t5")),
    (AGGRAVATION, [5, -1, -1, -1], [29, -1, -1, -1], (3,), (2, "t10", "t14")),
]


@pytest.mark.parametrize(("state", "red", "yellow", "dice", "catch"), CAUGHT)
def test_com_3_whose_piece_is_captured_out_of_turn_has_not_moved_it_backwards(
    state: Any, red: Any, yellow: Any, dice: Any, catch: Any
) -> None:
    """ "Red's pawn went backwards" was said, where yellow moved, who had not rolled, and captured it."""
    table = Table(state, red, yellow)
    table.roll(*dice)
    (foul,) = table.play((0, catch[2], "base0"), catch)
    assert (foul.kind, foul.rules) == (Kind.ILLEGAL, ("COM-3", "COM-2"))
    assert foul.text.startswith("Yellow's ") and "was moved, but it is Red's turn" in foul.text
    assert sorted(foul.put_right) == [(0, "base0", catch[2]), (2, catch[2], catch[1])]
    (right,) = table.play(*foul.put_right)
    assert right.kind is Kind.RESTORED and (table.bench.due.seat, table.bench.due.kind) == (0, DueKind.PLAY)


@pytest.mark.parametrize(("state", "red", "yellow", "dice", "play", "sent", "stood"), SENT_HOME)
def test_beside_a_play_that_stays_no_other_one_is_said_to_be_right(
    state: Any, red: Any, yellow: Any, dice: Any, play: Any, sent: Any, stood: str
) -> None:
    """The page told what was to be put right, and then of plays that "would be right", as if none had been made."""
    table = Table(state, red, yellow)
    table.roll(*dice)
    (foul,) = table.play(play, sent)
    seat, stands, base = sent
    assert foul.put_right == ((seat, base, stands),) and foul.legal == ()


def test_com_2_after_a_roll_that_is_played_to_the_end_no_other_play_is_said_to_be_right() -> None:
    """ "Red has played the whole roll already", and that the second pawn's move would be right."""
    table = Table(GLORIA, [5, 15, -1, -1])
    table.roll(4)
    (foul,) = table.play((0, "t5", "t9"), (0, "t15", "t19"))
    assert "has played the whole roll already" in foul.text and len(foul.put_right) == 1 and foul.legal == ()


def test_agg_8_who_captures_after_a_roll_that_cannot_be_played_is_meant() -> None:
    """Only that red's marble is not captured was said, as red sits before yellow; of others the rule was named."""
    table = Table({**AGGRAVATION, "due": 2}, [31, -1, -1, -1], [54, -1, -1, -1])
    (passed,) = table.roll(5)
    assert passed.kind is Kind.PASS
    (foul,) = table.play((0, "t40", "base0"), (2, "t35", "t40"))
    assert (foul.kind, foul.seat, foul.rules[0]) == (Kind.ILLEGAL, 2, "AGG-8")
    assert sorted(foul.put_right) == [(0, "base0", "t40"), (2, "t40", "t35")]


def test_com_3_for_a_piece_that_is_taken_off_the_board_no_stack_is_to_give_one() -> None:
    """A piece that had stood on b8 for long was to go to c4; and that it was missing there was the next foul."""
    table = Table(GOD)
    (foul,) = table.play((2, "c4", ""), seconds=6.0)
    assert (foul.kind, foul.rules, foul.put_right) == (Kind.ILLEGAL, ("COM-3", "COM-2"), ((2, "", "c4"),))
    (right,) = table.play((2, "", "c4"))
    assert right.kind is Kind.RESTORED and table.bench.trouble is None


def test_god_12_for_a_piece_in_the_hand_while_it_is_thrown_for_no_stack_is_to_give_one() -> None:
    """Black held the piece that was challenged, and b8 was to give one for it."""
    table = Table(GOD)
    table.play((0, "f5", "c5"), seconds=4.0)
    table.tell(Challenged(table.now, "c4"))
    (foul,) = table.play((2, "c4", ""), seconds=6.0)
    assert (foul.kind, foul.rules, foul.put_right) == (Kind.ILLEGAL, ("GOD-12",), ((2, "", "c4"),))
    assert [verdict.kind for verdict in table.play((2, "", "c4"))] == [Kind.RESTORED]


def test_par_16_who_takes_a_pawn_back_before_the_third_doublets_are_told_moved_it() -> None:
    """It was said not to be captured, which nobody had thought."""
    table = Table({**PARCHEESI, "doublets": 2}, [10, 20, 30, -1])
    table.board = table.board.moved(0, "t30", "base0")
    (foul,) = table.look()
    assert (foul.kind, foul.text) == (Kind.ILLEGAL, "Red moved before rolling. First the dice, then the pawn.")
    typed = table.tell(Rolled(table.now, Roll((1, 1)), "phone"))
    assert [verdict.kind for verdict in (*typed, *table.look())] == [Kind.LEGAL]


PASSED = [
    (GLORIA, OUT, (5,), (0, "base0", "t0"), "GLO-2"),
    (PARCHEESI, OUT, (3, 1), (0, "base0", "t0"), "PAR-1"),
    (AGGRAVATION, OUT, (5,), (0, "base0", "t9"), "AGG-1"),
    (PARCHEESI, [70, 71, 71, 71], (3, 2), (0, "lane0.7", "home0"), "PAR-12"),
]


@pytest.mark.parametrize(("state", "red", "dice", "move", "rule"), PASSED)
def test_a_move_after_a_roll_that_cannot_be_played_is_judged_by_that_roll(
    state: Any, red: Any, dice: Any, move: Any, rule: str
) -> None:
    """GLO-2, PAR-1, AGG-1, PAR-12: it was called a move out of turn."""
    table = Table(state, red)
    (passed,) = table.roll(*dice)
    assert passed.kind is Kind.PASS
    (foul,) = table.play(move)
    assert (foul.kind, foul.seat, foul.rules[0]) == (Kind.ILLEGAL, 0, rule)


def test_agg_7_who_rolls_again_after_a_six_that_cannot_be_played_did_not_miscount_the_six() -> None:
    """Red moved by a roll that is told late. Where no number says otherwise, the six was played wrongly."""
    table = Table(AGGRAVATION, [53, 56, 57, 58])
    (passed,) = table.roll(6)
    assert passed.kind is Kind.PASS and table.bench.due.seat == 0
    (foul,) = table.play((0, "t6", "lane0.1"))
    assert foul.text == "Red moved before rolling. First the die, then the marble."
    table.roll(2)
    assert [verdict.kind for verdict in table.look()] == [Kind.RESTORED, Kind.LEGAL, Kind.OVER]
    other = Table(AGGRAVATION, [53, 56, 57, 58])
    other.roll(6)
    assert other.play((0, "t6", "t8"))[0].rules == ("AGG-8",)


LEFT = [
    (PARCHEESI, [10, 66, 71, 71], [46, 46, -1, -1], (5, 4), (0, "lane0.3", "home0"), (0, "t10", "t14"), "PAR-10"),
    (PARCHEESI, [10, 66, 71, 71], [46, 46, -1, -1], (5, 4), (0, "lane0.3", "home0"), (0, "t10", "t20"), "PAR-10"),
    (PARCHEESI, [67, 69, 70, 71], OUT, (6, 4), (0, "lane0.4", "home0"), (0, "lane0.6", "home0"), "PAR-12"),
    (PRINT, [10, 66, 71, 71], [46, 46, -1, -1], (5, 4), (0, "lane0.3", "home0"), (0, "t10", "t14"), "PRN-9"),
]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("state", "red", "yellow", "dice", "first", "second", "rule"), LEFT)
def test_par_5_prn_5_a_die_that_cannot_be_played_after_the_other_is_said_why(
    state: Any, red: Any, yellow: Any, dice: Any, first: Any, second: Any, rule: str, at_once: bool
) -> None:
    """ "Red has played the whole roll already" was said, though one die was left; or that it is yellow's turn."""
    table = Table(state, red, yellow)
    table.roll(*dice)
    if not at_once:
        assert [verdict.kind for verdict in table.play(first)] == [Kind.LEGAL]
    (foul,) = table.play(*([first] if at_once else []), second)
    assert (foul.kind, foul.seat, foul.rules[0]) == (Kind.ILLEGAL, 0, rule)
    seat, origin, target = second
    assert foul.put_right == ((seat, target, origin),)
    (right,) = table.play((seat, target, origin))
    assert right.kind is (Kind.LEGAL if at_once else Kind.RESTORED) and table.bench.due.seat == 2


def test_par_13_who_rolls_again_and_moves_is_told_that_the_roll_is_missing() -> None:
    """Not why the second 6 of the first roll cannot be played: yellow's blockade on space 20."""
    table = Table(PARCHEESI, [-1, 10, 71, 71], [54, 54, -1, -1])
    table.roll(6, 6)
    assert [verdict.kind for verdict in table.play((0, "t10", "t16"))] == [Kind.LEGAL]
    (foul,) = table.play((0, "t16", "t18"))
    assert foul.text == "Red moved before rolling. First the dice, then the pawn."


def test_par_19_prn_7_a_bonus_that_nobody_can_move_is_said_why() -> None:
    """It was said that it is yellow's turn, though yellow's blockade on space 20 is what forbids the 20."""
    for state, rule in ((PARCHEESI, "PAR-10"), (PRINT, "PRN-9")):
        table = Table(state, [9, 71, 71, 71], [47, 54, 54, -1])  # yellow's 47 is space 13
        table.roll(3, 1)
        assert [v.kind for v in table.play((0, "t9", "t13"), (2, "t13", "base2"))] == [Kind.LEGAL]
        (foul,) = table.play((0, "t13", "t33"))
        assert (foul.seat, foul.rules, foul.put_right) == (0, (rule,), ((0, "t33", "t13"),))
        (foul,) = table.play((0, "t33", "t15"))
        assert "moved 2 spaces, but" in foul.text


@pytest.mark.parametrize(("state", "red", "yellow", "rule"), [(*LEFT[0][:3], "PAR-4"), (*LEFT[3][:3], "PRN-1")])
def test_who_moves_beside_a_play_of_which_a_die_lapses_has_not_rolled(
    state: Any, red: Any, yellow: Any, rule: str
) -> None:
    """Yellow's pawn was moved "but it is red's turn", though red has played all that can be played."""
    table = Table(state, red, yellow)
    table.roll(5, 4)
    (foul,) = table.play((0, "lane0.3", "home0"), (2, "t12", "t15"))
    assert (foul.kind, foul.seat, foul.rules[0]) == (Kind.ILLEGAL, 2, rule)


def test_a_play_that_goes_on_wrongly_is_judged_by_its_own_rule() -> None:
    """PRN-7: the piece that captured moves on 19, or another one takes the 20."""
    for wrong, word in (((0, "t13", "t32"), "exactly 20"), ((0, "t20", "t40"), "no other")):
        table = Table(PRINT, [10, 20, -1, -1], [47, -1, -1, -1])  # yellow stands on space 13
        table.roll(3)
        assert [v.kind for v in table.play((0, "t10", "t13"), (2, "t13", "base2"))] == [Kind.LEGAL]
        (foul,) = table.play(wrong)
        assert foul.rules[0] == "PRN-7" and word in foul.text


def test_the_partner_is_meant_who_plays_for_the_roller() -> None:
    """AGG-20: red is all HOME, and yellow moves what red rolled."""
    state = {**AGGRAVATION, "options": {"play": "partners"}, "seats": [0, 1, 2, 3]}
    pieces = {"0": [55, 56, 57, 58], "1": OUT, "2": [10, 20, -1, -1], "3": OUT}
    table = Table({**state, "pieces": pieces})
    table.roll(4)
    (foul,) = table.play((2, "t47", "t52"))
    assert (foul.seat, foul.rules[0]) == (2, "AGG-4") and foul.text.startswith("Yellow's marble moved 5 holes")
    assert [step.target for (step,) in foul.legal] == ["t51", "t5"], "what would be right is said to the partner, too"
    (legal,) = table.play((2, "t52", "t51"))
    assert (legal.kind, legal.seat, legal.text) == (Kind.LEGAL, 2, "Yellow moved 4.")


def test_the_partner_who_captures_for_the_roller_is_told_what_is_to_be_done() -> None:
    """AGG-6, AGG-20: red, whose marbles are all HOME, was to finish the move, and then green was blamed, whose marble
    went to its base too early."""
    state = {**AGGRAVATION, "options": {"play": "partners"}, "seats": [0, 1, 2, 3]}
    pieces = {"0": [55, 56, 57, 58], "1": [20, -1, -1, -1], "2": [3, 20, -1, -1], "3": OUT}
    table = Table({**state, "pieces": pieces})
    table.roll(3)
    asked, foul = table.play((1, "t43", "base1"), seconds=12.0)
    assert asked.text == "Green's marble is back in its base. Yellow, please finish the move that captures it."
    assert (asked.seat, foul.kind, foul.seat, foul.put_right) == (2, Kind.ILLEGAL, 2, ((1, "base1", "t43"),))
    assert foul.legal
    assert [verdict.kind for verdict in table.play((2, "t40", "t43"))] == [Kind.LEGAL]


def test_the_partner_is_told_that_a_marble_that_was_landed_on_goes_home() -> None:
    """AGG-6, AGG-20: red's lamp blinked, who may not even touch a marble."""
    state = {**AGGRAVATION, "options": {"play": "partners"}, "seats": [0, 1, 2, 3]}
    pieces = {"0": [55, 56, 57, 58], "1": [20, -1, -1, -1], "2": [3, 20, -1, -1], "3": OUT}
    table = Table({**state, "pieces": pieces})
    table.roll(3)
    (foul,) = table.play((2, "t40", "t43"), seconds=6.0)
    assert (foul.kind, foul.seat, foul.rules) == (Kind.ILLEGAL, 2, ("AGG-6",))


def test_one_move_too_many_in_a_turn_that_goes_on_is_none_before_the_dice() -> None:
    """GLO-11, AGG-7, PAR-13: who rolls again has rolled."""
    for state, dice, moves in (
        (PARCHEESI, (3, 3), [(0, "t10", "t16"), (0, "t20", "t24")]),
        ({**GLORIA, "options": {"six_again": True}}, (6,), [(0, "t5", "t11"), (0, "base0", "t0")]),
        (AGGRAVATION, (6,), [(0, "t14", "t20"), (0, "base0", "t9")]),
    ):
        table = Table(state, [10, 20, -1, -1] if len(dice) > 1 else [5, -1, -1, -1])
        table.roll(*dice)
        (foul,) = table.play(*moves)
        assert foul.text == "Red has played the whole roll already: first roll again, then move."


FIRST = [
    (PARCHEESI, (0, "base0", "t0"), (5, 1)),
    (PRINT, (0, "base0", "t0"), (5,)),
    (GLORIA, (0, "base0", "t0"), (6,)),
    (AGGRAVATION, (0, "base0", "t9"), (6,)),
]


@pytest.mark.parametrize(("state", "move", "dice"), FIRST)
def test_a_roll_while_the_first_foul_of_a_game_stands_waits_until_it_is_put_right(
    state: Any, move: tuple[Seat, str, str], dice: Any
) -> None:
    """COM-4: no roll was in play yet, and every look after that one failed."""
    table = Table(state, OUT)
    assert [v.kind for v in table.play(move)] == [Kind.ILLEGAL]
    table.roll(*dice)
    assert table.look() == [] and table.bench.accused
    seat, origin, target = move
    restored = table.play((seat, target, origin))
    assert restored[0].kind is Kind.RESTORED and table.bench.turn is not None


def test_who_moves_wrongly_where_a_challenge_is_due_is_meant() -> None:
    """GOD-5 to GOD-7: it was said of the player who might have challenged."""
    table = Table(GOD)
    assert [v.kind for v in table.play((0, "f5", "c5"), seconds=3)] == [Kind.LEGAL]
    (foul,) = table.play((2, "g1", "f1"), seconds=7)
    assert (foul.seat, foul.rules[0]) == (2, "GOD-6") and "Black" not in foul.text and "Yellow's piece" in foul.text


def test_a_move_that_was_accepted_passes_the_turn_on() -> None:
    """COM-2, GOD-5: the next player's move was called out of turn."""
    table = Table(GOD)
    (foul,) = table.play((0, "f5", "e4"), seconds=7)
    assert foul.rules[0] == "GOD-5"
    table.tell(AcceptedAsPlayed(table.now))
    assert table.bench.due.seat == 2
    assert [v.kind for v in table.play((2, "c4", "c5"), seconds=7)] == [Kind.LEGAL]
    out_of_turn = Table(GOD)
    (foul,) = out_of_turn.play((2, "c4", "c5"), seconds=7)
    out_of_turn.tell(AcceptedAsPlayed(out_of_turn.now))
    assert foul.rules[0] in ("COM-2", "COM-3") and out_of_turn.bench.due.seat == 0


def test_doublets_count_on_though_their_play_was_accepted() -> None:
    """PAR-16: the third in a row were played as any."""
    table = Table(PARCHEESI, [10, 20, 30, 40])
    table.roll(3, 3)
    table.play((0, "t10", "t15"))
    table.tell(AcceptedAsPlayed(table.now))
    assert (table.bench.due.seat, table.bench.state.doublets) == (0, 1)
    assert table.game.with_position(table.board, 2, table.bench.state).doublets == 0, "another player's are none"


def test_the_third_doublets_with_no_pawn_to_go_back_are_told_by_their_rule() -> None:
    """PAR-16: with two fives a pawn might have entered."""
    table = Table({**PARCHEESI, "doublets": 2}, OUT)
    (passed,) = table.roll(5, 5)
    assert (passed.kind, passed.rules) == (Kind.PASS, ("PAR-16",)) and "third doublets" in passed.text
    (usual,) = Table(PARCHEESI, OUT).roll(3, 3)
    assert usual.rules == () and usual.text == "Red rolled 3 and 3 and cannot move."


@pytest.mark.parametrize("restart", [False, True])
def test_done_after_a_play_was_taken_back_and_stands_there_still_plays_it(restart: bool) -> None:
    """After a power cut, too: then it was taken for misread, and what came next was called a foul."""
    table = Table(PARCHEESI, [-1, 20, 30, 40])
    table.roll(5, 3)
    assert [v.kind for v in table.play((0, "base0", "t3"))] == [Kind.LEGAL]
    table.tell(TakenBack(table.now))
    assert table.look(5) == []
    if restart:
        table.bench = looking_anew(table.bench)
        assert table.look(3) == [] and not table.bench.begun, "the eyes must not learn the board as it is not"
    verdicts = [*table.tell(Confirmed(table.now)), *table.look(5)]
    assert [(v.kind, v.seat) for v in verdicts] == [(Kind.LEGAL, 0)]


def test_a_board_that_is_packed_away_after_the_end_is_nobodys_foul() -> None:
    """COM-6: the game is over."""
    table = Table(PARCHEESI, [70, 71, 71, 71], [5, 6, 20, -1])
    table.roll(1, 2)
    assert [v.kind for v in table.play((0, "lane0.7", "home0"))] == [Kind.LEGAL, Kind.OVER]
    assert table.play((2, "t39", ""), seconds=6) == []
    assert table.play((0, "home0", "base0"), (0, "home0", "base0"), seconds=6) == []


def test_a_game_that_is_won_by_word_is_over() -> None:
    """COM-6: where no camera watches, the last play is told as a position, or accepted; the end was never said."""
    table = Table(PARCHEESI, [70, 71, 71, 71], [5, 6, 20, -1])
    table.roll(1, 2)
    won = {**PARCHEESI, "pieces": {"0": [71] * 4, "2": [5, 6, 20, -1]}}
    verdicts = table.tell(PositionSet(table.now, won, "phone"))
    assert [v.kind for v in verdicts] == [Kind.LEGAL, Kind.OVER] and verdicts[-1].winner == (0,)
    accepted = Table(PARCHEESI, [64, 71, 71, 71], [5, 6, 20, -1])
    accepted.roll(1, 2)
    assert [v.kind for v in accepted.play((0, "lane0.1", "home0"))] == [Kind.ILLEGAL]
    assert [v.kind for v in accepted.tell(AcceptedAsPlayed(accepted.now))] == [Kind.LEGAL, Kind.OVER]


NEARLY = {
    "parcheesi": (PARCHEESI, [70, 71, 71, 71], (1, 3)),
    "parcheesi-print": (PRINT, [68, 71, 71, 71], (3,)),
    "gloria": (GLORIA, [40, 42, 43, 44], (1,)),
    "aggravation": (AGGRAVATION, [50, 56, 57, 58], (5,)),
}
"""Red could win with this roll."""


@pytest.mark.parametrize("game", NEARLY)
def test_com_2_a_roll_that_could_have_won_and_is_accepted_as_it_was_not_played_is_over(game: str) -> None:
    state, red, dice = NEARLY[game]
    table = Table(state, red, [5, -1, -1, -1])
    table.roll(*dice)
    table.look()
    table.tell(AcceptedAsPlayed(table.now))
    assert table.bench.due.seat == 2 and getattr(table.bench.state, "doublets", 0) == 0


def test_par_13_doublets_that_could_have_won_and_are_accepted_as_they_stand_roll_again() -> None:
    table = Table(PARCHEESI, [70, 71, 71, 71], [5, -1, -1, -1])
    table.roll(1, 1)
    table.look()
    table.tell(AcceptedAsPlayed(table.now))
    assert table.bench.due.seat == 0 and table.bench.state.doublets == 1


@pytest.mark.parametrize("spaces, due", [(3, 2), (9, 2), (34, 0)], ids=["one die", "two dice", "no roll"])
def test_a_play_whose_roll_was_never_told_is_accepted_and_over(spaces: int, due: Seat) -> None:
    """What no roll explains was no play: red is still to roll."""
    table = Table(PRINT, [6, -1, -1, -1])
    table.play((0, NAMES[0][6], NAMES[0][6 + spaces]), seconds=6.0)
    table.tell(AcceptedAsPlayed(table.now))
    assert (table.bench.due.kind, table.bench.due.seat) == (DueKind.ROLL, due)


CHALLENGED: list[tuple[str, tuple[tuple[Seat, str, str], ...], tuple[int, ...], Seat]] = [
    ("nothing is put", (), (), 2),
    ("the challenger puts", ((2, "c4", ""), (0, "c5", "c4")), (), 2),
    ("the challenger puts after one throw", ((2, "c4", ""), (0, "c5", "c4")), (5,), 2),
    ("the challenged puts", ((0, "c5", ""), (2, "c4", "c5")), (), 2),
    ("the challenger moves another", ((0, "h5", "h4"),), (), 2),
]


@pytest.mark.parametrize("moves, throws, due", [case[1:] for case in CHALLENGED], ids=[case[0] for case in CHALLENGED])
def test_god_12_and_13_a_challenge_whose_throws_were_not_told_is_over_when_the_board_is_accepted(
    moves: tuple[tuple[Seat, str, str], ...], throws: tuple[int, ...], due: Seat
) -> None:
    table = Table(GOD)
    table.play((0, "f5", "c5"), seconds=4.0)
    table.tell(Challenged(table.now, "c4"))
    for seat, value in zip((0, 2), throws, strict=False):
        table.tell(Thrown(table.now, seat, value))
    table.play(*moves, seconds=8.0)
    table.tell(AcceptedAsPlayed(table.now))
    assert (table.bench.due.kind, table.bench.due.seat) == (DueKind.MOVE, due)


def test_god_11_a_challenge_that_may_be_made_is_declined_where_the_board_is_accepted() -> None:
    table = Table(GOD)
    table.play((0, "f5", "c5"), seconds=4.0)
    assert table.bench.due.kind is DueKind.CHALLENGE
    table.tell(AcceptedAsPlayed(table.now))
    assert (table.bench.due.kind, table.bench.due.seat) == (DueKind.MOVE, 2)


def test_agg_20_who_plays_a_partners_roll_is_the_one_who_must_move() -> None:
    state = {"game": "aggravation", "options": {"arms": 4, "play": "partners"}, "seats": [0, 1, 2, 3], "due": 0,
             "pieces": {"0": [55, 56, 57, 58], "1": OUT, "2": [7, -1, -1, -1], "3": OUT}}  # fmt: skip
    table = Table(state)
    table.roll(4)
    table.look()
    assert table.tell(Confirmed(table.now, "phone")) == []
    verdict, = table.look()
    assert (verdict.kind, verdict.rules, verdict.seat) == (Kind.ILLEGAL, ("COM-4",), 2)
    assert verdict.text == "Red rolled 4, and one of yellow's marbles can move, and so must."


def test_agg_22_a_roll_before_the_declaration_is_refused_in_words_for_people() -> None:
    state = {"game": "aggravation", "options": {"arms": 6, "play": "teams"}, "seats": [0, 1, 2, 3, 4, 5], "due": 0,
             "pieces": {"0": [83, 84, 85, 86], "2": [7, *OUT[:3]], **{str(seat): OUT for seat in (1, 3, 4, 5)}}}
    table = Table(state)
    said = "^Red is all HOME: first say on the phone who plays the roll, .+ or .+; then roll$"
    with pytest.raises(NotDue, match=said):
        table.roll(4)
