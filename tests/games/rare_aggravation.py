"""Random Aggravation states with a taste for the rare: stars, the centre, crowded HOMEs, helpers, victims."""

TABLES = (
    ((0, 2), {}),
    ((1, 0, 3), {}),
    ((0, 1, 2, 3), {}),
    ((0, 1, 2, 3, 5), {}),
    ((0, 1, 2, 3, 4, 5), {"play": "single"}),
    ((5, 2), {"arms": 6}),
    ((0, 1, 2, 3), {"play": "partners"}),
    ((0, 1, 2, 3, 4, 5), {"play": "partners"}),
    ((1, 2, 5, 4), {"play": "partners", "arms": 6}),
    ((0, 1, 2, 3, 4, 5), {"play": "teams", "arms": 6}),
    ((5, 4, 3, 2, 1, 0), {"play": "teams"}),
)
CENTER = 900


def rare_state(rng):
    """A possible STATE in which the game goes on, with `player` wherever a roll needs one."""
    while True:
        state = _state(rng)
        if _is_possible(state):
            return state


def _state(rng):
    seats, options = rng.choice(TABLES)
    track = 14 * _arms(seats, options)
    due = rng.choice(seats)
    pieces = {due: _marbles(rng, track)}
    helped = options.get("play", "single") != "single" and rng.random() < 0.5
    if helped:
        pieces[due] = list(range(track - 1, track + 3))
    for seat in seats:
        if seat != due:
            pieces[seat] = _others(rng, track, due, pieces[due], seat, helped)
    if helped and rng.random() < 0.5:
        _all_but_one_home(rng, track, pieces, _side({"seats": seats, "options": options}, due), due)
    state = {"game": "aggravation", "options": dict(options), "seats": list(seats), "due": due}
    state["pieces"] = {str(seat): sorted(pieces[seat]) for seat in seats}
    out = [mate for mate in _side(state, due) if mate != due and not _home(pieces[mate], track)]
    if _home(pieces[due], track) and out and (len(out) > 1 or rng.random() < 0.5):
        state["player"] = rng.choice(out)
    return state


def _all_but_one_home(rng, track, pieces, side, due):
    """The side's last player still out, often with one marble to go."""
    mates = [seat for seat in side if seat != due]
    for seat in mates:
        pieces[seat] = list(range(track - 1, track + 3))
    pieces[rng.choice(mates)] = _marbles(rng, track, rng.choice(("last", "last", *KINDS)))


KINDS = ("any", "stars", "stars", "approach", "late", "last", "center", "base", "close", "only")


def _marbles(rng, track, kind=None):
    kind = kind or rng.choice(KINDS)
    star = rng.choice(range(5, track, 14))
    if kind == "stars":
        return [rng.choice((star, rng.choice(range(5, track, 14)), star + rng.randint(-6, 6))) for _ in range(4)]
    if kind == "approach":
        return [max(0, star - rng.randint(0, 6)) for _ in range(3)] + [rng.choice((-1, CENTER, star))]
    if kind == "late":
        return [track - 12 + rng.randint(0, 14) for _ in range(4)]
    if kind == "last":
        first, *home = rng.sample(range(track - 1, track + 3), 4)
        return [*home, rng.choice((CENTER, first - rng.randint(1, 6), first - rng.randint(1, 9), track - 9, 5))]
    if kind == "only":
        own, roll = track - 9, rng.randint(4, 6)
        return [own + 1 - roll, own + 1, rng.randint(own + 2, own + 1 + roll), rng.randint(track - 4, track + 2)]
    if kind == "center":
        return [CENTER] + [rng.choice((-1, star, rng.choice(range(5, track, 14)))) for _ in range(3)]
    if kind == "base":
        return [rng.choice((-1, -1, 0, rng.randint(0, 12))) for _ in range(4)]
    if kind == "close":
        return [min(track + 2, star + rng.randint(-4, 9)) for _ in range(4)]
    return [rng.choice((rng.randint(-1, track + 2), -1)) for _ in range(4)]


def _others(rng, track, due, own, seat, helped):
    if helped and rng.random() < 0.3:
        return list(range(track - 1, track + 3))
    return [_victim(rng, track, due, own, seat) if rng.random() < 0.5 else p for p in _marbles(rng, track)]


def _victim(rng, track, due, own, seat):
    """A marble of `seat` where a marble of `due` may soon land."""
    near = rng.choice(own)
    if near == CENTER or rng.random() < 0.1:
        return CENTER if near != CENTER else rng.choice(range(5, track, 14))
    there = (14 * (due - seat) + max(near, 0) + rng.choice((0, 1, 2, 3, 4, 5, 6, 14, 15, 16, 28))) % track
    return there if there <= track - 2 else -1


def _arms(seats, options):
    return options.get("arms", 6 if len(seats) > 4 else 4)


def _home(marbles, track):
    return all(track - 1 <= p <= track + 2 for p in marbles)


def _side(state, seat):
    arms = _arms(state["seats"], state["options"])
    step = {"single": arms, "partners": arms // 2, "teams": 2}[state["options"].get("play", "single")]
    return sorted({(seat + step * n) % arms for n in range(3)})


def _is_possible(state):
    track = 14 * _arms(state["seats"], state["options"])
    holes = [
        (14 * int(seat) + p) % track if p <= track - 2 else CENTER if p == CENTER else (seat, p)
        for seat, marbles in state["pieces"].items()
        for p in marbles
        if p != -1
    ]
    over = any(
        all(_home(state["pieces"][str(mate)], track) for mate in _side(state, seat)) for seat in state["seats"]
    )
    return len(set(holes)) == len(holes) and not over
