"""Setting up the table from a phone: the health check, and a board that was not printed by this project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from companion.model.table import Answer


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of the health check. score: 0 (cannot be played with) to 1 (good). spaces: where, if anywhere."""

    name: str
    score: float
    text: str
    advice: str = ""
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckView:
    """What the health check found. score: 0 to 100. picture: JPEG, with the trouble spots marked."""

    score: int
    playable: bool
    findings: tuple[Finding, ...]
    picture: bytes

    def to_json(self) -> dict[str, Any]:
        """Ready for json.dump; the picture is asked for by itself."""
        return {"score": self.score, "playable": self.playable, "findings": [asdict(f) for f in self.findings]}


@dataclass(frozen=True, slots=True)
class LaidView:
    """The game laid over a board so far.

    spaces: name → [x, y, radius], pixels of the photo; empty while too few are tapped. tap_next: the space to tap
    next, "" if none. at: where that space lies on the board that the project prints, mm. doubts: a sentence each.
    """

    spaces: Mapping[str, tuple[float, float, float]]
    tap_next: str
    at: tuple[float, float] | None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LayoutView:
    """The board that the project prints for this game, to show where a space is meant to be.

    svg: its picture; size: width and height, mm; spaces: name → (x, y), mm. piece: kind, diameter and height, mm.
    seats: (number as formats write it, colour word, "#rrggbb"). own: whether a board of one's own is in use now.
    draft: what was tapped for that, as in board.json, and the name of its photo; None once another photo was taken.
    last: whether one that was used before can be used again.
    """

    svg: str
    size: tuple[float, float]
    spaces: Mapping[str, tuple[float, float]]
    piece: tuple[str, float, float]
    seats: tuple[tuple[str, str, str], ...]
    own: bool
    draft: Mapping[str, Any] | None = None
    last: bool = False


@dataclass(frozen=True, slots=True)
class GuideView:
    """The board as it is known, to say which corner is meant.

    size: width and height of its picture, pixels; corners: (x, y) in it, in the order in which they are tapped. shown:
    whether somebody showed where the board lies.
    """

    size: tuple[int, int]
    corners: tuple[tuple[float, float], ...]
    shown: bool


@dataclass(frozen=True, slots=True)
class PointedView:
    """The board laid where its corners were tapped. spaces: name → [x, y, radius], pixels of the picture. doubt: what
    speaks against it, "" if nothing does."""

    spaces: Mapping[str, tuple[float, float, float]]
    doubt: str = ""


class Pointing(Protocol):
    """What the page needs where a board is shown that the camera does not find; every call may come from any thread.

    Corners are decoded JSON: four pairs, pixels of the picture of that name, or of the newest.
    """

    def guide(self) -> GuideView:
        """The board as it is known."""
        ...

    def guide_picture(self) -> bytes:
        """Its picture, JPEG."""
        ...

    def take_frame(self) -> tuple[int, int] | Answer:
        """Keep what the camera sees now, and give its width and height in pixels."""
        ...

    def frames(self) -> tuple[str, ...]:
        """The names of the pictures that are kept, the newest last."""
        ...

    def frame(self, name: str = "") -> bytes | None:
        """The picture of that name, or the newest, JPEG."""
        ...

    def lay(self, corners: Any, name: str = "") -> PointedView:
        """Where the spaces would lie. Raises BadInput."""
        ...

    def here(self, corners: Any, sure: bool, name: str = "") -> Answer:
        """Take the board to lie there; `sure`: whatever is in doubt. Raises BadInput."""
        ...

    def forget(self) -> Answer:
        """Look for the board by oneself again."""
        ...


class SetUp(Protocol):
    """What the set-up page needs; every call may come from any thread.

    Drafts are decoded JSON (board.json), with the name of the photo on which was tapped; one that is gone is refused.
    """

    @property
    def pointing(self) -> Pointing:
        """For a board that the camera does not find."""
        ...

    @property
    def may_change(self) -> bool:
        """Whether another board can be put on the table here."""
        ...

    def check(self) -> CheckView | Answer:
        """Examine what the camera sees now; an Answer says why that cannot be."""
        ...

    def take_photo(self) -> tuple[int, int] | Answer:
        """Keep what the camera sees now, the board empty, and give its width and height in pixels."""
        ...

    def photos(self) -> tuple[str, ...]:
        """The names of the photos on which may be tapped, the newest last."""
        ...

    def photo(self, name: str = "") -> bytes | None:
        """The photo of that name, or the newest, JPEG."""
        ...

    def layout(self) -> LayoutView:
        """What the game's spaces are."""
        ...

    def lay(self, draft: Mapping[str, Any]) -> LaidView:
        """Lay the game over the photographed board. Raises BadInput."""
        ...

    def save(self, draft: Mapping[str, Any]) -> Answer:
        """Use this board from now on. Raises BadInput."""
        ...

    def colors(self) -> Mapping[str, str] | Answer:
        """The colours of the pieces that stand in their bases on the saved board now, by seat; and keep them."""
        ...

    def use_printed(self) -> Answer:
        """Use the board that the project prints again."""
        ...

    def use_last(self) -> Answer:
        """Use the board of one's own again that was used before. Raises BadInput."""
        ...

    def last_picture(self) -> bytes | None:
        """That board, JPEG."""
        ...
