"""Boards of other makers: the spaces of a game in other proportions, sizes and places than ours, and other pieces.

What rows there are, and what each seat has, is the game's; how wide the arms are, how far the spaces lie apart, how
large they are and where the board ends is the maker's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.evidence.lens import Floats
from companion.model import Piece, Seat, Sheet

_EDGE = 0.95
"""Of half a side: as far out as spaces reach at most."""
_PAINTS: Mapping[str, str] = {
    "red": "#b3202a", "blue": "#2457a8", "yellow": "#e9bd1c", "green": "#23803c",
    "orange": "#dd7a1e", "purple": "#6d3a86", "white": "#e8e4d8", "black": "#2b2a2e",
}  # fmt: skip
_CROWDED = 0.84
"""Of the room between neighbours: as wide as pieces are at most."""


def of_another_maker(ours: Sheet, by_hand: bool, seats: tuple[Seat, ...], rng: np.random.Generator) -> Sheet:
    """A board as somebody else makes it, for pieces of `seats`. by_hand: the spaces lie a little off their rows."""
    scale, squares = rng.uniform(0.8, 1.15), ours.piece.kind == "disc"
    alike = squares or len(ours.colors) != 4 or rng.random() < 0.75
    width, height = np.round(scale * np.array([ours.width, ours.height * (1 if alike else rng.uniform(1.04, 1.15))]), 1)
    flat = _field(ours, squares, rng) * (width / 2, height / 2)
    if by_hand:
        flat += rng.normal(0, 0.3, flat.shape)
    swell = np.minimum(_room(flat) / _room(_middles(ours)), 1.2 * scale)
    names = list(ours.spaces)
    spaces = {
        name: replace(ours.spaces[name], x=x + width / 2, y=y + height / 2, radius=ours.spaces[name].radius * wide)
        for name, (x, y), wide in zip(names, flat.tolist(), (swell * _sizes(ours, squares, rng)).tolist(), strict=True)
    }
    colors = _colors(ours, seats, rng)
    bare = replace(ours, width=float(width), height=float(height), markers=None, texture=None)
    piece = _piece(ours.piece, scale, float(_room(flat).min()), rng)
    return replace(bare, spaces=spaces, piece=piece, colors=colors, seat_names={seat: str(seat) for seat in seats})


def _field(ours: Sheet, squares: bool, rng: np.random.Generator) -> Floats:
    """The middles of the spaces, (N, 2), from −1 to 1 across the board."""
    half = np.array([ours.width, ours.height]) / 2
    flat = (_middles(ours) - half) / half
    if not squares:
        flat = _bulged(_stretched(flat, rng.uniform(-0.12, 0.12), ours), rng.uniform(-0.05, 0.05))
        flat = flat * (-1 if rng.random() < 0.2 else 1, 1)
    reach = np.array([s.radius for s in ours.spaces.values()])[:, None] / half
    most = float((np.abs(flat) + reach).max())
    return np.asarray(flat * rng.uniform(0.85, 1.0) * _EDGE / most if squares else flat * _EDGE / max(most, _EDGE))


def _stretched(flat: Floats, by: float, ours: Sheet) -> Floats:
    """Rows stay straight, but the arms are wider or narrower; of a board with six arms there is no such thing."""
    return np.asarray(flat + by * flat * (1 - np.abs(flat))) if len(ours.colors) == 4 else flat


def _bulged(flat: Floats, by: float) -> Floats:
    """Spread from the middle, or towards it."""
    return np.asarray(flat * (1 + by * (flat**2).sum(axis=1, keepdims=True)))


def _sizes(ours: Sheet, squares: bool, rng: np.random.Generator) -> Floats:
    """By how much each space is larger than ours would be there: areas by their own measure."""
    small, wide = (1.0, 1.0) if squares else (rng.uniform(0.85, 1.0), rng.uniform(0.8, 1.05))
    return np.array([wide if space.is_area and "." not in space.name else small for space in ours.spaces.values()])


def _piece(ours: Piece, scale: float, room: float, rng: np.random.Generator) -> Piece:
    """Other pieces of the same kind, narrow enough for their spaces."""
    across = min(ours.diameter * scale * rng.uniform(0.9, 1.12), _CROWDED * room)
    high = across * rng.uniform(0.14, 0.3) if ours.kind == "disc" else ours.height / ours.diameter * across
    return Piece(ours.kind, float(across), float(high * (rng.uniform(0.85, 1.2) if ours.kind == "pawn" else 1)))


def _colors(ours: Sheet, seats: tuple[Seat, ...], rng: np.random.Generator) -> dict[Seat, str]:
    """The usual colours of the game, or any that can be told apart."""
    if rng.random() < 0.5:
        return {seat: ours.colors[seat] for seat in seats}
    return {seat: _PAINTS[str(name)] for seat, name in zip(seats, rng.permutation(list(_PAINTS)), strict=False)}


def _middles(sheet: Sheet) -> Floats:
    return np.array([(space.x, space.y) for space in sheet.spaces.values()], np.float64)


def _room(flat: Floats) -> Floats:
    """How far each point's nearest neighbour is, (N,)."""
    apart = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart.min(axis=1))


def rows_of(sheet: Sheet) -> Mapping[str, tuple[float, float]]:
    """The way of each space's row there, a unit vector: towards its nearest neighbour."""
    flat, names = _middles(sheet), list(sheet.spaces)
    apart = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    ways = flat[apart.argmin(axis=1)] - flat
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return {name: (x, y) for name, (x, y) in zip(names, ways.tolist(), strict=True)}


