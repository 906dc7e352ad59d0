"""Aggravation's objections in words, by rule id. The facts are those of `aggravation_objections`.

COM-4 has another where a shortcut, which may be left, could be played too: optional.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.referee.phrases import Facts, Names, before_roll, dice_words, listed, name_of, place, where


def _holes(count: int) -> str:
    return f"{count} hole" + "s" * (count != 1)


def _must_move(who: str, facts: Facts, names: Names) -> str:
    how = " without a shortcut" if facts.get("optional") else ""
    if "plays" in facts:
        due, plays = name_of(names, facts["due"]), names.get(facts["plays"], "another player")
        return f"{due} rolled {_die(facts)}, and one of {plays}'s marbles can move{how}, and so must."
    return f"{who} rolled {_die(facts)} and can move{how}, and so must."


def _leaves(who: str, facts: Facts, names: Names) -> str:
    return f"{who} rolled {_die(facts)} and leaves the shortcut."


def _starts(who: str, facts: Facts, names: Names) -> str:
    if "space" in facts:
        return f"A marble that leaves the base starts in {who}'s START hole, {place(facts['start'], names)}."
    return f"{who} rolled {dice_words(facts['dice'])}: a marble leaves the base only with a 1 or a 6."


def _on_start(who: str, facts: Facts, names: Names) -> str:
    if facts.get("astray"):
        return _aggravated(who, facts, names)
    return f"{who}'s own marble is in the START hole: it has to move on before the next one starts."


def _count(who: str, facts: Facts, names: Names) -> str:
    if facts.get("before_roll"):
        return before_roll(who, facts, "First the die, then the marble.")
    if facts.get("nowhere"):
        return f"{who}'s marble has no place {_where(facts['space'], names)}."
    if facts.get("backwards"):
        return f"{who}'s marble went backwards. Marbles move clockwise only."
    return f"{who}'s marble moved {_holes(facts['count'])}, but the die shows {dice_words(facts['dice'])}."


def _where(space: str, names: Names) -> str:
    return where(space, names) if space else "beside the board"


def _own_marble(who: str, facts: Facts, names: Names) -> str:
    spot = where(facts["space"], names)
    if facts.get("landing"):
        return f"{who}'s own marble is already {spot}: nobody lands on a marble of their own."
    return f"{who} jumped a marble of the same colour, {spot}. Only other players' marbles may be jumped."


def _aggravated(who: str, facts: Facts, names: Names) -> str:
    owner = facts["seat"]
    return f"{name_of(names, owner)}'s marble is aggravated: it goes back to {names.get(owner, 'its')}'s base."


def _partner_aggravated(who: str, facts: Facts, names: Names) -> str:
    return f"{_aggravated(who, facts, names)} Partners are no exception."


def _past_home(who: str, facts: Facts, names: Names) -> str:
    return f"{who}'s marble went past its own HOME. It turns in there, and reaches a HOME hole by exact count."


def _home(who: str, facts: Facts, names: Names) -> str:
    if "lane_of" in facts:
        return f"That is {place(facts['space'], names)}: {who}'s marbles go into their own HOME only."
    if facts.get("from_home"):
        return f"{who}'s marble is HOME already, and stays there."
    return f"A HOME hole is reached by exact count: this one was {facts['count']} away, the die shows {_die(facts)}."


def _die(facts: Facts) -> str:
    return dice_words(facts["dice"])


def _star_run(who: str, facts: Facts, names: Names) -> str:
    if facts.get("beyond"):
        return f"{who}'s marble ran past the star nearest its own HOME, {place(facts['star'], names)}: it leaves there."
    return f"This star run counts {facts['count']}, but the die shows {_die(facts)}: each star is one count."


def _passed_star(who: str, facts: Facts, names: Names) -> str:
    star = where(facts["star"], names)
    return f"{who}'s marble only passed the star {star}: it runs the stars from a star where it stood before."


def _into_center(who: str, facts: Facts, names: Names) -> str:
    if facts.get("on_star"):
        return f"From a star only a 1 leads into the centre, and {who} rolled {_die(facts)}."
    if not facts["count"]:
        return f"{who}'s marble has no star ahead from which it could turn into the centre."
    if facts["count"] > 6:
        return f"{who}'s marble was still {_holes(facts['count'])} away from the centre: no roll leads that far."
    return f"Into the centre leads an exact {facts['count']} from there, and {who} rolled {_die(facts)}."


def _out_of_center(who: str, facts: Facts, names: Names) -> str:
    if "space" in facts:
        return f"Out of the centre a marble goes to a star, and {_spot(facts['space'], names)} is none."
    return f"Only a 1 leads out of the centre, and {who} rolled {_die(facts)}."


def _spot(space: str, names: Names) -> str:
    return place(space, names) if space else "beside the board"


def _for_another(who: str, facts: Facts, names: Names) -> str:
    if facts.get("declare"):
        mates = listed([names.get(seat, f"player {seat}") for seat in facts["teammates"]], "or")
        due = name_of(names, facts["due"])
        return f"{due} is all HOME. Before rolling, {due} says who plays the roll: {mates}."
    due, plays = name_of(names, facts["due"]), names.get(facts["plays"], "another player")
    return f"{due}'s marbles are all HOME: this roll is played with {plays}'s marbles."


SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "COM-4": _must_move,
    "AGG-1": _starts,
    "AGG-3": _on_start,
    "AGG-4": _count,
    "AGG-5": _own_marble,
    "AGG-6": _aggravated,
    "AGG-8": _past_home,
    "AGG-9": _home,
    "AGG-10": _star_run,
    "AGG-11": _passed_star,
    "AGG-12": _into_center,
    "AGG-13": _out_of_center,
    "AGG-15": _leaves,
    "AGG-18": _partner_aggravated,
    "AGG-20": _for_another,
    "AGG-22": _for_another,
}
