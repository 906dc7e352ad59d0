"""Bases and homes as the referee knows them: areas that hold any number of pieces, and shown place by place again.

A sheet may draw a base as four places (`base0.1` to `base0.4`). Which of them a piece waits on means nothing, so the
referee knows the base as a whole (`base0`); pictures and formats name the places.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

from companion.model import UNLIKELY, BoardLost, Content, Position, Seat, Sighting, SpaceSeen
from companion.model.board import area_of, owner_of
from companion.model.observation import BoardSeen

LEAST = 3 * UNLIKELY
"""Contents less likely than this are not followed."""
MOST = 4
"""How many pieces of its owner an area is thought to hold, at most, where it has no places and no game says more."""
IN_COMMON = 0.5
"""Share of what is doubted in an area that is doubted of all its pieces at once: what hides one of them, as a circle of
their colour or the dark, hides the others. Of 467 doubted areas in the filmed games that the eyes are mended with, one
in ten held what was given less than one in a hundred while each piece was doubted for itself."""


def places_of_bases(spaces: Iterable[str]) -> dict[str, list[str]]:
    """The places of each base that is drawn as several: {"base0": ["base0.1", …]}."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in spaces:
        area = area_of(name)
        if area is not None:
            found[area].append(name)
    return {area: sorted(names) for area, names in found.items()}


def fold(spaces: Mapping[str, SpaceSeen], full: int = MOST) -> Mapping[str, SpaceSeen]:
    """The reading with each base as one area, and what is doubted in a base or a home doubted of all its pieces;
    `spaces` itself where there is none. full: how many pieces of its owner an area without places holds at most."""
    groups = places_of_bases(spaces)
    whole = {name: seen for name, seen in spaces.items() if area_of(name) is None}
    whole |= {area: _together(area, [spaces[name] for name in names]) for area, names in groups.items()}
    owners = {name: owner for name in whole if (owner := owner_of(name)) is not None}
    if not owners:
        return spaces
    most = {area: len(names) for area, names in groups.items()}
    return whole | {name: _in_common(owner, whole[name], most.get(name, full)) for name, owner in owners.items()}


def _in_common(owner: Seat, seen: SpaceSeen, most: int) -> SpaceSeen:
    """The reading of an area in which all its owner's pieces may be misread at once: any number may be there."""
    levels = dict(seen.likelihoods)
    if seen.covered or not levels:
        return seen
    whole = sum(map(math.exp, levels.values()))
    doubt = IN_COMMON * (1 - math.exp(max(levels.values())) / whole)
    for count in range(most + 1):
        content = (owner,) * count
        alone = math.exp(max(levels.get(content, seen.unlisted), LEAST))
        levels[content] = math.log(alone + doubt / (1 - doubt) * whole / (most + 1))
    best = max(levels, key=levels.__getitem__)
    levels = {content: value - levels[best] for content, value in levels.items()}
    confidence = min(seen.confidence, 1 / sum(map(math.exp, levels.values())))
    return SpaceSeen(best, confidence, False, levels, seen.unlisted)


def folded(sighting: Sighting, spaces: Mapping[str, SpaceSeen]) -> Sighting:
    """The sighting with `spaces`, its reading folded, in place of its own."""
    if isinstance(sighting, BoardLost) or spaces is sighting.spaces:
        return sighting
    return BoardSeen(sighting.at, spaces, sighting.moving, sighting.moved)


def _together(area: str, seen: list[SpaceSeen]) -> SpaceSeen:
    """Several places as one area: the likelihood of each number of pieces is that of the best way to place them."""
    if all(one.covered for one in seen):
        return SpaceSeen((), 0.0, covered=True)
    owner = owner_of(area)
    assert owner is not None
    joint: dict[Content, float] = {(): 0.0}
    for one in seen:
        joint = _joined(joint, {(): 0.0, (owner,): 0.0} if one.covered else one.likelihoods or {one.content: 0.0})
    best = max(joint, key=joint.__getitem__)
    top = joint[best]
    confidence = math.prod(0.5 if one.covered else one.confidence for one in seen)
    levels = {content: value - top for content, value in joint.items()}
    return SpaceSeen(best, confidence, False, levels, max(one.unlisted for one in seen if not one.covered))


def _joined(joint: Mapping[Content, float], place: Mapping[Content, float]) -> dict[Content, float]:
    found: dict[Content, float] = {}
    for content, value in joint.items():
        for more, further in place.items():
            both = tuple(sorted((*content, *more)))
            found[both] = max(found.get(both, -math.inf), value + further)
    return {content: value for content, value in found.items() if value > LEAST}


def spread(position: Position, names: Iterable[str], seen: Mapping[str, SpaceSeen] | None = None) -> Position:
    """The position with bases place by place. names: the sheet's spaces. seen: the reading, which says where.

    Pieces stand where they were seen, as far as the number of them allows; else on the first places.
    """
    contents = dict(position.items_)
    for area, group in places_of_bases(names).items():
        pieces = contents.pop(area, ())
        order = sorted(group, key=lambda name: (-_occupied(seen.get(name) if seen else None), name))
        for name, seat in zip(sorted(order[: len(pieces)]), pieces, strict=False):
            contents[name] = (seat,)
    return Position.stacked(contents)


def _occupied(seen: SpaceSeen | None) -> float:
    """Log-odds that something stands there; 0 without evidence."""
    if seen is None or seen.covered:
        return 0.0
    something = max((value for content, value in seen.likelihoods.items() if content), default=UNLIKELY)
    return something - seen.likelihoods.get((), UNLIKELY)
