"""Drawings on paper: a PDF at full size, tiled on A4, or small on one A4 page."""

from __future__ import annotations

import re
from typing import NamedTuple

from fpdf import FPDF
from fpdf.svg import SVGObject

from companion.model import Sheet

_A4 = (210.0, 297.0)
_MARGIN = 12.0
_OVERLAP = 5.0


class Page(NamedTuple):
    """The part of a board that one A4 page shows, mm of the sheet; row and column count from 0."""

    row: int
    column: int
    left: float
    top: float
    width: float
    height: float


def pages(sheet: Sheet) -> list[Page]:
    """The A4 pages that a board is cut into, row by row; neighbours overlap by 5 mm for the glue."""
    width, height = _A4[0] - 2 * _MARGIN, _A4[1] - 2 * _MARGIN
    corners = [
        (row, column, column * (width - _OVERLAP), row * (height - _OVERLAP))
        for row in range(_tiles(sheet.height, height))
        for column in range(_tiles(sheet.width, width))
    ]
    return [Page(r, c, x, y, min(width, sheet.width - x), min(height, sheet.height - y)) for r, c, x, y in corners]


def full_page(svg: str, sheet: Sheet) -> bytes:
    """The board as a PDF of one page of the board's own size."""
    pdf = _pdf(sheet.title, (sheet.width, sheet.height))
    _place(pdf, svg, 0, 0)
    return bytes(pdf.output())


def tiled(svg: str, sheet: Sheet) -> bytes:
    """The board as A4 pages with crop marks, to be cut and glued."""
    pdf, parts = _pdf(f"{sheet.title}, to be cut and glued", _A4), pages(sheet)
    for number, part in enumerate(parts):
        if number:
            pdf.add_page()
        with pdf.rect_clip(_MARGIN, _MARGIN, part.width, part.height):
            _place(pdf, svg, _MARGIN - part.left, _MARGIN - part.top)
        _crop_marks(pdf, part.width, part.height)
        rows, columns = parts[-1].row + 1, parts[-1].column + 1
        place = f"row {part.row + 1} of {rows}, column {part.column + 1} of {columns}"
        pdf.text(_MARGIN + 8, _A4[1] - 5, f"{sheet.title} - {place} - print at 100 %")
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
