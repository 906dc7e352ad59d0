"""The desk: what is written down, and that a game goes on from it as if nothing had been."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.catalogue import game_for, game_from_json
from companion.journal import open_journal, word_from_json, word_to_json
from companion.model import (
    Answered,
    BadInput,
    BoardLost,
    BoardSeen,
    Challenged,
    Confirmed,
    Due,
    DueKind,
    Kind,
    Position,
    Roll,
    Rolled,
    Saw,
    Seat,
    SpaceSeen,
    TakenBack,
    Thrown,
    Verdict,
    Word,
)
from companion.service.addons import breaches
from companion.service.records.past_games import rejudge
from companion.service.table import desk as desk_room
from companion.service.table.desk import KEPT_STATES, Desk

NAMES = {0: "white", 2: "black"}
NORTH = {"e4": "NN", "g6": "NN", "c1": "NNNNN", "d1": "NNNNN"}
SOUTH = {"a8": "SSSSSS", "b8": "SSSSS", "c4": "S", "b2": "S", "a3": "S"}
GOD = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "squares": NORTH | SOUTH}


class Hands:
    """A board of Game of God, its desk, and hands that move what can be seen of it."""

    def __init__(self, folder: Path) -> None:
        self.game = game_from_json(GOD)
        state = self.game.from_json(GOD)
        self.journal = open_journal(folder / "games.db")
        self.desk = Desk.new(self.journal, self.game, NAMES, 0, state=state)
        self.board, self.now = self.game.position(state), 0.0
        self.noise: Callable[[], float] = lambda: -10.0
        self.rest()

    def rest(self, seconds: float = 4.0) -> list[str]:
        """The board lies still so long; the kinds of the verdicts."""
        ruled = [verdict.kind.value for _ in range(int(5 * seconds)) for verdict in self.desk.tell(self._saw())]
        return ruled

    def _saw(self, moving: bool = False) -> Saw:
        self.now += 0.2
        spaces = {}
        for name in self.game.spaces():
            top, unlikely = self.board.at(name)[-1:], {content: self.noise() for content in ((), (0,), (2,))}
            spaces[name] = SpaceSeen(top, 0.999, False, {**unlikely, top: 0.0})
        return Saw(self.now, BoardSeen(self.now, spaces, moving))

    def appears(self, seat: Seat, target: str) -> list[str]:
        """A piece on a square that was empty; the stack from which it came looks as before."""
        return self._shows(self.board.with_piece(seat, target))

    def moves(self, seat: Seat, origin: str, target: str) -> list[str]:
        """A piece moves from one square to another."""
        return self._shows(self.board.without(seat, origin).with_piece(seat, target))

    def _shows(self, board: Position) -> list[str]:
        self.board = board
        self.desk.tell(self._saw(moving=True))
        return self.rest()

    def power_cut(self) -> None:
        """The service ends without a last word, and begins again."""
        desk = Desk.resume(self.journal, NAMES)
        assert desk is not None
        self.desk = desk
        self.rest()


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Hands]:
    made = Hands(tmp_path)
    yield made
    made.journal.close()


@pytest.mark.parametrize("damaged", [{"word": "saw", "at": 9.0, "sighting": {"at": 9.0}}, {"word": "sung", "at": 9.0}])
def test_a_word_that_cannot_be_read_any_more_does_not_cost_the_game(hands: Hands, damaged: dict[str, object]) -> None:
    """A spoilt character in one look of many, and the game that was left was put aside for a new one."""
    assert hands.appears(0, "g4") == ["legal"]
    hands.journal.append(1, "word", damaged, hands.now)
    hands.power_cut()
    assert hands.desk.bench.due.seat == 2 and hands.desk.stumbled == 1
    assert hands.moves(2, "c4", "c5") == ["legal"]


def test_a_word_over_which_a_game_hangs_does_not_keep_the_service_from_beginning(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A throw over which a game of one's own never came back was heard again at each start, and no page came."""
    assert hands.appears(0, "g4") == ["legal"]
    hands.journal.append(1, "word", word_to_json(Answered(hands.now, True)), hands.now)
    judge = Desk._judge

    def hangs(desk: Desk, word: Word) -> list[Verdict]:
        while isinstance(word, Answered):
            pass
        return judge(desk, word)

    monkeypatch.setattr(Desk, "_judge", hangs)
    monkeypatch.setattr(desk_room, "HELD_UP", 0.2)
    monkeypatch.setattr(breaches, "_OURS", ())
    hands.power_cut()
    assert hands.desk.bench.due.seat == 2 and hands.desk.stumbled == 1


def test_a_computer_that_stands_still_at_the_start_loses_no_word_of_a_game_that_comes_to_an_end(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hands.appears(0, "g4") == ["legal"]
    judge, waits = Desk._judge, [0.3]

    def slowly(desk: Desk, word: Word) -> list[Verdict]:
        end = time.monotonic() + (waits.pop() if waits else 0.0)
        while time.monotonic() < end:
            pass
        return judge(desk, word)

    monkeypatch.setattr(Desk, "_judge", slowly)
    monkeypatch.setattr(desk_room, "HELD_UP", 0.1)
    hands.power_cut()
    assert hands.desk.bench.due.seat == 2 and not hands.desk.stumbled and not waits


def most_memory(hands: Hands, do: Callable[[], object]) -> float:
    """What that takes at most, as a share of what was seen in a long evening."""
    view, looks, size = hands.desk._state(hands.now), 4000, 10_000
    lost = word_to_json(Saw(hands.now, BoardLost(hands.now, "x" * size)))
    hands.journal.append_all(1, [("word", lost, hands.now)] * looks + view * KEPT_STATES)
    assert hands.appears(0, "g4") == ["legal"]
    tracemalloc.start()
    do()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / (looks * size)


def test_a_long_evening_begins_again_in_a_small_memory(hands: Hands) -> None:
    """What was seen in six hours took as much as the service may have, so that it was ended at each start."""
    assert most_memory(hands, hands.power_cut) < 0.5
    assert hands.desk.bench.due.seat == 2, "what was seen since is heard again"


def test_a_long_evening_is_judged_again_in_a_small_memory(hands: Hands) -> None:
    assert most_memory(hands, lambda: [*rejudge(hands.journal, hands.journal.game(1))]) < 0.5


@pytest.mark.long(but=("e4-e5",))
@pytest.mark.parametrize(("origin", "target"), [("e4", "e5"), ("g6", "g5")])
def test_whatever_may_have_been_played_is_believed_after_a_restart_too(hands: Hands, origin: str, target: str) -> None:
    """Either of two stacks may have sent the piece: the turns since must not make one of them certain."""
    assert hands.appears(0, "g4") == ["legal"]
    for seat, was, goes in ((2, "c4", "c5"), (0, "g4", "h4"), (2, "c5", "c4"), (0, "h4", "h5"), (2, "c4", "c5")):
        assert hands.moves(seat, was, goes) == ["legal"]
    assert len(hands.desk.bench.standing) == 2
    hands.power_cut()
    assert hands.moves(0, origin, target) == ["legal"]


def test_what_may_still_be_played_is_known_after_a_restart_though_a_word_was_refused(hands: Hands) -> None:
    """GOD-13: who won the challenge had lost the right to put the piece on the other."""
    assert hands.appears(0, "d4") == ["legal"]
    for word in (Challenged(hands.now, "c4"), Thrown(hands.now, 0, 2), Thrown(hands.now, 2, 6)):
        hands.desk.tell(word)
    for _ in range(desk_room.KEPT_STATES):
        with pytest.raises(BadInput, match="has no questions"):
            hands.desk.tell(Answered(hands.now, True))
    for _ in range(2):
        assert [step.target for step in hands.desk.bench.game.legal_steps(hands.desk.bench.node.state)] == ["d4"]
        hands.power_cut()


def test_what_blurs_the_belief_blurs_it_after_a_restart_too(hands: Hands) -> None:
    hands.desk.bench = replace(hands.desk.bench, blurred=True)
    assert hands.appears(0, "e5") == ["legal"]
    for seat, was, goes in ((2, "c4", "c5"), (0, "e5", "e6"), (2, "c5", "c4"), (0, "e6", "e5"), (2, "c4", "c5")):
        assert hands.moves(seat, was, goes) == ["legal"]
    assert hands.desk.bench.blurred
    hands.power_cut()
    assert hands.desk.bench.blurred and not hands.desk.bench.doubted


@pytest.mark.long
def test_what_is_judged_is_what_will_be_judged_again(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings are rounded on their way to the disk: near a threshold that would make another verdict of them."""
    judged: list[Word] = []
    tell = desk_room.tell
    monkeypatch.setattr(desk_room, "tell", lambda bench, word: (judged.append(word), tell(bench, word))[1])
    chance = random.Random(1)
    hands.noise = lambda: chance.uniform(-11, -8)
    assert hands.appears(0, "e5") == hands.moves(2, "c4", "c5") == ["legal"]
    entries = hands.journal.entries(hands.desk.number)
    assert judged == [word_from_json(entry.payload) for entry in entries if entry.kind == "word"][-len(judged) :]
    assert [*rejudge(hands.journal, hands.journal.game(hands.desk.number))][-1] == "The same verdicts as then."


@pytest.mark.long
def test_an_evening_with_power_cuts_is_judged_again_with_the_same_verdicts(hands: Hands) -> None:
    assert hands.moves(2, "c4", "c5") == ["illegal"]
    hands.power_cut()
    assert hands.moves(2, "c5", "c4") == []
    assert hands.appears(0, "e5") == hands.moves(2, "c4", "c5") == ["legal"]
    hands.power_cut()
    entries = hands.journal.entries(hands.desk.number)
    assert sum(entry.kind == "service" for entry in entries) == 2
    assert [*rejudge(hands.journal, hands.journal.game(hands.desk.number))][-1] == "The same verdicts as then."


class PowerCut(Exception):
    """Before what was ruled is written down."""


@pytest.mark.parametrize("word", ["a move", "by hand", "a foul"])
def test_what_a_power_cut_kept_off_the_record_is_written_down_at_the_next_start(hands: Hands, word: str) -> None:
    """The game went on from there, but its story left the play out, and judged again it was another one."""
    before = ["legal"] if word != "a foul" else []
    assert not before or hands.appears(0, "g4") == before
    write = hands.desk._write

    def cut(entries: list[tuple[str, Mapping[str, Any], float]]) -> None:
        if entries[0][0] == "verdict":
            raise PowerCut
        write(entries)

    hands.desk._write = cut  # type: ignore[method-assign]
    with pytest.raises(PowerCut):
        if word == "by hand":
            hands.desk.tell(TakenBack(hands.now))
        else:
            hands.moves(2, "c4", "c5")
    desk = Desk.resume(hands.journal, NAMES)
    assert desk is not None
    told = [entry.payload["kind"] for entry in hands.journal.entries(1) if entry.kind == "verdict"]
    assert told == before + {"a move": ["legal"], "by hand": ["takeback"], "a foul": []}[word]
    if word != "a foul":  # which is found on the board again, and told then
        assert [*rejudge(hands.journal, hands.journal.game(1))][-1] == "The same verdicts as then."
    again = Desk.resume(hands.journal, NAMES)
    assert again is not None and again.token == desk.token and again.bench.state == desk.bench.state
    assert len([entry for entry in hands.journal.entries(1) if entry.kind == "verdict"]) == len(told), "once only"


def test_a_move_that_was_taken_back_is_still_so_after_a_restart(hands: Hands) -> None:
    """The state that is written down after the move is no beginning for it: what was taken back came before."""
    assert hands.appears(0, "e5") == ["legal"]
    before = hands.game.to_json(hands.desk.bench.state)
    hands.desk.tell(TakenBack(hands.now))
    after = hands.game.to_json(hands.desk.bench.state)
    assert after != before and hands.desk.bench.due.seat == 0
    hands.power_cut()
    assert hands.game.to_json(hands.desk.bench.state) == after


@pytest.mark.long(but=("1", "4"))
@pytest.mark.parametrize("plays", [1, 2, 3, 4])
def test_the_last_plays_can_be_taken_back_after_a_restart_however_few_there_were(hands: Hands, plays: int) -> None:
    """Who put the first move of a game back was told that it is the other's turn."""
    moves, boards = [(2, "c4", "c5"), (0, "e5", "e6"), (2, "c5", "c4")], [hands.board]
    assert hands.appears(0, "e5") == ["legal"]
    for move in moves[: plays - 1]:
        boards.append(hands.board)
        assert hands.moves(*move) == ["legal"]
    hands.power_cut()
    assert hands._shows(boards[-1]) == ["takeback"]
    if plays > 1:
        [said] = hands.desk.tell(TakenBack(hands.now))
        assert said.kind is Kind.TAKEBACK and said.put_right
    else:
        with pytest.raises(BadInput, match="nothing to take back"):
            hands.desk.tell(TakenBack(hands.now))


def test_words_that_are_refused_do_not_hide_from_a_restart_what_was_taken_back(hands: Hands) -> None:
    assert hands.appears(0, "e5") == ["legal"]
    for seat, was, goes in ((2, "c4", "c5"), (0, "e5", "e6")):
        assert hands.moves(seat, was, goes) == ["legal"]
    for _ in range(2 * desk_room.KEPT_STATES):
        with pytest.raises(BadInput):
            hands.desk.tell(Answered(hands.now, True))
    hands.desk.tell(TakenBack(hands.now))
    hands.desk.tell(TakenBack(hands.now))
    after = hands.game.to_json(hands.desk.bench.state)
    assert hands.desk.bench.due.seat == 2
    hands.power_cut()
    assert hands.game.to_json(hands.desk.bench.state) == after


def test_a_board_not_seen_to_agree_before_a_second_restart_is_no_play(hands: Hands) -> None:
    """A word said before the camera looked wrote a state down; what differed then was never played."""
    hands.power_cut()
    desk = Desk.resume(hands.journal, NAMES)
    assert desk is not None
    hands.desk = desk
    with pytest.raises(BadInput):
        hands.desk.tell(Answered(hands.now, True))
    assert hands.moves(0, "e4", "e7") == ["unclear"]
    before = hands.desk.bench.position
    hands.power_cut()
    assert hands.desk.bench.position == before and not hands.desk.bench.begun


def test_a_roll_on_a_board_that_is_taken_to_be_set_up_counts_after_a_restart_too(tmp_path: Path) -> None:
    """What is misread there is not written down with the states: judged again it was a foul, and the roll waited."""
    game, journal = game_for("parcheesi", (0, 2)), open_journal(tmp_path / "games.db")
    pieces = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}
    data = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0, "pieces": pieces}
    desk = Desk.new(journal, game, NAMES, 0, state=game.from_json(data))
    board = game.position(game.from_json(data)).moved(0, "t10", "t17")
    spaces = {name: SpaceSeen(board.at(name), 0.999, likelihoods={board.at(name): 0.0}) for name in game.spaces()}

    def look(since: int, until: int) -> None:
        for k in range(since, until):
            desk.tell(Saw(k / 5, BoardSeen(k / 5, spaces, moving=k == since)))

    look(0, 10)
    desk.tell(Confirmed(2.0, "phone"))
    assert desk.bench.taken
    for k in range(1, 1 + desk_room.KEPT_STATES):
        with pytest.raises(BadInput):
            desk.tell(Answered(2.0 * k, True))
        look(10 * k, 9 + 10 * k)
    desk.tell(Rolled(8.0, Roll((3, 1))))
    again = Desk.resume(journal, NAMES)
    assert again is not None and desk.bench.due == again.bench.due == Due(DueKind.PLAY, 0)
    journal.close()


@pytest.mark.parametrize("cut", [False, True])
def test_a_game_has_the_date_of_its_first_throw_or_play(tmp_path: Path, cut: bool) -> None:
    """That of the evening before, at whose end the board was laid out; or that of a clock which no network had set."""
    wall = [1_795_000_000.0]
    journal = open_journal(tmp_path / "games.db", lambda: wall[0])
    desk = Desk.new(journal, game_for("parcheesi", (0, 2)), {0: "red", 2: "yellow"}, 0)
    wall[0] += 7 * 86_400.0
    desk = (Desk.resume(journal, {0: "red", 2: "yellow"}) or desk) if cut else desk
    began = wall[0]
    for seat, value in ((0, 3), (2, 5)):
        desk.tell(Thrown(float(seat), seat, value))
        wall[0] += 60.0
    assert journal.game(1).started == began
    again = Desk.resume(journal, {0: "red", 2: "yellow"})
    assert again is not None
    again.tell(Rolled(9.0, Roll((1, 2))))
    assert journal.game(1).started == began, "and no other, however often it goes on"
    journal.close()


def test_a_game_without_dice_has_the_date_of_its_first_move(hands: Hands) -> None:
    laid_out = hands.journal.game(1).started
    hands.rest()
    assert hands.journal.game(1).started == laid_out
    assert hands.appears(0, "g4") == ["legal"]
    assert hands.journal.game(1).started > laid_out
