"""On the set-up page: a board that the camera does not find, shown by tapping its corners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Flask, Response, jsonify, request

from companion.model import BadInput
from companion.model.setup import Pointing
from companion.model.table import Answer
from companion.page.answers import jpeg, told
from companion.page.asking import Asking, wish_of

WISHES = ("picture", "lay", "here", "forget")
_FIELDS = ("do", "pin", "picture", "corners", "sure")


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
        """The picture in which corners are tapped, the newest where none is named."""
        name = request.args.get("name", "")
        return jpeg(self.pointing.frame(name), "This picture is here no more." if name else "No picture was taken yet.")

    def guide(self) -> Response:
        """The board as it is known."""
        return Response(self.pointing.guide_picture(), mimetype="image/jpeg")

    def act(self) -> Response:
        """Do one of WISHES."""
        return self.asking.granted(_wish, self._do)

    def _do(self, wish: str, data: Mapping[str, Any]) -> Response:
        name, corners = data.get("picture", ""), data.get("corners")
        if wish == "picture":
            return self._take_picture()
        if wish == "lay":
            return jsonify(ok=True, text="", **asdict(self.pointing.lay(corners, name)))
        if wish == "here":
            return told(self.pointing.here(corners, data.get("sure", False), name))
        return told(self.pointing.forget())

    def _take_picture(self) -> Response:
        size = self.pointing.take_frame()
        if isinstance(size, Answer):
            return told(size)
        return jsonify(ok=True, text="", size=size, picture=self.pointing.frames()[-1])


def _wish(data: Any) -> tuple[str, Mapping[str, Any]]:
    """What decoded JSON asks for. Raises BadInput."""
    wish = wish_of(data, WISHES, _FIELDS)
    if not isinstance(data.get("sure", False), bool):
        raise BadInput(f"sure must be true or false, not {data['sure']!r:.60}.")
    if not isinstance(data.get("picture", ""), str):
        raise BadInput(f"picture must be the name of one, not {data['picture']!r:.60}.")
    return wish, data
