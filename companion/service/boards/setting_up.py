"""Setting up the table from a phone: the health check, and a board that was not printed by this project."""

from __future__ import annotations

import logging
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from calibration.board_files import (
    DRAFT,
    PHOTO,
    SHEET,
    draft_from_json,
    draft_to_json,
    read_draft,
    write_board,
    write_colors,
)
from calibration.check import check, mark
from calibration.files import write_whole
from calibration.own_board import check_names, lay_out
from calibration.piece_colors import of_all_seats, piece_colors
from calibration.sheet import BOARDS
from companion.games.contract import Game
from companion.model import BadInput, BoardSeen, CompanionError, ImageError, Seat, Sheet
from companion.model.board import area_of, seat_key
from companion.model.setup import CheckView, LaidView, LayoutView
from companion.model.table import Answer
from companion.service.boards.configured import board_options, check_sheet, on_page, picture_svg, printed_board
from companion.service.boards.kept_boards import (
    has_own_board,
    last_of,
    picture_of_last,
    put_aside,
    put_back,
    put_in_place,
)
from companion.service.boards.pointing import NO_PICTURE, Pointing, jpeg, name_of, named, taken
from companion.service.naming import told_apart
from companion.vision import Scene, load_scene, look, read_image
from companion.vision.finding.patches import is_faint
from companion.vision.finding.registration import register
from companion.vision.view.lens import lens_json
from companion.vision.view.pose import Frame

LOG = logging.getLogger(__name__)
_FAINT = (
    "In its photo hardly anything of the board can be made out, so it may not be found in another picture: "
    "take the photo of the empty board again, in more light or nearer."
)
_ANOTHER = (
    "what was tapped belongs to another photo than the one that is here now: somebody took one meanwhile. "
    "Photograph the empty board again."
)
_SURE, _SEVERAL = 0.97, 2
"""Confidence from which on a piece in a photo of the empty board counts; and so many that are no slip of the eyes."""
_PRINTED = "The printed board is used from now on. Your own one is kept: on this page you can use it again."
_AGAIN = "Your own board is used again."
_THE_OTHER = "The one that was in use is kept: on this page you can go back to it."


class SettingUp:
    """What the set-up page asks for. Every method may be called from any thread.

    frame: what the camera sees now, None where it sees nothing. folder: where a board of one's own is kept, None
    where no other board can be put on the table. changed: called when another board is to be used. pointing: for a
    board that the camera does not find. fits: asked before; raises BadInput where what else was configured does not go
    with that board.
    """

    def __init__(
        self,
        game: Game[Any],
        scene: Scene,
        frame: Callable[[], Frame | None],
        folder: Path | None,
        changed: Callable[[], None],
        pointing: Pointing,
        fits: Callable[[Sheet], object] = lambda sheet: None,
    ) -> None:
        self.game, self.scene, self.folder, self.pointing = game, scene, folder, pointing
        self._frame, self._changed, self._fits = frame, changed, fits
        kept = _kept_photo(folder and folder / PHOTO)
        self._in_use = None if kept is None else _kept_draft(folder, kept)
        self._lens_in_use = None if self._in_use is None or folder is None else read_draft(folder / DRAFT).lens
        begun = _kept_photo(folder and _begun(folder))
        self._photos = {name_of(photo): photo for photo in (kept, begun) if photo is not None}
        # what is wrong with the photo that was taken last; None: it was taken before a restart, and not looked at since
        self._doubts: tuple[str, ...] | None = () if begun is None else None
        self._busy = threading.Lock()

    @property
    def may_change(self) -> bool:
        """Whether another board can be put on the table here."""
        return self.folder is not None

    def check(self) -> CheckView | Answer:
        """Examine what the camera sees now; one after the other, since it takes a second or two."""
        frame = self._frame()
        if frame is None:
            return Answer(False, NO_PICTURE)
        with self._busy:
            found, pose = check(frame, self.scene, self.pointing.shown)
        findings = tuple(sorted(found.findings, key=lambda finding: finding.score))
        return CheckView(found.score, found.playable, findings, jpeg(mark(frame, found, pose, self.scene.sheet)))

    def take_photo(self) -> tuple[int, int] | Answer:
        """Keep what the camera sees now."""
        frame = taken(self._frame())
        if isinstance(frame, Answer):
            return frame
        with self._busy:
            self._doubts = tuple(filter(None, [_with_pieces(frame, self.scene)]))
        if self.folder is not None:
            _keep_photo(frame, _begun(self.folder))
        kept = self._in_use and self._in_use["photo"]
        self._photos = {name: photo for name, photo in self._photos.items() if name == kept} | {name_of(frame): frame}
        return frame.shape[1], frame.shape[0]

    def photos(self) -> tuple[str, ...]:
        """The names of the photos on which may be tapped, the newest last: the board in use's, and one taken since."""
        return tuple(self._photos)

    def photo(self, name: str = "") -> bytes | None:
        """The photo of that name, or the newest, JPEG; None where there is none."""
        found = named(self._photos, name)
        return None if found is None else jpeg(found)

    def layout(self) -> LayoutView:
        """What the game's spaces are, as the board that the project prints shows them; where it prints none, as the
        one in use does."""
        mine = self.scene.sheet
        sheet, svg = mine, ""
        if self.game.name in BOARDS:
            sheet, _, svg = printed_board(self.game.name, board_options(self.game))
        svg = on_page(svg or picture_svg(mine, self.scene), sheet)
        seats = tuple(
            (seat_key(sheet.game, seat), mine.seat_label(seat), mine.colors.get(seat, color))
            for seat, color in sheet.colors.items()
        )
        spaces = {space.name: (space.x, space.y) for space in sheet.spaces.values()}
        piece = mine.piece.kind, mine.piece.diameter, mine.piece.height
        size, own = (sheet.width, sheet.height), has_own_board(self.folder)
        last = self.folder is not None and has_own_board(last_of(self.folder))
        return LayoutView(svg, size, spaces, piece, seats, own, self._in_use if own else None, last)

    def lay(self, draft: Mapping[str, Any]) -> LaidView:
        """Lay the game over the photographed board. Raises BadInput."""
        photo = self._tapped(draft)
        laid = lay_out(draft_from_json(self._complete(draft)), (photo.shape[1], photo.shape[0]), photo)
        at = self.layout().spaces.get(laid.tap_next)
        newest = photo is next(reversed(self._photos.values()))
        return LaidView(laid.pixels(), laid.tap_next, at, (*laid.doubts, *(self._doubted(photo) if newest else ())))

    def _doubted(self, newest: Frame) -> tuple[str, ...]:
        """What is wrong with the photo that was taken last."""
        with self._busy:
            if self._doubts is None:
                self._doubts = tuple(filter(None, [_with_pieces(newest, self.scene)]))
            return self._doubts

    def save(self, draft: Mapping[str, Any]) -> Answer:
        """Write the board's files, and use it. Raises BadInput."""
        with self._busy:
            return self._save(draft)

    def _save(self, draft: Mapping[str, Any]) -> Answer:
        if self.folder is None:
            return Answer(False, "No other board can be put on this table.")
        photo, board = self._tapped(draft), draft_from_json(self._complete(draft))
        check_names(board)
        new = self.folder.with_name(f"{self.folder.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        write_board(board, photo, new)
        try:
            scene = load_scene(new / SHEET, new / PHOTO)
            check_sheet(scene.sheet, self.game, new / SHEET)
            self._fits(scene.sheet)
        except CompanionError as error:
            raise BadInput(f"this board cannot be used: {error}") from error
        put_in_place(new, self.folder, keep=not _is_of(self.folder, photo))
        if photo is next(reversed(self._photos.values())):
            _begun(self.folder).unlink(missing_ok=True)
        self._changed()
        more = " ".join(filter(None, (unseen_in_its_photo(scene), told_apart(scene.sheet, self.game.seats))))
        return Answer(True, f"This board is used from now on. {more}".strip())

    def colors(self) -> Mapping[str, str] | Answer:
        """Measure the pieces that stand in their bases now, and keep their colours with the board."""
        frame, folder = self._frame(), self.folder
        if frame is None:
            return Answer(False, NO_PICTURE)
        if folder is None or not has_own_board(folder):
            return Answer(False, "Only for a board of your own, once it is saved.")
        with self._busy:
            found = piece_colors(frame, self.scene, start_of(self.scene.sheet, self.game), self.pointing.shown)
            before = self.scene.sheet.colors
            colors = of_all_seats(found, self.scene.sheet)
            write_colors(colors, folder)
        self._changed()
        new = {seat: color for seat, color in colors.items() if seat in found or color != before[seat]}
        return {seat_key(self.game.name, seat): color for seat, color in new.items()}

    def use_printed(self) -> Answer:
        """Put the board of one's own aside; it is kept beside, as the last one. Raises BadInput where what was
        configured does not go with the printed board."""
        folder = self.folder
        with self._busy:
            if folder is None or not has_own_board(folder):
                return Answer(False, "The printed board is in use already.")
            self._fits(printed_board(self.game.name, board_options(self.game))[0])
            put_aside(folder, last_of(folder))
        self._changed()
        return Answer(True, _PRINTED)

    def use_last(self) -> Answer:
        """Use the board of one's own again that was used before; the one in use is the last one then. Raises BadInput
        where that one does not serve any more: nothing is changed then."""
        with self._busy:
            return self._use_last()

    def _use_last(self) -> Answer:
        folder = self.folder
        if folder is None or not has_own_board(last_of(folder)):
            return Answer(False, "There is no board of your own that was used before.")
        last, had = last_of(folder), has_own_board(folder)
        try:
            sheet = load_scene(last / SHEET, last / PHOTO).sheet
            check_sheet(sheet, self.game, last / SHEET)
            self._fits(sheet)
        except CompanionError as error:
            raise BadInput(f"that board cannot be used any more: {error}") from error
        put_back(folder)
        self._changed()
        return Answer(True, f"{_AGAIN} {_THE_OTHER}" if had else _AGAIN)

    def last_picture(self) -> bytes | None:
        """The board that `use_last` would use: its photo with its spaces, JPEG."""
        return picture_of_last(self.folder)

    def _tapped(self, draft: Mapping[str, Any]) -> Frame:
        """The photo on which a draft was tapped, the newest where it names none. Raises BadInput if it is gone."""
        photos, name = self._photos, draft.get("photo", "") if isinstance(draft, Mapping) else ""
        if not photos:
            raise BadInput("take a photo of the empty board first")
        if not isinstance(name, str):
            raise BadInput(f"photo must be the name of one, not {name!r:.60}")
        found = named(photos, name)
        if found is None:
            raise BadInput(_ANOTHER)
        return found

    def _complete(self, draft: Mapping[str, Any]) -> dict[str, Any]:
        """The page need not say which game it is, nor which camera, nor the colours and names that stay: those of now,
        which somebody else may have given. An empty name is that of the printed board."""
        if not isinstance(draft, Mapping):
            raise BadInput("a board is described by an object")
        old = self._in_use is not None and draft.get("photo") == self._in_use["photo"]
        lens = self._lens_in_use if old else self.scene.lens  # another camera may have followed the one that took it
        options = dict(board_options(self.game))
        tapped = {key: value for key, value in draft.items() if key != "photo"}
        for key, now in (("colors", self.scene.sheet.colors), ("seats", self.scene.sheet.seat_names)):
            given = tapped.get(key) or {}
            if isinstance(given, Mapping):
                both = {seat_key(self.game.name, seat): value for seat, value in now.items()} | dict(given)
                tapped[key] = {seat: value for seat, value in both.items() if value != ""}
        return {**tapped, "own_board": 1, "game": self.game.name, "options": options, "lens": lens and lens_json(lens)}


def start_of(sheet: Sheet, game: Game[Any]) -> dict[Seat, list[str]]:
    """The space on which each piece of each seat stands before the game begins."""
    position = game.position(game.opening(game.seats[0]))
    spots = Counter(area_of(name) or name for name in sheet.spaces)
    found: dict[Seat, list[str]] = {}
    for name in sheet.spaces:
        place = area_of(name) or name
        for seat, held in Counter(position.at(place)).items():
            found.setdefault(seat, []).extend([name] * max(1, held // spots[place]))
    return found


def _with_pieces(photo: Frame, scene: Scene) -> str:
    """What is wrong with a photo of "the empty board" on which pieces stand: they would be taken for its print. Only
    where the board in use is found in it can that be told."""
    seen, _ = look(photo, scene)
    spaces = seen.spaces.values() if isinstance(seen, BoardSeen) else ()
    count = sum(len(space.content) for space in spaces if space.confidence > _SURE)
    if count < _SEVERAL:
        return ""
    return f"{count} pieces seem to stand on the board in this photo: take them all off, and photograph it again."


def unseen_in_its_photo(scene: Scene) -> str:
    """Why the board would not be found even in the photo of it empty, or hardly in any other; "" if it will be. Better
    said now than at the game."""
    if scene.photo is None:
        return ""
    found = register(scene.photo, replace(scene, pose=None))
    if isinstance(found, str):
        return found
    return _FAINT if is_faint(scene) else ""


def _kept_draft(folder: Path | None, photo: Frame) -> dict[str, Any] | None:
    """What was tapped on the photo of the board that was saved there; None where that cannot be read."""
    if folder is None or not has_own_board(folder):
        return None
    try:
        draft = draft_to_json(read_draft(folder / DRAFT))
    except BadInput as error:
        LOG.warning("%s", error)
        return None
    kept = {key: draft.get(key, False) for key in ("size_mm", "corners", "inner", "taps", "moved")}
    return {**kept, "photo": name_of(photo)}


# --- photos ---


def _begun(folder: Path) -> Path:
    """Where the photo is kept that is being tapped: beside the folder of the board in use, which stays as it is."""
    return folder.with_name(f"{folder.name}.photo.png")


def _kept_photo(path: Path | None) -> Frame | None:
    if path is None or not path.is_file():
        return None
    try:
        return read_image(path)
    except ImageError as error:
        LOG.warning("%s", error)
        return None


def _is_of(folder: Path, photo: Frame) -> bool:
    """Whether the board that was saved there was tapped on that photo."""
    kept = _kept_photo(folder / PHOTO)
    return kept is not None and name_of(kept) == name_of(photo)


def _keep_photo(photo: Frame, path: Path) -> None:
    """For after a restart. A disk that cannot be written is logged: then it is to be taken again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, cv2.imencode(".png", photo)[1].tobytes())
    except OSError as error:
        LOG.warning("%s: the photo of the empty board cannot be kept (%s)", path, error.strerror)
