"""The notices: the last lines of the story, and what was said that stands until it is settled."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable

from companion.journal import Entry
from companion.model import DueKind, Kind, Sheet, Verdict
from companion.model.table import PlayLine, TroubleView
from companion.referee.bench import Bench
from companion.referee.turn import Turn
from companion.service.table.presenter import line_of, trouble_view
from companion.service.table.story import told

STORY = 40
"""Lines of the story that the page shows."""
TROUBLES = (Kind.ILLEGAL, Kind.UNCLEAR, Kind.LOST)


class Notices:
    """What the page says of what happened. Not safe for several threads; the loop owns it.

    story: its last lines, latest first. standing: what was said last, but notes, until it is settled; the lamps show
    it, too. trouble: what players see of it, if it is trouble.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        """entries: of the game that is gone on with, whose last lines are shown."""
        self.story: deque[PlayLine] = deque(maxlen=STORY)
        self.standing: Verdict | None = None
        self.trouble: TroubleView | None = None
        self._lines = 0
        self._asked_in: Turn | None = None
        for _, line in told(entries):
            self._lines = line.number
            self.story.appendleft(line)

    def add(self, verdict: Verdict, bench: Bench, sheet: Sheet, pictures: tuple[str | None, str | None]) -> None:
        """One more is said. pictures: the names of those of the board before and after, None where there is none."""
        self._lines += 1
        self.story.appendleft(line_of(self._lines, time.time(), verdict))
        if verdict.kind in TROUBLES:
            self.standing, self._asked_in = verdict, bench.turn
            self.trouble = trouble_view(bench, verdict, sheet, *pictures)
        elif verdict.kind is not Kind.NOTE and (verdict.kind is Kind.OVER or not self._unseen(bench)):
            self.standing, self.trouble = verdict, None

    def _unseen(self, bench: Bench) -> bool:
        """Whether it stands there that the board cannot be seen, and it cannot: players who go on by hand, or roll what
        cannot be played, are not to think that it is watched again."""
        return bench.lost and self.standing is not None and self.standing.kind is Kind.LOST

    def settle(self, bench: Bench, unclear: Verdict | None) -> None:
        """A question that answered itself, or a board that is found again, is no trouble any more; nor is a play that
        was not finished, once another turn or roll is played; nor is a game over whose end was taken back.

        unclear: what is asked about the dice, which a roll answers.
        """
        standing = self.standing
        if standing is not None and standing.kind is Kind.OVER and bench.due.kind is not DueKind.OVER:
            self.standing = standing = None
        if self.trouble is None or standing is None or standing is unclear:
            return
        gone = not bench.lost if standing.kind is Kind.LOST else bench.trouble is None
        unfinished = standing.kind is Kind.ILLEGAL and standing.seen == standing.position
        same = bench.position == standing.position and bench.due.kind is DueKind.PLAY
        if gone and not (unfinished and same and bench.turn == self._asked_in):
            self.drop(standing)

    def drop(self, verdict: Verdict | None) -> None:
        """That is settled."""
        if verdict is not None and self.standing is verdict:
            self.standing = self.trouble = None

    def begin_anew(self) -> None:
        """Another game begins: its story is a new one. Lines go on being numbered, lest a phone takes two for one."""
        self.story.clear()
        self.standing = self.trouble = None
