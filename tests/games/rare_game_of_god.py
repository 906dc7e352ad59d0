"""Random states of Game of God with a taste for the rare: crowds, traps, towers, nearly won, nearly stuck."""

from random import Random

COLUMNS = "abcdefghijkl"
KINDS = ("any", "crowd", "late", "stuck", "start", "row")


def state(rng: Random) -> dict:
    """A possible STATE in which nobody has won."""
    while True:
        found = _Maker(rng).state()
        if found is not None:
            return found


class _Maker:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.four = rng.random() < 0.45
        self.seats = list("NESW") if self.four else ["N", "S"]
        self.size = rng.choice((8, 8, 8, 6, 6, 7, 10, 12))
        self.edge = self.size - 2 if self.four else self.size
        self.pairs = rng.choice((self.edge - 1, self.edge - 1, 1, 1, 2, 3, self.edge))
        self.kind = rng.choice(KINDS)
        self.squares: dict[str, str] = {}
        self.left = dict.fromkeys(self.seats, 2 * self.pairs)

    def state(self):
        for seat in self.seats:
            self.own_goal(seat)
        for seat in self.seats:
            self.brought(seat)
        for _ in range(self.rng.choice((0, 0, 1, 2, 4))):
            self.trap()
        for seat in self.seats:
            self.place(seat)
        if any(self.left.values()) or not all(self.is_out(seat) for seat in self.seats):
            return None
        options = {}
        if self.size != 8:
            options["size"] = self.size
        if self.pairs != self.edge - 1:
            options["pairs"] = self.pairs
        seats = self.seats if self.rng.random() < 0.8 else self.rng.sample(self.seats, len(self.seats))
        due = self.rng.choice(self.seats)
        return {"game": "game-of-god", "options": options, "seats": seats, "due": due, "squares": self.squares}

    def goal(self, seat):
        last, inner = self.size, range(2, self.size) if self.four else range(1, self.size + 1)
        return {
            "N": [f"{COLUMNS[n - 1]}{last}" for n in inner],
            "S": [f"{COLUMNS[n - 1]}1" for n in inner],
            "E": [f"{COLUMNS[last - 1]}{n}" for n in inner],
            "W": [f"a{n}" for n in inner],
        }[seat]

    def active(self):
        columns = COLUMNS[1 : self.size - 1] if self.four else COLUMNS[: self.size]
        return [f"{c}{r}" for c in columns for r in range(2, self.size)]

    def put(self, name, stack):
        self.squares[name] = stack
        for piece in stack:
            self.left[piece] -= 1

    def own_goal(self, seat):
        share = {"start": 0.9, "late": 0.1, "stuck": 0.1}.get(self.kind, 0.4)
        for name in self.goal(seat)[: self.pairs]:
            if self.rng.random() < share:
                self.put(name, seat * min(self.rng.choice((1, 2, 2)), max(self.left[seat], 1)))

    def brought(self, seat):
        share = {"late": 0.9, "stuck": 0.8, "start": 0.1}.get(self.kind, 0.3)
        free = [name for o in self.seats if o != seat for name in self.goal(o) if name not in self.squares]
        while free and self.left[seat] > 0 and self.rng.random() < share:
            self.put(free.pop(self.rng.randrange(len(free))), seat * self.rng.randint(1, self.left[seat]))

    def trap(self):
        under, over = self.rng.sample(self.seats, 2)
        free = self.free()
        if self.left[under] > 0 and self.left[over] > 0 and free:
            self.put(self.rng.choice(free), under * self.rng.choice((1, 1, self.left[under])) + over)

    def free(self):
        return [name for name in self.active() if name not in self.squares]

    def place(self, seat):
        """What is left stands in the active area: alone, in stacks, close together, or in one row."""
        while self.left[seat] > 0:
            free = self.free()
            near = [name for name in free if any(self.near(name, other) for other in self.squares)]
            row = [name for name in free if name[1:] == "3" or name[0] == "c"]
            free = near if self.kind in ("crowd", "stuck") and near else row if self.kind == "row" and row else free
            if not free:
                return
            self.put(self.rng.choice(free), seat * self.rng.choice((1, 1, 1, 2, self.left[seat])))
            if self.left[seat] < 0:
                return

    def near(self, name, other):
        column, row = abs(ord(name[0]) - ord(other[0])), abs(int(name[1:]) - int(other[1:]))
        return column + row == 1

    def is_out(self, seat):
        """Whether a piece of `seat` is not yet brought: nobody has won."""
        away = {name for other in self.seats if other != seat for name in self.goal(other)}
        return any(seat in stack for name, stack in self.squares.items() if name not in away)
