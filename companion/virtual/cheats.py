"""What pretend players do wrong: each kind of foul as moves of real pieces, and the rules that a referee may cite.

A foul is only taken where no legal play, nor any part of one, looks like it. Any game has the fouls of a single
illegal move (`cheats_single`) and some of several moves (`cheats_special`); Parcheesi has its own (`cheats_parcheesi`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from companion.virtual.cheats_parcheesi import AFTER_ROLL, before_roll
from companion.virtual.cheats_single import after_legal_moves, single_moves
from companion.virtual.cheats_special import SPECIAL
from companion.virtual.cheats_words import text_of
from companion.virtual.foul import Cheat, Make
from companion.virtual.occasion import Move, Occasion

__all__ = ["Cheat", "Move", "cheats_at", "text_of"]

TRIED = 60
"""So many ways to commit one kind of foul are looked at."""


def cheats_at(occasion: Occasion, rng: random.Random) -> list[Cheat]:
    """One foul of each kind that the occasion allows, in random order."""
    found = [cheat for make in _kinds(occasion) for cheat in _first(make(occasion, rng), occasion)]
    found += _of_each_kind(_single(occasion, rng), occasion)
    rng.shuffle(found)
    return found


def _kinds(occasion: Occasion) -> Iterable[Make]:
    if occasion.game.name == "parcheesi":
        return AFTER_ROLL if occasion.rolled else (before_roll,)
    return SPECIAL


def _single(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    if occasion.game.name != "parcheesi":
        yield from single_moves(occasion, rng)
        yield from after_legal_moves(occasion, rng)


def _first(cheats: Iterator[Cheat], occasion: Occasion) -> list[Cheat]:
    """The first of some cheats that no legal play looks like."""
    return next(([cheat] for cheat, _ in zip(cheats, range(TRIED), strict=False) if allowed(cheat, occasion)), [])


def _of_each_kind(cheats: Iterator[Cheat], occasion: Occasion) -> list[Cheat]:
    found: dict[str, Cheat] = {}
    for cheat in cheats:
        if cheat.kind not in found and allowed(cheat, occasion):
            found[cheat.kind] = cheat
    return list(found.values())


def allowed(cheat: Cheat, occasion: Occasion) -> bool:
    """Whether nothing legal looks like the foul."""
    after = occasion.shows(cheat.moves)
    return after is not None and (cheat.says_done or after not in occasion.explained)
