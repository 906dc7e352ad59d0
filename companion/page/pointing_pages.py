"""On the set-up page: a board that the camera does not find, shown by tapping its corners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Flask, Response, jsonify

from companion.model import BadInput
from companion.model.setup import Pointing
from companion.model.table import Answer
from companion.page.answers import answer, jpeg
from companion.page.asking import Asking, wish_of

WISHES = ("picture", "lay", "here", "forget")
_FIELDS = ("do", "pin", "corners", "sure")


class PointingPages:
    """What the set-up page asks for there."""

    def __init__(self, pointing: Pointing, asking: Asking) -> None:
        self.pointing, self.asking = pointing, asking

    def add_to(self, app: Flask) -> None:
        """Under /setup."""
        app.add_url_rule("/setup/now.jpg", "pointing_now", self.now)
        app.add_url_rule("/setup/guide.jpg", "pointing_guide", self.guide)
        app.add_url_rule("/api/pointing", "pointing_api", self.act, methods=["POST"])

    def now(self) -> Response:
        """The picture in which corners are tapped."""
        return jpeg(self.pointing.frame(), "No picture was taken yet.")

    def guide(self) -> Response:
        """The board as it is known."""
        return Response(self.pointing.guide_picture(), mimetype="image/jpeg")

    def act(self) -> Response:
        """Do one of WISHES."""
        return self.asking.granted(_wish, self._do)

    def _do(self, wish: str, data: Mapping[str, Any]) -> Response:
        if wish == "picture":
            size = self.pointing.take_frame()
            return _told(size) if isinstance(size, Answer) else jsonify(ok=True, text="", size=size)
        if wish == "lay":
            return jsonify(ok=True, text="", **asdict(self.pointing.lay(data.get("corners"))))
        if wish == "here":
            return _told(self.pointing.here(data.get("corners"), data.get("sure", False)))
        return _told(self.pointing.forget())


def _wish(data: Any) -> tuple[str, Mapping[str, Any]]:
    """What decoded JSON asks for. Raises BadInput."""
    wish = wish_of(data, WISHES, _FIELDS)
    if not isinstance(data.get("sure", False), bool):
        raise BadInput(f"sure must be true or false, not {data['sure']!r:.60}.")
    return wish, data


def _told(said: Answer) -> Response:
    return answer(said.ok, said.text)
