"""Gloria's objections in words, by rule id. The facts are those of `gloria_objections`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.referee.phrases import Facts, Names, before_roll, captured, dice_words, place, spaces, where


def _question(who: str, facts: Facts, names: Names) -> str:
    return f"{who} moved before rolling. First the question, then the die, then the pawn."


def _enters(who: str, facts: Facts, names: Names) -> str:
    if "space" in facts:
        return f"A pawn that leaves the base enters on {who}'s starting space, and nowhere else."
    return f"{who} rolled {dice_words(facts['dice'])}: a pawn leaves the base only with a 6."


def _round(who: str, facts: Facts, names: Names) -> str:
    if facts.get("no_round"):
        return f"{who}'s pawn has only just entered: it goes all the way round before it turns into its lane."
    if "lane_of" in facts:
        return f"That is {place(facts['space'], names)}: a pawn goes up its own lane only."
    return f"{who}'s pawn has been all the way round: from its starting space it turns up its own lane."


def _count(who: str, facts: Facts, names: Names) -> str:
    if facts.get("before_roll"):
        return before_roll(who, facts, "First the die, then the pawn.")
    if facts.get("nowhere"):
        return f"There is no place for {who}'s pawn {where(facts['space'], names)}."
    if facts.get("backwards"):
        return f"{who}'s pawn went backwards. Pawns move clockwise only."
    return f"{who}'s pawn moved {spaces(facts['count'])}, but {_shown(facts)}."


def _shown(facts: Facts) -> str:
    dice, parts = facts["dice"], facts["parts"]
    if len(dice) == 1:
        return f"the die shows {dice[0]}"
    if len(dice) == len(parts):
        return f"the dice show {dice_words(dice)}"
    return f"of the dice {dice_words(parts)} {'is' if len(parts) == 1 else 'are'} left"


def _not_home(who: str, facts: Facts, names: Names) -> str:
    return captured(names, facts["seat"])


def _own(who: str, facts: Facts, names: Names) -> str:
    if facts.get("unfinished"):
        return f"{who} rolled {dice_words(facts['dice'])} and has a pawn that can move: so it must."
    return f"One of {who}'s own pawns stands there already: there is room for one only."


def _home(who: str, facts: Facts, names: Names) -> str:
    if facts.get("at_rest"):
        return f"{who}'s pawn is home: there it rests, and moves no more."
    away = f"{who}'s pawn was {spaces(facts['count'])} away from there"
    return f"A home space takes the exact roll. {away}, and {_shown(facts)}."


def _center(who: str, facts: Facts, names: Names) -> str:
    if facts.get("at_rest"):
        return f"{who}'s pawn has reached the centre: there it rests, and moves no more."
    away = f"{who}'s pawn was {spaces(facts['count'])} away"
    return f"The centre takes the exact roll. {away}, and {_shown(facts)}."


def _opening(who: str, facts: Facts, names: Names) -> str:
    if facts.get("no_six"):
        return f"{who} rolled {dice_words(facts['dice'])}, with no 6: no pawn enters yet."
    if facts.get("second_six"):
        return f"One pawn enters with the first 6, and the same pawn moves {dice_words(facts['parts'])}."
    if facts.get("total"):
        return f"{who}'s pawn moves die by die, {dice_words(facts['parts'])}, and each time it must land."
    if len(facts["dice"]) == len(facts["parts"]):
        return f"{who} rolled a 6: a pawn enters with it, and then moves the other dice."
    return f"{who}'s pawn that entered still moves {dice_words(facts['parts'])}."


SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "GLO-1": _question,
    "GLO-2": _enters,
    "GLO-3": _round,
    "GLO-4": _count,
    "GLO-5": _not_home,
    "GLO-6": _own,
    "GLO-7": _home,
    "GLO-9": _center,
    "GLO-10": _opening,
}
