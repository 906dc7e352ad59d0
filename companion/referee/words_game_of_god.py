"""Game of God's objections in words, by rule id. The facts are those of `game_of_god_objections`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.referee.phrases import Facts, Names, name_of, place


def _line(who: str, facts: Facts, names: Names) -> str:
    if facts.get("again"):
        return f"{who} has moved already, to {place(facts['space'], names)}. Only one piece moves in a turn."
    if facts.get("whole"):
        return f"{who} moved the whole stack from {place(facts['space'], names)}: only its top piece can move."
    if facts.get("nowhere"):
        return f"{who}'s piece must go to another square, in one straight line."
    if facts.get("bent"):
        corner = " And the corners stay vacant." if facts.get("corner") else ""
        return f"A piece moves in one straight line, never diagonally and never around a corner.{corner}"
    if facts.get("over"):
        return _over(who, facts, names)
    owner, square = name_of(names, facts["seat"]), place(facts["space"], names)
    if facts.get("lone"):
        return f"{owner}'s piece stands on {square}. What stops beside it may challenge it: only dice can trap it."
    stand = "piece stands" if facts["pieces"] == 1 else "pieces stand"
    return f"{owner}'s {stand} on {square}: nobody else may land there."


def _over(who: str, facts: Facts, names: Names) -> str:
    square = place(facts["space"], names)
    if facts.get("own") and not facts["may_stop"]:
        return f"{who}'s own piece on {square} is in the way, on a closed stack: nothing stops on it or goes past it."
    if facts.get("own"):
        return f"{who}'s own piece on {square} is in the way. A piece may stop on it, but not go past it."
    return f"{name_of(names, facts['seat'])}'s piece on {square} is in the way: nothing passes over it."


def _goal(who: str, facts: Facts, names: Names) -> str:
    if facts.get("entered"):
        return f"{place(facts['space'], names)} is in {who}'s own goal area: a piece never comes back into it."
    return f"Out of its own goal area {who}'s piece moves only straight forward, away from the edge."


def _frozen(who: str, facts: Facts, names: Names) -> str:
    goal = f"{name_of(names, facts['seat'])}'s goal area"
    return f"{who}'s piece on {place(facts['space'], names)} has reached {goal}: it stays there for good."


def _trapped(who: str, facts: Facts, names: Names) -> str:
    square = place(facts["space"], names)
    if facts.get("closed"):
        return f"The stack on {square} holds two players' pieces, so it is closed: nothing more goes on it."
    trapper = name_of(names, facts["seat"])
    return f"{who}'s piece on {square} is trapped: it has to wait until {trapper}'s piece on top moves away."


def _challenger_places(who: str, facts: Facts, names: Names) -> str:
    square = place(facts["space"], names)
    if facts.get("before_throws"):
        return f"First the dice: both players throw for the challenge of {square}, and then a piece may be moved."
    origin = place(facts["origin"], names)
    return f"{who} won the challenge{_throws(facts)}: the piece on {origin} must now go on top of the one on {square}."


def _challenged_places(who: str, facts: Facts, names: Names) -> str:
    origin, square = place(facts["origin"], names), place(facts["space"], names)
    choice = f"put the piece from {origin} on {square}, or leave it"
    return f"{who} won the challenge{_throws(facts)}: now {choice}. The next move comes after that."


def _stuck(who: str, facts: Facts, names: Names) -> str:
    return f"{who} cannot move, so the game ends: the most pieces in goal areas win."


def _throws(facts: Facts) -> str:
    throws = sorted(facts.get("throws", ()), reverse=True)
    return f", {throws[0]} to {throws[1]}" if len(throws) == 2 else ""


SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "GOD-5": _line,
    "GOD-6": _goal,
    "GOD-7": _frozen,
    "GOD-9": _trapped,
    "GOD-12": _challenger_places,
    "GOD-13": _challenged_places,
    "GOD-15": _stuck,
}
