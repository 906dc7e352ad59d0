"""What a game's things are called, for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nouns:
    """piece: "pawn"; base: where pieces wait, "circle"; home, lane, space: as the sentences name them.

    several: more than one piece, where that is not the word with an s ("men").
    """

    piece: str = "pawn"
    base: str = "circle"
    home: str = "HOME"
    lane: str = "lane"
    space: str = "space"
    several: str = ""

    @property
    def pieces(self) -> str:
        """More than one piece: "pawns"."""
        return self.several or f"{self.piece}s"
