"""A roll in the tray is said once, and only when the dice were moved and lie still."""

from __future__ import annotations

from companion.vision.dice.seen import DiceSeen, DieSeen
from companion.vision.dice.watch import DiceQuestion, DiceUndue, DiceWatch, DiceWord, RolledSeen, settled, watch


def dice(*values: int, at: float = 400.0, doubts: tuple[str, ...] = (), leaning: int = 0) -> DiceSeen:
    return DiceSeen(tuple(DieSeen(v, at + 30 * i, 150.0, 16.0, 0.98) for i, v in enumerate(values)), doubts, leaning)


EMPTY = DiceSeen()
Scene = tuple[DiceSeen | None, float]


def run(*scenes: Scene, expected: int = 2, state: DiceWatch | None = None, at: float = 0.0) -> list[DiceWord]:
    """What is said while each scene is seen for so many seconds, five pictures a second; None: something moves."""
    state, said = state or DiceWatch(), []
    for seen, seconds in scenes:
        for _ in range(round(seconds * 5)):
            state, word = watch(state, seen, at, expected)
            said += [word] if word is not None else []
            at += 0.2
    return said


THROWN: Scene = (None, 0.8)
LAID: list[Scene] = [(EMPTY, 1), THROWN, (dice(2, 3), 2)]


def after(*scenes: Scene, gone: bool = False) -> tuple[DiceWatch, list[DiceWord]]:
    """What the watch remembers after these scenes. gone: in the last picture, nothing lay where the dice had lain."""
    state, said, at = DiceWatch(), [], 0.0
    for seen, seconds in scenes:
        for _ in range(round(seconds * 5)):
            state, word = watch(state, seen, at, 2)
            said += [word] if word is not None else []
            at += 0.2
    return (watch(state, None, at, 2, gone)[0] if gone else state), said


def test_dice_that_lay_there_are_no_roll_and_a_roll_is_said_once() -> None:
    assert run((dice(3, 4), 2), THROWN, (dice(6, 1, at=380), 5)) == [RolledSeen((6, 1))]


def test_dice_must_lie_still() -> None:
    rolling: list[Scene] = [(dice(1 + i % 6, 2, at=350 + 6 * i), 0.4) for i in range(6)]
    assert run((EMPTY, 2), THROWN, *rolling) == []
    assert run((EMPTY, 2), THROWN, *rolling, (dice(5, 5), 2)) == [RolledSeen((5, 5))]


def test_a_hand_over_the_dice_makes_no_new_roll() -> None:
    assert run((EMPTY, 1), THROWN, (dice(2, 3), 2), THROWN, (dice(2, 3), 3)) == [RolledSeen((2, 3))]


def test_the_same_values_elsewhere_are_a_new_roll() -> None:
    assert run(*LAID, THROWN, (dice(2, 3, at=440), 3)) == [RolledSeen((2, 3))] * 2


def test_the_same_values_at_nearly_the_same_place_are_a_roll_if_the_dice_were_away_in_between() -> None:
    for off in (0.5, 2.5, 6.0, 9.0):
        away: Scene = (None, 0.6)
        state, said = after(*LAID, away, gone=True)
        assert run((dice(2, 3, at=400 + off), 3), state=state, at=7.0) == [RolledSeen((2, 3))], off
        assert said == [RolledSeen((2, 3))]


def test_the_same_values_at_nearly_the_same_place_are_asked_about_if_nobody_saw_the_dice_go() -> None:
    for off in (2.5, 6.0, 9.0):
        said = run(*LAID, THROWN, (dice(2, 3, at=400 + off), 3))
        assert said[:1] == [RolledSeen((2, 3))] and len(said) == 2
        assert isinstance(said[1], DiceQuestion) and "almost as before" in said[1].text


def test_nudged_dice_are_nothing_to_speak_of_while_no_throw_is_due() -> None:
    state, _ = after(*LAID)
    assert run(THROWN, (dice(2, 3, at=406), 3), expected=0, state=state, at=7.0) == []


def test_a_throw_of_the_same_values_while_none_is_due_is_noted() -> None:
    state, _ = after(*LAID, THROWN, gone=True)
    assert run((dice(2, 3, at=401), 3), expected=0, state=state, at=7.0) == [DiceUndue((2, 3))]


def test_dice_that_were_lifted_may_fall_where_they_lay() -> None:
    said = run((EMPTY, 1), THROWN, (dice(2, 3), 2), THROWN, (EMPTY, 1), THROWN, (dice(2, 3), 2))
    assert said == [RolledSeen((2, 3))] * 2


def test_dice_under_what_covered_the_tray_are_no_roll_where_they_lie_as_they_lay() -> None:
    for expected, off, says in ((2, 1, []), (0, 1, []), (2, 6, [DiceQuestion]), (2, 40, [RolledSeen])):
        state, said = after(*LAID)[0], []
        for k, seen in enumerate([None] * 4 + [EMPTY] * 10 + [None] * 4 + [dice(2, 3, at=400 + off)] * 15):
            state, word = watch(state, seen, 7.0 + 0.2 * k, expected, bare=False)
            said += [type(word)] if word is not None else []
        assert said == says, (expected, off)


def test_a_reading_that_changes_without_any_movement_is_no_roll() -> None:
    assert run((dice(4), 2), (dice(4, 6), 3)) == []


def test_a_wrong_number_is_asked_about_once() -> None:
    said = run((EMPTY, 1), THROWN, (dice(4), 4), THROWN, (dice(4, 6), 2))
    assert isinstance(said[0], DiceQuestion) and "1 die of 2" in said[0].text
    assert said[1:] == [RolledSeen((4, 6))]
    assert "take the others out" in run((EMPTY, 1), THROWN, (dice(1, 2, 3), 3))[0].text  # type: ignore[union-attr]


def test_an_empty_tray_is_asked_about_only_after_a_while() -> None:
    assert run((dice(1, 2), 1), THROWN, (EMPTY, 5)) == []
    said = run((dice(1, 2), 1), THROWN, (EMPTY, 9))
    assert len(said) == 1 and isinstance(said[0], DiceQuestion) and "no dice" in said[0].text


def test_a_doubt_is_asked_about_and_no_roll() -> None:
    said = run((EMPTY, 1), THROWN, (dice(4, 6, doubts=("A die leans.",), leaning=1), 3))
    assert said == [DiceQuestion("A die leans.")]


def test_what_the_dice_seem_to_show_is_asked_where_only_that_is_in_doubt() -> None:
    faint = ("A die looks like a 6, but that is not certain.",)
    assert run((EMPTY, 1), THROWN, (dice(4, 6, doubts=faint), 3)) == [DiceQuestion(faint[0], (4, 6))]
    one_too_few, one_too_many = (run((EMPTY, 1), THROWN, (dice(*v, doubts=faint), 3)) for v in ((6,), (4, 6, 1)))
    assert one_too_few == one_too_many == [DiceQuestion(faint[0])]
    stayed = DiceSeen((DieSeen(2, 400, 150, 16, 0.98), DieSeen(5, 470, 180, 16, 0.7)), faint)
    assert run((EMPTY, 1), THROWN, (dice(2, 3), 2), THROWN, (stayed, 3))[1] == DiceQuestion(faint[0])


def test_only_one_of_two_dice_was_thrown() -> None:
    moved = DiceSeen((DieSeen(2, 400, 150, 16, 0.98), DieSeen(5, 470, 180, 16, 0.98)))
    said = run((EMPTY, 1), THROWN, (dice(2, 3), 2), THROWN, (moved, 3))
    assert isinstance(said[1], DiceQuestion) and "Not all" in said[1].text and len(said) == 2


def test_a_die_that_lies_where_it_lay_and_is_read_otherwise_is_no_roll() -> None:
    for off, values, says in ((0.5, (5,), "almost as before"), (0.5, (5, 2), "Not all"), (20.0, (5,), "")):
        said = run((dice(3), 2), THROWN, (dice(*values, at=400 + off), 3), expected=len(values))
        asked = said[0].text if isinstance(said[0], DiceQuestion) else ""
        assert len(said) == 1 and says in asked and bool(says) == bool(asked)
    assert run((dice(3), 2), THROWN, (dice(5, 2), 3), expected=0) == []


def test_dice_where_nobody_knows_what_lay_there_are_asked_about_and_count_when_thrown_again() -> None:
    state, said = DiceWatch(), []
    for k, seen in enumerate([EMPTY] * 8 + [None] * 4 + [dice(2, 3)] * 10 + [None] * 4 + [dice(2, 6, at=440)] * 6):
        state, word = watch(state, seen, 0.2 * k, 2, arrived=False)
        said += [word] if word is not None else []
    assert isinstance(said[0], DiceQuestion) and "may have lain there before" in said[0].text
    assert said[1:] == [RolledSeen((2, 6))]


def test_dice_where_nobody_knows_what_lay_there_are_not_spoken_of_while_none_are_due() -> None:
    state, said = DiceWatch(), []
    for k, seen in enumerate([EMPTY] * 8 + [None] * 4 + [dice(2, 3)] * 10):
        state, word = watch(state, seen, 0.2 * k, 0, arrived=False)
        said += [word] if word is not None else []
    assert said == []


def test_dice_thrown_while_none_are_due_do_not_count_even_when_they_are_due_later() -> None:
    state, said = DiceWatch(), []
    scenes: list[tuple[Scene, int]] = [
        ((EMPTY, 1), 0), (THROWN, 0), ((dice(2, 3), 2), 0), ((dice(2, 3), 3), 2), (THROWN, 2),
        ((dice(4, 4, at=450), 2), 2),
    ]  # fmt: skip
    at = 0.0
    for (seen, seconds), expected in scenes:
        for _ in range(round(seconds * 5)):
            state, word = watch(state, seen, at, expected)
            said += [word] if word is not None else []
            at += 0.2
    assert said == [DiceUndue((2, 3)), RolledSeen((4, 4))]


def test_a_roll_told_by_hand_leaves_what_lies_there() -> None:
    state, at = DiceWatch(), 0.0
    for seen in [EMPTY] * 5 + [None] * 4 + [dice(4)] * 3:
        state, _ = watch(state, seen, at, 2)
        at += 0.2
    assert run((dice(4), 3), state=settled(state), at=at) == []


def test_unrest_without_end_is_asked_about() -> None:
    flicker: list[Scene] = [(dice(1 + i % 2, 3), 0.4) for i in range(20)]
    said = run((EMPTY, 1), THROWN, *flicker)
    assert said and all(isinstance(word, DiceQuestion) and "lie still" in word.text for word in said)


def test_unrest_without_end_is_asked_about_once_and_again_after_a_rest() -> None:
    """A light that flickers over the tray filled the page's story, a line each five seconds."""
    said = run((EMPTY, 1), (None, 60), (EMPTY, 2), (None, 60))
    assert len(said) == 2 and all(isinstance(word, DiceQuestion) and "lie still" in word.text for word in said)


def test_unrest_before_a_throw_is_due_is_not_held_against_it() -> None:
    """Hands at the board before the throw, then a throw of a second or two: nothing is asked, and the roll is said."""
    state, at = after(*LAID)[0], 7.0
    for _ in range(40):
        state, word = watch(state, None, at, 0)
        assert word is None
        at += 0.2
    state, _ = watch(state, None, at, 2, gone=True)
    assert run((None, 2.0), (dice(6, 1), 2), state=state, at=at) == [RolledSeen((6, 1))]
