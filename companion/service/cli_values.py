"""The values of options, as they are typed: each is read whole, or it is said what is wanted."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from companion.model import BadInput

T = TypeVar("T")
_DAY = 86_400
_BELOW_ZERO = re.compile(r"-[0-9.]+(,[-0-9.]+)+")
"""Places left of the board or above it, which argparse takes for options."""


def joined(words: Sequence[str]) -> list[str]:
    """A command line on which --tray -120,80,90,90 is --tray=-120,80,90,90, as argparse understands it."""
    found: list[str] = []
    for word in words:
        if found and found[-1].startswith("--") and _BELOW_ZERO.fullmatch(word):
            found[-1] += f"={word}"
        else:
            found.append(word)
    return found


def option(text: str) -> tuple[str, object]:
    """An option of a game, like arms=6, home=center or six_again=true."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text}: an option is written NAME=VALUE, like arms=6")
    words: dict[str, object] = {"true": True, "false": False}
    return name, int(value) if re.fullmatch("[0-9]{1,9}", value) else words.get(value, value)


def once(option: str, given: Sequence[tuple[str, T]]) -> dict[str, T]:
    """What was given of each name. Raises BadInput where one was given twice: only the last would be heeded."""
    names = [name for name, _ in given]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInput(f"{option} {twice}=… is given {names.count(twice)} times: leave all but one out")
    return dict(given)


def point(text: str) -> tuple[float, float]:
    """A pixel like 640,410."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise argparse.ArgumentTypeError(f"{text}: expected a pixel like 640,410")
    return x, y


def folder(text: str) -> Path:
    """A folder to write into; none must not mean the one in which the command was typed."""
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder; . is the one that you are in")
    return Path(text)


def place(text: str) -> Path:
    """A file to write, or a folder that is there already: a file in its stead would be in the way of a stick."""
    if text.endswith("/") and not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text}: there is no such folder: make it first, or name a file")
    return folder(text)


def natural(text: str) -> int:
    """A whole number, 0 or more."""
    return int(_within(text, int, 0, math.inf, "a whole number, 0 or more"))


def counted(text: str) -> int:
    """A whole number, 1 or more."""
    return int(_within(text, int, 1, math.inf, "a whole number, 1 or more"))


def port(text: str) -> int:
    """Where the page is."""
    return int(_within(text, int, 1, 65_535, "a whole number, 1 to 65535"))


def share(text: str) -> float:
    """How often something is done."""
    return _within(text, float, 0, 1, "from 0 (never) to 1 (always)")


def speed(text: str) -> float:
    """Times real time."""
    return _within(text, float, 0.1, 6, "from 0.1 to 6; faster, the camera would miss moves")


def seconds(text: str) -> float:
    """How long to wait."""
    return _within(text, float, 0, _DAY, f"seconds, from 0 to {_DAY} (a day)")


def _within(text: str, kind: type[int] | type[float], least: float, most: float, wanted: str) -> float:
    """A number of that kind between the two. Raises ArgumentTypeError, which says what is wanted."""
    try:
        value = kind(text)
    except ValueError:
        value = kind(least) - 1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{text}: {wanted}")
    return value
