"""The score of the demo: what the pretend players really did against what the referee said."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from companion.model import Kind, Verdict
from companion.virtual.cheats import text_of
from companion.virtual.foul import Cheat
from companion.virtual.occasion import NO_RULE


@dataclass
class Tally:
    """Counts of one demo. thrown: dice really thrown; rolls: dice that the referee heard.
    broken_off: whether the players left before the end: a roll that was under way then is not lost.

    asked: fouls that break no rule (a piece removed or added) and that the referee asked about, at the right space,
    without calling them wrong. overlooked: the fouls missed, with their moves.
    tray_throws … of dice in the tray: made; awry: cocked or out of it, and taken all the same; doubted though good;
    silent: never heard nor asked about; doubled; misread.
    """

    turns: int = 0
    thrown: int = 0
    tray_throws: int = 0
    tray_awry: int = 0
    tray_awry_taken: int = 0
    tray_doubted: int = 0
    tray_silent: int = 0
    tray_doubled: int = 0
    tray_misread: int = 0
    rolls: int = 0
    broken_off: bool = False
    accepted: int = 0
    refused: int = 0
    questions: int = 0
    false_accusations: list[Verdict] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)
    right_rule: Counter[str] = field(default_factory=Counter)
    other_rule: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    wrong_rules: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    overlooked: list[str] = field(default_factory=list)
    _lost: int = 0
    _cheat: Cheat | None = None
    _flag: Verdict | None = None
    _question: Verdict | None = None

    @property
    def clean(self) -> bool:
        """Whether every foul was called one, nobody was falsely accused, no play refused and no roll lost."""
        tray = self.tray_doubled or self.tray_misread or self.tray_silent
        return not (self.missed or self.asked or self.false_accusations or self.refused or self.lost_rolls or tray)

    @property
    def lost_rolls(self) -> int:
        """Rolls that were thrown and never heard, or heard twice."""
        lost = abs(self.thrown - self.rolls)
        return min(lost, self._lost) if self.broken_off else lost

    def throwing(self) -> None:
        """The referee asks for dice, and they are thrown: what was thrown before has been heard by now, or is lost."""
        self._lost = abs(self.thrown - self.rolls)

    @property
    def foul_stands(self) -> bool:
        """Whether a foul stands on the board that has not been put right yet."""
        return self._cheat is not None

    def shown_of(self, kind: str) -> int:
        """How often a kind of foul was shown so far."""
        return self.shown[kind]

    def foul(self, cheat: Cheat) -> None:
        """A foul stands on the board from now on."""
        self._cheat, self._flag, self._question = cheat, None, None
        self.shown[cheat.kind] += 1

    def is_flagged(self) -> bool:
        """Whether the foul that stands has been called one."""
        return self._flag is not None

    def put_right(self) -> None:
        """The foul has been put right: settle whether it was seen, and named."""
        cheat, flag = self._cheat, self._flag
        assert cheat is not None
        self._cheat = None
        if flag is None and self._question is not None:
            self.asked.append(cheat.kind)
        elif flag is None:
            self.missed.append(cheat.kind)
            self.overlooked.append(f"{text_of(cheat.kind)}: {_moved(cheat)}")
        elif _cited(flag) & cheat.rules or (not flag.rules and _needs_no_rule(cheat)):
            self.right_rule[cheat.kind] += 1
        else:
            self.other_rule[cheat.kind] += 1
            named = ", ".join(flag.rules) or "no rule"
            self.wrong_rules.append(f"{text_of(cheat.kind)}: {named}, not {', '.join(sorted(cheat.rules)) or 'none'}")

    def playing(self) -> None:
        """A legal play begins."""
        self._cheat = self._flag = None

    def played(self, accepted: bool) -> None:
        """A legal play lies on the board, and the referee has let it pass, or not."""
        if accepted:
            self.accepted += 1
        else:
            self.refused += 1

    def ruled(self, verdict: Verdict) -> None:
        """A ruling was announced."""
        if verdict.kind is Kind.UNCLEAR:
            self.questions += 1
            if self._cheat is not None and _needs_no_rule(self._cheat) and _concerns(verdict, self._cheat):
                self._question = verdict
            if self._cheat is not None and _cited(verdict) & self._cheat.rules:
                self._flag = self._flag or verdict
        if verdict.kind is not Kind.ILLEGAL:
            return
        if self._cheat is None:
            self.false_accusations.append(verdict)
        elif self._flag is None:
            self._flag = verdict

    def table(self) -> str:
        """The result, as text."""
        flagged = sum(self.right_rule.values()) + sum(self.other_rule.values())
        rows = [
            ("turns", self.turns),
            ("plays accepted", self.accepted),
            ("plays not accepted", self.refused),
            ("fouls shown", sum(self.shown.values())),
            ("fouls flagged", flagged),
            ("  with the right rule", sum(self.right_rule.values())),
            ("  with another rule", sum(self.other_rule.values())),
            ("fouls asked about", len(self.asked)),
            ("fouls missed", len(self.missed)),
            ("false accusations", len(self.false_accusations)),
            ("questions asked", self.questions),
            ("rolls thrown", self.thrown),
            ("rolls lost", self.lost_rolls),
            *(self._tray_rows() if self.tray_throws else ()),
        ]
        lines = [f"{name:<24}{value:>6}" for name, value in rows]
        return "\n".join([*lines, *self._by_kind(), *self._errors()])

    def _tray_rows(self) -> list[tuple[str, int]]:
        return [
            ("throws into the tray", self.tray_throws),
            ("  cocked or out of it", self.tray_awry),
            ("  of these taken", self.tray_awry_taken),
            ("  good, but asked about", self.tray_doubted),
            ("  silently lost", self.tray_silent),
            ("  heard twice", self.tray_doubled),
            ("  misread", self.tray_misread),
        ]

    def _by_kind(self) -> list[str]:
        wide = max([45, *(len(text_of(kind)) for kind in self.shown)]) + 1
        head = f"{'foul':<{wide}}{'shown':>6}{'right':>6}{'other':>6}{'missed':>7}"
        missed = Counter(self.missed)
        rows = [
            f"{text_of(kind):<{wide}}{n:>6}{self.right_rule[kind]:>6}{self.other_rule[kind]:>6}{missed[kind]:>7}"
            for kind, n in sorted(self.shown.items())
        ]
        return ["", head, *rows] if rows else []

    def _errors(self) -> list[str]:
        said = [f"falsely accused at {v.at:.1f} s: {v.text} {list(v.rules)}" for v in self.false_accusations]
        missed = [f"missed: {line}" for line in self.overlooked]
        return [*missed, *(f"another rule: {line}" for line in self.wrong_rules), *said]


def _moved(cheat: Cheat) -> str:
    """The moves of a foul, in short."""
    return ", ".join(f"seat {seat} {origin or 'beside'} > {target or 'beside'}" for seat, origin, target in cheat.moves)


def _needs_no_rule(cheat: Cheat) -> bool:
    """Whether it is enough to say that a piece is gone or too many."""
    return not cheat.rules or NO_RULE in cheat.rules


def _concerns(verdict: Verdict, cheat: Cheat) -> bool:
    """Whether a question is about a space at which the foul was done."""
    spaces = set(verdict.facts.get("spaces", ()))
    if verdict.position is not None and verdict.seen is not None:
        spaces |= set(verdict.position.changed(verdict.seen))
    return any(spaces & {origin, target} for _, origin, target in cheat.moves)


def _cited(verdict: Verdict) -> set[str]:
    """The rules that a ruling names; where the set-up is wrong its text does."""
    return set(verdict.rules) | set(re.findall(r"[A-Z]{3}-\d+", verdict.text))
