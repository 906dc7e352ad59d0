"""Reading and playing .game stories: a game written down so that a player can check it.

A line is one of (a "#" begins a comment; a sentence in "quotes" at the end is for the reader):

    seats  red green                        who sits at the table
    start  red base base t62 t62 / green …  where the pawns stand; the colour named first is to roll
    doublets 2                              doublets thrown in a row by the player due
    red  rolls 5 3   base0 > t0, t0 > t3    legal                a complete play
    red  rolls 5 3   t0 > t3                partial              a play that goes on
    red  rolls 5 3   t0 > t5                illegal PAR-2        a step, or stopping there, is illegal
    red  rolls 5 3   pass                   legal                nothing can be moved
    board  red …  / green …                 where the pawns stand now
    due    green                            who rolls next
    wins   red

"t60 > t66 > t2" is one pawn, step by step; "," begins with another pawn. After an illegal or partial line the
game is as it was before that line's roll, so that several lines can show several plays of one situation.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from companion.games.parcheesi import Parcheesi
from companion.model import Position, Roll, Step

SEATS = {"red": 0, "green": 1, "yellow": 2, "blue": 3}
PLAY = re.compile(r"(\w+)\s+rolls\s+(\d)\s+(\d)\s+(.*?)\s+(legal|partial|illegal)\b\s*([A-Z]+-\d+)?")


@dataclass
class Story:
    """A story while it is played: `game` and `state` as they are before the next line."""

    game: Parcheesi | None = None
    state: object = None

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
        if word in SEATS:
            self.play(text)
        else:
            getattr(self, word)(rest.strip())

    def seats(self, text: str) -> None:
        self.game = Parcheesi(tuple(SEATS[word] for word in text.split()))
        self.state = self.game.opening(self.game.seats[0])

    def start(self, text: str) -> None:
        self.state = self.game.with_position(self.position(text), SEATS[text.split()[0]])

    def doublets(self, text: str) -> None:
        self.state = self.state._replace(doublets=int(text))

    def board(self, text: str) -> None:
        assert self.game.position(self.state) == self.position(text), self.game.position(self.state)

    def due(self, text: str) -> None:
        assert self.state.due == SEATS[text], f"seat {self.state.due} is due"

    def wins(self, text: str) -> None:
        assert self.game.winners(self.state) == (SEATS[text],)

    def position(self, text: str) -> Position:
        contents: dict[str, list[int]] = {}
        for part in text.split("/"):
            color, *spaces = part.split()
            for space in spaces:
                name = f"{space}{SEATS[color]}" if space in ("base", "home") else space
                contents.setdefault(name, []).append(SEATS[color])
        return Position.of(contents)

    def play(self, text: str) -> None:
        color, first, second, way, verdict, rule = PLAY.fullmatch(text).groups()
        state = self.game.hear(self.state, Roll((int(first), int(second))))
        found = ()
        for step in steps(SEATS[color], way):
            found = self.game.objections(state, step)
            if found:
                break
            state = self.game.take(state, step)
        if state.roll and not found and verdict != "partial":
            found = self.game.unfinished(state)
            state = state if found else self.game.stop(state)
        broken = [objection.rule for objection in found]
        assert (verdict == "illegal") == bool(broken), f"breaks {broken}"
        assert rule is None or rule in broken, f"breaks {broken}"
        if verdict == "partial":
            assert state.roll, "the play is complete"
        if verdict == "legal":
            self.state = state


def steps(seat: int, way: str) -> list[Step]:
    """The single steps of "t60 > t66 > t2, base0 > t0"."""
    if way.strip() == "pass":
        return []
    chains = [[space.strip() for space in chain.split(">")] for chain in way.split(",")]
    return [Step(seat, a, b) for chain in chains for a, b in pairwise(chain)]
