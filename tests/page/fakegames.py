"""Views of every game in the states that Parcheesi does not have, made of the games' own positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import fakehub

from calibration.sheet import board_for
from companion.games.catalogue import game_from_json
from companion.model import DueKind, Seat, Sheet
from companion.model.table import MARKS, QuestionView, SeatView, TableView
from companion.referee.folding import spread

CARD = QuestionView(
    "Which is the largest animal that lives today?",
    "The blue whale",
    ("The giraffe", "The blue whale", "The great white shark", "The African elephant"),
    "Animals",
)


@dataclass(frozen=True)
class Table:
    """One game on one board in one position. stored: STATE."""

    stored: Mapping[str, Any]
    board: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sheet(self) -> Sheet:
        return board_for(self.stored["game"], self.board).sheet()

    @property
    def svg(self) -> str:
        return board_for(self.stored["game"], self.board).svg()

    def view(self, kind: DueKind, headline: str, due: Seat = 0, **more: Any) -> TableView:
        """The view while `kind` is due. more: fields of the view."""
        game, sheet = game_from_json(self.stored), self.sheet
        state = game.from_json(self.stored)
        position = dict(spread(game.position(state), sheet.spaces).items())
        stacks = {name: pieces for name, pieces in game.everything(state).items() if len(pieces) > 1}
        seats = tuple(
            SeatView(s, sheet.seat_label(s), sheet.colors[s], MARKS[s], game.home(state, s)) for s in sorted(game.seats)
        )
        usual: dict[str, Any] = {
            "position": position,
            "stacks": stacks if game.stacks else {},
            "plays": fakehub.story()[-2:],
            "devices": fakehub.devices(),
            "nouns": asdict(game.nouns),
            "actions": fakehub.ALWAYS,
        }
        return TableView(
            version=1, game=game.name, title=game.title, seats=seats, due=due, due_kind=kind, headline=headline,
            **usual | more,
        )  # fmt: skip


GLORIA = Table(
    {
        "game": "gloria", "options": {}, "seats": [0, 1, 2, 3], "due": 0,
        "pieces": {"0": [-1, 0, 17, 42], "1": [-1, -1, 5, 40], "2": [-1, -1, -1, -1], "3": [38, 41, 42, 44]},
    }
)  # fmt: skip
GLORIA_CENTER = Table(
    {
        "game": "gloria", "options": {"home": "center", "opening_dice": 2}, "seats": [0, 1, 2, 3], "due": 1,
        "pieces": {"0": [-1, 45, 45, 45], "1": [-1, 3, 41, 45], "2": [-1, -1, -1, -1], "3": [12, 45, 45, 45]},
        "opened": [0, 1, 3],
    },
    {"home": "center"},
)  # fmt: skip
PRINT = Table({**fakehub.STATE, "game": "parcheesi-print"})
AGGRAVATION = Table(
    {
        "game": "aggravation", "options": {"play": "teams", "arms": 6}, "seats": [0, 1, 2, 3, 4, 5], "due": 0,
        "pieces": {
            "0": [83, 84, 85, 86], "1": [-1, -1, 5, 900], "2": [-1, 0, 33, 85], "3": [-1, -1, -1, 40],
            "4": [-1, 19, 20, 84], "5": [-1, -1, -1, -1],
        },
    },
    {"arms": 6},
)  # fmt: skip
AGGRAVATION_FOUR = Table(
    {
        "game": "aggravation", "options": {}, "seats": [0, 1, 2, 3], "due": 2,
        "pieces": {"0": [-1, 0, 54, 58], "1": [-1, -1, -1, 900], "2": [-1, 3, 33, 57], "3": [-1, -1, -1, -1]},
    }
)  # fmt: skip
GOD = Table(
    {
        "game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "S",
        "squares": {
            "a8": "NN", "b8": "NN", "c8": "NN", "e8": "NN", "d8": "N", "e4": "N", "f5": "NS", "c4": "N", "g1": "N",
            "a4": "SSN", "a1": "SS", "b1": "SS", "c1": "SS", "e1": "S", "d4": "SSS", "h8": "S",
        },
    }
)  # fmt: skip
GOD_FOUR = Table(
    {
        "game": "game-of-god", "options": {"pairs": 3}, "seats": ["N", "E", "S", "W"], "due": "E",
        "squares": {
            "b8": "NN", "c8": "N", "d5": "NNNE", "e5": "E", "h2": "EE", "f4": "EE", "b1": "SS", "c1": "SS",
            "d1": "SS", "a2": "WW", "a3": "WW", "a4": "WW",
        },
    }
)  # fmt: skip
GAMES = {
    "gloria": GLORIA, "gloria-center": GLORIA_CENTER, "print": PRINT, "aggravation": AGGRAVATION,
    "aggravation-four": AGGRAVATION_FOUR, "god": GOD, "god-four": GOD_FOUR,
}  # fmt: skip


def question(deck: bool = True) -> TableView:
    """Gloria: blue reads red a question."""
    view = GLORIA.view(
        DueKind.QUESTION, "Blue, read a question to Red.", reader=1, deck=deck, actions=("answer", *fakehub.ALWAYS)
    )
    red, *others = view.seats
    return replace(view, seats=(replace(red, member="Ann"), *others))


def declaration() -> TableView:
    """Aggravation: red is home, and says who plays the roll."""
    return AGGRAVATION.view(
        DueKind.DECLARATION, "Red, who plays your roll: Yellow or Blue?", partners=(2, 4),
        actions=("declare", "takeback", *fakehub.ALWAYS),
    )  # fmt: skip


def dice() -> TableView:
    """Parcheesi print-and-cut: one die or both."""
    return PRINT.view(
        DueKind.ROLL, "Red, roll one die or both.", dice=(1, 2), throwing=2,
        actions=("roll", "dice", "takeback", *fakehub.ALWAYS),
    )  # fmt: skip


def moving() -> TableView:
    """Game of God: black has many moves."""
    game = game_from_json(GOD.stored)
    steps = game.legal_steps(game.begin(game.from_json(GOD.stored)))
    return GOD.view(
        DueKind.MOVE, "Black, move a piece.", 2, hints=tuple((step.origin, step.target) for step in steps),
        last=(("c8", "c4"),), actions=("takeback", *fakehub.ALWAYS, "stop"),
    )  # fmt: skip


def challenge() -> TableView:
    """Game of God: black may challenge."""
    return GOD.view(
        DueKind.CHALLENGE, "Black may challenge c4 or e4, or White moves.", 2, targets=("c4", "e4"),
        done="No challenge", last=(("d1", "d4"),),
        actions=("challenge", "confirm", "takeback", *fakehub.ALWAYS, "stop"),
    )  # fmt: skip


def four_moving() -> TableView:
    """Game of God with four: a tall stack."""
    game = game_from_json(GOD_FOUR.stored)
    steps = game.legal_steps(game.begin(game.from_json(GOD_FOUR.stored)))
    return GOD_FOUR.view(
        DueKind.MOVE, "Green, move a piece.", 1, hints=tuple((step.origin, step.target) for step in steps),
        actions=("takeback", *fakehub.ALWAYS, "stop"),
    )  # fmt: skip


def center() -> TableView:
    """Gloria with the home in the centre, many in it."""
    return GLORIA_CENTER.view(
        DueKind.PLAY, "Blue, move 4.", 1, roll=(4,), left=(4,), done="Done",
        actions=("confirm", "takeback", *fakehub.ALWAYS), hints=(("t13", "t17"), ("lane1.1", "center")),
    )  # fmt: skip


STATES = {
    "question": (GLORIA, question), "cards": (GLORIA, lambda: question(deck=False)),
    "declaration": (AGGRAVATION, declaration), "dice": (PRINT, dice), "moving": (GOD, moving),
    "challenge": (GOD, challenge), "four": (GOD_FOUR, four_moving), "center": (GLORIA_CENTER, center),
}  # fmt: skip
