"""Phrases that every game's sentences are built from: names of seats, dice, counts and places."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.model import Nouns, Seat

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Names(Mapping[Seat, str]):
    """seat → colour word ("red"), with what the things of the game are called.

    players: who plays, None for all; the board has places of others too.
    """

    words: Mapping[Seat, str]
    nouns: Nouns = field(default_factory=Nouns)
    game: str = "parcheesi"
    players: Collection[Seat] | None = None

    def __getitem__(self, seat: Seat) -> str:
        return self.words[seat]

    def __iter__(self) -> Iterator[Seat]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)


def name_of(names: Names, seat: Seat | None) -> str:
    """The seat's colour with a capital: "Red"; a name keeps its other letters: "McBlue"."""
    return "Somebody" if seat is None else sentence_case(names.get(seat, f"player {seat}"))


def sentence_case(words: str) -> str:
    """As a sentence begins: "the answer" → "The answer"."""
    return words[:1].upper() + words[1:]


def an(word: str) -> str:
    """"red" → "a red", "orange" → "an orange"."""
    return f"{'an' if word[:1].lower() in tuple('aeiou') else 'a'} {word}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """["a", "b", "c"] → "a, b and c"."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def dice_words(dice: Sequence[int]) -> str:
    """[5, 3] → "5 and 3"."""
    return listed([str(d) for d in dice])


def before_roll(who: str, facts: Facts, first: str) -> str:
    """Somebody moved without a roll: none was thrown yet, or it is played. first: what comes before a move."""
    if facts.get("played"):
        return f"{who} has played the whole roll already: first roll again, then move."
    return f"{who} moved before rolling. {first}"


def spaces(count: int) -> str:
    """1 → "1 space"."""
    return f"{count} space" + "s" * (count != 1)


def where(space: str, names: Names) -> str:
    """A space in words, with "on" or "in": "on space 12", "in red's circle"."""
    inside = space.startswith(("base", "home", "lane", "center"))
    return f"{'in' if inside else 'on'} {place(space, names)}"


def places(some: Sequence[str], names: Names) -> list[str]:
    """Spaces in words, each place once: two spaces of green's lane are both "green's lane"."""
    return list(dict.fromkeys(place(name, names) for name in some))


def place(space: str, names: Names) -> str:
    """A space in words: "green's lane", "the blue circle" where nobody plays blue, "space 12", "the centre", "e4"."""
    kind = space.rstrip("0123456789.")
    number = space[len(kind) :].split(".")[0]
    if kind == "t":
        return f"{names.nouns.space} {number}"
    if kind == "center":
        return "the centre"
    noun = {"base": names.nouns.base, "home": names.nouns.home, "lane": names.nouns.lane}.get(kind)
    if noun is None:
        return space
    if not number:
        return f"the {noun}"
    seat = int(number)
    owner = names.get(seat, f"player {seat}")
    return f"{owner}'s {noun}" if names.players is None or seat in names.players else f"the {owner} {noun}"


def captured(names: Names, seat: Seat) -> str:
    """A captured piece must leave the board."""
    piece, base = names.nouns.piece, names.nouns.base
    return f"{name_of(names, seat)}'s {piece} is captured: it goes back to {names.get(seat, 'its')}'s {base}."
