"""Gloria once more, slow and obvious, straight from the written rules: to hold the engine against.

Nothing is shared with the engine. Pawns are followed one by one, (seat, number); a table maps each to its
progress, and what stands where is asked by the names of the spaces.
"""

from itertools import permutations


def space(pawn, progress):
    """The name of the space on which `pawn` stands with `progress`."""
    seat = pawn[0]
    if progress == -1:
        return f"base{seat}"
    if progress == 45:
        return "center"
    return f"lane{seat}.{progress - 40}" if progress > 40 else f"t{(10 * seat + progress) % 40}"


def land(table, pawn, target):
    """The table after `pawn` lands; None where one of its own stands there (GLO-5, GLO-6)."""
    name = space(pawn, target)
    after = {**table, pawn: target}
    if name == "center":
        return after
    for other, progress in table.items():
        if other != pawn and progress != -1 and space(other, progress) == name:
            if other[0] == pawn[0]:
                return None
            after[other] = -1
    return after


def move(table, pawn, die, center):
    """One pawn moved on by a die; None where it may not (GLO-4, GLO-7, GLO-9)."""
    here = table[pawn]
    if here == -1 or (here > 40 and not center) or here + die > (45 if center else 44):
        return None
    return land(table, pawn, here + die)


def enter(table, seat):
    """The lowest pawn in base onto the start (GLO-2); None where it may not."""
    waiting = sorted(pawn for pawn in table if pawn[0] == seat and table[pawn] == -1)
    after = land(table, waiting[0], 0) if waiting else None
    return after and (waiting[0], after)


def ways_with_one(table, seat, die, center):
    found = []
    entered = enter(table, seat) if die == 6 else None
    if entered:
        found.append((((f"base{seat}", space((seat, 0), 0)),), entered[1]))
    for pawn in [p for p in table if p[0] == seat]:
        after = move(table, pawn, die, center)
        if after:
            found.append((((space(pawn, table[pawn]), space(pawn, after[pawn])),), after))
    return found or [((), table)]


def ways_with_several(table, seat, roll, center):
    """GLO-10: a 6 enters a pawn, which then moves the other dice in any order."""
    if 6 not in roll:
        return [((), table)]
    rest = list(roll)
    rest.remove(6)
    found = []
    for order in permutations(rest):
        pawn, now = enter(table, seat)
        steps = [(f"base{seat}", space(pawn, 0))]
        for die in order:
            after = move(now, pawn, die, center)
            steps.append((space(pawn, now[pawn]), space(pawn, after[pawn])))
            now = after
        found.append((tuple(steps), now))
    return found


def plays(state, roll):
    """Every complete play of `roll` (STATE as in FORMATS), as a set of (steps, outcome).

    An outcome is (pieces, due, rolls again, opened) or, when the game is over, (pieces, "won", winner).
    """
    seat, seats, options = state["due"], state["seats"], state["options"]
    table = {(int(s), n): p for s, given in state["pieces"].items() for n, p in enumerate(sorted(given))}
    center = options.get("home") == "center"
    opens = options.get("opening_dice", 1) > 1 and seat not in state["opened"]
    ways = (ways_with_several if opens else lambda t, s, r, c: ways_with_one(t, s, r[0], c))(table, seat, roll, center)
    opened = set(state.get("opened", ())) | ({seat} if opens and 6 in roll else set())
    again = options.get("six_again", False) and 6 in roll
    order = sorted(seats)
    due = seat if again else order[(order.index(seat) + 1) % len(order)]
    return {(steps, outcome(after, seat, due, again, tuple(sorted(opened)), center)) for steps, after in ways}


def outcome(table, seat, due, again, opened, center):
    seats = sorted({owner for owner, _ in table})
    pieces = tuple((s, tuple(sorted(p for (owner, _), p in table.items() if owner == s))) for s in seats)
    own = dict(pieces)[seat]
    won = own == ((45,) * 4 if center else (41, 42, 43, 44))
    return (pieces, "won", seat) if won else (pieces, due, again, opened)
