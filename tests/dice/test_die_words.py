"""What dice of one's own say, understood; what is damaged or unknown says nothing."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dice import godice, pixels
from companion.dice.die import Charge, Cocked, Feigned, Kind, Rested, Tumbling, Turned, Word
from companion.dice.radio import GODICE, OLD_PIXELS, PIXELS, recognised
from companion.virtual.pretend_air import PretendAdvert, PretendDie

DECODE = {"pixels": pixels.decode, "godice": godice.decode}


def golden() -> list[tuple[str, bytes, str]]:
    rows = []
    for line in (Path(__file__).parent / "die_words.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            make, told, words, *_ = [*line.split("\t"), "", ""]
            rows.append((make, bytes.fromhex(told.replace(" ", "")), words))
    return rows


def spelt(word: Word) -> str:
    match word:
        case Rested(face) | Turned(face):
            return f"{type(word).__name__.lower()} {face}"
        case Charge(percent, low):
            return f"charge {percent}" + " low" * low
        case Kind(name, six, old):
            return f"kind {name}" + " six" * six + " old" * old
        case Tumbling() | Cocked() | Feigned():
            return type(word).__name__.lower()


@pytest.mark.parametrize(("make", "data", "words"), golden())
def test_golden_lines(make: str, data: bytes, words: str) -> None:
    assert "; ".join(spelt(word) for word in DECODE[make](data)) == words


def test_the_golden_file_is_whole() -> None:
    assert len(golden()) >= 60


BEGINS = [b"", b"\x02", b"\x03", b"\x22", b"R", b"Bat", b"S", b"FS", b"TS", b"MS"]
"""How what such a die says begins: bytes by chance are hardly ever any of it."""


def possible(words: tuple[Word, ...]) -> bool:
    """Whether no face that no die has was shown, and no charge that cannot be."""
    faces = [word.face for word in words if isinstance(word, Rested | Turned)]
    charges = [word.percent for word in words if isinstance(word, Charge)]
    return all(1 <= face <= 6 for face in faces) and all(0 <= percent <= 100 for percent in charges)


@pytest.mark.long
@settings(max_examples=300)
@given(st.sampled_from(["pixels", "godice"]), st.sampled_from(BEGINS), st.binary(max_size=80))
def test_any_bytes_are_survived_and_never_show_a_face_that_no_die_has(make: str, begins: bytes, data: bytes) -> None:
    assert possible(DECODE[make](begins + data))


@pytest.mark.long
def test_every_state_and_charge_that_a_die_could_tell_is_possible() -> None:
    pairs = [bytes((one, other)) for one in range(256) for other in range(256)]
    rolling = [pixels.decode(b"\x03" + pair) for pair in pairs]
    charges = [pixels.decode(b"\x22" + pair) for pair in pairs] + [godice.decode(b"Bat" + pair) for pair in pairs]
    assert all(map(possible, rolling + charges))
    assert {word.face for words in rolling for word in words if isinstance(word, Rested)} == {1, 2, 3, 4, 5, 6}
    assert {word.percent for words in charges for word in words if isinstance(word, Charge)} == set(range(101))


@settings(max_examples=200)
@given(st.binary(min_size=1, max_size=60), st.integers(0, 60))
def test_an_introduction_that_was_cut_says_nothing_wrong(tail: bytes, cut: int) -> None:
    whole = PretendDie("Ruby", "1").introduction()
    assert [spelt(word) for word in pixels.decode(whole)] == ["kind d6 six", "charge 80"]
    follows = tail if cut else b""  # where nothing of the introduction is left, what follows is a message of its own
    for data in (whole[:cut], whole[:cut] + follows):
        words = pixels.decode(data)
        assert words == () or isinstance(words[0], Kind)


@settings(max_examples=200)
@given(st.integers(1, 6), st.floats(0, 30), st.floats(0, 2 * math.pi), st.integers(40, 90))
def test_a_face_is_read_though_the_table_slopes(face: int, degrees: float, around: float, length: int) -> None:
    axis = [component / 64 for component in godice.UP[face]]
    side = [0.0, 0.0, 0.0]
    free = [i for i in range(3) if not axis[i]]
    side[free[0]], side[free[1]] = math.cos(around), math.sin(around)
    tilt = math.radians(degrees)
    up = [round(length * (a * math.cos(tilt) + s * math.sin(tilt))) for a, s in zip(axis, side, strict=True)]
    assert godice.face_up(*up) == face


@settings(max_examples=200)
@given(st.tuples(*[st.integers(-128, 127)] * 3))
def test_the_nearest_axis_is_the_face_or_there_is_none(up: tuple[int, int, int]) -> None:
    nearest = min(godice.UP, key=lambda face: math.dist([64 * c / (math.hypot(*up) or 1) for c in up], godice.UP[face]))
    assert godice.face_up(*up) in (nearest, None)


def test_messages_to_the_dice() -> None:
    assert pixels.WHO_ARE_YOU == b"\x01" and godice.ASK_BATTERY == b"\x03"
    assert pixels.blink("FF8000").hex() == "1d02b0040080ff00ffffffff8001"
    assert pixels.blink("FF8000", old=True).hex()[-2:] == "00", "one for ever is not wanted"
    assert godice.pulse("FF8000") == bytes([16, 2, 30, 30, 255, 128, 0, 1, 0])


@pytest.mark.parametrize("make", [PIXELS, OLD_PIXELS, GODICE])
def test_each_make_is_recognised_by_what_it_advertises(make: object) -> None:
    name = "GoDice_1A2B3C_R_v03" if make is GODICE else "Ruby"
    die = PretendDie(name, "AA:BB", make)  # type: ignore[arg-type]
    seen = recognised(die, die.advert())
    assert seen is not None and (seen.make, seen.name, seen.rssi) == (make, name, -50)
    assert seen.called(name.upper()) and seen.called("aa:bb") and not seen.called("Opal")


@pytest.mark.parametrize(
    "advert",
    [
        PretendAdvert("Heart rate", ("0000180d-0000-1000-8000-00805f9b34fb",), {}, -40),
        PretendAdvert("Serial line", (pixels.OLD_SERVICE,), {}, -40),
        PretendAdvert("Serial line", (pixels.OLD_SERVICE,), {76: bytes(20)}, -40),
        PretendAdvert(None, (), {}, -40),
    ],
)
def test_other_things_on_the_air_are_left_alone(advert: PretendAdvert) -> None:
    device = PretendDie(advert.local_name or "", "AA")
    assert recognised(device, advert) is None
