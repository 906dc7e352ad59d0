"""Objections in words: one kind sentence by rule id, which a twelve-year-old understands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.model import Objection, Seat, Step
from companion.referee.explain import Foul

Names = Mapping[Seat, str]
"""seat → colour word ("red")."""

Facts = Mapping[str, Any]


def name_of(names: Names, seat: Seat | None) -> str:
    """The seat's colour with a capital: "Red"."""
    return "Somebody" if seat is None else names.get(seat, f"player {seat}").capitalize()


def dice_words(dice: Sequence[int]) -> str:
    """[5, 3] → "5 and 3"."""
    words = [str(d) for d in dice]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def spaces(count: int) -> str:
    """1 → "1 space"."""
    return f"{count} space" + "s" * (count != 1)


def foul_sentence(foul: Foul, due: Seat | None, names: Names) -> str:
    """What is wrong on the board, in one sentence or two."""
    if foul.upset:
        return "The board looks quite different from before. Please put the pawns back as the picture shows."
    if foul.objections:
        mover = next((s.seat for s in foul.moves if s.seat != due), due) if _is_touch(foul) else due
        return objection_sentence(foul.objections[0], mover, names)
    return _astray(foul, names)


def missing(names: Names, seat: Seat, space: str) -> str:
    """A piece is gone from `space`."""
    return f"A {names.get(seat, '')} pawn is missing: it stood {where(space, names)}. Please put it back."


def doubt(foul: Foul, names: Names) -> str:
    """What may be wrong, if the board is read aright: a question, no accusation."""
    free = "Please make sure that the pawns stand free."
    if foul.missing and not foul.extra:
        seat, space = foul.missing[0]
        return f"I cannot find a {names.get(seat, '')} pawn: it stood {where(space, names)}. {free}"
    if foul.extra and not foul.missing:
        seat, space = foul.extra[0]
        return f"I seem to see one {names.get(seat, '')} pawn too many, {where(space, names)}. {free}"
    return f"I am not sure that I see all pawns as they stand. {free}"


def captured(names: Names, seat: Seat) -> str:
    """A captured piece must leave the board."""
    return f"{name_of(names, seat)}'s pawn is captured: it goes back to {names.get(seat, 'its')}'s circle."


def returned_early(names: Names, seat: Seat, mover: Seat) -> str:
    """A captured piece is home, and the piece that captures it has not moved."""
    owner = name_of(names, seat)
    return f"{owner}'s pawn is back in its circle. {name_of(names, mover)}, please finish the move that captures it."


def _is_touch(foul: Foul) -> bool:
    return foul.objections[0].rule in ("COM-2", "COM-3")


def _astray(foul: Foul, names: Names) -> str:
    if foul.missing and foul.extra:
        return "Some pawns are not where they were. Please put them back as the picture shows."
    if foul.missing:
        return missing(names, *foul.missing[0])
    if foul.extra:
        seat, space = foul.extra[0]
        return f"There is one {names.get(seat, '')} pawn too many, {where(space, names)}. Please take it away."
    return "The pawns do not stand as the game says. Please put them back as the picture shows."


def where(space: str, names: Names) -> str:
    """A space in words, with "on" or "in": "on space 12", "in red's circle"."""
    return f"{'on' if space.startswith('t') else 'in'} {place(space, names)}"


def place(space: str, names: Names) -> str:
    """A space in words: "green's lane", "yellow's circle", "space 12"."""
    kind = space.rstrip("0123456789.")
    number = space[len(kind) :].split(".")
    if kind == "t":
        return f"space {number[0]}"
    owner = names.get(int(number[0])) if number[0].isdigit() else None
    whose = "the empty seat's" if owner is None else f"{owner}'s"
    return {"base": f"{whose} circle", "home": f"{whose} HOME", "lane": f"{whose} lane"}.get(kind, space)


def objection_sentence(objection: Objection, mover: Seat | None, names: Names) -> str:
    """One objection in words. mover: the seat whose piece was moved."""
    write = _SENTENCES.get(objection.rule)
    who = name_of(names, mover)
    return write(who, objection.facts, names) if write else f"{who} made a move that rule {objection.rule} forbids."


def _not_yours(who: str, facts: Facts, names: Names) -> str:
    if facts.get("no_pawn"):
        owner = names.get(facts["seat"], "")
        return f"No {owner} pawn stood on {place(facts['space'], names)}."
    owner, due = name_of(names, facts["seat"]), name_of(names, facts["due"])
    return f"{owner}'s pawn was moved, but it is {due}'s turn. Only {due}'s own pawns may move now."


def _not_your_turn(who: str, facts: Facts, names: Names) -> str:
    owner, due = name_of(names, facts["seat"]), name_of(names, facts["due"])
    if facts.get("played"):
        return f"{owner} has played the whole roll already: no more pawns move, and it is {due}'s turn to roll."
    return f"{owner} moved, but it is {due}'s turn to roll."


def _enters(who: str, facts: Facts, names: Names) -> str:
    if facts.get("one_used"):
        return f"{who} used one die of the five already, so the five is gone and no pawn may enter with it."
    if "space" in facts:
        return f"A pawn that leaves the circle enters on {who}'s entry space, and nowhere else."
    return f"{who} rolled {dice_words(facts['dice'])}: a pawn enters only with a five (5, 4 and 1, or 3 and 2)."


def _must_enter(who: str, facts: Facts, names: Names) -> str:
    five = "total of five" if facts.get("total") else "five"
    return f"{who} has a {five} and a pawn waiting in the circle: that pawn must enter with it."


def _count(who: str, facts: Facts, names: Names) -> str:
    if facts.get("before_roll"):
        return f"{who} moved before rolling. First the dice, then the pawn."
    if facts.get("nowhere"):
        return f"There is no place for {who}'s pawn on {place(facts['space'], names)}."
    if facts.get("backwards"):
        return f"{who}'s pawn went backwards. Pawns move forward only, along the arrows."
    return f"{who}'s pawn moved {spaces(facts['count'])}, but {_left(facts)}."


def _left(facts: Facts) -> str:
    dice, parts = facts["dice"], facts["parts"]
    if sorted(dice) == sorted(parts):
        return f"the dice show {dice_words(dice)}"
    if not parts:
        return f"the dice ({dice_words(dice)}) are played"
    left = f"of the roll only {dice_words(parts)} {_is(parts)} left"
    return left if len(dice) >= len(parts) else _four(parts)


def _is(parts: Sequence[int]) -> str:
    return "is" if len(parts) == 1 else "are"


def _four(parts: Sequence[int]) -> str:
    return f"the doublets give {dice_words(parts)}"


def _more_dice(who: str, facts: Facts, names: Names) -> str:
    if facts.get("unfinished"):
        return f"{who} can still play {dice_words(facts['parts'])}: as many dice as possible must be used."
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
    if facts.get("unfinished"):
        return f"{who} rolled doublets with all pawns out: all four moves must be played, {_still(facts)}."
    return f"{who} rolled doublets with all pawns out: all four moves ({dice_words(facts['parts'])}) or none."


def _still(facts: Facts) -> str:
    return f"{dice_words(facts['parts'])} {_is(facts['parts'])} still to come"


def _penalty(who: str, facts: Facts, names: Names) -> str:
    if not facts.get("nearest"):
        return f"These are {who}'s third doublets in a row: nothing is moved, and the turn is over."
    return f"These are {who}'s third doublets in a row: only the pawn nearest to HOME goes back to the circle."


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


_SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "COM-2": _not_your_turn,
    "COM-3": _not_yours,
    "COM-6": lambda who, facts, names: "The game is over: nothing is moved any more.",
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


def play_sentence(seat: Seat, steps: Sequence[Step], names: Names, *, more: bool) -> str:
    """What was played: "Red entered a pawn, then moved 3."."""
    done = ", then ".join(_step_words(step, names) for step in steps) or "has not moved yet"
    return f"{name_of(names, seat)} {done}" + (", and is not finished yet." if more and steps else ".")


def _step_words(step: Step, names: Names) -> str:
    caught = "".join(f" and sent {names.get(seat, seat)}'s pawn back" for seat, _ in step.captures)
    if step.origin.startswith("base"):
        return "entered a pawn" + caught
    if step.target.startswith("home"):
        return "brought a pawn HOME" + caught
    if step.target.startswith("base"):
        return "took a pawn back to the circle"
    by = f" a bonus of {step.by.split()[1]}" if step.by.startswith("bonus ") else f" {step.by}" if step.by else ""
    return f"moved{by}{caught}"
