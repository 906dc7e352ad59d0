"""Boards of one's own that were used before: kept beside the one in use, and put back. None is ever thrown away."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path

from calibration.board_files import PHOTO, PREVIEW, SHEET
from companion.model import DeviceError, why_not
from companion.service.scratch import free_name

LOG = logging.getLogger(__name__)
_OLD = ".old"
"""How the folder of a board ends that is being exchanged for another."""


def has_own_board(folder: Path | None) -> bool:
    """Whether a board of one's own was saved there."""
    return folder is not None and (folder / SHEET).is_file()


def last_of(folder: Path) -> Path:
    """Where the board is kept that was used before the one in this folder."""
    return folder.with_name(f"{folder.name}.last")


def put_aside(folder: Path, last: Path) -> None:
    """Keep the board in `folder` as the last one; what was the last one until now is kept under a number. Raises
    DeviceError where the disk cannot be written."""
    if os.path.lexists(last):
        _rename(last, free_name(last, 2))
    _rename(folder, last)


def put_back(folder: Path) -> None:
    """Use the last board again; the one in use, if any, is the last one then. Raises DeviceError.

    A power cut in between leaves all of them there, under one name or another.
    """
    last, between = last_of(folder), free_name(last_of(folder), 2)
    in_use = os.path.lexists(folder)
    if in_use:
        _rename(folder, between)
    _rename(last, folder)
    if in_use:
        _rename(between, last)


def put_in_place(new: Path, folder: Path, keep: bool) -> None:
    """Use the board in `new` instead of the one in `folder`; that is the last one then, if it is to be kept. Raises
    DeviceError.

    A power cut in between leaves one of both in use: see `after_a_cut`.
    """
    old = folder.with_name(f"{folder.name}{_OLD}")
    shutil.rmtree(old, ignore_errors=True)
    if os.path.lexists(folder):
        _rename(folder, old)
    try:
        _rename(new, folder)
    except DeviceError:
        after_a_cut(folder.parent)
        raise
    _let_go(old, folder, keep)


def _let_go(old: Path, folder: Path, keep: bool) -> None:
    if keep and has_own_board(old):
        put_aside(old, last_of(folder))
    else:
        shutil.rmtree(old, ignore_errors=True)


def after_a_cut(boards: Path) -> None:
    """Put boards back in their place that were to be exchanged for others when that was cut off. boards: the folder of
    all their folders. To be called before any is read, by who holds it. A disk that cannot be written is logged."""
    try:
        exchanged = list(boards.glob(f"*{_OLD}"))
    except OSError:  # a folder that may not be read is named by whoever opens the games in it
        exchanged = []
    for old in exchanged:
        folder = old.with_name(old.name.removesuffix(_OLD))
        try:
            if has_own_board(folder):
                _let_go(old, folder, keep=_photo_in(old) != _photo_in(folder))
            else:
                _rename(old, folder)
        except DeviceError as error:
            LOG.warning("%s: this board cannot be put back in its place (%s)", old, error)


def _photo_in(folder: Path) -> bytes:
    """The photo of the board there; b"" where it cannot be read."""
    try:
        return (folder / PHOTO).read_bytes()
    except OSError:
        return b""


def picture_of_last(folder: Path | None) -> bytes | None:
    """The photo of the last board with its spaces, JPEG; None where there is none."""
    try:
        return None if folder is None else (last_of(folder) / PREVIEW).read_bytes()
    except OSError:
        return None


def _rename(path: Path, to: Path) -> None:
    try:
        path.rename(to)
    except OSError as error:
        raise DeviceError(why_not(error)) from error
