"""When a game begins: the board agrees with it, the players say that it is set up, or they go on and little differs."""

from __future__ import annotations

from dataclasses import replace

from companion.model import AgreedToStop, Position, StateError
from companion.referee.belief import Act, Bench, Unlike
from companion.referee.evidence import SURELY
from companion.referee.explain import put_right
from companion.referee.playing import begin
from companion.referee.settle import Settled

SET_UP = -9.0
"""A board that fits this well (log-likelihood) is set up: one space in doubt keeps nobody from playing."""
HOLD_UNLIKE = 0.8
"""Seconds that a board must hold still to be known as not set up."""
MOST_MISREAD = 2
"""So many pieces too many or too few are rather misread than there, where the players go on all the same."""


def fits(bench: Bench, settled: Settled) -> bool:
    """Whether what is seen of the board is what the game begins with."""
    return settled.evidence.score(bench.position) > SET_UP


def agrees(bench: Bench, settled: Settled) -> bool:
    """Whether the board shows what the game begins with: what lies over spaces on which pieces should stand may hide
    that they do not."""
    return fits(bench, settled) and settled.evidence.covered.isdisjoint(bench.position)


def never_agreed(bench: Bench, settled: Settled) -> bool:
    """Whether a space that comes free was covered since before the game began, and surely looks otherwise than it
    should have then."""
    free, wanted = bench.unshown - settled.evidence.covered, bench.position
    return any(settled.evidence.of(name, wanted.at(name)) <= -SURELY for name in free)


def is_plain(bench: Bench, settled: Settled) -> bool:
    """Whether the board fits, and no space surely looks otherwise."""
    return fits(bench, settled) and surely_seen(bench, settled) == bench.position


def chooses(bench: Bench) -> bool:
    """Whether the players choose how to set up: the game is to begin, and nobody said by hand how it stands."""
    if not bench.game.chooses_setup or bench.before_override is not None:
        return False
    try:
        return bool(bench.game.set_up(bench.position, bench.due.seat) == bench.state)
    except StateError:
        return False


def as_seen(bench: Bench, settled: Settled) -> tuple[Bench, Position, float]:
    """The bench with the set-up that fits the board best, the next best one, and by how many nats that fits worse."""
    evidence, game = settled.evidence, bench.game
    best, next_ = game.likely_set_ups(evidence.of, bench.due.seat)
    likely, other = bench.at(best), game.position(next_)
    likely = replace(likely, trouble=bench.trouble, early=bench.early, unlike=_unlike(likely, settled))
    return likely, other, evidence.score(likely.position) - evidence.score(other)


def surely_seen(bench: Bench, settled: Settled) -> Position:
    """The board as the game begins, but for the spaces that surely look otherwise."""
    evidence, wanted = settled.evidence, bench.position
    misread = evidence.misread_of(wanted)
    sure = {name: seen for name, (seen, true) in misread.items() if evidence.of(name, true) <= -SURELY}
    return Position.of({**wanted, **sure})


def compared(bench: Bench, settled: Settled) -> Bench:
    """The bench with what differs on a board that does not agree yet."""
    if settled.held < HOLD_UNLIKE:
        return bench
    unlike = _unlike(bench, settled)
    return bench if unlike == bench.unlike else replace(bench, unlike=unlike)


def _unlike(bench: Bench, settled: Settled) -> Unlike:
    return Unlike(settled.evidence.misread_of(bench.position), _little(bench, settled))


def _little(bench: Bench, settled: Settled) -> bool:
    """Whether only doubtful spaces differ, or a piece or two more or less; not where a piece stands elsewhere."""
    moves = put_right(surely_seen(bench, settled), bench.position)
    return len(moves) <= MOST_MISREAD and all("" in (origin, target) for _, origin, target in moves)


def begun_by_word(bench: Bench, word: Act | None = None) -> Bench:
    """The players go on: that settles a little difference. What was never seen still is not known to agree by it."""
    if bench.begun or bench.unlike is None or not bench.unlike.little or isinstance(word, AgreedToStop):
        return bench
    return replace(begin(bench), misread=bench.unlike.misread)


def waits_for_board(bench: Bench, word: Act | None = None) -> bool:
    """Whether a word has to wait until the board is set up: it was seen, and much is otherwise."""
    return not bench.begun and bench.unlike is not None and not isinstance(word, AgreedToStop)
