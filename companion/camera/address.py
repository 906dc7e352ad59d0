"""Addresses of cameras on the network: what may be told of them, since a login may be in any part of one."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"""(\w://)(?:[^\s"']*@)?([^\s"'?]*)(?:\?[^\s"']*[^\s"':;,.])?""")


def without_login(text: str) -> str:
    """The text, its addresses without name and password, and without what follows "?", which may be a password too."""
    return _ADDRESS.sub(r"\1\2", text)


def place_of(address: str) -> str:
    """Of an address what everybody may know: "rtsp://10.0.0.9:554"; "rtsp://…" where its parts cannot be told apart."""
    kind, sign, rest = address.partition("://")
    if not sign:
        return address
    before, *after = re.split(r"[/?#\\]", rest, maxsplit=1)
    host = before.rpartition("@")[2]
    unclear = any("@" in part for part in after) or re.search(r"\s", host)
    return f"{kind}://{'…' if unclear else host}"
