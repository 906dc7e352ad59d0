"""Who leans over the table: heads that the camera does not see, but their shadows, and their images in the lacquer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from calibration.blender.scenes import Lit
from calibration.evidence.lens import Floats
from companion.model import Sheet

HEADS = 3
"""Ways in which people lean over one table."""
OVER = (200.0, 420.0)
"""Mm from the board up to a chin."""
_NECK, _SKULL, _TALL = 55.0, 85.0, 220.0  # mm: two radii, and from the chin to the crown
_HAIR = {"color": [0.05, 0.035, 0.025], "roughness": 0.8}


def heads(sheet: Sheet, lit: Lit, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Some heads between the board and its brightest lamp, whose shadows fall anywhere on the board; as `server.put`
    has pieces."""
    return [_head(at, lit, rng) for at in rng.uniform(0.1, 0.9, (HEADS, 2)) * (sheet.width, sheet.height)]


def _head(at: Floats, lit: Lit, rng: np.random.Generator) -> dict[str, Any]:
    chin = float(rng.uniform(*OVER))
    x, y = at + chin * _way(at, lit)
    return {"outline": list(_outline()), "at": [x, y, chin], "turn": 0.0, "surface": _HAIR, "unseen": True}


def _way(at: Floats, lit: Lit) -> Floats:
    """How far towards the lamp one goes from a point of the board, (x, y), for each mm that one goes up."""
    lamp = max(lit.sources, key=lambda one: sum(one["color"]))
    there = np.array(lamp["at"]) - np.array(lamp["home"] if lamp["kind"] == "sun" else [*at, 0.0])
    return np.asarray(there[:2] / max(float(there[2]), 1.0))


def _outline() -> Iterator[tuple[float, float]]:
    """Radius and height, mm, from the neck upwards."""
    yield _NECK, 0.0
    for a in np.linspace(-0.8, 0.97 * math.pi / 2, 12):
        yield _SKULL * math.cos(a), _TALL * (0.5 + 0.5 * math.sin(a))
