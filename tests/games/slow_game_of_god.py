"""Game of God derived a second time, slowly and obviously, straight from the rules; shares nothing with the engine.

A state is STATE of FORMATS. `moves` gives every move with what it leads to, `challenged` what a challenge can come to.
"""

COLUMNS = "abcdefghijkl"


class Table:
    """A STATE, with its numbers read out."""

    def __init__(self, state: dict) -> None:
        self.state = state
        self.size = state["options"].get("size", 8)
        self.seats = [s for s in "NESW" if s in state["seats"]]
        self.squares = {name: stack for name, stack in state["squares"].items() if stack}
        self.all = [f"{c}{r}" for c in COLUMNS[: self.size] for r in range(1, self.size + 1)]

    def column(self, name):
        return COLUMNS.index(name[0]) + 1

    def row(self, name):
        return int(name[1:])

    def is_corner(self, name):
        return {self.column(name), self.row(name)} <= {1, self.size}

    def edge_of(self, name):
        """Whose goal area a square is in; "" for the active area, "dead" for a corner that is out of the game."""
        if len(self.seats) == 4 and self.is_corner(name):
            return "dead"
        if self.row(name) == self.size:
            return "N"
        if self.row(name) == 1:
            return "S"
        if len(self.seats) == 4 and self.column(name) == self.size:
            return "E"
        if len(self.seats) == 4 and self.column(name) == 1:
            return "W"
        return ""

    def between(self, origin, target):
        columns = sorted((self.column(origin), self.column(target)))
        rows = sorted((self.row(origin), self.row(target)))
        return [
            name
            for name in self.all
            if columns[0] <= self.column(name) <= columns[1] and rows[0] <= self.row(name) <= rows[1]
            if name not in (origin, target)
        ]

    def goes_forward(self, seat, origin, target):
        right = self.column(target) - self.column(origin)
        up = self.row(target) - self.row(origin)
        return {"N": up < 0 == right, "S": up > 0 == right, "E": right < 0 == up, "W": right > 0 == up}[seat]

    def may_move(self, seat, origin, target):
        stack = self.squares.get(origin, "")
        if not stack or stack[-1] != seat:  # GOD-9: only a top piece moves
            return False
        if self.edge_of(origin) not in (seat, ""):  # GOD-7
            return False
        if (self.column(origin) == self.column(target)) == (self.row(origin) == self.row(target)):  # GOD-5: straight
            return False
        if self.edge_of(origin) == seat and not self.goes_forward(seat, origin, target):  # GOD-6
            return False
        if self.edge_of(target) in (seat, "dead"):  # GOD-6
            return False
        if any(name in self.squares for name in self.between(origin, target)):  # GOD-5
            return False
        return set(self.squares.get(target, "")) <= {seat}  # GOD-5, GOD-9

    def after(self, origin, target):
        squares = dict(self.squares)
        squares[target] = squares.get(target, "") + squares[origin][-1]
        squares[origin] = squares[origin][:-1]
        return {name: stack for name, stack in squares.items() if stack}

    def next_after(self, seat):
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def brought(self, seat):
        """How many pieces of a seat are in opponents' goal areas."""
        return sum(s.count(seat) for name, s in self.squares.items() if self.edge_of(name) not in ("", seat))

    def has_won(self, seat):
        return self.brought(seat) == sum(stack.count(seat) for stack in self.squares.values())

    def challenges(self, moved):
        """GOD-11."""
        seat = self.squares[moved][-1]
        return sorted(
            name
            for name, stack in self.squares.items()
            if len(stack) == 1 and stack != seat
            if self.edge_of(name) == "" == self.edge_of(moved)
            if abs(self.column(name) - self.column(moved)) + abs(self.row(name) - self.row(moved)) == 1
        )

    def leaders(self):
        most = max(map(self.brought, self.seats))
        return [seat for seat in self.seats if self.brought(seat) == most]

    def with_(self, squares, due):
        return Table(self.state | {"squares": squares, "due": due})


def moves(state: dict) -> list[dict]:
    """Every move of the seat due: squares after it, who is due, moved, challenges, winner."""
    table, found = Table(state), []
    seat = state["due"]
    for origin in table.squares:
        for target in table.all:
            if table.may_move(seat, origin, target):
                after = table.with_(table.after(origin, target), table.next_after(seat))
                found.append({
                    "squares": after.squares,
                    "due": after.state["due"],
                    "moved": [origin, target],
                    "challenges": after.challenges(target),
                    "winner": [seat] if after.has_won(seat) else None,
                })
    return found


def challenged(state: dict, challenger: str, moved: str, target: str, throws: list[int]) -> list[tuple[dict, str]]:
    """(squares, due) of everything that the throws can come to (GOD-12, GOD-13)."""
    table = Table(state)
    if throws[0] > throws[1]:
        return [(table.after(moved, target), table.next_after(challenger))]
    if throws[0] == throws[1]:
        return [(table.squares, table.next_after(challenger))]
    winner = table.squares[target]
    return [(table.squares, winner), (table.after(target, moved), winner)]
