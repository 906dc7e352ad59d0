"""Files that belong together, written into one folder: each is there whole, the old one or the new, whatever is cut."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.model import DeviceError


def write_files(files: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write files into a folder, which is made if it is not there; returns them. Raises DeviceError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_whole(folder / name, content)
    except OSError as error:
        raise DeviceError(f"{folder}: {error.strerror}; choose a folder that can be written") from error
    return [folder / name for name in files]


def write_one(path: Path, content: bytes, lasting: bool = True) -> None:
    """As `write_whole`, in a folder that is made if it is not there. Raises DeviceError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, lasting)
    except OSError as error:
        raise DeviceError(f"{path}: {error.strerror}; choose a folder that can be written") from error


def try_place(path: Path) -> None:
    """Whether a file could be written there, as long as its content is not known yet. Raises DeviceError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with _held(path.with_name(f"{path.name}.part")):
            path.with_name(f"{path.name}.part").unlink()
    except OSError as error:
        raise DeviceError(f"{path}: {error.strerror}; choose a file in a folder that can be written") from error


def write_whole(path: Path, content: bytes, lasting: bool = True) -> None:
    """Write a file, or replace it, so that nobody ever reads a part of it. Raises OSError; then all is as before.

    lasting: wait until it is on the disk; what is written anew at once need not be.
    """
    part = path.with_name(f"{path.name}.part")
    with _held(part) as file:
        try:
            file.write(content)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def _held(part: Path) -> Iterator[BinaryIO]:
    """The file, empty, for as long as nobody else writes to it: who comes meanwhile waits, and gets another one."""
    while True:
        with open(part, "wb", opener=_as_it_is) as file:
            with suppress(OSError):  # some disks know no locks
                fcntl.flock(file, fcntl.LOCK_EX)
            if _is_there(part, file):
                file.truncate(0)
                yield file
                return


def _as_it_is(name: str, flags: int) -> int:
    """Open a file that another may be writing: nothing of it goes."""
    return os.open(name, flags & ~os.O_TRUNC, 0o666)


def _is_there(part: Path, file: BinaryIO) -> bool:
    """Whether that is still the file of that name."""
    try:
        return os.path.samestat(part.lstat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
