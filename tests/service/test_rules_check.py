"""`companion rules check` finds nothing in the five games, and each breach of a broken one, in a sentence."""

from __future__ import annotations

import json
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ClassVar

import pytest
from examples import example
from table import TestTable

from calibration.crowding import ills
from calibration.sheet import BOARDS, Boards
from companion.dice import BoxRoll, RollHeard, State
from companion.games import catalogue
from companion.games.parcheesi import Parcheesi
from companion.games.plays import answer
from companion.journal import open_journal
from companion.model import (
    Due,
    DueKind,
    Nouns,
    Objection,
    OptionError,
    Outcome,
    Position,
    Roll,
    Rolled,
    StateError,
    Step,
)
from companion.model.table import Action
from companion.page.ways import WAYS, ways_of
from companion.panel.also import Panels
from companion.referee import wording
from companion.service.addons import rules_check, trial
from companion.service.addons.breaches import LONGEST, blamed, shortened
from companion.service.addons.patience import NeverEnds, Patience
from companion.service.addons.rules_check import check
from companion.service.boards import configured as boards
from companion.service.boards.configured import countable
from companion.service.cli import main
from companion.service.table import faults, loop
from companion.service.table.desk import Desk
from companion.service.table.held_up import Watch

dash, dash_board = example("dash"), example("dash_board")
Dash = dash.Dash


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that never ends is known by fewer states than in earnest."""
    monkeypatch.setattr(trial, "LONGEST_GAME", 4_000)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Callable[[type], None]:
    """Puts a game in the place of Dash, as docs/add-a-game.md does."""

    boards._printed.cache_clear()  # another test may have drawn a board of that name
    catalogue._plain_game.cache_clear()  # or played a game of it

    def enter(game: type) -> None:
        monkeypatch.setitem(catalogue.GAMES, "dash", game)
        monkeypatch.setitem(wording.BOOKS, "dash", dash.WORDS)
        monkeypatch.setitem(BOARDS, "dash", Boards(dash_board.sheet, dash_board.svg))

    return enter


FIVE: list[Any] = [
    pytest.param(*("aggravation", {}), marks=pytest.mark.long()),
    ("aggravation", {"arms": 6}),
    pytest.param(*("aggravation", {"play": "partners"}), marks=pytest.mark.long()),
    ("aggravation", {"play": "teams"}),
    ("game-of-god", {}),
    pytest.param(*("game-of-god", {"size": 6}), marks=pytest.mark.long()),
    pytest.param(*("game-of-god", {"pairs": 3}), marks=pytest.mark.long()),
    pytest.param(*("gloria", {}), marks=pytest.mark.long()),
    ("gloria", {"home": "center", "six_again": True}),
    pytest.param(*("gloria", {"opening_dice": 2}), marks=pytest.mark.long()),
    ("gloria", {"opening_dice": 3, "six_again": True}),
    ("parcheesi", {}),
    ("parcheesi-print", {}),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), FIVE, ids=str)
def test_nothing_is_found_in_the_five_games(name: str, options: dict[str, object]) -> None:
    breaches, played = check(name, options, 1, 1)
    assert breaches.lines() == () and "states" in played


@pytest.mark.long
def test_nothing_is_found_in_the_example(house) -> None:
    house(Dash)
    breaches, played = check("dash", {}, 3, 1)
    assert breaches.lines() == ()
    assert played.startswith("9 games with 2, 3, 4 players, ")


class RaisesInALateState(Dash):
    def legal_steps(self, state):
        if state.die and max(state.pieces[state.due]) == 15:
            raise KeyError("t99")
        return super().legal_steps(state)


class NeverGetsFar(Dash):
    def legal_steps(self, state):
        if max(state.pieces[state.due]) > 9:
            raise KeyError("t99")
        return super().legal_steps(state)


class Alone(Dash):
    """Dash for one."""

    def __init__(self, seats: tuple[int, ...] = (0,), options: dict[str, Any] | None = None) -> None:
        self.seats, self.options, self._next = tuple(seats), dict(options or {}), {seat: seat for seat in seats}
        if len(self.seats) != 1 or self.options or self.seats[0] not in dash.SEATS:
            raise OptionError(f"seats {seats}, options {options}: this is played alone, without options")


def test_a_game_for_one_alone_is_played(house) -> None:
    """It was refused, in its own words: two to six were seated."""
    house(Alone)
    breaches, played = check("dash", {}, 1, 1)
    assert breaches.lines() == () and played.startswith("1 games with 1 players, ")


def test_who_plays_alone_begins_without_a_throw(house, tmp_path: Path) -> None:
    """A throw for who begins was asked for, and refused, for it was decided: the game could not begin."""
    house(Alone)
    journal = open_journal(tmp_path / "games.db")
    desk = Desk.new(journal, Alone((0,)), {0: "red"}, 0)
    assert desk.bench.due == Due(DueKind.ROLL, 0, (1,))
    desk.tell(Rolled(1.0, Roll((4,))))
    again = Desk.resume(journal, {0: "red"})
    assert again is not None and again.bench.due == Due(DueKind.PLAY, 0) and again.token == desk.token
    journal.close()


def test_states_of_games_that_end_in_a_mistake_are_counted(house) -> None:
    house(NeverGetsFar)
    _, played = check("dash", {}, 3, 1)
    assert re.fullmatch(r"9 games with 2, 3, 4 players, [1-9]\d* states", played)


class ForbidsWhatIsLegal(Dash):
    def objections(self, state, step):
        return (Objection("COM-2"),) if step.by == "6" else super().objections(state, step)


class NothingAgainstAFoul(Dash):
    def objections(self, state, step):
        return () if step.target == "t9" else super().objections(state, step)


class ListsTwice(Dash):
    def legal_steps(self, state):
        return super().legal_steps(state) * 2


class RefusesALegalStep(Dash):
    def take(self, state, step):
        if step.target == "t7":
            raise dash.IllegalStep("t7 is not for you")
        return super().take(state, step)


class TakesAFoul(Dash):
    def take(self, state, step):
        legal = (step.seat, step.origin, step.target) in {(s.seat, s.origin, s.target) for s in self.legal_steps(state)}
        return super().take(state, step) if legal else state


class StumblesOverAFoul(Dash):
    def take(self, state, step):
        return super().take(state, next(s for s in self.legal_steps(state) if s.target == step.target))


class LeavesAnOutcomeOut(Dash):
    def outcomes(self, state):
        return super().outcomes(state)[:1]


class OutcomeThatCannotBe(Dash):
    def outcomes(self, state):
        return (*super().outcomes(state), Outcome(self.opening(state.due), ()))


class SaysAnOutcomeTwice(Dash):
    def outcomes(self, state):
        return super().outcomes(state) * 2


class ForgetsTheOrder(Dash):
    def from_json(self, data):
        state = super().from_json(data)
        return state._replace(pieces=tuple(tuple(reversed(runners)) for runners in state.pieces))


class SavesWhatIsNoJson(Dash):
    def to_json(self, state):
        return super().to_json(state) | {"pieces": {str(seat): set(state.pieces[seat]) for seat in self.seats}}


class RuleWithoutASentence(Dash):
    sentences: ClassVar = {rule: text for rule, text in dash.SENTENCES.items() if rule != "DSH-4"}


class RuleWithoutWords(Dash):
    sentences: ClassVar = {**dash.SENTENCES, "DSH-9": "No."}

    def objections(self, state, step):
        found = super().objections(state, step)
        return (*found, Objection("DSH-9")) if found else ()


class FactsThatTheWordsMiss(Dash):
    def objections(self, state, step):
        return tuple(replace(objection, facts={}) for objection in super().objections(state, step))


class LosesTheTaken(Dash):
    def position(self, state):
        full = super().position(state)
        return Position.of({name: seats for name, seats in full.items() if name != "t4"})


class SpaceThatTheBoardLacks(Dash):
    def spaces(self):
        return (*super().spaces(), "bar")


class SpaceThatIsNotNamed(Dash):
    def spaces(self):
        return tuple(name for name in super().spaces() if name != "t3")


class GoesInCircles(Dash):
    def _after(self, state, pieces):
        return self.opening(self.next_seat(state.due))


class DueFromNobody(Dash):
    def due(self, state):
        due = super().due(state)
        return replace(due, seat=4 if due.seat == 2 else due.seat)


class NoDice(Dash):
    def due(self, state):
        due = super().due(state)
        return Due(due.kind, due.seat) if due.kind is DueKind.ROLL else due


class IsStuck(Dash):
    def _legal(self, state):
        return super()._legal(state) if state.die > 1 else iter(())

    def may_stop(self, state):
        return False


class LeavesWhatIsADuty(Dash):
    def may_stop(self, state):
        return bool(state.die)


class StatesThatAreLists(Dash):
    def opening(self, first):
        state = super().opening(first)
        return state._replace(pieces=[list(runners) for runners in state.pieces])


class EverybodyMayPlay(Dash):
    def __init__(self, seats=(0, 1, 2, 3), options=None):
        super().__init__(seats, {})


class SkipsOne(Dash):
    def next_seat(self, seat):
        return self.seats[0] if seat == self.seats[1] else super().next_seat(seat)


class StepsElsewhere(Dash):
    def _legal(self, state):
        for step in super()._legal(state):
            yield replace(step, captures=((step.seat, f"base{step.seat}"),)) if step.target == "t2" else step


class MovesTheOther(Dash):
    def take(self, state, step):
        after, ways = super().take(state, step), dash.PROGRESS[step.seat]
        if step.target != "t5":
            return after
        mine = tuple(sorted((ways[step.origin], ways[step.target])))
        pieces = tuple(mine if seat == step.seat else there for seat, there in enumerate(after.pieces))
        return after._replace(pieces=pieces)


class AcceptsAnotherPosition(Dash):
    def with_position(self, position, due, like=None):
        return self.opening(due)


class HidesACapture(Dash):
    def legal_steps(self, state):
        return tuple(replace(step, captures=()) for step in super().legal_steps(state))

    def take(self, state, step):
        return Dash(self.seats).take(state, step)


class AsksForTwoDice(Dash):
    def due(self, state):
        due = super().due(state)
        return replace(due, dice=(2,)) if due.kind is DueKind.ROLL else due


class ForgetsTheSix(Dash):
    def rolls(self, state):
        return super().rolls(state)[:-1]


class BeginsWithTheFirst(Dash):
    def opening(self, first):
        return super().opening(self.seats[0])


class AcceptsForTheFirst(Dash):
    def with_position(self, position, due, like=None):
        return super().with_position(position, self.seats[0], like)


class StumblesOverAState(Dash):
    def from_json(self, data):
        assert data["pieces"] is not None
        return super().from_json(data)


class SaysTooManyHome(Dash):
    def home(self, state, seat):
        return 99


BROKEN = [
    (RaisesInALateState, r"legal_steps\(state\) raises KeyError: 't99' \(test_rules_check.py, line \d+\)"),
    (ForbidsWhatIsLegal, r"legal_steps\(\) lists .* \(by 6\), and objections\(\) forbids it by COM-2"),
    (NothingAgainstAFoul, r"> t9 is not among legal_steps\(\), and objections\(\) has nothing against it"),
    (ListsTwice, r"legal_steps\(\) lists .* twice"),
    (RefusesALegalStep, r"take\(state, Step\(.*'t7'.*\) raises IllegalStep: t7 is not for you"),
    (TakesAFoul, r"take\(state, Step\(.*\) is against the rules, and is not refused"),
    (StumblesOverAFoul, r"take\(state, Step\(.* must be refused with IllegalStep, and raises StopIteration"),
    (LeavesAnOutcomeOut, r"legal steps lead to an end that outcomes\(\) does not have"),
    (OutcomeThatCannotBe, r"outcomes\(\) has an end that no legal steps lead to"),
    (SaysAnOutcomeTwice, r"outcomes\(\) has two plays with the same end"),
    (ForgetsTheOrder, r"from_json\(to_json\(state\)\) is another state"),
    (SavesWhatIsNoJson, r"what to_json\(\) gives cannot be read again: TypeError"),
    (RuleWithoutASentence, r"an objection names the rule 'DSH-4', of which `sentences` has none"),
    (RuleWithoutWords, r"an objection names DSH-9, and there is no sentence for it among the words of 'dash'"),
    (FactsThatTheWordsMiss, r"the sentence of DSH-1 cannot be said with the facts \{\}: KeyError: 'die'"),
    (LosesTheTaken, r"seat \d has 1 pieces on the board, and began with 2"),
    (SpaceThatTheBoardLacks, r"the board of dash: the space bar is missing; dash needs it"),
    (SpaceThatIsNotNamed, r"position\(\) has a piece on 't3', which spaces\(\) does not name"),
    (GoesInCircles, r"the game is not over after 4000 states of random play"),
    (DueFromNobody, r"due\(\) names seat 4, and nobody sits there: \[0, 2\] play"),
    (NoDice, r"a roll is due, and due\(\) does not say of how many dice"),
    (IsStuck, r"there is no legal step, and may_stop\(\) is false: the game is stuck"),
    (LeavesWhatIsADuty, r"may_stop\(\) allows to leave the play, and unfinished\(\) forbids it: COM-4"),
    (StatesThatAreLists, r"a state must be hashable, of tuples and numbers"),
    (EverybodyMayPlay, r"EverybodyMayPlay\(.*no_such_option.* must be refused with OptionError, and is not"),
    (SkipsOne, r"next_seat\(\) goes 0 > 1 > 0 > 1, and \[0, 1, 3\] play"),
    (StepsElsewhere, r"says that it sends a piece of seat \d to base\d; after take\(\) none came there"),
    (MovesTheOther, r"after take\(\) of .* as many pieces of seat \d stand on \w+ as before"),
    (HidesACapture, r"take\(\) of .* moves more than the step and its captures say: on base\d"),
    (AsksForTwoDice, r"due\(\) asks for 2 dice, which can fall in 21 ways, and rolls\(\) has 0"),
    (ForgetsTheSix, r"due\(\) asks for 1 dice, which can fall in 6 ways, and rolls\(\) has 5"),
    (BeginsWithTheFirst, r"after opening\(\d\) seat 0 is due"),
    (AcceptsForTheFirst, r"after with_position\(…, \d\) seat 0 is due"),
    (StumblesOverAState, r"from_json\(\) of a STATE without pieces must raise StateError, and raises KeyError"),
    (SaysTooManyHome, r"home\(state, 0\) is 99, and seat 0 has 2 pieces"),
    (AcceptsAnotherPosition, r"with_position\(\) shows another position than it was given, on base"),
]


@pytest.mark.long(but=("RaisesInALateState", "AcceptsAnotherPosition"))
@pytest.mark.parametrize(("game", "said"), BROKEN, ids=[case[0].__name__ for case in BROKEN])
def test_each_breach_is_named(house, game: type, said: str) -> None:
    house(game)
    breaches, _ = check("dash", {}, 1, 1)
    texts = [breach.text for breach in breaches.found.values()]
    assert any(re.search(said, text) for text in texts), texts


def test_a_game_that_cannot_be_made_is_named(house) -> None:
    house(type("Half", (catalogue.Game,), {"name": "dash"}))
    breaches, played = check("dash", {}, 1, 1)
    assert "Half((0, 2), {}) raises TypeError: Can't instantiate abstract class Half" in breaches.lines()[0]
    assert played == "no game could be played"


def test_an_answer_of_another_kind_is_named(house) -> None:
    house(type("Nothing", (Dash,), {"due": lambda self, state: None}))
    breaches, _ = check("dash", {}, 1, 1)
    text, state, *_ = breaches.lines()
    assert text.startswith("- due(state) gives None, which is no Due") and state.startswith("  in State(due=0, ")


ROLL, WAY = r"Roll\(dice=\(\d,\)\)", r"Step\(seat=\d, .*\)"
OTHER_KINDS: list[tuple[str, Callable[[Any], Any], str]] = [
    ("hear", lambda given: None, rf"hear\(state, {ROLL}\) gives None, which is no state"),
    ("take", lambda given: None, rf"take\(state, {WAY}\) gives None, which is no state"),
    ("opening", lambda given: None, r"opening\(\d\) gives None, which is no state"),
    ("with_position", lambda given: None, r"with_position\(\) of a position that came up in play gives None, which"),
    ("due", lambda given: given.kind.value, r"due\(state\) gives 'roll', which is no Due"),
    ("due", lambda given: replace(given, kind="rest"), r"due\(state\) gives .*, in which kind is 'rest', which is no"),
    ("legal_steps", list, r"legal_steps\(state\) gives \[.*\], which is no tuple"),
    ("legal_steps", lambda given: tuple(("t1", "t2") for s in given), r"a tuple with \('t1', 't2'\), which is no Step"),
    (
        "legal_steps",
        lambda given: tuple(replace(step, by=5) for step in given),
        rf"legal_steps\(state\) gives a tuple with {WAY}, in which by is 5, which is no text",
    ),
    (
        "legal_steps",
        lambda given: tuple(replace(step, captures=("base0",)) for step in given),
        rf"legal_steps\(state\) gives a tuple with {WAY}, in which captures is a tuple with 'base0', which is no pair",
    ),
    ("may_stop", lambda given: None, r"may_stop\(state\) gives None, which is neither True nor False"),
    ("objections", lambda given: [], rf"objections\(state, {WAY}\) gives \[\], which is no tuple"),
    ("objections", lambda given: ("DSH-1",), r"gives a tuple with 'DSH-1', which is no Objection"),
    ("outcomes", lambda given: tuple(one.state for one in given), r"outcomes\(state\) gives .*, which is no Outcome"),
    ("position", dict, r"position\(state\) gives \{.*\}, which is no Position"),
    ("winners", lambda given: None, r"winners\(state\) gives None, which is no tuple"),
    ("to_json", lambda given: "x", r"to_json\(state\) gives 'x', which is no dict"),
    ("rolls", lambda given: (3,), r"rolls\(state\) gives a tuple with 3, which is no Roll"),
    ("left", lambda given: None, r"left\(state\) gives None, which is no tuple"),
    ("spaces", lambda given: (*given, 7), r"spaces\(\) gives a tuple with 7, which is no text"),
    ("next_seat", str, r"next_seat\(0\) gives '\d', which is no whole number"),
    ("capture_rule", lambda given: None, rf"capture_rule\({WAY}\) gives None, which is no text"),
]


@pytest.mark.long(but=("hear  None, which is no state", "capture_rule s None, which is no text"))
@pytest.mark.parametrize(("method", "other", "said"), OTHER_KINDS, ids=[f"{m} {s[-24:]}" for m, _, s in OTHER_KINDS])
def test_an_answer_of_another_kind_is_told_with_its_method(
    house, method: str, other: Callable[[Any], Any], said: str
) -> None:
    """A step by a number was not found, and the demo died of it; None from hear() was blamed on the next method."""
    right = getattr(Dash, method)
    house(type("Odd", (Dash,), {method: lambda self, *given: other(right(self, *given))}))
    breaches, _ = check("dash", {}, 1, 1)
    texts = [breach.text for breach in breaches.found.values()]
    assert any(re.search(said, text) for text in texts), texts
    for breach in breaches.found.values():
        assert "(state" not in breach.text or "State(" in breach.state, "it is told of which state"


def test_who_gave_a_state_of_another_kind_is_told(house) -> None:
    house(type("Odd", (Dash,), {"hear": lambda self, state, roll: "5"}))
    texts = [breach.text for breach in check("dash", {}, 1, 1)[0].found.values()]
    told = "; hear() gave that state, of the type str, and opening() one of State"
    assert any(text.startswith("due(state) raises AttributeError") and text.endswith(told) for text in texts), texts


def without(attribute: str) -> type:
    """Dash, of which one attribute is missing."""

    class Lacks(Dash):
        made = False

        def __init__(self, seats: Any, options: Any = None) -> None:
            super().__init__(seats, options)
            self.made = True

        def __getattribute__(self, name: str) -> Any:
            if name == attribute and super().__getattribute__("made"):
                raise AttributeError(f"'Dash' object has no attribute '{attribute}'")
            return super().__getattribute__(name)

    return Lacks


@pytest.mark.parametrize("attribute", ["title", "nouns", "sentences", "seats", "options", "opening_dice"])
def test_what_a_game_does_not_say_of_itself_is_named(house, attribute: str) -> None:
    """Without a title nothing was wrong, and the demo ended in a traceback; without options the check did."""
    house(without(attribute))
    breaches, played = check("dash", {}, 1, 1)
    texts = [breach.text for breach in breaches.found.values()]
    of_each = "self." if attribute in ("seats", "options") else ""
    assert any(text.startswith(f"Lacks: {of_each}{attribute} is missing; it must be ") for text in texts), texts
    assert played.startswith("3 games" if attribute in ("title", "opening_dice") else "no game could be played")


@pytest.mark.parametrize(
    ("attribute", "value", "said"),
    [
        ("title", "", "title is ''; it must be what people call the game"),
        ("nouns", {"piece": "man"}, r"nouns is {'piece': 'man'}; it must be Nouns\(…\)"),
        ("nouns", Nouns(piece=" "), r"nouns is Nouns\(piece=' '.*; it must be Nouns\(…\), each a word"),
        ("sentences", {"DSH-1": 7}, "sentences is {'DSH-1': 7}; it must be each rule's id with its sentence"),
        ("opening_dice", 0, "opening_dice is 0; it must be a whole number of dice, at least 1"),
    ],
)
def test_what_a_game_says_of_itself_in_another_kind_is_named(house, attribute: str, value: object, said: str) -> None:
    house(type("Odd", (Dash,), {attribute: value}))
    texts = [breach.text for breach in check("dash", {}, 1, 1)[0].found.values()]
    assert any(re.match(f"Odd: {said}", text) for text in texts), texts


def _raises() -> Any:
    raise KeyError("t99")


NO_BOARDS = [
    (_raises, dash_board.svg, r"the board of dash: its sheet\(\) raises KeyError: 't99' \(test_rules_check.py, line"),
    (lambda: None, dash_board.svg, r"the board of dash: its sheet\(\) must return a Sheet, and returns nothing"),
    (
        lambda: replace(dash_board.sheet(), spaces=None),
        dash_board.svg,
        r"the board of dash: its sheet cannot be written down: AttributeError: 'NoneType'",
    ),
    (
        lambda: sys.exit("no paper"),
        dash_board.svg,
        r"the board of dash: its sheet\(\) raises SystemExit: no paper \(test_rules_check.py",
    ),
    (dash_board.sheet, _raises, r"the board of dash: its svg\(\) raises KeyError: 't99' \(test_rules_check.py"),
    (dash_board.sheet, lambda: None, r"the board of dash: its svg\(\) must return the SVG as text, and returns noth"),
    (dash_board.sheet, lambda: b"<svg/>", r"its svg\(\) must return the SVG as text, and returns bytes"),
    (dash_board.sheet, lambda: "a board", r"the board of dash cannot be drawn: its picture is no SVG"),
]


@pytest.mark.parametrize(("sheet", "svg", "said"), NO_BOARDS, ids=[case[2][:60] for case in NO_BOARDS])
def test_a_board_that_cannot_be_drawn_is_told_in_a_sentence(
    house, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, sheet, svg, said: str
) -> None:
    """The check found nothing, or ended in a traceback, and so did `companion sheet`."""
    house(Dash)
    monkeypatch.setitem(BOARDS, "dash", Boards(sheet, svg))
    breaches, played = check("dash", {}, 1, 1)
    texts = [breach.text for breach in breaches.found.values()]
    assert len(texts) == 1 and re.search(said, texts[0]), texts
    assert played.startswith("3 games with 2, 3, 4 players")
    for command in (["sheet", "dash", "--out", str(tmp_path / "out")], ["demo", "--game", "dash", "--headless"]):
        assert main(command) == 2
        assert re.match(f"companion: .*{said}", capsys.readouterr().err)


def test_markers_that_are_not_printed_where_the_sheet_says_are_named(house, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board would never be found."""
    house(Dash)
    svg, right = dash_board.svg(), dash_board.sheet()
    markers = right.markers
    number = next(iter(markers.centers))
    elsewhere = {**markers.centers, number: (right.width / 2, right.height / 2)}
    for sheet, said in (
        (replace(right, markers=None), "its sheet has no markers"),
        (replace(right, markers=replace(markers, centers=elsewhere)), f"shows the marker {number} at"),
        (replace(right, markers=replace(markers, centers={**markers.centers, 49: (99.0, 99.0)})), "the marker 49"),
    ):
        monkeypatch.setitem(BOARDS, "dash", Boards(lambda sheet=sheet: sheet, lambda: svg))
        boards._printed.cache_clear()
        texts = [breach.text for breach in check("dash", {}, 1, 1)[0].found.values()]
        assert any(said in text for text in texts), texts


def test_a_way_that_raises_or_leads_elsewhere_is_named_and_the_page_goes_on(
    house, monkeypatch: pytest.MonkeyPatch
) -> None:
    house(Dash)
    sheet = dash_board.sheet()
    for way, said in (
        (lambda seat, sheet: {0: f"base{seat}", 1: ["t0"][seat]}, "the way of seat 1 (ways) raises IndexError"),
        (lambda seat, sheet: ["t0"], "must be a dict of progress to space"),
        (lambda seat, sheet: {0: "t99"}, "goes to 't99', which the sheet does not have"),
    ):
        monkeypatch.setitem(WAYS, "dash", way)
        texts = [breach.text for breach in check("dash", {}, 1, 1)[0].found.values()]
        assert any(said in text for text in texts), texts
        assert ways_of(sheet) == {}


def moved(**at: tuple[float, float, float]) -> Callable[[], Any]:
    """Dash's sheet with some spaces elsewhere: x, y and radius."""
    board = dash_board.sheet()
    spaces = {name: replace(board.spaces[name], x=x, y=y, radius=radius) for name, (x, y, radius) in at.items()}
    return lambda: replace(board, spaces={**board.spaces, **spaces})


CROWDED = [
    (moved(t3=(150, 205, 13)), "t2 and t3 lie 0 mm apart: which of them a piece of 12 mm stands on could not be told"),
    (moved(t3=(150, 205, 13), t4=(150, 215, 13)), r"t2 and t3 lie 0 mm apart \(and 2 more pairs like that\): which"),
    (moved(base0=(66, 70, 22)), "base0 and home0 lie 8 mm apart: which of them .* could not be told; they need 44 mm"),
    (moved(t0=(66, 258, 13)), "t0 and base0 lie 0 mm apart: .*; they need 28 mm from middle to middle"),
    (moved(t0=(40, 40, 13)), "t0 lies 1.69 mm over the marker 0: what is printed or stands there hides it"),
    (moved(t0=(70, 205, 3)), r"t0 is 6 mm wide, and a piece 12 mm: make it 1.5 pieces wide, 18 mm"),
]


@pytest.mark.long(but=("t2 and t3 lie 0 mm apart: wh",))
@pytest.mark.parametrize(("sheet", "said"), CROWDED, ids=[said[:28] for _, said in CROWDED])
def test_spaces_that_lie_on_each_other_or_over_a_marker_or_are_too_small_are_named(
    house, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, sheet, said: str
) -> None:
    """Nothing was said, and the referee could not make out what lay where."""
    house(Dash)
    monkeypatch.setitem(BOARDS, "dash", Boards(sheet, dash_board.svg))
    texts = [breach.text for breach in check("dash", {}, 1, 1)[0].found.values()]
    assert len(texts) == 1 and re.search(f"the board of dash: {said}", texts[0]), texts
    assert main(["sheet", "dash", "--out", str(tmp_path)]) == 0
    assert re.match(f"companion: the board of dash: {said}", capsys.readouterr().err)


def test_more_pieces_on_a_space_than_can_be_counted_are_named(house, monkeypatch: pytest.MonkeyPatch) -> None:
    house(Dash)
    monkeypatch.setattr(rules_check, "countable", lambda sheet, game: 1)
    texts = [breach.text for breach in check("dash", {}, 1, 1)[0].found.values()]
    assert any(text.startswith("base0 holds 2 pieces of seat 0, and 1 on one space can be counted: ") for text in texts)


@pytest.mark.parametrize(("kind", "began_with", "most"), [("pawn", 2, 4), ("pawn", 6, 6), ("disc", 6, 4)])
def test_as_many_are_counted_as_stand_together_at_first(kind: str, began_with: int, most: int) -> None:
    class Many(Dash):
        def position(self, state: Any) -> Position:
            return Position.of({"base0": (0,) * began_with})

    sheet = dash_board.sheet()
    assert countable(replace(sheet, piece=replace(sheet.piece, kind=kind)), Many((0, 2))) == most


def test_a_place_of_an_area_may_lie_in_it() -> None:
    board = dash_board.sheet()
    place = replace(board.spaces["base0"], name="base0.1", radius=10.0)
    assert not list(ills(replace(board, spaces={**board.spaces, "base0.1": place})))


def test_a_board_that_is_not_entered_is_named(house, monkeypatch: pytest.MonkeyPatch) -> None:
    house(Dash)
    monkeypatch.delitem(BOARDS, "dash")
    breaches, _ = check("dash", {}, 1, 1)
    assert list(breaches.found) == ["no board"]


def test_before_there_is_a_board_two_may_sit_side_by_side(house, monkeypatch: pytest.MonkeyPatch) -> None:
    class SideBySide(Dash):
        def __init__(self, seats: tuple[int, ...], options: dict[str, object]) -> None:
            if seats != (0, 1):
                raise OptionError(f"seats {list(seats)}: two play, at 0 and 1")
            super().__init__(seats, options)

    house(SideBySide)
    monkeypatch.delitem(BOARDS, "dash")
    breaches, played = check("dash", {}, 1, 1)
    assert list(breaches.found) == ["no board"] and played.startswith("1 games with 2 players")


@pytest.mark.long
def test_the_command_says_what_it_found(house, capsys: pytest.CaptureFixture[str]) -> None:
    house(Dash)
    assert main(["rules", "check", "--game", "dash", "--games", "1"]) == 0
    assert capsys.readouterr().out.startswith("dash: 3 games with 2, 3, 4 players, ")
    house(ListsTwice)
    assert main(["rules", "check", "--game", "dash", "--games", "1"]) == 1
    first, second, third = capsys.readouterr().out.splitlines()[:3]
    assert first.endswith("Not kept:") and second.startswith("- legal_steps() lists base")
    assert "(seed 1, seats 0, 2; " in second and third.startswith("  in State(due=")


def test_a_game_or_option_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check", "--game", "dush"]) == 2
    assert "there is aggravation" in capsys.readouterr().err
    for what in ("check", "list", "plays"):
        assert main(["rules", what, "--option", "home=center"]) == 2
        assert "--option is of one game that is checked" in capsys.readouterr().err
    with pytest.raises(OptionError, match="home 7"):
        check("gloria", {"home": 7}, 1, 1)


def test_a_game_that_fails_in_its_own_code_is_named_without_a_traceback(
    house, capsys: pytest.CaptureFixture[str]
) -> None:
    """The demo ended in a bare traceback."""

    class Fails(Dash):
        def position(self, state: Any) -> Position:
            raise KeyError("t99")

    house(Fails)
    assert main(["demo", "--game", "dash", "--headless", "--turns", "1"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("companion: The game 'dash' failed in its position(): KeyError: 't99' (test_rules_check.py")
    assert said.endswith("For more: companion rules check --game dash\n") and "Traceback" not in said


def test_a_game_that_ends_the_program_is_named_by_a_command_too(house, capsys: pytest.CaptureFixture[str]) -> None:
    """The demo and a replay ended in its midst, as if all had gone well."""

    class Ends(Dash):
        def position(self, state: Any) -> Position:
            return sys.exit(0)

    house(Ends)
    assert main(["demo", "--game", "dash", "--headless", "--turns", "1"]) == 1
    assert "The game 'dash' failed in its position(): SystemExit: 0 (test_rules" in capsys.readouterr().err


def test_at_the_table_it_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log alone knew why the page stood still."""

    class Fails(Dash):
        def left(self, state: Any) -> tuple[int, ...]:
            raise KeyError("t99")

    table, game = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), Fails((0, 2))
    rounds = iter(range(3))

    def step() -> bool:
        if next(rounds) == 2:
            table.service.stop()
        return bool(game.left(game.opening(0)))

    monkeypatch.setattr(table.service, "step", step)
    table.service.run()
    said = [verdict.text for verdict in table.verdicts if "failed" in verdict.text]
    assert len(said) == 1 and said[0].startswith("The game 'dash' failed in its left(): KeyError: 't99' (")


def test_a_game_whose_error_cannot_say_what_it_is_ends_no_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop ended over it."""

    class Dumb(Exception):
        def __str__(self) -> str:
            return str(self.reason)  # type: ignore[attr-defined]

    class Fails(Dash):
        def left(self, state: Any) -> tuple[int, ...]:
            raise Dumb

    table, game = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), Fails((0, 2))
    monkeypatch.setattr(table.service, "step", lambda: bool(game.left(game.opening(0))))
    monkeypatch.setattr(table.service.parts, "ended", iter((False, True)).__next__)
    table.service.run()
    said = [verdict.text for verdict in table.verdicts if "failed" in verdict.text]
    assert len(said) == 1 and said[0].startswith("The game 'dash' failed in its left(): Dumb (test_rules_check.py")


def test_of_an_error_that_says_a_whole_state_the_beginning_is_told() -> None:
    """It filled a phone, and what can be done about it stood below."""
    try:
        raise KeyError(tuple(range(2_000)))
    except KeyError as error:
        text = faults.said(error, Dash((0, 2)))
    assert "KeyError: (0, 1, 2, " in text and "… (test_rules_check.py, line " in text and len(text) < 700


def test_a_fault_that_says_something_else_each_time_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an object is in memory is another place each round: five notes a second filled the story and the disk."""

    class Fails(Dash):
        def left(self, state: Any) -> tuple[int, ...]:
            raise KeyError(next(places))

    places, rounds = iter(range(9)), iter((False,) * 5 + (True,))
    table, game = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), Fails((0, 2))
    monkeypatch.setattr(table.service, "step", lambda: bool(game.left(game.opening(0))))
    monkeypatch.setattr(table.service.parts, "ended", rounds.__next__)
    monkeypatch.setattr(loop, "STUMBLED", 0.0)
    table.service.run()
    assert sum("KeyError" in verdict.text for verdict in table.verdicts) == 1
    trouble = table.service.view().trouble
    assert trouble is not None and "KeyError: 4" in trouble.text, "but what it is now is on the page"


@pytest.mark.long
@pytest.mark.parametrize("method", ["due", "position", "left", "winners"])
def test_a_game_that_fails_in_each_round_is_told_on_the_page_and_once_in_the_log(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page stood still without a word, the log had a traceback each 0.2 s, and nobody could begin another game."""
    table, broken = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), [True]
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    service, right = table.service, getattr(Parcheesi, method)

    def fails(self: Any, *given: Any) -> Any:
        if broken:
            raise KeyError("t99")
        return right(self, *given)

    monkeypatch.setattr(Parcheesi, method, fails)
    monkeypatch.setattr(loop, "STUMBLED", 0.0)
    fed: list[str] = []
    service.parts.alive = fed.append
    for _ in range(120):
        table.clock.time += 0.1
        monkeypatch.setattr(service.parts, "ended", iter((False, True)).__next__)
        service.run()
    trouble = service.view().trouble
    assert trouble is not None and trouble.kind == "unclear"
    assert len(fed) == 120, "it is not ended by the watchdog, again and again"
    assert trouble.text.endswith("Until that is mended, take the last move back, or begin another game (More).")
    assert sum("KeyError" in line.text for line in service.view().plays) <= 2, "one a place of the program"
    assert sum(record.exc_info is not None for record in caplog.records) <= 2
    assert sum("for the 100. time" in record.message for record in caplog.records) == 1
    broken.clear()
    service._over.clear()
    table.live(11.0)
    assert service.view().trouble is None and service.view().headline == "Red, move 1 and 3."


class Forgets(Dash):
    """Its position() has no return in one case."""

    def position(self, state: Any) -> Any:
        return None if state.die == 5 else super().position(state)


class Yields(Dash):
    """Its legal_steps() is a generator."""

    def legal_steps(self, state: Any) -> Any:
        steps = super().legal_steps(state)
        return (step for step in steps) if state.die == 5 else steps


@pytest.mark.parametrize("game", [Forgets, Yields])
def test_a_game_of_other_people_that_answers_in_another_kind_is_named_and_the_table_goes_on(
    house, game: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee seemed to be at fault, and the watchdog ended it: the evening's game was put aside for that."""
    house(game)
    start = {"game": "dash", "options": {}, "seats": [0, 2], "due": 0, "pieces": {"0": [-1, 3], "2": [-1, 8]}}
    table = TestTable(tmp_path, game="dash", start=start)
    table.live(2.0)
    service, fed = table.service, list[str]()
    service.parts.alive = fed.append
    monkeypatch.setattr(loop, "STUMBLED", 0.0)
    service.actions._asked.put((Action("roll", dice=(5,)), Future()))
    for _ in range(20):
        table.clock.time += 0.1
        service._over.clear()
        monkeypatch.setattr(service.parts, "ended", iter((False, True)).__next__)
        service.run()
    said = [verdict.text for verdict in table.verdicts if "may have answered" in verdict.text]
    assert said and said[0].startswith("The game 'dash' may have answered what it must not: ")
    assert "companion rules check --game dash" in said[0] and len(fed) >= 20


class Leaves(Dash):
    """It ends the program where it does not know how to go on."""

    def legal_steps(self, state: Any) -> Any:
        return sys.exit("no way on") if state.die == 5 else super().legal_steps(state)


def test_a_game_of_other_people_that_ends_the_program_ends_no_evening(house, tmp_path: Path) -> None:
    """The service ended, and was begun anew with the same roll, again and again."""
    house(Leaves)
    start = {"game": "dash", "options": {}, "seats": [0, 2], "due": 0, "pieces": {"0": [-1, 3], "2": [-1, 8]}}
    table = TestTable(tmp_path, game="dash", start=start)
    table.live(2.0)
    answer = table.ask("roll", dice=(5,))
    assert not answer.ok and "SystemExit: no way on" in answer.text, answer.text
    assert table.ask("newgame").ok


def test_the_position_of_a_game_that_the_page_does_not_know_is_set_by_its_spaces(house, tmp_path: Path) -> None:
    house(Dash)
    start = {"game": "dash", "options": {}, "seats": [0, 2], "due": 0, "pieces": {"0": [-1, 3], "2": [-1, 8]}}
    service = TestTable(tmp_path, game="dash", start=start).service
    stands = {"base0": [0], "base2": [2], "t3": [0], "t8": [2]}
    assert service.state()["stands"] == stands
    moved = {**stands, "t8": [], "t5": [2]}
    assert service.actions.do(Action("position", state={"due": 2, "stands": moved})).ok
    assert service.state() | {"due": 2, "pieces": {"0": [-1, 3], "2": [-1, 5]}} == service.state()
    for told, why in (
        ({"due": 2, "stands": {**stands, "t4": [2]}}, "each player must have 2 runners"),
        ({"due": 1, "stands": stands}, "due 1"),
        ({"due": 2, "stands": 5}, "stands 5: expected an object"),
        ({"due": 2, "stands": {"t4": 2}}, "stands.t4 2: expected a list of seats"),
    ):
        with pytest.raises(StateError, match=why):
            service.actions.do(Action("position", state=told))


class Strides(Dash):
    """Dash without dice: each turn is a stride of one."""

    def due(self, state: Any) -> Due:
        due = super().due(state)
        return Due(DueKind.MOVE, due.seat) if due.kind is DueKind.ROLL else due

    def begin(self, state: Any) -> Any:
        return state._replace(die=1)


def test_the_plays_of_a_turn_that_needs_no_dice_are_answered_without_a_roll(house) -> None:
    """It wanted a roll, and then none was due."""
    house(Strides)
    start = {"game": "dash", "options": {}, "seats": [0, 2], "due": 0, "pieces": {"0": [-1, 3], "2": [-1, 8]}}
    told = json.loads(answer(json.dumps({"state": start})))
    assert [outcome["steps"] for outcome in told["outcomes"]] == [[["base0", "t0"]], [["t3", "t4"]]]


class Cowries(Dash):
    """Thrown with more dice than a box may have."""

    many: ClassVar[int] = 6

    def due(self, state: Any) -> Due:
        due = super().due(state)
        return replace(due, dice=(self.many,)) if due.kind is DueKind.ROLL else due


def test_a_demo_of_a_game_with_more_dice_than_a_box_may_have_says_where_they_can_be_thrown(
    house, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stood still for ever, with a traceback of the dice."""
    house(Cowries)
    assert main(["demo", "--game", "dash", "--headless", "--turns", "1"]) == 2
    assert "Dash throws 6 dice, and these pretend dice are 3 at most. In a tray" in capsys.readouterr().err


def test_more_dice_than_a_phone_can_tell_are_named(house, monkeypatch: pytest.MonkeyPatch) -> None:
    house(Cowries)
    monkeypatch.setattr(Cowries, "many", 7)
    found, _ = check("dash", {}, 1, 1)
    assert any("due() asks for 7 dice, and a phone can tell 6 at most" in line for line in found.lines())


class Stuck:
    """Something of one's own that does not come back before it is let go."""

    def __init__(self) -> None:
        self.go, self.events, self.state = threading.Event(), SimpleQueue[Any](), State.READY
        self.start = self.close = self.disarm = lambda: None

    def show(self, lamps: Any) -> None:
        while not self.go.wait(0.01):
            pass

    def arm(self, *asked: Any, **keys: Any) -> None:
        self.show(None)

    def faces(self) -> Iterator[int]:
        self.show(None)
        yield 5


def held_up(table: TestTable, stuck: Stuck, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the page says while something does not come back; gone once it did."""
    monkeypatch.setattr(loop, "Watch", partial(Watch, longest=0.2, look=0.05))
    service, since = table.service, time.monotonic()
    thread = threading.Thread(target=service.run, daemon=True)
    thread.start()
    while "not come back" not in (text := trouble_of(service)) and time.monotonic() < since + 10:
        time.sleep(0.02)
    stuck.go.set()
    while trouble_of(service) and time.monotonic() < since + 20:
        time.sleep(0.02)
    service.stop()
    thread.join(10.0)
    assert not trouble_of(service)
    return text


def trouble_of(service: loop.Service) -> str:
    trouble = service.view().trouble
    return trouble.text if trouble else ""


def test_a_game_whose_method_never_ends_is_named_in_the_log_and_on_the_page(
    house, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The table was dead, and nobody could say why."""
    stuck = Stuck()

    class Ponders(Dash):
        def hear(self, state: Any, roll: Any) -> Any:
            stuck.show(None)
            return super().hear(state, roll)

    house(Ponders)
    start = {"game": "dash", "options": {}, "seats": [0, 2], "due": 0, "pieces": {"0": [-1, 3], "2": [-1, 8]}}
    table = TestTable(tmp_path, game="dash", start=start)
    table.service.actions._asked.put((Action("roll", dice=(5,)), Future()))
    text = held_up(table, stuck, monkeypatch)
    place = r"for 0\.2 seconds; it is in test_rules_check\.py, line \d+\. Until it does nothing is heard"
    assert re.match(rf"The game 'dash' has not come back from its hear\(\) {place}", text), text
    assert "companion rules check --game dash" in text and text in caplog.text


@pytest.mark.parametrize("what", ["panel", "dice", "faces"])
def test_a_panel_or_dice_of_ones_own_that_never_come_back_are_named(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, table = Stuck(), TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    called = {"panel": "panel of your own has not come back from {}.Stuck.show() for 0.2 seconds",
              "dice": "dice of your own have not come back from {}.Stuck.arm() for 0.2 seconds",
              "faces": "dice of your own have not come back from {}.Stuck.faces() for 0.2 seconds"}  # fmt: skip
    if what == "faces":
        stuck.events.put(RollHeard(0.0, "own-dice", BoxRoll(1, 1, stuck.faces())))  # type: ignore[arg-type]
    part, own = ("panel", Panels(None, stuck)) if what == "panel" else ("dice", stuck)
    monkeypatch.setattr(table.service.parts, part, own)
    assert held_up(table, stuck, monkeypatch).startswith(f"The {called[what].format(__name__)}")


def test_a_game_that_cannot_say_what_is_due_can_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, opening = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), Parcheesi((0, 2)).opening(0)
    due = Parcheesi.due

    def fails(game: Any, state: Any) -> Due:
        if state != opening:
            raise KeyError("t99")
        return due(game, state)

    monkeypatch.setattr(Parcheesi, "due", fails)
    assert table.service.actions.do(Action("newgame", mark="1", first=0)).ok
    assert table.service.parts.journal.games()[0].result == {"left": True, "winners": []}


class NeverMoves(Dash):
    def legal_steps(self, state):
        while True:
            try:
                len(state.pieces)
            except Exception:
                continue


class Sleeps(Dash):
    def may_stop(self, state):
        time.sleep(1e6)
        return super().may_stop(state)


class NeverBegins(Dash):
    def __init__(self, seats, options=None):
        super().__init__(seats, options)
        while len(seats) == 3:
            self.table = options


class NeverEndsAtHome(Dash):
    def goals(self, seat):
        while True:
            self.there = seat


@pytest.mark.timeout(100)
@pytest.mark.parametrize(
    ("game", "method"),
    [(NeverMoves, "legal_steps"), (Sleeps, "may_stop"), (NeverBegins, "__init__"), (NeverEndsAtHome, "goals")],
)
def test_a_method_that_never_ends_is_stopped_and_named(
    house, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], game: type, method: str
) -> None:
    """The check hung for ever, and said nothing."""
    house(game)
    monkeypatch.setattr(Patience.__init__, "__defaults__", (2.0,))
    before = signal.getsignal(signal.SIGALRM)
    assert main(["rules", "check", "--game", "dash", "--games", "1"]) == 1
    first, second, *more = capsys.readouterr().out.splitlines()
    assert first.endswith(", and then it was stopped. Not kept:")
    told = f"- {method}() does not end: not done after 2 seconds, it was in test_rules_check.py, line "
    assert second.startswith(told)
    assert len(more) == (method in ("legal_steps", "may_stop")) and all("in State(" in line for line in more)
    assert signal.getsignal(signal.SIGALRM) is before


class Sweeps:
    def __del__(self) -> None:
        end = time.monotonic() + 0.25
        while time.monotonic() < end:
            self.there = end


def test_what_is_cleared_away_meanwhile_is_not_stopped_but_what_follows() -> None:
    """Python hears no error there: it printed it, and the rest went on until the next ring."""
    with pytest.raises(NeverEnds) as caught, Patience(0.1).watching():
        Sweeps()
        while True:
            pass
    here = [entry.name for entry in caught.traceback if entry.path == Path(__file__)]  # rings may fall together
    assert here == ["test_what_is_cleared_away_meanwhile_is_not_stopped_but_what_follows"]


def test_who_takes_their_time_with_many_questions_is_not_stopped() -> None:
    patience, end = Patience(0.2), time.monotonic() + 0.6
    with patience.watching():
        while time.monotonic() < end:
            patience.renew()
            time.sleep(0.05)


def test_what_no_game_did_is_blamed_on_none() -> None:
    with pytest.raises(KeyError) as raised:
        Position.of({}).without(0, "t1")
    assert blamed(raised.value) == ""


def test_a_state_is_shown_whatever_it_is() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError("no")

    assert shortened(Odd()) == "a Odd that cannot be shown (ValueError)"
    assert len(shortened(Step(0, "t" * 2 * LONGEST, ""))) == LONGEST + 1
