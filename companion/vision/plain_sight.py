"""What is in plain sight and was not understood: a reading that leaves it out is a doubt, whatever speaks for it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from companion.model import SpaceSeen
from companion.vision.evidence import Evidence
from companion.vision.pose import Flat
from companion.vision.standing import Match

Ints = npt.NDArray[np.int64]

_ODD = 2.0  # nats against the empty board
_MOST_OF_IT = 0.6  # share of a piece's place that is not the board
_PLAIN, _HARDLY = 1.5, 0.3  # nats a pixel for a colour that is surely there, and for one that is not


def misunderstood(found: Match, told: Evidence, spaces: dict[str, SpaceSeen], known: Collection[str]) -> set[str]:
    """Spaces in whose middle something lies that is neither the board nor a piece that was found, or on which another
    colour is seen than the one that was read. spaces: as read, in the sheet's order; seats' colours in their order.
    known: spaces that are left out.
    """
    where, odd = found.where, told.odd.ravel()
    firsts = np.searchsorted(where.space, np.arange(len(spaces)))
    free = (found.front > 1e8) & (odd > _ODD) & ~told.dim.ravel()
    doubts = set()
    for index, (name, seen) in enumerate(spaces.items()):
        if seen.covered or name in known:
            continue
        pixels, own = where.hidden_by(int(firsts[index]))
        if not own:
            continue
        if not seen.content:
            strange = free[pixels[:own]].mean() > _MOST_OF_IT
        else:
            strange = _of_another_color(found, told.open, index, pixels[:own])
        if strange:
            doubts.add(name)
    return doubts


def _of_another_color(found: Match, evidence: Flat, space: int, pixels: Ints) -> bool:
    """Whether the middle of a space looks plainly of a colour that no piece read on it has, nor one before it."""
    mine = {color for place, color in found.standing if found.where.space[place] == space}
    claimed = [found.where.hidden_by(p)[0] for p, _ in found.standing if found.where.space[p] != space]
    own = np.setdiff1d(pixels, np.concatenate(claimed)) if claimed else pixels
    if not mine or len(own) < len(pixels) / 2:
        return False
    nats = evidence[own].mean(axis=0)
    best = int(np.argmax(nats))
    return best not in mine and nats[best] > _PLAIN and max(nats[list(mine)]) < _HARDLY
