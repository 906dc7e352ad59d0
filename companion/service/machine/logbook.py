"""The service's own log: files that turn over, since the system's journal is volatile on a Raspberry Pi."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path

from companion.service.machine.archive import open_no_link
from companion.service.plain import OneLine

NAME = "companion.log"
MOST, FILES = 1_000_000, 5
"""Bytes a file, and how many older ones are kept."""
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_folder(games: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Where the log lies: the system's place for this service, else beside the games."""
    given = environment.get("LOGS_DIRECTORY", "")
    return Path(given.split(":")[0]) if given else games / "log"


def keep_log(folder: Path) -> logging.Handler | None:
    """Write the log to `folder` from now on; None where it cannot be written, which is said on standard error.

    A disk that fills up later costs lines of the log and nothing else.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = _Quiet(folder / NAME, maxBytes=MOST, backupCount=FILES, encoding="utf-8", delay=False)
    except OSError as error:
        print(f"companion: no log in {folder}: {error.strerror}", file=sys.stderr)
        return None
    handler.setFormatter(OneLine(FORMAT))
    root = logging.getLogger()
    for other in root.handlers:
        if other.level == logging.NOTSET:
            other.setLevel(root.level)
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    return handler


class _Quiet(RotatingFileHandler):
    """Loses lines on a full disk without a word for each."""

    def handleError(self, record: logging.LogRecord) -> None:
        """As `logging` asks, but silent."""


def newest_lines(folder: Path, most: int = 400_000) -> str:
    """The end of the log, at most so many characters of it, the older file first. "" where there is none."""
    texts = []
    for name in (f"{NAME}.1", NAME):
        try:
            with open_no_link(folder / name) as file:
                texts.append(file.read().decode(errors="replace"))
        except OSError:
            continue
    return "".join(texts)[-most:]
