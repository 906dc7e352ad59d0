"""Errors: each names the thing, the value and the way out, and is also a builtin."""

from __future__ import annotations

import contextlib
import errno
import traceback
from pathlib import Path

_WAYS = {
    errno.EACCES: "put sudo before the command, or name another",
    errno.EPERM: "put sudo before the command, or name another",
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EROFS: "that disk can only be read: name a place on another",
    errno.ENAMETOOLONG: "name a shorter one",
    errno.EIO: "the disk does not work: replace it soon",
}

FAILURES = (Exception, SystemExit)
"""What code of other people may raise: a game, dice, lamps or a camera of one's own may call sys.exit, too."""
LONGEST = 300
"""Characters of what an error says that are told: a KeyError may say a whole state of a game."""


def why_not(error: OSError, of: object = None) -> str:
    """What the system would not do, in a sentence: the file (`of`, where the error names none), the reason in words
    and, where there is one, the way out."""
    named = error.filename if error.filename is not None else of
    way = _WAYS.get(error.errno or 0)
    parts = [str(named)] if named is not None else []
    return ": ".join([*parts, error.strerror or str(error)]) + (f"; {way}" if way else "")


def reason_of(error: BaseException) -> str:
    """What an exception says; its kind, where it says nothing, or one of other people fails in that, too."""
    with contextlib.suppress(*FAILURES):
        if said := str(error):
            return said
    return type(error).__name__


def raised(error: BaseException) -> str:
    """An exception as a sentence ends: "KeyError: 't99' (dash.py, line 91)"."""
    kind, why = type(error).__name__, reason_of(error)
    why = why if len(why) <= LONGEST else f"{why[:LONGEST]}…"
    said = kind if why == kind else f"{kind}: {why}"
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return said + "".join(f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in last)


class CompanionError(Exception):
    """The base of everything that Companion raises on purpose."""


class BadInput(CompanionError, ValueError):
    """Something that a person or a program gave cannot be used as it is."""


class SheetError(BadInput):
    """A sheet does not describe the board of the game."""


class StateError(BadInput):
    """A state that cannot be: five pieces, two colours on one space, an unknown seat."""


class OptionError(BadInput):
    """An option that the game does not have, or that does not fit."""


class Untimely(BadInput):
    """Something that cannot be now. text: why; waits_for: what the game waits for instead, in general, "" if not said.
    """

    def __init__(self, text: str, waits_for: str = "") -> None:
        super().__init__(f"{text}: the game waits for: {waits_for}" if waits_for else text)
        self.text, self.waits_for = text, waits_for


class NotDue(Untimely):
    """A word that nobody waits for now: a roll when a play is due, a play when a roll is due."""


class IllegalStep(Untimely):
    """A step that the rules do not allow was to be taken."""


class ConfigError(BadInput):
    """The configuration has an unknown key or a value that cannot be."""


class ImageError(BadInput):
    """A file or frame that is no picture."""


class RecordingError(BadInput):
    """A recording that cannot be replayed."""


class DeckError(BadInput):
    """A deck of questions that cannot be read, named by file and line."""


class Closed(CompanionError, PermissionError):
    """A file or folder that this user may not use."""


class CalibrationMissing(CompanionError, FileNotFoundError):
    """What must be measured once per table has not been measured."""


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written."""


class DeviceError(CompanionError, OSError):
    """A camera, port or pin is missing, busy or broken."""
