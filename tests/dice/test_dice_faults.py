"""The faults that PROTOCOL names: host and pretend box on one simulated line."""

from __future__ import annotations

import random

import pytest
from diceworld import World

from companion.dice.events import (
    Alarm,
    BoxArmed,
    BoxNoticed,
    BoxQuestion,
    BoxRoll,
    DiceUnfit,
    Flooded,
    LinkLost,
    LinkReady,
    Remark,
    RollApart,
    RollHeard,
    RollsUnseen,
)
from companion.dice.host import LOG_TRIES, State
from companion.dice.line import TO_HOST, Line, LineReader, encode
from companion.dice.rolls import write_roll
from companion.virtual.dicebox import DiceBox, Memory, Phase, Ring, face


def armed(turn: int = 7, dice: int = 2, **kwargs: object) -> World:
    world = World(**kwargs)  # type: ignore[arg-type]
    world.host.arm(turn, dice, world.at)
    world.until(State.ARMED)
    return world


def faces_of(world: World) -> list[tuple[int, ...]]:
    return [faces for _, _, faces in world.counted]


def test_a_roll_is_journalled_then_acknowledged() -> None:
    world = armed()
    world.writes = False
    world.throw((5, 3))
    assert world.box.phase is Phase.UNACKED
    [heard] = world.said(RollHeard)
    assert isinstance(heard, RollHeard)
    assert heard.roll.same(BoxRoll(1, 7, (5, 3)))
    world.run(5)
    assert world.box.phase is Phase.UNACKED, "not before the journal has it"
    assert world.said(RollHeard) == [heard], "and it is told once"
    world.host.recorded(1, world.at)
    world.run(0.1)
    assert world.box.phase is Phase.LINKED
    assert world.host.wanted is None


def test_a_host_that_falls_silent_while_the_button_is_held_does_not_undo_the_throw() -> None:
    world = armed()
    world.box.press(world.at, (5, 3))
    world.box.tick(world.at + 5)
    world.box.release(world.at + 5.1)
    assert [roll.faces for roll in world.box.made] == [(5, 3)] and world.box.ring.open


@pytest.mark.parametrize("seed", range(4))
def test_damage_both_ways_neither_loses_nor_doubles_a_roll(seed: int) -> None:
    world = World(seed)
    world.box.faults.damage = 0.004
    players = random.Random(seed)
    for turn in range(1, 101):
        world.host.arm(turn, players.randint(1, 3), world.at)
        world.until(State.ARMED)
        while not world.counted or world.counted[-1][1] != turn:
            world.run(players.random() * 0.2)
            world.throw()
            world.run(players.random() * 0.5)
    world.box.faults.damage = 0
    world.run(10)
    assert [(r.id, r.turn, r.faces) for r in world.box.made] == world.counted
    assert len(world.counted) == 100
    assert not world.said(Alarm)
    assert not world.said(RollApart)
    assert world.host.bad + world.box.bad > 20, "there was damage"


def test_damage_and_doubled_lines_and_reboots_and_killed_hosts_together() -> None:
    world = World(9)
    world.box.faults.damage, world.box.faults.double = 0.004, True
    players = random.Random(9)
    for turn in range(1, 81):
        world.host.arm(turn, 2, world.at)
        while not world.counted or world.counted[-1][1] != turn:
            trouble = players.randrange(12)
            if trouble == 0:
                world.box.power_on(world.at, "ext")
            elif trouble == 1:
                world.restart_host()
                world.host.arm(turn, 2, world.at)
            elif trouble == 2:
                world.unplug()
                world.run(players.random())
                world.replug()
            world.until(State.ARMED)
            world.throw(hold=players.random())
            world.run(players.random())
    assert [(r.id, r.turn, r.faces) for r in world.box.made] == world.counted
    assert len(world.counted) == 80


def test_a_lost_acknowledgement_is_said_again() -> None:
    world = armed()
    world.box.faults.lose_acks = 3
    world.throw((5, 3))
    world.run(3)
    assert world.counted == [(1, 7, (5, 3))]
    assert world.box.phase is Phase.LINKED
    assert not world.said(LinkLost)


def test_host_killed_between_receipt_and_journal() -> None:
    world = armed()
    world.writes = False
    world.throw((5, 3))
    world.writes = True
    world.restart_host()
    world.host.arm(7, 2, world.at)
    world.run(6)
    assert world.counted == [(1, 7, (5, 3))]
    assert world.box.phase is Phase.LINKED


def test_host_killed_between_journal_and_acknowledgement() -> None:
    world = armed()
    world.acknowledges = False
    world.throw((5, 3))
    world.acknowledges = True
    world.restart_host()
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)
    assert world.counted == [(1, 7, (5, 3))], "not twice"
    assert len(world.said(RollHeard)) == 1
    world.throw((1, 2))
    assert world.counted[-1] == (2, 8, (1, 2))


def test_an_open_roll_of_a_turn_that_is_over_is_late() -> None:
    world = armed()
    world.writes = False
    world.throw((5, 3))
    world.writes = True
    world.restart_host()
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)
    [late] = world.said(RollApart)
    assert isinstance(late, RollApart)
    assert (late.why, late.roll.faces) == ("late", (5, 3))
    assert world.counted == []


@pytest.mark.parametrize("byte", range(17))
def test_power_cut_at_every_byte_of_the_journal(byte: int) -> None:
    """Nothing was shown before the last byte: the throw is made again, under the same number or a new one."""
    world = armed()
    world.throw((1, 1))
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)
    world.box.memory.writes_left = byte
    world.throw((6, 6))
    assert world.box.phase is Phase.OFF
    assert len(world.box.made) == 1
    world.box.power_on(world.at)
    world.run(1)
    world.until(State.ARMED)
    world.throw((2, 5))
    assert world.counted == [(1, 7, (1, 1)), (2, 8, (2, 5))]


def test_power_cut_at_the_acknowledgement() -> None:
    world = armed()
    world.box.memory.writes_left = 17
    world.throw((6, 6))
    world.box.power_on(world.at)
    world.run(6)
    assert world.counted == [(1, 7, (6, 6))]
    assert world.box.phase is Phase.LINKED
    assert len(world.said(RollHeard)) == 1


def test_power_cut_while_the_dice_roll() -> None:
    world = armed()
    world.box.press(world.at, (1, 1))
    world.run(0.2)
    world.box.power_off()
    world.run(1)
    world.box.power_on(world.at)
    world.until(State.ARMED)
    assert world.counted == []


def test_unplugging_does_not_dodge_a_throw() -> None:
    """The throw was bad; the cable is pulled before the host hears of it."""
    world = armed()
    world.box.press(world.at, (1, 1))
    world.run(0.1)
    world.box.release(world.at)
    world.unplug()
    assert isinstance(world.events[-1], LinkLost)
    assert world.host.wanted is not None and world.host.wanted.turn == 7, "armed in the book"
    world.run(60)
    world.replug()
    world.run(5)
    assert faces_of(world) == [(1, 1)]
    assert world.box.ring.last == 1


def test_press_out_of_turn_rolls_nothing() -> None:
    world = World()
    world.until(State.READY)
    world.throw((6, 6))
    world.run(1)
    assert [e.kind for e in world.said(BoxNoticed) if isinstance(e, BoxNoticed)] == ["press"]
    assert world.box.made == []
    assert not world.said(RollHeard) and not world.said(RollApart)


def test_a_throw_that_the_table_withdrew_meanwhile_is_apart() -> None:
    world = armed()
    world.box.press(world.at, (6, 6))
    world.run(0.1)
    world.host.disarm(world.at)
    world.run(1)
    world.box.release(world.at)
    world.run(1)
    assert world.counted == []
    [apart] = world.said(RollApart)
    assert isinstance(apart, RollApart) and apart.why == "late"
    assert world.box.phase is Phase.LINKED


def test_disarm_and_arm_another_turn() -> None:
    world = armed()
    world.host.arm(9, 1, world.at, rgb="00ff00")
    world.run(0.1)
    assert [e.turn for e in world.said(BoxArmed) if isinstance(e, BoxArmed)] == [7, 9]
    world.host.disarm(world.at)
    world.run(0.1)
    assert world.box.phase is Phase.LINKED
    assert world.host.state is State.READY


def test_a_button_that_is_stuck_is_said_to_whoever_opens_the_link() -> None:
    """The page called such a box "connected", though no press could arrive."""
    world = armed()
    world.box.press(world.at, (4, 4))
    world.run(15)
    before = len(world.events)
    for _ in range(450):  # the host is busy, and the box lets the link go
        world.at += 0.01
        world.box.tick(world.at)
    world.run(15)
    since = world.events[before:]
    assert any(isinstance(event, LinkReady) for event in since)
    assert "stuck" in [event.kind for event in since if isinstance(event, BoxNoticed)]


def test_a_stuck_button_rolls_once_and_says_so() -> None:
    world = armed()
    world.box.press(world.at, (4, 4))
    world.run(15)
    assert faces_of(world) == [(4, 4)]
    assert "stuck" in [e.kind for e in world.said(BoxNoticed) if isinstance(e, BoxNoticed)]
    world.host.arm(8, 2, world.at)
    world.run(15)
    assert len(world.box.made) == 1, "a button that stays down is no press"


def test_watchdog() -> None:
    world = armed()
    world.box.hang(world.at)
    world.run(5)
    assert world.host.state is State.ARMED
    assert world.host.box and world.host.box.boot == 2
    assert not world.said(LinkLost), "the box is back before it is missed"


def test_reset_while_the_line_is_open() -> None:
    world = armed()
    world.box.power_on(world.at, "ext")
    world.run(2)
    assert world.host.state is State.ARMED
    assert world.box.phase is Phase.ARMED


def test_the_box_lets_go_and_is_taken_again() -> None:
    world = armed()
    world.plugged = False
    for _ in range(10):
        world.at += 0.4
        world.box.tick(world.at)
    assert world.box.phase is Phase.ALONE, "disarmed after 3 s of silence"
    world.plugged = True
    world.run(0.5)
    world.until(State.ARMED)
    world.throw((2, 2))
    assert faces_of(world) == [(2, 2)]


def test_a_silent_box_is_lost_and_found() -> None:
    world = armed()
    world.box.power_off()
    world.run(4)
    assert world.said(LinkLost)
    world.box.power_on(world.at)
    world.until(State.ARMED)


def test_arm_timeout_of_the_box_is_noticed() -> None:
    world = World()
    world.host.arm(7, 2, world.at, ms=500)
    world.until(State.ARMED)
    world.run(3)
    assert len(world.said(BoxArmed)) > 1, "armed again, as the book still wants it"


def test_request_numbers_wrap() -> None:
    world = armed()
    world.host._courier._n = 65533
    for turn in range(8, 14):
        world.host.arm(turn, 1, world.at)
        world.until(State.ARMED)
        world.throw((1,))
        world.run(1.2)
    assert 1 <= world.host._courier._n < 100
    assert len(world.counted) == 6


def test_roll_numbers_wrap() -> None:
    memory = Memory()
    ring = Ring(memory)
    ring.put(BoxRoll(2**32 - 3, 1, (1, 1)))
    ring.acknowledge()
    world = World(memory=memory)
    for turn in range(7, 13):
        world.host.arm(turn, 1, world.at)
        world.until(State.ARMED)
        world.throw((2,))
        world.run(0.5)
        if turn == 10:
            world.restart_host()
    assert [id for id, _, _ in world.counted] == [2**32 - 2, 2**32 - 1, 1, 2, 3, 4]
    assert not world.said(Alarm) and not world.said(BoxQuestion)


def test_the_ring_goes_round_many_times() -> None:
    memory = Memory()
    ring = Ring(memory)
    for id in range(1, 101):
        ring.put(BoxRoll(id, 5, (3, 4, 5), 100))
        ring.acknowledge()
        again = Ring(memory)
        assert (again.last, again.open) == (id, False)
    assert [r.id for r in ring.since(90, 8)] == list(range(90, 98))


def test_another_box_is_asked_about() -> None:
    world = armed()
    world.throw((1, 1))
    world.host.arm(8, 2, world.at)
    world.swap(DiceBox(Memory(dev=0xDEADBEEF)))
    world.run(5)
    [question] = world.said(BoxQuestion)
    assert isinstance(question, BoxQuestion)
    assert (question.dev, question.why) == ("DEADBEEF", "other")
    assert world.box.phase is Phase.LINKED, "not armed before the players say so"
    world.book.adopt(question.dev, question.last)
    world.note(world.host.adopt(world.at))
    world.until(State.ARMED)
    world.throw((6, 5))
    assert world.counted[-1] == (1, 8, (6, 5))


def test_a_box_whose_memory_was_reset_is_asked_about() -> None:
    world = armed()
    for turn in (7, 8, 9):
        world.host.arm(turn, 2, world.at)
        world.until(State.ARMED)
        world.throw((1, 1))
    world.host.arm(10, 2, world.at)
    world.swap(DiceBox())
    world.run(3)
    [question] = world.said(BoxQuestion)
    assert isinstance(question, BoxQuestion) and question.why == "behind"
    world.book.adopt(question.dev, question.last)
    world.note(world.host.adopt(world.at))
    world.until(State.ARMED)
    world.throw((6, 5))
    assert world.counted[-1] == (1, 10, (6, 5))
    assert not world.said(Alarm)


def test_rolls_without_the_referee_are_listed_and_never_count() -> None:
    world = armed()
    world.throw((1, 1))
    for id in range(2, 13):
        world.box.ring.put(BoxRoll(id, 99, (6, 6)))
        world.box.ring.acknowledge()
    world.restart_host()
    world.until(State.READY)
    [unseen] = world.said(RollsUnseen)
    assert isinstance(unseen, RollsUnseen)
    assert unseen.count == 11
    assert [r.id for r in unseen.rolls] == list(range(5, 13)), "the latest eight"
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)
    world.throw((2, 3))
    assert world.counted == [(1, 7, (1, 1)), (13, 8, (2, 3))]


def test_a_link_that_is_ready_when_a_throw_becomes_due_is_told_all_the_same() -> None:
    """The box no longer knows the rolls that it made alone, and the table arms it while they are waited for."""
    world = armed()
    world.throw((1, 1))
    world.box.ring.put(BoxRoll(9, 99, (6, 6)))
    world.box.ring.acknowledge()
    world.restart_host()
    world.until(State.RECOVER)
    while world.host._log_tries < LOG_TRIES or world.host._log_until is None:
        world.turn()
    world.at = world.host._log_until
    world.note(world.host.arm(8, 2, world.at))
    world.run(1)
    assert world.host.state is State.ARMED
    assert len(world.said(RollsUnseen)) == 1 and len(world.said(LinkReady)) == 2


def test_rolls_without_the_referee_and_an_open_one() -> None:
    world = armed()
    world.throw((1, 1))
    for id in (2, 3):
        world.box.ring.put(BoxRoll(id, 99, (6, 6)))
        world.box.ring.acknowledge()
    world.box.ring.put(BoxRoll(4, 8, (5, 5)))
    world.restart_host()
    world.host.arm(8, 2, world.at)
    world.run(6)
    [unseen] = world.said(RollsUnseen)
    assert isinstance(unseen, RollsUnseen) and [r.id for r in unseen.rolls] == [2, 3]
    assert world.counted == [(1, 7, (1, 1)), (4, 8, (5, 5))]


def test_a_newer_version_is_refused_with_the_way_out() -> None:
    world = World()
    world.box.faults.speaks = 2
    world.run(2)
    [unfit, *_] = world.said(DiceUnfit)
    assert isinstance(unfit, DiceUnfit)
    assert unfit.why == "ver" and "firmware anew: companion dice flash." in unfit.text
    assert not world.said(LinkReady)


@pytest.mark.parametrize("before", [True, False])
def test_more_dice_than_a_box_can_have_are_left_to_the_phone(before: bool) -> None:
    """A game of one's own may throw six cowries: it was said that the dice cannot be asked, and that they are there."""
    world = World()
    if not before:
        world.until(State.READY)
    said = world.host.arm(7, 6, world.at)
    world.run(5)
    [unfit] = [*said, *world.said(DiceUnfit)]
    assert isinstance(unfit, DiceUnfit) and (unfit.why, world.host.state) == ("range", State.READY)
    assert unfit.text == "The dice box cannot throw that many dice. Throw by hand and use the phone."
    world.host.arm(8, 3, world.at)
    world.until(State.ARMED)


def test_entropy_failure_offers_the_phone_once() -> None:
    world = World()
    world.box.faults.rng = True
    world.host.arm(7, 2, world.at)
    world.run(5)
    [unfit] = world.said(DiceUnfit)
    assert isinstance(unfit, DiceUnfit)
    assert unfit.why == "rng" and "phone" in unfit.text
    world.box.faults.rng = False
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)


def test_more_dice_than_the_box_has() -> None:
    world = World()
    world.box.most = 2
    world.host.arm(7, 3, world.at)
    world.run(1)
    assert [e.why for e in world.said(DiceUnfit) if isinstance(e, DiceUnfit)] == ["range"]


def test_a_flood_is_cut_and_the_roll_still_comes() -> None:
    world = armed()
    world.box.faults.flood = 50
    world.throw((3, 3))
    world.run(6)
    world.box.faults.flood = 0
    world.run(8)
    assert len(world.said(Remark)) < 200
    assert 1 <= len(world.said(Flooded)) <= 16
    assert faces_of(world) == [(3, 3)]


def test_the_same_number_with_other_content_stops_the_game() -> None:
    world = armed()
    world.throw((5, 3))
    world.run(1)
    world.box._put(write_roll(BoxRoll(1, 7, (6, 6))))
    world.run(0.1)
    [alarm] = world.said(Alarm)
    assert isinstance(alarm, Alarm) and alarm.id == 1
    world.host.arm(8, 2, world.at)
    world.run(3)
    assert world.box.phase is Phase.LINKED, "nothing is armed while the alarm stands"
    world.host.dismiss(world.at)
    world.until(State.ARMED)
    assert world.counted == [(1, 7, (5, 3))]


def test_a_roll_that_cannot_be_stops_the_game() -> None:
    world = armed()
    world.box._put(encode("ROLL", TO_HOST, id=1, turn=7, d="2d6", f="5,7"))
    world.run(0.1)
    assert len(world.said(Alarm)) == 1
    assert world.counted == []


def test_another_number_of_dice_than_asked_for_is_left_to_the_players() -> None:
    world = armed()
    world.throw((5, 3, 1))
    [apart] = world.said(RollApart)
    assert isinstance(apart, RollApart) and apart.why == "dice"
    world.until(State.ARMED)
    world.throw((5, 3))
    assert world.counted == [(2, 7, (5, 3))]


def test_a_second_roll_of_one_turn_is_late() -> None:
    world = armed()
    world.writes = False
    world.throw((1, 1))
    world.box._put(write_roll(BoxRoll(2, 7, (6, 6))))
    world.run(0.1)
    assert len(world.said(RollHeard)) == 1
    assert [e.roll.faces for e in world.said(RollApart) if isinstance(e, RollApart)] == [(6, 6)]


def test_typed_lines_change_nothing() -> None:
    box = DiceBox()
    box.power_on(0)
    box.tick(1)
    box.take()
    for typed in (b"?\n", b"i\r\n", b"t\n", b"r\n"):
        box.feed(typed, 1.1)
        assert box.take().startswith(b"#")
    box.feed(b"AT\r\nARM n=1 turn=1 d=2d6\nACK n=2 id=0\n", 1.2)
    assert box.take() == b""
    assert box.phase is Phase.ALONE


def test_the_same_number_again_gives_the_same_answer_and_no_second_action() -> None:
    box = DiceBox()
    box.power_on(0)
    box.feed(encode("OPEN", n=1, v=1, s=1), 1)
    box.take()
    box.feed(encode("ARM", n=2, turn=7, d="1d6"), 1)
    first = box.take()
    box.press(1.1, (4,))
    box.release(1.2)
    box.take()
    box.feed(encode("ARM", n=2, turn=7, d="1d6"), 1.3)
    assert box.take() == first == encode("OK", n=2)
    assert box.phase is Phase.UNACKED


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (encode("NOSUCH", n=5), "verb"),
        (encode("ARM", n=5, turn=1), "arg"),
        (encode("ARM", n=5, turn=1, d="4d6"), "range"),
        (encode("ACK", n=5, id=77), "seq"),
        (encode("LOG", **{"n": 5, "from": 1, "k": 9}), "range"),
        (encode("OPEN", n=5, v=9), "ver"),
        (encode("SHOW", n=5), "arg"),
        (encode("SET", n=5, dice=9), "range"),
    ],
)
def test_refusals(line: bytes, error: str) -> None:
    box = DiceBox()
    box.power_on(0)
    box.feed(encode("PING", n=1), 1)
    assert encode("NO", n=1, e="link") in box.take()
    box.feed(encode("OPEN", n=2, v=1, s=1), 1)
    box.take()
    box.feed(line, 1)
    assert box.take() == encode("NO", n=5, e=error)


def test_faces_are_even() -> None:
    counts = [0] * 7
    for byte in range(252):
        counts[face(iter([253, 255, byte]).__next__)] += 1
    assert counts == [0, 42, 42, 42, 42, 42, 42]


def test_an_unknown_roll_below_the_last_one_stops_the_game() -> None:
    world = armed()
    world.book.adopt("7F3A90C1", 50)
    world.host._last = 50
    world.box._put(write_roll(BoxRoll(9, 7, (6, 6))))
    world.run(0.1)
    assert [e.id for e in world.said(Alarm) if isinstance(e, Alarm)] == [9]
    assert world.counted == []


def test_a_start_is_noticed_by_its_hello() -> None:
    world = armed()
    world.box.power_on(world.at, "bor")
    world.run(world.box.boot_time + 0.1)
    assert world.box.phase is Phase.ARMED, "before the next PING"


def test_a_box_that_is_adopted_with_an_open_roll() -> None:
    world = armed()
    other = DiceBox(Memory(dev=0xDEADBEEF))
    other.ring.put(BoxRoll(30, 7, (2, 2)))
    world.throw((1, 1))
    world.swap(other)
    world.run(3)
    [question] = world.said(BoxQuestion)
    assert isinstance(question, BoxQuestion) and question.last == 29
    world.book.adopt(question.dev, question.last)
    world.note(world.host.adopt(world.at))
    world.run(3)
    assert not world.said(Alarm)
    assert [e.roll.id for e in world.said(RollApart) if isinstance(e, RollApart)] == [30]
    assert other.phase is Phase.LINKED


def test_after_a_long_sleep_the_link_is_taken_for_lost() -> None:
    world = armed()
    [lost] = world.host.tick(world.at + 3.5)
    assert isinstance(lost, LinkLost) and world.host.state is State.CLOSED


def test_a_line_that_a_start_cut_short_does_not_spoil_the_first_hello() -> None:
    world = armed()
    reader = LineReader(TO_HOST)
    assert reader.feed(b"ROLL id=7 turn=3 d=2") == []
    world.box.power_on(world.at, "wdt")
    world.box.tick(world.at + 0.9)
    cut, hello, *_ = reader.feed(world.box.take())
    assert cut != hello and isinstance(hello, Line) and hello.verb == "HELLO"


def bogus(world: World) -> None:
    """The box reports a first roll that cannot be."""
    world.box._put(encode("ROLL", TO_HOST, id=1, turn=7, d="2d6", f="0,9"))
    world.run(0.1)


def test_an_alarm_that_outlives_the_link_is_asked_again_and_can_be_settled_then() -> None:
    world = armed()
    bogus(world)
    world.unplug()
    world.replug()
    before = len(world.said(LinkReady))
    world.until(State.READY)
    world.run(1)
    assert len(world.said(Alarm)) == 2
    assert len(world.said(LinkReady)) == before and world.box.phase is Phase.LINKED, "it may not be armed yet"
    world.note(world.host.dismiss(world.at))
    assert isinstance(world.events[-1], LinkReady)
    world.until(State.ARMED)


def test_an_alarm_is_asked_again_of_a_spare_box_and_its_number_does_not_swallow_a_roll_there() -> None:
    world = armed()
    bogus(world)
    world.swap(DiceBox(Memory(dev=0xDEADBEEF)))
    world.run(5)
    [question] = world.said(BoxQuestion)
    assert isinstance(question, BoxQuestion)
    world.book.adopt(question.dev, question.last)
    world.note(world.host.adopt(world.at))
    assert isinstance(world.events[-1], Alarm)
    world.note(world.host.dismiss(world.at))
    world.until(State.ARMED)
    world.throw((3, 4))
    assert world.counted == [(1, 7, (3, 4))]


def test_an_alarm_that_was_settled_is_of_its_own_box() -> None:
    world = armed()
    bogus(world)
    world.note(world.host.dismiss(world.at))
    world.swap(DiceBox(Memory(dev=0xDEADBEEF)))
    world.run(5)
    [question] = world.said(BoxQuestion)
    assert isinstance(question, BoxQuestion)
    world.book.adopt(question.dev, question.last)
    world.note(world.host.adopt(world.at))
    world.until(State.ARMED)
    world.throw((3, 4))
    assert world.counted == [(1, 7, (3, 4))]


def test_a_box_that_cannot_keep_the_acknowledgement_is_unfit_and_that_is_said_once() -> None:
    world = armed()
    world.acknowledges = False
    world.throw((2, 4))
    world.run(0.5)
    world.acknowledge(1)
    [ask] = LineReader().feed(world.host.take())
    assert isinstance(ask, Line) and ask.verb == "ACK"
    world.note(world.host.feed(encode("NO", TO_HOST, n=ask.number("n"), e="ee"), world.at))
    world.host.arm(8, 2, world.at)
    world.run(5)
    assert [event.why for event in world.said(DiceUnfit) if isinstance(event, DiceUnfit)] == ["ee"]
    assert world.box.phase is Phase.UNACKED and world.counted == [(1, 7, (2, 4))]
    world.unplug()
    world.replug()
    world.until(State.ARMED)
    assert world.counted == [(1, 7, (2, 4))], "where it can again, the game goes on"


def test_an_open_roll_of_another_table_is_late_in_a_box_that_was_adopted() -> None:
    world = armed()
    other = DiceBox(Memory(dev=0xDEADBEEF))
    other.ring.put(BoxRoll(41, 7, (6, 6)))  # its token happens to be ours
    world.swap(other)
    world.run(5)
    [question] = world.said(BoxQuestion)
    assert isinstance(question, BoxQuestion)
    world.book.adopt(question.dev, question.last)
    world.note(world.host.adopt(world.at))
    world.until(State.ARMED)
    assert [e.roll.id for e in world.said(RollApart) if isinstance(e, RollApart) and e.why == "late"] == [41]
    world.throw((3, 4))
    assert world.counted == [(42, 7, (3, 4))]


def test_rolls_without_the_referee_are_listed_once() -> None:
    world = armed()
    world.throw((1, 2))
    world.run(1)
    for id in (2, 3, 4):
        world.box.ring.put(BoxRoll(id, 50, (3, 3)))
        world.box.ring.acknowledge()
    world.unplug()
    world.host.arm(8, 2, world.at)
    world.replug()
    world.until(State.ARMED)
    world.unplug()
    world.replug()
    world.until(State.ARMED)
    world.restart_host()
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)
    assert [event.last for event in world.said(RollsUnseen) if isinstance(event, RollsUnseen)] == [4]
    world.throw((2, 3))
    assert world.counted == [(1, 7, (1, 2)), (5, 8, (2, 3))]
