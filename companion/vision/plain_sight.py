"""What is in plain sight and was not understood: a reading that leaves it out is a doubt, whatever speaks for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.model import Seat, SpaceSeen
from companion.vision.again import Kept
from companion.vision.evidence import Evidence, tints
from companion.vision.places import Places
from companion.vision.pose import Flat, Floats
from companion.vision.standing import Match

Counts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int64]

_ODD = 2.0  # nats against the empty board
_MOST_OF_IT = 0.6  # share of a piece's place that is not the board
_BLIND_BRIGHT, _BLIND_HUE = 0.15, 0.06  # natural log and hue: an ink that is usually so far off hides pieces
_SOME, _ONE_LOOK = 4, 1.0  # of every so many pixels one is asked; nats that a piece is less likely anyway
_PLAIN, _HARDLY = 1.5, 0.3  # nats a pixel for a colour that is surely there, and for one that is not


def misunderstood(found: Match, told: Evidence, spaces: dict[str, SpaceSeen], known: Collection[str]) -> set[str]:
    """Spaces in whose middle something lies that is neither the board nor a piece that was found, or on which another
    colour is seen than the one that was read. spaces: as read, in the sheet's order; seats' colours in their order.
    known: spaces that are left out.
    """
    pixels, first, own = _middles(found.where)
    odd = (told.odd.ravel().take(pixels) > _ODD) & (found.front.take(pixels) > 1e8) & ~told.dim.ravel().take(pixels)
    strange = np.add.reduceat(odd.astype(np.int64), first) > _MOST_OF_IT * own
    doubts, crowd = set(), _crowd(found)
    for index, (name, seen) in enumerate(spaces.items()):
        if seen.covered or name in known or not own[index]:
            continue
        middle = pixels[first[index] : first[index] + own[index]]
        if (_of_another_color(found, told.open, index, middle, crowd) if seen.content else strange[index]):
            doubts.add(name)
    return doubts


def humbled(
    found: Match, kept: Kept, paints: Mapping[Seat, Floats], spaces: dict[str, SpaceSeen], known: Collection[str]
) -> dict[str, SpaceSeen]:
    """The readings, in which a space is less surely empty where its ink looks so unlike the print that a piece of some
    colour would hardly look stranger. paints: of the seats, linear BGR (3,). known: see `misunderstood`.

    All pixels of a space are one look: what is wrong with an ink is wrong with all of it.
    """
    pixels, first, own = _middles(found.where)
    ground, inks = kept.ground.tables, kept.today.surface.inks.ravel()
    blind = (ground["bright"] > _BLIND_BRIGHT) | (ground["hue"] > _BLIND_HUE)
    if not blind.any():
        return spaces
    result = dict(spaces)
    for index, (name, seen) in enumerate(spaces.items()):
        middle = pixels[first[index] : first[index] + own[index]][::_SOME]
        if seen.covered or seen.content or name in known or not blind[inks.take(middle)].mean() > 0.5:
            continue
        usual, even = (layer[0] for layer in kept.today.at(middle[None]))
        board, ink = tints(np.asarray(usual / even, np.float32)), inks.take(middle)
        levels = dict(seen.likelihoods)
        for seat, color in paints.items():
            paint = tints(kept.light.of_color(color).astype(np.float32))
            hue = (paint.u - board.u) ** 2 + (paint.v - board.v) ** 2
            off = ((paint.log - board.log) / ground["bright"][ink]) ** 2 + hue / ground["hue"][ink] ** 2
            levels[seat,] = max(levels.get((seat,), -np.inf), -0.5 * float(np.median(off)) - _ONE_LOOK)
        result[name] = SpaceSeen((), 1 / sum(float(np.exp(level)) for level in levels.values()), False, levels)
    return result


@lru_cache(maxsize=2)
def _middles(where: Places) -> tuple[Ints, Ints, Ints]:
    """The pixels, raveled, on which a piece in the middle of each space shows its own colour, space by space; where
    those of each space begin, (S,), and how many they are, (S,)."""
    firsts = np.searchsorted(where.space, np.arange(len(where.lone))).tolist()
    own = [pixels[:count] for pixels, count in map(where.hidden_by, firsts)]
    counts = np.array([len(pixels) for pixels in own])
    padded = [pixels if len(pixels) else np.zeros(1, np.int64) for pixels in own]
    starts = np.cumsum([0, *(len(pixels) for pixels in padded)])[:-1]
    return np.concatenate(padded), starts, counts


def _crowd(found: Match) -> Counts:
    """By how many pieces each pixel, raveled, is hidden."""
    crowd = np.zeros(len(found.front), np.int16)
    for place, _ in found.standing:
        crowd[found.where.hidden_by(place)[0]] += 1
    return crowd


def _of_another_color(found: Match, evidence: Flat, space: int, pixels: Ints, crowd: Counts) -> bool:
    """Whether the middle of a space looks plainly of a colour that no piece read on it has, nor one before it."""
    mine = [(place, color) for place, color in found.standing if found.where.space[place] == space]
    if not mine:
        return False
    for place, _ in mine:
        crowd[found.where.hidden_by(place)[0]] -= 1
    own = pixels[crowd.take(pixels) == 0]
    for place, _ in mine:
        crowd[found.where.hidden_by(place)[0]] += 1
    if len(own) < len(pixels) / 2:
        return False
    nats, claimed = evidence.take(own, axis=0).mean(axis=0), [color for _, color in mine]
    best = int(np.argmax(nats))
    return best not in claimed and bool(nats[best] > _PLAIN) and max(nats[claimed]) < _HARDLY
