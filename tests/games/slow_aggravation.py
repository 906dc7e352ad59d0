"""Aggravation once more, slow and obvious, straight from the written rules: to hold the engine against.

Nothing is shared with the engine. Holes are names; a marble's way is the list of the holes that it touches.
Progress is found by walking from START, hole by hole.
"""

from functools import cache

BASE, CENTER = -1, 900


def star(section, arms):
    return f"t{14 * (section % arms)}"


def stars(arms):
    return [star(section, arms) for section in range(arms)]


def following(seat, hole, arms):
    """The hole after `hole` for a marble of `seat`; None after its last HOME hole (AGG-4, AGG-8, AGG-9)."""
    if hole == f"lane{seat}.4":
        return None
    if hole.startswith("lane"):
        return f"lane{seat}.{int(hole[-1]) + 1}"
    if hole == f"t{14 * seat + 7}":
        return f"lane{seat}.1"
    return f"t{(int(hole[1:]) + 1) % (14 * arms)}"


@cache
def road(seat, arms):
    """Every hole of the seat's way from START to its last HOME hole: the index is the progress."""
    holes = [f"t{14 * seat + 9}"]
    while (after := following(seat, holes[-1], arms)) is not None:
        holes.append(after)
    return holes


def named(seat, progress, arms):
    if progress == BASE:
        return f"base{seat}"
    return "center" if progress == CENTER else road(seat, arms)[progress]


def progress_of(seat, hole, arms):
    if hole.startswith("base"):
        return BASE
    return CENTER if hole == "center" else road(seat, arms).index(hole)


def along(seat, hole, count, arms):
    """The holes of `count` counts along the track; None where the way ends before."""
    way = []
    for _ in range(count):
        hole = following(seat, hole, arms)
        if hole is None:
            return None
        way.append(hole)
    return way


def star_ways(seat, hole, roll, arms):
    """AGG-10: hop after hop, and after each the rest of the count along the track."""
    hops = []
    while hole != star(seat, arms) and len(hops) < roll:
        hole = star(int(hole[1:]) // 14 + 1, arms)
        hops.append(hole)
        yield hops + along(seat, hole, roll - len(hops), arms)


def center_way(seat, hole, roll, arms):
    """AGG-12."""
    if hole in stars(arms):
        return ["center"] if roll == 1 else None
    way = along(seat, hole, roll - 1, arms)
    return [*way, "center"] if way and way[-1] in stars(arms) else None


def ways(seat, hole, roll, arms):
    """Every way of one marble as (the holes touched, whether it is a shortcut), whatever stands there."""
    if hole.startswith("base"):
        if roll == 1 or roll == 6:  # AGG-1
            yield [f"t{14 * seat + 9}"], False
        return
    if hole == "center":
        if roll == 1:  # AGG-13
            for end in stars(arms):
                yield [end], False
        return
    plain = along(seat, hole, roll, arms)
    if plain is not None:
        yield plain, False
    if hole in stars(arms):
        for way in star_ways(seat, hole, roll, arms):
            yield way, True
    into = center_way(seat, hole, roll, arms)
    if into is not None:
        yield into, True


def all_home(table, seat):
    return all(hole.startswith("lane") for hole in table[seat])


def side(seat, state):
    """The seats that win together with `seat`."""
    play = state["options"].get("play", "single")
    if play == "single":
        return [seat]
    if play == "partners":
        return sorted({seat, (seat + arms_of(state) // 2) % arms_of(state)})
    return [other for other in range(6) if other % 2 == seat % 2]


def arms_of(state):
    return state["options"].get("arms", 6 if len(state["seats"]) > 4 else 4)


def who_plays(table, state):
    """The seats that may play the roll of the seat due: one, or the two of whom one must be declared."""
    due = state["due"]
    if not all_home(table, due):
        return [due]
    return [mate for mate in side(due, state) if mate != due and not all_home(table, mate)]


def won_by(table, state):
    for seat in sorted(table):
        if all(all_home(table, mate) for mate in side(seat, state)):
            return tuple(side(seat, state))
    return None


def moved(table, seat, origin, end):
    """The table after one marble moved, what it landed on back in its base (AGG-6, AGG-18)."""
    after = {other: list(holes) for other, holes in table.items()}
    for other, holes in after.items():
        if other != seat and end in holes:
            holes[holes.index(end)] = f"base{other}"
    after[seat][after[seat].index(origin)] = end
    return after


def next_due(state, roll):
    """AGG-7 and COM-2."""
    seat = state["due"]
    if roll == 6:
        return seat
    while True:
        seat = (seat + 1) % arms_of(state)
        if seat in state["seats"]:
            return seat


def outcome(table, state, roll):
    arms = arms_of(state)
    pieces = tuple(
        (seat, tuple(sorted(progress_of(seat, hole, arms) for hole in holes))) for seat, holes in sorted(table.items())
    )
    winners = won_by(table, state)
    return (pieces, "won", winners) if winners else (pieces, next_due(state, roll))


def table_of(state):
    arms = arms_of(state)
    return {int(s): [named(int(s), p, arms) for p in given] for s, given in state["pieces"].items()}


def plays(state, roll):
    """Every complete play of `roll` (STATE as in FORMATS, the game not over), as a set of (steps, outcome)."""
    table, arms = table_of(state), arms_of(state)
    seat = state.get("player", who_plays(table, state)[0])
    found, only_shortcuts = set(), True
    for hole in table[seat]:
        for way, shortcut in ways(seat, hole, roll, arms):
            if any(touched in table[seat] for touched in way):  # AGG-3, AGG-5
                continue
            only_shortcuts = only_shortcuts and shortcut
            after = moved(table, seat, hole, way[-1])
            found.add((((hole, way[-1]),), outcome(after, state, roll)))
    if only_shortcuts:  # COM-4, AGG-15
        found.add(((), outcome(table, state, roll)))
    return found
