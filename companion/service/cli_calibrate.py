"""`companion calibrate …`: what is done once per table. What does it is imported when it is asked for."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from companion.model import Seat
from companion.model.board import seat_from_key
from companion.service.cli_values import folder, option, point, seconds

CORNER = "of a board that is not found: four, clockwise, px, from the one that was tapped first in its photo"
Kinds: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_calibrate(commands: Kinds) -> None:
    """The command with its kinds."""
    calibrate = commands.add_parser("calibrate", help="set up a board of one's own, its pieces' colours, the lens")
    kinds = calibrate.add_subparsers(required=True, metavar="WHAT")
    for add in (add_board, add_colors, add_lens):
        add(kinds)


def add_board(kinds: Kinds) -> None:
    """`companion calibrate board`."""
    board = kinds.add_parser("board", help="use a board that was not printed by this project")
    board.add_argument("--photo", type=Path, required=True, metavar="empty.jpg", help="the empty board")
    kept = "what was given before is kept there too"
    board.add_argument("--out", type=folder, required=True, metavar="DIR", help=kept)
    board.add_argument("--game", metavar="NAME")
    board.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="of the game")
    board.add_argument("--size", type=_size, metavar="WxH", help="of the board, mm, like 450x450")
    board.add_argument("--corner", type=point, action="append", default=[], metavar="X,Y", help="four, clockwise, px")
    inner = "round or six-sided: size and corners are of a rectangle about its middle"
    board.add_argument("--inner", action="store_true", default=None, help=inner)
    board.add_argument("--tap", type=_named, action="append", default=[], metavar="SPACE=X,Y", help="the middle, px")
    board.add_argument("--move", type=_named, action="append", default=[], metavar="SPACE=X,Y", help="this one alone")
    board.add_argument("--piece", type=_piece, metavar="KIND,ACROSS,HIGH", help="pawn, marble or disc; mm")
    board.add_argument("--lens", type=Path, metavar="lens.json", help="of the camera that took the photo, if measured")
    color = "#rrggbb, or a pixel X,Y of a piece"
    board.add_argument("--color", type=_pair, action="append", default=[], metavar="SEAT=COLOR", help=color)
    board.add_argument("--seat", type=_pair, action="append", default=[], metavar="SEAT=WORD", help="what it is called")
    board.set_defaults(command=_board)


def add_colors(kinds: Kinds) -> None:
    """`companion calibrate colors`."""
    colors = kinds.add_parser("colors", help="learn the pieces' colours from a picture of the board set up")
    colors.add_argument("image", type=Path, metavar="IMAGE", help="every piece in its base")
    colors.add_argument("--board", type=Path, required=True, metavar="DIR", help="written by calibrate board")
    colors.add_argument("--corner", type=point, action="append", default=[], metavar="X,Y", help=CORNER)
    seats = "those that play, like 0,2 or N,S: the colours of these alone (default: all)"
    colors.add_argument("--seats", type=_seats, metavar="SEAT,SEAT", help=seats)
    colors.set_defaults(command=_colors)


def add_lens(kinds: Kinds) -> None:
    """`companion calibrate lens`."""
    lens = kinds.add_parser("lens", help="measure how the camera's lens bends straight lines")
    lens.add_argument("images", type=Path, nargs="*", metavar="IMAGE", help="of the target, or a folder of them")
    lens.add_argument("--target", type=folder, metavar="DIR", help="write the target to print (PDF, SVG, PNG)")
    lens.add_argument("--config", type=Path, metavar="companion.toml", help="take the pictures with its camera")
    lens.add_argument("--live", type=Path, metavar="FILE.jpg", help="keep this picture of what is covered up to date")
    lens.add_argument("--seconds", type=seconds, default=180.0, metavar="S", help="give up then (default: 180)")
    lens.add_argument("--out", type=Path, default=Path("lens.json"), metavar="lens.json", help="where to write it")
    lens.set_defaults(command=_lens)


def _lens(arguments: argparse.Namespace) -> int:
    from companion.service.boards.lens_views import measure_lens

    well = True
    for line, good in measure_lens(arguments):
        well = well and good
        print(line, flush=True)
    return 0 if well else 1


def _board(arguments: argparse.Namespace) -> int:
    from companion.service.boards.own_boards import own_board

    for line in own_board(arguments):
        print(line, flush=True)
    return 0


def _colors(arguments: argparse.Namespace) -> int:
    from companion.service.boards.own_boards import learn_colors

    for line in learn_colors(arguments):
        print(line, flush=True)
    return 0


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text}: expected NAME=VALUE")
    return name, value


def _named(text: str) -> tuple[str, tuple[float, float]]:
    name, value = _pair(text)
    return name, point(value)


def _seats(text: str) -> tuple[Seat, ...]:
    try:
        return tuple(sorted({seat_from_key(key) for key in text.split(",")}))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected seats like 0,2 or N,S") from None


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
