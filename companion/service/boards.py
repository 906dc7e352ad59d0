"""The board that a configuration means: its sheet, its scene for vision, and its picture for the page."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from calibration.sheet import board_for, texture
from companion.games.contract import Game
from companion.model import Sheet, SheetError
from companion.referee.folding import places
from companion.service.config import Config
from companion.vision import Scene, load_scene, make_scene
from companion.vision.pose import Frame


@dataclass(frozen=True)
class Table:
    """The board on the table. svg: its picture, in millimetres, for the page."""

    sheet: Sheet
    scene: Scene
    svg: str
    name: str


def table_for(config: Config, game: Game[object]) -> Table:
    """The configured board, or the one that this project prints. Raises SheetError, ImageError, BadInput."""
    if not config.sheet.path:
        sheet, picture, svg = printed_board(game.name)
        return Table(sheet, make_scene(sheet, picture), svg, f"{game.name}, as printed")
    path = config.path(config.sheet.path)
    reference = config.path(config.sheet.reference) if config.sheet.reference else None
    scene = load_scene(path, reference)
    check_sheet(scene.sheet, game, path)
    return Table(scene.sheet, scene, picture_svg(scene.sheet, scene), str(path))


@lru_cache(maxsize=4)
def printed_board(game: str) -> tuple[Sheet, Frame, str]:
    """The sheet, texture (uint8 BGR) and SVG of the board that `companion sheet` prints."""
    board = board_for(game)
    sheet, svg = board.sheet(), board.svg()
    picture = cv2.imdecode(np.frombuffer(texture(svg, sheet), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return sheet, np.asarray(picture, np.uint8), svg


def check_sheet(sheet: Sheet, game: Game[object], path: Path) -> None:
    """Raises SheetError if the sheet is of another game or lacks a space that the game needs."""
    if sheet.game != game.name:
        raise SheetError(f"{path}: this is a board of {sheet.game!r}, and the game is {game.name!r}")
    there = {*sheet.spaces, *places(sheet.spaces)}
    missing = [name for name in game.spaces() if name not in there]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise SheetError(f"{path}: the space {missing[0]}{more} is missing; {game.name} needs it")


def picture_svg(sheet: Sheet, scene: Scene) -> str:
    """The board's texture, or the photo of the empty board seen from above, as an SVG in millimetres."""
    small = cv2.imencode(".jpg", scene.empty, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    data = base64.b64encode(small.tobytes()).decode()
    size = f'width="{sheet.width:g}" height="{sheet.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width:g} {sheet.height:g}">'
        f'<image {size} href="data:image/jpeg;base64,{data}"/></svg>'
    )
