"""Words of strangers, shown as they are.

They come in a backup, a recording, the name of a Bluetooth die, an address that was asked for: nothing in them steers
the terminal, turns the writing round or passes for a line of its own.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import TextIO

_STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for tab and line end, and those that turn the direction of writing."""


def plain(text: str) -> str:
    r"""The text with what would steer a terminal written out, like \x1b."""
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(text: str, file: TextIO | None = None) -> None:
    """Print a line, at once."""
    print(plain(text), file=file or sys.stdout, flush=True)


class OneLine(logging.Formatter):
    """What is logged is one line; only what Python says of an error has more."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """As `logging` asks."""
        return plain(super().formatMessage(record)).replace("\n", r"\n")
