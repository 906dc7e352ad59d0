"""Framing of the dice line: golden lines, any split, any damage."""

from __future__ import annotations

import re
from pathlib import Path

import make_lines
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dice.events import BoxRoll
from companion.dice.line import Comment, Heard, Line, LineReader, Spoiled, Typed, crc, encode
from companion.dice.rolls import ahead, next_id, previous_id, read_roll, write_roll

GOLDEN = Path(__file__).with_name("lines.txt").read_text(encoding="ascii")
ROWS = [row.split("\t") for row in GOLDEN.splitlines() if not row.startswith("#")]


def unescaped(text: str) -> bytes:
    signs = {"n": "\n", "r": "\r", "\\": "\\"}
    found = re.sub(r"\\(x[0-9A-F]{2}|.)", lambda m: signs.get(m[1]) or chr(int(m[1][1:], 16)), text)
    return found.encode("latin-1")


def described(heard: list[Heard]) -> tuple[str, str]:
    match heard:
        case [Line(verb, keys)]:
            return "line", " ".join([verb, *(f"{k}={v}" for k, v in keys.items())])
        case [Spoiled(why)]:
            return why, ""
        case [Comment(text)]:
            return "comment", text
        case [Typed(text)]:
            return "typed", text
    assert heard == []
    return "nothing", ""


def test_the_golden_file_is_up_to_date() -> None:
    assert make_lines.text() == GOLDEN


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_golden_lines(row: list[str]) -> None:
    limit, expected, data = row[:3]
    reader = LineReader(int(limit))
    assert described(reader.feed(unescaped(data))) == (expected, row[3] if len(row) > 3 else "")
    assert described(reader.feed(encode("PING", n=7))) == ("line", "PING n=7"), "the next line is whole"


@given(st.data())
@settings(max_examples=60)
def test_any_split_of_the_bytes_gives_the_same_lines(data: st.DataObject) -> None:
    stream = b"".join(unescaped(row[2]) for row in data.draw(st.permutations(ROWS)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=40)))
    reader = LineReader()
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert [h for piece in pieces for h in reader.feed(piece)] == LineReader().feed(stream)


rolls = st.builds(
    BoxRoll,
    id=st.integers(1, 2**32 - 1),
    turn=st.integers(1, 65535),
    faces=st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple),
    ms=st.integers(0, 65535),
    src=st.sampled_from(["btn", "tilt"]),
)


@given(rolls)
def test_a_roll_goes_over_the_line_and_stays_short(roll: BoxRoll) -> None:
    data = write_roll(roll)
    [line] = LineReader().feed(data)
    assert isinstance(line, Line)
    assert (told := read_roll(line)) is not None and told.same(roll)
    assert len(data) < 64


@given(rolls, st.data())
@settings(derandomize=True)  # one damage in 65,536 goes unseen: not by chance in here
def test_a_damaged_roll_is_no_roll(roll: BoxRoll, data: st.DataObject) -> None:
    line = write_roll(roll)
    at = data.draw(st.integers(0, len(line) - 2))
    kind = data.draw(st.sampled_from(["flip", "lose", "double", "burst"]))
    bit = 1 << data.draw(st.integers(0, 7))
    broken = {
        "flip": line[:at] + bytes([line[at] ^ bit]) + line[at + 1 :],
        "lose": line[:at] + line[at + 1 :],
        "double": line[: at + 1] + line[at:],
        "burst": line[:at] + b"\xff\x00" + line[at + 2 :],
    }[kind]
    heard = [h for h in LineReader().feed(broken + b"\n") if isinstance(h, Line)]
    assert heard == ([] if broken != line else LineReader().feed(line))


@given(st.binary(max_size=400))
def test_noise_is_no_line_and_no_memory(noise: bytes) -> None:
    reader = LineReader()
    assert not any(isinstance(h, Line) for h in reader.feed(noise))
    assert len(reader._text) <= 160


def test_checksum_is_the_one_of_the_protocol() -> None:
    assert crc(b"123456789") == 0x29B1


@pytest.mark.parametrize("keys", [{"n": "a b"}, {"n": ""}, {"N": 1}, {"toolong": 1}, {"n": "é"}])
def test_what_cannot_be_written_is_refused(keys: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        encode("PING", **keys)
    with pytest.raises(ValueError, match="at most 120"):
        encode("PING", n="1" * 120)


@pytest.mark.parametrize(
    "body",
    ["id=1 turn=2 d=2d6 f=5,7", "id=1 turn=2 d=2d6 f=5", "id=0 turn=2 d=1d6 f=5", "id=1 d=1d6 f=5",
     "id=1 turn=2 d=4d6 f=1,1,1,1", "id=1 turn=2 d=1d6 f=5,", "id=1 turn=2 d=0d6",
     "id=4294967296 turn=2 d=1d6 f=5"],
)  # fmt: skip
def test_rolls_that_cannot_be(body: str) -> None:
    keys = dict(pair.split("=") for pair in body.split())
    assert read_roll(Line("ROLL", keys)) is None


def test_numbers_of_rolls_wrap() -> None:
    top = 2**32 - 1
    assert (next_id(0), next_id(top), previous_id(1)) == (1, 1, 0)
    assert (ahead(1, top), ahead(top, 1), ahead(9, 9), ahead(5, 9)) == (1, -1, 0, -4)
    assert (ahead(0, 5), ahead(5, 0)) == (-5, 5)
    assert (ahead(top, 0), ahead(0, top)) == (top, -top), "nothing wraps onto no roll at all"
    assert (previous_id(0), previous_id(9)) == (0, 8)


def heard_roll(data: bytes) -> tuple[BoxRoll | None, dict[str, str]]:
    [line] = LineReader().feed(data)
    assert isinstance(line, Line) and len(data) < 64
    return read_roll(line), dict(line.keys)


def test_a_roll_is_written_as_it_is_read() -> None:
    roll = BoxRoll(117, 3, (5, 3), 840, "button")
    assert heard_roll(write_roll(roll))[0] == roll
    again, keys = heard_roll(write_roll(roll, old=True))
    assert again == roll and keys["old"] == "1"
    assert "old" not in heard_roll(write_roll(roll))[1]
    plain = BoxRoll(1, 0, (6,), 0, "")
    assert heard_roll(write_roll(plain))[0] == plain and b"src=" not in write_roll(plain)


def test_of_a_long_roll_only_what_is_for_people_is_left_out() -> None:
    """First who pressed, then for how long."""
    roll = BoxRoll(2**32 - 1, 255, (6, 6, 6), 12345, "b" * 16)
    assert heard_roll(write_roll(roll))[0] == BoxRoll(2**32 - 1, 255, (6, 6, 6), 12345, "")
    longer = BoxRoll(2**32 - 1, 2**32 - 1, (6, 6, 6), 2**32 - 1, "b" * 16)
    assert heard_roll(write_roll(longer))[0] == BoxRoll(2**32 - 1, 2**32 - 1, (6, 6, 6), 0, "")
