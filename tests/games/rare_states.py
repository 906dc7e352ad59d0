"""Random Parcheesi states with a taste for the rare: blockades, crowded entries, pawns near home, victims."""

from collections import Counter
from random import Random

HOME = 71


def state_and_roll(rng: Random) -> tuple[dict, list[int]]:
    """A possible STATE and a roll for it."""
    while True:
        state = _state(rng)
        if _is_possible(state):
            return state, _roll(rng)


def _roll(rng):
    if rng.random() < 0.35:
        return [rng.randint(1, 6)] * 2
    if rng.random() < 0.3:
        return rng.choice([[1, 4], [4, 1], [2, 3], [3, 2], [5, rng.randint(1, 6)], [rng.randint(1, 6), 5]])
    return [rng.randint(1, 6), rng.randint(1, 6)]


def _state(rng):
    seats = rng.sample(range(4), rng.choice((2, 2, 3, 4)))
    due = rng.choice(seats)
    own = _pawns(rng)
    pieces = {due: own}
    for seat in seats:
        if seat != due:
            pieces[seat] = [_victim(rng, due, own, seat) if rng.random() < 0.6 else p for p in _pawns(rng)]
            if rng.random() < 0.4:
                pieces[seat][0] = pieces[seat][1]
    return {
        "game": "parcheesi",
        "options": {},
        "seats": seats,
        "due": due,
        "pieces": {str(seat): sorted(pieces[seat]) for seat in seats},
        "doublets": rng.choice((0, 0, 0, 1, 2)),
    }


def _pawns(rng):
    kind = rng.choice(("any", "base", "late", "entry", "pairs", "last", "close", "lane"))
    if kind == "base":
        return [rng.choice((-1, -1, -1, 0, rng.randint(0, 70))) for _ in range(4)]
    if kind == "late":
        return [rng.choice((HOME, rng.randint(50, 70), rng.randint(58, 71))) for _ in range(4)]
    if kind == "entry":
        return [rng.choice((-1, 0, 0, rng.randint(0, 12))) for _ in range(4)]
    if kind == "pairs":
        first = rng.randint(0, 70)
        second = first + rng.choice((1, 2, 3, 4, 5, 6, 7, 10, 20, -3, -6))
        return [first, first] + [min(max(second, -1), HOME)] * 2
    if kind == "last":
        return [HOME, HOME, rng.choice((HOME, rng.randint(40, 71))), rng.randint(55, 70)]
    if kind == "close":
        start = rng.randint(0, 64)
        return [min(HOME, start + rng.randint(0, 7)) for _ in range(4)]
    if kind == "lane":
        return [rng.randint(60, HOME) for _ in range(4)]
    return [rng.randint(-1, HOME) for _ in range(4)]


def _victim(rng, due, own, seat):
    """A pawn of `seat` where a pawn of `due` may soon land, or on the entry of `due`."""
    progress = rng.choice(own) + rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 20, 21, 26, 30))
    if rng.random() < 0.15:
        progress = 0
    if not 0 <= progress <= 63:
        return -1
    there = (17 * due + progress - 17 * seat) % 68
    return there if there <= 63 else -1


def _is_possible(state):
    spaces = {}
    for seat, pawns in state["pieces"].items():
        if all(p == HOME for p in pawns):
            return False
        for p, count in Counter(pawns).items():
            if count > 2 and p not in (-1, HOME):
                return False
            if 0 <= p <= 63 and spaces.setdefault((17 * int(seat) + p) % 68, seat) != seat:
                return False
    return True
