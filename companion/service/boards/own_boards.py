"""A board of one's own by commands: what was given is added to what its folder holds."""

from __future__ import annotations

import argparse
import json
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.board_files import (
    DRAFT,
    PHOTO,
    PREVIEW,
    SHEET,
    draft_from_json,
    keep_draft,
    read_draft,
    write_board,
    write_colors,
)
from calibration.check import other_size
from calibration.laying import LEAST_TAPS
from calibration.own_board import Draft, check_names, check_size, color_at, lay_out, places_of
from calibration.piece_colors import of_all_seats, piece_colors
from calibration.sheet import board_for
from companion.games.catalogue import game_for
from companion.model import BadInput, ImageError, Seat, Sheet
from companion.model.board import seat_key
from companion.service.boards.configured import choices_of
from companion.service.boards.pictures import read_picture
from companion.service.boards.pointing import pointed_at
from companion.service.boards.setting_up import start_of, unseen_in_its_photo
from companion.service.cli_values import once, point
from companion.service.naming import told_apart
from companion.vision import health, load_scene, read_image
from companion.vision.finding.registration import register
from companion.vision.view.grey import GREY, colourless
from companion.vision.view.lens import load_lens
from companion.vision.view.pose import Frame

_ELSEWHERE = 0.01
"""Of a photo's width: by more a corner of the board lies beside where it was tapped."""


def own_board(arguments: argparse.Namespace) -> Iterator[str]:
    """Add what was given to what the folder holds, and write the board. Raises BadInput."""
    photo = _photo(arguments.photo)
    options = once("--option", arguments.option)
    old = _begun(arguments, options)
    if why := _otherwise(photo, old, arguments.out):
        if not arguments.corner:
            raise BadInput(
                f"--photo {arguments.photo}: {why}: give that one, or all --corner and --tap again, or begin anew in a "
                "folder of its own (--out)"
            )
        old = replace(old, taps={}, moved={})
    draft = _drafted(arguments, photo, old, options)
    check_names(draft)
    laid = lay_out(draft, (photo.shape[1], photo.shape[0]), photo)
    keep_draft(draft, photo, arguments.out)
    if len(draft.taps) < LEAST_TAPS:
        raise BadInput(
            f"{len(draft.taps)} of at least {LEAST_TAPS} spaces are given; next: --tap {laid.tap_next}=X,Y "
            f"(companion sheet {draft.game} --out DIR shows where {laid.tap_next} is)"
        )
    laid = write_board(draft, photo, arguments.out)
    yield from laid.doubts
    scene = load_scene(arguments.out / SHEET, arguments.out / PHOTO)
    yield from filter(None, (unseen_in_its_photo(scene), told_apart(scene.sheet, scene.sheet.colors)))
    yield f"{arguments.out / SHEET}"
    yield f"{arguments.out / PREVIEW}: look whether each ring lies on its space"
    if laid.tap_next:
        yield f"If they lie off, one more --tap {laid.tap_next}=X,Y helps most, or --move a single one."
    path, photographed = (json.dumps(str(arguments.out / name), ensure_ascii=False) for name in (SHEET, PHOTO))
    yield f"In companion.toml:\n\n[sheet]\npath = {path}\nreference = {photographed}"


def _otherwise(photo: Frame, draft: Draft, folder: Path) -> str:
    """Why what was tapped on a board that was finished does not hold for another photo: the board lies elsewhere in it,
    or is not there. "" where it does, or where that cannot be told."""
    try:
        scene = load_scene(folder / SHEET, folder / PHOTO)
    except BadInput:
        return _unlike_the_first(photo, folder)
    if scene.pose is None or scene.photo is None or np.array_equal(scene.photo, photo):
        return ""
    unplaced = replace(scene, pose=None)
    pose = register(photo, unplaced)
    if isinstance(pose, str):
        if isinstance(register(scene.photo, unplaced), str):
            return ""  # too faint to be found anywhere
        return f"the board that was tapped on {folder / PHOTO} cannot be found in it"
    off = pose.project(places_of(scene.pose, list(draft.corners))) - np.array(draft.corners)
    if np.abs(off).max() <= _ELSEWHERE * photo.shape[1]:
        return ""
    return f"the board lies elsewhere in it than in {folder / PHOTO}, on which it was tapped"


def _unlike_the_first(photo: Frame, folder: Path) -> str:
    """The same of a board that is not finished, on which nothing can be found yet: only that photo itself will do."""
    try:
        first = read_image(folder / PHOTO)
    except ImageError:
        return ""
    return "" if np.array_equal(first, photo) else f"the first of it was tapped on another, {folder / PHOTO}"


def _photo(path: Path) -> Frame:
    """The photo of the empty board. Raises ImageError for one that shows nothing, or no colours."""
    photo = read_picture(path)
    if ill := health(photo) or (GREY if colourless(photo) else None):
        raise ImageError(f"{path}: {ill} Take the photo of the empty board again.")
    return photo


def _drafted(arguments: argparse.Namespace, photo: Frame, old: Draft, options: Mapping[str, object]) -> Draft:
    """What was given, added to what there was."""
    tapped = once("--tap", arguments.tap)
    new = draft_from_json(
        {
            "own_board": 1,
            "game": old.game,
            "size_mm": arguments.size or old.size,
            "piece": arguments.piece,
            "colors": {seat: _color(text, photo) for seat, text in once("--color", arguments.color).items()},
            "seats": once("--seat", arguments.seat),
        }
    )
    return replace(
        old,
        size=new.size,
        corners=tuple(arguments.corner) or old.corners,
        options={**old.options, **options},
        taps={**old.taps, **tapped},
        moved={**{name: at for name, at in old.moved.items() if name not in tapped}, **once("--move", arguments.move)},
        piece=new.piece or old.piece,
        colors={**old.colors, **new.colors},
        names={**old.names, **new.names},
        lens=load_lens(arguments.lens) if arguments.lens else old.lens,
        inner=old.inner if arguments.inner is None else True,
    )


def _begun(arguments: argparse.Namespace, options: Mapping[str, object]) -> Draft:
    """What the folder holds, or what a new board begins with. Raises BadInput for what is wrong, then for what is
    missing."""
    kept = arguments.out / DRAFT
    draft = read_draft(kept) if kept.is_file() else None
    if draft is not None:
        _check_same(draft, kept, arguments.game, options)
    elif arguments.game is not None:
        board_for(arguments.game, options)
    if arguments.size is not None:
        check_size(arguments.size)
    if draft is not None:
        return draft
    if arguments.game is None:
        raise BadInput("--game says whose spaces are to be laid over the board")
    if arguments.size is None:
        raise BadInput("--size is missing: how large the board itself is, in mm, like --size 450x450")
    if len(arguments.corner) != 4:
        raise BadInput(f"--corner is needed four times, clockwise, in pixels of the photo, not {len(arguments.corner)}")
    return Draft(arguments.game, arguments.size, tuple(arguments.corner))


def _check_same(draft: Draft, kept: Path, game: str | None, options: Mapping[str, object]) -> None:
    """Raises BadInput for another game or another of its boards: what was tapped would be laid for the wrong one."""
    way = "leave it out to go on with that one, or begin this one in a folder of its own (--out)"
    if game not in (None, draft.game):
        raise BadInput(f"--game {game}: {kept} holds a board of {draft.game}; {way}")
    usual = {name: choices[0] for name, choices in choices_of(draft.game).items()}
    for name, held in {**usual, **draft.options}.items():
        if name in options and options[name] != held:
            raise BadInput(f"--option {name}={options[name]}: {kept} holds a board with {name} = {held}; {way}")


def _color(text: str, photo: Frame) -> str:
    """A colour as it is written, or that of a piece in the photo. Raises BadInput."""
    if "," not in text:
        return text
    try:
        return color_at(photo, point(text))
    except ArgumentTypeError as error:
        raise BadInput(f"--color {error}") from None


def learn_colors(arguments: argparse.Namespace) -> Iterator[str]:
    """Measure the pieces that stand in their bases in a picture, and keep their colours. Raises ImageError."""
    folder: Path = arguments.board
    draft = read_draft(folder / DRAFT)
    if not (folder / SHEET).is_file():
        more = f"companion calibrate board --photo empty.jpg --out {folder} --tap SPACE=X,Y"
        raise BadInput(f"{folder}: this board is not finished ({SHEET} is missing); first give it more taps: {more}")
    scene = load_scene(folder / SHEET, folder / PHOTO)
    picture = read_picture(arguments.image)
    shown = pointed_at(arguments.corner, picture, scene, folder)
    found, before = piece_colors(picture, scene, _start(scene.sheet, arguments.seats), shown), scene.sheet.colors
    colors = of_all_seats(found, scene.sheet)
    write_colors(colors, folder)
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
