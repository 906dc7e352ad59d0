"""Reading and playing .game stories: a game written down so that a player can check it.

A line is one of (a "#" begins a comment; a sentence in "quotes" at the end is for the reader):

    game   gloria                           which game; Parcheesi where the line is missing
    options home=center opening_dice=2      variations, if any; before the seats
    seats  red green                        who sits at the table, by the colours of the game (COLORS)
    start  red base base t62 t62 / green …  where the pieces stand; the colour named first is to begin its turn
    doublets 2                              Parcheesi: doublets thrown in a row by the player due
    opened red                              Gloria: who has thrown a first 6, where more dice are opened with
    red  answers right                      Gloria: the answer to the question, right or wrong
    red  declares blue                      Aggravation: whose marbles play the roll
    red  rolls 5 3   base0 > t0, t0 > t3    legal                a complete play, of one die or several
    red  rolls 5 3   t0 > t3                partial              a play that goes on
    red  rolls 5 3   t0 > t5                illegal PAR-2        a step, or stopping there, is illegal
    red  rolls 5 3   pass                   legal                nothing can be moved, or the rest is declined
    board  red …  / green …                 where the pieces stand now
    due    green                            whose turn it is; "due green question" says what is due, too
    wins   red                              or several: partners, teams

"t60 > t66 > t2" is one piece, step by step; "," begins with another. They are those of the player whose pieces
the roll moves, unless a colour is named: "blue t3 > t7". In start and board a space is `base` or `home` for the
colour's own, else its name; "t0*" is a pawn of Gloria that has been round and is about to go home.
After an illegal or partial line the game is as it was before that line's roll, so that several lines can show
several plays of one situation.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.model import DueKind, Position, Roll, Seat, Step

COLORS = {
    "parcheesi": ("red", "green", "yellow", "blue"),
    "parcheesi-print": ("red", "green", "yellow", "blue"),
    "gloria": ("red", "blue", "yellow", "green"),
    "aggravation": ("red", "blue", "yellow", "green"),
}
SIX_ARMS = ("red", "orange", "yellow", "green", "blue", "purple")
"""Aggravation's colours with six arms; a game has six with `arms=6`, or with five or six players."""
WENT_ROUND = 40
"""Gloria's progress of a pawn that stands on its starting space again."""

PLAY = re.compile(r"(\w+)\s+rolls((?:\s+\d)+)\s+(.*?)\s+(legal|partial|illegal)\b\s*([A-Z]+-\d+)?")


def colors_of(name: str, options: Mapping[str, Any], count: int) -> tuple[str, ...]:
    """The colour of each seat, for a game of `count` players."""
    six = name == "aggravation" and options.get("arms", 6 if count > 4 else 4) == 6
    if name not in COLORS:
        raise ValueError(f"COLORS of {Path(__file__).name} does not name the seats of {name!r}")
    return SIX_ARMS if six else COLORS[name]


@dataclass
class Story:
    """A story while it is played: `game` and `state` as they are before the next line."""

    name: str = "parcheesi"
    given: dict = field(default_factory=dict)
    game: Game | None = None
    state: object = None
    color_seats: dict = field(default_factory=dict)

    def read(self, path: Path) -> None:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            text = line.split("#")[0].split('"')[0].strip()
            if not text:
                continue
            try:
                self.line(text)
            except Exception as error:
                raise AssertionError(f"{path.name}:{number}: {line.strip()}\n  {error}") from error

    def line(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word in self.color_seats:
            verbs = {"rolls": self.play, "answers": self.answers, "declares": self.declares}
            one_of(verbs, (rest.split() or [""])[0], "after a colour stands")(text)
        else:
            lines = {name.removeprefix("line_"): name for name in dir(self) if name.startswith("line_")}
            name = one_of({**lines, **self.color_seats}, word, "a line begins with")
            getattr(self, name)(rest.strip())

    def line_game(self, text: str) -> None:
        self.name = text

    def line_options(self, text: str) -> None:
        self.given = {key: value(word) for key, word in (pair.split("=") for pair in text.split())}

    def line_seats(self, text: str) -> None:
        words = text.split()
        colors = colors_of(self.name, self.given, len(words))
        self.color_seats = {color: seat for seat, color in enumerate(colors)}
        self.game = game_for(self.name, tuple(map(self.seat, words)), self.given)
        self.state = self.game.opening(self.game.seats[0])

    def line_start(self, text: str) -> None:
        position, rounders = self.position(text)
        self.state = self.game.with_position(position, self.seat(text.split()[0]))
        pieces = self.game.to_json(self.state)["pieces"]
        for seat in rounders:
            pieces[str(seat)].remove(0)
            pieces[str(seat)].append(WENT_ROUND)
        self.change(pieces=pieces)

    def line_doublets(self, text: str) -> None:
        self.change(doublets=int(text))

    def line_opened(self, text: str) -> None:
        self.change(opened=sorted(self.seat(word) for word in text.split()))

    def line_board(self, text: str) -> None:
        position, rounders = self.position(text)
        assert self.game.position(self.state) == position, self.game.position(self.state)
        if self.name == "gloria":
            pieces = self.game.to_json(self.state)["pieces"]
            assert rounders == [s for s in sorted(self.game.seats) for p in pieces[str(s)] if p == WENT_ROUND], pieces

    def line_due(self, text: str) -> None:
        due, (color, *kind) = self.game.due(self.state), text.split()
        assert due.kind not in (DueKind.PLAY, DueKind.OVER), f"{due.kind} is due"
        assert due.seat == self.seat(color), f"seat {due.seat} is due"
        assert kind in ([], [due.kind]), f"{due.kind} is due"

    def line_wins(self, text: str) -> None:
        won = self.game.winners(self.state)
        assert set(won) == {self.seat(word) for word in text.split()}, f"the seats that have won are {list(won)}"

    def seat(self, color: str) -> Seat:
        return one_of(self.color_seats, color, "the seats are")

    def change(self, **fields: Any) -> None:
        """The state with other fields of its STATE."""
        self.state = self.game.from_json(self.game.to_json(self.state) | fields)

    def position(self, text: str) -> tuple[Position, list[Seat]]:
        """What stands where, and the seat of each pawn that has been round, ascending."""
        contents: dict[str, list[Seat]] = {}
        rounders = []
        for part in text.split("/"):
            color, *spaces = part.split()
            seat = self.seat(color)
            for space in spaces:
                name = f"{space}{seat}" if space in ("base", "home") else space.removesuffix("*")
                contents.setdefault(name, []).append(seat)
                rounders += [seat] * space.endswith("*")
        return Position.of(contents), sorted(rounders)

    def answers(self, text: str) -> None:
        color, _, answer = text.split()
        self.is_due(color, DueKind.QUESTION)
        self.state = self.game.answer(self.state, {"right": True, "wrong": False}[answer])

    def declares(self, text: str) -> None:
        color, _, partner = text.split()
        self.is_due(color, DueKind.DECLARATION)
        self.state = self.game.declare(self.state, self.seat(partner))

    def is_due(self, color: str, kind: DueKind) -> None:
        due = self.game.due(self.state)
        assert (due.kind, due.seat) == (kind, self.seat(color)), f"{due.kind} is due from seat {due.seat}"

    def is_playing(self, state: object) -> bool:
        return self.game.due(state).kind is DueKind.PLAY

    def play(self, text: str) -> None:
        written = PLAY.fullmatch(text)
        assert written, "a play is written like: red rolls 5 3  base0 > t0, t0 > t3  legal (or partial, illegal PAR-2)"
        color, dice, way, verdict, rule = written.groups()
        self.is_due(color, DueKind.ROLL)
        state = self.game.hear(self.state, Roll(tuple(int(die) for die in dice.split())))
        found = ()
        for step in self.steps(way, self.game.mover(state)):
            found = self.game.objections(state, step)
            if found:
                break
            state = self.game.take(state, step)
        if self.is_playing(state) and not found and verdict != "partial":
            found = self.game.unfinished(state)
            state = state if found else self.game.stop(state)
        broken = [objection.rule for objection in found]
        breaks = f"it breaks {', '.join(broken) or 'no rule'}"
        assert (verdict == "illegal") == bool(broken), f"{breaks}, and {verdict} stands here"
        assert rule is None or rule in broken, f"{breaks}, and {rule} stands here"
        if verdict == "partial":
            assert self.is_playing(state), "the play is complete"
        if verdict == "legal":
            self.state = state

    def steps(self, way: str, mover: Seat) -> list[Step]:
        """The single steps of "t60 > t66 > t2, base0 > t0"."""
        found = []
        for chain in way.split(",") if way.strip() != "pass" else ():
            color, _, rest = chain.strip().partition(" ")
            seat, path = (self.seat(color), rest) if color in self.color_seats else (mover, chain)
            found += [Step(seat, a.strip(), b.strip()) for a, b in pairwise(path.split(">"))]
        return found


def one_of(known: Mapping[str, Any], word: str, what: str) -> Any:
    """What a word means. Raises ValueError, which names those that there are."""
    if word not in known:
        raise ValueError(f"{what} {', '.join(known)}, not {word!r}")
    return known[word]


def value(word: str) -> Any:
    """An option's value: a number, true or false, else the word itself."""
    try:
        return json.loads(word)
    except ValueError:
        return word
