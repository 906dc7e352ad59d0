"""A soak of eyes and referee together: pretend players, filmed by the caster that `companion evidence` uses.

The players' moves, fouls and whims are those of the other soak; every picture is cast anew, hands and all, and read as
in a real game. What was missed, whom it accused falsely and what it asked is counted. It takes about half a minute a
turn on one core:

    python tests/referee/film_soak.py --of parcheesi --condition desk --turns 25 --seed 5
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from soak import STEP, Result, Room, heard, midgame, report, table_of

from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.filming import Film
from calibration.evidence.making import printed
from companion.games.catalogue import GAMES
from companion.model import BoardSeen, Saw, Word
from companion.referee.bench import Bench
from companion.service.boards import board_options
from companion.service.eyes import Eyes
from companion.virtual.players import Players
from companion.virtual.tabletop import Tabletop
from companion.vision import make_scene

AT_REST, IN_MOTION = 0.2, 0.3
"""Seconds between two pictures."""


def play(of: str, condition: str, seed: int, turns: int, cheat: float, whims: float, keep: Path | None) -> Result:
    """One game before the camera. seed decides everything."""
    rng = random.Random(seed)
    game = table_of(of, seed).game
    sheet, texture = printed(of, tuple(board_options(game).items()))
    film = Film(sheet, texture, condition, np.random.default_rng([seed, 77]))
    top = Tabletop(sheet, random.Random(seed + 1))
    start = None if seed % 2 == 0 else midgame(game, rng)
    names = {seat: sheet.seat_label(seat) for seat in game.seats}
    room = Room(Bench.opening(game, names, start, game.seats[0]), random.Random(seed + 2), random.Random(seed + 4))
    result = Result()
    players = Players(
        game, top, room, room, rng, random.Random(seed + 5), result.tally, turns, cheat, game.seats[0], whims, start
    )  # fmt: skip
    eyes, next_look = Eyes(make_scene(sheet, texture)), 0.0
    while not players.over and room.now < turns * 120:
        room.now += STEP
        players.advance(room.now)
        words: list[Word] = list(room.due_words())
        if room.now >= next_look:
            next_look = room.now + (AT_REST if top.hand is None else IN_MOTION)
            frame = film.frame(top.pawns, top.hand)
            sighting = eyes.look(frame, room.now)
            words.append(Saw(room.now, sighting))
            result.log += [f"{room.now:7.2f} wrong: {line}" for line in wrong(sighting, top, game.stacks)]
            if keep is not None:
                cv2.imwrite(str(keep / f"{of}-{seed}-{round(1000 * room.now):08d}.jpg"), frame)
        for word in words:
            began = room.bench.begun
            verdicts = room.tell(word)
            if isinstance(word, Saw):
                eyes.ruled(verdicts, room.bench.position, began=room.bench.begun and not began)
            for verdict in verdicts:
                heard(result, players, room, verdict, seed)
    result.tally.rolls += room.rolls
    result.refused += room.refused if players.over else [*room.refused, f"stuck at turn {result.tally.turns}"]
    return result


def wrong(sighting: object, top: Tabletop, stacks: bool) -> Iterator[str]:
    """What a still board is not, though it is read so."""
    if top.hand is not None:
        return
    if not isinstance(sighting, BoardSeen):
        yield "the board is lost"
        return
    if sighting.moving:
        return
    stands = top.folded()
    for name, seen in sighting.spaces.items():
        there = stands.at(name)[-1:] if stacks else stands.at(name)
        if not seen.covered and seen.content != there:
            yield f"{name} {seen.content} for {there}, {seen.confidence:.4f}"


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=sorted(GAMES), default="parcheesi")
    parser.add_argument("--condition", choices=sorted(CONDITIONS), default="desk")
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cheat", type=float, default=0.4)
    parser.add_argument("--whims", type=float, default=0.15)
    parser.add_argument("--log", action="store_true", help="print every ruling, and every space read wrong")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures")
    args = parser.parse_args()
    result = play(args.of, args.condition, args.seed, args.turns, args.cheat, args.whims, args.keep)
    sys.stdout.write(report(result, args.log) + "\n")


if __name__ == "__main__":
    main()
