"""`companion calibrate board` and `companion calibrate colors`: a board of one's own, without the page."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibration.board_files import DRAFT, PHOTO, PREVIEW, SHEET, draft_from_json, read_draft, write_board
from calibration.laying import LEAST_TAPS
from calibration.own_board import Draft, color_at, lay_out
from calibration.piece_colors import piece_colors
from companion.games.catalogue import game_for
from companion.model import BadInput, Sheet
from companion.model.board import seat_key
from companion.service.setting_up import start_of
from companion.vision import load_scene, read_image
from companion.vision.pose import Frame

Kinds = Any
"""What argparse calls an action of sub-parsers."""


def add_board(kinds: Kinds) -> None:
    """`companion calibrate board`."""
    board = kinds.add_parser("board", help="use a board that was not printed by this project")
    board.add_argument("--photo", type=Path, required=True, metavar="empty.jpg", help="the empty board")
    board.add_argument("--out", type=Path, required=True, metavar="DIR", help="what was given before is kept there too")
    board.add_argument("--game", metavar="NAME")
    board.add_argument("--option", type=_pair, action="append", default=[], metavar="NAME=VALUE", help="of the game")
    board.add_argument("--size", type=_size, metavar="WxH", help="of the board, mm, like 450x450")
    board.add_argument("--corner", type=_point, action="append", default=[], metavar="X,Y", help="four, clockwise, px")
    board.add_argument("--tap", type=_named, action="append", default=[], metavar="SPACE=X,Y", help="the middle, px")
    board.add_argument("--move", type=_named, action="append", default=[], metavar="SPACE=X,Y", help="this one alone")
    board.add_argument("--piece", type=_piece, metavar="KIND,ACROSS,HIGH", help="pawn, marble or disc; mm")
    color = "#rrggbb, or a pixel X,Y of a piece"
    board.add_argument("--color", type=_pair, action="append", default=[], metavar="SEAT=COLOR", help=color)
    board.add_argument("--seat", type=_pair, action="append", default=[], metavar="SEAT=WORD", help="what it is called")
    board.set_defaults(command=_board)


def add_colors(kinds: Kinds) -> None:
    """`companion calibrate colors`."""
    colors = kinds.add_parser("colors", help="learn the pieces' colours from a picture of the board set up")
    colors.add_argument("image", type=Path, metavar="IMAGE", help="every piece in its base")
    colors.add_argument("--board", type=Path, required=True, metavar="DIR", help="written by calibrate board")
    colors.set_defaults(command=_colors)


def _board(arguments: argparse.Namespace) -> int:
    for line in own_board(arguments):
        print(line, flush=True)
    return 0


def own_board(arguments: argparse.Namespace) -> Iterator[str]:
    """Add what was given to what the folder holds, and write the board. Raises BadInput."""
    photo = read_image(arguments.photo)
    draft = _drafted(arguments, photo)
    laid = lay_out(draft, (photo.shape[1], photo.shape[0]))
    if len(draft.taps) < LEAST_TAPS:
        raise BadInput(
            f"{len(draft.taps)} of at least {LEAST_TAPS} spaces are given; next: --tap {laid.tap_next}=X,Y "
            f"(companion sheet {draft.game} --out DIR shows where {laid.tap_next} is)"
        )
    laid = write_board(draft, photo, arguments.out)
    yield from laid.doubts
    yield f"{arguments.out / SHEET}"
    yield f"{arguments.out / PREVIEW}: look whether each ring lies on its space"
    if laid.tap_next:
        yield f"If they lie off, one more --tap {laid.tap_next}=X,Y helps most, or --move a single one."
    yield f'In companion.toml: [sheet] path = "{arguments.out / SHEET}", reference = "{arguments.out / PHOTO}"'


def _drafted(arguments: argparse.Namespace, photo: Frame) -> Draft:
    kept = arguments.out / DRAFT
    draft = read_draft(kept) if kept.is_file() else None
    game = arguments.game or (draft.game if draft else None)
    if game is None:
        raise BadInput("--game says whose spaces are to be laid over the board")
    if draft is None and (arguments.size is None or len(arguments.corner) != 4):
        raise BadInput("give the board's --size in mm, and --corner four times, clockwise")
    old = draft or Draft(game, arguments.size, tuple(arguments.corner))
    new = draft_from_json(
        {
            "own_board": 1,
            "game": game,
            "size_mm": arguments.size or old.size,
            "piece": arguments.piece,
            "colors": {seat: _color(text, photo) for seat, text in arguments.color},
            "seats": dict(arguments.seat),
        }
    )
    return replace(
        old,
        size=new.size,
        corners=tuple(arguments.corner) or old.corners,
        options={**old.options, **{name: _value(text) for name, text in arguments.option}},
        taps={**old.taps, **dict(arguments.tap)},
        moved={**old.moved, **dict(arguments.move)},
        piece=new.piece or old.piece,
        colors={**old.colors, **new.colors},
        names={**old.names, **new.names},
    )


def _value(text: str) -> object:
    return int(text) if text.isdigit() else text


def _color(text: str, photo: Frame) -> str:
    return color_at(photo, _point(text)) if "," in text else text


def _colors(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.board
    draft, photo = read_draft(folder / DRAFT), read_image(folder / PHOTO)
    scene = load_scene(folder / SHEET, folder / PHOTO)
    found = piece_colors(read_image(arguments.image), scene, _start(scene.sheet))
    write_board(replace(draft, colors={**draft.colors, **found}), photo, folder)
    for seat, color in found.items():
        print(f"{seat_key(draft.game, seat)} {scene.sheet.seat_label(seat)}: {color}")
    return 0


def _start(sheet: Sheet) -> dict[int, list[str]]:
    """Where the pieces of every seat stand before the game, whoever plays."""
    seats = (0, 2) if sheet.game == "game-of-god" else tuple(sorted(sheet.colors))
    game = game_for(sheet.game, seats, dict(sheet.options))
    return start_of(sheet, game)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text}: expected NAME=VALUE")
    return name, value


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected a pixel like 640,410") from None
    return x, y


def _named(text: str) -> tuple[str, tuple[float, float]]:
    name, value = _pair(text)
    return name, _point(value)


def _size(text: str) -> tuple[float, float]:
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected width x height in mm, like 450x450") from None
    return width, height


def _piece(text: str) -> dict[str, object]:
    try:
        kind, across, high = text.split(",")
        return {"kind": kind, "diameter_mm": float(across), "height_mm": float(high)}
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected kind, diameter and height, like marble,16,16") from None
