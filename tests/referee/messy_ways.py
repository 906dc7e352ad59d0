"""Ways to be untidy: whether a play can be made so, and how. They are scripts of messy players (see messy.py)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.model import DueKind, Outcome, Roll, Seat, Step
from companion.referee.explain import put_right
from companion.referee.turn import Turn
from companion.virtual.hands import Script

if TYPE_CHECKING:
    from messy import Messy

Able = Callable[["Messy", tuple[Turn, ...], Outcome], bool]
Way = Callable[["Messy", tuple[Turn, ...], Outcome], Script]


def always(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """Any play will do."""
    return True


def flat(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """Where pieces do not hide each other."""
    return not m.game.stacks


def no_challenge(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """Where "done" is no word on a challenge."""
    return m.game.due(outcome.state).kind is not DueKind.CHALLENGE


def catches(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """A play that captures."""
    return any(step.captures for step in outcome.steps)


def on_track(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """A play whose first step stays on the track."""
    return outcome.steps[0].origin[0] == outcome.steps[0].target[0] == "t"


def two_steps(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """A play of several steps."""
    return len(outcome.steps) > 1


def rolls_next(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """A roll follows, of a number of dice that is not chosen."""
    due = m.game.due(outcome.state)
    return due.kind is DueKind.ROLL and len(due.dice) == 1


def stranger(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> bool:
    """Some colour of the sheet does not play."""
    return bool(set(m.table.sheet.colors) - set(m.game.seats))


def track(m: Messy, step: Step) -> list[str]:
    """The track spaces on the way, the last one included."""
    size = sum(n[0] == "t" and n[1:].isdigit() for n in m.game.spaces())
    first, last = int(step.origin[1:]), int(step.target[1:])
    return [f"t{(first + k) % size}" for k in range(1, (last - first) % size + 1)]


def spare(m: Messy, occupied: bool = False) -> str:
    """Some space of the track, or square, free or not."""
    names = [n for n in m.game.spaces() if not n.startswith(("base", "home", "lane"))]
    return m.rng.choice([n for n in names if bool(m.stands.at(n)) == occupied] or names)


def beside_of(m: Messy, space: str) -> str:
    """The space that is nearest to another, if one is free."""
    names = [n for n in m.eyes.areas if n != space and not n.startswith("base")]
    at = m.eyes.areas[space][0]
    near = sorted(names, key=lambda n: math.hypot(m.eyes.areas[n][0].x - at.x, m.eyes.areas[n][0].y - at.y))
    return m.rng.choice(near[:2])


def rest(m: Messy, outcome: Outcome, seat: Seat) -> Script:
    """Go on to the end of the play from where the pieces stand."""
    yield from m._bring(put_right(m.stands, m.game.position(outcome.state)), seat)


def count_aloud(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Put the piece down on each space on the way; the hand leaves it for a moment now and then."""
    step = outcome.steps[0]
    at = step.origin
    for name in track(m, step)[:12]:
        if name != step.target:
            yield from m.hands.carry(step.seat, at, name, step.seat)
            at = name
            if m.rng.random() < 0.4:
                yield from m.hands.leave()
                yield m._pause(0.1, 0.6)
    yield from rest(m, outcome, step.seat)


def wrong_space(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Put it on a wrong space for two seconds, then move on from there."""
    step = outcome.steps[0]
    wrong = spare(m, m.rng.random() < 0.3 and not m.game.stacks)
    yield from m.hands.carry(step.seat, step.origin, wrong, step.seat)
    yield from m.hands.leave()
    yield m._pause(1.0, 3.5)
    yield from m.hands.carry(step.seat, wrong, step.target, step.seat)
    if m.game.stacks:
        yield from m._play_steps(outcome.steps[1:])
    else:
        yield from rest(m, outcome, step.seat)


def too_far(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Play, then slide one space on, and back."""
    yield from m._play_steps(outcome.steps)
    step = outcome.steps[-1]
    yield m._pause(0.5, 3.0)
    wrong = spare(m)
    yield from m.hands.carry(step.seat, step.target, wrong, step.seat)
    yield from m.hands.leave()
    yield m._pause(0.5, 3.0)
    yield from m.hands.carry(step.seat, wrong, step.target, step.seat)


def wrong_piece(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Another piece of one's own goes the way first; then the right one; then the other one back."""
    step = outcome.steps[0]
    others = [p for p in m.table.pawns if p.seat == step.seat and p.space[:1] == "t" and p.space != step.origin]
    if not others:
        yield from m._play_steps(outcome.steps)
        return
    pawn = m.rng.choice(others)
    way = len(track(m, step)) if step.origin[0] == step.target[0] == "t" else 3
    size = sum(n[0] == "t" and n[1:].isdigit() for n in m.game.spaces())
    wrong = f"t{(int(pawn.space[1:]) + way) % size}"
    yield from m.hands.carry(step.seat, pawn.space, wrong, step.seat)
    yield from m.hands.leave()
    yield m._pause(0.5, 3.0)
    if m.rng.random() < 0.5:
        yield from m.hands.carry(step.seat, wrong, pawn.space, step.seat)
        yield from m.hands.leave()
        yield m._pause(0.3, 2.0)
    yield from rest(m, outcome, step.seat)


def backwards(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """All pieces that the play moves at once, in any order."""
    moves = list(put_right(m.stands, m.game.position(outcome.state)))
    m.rng.shuffle(moves)
    for move in moves:
        yield from m.hands.carry(*move, m.rng.choice(m.game.seats))
        if m.rng.random() < 0.4:
            yield from m.hands.leave()
            yield m._pause(0.2, 2.0)


def beside(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The captured piece stays beside the board for a while, first or last, and goes home by the hand of its owner."""
    for step in outcome.steps:
        first = m.rng.random() < 0.5
        if not first:
            yield from m.hands.carry(step.seat, step.origin, step.target, step.seat)
        for seat, _ in step.captures:
            yield from m.hands.carry(seat, step.target, "", step.seat)
        if first:
            yield from m.hands.carry(step.seat, step.origin, step.target, step.seat)
        yield from m.hands.leave()
        yield m._pause(0.5, 9.0)
        for seat, base in step.captures:
            yield from m.hands.carry(seat, "", base, seat)
        yield from m.hands.leave()
        yield m._pause(0.3, 1.0)


def beside_to_the_end(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """All captured pieces stay beside the board until the whole play is done."""
    for step in outcome.steps:
        for seat, _ in step.captures:
            yield from m.hands.carry(seat, step.target, "", step.seat)
        yield from m.hands.carry(step.seat, step.origin, step.target, step.seat)
        if m.rng.random() < 0.5:
            yield from m.hands.leave()
            yield m._pause(0.3, 1.5)
    yield from m.hands.leave()
    yield m._pause(0.5, 6.0)
    yield from rest(m, outcome, turns[0].seat)


def victim_later(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The captured piece stays where it stood, beside its captor, until its owner takes it."""
    for step in outcome.steps:
        yield from m.hands.carry(step.seat, step.origin, step.target, step.seat)
    yield from m.hands.leave()
    yield m._pause(0.5, 7.0)
    for step in outcome.steps:
        for seat, base in step.captures:
            if m.table.find(seat, step.target):
                yield from m.hands.carry(seat, step.target, base, seat)


def wrong_base(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The captured piece goes into the base of somebody else first."""
    bases = [n for n in m.game.spaces() if n.startswith("base")]
    for step in outcome.steps:
        for seat, base in step.captures:
            wrong = m.rng.choice([n for n in bases if n != base])
            yield from m.hands.carry(seat, step.target, wrong, step.seat)
        yield from m.hands.carry(step.seat, step.origin, step.target, step.seat)
    yield from m.hands.leave()
    yield m._pause(1.0, 5.0)
    yield from rest(m, outcome, turns[0].seat)


def swapped(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The captor goes into the base of the captured one, which stays."""
    step = next(step for step in outcome.steps if step.captures)
    yield from m._play_steps(outcome.steps[: outcome.steps.index(step)])
    yield from m.hands.carry(step.seat, step.origin, step.captures[0][1], step.seat)
    yield from m.hands.leave()
    yield m._pause(1.0, 5.0)
    yield from rest(m, outcome, step.seat)


def half_off(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The piece stands half on the next space for a while."""
    assert m.eyes is not None
    step = outcome.steps[-1]
    m.eyes.halves[step.target] = step.seat, beside_of(m, step.target), m.rng.random() < 0.4
    yield from m._play_steps(outcome.steps)
    yield m._pause(1.0, 8.0)
    m.eyes.halves.clear()
    yield from m.hands.carry(step.seat, step.target, step.target, step.seat)


def bumped(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Somebody bumps the table: three pieces stand half off, and are put right one by one."""
    assert m.eyes is not None
    out = [p for p in m.table.pawns if not p.space.startswith(("base", "home"))] or m.table.pawns[:1]
    pawns = m.rng.sample(out, min(3, len(out)))
    if m.rng.random() < 0.5:
        yield from m._play_steps(outcome.steps[:1])
    half = {p.space: (p.seat, beside_of(m, p.space), m.rng.random() < 0.4) for p in pawns if p in m.table.pawns}
    m.eyes.halves |= half
    yield from m.hands.reach(pawns[0].at, turns[0].seat)
    yield from m.hands.leave()
    yield m._pause(1.0, 6.0)
    for pawn in pawns:
        if pawn in m.table.pawns:
            yield from m.hands.carry(pawn.seat, pawn.space, pawn.space, turns[0].seat)
        m.eyes.halves.pop(pawn.space, None)
    yield from m.hands.leave()
    yield m._pause(0.5, 1.0)
    done = 1 if any(p not in m.table.pawns for p in m._before) and m.stands != m.game.position(turns[0].root) else 0
    yield from m._play_steps(outcome.steps[done:])


def falls(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Some piece falls off the board, and is put back."""
    pawn = m.rng.choice([p for p in m.table.pawns if not p.space.startswith("home")])
    top = m.table.find(m.stands.at(pawn.space)[-1], pawn.space) if m.game.stacks else pawn
    assert top is not None
    first = m.rng.random() < 0.5
    if not first:
        yield from m._play_steps(outcome.steps)
        top = m.rng.choice([p for p in m.table.pawns if p.z == max(q.z for q in m.table.pawns if q.space == p.space)])
    yield from m.hands.carry(top.seat, top.space, "", m.rng.choice(m.game.seats))
    yield from m.hands.leave()
    yield m._pause(1.0, 9.0)
    yield from m.hands.carry(top.seat, "", top.space, m.rng.choice(m.game.seats))
    yield from m.hands.leave()
    yield m._pause(0.2, 1.5)
    if first:
        yield from m._play_steps(outcome.steps)


def early_roll(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The next player rolls while the pieces are still moved."""
    when = m.rng.randrange(len(outcome.steps) + 1)
    yield from m._play_steps(outcome.steps[:when])
    yield m._pause(0.5, 1.0)  # the first roll is heard
    m.rolls_early(m.game.due(outcome.state).dice[0])
    yield m._pause(0.1, 2.0)
    yield from m._play_steps(outcome.steps[when:])


def early_roll_then_mess(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The same, and the piece stands wrong first."""
    yield m._pause(0.5, 1.0)  # the first roll is heard
    m.rolls_early(m.game.due(outcome.state).dice[0])
    yield m._pause(0.1, 2.0)
    yield from wrong_space(m, turns, outcome)


def done_early(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The button is pressed before the hand is back, or before the play."""
    if m.rng.random() < 0.5:
        m.voice.done()
        yield m._pause(0.1, 3.0)
    for step in outcome.steps:
        yield from m._play_step(step)
    m.voice.done()
    yield from m.hands.leave()


def done_often(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Everybody presses the button."""
    yield from m._play_steps(outcome.steps)
    for _ in range(3):
        yield m._pause(0.1, 2.5)
        m.voice.done()


def done_half(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The button is pressed between two steps."""
    yield from m._play_steps(outcome.steps[:1])
    m.voice.done()
    yield m._pause(0.5, 6.0)
    yield from m._play_steps(outcome.steps[1:])


def reminded(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """A pass though there is a move; the move after a reminder."""
    m.voice.done()
    yield m._pause(3.0, 6.0)
    yield from m._play_steps(outcome.steps)


def hovers(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The piece is lifted and hovers; the hand rests."""
    step = outcome.steps[0]
    pawn = m.table.find(step.seat, step.origin)
    assert pawn is not None
    yield from m.hands.reach(pawn.at, step.seat)
    m.table.pawns.remove(pawn)
    yield m._pause(0.5, 9.0)
    if m.rng.random() < 0.3:
        yield from m.hands.leave()
        yield m._pause(0.5, 9.0)
    m.table.pawns.append(pawn)
    yield from m._play_steps(outcome.steps)


def as_a_sum(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """One way from the first space to the last."""
    yield from rest(m, outcome, turns[0].seat)


def under_cover(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Half of the board is covered while the play is made, and something is nudged."""
    assert m.eyes is not None
    across, more = m.rng.random() < 0.5, m.rng.random() < 0.5
    middle = (m.table.sheet.width if across else m.table.sheet.height) / 2
    m.eyes.cover = frozenset(
        name
        for name, spaces in m.eyes.areas.items()
        if any(((s.x if across else s.y) > middle) is more for s in spaces)
    )
    yield m._pause(0.5, 12.0)
    yield from m._play_steps(outcome.steps)
    yield m._pause(0.5, 12.0)
    m.eyes.cover = frozenset()


def in_the_dark(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The lamp goes off for some minutes, before, while or after the play is made."""
    assert m.eyes is not None
    when = m.rng.randrange(3)
    if when == 2:
        yield from m._play_steps(outcome.steps)
        yield m._pause(0.0, 1.0)
    m.eyes.dark = True
    yield m._pause(2.0, 60.0)
    if when == 1:
        yield from m._play_steps(outcome.steps)
    m.eyes.dark = False
    yield m._pause(0.2, 2.0)
    if when == 0:
        yield from m._play_steps(outcome.steps)


def adjusted(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Somebody puts all pieces of a base, or of the whole board, in order, after the play."""
    yield from m._play_steps(outcome.steps)
    pawns = [p for p in m.table.pawns if p.space.startswith("base")] or list(m.table.pawns)[:4]
    for pawn in pawns:
        if not m.game.stacks or m.table.find(pawn.seat, pawn.space) == pawn:
            yield from m.hands.carry(pawn.seat, pawn.space, pawn.space, m.rng.choice(m.game.seats))


def alien(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """A piece of a colour that nobody plays is put on the board, and taken away."""
    seat = m.rng.choice(sorted(set(m.table.sheet.colors) - set(m.game.seats)))
    space, first = spare(m), m.rng.random() < 0.5
    if not first:
        yield from m._play_steps(outcome.steps)
        space = spare(m)
    yield from m.hands.carry(seat, "", space, turns[0].seat)
    yield from m.hands.leave()
    yield m._pause(1.0, 9.0)
    yield from m.hands.carry(seat, space, "", turns[0].seat)
    yield from m.hands.leave()
    if first:
        yield m._pause(0.5, 1.5)
        yield from m._play_steps(outcome.steps)


def pushes_another(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """With the play somebody else's piece is pushed on by a space, seen a little later and put back."""
    movers = {name for step in outcome.steps for name in (step.origin, step.target)}
    others = [p for p in m.table.pawns if p.space[:1] == "t" and p.space not in movers and p.seat != turns[0].seat]
    yield from m._play_steps(outcome.steps)
    if not others:
        return
    pawn, wrong = m.rng.choice(others), spare(m)
    yield from m.hands.carry(pawn.seat, pawn.space, wrong, turns[0].seat)
    yield from m.hands.leave()
    yield m._pause(0.5, 6.0)
    yield from m.hands.carry(pawn.seat, wrong, pawn.space, pawn.seat)


def slides_on(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """Another legal play first, whole, and then from there to this one."""
    other = m.rng.choice([one for one in m.game.outcomes(turns[0].root) if one.steps] or [outcome])
    yield from m._play_steps(other.steps)
    yield m._pause(0.2, 4.0)
    if m.game.stacks:
        yield from m.hands.put_back(m._before, turns[0].seat)
        yield m._pause(0.5, 2.0)
        yield from m._play_steps(outcome.steps)
    else:
        yield from rest(m, outcome, turns[0].seat)


def goes_on(m: Messy, turns: tuple[Turn, ...], outcome: Outcome) -> Script:
    """The next player rolls and moves while something is still wrong or left out; that is made good after it."""
    step = outcome.steps[-1]
    yield from m._play_steps(outcome.steps[:-1])
    wrong = spare(m) if m.rng.random() < 0.5 else step.target
    yield from m.hands.carry(step.seat, step.origin, wrong, step.seat)
    if wrong == step.target:
        for seat, _ in step.captures:
            yield from m.hands.carry(seat, step.target, "", step.seat)
    yield from m.hands.leave()
    yield m._pause(0.3, 4.0)
    m.rolls_early(m.game.due(outcome.state).dice[0])
    yield m._pause(0.5, 2.0)
    next_ = Turn.of(m.game, outcome.state, Roll(m._pocket))
    able = [] if next_.must_pass else [one for one in m.game.outcomes(next_.root) if one.steps]
    able = [one for one in able if m.game.due(one.state).kind is not DueKind.OVER]
    chosen = m.rng.choice(able) if able else None
    if chosen is not None and all(m.table.find(s.seat, s.origin) for s in chosen.steps[:1]):
        m.note("the next one moves: " + ", ".join(f"{s.origin}>{s.target}" for s in chosen.steps))
        yield from m.hands.carry(chosen.steps[0].seat, chosen.steps[0].origin, chosen.steps[0].target, next_.seat)
        yield from m.hands.leave()
        yield m._pause(0.5, 4.0)
        m._played, m._turns = chosen, (*turns, next_)
        yield from m._bring(put_right(m.stands, m.game.position(chosen.state)), step.seat)
    else:
        yield from rest(m, outcome, step.seat)


WAYS: dict[str, tuple[Able, Way]] = {
    "count_aloud": (on_track, count_aloud),
    "wrong_space": (always, wrong_space),
    "too_far": (always, too_far),
    "wrong_piece": (flat, wrong_piece),
    "backwards": (flat, backwards),
    "beside": (catches, beside),
    "beside_to_the_end": (catches, beside_to_the_end),
    "victim_later": (catches, victim_later),
    "wrong_base": (catches, wrong_base),
    "swapped": (catches, swapped),
    "half_off": (always, half_off),
    "bumped": (flat, bumped),
    "falls": (always, falls),
    "early_roll": (rolls_next, early_roll),
    "early_roll_then_mess": (rolls_next, early_roll_then_mess),
    "done_early": (always, done_early),
    "done_often": (no_challenge, done_often),
    "done_half": (two_steps, done_half),
    "reminded": (always, reminded),
    "hovers": (always, hovers),
    "as_a_sum": (lambda m, t, o: flat(m, t, o) and two_steps(m, t, o), as_a_sum),
    "under_cover": (always, under_cover),
    "in_the_dark": (always, in_the_dark),
    "adjusted": (flat, adjusted),
    "alien": (stranger, alien),
    "pushes_another": (flat, pushes_another),
    "slides_on": (always, slides_on),
    "goes_on": (lambda m, t, o: flat(m, t, o) and rolls_next(m, t, o), goes_on),
}


RARE = {"beside", "beside_to_the_end", "victim_later", "wrong_base", "swapped"}
"""Wherever these can be, one of them is."""
