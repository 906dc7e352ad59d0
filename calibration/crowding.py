"""What is wrong with how spaces lie on a board: on each other, over a marker, too small for a piece."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from companion.model import Sheet, Space

NARROW = 2 / 3
"""Of a piece's diameter: a space that is narrower is hidden by the piece. Marbles lie in holes of six sevenths."""


def ills(sheet: Sheet) -> Iterator[str]:
    """A sentence for each kind of ill; none for a sound board."""
    yield from filter(None, (_on_each_other(sheet), _over_a_marker(sheet), _narrow(sheet)))


def _on_each_other(sheet: Sheet) -> str:
    """Where one piece could be meant for either of two spaces, or two pieces would not fit beside each other."""
    across = sheet.piece.diameter
    found = []
    for one, other in combinations(sheet.spaces.values(), 2):
        apart = math.dist((one.x, one.y), (other.x, other.y))
        needed = sum(space.radius if space.is_area else across / 2 for space in (one, other))
        if apart < needed and not _is_place_of(one, other):
            found.append((apart / needed, f"{one.name} and {other.name} lie {apart:.3g} mm apart", needed))
    if not found:
        return ""
    _, told, needed = min(found)
    return (
        f"{told}{_more(len(found), 'pair')}: which of them a piece of {across:g} mm stands on could not be told; "
        f"they need {needed:.3g} mm from middle to middle"
    )


def _is_place_of(one: Space, other: Space) -> bool:
    """Whether one is a place of the other, as base0.1 is of base0: on which of the two a piece is does not matter."""
    return one.name.startswith(f"{other.name}.") or other.name.startswith(f"{one.name}.")


def _over_a_marker(sheet: Sheet) -> str:
    if sheet.markers is None:
        return ""
    half, found = sheet.markers.size / 2, []
    for number, (x, y) in sheet.markers.centers.items():
        for space in sheet.spaces.values():
            away = math.hypot(*(max(abs(off) - half, 0.0) for off in (space.x - x, space.y - y)))
            if away < space.radius:
                found.append((away - space.radius, space.name, number))
    if not found:
        return ""
    over, name, number = min(found)
    return (
        f"{name} lies {-over:.3g} mm over the marker {number}{_more(len(found), 'space')}: what is printed or stands "
        "there hides it, and the board is not found; move it away"
    )


def _narrow(sheet: Sheet) -> str:
    across = sheet.piece.diameter
    found = [space for space in sheet.spaces.values() if 2 * space.radius < NARROW * across]
    if not found:
        return ""
    least = min(found, key=lambda space: space.radius)
    return (
        f"{least.name} is {2 * least.radius:.3g} mm wide{_more(len(found), 'space')}, and a piece {across:g} mm: "
        f"make it 1.5 pieces wide, {1.5 * across:g} mm"
    )


def _more(count: int, what: str) -> str:
    return f" (and {count - 1} more {what}{'s' * (count > 2)} like that)" if count > 1 else ""
