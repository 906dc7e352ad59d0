"""A ZIP file that is written whole or not at all, whatever the clock says, and follows no links."""

from __future__ import annotations

import os
import shutil
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.model import BadInput, CompanionError, DeviceError, why_not
from companion.service.scratch import clear_away, held

PART = ".part"
"""What is written is called so until it is whole."""
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""A ZIP file knows no time before; a Raspberry Pi without a network may begin in 1970."""


@contextmanager
def new_zip(path: Path, mode: int = 0o644) -> Iterator[zipfile.ZipFile]:
    """A new archive at `path`. Raises BadInput where there is something, DeviceError where it cannot be written."""
    if os.path.exists(path):
        raise BadInput(f"{path} is there already; name another file")
    part = path.with_name(f"{path.name}{PART}")
    if clear_away(part):
        raise BadInput(f"{path} is just being written; name another file")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode, exist_ok=False)
        with ExitStack() as holding:
            with suppress(OSError):
                holding.enter_context(held(part))
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
                yield archive
            _hand_over(part)
            _settle(part)
            part.replace(path)
            with suppress(OSError):  # not every disk can do that with a folder
                _settle(path.parent)
    except OSError as error:
        if isinstance(error, CompanionError):
            raise
        if error.filename not in (None, str(path), str(part)):  # it is one that is to be kept in it
            raise DeviceError(why_not(error)) from error
        raise DeviceError(f"{path}: {error.strerror or error}; choose a place that can be written") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _hand_over(path: Path, environment: Mapping[str, str] = os.environ) -> None:
    """What root made for who typed `sudo` is theirs: else they could not copy it to another computer."""
    user, group = environment.get("SUDO_UID", ""), environment.get("SUDO_GID", "")
    if os.geteuid() == 0 and user.isdigit() and group.isdigit():
        with suppress(OSError):  # a stick that knows no owners
            os.chown(path, int(user), int(group), follow_symlinks=False)


def _settle(path: Path) -> None:
    """What was written to a file or folder is on the disk from now on: sticks are pulled out. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def add_text(archive: zipfile.ZipFile, name: str, text: str | bytes) -> None:
    """A file of the archive that holds this, made now."""
    info = zipfile.ZipInfo(name, max(time.localtime()[:6], EARLIEST))
    info.compress_type, info.external_attr = archive.compression, 0o600 << 16
    archive.writestr(info, text)


def add_file(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    """A copy of the file at `path`. Raises OSError, also where it is a link."""
    with open_no_link(path) as source:
        info = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
        info.compress_type = archive.compression
        with archive.open(info, "w") as target:
            shutil.copyfileobj(source, target)


def open_no_link(path: Path) -> BinaryIO:
    """The file, to be read. Raises OSError where it is a link: root reads in folders that belong to the service."""
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK))
