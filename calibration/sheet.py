"""Print a board: SVG, PDF at full size, PDF tiled on A4, PNG texture and sheet.json from one drawing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import resvg_py
from fpdf import FPDF
from fpdf.svg import SVGObject

from calibration import aggravation_board, game_of_god_board, gloria_board, parcheesi_board, parcheesi_print_board
from calibration.files import write_files
from companion.model import BadInput, Sheet, sheet_to_json

TEXTURE_SCALE = 4.0
"""Pixels of the texture per millimetre."""
_A4 = (210.0, 297.0)
_MARGIN = 12.0
_OVERLAP = 5.0


@dataclass(frozen=True, slots=True)
class Board:
    """A board that can be printed: its spaces as data and its picture as SVG."""

    sheet: Callable[[], Sheet]
    svg: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of one game. choices: option → what it may be, the usual first; sheet and svg take those options."""

    sheet: Callable[..., Sheet]
    svg: Callable[..., str]
    choices: Mapping[str, tuple[object, ...]] = field(default_factory=dict)


BOARDS: dict[str, Boards] = {
    "aggravation": Boards(aggravation_board.sheet, aggravation_board.svg, aggravation_board.CHOICES),
    "game-of-god": Boards(game_of_god_board.sheet, game_of_god_board.svg, game_of_god_board.CHOICES),
    "gloria": Boards(gloria_board.sheet, gloria_board.svg, gloria_board.CHOICES),
    "parcheesi": Boards(parcheesi_board.sheet, parcheesi_board.svg),
    "parcheesi-print": Boards(parcheesi_print_board.sheet, parcheesi_print_board.svg),
}


def board_for(game: str, options: Mapping[str, object] | None = None) -> Board:
    """The board of a game, with the options that change its board. Raises BadInput, which names what there is."""
    if game not in BOARDS:
        raise BadInput(f"there is no board to print for {game!r}; there is one for: {', '.join(sorted(BOARDS))}")
    boards, given = BOARDS[game], dict(options or {})
    for name, value in given.items():
        _check(game, boards.choices, name, value)
    return Board(partial(boards.sheet, **given), partial(boards.svg, **given))


def _check(game: str, choices: Mapping[str, tuple[object, ...]], name: str, value: object) -> None:
    """Raises BadInput unless the board of `game` comes with `name` as `value`."""
    if name not in choices:
        there = f"only {', '.join(choices)}" if choices else "nothing"
        raise BadInput(f"option {name}: {there} changes the printed board of {game}")
    if not any(type(value) is type(choice) and value == choice for choice in choices[name]):
        there = ", ".join(map(repr, choices[name]))
        raise BadInput(f"option {name} = {value!r}: the board of {game} comes with {there}")


def write_sheet(game: str, folder: Path, options: Mapping[str, object] | None = None) -> list[Path]:
    """Write the five files of a board into `folder` (made if it is not there); returns them.

    Raises BadInput, DeviceError.
    """
    board = board_for(game, options)
    sheet, svg = board.sheet(), board.svg()
    files = {
        f"{game}.svg": svg.encode(),
        f"{game}.pdf": full_page(svg, sheet),
        f"{game}-a4.pdf": tiled(svg, sheet),
        f"{game}.png": texture(svg, sheet),
        "sheet.json": (json.dumps(sheet_to_json(sheet), indent=1) + "\n").encode(),
    }
    return write_files(files, folder)


def texture(svg: str, sheet: Sheet) -> bytes:
    """The board as PNG bytes, TEXTURE_SCALE pixels per millimetre."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=round(sheet.width * TEXTURE_SCALE), dpi=96))


def full_page(svg: str, sheet: Sheet) -> bytes:
    """The board as a PDF of one page of the board's own size."""
    pdf = _pdf(sheet.title, (sheet.width, sheet.height))
    _place(pdf, svg, 0, 0)
    return bytes(pdf.output())


def tiled(svg: str, sheet: Sheet) -> bytes:
    """The board as A4 pages with crop marks; neighbours overlap by 5 mm for the glue."""
    pdf = _pdf(f"{sheet.title}, to be cut and glued", _A4)
    width, height = _A4[0] - 2 * _MARGIN, _A4[1] - 2 * _MARGIN
    columns, rows = _tiles(sheet.width, width), _tiles(sheet.height, height)
    for number, (row, column) in enumerate((r, c) for r in range(rows) for c in range(columns)):
        left, top = column * (width - _OVERLAP), row * (height - _OVERLAP)
        if number:
            pdf.add_page()
        part = min(width, sheet.width - left), min(height, sheet.height - top)
        with pdf.rect_clip(_MARGIN, _MARGIN, *part):
            _place(pdf, svg, _MARGIN - left, _MARGIN - top)
        _crop_marks(pdf, *part)
        label = f"{sheet.title} - row {row + 1} of {rows}, column {column + 1} of {columns} - print at 100 %"
        pdf.text(_MARGIN + 8, _A4[1] - 5, label)
    return bytes(pdf.output())


def one_page(svg: str, title: str, label: str) -> bytes:
    """A small drawing as a PDF of one A4 page, at full size, with a line of words below."""
    pdf = _pdf(title, _A4)
    _place(pdf, svg, _MARGIN, _MARGIN)
    pdf.text(_MARGIN, _A4[1] - 8, label)
    return bytes(pdf.output())


def _tiles(whole: float, page: float) -> int:
    count = 1
    while page + (count - 1) * (page - _OVERLAP) < whole:
        count += 1
    return count


def _pdf(title: str, size: tuple[float, float]) -> FPDF:
    pdf = FPDF(unit="mm", format=size)
    pdf.set_title(title)
    pdf.set_auto_page_break(False)
    pdf.set_font("Helvetica", size=7)
    pdf.set_margin(0)
    pdf.add_page()
    return pdf


def _place(pdf: FPDF, svg: str, x: float, y: float) -> None:
    """Draw the board with its top-left corner at (x, y) mm. Its <title> is for screens; fpdf has no use for it."""
    SVGObject(re.sub("<title>.*?</title>", "", svg)).draw_to_page(pdf, x, y)


def _crop_marks(pdf: FPDF, width: float, height: float) -> None:
    pdf.set_line_width(0.2)
    for x, out in ((_MARGIN, -1), (_MARGIN + width, 1)):
        for y, down in ((_MARGIN, -1), (_MARGIN + height, 1)):
            pdf.line(x + 2 * out, y, x + 8 * out, y)
            pdf.line(x, y + 2 * down, x, y + 8 * down)
