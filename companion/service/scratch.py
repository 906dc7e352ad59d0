"""Files and folders that pass: held by the process that needs them, cleared away where it died; and free names."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_OURS = re.compile(r"[a-z0-9_]{8}")
"""What `tempfile` makes of a beginning."""


@contextlib.contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold the file or folder meanwhile; whether nobody else does. It is let go when the process ends, however.

    Raises OSError where there is none, where it is a link, and where the disk knows no such thing.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        yield _is_ours(path, handle)
    finally:
        os.close(handle)


def _is_ours(path: Path, handle: int) -> bool:
    """Lock it, unless another process has it, or has just taken it away."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.lstat(path), os.fstat(handle))
    except (BlockingIOError, FileNotFoundError):
        return False


def free_name(path: Path, first: int = 1) -> Path:
    """The first of that name with a number, from `first` on, which nothing has: "before-restore-1"."""
    names = (path.with_name(f"{path.name}-{number}") for number in itertools.count(first))
    return next(free for free in names if not os.path.lexists(free))


@contextlib.contextmanager
def scratch(room: Path, beginning: str) -> Iterator[Path]:
    """A folder in `room` that is gone after. Those of the same beginning whose process died are cleared away first."""
    for left in sorted(room.glob(f"{beginning}*")):
        if _OURS.fullmatch(left.name.removeprefix(beginning)):
            clear_away(left)
    with contextlib.ExitStack() as ending:
        folder = _made(room, beginning, ending)
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        yield folder


def _made(room: Path, beginning: str, ending: contextlib.ExitStack) -> Path:
    """A new folder, held; a new one again where another process took it for one of the dead."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=beginning, dir=room))
        try:
            if ending.enter_context(held(folder)):
                return folder
        except FileNotFoundError:
            continue
        except OSError:  # a disk without locks: nobody else clears away there either
            return folder


def clear_away(left: Path) -> bool:
    """Remove a file or folder that nobody holds; links, and what the disk says nothing of, stay. Whether it is held."""
    with contextlib.suppress(OSError), held(left) as free:
        if not free:
            return True
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    return False
