"""Game of God: the rules COM-1 to COM-7 and GOD-1 to GOD-16 as a state machine.

A state knows the stack on every square, who is due and for what. A turn is a MOVE, a PLAY of one step, and where the
piece just moved may challenge, a CHALLENGE: declined, or one THROW each, and then perhaps a PLAY again that places
one piece on the other, a duty for the challenger and a right for the challenged player.

Whether the next player can move is found when a state is made, so that `due` is a look into a table. The squares are
in `game_of_god_board`, stacks in `game_of_god_stacks`, reasons why a step is not legal in `game_of_god_objections`,
reading and writing in `game_of_god_json`, setting up in `game_of_god_setup`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games import game_of_god_json, game_of_god_setup
from companion.games.contract import Game
from companion.games.game_of_god_board import LETTERS, NORTH, SEATS, SIZES, board
from companion.games.game_of_god_objections import objections, unfinished
from companion.games.game_of_god_rules import SENTENCES
from companion.games.game_of_god_stacks import (
    Codes,
    coded,
    counted,
    explained,
    height,
    impossible,
    lifted,
    lone,
    pieces,
    piled,
    top,
)
from companion.games.game_of_god_state import (
    CHALLENGE,
    DUES,
    KINDS,
    MOVE,
    OVER,
    PLACE,
    PLAY,
    THROW,
    State,
)
from companion.games.state_json import check_options, check_seats, is_whole, shown
from companion.model import (
    Content,
    Due,
    DueKind,
    IllegalStep,
    NotDue,
    Nouns,
    Objection,
    OptionError,
    Outcome,
    Position,
    Roll,
    Seat,
    StateError,
    Step,
)


class GameOfGod(Game[State]):
    """Game of God for North and South (0, 2) or all four. Options: `size` 6 to 12, `pairs` a player."""

    name = "game-of-god"
    title = "Game of God"
    nouns = Nouns(piece="piece", base="goal area", home="goal area", lane="row", space="square")
    sentences = SENTENCES
    stacks = True

    def __init__(self, seats: Sequence[Seat] = (0, 2), options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(seats, SEATS, 2)
        if set(self.seats) not in ({0, 2}, set(SEATS)):
            taken = ", ".join(LETTERS[seat] for seat in self.seats)
            raise OptionError(f"seats {taken}: Game of God is for N and S, or for all of N, E, S and W")
        self.options = check_options({} if options is None else options, ("size", "pairs"), self.name)
        four = len(self.seats) == 4
        size = self._option("size", 8, SIZES)
        edge = size - 2 if four else size
        self.pairs = self._option("pairs", edge - 1, range(1, edge + 1))
        self.board = board(size, four)
        order = sorted(self.seats)
        self._next = dict(zip(order, order[1:] + order[:1], strict=True))
        self._shown = tuple(tuple((name, (seat,)) for seat in SEATS) for name in self.board.names)

    @property
    def all_options(self) -> Mapping[str, Any]:
        """The options, the usual ones spelt out."""
        return {"size": self.board.size, "pairs": self.pairs}

    def _option(self, key: str, usual: int, allowed: range) -> int:
        value = self.options.get(key, usual)
        if not is_whole(value) or value not in allowed:
            raise OptionError(f"{key} {shown(value)}: here it is {allowed[0]} to {allowed[-1]}, usually {usual}")
        return int(value)

    def opening(self, first: Seat) -> State:
        """A set-up of GOD-1 to GOD-3 whose vacant squares are the last of each edge, `first` to move."""
        self._check_seat(first)
        return self.turn_of(first, game_of_god_setup.usual(self.board, self.pairs))

    @property
    def vacant(self) -> int:
        """GOD-1 to GOD-3: the squares of a goal area on which no pair begins."""
        return len(self.board.goals[NORTH]) - self.pairs

    @property
    def setup_rule(self) -> str:
        """The rule by which this game is set up."""
        return game_of_god_setup.rule(self.board, self.pairs)

    def set_up(self, position: Position, first: Seat) -> State:
        """The start with the pairs whose tops stand on `position`. Raises StateError naming the rule."""
        self._check_seat(first)
        return self.turn_of(first, game_of_god_setup.read(self.board, self.pairs, position))

    def likely_set_ups(self, fits: Callable[[str, Content], float], first: Seat) -> tuple[State, ...]:
        """The two starts that fit best, the best first; where no square stays vacant there is but one."""
        self._check_seat(first)
        return tuple(self.turn_of(first, one) for one in game_of_god_setup.likely(self.board, self.pairs, fits))

    def next_seat(self, seat: Seat) -> Seat:
        """Clockwise: N, E, S, W (GOD-4)."""
        self._check_seat(seat)
        return self._next[seat]

    def turn_of(self, seat: Seat, codes: Codes) -> State:
        """The state at the beginning of a turn of `seat`: the game is over if it cannot move (GOD-15)."""
        if self._can_move(codes, seat):
            return State(seat, MOVE, codes)
        return self.stopped(seat, codes)

    def _can_move(self, codes: Codes, seat: Seat) -> bool:
        """Whether a piece can go to a square next to it; a piece that cannot, can go nowhere."""
        own = seat * 5
        for code, near in zip(codes, self.board.strides[seat], strict=True):
            if code and code & 3 == seat:
                for square in near:
                    there = codes[square]
                    if not there or there & 15 == own:
                        return True
        return False

    def stopped(self, due: Seat, codes: Codes) -> State:
        """The end by stalemate or agreement: most pieces in opponents' goal areas (GOD-15, GOD-16)."""
        brought = {seat: self.brought(codes, seat) for seat in sorted(self.seats)}
        most = max(brought.values())
        return State(due, OVER, codes, winners=tuple(s for s, n in brought.items() if n == most))

    def ending(self, state: State) -> Objection | None:
        """GOD-15: who is due cannot move."""
        won = state.phase == OVER and self.brought(state.codes, state.winners[0]) == 2 * self.pairs
        if state.phase != OVER or won or self._can_move(state.codes, state.due):
            return None
        return Objection("GOD-15", {"seat": state.due})

    def brought(self, codes: Codes, seat: Seat) -> int:
        """How many pieces of `seat` are in opponents' goal areas."""
        there = (codes[square] for square in self.board.away[seat])
        return sum(height(code) for code in there if code and top(code) == seat)

    def home(self, state: State, seat: Seat) -> int:
        """How many pieces of `seat` are in opponents' goal areas (GOD-14)."""
        return self.brought(state.codes, seat)

    def due(self, state: State) -> Due:
        """A move, its play, a challenge, a throw of one die, or nothing more."""
        return DUES[state.phase][state.winners[0] if state.winners else state.due]

    def hear(self, state: State, roll: Roll) -> State:
        """Refused: nothing is rolled. Raises NotDue."""
        raise NotDue(f"roll {roll.dice}: {self.title} has no rolls, only one die each to throw in a challenge")

    def begin(self, state: State) -> State:
        """The play of the turn that is due. Raises NotDue."""
        if state.phase != MOVE:
            raise NotDue("no turn begins now", KINDS[state.phase])
        return state._replace(phase=PLAY)

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """Every move of the player on turn, begun or about to begin; the placing of a challenge that was won."""
        if state.phase <= PLAY:
            return self._moves(state.codes, state.due)
        return (self._placing(state),) if state.phase == PLACE else ()

    def _moves(self, codes: Codes, seat: Seat) -> tuple[Step, ...]:
        own, found = seat * 5, []
        for code, rays in zip(codes, self.board.rays[seat], strict=True):
            if code and code & 3 == seat:
                for ray in rays:
                    for square, step in ray:
                        there = codes[square]
                        if not there:
                            found.append(step)
                            continue
                        if there & 15 == own:
                            found.append(step)
                        break
        return tuple(found)

    def _placing(self, state: State) -> Step:
        """GOD-12 and GOD-13: the winner's piece goes on the other's."""
        names = self.board.names
        way = (state.moved, state.target) if state.due == state.challenger else (state.target, state.moved)
        return Step(state.due, names[way[0]], names[way[1]])

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step. Raises IllegalStep."""
        if not self._is_legal(state, step):
            raise IllegalStep(f"seat {step.seat} {step.origin} > {step.target} is not legal now: objections() says why")
        index, seat = self.board.index, step.seat
        origin, target = index[step.origin], index[step.target]
        codes = moved(state.codes, origin, target)
        if state.phase == PLACE:
            return self.turn_of(self._after_placing(state), codes)
        if self.board.area[target] >= 0:
            return self._arrived(codes, seat)
        if self._challenged(codes, seat, target):
            return State(seat, CHALLENGE, codes, target)
        return self.turn_of(self._next[seat], codes)

    def _is_legal(self, state: State, step: Step) -> bool:
        if step.seat != state.due:
            return False
        if state.phase == PLACE:
            placing = self._placing(state)
            return step.origin == placing.origin and step.target == placing.target
        return state.phase <= PLAY and self._reaches(state.codes, step)

    def _reaches(self, codes: Codes, step: Step) -> bool:
        index = self.board.index
        origin, target = index.get(step.origin, -1), index.get(step.target, -1)
        if origin < 0 or not codes[origin] or codes[origin] & 3 != step.seat:
            return False
        path = self.board.paths[step.seat][origin].get(target)
        if path is None or any([codes[square] for square in path]):
            return False
        return not codes[target] or codes[target] & 15 == step.seat * 5

    def _arrived(self, codes: Codes, seat: Seat) -> State:
        """A piece came into an opponent's goal area: it may have been the last (GOD-14)."""
        if self.brought(codes, seat) == 2 * self.pairs:
            return State(self._next[seat], OVER, codes, winners=(seat,))
        return self.turn_of(self._next[seat], codes)

    def _challenged(self, codes: Codes, seat: Seat, square: int) -> list[int]:
        """GOD-11: the squares of the pieces that the piece of `seat` just moved to `square` may challenge."""
        return [q for q in self.board.beside[square] if codes[q] >> 4 == 1 and codes[q] & 3 != seat]

    def _after_placing(self, state: State) -> Seat:
        """Who moves next: the challenged player who won (GOD-13), else the next after the challenger."""
        return self._next[state.due] if state.due == state.challenger else state.due

    def may_stop(self, state: State) -> bool:
        """Whether what is due may be declined: a challenge, or the placing of the challenged player."""
        if state.phase == PLACE:
            return state.due != state.challenger
        return state.phase == CHALLENGE

    def stop(self, state: State) -> State:
        """The challenge is not made, or the challenger's piece is not trapped. Raises IllegalStep."""
        if not self.may_stop(state):
            raise IllegalStep(f"seat {state.due} cannot decline here", KINDS[state.phase])
        return self.turn_of(state.due if state.phase == PLACE else self._next[state.due], state.codes)

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """Why the play cannot be left here; empty where it can, or no play is due."""
        due = state.phase == PLAY or (state.phase == PLACE and not self.may_stop(state))
        return unfinished(self.board, state) if due else ()

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `game_of_god_objections`."""
        return () if self._is_legal(state, step) else objections(self.board, state, step)

    def carried(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that is broken where the pieces of a stack are all moved so at once; () where it is no stack."""
        code = state.codes[self.board.index[step.origin]]
        if not code or height(code) == 1 or top(code) != step.seat:
            return ()
        return *self.objections(state, step), Objection("GOD-5", {"whole": True, "space": step.origin})

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Each legal step, and declining the placing where that is allowed, with the state it leads to."""
        if KINDS[state.phase] not in (DueKind.PLAY, DueKind.MOVE):
            raise NotDue("nothing is to be played", KINDS[state.phase])
        steps = tuple(Outcome(self.take(state, step), (step,)) for step in self.legal_steps(state))
        return (*steps, Outcome(self.stop(state), ())) if self.may_stop(state) else steps

    def targets(self, state: State) -> tuple[str, ...]:
        """The squares whose piece may be challenged (GOD-11)."""
        if state.phase != CHALLENGE:
            return ()
        return tuple(self.board.names[q] for q in self._challenged(state.codes, state.due, state.moved))

    def challenge(self, state: State, target: str) -> State:
        """The challenger's throw is due. "" names the piece where only one can be meant. Raises NotDue, OptionError."""
        if state.phase != CHALLENGE:
            raise NotDue("no challenge can be made now", KINDS[state.phase])
        targets = self.targets(state)
        chosen = targets[0] if target == "" and len(targets) == 1 else target
        if chosen not in targets:
            raise OptionError(f"challenge of {shown(target)}: by GOD-11 it can be {' or '.join(targets)}")
        return state._replace(phase=THROW, target=self.board.index[chosen])

    def throw(self, state: State, seat: Seat, value: int) -> State:
        """After a throw of the challenger, then one of the challenged player. Raises NotDue, OptionError."""
        if state.phase != THROW or seat != state.due:
            raise NotDue(f"throw of seat {seat}", f"{KINDS[state.phase]} of seat {state.due}")
        if not is_whole(value) or not 1 <= value <= 6:
            raise OptionError(f"throw {shown(value)}: one die shows 1 to 6")
        throws = (*state.throws, value)
        if len(throws) == 1:
            return state._replace(due=state.challenged, throws=throws)
        if throws[0] == throws[1]:
            return self.turn_of(self._next[state.challenger], state.codes)
        winner = state.challenger if throws[0] > throws[1] else state.challenged
        return state._replace(due=winner, phase=PLACE, throws=throws)

    def agree_to_stop(self, state: State) -> State:
        """The end where the players agree on it before a move or a challenge (GOD-16). Raises NotDue."""
        if state.phase > CHALLENGE:
            raise NotDue(f"the players cannot agree to stop now: first {KINDS[state.phase]} of seat {state.due}")
        due = self._next[state.due] if state.phase == CHALLENGE else state.due
        return self.stopped(due, state.codes)

    def position(self, state: State) -> Position:
        """The top piece of each stack."""
        return self._tops(state.codes)

    def _tops(self, codes: Sequence[int]) -> Position:
        return Position(tuple([here[c & 3] for c, here in zip(codes, self._shown, strict=True) if c]))

    def everything(self, state: State) -> Position:
        """The stacks from bottom to top."""
        names = self.board.names
        return Position(tuple((names[q], pieces(code)) for q, code in enumerate(state.codes) if code))

    def disturbed(self, state: State, step: Step) -> Position:
        """The tops after one piece was moved so; "" is beside the board. Raises KeyError where it is not on top."""
        codes, index = list(state.codes), self.board.index
        if step.origin:
            origin = index[step.origin]
            if not codes[origin] or codes[origin] & 3 != step.seat:
                raise KeyError(f"no piece of seat {step.seat} is on top at {step.origin}")
            codes[origin] = lifted(codes[origin])
        if step.target:
            codes[index[step.target]] = lone(step.seat)
        return self._tops(codes)

    def winners(self, state: State) -> tuple[Seat, ...]:
        """The winner of GOD-14, or those who lead at a stalemate (GOD-15); several share it."""
        return state.winners

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it, with what else is pending in fields of its own."""
        return game_of_god_json.to_json(self, state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes. Raises StateError naming what cannot be."""
        return game_of_god_json.from_json(self, data)

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The turn of `due`, with the stacks that show `position`: tops, or stacks with all pieces. Raises StateError.

        Of tops, what they hide is as in `like` where that fits (see `game_of_god_stacks.explained`).
        """
        self._check_seat(due)
        for name, content in position.items():
            if name not in self.board.index or not set(content) <= set(self.seats):
                raise StateError(f"{name} {shown(content)}: there is no such square, or no such player")
        index, count = self.board.index, position.count()
        whole = all(count[seat] == 2 * self.pairs for seat in self.seats)
        if whole or any(len(content) > 1 for content in position.values()):
            codes = [0] * len(index)
            for name, content in position.items():
                codes[index[name]] = coded(content, name)
            return self.standing(due, tuple(codes))
        tops = {index[name]: content[-1] for name, content in position.items()}
        return self.standing(due, explained(self.board, tops, like and like.codes, 2 * self.pairs))

    def standing(self, due: Seat, codes: Codes) -> State:
        """The turn of `due`, or the end that has come already. Raises StateError for stacks that cannot be."""
        self.check(codes)
        for seat in self.seats:
            if self.brought(codes, seat) == 2 * self.pairs:
                return State(due, OVER, codes, winners=(seat,))
        return self.turn_of(due, codes)

    def check(self, codes: Codes) -> None:
        """Raises StateError for stacks that cannot be, naming one."""
        for square, code in enumerate(codes):
            reason = impossible(self.board, square, code) if code else ""
            if reason:
                raise StateError(f"{self.board.names[square]} {game_of_god_json.written(code)}: {reason}")
        count = counted(codes)
        for seat in self.seats:
            if count[seat] != 2 * self.pairs:
                raise StateError(f"{LETTERS[seat]} has {count[seat]} pieces: it must have {2 * self.pairs}")
        done = [LETTERS[seat] for seat in self.seats if self.brought(codes, seat) == 2 * self.pairs]
        if len(done) > 1:
            raise StateError(f"{' and '.join(done)} have all pieces in opponents' goal areas: only the first can win")

    def rolls(self, state: State) -> tuple[Roll, ...]:
        """Refused: nothing is rolled. Raises NotDue."""
        raise NotDue(f"{self.title} has no rolls", KINDS[state.phase])

    def left(self, state: State) -> tuple[int, ...]:
        """Nothing: no numbers are played."""
        return ()

    def capture_rule(self, step: Step) -> str:
        """GOD-12, by which a piece is trapped."""
        return "GOD-12"

    def spaces(self) -> tuple[str, ...]:
        """All squares, the corners too."""
        return self.board.names

    def _check_seat(self, seat: Seat) -> None:
        if seat not in self.seats:
            raise OptionError(f"seat {seat!r}: nobody sits there. Choose one of {list(self.seats)}")


def moved(codes: Codes, origin: int, target: int) -> Codes:
    """The stacks after the top piece of `origin` went onto `target`."""
    after = list(codes)
    code = codes[origin]
    after[origin] = lifted(code)
    after[target] = piled(codes[target], code & 3)
    return tuple(after)
