"""The story of a game, as its journal keeps it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from companion.journal import Entry, verdict_from_json
from companion.model import Verdict
from companion.model.table import PlayLine
from companion.service.table.presenter import line_of

LOG = logging.getLogger(__name__)


def told(entries: Iterable[Entry]) -> Iterator[tuple[Verdict, PlayLine]]:
    """What was ruled and said, and the lines of the story that it made; numbered from 1. What cannot be read any more
    is left out. Journals of old do not say with which dice: there it is the last that were told."""
    dice: tuple[int, ...] = ()
    number = 1
    for entry in entries:
        if entry.kind == "word" and entry.payload.get("word") in ("rolled", "dice_corrected", "answered"):
            dice = tuple(entry.payload.get("roll", ()))  # an answer has none: it is of a turn that has no roll yet
        elif entry.kind == "verdict":
            try:
                verdict = verdict_from_json(entry.payload)
                line = line_of(number, entry.wall, verdict, dice)
            except Exception:
                LOG.exception("entry %d of game %d cannot be read", entry.seq, entry.game)
                continue
            yield verdict, line
            number += 1
