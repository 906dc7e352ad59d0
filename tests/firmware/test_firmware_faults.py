"""PROTOCOL's faults again: the same stories as for the pretend box, told to the firmware's own C code."""

from __future__ import annotations

import ctypes
import random
import subprocess
from pathlib import Path

import diceworld
import pytest
import test_dice_faults
from corebox import CoreBox
from diceworld import World
from making import FIRMWARE
from test_dice_faults import armed, faces_of

from companion.dice.events import BoxNoticed, BoxRoll, DiceUnfit, RollApart
from companion.dice.host import State
from companion.dice.line import encode
from companion.virtual.dicebox import Memory, Phase, Ring

ELSEWHERE = {
    "test_more_dice_than_the_box_has": "set in memory, below",
    "test_another_number_of_dice_than_asked_for_is_left_to_the_players": "the firmware cannot throw others",
    "test_a_newer_version_is_refused_with_the_way_out": "the firmware speaks one version; refused in test_refusals",
    "test_entropy_failure_offers_the_phone_once": "noise needs time to be mistrusted and trusted again, below",
    "test_faces_are_even": "of the pretend box; the firmware's are in its C tests",
    "test_the_ring_goes_round_many_times": "of the pretend box; below with rolls",
    "test_after_a_long_sleep_the_link_is_taken_for_lost": "of the host alone",
}
STORIES = {name: story for name, story in vars(test_dice_faults).items() if name.startswith("test_")}
globals().update({name: story for name, story in STORIES.items() if name not in ELSEWHERE})


@pytest.fixture(autouse=True)
def the_firmware(core: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """In these stories, the box is the firmware's core."""
    monkeypatch.setattr(diceworld, "DiceBox", CoreBox)
    monkeypatch.setattr(test_dice_faults, "DiceBox", CoreBox)


def test_nothing_is_left_out_that_is_no_story() -> None:
    assert set(ELSEWHERE) <= set(STORIES)
    assert len(STORIES) - len(ELSEWHERE) >= 37


def test_more_dice_than_is_set() -> None:
    memory = Memory()
    memory.bytes[10] = 2
    world = World(memory=memory)
    world.host.arm(7, 3, world.at)
    world.run(2)
    assert [e.why for e in world.said(DiceUnfit) if isinstance(e, DiceUnfit)] == ["range"]


def test_a_dead_source_is_refused_and_a_mended_one_trusted_again() -> None:
    world = World()
    world.box.faults.rng = True
    world.run(2)
    world.host.arm(7, 2, world.at)
    world.run(3)
    [unfit] = world.said(DiceUnfit)
    assert isinstance(unfit, DiceUnfit) and unfit.why == "rng"
    world.box.faults.rng = False
    world.run(20)
    world.host.arm(8, 2, world.at)
    world.until(State.ARMED)


def test_a_source_that_dies_while_armed_rolls_nothing() -> None:
    world = armed()
    world.box.faults.rng = True
    world.run(1.5)
    world.throw()
    world.run(2)
    assert world.box.made == []
    assert world.said(DiceUnfit)


def test_the_ring_goes_round_with_rolls() -> None:
    world = World()
    for turn in range(1, 101):
        world.host.arm(turn, 3, world.at)
        world.until(State.ARMED)
        world.throw()
        world.run(0.5)
        ring = Ring(world.box.memory)
        assert (ring.last, ring.open) == (turn, False)
    assert [r.id for r in ring.since(1, 99)] == list(range(69, 101)), "the last 32 are kept"


def test_a_link_lost_while_the_dice_roll_still_makes_the_roll() -> None:
    world = armed()
    world.box.press(world.at, (4, 2))
    world.plugged = False
    for _ in range(400):
        world.at += 0.01
        world.box.tick(world.at)
    assert world.box.phase is Phase.SPIN
    world.box.release(world.at)
    assert world.box.ring.open
    world.plugged = True
    world.run(6)
    assert faces_of(world) == [(4, 2)]
    assert not world.said(RollApart)


def test_the_first_start_gives_the_box_a_number_of_its_own() -> None:
    memory = Memory()
    memory.bytes[:] = b"\xff" * 1024
    box = CoreBox(memory)
    box.power_on(0)
    box.tick(0.1)
    assert box.phase is Phase.BOOT and box.take() == b"\n"
    box.tick(3)
    number = memory.bytes[4:8].hex().upper()
    assert number != "FFFFFFFF" and f"dev={number} ".encode() in box.take()
    assert (memory.number(8, 2), memory.bytes[0]) == (0, 0xFF)


def test_a_new_box_whose_open_pin_is_grounded_says_hello_before_the_host_gives_up() -> None:
    """It had no number after 4 s, and was reset after 3.4 s, as the port was opened anew: it was never found."""
    memory = Memory()
    memory.bytes[:] = b"\xff" * 1024
    box = CoreBox(memory)
    box.power_on(0)
    box.core.core_ground()
    box.tick(1.2)
    assert b"HELLO " in box.take(), "a bootloader of two seconds may come before"


def test_any_damage_of_the_memory_is_survived() -> None:
    """Each byte of the memory spoilt in turn: the box starts, and its numbers go on."""
    sound = Memory()
    ring = Ring(sound)
    for id in range(1, 41):
        ring.put(BoxRoll(id, 5, (3, 4), 100))
        ring.acknowledge()
    for at in range(1024):
        memory = Memory()
        memory.bytes[:] = sound.bytes
        memory.bytes[at] ^= 0x55
        box = CoreBox(memory)
        box.power_on(0)
        box.tick(0.01)
        assert b"HELLO" in box.take()
        assert box.ring.last in (39, 40), at


def test_chance_is_judged_only_by_enough_of_it() -> None:
    box = CoreBox()
    box.power_on(0)
    box.feed(encode("OPEN", n=1, v=1, s=1), 0.1)
    box.feed(encode("TEST", n=2, k="rng"), 0.2)
    assert encode("NO", n=2, e="busy") in box.take()
    box.feed(encode("TEST", n=3, k="rng"), 2)
    assert encode("OK", n=3) in box.take()
    box.faults.rng = True
    box.feed(encode("TEST", n=4, k="rng"), 3.5)
    assert encode("NO", n=4, e="rng") in box.take()


def test_a_weak_supply_is_said_once() -> None:
    world = armed()
    for millivolts in (4300, 4500, 4350, 4700, 4200):
        world.box.core.core_supply(millivolts)
        world.run(0.3)
    assert [e.kind for e in world.said(BoxNoticed) if isinstance(e, BoxNoticed)] == ["vcc", "vcc"]


def test_settings_are_kept() -> None:
    memory = Memory()
    box = CoreBox(memory)
    box.power_on(0)
    box.feed(encode("OPEN", n=1, v=1, s=1), 1)
    box.feed(encode("SET", n=2, dice=2, lvl=80), 1)
    assert encode("OK", n=2) in box.take()
    assert (memory.bytes[10], memory.bytes[11]) == (2, 80)
    box.power_on(2)
    box.tick(2.1)
    assert b"max=2" in box.take()


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (encode("ARM", n=5, turn=1, d="x"), "arg"),
        (encode("ARM", n=5, turn=1, d="2d6", rgb="12345"), "arg"),
        (encode("ARM", n=5, turn=65536, d="2d6"), "range"),
        (encode("LED", n=5, rgb="red"), "arg"),
        (encode("LED", n=5, rgb="ff0000", fx="dance"), "arg"),
        (encode("LED", n=5, rgb="ff0000", lvl=256), "range"),
        (encode("SHOW", n=5, f="7"), "range"),
        (encode("SHOW", n=5, f="1,2,3,4"), "range"),
        (encode("TEST", n=5, k="soup"), "arg"),
        (encode("LOG", n=5), "arg"),
        (encode("OPEN", n=5), "arg"),
        (encode("ACK", n=5), "arg"),
    ],
)
def test_more_refusals(line: bytes, error: str) -> None:
    box = CoreBox()
    box.power_on(0)
    box.feed(encode("OPEN", n=2, v=1, s=1), 1)
    box.take()
    box.feed(line, 1)
    assert box.take() == encode("NO", n=5, e=error)


class Bench:
    """A box of the firmware's core, linked, at the end of a line that is told by hand."""

    def __init__(self, box: CoreBox) -> None:
        self.box, self.at, self.n = box, 3.5, 0
        box.power_on(1.0)
        box.tick(self.at)
        assert b"OK" in self.tell("OPEN", v=1, s=1)

    def tell(self, verb: str, **keys: object) -> bytes:
        """A request and its answer."""
        self.n += 1
        self.box.feed(encode(verb, n=self.n, **keys), self.at)
        return self.live(0.05)

    def live(self, seconds: float) -> bytes:
        """Let time pass; what it said since it was asked last."""
        self.at += seconds
        self.box.tick(self.at)
        return self.box.take()

    def frame(self) -> list[int]:
        """What the lamps show: green, red and blue of each."""
        shown = (ctypes.c_uint8 * 63)()
        self.box.core.core_frame(shown)
        return list(shown)


@pytest.mark.parametrize("begins", [0.0, 0.35, 1.2])
def test_each_lamp_is_shown_in_red_green_blue_and_white(begins: float) -> None:
    """In other moments of the box's time others were: some lamps in one colour alone."""
    bench = Bench(CoreBox(rng=random.Random(1)))
    bench.live(begins)
    bench.tell("TEST", k="led")
    seen: dict[int, list[tuple[bool, ...]]] = {lamp: [] for lamp in range(21)}
    for _ in range(840):
        bench.live(0.01)
        frame = bench.frame()
        for lamp in range(21):
            color = tuple(value > 0 for value in frame[3 * lamp : 3 * lamp + 3])
            if any(color) and color not in seen[lamp]:
                seen[lamp].append(color)
    red, green, blue, white = (False, True, False), (True, False, False), (False, False, True), (True, True, True)
    assert all(set(colors) == {red, green, blue, white} for colors in seen.values()), seen


def test_a_brightness_of_nothing_is_dark_but_not_for_good() -> None:
    bench = Bench(CoreBox(rng=random.Random(1)))
    bench.tell("LED", rgb="ffffff", lvl=200)
    assert max(bench.frame()) > 0
    bench.tell("LED", rgb="ffffff", lvl=0)
    assert max(bench.frame()) == 0
    assert b"e=range" in bench.tell("SET", lvl=0)
    bench.tell("LED", rgb="ffffff")
    assert max(bench.frame()) > 0


@pytest.mark.parametrize("rest", [False, True], ids=["open at rest", "closed at rest"])
def test_a_tilt_switch_rolls_when_it_is_shaken(
    rest: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was to be calm for a quarter of a second to be pressed, which contacts that rattle never are."""
    library = tmp_path / "libtilt.so"
    sources = [str(path) for path in (FIRMWARE / "dicebox").glob("*.c") if path.stem != "board_avr"]
    words = ["cc", "-std=gnu11", "-O1", "-fPIC", "-shared", "-DTILT", f"-I{FIRMWARE / 'dicebox'}"]
    words += ["-Wl,--wrap=chance_face", str(FIRMWARE / "test" / "core_lib.c"), *sources, "-o", str(library)]
    subprocess.run(words, check=True, cwd=FIRMWARE)
    monkeypatch.setattr(CoreBox, "library", ctypes.CDLL(str(library)))
    chance, box = random.Random(3), CoreBox(rng=random.Random(1))
    bench = Bench(box)
    box.core.core_button(rest, None, 0)
    bench.live(0.5)
    assert b"OK" in bench.tell("ARM", turn=7, d="2d6")
    assert b"spin" not in bench.live(1.0), "however it rests"
    down, heard = rest, b""
    for _ in range(30):
        down = not down
        box.core.core_button(down, None, 0)
        heard += bench.live(chance.uniform(0.02, 0.09))
        heard += bench.tell("PING") if chance.random() < 0.1 else b""
    box.core.core_button(rest, None, 0)
    assert b"spin" in heard and b"ROLL" not in heard
    assert b"ROLL" in bench.live(0.4), "a quarter of a second of calm ends it"
