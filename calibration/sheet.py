"""Print a board: SVG, PDF at full size, PDF tiled on A4, PNG texture and sheet.json from one drawing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import resvg_py

from calibration import aggravation_board, game_of_god_board, gloria_board, parcheesi_board, parcheesi_print_board
from calibration.files import write_files
from companion.model import (
    FAILURES,
    BadInput,
    CompanionError,
    Sheet,
    SheetError,
    raised,
    sheet_from_json,
    sheet_to_json,
)

T = TypeVar("T")
TEXTURE_SCALE = 4.0
"""Pixels of the texture per millimetre."""


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
    return Board(partial(_asked, game, Sheet, boards.sheet, given), partial(_asked, game, str, boards.svg, given))


def _asked(game: str, wanted: type[T], drawing: Callable[..., T], given: Mapping[str, object]) -> T:
    """What a drawing gives with these options. Raises BadInput where it raises anything else or gives another thing."""
    called = f"the board of {game}: its {'sheet' if wanted is Sheet else 'svg'}()"
    try:
        found = drawing(**given)
    except CompanionError:
        raise
    except FAILURES as error:  # a drawing of one's own may raise whatever it likes
        raise BadInput(f"{called} raises {raised(error)}") from error
    if not isinstance(found, wanted):
        what, given_back = "a Sheet" if wanted is Sheet else "the SVG as text", type(found).__name__
        raise BadInput(f"{called} must return {what}, and returns {'nothing' if found is None else given_back}")
    return found


def _check(game: str, choices: Mapping[str, tuple[object, ...]], name: str, value: object) -> None:
    """Raises BadInput unless the board of `game` comes with `name` as `value`."""
    if name not in choices:
        there = f"only {', '.join(choices)}" if choices else "nothing"
        raise BadInput(f"option {name}: {there} changes the printed board of {game}")
    if not any(type(value) is type(choice) and value == choice for choice in choices[name]):
        there = ", ".join(map(repr, choices[name]))
        raise BadInput(f"option {name} = {value!r}: the board of {game} comes with {there}")


def drawn(game: str, options: Mapping[str, object] | None = None) -> tuple[Sheet, str]:
    """The sheet and the SVG of a board, the sheet as sound as one that is read. Raises BadInput, SheetError."""
    return sheet_of(game, options), board_for(game, options).svg()


def sheet_of(game: str, options: Mapping[str, object] | None = None) -> Sheet:
    """The sheet of a board, as sound as one that is read. Raises BadInput, SheetError."""
    sheet, source = board_for(game, options).sheet(), f"the board of {game}"
    try:
        data = sheet_to_json(sheet)
    except Exception as error:  # a part of it is of another kind than Sheet says
        raise SheetError(f"{source}: its sheet cannot be written down: {raised(error)}") from error
    sheet_from_json(data, source)
    if sheet.game != game:
        raise SheetError(f"{source}: its sheet says that it is a board of {sheet.game!r}")
    return sheet


def write_sheet(game: str, folder: Path, options: Mapping[str, object] | None = None) -> list[Path]:
    """Write the five files of a board into `folder` (made if it is not there); returns them.

    Raises BadInput, DeviceError.
    """
    from calibration.paper import full_page, tiled  # which takes long to load, and a table in play prints nothing

    sheet, svg = drawn(game, options)
    picture = texture(svg, sheet)
    try:
        page, sheets = full_page(svg, sheet), tiled(svg, sheet)
    except Exception as error:  # it knows less of SVG than what draws the picture
        raise BadInput(f"the board of {game} cannot be drawn on paper: {raised(error)}") from error
    sheet = replace(sheet, texture=f"{game}.png")
    files = {
        f"{game}.svg": svg.encode(),
        f"{game}.pdf": page,
        f"{game}-a4.pdf": sheets,
        f"{game}.png": picture,
        "sheet.json": (json.dumps(sheet_to_json(sheet), indent=1) + "\n").encode(),
    }
    return write_files(files, folder)


def texture(svg: str, sheet: Sheet, scale: float = TEXTURE_SCALE) -> bytes:
    """The board as PNG bytes, `scale` pixels per millimetre. Raises BadInput where `svg` is none."""
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=round(sheet.width * scale), dpi=96))
    except ValueError as error:
        raise BadInput(f"the board of {sheet.game} cannot be drawn: its picture is no SVG ({error})") from error
