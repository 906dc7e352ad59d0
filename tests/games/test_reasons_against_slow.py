"""Whether the reasons that the engines give are the true ones, judged by the slow second derivations."""

from itertools import combinations
from random import Random

import pytest
import rare_aggravation
import rare_game_of_god
import rare_print_states
import rare_states
import slow_aggravation
import slow_game_of_god
import slow_parcheesi
import slow_parcheesi_print
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.catalogue import state_from_json
from companion.model import DueKind, Roll, Step

seeds = st.integers(0, 2**32)

PAWNS = {
    "parcheesi": (rare_states, slow_parcheesi),
    "parcheesi-print": (rare_print_states, slow_parcheesi_print),
}
WAY = {"PAR-6", "PAR-8", "PAR-10", "PAR-11", "PRN-8", "PRN-9", "PRN-10"}
"""What stands in a pawn's way, or where it lands."""
DUTY = {"PAR-2", "PAR-5", "PAR-15", "PRN-3", "PRN-5"}
"""What else is to be done with the roll."""
COUNT = {"PAR-4", "PAR-12", "PRN-5", "PRN-6", "PRN-7", "PRN-11"}
"""That the number is none of those to be moved."""


def reasons(slow, table, pawn, count, parts):
    """Which reasons can be true for moving `pawn` on by `count` at the beginning of a play, where that is illegal."""
    own = [other for other in table if other[0] == pawn[0]]
    partners = {frozenset((a, b)) for a, b in combinations(own, 2) if table[a] == table[b] and 0 <= table[a] < 71}
    mates = [other for other in own if table[other] == table[pawn]]

    def lands(now, moving, left):
        if now[moving] == table[pawn] + count:
            return True
        steps = ((at, slow.move(now, moving, part, partners)) for at, part in enumerate(left))
        return any(lands(found[0], moving, left[:at] + left[at + 1 :]) for at, found in steps if found)

    if count in parts:
        return DUTY if any(slow.move(table, mate, count, partners) for mate in mates) else WAY | {"PAR-2", "PRN-3"}
    if not any(sum(some) == count for n in range(2, 5) for some in combinations(parts, n)):
        return COUNT | {"PAR-2", "PRN-3"}
    return DUTY if any(lands(table, mate, parts) for mate in mates) else WAY | COUNT | {"PAR-2", "PRN-3"}


def by_steps(game, state, origin, target):
    """Whether a piece may go on from origin to target step by step."""
    for step in game.legal_steps(state) if state.roll else ():
        if step.origin == origin:
            after = game.take(state, step)
            if step.target == target or by_steps(game, after, step.target, target):
                return True
    return False


@pytest.mark.parametrize("name", PAWNS)
@settings(max_examples=60)
@given(seeds)
def test_a_pawn_that_may_not_go_on_is_told_why(name, seed):
    """PAR-2, PAR-4, PAR-5, PAR-15, PRN-3, PRN-5 where the way is free, else what is in it."""
    rare, slow = PAWNS[name]
    data, dice = rare.state_and_roll(Random(seed))
    game, before = state_from_json(data)
    table = {(int(s), n): p for s, given in data["pieces"].items() for n, p in enumerate(given)}
    due = data["due"]
    state = game.hear(before, Roll(tuple(dice)))
    if not state.nodes[0].parts:  # the third doublets
        return
    for pawn, progress in table.items():
        for count in range(1, 15) if pawn[0] == due and progress >= 0 else ():
            if progress + count > 71:
                break
            step = Step(due, slow.space(pawn, progress), slow.space(pawn, progress + count))
            if not by_steps(game, state, step.origin, step.target):
                found = game.objections(state, step)[0].rule
                assert found in reasons(slow, table, pawn, count, state.nodes[0].parts), (step, found)


@settings(max_examples=60)
@given(seeds)
def test_a_marble_that_may_not_go_is_told_why(seed):
    """AGG-5 exactly where one's own marble is in a way of this roll, and the first such."""
    rng = Random(seed)
    data, roll = rare_aggravation.rare_state(rng), rng.randint(1, 6)
    game, before = state_from_json(data)
    state = game.hear(before, Roll((roll,)))
    seat, arms = game.mover(state), slow_aggravation.arms_of(data)
    own = slow_aggravation.table_of(data)[seat]
    legal = {(step.origin, step.target) for step in game.legal_steps(state)}
    for origin in {hole for hole in own if hole[0] != "b"}:
        ways = {way[-1]: way for way, _ in slow_aggravation.ways(seat, origin, roll, arms)}
        for target in game.spaces():
            if target != origin and (origin, target) not in legal:
                first = game.objections(state, Step(seat, origin, target))[0]
                if target in ways:
                    assert (first.rule, first.facts["space"]) == (
                        "AGG-5", next(hole for hole in ways[target] if hole in own))
                elif origin != "center":
                    assert first.rule != "AGG-5"


@settings(max_examples=30)
@given(seeds)
def test_every_reason_why_a_piece_may_not_go_is_named(seed):
    """GOD-5, GOD-6, GOD-7, GOD-9: all that hold, and no other."""
    data = rare_game_of_god.state(Random(seed))
    game, state = state_from_json(data)
    if game.due(state).kind is not DueKind.MOVE:
        return
    table, due = slow_game_of_god.Table(data), data["due"]
    for origin in (name for name, stack in table.squares.items() if stack[-1] == due):
        for target in table.all:
            if target != origin and not table.may_move(due, origin, target):
                found = game.objections(state, Step("NESW".index(due), origin, target))
                named = [next(filter(objection.facts.get, FACES), objection.rule) for objection in found]
                assert sorted(named) == sorted(broken(table, due, origin, target))


FACES = ("closed", "forward", "entered", "bent", "over", "onto")


def broken(table, due, origin, target):
    """What of Game of God a move of the top piece of `origin` breaks, by the faces of its rules."""
    there, goal = table.squares.get(target, ""), table.edge_of(origin)
    straight = (table.column(origin) == table.column(target)) != (table.row(origin) == table.row(target))
    if goal not in ("", due):
        yield "GOD-7"
    if len(set(there)) > 1:
        yield "closed"
    if goal == due and not table.goes_forward(due, origin, target):
        yield "forward"
    if goal != due and table.edge_of(target) == due:
        yield "entered"
    if not straight:
        yield "bent"
    elif any(name in table.squares for name in table.between(origin, target)):
        yield "over"
    if there and there[-1] != due:
        yield "onto"
