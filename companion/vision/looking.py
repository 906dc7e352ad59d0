"""What was seen, as `companion look` prints it."""

from __future__ import annotations

from typing import Any

from companion.model import BoardSeen, Sighting, SpaceSeen
from companion.vision.view.scene import Scene


def look_json(image: str, sighting: Sighting, scene: Scene, ms: float) -> dict[str, Any]:
    """One line of `companion look`, as FORMATS gives it. image: the picture's name. ms: how long the look took."""
    if not isinstance(sighting, BoardSeen):
        return {
            "image": image,
            "registered": False,
            "reason": sighting.reason,
            "ms": round(ms, 1),
            "spaces": {},
            "dice": [],
        }
    spaces = {name: _space(seen, scene) for name, seen in sighting.spaces.items()}
    return {"image": image, "registered": True, "ms": round(ms, 1), "spaces": spaces, "dice": []}


def _space(seen: SpaceSeen, scene: Scene) -> dict[str, Any]:
    return {
        "seen": [] if seen.covered else [scene.sheet.seat_label(seat) for seat in seen.content],
        "confidence": round(seen.confidence, 3),
        "covered": seen.covered,
    }
