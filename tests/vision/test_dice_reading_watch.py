"""A roll in the tray is said once, and only when the dice were moved and lie still."""

from __future__ import annotations

from companion.vision.dice_seen import DiceSeen, DieSeen
from companion.vision.dice_watch import DiceQuestion, DiceWatch, RolledSeen, watch


def dice(*values: int, at: float = 400.0, doubts: tuple[str, ...] = ()) -> DiceSeen:
    return DiceSeen(tuple(DieSeen(v, at + 30 * i, 150.0, 16.0, 0.98) for i, v in enumerate(values)), doubts)


def run(*scenes: tuple[DiceSeen, float], expected: int = 2) -> list[RolledSeen | DiceQuestion]:
    """What is said while each scene is seen for so many seconds, five pictures a second."""
    state, said, at = DiceWatch(), [], 0.0
    for seen, seconds in scenes:
        for _ in range(round(seconds * 5)):
            state, word = watch(state, seen, at, expected)
            said += [word] if word is not None else []
            at += 0.2
    return said


def test_dice_that_lay_there_are_no_roll_and_a_roll_is_said_once() -> None:
    assert run((dice(3, 4), 2), (dice(6, 1, at=380), 5)) == [RolledSeen((6, 1))]


def test_dice_must_lie_still() -> None:
    rolling = [(dice(1 + i % 6, 2, at=350 + 6 * i), 0.4) for i in range(6)]
    assert run((DiceSeen(), 2), *rolling) == []
    assert run((DiceSeen(), 2), *rolling, (dice(5, 5), 2)) == [RolledSeen((5, 5))]


def test_a_hand_over_the_dice_makes_no_new_roll() -> None:
    assert run((DiceSeen(), 1), (dice(2, 3), 2), (DiceSeen(), 1), (dice(2, 3), 3)) == [RolledSeen((2, 3))]


def test_the_same_values_elsewhere_are_a_new_roll() -> None:
    said = run((DiceSeen(), 1), (dice(2, 3), 2), (DiceSeen(), 1), (dice(2, 3, at=420), 3))
    assert said == [RolledSeen((2, 3)), RolledSeen((2, 3))]


def test_a_wrong_number_is_asked_about_once() -> None:
    said = run((DiceSeen(), 1), (dice(4), 3), (dice(4, 6), 2))
    assert isinstance(said[0], DiceQuestion) and "1 die of 2" in said[0].text
    assert said[1:] == [RolledSeen((4, 6))]
    assert "take the others out" in run((DiceSeen(), 1), (dice(1, 2, 3), 2))[0].text  # type: ignore[union-attr]


def test_a_doubt_is_asked_about_and_no_roll() -> None:
    assert run((DiceSeen(), 1), (dice(4, 6, doubts=("A die leans.",)), 3)) == [DiceQuestion("A die leans.")]


def test_unrest_without_end_is_asked_about() -> None:
    flicker = [(dice(1 + i % 2, 3), 0.4) for i in range(14)]
    said = run((DiceSeen(), 1), *flicker)
    assert said and all(isinstance(word, DiceQuestion) and "lie still" in word.text for word in said)
