"""What a game's things are called, for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nouns:
    """piece: "pawn"; base: where pieces wait, "circle"; home, lane, space: as the sentences name them."""

    piece: str = "pawn"
    base: str = "circle"
    home: str = "HOME"
    lane: str = "lane"
    space: str = "space"
