"""What the eyes say of pawns that lie, and of pairs that stand, on tables that Blender rendered.

    python -m calibration.blender.lying --blender blender/bin/python --cache pictures --pictures 60 --seed 5

On each of our own boards stand some pawns, and pairs of one colour; one pawn fell over, its middle on a space. That
must be a doubt, and the others must not. `docs/films.md` says what Blender needs.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.blender.film import BlenderFilm, a_day
from calibration.blender.makes import fallen
from calibration.blender.scenes import printed_goods
from calibration.blender.studio import Studio, parser_of
from calibration.evidence.making import all_options, printed
from calibration.evidence.sensor import Frame
from companion.model import BadInput, BoardSeen, DeviceError, Position, Seat, Sheet
from companion.virtual.tabletop import Pawn, Tabletop
from companion.vision import Scene, look, make_scene

GAMES = ("gloria", "parcheesi", "parcheesi-print")
"""Those that are played with pawns."""
PAIRS, LONE = 3, 5
"""Pairs of one colour on one space, and pawns alone on theirs; one more lies."""
SURE, DOUBTED = 0.97, 0.7
"""A reading that is taken for certain, and one that names its space as unclear."""


@dataclass(frozen=True, eq=False, slots=True)
class Fall:
    """A picture, uint8 BGR, of a table on which a pawn lies: of whom, and its middle on which space. truth: all that
    stands."""

    frame: Frame
    scene: Scene
    seat: Seat
    space: str
    truth: Position


class FallenFilm(BlenderFilm):
    """Pictures of one table, on which some pawns lie: each with its head towards an angle, radians."""

    lies: dict[Pawn, float]

    def _piece(self, pawn: Pawn) -> dict[str, Any]:
        told = super()._piece(pawn)
        return fallen(told, self.lies[pawn]) if pawn in self.lies else told


def a_fall(seed: int, number: int, studio: Studio) -> Fall:
    """Picture `number` of a set."""
    rng = np.random.default_rng([seed, number, 66])
    game = GAMES[number % len(GAMES)]
    boards = all_options(game)
    sheet, texture = printed(game, boards[int(rng.integers(len(boards)))])
    track = [name for name, one in sheet.spaces.items() if not (one.is_area or name.startswith("base"))]
    space, *others = rng.permutation(track).tolist()
    seat, *owners = rng.choice(sorted(sheet.colors), 1 + PAIRS + LONE).tolist()
    counts = [2] * PAIRS + [1] * LONE
    truth = Position.of({n: (of,) * count for n, of, count in zip(others, owners, counts, strict=False)})
    top = Tabletop(sheet, random.Random(int(rng.integers(1 << 30))))
    top.set_up(truth)
    lies = Pawn(seat, space, (sheet.spaces[space].x, sheet.spaces[space].y))
    film = FallenFilm(printed_goods(sheet, texture, rng), a_day(sheet, False, rng, rooms=studio.rooms), studio, rng)
    film.lies = {lies: float(rng.uniform(0, 2 * math.pi))}
    return Fall(film.frame([*top.pawns, lies]), make_scene(sheet, texture), seat, space, truth)


def judged(fall: Fall, seen: BoardSeen) -> Iterator[tuple[str, str]]:
    """What is said of the pawn that lies, of each pair, and of what else is surely wrong: what it is, how it was
    read."""
    near = _reached(fall, fall.scene.sheet)
    told = seen.spaces[fall.space]
    wrong = (seen.spaces[name] for name in near if seen.spaces[name].content != fall.truth.at(name))
    surest = max(one.confidence for one in (told, *wrong))
    yield "lying", "doubted" if told.confidence < DOUBTED else _how_sure(surest)
    for name, one in seen.spaces.items():
        true = fall.truth.at(name)
        if one.covered or name in near:
            continue
        if len(true) == 2:
            yield "pair", _how_sure(one.confidence) if one.content == true else "wrong"
        elif one.content != true and one.confidence >= SURE:
            yield "surely wrong", f"{name} {one.content} for {true}"


def _how_sure(confidence: float) -> str:
    return "sure" if confidence >= SURE else "unsure" if confidence >= DOUBTED else "doubted"


def _reached(fall: Fall, sheet: Sheet) -> set[str]:
    """The spaces that a pawn which lies may touch."""
    at, reach = sheet.spaces[fall.space], sheet.piece.height / 2 + sheet.piece.diameter
    return {n for n, one in sheet.spaces.items() if math.hypot(one.x - at.x, one.y - at.y) < reach + one.radius}


def main() -> None:
    """From the command line."""
    parser = parser_of(__doc__)
    args = parser.parse_args()
    if args.pictures < 1:
        parser.error(f"--pictures {args.pictures}: 1 or more")
    studio, count = Studio(args.blender, args.cache), Counter[tuple[str, str]]()
    try:
        studio.go_to(args.rooms)
        for number in range(args.pictures):
            fall = a_fall(args.seed, number, studio)
            if args.keep is not None:
                args.keep.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(args.keep / f"{number:03}-{fall.space}.png"), fall.frame)
            seen, _ = look(fall.frame, fall.scene)
            found = list(judged(fall, seen)) if isinstance(seen, BoardSeen) else [("board", seen.reason)]
            count.update((what, how.partition(" ")[0] if what == "surely wrong" else how) for what, how in found)
            print(f"picture {number}, {fall.space}: {', '.join(f'{what} {how}' for what, how in found)}", flush=True)
    except (BadInput, DeviceError) as error:
        sys.exit(str(error))
    finally:
        studio.close()
    for (what, how), many in sorted(count.items()):
        print(f"{what:14} {how:10} {many:5}")


if __name__ == "__main__":
    main()
