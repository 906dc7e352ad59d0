"""A deck of questions: dealt in an order that a game's number decides, each once before any comes again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from companion.model.table import QuestionView


@dataclass(frozen=True, slots=True)
class Question:
    """One card. wrong: the other choices, () where the answer is simply said."""

    text: str
    answer: str
    wrong: tuple[str, ...] = ()
    category: str = ""


def deal(questions: Sequence[Question], seed: int, number: int) -> QuestionView:
    """The question that is asked after `number` others. seed: of this game, so that a resumed one goes on."""
    lap, place = divmod(number, len(questions))
    card = questions[_order(len(questions), seed, lap)[place]]
    choices = [card.answer, *card.wrong] if card.wrong else []
    Random(f"{seed}.{number}.choices").shuffle(choices)
    return QuestionView(card.text, card.answer, tuple(choices), card.category)


def _order(count: int, seed: int, lap: int) -> list[int]:
    """How the cards lie when they are dealt for the lap-th time; the last one before does not come first again."""
    if count == 2:
        return _shuffled(count, seed, 0)
    order = _shuffled(count, seed, lap)
    if lap and order[0] == _shuffled(count, seed, lap - 1)[-1]:
        order[:2] = order[1::-1]
    return order


def _shuffled(count: int, seed: int, lap: int) -> list[int]:
    return Random(f"{seed}.{lap}").sample(range(count), count)
