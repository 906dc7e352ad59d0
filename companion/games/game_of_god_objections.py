"""Why a step is not legal in Game of God: every rule that it breaks, the most telling first, with facts.

Spaces are names, seats are indices. Facts by rule:

COM-2   seat (moved), due (who is to act)
COM-3   the same; or no_pawn: true, seat, space (where no piece of that seat is on top)
COM-4   (left without a move)
COM-6   winner, winners
GOD-5   nowhere: true, space (no square, or the one it came from)
        again: true, space (where the piece of this turn went already)
        whole: true, space (from where a stack was moved as one)
        bent: true, space, corner: whether it is one of the vacant corners
        over: true, space (the first piece in the way), seat (whose), own: whether the mover's;
        may_stop, of the mover's own: whether a piece may stop there, as the stack is not closed
        onto: true, space, seat (whose piece is there), pieces: how many are;
        lone: whether it could be trapped by a challenge from beside it
GOD-6   forward: true, space (from where it may move forward only) · entered: true, space
GOD-7   space (where it is frozen), seat (whose goal area that is)
GOD-9   trapped: true, space, seat (whose piece is on top) · closed: true, space
GOD-12  before_throws: true, space (of the piece challenged, or that might be)
        must: true, origin, space (on which it must be placed), throws
GOD-13  origin, space (on which it may be placed), throws
Where a play is left too early, each has unfinished: true as well, and count is 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game_of_god_board import ACTIVE, DEAD, Board
from companion.games.game_of_god_stacks import closed, height, top, under
from companion.games.game_of_god_state import CHALLENGE, MOVE, OVER, PLACE, THROW, State
from companion.model import Objection, Seat, Step


def objections(board: Board, state: State, step: Step) -> tuple[Objection, ...]:
    """The rules that `step` breaks; `step` is known not to be legal."""
    found = tuple(_of_turn(board, state, step))
    return found or tuple(_of_step(board, state, step))


def unfinished(board: Board, state: State) -> tuple[Objection, ...]:
    """The rules broken by leaving the play here, where a step is a duty."""
    duty = [_winner_places(board, state)] if state.phase == PLACE else []
    left = {"unfinished": True, "count": 0}
    return tuple(Objection(o.rule, {**o.facts, **left}) for o in (*duty, Objection("COM-4")))


def _of_turn(board: Board, state: State, step: Step) -> Iterator[Objection]:
    """The game is over, others are to act, or there is no such piece to move."""
    if state.phase == OVER:
        yield Objection("COM-6", {"winner": state.winners[0], "winners": list(state.winners)})
    elif step.seat != state.due and not _throws_too(state, step.seat):
        facts = {"seat": step.seat, "due": state.due}
        rules = ("COM-2", "COM-3") if state.phase in (MOVE, CHALLENGE) else ("COM-3", "COM-2")
        yield from (Objection(rule, facts) for rule in rules)
    yield from _of_piece(board, state, step)


def _throws_too(state: State, seat: Seat) -> bool:
    return state.phase == THROW and seat in (state.challenger, state.challenged)


def _of_piece(board: Board, state: State, step: Step) -> Iterator[Objection]:
    code = state.codes[board.index[step.origin]] if step.origin in board.index else 0
    if code and top(code) == step.seat:
        return
    if code and under(code) == step.seat:
        yield Objection("GOD-9", {"trapped": True, "space": step.origin, "seat": top(code)})
    else:
        yield Objection("COM-3", {"no_pawn": True, "seat": step.seat, "space": step.origin})


def _of_step(board: Board, state: State, step: Step) -> Iterator[Objection]:
    if state.phase == PLACE:
        yield _winner_places(board, state)
    elif state.phase == THROW:
        yield Objection("GOD-12", {"before_throws": True, "space": board.names[state.target]})
    elif state.phase == CHALLENGE:
        yield from _of_second(board, state, step)
    else:
        yield from _Move(board, state, step).objections()


def _winner_places(board: Board, state: State) -> Objection:
    """What the winner of the throws has to do, or may do, and nothing else."""
    mover, other = board.names[state.moved], board.names[state.target]
    if state.due == state.challenger:
        facts = {"must": True, "origin": mover, "space": other, "throws": list(state.throws)}
        return Objection("GOD-12", facts)
    return Objection("GOD-13", {"origin": other, "space": mover, "throws": list(state.throws)})


def _of_second(board: Board, state: State, step: Step) -> Iterator[Objection]:
    """The player on turn has moved, and moves a piece once more."""
    target = board.index.get(step.target, -1)
    near = target in board.beside[state.moved] and step.origin == board.names[state.moved]
    if near and height(state.codes[target]) == 1 and top(state.codes[target]) != step.seat:
        yield Objection("GOD-12", {"before_throws": True, "space": step.target})
    yield Objection("GOD-5", {"again": True, "space": board.names[state.moved]})


class _Move:
    """A piece of the player on turn, on top of its stack, was moved as it may not."""

    def __init__(self, board: Board, state: State, step: Step) -> None:
        self.board, self.codes, self.seat, self.step = board, state.codes, step.seat, step
        self.origin, self.target = board.index[step.origin], board.index.get(step.target, -1)

    def objections(self) -> Iterator[Objection]:
        yield from self.of_origin()
        if self.target in (-1, self.origin):
            yield Objection("GOD-5", {"nowhere": True, "space": self.step.target})
            return
        code = self.codes[self.target]
        if code and closed(code):
            yield Objection("GOD-9", {"closed": True, "space": self.step.target})
        yield from self.of_goal()
        yield from self.of_way()
        if code and top(code) != self.seat:
            facts = {"onto": True, "space": self.step.target, "seat": top(code), "pieces": height(code)}
            yield Objection("GOD-5", facts | {"lone": self.could_trap(code)})

    def of_origin(self) -> Iterator[Objection]:
        """GOD-7: it stands in an opponent's goal area."""
        goal = self.board.area[self.origin]
        if goal not in (ACTIVE, DEAD, self.seat):
            yield Objection("GOD-7", {"space": self.step.origin, "seat": goal})

    def of_goal(self) -> Iterator[Objection]:
        """GOD-6: within its own goal area, or back into it."""
        area = self.board.area
        if area[self.origin] == self.seat and not self.is_forward():
            yield Objection("GOD-6", {"forward": True, "space": self.step.origin})
        elif area[self.target] == self.seat:
            yield Objection("GOD-6", {"entered": True, "space": self.step.target})

    def is_forward(self) -> bool:
        """Whether it keeps to its column (North and South) or row, as only forward there is room."""
        same = self.seat % 2
        return self.board.at[self.origin][same] == self.board.at[self.target][same]

    def of_way(self) -> Iterator[Objection]:
        """GOD-5: not straight, or over other pieces."""
        (x, y), (u, v) = self.board.at[self.origin], self.board.at[self.target]
        if x != u and y != v:
            corner = self.board.area[self.target] == DEAD
            yield Objection("GOD-5", {"bent": True, "space": self.step.target, "corner": corner})
            return
        for square in self.between(x, y, u, v):
            code = self.codes[square]
            if code:
                own = top(code) == self.seat
                facts = {"over": True, "space": self.board.names[square], "seat": top(code), "own": own}
                yield Objection("GOD-5", facts | {"may_stop": not closed(code)} if own else facts)
                return

    def between(self, x: int, y: int, u: int, v: int) -> Iterator[int]:
        """The squares passed on a straight way from (x, y) to (u, v), the nearest first."""
        right, up = (u > x) - (u < x), (v > y) - (v < y)
        for n in range(1, max(abs(u - x), abs(v - y))):
            yield self.board.places[x + n * right, y + n * up]

    def could_trap(self, code: int) -> bool:
        """Whether the piece there is one that may be challenged from beside it (GOD-11)."""
        return height(code) == 1 and self.board.area[self.target] == ACTIVE
