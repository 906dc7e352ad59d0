"""One Companion a table: a lock on the folder of the games, which ends with the process that holds it."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from types import TracebackType

from companion.model import DeviceError

LOCK = "companion.lock"


class Instance:
    """Holds the folder's lock until `close`. Raises DeviceError where another process has it, and says which.

    A folder that cannot be written has no lock: two services there would write nothing that could clash.
    """

    def __init__(self, folder: Path, about: str = "") -> None:
        self._file: int | None = None
        path = folder / LOCK
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            if error.errno == errno.ELOOP:  # root would write what the link leads to
                raise DeviceError(f"{path} is a link: remove it") from None
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._file, 200, 0).decode(errors="replace").strip()
            self.close()
            raise DeviceError(
                f"a Companion runs already for the games in {folder} ({holder or 'another process'}): "
                "use its page, or end it first (where it was installed: sudo systemctl stop companion), "
                "or give this one another [journal] folder"
            ) from None
        self._write(f"process {os.getpid()}{', ' + about if about else ''}\n")

    def _write(self, text: str) -> None:
        """For people: who holds the lock. A full disk may keep it from being written; the lock holds all the same."""
        assert self._file is not None
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, text.encode(), 0)
        except OSError:
            return

    def close(self) -> None:
        """Let the folder go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
