"""Parcheesi's objections in words, by rule id. The facts are those of `parcheesi_objections`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.model import Step
from companion.referee.phrases import Facts, Names, before_roll, captured, dice_words, name_of, place, spaces, where


def _enters(who: str, facts: Facts, names: Names) -> str:
    if facts.get("one_used"):
        return f"{who} used one die of the five already, so the five is gone and no pawn may enter with it."
    if facts.get("five_used"):
        return f"{who} used the five already: each five brings in one pawn."
    if "space" in facts:
        return f"A pawn that leaves the circle enters on {who}'s entry space, and nowhere else."
    return f"{who} rolled {dice_words(facts['dice'])}: a pawn enters only with a five (5, 4 and 1, or 3 and 2)."


def _must_enter(who: str, facts: Facts, names: Names) -> str:
    five = "total of five" if facts.get("total") else "five"
    return f"{who} has a {five} and a pawn waiting in the circle: that pawn must enter with it."


def _count(who: str, facts: Facts, names: Names) -> str:
    if facts.get("before_roll"):
        return before_roll(who, facts, "First the dice, then the pawn.")
    if facts.get("nowhere"):
        return f"There is no place for {who}'s pawn {where(facts['space'], names)}."
    if facts.get("backwards"):
        return f"{who}'s pawn went backwards. Pawns move forward only, along the arrows."
    if facts["total"]:
        return f"{who}'s pawn moved {spaces(facts['count'])} in one go: after each number it must be able to land."
    return f"{who}'s pawn moved {spaces(facts['count'])}, but {_left(facts)}."


def _left(facts: Facts) -> str:
    dice, parts = facts["dice"], facts["parts"]
    if not parts:
        return f"the dice ({dice_words(dice)}) are played"
    if not facts["whole"]:
        return f"of the roll only {dice_words(parts)} {_is(parts)} left"
    return f"the dice show {dice_words(dice)}" if len(parts) == len(dice) else f"the doublets give {dice_words(parts)}"


def _is(parts: Sequence[int]) -> str:
    return "is" if len(parts) == 1 else "are"


def _more_dice(who: str, facts: Facts, names: Names) -> str:
    if facts.get("unfinished"):
        some = facts["possible"] < len(facts["parts"])
        numbers = " or ".join(map(str, facts["playable"])) if some else dice_words(facts["parts"])
        return f"{who} can still play {numbers}: as many dice as possible must be used."
    return f"{who} could use more of the dice in another way, and as many as possible must be used."


def _third(who: str, facts: Facts, names: Names) -> str:
    return "Two pawns already stand there, and a space holds no more than two."


def _safe(who: str, facts: Facts, names: Names) -> str:
    return f"{name_of(names, facts['seat'])}'s pawn is safe on that space: nobody else may land there."


def _not_home(who: str, facts: Facts, names: Names) -> str:
    return captured(names, facts["seat"])


def _blockade(who: str, facts: Facts, names: Names) -> str:
    owner = name_of(names, facts["seat"])
    end = "nobody may land there" if facts.get("landing") else "nothing passes"
    too = f", not even {owner}" if facts.get("own") else ""
    return f"{owner}'s two pawns are a blockade: {end}{too}."


def _together(who: str, facts: Facts, names: Names) -> str:
    return f"{who}'s two pawns were a blockade: they may not stand together again in the same roll."


def _own_way(who: str, facts: Facts, names: Names) -> str:
    if facts.get("exact"):
        return f"{who}'s pawn reaches HOME only by exact count."
    if facts.get("from_home"):
        return f"{who}'s pawn is HOME already, and stays there."
    if "lane_of" in facts:
        lane = place(f"lane{facts['lane_of']}.1", names)
        return f"That is {lane}: a pawn goes up its own lane only."
    return f"{who}'s pawn went past its own lane. It turns in there, and reaches HOME by exact count."


def _all_four(who: str, facts: Facts, names: Names) -> str:
    rolled = f"{who} rolled doublets with all pawns out"
    if facts.get("unfinished"):
        return f"{rolled}: all four moves must be played, {_still(facts)}."
    if not facts["possible"]:
        return f"{rolled}, and {dice_words(facts['parts'])} cannot all be played: so nothing is moved."
    numbers = f" ({dice_words(facts['parts'])})" if len(facts["parts"]) == 4 else ""
    return f"{rolled}: all four moves{numbers} or none, and after this one the others could not all be played."


def _still(facts: Facts) -> str:
    return f"{dice_words(facts['parts'])} {_is(facts['parts'])} still to come"


_THIRD = "third doublets in a row"


def _penalty(who: str, facts: Facts, names: Names) -> str:
    if not facts.get("nearest"):
        return f"These are {who}'s {_THIRD}: nothing is moved, and the turn is over."
    return f"These are {who}'s {_THIRD}: only the pawn nearest to HOME goes back to the circle."


def _penalty_due(who: str, step: Step, names: Names) -> str:
    return f"{who}, these are your {_THIRD}: the pawn {where(step.origin, names)} goes back to the circle."


def _bonus(why: str) -> Callable[[str, Facts, Names], str]:
    def write(who: str, facts: Facts, names: Names) -> str:
        if facts.get("dice_first"):
            return f"The bonus of {facts['bonus']} for {why} comes after the dice are played."
        if facts.get("unfinished"):
            return f"{who} has a bonus of {facts['bonus']} for {why}, and a pawn can move it: so it must."
        return f"{who} has a bonus of {facts['bonus']} for {why}: one pawn moves all of it."

    return write


def _whole_bonus(who: str, facts: Facts, names: Names) -> str:
    if facts.get("entering"):
        return "A bonus never brings a pawn out of the circle."
    return f"A bonus of {dice_words(facts['bonuses'])} is moved in full, by one pawn."


DUTIES: Mapping[str, Callable[[str, Step, Names], str]] = {"penalty": _penalty_due}
"""What a step is by → what is said while it is the only one that is due (PAR-16)."""

SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "PAR-1": _enters,
    "PAR-2": _must_enter,
    "PAR-4": _count,
    "PAR-5": _more_dice,
    "PAR-6": _third,
    "PAR-7": _not_home,
    "PAR-8": _safe,
    "PAR-9": _not_home,
    "PAR-10": _blockade,
    "PAR-11": _together,
    "PAR-12": _own_way,
    "PAR-15": _all_four,
    "PAR-16": _penalty,
    "PAR-17": _bonus("the capture"),
    "PAR-18": _bonus("coming HOME"),
    "PAR-19": _whole_bonus,
}
