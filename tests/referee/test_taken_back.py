"""A play that was taken back by word, and what a hand does next: puts it back, plays otherwise, or the same again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.games.catalogue import game_for
from companion.model import (
    AcceptedAsPlayed,
    AgreedToStop,
    Answered,
    BoardSeen,
    Challenged,
    Confirmed,
    DiceCorrected,
    DiceState,
    Due,
    DueKind,
    Kind,
    NotDue,
    Position,
    PositionSet,
    Roll,
    Rolled,
    Saw,
    SpaceSeen,
    TakenBack,
    Thrown,
    Undone,
    Verdict,
)
from companion.referee.bench import Bench, tell

NAMES = {0: "red", 1: "green", 2: "yellow", 3: "blue"}
PARCHEESI, GOD = game_for("parcheesi", (0, 2)), game_for("game-of-god", (0, 2))


class Table:
    """A board that is seen for sure, and a hand that is over it whenever something changes."""

    def __init__(self, game: Any, state: Any) -> None:
        self.game, self.now = game, 0.0
        self.bench = Bench.opening(game, NAMES, state, game.seats[0])
        self.shows(self.bench.position)

    def tell(self, word: Any) -> list[Verdict]:
        self.bench, said = tell(self.bench, word)
        return said

    def shows(self, position: Position, hand: bool = True, seconds: float = 2.0) -> list[Verdict]:
        likelihoods = {name: position.at(name) for name in self.game.spaces()}
        known = {name: SpaceSeen(seen, 0.999, likelihoods={seen: 0.0}) for name, seen in likelihoods.items()}
        said: list[Verdict] = []
        for k in range(round(5 * seconds)):
            self.now += 0.2
            said += self.tell(Saw(self.now, BoardSeen(self.now, known, moving=hand and k == 0)))
        return said


def dice(game: Any, state: Any, rng: random.Random) -> Rolled:
    return Rolled(0.0, Roll(tuple(rng.randint(1, 6) for _ in range(max(game.due(state).dice)))))


def played(name: str, seats: tuple[int, ...], seed: int, turns: int) -> Iterator[tuple[Table, list[Any]]]:
    """A random game; the table at each roll with its different plays, as soon as one of them was played and seen."""
    game, rng = game_for(name, seats), random.Random(seed)
    state = game.opening(seats[0])
    for _ in range(turns):
        if game.due(state).kind is DueKind.QUESTION:
            state = game.answer(state, True)
        if game.due(state).kind is not DueKind.ROLL:
            return
        table, word = Table(game, state), dice(game, state, rng)
        table.tell(replace(word, at=table.now))
        heard = game.hear(state, word.roll)
        ends = game.outcomes(heard) if game.due(heard).kind is DueKind.PLAY else ()
        outcomes = [end for end in ends if end.steps]
        if outcomes:
            first = rng.choice(outcomes)
            said = table.shows(game.position(first.state))
            if [verdict.kind for verdict in said] == [Kind.LEGAL]:
                yield table, outcomes
        state = rng.choice(ends).state if ends else heard


@pytest.mark.long(but=("2-aggravation",))
@pytest.mark.parametrize("name", ["parcheesi", "parcheesi-print", "gloria", "aggravation"])
@pytest.mark.parametrize("seed", [1, 2])
def test_another_play_of_the_roll_is_ruled_though_the_board_was_never_seen_put_back(name: str, seed: int) -> None:
    rng, ruled = random.Random(seed), 0
    for table, outcomes in played(name, (0, 1, 2), seed, 60):
        stood = table.bench.position
        others = [o for o in outcomes if table.game.position(o.state) != stood]
        if not others:
            continue
        table.tell(TakenBack(table.now))
        again = table.game.position(rng.choice(others).state)
        said = table.shows(again)
        assert [verdict.kind for verdict in said][:1] in ([Kind.LEGAL], [Kind.PARTIAL]), [v.text for v in said]
        assert table.bench.position == again and not table.bench.accused
        ruled += 1
    assert ruled >= 5


@pytest.mark.long(but=("aggravation",))
@pytest.mark.parametrize("name", ["parcheesi", "parcheesi-print", "gloria", "aggravation"])
def test_the_same_play_again_is_ruled_once_a_hand_was_there(name: str) -> None:
    ruled = 0
    for table, _ in played(name, (0, 1, 2), 3, 30):
        stood = table.bench.position
        table.tell(TakenBack(table.now))
        assert table.shows(stood, hand=False, seconds=3.0) == [] and table.bench.due.kind is DueKind.PLAY
        said = table.shows(stood, seconds=4.0)
        assert [verdict.kind for verdict in said][:1] == [Kind.LEGAL], [v.text for v in said]
        assert table.bench.due.kind is not DueKind.PLAY and table.bench.ignored is None
        ruled += 1
    assert ruled >= 5


def test_the_hand_that_says_so_is_not_taken_for_one_that_plays_again() -> None:
    """It leaves the board just after the button was pressed, and the camera may be late."""
    table, _ = next(played("parcheesi", (0, 1, 2), 3, 30))
    stood = table.bench.position
    table.tell(TakenBack(table.now))
    assert table.shows(stood, seconds=1.2) == []
    assert table.shows(stood, hand=False, seconds=8.0) == []
    assert table.bench.ignored == stood


@pytest.mark.long
def test_a_play_that_is_put_back_after_it_seemed_to_be_played_again_accuses_nobody() -> None:
    plays = 0
    for table, _ in played("parcheesi", (0, 1, 2), 5, 30):
        stood, began = table.bench.position, table.bench.trail[0]
        table.tell(TakenBack(table.now))
        table.shows(stood, hand=False, seconds=3.0)
        table.shows(stood, seconds=4.0)
        said = table.shows(began)
        assert [verdict.kind for verdict in said] == [Kind.TAKEBACK]
        plays += 1
    assert plays > 5


# --- what somebody said ---


def test_an_answer_is_taken_back_alone_and_the_play_before_it_after_that() -> None:
    """Who pressed the wrong button was told to put back the pawn of the player before, and it counted again then."""
    game = game_for("gloria", (0, 2))
    pieces = {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 7]}
    state = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "expects": "roll", "pieces": pieces}
    table = Table(game, game.from_json(state))
    table.tell(Rolled(table.now, Roll((3,))))
    assert [verdict.kind for verdict in table.shows(table.bench.position.moved(0, "t5", "t8"))] == [Kind.LEGAL]
    stood = table.bench.position
    for right in (False, True):
        table.tell(Answered(table.now, right))
        [said] = table.tell(TakenBack(table.now))
        assert (said.kind, said.text) == (Kind.TAKEBACK, "The answer is taken back.")
        assert table.bench.due == Due(DueKind.QUESTION, 2) and table.bench.position == stood and not table.bench.early
    assert table.shows(stood, hand=False) == []
    [said] = table.tell(TakenBack(table.now))
    assert (said.seat, said.put_right) == (0, ((0, "t8", "t5"),))


def test_an_agreement_to_stop_that_was_not_meant_ends_no_game() -> None:
    """It waited for the last move to be made again, and ended the game then."""
    table = Table(GOD, GOD.opening(0))
    end = GOD.outcomes(GOD.begin(table.bench.state))[3].state
    assert [verdict.kind for verdict in table.shows(GOD.position(end))] == [Kind.LEGAL]
    table.tell(AgreedToStop(table.now))
    assert table.bench.due.kind is DueKind.OVER
    [said] = table.tell(TakenBack(table.now))
    assert said.text == "The agreement to stop is taken back." and table.bench.due == Due(DueKind.MOVE, 2)
    assert table.shows(GOD.position(end)) == []


# --- where a foul stands, or the dice were corrected ---

START = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
START |= {"pieces": {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}}
FOUL = (2, "t39", "t44")


def after_a_play() -> Table:
    """Red has played, and yellow rolled 6 and 2."""
    table = Table(PARCHEESI, PARCHEESI.from_json(START))
    table.tell(Rolled(table.now, Roll((3, 1))))
    table.shows(table.bench.position.moved(0, "t10", "t14"))
    table.tell(Rolled(table.now, Roll((6, 2))))
    assert table.bench.due == Due(DueKind.PLAY, 2)
    return table


def test_who_takes_a_foul_back_takes_no_play_of_another_back() -> None:
    """Red was to put a pawn back, whose play was right, and yellow had "moved before rolling"."""
    table = after_a_play()
    stood = table.bench.position
    table.shows(stood.moved(*FOUL))
    for _ in range(2):
        [said] = table.tell(TakenBack(table.now))
        assert (said.kind, said.seat, said.put_right) == (Kind.NOTE, 2, ((2, "t44", "t39"),))
        assert said.text == "The move is taken back: please put the pawns back as they were."
        assert table.bench.due == Due(DueKind.PLAY, 2) and table.shows(stood.moved(*FOUL)) == []
    assert [verdict.kind for verdict in table.shows(stood)] == [Kind.RESTORED]
    [said] = table.tell(TakenBack(table.now))
    assert (said.kind, said.seat, said.put_right) == (Kind.TAKEBACK, 0, ((0, "t14", "t10"),))


def test_the_last_play_is_taken_back_though_it_was_put_back_first_which_looked_like_a_foul() -> None:
    table = after_a_play()
    before = table.bench.position.moved(0, "t14", "t10")
    assert [verdict.kind for verdict in table.shows(before)] == [Kind.ILLEGAL]
    assert [(said.kind, said.seat) for said in table.tell(TakenBack(table.now))] == [(Kind.TAKEBACK, 0)]
    assert table.shows(before) == [] and table.bench.due == Due(DueKind.PLAY, 0)


def test_dice_that_were_corrected_wait_as_corrected_where_the_play_before_is_taken_back() -> None:
    """They waited as they were first told, and who played what was rolled was accused."""
    table = after_a_play()
    stood = table.bench.position
    table.tell(DiceCorrected(table.now, Roll((4, 3))))
    table.tell(TakenBack(table.now))
    table.shows(stood.moved(0, "t14", "t10"))
    table.shows(stood)
    assert table.bench.due == Due(DueKind.PLAY, 2) and table.bench.turn is not None
    assert table.bench.turn.dice == (4, 3)
    assert [verdict.kind for verdict in table.shows(stood.moved(2, "t39", "t46"))] == [Kind.LEGAL]


# --- what somebody said by hand ---


@pytest.mark.parametrize("rolled", [False, True])
def test_a_play_that_was_accepted_is_taken_back_and_not_the_one_before_it(rolled: bool) -> None:
    """The one before was: red was to put a pawn back, and yellow's stayed where no rule had let it."""
    table = after_a_play()
    stood = table.bench.position
    assert [verdict.kind for verdict in table.shows(stood.moved(*FOUL))] == [Kind.ILLEGAL]
    table.tell(AcceptedAsPlayed(table.now))
    waits = (Rolled(table.now, Roll((1, 2))),) if rolled else ()
    for word in waits:
        table.tell(word)
    [said] = table.tell(TakenBack(table.now))
    assert (said.kind, said.seat, said.put_right) == (Kind.TAKEBACK, 2, ((2, "t44", "t39"),))
    assert table.bench.due == Due(DueKind.PLAY, 2) and table.bench.position == stood
    assert [word.roll for word, _ in table.bench.early if isinstance(word, Rolled)] == [word.roll for word in waits]
    assert table.shows(stood.moved(*FOUL), hand=False) == [], "they were told already to put it back"
    assert table.shows(stood) == []
    assert [verdict.kind for verdict in table.shows(stood.moved(2, "t39", "t47"))] == [Kind.LEGAL]
    assert table.bench.due.kind is (DueKind.PLAY if rolled else DueKind.ROLL) and table.bench.due.seat == 0


def test_a_foul_that_was_accepted_and_taken_back_is_named_to_who_plays_so_after_all() -> None:
    table = after_a_play()
    table.shows(table.bench.position.moved(*FOUL))
    table.tell(AcceptedAsPlayed(table.now))
    accepted = table.bench.position
    table.tell(TakenBack(table.now))
    table.tell(Confirmed(table.now))
    assert [verdict.kind for verdict in table.shows(accepted, hand=False)] == [Kind.ILLEGAL]


def test_plays_told_by_hand_are_taken_back_one_after_the_other() -> None:
    """Where no camera looks there was nothing to be taken back, as if no move had been made."""
    bench = Bench.opening(PARCHEESI, NAMES, PARCHEESI.from_json(START), 0)
    for at, dice in enumerate([(3, 1), (6, 2)]):
        bench, _ = tell(bench, Rolled(at, Roll(dice)))
        bench, _ = tell(bench, PositionSet(at, PARCHEESI.to_json(PARCHEESI.outcomes(bench.node.state)[0].state)))
    for seat, dice in ((2, (6, 2)), (0, (3, 1))):
        bench, [said] = tell(bench, TakenBack(9.0))
        assert (said.kind, said.seat) == (Kind.TAKEBACK, seat)
        assert bench.due == Due(DueKind.PLAY, seat) and bench.turn is not None and bench.turn.dice == dice
    assert [word.roll for word, _ in bench.early if isinstance(word, Rolled)] == [Roll((6, 2))]


def test_moves_without_dice_told_by_hand_are_taken_back_too() -> None:
    bench = Bench.opening(GOD, NAMES, GOD.opening(0), 0)
    stood = [bench.state]
    for at in range(3):
        end = GOD.outcomes(GOD.begin(bench.state))[at].state
        bench, _ = tell(bench, PositionSet(at, GOD.to_json(end)))
        stood.append(bench.state)
    for state in stood[-2::-1]:
        bench, [said] = tell(bench, TakenBack(9.0))
        assert said.kind is Kind.TAKEBACK and bench.state == state
    with pytest.raises(NotDue):
        tell(bench, TakenBack(10.0))


def test_a_piece_to_be_placed_that_was_told_by_hand_is_no_turn_to_take_back() -> None:
    squares = {f"{column}8": "NN" for column in "cdefgh"} | {f"{column}1": "SS" for column in "cdefgh"}
    told = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "expects": "placing"}
    told |= {"moved": "a4", "target": "b4", "throws": [5, 2], "squares": squares | {"a4": "N", "b4": "S"}}
    pairs = {**told, "squares": {**told["squares"], "a8": "N", "b1": "S"}}
    bench, _ = tell(Bench.opening(GOD, NAMES, GOD.opening(0), 0), PositionSet(1.0, pairs))
    assert bench.due == Due(DueKind.PLAY, 0)
    placed = GOD.outcomes(bench.state)[0].state
    bench, _ = tell(bench, PositionSet(2.0, GOD.to_json(placed)))
    for due in (Due(DueKind.PLAY, 0), Due(DueKind.MOVE, 0)):
        bench, [said] = tell(bench, TakenBack(3.0))
        assert said.kind is Kind.TAKEBACK and bench.due == due


def test_what_was_wrong_before_it_was_accepted_is_said_again_once_that_is_undone() -> None:
    """It kept everything else waiting, and the page showed nothing of it."""
    table = after_a_play()
    [foul] = table.shows(table.bench.position.moved(*FOUL))
    table.tell(AcceptedAsPlayed(table.now))
    undone, again = table.tell(Undone(table.now))
    assert (undone.kind, undone.seat) == (Kind.TAKEBACK, foul.seat)
    assert again == replace(foul, at=table.now) and table.bench.accused


def test_a_move_that_was_accepted_without_a_roll_is_not_taken_back_once_the_next_player_rolled() -> None:
    """That roll would count for who moved before rolling."""
    table = Table(PARCHEESI, PARCHEESI.from_json(START))
    table.shows(table.bench.position.moved(0, "t10", "t14"))
    table.tell(AcceptedAsPlayed(table.now))
    accepted = table.bench
    [said, again] = table.tell(TakenBack(table.now))
    assert (said.kind, again.kind) == (Kind.TAKEBACK, Kind.ILLEGAL) and table.bench.due == Due(DueKind.ROLL, 0, (2,))
    table.bench = accepted
    table.tell(Rolled(table.now, Roll((6, 2))))
    with pytest.raises(NotDue, match=r"the new roll of 6 and 2 came after what was said by hand"):
        table.tell(TakenBack(table.now))
    assert table.bench.due == Due(DueKind.PLAY, 2)


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_roll_that_waits_counts_once_the_foul_of_another_is_accepted(by_hand: bool) -> None:
    """It was told to wait, and then forgotten."""
    table = Table(PARCHEESI, PARCHEESI.from_json(START))
    table.tell(Rolled(table.now, Roll((3, 1))))
    table.shows(table.bench.position.moved(0, "t10", "t14"))
    table.shows(table.bench.position.moved(0, "t20", "t33"))
    assert table.bench.accused and table.bench.due == Due(DueKind.ROLL, 2, (2,))
    table.tell(Rolled(table.now, Roll((6, 2)), "phone"))
    state = {**START, "due": 2, "pieces": {**START["pieces"], "0": [14, 30, 33, 40]}}
    table.tell(PositionSet(table.now, state) if by_hand else AcceptedAsPlayed(table.now))
    assert table.bench.due == Due(DueKind.PLAY, 2) and table.bench.turn is not None
    assert table.bench.turn.dice == (6, 2)


def test_a_roll_that_waits_for_a_move_that_is_accepted_is_no_roll_of_the_next_player() -> None:
    """Who moved before rolling, and typed the dice then."""
    table = Table(PARCHEESI, PARCHEESI.from_json(START))
    table.shows(table.bench.position.moved(0, "t10", "t14"))
    assert table.bench.accused
    table.tell(Rolled(table.now, Roll((6, 2)), "phone"))
    table.tell(AcceptedAsPlayed(table.now))
    assert table.bench.due == Due(DueKind.ROLL, 2, (2,)) and not table.bench.early


@pytest.mark.parametrize("word", [TakenBack, Undone])
def test_that_the_dice_are_back_is_not_taken_back(word: Any) -> None:
    """The referee went on to ask what was rolled, and the lamps to send players to their phones."""
    table = Table(PARCHEESI, PARCHEESI.from_json(START))
    table.tell(DiceState(table.now, False))
    table.tell(Rolled(table.now, Roll((3, 1)), "phone"))
    table.shows(table.bench.position.moved(0, "t10", "t14"))
    table.tell(Rolled(table.now, Roll((6, 2)), "phone"))
    table.tell(DiceCorrected(table.now, Roll((6, 1)), "phone"))
    table.tell(DiceState(table.now, True))
    table.tell(word(table.now))
    assert table.bench.dice_work


def test_a_roll_that_another_told_is_none_of_who_rolls_again() -> None:
    """PAR-16: yellow had rolled and passed; red's dice were doublets in truth, so that red rolls again."""
    table = Table(PARCHEESI, PARCHEESI.from_json({**START, "pieces": {"0": [10, 20, 30, -1], "2": [-1] * 4}}))
    start = table.bench.position
    table.tell(Rolled(table.now, Roll((4, 3)), "phone"))
    table.shows(start.moved(0, "t10", "t14").moved(0, "t20", "t23"))
    [said] = table.tell(Rolled(table.now, Roll((6, 2)), "phone"))
    assert said.kind is Kind.PASS and table.bench.due == Due(DueKind.ROLL, 0, (2,))
    table.tell(TakenBack(table.now))
    table.tell(DiceCorrected(table.now, Roll((4, 4))))
    said = table.shows(start.moved(0, "t10", "t14").moved(0, "t14", "t18"))
    text = "The new roll of 6 and 2 does not count any more: it was told in yellow's turn, and now it is red's."
    assert [(v.kind, v.text) for v in said][1:] == [(Kind.NOTE, text)]
    assert table.bench.due == Due(DueKind.ROLL, 0, (2,)) and not table.bench.early


def test_a_roll_of_the_next_player_counts_again_once_the_play_before_it_is_made_otherwise() -> None:
    table = Table(PARCHEESI, PARCHEESI.from_json({**START, "pieces": {"0": [10, 20, 30, -1], "2": [-1] * 4}}))
    start = table.bench.position
    table.tell(Rolled(table.now, Roll((4, 3)), "phone"))
    table.shows(start.moved(0, "t10", "t14").moved(0, "t20", "t23"))
    table.tell(Rolled(table.now, Roll((6, 2)), "phone"))
    table.tell(TakenBack(table.now))
    said = table.shows(start.moved(0, "t10", "t17"))
    assert [verdict.kind for verdict in said] == [Kind.LEGAL, Kind.PASS] and said[1].seat == 2


# --- two plays, before anything is put back ---


@pytest.mark.parametrize("order", [(2, 0), (0, 2)])
def test_two_plays_that_were_taken_back_are_put_back_one_after_the_other(order: tuple[int, int]) -> None:
    """Both were ruled as played again while they stood there yet, and who then put a pawn back moved it out of turn."""
    table = after_a_play()
    ways = {0: ("t14", "t10"), 2: ("t47", "t39")}
    stands = table.bench.position.moved(2, "t39", "t47")
    assert [verdict.kind for verdict in table.shows(stands)] == [Kind.LEGAL]
    table.tell(TakenBack(table.now))
    table.shows(stands, hand=False)
    [said] = table.tell(TakenBack(table.now))
    assert (said.seat, set(said.put_right)) == (0, {(seat, *way) for seat, way in ways.items()})
    assert table.shows(stands, hand=False, seconds=4.0) == []
    for seat in order:
        stands = stands.moved(seat, *ways[seat])
        assert table.shows(stands, seconds=4.0) == []
    assert table.bench.due == Due(DueKind.PLAY, 0) and table.bench.ignored is None
    assert [verdict.kind for verdict in table.shows(stands.moved(0, "t10", "t14"))] == [Kind.LEGAL]
    assert table.bench.due == Due(DueKind.PLAY, 2), "the roll that followed counts"


def test_of_two_plays_that_were_taken_back_the_first_is_played_after_all_where_that_is_said() -> None:
    table = after_a_play()
    stood = table.bench.position
    table.shows(stood.moved(2, "t39", "t47"))
    for _ in range(2):
        table.tell(TakenBack(table.now))
    assert table.shows(stood) == []
    table.tell(Confirmed(table.now))
    assert [(verdict.kind, verdict.seat) for verdict in table.shows(stood, hand=False)] == [(Kind.LEGAL, 0)]


def test_god_13_a_piece_that_was_placed_and_taken_back_with_the_move_before_it_is_no_foul_yet() -> None:
    squares = {f"{column}8": "NN" for column in "abcdef"} | {f"{column}1": "SS" for column in "abcdef"}
    told = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N"}
    told |= {"squares": squares | {"d5": "N", "h5": "N", "c4": "S", "h2": "S"}}
    table = Table(GOD, GOD.from_json(told))
    before = table.bench.position
    table.shows(before.moved(0, "d5", "d4"))
    for word in (Challenged(table.now, "c4"), Thrown(table.now, 0, 6), Thrown(table.now, 2, 1)):
        table.tell(word)
    placed = GOD.position(GOD.outcomes(table.bench.node.state)[0].state)
    assert [verdict.kind for verdict in table.shows(placed)] == [Kind.LEGAL]
    for _ in range(2):
        table.tell(TakenBack(table.now))
    assert table.shows(placed, hand=False, seconds=4.0) == []
    assert table.shows(before) == [] and table.bench.due.seat == 0 and table.bench.ignored is None


@pytest.mark.parametrize("throws", [(), (6,), (6, 1)])
def test_god_11_a_challenge_goes_with_a_move_that_nobody_saw_which_is_taken_back(throws: tuple[int, ...]) -> None:
    """It was challenged and thrown again at once, and so moved again: no word took that move back."""
    squares = {f"{column}8": "NN" for column in "abcde"} | {f"{column}1": "SS" for column in "abcdef"}
    told = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N"}
    told |= {"squares": squares | {"d4": "NN", "f4": "NN", "f5": "S", "h2": "S"}}
    table = Table(GOD, GOD.from_json(told))
    stood, state = table.bench.position, table.bench.state
    table.shows(stood)
    for word in (Confirmed(table.now), Challenged(table.now, "f5")):
        table.tell(word)
    for seat, value in zip((0, 2), throws, strict=False):
        table.tell(Thrown(table.now, seat, value))
    while table.bench.state != state:
        [said] = table.tell(TakenBack(table.now))
        assert said.kind is Kind.TAKEBACK
    assert table.shows(stood) == [] and table.bench.due == Due(DueKind.MOVE, 0) and not table.bench.early


def test_agg_20_a_partner_who_played_for_the_roller_takes_that_back() -> None:
    """It was said of the roller, and the play counted on in the sums of an earlier game."""
    game = game_for("aggravation", (0, 1, 2, 3), {"play": "partners"})
    state = {"game": "aggravation", "options": {"play": "partners"}, "seats": [0, 1, 2, 3], "due": 0}
    pieces = {"0": [55, 56, 57, 58], "1": [-1] * 4, "2": [-1, -1, 10, 20], "3": [-1] * 4}
    table = Table(game, game.from_json({**state, "pieces": pieces}))
    table.tell(Rolled(table.now, Roll((4,))))
    stood = table.bench.position
    for by_word in (True, False):
        (legal,) = table.shows(stood.moved(2, "t47", "t51"))
        said = table.tell(TakenBack(table.now)) if by_word else []
        back, *_ = [*said, *table.shows(stood)]
        assert (legal.kind, legal.seat) == (Kind.LEGAL, 2)
        assert (back.kind, back.seat) == (Kind.TAKEBACK, 2) and back.text.startswith("Yellow t")
