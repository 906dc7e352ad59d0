"""A game on trial: played at random, and every promise of its contract looked at on the way."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import comb
from random import Random
from typing import Any

from companion.games.catalogue import game_from_json
from companion.games.contract import Game
from companion.model import FAILURES, CompanionError, Due, DueKind, Objection, Position, Step, raised
from companion.page.asks import MOST_DICE
from companion.referee.phrases import Names
from companion.referee.wording import BOOKS, COMMON, objection_sentence
from companion.service.addons.breaches import Breaches, Spoilt, shortened
from companion.service.addons.kinds import STATES, amiss

LONGEST_GAME = 20_000
"""States after which a game that is played at random ought to be over: the longest of the five games takes 4,000."""
LOOKED_AT_FIRST, THEN_EVERY = 30, 5
"""Of one game every state at its beginning, and then one in so many."""
MANY_NODES = 400
"""A turn of more nodes than this is not walked to all its ends."""
STRAYS = 14
"""Steps that are tried in a state, most of them against the rules."""
NAMED = 3
ENDLESS = "endless"
TURNS = (DueKind.ROLL, DueKind.QUESTION, DueKind.DECLARATION, DueKind.MOVE)
"""With what a turn begins."""
STATED = {"due", "pieces"}
"""What most games' STATE says, and is looked at in those that say it."""
STATELESS = ("opening", "capture_rule")
"""Questions whose first argument is no state."""
State = Any


@dataclass
class Trial:
    """One game that is played. names: for the sentences of its objections. renew: called before each question."""

    game: Game[Any]
    names: Names
    rng: Random
    breaches: Breaches
    renew: Callable[[], None] = lambda: None
    countable: int | None = None
    """How many pieces of one seat on one space the eyes count; None where there is no board to say so."""
    asked: tuple[str, State] = ("", None)
    """The question that was asked last, and of which state."""
    gave: dict[type, str] = field(default_factory=dict)
    """Kind of state → the method that gave the first of that kind."""

    def ask(self, method: str, *arguments: Any) -> Any:
        """What the game answers. Raises Spoilt where it raises anything, or answers in another kind than the contract
        says, which is noted."""
        self.renew()
        if method == "everything" and type(self.game).everything is Game.everything:
            method = "position"  # which the game wrote itself, and is to be named
        state = None if method in STATELESS or not arguments else arguments[0]
        given = arguments[state is not None :]
        called = f"{method}({', '.join(['state'] * (state is not None) + [shortened(a) for a in given])})"
        self.asked = called, state
        try:
            answer = getattr(self.game, method)(*arguments)
        except FAILURES as error:
            text = f"{called} raises {raised(error)}{self._another_kind(state)}"
            self.breaches.note(f"{method} {type(error).__name__}", text, state)
            raise Spoilt from error
        if why := amiss(method, answer):
            self.breaches.note(f"{method} kind", f"{called} gives {why}", state)
            raise Spoilt
        if method in STATES:
            self.gave.setdefault(type(answer), method)
        return answer

    def _another_kind(self, state: State) -> str:
        """Who gave a state that is not of the kind of the first one: it may be that one's fault."""
        if state is None or type(state) not in self.gave or type(state) is next(iter(self.gave)):
            return ""
        first, here = next(iter(self.gave)).__name__, type(state)
        return f"; {self.gave[here]}() gave that state, of the type {here.__name__}, and opening() one of {first}"

    def refuses(self, method: str, state: State, *arguments: Any) -> None:
        """It is noted where the game does not refuse that in the way of the contract, or not at all."""
        called = f"{method}(state{''.join(f', {argument!r}' for argument in arguments)})"
        try:
            getattr(self.game, method)(state, *arguments)
        except CompanionError:
            return
        except FAILURES as error:
            text = f"{called} must be refused with IllegalStep, and raises {raised(error)}"
            self.breaches.note(f"{method} refuses", text, state)
        else:
            self.breaches.note(f"{method} takes", f"{called} is against the rules, and is not refused", state)

    def note(self, kind: str, text: str, state: State = None) -> None:
        """A promise that is not kept."""
        self.breaches.note(kind, text, state)

    def play(self) -> int:
        """Play one game to its end, or as far as it goes; returns how many states it took."""
        number = 0
        try:
            for seat in self.game.seats:
                self._opened(self.ask("opening", seat), seat)
            state = self.ask("opening", self.rng.choice(self.game.seats))
            pieces = self.ask("everything", state).count()
            for number in range(LONGEST_GAME):
                if number < LOOKED_AT_FIRST or number % THEN_EVERY == 0:
                    self._look(state, pieces)
                due = self.ask("due", state)
                if due.kind is DueKind.OVER:
                    self._over(state, pieces)
                    break
                state = self._go_on(state, due)
            else:
                self.note(ENDLESS, f"the game is not over after {LONGEST_GAME} states of random play", state)
        except Spoilt:
            pass
        except FAILURES as error:  # what it answered is of another kind than the contract says
            called, state = self.asked
            self.note("odd", f"an answer of the game cannot be used, it seems that of {called}: {raised(error)}", state)
        return number

    def _opened(self, state: State, first: int) -> None:
        """Who threw highest begins."""
        due = self.ask("due", state)
        if due.seat != first:
            self.note("opening seat", f"after opening({first}) seat {due.seat} is due", state)
        if due.kind not in TURNS:
            self.note("opening due", f"after opening({first}) a {due.kind.value} is due, amid a turn", state)

    def _look(self, state: State, pieces: Any) -> None:
        try:
            hash(state)
        except TypeError as error:
            self.note("hash", f"a state must be hashable, of tuples and numbers: {error}", state)
            raise Spoilt from error
        with contextlib.suppress(Spoilt):
            self._pieces(state, pieces)
        for looked_at in (self._state, self._saved, self._accepted, self._steps, self._strays, self._ends):
            with contextlib.suppress(Spoilt):
                looked_at(state)

    def _over(self, state: State, pieces: Any) -> None:
        self._look(state, pieces)
        if not self.ask("winners", state):
            self.note("no winner", "due() says that the game is over, and winners() names nobody", state)

    def _go_on(self, state: State, due: Due) -> State:
        """What may come next, by chance."""
        ask, rng = self.ask, self.rng
        match due.kind:
            case DueKind.ROLL:
                return ask("hear", state, self._one_of("rolls", state))
            case DueKind.QUESTION:
                return ask("answer", state, rng.random() < 0.8)
            case DueKind.DECLARATION:
                return ask("declare", state, self._one_of("partners", state))
            case DueKind.MOVE:
                return ask("begin", state)
            case DueKind.THROW:
                return ask("throw", state, due.seat, rng.randint(1, 6))
            case DueKind.CHALLENGE:
                target = self._one_of("targets", state)
                return ask("challenge", state, target) if rng.random() < 0.5 else ask("stop", state)
            case _:
                return self._play_on(state)

    def _play_on(self, state: State) -> State:
        steps, may = self.ask("legal_steps", state), self.ask("may_stop", state)
        if not steps and not may:
            self.note("stuck", "there is no legal step, and may_stop() is false: the game is stuck", state)
            raise Spoilt
        leaves = not steps or (may and self.rng.random() < 0.2)
        return self.ask("stop", state) if leaves else self.ask("take", state, self.rng.choice(steps))

    def _one_of(self, method: str, state: State) -> Any:
        """One of the answers that the game offers; that it offers none is noted."""
        offered = self.ask(method, state)
        if not offered:
            kind = self.ask("due", state).kind.value
            self.note(f"{method} none", f"a {kind} is due, and {method}() offers nothing: the game is stuck", state)
            raise Spoilt
        return self.rng.choice(list(offered))

    # --- what holds in every state ---

    def _state(self, state: State) -> None:
        """What is due is due from somebody who plays."""
        due, seats = self.ask("due", state), self.game.seats
        if due.seat not in seats:
            self.note("due seat", f"due() names seat {due.seat}, and nobody sits there: {list(seats)} play", state)
        if due.kind is DueKind.ROLL and not due.dice:
            self.note("due dice", "a roll is due, and due() does not say of how many dice", state)
        winners = self.ask("winners", state)
        if winners and due.kind is not DueKind.OVER:
            self.note("over", f"winners() names {list(winners)}, and due() says {due.kind.value}, not over", state)
        if strangers := [seat for seat in winners if seat not in seats]:
            self.note("winner seat", f"winners() names seat {strangers[0]}, and nobody sits there", state)
        if due.kind is DueKind.PLAY and (mover := self.ask("mover", state)) not in seats:
            self.note("mover seat", f"mover() names seat {mover}, and nobody sits there", state)
        if due.kind is DueKind.QUESTION and (reader := self.ask("reader", state)) not in seats:
            self.note("reader seat", f"reader() names seat {reader}, and nobody sits there", state)
        if due.kind is DueKind.ROLL:
            self._rolls(state, due)
        self.ask("left", state)
        pieces = self.ask("everything", state).count()
        for seat in seats:
            if not 0 <= (home := self.ask("home", state, seat)) <= pieces[seat]:
                self.note("home", f"home(state, {seat}) is {home}, and seat {seat} has {pieces[seat]} pieces", state)

    def _rolls(self, state: State, due: Due) -> None:
        """Of each number of dice that may be thrown every combination of faces is a roll, once, and nothing else."""
        rolls = [tuple(sorted(roll.dice)) for roll in self.ask("rolls", state)]
        if (most := max(due.dice, default=0)) > MOST_DICE:
            self.note("rolls many", f"due() asks for {most} dice, and a phone can tell {MOST_DICE} at most", state)
        for count in due.dice:
            found, wanted = {dice for dice in rolls if len(dice) == count}, comb(count + 5, count)
            if len(found) != wanted:
                text = f"due() asks for {count} dice, which can fall in {wanted} ways, and rolls() has {len(found)}"
                self.note("rolls", text, state)
        if strange := [dice for dice in rolls if len(dice) not in due.dice]:
            asked = " or ".join(map(str, due.dice))
            self.note("rolls count", f"due() asks for {asked} dice, and rolls() has {list(strange[0])}", state)
        if len(set(rolls)) != len(rolls):
            self.note("rolls twice", "rolls() has a combination of faces twice", state)

    def _pieces(self, state: State, pieces: Any) -> None:
        """No piece is lost or made, and each stands on a space that there is."""
        position, everything = self.ask("position", state), self.ask("everything", state)
        for seat in sorted({*pieces, *everything.count()}):
            if (now := everything.count()[seat]) != pieces[seat]:
                began = f"seat {seat} has {now} pieces on the board, and began with {pieces[seat]}"
                self.note("pieces", f"{began}; one that is taken for good goes to an area of the taker's", state)
        spaces = set(self.ask("spaces"))
        if unknown := sorted({*position, *everything} - spaces):
            self.note("unknown space", f"position() has a piece on {unknown[0]!r}, which spaces() does not name", state)
        for name, content in position.items():
            for seat in set(content):
                if self.countable is not None and content.count(seat) > self.countable:
                    self._too_many(content.count(seat), name, seat, state)
        if not self.game.stacks and position != Position.of(dict(position)):
            self.note("unsorted", "position() must be sorted: make it with Position.of(…)", state)

    def _too_many(self, count: int, space: str, seat: int, state: State) -> None:
        text = f"{space} holds {count} pieces of seat {seat}, and {self.countable} on one space can be counted"
        self.note(f"too many on {space}", f"{text}: let others go to another area, or to spaces of their own", state)

    def _saved(self, state: State) -> None:
        """STATE gives the same state again; asked where a game may be saved."""
        if self.ask("due", state).kind not in TURNS:
            return
        data = self.ask("to_json", state)
        try:
            again = json.loads(json.dumps(data))
            game, same = game_from_json(again), self.ask("from_json", again)
        except (TypeError, ValueError, CompanionError) as error:
            self.note("to_json", f"what to_json() gives cannot be read again: {raised(error)}", state)
            return
        if same != state:
            self.note("from_json", f"from_json(to_json(state)) is another state: {same!r}", state)
        if (game.seats, dict(game.options)) != (self.game.seats, dict(self.game.options)):
            told = f"{list(game.seats)} with {dict(game.options)}"
            self.note("to_json game", f"what to_json() gives is of a game with other seats or options: {told}", state)
        self._refused(again, state)

    def _refused(self, data: dict[str, Any], state: State) -> None:
        """STATE that somebody wrote is refused in a sentence, whatever is wrong with it."""
        wrong = {f"without {key}": {name: value for name, value in data.items() if name != key} for key in STATED}
        wrong |= {f"with {key} {value!r}": {**data, key: value} for key, value in (("due", 99), ("pieces", 5))}
        for what, told in wrong.items():
            try:
                self.game.from_json(told)
            except CompanionError:
                continue
            except FAILURES as error:
                text = f"from_json() of a STATE {what} must raise StateError, and raises {raised(error)}"
            else:
                text = f"from_json() takes a STATE {what}"
            if data.keys() >= STATED:
                self.note(f"from_json {what}", text, state)

    def _accepted(self, state: State) -> None:
        """A position that is accepted as played, or set by hand, is the one that was meant."""
        due = self.ask("due", state)
        if due.kind not in TURNS:
            return
        shown = self.ask("position", state)
        try:
            accepted = self.game.with_position(shown, due.seat, state)
        except FAILURES as error:
            text = f"with_position() of a position that came up in play raises {raised(error)}"
            self.note("with_position raises", text, state)
            return
        if why := amiss("with_position", accepted):
            self.note("with_position kind", f"with_position() of a position that came up in play gives {why}", state)
        elif (there := self.ask("position", accepted)) != shown:
            text = f"with_position() shows another position than it was given, on {', '.join(there.changed(shown))}"
            self.note("with_position", text, state)
        elif (now := self.ask("due", accepted)).seat != due.seat and now.kind is not DueKind.OVER:
            self.note("with_position due", f"after with_position(…, {due.seat}) seat {now.seat} is due", state)

    # --- what holds of steps ---

    def _steps(self, state: State) -> None:
        """What is legal is listed once, has no objections, is taken, and does what it says."""
        steps = self.ask("legal_steps", state)
        kind = self.ask("due", state).kind
        if steps and kind not in (DueKind.PLAY, DueKind.MOVE):
            self.note("steps undue", f"legal_steps() lists {_way(steps[0])}, and no play is due", state)
            return
        listed = [(step.seat, step.origin, step.target, step.by) for step in steps]
        for step in (step for number, step in enumerate(steps) if listed[number] in listed[:number]):
            self.note("twice", f"legal_steps() lists {_way(step)} twice", state)
        for step in steps:
            found = self.ask("objections", state, step)
            if found:
                text = f"legal_steps() lists {_way(step)}, and objections() forbids it by {found[0].rule}"
                self.note("legal forbidden", text, state)
            if kind is DueKind.PLAY:
                self._taken(state, step)
        if kind is DueKind.PLAY:
            self._left_off(state, steps)

    def _taken(self, state: State, step: Step) -> None:
        """The piece stands where the step says, and those that it sends back where that says."""
        before, after = (self.ask("everything", s) for s in (state, self.ask("take", state, step)))
        if step.origin == step.target:
            self.note("no step", f"legal_steps() lists {_way(step)}, which moves nothing", state)
        elif not before.at(step.origin).count(step.seat):
            self.note("origin", f"{_way(step)} moves a piece of seat {step.seat}; none stands on {step.origin}", state)
        elif after.at(step.target).count(step.seat) <= before.at(step.target).count(step.seat):
            text = f"after take() of {_way(step)} no piece of seat {step.seat} more stands on {step.target}"
            self.note("target", text, state)
        elif after.at(step.origin).count(step.seat) >= before.at(step.origin).count(step.seat):
            text = f"after take() of {_way(step)} as many pieces of seat {step.seat} stand on {step.origin} as before"
            self.note("left", text, state)
        elif strange := self._moved_besides(before, after, step):
            text = f"take() of {_way(step)} moves more than the step and its captures say: on {', '.join(strange)}"
            self.note("moves more", text, state)
        for seat, base in step.captures:
            if after.at(base).count(seat) <= before.at(base).count(seat):
                text = f"{_way(step)} says that it sends a piece of seat {seat} to {base}; after take() none came there"
                self.note("captures", text, state)
        if step.captures:
            self._sentence(self.ask("capture_rule", step), state, "capture_rule()")

    def _moved_besides(self, before: Position, after: Position, step: Step) -> tuple[str, ...]:
        """The spaces on which other pieces stand after a step than it and its captures say."""
        told = before.moved(step.seat, step.origin, step.target)
        for seat, base in step.captures:
            if seat in told.at(step.target):
                told = told.moved(seat, step.target, base)
        return Position.of(dict(told)).changed(Position.of(dict(after)))

    def _left_off(self, state: State, steps: tuple[Step, ...]) -> None:
        """A play may be left exactly where nothing of it is unfinished, and never is one stuck."""
        may, unfinished = self.ask("may_stop", state), self.ask("unfinished", state)
        if may and unfinished:
            rule = unfinished[0].rule
            self.note("unfinished", f"may_stop() allows to leave the play, and unfinished() forbids it: {rule}", state)
        if not may and not unfinished:
            self.note("unfinished none", "may_stop() forbids to leave the play, and unfinished() says no rule", state)
        if may:
            self.ask("stop", state)
        elif steps:
            self.refuses("stop", state)
        for objection in (*unfinished, *self.ask("forbidden", state)):
            self._said(objection, self.ask("mover", state), state)

    def _strays(self, state: State) -> None:
        """What is not legal is objected to, in words that there are, and is not taken."""
        legal = {(step.seat, step.origin, step.target) for step in self.ask("legal_steps", state)}
        refused = 0
        for step in islice(self._any_steps(state), STRAYS):
            found = self.ask("objections", state, step)
            if (step.seat, step.origin, step.target) in legal:
                continue
            if not found:
                text = f"{_way(step)} is not among legal_steps(), and objections() has nothing against it"
                self.note("no objection", text, state)
            for objection in found:
                self._said(objection, step.seat, state)
            if step.target in self.ask("spaces") and step.seat in self.ask("position", state).at(step.origin):
                self.ask("disturbed", state, step)
            if not refused and self.ask("due", state).kind is DueKind.PLAY:
                self.refuses("take", state, step)
                refused += 1

    def _any_steps(self, state: State) -> Iterator[Step]:
        """Steps as people make them: mostly of the mover's pieces, to anywhere, now and then of others' or beside."""
        position, spaces, rng = self.ask("position", state), (*self.ask("spaces"), "nowhere", ""), self.rng
        mine = [name for name in position if self.ask("mover", state) in position.at(name)]
        while True:
            origin = rng.choice(mine if mine and rng.random() < 0.6 else (*position, *rng.sample(spaces, NAMED)))
            there = position.at(origin)
            seat = rng.choice(there if there and rng.random() < 0.9 else self.game.seats)
            yield Step(seat, origin, rng.choice(spaces))

    def _said(self, objection: Objection, mover: int, state: State) -> None:
        """The objection can be said to players."""
        self._sentence(objection.rule, state, "an objection")
        name, rule = self.game.name, objection.rule
        if rule not in BOOKS.get(name, {}) and rule not in COMMON:
            text = f"an objection names {rule}, and there is no sentence for it among the words"
            self.note(f"words {rule}", f"{text} of {name!r}", state)
            return
        try:
            said = objection_sentence(objection, mover, self.names)
        except FAILURES as error:
            facts = dict(objection.facts)
            text = f"the sentence of {rule} cannot be said with the facts {facts!r}: {raised(error)}"
            self.note(f"facts {rule}", text, state)
            return
        if not (isinstance(said, str) and said.strip()):
            self.note(f"empty {rule}", f"the sentence of {rule} is {said!r}", state)

    def _sentence(self, rule: str, state: State, who: str) -> None:
        """The rule has its sentence for players."""
        try:
            self.game.rule(rule)
        except KeyError:
            self.note(f"sentence {rule}", f"{who} names the rule {rule!r}, of which `sentences` has none", state)

    # --- what holds of whole plays ---

    def _ends(self, state: State) -> None:
        """outcomes() has every end that single steps lead to, each once, and no other."""
        if self.ask("due", state).kind is not DueKind.PLAY:
            return
        outcomes = self.ask("outcomes", state)
        found = [self._end(outcome.state) for outcome in outcomes]
        if len(set(found)) != len(found):
            self.note("outcome twice", "outcomes() has two plays with the same end", state)
        self._missing(state, set(found))
        for outcome, end in zip(outcomes, found, strict=True):
            if self._end(self._walked(state, outcome.steps)) != end:
                ways = ", ".join(map(_way, outcome.steps)) or "no step"
                self.note("outcome steps", f"outcomes() has a play that its own steps do not lead to: {ways}", state)
        if (seat := self.ask("afterwards", state)) not in self.game.seats:
            self.note("afterwards", f"afterwards() names seat {seat}, and nobody sits there", state)

    def _missing(self, state: State, found: set[Any]) -> None:
        nodes = self._nodes(state)
        if nodes is None:
            return
        ends = {self._end(node) for node in nodes}
        if found - ends:
            self.note("unreachable", "outcomes() has an end that no legal steps lead to", state)
        if ends - found:
            self.note("outcome missing", "legal steps lead to an end that outcomes() does not have", state)

    def _nodes(self, state: State) -> list[State] | None:
        """The states in which this play may end; None where it is too large to be walked."""
        ends, waiting, known = [], [state], {state}
        while waiting:
            now = waiting.pop()
            if self.ask("due", now).kind is not DueKind.PLAY:
                ends.append(now)
                continue
            if self.ask("may_stop", now):
                ends.append(self.ask("stop", now))
            for after in (self.ask("take", now, step) for step in self.ask("legal_steps", now)):
                if after not in known:
                    known.add(after)
                    waiting.append(after)
            if len(known) > MANY_NODES:
                return None
        return ends

    def _walked(self, state: State, steps: tuple[Step, ...]) -> State:
        for step in steps:
            state = self.ask("take", state, step)
        return self.ask("stop", state) if self.ask("due", state).kind is DueKind.PLAY else state

    def _end(self, state: State) -> Any:
        """What two ends have in common that are the same (COM-5); once a game is won only the pieces count."""
        winners = self.ask("winners", state)
        return (winners, self.ask("everything", state)) if winners else state


def _way(step: Step) -> str:
    return f"{step.origin or 'nowhere'} > {step.target or 'nowhere'}" + (f" (by {step.by})" if step.by else "")
