"""More of a seat's pieces than it has: of those that were read side by side some are one, larger than the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.model import SpaceSeen
from companion.vision.reading.spaces import doubted
from companion.vision.view.scene import Scene


def without_surplus(spaces: dict[str, SpaceSeen], scene: Scene) -> dict[str, SpaceSeen]:
    """The readings, in which two or more pieces of a seat on a small space are doubted, but not that any stand there,
    where more of them are read on the whole board than the seat has. (Of those in wide bases nobody is sure anyway.)"""
    surplus = {seat for seat, count in _read(spaces).items() if count > scene.pieces > 0}
    if not surplus:
        return spaces
    small = {name for name, space in scene.sheet.spaces.items() if not space.is_area}
    many = {name for name in small if any(spaces[name].content.count(seat) > 1 for seat in surplus)}
    return {name: doubted(seen, there=True) if name in many else seen for name, seen in spaces.items()}


def _read(spaces: Mapping[str, SpaceSeen]) -> Counter[int]:
    """How many pieces of each seat are read."""
    return Counter(seat for seen in spaces.values() if not seen.covered for seat in seen.content)
