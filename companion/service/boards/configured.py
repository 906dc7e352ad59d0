"""The board that a configuration means: its sheet, its scene for vision, and its picture for the page."""

from __future__ import annotations

import base64
import contextlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.board_files import PHOTO, PREVIEW, SHEET
from calibration.drawing import rect
from calibration.sheet import BOARDS, drawn, texture
from companion.games.aggravation import Aggravation
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal import JOURNAL, kept_out
from companion.model import FAILURES, BadInput, Closed, Seat, Sheet, SheetError, why_not
from companion.model.board import area_of, seat_key
from companion.referee.folding import places_of_bases
from companion.service.boards.pictures import scene_with
from companion.service.boards.seats import seats_among
from companion.service.config import OWN_BOARDS, Config
from companion.vision import Scene, load_scene, make_scene
from companion.vision.view.lens import load_lens
from companion.vision.view.pose import Frame

PRINTED, OWN = "as printed", "a board of your own"
"""How the name of a board ends that is none of a file."""
_QUIET = "#e0d9c9"  # what draws no eye in the corner of a board on a screen


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
        if game.name not in BOARDS:
            raise BadInput(f"{config.source}: [sheet] path must name your sheet.json: no board comes with {game.title}")
        sheet, picture, svg = printed_board(game.name, board_options(game))
        check_sheet(sheet, game, f"the board of {game.name}")
        scene = _watched(make_scene(sheet, picture), config, game)
        return Table(sheet, scene, on_page(svg, sheet), f"{game.name}, {PRINTED}")
    path = config.path(config.sheet.path)
    reference = config.path(config.sheet.reference) if config.sheet.reference else None
    with config.naming("[sheet]"):
        scene = scene_with(path, reference)
        check_sheet(scene.sheet, game, path)
    scene = _watched(scene, config, game)
    return Table(scene.sheet, scene, on_page(picture_svg(scene.sheet, scene), scene.sheet), str(path))


def table_of(config: Config, game: Game[object]) -> Table:
    """The board of one's own that was set up for this game, if there is one and no other is configured; else as
    `table_for`. One that cannot be used any more is not guessed round: raises what `table_for` does.
    """
    own = own_folder(config, game)
    try:
        # a finished one has both; where its sheet is lost, a game of it must not go on on another board without a word
        is_there = any((own / name).is_file() for name in (SHEET, PREVIEW))
    except PermissionError as error:
        raise Closed(kept_out(config.journal_folder / JOURNAL) or why_not(error)) from error
    if config.sheet.path or not is_there:
        return table_for(config, game)
    with _kept_in(own):
        scene = load_scene(own / SHEET, own / PHOTO)
        check_sheet(scene.sheet, game, own / SHEET)
    scene = _watched(scene, config, game)
    return Table(scene.sheet, scene, picture_svg(scene.sheet, scene), f"{game.name}, {OWN}")


@contextmanager
def _kept_in(own: Path) -> Iterator[None]:
    """What is wrong with a board of one's own is said with its folder, which nobody named, and the way out."""
    try:
        yield
    except BadInput as error:
        way = f"put a backup back, or move the folder {own} away to play on the printed board"
        raise type(error)(f"your own board cannot be used: {error}. To go on: {way}") from error


def board_played(config: Config, game: Game[object], name: str | None) -> Scene:
    """The board of that name, by which the journal knows it, as it lies at this table now.

    Raises BadInput where it is not here any more, or another one lies in its place.
    """
    if name == f"{game.name}, {PRINTED}":
        return make_scene(*printed_board(game.name, board_options(game))[:2])
    path = own_folder(config, game) / SHEET if name == f"{game.name}, {OWN}" else Path(name or "")
    if not (path.is_absolute() and path.is_file()):
        raise SheetError(f"{name or 'a board without a name'}: there is no such board here any more")
    beside = path.with_name(PHOTO)
    photo = beside if beside.is_file() else None
    if config.sheet.reference and config.path(config.sheet.path) == path:
        photo = config.path(config.sheet.reference)
    scene = load_scene(path, photo)
    check_sheet(scene.sheet, game, path)
    return scene


def _watched(scene: Scene, config: Config, game: Game[object]) -> Scene:
    """The scene as it is watched in this game: by whose pieces may be there, and through the configured lens."""
    return with_lens(of_game(scene, game), config)


def of_game(scene: Scene, game: Game[Any]) -> Scene:
    """The scene with what the game says of its pieces: whose there are, how many of a seat, and on one space at most.

    Discs that lie close are counted with doubt only (28 areas of 3 to 9 discs: 6 wrong, none surely): more than usual
    are not looked for, and asked about.
    """
    players, most = frozenset(game.seats), max(scene.most, _most_at_first(scene.sheet, game))
    pieces = max(game.everything(game.opening(game.seats[0])).count().values(), default=0)
    same = (players, most, pieces) == (scene.players, scene.most, scene.pieces)
    return scene if same else replace(scene, players=players, most=most, pieces=pieces)


def of_its_game(scene: Scene) -> Scene:
    """The scene with what the game that its sheet names says of its pieces, however many play: the most that two, or
    all, may have. As it is where there is no such game here, or it cannot be made."""
    sheet, there, known = scene.sheet, sorted(scene.sheet.colors), list[Scene]()
    for count in (2, len(there)):
        with contextlib.suppress(*FAILURES), contextlib.redirect_stdout(sys.stderr):  # what it prints is no reading
            seats = seats_among(there, sheet.game, sheet.options, count)
            known.append(of_game(scene, game_for(sheet.game, seats, sheet.options)))
    if not known:
        return scene
    return replace(scene, most=max(one.most for one in known), pieces=max(one.pieces for one in known))


def _most_at_first(sheet: Sheet, game: Game[Any]) -> int:
    """How many pieces of a seat stand on one space when the game begins; 0 where these are discs."""
    if sheet.piece.kind == "disc":
        return 0
    start = game.everything(game.opening(game.seats[0]))
    return max((content.count(seat) for content in start.values() for seat in content), default=0)


def countable(sheet: Sheet, game: Game[Any]) -> int:
    """How many pieces of one seat on one space are counted; more are asked about."""
    return max(Scene.most, _most_at_first(sheet, game))


def with_lens(scene: Scene, config: Config) -> Scene:
    """The scene watched through the configured lens. Raises ImageError if it is not of this camera's pictures."""
    if not config.camera.lens:
        return scene
    with config.naming("[camera] lens:"):
        lens = load_lens(config.path(config.camera.lens))
        lens.scaled((config.camera.width, config.camera.height))
    return replace(scene, lens=lens)


def own_folder(config: Config, game: Game[object]) -> Path:
    """Where a board of one's own is kept for this game and those of its options that change the board."""
    options = "".join(f"-{name}-{value}" for name, value in sorted(board_options(game).items()))
    return config.journal_folder / OWN_BOARDS / f"{game.name}{options}"


def board_folder(config: Config, game: Game[object]) -> Path:
    """Where the files of the board that is used lie, if it is not a printed one."""
    return config.path(config.sheet.path).parent if config.sheet.path else own_folder(config, game)


def board_options(game: Game[object]) -> dict[str, object]:
    """What of a game's options its printed board depends on: `arms`, `home` or `size`; usual ones are spelt out."""
    found = {name: game.options.get(name, choices[0]) for name, choices in choices_of(game.name).items()}
    if isinstance(game, Aggravation):
        found["arms"] = game.arms
    return found


def choices_of(game: str) -> Mapping[str, tuple[object, ...]]:
    """Option → what it may be, the usual first, for those options on which the board of `game` depends."""
    return BOARDS[game].choices if game in BOARDS else {}


def printed_board(game: str, options: Mapping[str, object] | None = None) -> tuple[Sheet, Frame, str]:
    """The sheet, texture (uint8 BGR) and SVG of the board that `companion sheet` prints. Raises BadInput.

    options: those that change the board (`board_options`); none of them: the usual board.
    """
    return _printed(game, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=8)
def _printed(game: str, options: tuple[tuple[str, object], ...]) -> tuple[Sheet, Frame, str]:
    sheet, svg = drawn(game, dict(options))
    picture = cv2.imdecode(np.frombuffer(texture(svg, sheet), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return sheet, np.asarray(picture, np.uint8), svg


def check_sheet(sheet: Sheet, game: Game[object], path: Path | str) -> None:
    """Raises SheetError if the sheet is of another game or another of its boards, or lacks a space or a colour."""
    if sheet.game != game.name and not _on_one_board(sheet.game, game):
        raise SheetError(f"{path}: this is a board of {sheet.game!r}, and the game is {game.name!r}")
    for name, played in board_options(game).items():
        drawn = sheet.options.get(name, played)
        if drawn != played:
            raise SheetError(
                f"{path}: this board has {name} = {drawn!r}, and the game is played with {name} = {played!r}; "
                f"print the board with {name} = {played!r}, or set the game's option {name} to {drawn!r}"
            )
    there = {*sheet.spaces, *places_of_bases(sheet.spaces)}
    missing = [name for name in game.spaces() if name not in there]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise SheetError(f"{path}: the space {missing[0]}{more} is missing; {game.name} needs it")
    known = {area_of(name) or name for name in sheet.spaces}
    if sheet.game == Aggravation.name and (strange := sorted(known - set(game.spaces()))):
        raise SheetError(f"{path}: the space {strange[0]} is none of {game.name} on so many arms")
    _check_colors(sheet, game, path)


def _on_one_board(other: str, game: Game[object]) -> bool:
    """Whether the game of that name has just the spaces of this one: both editions of Parcheesi have."""
    try:
        return set(game_for(other, game.seats).spaces()) == set(game.spaces())
    except BadInput:
        return False


def _check_colors(sheet: Sheet, game: Game[object], path: Path | str) -> None:
    """Raises SheetError unless all who play have a name, and their pieces can be told apart, by eye and by it."""
    pieces: dict[str, Seat] = {}
    names: dict[str, Seat] = {}
    for seat in game.seats:
        label, color = seat_key(sheet.game, seat), sheet.colors.get(seat)
        if color is None:
            raise SheetError(f'{path}: colors gives none for seat {label}, who plays; add "{label}": "#rrggbb"')
        if not (name := sheet.seat_label(seat)).strip():
            raise SheetError(f"{path}: seats gives {name!r} to seat {label}; give a word, or leave it out")
        for told, known, what in ((color, pieces, "colors"), (name, names, "seats")):
            other = known.setdefault(told, seat)
            if other != seat:
                both = f"seats {seat_key(sheet.game, other)} and {label}"
                raise SheetError(f"{path}: {what} gives {told!r} to {both}; their pieces could not be told apart")


def on_page(svg: str, sheet: Sheet) -> str:
    """A board's picture as screens show it: its markers are plain quiet squares, which say nothing to a camera. With
    them a tablet beside the board was a second one, or held markers where this game's board has none.
    """
    inside, end, after = svg.rpartition("</svg>")
    if sheet.markers is None or not end:
        return svg
    side = sheet.markers.size
    return inside + "".join(rect(at, side, side, fill=_QUIET) for at in sheet.markers.centers.values()) + end + after


def picture_svg(sheet: Sheet, scene: Scene) -> str:
    """The board's texture, or the photo of the empty board seen from above, as an SVG in millimetres."""
    small = cv2.imencode(".jpg", scene.empty, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    data = base64.b64encode(small.tobytes()).decode()
    size = f'width="{sheet.width:g}" height="{sheet.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width:g} {sheet.height:g}">'
        f'<image {size} href="data:image/jpeg;base64,{data}"/></svg>'
    )
