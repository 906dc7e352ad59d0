"""A soak of the referee by messy people: honest ones who are untidy on the way, and cheats who mend by halves.

Like soak.py, whose table, eyes and phone these are. After each play they do as they are told, as people would; where
that does not help within a few tries, the game is stuck. By command:

    python tests/referee/messy.py --games 20                     # every game with its options
    python tests/referee/messy.py --of gloria --seed 17 --log    # one seed, every ruling and what was done
    python tests/referee/messy.py --way beside --noisy           # one kind of mess, with errors of reading
"""

from __future__ import annotations

import argparse
import random
import traceback
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from messy_ways import RARE, WAYS
from soak import HIDDEN, NOISY, PERFECT, STEP, Errors, Eyes, Room, less, midgame, reading, table_of

from companion.games.catalogue import GAMES
from companion.model import (
    BoardLost,
    Content,
    DueKind,
    Kind,
    Outcome,
    Position,
    Roll,
    Rolled,
    Saw,
    Seat,
    Sighting,
    SpaceSeen,
    TakenBack,
    Undone,
    Verdict,
    Word,
)
from companion.referee.bench import Bench
from companion.referee.explain import put_right
from companion.referee.playing import at_rest
from companion.referee.turn import Turn
from companion.service.table.presenter import headline
from companion.virtual.cheats import Cheat
from companion.virtual.hands import Script, Wait
from companion.virtual.occasion import Occasion, in_play
from companion.virtual.players import Players
from companion.virtual.tabletop import Pawn, Tabletop
from companion.virtual.tally import Tally

TRIES, PATIENT = 4, 6.0
"""How often people try to go on, and how many seconds they wait for a word each time."""

State = Any
Next = Generator[Wait, None, State]


@dataclass
class MessyEyes(Eyes):
    """Eyes over whose board something may lie.

    halves: space → (seat, the space that its piece half stands on, too, and whether it rather seems to stand there).
    """

    cover: frozenset[str] = frozenset()
    halves: dict[str, tuple[Seat, str, bool]] = field(default_factory=dict)
    dark: bool = False

    def look(self, at: float) -> Sighting:  # type: ignore[override]
        """One look."""
        if self.dark:
            return BoardLost(at, "It is too dark to see the board.")
        seen = super().look(at)
        spaces = dict(seen.spaces)
        for name, (seat, other, leans) in self.halves.items():
            stands, beside = self.stands().at(name), self.stands().at(other)
            if seat in stands and not spaces[name].covered and not spaces[other].covered:
                pairs = (name, (stands, less(stands, seat))), (other, (beside, tuple(sorted((*beside, seat)))))
                for space, (best, second) in pairs:
                    spaces[space] = self._half(*((second, best) if leans else (best, second)))
        spaces |= {name: HIDDEN for name in self.cover}
        return type(seen)(seen.at, spaces, seen.moving)

    def _half(self, best: Content, other: Content) -> SpaceSeen:
        return reading(best, best, {**self._others(best, -10.0), other: -0.7})


@dataclass
class Found:
    """What came of it: what is to be read by people."""

    tally: Tally = field(default_factory=Tally)
    done: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    deserved: Counter[str] = field(default_factory=Counter)
    tries: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    log: list[str] = field(default_factory=list)


@dataclass
class Messy(Players):
    """Players who are untidy. only: the one kind of mess that they make, "" for all."""

    mess: float = 0.6
    only: str = ""
    found: Found = field(default_factory=Found)
    name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.room: Room = self.voice  # type: ignore[assignment]
        self.eyes: MessyEyes | None = None
        self.doing = ""
        self._turns: tuple[Turn, ...] = ()
        self._pocket: tuple[int, ...] = ()
        self._before: list[Pawn] = []
        self._last_play: tuple[list[Pawn], tuple[Turn, ...], Outcome] | None = None
        self._played: Outcome | None = None

    # --- what is heard ---

    @property
    def stands(self) -> Position:
        """What stands on the table, as a camera could see it."""
        assert self.eyes is not None
        return self.eyes.stands()

    def note(self, text: str) -> None:
        """Into the log."""
        self.found.log.append(f"{self.name} {self.now:7.2f}           . {text}")

    def hear(self, verdict: Verdict) -> None:
        """A ruling was announced: is it fair?"""
        said = f"{verdict.kind.value} {','.join(verdict.rules)}: {verdict.text}"
        line = f"{self.name} {self.now:7.2f} [{self.doing}] {said}"
        self.found.log.append(line)
        if verdict.kind is not Kind.ILLEGAL or self.tally.foul_stands:
            super().hear(verdict)
            return
        self.heard.append(verdict)
        if verdict.seen == verdict.position == self.stands and not verdict.put_right:
            self.found.deserved[f"[{self.doing}] reminder {','.join(verdict.rules)}: {verdict.text}"] += 1
        elif self.doing == "told_late" and "before rolling" in verdict.text:
            self.found.deserved["[told_late] moved before rolling"] += 1
        elif self._is_legal(self.stands) or self.table.hand is not None:
            self.found.false.append(line + f" seen: {self._differs(verdict)}")
        else:
            self.found.deserved[f"[{self.doing}] {','.join(verdict.rules)}: {verdict.text}"] += 1

    def _differs(self, verdict: Verdict) -> str:
        if verdict.position is None or verdict.seen is None:
            return ""
        return " ".join(
            f"{n}:{verdict.position.at(n)}>{verdict.seen.at(n)}" for n in verdict.position.changed(verdict.seen)
        )

    def _is_legal(self, shown: Position) -> bool:
        turns = self._turns
        if turns and shown in in_play(turns).explained:
            return True
        return any(shown == self.game.position(state) for state in self._alike)

    # --- the turn ---

    def _turn(self, turns: tuple[Turn, ...]) -> Next:
        if self._played is not None:
            return (yield from self._played_before(turns, self._played))
        if self._last_play is not None and self._whims("take_back_late") and turns[0].roll is not None:
            yield from self._take_back_late()
        self._turns, self._before = turns, list(self.table.pawns)
        state = yield from super()._turn(turns)
        self.doing = ""
        return state

    def _played_before(self, turns: tuple[Turn, ...], outcome: Outcome) -> Next:
        """What was played while the play before it was not done yet."""
        self._turns, self._played, self._last_play = turns, None, None
        yield from self._until_accepted(outcome)
        self._open, self._last[turns[0].seat] = turns, outcome.steps
        self._alike = self._alike_after(turns, outcome)
        self.doing = ""
        return outcome.state

    def _whims(self, name: str) -> bool:
        """Whether that kind of mess, which is no way to play, is made now."""
        wanted = self.only == name if self.only else self.rng.random() < 0.1 * self.mess
        if wanted and self.rng.random() < (0.5 if self.only else 1.0):
            self.doing = name
            self.found.done[name] += 1
            self.note(f"--- {name}")
            return True
        return False

    def _play_out(self, turns: tuple[Turn, ...], outcome: Outcome) -> Generator[Wait, None, bool]:
        self._turns, self._before = turns, list(self.table.pawns)
        self._last_play = (self._before, turns, outcome) if outcome.steps else None
        seat = turns[0].seat
        means = ", ".join(f"{step.origin}>{step.target}" for step in outcome.steps)
        self.note(f"seat {seat} rolled {turns[0].dice}, means {means}")
        ways = [self.only] if self.only in WAYS else [] if self.only else list(WAYS)
        able = [name for name in ways if outcome.steps and WAYS[name][0](self, turns, outcome)]
        if not able or self.rng.random() >= self.mess:
            return (yield from super()._play_out(turns, outcome))
        self.tally.playing()
        self.heard.clear()
        self.doing = self.rng.choice([name for name in able if name in RARE] or able)
        self.found.done[self.doing] += 1
        self.note(f"--- {self.doing}")
        yield from WAYS[self.doing][1](self, turns, outcome)
        yield from self.hands.leave()
        if self._played is not None:
            return True
        if self.game.position(outcome.state) == self.game.position(turns[0].root):
            self.voice.done()
        return (yield from self._until_accepted(outcome))

    def _went_on_to(self, outcome: Outcome) -> bool:
        """Whether the referee believes, among others perhaps, what really is."""
        bench, ready = self.room.bench, self.game.due(outcome.state).kind
        if ready is DueKind.OVER:
            return bench.due.kind is DueKind.OVER
        if any(turn.before == outcome.state for turn in bench.turns) and not bench.accused and self._pocket:
            return True
        ends = {outcome.state} if self._played is None else {outcome.state, self._played.state}
        if ready is DueKind.CHALLENGE:
            ends.add(self.game.stop(outcome.state))
        if self.game.stacks:  # what hides in the stacks may be another, and who moves next is what matters
            due = bench.due if bench.due.kind is not DueKind.CHALLENGE else self.game.due(self.game.stop(bench.state))
            if bench.due.kind is DueKind.PLAY and bench.turn and not bench.node.steps and not bench.turn.roll:
                return not bench.accused and self.game.due(bench.turn.before) in map(self.game.due, ends)
            return at_rest(bench) and bench.position == self.stands and due in map(self.game.due, ends)
        known = at_rest(bench) and any(node.after in ends for node in bench.standing if node.complete)
        return known and not (bench.early and not self._pocket)

    def _until_accepted(self, outcome: Outcome) -> Generator[Wait, None, bool]:
        yield self.hands.after(0.3)
        tries = 0
        while True:
            self.heard.clear()
            yield self._within(PATIENT, lambda: self._went_on_to(outcome) or self._told_off())
            if self._went_on_to(outcome) or tries == TRIES:
                break
            tries += 1
            yield from self._as_told(outcome, tries)
            yield from self.hands.leave()
        went_on = self._went_on_to(outcome)
        self.tally.played(went_on)
        self.found.tries[f"{tries}"] += 1
        if not went_on:
            bench = self.room.bench
            trouble = bench.trouble.text if bench.trouble else "-"
            right = self.stands == self.game.position(outcome.state)
            table = f"early {len(bench.early)} | table {'right' if right else 'wrong'}"
            self._stuck(f"trouble: {trouble} | {headline(bench)} | {table}")
            self._pocket = ()
            self.voice.accept(outcome.state)
            yield self.hands.after(1.0)
        elif tries:
            self.note(f"after {tries} tries")
        if self.game.stacks and went_on:
            known = [self.game.everything(node.after) for node in self.room.bench.standing if node.complete]
            if self.game.everything(outcome.state) not in known:
                doubt = self.room.bench.blurred or self.room.bench.doubted
                self.found.lost[f"{self.doing}{' (doubted)' if doubt else ''}"] += 1
                self.note(f"LOST TRACK {doubt}")
        return went_on

    def _stuck(self, how: str) -> None:
        self.found.stuck.append(f"{self.name} {self.now:.1f} [{self.doing}] {how}")

    def _told_off(self) -> bool:
        return any(verdict.kind in (Kind.ILLEGAL, Kind.UNCLEAR) for verdict in self.heard)

    def _within(self, seconds: float, done: Wait) -> Wait:
        until = self.now + seconds
        return lambda: done() or self.now >= until

    def _as_told(self, outcome: Outcome, tries: int) -> Script:
        """Do what the page says: put right, free what is not seen, say "done"; and play on."""
        trouble, wanted = self.room.bench.trouble, self.game.position(outcome.state)
        yield self._pause(0.5, 1.5)
        if trouble is not None and trouble.put_right:
            for seat, origin, target in trouble.put_right:
                if not origin or self.table.find(seat, origin):
                    yield from self.hands.carry(seat, origin, target, self._turns[0].seat)
            yield from self.hands.leave()
            yield self.hands.after(2.0)
        elif trouble is not None:
            yield from self._freed(trouble)
        if self.stands != wanted:
            yield from self._brought(outcome)
        elif trouble is None or tries > 1:
            self.note("says done")
            self.voice.done()

    def _freed(self, trouble: Verdict) -> Script:
        """Touch the pieces that are asked about, so that they stand free."""
        assert self.eyes is not None
        self.eyes.halves.clear()
        for name in trouble.facts.get("spaces", ()):
            for seat in self.stands.at(name)[:1]:
                yield from self.hands.carry(seat, name, name, self._turns[0].seat)
        yield from self.hands.leave()
        yield self.hands.after(2.0)

    def _brought(self, outcome: Outcome) -> Script:
        """Bring the table to the end of the play."""
        seat = self._turns[0].seat
        if self.game.stacks:
            yield from self.hands.put_back(self._before, seat)
            yield self.hands.after(1.5)
            yield from self._play_steps(outcome.steps)
        else:
            yield from self._bring(put_right(self.stands, self.game.position(outcome.state)), seat)

    def _change_mind(self, turns: tuple[Turn, ...], played: Outcome, other: Outcome) -> Generator[Wait, None, Outcome]:
        if self._pocket:
            return played
        chosen = yield from super()._change_mind(turns, played, other)
        self._last_play = (self._before, turns, chosen)
        return chosen

    # --- dice ---

    def rolls_early(self, count: int) -> None:
        """The next player rolls, whose roll that stays."""
        self._pocket = self.room.throw(count)
        self.tally.thrown += 1
        self.note(f"the next player rolled {self._pocket}")

    def _throw(self, count: int, say: bool = False) -> Generator[Wait, None, tuple[int, ...]]:
        if self._pocket and not say:
            dice, self._pocket = self._pocket, ()
            yield self.hands.after(0.3)
            return dice
        if self._whims("roll_twice") and self.game.due(self._alike[0]).kind is DueKind.ROLL:
            dice = yield from super()._throw(count, say)
            yield self._pause(0.6, 1.5)
            if self.room.bench.due.kind is not DueKind.PLAY:
                return dice
            self.note(f"rolled {dice}, and once more by mistake")
            self.room.throw(count)
            yield self._pause(0.6, 3.0)
            if self.room.bench.early:
                self.room._say(Undone(self.now))
                yield self.hands.after(0.5)
            return dice
        return (yield from super()._throw(count, say))

    def _roll(self, state: State) -> Next:
        if self._pocket or not self._whims("told_late"):
            return (yield from super()._roll(state))
        due = self.game.due(state)
        count = self.rng.choice(due.dice)
        yield self._until(lambda: self.dice.ready(0))
        dice = self.dice.throw(count)
        self.room.words.clear()
        self.tally.thrown += 1
        self.tally.turns += 1
        turns = tuple(Turn.of(self.game, one, Roll(dice)) for one in self._alike)
        outcome = None if turns[0].must_pass else self.rng.choice(self.game.outcomes(turns[0].root))
        self._turns, self._before = turns, list(self.table.pawns)
        self.note(f"seat {turns[0].seat} rolled {dice} and tells it late")
        self._last_play = None
        if outcome is not None:
            self._last_play = (self._before, turns, outcome) if outcome.steps else None
            yield from self._play_steps(outcome.steps)
        yield self._pause(0.3, 4.0)
        self.room.words.append((self.now, Rolled(self.now, Roll(dice), by="phone")))
        yield self.hands.after(0.6)
        if outcome is None:
            self._open = turns
            return self._went_on(turns[0].root, self.game.stop)
        yield from self._until_accepted(outcome)
        self._open, self._last[turns[0].seat] = turns, outcome.steps
        self._alike = self._alike_after(turns, outcome)
        self.doing = ""
        return outcome.state

    def _take_back_late(self) -> Script:
        """After the next player has rolled the last one takes the play back, and plays it again."""
        assert self._last_play is not None
        before, turns, outcome = self._last_play
        now = self._turns
        yield self.hands.after(0.6)
        self._turns = (*turns, *now)
        self.room._say(TakenBack(self.now))
        yield self._pause(0.5, 2.0)
        yield from self.hands.put_back(before, turns[0].seat)
        yield self._pause(1.0, 2.5)
        self.heard.clear()
        yield from self._play_steps(outcome.steps)
        yield self._within(8.0, lambda: not self.room.bench.early and not self.room.bench.accused)
        yield self.hands.after(0.5)
        if self.room.bench.early or self.room.bench.accused:
            self._stuck(headline(self.room.bench))

    # --- cheats who mend by halves ---

    def _cheat_by(self, *args: Any, **kwargs: Any) -> Script:
        if not self._pocket:  # what looks like a move before the roll is none then
            yield from super()._cheat_by(*args, **kwargs)

    def _cheat(self, cheat: Cheat, occasion: Occasion) -> Script:
        before, seat = list(self.table.pawns), occasion.seat
        self.doing = f"cheat {cheat.kind}"
        self.note(f"--- {self.doing} {cheat.moves}")
        way = self.rng.choice(("plain", "half", "otherwise", "two", "roll", "done", "wait"))
        if self.game.stacks and way in ("half", "two"):
            way = "plain"
        self.found.done[f"cheat, then {way}"] += 1
        yield from self._show(cheat, seat)
        self.note(f"mends: {way}")
        yield from self._mess_on(way, before, seat, occasion)
        yield from self.hands.put_back(before, seat)
        yield from self._is_right_again()
        yield self.hands.after(1.0)
        if self.room.bench.accused or self.room.bench.early:
            trouble = self.room.bench.trouble.text if self.room.bench.trouble else "-"
            self._stuck(f"after mending ({way}): {trouble} | early {len(self.room.bench.early)}")
        self.doing = ""

    def _mess_on(self, way: str, before: list[Pawn], seat: Seat, occasion: Occasion) -> Script:
        """What comes between a foul that was named and its mending."""
        if way == "half":
            astray = [pawn for pawn in self.table.pawns if pawn not in before][:1]
            for pawn in astray:
                yield from self.hands.carry(pawn.seat, pawn.space, "", seat)
            yield from self.hands.leave()
            yield self._pause(2.0, 7.0)
        elif way == "two":
            pawn = self.rng.choice([p for p in self.table.pawns if p.space])
            spaces = [n for n in self.game.spaces() if n[0] == "t"]
            yield from self.hands.carry(pawn.seat, pawn.space, self.rng.choice(spaces), seat)
            yield from self.hands.leave()
            yield self._pause(2.0, 6.0)
        elif way == "roll" and self.room.bench.due.kind is DueKind.ROLL and len(self.room.bench.due.dice) == 1:
            self.rolls_early(self.room.bench.due.dice[0])
            yield self._pause(1.0, 3.0)
        elif way == "otherwise" and occasion.rolled and not self.game.stacks:
            yield from self._mend_otherwise(occasion)
        elif way == "done":
            self.voice.done()
            yield self.hands.after(1.0)
            self.voice.done()
        elif way == "wait":
            yield self.hands.after(15.0)

    def _mend_otherwise(self, occasion: Occasion) -> Script:
        """Go from the foul straight to a legal play; it is taken back again after that."""
        outcomes = [one for one in self.game.outcomes(occasion.turn.root) if one.steps]
        wanted = self.game.position(self.rng.choice(outcomes).state) if outcomes else self.stands
        yield from self._bring(put_right(self.stands, wanted), occasion.seat)
        yield self.hands.after(3.0)
        if outcomes and (self.room.bench.position != wanted or self.room.bench.accused):
            self._stuck(f"mended by a legal play: {headline(self.room.bench)}")


def play(
    of: str, seed: int, turns: int, found: Found, errors: Errors = PERFECT, cheat: float = 0.0, only: str = ""
) -> None:
    """One game, added to what was found."""
    rng = random.Random(seed)
    table = table_of(of, seed)
    game, sheet, first = table.game, table.sheet, table.game.seats[0]
    start = midgame(game, rng)
    top = Tabletop(sheet, random.Random(seed + 1))
    names = {seat: sheet.seat_label(seat) for seat in sheet.colors}
    room = Room(Bench.opening(game, names, start, first), random.Random(seed + 2), random.Random(seed + 4))
    until = found.tally.turns + turns
    people = Messy(
        game, top, room, room, rng, random.Random(seed + 5), found.tally, until, cheat, first, 0.1, start,
        mess=0.7, only=only, found=found, name=f"{of} {seed}",
    )
    people.eyes = MessyEyes(top, game, errors, random.Random(seed + 3))
    next_look = 0.0
    try:
        while not people.over and room.now < turns * 200:
            room.now += STEP
            people.advance(room.now)
            words: list[Word] = list(room.due_words())
            if room.now >= next_look:
                next_look += 0.2
                words.append(Saw(room.now, people.eyes.look(room.now)))
            for word in words:
                if not isinstance(word, Saw):
                    people.note(f"<< {type(word).__name__} {getattr(word, 'roll', '')}")
                for verdict in room.tell(word):
                    people.hear(verdict)
    except Exception:  # any crash is a finding
        found.crashed.append(f"{of} {seed} [{people.doing}] {traceback.format_exc()[-700:]}")
    if not people.over:
        found.stuck.append(f"{of} {seed}: never ended")
    found.refused += [f"{of} {seed}: {line}" for line in room.refused]


def report(found: Found, log: bool = False) -> str:
    """What was found, as text."""
    lines = [*found.log] if log else []
    lines.append(f"turns {found.tally.turns}  done {dict(found.done)}")
    lines.append(f"tries {dict(found.tries)}  accepted {found.tally.accepted} refused {found.tally.refused}")
    lines.append(f"fouls {sum(found.tally.shown.values())} missed {len(found.tally.missed)} {found.tally.overlooked}")
    lines += [f"wrong rule: {line}" for line in found.tally.wrong_rules]
    lines += [f"questions {found.tally.questions}"]
    lines += [f"lost track of a stack: {dict(found.lost)}"]
    for title in ("false", "stuck", "refused", "crashed"):
        lines.append(f"{title}: {len(getattr(found, title))}")
        lines += [f"  {one}" for one in getattr(found, title)]
    lines += [f"deserved {n:4d} {text}" for text, n in found.deserved.most_common()]
    return "\n".join(lines)


def main() -> None:
    """The long soak, from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=sorted(GAMES))
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--cheat", type=float, default=0.0)
    parser.add_argument("--way", default="")
    parser.add_argument("--noisy", action="store_true")
    parser.add_argument("--log", action="store_true")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.games) if args.seed is None else range(args.seed, args.seed + 1)
    for of in [args.of] if args.of else sorted(GAMES):
        found = Found()
        for seed in seeds:
            play(of, seed, args.turns, found, NOISY if args.noisy else PERFECT, args.cheat, args.way)
        print(f"--- {of} ---\n{report(found, args.log)}\n", flush=True)


if __name__ == "__main__":
    main()
