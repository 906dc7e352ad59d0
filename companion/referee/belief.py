"""What the referee believes, as one value: the bench.

The belief is a set of nodes of the turn that look alike (`standing`), nearly always one. While a roll is due, the
turn before it is still open: its player may slide a piece on or take the play back. The next roll makes it final.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from companion.games.catalogue import roll_off
from companion.games.contract import Game
from companion.games.rolloff import RollOff
from companion.model import (
    AgreedToStop,
    Answered,
    Challenged,
    Confirmed,
    Content,
    Declared,
    Due,
    DueKind,
    Kind,
    Position,
    Rolled,
    Seat,
    Thrown,
    Verdict,
)
from companion.referee.evidence import Misread
from companion.referee.phrases import Names
from companion.referee.rotation import Rotation
from companion.referee.settle import Stillness
from companion.referee.turn import Candidate, Look, Node, Turn, turn_after

State = Any

Act = Rolled | Answered | Declared | Challenged | Thrown | Confirmed | AgreedToStop
"""What players say or throw that carries the game on once the play before it is done."""


class Waiting(NamedTuple):
    """A word that came before it could count. seat: whose turn it was in which it counted already, until that was taken
    back; None where that is not known yet."""

    word: Act
    seat: Seat | None = None


Asked = tuple[float, frozenset[tuple[str, Content]]]
"""Since when the board rested, and which spaces looked otherwise, and how."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """How a board that was seen still differs from what the game begins with. little: going on settles it."""

    misread: Misread
    little: bool


@dataclass(frozen=True)
class Bench:
    """All that the referee believes. A value: `tell` gives the next one.

    names: what the seats are called. pieces: how many of each seat can be seen at any time, {} where some hide others.
    standing: the nodes where play stands. turns: those of the roll in play, () before the first.
    trail: the positions accepted in this turn, the first is where it began. trouble: what is wrong now, if anything.
    begun: the board has been seen to agree with the game. misread: what looked wrong when it did. watched: somebody
    looks at the board. unlike: what differs on it before it first agreed; None where it was not seen still yet. taken:
    the players say that it is set up, though much looks otherwise; until it is seen to agree nobody is accused.
    rolloff: the throws for who begins, None once that is known.
    choosing: the throws are for who chooses the set-up; those for who begins follow. thrown_at: when it was thrown who
    begins, seconds: no play is older. before_throw: how it was before the last throw for that.
    past: where play stood before each turn, word that carried the game on, and change by hand, the oldest first.
    before_override: how it was before the last change by hand, which can be undone. told: whose play that change told,
    if it was one. dice_work: the dice speak for themselves; else the phone tells them. lost: it was said that the board
    cannot be seen; restless: only that it never holds still. stillness: what was seen since the board last moved.
    act: the last word that carried the game on. early: such words that wait until the play is done. done: somebody
    says that the play is done; the board is not still yet. ignored: a play that was taken back and still stands there,
    since that was said (`ignored_since`, seconds).
    blurred: what stands hidden in stacks may be other than is believed, so nobody is accused for it. doubted: the same,
    until the player who seems to have taken a move back moves again: moves that nobody saw would look alike.
    wondered: spaces that began to look otherwise at the last touch, though rather the board is as it was.
    leaning: those that rather do. puzzled: those that the eyes began to guess at then; where pieces do not hide each
    other, empty ones on which something rather stands. vague: the same, while nobody touches the board.
    veiled: spaces that are covered while nobody touches the board: what is covered besides, is since the last touch.
    screened: spaces that were covered when the game began, or that the players were asked to free, since then covered.
    stood: where play stands, and since when the board rested, seconds, when it was first seen as it should look then;
    infinite once the players were asked again to free those spaces, as a play may have been made there.
    unshown: those of them on which pieces stood when it began, or when it was said by hand how it stands: nobody knows
    that these ever agreed.
    asked: what the last question was about, which is not asked again while the board rests, though play goes on.
    named: since when the board rested when it was last said what is wrong, and what was said since then.
    shown_at: when the board came to rest that showed the last play, seconds: who says "done" since then, while nobody
    touches the board, rather moved nothing. None before the first. once_more: who said so already, and is believed
    who says it again. left: who won a challenge said that the piece is left where it is. rotation: who has had how many
    turns.
    """

    game: Game[Any]
    names: Names
    pieces: Mapping[Seat, int]
    standing: tuple[Node, ...] = ()
    turns: tuple[Turn, ...] = ()
    trail: tuple[Position, ...] = ()
    rolloff: RollOff | None = None
    choosing: bool = False
    thrown_at: float = -math.inf
    before_throw: Bench | None = None
    stillness: Stillness = field(default_factory=Stillness)
    trouble: Verdict | None = None
    begun: bool = False
    watched: bool = False
    unlike: Unlike | None = None
    taken: bool = False
    act: Act | None = None
    early: tuple[Waiting, ...] = ()
    done: Confirmed | None = None
    past: tuple[Bench, ...] = ()
    before_override: Bench | None = None
    told: Seat | None = None
    ignored: Position | None = None
    ignored_since: float = 0.0
    dice_work: bool = True
    lost: bool = False
    restless: bool = False
    misread: Misread = field(default_factory=dict)
    blurred: bool = False
    doubted: bool = False
    wondered: frozenset[str] = frozenset()
    puzzled: frozenset[str] = frozenset()
    leaning: frozenset[str] = frozenset()
    vague: frozenset[str] = frozenset()
    veiled: frozenset[str] = frozenset()
    screened: frozenset[str] = frozenset()
    stood: tuple[tuple[Node, ...], float] | None = None
    unshown: frozenset[str] = frozenset()
    asked: Asked | None = None
    named: tuple[float, frozenset[str]] | None = None
    shown_at: float | None = None
    once_more: Confirmed | None = None
    left: bool = False
    rotation: Rotation = field(default_factory=Rotation)

    @classmethod
    def opening(cls, game: Game[Any], names: Mapping[Seat, str], state: State | None, first: Seat) -> Bench:
        """Before the first roll: with `state` to go on from, or with the throws for who begins, `first` first.

        names: of those who play, and of the others whose places the board has.
        """
        bench = cls(game, Names(dict(names), game.nouns, game.name, game.seats), _pieces(game))
        if state is not None:
            return bench.at(state)
        opened = bench.at(game.opening(first))
        return replace(opened, rolloff=roll_off(game, first), choosing=game.chooses_setup)

    def at(self, *states: State) -> Bench:
        """The bench with the game at `states`, which look alike, no roll in play and nothing wrong."""
        standing = tuple(Node(state, (), state) for state in states)
        trail = (self.game.position(states[0]),)
        calm = replace(self, trouble=None, early=(), done=None, ignored=None, once_more=None, left=False)
        return replace(calm, standing=standing, turns=(), trail=trail)

    @property
    def node(self) -> Node:
        """Where play stands (the likeliest, where several nodes look alike)."""
        return self.standing[0]

    @property
    def turn(self) -> Turn | None:
        """The turn in play, or just played."""
        return self.turns[0] if self.turns else None

    @property
    def waiting_roll(self) -> Rolled | None:
        """The newest of the rolls that came before they could count."""
        return next((one.word for one in reversed(self.early) if isinstance(one.word, Rolled)), None)

    @property
    def position(self) -> Position:
        """What the referee takes to stand on the board when all is right."""
        return self.trail[-1]

    @property
    def state(self) -> State:
        """The state that is due: the one after the play where the play is done, else that of the play."""
        return self.node.state if self.node.after is None else self.node.after

    @property
    def due(self) -> Due:
        """What the table waits for now."""
        if self.rolloff is not None and self.rolloff.due is not None:
            return Due(DueKind.THROW, self.rolloff.due, (self.game.opening_dice,))
        return self.game.due(self.state)

    @property
    def mover(self) -> Seat:
        """Whose hand is waited for: who is due, or who plays the roll in that one's place (AGG-20, AGG-22)."""
        due = self.due
        return self.game.mover(self.state) if due.kind is DueKind.PLAY else due.seat

    @property
    def played_by(self) -> Seat:
        """Whose pieces the turn in play moves: a partner's move by the partner (AGG-20), who takes back as well."""
        return self.game.mover(self.turns[0].root)

    @property
    def challenges(self) -> tuple[tuple[str, ...], ...]:
        """The spaces that may be challenged, for each of the states that look alike in which a challenge is due."""
        afters = dict.fromkeys(node.after for node in self.standing if node.complete)
        return tuple(targets for targets in map(self.game.targets, afters) if targets)

    @property
    def challenged(self) -> frozenset[Content]:
        """Whose piece is challenged by who does not say which, as there is but one; more than one player's where that
        depends on what is hidden."""
        return frozenset(self.position.at(targets[0]) for targets in self.challenges if len(targets) == 1)

    @property
    def by_hand(self) -> bool:
        """Whether it stands so because somebody said so: accepted as played, or told where the pieces are."""
        return not self.turns and self.act is None and bool(self.past)

    @property
    def unseen(self) -> bool:
        """Whether what was played last is a move that nobody saw, from one stack to another, as somebody said, or as
        what followed tells."""
        return bool(self.turns) and bool(self.node.steps) and len(self.trail) == 1 and self.act is None

    @property
    def spoken(self) -> Act | None:
        """What was said last, an answer, say, if nothing came of it yet; dice are not said."""
        said = None if self.early or isinstance(self.act, Rolled | Thrown) or len(self.trail) > 1 else self.act
        return said if self.past else None

    @property
    def last_throw(self) -> Bench | None:
        """How it was before the last throw for who begins, or in a challenge, as long as nobody has played since."""
        if isinstance(self.act, Thrown) and self.past and len(self.trail) == 1:
            return replace(self.past[-1], past=self.past[:-1])
        return None if self.past else self.before_throw

    @property
    def undoable(self) -> Bench | None:
        """How it was before the last change by hand, or the last throw, whichever came later; None without both."""
        thrown = self.last_throw
        later = thrown is not None and _changes(thrown) == _changes(self)
        return thrown if later else self.before_override

    @property
    def open_question(self) -> Asked | None:
        """What was asked about, once somebody told something; not what was not told, which was asked for: what else it
        leaves open is asked next."""
        return None if self.trouble is not None and self.trouble.facts.get("untold") else self.asked

    @property
    def setting_up(self) -> bool:
        """Whether the board is looked at, and was not seen to agree with the game yet: nothing is judged until then."""
        return self.watched and not self.begun

    @property
    def blind(self) -> bool:
        """Whether it was said that the board is not seen at all, not only that it never holds still."""
        return self.lost and not self.restless

    @property
    def to_put_right(self) -> bool:
        """Whether players were told how to put the board right: as a foul, or as a question ("is a pawn missing?")."""
        return self.accused or (self.trouble is not None and bool(self.trouble.put_right))

    @property
    def accused(self) -> bool:
        """Whether a foul stands on the board."""
        return self.trouble is not None and self.trouble.kind is Kind.ILLEGAL

    def back_at(self, earlier: Bench) -> Bench:
        """An earlier bench; but what is seen now, and whether the dice work, nobody takes back."""
        now, works = self.stillness, self.dice_work
        watched = self.watched or (self.lost and earlier.watched)  # if not, all goes by hand: see `position_set`
        return replace(earlier, stillness=now, watched=watched, lost=self.lost, restless=self.restless, dice_work=works)

    def counting(self, seat: Seat) -> Bench:
        """The bench once a play, or a turn without one, of that seat is told."""
        return replace(self, rotation=self.rotation.played(seat))

    def may_go_on(self, node: Node) -> bool:
        """Whether the play in progress may end at that node, or go on as its player likes."""
        unfinished = bool(self.turns) and node.complete and node.after != node.state
        return unfinished and bool(self.game.legal_steps(node.state))

    @property
    def candidates(self) -> Mapping[Position, Candidate]:
        """Every position that the rules explain now: of the turn in play, and of one that may begin by itself."""
        coming = self.going_on
        if not coming:
            return self._played
        found = dict(self._played)
        for position, candidate in coming.items():
            played = found.get(position)
            if played is None:
                found[position] = candidate
            elif position not in self.trail:
                # A piece slid on looks as one moved again does, after a move of another that nobody could see.
                found[position] = replace(played, nodes=tuple(dict.fromkeys(played.nodes + candidate.nodes)))
        return found

    @property
    def coming(self) -> tuple[Turn, ...]:
        """The turns that may begin with what is seen next, where a turn needs no dice."""
        return _turns_after(self.game, self.standing)

    @property
    def going_on(self) -> Mapping[Position, Candidate]:
        """The positions to which turns that need no dice can lead from here."""
        return _coming(self.game, self.standing, self.position)

    @property
    def hidden(self) -> tuple[Node, ...]:
        """Where play may be after a move that nobody could see: a piece moved from one own stack to another."""
        return _hidden(self.coming, self.position)

    @property
    def _played(self) -> Mapping[Position, Candidate]:
        if not self.turns:
            return {self.position: Candidate(Look.THERE, self.standing)}
        if len(self.turns) == 1:
            return self.turns[0].candidates
        found: dict[Position, Candidate] = {}
        for turn in self.turns:
            for position, candidate in turn.candidates.items():
                before = found[position].nodes if position in found else ()
                found[position] = Candidate(Look.THERE, before + candidate.nodes)
        return found


def _changes(bench: Bench) -> int:
    """How many changes by hand could be undone, throws aside."""
    count = 0
    while bench.before_override is not None:  # of a game told by hand all evening they are many
        bench, count = bench.before_override, count + 1
    return count


def _turns_after(game: Game[Any], nodes: Iterable[Node]) -> tuple[Turn, ...]:
    turns = (turn_after(game, node.after) for node in nodes if node.complete)
    return tuple(dict.fromkeys(turn for turn in turns if turn is not None))


def _hidden(turns: Iterable[Turn], position: Position) -> tuple[Node, ...]:
    return tuple(n for turn in turns for n in turn.by_position.get(position, ()) if n.steps and n.complete)


@lru_cache(maxsize=16)
def _coming(game: Game[Any], standing: tuple[Node, ...], position: Position) -> Mapping[Position, Candidate]:
    """What turns that need no dice can lead to: the next one, or the one after a next that nobody could see."""
    found: dict[Position, Candidate] = {}
    coming = _turns_after(game, standing)
    for turns in (_turns_after(game, _hidden(coming, position)), coming):
        fresh: dict[Position, tuple[Node, ...]] = {}
        for turn in turns:
            for shown, nodes in turn.by_position.items():
                fresh[shown] = (*fresh.get(shown, ()), *nodes)
        found |= {p: Candidate(Look.THERE, nodes, turns=turns) for p, nodes in fresh.items() if p != position}
    return found


def _pieces(game: Game[Any]) -> dict[Seat, int]:
    """How many pieces of each seat can be seen at any time; {} where pieces hide each other."""
    return {} if game.stacks else dict(game.position(game.opening(game.seats[0])).count())


Ruled = tuple[Bench, list[Verdict]]
"""The bench after a word, and what it says to it."""
