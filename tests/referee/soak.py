"""A soak of the referee: pretend players at a pretend table, without camera, port, thread or clock.

The bench is told what a camera would read off the table, true or with the errors that readings have, and it is
counted what it missed, whom it accused falsely and what it asked. The long one, by command:

    python tests/referee/soak.py --games 200                    # every game with its options, true readings
    python tests/referee/soak.py --of aggravation --games 200 --noisy          # one game, with errors
    python tests/referee/soak.py --of gloria --seed 17 --noisy --log           # one seed, every ruling
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from calibration.sheet import board_for
from companion.games.catalogue import GAMES, game_for
from companion.games.contract import Game
from companion.model import (
    AcceptedAsPlayed,
    Answered,
    BadInput,
    BoardSeen,
    Challenged,
    Confirmed,
    Content,
    Declared,
    DueKind,
    Kind,
    Position,
    PositionSet,
    Roll,
    Rolled,
    Saw,
    Seat,
    Sheet,
    Space,
    SpaceSeen,
    StateError,
    Thrown,
    Verdict,
    Word,
)
from companion.referee.bench import Bench, tell
from companion.referee.folding import places_of_bases
from companion.service.boards.configured import board_options
from companion.service.table.presenter import throwable
from companion.virtual.choices import choose, tops
from companion.virtual.players import Players
from companion.virtual.tabletop import Hand, Tabletop
from companion.virtual.tally import Tally
from companion.vision.reading.spaces import doubted

STEP = 0.05
"""Seconds between two moments of the pretend table."""


@dataclass(frozen=True)
class Table:
    """One game with seats and options to be soaked."""

    game: Game[Any]
    sheet: Sheet


Setting = tuple[str, tuple[Seat, ...], dict[str, Any]]
FOUR = (0, 1, 2, 3)
SETTINGS: Mapping[str, tuple[Setting, ...]] = {
    "parcheesi": tuple(("parcheesi", s, {}) for s in ((0, 2), FOUR, (0, 1, 2), (1, 2), (0, 3), (1, 2, 3))),
    "parcheesi-print": tuple(("parcheesi-print", s, {}) for s in ((0, 2), FOUR, (0, 1, 3), (1, 2))),
    "gloria": (
        ("gloria", FOUR, {}),
        ("gloria", (0, 2), {"home": "center"}),
        ("gloria", (0, 1, 2), {"opening_dice": 2}),
        ("gloria", FOUR, {"opening_dice": 3, "six_again": True}),
        ("gloria", (1, 3), {"six_again": True, "home": "center", "opening_dice": 2}),
    ),
    "aggravation": (
        ("aggravation", FOUR, {}),
        ("aggravation", FOUR, {"play": "partners"}),
        ("aggravation", (0, 1, 2, 3, 4, 5), {"play": "teams"}),
        ("aggravation", (0, 1, 2, 3, 4, 5), {}),
        ("aggravation", (0, 1, 2, 3, 4, 5), {"play": "partners"}),
        ("aggravation", (0, 2), {"arms": 6}),
    ),
    "game-of-god": (
        ("game-of-god", (0, 2), {}),
        ("game-of-god", FOUR, {}),
        ("game-of-god", (0, 2), {"size": 6}),
    ),
}
"""Each game with seats and options to be played, in rotation."""


@lru_cache(maxsize=64)
def table_of(name: str, number: int) -> Table:
    """The game of a seed, with its sheet."""
    settings = SETTINGS[name]
    game = game_for(*settings[number % len(settings)])
    return Table(game, board_for(game.name, board_options(game)).sheet())


@dataclass(frozen=True, slots=True)
class Errors:
    """How readings err. doubt: share of spaces in doubt in each look. astray: persistent misreadings a look.

    depth: how unlikely the truth looks in those, nats (a range); length: for how many looks they last (a range).
    flicker: share of spaces that seem covered for one look, where nothing is. bases: whether those are doubted always.
    """

    doubt: float = 0.0
    astray: float = 0.0
    depth: tuple[float, float] = (-10.0, -3.0)
    length: tuple[int, int] = (5, 60)
    flicker: float = 0.0
    bases: bool = False


PERFECT = Errors()
NOISY = Errors(doubt=0.01, astray=0.001, flicker=0.0005)


@dataclass
class Eyes:
    """What a camera would read off the table: the tops of stacks, and bases as a whole."""

    table: Tabletop
    game: Game[Any]
    errors: Errors
    rng: random.Random
    _before: tuple[object, ...] = ()
    _astray: tuple[str, Content, Content, float, int] | None = None
    _known: dict[Content, list[SpaceSeen]] = field(default_factory=dict)
    _doubted: dict[tuple[str, Content], SpaceSeen] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sheet, groups = self.table.sheet, places_of_bases(self.table.sheet.spaces)
        self.seats = self.game.seats
        self._true = replace(self.errors, bases=False) == PERFECT
        self.areas = {name: [sheet.spaces[p] for p in groups.get(name, [name])] for name in self.game.spaces()}

    def look(self, at: float) -> BoardSeen:
        """One look."""
        now = (tuple(self.table.pawns), self.table.hand)
        moving, self._before = bool(self._before) and now != self._before, now
        stands = self.stands()
        hidden = self._hidden()
        spaces = {name: HIDDEN if name in hidden else self._clear(stands.at(name)) for name in self.areas}
        self._blur(spaces, stands)
        self._mistake(spaces, stands)
        if self.errors.bases:
            self._doubt_bases(spaces, stands)
        return BoardSeen(at, spaces, moving)

    def stands(self) -> Position:
        """What can be seen."""
        stands = self.table.folded()
        return tops(stands) if self.game.stacks else stands

    def _hidden(self) -> set[str]:
        hand = self.table.hand
        if hand is None:
            return set()
        return {name for name, spaces in self.areas.items() if any(under(hand, space) for space in spaces)}

    def _clear(self, content: Content) -> SpaceSeen:
        if self._true:
            return self._known.setdefault(content, [reading(content, content, self._others(content, -10.0))])[0]
        variants = self._known.setdefault(content, [])
        if len(variants) < 12:
            level = self.rng.uniform(-10, -6)
            variants.append(reading(content, content, self._others(content, level)))
            return variants[-1]
        return self.rng.choice(variants)

    def _others(self, content: Content, level: float) -> dict[Content, float]:
        found: dict[Content, float] = {(): level, **{(seat,): level for seat in self.seats}}
        for seat in self.seats:
            found[tuple(sorted((*content, seat)))] = level
        for seat in set(content):
            found[less(content, seat)] = level
        return found

    def _blur(self, spaces: dict[str, SpaceSeen], stands: Position) -> None:
        for name in self.areas:
            if self.errors.doubt and self.rng.random() < self.errors.doubt and not spaces[name].covered:
                true = stands.at(name)
                other = self._wrong(true)
                best = true if self.rng.random() < 0.5 else other
                second = other if best == true else true
                levels = {**self._others(true, -8.0), second: self.rng.uniform(-3, -1)}
                spaces[name] = reading(best, best, levels)
            if self.errors.flicker and self.rng.random() < self.errors.flicker:
                spaces[name] = HIDDEN

    def _wrong(self, true: Content) -> Content:
        """Something else than what stands there: one piece more, one fewer, another colour."""
        more = [tuple(sorted((*true, seat))) for seat in self.seats[:1] + tuple(set(true))]
        fewer = [less(true, seat) for seat in set(true)]
        other = [(seat,) for seat in self.seats if len(true) == 1 and (seat,) != true]
        return self.rng.choice([one for kind in (more, fewer, fewer, other) for one in kind])

    def _mistake(self, spaces: dict[str, SpaceSeen], stands: Position) -> None:
        """Now and then one space is read wrongly for many looks, while what stands there stays."""
        if self._astray is None and self.rng.random() < self.errors.astray:
            places = list(stands) * 3 + list(self.areas)
            name = self.rng.choice(places)
            length, depth = self.rng.randint(*self.errors.length), self.rng.uniform(*self.errors.depth)
            self._astray = (name, stands.at(name), self._wrong(stands.at(name)), depth, length)
        if self._astray is None:
            return
        name, true, wrong, depth, left = self._astray
        if not left or stands.at(name) != true:
            self._astray = None
            return
        if not spaces[name].covered:
            spaces[name] = reading(wrong, wrong, {**self._others(true, -10.0), true: depth})
        self._astray = (name, true, wrong, depth, left - 1)

    def _doubt_bases(self, spaces: dict[str, SpaceSeen], stands: Position) -> None:
        """What stands in a base is read alike as long as it stands, and only a small part of that is believed."""
        for name in self.areas:
            if name.startswith("base") and not spaces[name].covered:
                content = stands.at(name)
                if (name, content) not in self._doubted:
                    levels = self._others(content, self.rng.uniform(-10, -4))
                    self._doubted[name, content] = doubted(reading(content, content, levels))
                spaces[name] = self._doubted[name, content]


HIDDEN = SpaceSeen((), 0.0, True)


def less(content: Content, seat: Seat) -> Content:
    """The content with one piece of `seat` fewer."""
    rest = list(content)
    rest.remove(seat)
    return tuple(rest)


def reading(content: Content, best: Content, levels: Mapping[Content, float]) -> SpaceSeen:
    """A reading with `best` at 0."""
    known = {**levels, best: 0.0}
    return SpaceSeen(content, 1 / sum(math.exp(v) for v in known.values()), False, known)


def under(hand: Hand, space: Space) -> bool:
    """Whether the hand or its arm hides the space."""
    (x, y), (sx, sy) = hand.at, hand.shoulder
    dx, dy = sx - x, sy - y
    share = max(0.0, min(1.0, ((space.x - x) * dx + (space.y - y) * dy) / (dx * dx + dy * dy or 1.0)))
    return math.hypot(space.x - x - share * dx, space.y - y - share * dy) < 24 + 0.3 * space.radius


@dataclass
class Room:
    """The service's part: it arms the dice, passes words on and announces rulings; a pretend dice box and phone."""

    bench: Bench
    dice: random.Random
    pace: random.Random
    hasty: bool = False
    now: float = 0.0
    chosen: int = 0
    words: list[tuple[float, Word]] = field(default_factory=list)
    rolls: int = 0
    refused: list[str] = field(default_factory=list)

    def armed(self) -> int:
        """How many dice the service asks for."""
        bench = self.bench
        wrong = bench.trouble is not None and bench.trouble.kind is Kind.ILLEGAL
        ready = bench.begun or bench.rolloff is not None
        count = max(throwable(bench), default=0)
        return min(count, self.chosen or count) if ready and not wrong and not bench.early else 0

    def ready(self, count: int) -> bool:
        """As players see it."""
        if self.words:
            return False
        return self._hurries() or (self.armed() == count if count else self.armed() > 0)

    def _hurries(self) -> bool:
        """Hasty players roll by hand and do not wait for the lamp, unless a roll waits already."""
        return self.hasty and self.bench.begun and self.bench.rolloff is None and not self.bench.early

    def throw(self, count: int) -> tuple[int, ...]:
        """Throw; the referee hears of it a little later. Doublets are frequent."""
        first = self.dice.randint(1, 6)
        dice = (first, *(first if self.dice.random() < 0.3 else self.dice.randint(1, 6) for _ in range(count - 1)))
        at, self.chosen = self.now + self.pace.uniform(0.0, 0.4), 0
        self.words.append((at, Rolled(at, Roll(dice))))
        return dice

    def done(self) -> None:
        """The button."""
        self._say(Confirmed(self.now + 0.02))

    def answer(self, reader: Seat, right: bool) -> None:
        """A phone; hasty players just throw where the answer was right."""
        if not (right and self.hasty and self.pace.random() < 0.5):
            self._say(Answered(self.now + 0.02, right))

    def declare(self, seat: Seat, plays: Seat) -> None:
        """A phone."""
        self._say(Declared(self.now + 0.02, seat, plays))

    def challenge(self, target: str) -> None:
        """A phone."""
        self._say(Challenged(self.now + 0.02, target))

    def choose(self, count: int) -> None:
        """A phone."""
        self.chosen = count

    def accept(self, state: Any) -> None:
        """A phone."""
        self._say(AcceptedAsPlayed(self.now + 0.02))
        self._say(PositionSet(self.now + 0.02, self.bench.game.to_json(state)))

    def again(self) -> None:
        """A phone: not in a soak, which plays one game."""
        raise AssertionError("one soak, one game")

    def _say(self, word: Word) -> None:
        self.words.append((self.now + 0.02, word))

    def due_words(self) -> Iterator[Word]:
        """What has come by now; a throw counts as what is due."""
        for at, word in list(self.words):
            if at <= self.now:
                self.words.remove((at, word))
                yield self._as_due(word) if isinstance(word, Rolled) else word

    def _as_due(self, word: Rolled) -> Word:
        due = self.bench.due
        if self.bench.rolloff is None and due.kind not in (DueKind.THROW, DueKind.CHALLENGE):
            return word
        return Thrown(word.at, due.seat, sum(word.roll.dice))

    def tell(self, word: Word) -> list[Verdict]:
        """Tell the bench; what it refuses is said to the table."""
        self.rolls += isinstance(word, (Rolled, Thrown))
        try:
            self.bench, verdicts = tell(self.bench, word)
        except BadInput as error:
            self.refused.append(f"{self.now:.1f}: {error}")
            return []
        return verdicts


@dataclass
class Result:
    """What came of one game, or several."""

    tally: Tally = field(default_factory=Tally)
    needless: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    helped: list[str] = field(default_factory=list)
    mended_wrong: list[str] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    log: list[str] = field(default_factory=list)
    tables: list[Tabletop] = field(default_factory=list)


def play(
    seed: int,
    turns: int = 15,
    errors: Errors = PERFECT,
    cheat: float = 0.3,
    whims: float = 0.3,
    result: Result | None = None,
    of: str = "parcheesi",
    step: float = STEP,
) -> Result:
    """One game. seed: decides everything but which fouls were shown too rarely in `result`, to which it is added."""
    rng = random.Random(seed)
    table = table_of(of, seed)
    game, sheet, first = table.game, table.sheet, table.game.seats[0]
    start = None if seed % 4 == 0 else midgame(game, rng)
    top = Tabletop(sheet, random.Random(seed + 1))
    hasty = seed % 3 == 2 and not game.stacks
    names = {seat: sheet.seat_label(seat) for seat in sheet.colors}
    room = Room(Bench.opening(game, names, start, first), random.Random(seed + 2), random.Random(seed + 4), hasty)
    result = result or Result()
    until = result.tally.turns + turns
    players = Players(
        game, top, room, room, rng, random.Random(seed + 5), result.tally, until, cheat, first, whims, start, hasty
    )
    result.tables.append(top)
    eyes = Eyes(top, game, errors, random.Random(seed + 3))
    between = 0.1 if seed % 2 else 0.2
    next_look = 0.0
    while not players.over and room.now < turns * 120:
        room.now += step
        players.advance(room.now)
        words: list[Word] = list(room.due_words())
        if room.now >= next_look:
            next_look += between
            words.append(Saw(room.now, eyes.look(room.now)))
        for word in words:
            for verdict in room.tell(word):
                heard(result, players, room, verdict, seed)
    result.tally.rolls += room.rolls
    result.refused += [f"{of} seed {seed}: {line}" for line in room.refused]
    if not players.over:
        result.refused.append(f"{of} seed {seed}: the game got stuck at turn {result.tally.turns}")
    return result


def midgame(game: Game[Any], rng: random.Random) -> Any:
    """Some state in the middle of a game: made up for Parcheesi, else come to by playing."""
    return made_up(game, rng) if game.name == "parcheesi" else played_to(game, rng)


def played_to(game: Game[Any], rng: random.Random) -> Any:
    """A state at which a turn begins, after a while of random play; the last one of a game that ended before."""
    state = last = game.opening(game.seats[0])
    for _ in range(rng.choice((10, 40, 90) if game.stacks else (30, 120, 300, 500))):
        kind = game.due(state).kind
        if kind is DueKind.OVER:
            break
        if kind in (DueKind.QUESTION, DueKind.ROLL, DueKind.MOVE):
            last = state
        state = _random_step(game, state, rng)
    kind = game.due(state).kind
    return state if kind in (DueKind.QUESTION, DueKind.ROLL, DueKind.MOVE) else last


def _random_step(game: Game[Any], state: Any, rng: random.Random) -> Any:
    due = game.due(state)
    match due.kind:
        case DueKind.QUESTION:
            return game.answer(state, True)
        case DueKind.DECLARATION:
            return game.declare(state, rng.choice(game.partners(state)))
        case DueKind.CHALLENGE:
            return rng.choice((game.stop(state), game.challenge(state, game.targets(state)[0])))
        case DueKind.THROW:
            return game.throw(state, due.seat, rng.randint(1, 6))
        case DueKind.ROLL:
            roll = Roll(tuple(rng.randint(1, 6) for _ in range(max(due.dice))))
            state = game.hear(state, roll)
        case DueKind.MOVE:
            state = game.begin(state)
    if game.due(state).kind is not DueKind.PLAY:
        return state
    outcomes = game.outcomes(state)
    return choose(game, outcomes, (), rng).state if outcomes else game.stop(state)


def made_up(game: Game[Any], rng: random.Random) -> Any:
    """Parcheesi with blockades, pawns near HOME and perhaps doublets behind."""
    while True:
        crowd = rng.randrange(68) if rng.random() < 0.7 else None
        pieces = {str(seat): _pawns(seat, crowd, rng) for seat in game.seats}
        data = {"game": game.name, "options": {}, "seats": list(game.seats), "pieces": pieces}
        try:
            return game.from_json({**data, "due": rng.choice(game.seats), "doublets": rng.choice((0, 0, 1, 2))})
        except StateError:
            continue


def _pawns(seat: Seat, crowd: int | None, rng: random.Random) -> list[int]:
    """Four pawns, often two and two together, or all near the track space `crowd`, or near HOME."""
    if rng.random() < 0.15:
        return sorted(rng.randint(55, 71) for _ in range(4))
    pawns = [_progress(seat, crowd, rng) for _ in range(4)]
    if rng.random() < 0.5:
        pawns[1] = pawns[0]
    return sorted(pawns)


def _progress(seat: Seat, crowd: int | None, rng: random.Random) -> int:
    if crowd is not None and rng.random() < 0.8:
        return min((crowd + rng.randint(0, 12) - 17 * seat) % 68, 64)
    return rng.choice((-1, rng.randint(0, 63), rng.randint(0, 63), 7 * rng.randint(0, 9), rng.randint(55, 71)))


def heard(result: Result, players: Players, room: Room, verdict: Verdict, seed: int) -> None:
    """Count a ruling, and let the players hear it."""
    fair = not result.tally.foul_stands
    line = f"seed {seed} {verdict.at:7.2f} {verdict.kind.value:<9}{' '.join(verdict.rules):<14} {verdict.text}"
    result.log.append(line + ("" if fair else "   [foul]"))
    result.texts[f"{verdict.kind.value}: {verdict.text}"] += 1
    if verdict.kind is Kind.UNCLEAR and fair:
        result.needless.append(line)
    mended = applied(verdict.seen, verdict.put_right) if verdict.seen is not None else verdict.position
    if verdict.kind is Kind.ILLEGAL and mended != verdict.position and not room.bench.game.stacks:
        result.mended_wrong.append(line)
    players.hear(verdict)


def applied(position: Position, moves: tuple[tuple[Seat, str, str], ...]) -> Position | None:
    """The position after a mending; None where a piece is not where it should be."""
    for seat, origin, target in moves:
        if origin and seat not in position.at(origin):
            return None
        position = position.without(seat, origin) if origin else position
        position = position.with_piece(seat, target) if target else position
    return position


def soak(
    seeds: range, turns: int, errors: Errors, cheat: float = 0.3, whims: float = 0.3, of: str = "parcheesi"
) -> Result:
    """Many games, added up."""
    total = Result()
    for seed in seeds:
        play(seed, turns, errors, cheat, whims, total, of)
    return total


def main() -> None:
    """The long soak, from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=sorted(GAMES), help="one game only")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="one seed only")
    parser.add_argument("--cheat", type=float, default=0.3)
    parser.add_argument("--whims", type=float, default=0.3)
    parser.add_argument("--noisy", action="store_true")
    parser.add_argument("--bases", action="store_true", help="all bases are doubted, in every look")
    parser.add_argument("--log", action="store_true", help="print every ruling")
    parser.add_argument("--texts", action="store_true", help="print every sentence once")
    args = parser.parse_args()
    errors = replace(NOISY if args.noisy else PERFECT, bases=args.bases)
    seeds = range(args.first, args.first + args.games) if args.seed is None else range(args.seed, args.seed + 1)
    for of in [args.of] if args.of else sorted(GAMES):
        result = soak(seeds, args.turns, errors, args.cheat, args.whims, of)
        print(f"--- {of} ---\n{report(result, args.log, args.texts)}\n", flush=True)


def report(result: Result, log: bool = False, texts: bool = False) -> str:
    """The result, as text."""
    lines = [*result.log] if log else []
    lines += [f"{n:>5}  {text}" for text, n in sorted(result.texts.items())] if texts else []
    lines += [result.tally.table(), ""]
    for title, found in (
        ("needless question", result.needless),
        ("refused word", result.refused),
        ("helped by the owner", result.helped),
        ("mended wrongly", result.mended_wrong),
    ):
        lines += [f"{title}: {one}" for one in found] or [f"{title}: none"]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
