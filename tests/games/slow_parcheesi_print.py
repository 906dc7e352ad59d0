"""Print-and-cut Parcheesi once more, slow and obvious, straight from the written rules: to hold the engine against.

Nothing is shared with the engine. Pieces are followed one by one, (seat, number); a table maps each to its
progress. Every way to use some of the dice is listed, bonuses taken and declined; then those that use fewer pips
than another are thrown away.
"""

NEST, MOUTH, HOME = -1, 63, 71


def space(piece, progress):
    """The name of the space on which `piece` stands with `progress`."""
    seat = piece[0]
    if progress == NEST:
        return f"base{seat}"
    if progress == HOME:
        return f"home{seat}"
    return f"lane{seat}.{progress - 63}" if progress > MOUTH else f"t{(17 * seat + progress) % 68}"


def is_ringed(name):
    return name[0] == "t" and any(int(name[1:]) == (17 * k + n) % 68 for k in range(4) for n in (0, 7, 12))


def standing(table, name):
    """The pieces on a space of the track or a strip."""
    return [p for p, progress in table.items() if progress not in (NEST, HOME) and space(p, progress) == name]


def land(table, piece, target, enters, partners):
    """The table after `piece` lands, and whether it captured; None where that is not allowed."""
    name, captures = space(piece, target), False
    after = {**table, piece: target}
    for other in standing(table, name):
        if other[0] == piece[0]:
            if frozenset((other, piece)) in partners:  # PRN-10
                return None
        else:
            if is_ringed(name) and not enters:  # PRN-8
                return None
            after[other] = NEST  # PRN-7
            captures = True
    if len(standing(table, name)) == 2:  # PRN-9
        return None
    return after, captures


def move(table, piece, count, partners):
    """One piece moved on by a part or a bonus; None where that is not allowed."""
    here = table[piece]
    if here in (NEST, HOME) or here + count > HOME:  # PRN-11
        return None
    for between in range(here + 1, here + count):
        pieces = standing(table, space(piece, between))
        if len(pieces) == 2 and pieces[0][0] != piece[0]:  # PRN-9
            return None
    return land(table, piece, here + count, False, partners)


def all_home(table, seat):
    return all(progress == HOME for (owner, _), progress in table.items() if owner == seat)


def ways(table, seat, parts, catcher, partners):
    """Every play from here, each as (pips, table, steps); to stop here is one (PRN-5, PRN-7, COM-6)."""
    found = [(0, table, ())]
    if all_home(table, seat):
        return found
    tries = [(part, piece, part) for part in sorted(set(parts)) for piece in table if piece[0] == seat]
    tries += [(0, catcher, 20)] if catcher else []
    for pips, piece, count in tries:
        moved = move(table, piece, count, partners)
        if not moved:
            continue
        after, captures = moved
        rest = list(parts)
        if pips:
            rest.remove(pips)
        step = space(piece, table[piece]), space(piece, after[piece])
        for further, end, steps in ways(after, seat, tuple(rest), piece if captures else None, partners):
            found.append((pips + further, end, (step, *steps)))
    return found


def entering_ways(table, seat):
    """PRN-2, PRN-3 and PRN-8: a piece leaves the nest, and may take the bonus of a capture; () where none can."""
    nest = sorted(piece for piece in table if piece[0] == seat and table[piece] == NEST)
    landed = land(table, nest[0], 0, True, set()) if nest else None
    if not landed:
        return []
    after, captures = landed
    step = space(nest[0], NEST), space(nest[0], 0)
    catcher = nest[0] if captures else None
    return [(0, end, (step, *steps)) for _, end, steps in ways(after, seat, (), catcher, pairs(table, seat))]


def pairs(table, seat):
    """The blockades of `seat`, as pairs of pieces (PRN-10)."""
    own = [piece for piece in table if piece[0] == seat and table[piece] not in (NEST, HOME)]
    return {frozenset((a, b)) for a in own for b in own if a < b and table[a] == table[b]}


def plays(state, roll):
    """Every complete play of `roll` (STATE as in FORMATS), as a set of (steps, outcome).

    An outcome is (pieces, due) or, when the game is over, (pieces, winner).
    """
    seat, seats = state["due"], state["seats"]
    table = {(int(s), n): p for s, given in state["pieces"].items() for n, p in enumerate(sorted(given))}
    found = entering_ways(table, seat) if sum(roll) == 5 else []
    if not found:
        double = len(roll) == 2 and roll[0] == roll[1]
        parts = tuple(roll) + ((7 - roll[0],) * 2 if double else ())  # PRN-6
        found = ways(table, seat, parts, None, pairs(table, seat))
    most = max(pips for pips, _, _ in found)
    order = [s for s in (0, 3, 2, 1) if s in seats]  # COM-2
    due = order[(order.index(seat) + 1) % len(order)]
    return {
        (steps, outcome(end, seat, due)) for pips, end, steps in found if pips == most or all_home(end, seat)
    }


def outcome(table, seat, due):
    seats = sorted({owner for owner, _ in table})
    pieces = tuple((s, tuple(sorted(p for (owner, _), p in table.items() if owner == s))) for s in seats)
    return (pieces, "won", seat) if all_home(table, seat) else (pieces, due)
