"""The dice tray at the table: what the camera says of the dice, and what of that is a roll."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field, replace

from companion.referee.phrases import dice_words
from companion.vision.dice.seen import Tray
from companion.vision.dice.tray import TrayMemory, look_at_tray
from companion.vision.dice.watch import DiceQuestion, DiceUndue, DiceWatch, DiceWord, RolledSeen, anew, settled, watch
from companion.vision.view.pose import Frame, Pose

CHECKED, NEXT = 20.0, 5.0
"""Seconds within which the camera must have seen what the dice box says, to be compared with it; and after which, where
another throw is due, what it sees is that one."""
PUSHED = 10.0
"""mm: where the tray is a rectangle of the board's frame, and that was pushed farther, dice seem to lie elsewhere."""
_FEW, _RECENT = 6, 24  # dice that tell the size of all
_UNEVEN = 1.25
AWAY = 3.0
"""Seconds without a look at the tray after which nobody knows what was done in it."""
WAITING = "waiting for the board to be found"
RESTLESS = "waiting for the dice tray to lie still for a moment"
Disagreement = tuple[str, tuple[tuple[int, ...], ...]]
"""What to ask where box and camera tell another roll, and both of them."""


@dataclass
class TrayEyes:
    """The tray, frame after frame. spot: its rectangle on the sheet, None: found by its markers.

    check: the dice box tells the rolls, and the camera only compares.
    """

    spot: Tray | None = None
    check: bool = False
    _memory: TrayMemory = field(default_factory=TrayMemory)
    _watch: DiceWatch = field(default_factory=DiceWatch)
    _due: tuple[int, int] = (-1, 0)
    _looked: float = -math.inf
    _missed: bool = False
    _asked: tuple[int, str] = (-1, "")
    _stirred: bool = False
    _sizes: tuple[float, ...] = ()

    @property
    def edge(self) -> float:
        """The edge of this game's dice, mm, from those that counted so far; 0 while it is not known or they differ."""
        if len(self._sizes) < _FEW or max(self._sizes) > _UNEVEN * min(self._sizes):
            return 0.0
        return statistics.median(self._sizes)

    @property
    def ready(self) -> bool:
        """Whether the tray is in sight, and was seen at rest: what is thrown from now on can be a roll."""
        return self._memory.pose is not None and self._watch.rolled is not None and not self._missed

    def missed(self, at: float) -> bool:
        """Whether the tray was not looked at for a while, and did not lie still since."""
        self._missed = self._missed or at - self._looked > AWAY
        return self._missed

    @property
    def trouble(self) -> str:
        """What keeps the tray from being read; "" if nothing does."""
        if self.ready:
            return ""
        return RESTLESS if self._memory.pose is not None else self._memory.trouble or WAITING

    def look(self, image: Frame, board: Pose | None, at: float, due: tuple[int, int]) -> DiceWord | None:
        """What the tray says in this frame, uint8 BGR. board: the pose over the sheet, None while it is not known.

        due: the number of the throw that is due, and how many dice it takes (0: none is due).
        """
        self.missed(at)
        if board is None:
            return None
        if board.size != (image.shape[1], image.shape[0]):  # the board was found in pictures of another size
            self._watch, self._memory = DiceWatch(), TrayMemory()
            return None
        known = self._memory.board
        seen, self._memory = look_at_tray(image, board, self.spot, at, self._memory, self.edge)
        if known is not None and self._memory.board is not known:
            self._board_moved(known, board)
        if self._memory.pose is None:
            return None
        self._stirred = self._stirred or seen is None
        if at - self._looked > AWAY:  # nobody saw unrest meanwhile
            self._watch = self._watch._replace(stirred=at)
        if not self.check and due[0] == self._due[0] and due[1] != self._due[1] and due[1] and self._due[1]:
            self._watch = anew(self._watch)  # for that throw another number was chosen, perhaps after it was made
        self._due, self._looked, memory = due, at, self._memory
        self._watch, word = watch(self._watch, seen, at, due[1], memory.gone, memory.bare, memory.arrived)
        self._missed = self._missed and not self._watch.told
        if isinstance(word, RolledSeen) and self._watch.rolled is not None:
            self._sizes = (*self._sizes, *(die.size_mm for die in self._watch.rolled))[-_RECENT:]
        return self._once(word, due[0])

    def _board_moved(self, before: Pose, now: Pose) -> None:
        """What lies in a tray whose place is told by a board that was pushed is no roll, nor known to have moved."""
        if self.spot is not None and _off(self.spot, before, now) > PUSHED:
            self._watch, self._memory = DiceWatch(), replace(self._memory, floor=None, arrived=False)

    def _once(self, word: DiceWord | None, token: int) -> DiceWord | None:
        """The same question is asked once until the dice are touched, and stray dice are spoken of once a throw."""
        if not isinstance(word, DiceQuestion | DiceUndue):
            return word
        about = (token, word.text if isinstance(word, DiceQuestion) else "undue")
        if about == self._asked and not (self._stirred and isinstance(word, DiceQuestion)):
            return None
        self._asked, self._stirred = about, False
        return word

    def told_by_hand(self, at: float) -> None:
        """The roll was entered on a phone: what lies in the tray is none any more, and may be other dice."""
        self._sizes = ()
        if at - self._looked > AWAY:  # what lay there before does not tell what lies there now
            self._watch = self._watch._replace(lying=None)
        lying = self._watch.lying
        if lying is None or lying.doubts:  # what lies there will be seen, or read, only later, and is not thrown then
            self._memory = replace(self._memory, floor=None, arrived=False)
        self._watch = settled(self._watch)


def _off(spot: Tray, before: Pose, now: Pose) -> float:
    """How far, mm, the middle of a rectangle of the sheet's frame is from where it was, by two poses over the sheet."""
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2
    middle, aside = now.project([(x, y, -spot.drop), (x + 10.0, y, -spot.drop)])
    moved = before.project([(x, y, -spot.drop)])[0] - middle
    return float(10.0 * math.hypot(*moved) / max(math.hypot(*(aside - middle)), 1e-9))


@dataclass
class Witness:
    """Compares what the dice box says with what the camera sees in the tray; each roll of one with one of the other."""

    box: tuple[float, tuple[int, ...]] | None = None
    seen: tuple[float, tuple[int, ...]] | None = None

    def heard(self, at: float, dice: tuple[int, ...]) -> Disagreement | None:
        """The dice box told a roll."""
        self.box = at, dice
        return self._compared()

    def waiting(self, at: float, due: bool = False) -> int:
        """How many dice of the dice box's last roll the camera has not seen yet. due: see `saw`."""
        return len(self.box[1]) if self.box is not None and at - self.box[0] <= (NEXT if due else CHECKED) else 0

    def agrees(self, guess: tuple[int, ...]) -> bool:
        """Whether what the camera is not certain of is what the dice box told."""
        return self.box is not None and sorted(self.box[1]) == sorted(guess)

    def saw(self, at: float, dice: tuple[int, ...], due: bool = False) -> Disagreement | None:
        """The camera saw dice come to rest. due: whether a throw is due that the dice box has not told."""
        if due and self.box is not None and at - self.box[0] > NEXT:
            self.box = None  # that throw nobody saw
        self.seen = at, dice
        return self._compared()

    def _compared(self) -> Disagreement | None:
        if self.box is None or self.seen is None:
            return None
        (told, box), (looked, seen) = self.box, self.seen
        if abs(told - looked) > CHECKED:
            self.box, self.seen = (self.box, None) if told > looked else (None, self.seen)
            return None
        self.box = self.seen = None
        if sorted(box) == sorted(seen):
            return None
        text = f"The dice box says {dice_words(box)}, but in the tray I see {dice_words(seen)}. Which of them counts?"
        return text, (box, seen)


__all__ = ["DiceQuestion", "DiceUndue", "RolledSeen", "Tray", "TrayEyes", "Witness"]
