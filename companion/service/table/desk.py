"""The desk: where everything is written down before it counts, and from where a game goes on after a power cut."""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise, takewhile
from typing import Any
from zlib import crc32

from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal import Entry, Journal, verdict_to_json, word_from_json, word_to_json
from companion.journal import Game as Played
from companion.model import (
    BadInput,
    Due,
    DueKind,
    JournalError,
    Kind,
    Rolled,
    Seat,
    Thrown,
    Verdict,
    Word,
    told_at,
)
from companion.referee.belief import Act
from companion.referee.bench import Bench, tell
from companion.referee.playing import at_rest
from companion.referee.rotation import Rotation
from companion.referee.settle import Stillness
from companion.service.addons.breaches import is_ours
from companion.service.addons.patience import NeverEnds, Patience
from companion.service.table.faults import Faults
from companion.service.table.held_up import HELD_UP

LOG = logging.getLogger(__name__)
KEPT_STATES = 6
"""A resumed game goes back so many states, so that the last plays can still be taken back: a move, a challenge and its
throws are four."""
TOKENS = 65535
MOVES_ON = {kind.value for kind in (Kind.LEGAL, Kind.PASS, Kind.TAKEBACK, Kind.OVER)}
"""Verdicts after which the game stands elsewhere."""
AMISS = (Kind.ILLEGAL, Kind.UNCLEAR, Kind.LOST)
"""Verdicts on a board on which something is to be done."""
LOOK = {"word": "saw"}
"""What is kept in memory of a look at the board."""
CHANGES = ("undone", "taken_back", "position_set", "accepted_as_played", "dice_corrected")
"""Words after which another player's throw may be due, though nothing was thrown since."""


class Desk:
    """One game: its bench and its journal. Not safe for several threads; the loop owns it.

    rolls: how many throws were told. asked: how many questions were done with, answered or not, and how many challenges
    that were not made. changes: how many times the table changed by word what had been played or thrown, so that
    another throw is due than before. begun: whether anything was thrown or played yet. stumbled: how many words of a
    resumed game the referee could not hear again. chosen: for which throw, see `thrown`, how many dice were chosen
    last; None where none were. untold: what was ruled of the last word of a resumed game, where a power cut kept it off
    the record, and that word.
    """

    def __init__(self, journal: Journal, number: int, bench: Bench) -> None:
        self.journal, self.number, self.bench = journal, number, bench
        self.rolls = self.asked = self.changes = self.stumbled = 0
        self.begun = False
        self.chosen: tuple[int, int] | None = None
        self.untold: tuple[list[Verdict], str] = [], ""
        # no other game begins with that number, at any table: a box that comes from one may hold a roll of it yet
        self._begins_at = crc32(journal.game(number).uuid.encode())
        self._faults = Faults(LOG)

    @classmethod
    def new(
        cls,
        journal: Journal,
        game: Game[Any],
        names: Mapping[Seat, str],
        first: Seat,
        sheet: str | None = None,
        state: Any = None,
        configured: Sequence[Seat] = (),
    ) -> Desk:
        """Begin a game: with the throws for who begins, `first` first, or at `state`. configured: the seats that the
        configuration names, which the players need not have chosen."""
        if state is None and len(game.seats) == 1:  # who plays alone throws against nobody
            state = game.opening(first)
        start: dict[str, Any] = {"throws": first} if state is None else {"start": game.to_json(state)}
        start |= {"configured": list(configured)} if configured else {}
        number = journal.begin_game(game.name, game.options, list(game.seats), sheet, start)
        return cls(journal, number, Bench.opening(game, names, state, first))

    @classmethod
    def resume(cls, journal: Journal, names: Mapping[Seat, str]) -> Desk | None:
        """Go on with the game that was left, if any, and write that down; the board is then compared with it before
        anything is judged."""
        left = journal.open_game()
        return None if left is None else cls.of(journal, left, names, in_short(journal, left.id)).gone_on()

    def gone_on(self) -> Desk:
        """The same desk, once it is written down that the service began again, and before it what a power cut kept off
        the record. What is amiss on the board is found there again: it is not told twice."""
        told = [verdict for verdict in self.untold[0] if verdict.kind not in AMISS]
        self.changes += bool(told) and self.untold[1] in CHANGES
        ruled = [("verdict", verdict_to_json(verdict), verdict.at) for verdict in told]
        self._write([*ruled, ("service", {"resumed": True}, self.last_time)])
        return self

    @classmethod
    def of(cls, journal: Journal, left: Played, names: Mapping[Seat, str], entries: Sequence[Entry]) -> Desk:
        """The desk of a service that begins again after those entries of the game, see `in_short`."""
        game = game_for(left.game, list(left.seats), dict(left.options))
        entries, missing = unbroken(entries)
        desk = cls(journal, left.id, Bench.opening(game, names, *start_of(game, left.start)))
        desk.rolls = sum(_is(entry, "rolled", "thrown") for entry in entries) + missing
        desk.changes = sum(_changed(entry, follows) for entry, follows in pairwise(entries))
        desk.chosen = chosen_in(entries)
        desk.begun = bool(desk.rolls) or any(moves_on(entry) for entry in entries)
        opening, begins = desk.bench, [*beginnings(entries)]
        if not any(desk._heard_from(opening, entries, begin) for begin in begins) and len(begins) > 1:
            desk._heard_from(opening, entries, begins[0])
        desk.bench = looking_anew(desk.bench)
        return desk

    def _heard_from(self, opening: Bench, entries: Sequence[Entry], begin: int | None) -> bool:
        """Hear the entries from that one on, which holds a state, or all. Returns whether it is ruled as it was then:
        else it hung on what was told or seen before that state."""
        self.bench, self.asked, self.stumbled, self.untold = opening, 0, 0, ([], "")
        if begin is not None:
            view = entries[begin].payload
            self.bench = believing(self.bench, view)
            self.asked = view.get("asked", sum(_is(entry, "answered") for entry in entries[:begin]))
        found, then, now, latest = True, list[str](), list[str](), 0
        for entry, follows in pairwise(chain(self._in_full(entries[begin or 0 :]), (None,))):
            if entry is not None and entry.kind == "word":
                before, latest = self.bench, len(now)
                self.untold = self._read_again(entry), str(entry.payload.get("word"))
                now += [verdict.kind.value for verdict in self.untold[0]]
                found &= self.bench is not before or not went_back(entry, follows)
            elif entry is not None and resumed(entry):
                self.bench = looking_anew(self.bench)
            elif entry is not None and entry.kind == "verdict":
                self.untold = [], ""
                then.append(str(entry.payload.get("kind")))
        return found and ruled_alike(then, now, latest)

    def _in_full(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        """The same entries with what was seen, one by one."""
        first, last = (entries[0].seq, entries[-1].seq) if entries else (1, 0)
        return takewhile(lambda entry: entry.seq <= last, self.journal.each(self.number, since=first))

    @property
    def token(self) -> int:
        """The number of the throw that is due, 1 to 65535, the same after a restart (PROTOCOL, turn). That of a
        challenge which was not made is none of the next one's."""
        return (self.thrown + self.changes + self.asked - 1) % TOKENS + 1

    @property
    def thrown(self) -> int:
        """The number of the throw that is due, whatever was changed by word since the last one: how many dice were
        chosen holds until they are thrown."""
        return (self._begins_at + self.rolls) % TOKENS + 1

    @property
    def marks(self) -> dict[str, str]:
        """What each action is about that two phones may ask for at once; another mark says that it was done already."""
        bench, due = self.bench, self.bench.due
        turn = f"{self.number}.{self.rolls}.{self.asked}.{due.kind.value}.{due.seat}"
        stands = hash(self.editable)
        play = f"{self.number}.{self.rolls}.{len(bench.past)}.{len(bench.trail) > 1}.{stands}"
        by_hand = f"{self.number}.{self.rolls}.{changes_by_hand(bench)}.{len(bench.early)}"
        wrong = "" if bench.trouble is None else bench.trouble.text
        return {
            **dict.fromkeys(("roll", "dice", "answer", "declare", "challenge"), turn),
            "accept": f"{turn}.{crc32(wrong.encode())}",
            "confirm": f"{turn}.{bench.setting_up}",
            "takeback": play,
            "correct": by_hand,
            "undo": f"{by_hand}.{self.changes}",
            "position": f"{by_hand}.{self.asked}.{stands}",
            **dict.fromkeys(("newgame", "stop"), str(self.number)),
        }

    @property
    def editable(self) -> Any:
        """The state at which the last roll was due: what a position set by hand begins with."""
        bench = self.bench
        return bench.state if bench.turn is None or bench.node.complete else bench.turn.before

    @property
    def as_it_stands(self) -> Played:
        """The game as if it began here, for a recording of what follows; with throws where who begins is still open."""
        played = self.journal.game(self.number)
        if self.bench.rolloff is not None:
            return played
        return replace(played, start={"start": self.bench.game.to_json(self.editable)})

    @property
    def told_before(self) -> list[Word]:
        """What follows begins with: the roll that is in play, or the throws for who begins, as far as they are made."""
        if self.bench.rolloff is not None:
            entries = self.journal.entries(self.number, looks=False)
            return [word_from_json(entry.payload) for entry in entries if _is(entry, "thrown", "undone")]
        turn = self.bench.turn
        if turn is None or turn.roll is None or self.bench.node.complete:
            return []
        return [Rolled(self.last_time, turn.roll)]

    @property
    def last_time(self) -> float:
        """When the last entry was told, seconds."""
        return self.journal.last_told(self.number)

    def _read_again(self, entry: Entry) -> list[Verdict]:
        """Tell the bench the word of an entry. One that is damaged, or of a later Companion, is missing as one over
        which the referee stumbled: it must not cost the game."""
        try:
            word = word_from_json(entry.payload)
        except JournalError as error:
            self._faults.note(f"entry {entry.seq} cannot be read", error)
            self.stumbled += 1
            return []
        return self.hear_again(word)

    def hear_again(self, word: Word) -> list[Verdict]:
        """Tell the bench a word that is in the journal already; one that was refused then is refused again.

        One over which the referee stumbled changed nothing then, and changes nothing now; nor does one over which a
        game of one's own hangs, or no start would come to an end.
        """
        ours = is_ours(self.bench.game)  # which come to an end, however long this computer stands still meanwhile
        try:
            with contextlib.nullcontext() if ours else Patience(HELD_UP).watching():
                return self._judge(word)
        except BadInput:
            return []
        except (Exception, NeverEnds) as error:
            told = f"the {type(word).__name__} told at {told_at(word):.1f} s cannot be heard again"
            self._faults.note(told, error)
            self.stumbled += 1
            return []

    def tell(self, word: Word, roll: Mapping[str, Any] | None = None) -> list[Verdict]:
        """Write the word down, then judge what was written, as it will be heard again. roll: the dice box's record that
        the word comes from.

        Raises BadInput where the word cannot be now: it is in the journal all the same, and changes nothing.
        """
        told = word_to_json(word)
        word = word_from_json(told)
        entries: list[tuple[str, Mapping[str, Any], float]] = []
        if isinstance(word, Act):
            entries += self._state(word.at)
        if isinstance(word, (Rolled, Thrown)):
            self.rolls += 1
        if roll is not None:
            entries.append(("roll", roll, word.at))
        self._write([*entries, ("word", told, word.at)])
        over = self.bench.due.kind is DueKind.OVER
        verdicts = self._judge(word)
        if over and self.bench.due.kind is not DueKind.OVER:
            with contextlib.suppress(JournalError):  # else it were won for whoever reads of it, or begins again
                self.journal.go_on(self.number)
        if verdicts:
            self._write([("verdict", verdict_to_json(verdict), verdict.at) for verdict in verdicts])
            self.changes += told["word"] in CHANGES
        if isinstance(word, (Rolled, Thrown)) or any(verdict.kind.value in MOVES_ON for verdict in verdicts):
            self._begins()
        if self.bench.coming and any(verdict.kind is Kind.LEGAL for verdict in verdicts):
            self._write(self._state(told_at(word)))
        return verdicts

    def _begins(self) -> None:
        """A game has the date of its first throw or play: its board may have been laid out days before, or while the
        clock was not set by a network yet."""
        if not self.begun:
            self.begun = True
            with contextlib.suppress(JournalError):  # then it has that of its board
                self.journal.begins_now(self.number)

    def _judge(self, word: Word) -> list[Verdict]:
        before = self.bench.due
        self.bench, verdicts = tell(self.bench, word)
        self.asked += done_with(before, self.bench.due)
        return verdicts

    def choose(self, dice: int, at: float) -> None:
        """So many dice are to be thrown now (PRN-1)."""
        self.chosen = self.thrown, dice
        self._write([("service", {"throw": self.thrown, "chosen": dice}, at)])

    def note_roll(self, roll: Mapping[str, Any], at: float) -> None:
        """Keep a roll that does not count (late, or other dice than asked for)."""
        self._write([("roll", roll, at)])

    def note(self, verdict: Verdict) -> None:
        """Keep what is announced without having been judged: a remark, or a question about the dice."""
        self._write([("verdict", verdict_to_json(verdict), verdict.at)])

    def end(self, result: Mapping[str, Any]) -> None:
        """The game is over, or was left."""
        with contextlib.suppress(JournalError):
            self.journal.end_game(self.number, result)

    def _state(self, at: float) -> list[tuple[str, Mapping[str, Any], float]]:
        """The state in which this word is told, from which a resumed game can go on; of several that look alike all."""
        bench = self.bench
        if bench.rolloff is not None or bench.setting_up or bench.early or not at_rest(bench):
            return []
        if not all(node.complete and not bench.may_go_on(node) for node in bench.standing):
            return []  # else what may still be played is forgotten, where this word is refused
        states = [bench.game.to_json(state) for state in dict.fromkeys(node.after for node in bench.standing)]
        view: dict[str, Any] = {"state": states[0]} | ({"states": states} if len(states) > 1 else {})
        view |= {"rotation": bench.rotation.to_json(), "asked": self.asked}
        so = {"blurred": bench.blurred, "doubted": bench.doubted, "unseen": not bench.begun, "watched": bench.watched}
        return [("view", view | {what: True for what, is_so in so.items() if is_so}, at)]

    def _write(self, entries: list[tuple[str, Mapping[str, Any], float]]) -> None:
        """What cannot be written waits in the journal's memory; the page says so, and the game goes on."""
        try:
            self.journal.append_all(self.number, entries)
        except JournalError as error:
            LOG.error("%s", error)


def done_with(before: Due, due: Due) -> bool:
    """Whether it was a question, which everybody heard, or a challenge that was not made, as another thing is due."""
    if before.kind is DueKind.CHALLENGE and due.kind is DueKind.THROW:
        return False
    return before.kind in (DueKind.QUESTION, DueKind.CHALLENGE) and due != before


def changes_by_hand(bench: Bench) -> int:
    """How many changes by hand, and throws for who begins, could be undone, one after the other."""
    before, count = bench, 0
    while (earlier := before.undoable) is not None:
        before, count = earlier, count + 1
    return count


def in_short(journal: Journal, game: int) -> list[Entry]:
    """The entries of a game without what was seen: of a long evening it does not fit into a small computer's memory."""
    return [replace(entry, payload=LOOK) if _is(entry, "saw") else entry for entry in journal.each(game)]


def resumed(entry: Entry) -> bool:
    """Whether the service began again there."""
    return entry.kind == "service" and bool(entry.payload.get("resumed"))


def moves_on(entry: Entry) -> bool:
    """Whether a play was ruled there, or that there is none."""
    return entry.kind == "verdict" and entry.payload.get("kind") in MOVES_ON


def chosen_in(entries: Sequence[Entry]) -> tuple[int, int] | None:
    """For which throw how many dice were chosen last."""
    told = (entry.payload for entry in reversed(entries) if entry.kind == "service" and "chosen" in entry.payload)
    return next(((int(choice["throw"]), int(choice["chosen"])) for choice in told), None)


def looking_anew(bench: Bench) -> Bench:
    """The bench of a service that has not seen the board yet, nor said that it cannot be seen. What hands did meanwhile
    nobody knows: a play that was taken back and stands there still is played after all only by word. After the last
    play the board is packed away; who takes that back sets it up again."""
    anew = replace(bench, begun=bench.due.kind is DueKind.OVER, watched=False, lost=False, restless=False)
    anew = replace(anew, stillness=Stillness(), trouble=None)
    before = None if bench.before_override is None else looking_anew(bench.before_override)
    throw = None if bench.before_throw is None else looking_anew(bench.before_throw)
    past = tuple(replace(one, begun=False) for one in bench.past)
    return replace(anew, ignored_since=math.inf, before_override=before, before_throw=throw, past=past)


def believing(bench: Bench, view: Mapping[str, Any]) -> Bench:
    """The bench with what was believed when the view was written, whether the board was seen to agree by then, and
    whether it was looked at: what "done" means hangs on that. Journals of old do not say it."""
    states = [bench.game.from_json(state) for state in view.get("states", [view["state"]])]
    known = replace(bench, rolloff=None, begun=not view.get("unseen", False), watched=view.get("watched", False))
    known = replace(known, blurred=view.get("blurred", False), doubted=view.get("doubted", False))
    return replace(known, rotation=Rotation.from_json(view.get("rotation", {}))).at(*states)


def unbroken(entries: Sequence[Entry]) -> tuple[Sequence[Entry], int]:
    """The entries from which a game can go on, and how many are missing, where a journal was damaged.

    After the last gap, if a state was written down there; else before the first. Most journals have no gap.
    """
    gaps = [i for i, entry in enumerate(entries) if entry.seq != (entries[i - 1].seq if i else 0) + 1]
    if not gaps:
        return entries, 0
    missing = entries[-1].seq - len(entries)
    after = entries[gaps[-1] :]
    return (after, missing) if any(entry.kind == "view" for entry in after) else (entries[: gaps[0]], missing)


def beginnings(entries: Sequence[Entry]) -> Iterator[int | None]:
    """From which entries a game can go on, the usual one first, then further and further back: each holds a state;
    None is the game's own beginning, where that is not missing: the usual one while fewer states are written down."""
    views = [number for number, entry in enumerate(entries) if entry.kind == "view"]
    whole, kept = not views or entries[0].seq == 1, KEPT_STATES
    short = whole and len(views) < kept
    if short:
        yield None
    while kept < len(views):
        yield views[-kept]
        kept *= 4
    yield from views[:1]
    if whole and not short:
        yield None


def ruled_alike(then: Sequence[str], now: Sequence[str], latest: int) -> bool:
    """Whether all that moved the game on then does so now, and no foul is found that was none. A power cut may have
    kept verdicts off the record: those of the last word, which begin at number `latest` of `now`; none is made up."""
    again, known = iter(now), iter(then)
    moved_on = all(kind in again for kind in then if kind in MOVES_ON)
    return moved_on and all(kind in known for kind in now[:latest] if kind == Kind.ILLEGAL.value)


def went_back(entry: Entry, follows: Entry | None) -> bool:
    """Whether that word changed then what was told before it, which is only noted: its verdict follows."""
    return follows is not None and follows.kind == "verdict" and _is(entry, "undone", "dice_corrected")


def _changed(entry: Entry, follows: Entry) -> bool:
    """Whether that word changed which throw is due: a verdict follows; one that was refused has none."""
    return follows.kind == "verdict" and _is(entry, *CHANGES)


def start_of(game: Game[Any], start: Mapping[str, Any]) -> tuple[Any, Seat]:
    """The state in which a game of the journal began (None: with the throws), and who threw first."""
    if "start" in start:
        return game.from_json(start["start"]), game.seats[0]
    return None, int(start.get("throws", game.seats[0]))


def _is(entry: Entry, *words: str) -> bool:
    return entry.kind == "word" and entry.payload.get("word") in words
