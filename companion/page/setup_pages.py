"""The set-up page: the health check, and a board of one's own by tapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from flask import Flask, Response, jsonify, render_template, request

from companion.model import BadInput
from companion.model.setup import LayoutView, SetUp
from companion.model.table import Answer
from companion.page.answers import jpeg, told
from companion.page.asking import Asking, wish_of
from companion.page.pointing_pages import PointingPages

WISHES = ("check", "photo", "lay", "save", "colors", "printed", "last")
_FIELDS = ("do", "pin", "draft")
_GUIDE, _HERE = " (docs/own-boards.md)", ", below"
"""Where a board of one's own is shown, as advice says it on the command line, and on the page where that stands."""
_KINDS = (("pawn", "Pawns"), ("marble", "Marbles"), ("disc", "Discs"))


class SetUpPages:
    """The page at /setup and what it asks for.

    label: a space's name in words. invited: where a phone finds a page, as address and code.
    """

    def __init__(
        self,
        setup: SetUp,
        asking: Asking,
        label: Callable[[str], str],
        invited: Callable[[str], Mapping[str, str]],
        build: str,
    ) -> None:
        self.setup, self.asking, self.label, self.invited, self.build = setup, asking, label, invited, build
        self._checked: bytes | None = None

    def add_to(self, app: Flask) -> None:
        """Under /setup."""
        app.add_url_rule("/setup", "setup", self.page)
        app.add_url_rule("/setup/photo.jpg", "setup_photo", self.photo)
        app.add_url_rule("/setup/check.jpg", "setup_check", self.checked)
        app.add_url_rule("/setup/last.jpg", "setup_last", self.last)
        app.add_url_rule("/setup/layout.svg", "setup_layout", self.layout)
        app.add_url_rule("/api/setup", "setup_api", self.act, methods=["POST"])
        PointingPages(self.setup.pointing, self.asking).add_to(app)

    def page(self) -> str:
        """The page itself."""
        layout = self.setup.layout()
        return render_template(
            "setup.html",
            layout=layout,
            data=_layout_json(layout, self.label),
            guide=asdict(self.setup.pointing.guide()),
            kinds=_KINDS,
            may_change=self.setup.may_change,
            photos=" ".join(self.setup.photos()),
            build=self.build,
            kiosk=request.args.get("from") == "kiosk",
            **self.invited("setup"),
        )

    def photo(self) -> Response:
        """The photo of the empty board, the newest where none is named."""
        name = request.args.get("name", "")
        return jpeg(self.setup.photo(name), "This photo is here no more." if name else "No photo was taken yet.")

    def checked(self) -> Response:
        """The last picture that was checked, with its trouble spots."""
        return jpeg(self._checked, "Nothing was checked yet.")

    def last(self) -> Response:
        """The board of one's own that was used before."""
        return jpeg(self.setup.last_picture(), "There is no picture of it.")

    def layout(self) -> Response:
        """The board that the project prints for this game."""
        return Response(self.setup.layout().svg, mimetype="image/svg+xml")

    def act(self) -> Response:
        """Do one of WISHES."""
        return self.asking.granted(_wish, self._do)

    def _do(self, wish: str, draft: Mapping[str, Any]) -> Response:
        if wish == "check":
            return self._check()
        if wish == "photo":
            return self._take_photo()
        if wish == "lay":
            return jsonify(ok=True, text="", **asdict(self.setup.lay(draft)))
        if wish == "colors":
            found = self.setup.colors()
            return told(found) if isinstance(found, Answer) else jsonify(ok=True, text="", colors=found)
        if wish == "save":
            return told(self.setup.save(draft))
        return told(self.setup.use_last() if wish == "last" else self.setup.use_printed())

    def _take_photo(self) -> Response:
        size = self.setup.take_photo()
        if isinstance(size, Answer):
            return told(size)
        return jsonify(ok=True, text="", size=size, photo=self.setup.photos()[-1])

    def _check(self) -> Response:
        found = self.setup.check()
        if isinstance(found, Answer):
            return told(found)
        self._checked = found.picture
        where = _HERE if self.setup.may_change else ""
        here = [replace(finding, advice=finding.advice.replace(_GUIDE, where)) for finding in found.findings]
        return jsonify(ok=True, text="", **replace(found, findings=tuple(here)).to_json())


def _wish(data: Any) -> tuple[str, Mapping[str, Any]]:
    """What decoded JSON asks for. Raises BadInput."""
    wish, draft = wish_of(data, WISHES, _FIELDS), data.get("draft", {})
    if not isinstance(draft, dict):
        raise BadInput(f"draft must be an object, not {draft!r}.")
    return wish, draft


def _layout_json(layout: LayoutView, label: Callable[[str], str]) -> dict[str, Any]:
    """What the page's script needs of the layout, and what its spaces are called."""
    data = asdict(layout)
    del data["svg"]
    return {**data, "labels": {name: label(name) for name in layout.spaces}}
