"""A board of one's own by commands: what was given is added to what its folder holds."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from calibration.board_files import DRAFT, PHOTO, PREVIEW, SHEET, draft_from_json, keep_draft, read_draft, write_board
from calibration.check import other_size
from calibration.laying import LEAST_TAPS
from calibration.own_board import Draft, check_names, color_at, lay_out
from calibration.piece_colors import of_all_seats, piece_colors
from companion.games.catalogue import game_for
from companion.model import BadInput, ImageError, Seat, Sheet
from companion.model.board import seat_key
from companion.service.cli_calibrate import point
from companion.service.pointing import pointed_at
from companion.service.setting_up import start_of, unseen_in_its_photo
from companion.vision import health, load_scene, read_image
from companion.vision.view.grey import GREY, colourless
from companion.vision.view.lens import load_lens
from companion.vision.view.pose import Frame


def own_board(arguments: argparse.Namespace) -> Iterator[str]:
    """Add what was given to what the folder holds, and write the board. Raises BadInput."""
    photo = _photo(arguments.photo)
    draft = _drafted(arguments, photo)
    check_names(draft)
    laid = lay_out(draft, (photo.shape[1], photo.shape[0]), photo)
    keep_draft(draft, arguments.out)
    if len(draft.taps) < LEAST_TAPS:
        raise BadInput(
            f"{len(draft.taps)} of at least {LEAST_TAPS} spaces are given; next: --tap {laid.tap_next}=X,Y "
            f"(companion sheet {draft.game} --out DIR shows where {laid.tap_next} is)"
        )
    laid = write_board(draft, photo, arguments.out)
    yield from laid.doubts
    if unseen := unseen_in_its_photo(load_scene(arguments.out / SHEET, arguments.out / PHOTO)):
        yield unseen
    yield f"{arguments.out / SHEET}"
    yield f"{arguments.out / PREVIEW}: look whether each ring lies on its space"
    if laid.tap_next:
        yield f"If they lie off, one more --tap {laid.tap_next}=X,Y helps most, or --move a single one."
    yield f'In companion.toml: [sheet] path = "{arguments.out / SHEET}", reference = "{arguments.out / PHOTO}"'


def _photo(path: Path) -> Frame:
    """The photo of the empty board. Raises ImageError for one that shows nothing, or no colours."""
    photo = read_image(path)
    if ill := health(photo) or (GREY if colourless(photo) else None):
        raise ImageError(f"{path}: {ill} Take the photo of the empty board again.")
    return photo


def _drafted(arguments: argparse.Namespace, photo: Frame) -> Draft:
    kept = arguments.out / DRAFT
    draft = read_draft(kept) if kept.is_file() else None
    game = arguments.game or (draft.game if draft else None)
    if game is None:
        raise BadInput("--game says whose spaces are to be laid over the board")
    if draft is None and arguments.size is None:
        raise BadInput("--size is missing: how large the board itself is, in mm, like --size 450x450")
    if draft is None and len(arguments.corner) != 4:
        raise BadInput(f"--corner is needed four times, clockwise, in pixels of the photo, not {len(arguments.corner)}")
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
        lens=load_lens(arguments.lens) if arguments.lens else old.lens,
        inner=old.inner if arguments.inner is None else True,
    )


def _value(text: str) -> object:
    return int(text) if text.isdigit() else text


def _color(text: str, photo: Frame) -> str:
    return color_at(photo, point(text)) if "," in text else text


def learn_colors(arguments: argparse.Namespace) -> Iterator[str]:
    """Measure the pieces that stand in their bases in a picture, and keep their colours. Raises ImageError."""
    folder: Path = arguments.board
    draft, photo = read_draft(folder / DRAFT), read_image(folder / PHOTO)
    scene = load_scene(folder / SHEET, folder / PHOTO)
    picture = read_image(arguments.image)
    shown = pointed_at(arguments.corner, picture, scene, folder)
    found, before = piece_colors(picture, scene, _start(scene.sheet, arguments.seats), shown), scene.sheet.colors
    colors = of_all_seats(found, scene.sheet)
    write_board(replace(draft, colors=colors), photo, folder)
    for seat, color in found.items():
        yield f"{seat_key(draft.game, seat)} {scene.sheet.seat_label(seat)}: {color}"
    for seat in sorted(seat for seat in colors.keys() - found.keys() if colors[seat] != before[seat]):
        name = f"{seat_key(draft.game, seat)} {scene.sheet.seat_label(seat)}"
        yield f"{name}: {colors[seat]} from now on, as {before[seat]} is too like one of these"
    if other := other_size(picture, scene):
        yield " ".join(other)


def _start(sheet: Sheet, seats: tuple[Seat, ...] | None = None) -> dict[Seat, list[str]]:
    """Where each piece of these seats stands before the game; of every seat, whoever plays, if none are named. Raises
    BadInput for a seat that the board does not have."""
    strange = sorted(set(seats or ()) - set(sheet.colors))
    if strange:
        there = ", ".join(seat_key(sheet.game, seat) for seat in sorted(sheet.colors))
        raise BadInput(f"--seats: there is no seat {strange[0]} on this board of {sheet.game}; there are: {there}")
    usual = (0, 2) if sheet.game == "game-of-god" else tuple(sorted(sheet.colors))
    game = game_for(sheet.game, seats or usual, dict(sheet.options))
    return start_of(sheet, game)
