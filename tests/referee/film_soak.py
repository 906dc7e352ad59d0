"""A soak of eyes and referee together: pretend players, filmed by the caster that `companion evidence` uses.

The players' moves, fouls and whims are those of the other soak; every picture is cast anew, hands and all, and read as
in a real game. What was missed, whom it accused falsely and what it asked is counted. It takes about half a minute a
turn on one core. Seats and options go round with the seed, or are given; an odd seed begins in the middle of a game:

    python tests/referee/film_soak.py --of parcheesi --condition desk --turns 25 --seed 5
    python tests/referee/film_soak.py --of game-of-god --seats 4 --option size=12 --option pairs=6 --seed 6
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from soak import STEP, Result, Room, heard, midgame, report, table_of

from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.filming import Film
from calibration.evidence.lens import Floats
from calibration.evidence.making import printed
from calibration.evidence.sensor import Frame
from calibration.evidence.shop import pointed_at
from companion.games.catalogue import GAMES, game_for
from companion.games.contract import Game
from companion.model import BoardSeen, Confirmed, Kind, Saw, Sheet, Verdict, Word
from companion.referee.bench import Bench
from companion.service.boards.configured import board_options
from companion.service.boards.seats import seats_of
from companion.service.cli_values import option
from companion.service.table.eyes import Eyes
from companion.virtual.players import Players
from companion.virtual.tabletop import Hand, Pawn, Tabletop
from companion.vision import Scene, make_scene

AT_REST, IN_MOTION = 0.2, 0.5
"""Seconds between two pictures."""
OWNER = 40.0
"""Seconds after which the owner says on the phone that the board is set up, where the referee does not see it so."""
POINTS, BESIDE = 20.0, 2.0
"""Seconds after which the owner taps the corners of a board that is not found; by so many pixels beside them."""

Size = tuple[int, int]


def chosen(of: str, seed: int, seats: int | None, options: Mapping[str, Any]) -> Game[Any]:
    """The game with these options, so many playing; where nothing is asked for, as the seed's turn is."""
    return game_for(of, seats_of(of, options, seats), options) if seats or options else table_of(of, seed).game


class Filmer(Protocol):
    """Pictures of one table, of which `sheet` tells the truth."""

    sheet: Sheet

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, uint8 BGR."""
        ...

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise."""
        ...


def play(
    game: Game[Any], film: Filmer, scene: Scene, seed: int, turns: int, cheat: float, whims: float, keep: Path | None
) -> Result:
    """One game before the camera. scene: what the eyes know of the board. seed decides all but the pictures."""
    rng, sheet = random.Random(seed), film.sheet
    top = Tabletop(sheet, random.Random(seed + 1))
    start = None if seed % 2 == 0 else midgame(game, rng)
    names = {seat: sheet.seat_label(seat) for seat in sheet.colors}
    room = Room(Bench.opening(game, names, start, game.seats[0]), random.Random(seed + 2), random.Random(seed + 4))
    result = Result()
    players = Players(
        game, top, room, room, rng, random.Random(seed + 5), result.tally, turns, cheat, game.seats[0], whims, start
    )  # fmt: skip
    scene = replace(scene, players=frozenset(game.seats))
    eyes, next_look, waits_since, seen_at, taps = Eyes(scene), 0.0, 0.0, 0.0, np.random.default_rng(seed)
    while not players.over and room.now < turns * 120:
        room.now += STEP
        players.advance(room.now)
        words: list[Word] = list(room.due_words())
        if not waits_for_the_set_up(room, players):
            waits_since = room.now
        elif room.now - waits_since > OWNER:
            waits_since = room.now
            words.append(Confirmed(room.now, "phone"))
            result.helped.append(f"seed {seed} {room.now:7.2f} the owner says that the board is set up")
        if room.now >= next_look:
            next_look = room.now + (AT_REST if top.hand is None else IN_MOTION)
            frame = film.frame(top.pawns, top.hand)
            sighting = eyes.look(frame, room.now)
            if isinstance(sighting, BoardSeen) or top.hand is not None:
                seen_at = room.now
            elif room.now - seen_at > POINTS:
                seen_at = room.now
                eyes.show(pointed_at(frame, scene, film.corners(), BESIDE, taps))
                result.helped.append(f"seed {seed} {room.now:7.2f} the owner shows where the board lies")
            words.append(Saw(room.now, sighting))
            result.log += [f"{room.now:7.2f} wrong: {line}" for line in wrong(sighting, top, game.stacks)]
            if keep is not None:
                cv2.imwrite(str(keep / f"{game.name}-{seed}-{round(1000 * room.now):08d}.jpg"), frame)
        for word in words:
            began = room.bench.begun
            verdicts = room.tell(word)
            eyes.ruled(word, verdicts, room.bench, began=room.bench.begun and not began)
            for verdict in verdicts:
                heard(result, players, room, verdict, seed)
                result.log += [f"{room.now:7.2f} read: {line}" for line in read(verdict, eyes.seen)]
    result.tally.rolls += room.rolls
    result.refused += room.refused if players.over else [*room.refused, f"stuck at turn {result.tally.turns}"]
    return result


def waits_for_the_set_up(room: Room, players: Players) -> bool:
    """Whether everybody waits for the referee to see that the board is set up, which it is."""
    bench, tally = room.bench, players.tally
    ready = players.table.hand is None and not tally.foul_stands
    return ready and not bench.begun and bench.rolloff is None


def read(verdict: Verdict, sighting: object) -> Iterator[str]:
    """How the spaces were read that a question or an accusation is about: contents with their log-likelihoods."""
    if verdict.kind not in (Kind.UNCLEAR, Kind.ILLEGAL) or not isinstance(sighting, BoardSeen):
        return
    about = set(verdict.facts.get("spaces", ()))
    if verdict.position is not None and verdict.seen is not None:
        about |= set(verdict.position.changed(verdict.seen))
    for name in sorted(about & sighting.spaces.keys()):
        seen = sighting.spaces[name]
        likely = sorted(seen.likelihoods.items(), key=lambda one: -one[1])[:4]
        yield f"{name} {'covered' if seen.covered else likely}"


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


def _size(text: str) -> Size:
    width, height = text.split("x")
    return int(width), int(height)


def parser_of(about: str | None, turns: int) -> argparse.ArgumentParser:
    """What any film is told: its game, who plays and how, and what is kept of it."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=sorted(GAMES), default="parcheesi")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="of the game")
    parser.add_argument("--seats", type=int, choices=range(2, 7), default=None, metavar="N", help="how many play")
    parser.add_argument("--turns", type=int, default=turns)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cheat", type=float, default=0.4)
    parser.add_argument("--whims", type=float, default=0.15)
    parser.add_argument("--log", action="store_true", help="print every ruling, and every space read wrong")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures")
    return parser


def main() -> None:
    """From the command line."""
    parser = parser_of(__doc__, turns=25)
    parser.add_argument("--condition", choices=sorted(CONDITIONS), default="desk")
    parser.add_argument("--size", type=_size, default=None, metavar="WxH", help="of the pictures (960x720: faster)")
    args = parser.parse_args()
    game = chosen(args.of, args.seed, args.seats, dict(args.option))
    sheet, texture = printed(game.name, tuple(board_options(game).items()))
    film = Film(sheet, texture, args.condition, np.random.default_rng([args.seed, 77]), args.size)
    scene = make_scene(sheet, texture)
    result = play(game, film, scene, args.seed, args.turns, args.cheat, args.whims, args.keep)
    sys.stdout.write(report(result, args.log) + "\n")


if __name__ == "__main__":
    main()
