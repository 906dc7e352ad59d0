"""A game's spaces laid over a board that is drawn to other proportions, by a few of them that were tapped.

Boards of one game differ in proportions and seldom in kind: rows stay rows, and what one seat has, all have, turned.
So the spaces where rows begin, end and bend are *knots*. A knot lies where it was tapped; or where the same knot of
another seat, turned round the board's middle, was; or where a smooth warp through the known ones puts it: an affine
map, and a thin-plate spline for what is left (F. L. Bookstein, "Principal Warps", 1989). Other spaces lie evenly
between their knots. Places are millimetres of the board, (x, y).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from companion.model import BadInput, Sheet, Space
from companion.vision.view.pose import Floats

Point = tuple[float, float]
Ints = npt.NDArray[np.int64]

LEAST_TAPS = 4
"""Spaces that must be tapped."""
_STIFF = 1e-3  # of the spline: a tap is a millimetre off, more or less
_LINE = 0.02  # of the layout's extent: taps that all lie nearer to one line say nothing of the other direction
_SQUARE = 0.03  # a board whose sides differ by less looks alike from all its seats
_BEND, _STRETCH = 0.35, 0.25  # radians, and share of the step, from which on a row is another one
_WIDER, _CLOSER = 1.7, 0.5  # steps between spaces, against the usual one, that are probably a mistake
_APART = 0.5  # of a step: where two seats' taps may disagree
_ASTRAY = 1.0  # steps that a tap may lie off one affine map of all; of 98 drawn boards of other makers none by 0.35


def lay(layout: Sheet, tapped: Mapping[str, Point], size: Point) -> dict[str, Space]:
    """Every space of the layout on a board of `size` mm. Raises BadInput if the taps lie on one line."""
    _check_spread(_middles(layout, list(tapped)))
    chains = chains_of(layout)
    knots = {name for chain in chains for name in _knots(layout, chain)} | set(tapped)
    known = _turned(layout, tapped, size) | dict(tapped)
    rest = [name for name in layout.spaces if name in knots and name not in known]
    places = known | dict(zip(rest, _warp(layout, known, rest), strict=True))
    for chain in chains:
        places |= _between(layout, chain, places)
    names = list(layout.spaces)
    swell = _room(np.array([places[n] for n in names])) / _room(_middles(layout, names))
    return {
        name: replace(layout.spaces[name], x=places[name][0], y=places[name][1], radius=layout.spaces[name].radius * s)
        for name, s in zip(names, swell.tolist(), strict=True)
    }


def next_tap(layout: Sheet, tapped: Mapping[str, Point]) -> str:
    """The space whose tap helps most: the first seat's knots along its rows, then the others', then any; "" if none."""
    knots = [name for chain in chains_of(layout) for name in _knots(layout, chain)]
    seats = len(layout.colors)
    own = [name for name in knots if _section(layout, name) in (None, 0)]
    done = {name for tap in tapped for name in _alike(layout, tap, seats)}
    if own and (left := [name for name in own if name not in done]):
        return left[0]
    left = [name for name in (*knots, *layout.spaces) if name not in tapped]
    if not left:
        return ""
    apart = np.linalg.norm(_middles(layout, left)[:, None] - _middles(layout, list(tapped))[None], axis=2)
    # Boards are symmetric: of spaces that are as far, the first, whatever the last digits say on this machine.
    return left[int(np.argmax(apart.min(axis=1).round(3)))]


def strays(layout: Sheet, spaces: Mapping[str, Space], tapped: Mapping[str, Point], size: Point) -> list[str]:
    """What was probably tapped wrong, a sentence each; the worst first."""
    astray = _astray(layout, spaces, tapped)  # what it does to rows is no more news
    return astray or [*_disagreeing(layout, spaces, tapped, size), *_uneven(layout, spaces, tapped)]


def chains_of(layout: Sheet) -> list[list[str]]:
    """Rows of spaces in order: the track, closed; each lane; each base; each row of squares; the others one by one."""
    rows: dict[str, list[str]] = {}
    for name in layout.spaces:
        found = re.fullmatch(r"(t)\d+|((?:lane|base|home)\d+)\.\d+|[a-z](\d+)", name)
        key = next((part for part in found.groups() if part), name) if found else name
        rows.setdefault(key, []).append(name)
    return [[*row, row[0]] if key == "t" else row for key, row in rows.items()]


def _knots(layout: Sheet, chain: Sequence[str]) -> list[str]:
    """The spaces of a chain where a row begins, ends or bends, in order."""
    if len(chain) < 3:
        return list(dict.fromkeys(chain))
    closed = chain[0] == chain[-1]
    points = _middles(layout, [chain[-2], *chain] if closed else list(chain))
    steps = np.diff(points, axis=0)
    turn = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(steps[:, 1], steps[:, 0])))))
    length = np.linalg.norm(steps, axis=1)
    other = np.abs(np.log(length[1:] / length[:-1])) > _STRETCH
    bent = (turn > _BEND) | other
    inner = chain[:-1] if closed else chain[1:-1]
    found = [name for name, bends in zip(inner, bent.tolist(), strict=True) if bends]
    return found if closed else [chain[0], *found, chain[-1]]


def _between(layout: Sheet, chain: Sequence[str], places: Mapping[str, Point]) -> dict[str, Point]:
    """The spaces of a chain that have no place yet, evenly between those that have."""
    closed = chain[0] == chain[-1] and len(chain) > 2
    row = list(chain[:-1]) if closed else list(chain)
    fixed = [i for i, name in enumerate(row) if name in places]
    if closed and fixed:
        fixed.append(fixed[0] + len(row))
    usual = _middles(layout, [row[i % len(row)] for i in range(2 * len(row))])
    found = {}
    for a, b in pairwise(fixed):
        steps = np.linalg.norm(np.diff(usual[a : b + 1], axis=0), axis=1)
        share = np.cumsum(steps) / steps.sum()
        one, other = np.array(places[row[a % len(row)]]), np.array(places[row[b % len(row)]])
        for i, part in zip(range(a + 1, b), share.tolist(), strict=False):
            x, y = (one + part * (other - one)).tolist()
            found[row[i % len(row)]] = x, y
    return found


def _section(layout: Sheet, name: str) -> int | None:
    """Whose part of the board a space lies in; None for what belongs to nobody."""
    found = re.fullmatch(r"(t|lane|base|home)(\d+)(?:\.\d+)?", name)
    if not found:
        return None
    number = int(found[2])
    return number * len(layout.colors) // _track(layout) if found[1] == "t" else number


def _track(layout: Sheet) -> int:
    return sum(1 for name in layout.spaces if re.fullmatch(r"t\d+", name))


def _alike(layout: Sheet, name: str, seats: int) -> list[str]:
    """The same space of each seat, from this one's on; itself alone if it belongs to nobody."""
    found = re.fullmatch(r"(t|lane|base|home)(\d+)(\.\d+)?", name)
    if not found:
        return [name]
    kind, number, place = found[1], int(found[2]), found[3] or ""
    track = _track(layout)
    if kind == "t":
        step, rest = divmod(track, seats)
        return [name] if rest else [f"t{(number + turn * step) % track}" for turn in range(seats)]
    return [f"{kind}{(number + turn) % seats}{place}" for turn in range(seats)]


def _turned(layout: Sheet, tapped: Mapping[str, Point], size: Point) -> dict[str, Point]:
    """Where the taps of each seat put the same spaces of the others: the mean, if several do."""
    found: dict[str, list[Point]] = {}
    for name, place in _turns(layout, tapped, size):
        if name not in tapped:
            found.setdefault(name, []).append(place)
    return {name: (float(x), float(y)) for name, (x, y) in ((n, np.mean(p, axis=0)) for n, p in found.items())}


def _turns(layout: Sheet, tapped: Mapping[str, Point], size: Point) -> Iterator[tuple[str, Point]]:
    """Every tap turned to every other seat that sees the same board: (space, place)."""
    seats = len(layout.colors)
    whole = {a for name in layout.spaces for a in _alike(layout, name, seats)}
    if layout.spaces.keys() != whole or not _track(layout):
        return
    middle = np.array(size) / 2
    alike = abs(size[0] / size[1] - 1) < _SQUARE
    sign = _handedness(layout, tapped)
    for name, place in tapped.items():
        for turn, other in enumerate(_alike(layout, name, seats)):
            if turn and (alike or 2 * turn == seats):
                angle = sign * 2 * math.pi * turn / seats
                c, s = math.cos(angle), math.sin(angle)
                x, y = (np.array([[c, -s], [s, c]]) @ (np.array(place) - middle) + middle).tolist()
                yield other, (x, y)


def _handedness(layout: Sheet, tapped: Mapping[str, Point]) -> float:
    """Which way round the seats sit on this board: 1 clockwise, −1 the other way, y down."""
    first, second = (next(n for n in layout.spaces if _section(layout, n) == seat) for seat in (0, 1))
    (ax, ay), (bx, by) = _middles(layout, [first, second]) - _middles(layout, list(layout.spaces)).mean(axis=0)
    fit, *_ = np.linalg.lstsq(_wide(_middles(layout, list(tapped))), np.array(list(tapped.values())), rcond=None)
    return float(np.sign(ax * by - ay * bx) * (np.sign(np.linalg.det(fit[1:])) or 1.0))


def _warp(layout: Sheet, known: Mapping[str, Point], asked: Sequence[str]) -> list[Point]:
    """Where the spaces `asked` go by a smooth warp that takes the known ones to their places."""
    start, there = _middles(layout, list(known)), np.array(list(known.values()))
    middle, scale = start.mean(axis=0), float(np.ptp(start, axis=0).max()) or 1.0
    a, b = (start - middle) / scale, (_middles(layout, list(asked)) - middle) / scale
    count = len(a)
    system = np.zeros((count + 3, count + 3))
    system[:count, :count] = _bending(a, a) + _STIFF * np.eye(count)
    system[:count, count:], system[count:, :count] = _wide(a), _wide(a).T
    answer = np.linalg.solve(system, np.vstack([there, np.zeros((3, 2))]))
    found = _bending(b, a) @ answer[:count] + _wide(b) @ answer[count:]
    return [(x, y) for x, y in found.tolist()]


def _check_spread(points: Floats) -> None:
    """Raises BadInput unless points, (N, 2), lie in more than one direction from each other."""
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if spread[-1] < _LINE * max(float(spread[0]), 1.0):
        raise BadInput("the spaces tapped so far lie on one line: tap some to both sides of it")


def _bending(one: Floats, other: Floats) -> Floats:
    """The spline's kernel r² log r between points (M, 2) and (N, 2)."""
    square = ((one[:, None] - other[None]) ** 2).sum(axis=2)
    return np.asarray(0.5 * square * np.log(np.maximum(square, 1e-12)))


def _wide(points: Floats) -> Floats:
    """Points (N, 2) with a leading 1, (N, 3)."""
    return np.column_stack([np.ones(len(points)), points])


def _middles(layout: Sheet, names: Sequence[str]) -> Floats:
    return np.array([(layout.spaces[n].x, layout.spaces[n].y) for n in names], np.float64).reshape(-1, 2)


def _room(points: Floats) -> Floats:
    """How far each point's two nearest neighbours are, on average, (N,)."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    return np.asarray(np.sort(apart, axis=1)[:, 1:3].mean(axis=1))


def _step(spaces: Mapping[str, Space]) -> float:
    """How far neighbouring spaces are from each other, mm, usually."""
    return float(np.median(_room(np.array([(s.x, s.y) for s in spaces.values()]))))


def _disagreeing(layout: Sheet, spaces: Mapping[str, Space], tapped: Mapping[str, Point], size: Point) -> list[str]:
    """Taps of the same space of two seats that do not lie alike; of those that are as far off, the last tapped."""
    turns = _turns(layout, tapped, size)
    miss = {name: round(math.dist(place, tapped[name]), 1) for name, place in turns if name in tapped}
    name = max((n for n in reversed(list(tapped)) if n in miss), key=lambda n: miss[n], default="")
    if not name or miss[name] < _APART * _step(spaces):
        return []
    told = f"{name} was tapped {miss[name]:.0f} mm from where it lies for another seat: is it the right space?"
    return [f"{told} If it is, tap the corners again."]  # where one lies off, so do right taps


def _uneven(layout: Sheet, spaces: Mapping[str, Space], tapped: Mapping[str, Point]) -> list[str]:
    """Neighbours in a row that came out too far apart or too close, where one was tapped."""
    for chain in chains_of(layout):
        usual, found = (np.linalg.norm(np.diff(p, axis=0), axis=1) for p in _both(layout, spaces, chain))
        if len(found) < 3:
            continue
        ratio = found / usual / max(float(np.median(found / usual)), 1e-6)
        worst = int(np.argmax(np.abs(np.log(np.maximum(ratio, 1e-3)))))
        if not _CLOSER < ratio[worst] < _WIDER:
            far = "too far apart" if ratio[worst] > 1 else "too close together"
            return [f"{chain[worst]} and {chain[worst + 1]} would lie {far}: tap them, or what lies near them, again"]
    return []


def _astray(layout: Sheet, spaces: Mapping[str, Space], tapped: Mapping[str, Point]) -> list[str]:
    """The tap that lies far from where all others put it, or two that were confused: makers stretch boards and bend
    them a little, but leave each space on its side of the others. Of four taps any may be the one, or two."""
    names, there = list(tapped), np.array(list(tapped.values()))
    start, most = _wide(_middles(layout, names)), _ASTRAY * _step(spaces)
    if _off_map(start, there).max() < most:
        return []
    whole = np.arange(len(names), dtype=np.int64)
    for one, other in combinations(whole if len(names) > LEAST_TAPS else (), 2):
        changed = np.where(whole == one, other, np.where(whole == other, one, whole))
        if _off_map(start, there[changed]).max() < most / 2:
            return [f"{names[one]} and {names[other]} lie in each other's place: tap both again"]
    rest = [np.delete(whole, k) for k in range(len(names))]
    k = int(np.argmin([_off_map(start[some], there[some]).max() for some in rest]))
    far = float(_off_map(start, there, rest[k])[k])
    which = names[k] if len(names) > LEAST_TAPS else f"{', '.join(names[:-1])} or {names[-1]}"
    return [f"{which} was tapped {far:.0f} mm from where the others put it: is it the right space?"]


def _off_map(start: Floats, there: Floats, by: Ints | slice = slice(None)) -> Floats:
    """How far places, (N, 2), lie off the affine map of `start`, (N, 3), that takes some of them there, all or `by`."""
    fit, *_ = np.linalg.lstsq(start[by], there[by], rcond=None)
    return np.asarray(np.linalg.norm(start @ fit - there, axis=1))


def _both(layout: Sheet, spaces: Mapping[str, Space], chain: Sequence[str]) -> tuple[Floats, Floats]:
    return _middles(layout, chain), np.array([(spaces[n].x, spaces[n].y) for n in chain])
