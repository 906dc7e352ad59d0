"""Are the dice fair? Chi-square, runs and pairs of the rolls on record, and how many rolls each needs to tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

FACES = 6
ALPHA, POWER = 0.01, 0.9
"""A fair die is accused once in a hundred times; an unfair one is found nine times in ten."""
BIASES = (0.25, 0.20, 0.18)
"""How often one face comes, instead of one in six, for which the need is told."""
LEAST = 5.0
"""How many of each kind must be expected, for the chi-square to mean anything."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One test. p: how often fair dice look at least as odd; None where there are too few rolls. needs: dice."""

    name: str
    statistic: float
    p: float | None
    dice: int
    needs: int

    @property
    def odd(self) -> bool:
        """Odd enough to look closer."""
        return self.p is not None and self.p < ALPHA


def findings(rolls: Sequence[Sequence[int]]) -> list[Finding]:
    """The three tests of the rolls, in the order in which they were made."""
    return [faces(rolls), runs(rolls), pairs(rolls)]


def counts(rolls: Sequence[Sequence[int]]) -> list[int]:
    """How often each face came, 1 to 6."""
    seen = Counter(face for roll in rolls for face in roll)
    return [seen[face] for face in range(1, FACES + 1)]


def faces(rolls: Sequence[Sequence[int]]) -> Finding:
    """Whether all faces come as often: Pearson's chi-square, five degrees of freedom."""
    return _chi_square("faces", counts(rolls))


def pairs(rolls: Sequence[Sequence[int]]) -> Finding:
    """Whether a die's face tells the next one: chi-square of the 36 pairs that do not overlap."""
    row = [face for roll in rolls for face in roll]
    seen = Counter(zip(row[::2], row[1::2], strict=False))
    cells = [seen[a, b] for a in range(1, FACES + 1) for b in range(1, FACES + 1)]
    found = _chi_square("pairs", cells)
    return Finding(found.name, found.statistic, found.p, 2 * sum(cells), 2 * found.needs)


def runs(rolls: Sequence[Sequence[int]]) -> Finding:
    """Whether high (4 to 6) and low faces come in too few or too many streaks: Wald and Wolfowitz."""
    high = [face > FACES // 2 for roll in rolls for face in roll]
    ups, downs = high.count(True), high.count(False)
    streaks = 1 + sum(a != b for a, b in pairwise(high)) if high else 0
    if min(ups, downs) < 10:
        return Finding("runs", float(streaks), None, len(high), 40)
    n = ups + downs
    mean = 1 + 2 * ups * downs / n
    spread = math.sqrt((mean - 1) * (mean - 2) / (n - 1))
    z = (streaks - mean) / spread
    return Finding("runs", z, math.erfc(abs(z) / math.sqrt(2)), n, 40)


def _chi_square(name: str, cells: Sequence[int]) -> Finding:
    total, kinds = sum(cells), len(cells)
    needs = math.ceil(LEAST * kinds)
    expected = total / kinds
    statistic = sum((cell - expected) ** 2 / expected for cell in cells) if total else 0.0
    p = chi_square_tail(statistic, kinds - 1) if total >= needs else None
    return Finding(name, statistic, p, total, needs)


# --- how many rolls it takes ---


def dice_needed(share: float, alpha: float = ALPHA, power: float = POWER) -> int:
    """How many dice must be thrown to find that one face comes with `share` instead of one in six."""
    rest = (1 - share) / (FACES - 1)
    effect = FACES * ((share - 1 / FACES) ** 2 + (FACES - 1) * (rest - 1 / FACES) ** 2)
    return math.ceil(_shift_needed(FACES - 1, alpha, power) / effect)


def _shift_needed(degrees: int, alpha: float, power: float) -> float:
    """How far the chi-square must be shifted to be found with that power."""
    limit = _root(lambda x: alpha - chi_square_tail(x, degrees), 0.0, 200.0)
    return _root(lambda shift: shifted_tail(limit, degrees, shift) - power, 0.0, 500.0)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def shifted_tail(x: float, degrees: int, shift: float) -> float:
    """The tail of the noncentral chi-square: Poisson's mixture of central ones."""
    weight, total = math.exp(-shift / 2), 0.0
    for step in range(int(shift) + 60):
        total += weight * chi_square_tail(x, degrees + 2 * step)
        weight *= shift / 2 / (step + 1)
    return total


def chi_square_tail(x: float, degrees: int) -> float:
    """How often a chi-square of so many degrees of freedom is at least `x`."""
    if x <= 0:
        return 1.0
    half = x / 2
    if degrees % 2:
        tail, term, k = math.erfc(math.sqrt(half)), 2 * math.sqrt(half / math.pi) * math.exp(-half), 1.5
    else:
        tail, term, k = math.exp(-half), half * math.exp(-half), 2.0
    while 2 * k <= degrees:
        tail += term
        term *= half / k
        k += 1
    return min(1.0, tail)
