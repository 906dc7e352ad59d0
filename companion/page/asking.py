"""Who may ask, and whether what was sent can be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Response, json, request

from companion.model import BadInput, CompanionError
from companion.page.answers import answer, capital
from companion.page.door import Door

T = TypeVar("T")


class Asking:
    """Takes what a player's phone posts, behind the table's door."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def asked(self, read: Callable[[Any], T]) -> T | Response:
        """What is asked for, as `read` takes it from JSON; or the answer to one that may not ask."""
        if not _same_origin():
            return answer(False, "Only the table's own page may ask for this.", 403)
        if not request.is_json:
            return answer(False, "Send JSON, with Content-Type: application/json.", 400)
        try:
            data = json.loads(request.get_data(cache=False))
            asked = read(data)
        except BadInput as error:
            return answer(False, str(error), 400)
        except (ValueError, RecursionError):
            return answer(False, "That is not JSON.", 400)
        refusal = self._door.ask(data.get("pin", ""), request.remote_addr or "")
        if refusal is None:
            return asked
        response = answer(False, refusal.text, 429 if refusal.wait else 403, asks_pin=True)
        if refusal.wait:
            response.headers["Retry-After"] = str(round(refusal.wait) + 1)
        return response

    def granted(self, read: Callable[[Any], tuple[str, T]], do: Callable[[str, T], Response]) -> Response:
        """What became of a wish that `read` takes from JSON and `do` does; or the answer to one that may not ask."""
        asked = self.asked(read)
        if isinstance(asked, Response):
            return asked
        try:
            return do(*asked)
        except CompanionError as error:
            return answer(False, capital(str(error)))


def wish_of(data: Any, wishes: Sequence[str], fields: Sequence[str]) -> str:
    """Which of some wishes decoded JSON asks for, in `do`; it may have these fields. Raises BadInput."""
    if not isinstance(data, dict) or (unknown := sorted(set(data) - set(fields))):
        what = f"there is no field {unknown[0]!r}" if isinstance(data, dict) else "send a JSON object"
        raise BadInput(f"{capital(what)}; there are: {', '.join(fields)}.")
    if (wish := data.get("do")) not in wishes:
        raise BadInput(f"There is nothing like {wish!r} to do; there are: {', '.join(wishes)}.")
    if not isinstance(data.get("pin", ""), str):
        raise BadInput("pin must be text.")
    return str(wish)


def _same_origin() -> bool:
    """A browser says from which page it posts; other programs say nothing and need the PIN all the same."""
    origin = request.headers.get("Origin")
    try:
        return origin is None or urlsplit(origin).netloc == request.host
    except ValueError:  # it is no address at all
        return False
