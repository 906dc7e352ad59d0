"""What is in plain sight and was not understood: a reading that leaves it out is a doubt, whatever speaks for it."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.model import SpaceSeen
from companion.vision.evidence import Evidence
from companion.vision.places import Places
from companion.vision.pose import Flat
from companion.vision.standing import Match

Counts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int64]

_ODD = 2.0  # nats against the empty board
_MOST_OF_IT = 0.6  # share of a piece's place that is not the board
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
