"""A verdict as one JSON object, as `companion replay` prints it (FORMATS, Recording)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.model import Kind, Position, Seat, Step, Verdict
from companion.model.board import seat_value

Labels = Mapping[Seat, str]
"""seat → the sheet's word for it."""


def verdict_json(verdict: Verdict, labels: Labels, game: str = "") -> dict[str, Any]:
    """All that FORMATS asks, and put_right and legal for those who want to show more. game: its name."""
    data: dict[str, Any] = {
        "t": round(verdict.at, 3),
        "verdict": verdict.kind.value,
        "seat": None if verdict.seat is None else seat_value(game, verdict.seat),
        "steps": steps_json(verdict.steps),
        "captures": [s.target for s in verdict.steps if s.captures],
        "rules": list(verdict.rules),
        "text": verdict.text,
        "position": position_json(verdict.position, labels),
    }
    if verdict.kind in (Kind.ILLEGAL, Kind.UNCLEAR):
        data["seen"] = position_json(verdict.seen, labels)
        data["put_right"] = [[labels.get(seat, str(seat)), a, b] for seat, a, b in verdict.put_right]
        data["legal"] = [steps_json(play) for play in verdict.legal]
    if verdict.winner:
        data["winner"] = [seat_value(game, seat) for seat in verdict.winner]
    return data


def steps_json(steps: Sequence[Step]) -> list[list[str]]:
    """Steps as pairs of space names."""
    return [[step.origin, step.target] for step in steps]


def position_json(position: Position | None, labels: Labels) -> dict[str, list[str]]:
    """A position as space → colour words."""
    if position is None:
        return {}
    return {space: [labels.get(seat, str(seat)) for seat in content] for space, content in position.items()}
