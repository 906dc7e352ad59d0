"""The service over a pretend table: from frames and phones to verdicts, journal and what players see."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from table import BOARD, TestTable

from companion.model import BoardLost, BoardSeen, DueKind, Kind, Sighting
from companion.model.table import Action, Answer
from companion.panel import Press
from companion.service.table import actions
from companion.service.table.thinning import Thinner
from companion.virtual.tabletop import Hand, shoulder_of
from companion.vision import look

PIECES = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}


@pytest.fixture
def table(tmp_path: Path) -> TestTable:
    return TestTable(tmp_path, PIECES)


def test_a_game_from_throws_to_a_ruled_play(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    assert table.live(1.5) == []
    assert table.service.view().due_kind is DueKind.THROW
    assert table.ask("roll", dice=(2, 3)).ok
    assert table.ask("roll", dice=(6, 3)).ok
    assert table.service.view().due == 2
    assert table.ask("roll", dice=(5, 2)).ok
    table.move(2, "base2", "t34")
    assert table.live(2.0) == ["partial"]
    table.move(2, "t34", "t36")
    assert table.live(2.0) == ["legal"]
    view = table.service.view()
    assert view.due == 0 and view.plays[0].verdict == "legal" and view.position["t36"] == (2,)


@pytest.mark.long
def test_done_while_a_throw_is_due_is_answered_by_what_is_due(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    table.live(1.5)
    done = table.ask("confirm")
    assert not done.ok and done.text == "Who begins? Red, throw the dice."
    assert table.service.view().due_kind is DueKind.THROW
    table.service.parts.presses.put(Press.CHALLENGE)
    table.live(0.1)
    assert table.verdicts[-1].text == "The challenge does not count: first each player throws for who begins."


@pytest.mark.long
def test_how_many_dice_are_due_is_said_in_the_right_number(tmp_path: Path) -> None:
    table = TestTable(tmp_path, PIECES)
    table.live(1.0)
    assert table.ask("roll", dice=(3,)).text == "2 dice are due now, not 1. Red, roll the dice."
    table.ask("roll", dice=(3, 1))
    due = "No dice are due now. Red, move 1 and 3."
    assert table.ask("roll", dice=(3,)).text == table.ask("dice", count=1).text == due
    wrong = "1 die cannot be what was rolled: 2 are thrown now; give the values of 2."
    assert table.ask("correct", dice=(3,)).text == wrong
    assert table.ask("correct", dice=(3, 2)).ok
    (tmp_path / "gloria").mkdir()
    pieces = {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 7]}
    asked = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces, "expects": "roll"}
    gloria = TestTable(tmp_path / "gloria", game="gloria", start=asked)
    gloria.live(1.0)
    assert gloria.ask("roll", dice=(3, 1)).text == "One die is due now, not 2. Red, roll the die."
    assert gloria.ask("answer", right=True).text == "Answer: not now. Red, roll the die."


def test_a_foul_is_shown_with_rule_pictures_and_the_way_back(table: TestTable) -> None:
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t16")
    assert table.live(3.0) == ["illegal"]
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.rules[0][0] == "PAR-4"
    assert trouble.put_right == ((0, "t16", "t10"),)
    assert table.ask("confirm").text == "First please put the pawns right."
    assert table.ask("roll", dice=(3,)).text == "No dice are due now. First please put the pawns right."
    assert trouble.before is not None and trouble.after is not None
    assert [shows(table, trouble.before, space) for space in ("t10", "t16")] == [True, False]
    assert [shows(table, trouble.after, space) for space in ("t10", "t16")] == [False, True]
    table.move(0, "t16", "t10")
    assert table.live(2.0) == ["restored"]
    assert table.service.view().trouble is None


@pytest.mark.long
def test_a_phone_is_told_why_not(table: TestTable) -> None:
    table.live(1.0)
    assert table.ask("takeback").text == "There is nothing to take back: no move has been made."
    assert not table.ask("roll", dice=(3,)).ok
    assert not table.ask("roll", dice=(3, 9)).ok
    assert not table.ask("position", state={"game": "chess"}).ok
    assert not table.ask("fly").ok
    assert table.ask("roll", dice=(3, 1)).ok
    assert not table.ask("roll", dice=(3, 1)).ok


@pytest.mark.long
def test_an_override_can_be_undone(table: TestTable) -> None:
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t16")
    table.live(3.0)
    assert table.ask("accept").ok
    assert table.service.view().due == 2
    assert table.ask("undo").ok
    assert table.service.view().due == 0


@pytest.mark.long
def test_a_new_game_ends_the_old_one(table: TestTable) -> None:
    table.live(1.0)
    assert table.ask("newgame", seats=(0, 1, 3)).ok
    view = table.service.view()
    assert [seat.seat for seat in view.seats] == [0, 1, 3] and view.due_kind is DueKind.THROW
    games = table.service.parts.journal.games()
    assert [game.ended is None for game in games] == [False, True]
    assert [game.sheet for game in games] == [BOARD, BOARD]


@pytest.mark.long
def test_a_foul_in_a_new_game_is_not_shown_beside_a_picture_of_the_last_one(table: TestTable) -> None:
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok
    table.move(0, "t10", "t14")
    assert table.live(3.0) == ["legal"]
    assert table.ask("newgame", first=0).ok
    table.top.set_up(table.service.desk.bench.position)
    table.live(3.0)
    assert table.ask("roll", dice=(5, 1)).ok
    table.move(0, "base0", "t3")
    table.live(3.0)
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.after is not None
    assert trouble.before is not None and not shows(table, trouble.before, "t14")


def shows(table: TestTable, picture: str, space: str) -> bool:
    """Whether a piece stands on that space in a picture that was kept, as the eyes see it who know nothing else."""
    kept = table.service.picture(picture)
    assert kept is not None
    seen, _ = look(cv2.imdecode(np.frombuffer(kept, np.uint8), cv2.IMREAD_COLOR), table.scene)
    assert isinstance(seen, BoardSeen)
    return bool(seen.spaces[space].content)


@pytest.mark.long
def test_a_foul_is_not_shown_beside_a_play_that_was_taken_back(table: TestTable) -> None:
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t14")
    assert table.live(3.0) == ["legal"]
    assert table.ask("takeback").ok
    table.move(0, "t14", "t10")
    table.live(4.0)
    table.move(0, "t10", "t16")
    assert table.live(3.0) == ["illegal"]
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.before is not None
    assert shows(table, trouble.before, "t10") and not shows(table, trouble.before, "t14")


@pytest.mark.long
def test_a_foul_is_not_shown_beside_a_hand_that_is_at_it(table: TestTable) -> None:
    """Beneath the hand the board may lie as it should, for all that is seen, and the piece is in its new place."""
    table.live(1.0)
    table.ask("roll", dice=(3, 4))
    space = table.sheet.spaces["t11"]
    table.top.hand = Hand(0, (space.x, space.y), shoulder_of(table.sheet, 0), 5.0)
    table.live(1.0)
    table.move(0, "t10", "t12")
    table.live(2.0)
    table.top.hand = None
    assert table.live(3.0) == ["illegal"]
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.before is not None
    assert shows(table, trouble.before, "t10") and not shows(table, trouble.before, "t12")


@pytest.mark.long
def test_what_a_busy_referee_did_not_come_to_is_not_done_later(
    table: TestTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.live(1.0)
    monkeypatch.setattr(actions, "PATIENCE", 0.05)
    assert table.service.act(Action("roll", dice=(3, 1))) == Answer(False, actions.SLOW)
    table.live(0.5)
    assert table.service.view().due_kind is DueKind.ROLL and not table.service.view().roll


@pytest.mark.long
def test_what_a_slow_referee_is_at_is_not_said_to_be_undone(table: TestTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.live(1.0)
    monkeypatch.setattr(actions, "PATIENCE", 0.05)
    answers: list[Answer] = []
    roll = table.service.throws.typed
    phone = threading.Thread(target=lambda: answers.append(table.service.act(Action("roll", dice=(3, 1)))))

    def slowly(action: Action) -> Answer:
        phone.join()
        return roll(action)

    monkeypatch.setitem(table.service.actions._doing, "roll", slowly)
    phone.start()
    while phone.is_alive():
        table.service.step()
    assert answers == [Answer(False, actions.AT_WORK)]
    assert table.service.view().roll == (3, 1)


@pytest.mark.long
def test_a_camera_that_goes_black_is_said_and_accuses_nobody(table: TestTable) -> None:
    table.live(1.0)
    table.camera.fault = "black"
    assert table.live(3.0) == ["lost"]
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.kind == "lost"
    table.camera.fault = ""
    table.live(2.0)
    assert table.service.view().trouble is None


def test_a_resumed_game_is_where_it_was(table: TestTable) -> None:
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t14")
    assert table.live(2.0) == ["legal"]
    table.ask("roll", dice=(1, 2))
    before = table.service.view()
    again = table.start()
    after = again.view()
    assert (after.due, after.due_kind, after.roll) == (before.due, before.due_kind, before.roll)
    assert after.position == before.position
    assert [line.text for line in after.plays] == [line.text for line in before.plays]
    assert table.live(2.0) == []
    table.move(2, "t39", "t42")
    assert table.live(2.0) == ["legal"]


@pytest.mark.long
def test_a_resumed_game_shows_the_dice_of_each_line_as_before(tmp_path: Path) -> None:
    """Whoever did not know the answer was shown with the roll of the player before, and a play with the wrong dice."""
    start = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0}
    table = TestTable(tmp_path, game="gloria", start=start | {"pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 7]}})
    table.live(2.0)
    assert table.ask("answer", right=True).ok and table.ask("roll", dice=(3,)).ok
    assert table.ask("correct", dice=(4,)).ok
    table.move(0, "t5", "t9")
    assert table.live(3.0) == ["legal"]
    assert table.ask("answer", right=False).ok
    shown = [(line.text, line.dice) for line in table.service.view().plays]
    assert ("Red moved 4.", (4,)) in shown
    assert [(line.text, line.dice) for line in table.start().view().plays] == shown


@pytest.mark.long
def test_a_board_that_was_touched_while_the_power_was_off_is_asked_about(table: TestTable) -> None:
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.start()
    table.move(0, "t10", "t50")
    table.move(0, "t20", "t51")
    assert "unclear" in table.live(3.0)
    assert Kind.ILLEGAL not in {verdict.kind for verdict in table.verdicts}


@pytest.mark.long
def test_a_board_that_was_played_on_while_the_power_was_off_can_be_accepted(table: TestTable) -> None:
    table.live(1.0)
    table.start()
    table.move(0, "t10", "t50")
    table.move(0, "t20", "t51")
    assert table.live(3.0) == ["unclear"]
    assert "accept" in table.service.view().actions and table.ask("accept").ok
    table.live(3.0)
    view = table.service.view()
    assert table.service.desk.bench.begun and view.trouble is None and "t51" in view.position
    assert table.ask("roll", dice=(3, 1)).ok


@pytest.mark.long
def test_a_roll_waits_for_a_board_that_was_never_set_up_and_done_accuses_nobody(tmp_path: Path) -> None:
    table = TestTable(tmp_path, PIECES)
    for origin, target in (("t10", "t1"), ("t20", "t2"), ("t30", "t3")):
        table.move(0, origin, target)
    assert table.live(3.0) == ["unclear"]
    said = table.ask("roll", dice=(3, 1))
    assert said.ok and "waits" in said.text
    assert not table.ask("roll", dice=(3, 1)).ok
    assert table.service.view().done == "The board is set up"
    assert table.ask("correct", dice=(3, 2)).ok and table.ask("undo").ok
    again = table.start()
    assert again.view().roll == (3, 1) and {"correct", "undo"} <= set(again.view().actions)
    assert again.desk.bench.early and not again.desk.bench.turns
    assert "illegal" not in table.live(10.0)
    table.top.set_up(again.desk.bench.position)
    assert "illegal" not in table.live(3.0)
    assert again.view().due_kind is DueKind.PLAY and again.view().roll == (3, 1)


@pytest.mark.long
def test_the_eyes_learn_when_somebody_says_that_the_board_is_set_up(tmp_path: Path) -> None:
    """They did not see it so: now they know what it is that they misread, while it stays as it is."""
    table = TestTable(tmp_path, PIECES)
    table.move(0, "t10", "t9")
    assert table.live(3.0) == ["unclear"]
    assert table.ask("confirm", mark=table.service.view().marks["confirm"]).ok
    assert table.service.desk.bench.begun
    table.live(1.0)
    seen = table.service.lookout.sighting
    assert isinstance(seen, BoardSeen)
    assert seen.spaces["t10"].content == (0,) and seen.spaces["t9"].content == ()


@pytest.mark.long
def test_the_state_tells_who_plays_next_and_may_be_given_back_so(table: TestTable) -> None:
    table.live(1.0)
    assert "next" not in table.service.state()
    assert table.ask("roll", dice=(3, 1)).ok
    state = dict(table.service.state())
    assert (state["due"], state["next"]) == (0, 2)
    assert table.ask("position", state=state).ok


@pytest.mark.long
def test_the_state_can_be_edited_and_set(table: TestTable) -> None:
    table.live(1.0)
    state = dict(table.service.state())
    state["pieces"] = {"0": [10, 20, 30, 42], "2": [-1, -1, 5, 7]}
    assert table.ask("position", state=state).ok
    table.move(0, "t40", "t42")
    table.live(2.0)
    assert table.service.desk.bench.begun and table.service.view().trouble is None


@pytest.mark.long
def test_a_position_with_half_a_character_in_it_stops_no_evening(table: TestTable) -> None:
    """Nothing could be written after it, so that every roll and look failed until the referee began anew."""
    table.live(1.0)
    assert table.ask("position", state={**table.service.state(), "note": "\ud800"}).ok
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok
    assert table.service.parts.journal.healthy and table.service.view().trouble is None
    assert table.start().view().roll == (3, 1)


@pytest.mark.long
def test_a_still_board_is_told_of_rarely(table: TestTable) -> None:
    table.live(20.0)
    before = len(table.service.parts.journal.entries(table.service.desk.number))
    table.live(20.0)
    assert len(table.service.parts.journal.entries(table.service.desk.number)) - before <= 3


def test_a_lost_board_is_told_of_now_and_then() -> None:
    thinner = Thinner()
    told = [thinner.worth(BoardLost(at / 10, "dark")) for at in range(50)]
    assert told[0] and 4 <= sum(told) <= 6


@pytest.mark.parametrize("sighting", [BoardLost(0.0, "dark"), BoardSeen(0.0, {}, moving=True), BoardSeen(0.0, {})])
def test_a_table_that_is_left_alone_for_weeks_fills_no_disk(sighting: Sighting) -> None:
    """A dark room was written down each second and a still board each ten, so that a game that was left open for a
    week took a gigabyte of memory, and minutes, to begin again."""
    thinner = Thinner()
    looks = [replace(sighting, at=float(at)) for at in range(3 * 24 * 3600)]
    assert sum(map(thinner.worth, looks)) < 200
    thinner.asked_for()
    end = looks[-1].at
    told = [thinner.worth(replace(sighting, at=end + at)) for at in range(1, 32)]
    assert told[0] and sum(told) >= 4, "once something was said it is looked at as often as before"


@pytest.mark.long
def test_a_board_that_lay_still_for_long_is_judged_as_soon_as_the_roll_is_typed(table: TestTable) -> None:
    table.live(1.0)
    table.move(0, "t10", "t14")
    table.live(25.0)
    assert table.ask("roll", dice=(1, 3)).ok
    table.live(1.0)
    assert table.verdicts[-1].kind.value == "legal"


def test_without_a_dice_box_the_referee_asks_what_was_rolled(table: TestTable) -> None:
    table.live(1.0)
    table.move(0, "t10", "t14")
    assert table.live(3.0) == ["unclear"]
    trouble = table.service.view().trouble
    assert trouble is not None and (1, 3) in trouble.rolls
    assert table.ask("roll", dice=(1, 3)).ok
    assert "legal" in [*table.live(2.0), table.verdicts[-1].kind.value]
    assert table.service.view().due == 2


@pytest.mark.long(but=("unplugged-no pictures any more",))
@pytest.mark.parametrize(("fault", "said"), [("unplugged", "no pictures any more"), ("frozen", "frozen picture")])
def test_a_camera_that_stops_is_said_once_and_its_return_is_seen(table: TestTable, fault: str, said: str) -> None:
    table.live(3)
    assert table.service.live() is not None and table.service.lookout.seen_now() is not None
    table.camera.fault = fault
    assert table.live(8) == ["lost"]
    assert table.service.live() is None
    assert table.service.lookout.seen_now() is None, "the check called it ready to play"
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.kind == "lost" and said in trouble.text
    table.camera.fault = ""
    assert "illegal" not in table.live(5)
    assert table.service.view().trouble is None and table.service.live() is not None


def test_a_board_that_is_seen_again_while_it_is_thrown_who_begins_is_no_trouble(tmp_path: Path) -> None:
    """The page said that the camera gave nothing until all had thrown, and nothing when it failed again."""
    table = TestTable(tmp_path)
    table.live(1)
    for _ in range(2):
        table.camera.fault = "unplugged"
        assert table.live(6) == ["lost"]
        table.camera.fault = ""
        table.live(3)
        view = table.service.view()
        assert view.due_kind is DueKind.THROW and view.trouble is None


def test_a_board_that_cannot_be_seen_after_a_restart_either_is_said_again(table: TestTable) -> None:
    """A page without trouble, by a lamp that was off: nobody was told that nothing is judged."""
    table.live(2)
    table.camera.fault = "black"
    assert table.live(3) == ["lost"]
    again = table.start()
    assert table.live(3) == ["lost"]
    trouble = again.view().trouble
    assert trouble is not None and "black" in trouble.text


@pytest.mark.long(but=("unplugged",))
@pytest.mark.parametrize("fault", ["unplugged", "frozen", "black"])
def test_a_game_that_goes_on_by_hand_while_the_board_cannot_be_seen_says_who_plays_and_that(
    table: TestTable, fault: str
) -> None:
    """As the page itself bids. It asked to set up the board as the picture shows, whoever was to play, for good, and
    that the camera is dead was not said any more."""
    table.live(2)
    table.camera.fault = fault
    assert table.live(8) == ["lost"]
    state = table.service.state()
    assert table.ask("roll", dice=(3, 1)).ok
    after = {"pieces": {"0": [14, 20, 30, 40], "2": [-1, -1, 5, 7]}, "due": 2}
    assert table.ask("position", state={**state, **after}).text == "Red moved 1, then moved 3."
    for headline in ("Yellow, roll the dice.", "Yellow, move 1 and 2."):
        table.live(3)
        view = table.service.view()
        assert view.headline == headline and view.trouble is not None and view.trouble.kind == "lost"
        assert headline.endswith("2.") or table.ask("roll", dice=(2, 1)).ok
    table.camera.fault = ""
    assert "illegal" not in table.live(3)
    assert table.service.view().headline == "Please set up the board as the picture shows.", "as was said by hand"
    table.move(0, "t10", "t14")
    table.live(3)
    assert table.service.view().headline == "Yellow, move 1 and 2." and table.service.view().trouble is None


def test_a_camera_that_never_came_leaves_the_game_to_the_phones(table: TestTable) -> None:
    table.camera.fault = "unplugged"
    fresh = table.start()
    table.live(8)
    assert fresh.view().trouble is None and "roll" in fresh.view().actions
    table.live(20)
    told = [line.text for line in fresh.view().plays if "nobody watches the board" in line.text]
    assert len(told) == 1 and fresh.view().trouble is None and "roll" in fresh.view().actions


@pytest.mark.long
def test_of_two_phones_at_once_only_one_takes_back(table: TestTable) -> None:
    table.live(1.0)
    for dice, moves in (((3, 1), ((0, "t10", "t14"),)), ((1, 2), ((2, "t39", "t42"),))):
        assert table.ask("roll", dice=dice).ok
        for move in moves:
            table.move(*move)
        assert table.live(2.0)[-1] == "legal"
    mark = table.service.view().marks["takeback"]
    assert table.ask("takeback", mark=mark).ok
    late = table.ask("takeback", mark=mark)
    assert not late.ok and "quicker" in late.text
    assert table.service.view().due == 2
    assert table.ask("takeback").ok, "one who does not say what was seen is believed"


def test_a_foul_that_was_put_right_meanwhile_is_not_accepted_any_more(table: TestTable) -> None:
    """A sheet that asks "are you sure?" stays open on a phone: the turn was over, with nothing played."""
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok
    table.move(0, "t10", "t16")
    assert table.live(2.5) == ["illegal"]
    mark = table.service.view().marks["accept"]
    table.move(0, "t16", "t10")
    assert table.live(2.5) == ["restored"]
    late = table.ask("accept", mark=mark)
    assert not late.ok and "quicker" in late.text
    table.move(0, "t20", "t25")
    assert table.live(2.5) == ["illegal"]
    assert not table.ask("accept", mark=mark).ok, "it is another foul"
    assert table.ask("accept", mark=table.service.view().marks["accept"]).ok
    assert table.service.view().due == 2


def test_how_many_dice_one_player_throws_is_not_chosen_late_for_the_next(tmp_path: Path) -> None:
    start = {"game": "parcheesi-print", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0, "pieces": PIECES}
    table = TestTable(tmp_path, game="parcheesi-print", start=start)
    table.camera.fault = "unplugged"
    table.live(1.0)
    mark = table.service.view().marks.get("dice", "")
    assert table.ask("dice", count=1, mark=mark).ok
    assert table.ask("position", state=dict(table.service.state()) | {"due": 2}).ok
    late = table.ask("dice", count=2, mark=mark)
    assert not late.ok and "quicker" in late.text and table.service.view().due == 2


@pytest.fixture
def unwatched(table: TestTable) -> TestTable:
    """The same table, whose camera never came."""
    table.camera.fault = "unplugged"
    table.start()
    return table


def test_the_page_knows_that_nobody_watches_until_the_camera_gives_a_picture(unwatched: TestTable) -> None:
    assert unwatched.ask("roll", dice=(3, 1)).ok
    unwatched.live(1.0)
    assert not unwatched.service.view().watched
    unwatched.camera.fault = ""
    unwatched.live(1.0)
    assert unwatched.service.view().watched


def test_dice_that_were_corrected_or_thrown_anew_meanwhile_are_not_corrected_again(unwatched: TestTable) -> None:
    ask, view = unwatched.ask, unwatched.service.view
    assert ask("roll", dice=(3, 1)).ok
    mark = view().marks["correct"]
    assert ask("correct", dice=(3, 2), mark=mark).ok
    late = ask("correct", dice=(4, 1), mark=mark)
    assert not late.ok and "quicker" in late.text and view().roll == (3, 2)
    state, left_open = dict(unwatched.service.state()), view().marks
    assert ask("position", state=state | {"pieces": {"0": [15, 20, 30, 40], "2": [-1, -1, 5, 7]}, "due": 2}).ok
    assert ask("roll", dice=(1, 2)).ok
    assert not ask("correct", dice=(3, 1), mark=left_open["correct"]).ok
    assert not ask("undo", mark=left_open["undo"]).ok
    assert view().roll == (1, 2), "a sheet that was left open spoils no other player's roll"


def test_a_sheet_that_was_left_open_undoes_no_change_that_was_made_in_place_of_the_one_it_saw(
    unwatched: TestTable,
) -> None:
    ask, view, state = unwatched.ask, unwatched.service.view, dict(unwatched.service.state())
    first, second = ({**state["pieces"], "0": pieces} for pieces in ([10, 20, 30, 43], [10, 20, 30, 44]))
    assert ask("position", state=state | {"pieces": first}).ok
    mark = view().marks["undo"]
    assert ask("undo", mark=mark).ok and ask("position", state=state | {"pieces": second}).ok
    late = ask("undo", mark=mark)
    assert not late.ok and "quicker" in late.text
    assert unwatched.service.state()["pieces"] == second and ask("undo", mark=view().marks["undo"]).ok


def test_nor_does_it_take_back_a_play_that_was_made_in_place_of_the_one_it_saw(table: TestTable) -> None:
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok
    table.move(0, "t10", "t14")
    assert table.live(2.0)[-1] == "legal"
    mark = table.service.view().marks["takeback"]
    assert table.ask("takeback", mark=mark).ok
    table.move(0, "t14", "t10")
    table.live(2.0)
    table.move(0, "t20", "t24")
    assert table.live(2.0)[-1] == "legal"
    late = table.ask("takeback", mark=mark)
    assert not late.ok and "quicker" in late.text and table.service.view().due == 2


def test_the_eyes_learn_nothing_of_a_play_on_which_another_lies_already(tmp_path: Path) -> None:
    """Of a 6 and the 3 after it, both typed late, they learnt that the marble stands where it had passed: it was read
    there, the question after the second roll was gone in a second, and its play was never seen."""
    pieces = {"0": [1, 11, -1, -1], "2": [40, -1, -1, -1]}
    start = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces}
    table = TestTable(tmp_path, game="aggravation", start=start)
    table.live(2.0)
    table.move(0, "t10", "t19")
    assert table.live(4.0) == ["unclear"] and table.ask("roll", dice=(6,)).ok
    assert table.live(4.0) == ["legal", "unclear"]
    trouble = table.service.view().trouble
    assert trouble is not None and "Was the roll 3?" in trouble.text
    assert table.ask("roll", dice=(3,)).ok and table.live(2.0) == ["legal"]
    assert table.service.view().due == 2


def test_two_who_undo_at_once_undo_one_change(unwatched: TestTable) -> None:
    ask, view = unwatched.ask, unwatched.service.view
    assert ask("roll", dice=(3, 1)).ok
    assert ask("correct", dice=(3, 2)).ok and ask("correct", dice=(3, 3)).ok
    mark = view().marks["undo"]
    assert ask("undo", mark=mark).ok
    assert not ask("undo", mark=mark).ok
    assert view().roll == (3, 2)
    assert ask("undo", mark=view().marks["undo"]).ok


def test_a_position_is_not_set_over_another_or_over_a_roll_unseen(unwatched: TestTable) -> None:
    ask, view = unwatched.ask, unwatched.service.view
    mark, state = view().marks["position"], dict(unwatched.service.state())
    assert ask("roll", dice=(3, 1)).ok
    assert not ask("position", state=state, mark=mark).ok
    mark = view().marks["position"]
    assert ask("position", state=state, mark=mark).ok
    assert not ask("position", state=state, mark=mark).ok


def test_of_two_new_games_at_once_only_one_begins(unwatched: TestTable) -> None:
    mark = unwatched.service.view().marks["newgame"]
    assert unwatched.ask("newgame", mark=mark).ok
    begun = unwatched.service.desk.number
    assert not unwatched.ask("newgame", mark=mark).ok
    assert unwatched.service.desk.number == begun


@pytest.mark.long
def test_of_phones_at_once_only_one_throws_for_a_player(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    table.live(1.0)
    mark = table.service.view().marks["roll"]
    answers = [table.ask("roll", dice=(6, 5), mark=mark).ok for _ in range(4)]
    assert answers == [True, False, False, False]
    assert table.service.view().due == 2 and table.service.view().due_kind is DueKind.THROW


@pytest.mark.long
def test_saying_twice_that_the_board_is_set_up_is_no_done(tmp_path: Path) -> None:
    table = TestTable(tmp_path, PIECES)
    table.top.set_up(table.game.position(table.game.opening(0)))
    table.live(3.0)
    assert table.ask("roll", dice=(3, 1)).ok
    mark = table.service.view().marks["confirm"]
    assert table.ask("confirm", mark=mark).ok
    assert not table.ask("confirm", mark=mark).ok
    assert Kind.ILLEGAL not in {verdict.kind for verdict in table.verdicts}


def test_without_a_camera_done_plays_what_can_only_be_played(table: TestTable) -> None:
    table.camera.fault = "unplugged"
    fresh = table.start()
    assert fresh.view().headline == "Red, roll the dice."
    assert table.ask("roll", dice=(3, 1)).ok
    several = table.ask("confirm")
    assert not several.ok and "Set the position" in several.text
    state = {**fresh.state(), "pieces": {"0": [-1, 71, 71, 71], "2": [-1, -1, 5, 7]}}
    assert table.ask("position", state=state).ok
    assert table.ask("roll", dice=(5, 1)).ok
    table.service.step()
    assert fresh.view().headline.startswith("Red, move")
    done = table.ask("confirm")
    assert done.ok and "only one way" in done.text
    table.service.step()
    assert fresh.view().due == 2 and fresh.view().position["t1"] == (0,)
    assert fresh.view().plays[0].text == "Red entered a pawn, then moved 1."


def test_without_a_camera_done_is_no_move_from_stack_to_stack(tmp_path: Path) -> None:
    """Who had moved, and said so, had moved another piece, out of sight, and could not take that back."""
    squares = {f"{column}8": "NN" for column in "abcef"} | {f"{column}1": "SS" for column in "abcdefg"}
    start = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N"}
    table = TestTable(tmp_path, game="game-of-god", start={**start, "squares": {**squares, "d6": "NN", "d4": "NN"}})
    table.live(2.0)
    assert "confirm" in table.service.view().actions
    assert table.ask("confirm").ok, "where it is watched, it may be"
    seen = table.service.view()
    assert seen.plays[0].text == "White moved a piece from one stack to another." and "takeback" in seen.actions
    assert table.ask("takeback").ok and table.service.view().due == 0
    table.camera.fault = "unplugged"
    unseen = table.start().view()
    assert "confirm" not in unseen.actions and unseen.done == ""
    told = table.ask("confirm")
    assert not told.ok and "Set the position" in told.text and table.service.view().due == unseen.due


def test_without_a_camera_a_question_is_asked_at_once(tmp_path: Path) -> None:
    pieces = {"0": [-1] * 4, "2": [-1] * 4}
    start = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces, "opened": []}
    table = TestTable(tmp_path, game="gloria", start=start)
    table.camera.fault = "unplugged"
    fresh = table.start()
    assert "read a question" in fresh.view().headline


@pytest.mark.long(but=("parcheesi",))
@pytest.mark.parametrize("game", ["parcheesi", "game-of-god", "gloria"])
def test_done_says_what_is_due_while_it_is_thrown_who_begins(tmp_path: Path, game: str) -> None:
    table = TestTable(tmp_path, game=game)
    table.top.pawns.pop()
    for seconds in (0.3, 3.0):
        table.live(seconds)
        before = table.service.desk.bench
        answer = table.ask("confirm")
        assert not answer.ok and answer.text == table.service.view().headline
        assert table.service.desk.bench.begun == before.begun


@pytest.mark.long
def test_a_word_of_which_nothing_comes_is_answered_by_what_is_due(tmp_path: Path) -> None:
    table = TestTable(tmp_path, PIECES)
    table.live(3.0)
    answer = table.ask("confirm")
    assert not answer.ok and answer.text == "Red, roll the dice."
    assert table.ask("roll", dice=(3, 1)).ok and table.ask("confirm").ok, "the play that is seen next is done"


def test_two_seats_of_one_colour_do_not_play_before_a_camera(tmp_path: Path) -> None:
    table = TestTable(tmp_path, PIECES)
    colors = {**table.sheet.colors, 1: "#c9122f"}
    table.service.parts.sheet = replace(table.sheet, colors=colors)
    number = table.service.desk.number
    answer = table.ask("newgame", seats=(0, 1))
    assert not answer.ok and answer.text.startswith("Red's and green's pieces have one colour on this board")
    assert table.service.desk.number == number
    assert table.ask("newgame", seats=(0, 2)).ok
    table.service.parts.camera = None
    assert table.ask("newgame", seats=(0, 1)).ok, "nobody looks"


@pytest.mark.long(but=("-1",))
@pytest.mark.parametrize("seats", [-1, True, ["x", 2], [None], {"0": 1}])
def test_a_position_with_seats_that_are_none_is_refused_with_a_sentence(table: TestTable, seats: object) -> None:
    table.live(1.0)
    answer = table.ask("position", state={**table.service.state(), "seats": seats})
    assert not answer.ok and "inside the referee" not in answer.text
    assert "seats" in answer.text.lower() and "[0, 2]" in answer.text
    assert answer.text[0].isupper() and answer.text.endswith(".")


@pytest.mark.long
def test_a_word_that_this_game_does_not_know_does_not_wait_and_hold_up_the_dice(table: TestTable) -> None:
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    assert table.ask("challenge").text == "Parcheesi has no challenges."
    assert table.ask("answer", right=True).text == "Parcheesi has no questions to answer."
    table.service.parts.presses.put(Press.CHALLENGE)
    table.live(0.2)
    assert table.service.view().plays[0].text == "Parcheesi has no challenges."
    assert table.service.desk.bench.early == ()


@pytest.mark.long
def test_what_waits_before_a_roll_is_named(tmp_path: Path) -> None:
    pieces = {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 7]}
    asked = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces, "expects": "roll"}
    table = TestTable(tmp_path, game="gloria", start=asked)
    table.live(1.0)
    table.ask("roll", dice=(3,))
    assert table.ask("answer", right=True).text.endswith("the answer waits.")
    said = "The answer waits already: it counts as soon as the board is as it should be."
    assert table.ask("roll", dice=(2,)).text == said


@pytest.mark.long
def test_what_a_button_is_answered_begins_as_sentences_do(table: TestTable) -> None:
    table.live(1.0)
    table.service.parts.presses.put(Press.TAKE_BACK)
    table.live(0.2)
    assert table.service.view().plays[0].text.startswith("There is nothing to take back")


@pytest.mark.long
def test_what_was_accepted_as_soon_as_the_dice_were_typed_is_so_after_a_restart(table: TestTable) -> None:
    """The state that a roll writes down is no beginning: the board was seen before it."""
    table.live(1.0)
    table.move(0, "t10", "t16")
    table.live(3.0)
    table.move(0, "t16", "t10")
    table.live(3.0)
    table.move(2, "t39", "t41")
    table.live(1.0)
    for action, words in (("roll", {"dice": (3, 1)}), ("accept", {})):
        table.service.actions._asked.put((Action(action, **words), Future()))
    table.service.step()
    before = table.service.state()
    assert before["due"] == 2
    assert table.start().state() == before


def test_a_picture_that_is_given_up_while_it_is_asked_for_is_none(
    table: TestTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was answered as a mistake of the program."""
    monkeypatch.setattr(table.service.parts.pictures, "path", lambda name: table.folder / "pictures" / name)
    assert table.service.picture("1/00001000-after.jpg") is None


@pytest.mark.long
def test_a_live_picture_is_made_once_for_all_who_look(table: TestTable) -> None:
    assert table.service.live() is None
    table.live(1.0)
    first = table.service.live()
    assert first is not None and table.service.live() is first
    table.move(0, "t10", "t16")
    table.live(1.0)
    assert table.service.live() != first
