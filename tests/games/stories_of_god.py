"""Reading and playing the .game stories of Game of God, so that a player can check them.

A line is one of (a "#" begins a comment; a sentence in "quotes" at the end is for the reader):

    seats  N S                       who plays; then options: size 6 pairs 2
    start  N                         who is to move; then the board, a line for each row from North to South
    8   NN NN NN NN NN NN NN .       stacks from bottom to top, West to East; "." is vacant
    N  a8 > a5        legal          a move, or a placing after a challenge
    N  a8 > b7        illegal GOD-5  a step that breaks a rule; the game stays as it was
    N  challenges b5  legal          or illegal GOD-11
    N  throws 6
    N  declines       legal          no challenge, or no placing; illegal where there is nothing to decline
    all  agree                       the players stop (GOD-16)
    due    N move                    who is due, for what: move, play, challenge, throw, over
    board                            how it stands now; then its lines
    set_up N  legal                  whether this board, of tops, may be the start; N moves first; then its lines
    wins   N S                       several share it

`python stories_of_god.py` prints a whole game of random legal play as a story.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.games.catalogue import game_for
from companion.model import BadInput, DueKind, Position, Step

SEATS = {"N": 0, "E": 1, "S": 2, "W": 3}
LETTERS = "NESW"
COLUMNS = "abcdefghijkl"
DEED = re.compile(r"([NESW])\s+(\w+)\s*(>?)\s*(\w*?)\s+(legal|illegal)\b\s*([A-Z]+-\d+)?")


@dataclass
class Story:
    """A story while it is played: `game` and `state` as they are before the next line."""

    game: object = None
    state: object = None
    pending: object = None
    rows: list[str] = field(default_factory=list)

    def read(self, path: Path) -> None:
        for number, line in enumerate([*path.read_text().splitlines(), "end"], 1):
            text = line.split("#")[0].split('"')[0].strip()
            if not text:
                continue
            try:
                self.line(text)
            except Exception as error:
                raise AssertionError(f"{path.name}:{number}: {line.strip()}\n  {error}") from error

    def line(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word.isdigit():
            self.rows.append(rest)
            if len(self.rows) == self.size:
                board, self.rows = self.position(), []
                self.pending(board)
            return
        assert not self.rows, "the board has too few rows"
        if word in SEATS:
            self.deed(text)
        else:
            getattr(self, word)(*rest.split())

    def position(self) -> Position:
        stacks = {}
        for row, line in zip(range(self.size, 0, -1), self.rows, strict=True):
            for column, stack in zip(COLUMNS[: self.size], line.split(), strict=True):
                stacks[f"{column}{row}"] = [SEATS[piece] for piece in stack if piece != "."]
        return Position.stacked(stacks)

    def end(self) -> None:
        """The last line."""

    def seats(self, *words: str) -> None:
        letters = [word for word in words if word in SEATS]
        rest = words[len(letters) :]
        options = dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
        self.game, self.size = game_for("game-of-god", [SEATS[w] for w in letters], options), options.get("size", 8)
        self.state = self.game.opening(SEATS[letters[0]])

    def start(self, letter: str) -> None:
        self.pending = lambda board: setattr(self, "state", self.game.with_position(board, SEATS[letter]))

    def board(self) -> None:
        self.pending = self.stands

    def stands(self, board: Position) -> None:
        assert self.game.everything(self.state) == board, drawn(self.game, self.state)

    def set_up(self, letter: str, verdict: str, rule: str = "") -> None:
        def check(board: Position) -> None:
            try:
                self.state = self.game.set_up(board, SEATS[letter])
            except BadInput as error:
                assert verdict == "illegal" and rule in str(error), error
            else:
                assert verdict == "legal", "this may be the start"

        self.pending = check

    def due(self, letter: str, kind: str) -> None:
        due = self.game.due(self.state)
        assert (due.seat, due.kind) == (SEATS[letter], kind), due

    def all(self, _: str) -> None:
        self.state = self.game.agree_to_stop(self.state)

    def wins(self, *letters: str) -> None:
        assert self.game.due(self.state).kind is DueKind.OVER
        assert self.game.winners(self.state) == tuple(SEATS[letter] for letter in letters)

    def deed(self, text: str) -> None:
        if " throws " in text:
            letter, _, value = text.split()
            self.state = self.game.throw(self.state, SEATS[letter], int(value))
            return
        letter, word, arrow, target, verdict, rule = DEED.fullmatch(text).groups()
        if arrow:
            self.step(Step(SEATS[letter], word, target), verdict, rule)
            return
        try:
            assert self.game.due(self.state).seat == SEATS[letter], self.game.due(self.state)
            self.state = self.game.stop(self.state) if word == "declines" else self.game.challenge(self.state, target)
        except BadInput as error:
            assert verdict == "illegal" and (rule or "") in str(error), error
        else:
            assert verdict == "legal", "this is legal"

    def step(self, step: Step, verdict: str, rule: str | None) -> None:
        found = [objection.rule for objection in self.game.objections(self.state, step)]
        assert (verdict == "illegal") == bool(found), f"breaks {found}"
        assert rule is None or found[0] == rule, f"breaks {found}"
        if not found:
            self.state = self.game.take(self.state, step)


def drawn(game, state) -> str:
    """The board as lines of a story."""
    stacks, size = game.everything(state), round(len(game.spaces()) ** 0.5)
    names = [[f"{column}{row}" for column in COLUMNS[:size]] for row in range(size, 0, -1)]
    cells = [["".join(LETTERS[seat] for seat in stacks.at(name)) or "." for name in row] for row in names]
    wide = max(len(cell) for row in cells for cell in row)
    lines = (" ".join(f"{cell:{wide}}" for cell in row) for row in cells)
    return "\n".join(f"{size - n:<3} {line}".rstrip() for n, line in enumerate(lines))


def whole_game(seed: int, letters: str, options: dict[str, int]) -> list[str]:
    """The lines of a random game that goes forward more often than not."""
    rng, game = Random(seed), game_for("game-of-god", [SEATS[letter] for letter in letters], options)
    state = game.opening(game.seats[0])
    given = "".join(f" {key} {value}" for key, value in options.items())
    lines = ["# A whole game of random legal play.", f"seats  {' '.join(letters)}{given}"]
    while game.due(state).kind is not DueKind.OVER:
        if game.due(state).kind is DueKind.MOVE and rng.random() < 0.1:
            lines += ["board", drawn(game, state), f"due    {LETTERS[game.due(state).seat]} move"]
        said, state = deed_at_random(game, state, rng)
        lines.append(said)
    winners = " ".join(LETTERS[seat] for seat in game.winners(state))
    return [*lines, "board", drawn(game, state), f"wins   {winners}"]


def deed_at_random(game, state, rng):
    """What the player due does next, as a line, and the state after it."""
    due = game.due(state)
    who = LETTERS[due.seat]
    if due.kind is DueKind.THROW:
        value = rng.randint(1, 6)
        return f"{who}  throws {value}", game.throw(state, due.seat, value)
    if game.may_stop(state) and rng.random() < 0.3:
        return f"{who}  declines         legal", game.stop(state)
    if due.kind is DueKind.CHALLENGE:
        target = rng.choice(game.targets(state))
        return f"{who}  challenges {target:5} legal", game.challenge(state, target)
    step = forward(rng.sample(game.legal_steps(state), min(3, len(game.legal_steps(state)))), rng)
    return f"{who}  {step.origin:3} > {step.target:9} legal", game.take(state, step)


def forward(steps, rng):
    """Of some steps mostly the one that comes farthest from its player's own edge."""
    way = {0: lambda s: -int(s[1:]), 1: lambda s: -ord(s[0]), 2: lambda s: int(s[1:]), 3: lambda s: ord(s[0])}
    return max(steps, key=lambda step: way[step.seat](step.target)) if rng.random() < 0.7 else rng.choice(steps)


if __name__ == "__main__":
    print("\n".join(whole_game(1, "NS", {})))
