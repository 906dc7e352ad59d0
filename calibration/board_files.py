"""The files of a board of one's own: what was tapped (board.json), and what follows from it (sheet.json, the photo)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from calibration.files import write_files
from calibration.own_board import Draft, Laid, Point, beside, folded, lay_out, places_of, stout
from companion.model import BadInput, Piece, Seat, sheet_from_json, sheet_to_json
from companion.model.board import PIECE_KINDS, seat_from_key, seat_key
from companion.model.numbers import is_number
from companion.vision.loading import load_sheet
from companion.vision.view.lens import lens_from_json, lens_json
from companion.vision.view.pose import Frame

PHOTO, LANDMARKS, DRAFT, SHEET, PREVIEW = "empty.png", "empty.json", "board.json", "sheet.json", "preview.jpg"
_KEYS = (
    "own_board", "game", "options", "size_mm", "corners", "inner", "taps", "moved", "piece", "colors", "seats", "lens",
)  # fmt: skip


def draft_from_json(data: Any) -> Draft:
    """What was tapped, from decoded JSON. Raises BadInput, which names the key, the value and what there should be."""
    if not isinstance(data, Mapping) or data.get("own_board") != 1:
        raise BadInput('this is no board of one\'s own: expected an object with "own_board": 1')
    if strange := sorted(set(data) - set(_KEYS)):
        raise BadInput(f"unknown key {strange[0]!r}; there are: {', '.join(_KEYS)}")
    corners = data.get("corners", [])
    if not isinstance(corners, list):
        raise BadInput(f"corners must be a list of [x, y], not {corners!r}")
    return Draft(
        game=str(data.get("game", "")),
        size=_point(data.get("size_mm"), "size_mm"),
        corners=tuple(_point(corner, "corners") for corner in corners),
        options=_table(data, "options"),
        taps={name: _point(at, f"taps {name}") for name, at in _table(data, "taps").items()},
        moved={name: _point(at, f"moved {name}") for name, at in _table(data, "moved").items()},
        piece=_piece(data.get("piece")),
        colors={_seat(seat): _color(text) for seat, text in _table(data, "colors").items()},
        names={_seat(seat): str(name) for seat, name in _table(data, "seats").items()},
        lens=lens_from_json(data["lens"], "lens") if data.get("lens") else None,
        inner=_flag(data, "inner"),
    )


def draft_to_json(draft: Draft) -> dict[str, Any]:
    """The other way round."""
    piece = draft.piece
    data: dict[str, Any] = {
        "own_board": 1,
        "game": draft.game,
        "options": dict(draft.options),
        "size_mm": list(draft.size),
        "corners": [list(corner) for corner in draft.corners],
        "taps": {name: list(at) for name, at in draft.taps.items()},
        "moved": {name: list(at) for name, at in draft.moved.items()},
        "piece": piece and {"kind": piece.kind, "diameter_mm": piece.diameter, "height_mm": piece.height},
        "colors": {seat_key(draft.game, seat): color for seat, color in draft.colors.items()},
        "seats": {seat_key(draft.game, seat): name for seat, name in draft.names.items()},
        "lens": draft.lens and lens_json(draft.lens),
        "inner": draft.inner or None,
    }
    return {key: value for key, value in data.items() if value is not None}


def write_board(draft: Draft, photo: Frame, folder: Path) -> Laid:
    """Write the board's files into `folder`. photo: of the empty board, uint8 BGR.

    Raises DeviceError, and BadInput for one that cannot be used: then what is there stays.
    """
    laid = lay_out(draft, (photo.shape[1], photo.shape[0]), photo)
    if not laid.sheet.spaces:
        raise BadInput(f"too few spaces are tapped: {laid.tap_next} is next")
    if wrong := beside(laid.sheet) or stout(laid.sheet) or (folded(laid.sheet) and laid.doubts[0]):
        both = dict.fromkeys([*laid.doubts[:1], wrong])  # which of the taps did it is what helps, if that is known
        raise BadInput(f"this board cannot be used: {'; '.join(both)}")
    told = "; ".join([*laid.doubts[:1], "as it was tapped"])
    sheet_from_json(sheet_to_json(laid.sheet), f"this board cannot be used: {told}")
    files = {
        PHOTO: _encoded(".png", photo),
        LANDMARKS: _json(_landmarks(draft, laid)),
        DRAFT: _json(draft_to_json(draft)),
        PREVIEW: _encoded(".jpg", preview(photo, laid)),
        SHEET: _json(sheet_to_json(laid.sheet)),
    }
    write_files(files, folder)
    return laid


def write_colors(colors: Mapping[Seat, str], folder: Path) -> None:
    """Give the pieces of the board in a folder other colours; all else stays as its files say, also what was written
    into them by hand. Raises BadInput, DeviceError."""
    draft, sheet = read_draft(folder / DRAFT), load_sheet(folder / SHEET)
    draft, sheet = replace(draft, colors=colors), replace(sheet, colors={**sheet.colors, **colors})
    write_files({DRAFT: _json(draft_to_json(draft)), SHEET: _json(sheet_to_json(sheet))}, folder)


def keep_draft(draft: Draft, photo: Frame, folder: Path) -> None:
    """Keep what was given so far, be it enough for a board or not, and the photo on which it was tapped. Raises
    DeviceError."""
    write_files({PHOTO: _encoded(".png", photo), DRAFT: _json(draft_to_json(draft))}, folder)


def read_draft(path: Path) -> Draft:
    """The draft in a file. Raises BadInput."""
    try:
        return draft_from_json(json.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); companion calibrate board makes it") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: {error}") from error


def preview(photo: Frame, laid: Laid) -> Frame:
    """A copy of the photo with every space ringed and named."""
    picture = photo.copy()
    size = max(0.28, 0.35 * photo.shape[1] / 1280)
    for name, (x, y, radius) in laid.pixels().items():
        middle = round(x), round(y)
        cv2.circle(picture, middle, max(2, round(radius)), (30, 30, 30), 3, cv2.LINE_AA)
        cv2.circle(picture, middle, max(2, round(radius)), (90, 230, 130), 1, cv2.LINE_AA)
        cv2.putText(picture, name, middle, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 3, cv2.LINE_AA)
        cv2.putText(picture, name, middle, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 1, cv2.LINE_AA)
    return picture


def _landmarks(draft: Draft, laid: Laid) -> dict[str, Any]:
    """Places of the board in the photo, by which it is found in it again: the corners, and what was tapped."""
    (width, height), (left, top) = laid.size, laid.corner
    there = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    rows = list(zip(there, draft.corners, strict=True))
    taps = list(draft.taps.values())
    rows += [((x, y), tap) for (x, y), tap in zip(places_of(laid.pose, taps).tolist(), taps, strict=True)]
    return {"landmarks": [{"x_mm": round(x, 2), "y_mm": round(y, 2), "px": list(px)} for (x, y), px in rows]}


def _encoded(kind: str, picture: Frame) -> bytes:
    return bytes(cv2.imencode(kind, picture)[1].tobytes())


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, indent=1) + "\n").encode()


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, Mapping):
        raise BadInput(f"{key} must be a table of names, not {value!r}")
    return value


def _flag(data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise BadInput(f"{key} must be true or false, not {value!r}")
    return value


def _point(value: Any, where: str) -> Point:
    good = isinstance(value, list | tuple) and len(value) == 2 and all(is_number(v) for v in value)
    if not good:
        raise BadInput(f"{where} must be two numbers [x, y], not {value!r}")
    return float(value[0]), float(value[1])


def _seat(key: str) -> Seat:
    try:
        return seat_from_key(key)
    except ValueError:
        raise BadInput(f"a seat is a number like 0, or N, E, S, W, not {key!r}") from None


def _color(text: Any) -> str:
    digits = str(text).removeprefix("#").lower()
    if len(digits) != 6 or not set(digits) <= set("0123456789abcdef"):
        raise BadInput(f'a colour is written like "#c8102e", not {text!r}')
    return f"#{digits}"


def _piece(data: Any) -> Piece | None:
    if data is None:
        return None
    kind = data.get("kind") if isinstance(data, Mapping) else data
    if kind not in PIECE_KINDS:
        raise BadInput(f"piece kind must be one of {', '.join(PIECE_KINDS)}, not {kind!r}")
    sizes = [data.get(key) for key in ("diameter_mm", "height_mm")]
    if not all(is_number(size) and 1 <= size <= 200 for size in sizes):
        raise BadInput(f"piece diameter_mm and height_mm must be 1 to 200, not {sizes[0]!r} and {sizes[1]!r}")
    return Piece(kind, float(sizes[0]), float(sizes[1]))
