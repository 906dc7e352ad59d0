"""Objections in words: one kind sentence by rule id, which a twelve-year-old understands."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from companion.model import Objection, Seat, Step
from companion.model.board import owner_of
from companion.model.past import is_draw
from companion.referee import (
    words_aggravation,
    words_game_of_god,
    words_gloria,
    words_parcheesi,
    words_parcheesi_print,
)
from companion.referee.explain import Foul
from companion.referee.miscolored import Recolored
from companion.referee.phrases import (
    Facts,
    Names,
    an,
    captured,
    dice_words,
    listed,
    name_of,
    place,
    places,
    spaces,
    where,
)

__all__ = [
    "Facts",
    "Names",
    "captured",
    "covered",
    "dice_words",
    "doubt",
    "foul_sentence",
    "left_alone",
    "listed",
    "missing",
    "name_of",
    "objection_sentence",
    "of_another_color",
    "place",
    "places",
    "play_sentence",
    "returned_early",
    "spaces",
    "to_set_up",
    "unseen",
    "where",
    "winning",
]

Sentence = Callable[[str, Facts, Names], str]
"""(name of the mover, facts of the objection, names) → the sentence."""


MOST_NAMED = 4
"""A sentence names so many places at most."""


def foul_sentence(foul: Foul, due: Seat | None, names: Names) -> str:
    """What is wrong on the board, in one sentence or two."""
    if foul.upset:
        pieces = names.nouns.pieces
        return f"The board looks quite different from before. Please put the {pieces} back as the picture shows."
    if foul.objections:
        return objection_sentence(foul.objections[0], due if foul.seat is None else foul.seat, names)
    return _astray(foul, names)


def missing(names: Names, seat: Seat, space: str) -> str:
    """A piece is gone from `space`."""
    piece = an(f"{names.get(seat, '')} {names.nouns.piece}")
    return f"{piece[0].upper()}{piece[1:]} is missing: it stood {where(space, names)}. Please put it back."


def doubt(foul: Foul, names: Names) -> str:
    """What may be wrong, if the board is read aright: a question, no accusation."""
    piece = names.nouns.piece
    free = _stand_free(names)
    if foul.missing and not foul.extra:
        seat, space = foul.missing[0]
        return f"I cannot find {an(names.get(seat, ''))} {piece}: it stood {where(space, names)}. {free}"
    if foul.extra and not foul.missing:
        seat, space = foul.extra[0]
        return f"I seem to see one {names.get(seat, '')} {piece} too many, {where(space, names)}. {free}"
    named = places([space for _, space in (*foul.missing, *foul.extra)], names)
    if 0 < len(named) <= MOST_NAMED:
        return unseen(named, names)
    return f"I am not sure that I see all {names.nouns.pieces} as they stand. {free}"


def unseen(named: Sequence[str], names: Names) -> str:
    """What stands on some spaces, which are given in words, is not seen for sure."""
    return f"I cannot see for sure what stands on {listed(named)}. {_stand_free(names)}"


def _stand_free(names: Names) -> str:
    return f"Please make sure that the {names.nouns.pieces} stand free."


def of_another_color(found: Recolored, names: Names) -> str:
    """A piece seems to be of a colour of which there would be one too many, where the missing one could stand."""
    piece = an(f"{names.get(found.shown, '')} {names.nouns.piece}")
    owner = names.get(found.own, f"player {found.own}")
    seen = f"I seem to see {piece} {where(found.space, names)}, and that would be one too many."
    return f"{seen} If it is {owner}'s, accept it as played; if not, please put it right."


def covered(hidden: Sequence[str], names: Names) -> str:
    """Some spaces cannot be seen for long."""
    named = listed(_some_of(hidden, names))
    return f"I cannot see {named}: something lies over the board, or a lamp shines on it. Please make it free."


def restless(near: Sequence[str], names: Names) -> str:
    """Something moves on the board for ever. near: the spaces over which it is now, where that is known."""
    where = f" at {listed(_some_of(near, names))}" if near else ""
    return (
        f"Something keeps moving over the board{where}, a shadow, a screen or a hand: I cannot judge what is played. "
        "Please keep it off; meanwhile say how the board stands (More, Set the position)."
    )


def _some_of(spaces: Sequence[str], names: Names) -> list[str]:
    """Spaces in words; of many the first ones, and how many more there are."""
    named, most = places(spaces, names), MOST_NAMED - 1
    return named if len(named) <= MOST_NAMED else [*named[:most], f"{len(named) - most} more"]


def to_set_up(unlike: Sequence[str], wanted: Collection[str], names: Names, played: bool = False) -> str:
    """The request to set up the board; where some of it is, and looks otherwise on a few spaces, what to say if it is
    right. wanted: the spaces on which pieces are to stand. played: whether something was played already."""
    text = f"To {'go on' if played else 'begin'}, please set up the board as the picture shows."
    if not 0 < len(unlike) <= MOST_NAMED or set(wanted) <= set(unlike):
        return text
    named = places(unlike, names)
    look = f"{listed(named)} {'looks' if len(named) == 1 else 'look'}"
    return f"{text} To me {look} otherwise; if all is right there, say so on the phone: “The board is set up”."


def returned_early(names: Names, seat: Seat, mover: Seat) -> str:
    """A captured piece is home, and the piece that captures it has not moved."""
    owner, nouns = name_of(names, seat), names.nouns
    back = f"{owner}'s {nouns.piece} is back in its {nouns.base}."
    return f"{back} {name_of(names, mover)}, please finish the move that captures it."


def _astray(foul: Foul, names: Names) -> str:
    piece = names.nouns.piece
    if foul.missing and foul.extra:
        return f"Some {names.nouns.pieces} are not where they were. Please put them back as the picture shows."
    if foul.missing:
        return missing(names, *foul.missing[0])
    if foul.extra:
        seat, space = foul.extra[0]
        return f"There is one {names.get(seat, '')} {piece} too many, {where(space, names)}. Please take it away."
    return f"The {names.nouns.pieces} do not stand as the game says. Please put them back as the picture shows."


def objection_sentence(objection: Objection, mover: Seat | None, names: Names) -> str:
    """One objection in words. mover: the seat whose piece was moved."""
    write = BOOKS.get(names.game, {}).get(objection.rule) or COMMON.get(objection.rule)
    who = name_of(names, mover)
    return write(who, objection.facts, names) if write else f"{who} made a move that rule {objection.rule} forbids."


def left_alone(seat: Seat, dice: Sequence[int], rule: str, names: Names) -> str:
    """That a player does not play a roll that could be played, as a rule allows."""
    write = BOOKS.get(names.game, {}).get(rule)
    who = name_of(names, seat)
    return write(who, {"dice": dice}, names) if write else f"{who} rolled {dice_words(dice)} and moves nothing."


def _not_yours(who: str, facts: Facts, names: Names) -> str:
    piece = names.nouns.piece
    if facts.get("no_pawn"):
        owner = names.get(facts["seat"], "")
        return f"No {owner} {piece} stood {where(facts['space'], names)}."
    if facts.get("not_captured"):
        stood = where(facts["space"], names)
        return f"{name_of(names, facts['seat'])}'s {piece} is not captured: it stays where it stood, {stood}."
    owner, due = name_of(names, facts["seat"]), name_of(names, facts["due"])
    return f"{owner}'s {piece} was moved, but it is {due}'s turn. Only {due}'s own {names.nouns.pieces} may move now."


def _not_your_turn(who: str, facts: Facts, names: Names) -> str:
    owner, due = name_of(names, facts["seat"]), name_of(names, facts["due"])
    if facts.get("played"):
        return f"{owner} has played the whole roll already: no more {names.nouns.pieces} move, and {due} is next."
    return f"{owner} moved, but it is {due}'s turn."


def _must_move(who: str, facts: Facts, names: Names) -> str:
    return f"{who} can move, and so must."


COMMON: Mapping[str, Sentence] = {
    "COM-2": _not_your_turn,
    "COM-3": _not_yours,
    "COM-4": _must_move,
    "COM-6": lambda who, facts, names: "The game is over: nothing is moved any more.",
}
"""rule id → how its objection is said in every game."""

BOOKS: dict[str, Mapping[str, Sentence]] = {
    "parcheesi": words_parcheesi.SENTENCES,
    "parcheesi-print": words_parcheesi_print.SENTENCES,
    "gloria": words_gloria.SENTENCES,
    "aggravation": words_aggravation.SENTENCES,
    "game-of-god": words_game_of_god.SENTENCES,
}
"""game → rule id → how its objection is said; those of other packages, too."""

DUTIES: Mapping[str, Mapping[str, Callable[[str, Step, Names], str]]] = {"parcheesi": words_parcheesi.DUTIES}
"""game → what a step is by → what is said while only that step is due."""


def duty_sentence(seat: Seat | None, step: Step, names: Names) -> str:
    """What the player has to do instead of a move of one's own choice, where `step` is that; else ""."""
    write = DUTIES.get(names.game, {}).get(step.by)
    return write(name_of(names, seat), step, names) if write else ""


def play_sentence(seat: Seat, steps: Sequence[Step], names: Names, *, more: bool) -> str:
    """What was played: "Red entered a pawn, then moved 3."."""
    done = ", then ".join(_taken(step, names) or _step_words(step, names) for step in steps) or "has not moved yet"
    return f"{name_of(names, seat)} {done}" + (", and is not finished yet." if more and steps else ".")


def error_sentence(error: Exception, names: Names) -> str:
    """What is wrong with a position, for people: "Red's base: a marble of purple can never stand there."."""
    text = re.sub(r"\bseats [\[(]([\d, ]+)[\])]", lambda seats: _seats(seats[1], names), str(error))
    text = re.sub(r"\bseat (\d)", lambda seat: _seats(seat[1], names), text)
    if names.game == "game-of-god":
        text = re.sub(r"\b[NESW]\b", lambda letter: _seats(str("NESW".index(letter[0])), names), text)
    else:
        text = re.sub(r"^(base|home|lane|t|center)(\d+(\.\d+)?)?(?=: )", lambda space: place(space[0], names), text)
    sentence = text[:1].upper() + text[1:]
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def set_up_sentence(error: Exception, names: Names) -> tuple[str, tuple[str, ...]]:
    """What is wrong with a set-up that the players chose, without the rule that it names; and that rule."""
    rule, _, text = str(error).partition(": ")
    for seat, word in enumerate(("North", "East", "South", "West")):
        text = re.sub(rf"\b{word}\b", name_of(names, seat), text)
    return f"{text}." if not text.endswith((".", "?", "!")) else text, (rule,)


def _seats(numbers: str, names: Names) -> str:
    return listed([names.get(int(number), f"player {number}") for number in dict.fromkeys(re.findall(r"\d+", numbers))])


def winning(winners: Sequence[Seat], names: Names) -> str:
    """Who has won; several share it (partners, teams), or it is a draw (GOD-15)."""
    who = listed([name_of(names, seat) for seat in winners])
    if is_draw(names.game, winners):
        return f"A draw: {who} have brought in as many pieces each."
    return f"{who} wins." if len(winners) == 1 else f"{who} share the win."


def _taken(step: Step, names: Names) -> str:
    """What was done with a piece that went to another player's base or home: "took black's man"; else ""."""
    owner = owner_of(step.target)
    if owner is None or owner == step.seat:
        return ""
    return f"took {names.get(step.seat, f'player {step.seat}')}'s {names.nouns.piece}"


def _step_words(step: Step, names: Names) -> str:
    piece = names.nouns.piece
    caught = "".join(f" and sent {names.get(seat, seat)}'s {piece} back" for seat, _ in step.captures)
    if step.origin.startswith("base"):
        return f"entered a {piece}{caught}"
    if step.target.startswith("home"):
        return f"brought a {piece} HOME{caught}"
    if step.target.startswith("base"):
        return f"took a {piece} back to the {names.nouns.base}"
    if step.by.startswith("bonus "):
        return f"moved a bonus of {step.by.split()[1]}{caught}"
    if step.by.startswith("star run "):
        return f"ran the stars for {step.by.split()[2]}{caught}"
    if step.target == "center" and names.nouns.piece == "marble":
        return f"turned into the centre{caught}"
    if any(letter.isdigit() for letter in step.by):
        return f"moved {step.by}{_home(step, names)}{caught}"
    return f"moved from {place(step.origin, names)} to {place(step.target, names)}{caught}"


def _home(step: Step, names: Names) -> str:
    """ " to HOME", where the lane is the home and the step ends in it."""
    inside = step.target.startswith("lane") and not step.origin.startswith("lane")
    return f" to {names.nouns.lane}" if inside and names.nouns.lane == names.nouns.home else ""
