"""Parcheesi once more, slow and obvious, straight from the written rules: to hold the engine against.

Nothing is shared with the engine. Pawns are followed one by one, (seat, number); a table maps each to its
progress. All ways to use the dice are tried, then those that the rules do not allow are thrown away.
"""

from itertools import pairwise

BASE, MOUTH, HOME = -1, 63, 71


def space(pawn, progress):
    """The name of the space on which `pawn` stands with `progress`."""
    seat = pawn[0]
    if progress == BASE:
        return f"base{seat}"
    if progress == HOME:
        return f"home{seat}"
    return f"lane{seat}.{progress - 63}" if progress > MOUTH else f"t{(17 * seat + progress) % 68}"


def is_safe(name):
    return name[0] == "t" and any(int(name[1:]) == (17 * k + n) % 68 for k in range(4) for n in (0, 7, 12))


def standing(table, name):
    """The pawns on a space of the track or a lane."""
    return [pawn for pawn, progress in table.items() if space(pawn, progress) == name]


def is_blockade(table, name):
    pawns = standing(table, name)
    return len(pawns) == 2 and pawns[0][0] == pawns[1][0] and name[:4] not in ("base", "home")


def land(table, pawn, target, enters, partners):
    """The table after `pawn` lands, and the bonuses earned; None where that is not allowed."""
    name = space(pawn, target)
    after = dict(table)
    after[pawn] = target
    if name.startswith("home"):
        return after, (10,)
    there = standing(table, name)
    if is_blockade(table, name):  # PAR-6, PAR-10
        return None
    earned = ()
    for other in there:
        if other[0] != pawn[0]:
            if is_safe(name) and not enters:  # PAR-8, PAR-9
                return None
            after[other] = BASE  # PAR-7
            earned = (20,)
        elif frozenset((other, pawn)) in partners:  # PAR-11
            return None
    return after, earned


def move(table, pawn, count, partners):
    """One pawn moved on by a part or a bonus; None where that is not allowed."""
    here = table[pawn]
    if here in (BASE, HOME) or here + count > HOME:  # PAR-12
        return None
    for between in range(here + 1, here + count):
        if is_blockade(table, space(pawn, between)):  # PAR-10
            return None
    return land(table, pawn, here + count, False, partners)


def enter(table, seat):
    """The lowest pawn in base onto the entry; None where that is not allowed."""
    waiting = [pawn for pawn in table if pawn[0] == seat and table[pawn] == BASE]
    if not waiting:
        return None
    landed = land(table, waiting[0], 0, True, set())
    return landed and (waiting[0], *landed)


def all_home(table, seat):
    return all(progress == HOME for (owner, _), progress in table.items() if owner == seat)


def use_dice(table, seat, parts, whole, partners):
    """Every way to use a part, or a total of five: (step, parts left, table, bonuses). PAR-1 to PAR-4."""
    entered = enter(table, seat)
    if entered and whole and len(parts) == 2 and sum(parts) == 5:
        pawn, after, earned = entered
        yield (pawn, BASE, 0), (), after, earned
        return
    for at, part in enumerate(parts):
        rest = parts[:at] + parts[at + 1 :]
        if part == 5 and entered:
            pawn, after, earned = entered
            yield (pawn, BASE, 0), rest, after, earned
            continue
        for pawn in [p for p in table if p[0] == seat]:
            moved = move(table, pawn, part, partners)
            if moved:
                yield (pawn, table[pawn], table[pawn] + part), rest, *moved


def use_bonus(table, seat, bonuses, partners):
    """Every way to move one of the bonuses that are pending (PAR-19)."""
    for at, bonus in enumerate(bonuses):
        for pawn in [p for p in table if p[0] == seat]:
            moved = move(table, pawn, bonus, partners)
            if moved:
                after, earned = moved
                pending = bonuses[:at] + bonuses[at + 1 :] + earned
                yield (pawn, table[pawn], table[pawn] + bonus), pending, after


def named(step):
    pawn, origin, target = step
    return space(pawn, origin), space(pawn, target)


def dice_plays(table, seat, parts, partners):
    """All ways to use some of the dice, in order, each as (how many, table, bonuses, steps)."""
    found, todo, known = [], [(table, parts, (), (), True)], set()
    while todo:
        now, left, bonuses, steps, whole = todo.pop()
        key = (tuple(sorted(now.items())), left, tuple(sorted(bonuses)), steps)
        if key in known:
            continue
        known.add(key)
        found.append((len(parts) - len(left), now, bonuses, steps))
        if all_home(now, seat):  # COM-6
            continue
        for step, rest, after, earned in use_dice(now, seat, left, whole, partners):
            todo.append((after, rest, bonuses + earned, (*steps, named(step)), False))
    return found


def bonus_plays(table, seat, bonuses, steps, partners):
    """All ways to go on with the bonuses until none can be moved, as (table, steps)."""
    found, todo, known = [], [(table, bonuses, steps)], set()
    while todo:
        now, left, way = todo.pop()
        key = (tuple(sorted(now.items())), tuple(sorted(left)), way)
        if key in known:  # three bonuses of 20 are alike in any order: that took minutes
            continue
        known.add(key)
        further = [] if all_home(now, seat) else list(use_bonus(now, seat, left, partners))
        found += [] if further else [(now, way)]
        todo += [(after, pending, (*way, named(step))) for step, pending, after in further]
    return found


def plays(state, roll):
    """Every complete play of `roll` (STATE as in FORMATS), as a set of (steps, outcome).

    An outcome is (pieces, due, doublets) or, when the game is over, (pieces, winner).
    """
    seat, seats = state["due"], state["seats"]
    table = {(int(s), n): p for s, given in state["pieces"].items() for n, p in enumerate(sorted(given))}
    double = roll[0] == roll[1]
    if double and state["doublets"] == 2:  # PAR-16
        return {third_doublets(table, seat, seats)}
    own = [pawn for pawn in table if pawn[0] == seat]
    partners = {
        frozenset((a, b))
        for a in own
        for b in own
        if a < b and table[a] == table[b] and table[a] not in (BASE, HOME)
    }
    four = double and all(table[pawn] != BASE for pawn in own)  # PAR-15
    parts = tuple(roll) + ((7 - roll[0],) * 2 if four else ())
    found = dice_plays(table, seat, parts, partners)
    must = 4 if four else max(used for used, *_ in found)  # PAR-5
    good = [way for way in found if way[0] == must or all_home(way[1], seat)]
    if not good:
        good = [(0, table, (), ())]
    follow = (seat, state["doublets"] + 1) if double else (after_turn(seat, seats), 0)  # PAR-13
    return {
        (steps, outcome(end, seat, *follow))
        for _, now, bonuses, way in good
        for end, steps in bonus_plays(now, seat, bonuses, way, partners)
    }


def third_doublets(table, seat, seats):
    out = [pawn for pawn in table if pawn[0] == seat and table[pawn] not in (BASE, HOME)]
    after, steps = dict(table), ()
    if out:
        nearest = max(out, key=lambda pawn: table[pawn])
        after[nearest] = BASE
        steps = ((space(nearest, table[nearest]), space(nearest, BASE)),)
    return steps, outcome(after, seat, after_turn(seat, seats), 0)


def after_turn(seat, seats):
    """Clockwise: South, West, North, East (COM-2)."""
    order = [s for s in (0, 3, 2, 1) if s in seats]
    return dict(pairwise([*order, order[0]]))[seat]


def outcome(table, seat, due, doublets):
    seats = sorted({owner for owner, _ in table})
    pieces = tuple((s, tuple(sorted(p for (owner, _), p in table.items() if owner == s))) for s in seats)
    return (pieces, "won", seat) if all_home(table, seat) else (pieces, due, doublets)
