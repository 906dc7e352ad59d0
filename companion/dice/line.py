"""Framing of DICE/1: bytes to lines and back. A damaged line never becomes a Line (PROTOCOL: "Lines")."""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass

TO_BOX, TO_HOST, ROLL_BELOW = 120, 160, 64
"""Most bytes of a line with its LF: host to device, device to host; a ROLL stays below the third."""

_VALUE = re.compile(r"[A-Za-z0-9,.\-:_]+")
_BODY = re.compile(r"[A-Z]{2,8}(?: [a-z]{1,4}=[A-Za-z0-9,.\-:_]+)*")
_KEY = re.compile(r"[a-z]{1,4}")
_VERB = re.compile(r"[A-Z]{2,8}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line whose checksum is right. keys: the values as text; of a key given twice, the first."""

    verb: str
    keys: Mapping[str, str]

    def text(self, key: str) -> str:
        """The value of `key`, "" where it is missing."""
        return self.keys.get(key, "")

    def number(self, key: str) -> int | None:
        """The value of `key` as a whole number of at most 32 bits; None where it is missing or no number."""
        value = self.keys.get(key, "")
        if not (value.isascii() and value.isdigit() and len(value) <= 10):
            return None
        return int(value) if int(value) < 2**32 else None


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A line that cannot be trusted. why: "crc", "long", "char" (as in NO e=…) or "form" (the grammar)."""

    why: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A line for people, without its "#"."""

    text: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A line without "*": somebody at a keyboard, or a program that looks for a modem."""

    text: str


Heard = Line | Spoiled | Comment | Typed


def crc(body: bytes) -> int:
    """CRC-16, polynomial 1021, init FFFF, not reflected: crc(b"123456789") == 0x29B1."""
    return binascii.crc_hqx(body, 0xFFFF)


def encode(verb: str, limit: int = TO_BOX, /, **keys: object) -> bytes:
    """The line `verb key=value …` with checksum and LF; keys that are None are left out.

    limit: the most bytes that it may have. Raises ValueError.
    """
    given = {key: str(value) for key, value in keys.items() if value is not None}
    for key, value in given.items():
        if not _KEY.fullmatch(key) or not _VALUE.fullmatch(value):
            raise ValueError(f"{verb}: {key}={value!r} cannot be written on the dice line")
    if not _VERB.fullmatch(verb):
        raise ValueError(f"{verb!r} is no verb of the dice line: two to eight upper-case letters")
    body = " ".join([verb, *(f"{key}={value}" for key, value in given.items())]).encode("ascii")
    line = b"%s*%04X\n" % (body, crc(body))
    if len(line) > limit:
        raise ValueError(f"{verb}: a line of {len(line)} bytes, at most {limit} fit")
    return line


def parse(text: bytes) -> Heard:
    """What one line says. text: the line without its end (CR, LF), printable ASCII."""
    if text.startswith(b"#"):
        return Comment(text[1:].decode("ascii"))
    if b"*" not in text:
        return Typed(text.decode("ascii"))
    body, _, check = text.partition(b"*")
    if check != b"%04X" % crc(body):
        return Spoiled("crc")
    if not _BODY.fullmatch(body.decode("ascii")):
        return Spoiled("form")
    verb, *pairs = body.decode("ascii").split(" ")
    keys: dict[str, str] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        keys.setdefault(key, value)
    return Line(verb, keys)


class LineReader:
    """Collects bytes into lines; remembers at most `limit` of them. limit: bytes of a line with its LF."""

    def __init__(self, limit: int = TO_HOST) -> None:
        self.limit = limit
        self._text = bytearray()
        self._spoiled = ""

    def feed(self, data: bytes) -> list[Heard]:
        """The lines that `data` completes, in order. Empty lines are dropped."""
        heard = []
        for byte in data:
            if byte == 0x0A:
                heard += self._end()
            else:
                self._take(byte)
        return heard

    def _take(self, byte: int) -> None:
        if self._spoiled:
            return
        if self._text.endswith(b"\r") or not (0x20 <= byte <= 0x7E or byte == 0x0D):
            self._spoiled = "char"  # a CR counts as the line's end only where LF follows
        elif len(self._text) >= self.limit - (byte != 0x0D):
            self._spoiled = "long"
        else:
            self._text.append(byte)

    def _end(self) -> list[Heard]:
        text, spoiled = bytes(self._text).removesuffix(b"\r"), self._spoiled
        self._text.clear()
        self._spoiled = ""
        if spoiled:
            return [Spoiled(spoiled)]
        return [parse(text)] if text else []
