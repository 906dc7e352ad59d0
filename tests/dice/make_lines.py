"""Writes lines.txt anew: `python tests/dice/make_lines.py`. Its expectations are written by hand, here."""

from __future__ import annotations

import binascii
from pathlib import Path

HEAD = """\
# Golden lines of DICE/1, for the host (Python) and the firmware (C).
# <limit> TAB <expected> TAB <bytes> [TAB <meaning>]
# limit: bytes that a line with its LF may have (120 towards the box, 160 towards the host).
# expected: line, crc, long, char, form, comment, typed, or nothing (no answer, no effect).
# bytes: printable ASCII as it is, but \\n, \\r, \\\\ and \\xHH.
# meaning: of a line, "VERB key=value ..." in the order given, of a doubled key the first; else the text.
"""


def sealed(body: str, end: str = "\n") -> str:
    return f"{body}*{binascii.crc_hqx(body.encode('ascii'), 0xFFFF):04X}{end}"


def long_body(total: int) -> str:
    """A body whose sealed line has `total` bytes with its LF."""
    start = "LED n=1 rgb="
    return start + "f" * (total - 6 - len(start))


def rows() -> list[tuple[int, str, str, str]]:
    def line(body: str, meaning: str = "", end: str = "\n", limit: int = 120) -> tuple[int, str, str, str]:
        return limit, "line", sealed(body, end), meaning or body

    return [
        line("PING n=1"),
        line("OPEN n=1 v=1 s=4711"),
        line("ARM n=2 turn=17 d=2d6"),
        line("ARM d=2d6 rgb=c8102e ms=60000 turn=17 n=2"),
        line("DISARM n=65535"),
        line("ACK n=3 id=4294967295"),
        line("LOG n=4 from=110 k=8"),
        line("LED n=5 rgb=00ff00 fx=pulse lvl=40"),
        line("SHOW n=6 f=3,5"),
        line("SET n=7 dice=2 lvl=80"),
        line("TEST n=8 k=rng"),
        line("BYE n=9"),
        line("PING n=1", end="\r\n"),
        line("PING n=1 n=2", "PING n=1"),
        line("PING zz=abc n=1 q=-:_.,"),
        line("HI"),
        line("ABCDEFGH abcd=A"),
        line(
            "HELLO v=1 hw=nano dev=7F3A90C1 fw=0.1.0 boot=42 why=por max=3 last=117 open=0",
            limit=160,
        ),
        line("ROLL id=118 turn=17 d=2d6 f=5,3 ms=412 src=btn", limit=160),
        line("ROLL id=118 turn=17 d=2d6 f=5,3 ms=412 src=btn old=1", limit=160),
        line("EVT k=stuck", limit=160),
        line("PONG n=9 st=armed open=0 last=118 vcc=4980 bad=0 ovr=0 up=3600", limit=160),
        line("OK n=9", limit=160),
        line("NO n=9 e=range", limit=160),
        line(long_body(120)),
        line(long_body(120), end="\r\n"),
        (120, "long", sealed(long_body(121)), ""),
        (160, "line", sealed(long_body(160)), long_body(160)),
        (160, "long", sealed(long_body(161)), ""),
        (120, "crc", "PING n=1*0000\n", ""),
        (120, "crc", sealed("PING n=1").replace("n=1", "n=2"), ""),
        (120, "crc", sealed("ACK n=3 id=118").lower(), ""),
        (120, "crc", sealed("PING n=1").replace("\n", "0\n"), ""),
        (120, "crc", sealed("PING n=1", "")[:-1] + "\n", ""),
        (120, "crc", sealed("PING n=1").replace("\n", " \n"), ""),
        (120, "crc", " " + sealed("PING n=1"), ""),
        (120, "crc", "*\n", ""),
        (120, "crc", "PING n=1**29B1\n", ""),
        (160, "crc", sealed("ROLL id=118 turn=17 d=2d6 f=5,3 ms=412 src=btn").replace("f=5", "f=6"), ""),
        (160, "crc", sealed("ROLL id=118 turn=17 d=2d6 f=5,3", "") + sealed("OK n=9"), ""),
        (120, "form", sealed("PING  n=1"), ""),
        (120, "form", sealed("PING n=1 "), ""),
        (120, "form", sealed("PING n="), ""),
        (120, "form", sealed("PING n"), ""),
        (120, "form", sealed("ping n=1"), ""),
        (120, "form", sealed("P n=1"), ""),
        (120, "form", sealed("PINGPINGP n=1"), ""),
        (120, "form", sealed("PING toolong=1"), ""),
        (120, "form", sealed("PING n=a/b"), ""),
        (120, "form", sealed("PING N=1"), ""),
        (120, "form", sealed(""), ""),
        (120, "char", "PI\tNG n=1*0000\n", ""),
        (120, "char", "\x00" + sealed("PING n=1"), ""),
        (120, "char", sealed("PING n=1").replace("n", "\xee"), ""),
        (120, "char", "PING\r n=1*0000\n", ""),
        (120, "char", sealed("PING n=1", "\r\r\n"), ""),
        (120, "char", "\x7f\n", ""),
        (120, "nothing", "\n", ""),
        (120, "nothing", "\r\n", ""),
        (160, "comment", "# hello, people * of the table\n", " hello, people * of the table"),
        (160, "comment", "#\n", ""),
        (120, "typed", "?\n", "?"),
        (120, "typed", "AT\r\n", "AT"),
        (120, "typed", "ARM n=2 turn=17 d=2d6\n", "ARM n=2 turn=17 d=2d6"),
    ]


def escaped(text: str) -> str:
    signs = {"\n": "\\n", "\r": "\\r", "\\": "\\\\"}
    return "".join(signs.get(c) or (c if " " <= c <= "~" else f"\\x{ord(c):02X}") for c in text)


def text() -> str:
    lines = (
        "\t".join([str(limit), expected, escaped(data), meaning]).rstrip("\t")
        for limit, expected, data, meaning in rows()
    )
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("lines.txt").write_text(text(), encoding="ascii")
