"""The page as a Flask app: the phone page, the kiosk page, the JSON API, the event stream."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.model import CompanionError, Sheet
from companion.model.past import PastGames
from companion.model.setup import SetUp
from companion.model.table import Hub
from companion.page.answers import answer, capital, sentence
from companion.page.asking import Asking
from companion.page.asks import action_from, reader_from
from companion.page.colors import seats_css
from companion.page.door import Door
from companion.page.names import Names
from companion.page.paint import first_paint, players
from companion.page.past_pages import PastPages
from companion.page.plan import Plan, nouns_of
from companion.page.server import address_of, local_address
from companion.page.setup_pages import SetUpPages
from companion.page.streams import GOODBYE, Streams

MOST_STREAMS = 24
HEARTBEAT = 10.0
_LARGEST_BODY = 1 << 17
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def create_app(
    hub: Hub,
    sheet: Sheet,
    svg: str,
    pin: str = "",
    address: Callable[[], str] | None = None,
    *,
    most_streams: int = MOST_STREAMS,
    heartbeat: float = HEARTBEAT,
    setup: SetUp | None = None,
    past: PastGames | None = None,
    names: Iterable[str] = (),
    goodbye: str = GOODBYE,
) -> Flask:
    """The page of one table.

    svg: the board's picture, in the sheet's millimetres. pin: what players type once to act, "" asks for none.
    address: where phones find the page, for the kiosk's code. heartbeat: seconds.
    setup: what the set-up page works with, None for a table that has no such page. past: the games that were played,
    None where none are kept. names: by which the page is asked for too, beside those that only a network at home has.
    goodbye: what open pages say once the service has ended.
    """
    app = Flask(__name__)
    app.add_template_filter(capital)
    app.config["MAX_CONTENT_LENGTH"] = _LARGEST_BODY
    app.json.sort_keys = False  # type: ignore[attr-defined]
    build = _fingerprint(Path(app.root_path), svg, repr(sheet))
    streams = Streams(hub, most_streams, heartbeat, build, secrets.token_hex(3), goodbye)
    app.extensions["companion.streams"] = streams
    door = app.extensions["companion.door"] = Door(pin)
    asking = Asking(door)
    _Api(hub, sheet, asking, streams).add_to(app)
    plan = Plan(sheet)
    pages = _Pages(hub, plan, svg, address, streams, setup, past is not None)
    pages.add_to(app)
    if setup is not None:
        SetUpPages(setup, asking, pages.label, pages.invitation, build).add_to(app)
    if past is not None:
        PastPages(past, build).add_to(app)
    asked_by = Names(names)
    app.before_request(lambda: asked_by.refusal(pages.here))
    app.after_request(_dress)
    app.register_error_handler(HTTPException, _http_trouble)
    app.register_error_handler(Exception, _own_trouble)
    return app


class _Pages:
    """What people look at."""

    def __init__(
        self,
        hub: Hub,
        plan: Plan,
        svg: str,
        address: Callable[[], str] | None,
        streams: Streams,
        setup: SetUp | None,
        has_past: bool,
    ) -> None:
        self.hub, self.plan, self.svg = hub, plan, svg
        self.address, self.streams, self.setup, self.has_past = address, streams, setup, has_past
        self.css = seats_css(plan.sheet)

    def add_to(self, app: Flask) -> None:
        app.add_url_rule("/", "phone", self.phone)
        app.add_url_rule("/kiosk", "kiosk", self.kiosk)
        app.add_url_rule("/board.svg", "board", self.board)
        app.add_url_rule("/seats.css", "seats", self.seats)
        app.add_url_rule("/favicon.ico", "favicon", lambda: app.send_static_file("icon.svg"))
        app.add_url_rule("/picture/<game>/<name>", "picture", self.picture)
        app.add_url_rule("/live.jpg", "live", self.live)
        app.add_url_rule("/api/address", "address", self.where)

    def phone(self) -> str:
        return self._page("phone")

    def kiosk(self) -> str:
        return self._page("kiosk", **self.invitation())

    def invitation(self, path: str = "") -> dict[str, str]:
        """Where a phone finds a page of this table: its address, and the code of that, "" where no phone can come."""
        address = self._join_address() + path
        code = segno.make(address, error="m").svg_inline(omitsize=True, border=2) if _is_far(address) else ""
        return {"address": address, "code": code}

    def where(self) -> Response:
        """Where a phone finds the table now, "" where no phone can come: networks come and go."""
        address = self._join_address()
        return jsonify(address=address if _is_far(address) else "")

    def _page(self, kind: str, **more: Any) -> str:
        view = self.hub.view()
        return render_template(
            "table.html",
            kind=kind,
            view=view,
            paint=first_paint(view, self.plan),
            plan=self.plan.to_json(nouns_of(view.nouns)),
            stamp=self.streams.stamp(view),
            data=view.to_json(),
            has_setup=self.setup is not None,
            has_past=self.has_past,
            may_change=self.setup is not None and self.setup.may_change,
            build=self.streams.build,
            **more,
        )

    def _join_address(self) -> str:
        if self.address is not None:
            return self.address()
        here = urlsplit(request.host_url)
        if here.hostname not in _LOOPBACK:
            return request.host_url
        return address_of(local_address(), here.port or 80)

    def here(self) -> str:
        """Where the page is, whatever it was asked by."""
        if self.address is not None:
            return self.address()
        return address_of(local_address(), int(request.environ.get("SERVER_PORT", 80)))

    def label(self, name: str) -> str:
        """A space in this game's words."""
        view = self.hub.view()
        return self.plan.label(name, nouns_of(view.nouns), players(view))

    def board(self) -> Response:
        return _kept(Response(self.svg, mimetype="image/svg+xml"))

    def seats(self) -> Response:
        return _kept(Response(self.css, mimetype="text/css"))

    def picture(self, game: str, name: str) -> Response:
        jpeg = self.hub.picture(f"{game}/{name}")
        if jpeg is None:
            return sentence("That picture is not kept any more.", 404)
        response = Response(jpeg, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "private, max-age=3600, immutable"
        return response

    def live(self) -> Response:
        jpeg = self.hub.live()
        if jpeg is None:
            return sentence("The camera shows nothing just now.", 503)
        return Response(jpeg, mimetype="image/jpeg")


class _Api:
    """What scripts ask."""

    def __init__(self, hub: Hub, sheet: Sheet, asking: Asking, streams: Streams) -> None:
        self.hub, self.sheet, self.asking, self.streams = hub, sheet, asking, streams

    def add_to(self, app: Flask) -> None:
        app.add_url_rule("/api/view", "view", self.view)
        app.add_url_rule("/api/events", "events", self.events)
        app.add_url_rule("/api/state", "state", self.state)
        app.add_url_rule("/api/act", "act", self.act, methods=["POST"])
        app.add_url_rule("/api/question", "question", self.question, methods=["POST"])
        app.add_url_rule("/health", "health", self.health)

    def view(self) -> Response:
        view = self.hub.view()
        response = Response(self.streams.text(view), mimetype="application/json")
        response.set_etag(self.streams.stamp(view))
        response.headers["Companion-Build"] = self.streams.build
        response.make_conditional(request)
        return response

    def events(self) -> Response:
        seen = request.headers.get("Last-Event-ID") or request.args.get("version", "")
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        stream = self.streams.join(seen, gone, request.remote_addr or "")
        if stream is None:
            refused = sentence("Too many pages follow this table just now; this one asks every few seconds.", 503)
            refused.headers["Retry-After"] = "30"
            return refused
        response = Response(stream, mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        return response

    def state(self) -> Response:
        return jsonify(self.hub.state())

    def act(self) -> Response:
        asked = self.asking.asked(partial(action_from, sheet=self.sheet))
        if isinstance(asked, Response):
            return asked
        try:
            done = self.hub.act(asked)
        except CompanionError as error:
            return answer(False, str(error))
        return answer(done.ok, capital(done.text))

    def question(self) -> Response:
        """The question for the phone of the seat that reads it."""
        asked = self.asking.asked(partial(reader_from, sheet=self.sheet))
        if isinstance(asked, Response):
            return asked
        card = self.hub.question(asked)
        if card is None:
            return answer(False, "There is no question for that seat to read now.")
        return jsonify(ok=True, text="", question=asdict(card))

    def health(self) -> Response:
        view = self.hub.view()
        return jsonify(
            ok=True,
            version=view.version,
            streams=self.streams.open_count,
            devices={device.name: device.state for device in view.devices},
        )


def _is_far(address: str) -> bool:
    """Whether other machines find that address."""
    return urlsplit(address).hostname not in _LOOPBACK


def _kept(response: Response) -> Response:
    response.add_etag()
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response


def _dress(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def _http_trouble(error: HTTPException) -> Response:
    texts = {404: "There is nothing here. The table is at /", 405: "That address takes another method."}
    code = error.code or 500
    text = texts.get(code, f"{error.name}.")
    return answer(False, text, code) if request.path.startswith("/api/") else sentence(text, code)


def _own_trouble(error: Exception) -> Response:
    current_app.logger.exception("%s", request.path, exc_info=error)
    return answer(False, "The page stumbled over this; the log says why.", 500)


def _fingerprint(folder: Path, *more: str) -> str:
    """Changes when anything does of which an open page is made, so that it loads itself anew."""
    digest = hashlib.sha256("\0".join(more).encode())
    for path in sorted([*(folder / "static").iterdir(), *(folder / "templates").iterdir()]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
