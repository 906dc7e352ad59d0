"""Somebody points at the board's corners in the picture, where the eyes cannot find it by themselves."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.board_files import DRAFT, read_draft
from calibration.files import write_whole
from calibration.own_board import Draft, Laid, places_of
from companion.model import BadInput, ImageError, Sheet, sheet_to_json
from companion.model.numbers import is_number
from companion.model.setup import GuideView, PointedView
from companion.model.table import Answer
from companion.vision import Scene, health, read_image
from companion.vision.finding.mirror import shows_mirrored
from companion.vision.finding.shown import Showing, Shown, show
from companion.vision.finding.unfound import DARKEST, TOO_DARK, brightness, without_colours
from companion.vision.view.pose import Floats, Frame, Pose, downward, flat_maps
from companion.vision.view.scene import FINE_PER_MM, PIXELS_PER_MM

LOG = logging.getLogger(__name__)
KEPT = "shown.json"
NO_PICTURE = "The camera shows nothing: the page of the game says under “Eyes and ears” what is wrong with it."
MOST = 4
"""Pictures that are kept for tapping: as many phones may do so at once."""
GONE = (
    "The picture in which you tapped is here no more: others were taken since, or the referee began anew. "
    "Press “Another picture”, and tap the corners in that one."
)
AGAIN = "Then take another picture."
LOOKS_MIRRORED = (
    "The board looks mirrored in this picture. If what is written on it runs backwards, switch off mirroring in the "
    "camera's settings, and take another picture."
)
HERE = "The referee takes the board to lie there, and follows it when it is pushed."
FORGOTTEN = "The referee looks for the board by itself again."


class Pointing:
    """What the page asks for. Every method may be called from any thread.

    frame: what the camera sees now, None where it sees nothing. tell: called with what was shown, or with None when the
    eyes are to look for the board by themselves again. folder: where that is kept for after a power cut, None: nowhere.
    draft: what was tapped for a board of one's own. shown: what was shown before.
    """

    def __init__(
        self,
        scene: Scene,
        frame: Callable[[], Frame | None],
        tell: Callable[[Shown | None], None],
        folder: Path | None = None,
        draft: Draft | None = None,
        shown: Shown | None = None,
    ) -> None:
        self.scene, self.shown = scene, shown
        self._now, self._tell, self._folder = frame, tell, folder
        self._places = _corners_of(scene, draft)
        self._frames: dict[str, Frame] = {}
        self._busy = threading.Lock()

    def guide(self) -> GuideView:
        """The board as it is known, which says what corner is meant."""
        pose, (height, width) = self.scene.pose, self._known.shape[:2]
        at = self._places * FINE_PER_MM if pose is None else pose.project(self._places)
        return GuideView((width, height), tuple((x, y) for x, y in at.tolist()), self.shown is not None)

    def guide_picture(self) -> bytes:
        """The photo of the empty board, or its print from above, JPEG."""
        return jpeg(self._known)

    @property
    def _known(self) -> Frame:
        return self.scene.empty if self.scene.photo is None or self.scene.pose is None else self.scene.photo

    def take_frame(self) -> tuple[int, int] | Answer:
        """Keep what the camera sees now."""
        frame = taken(self._now())
        if isinstance(frame, Answer):
            return frame
        name = name_of(frame)
        with self._busy:
            kept = [(other, picture) for other, picture in self._frames.items() if other != name]
            self._frames = dict([*kept[1 - MOST :], (name, frame)])
        return frame.shape[1], frame.shape[0]

    def frames(self) -> tuple[str, ...]:
        """The names of the pictures that are kept, the newest last."""
        return tuple(self._frames)

    def frame(self, name: str = "") -> bytes | None:
        """The picture of that name, or the newest, JPEG; None where there is none."""
        found = named(self._frames, name)
        return None if found is None else jpeg(found)

    def lay(self, corners: Any, name: str = "") -> PointedView:
        """Where the spaces would lie, tapped in the picture of that name, or the newest. Raises BadInput."""
        shown = self._shown_by(corners, name)
        return PointedView(Laid(self.scene.sheet, shown.pose, "", ()).pixels(), shown.doubt)

    def here(self, corners: Any, sure: bool, name: str = "") -> Answer:
        """Take the board to lie there. sure: whatever the picture says against it. Raises BadInput."""
        shown = self._shown_by(corners, name)
        if shown.doubt and not sure:
            return Answer(False, shown.doubt)
        with self._busy:  # of two phones at once the same one is kept, and told last
            if self._folder is not None:
                keep_shown(self._folder, shown.showing, self.scene.sheet)
            self.shown = shown
            self._tell(shown)
        return Answer(True, HERE)

    def forget(self) -> Answer:
        """Let the eyes look for the board by themselves again."""
        with self._busy:
            if self._folder is not None:
                forget_shown(self._folder)
            self.shown = None
            self._tell(None)
        return Answer(True, FORGOTTEN)

    def _shown_by(self, corners: Any, name: str) -> Shown:
        frames = self._frames
        frame = named(frames, name)
        if frame is None:
            raise BadInput(GONE if frames or name else "take a picture first")
        taps = _taps(corners, (frame.shape[1], frame.shape[0]))
        with self._busy:
            found = show(Showing(frame, self._places, taps), self.scene)
        if isinstance(found, str):
            raise BadInput(found)
        if ill := unreadable(frame, self.scene, found.pose):
            raise BadInput(f"{ill} {AGAIN}")
        return replace(found, doubt=LOOKS_MIRRORED) if shows_mirrored(frame, self.scene, found.pose) else found


def unreadable(frame: Frame, scene: Scene, pose: Pose) -> str:
    """Why the eyes would not read a board though they know where it lies in a picture; "" if they would."""
    if pale := without_colours(frame, scene):
        return pale
    down = downward(flat_maps(pose, scene.sheet.width, scene.sheet.height, PIXELS_PER_MM))
    return TOO_DARK if brightness(down.view(frame), scene, down.beyond(pose.size)) < DARKEST else ""


def name_of(picture: Frame) -> str:
    """The same for the same picture: what is tapped in one is not laid over another."""
    return hashlib.sha256(picture.tobytes()).hexdigest()[:12]


def named(pictures: Mapping[str, Frame], name: str) -> Frame | None:
    """The picture of that name, or the newest, where none is given; None where it is not here."""
    return pictures.get(name or next(reversed([*pictures]), ""))


def taken(frame: Frame | None) -> Frame | Answer:
    """A copy of what the camera sees, or why nothing can be done with it."""
    if frame is None:
        return Answer(False, NO_PICTURE)
    ill = health(frame)
    return Answer(False, ill) if ill else frame.copy()


def _corners_of(scene: Scene, draft: Draft | None) -> Floats:
    """The corners that are to be tapped, on the sheet, mm (4, 2): the board's, or those of the rectangle that was
    measured on a board which has no four corners."""
    if draft is not None and draft.inner and scene.pose is not None:
        return places_of(scene.pose, list(draft.corners))
    width, height = scene.sheet.width, scene.sheet.height
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


def pointed_at(
    corners: Sequence[tuple[float, float]], picture: Frame, scene: Scene, folder: Path
) -> Shown | None:
    """Where `--corner`, given four times, says that the board lies in a picture; None where it was not given.

    folder: that of the board's sheet. Raises BadInput.
    """
    if not corners:
        return None
    if len(corners) != 4:
        raise BadInput(f"--corner is needed four times, clockwise, in pixels of the first picture, not {len(corners)}")
    taps = _taps([list(at) for at in corners], (picture.shape[1], picture.shape[0]))
    found = show(Showing(picture, _corners_of(scene, draft_in(folder)), taps), scene)
    if isinstance(found, str):
        raise BadInput(f"--corner: {found}")
    return found


def draft_in(folder: Path) -> Draft | None:
    """What was tapped for the board in a folder; None where nothing was, or it cannot be read."""
    path = folder / DRAFT
    try:
        return read_draft(path) if path.is_file() else None
    except BadInput as error:
        LOG.warning("%s", error)
        return None


def _taps(corners: Any, size: tuple[int, int]) -> Floats:
    """Four places in a picture of this size, pixels (4, 2). Raises BadInput."""
    pairs = isinstance(corners, list) and all(isinstance(at, list) and len(at) == 2 for at in corners)
    if not pairs or len(corners) != 4 or not all(is_number(value) for at in corners for value in at):
        raise BadInput(f"corners must be four places in the picture such as [[120, 80], …], not {corners!r:.60}")
    width, height = size
    for x, y in corners:
        if not (0 <= x <= width and 0 <= y <= height):
            raise BadInput(f"the corner {x:g}, {y:g} lies beyond the picture, which has {width}×{height} pixels")
    return np.array(corners, np.float64)


# --- what is kept ---


def keep_shown(folder: Path, showing: Showing, sheet: Sheet) -> None:
    """Write down what was shown of a board; the picture first, so that a power cut leaves what was shown before.

    A disk that cannot be written is logged: then it is shown again after a restart.
    """
    png = cv2.imencode(".png", showing.picture)[1].tobytes()
    name = f"shown-{hashlib.sha256(png).hexdigest()[:12]}.png"
    told = {"shown": 1, "board": _print_of(sheet), **to_json(showing, name)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, png)
        write_whole(folder / KEPT, json.dumps(told).encode())
        for old in folder.glob("shown-*.png"):
            if old.name != name:
                old.unlink()
    except OSError as error:
        LOG.warning("%s: where the board was shown cannot be kept (%s)", folder, error.strerror)


def forget_shown(folder: Path) -> None:
    """Keep nothing of what was shown. A disk that cannot be written is logged: after a restart it is shown yet."""
    try:
        (folder / KEPT).unlink(missing_ok=True)
    except OSError as error:
        LOG.warning("%s: where the board was shown cannot be forgotten (%s)", folder, error.strerror)


def shown_before(folder: Path, scene: Scene) -> Shown | None:
    """What was shown of this board before; None where nothing was, or of another one."""
    path = folder / KEPT
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["board"] != _print_of(scene.sheet):
            return None
        found = show(from_json(data, folder), scene)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ImageError) as error:
        LOG.warning("%s: where the board was shown cannot be read (%s); show it again", path, error)
        return None
    return None if isinstance(found, str) else found


def to_json(showing: Showing, picture: str) -> dict[str, Any]:
    """What was shown, ready for json.dump. picture: the name of its file."""
    return {"picture": picture, "places_mm": showing.places.tolist(), "corners_px": showing.taps.tolist()}


def from_json(data: Mapping[str, Any], folder: Path) -> Showing:
    """What was shown, from decoded JSON and the picture in a folder. Raises ValueError, KeyError, TypeError."""
    if not isinstance(data, Mapping):
        raise ValueError(f"shown must be an object, or null, not {data!r:.40}")
    places, taps = (np.array(data[name], np.float64) for name in ("places_mm", "corners_px"))
    if places.shape != (4, 2) or taps.shape != (4, 2) or not np.isfinite([places, taps]).all():
        raise ValueError("places_mm and corners_px must be four pairs of numbers each")
    return Showing(read_image(folder / str(data["picture"])), places, taps)


def _print_of(sheet: Sheet) -> str:
    """The same for the same board, whatever its pieces' colours and names are."""
    told = sheet_to_json(sheet)
    same = {key: told.get(key) for key in ("game", "options", "width_mm", "height_mm", "markers", "spaces")}
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:16]


def jpeg(picture: Frame) -> bytes:
    """A picture as the page shows it."""
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
