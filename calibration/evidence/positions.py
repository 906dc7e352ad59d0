"""Positions at random that might be of a game: what stands on which space, and where on it each piece stands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.model import Content, Seat, Sheet, Space


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece on a space: where its foot's middle is, mm, and how many pieces it stands on."""

    seat: Seat
    space: str
    x: float
    y: float
    level: int = 0


def position(sheet: Sheet, rng: np.random.Generator) -> list[Standing]:
    """Pieces of two seats or more; bases full or in part."""
    seats = sorted(sheet.colors)
    playing = rng.permutation(seats)[: int(rng.integers(2, len(seats) + 1))]
    contents: dict[str, list[Seat]] = {}
    for seat in map(int, playing):
        (_stack if sheet.piece.kind == "disc" else _race)(sheet, seat, contents, rng)
    return [standing for name, held in contents.items() for standing in placed(sheet, name, held, rng)]


def seen(standing: Sequence[Standing]) -> Mapping[str, Content]:
    """What a camera should read: the pieces of each space by seat, of a stack the top alone."""
    contents: dict[str, list[Standing]] = {}
    for piece in standing:
        contents.setdefault(piece.space, []).append(piece)
    return {
        name: tuple(sorted(p.seat for p in held if p.level == max(q.level for q in held)))
        for name, held in contents.items()
    }


def _stack(sheet: Sheet, seat: Seat, contents: dict[str, list[Seat]], rng: np.random.Generator) -> None:
    """Stacks of one to four of a seat's own, some with another's piece on top."""
    squares = list(sheet.spaces)
    for name in rng.choice(squares, size=min(7, len(squares) // 5), replace=False):
        held = contents.setdefault(str(name), [])
        held += [seat] * (1 if held else int(rng.choice([1, 2, 2, 2, 3, 4])))


def _race(sheet: Sheet, seat: Seat, contents: dict[str, list[Seat]], rng: np.random.Generator) -> None:
    """All pieces of a seat: in its base, on the track (two together at times), in its lane, at home."""
    base = [name for name in sheet.spaces if name.split(".")[0] == f"base{seat}"]
    count = len(base) if len(base) > 1 else 4
    in_base = int(rng.integers(0, count + 1))
    for k in range(in_base):
        contents.setdefault(base[k] if len(base) > 1 else base[0], []).append(seat)
    track = [name for name in sheet.spaces if name[0] == "t" and name[1:].isdigit()]
    lane = [name for name in sheet.spaces if name.startswith(f"lane{seat}.")]
    goals = [name for name in (f"home{seat}", "center") if name in sheet.spaces]
    for _ in range(count - in_base):
        where = rng.choice([*("track",) * 6, "lane", "lane", "goal"])
        options = {"track": track, "lane": lane or track, "goal": goals or lane or track}[str(where)]
        pair = sheet.game.startswith("parcheesi")
        _put(sheet, seat, options, track, contents, pair, rng)


def _put(
    sheet: Sheet, seat: Seat, options: list[str], track: list[str], contents: dict[str, list[Seat]], pair: bool,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Put one piece on a space that may hold it."""
    if pair and options is track and rng.random() < 0.3:
        single = [name for name in track if contents.get(name) == [seat]]
        options = single or options
    for name in map(str, rng.permutation(options + track)):
        held = contents.setdefault(name, [])
        wide = sheet.spaces[name].is_area and sheet.spaces[name].radius > sheet.piece.diameter
        if not held or wide or (pair and held == [seat]):
            held.append(seat)
            return


def placed(sheet: Sheet, name: str, held: Sequence[Seat], rng: np.random.Generator) -> list[Standing]:
    """Where the pieces of one space stand, each a little off its mark."""
    space, wide = sheet.spaces[name], sheet.piece.diameter + 0.5
    if sheet.piece.kind == "disc":
        spots = [_near(space, 0.12 * space.radius, rng)]
        spots += [(spots[0][0] + rng.normal(0, 0.6), spots[0][1] + rng.normal(0, 0.6)) for _ in held[1:]]
        return [Standing(seat, name, *spot, level) for level, (seat, spot) in enumerate(zip(held, spots, strict=True))]
    if len(held) == 1 and not space.is_area:
        reach = 0.4 if sheet.piece.kind == "marble" else 0.3 * space.radius
        return [Standing(held[0], name, *_near(space, reach, rng))]
    if space.is_area:
        return [Standing(s, name, *spot) for s, spot in zip(held, _apart(space, len(held), wide, rng), strict=True)]
    dx, dy = _across(sheet, space)
    slip = rng.normal(0, 0.5, (2, 2))
    return [
        Standing(seat, name, space.x + dx * wide * (k - 0.5) + slip[k][0], space.y + dy * wide * (k - 0.5) + slip[k][1])
        for k, seat in enumerate(held)
    ]


def _near(space: Space, reach: float, rng: np.random.Generator) -> tuple[float, float]:
    angle, far = rng.uniform(0, 2 * math.pi), reach * math.sqrt(rng.random())
    return space.x + far * math.cos(angle), space.y + far * math.sin(angle)


def _across(sheet: Sheet, space: Space) -> tuple[float, float]:
    """Across the path: at right angles to the way to the nearest space."""
    small = [s for s in sheet.spaces.values() if s.name != space.name and not s.is_area]
    near = min(small, key=lambda s: math.hypot(s.x - space.x, s.y - space.y))
    dx, dy = near.x - space.x, near.y - space.y
    return -dy / math.hypot(dx, dy), dx / math.hypot(dx, dy)


def _apart(space: Space, count: int, wide: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Places in an area, none nearer to another than `wide`; where chance finds none, closer to the rim."""
    found: list[tuple[float, float]] = []
    tries = 0
    while len(found) < count:
        reach = max(0.0, space.radius - wide / 2) * (1 if tries < 400 else 1.25)
        spot = _near(space, reach, rng)
        tries += 1
        if all(math.dist(spot, other) >= wide for other in found) or tries > 2000:
            found.append(spot)
    return found
