"""What the page says of a bench."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from table import TestTable

from calibration.sheet import board_for
from companion.dice import DiceSource
from companion.games.catalogue import game_from_json
from companion.model import Challenged, Kind, PositionSet, Roll, Rolled, Thrown, Verdict
from companion.page.colors import shown
from companion.referee.bench import Bench, tell
from companion.service.naming import board_names
from companion.service.table.presenter import headline, plays_next, present


class Armed:
    """Dice that keep what their lamps were told."""

    def __init__(self, lamps: list[str | None]) -> None:
        self.lamps = lamps

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        self.lamps.append(rgb)


NAMES = {0: "red", 2: "yellow"}


@pytest.mark.parametrize(("pieces", "where"), [([-1, -1, 5, 20], "on space 20"), ([-1, 3, 20, 66], "in red's lane")])
def test_at_the_third_doublets_the_page_says_which_pawn_goes_back(pieces: list[int], where: str) -> None:
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 2}
    state |= {"pieces": {"0": pieces, "2": [5, 6, 7, 8]}}
    game = game_from_json(state)
    bench, _ = tell(Bench.opening(game, NAMES, game.from_json(state), 0), Rolled(1.0, Roll((4, 4))))
    said = f"Red, these are your third doublets in a row: the pawn {where} goes back to the circle."
    assert headline(bench) == said


@pytest.mark.parametrize(
    ("game", "dice", "thrown"),
    [("parcheesi-print", (5,), (1, 2)), ("parcheesi-print", (5, 3), (1, 2)), ("parcheesi", (5, 3), (2,))],
)
def test_a_roll_can_be_corrected_to_as_many_dice_as_may_have_been_thrown(
    game: str, dice: tuple[int, ...], thrown: tuple[int, ...]
) -> None:
    """Who threw both and told of one had to set the position (PRN-1)."""
    state = {"game": game, "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
    state |= {"pieces": {"0": [-1, -1, 5, 20], "2": [5, 6, 7, 8]}}
    played, sheet = game_from_json(state), board_for(game, {}).sheet()
    before = replace(Bench.opening(played, NAMES, played.from_json(state), 0), begun=True)
    assert present(before, sheet, version=1, plays=(), devices=()).thrown == ()
    bench, _ = tell(before, Rolled(1.0, Roll(dice)))
    assert present(bench, sheet, version=1, plays=(), devices=()).thrown == thrown


@pytest.mark.parametrize(
    ("game", "options", "pieces", "dice", "doublets", "expected"),
    [
        ("parcheesi", {}, [10, 20, 30, 50], (3, 1), 0, 2),
        ("parcheesi", {}, [10, 20, 30, 50], (3, 3), 0, 0),
        ("parcheesi", {}, [10, 20, 30, 50], (3, 3), 2, 2),
        ("parcheesi", {}, [10, 20, 30, 50], (), 0, None),
        ("gloria", {"six_again": True}, [-1, 20, 30, 35], (6,), 0, 0),
        ("gloria", {}, [-1, 20, 30, 35], (6,), 0, 2),
    ],
)
def test_who_plays_next_is_known_where_it_does_not_depend_on_the_play(
    game: str, options: dict[str, bool], pieces: list[int], dice: tuple[int, ...], doublets: int, expected: int | None
) -> None:
    state = {"game": game, "options": options, "seats": [0, 2], "due": 0, "doublets": doublets, "expects": "roll"}
    state |= {"pieces": {"0": pieces, "2": [5, -1, -1, -1]}}
    rules = game_from_json(state)
    bench = Bench.opening(rules, NAMES, rules.from_json(state), 0)
    if dice:
        bench, _ = tell(bench, Rolled(1.0, Roll(dice)))
    assert plays_next(bench) == expected


def test_who_plays_after_a_move_without_dice_is_whoever_sits_next() -> None:
    state = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "squares": {"a8": "NN", "b8": "NN"}}
    state["squares"] |= {f"{c}8": "NN" for c in "cdefg"} | {f"{c}1": "SS" for c in "abcdefg"}
    rules = game_from_json(state)
    assert plays_next(Bench.opening(rules, NAMES, rules.from_json(state), 0)) == 2


def test_god_13_whether_who_won_a_challenge_puts_the_piece_first_is_not_known() -> None:
    """The page took it for the winner's move, and let the other player move."""
    squares = {"b1": "N" * 13, "d4": "N", "b8": "S" * 12, "c4": "S", "h4": "S"}
    state = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "squares": squares}
    rules = game_from_json(state)
    bench = Bench.opening(rules, NAMES, rules.from_json(state), 0)
    moved = {**state, "due": "S", "squares": {**squares, "d5": "N"}}
    del moved["squares"]["d4"]
    words = (PositionSet(1.0, moved), PositionSet(2.0, {**state, "squares": {**moved["squares"], "c5": "S"}}))
    del words[1].state["squares"]["c4"]
    for word in (*words, Challenged(3.0, "d5"), Thrown(4.0, 2, 1), Thrown(5.0, 0, 6)):
        bench, _ = tell(bench, word)
    assert headline(bench) == "Red may put the piece from d5 on c5. Red, move a piece." and plays_next(bench) is None


GLORIA = {"game": "gloria", "seats": [0, 2], "pieces": {"0": [-1, 3, 20, 44], "2": [-1, -1, 5, 7]}}
PRINT = {"game": "parcheesi-print", "seats": [0, 2], "due": 2, "pieces": {"0": [-1, 3, 20, 30], "2": [-1, -1, 5, 7]}}
TEAMS = {"game": "aggravation", "options": {"arms": 6, "play": "teams"}, "seats": [0, 1, 2, 3, 4, 5]}
TEAMS |= {"pieces": {"0": [83, 84, 85, 86], **{str(seat): [-1, -1, -1, seat] for seat in range(1, 6)}}}
SQUARES = {f"{column}8": "NN" for column in "abcdef"} | {f"{column}1": "SS" for column in "abcdef"}
GOD = {"game": "game-of-god", "seats": ["N", "S"], "due": "N", "moved": "d4"}
GOD |= {"squares": {**SQUARES, "d4": "N", "d6": "N", "d5": "S", "g3": "S"}}
THROWS = {**GOD, "expects": "throws", "target": "d5"}
ROLL, CHALLENGE = ("roll", "position", "newgame"), ("challenge", "roll", "confirm", "position", "stop", "newgame")
MOMENTS: list[tuple[dict[str, object], str, tuple[str, ...], dict[str, object]]] = [
    (GLORIA, "Yellow, read a question to Red.", ("answer", "position", "newgame"), {"reader": 2}),
    ({**GLORIA, "expects": "roll"}, "Red, roll the die.", ROLL, {"dice": (1,)}),
    (PRINT, "Yellow, roll one die or both.", ("roll", "dice", *ROLL[1:]), {"dice": (1, 2)}),
    ({**PRINT, "game": "parcheesi"}, "Yellow, roll the dice.", ROLL, {"dice": (2,)}),
    (TEAMS, "Red, who plays your roll: Yellow or Blue?", ("declare", "position", "newgame"), {"partners": (2, 4)}),
    (GOD, "White, move a piece.", ("confirm", "position", "stop", "newgame"), {"done": "Done"}),
    (
        {**GOD, "expects": "challenge"},
        "White may challenge d5, or Black moves.",
        CHALLENGE,
        {"done": "No challenge", "dice": (1,), "targets": ("d5",)},
    ),
    ({**THROWS, "throws": []}, "White, throw one die for the challenge.", ROLL, {"dice": (1,)}),
    ({**THROWS, "throws": [3], "due": "S"}, "Black, throw one die for the challenge.", ROLL, {"dice": (1,)}),
    ({**PRINT, "pieces": {"0": [71] * 4, "2": [5, 6, 7, 8]}}, "Red wins.", ("position", "newgame"), {}),
]


@pytest.mark.parametrize(("moment", "said", "actions", "asked"), MOMENTS, ids=[said for _, said, *_ in MOMENTS])
def test_what_is_waited_for_is_said_and_what_makes_sense_then_can_be_done(
    moment: dict[str, object], said: str, actions: tuple[str, ...], asked: dict[str, object]
) -> None:
    state = {"options": {}, "due": 0, "doublets": 0, **moment}
    game = game_from_json(state)
    sheet = board_for(game.name, {key: value for key, value in game.options.items() if key == "arms"}).sheet()
    bench = Bench.opening(game, board_names(sheet, game.seats), game.from_json(state), 0)
    bench = replace(bench, begun=True, watched=True)
    view = present(bench, sheet, version=1, plays=(), devices=())
    assert (view.headline, view.actions) == (said, actions)
    usual = {"dice": (), "done": "", "reader": None, "partners": (), "targets": ()}
    assert {key: getattr(view, key) for key in usual} == {**usual, **asked}
    assert bool(view.hints) == (said == "White, move a piece.") and bool(view.stacks) == (game.name == "game-of-god")


def test_while_a_play_that_was_taken_back_stands_there_the_page_says_to_put_it_back() -> None:
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
    state |= {"pieces": {"0": [10, 20, 30, 50], "2": [5, -1, -1, -1]}}
    game = game_from_json(state)
    bench, _ = tell(Bench.opening(game, NAMES, game.from_json(state), 0), Rolled(1.0, Roll((3, 1))))
    played = game.position(bench.state).moved(0, "t10", "t14")
    seen = replace(bench, begun=True, watched=True, ignored=played)
    assert headline(seen) == "Red, please put the pawns back, or say “Done” if you play so after all."
    assert headline(replace(seen, ignored=None)) == "Red, move 1 and 3."


def test_a_foul_has_used_no_dice() -> None:
    """They were pale while it stood on the board, as if they were played."""
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
    state |= {"pieces": {"0": [10, 20, 30, 50], "2": [5, -1, -1, -1]}}
    game = game_from_json(state)
    bench, _ = tell(Bench.opening(game, NAMES, game.from_json(state), 0), Rolled(1.0, Roll((3, 1))))
    foul = replace(bench, trouble=Verdict(Kind.ILLEGAL, 2.0, 0, text="Red counted 5."))
    view = present(foul, board_for("parcheesi", {}).sheet(), version=1, plays=(), devices=())
    assert view.roll == (3, 1) and sorted(view.left) == [1, 3] and view.hints == ()


def test_seats_and_lamps_have_the_colours_that_the_page_draws_though_the_camera_saw_darker_ones(tmp_path: Path) -> None:
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    dark = replace(table.sheet, colors={**table.sheet.colors, 0: "#640816", 2: "#1c1b1e"})
    armed: list[str | None] = []
    table.service.parts.sheet = dark
    table.service.parts.dice = cast(DiceSource, Armed(armed))
    table.service.throws.arm()
    view = present(table.service.desk.bench, dark, version=1, plays=(), devices=())
    assert [seat.color for seat in view.seats] == [shown(dark)[0], shown(dark)[2]] and view.seats[0].color != "#640816"
    assert armed == ["FF1438"]
