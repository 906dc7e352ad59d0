"""JSON that is read piece by piece: one list of a large file, of which no more than a few items are in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

MOST_AT_ONCE = 1 << 16
"""So many letters are read at a time; twice as many where they hold no whole item."""
_DECODER = json.JSONDecoder()
_ENDS = frozenset(" \t\n\r,:]}")
"""What may stand behind a value."""
_BLANKS = re.compile(r"[ \t\n\r]*")


def items(file: TextIO, key: str) -> Iterator[Any]:
    """The items of the list that the object in `file` has under `key`, one by one, however it is laid out.

    Raises ValueError where it is no object, has no such list, or is cut off or damaged, once the items before that are
    told.
    """
    pieces, found = _Pieces(file), False
    pieces.expect("{")
    while pieces.next() != "}":
        name = pieces.value()
        pieces.expect(":")
        if name == key and pieces.next() == "[":
            found = True
            yield from pieces.listed()
        else:
            pieces.value()
        if pieces.next() != "}":
            pieces.expect(",")
    pieces.expect("}")
    if not found:
        raise ValueError(f"expected an object with {key}, a list")


class _Pieces:
    """What is left of a file, and as much of that as was read."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._text, self._at = file, "", 0

    def next(self) -> str:
        """The next sign that is no blank, "" at the end."""
        while True:
            if blanks := _BLANKS.match(self._text, self._at):
                self._at = blanks.end()
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def expect(self, sign: str) -> None:
        """Go behind that sign. Raises ValueError where another is next."""
        found = self.next()
        if found != sign:
            raise ValueError(f"expected {sign!r}, not {found!r}" if found else f"it ends where {sign!r} is expected")
        self._at += 1

    def value(self) -> Any:
        """The next value, whole. Raises ValueError."""
        if not self.next():
            raise ValueError("it ends where something is expected")
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                why = error.msg
            else:
                if self._text[end : end + 1] in _ENDS:  # else it may be half of a number
                    self._at = end
                    return found
                why = "nothing known follows a value"
            if not self._more():
                raise ValueError(f"it is cut off, or damaged: {why}")

    def listed(self) -> Iterator[Any]:
        """The items of the list that is next. Raises ValueError."""
        self.expect("[")
        while self.next() != "]":
            yield self.value()
            if self.next() != "]":
                self.expect(",")
        self.expect("]")

    def _more(self) -> bool:
        """Read on, and forget what is behind. Whether there was more."""
        read = self._file.read(max(MOST_AT_ONCE, len(self._text) - self._at))
        if read:
            self._text, self._at = self._text[self._at :] + read, 0
        return bool(read)
