"""Random Gloria states with a taste for the rare: pawns near home, on starts, on each other's heels, openings."""

from random import Random


def state_and_roll(rng: Random) -> tuple[dict, list[int]]:
    """A possible STATE and a roll for it."""
    while True:
        state = _state(rng)
        if _is_possible(state):
            return state, _roll(rng, state)


def _roll(rng, state):
    opens = "opened" in state and state["due"] not in state["opened"]
    faces = (1, 2, 3, 4, 5, 6, 6, 6)
    return [rng.choice(faces) for _ in range(state["options"]["opening_dice"] if opens else 1)]


def _state(rng):
    options = {}
    if rng.random() < 0.5:
        options["home"] = rng.choice(("spaces", "center", "center"))
    if rng.random() < 0.5:
        options["opening_dice"] = rng.choice((1, 2, 3, 3))
    if rng.random() < 0.5:
        options["six_again"] = rng.choice((False, True))
    end = 45 if options.get("home") == "center" else 44
    seats = rng.sample(range(4), rng.choice((2, 2, 3, 4)))
    due = rng.choice(seats)
    own = _pawns(rng, end)
    pieces = {due: own}
    for seat in seats:
        if seat != due:
            pieces[seat] = [_victim(rng, due, own, seat) if rng.random() < 0.6 else p for p in _pawns(rng, end)]
    state = {"game": "gloria", "options": options, "seats": seats, "due": due,
             "pieces": {str(seat): sorted(pieces[seat]) for seat in seats}}
    if options.get("opening_dice", 1) > 1:
        state["opened"] = sorted(s for s in seats if max(pieces[s]) > -1 or rng.random() < 0.3)
    return state


def _pawns(rng, end):
    kind = rng.choice(("any", "base", "base", "late", "start", "close", "lane"))
    if kind == "base":
        return [-1] * 4 if rng.random() < 0.7 else [-1, -1, -1, rng.choice((0, 40, rng.randint(0, end)))]
    if kind == "late":
        return [rng.choice((end, rng.randint(34, end))) for _ in range(4)]
    if kind == "start":
        return [rng.choice((-1, 0)), rng.choice((-1, 40, 34)), -1, rng.randint(-1, end)]
    if kind == "close":
        start = rng.randint(0, end - 7)
        return [start + rng.randint(0, 7) for _ in range(4)]
    if kind == "lane":
        return [rng.randint(38, end) for _ in range(4)]
    return [rng.randint(-1, end) for _ in range(4)]


def _victim(rng, due, own, seat):
    """A pawn of `seat` where a pawn of `due` may soon land, or on the start of `due`."""
    progress = 0 if rng.random() < 0.3 else rng.choice(own) + rng.randint(1, 6)
    there = (10 * due + progress - 10 * seat) % 40
    return rng.choice((0, 40)) if there == 0 else there


def _is_possible(state):
    spaces = set()
    end = 45 if state["options"].get("home") == "center" else 44
    for seat, pawns in state["pieces"].items():
        if sorted(pawns) == ([45] * 4 if end == 45 else [41, 42, 43, 44]):
            return False
        for p in pawns:
            if p in (-1, 45):
                continue
            name = (seat, p) if p > 40 else (10 * int(seat) + p) % 40
            if name in spaces:
                return False
            spaces.add(name)
    return True
