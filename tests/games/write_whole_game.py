"""Prints a whole game of random legal play as a story; parcheesi/whole_game.game is one."""

from random import Random

from stories import SEATS

from companion.games.parcheesi import Parcheesi
from companion.model import Roll

COLORS = {seat: color for color, seat in SEATS.items()}


def whole_game(seed: int, colors: tuple[str, ...]) -> list[str]:
    """The lines of a game of `colors`, the first of which begins."""
    rng, game = Random(seed), Parcheesi(tuple(SEATS[color] for color in colors))
    state = game.opening(game.seats[0])
    lines = ["# A whole game of random legal play.", f"seats  {' '.join(colors)}"]
    while not game.winners(state):
        if rng.random() < 0.1:
            lines += [board(game, state), f"due    {COLORS[state.due]}"]
        mover, dice = state.due, (rng.randint(1, 6), rng.randint(1, 6))
        state, ways = game.hear(state, Roll(dice)), []
        while state.roll and not (game.may_stop(state) and rng.random() < 0.5):
            legal = game.legal_steps(state)
            if not legal:
                break
            step = rng.choice(legal)
            ways.append(f"{step.origin} > {step.target}")
            state = game.take(state, step)
        state = game.stop(state) if state.roll else state
        lines.append(f"{COLORS[mover]:6} rolls {dice[0]} {dice[1]}   {', '.join(ways) or 'pass':60} legal")
    return [*lines, board(game, state), f"wins   {COLORS[game.winners(state)[0]]}"]


def board(game: Parcheesi, state: object) -> str:
    shown = []
    for seat in game.seats:
        spaces = [name for name, content in game.position(state).items() for s in content if s == seat]
        shown.append(" ".join([COLORS[seat], *(s[:4] if s[:4] in ("base", "home") else s for s in spaces)]))
    return "board  " + " / ".join(shown)


if __name__ == "__main__":
    print("\n".join(line.rstrip() for line in whole_game(7, ("red", "blue", "yellow"))))
