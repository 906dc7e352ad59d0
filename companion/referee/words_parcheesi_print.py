"""The print-and-cut edition's objections in words, by rule id. The facts are those of `parcheesi_print_objections`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.referee.phrases import Facts, Names, before_roll, captured, dice_words, name_of, place, spaces, where


def _throw(who: str, facts: Facts, names: Names) -> str:
    return before_roll(who, facts, "First throw one die or both, then move.")


def _leaves(who: str, facts: Facts, names: Names) -> str:
    if facts.get("one_used"):
        return f"{who} used one die of the five already, so the five is gone and no piece may leave the nest with it."
    if facts.get("five_used"):
        return f"{who} has brought a piece out with the five already: it brings in one, and no more."
    if "space" in facts:
        return f"A piece that leaves the nest enters on {who}'s entry space, and nowhere else."
    return f"{who} rolled {dice_words(facts['dice'])}: a piece leaves the nest only on a total of five."


def _must_leave(who: str, facts: Facts, names: Names) -> str:
    return f"{who} rolled a total of five, and a piece can leave the nest: so it must, and that is the whole turn."


def _count(who: str, facts: Facts, names: Names) -> str:
    if facts.get("nowhere"):
        return f"There is no place for {who}'s piece {where(facts['space'], names)}."
    if facts.get("backwards"):
        return f"{who}'s piece went backwards. Pieces move forward only, counterclockwise."
    if facts["total"]:
        return f"{who}'s piece moved {spaces(facts['count'])} in one go: after each number it must be able to land."
    return f"{who}'s piece moved {spaces(facts['count'])}, but {_left(facts)}."


def _most(who: str, facts: Facts, names: Names) -> str:
    if "possible" not in facts:
        return _count(who, facts, names)
    if facts.get("unfinished"):
        return f"{who} can still move {spaces(facts['possible'])} by the dice: as much as possible must be used."
    return f"{who} could use more of the dice in another way, and as much as possible must be used."


def _left(facts: Facts) -> str:
    dice, parts = facts["dice"], facts["parts"]
    if not parts:
        return f"the roll ({dice_words(dice)}) is used"
    if not facts["whole"]:
        return f"of the roll only {dice_words(parts)} {_is(parts)} left"
    if len(parts) > len(dice):
        return f"the double gives {dice_words(parts)}"
    return f"the {'dice show' if len(dice) > 1 else 'die shows'} {dice_words(dice)}"


def _is(parts: Sequence[int]) -> str:
    return "is" if len(parts) == 1 else "are"


def _bonus(who: str, facts: Facts, names: Names) -> str:
    if facts.get("astray"):
        return captured(names, facts["seat"])
    if facts.get("at_once"):
        return "Only a piece that has just captured may move on 20, at once and before the rest of the dice."
    if facts["other"]:
        return f"The 20 belong to the piece that captured, {where(facts['space'], names)}, and to no other."
    else_ = f"by the dice ({dice_words(facts['parts'])})" if facts["parts"] else "not at all"
    return f"{who}'s piece captured and may move on exactly 20, or {else_}; it moved {facts['count']}."


def _ringed(who: str, facts: Facts, names: Names) -> str:
    if facts.get("astray"):
        return captured(names, facts["seat"])
    return f"{name_of(names, facts['seat'])}'s piece is safe on that ringed space: nobody else may land there."


def _blockade(who: str, facts: Facts, names: Names) -> str:
    if facts.get("third"):
        return f"Two of {who}'s pieces already stand there, and a space holds no more than two."
    end = "nobody else may land there" if facts["landing"] else "nobody else may pass"
    return f"{name_of(names, facts['seat'])}'s two pieces are a blockade: {end}."


def _together(who: str, facts: Facts, names: Names) -> str:
    return f"{who}'s two pieces were a blockade: they may not stand together again in the same turn."


def _own_way(who: str, facts: Facts, names: Names) -> str:
    if facts.get("exact"):
        return f"{who}'s piece reaches home only by exact count."
    if facts.get("from_home"):
        return f"{who}'s piece is home already, and stays there."
    if "lane_of" in facts:
        return f"That is {place(facts['space'], names)}: a piece goes up its own strip only."
    return f"{who}'s piece went past its own strip. It turns in there, and reaches home by exact count."


SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "PRN-1": _throw,
    "PRN-2": _leaves,
    "PRN-3": _must_leave,
    "PRN-5": _most,
    "PRN-6": _count,
    "PRN-7": _bonus,
    "PRN-8": _ringed,
    "PRN-9": _blockade,
    "PRN-10": _together,
    "PRN-11": _own_way,
}
