"""Boards of one's own that were used before: kept beside the one in use, and put back. None is ever thrown away."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from calibration.board_files import PREVIEW, SHEET
from companion.model import DeviceError, why_not


def has_own_board(folder: Path | None) -> bool:
    """Whether a board of one's own was saved there."""
    return folder is not None and (folder / SHEET).is_file()


def last_of(folder: Path) -> Path:
    """Where the board is kept that was used before the one in this folder."""
    return folder.with_name(f"{folder.name}.last")


def put_aside(folder: Path) -> None:
    """Keep the board in use as the last one; what was the last one until now is kept under a number. Raises DeviceError
    where the disk cannot be written."""
    last = last_of(folder)
    if os.path.lexists(last):
        _rename(last, _free(last))
    _rename(folder, last)


def put_back(folder: Path) -> None:
    """Use the last board again; the one in use, if any, is the last one then. Raises DeviceError.

    A power cut in between leaves all of them there, under one name or another.
    """
    last, between = last_of(folder), _free(last_of(folder))
    in_use = os.path.lexists(folder)
    if in_use:
        _rename(folder, between)
    _rename(last, folder)
    if in_use:
        _rename(between, last)


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


def _free(last: Path) -> Path:
    """The first name with a number that no board has."""
    names = (last.with_name(f"{last.name}-{number}") for number in itertools.count(2))
    return next(path for path in names if not os.path.lexists(path))
