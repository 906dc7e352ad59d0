"""The names by which the page is asked for: a page from elsewhere in a player's browser must not pass for it.

Such a page can have its own name lead to this machine (DNS rebinding), and would see and say all that players may. A
name that nobody on the internet can own is the table's.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit

from flask import Response, request

from companion.page.answers import answer, sentence

OF_NETWORKS = ("local", "lan", "home", "internal", "intranet", "private", "localdomain", "localhost", "home.arpa",
               "fritz.box")  # fmt: skip
"""Names of networks at home end so (RFC 6762, RFC 8375, ICANN's .internal, what routers give)."""
_RESOLVER = Path("/etc/resolv.conf")


class Names:
    """By which names the table is found, beside its addresses. more: those that the configuration adds."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._more = {_plain(name) for name in more}

    def refusal(self, here: Callable[[], str]) -> Response | None:
        """None for who asked by a name of this table, or names none, as no browser does; else where it is found.

        here: gives an address of the table.
        """
        host = request.headers.get("Host", "")
        if not host or self.are_ours(host):
            return None
        name = _name(host)
        text = f'{name} is no name of this table, which is at {here()}. If it is one, set [page] names = ["{name}"].'
        return answer(False, text, 421) if request.path.startswith("/api/") else sentence(text, 421)

    def are_ours(self, host: str) -> bool:
        """Whether a host, with or without port, is this table by a name that is not anybody's on the internet."""
        name = _name(host)
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            ours = "." not in name or any(name.endswith(f".{end}") for end in OF_NETWORKS)
            return bool(name) and (ours or name in self._more or name in _of_this_network())
        return True


def _name(host: str) -> str:
    try:
        return _plain(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return ""


def _plain(name: str) -> str:
    return name.strip().rstrip(".").lower()


def _of_this_network() -> set[str]:
    """This machine's name in the domains that its network told it."""
    try:
        lines = _RESOLVER.read_text(errors="replace").splitlines()
    except OSError:
        return set()
    told = [word for line in lines if line.startswith(("search ", "domain ")) for word in line.split()[1:]]
    machine = socket.gethostname().partition(".")[0]
    return {_plain(f"{machine}.{domain}") for domain in told if _plain(domain)}
