"""The eyes: one scene and its memory, which learns the board from what was ruled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from companion.model import (
    BoardLost,
    BoardSeen,
    Confirmed,
    Kind,
    Position,
    PositionSet,
    Saw,
    Sighting,
    SpaceSeen,
    Verdict,
    Word,
)
from companion.referee.bench import Bench
from companion.referee.folding import fold, folded, spread
from companion.referee.judging import played_further
from companion.vision import Memory, Scene, check_frame, corrected, learn, look, to_measure
from companion.vision.draw import annotate
from companion.vision.finding.shown import Shown
from companion.vision.view.motion import changes, glance
from companion.vision.view.pose import Frame, Pose
from companion.vision.view.steady import ENOUGH, Steady, one_more

CERTAIN = (Kind.LEGAL, Kind.PARTIAL, Kind.RESTORED, Kind.TAKEBACK)
"""After these verdicts the board is known to show the referee's position, if they were given on words of the board."""
TOLD_OF_THE_BOARD = (Saw, Confirmed)
"""Words of the board as it lies there: what the eyes saw, or somebody confirms."""
SECOND_LOOKS = (0.4, 1.5, 4.0)
"""Seconds after the last movement at which a still board is read again: a first reading may have caught the end of
a sleeve, too small a thing to see leave."""
AFRESH = 1.0
"""Those later than this measure the light anew, too: a piece that left may have stood in a lamp's image."""
GATHERED = 3.0
"""Seconds before they are due from which on pictures are gathered: where they are noisy, their mean is read. In so
many enough come for that, even one a second."""
LATER_LOOKS = 10.0
"""And besides, once in so many seconds, where it changed by too little to be noticed at a glance. More often, what is
in doubt would never look the same for long enough to be judged."""
FIRST_SEARCH, LAST_SEARCH = 1.0, 16.0
"""Seconds until a picture in which no board was found is searched again, if nothing in it changed, doubled each time:
searching costs a hundred times what finding the board where it was does."""
LIGHTER = 1.15
"""So much more or less light is a change, too."""


class Searched(NamedTuple):
    """A search that found no board. patience: seconds until the same picture is searched again."""

    at: float
    picture: Frame
    patience: float


class Eyes:
    """Looks at frames of one board, one after the other. Frames are uint8 BGR, shape (rows, cols, 3).

    seen: what the last frame showed, place by place; what `look` returns has bases as areas, as the referee knows them.
    """

    def __init__(self, scene: Scene, shown: Shown | None = None) -> None:
        self.scene = scene
        self.seen: Sighting | None = None
        self._folded: tuple[Mapping[str, SpaceSeen], Mapping[str, SpaceSeen]] = ({}, {})
        self._memory = None if shown is None else Memory(shown=shown)
        self._moved = 0.0
        self._read = 0.0
        self._searched: Searched | None = None
        self._steady = Steady()

    def look(self, image: Frame, at: float) -> Sighting:
        """What stands on the board in this frame. Raises ImageError."""
        check_frame(image)
        searched = self._searched
        same = searched if searched is not None and is_the_same(searched.picture, image) else None
        before = len(self._steady.pictures)
        self._steady = one_more(self._steady, image) if same is not None or self._gathers(at) else Steady()
        waits = same is not None and 0 <= at - same.at < same.patience
        if isinstance(self.seen, BoardLost) and waits and not self._says_more(before):
            self._moved = self._read = at
            self.seen = replace(self.seen, at=at)
            return self.seen
        sighting = self._read_still(image, at) if same is None else self._seen(self._steady.clearest(), at)
        if not isinstance(sighting, BoardSeen) or sighting.moving:
            self._moved = self._read = at
            self._steady = one_more(Steady(), image) if same is None else self._steady
        patience = FIRST_SEARCH if same is None else min(2 * same.patience, LAST_SEARCH)
        self._searched = Searched(at, glance(image), patience) if isinstance(sighting, BoardLost) else None
        self.seen = sighting
        return self._fold(sighting)

    def _gathers(self, at: float) -> bool:
        """Whether the board is to be read again now, or soon, if it lies still."""
        return self._is_due(at + GATHERED)

    def _is_due(self, at: float) -> bool:
        """Whether it is time to read a still board again."""
        return self._second(at) or at - self._read >= LATER_LOOKS

    def _second(self, at: float) -> bool:
        """Whether a second look is due that was not yet."""
        return any(self._read - self._moved < after <= at - self._moved for after in SECOND_LOOKS)

    def _says_more(self, before: int) -> bool:
        """Whether there are just enough pictures for a mean in which more is seen than in the last that was searched;
        before: so many there were."""
        steady, count = self._steady, len(self._steady.pictures)
        return count != before and (count == ENOUGH or steady.full) and steady.mean() is not None

    def _read_still(self, image: Frame, at: float) -> Sighting:
        """What a picture shows; if it is time to read a still board again, what the mean of the latest ones does."""
        due = self._memory is not None and self._is_due(at)
        mean = self._steady.mean() if due else None
        if due and mean is None:
            self._forget(afresh=self._second(at) and at - self._moved > AFRESH)
        self._read = at if due else self._read
        sighting = self._seen(image, at)
        if mean is None or not isinstance(sighting, BoardSeen) or sighting.moving:
            return sighting
        self._forget(afresh=True)
        before = self._memory  # without what was read: two of that would take much room
        better = self._seen(mean, at)
        if isinstance(better, BoardSeen) and not self._unread:
            return replace(better, moving=sighting.moving, moved=sighting.moved or better.moved)
        self._memory = before
        return self._seen(image, at)

    @property
    def _unread(self) -> bool:
        """Whether nothing was read in the last picture: where the light has crept, a mean looks as if a hand moved."""
        return self._memory is not None and self._memory.stale

    def _seen(self, image: Frame, at: float) -> Sighting:
        """Look, and remember."""
        sighting, self._memory = look(image, self.scene, self._memory, at)
        return sighting

    def _forget(self, afresh: bool) -> None:
        """Let the next picture be read whatever it shows; afresh: and the light be measured anew."""
        assert self._memory is not None
        self._memory = replace(self._memory, stale=True, look=None if afresh else self._memory.look)

    def cleared(self, image: Frame) -> Frame:
        """The last frame with less noise: the mean of the latest ones while a still board is searched, or soon to be
        read again, if they are noisy; else as it is."""
        mean = self._steady.mean()
        return image if mean is None or mean.shape != image.shape else mean

    def show(self, shown: Shown | None) -> None:
        """Somebody showed where the board lies, or wants it looked for again (None): what was seen before may have been
        of another place, so nothing of it is kept."""
        self._memory, self._searched, self._steady = Memory(shown=shown), None, Steady()

    def watch(self, scene: Scene) -> None:
        """From now on the same board is watched with another scene, as others play on it, perhaps with other pieces: it
        is read anew, and these are measured anew."""
        self.scene = scene
        if self._memory is not None:
            self._forget(afresh=True)
            view = self._memory.view
            self._memory = replace(self._memory, view=view and to_measure(view, scene))

    def _fold(self, sighting: Sighting) -> Sighting:
        """One reading is folded once, and stays the same object as long as it stands."""
        if not isinstance(sighting, BoardSeen):
            return sighting
        if self._folded[0] is not sighting.spaces:
            self._folded = sighting.spaces, fold(sighting.spaces, self.scene.most)
        return folded(sighting, self._folded[1])

    def shown(self, position: Position) -> Position:
        """A position of the referee in the sheet's own spaces: pieces in a base where they were seen last."""
        return spread(position, self.scene.sheet.spaces, self._folded[0])

    def ruled(self, word: Word, verdicts: Iterable[Verdict], bench: Bench, *, began: bool) -> None:
        """Learn from the frame just looked at, if the referee is sure of what it shows; forget what was learned where
        somebody says that it was wrong.

        verdicts: those that the word led to, and the bench after it. Nothing is learnt while the board shows more than
        it ruled, a play of a roll that nobody told. began: it was the first to agree with the game, or the owner says
        that the board is set up.
        """
        if self._memory is None:
            return
        if isinstance(word, PositionSet):
            self._memory = corrected(self._memory, self.scene, self.shown(bench.position))
            return
        sure = began or any(one.kind in CERTAIN for one in verdicts)
        if sure and isinstance(word, TOLD_OF_THE_BOARD) and not played_further(bench):
            self._memory = learn(self._memory, self.scene, self.shown(bench.position))

    @property
    def pose(self) -> Pose | None:
        """Where the camera stands over the board, as it was found last."""
        return self._memory.view.pose if self._memory is not None and self._memory.view is not None else None

    def draw(self, image: Frame) -> Frame:
        """The frame with what was read last drawn over it."""
        if self._memory is None or self.seen is None:
            return image
        return annotate(image, self.seen, self.scene, self._memory)


def is_the_same(before: Frame, image: Frame) -> bool:
    """Whether a frame shows nothing else than the one of which `before` is the glance, in about the same light."""
    after = glance(image)
    if not 1 / LIGHTER < (after.mean() + 1) / (before.mean() + 1) < LIGHTER:
        return False
    height, width = image.shape[:2]
    changed = changes(before, after, np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64))
    return changed is not None and not changed.any()
