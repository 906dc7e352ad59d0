"""A set-up without a camera: what the set-up page asks, and what a test lets it be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from companion.model import BadInput
from companion.model.setup import CheckView, Finding, GuideView, LaidView, LayoutView, PointedView
from companion.model.table import Answer

SIZE = (640, 480)
SPACES = {f"t{i}": (40.0 + 40 * (i % 5), 40.0 + 40 * (i // 5)) for i in range(20)}


def picture(shade: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((SIZE[1], SIZE[0], 3), shade, np.uint8))[1])


class FakePointing:
    """A board that lies where it is tapped; a first corner in the picture's right half is doubted."""

    def __init__(self) -> None:
        self.taken = 0
        self.blind = self.shown = False
        self.told: list[tuple[object, bool]] = []
        self.laid_in: list[str] = []

    def guide(self) -> GuideView:
        corners = ((40.0, 40.0), (200.0, 40.0), (200.0, 200.0), (40.0, 200.0))
        return GuideView((640, 480), corners, self.shown)

    def guide_picture(self) -> bytes:
        return picture(200)

    def take_frame(self) -> tuple[int, int] | Answer:
        self.taken += 1
        return Answer(False, "The camera shows nothing yet.") if self.blind else SIZE

    def frames(self) -> tuple[str, ...]:
        return tuple(f"picture{n}" for n in range(max(1, self.taken - 3), self.taken + 1))

    def frame(self, name: str = "") -> bytes | None:
        return picture(60) if self.taken and (name or self.frames()[-1]) in self.frames() else None

    def lay(self, corners: Any, name: str = "") -> PointedView:
        if name and name not in self.frames():
            raise BadInput("The picture in which you tapped is here no more. Press “Another picture”.")
        if not isinstance(corners, list) or len(corners) != 4:
            raise BadInput(f"corners must be four places in the picture, not {corners!r}")
        if corners[0][0] > corners[1][0] and corners[0][1] < SIZE[1] / 2:
            raise BadInput("the corners run the other way round")
        self.laid_in.append(name)
        return PointedView(
            {n: (2 * x + 40, 2 * y + 20, 16.0) for n, (x, y) in SPACES.items()},
            "Is the first corner the one that is marked?" if corners[0][0] > SIZE[0] / 2 else "",
        )

    def here(self, corners: Any, sure: bool, name: str = "") -> Answer:
        laid = self.lay(corners, name)
        if laid.doubt and not sure:
            return Answer(False, laid.doubt)
        self.told.append((corners, sure))
        self.shown = True
        return Answer(True, "The referee takes the board to lie there.")

    def forget(self) -> Answer:
        self.shown = False
        return Answer(True, "The referee looks for the board by itself again.")


class FakeSetUp:
    """Lays every space where the taps are shifted to; keeps what was saved."""

    def __init__(self, may_change: bool = True) -> None:
        self.may_change = may_change
        self.taken = 0
        self.own = self.last = False
        self.saved: list[Mapping[str, Any]] = []
        self.blind = False
        self.advice = "Move the lamp."
        self.tapped: Mapping[str, Any] | None = None
        self.colored = {"0": "#c8102e", "1": "#0a7d33"}
        self.pointing = FakePointing()

    def check(self) -> CheckView | Answer:
        if self.blind:
            return Answer(False, "The camera shows nothing yet.")
        findings = (
            Finding("glare", 0.2, "9 spaces are burnt out by glare.", self.advice, ("t1",)),
            Finding("view", 0.7, "1 space is hidden.", "Take away what hides it."),
            Finding("board", 1.0, "4 of 4 markers are seen."),
        )
        return CheckView(61, True, findings, picture(90))

    def take_photo(self) -> tuple[int, int] | Answer:
        self.taken += 1
        return SIZE

    def photos(self) -> tuple[str, ...]:
        return (f"photo{self.taken}",) if self.taken else ()

    def photo(self, name: str = "") -> bytes | None:
        return picture(140) if self.taken and name in ("", *self.photos()) else None

    def layout(self) -> LayoutView:
        view, shape = 'viewBox="0 0 240 240"', '<path d="M0 0h240v240H0z" fill="#dcb"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{shape}</svg>'
        seats = (("0", "red", self.colored["0"]), ("1", "green", self.colored["1"]))
        return LayoutView(svg, (240.0, 240.0), SPACES, ("pawn", 12.0, 24.0), seats, self.own, self.tapped, self.last)

    def lay(self, draft: Mapping[str, Any]) -> LaidView:
        self.check_photo(draft)
        if len(draft["corners"]) != 4:
            raise BadInput("the board has four corners to tap")
        if draft["corners"][1][0] < draft["corners"][0][0]:
            raise BadInput("tap the board's corners in order, clockwise: these four run the other way round")
        taps = draft["taps"]
        places = [tuple(at) for at in taps.values()]
        if len(set(places)) < len(places):
            raise BadInput("two spaces were tapped at the same place: tap one of them again")
        left = [name for name in SPACES if name not in taps]
        spaces = {n: (2 * x + 40, 2 * y + 20, 16.0) for n, (x, y) in SPACES.items()} if len(taps) >= 4 else {}
        spaces |= {name: (*at, 16.0) for name, at in draft["moved"].items()} if spaces else {}
        doubts = ("t3 was tapped 30 mm off: is it the right space?",) if "t3" in taps else ()
        return LaidView(spaces, left[0] if left else "", SPACES[left[0]] if left else None, doubts)

    def check_photo(self, draft: Mapping[str, Any]) -> None:
        if draft.get("photo", "") not in ("", *self.photos()):
            raise BadInput("what was tapped belongs to another photo. Photograph the empty board again.")

    def save(self, draft: Mapping[str, Any]) -> Answer:
        self.check_photo(draft)
        self.saved.append(draft)
        return Answer(True, "This board is used from now on.")

    def colors(self) -> Mapping[str, str] | Answer:
        self.colored = {"0": "#aa0011", "1": "#00aa11"}
        return self.colored

    def use_printed(self) -> Answer:
        self.own, self.last = False, True
        return Answer(True, "The printed board is used from now on.")

    def use_last(self) -> Answer:
        self.own, self.last = True, self.own
        return Answer(True, "Your own board is used again.")

    def last_picture(self) -> bytes | None:
        return picture(110) if self.last else None
