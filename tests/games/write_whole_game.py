"""Prints a whole game of random legal play as a story, as the whole_game.game files are.

Run: python write_whole_game.py gloria red,blue 7 home=center
"""

import sys
from collections.abc import Iterator
from random import Random

from stories import WENT_ROUND, Story

from companion.model import DueKind, Roll


class Writer:
    """A game that is played at random, line by line."""

    def __init__(self, name: str, colors: list[str], seed: int, options: list[str]) -> None:
        self.head = [f"game   {name}", *([f"options {' '.join(options)}"] if options else [])]
        self.head.append(f"seats  {' '.join(colors)}")
        self.rng, story = Random(seed), Story()
        for line in self.head:
            story.line(line)
        self.game, self.state = story.game, story.state
        self.colors = {seat: color for color, seat in story.color_seats.items()}

    def lines(self) -> Iterator[str]:
        yield from ("# A whole game of random legal play.", *self.head)
        while not self.game.winners(self.state):
            due = self.game.due(self.state)
            if self.rng.random() < 0.1:
                yield from (self.board(), f"due    {self.colors[due.seat]} {due.kind}")
            step = {DueKind.QUESTION: self.answers, DueKind.DECLARATION: self.declares, DueKind.ROLL: self.rolls}
            yield f"{self.colors[due.seat]:6} {step[due.kind]()}"
        yield self.board()
        yield f"wins   {' '.join(self.colors[seat] for seat in self.game.winners(self.state))}"

    def answers(self) -> str:
        right = self.rng.random() < 0.8
        self.state = self.game.answer(self.state, right)
        return f"answers {'right' if right else 'wrong'}"

    def declares(self) -> str:
        partner = self.rng.choice(self.game.partners(self.state))
        self.state = self.game.declare(self.state, partner)
        return f"declares {self.colors[partner]}"

    def rolls(self) -> str:
        dice = [self.rng.randint(1, 6) for _ in range(self.rng.choice(self.game.due(self.state).dice))]
        self.state, ways = self.game.hear(self.state, Roll(tuple(dice))), []
        while self.is_playing() and not (self.game.may_stop(self.state) and self.rng.random() < 0.5):
            legal = self.game.legal_steps(self.state)
            if not legal:
                break
            step = self.rng.choice(legal)
            ways.append(f"{step.origin} > {step.target}")
            self.state = self.game.take(self.state, step)
        self.state = self.game.stop(self.state) if self.is_playing() else self.state
        return f"rolls {' '.join(map(str, dice))}   {', '.join(ways) or 'pass':60} legal"

    def is_playing(self) -> bool:
        return self.game.due(self.state).kind is DueKind.PLAY

    def board(self) -> str:
        return "board  " + " / ".join(self.pieces(seat) for seat in self.game.seats)

    def pieces(self, seat: int) -> str:
        spaces = [name for name, content in self.game.position(self.state).items() for s in content if s == seat]
        stars = self.game.to_json(self.state)["pieces"][str(seat)].count(WENT_ROUND)
        if self.game.name == "gloria" and stars:
            start = f"t{10 * seat}"
            spaces.remove(start)
            spaces.append(f"{start}*")
        return " ".join([self.colors[seat], *(s[:4] if s[:4] in ("base", "home") else s for s in spaces)])


if __name__ == "__main__":
    name, colors, seed, *options = sys.argv[1:]
    print("\n".join(line.rstrip() for line in Writer(name, colors.split(","), int(seed), options).lines()))
