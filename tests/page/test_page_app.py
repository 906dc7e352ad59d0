"""Every address of the page, and everything that can be asked wrongly."""

from __future__ import annotations

import colorsys
import errno
import json
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import fakehub
import pytest
from fakehub import PIN
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from calibration import parcheesi_board
from companion.model import BadInput, DueKind
from companion.model.table import ACTIONS, Action, Answer, QuestionView
from companion.page import door as door_module
from companion.page import server
from companion.page.asks import action_from
from companion.page.colors import brightened, contrast, ink_on, light_of, mixed, readable, seats_css, shown
from companion.page.door import FORGOTTEN_AFTER, FREE_TRIES, FREE_TRIES_OF_STRANGERS, Door
from companion.page.paint import first_paint
from companion.page.plan import Plan
from companion.page.server import address_of

ACT = "/api/act"


def post(client: FlaskClient, **request: Any) -> Any:
    """What an action is answered."""
    return client.post(ACT, **request)


@pytest.mark.parametrize("path", ["/", "/kiosk"])
@pytest.mark.parametrize("state", sorted(fakehub.STATES))
def test_the_first_paint_is_useful_without_scripts(
    client: FlaskClient, hub: fakehub.FakeHub, path: str, state: str
) -> None:
    view = fakehub.STATES[state]()
    hub.show(view)
    page = client.get(path).text
    assert view.headline in page
    seen = view.trouble.seen if view.trouble and state != "setup" else {}
    pieces = sum(len(content) for content in {**view.position, **seen}.values())
    assert page.count('class="pawn"') == pieces
    if view.trouble:
        assert view.trouble.text in page


def test_nothing_comes_from_elsewhere(client: FlaskClient) -> None:
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert client.get("/live.jpg").headers["Cross-Origin-Resource-Policy"] == "same-origin"
    addresses = [part for part in answer.text.replace("'", '"').split('"') if part.startswith(("http", "//"))]
    assert addresses == []


def test_texts_cannot_bring_scripts(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.show(replace(fakehub.roll_due(), headline="<script>alert(1)</script></script>"))
    page = client.get("/").text
    assert "<script>alert" not in page


def test_the_board_in_words(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "Red: 2 on red&#39;s circle, 1 on space 4, 1 on red&#39;s lane 3." in page
    assert "Yellow: 1 on yellow&#39;s circle, 2 on space 46, 1 on yellow&#39;s home." in page


def test_dice_are_pale_once_played_and_a_bonus_is_shown() -> None:
    plan = Plan(parcheesi_board.sheet())
    paint = first_paint(replace(fakehub.playing(), roll=(5, 5), left=(5, 20)), plan)
    assert paint.faces == [(5, False), (5, True)] and paint.extra == [20]


def test_the_last_players_dice_do_not_stand_beside_the_next() -> None:
    paint = first_paint(replace(fakehub.roll_due(), roll=(4, 2)), Plan(parcheesi_board.sheet()))
    assert paint.faces == [] and paint.extra == []


def test_the_kiosk_shows_the_way_in(make_app: Callable[..., Flask]) -> None:
    page = make_app(address=lambda: "http://192.168.1.20:8000/").test_client().get("/kiosk").text
    assert 'class="code"' in page and "192.168.1.20:8000" in page


def test_the_kiosk_without_a_network_has_no_code(make_app: Callable[..., Flask]) -> None:
    page = make_app(address=lambda: "http://localhost:8000/").test_client().get("/kiosk").text
    assert 'class="code"' not in page and "on your phone" not in page and "localhost:8000" not in page


def test_the_kiosk_uses_the_address_it_was_asked_by(client: FlaskClient) -> None:
    assert "table.lan" in client.get("/kiosk", headers={"Host": "table.lan"}).text


def test_view(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    answer = client.get("/api/view")
    assert answer.json == json.loads(json.dumps(hub.view().to_json()))
    same = client.get("/api/view", headers={"If-None-Match": answer.headers["ETag"]})
    assert same.status_code == 304
    hub.show(fakehub.playing())
    assert client.get("/api/view", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 200


def test_state_board_and_colours(client: FlaskClient) -> None:
    assert client.get("/api/state").json == fakehub.STATE
    board = client.get("/board.svg")
    assert board.mimetype == "image/svg+xml" and board.text.startswith("<svg")
    assert client.get("/board.svg", headers={"If-None-Match": board.headers["ETag"]}).status_code == 304
    assert '[data-seat="2"] { --seat: #e8a800; --on-seat: #1f1a14;' in client.get("/seats.css").text
    assert client.get("/favicon.ico").mimetype == "image/svg+xml"


def test_pictures(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.pictures["1/00001000.jpg"] = b"jpeg"
    assert client.get("/picture/1/00001000.jpg").data == b"jpeg"
    gone = client.get("/picture/1/..%2f00001000.jpg")
    assert gone.status_code == 404
    assert client.get("/picture/2/00001000.jpg").text == "That picture is not kept any more.\n"
    assert client.get("/live.jpg").status_code == 503
    hub.camera = b"now"
    assert client.get("/live.jpg").data == b"now"


def test_health(client: FlaskClient) -> None:
    health: Any = client.get("/health").json
    assert health["ok"] is True and health["devices"]["dice"] == "warn" and health["streams"] == 0


@pytest.mark.parametrize("path", ["/nowhere", "/api/nowhere", "/static/../app.py"])
def test_what_is_not_there(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404 and "There is nothing here" in answer.text


def test_a_sentence_instead_of_a_page_is_a_page_of_its_own(client: FlaskClient) -> None:
    """A phone showed plain text in letters of a millimetre."""
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = client.get("/nowhere", headers=browser)
    assert page.status_code == 404 and page.mimetype == "text/html" and "There is nothing here." in page.text
    assert 'content="width=device-width' in page.text
    assert client.get("/nowhere").text == "There is nothing here. The table is at /\n"
    other = client.get("/", headers={**browser, "Host": "<b>.example.org"})
    assert other.status_code == 421 and "<b>" not in other.text and '<a href="http://' in other.text


def test_other_methods(client: FlaskClient) -> None:
    assert client.get(ACT).status_code == 405
    answer: Any = client.post("/api/view")
    assert answer.json == {"ok": False, "text": "That address takes another method."}


# --- actions ---


def test_an_action_arrives(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    answer = post(client, json={"action": "roll", "pin": PIN, "by": "  Ada ", "dice": [5, 3]})
    assert answer.json == {"ok": True, "text": "Done."}
    assert hub.actions == [Action("roll", "Ada", (5, 3))]


def test_position_and_seats_arrive(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    post(client, json={"action": "position", "pin": PIN, "state": fakehub.STATE})
    post(client, json={"action": "newgame", "pin": PIN, "seats": [0, 2]})
    assert hub.actions == [Action("position", state=fakehub.STATE), Action("newgame", seats=(0, 2))]


def test_answers_declarations_challenges_and_dice_arrive(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    post(client, json={"action": "answer", "pin": PIN, "right": False})
    post(client, json={"action": "declare", "pin": PIN, "seat": 2})
    post(client, json={"action": "challenge", "pin": PIN, "space": "t4"})
    post(client, json={"action": "challenge", "pin": PIN, "space": ""})
    post(client, json={"action": "dice", "pin": PIN, "count": 1, "mark": "3.7"})
    post(client, json={"action": "stop", "pin": PIN})
    post(client, json={"action": "newgame", "pin": PIN, "seats": [0, 2], "first": 2})
    assert hub.actions == [
        Action("answer", right=False),
        Action("declare", seat=2),
        Action("challenge", space="t4"),
        Action("challenge"),
        Action("dice", count=1, mark="3.7"),
        Action("stop"),
        Action("newgame", seats=(0, 2), first=2),
    ]


def test_what_an_error_says_is_a_sentence(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.answer = Answer(False, "there is nothing to undo")
    assert post(client, json={"action": "undo", "pin": PIN}).json == {"ok": False, "text": "There is nothing to undo"}


def test_what_the_hub_refuses(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.answer = Answer(False, "2 dice are due now, not 1.")
    assert post(client, json={"action": "confirm", "pin": PIN}).json == {
        "ok": False,
        "text": "2 dice are due now, not 1.",
    }
    hub.answer = BadInput("That position cannot be.")
    assert post(client, json={"action": "confirm", "pin": PIN}).json["text"] == "That position cannot be."


def test_a_hub_that_breaks_shows_no_traceback(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.answer = ZeroDivisionError("secret")
    answer = post(client, json={"action": "confirm", "pin": PIN})
    assert answer.status_code == 500 and "secret" not in answer.text and "Traceback" not in answer.text


BAD: list[tuple[Any, str]] = [
    (None, "JSON object"),
    ([], "JSON object"),
    ({}, "no action None"),
    ({"action": "cheat"}, "no action 'cheat'"),
    ({"action": ["roll"]}, "no action ['roll']"),
    ({"action": "roll"}, "dice must be a list"),
    ({"action": "roll", "dice": []}, "dice must be a list"),
    ({"action": "roll", "dice": "53"}, "dice must be a list"),
    ({"action": "roll", "dice": [0, 7]}, "dice must be a list"),
    ({"action": "roll", "dice": [True, 1]}, "dice must be a list"),
    ({"action": "roll", "dice": [1.0]}, "dice must be a list"),
    ({"action": "correct", "dice": [1] * 7}, "dice must be a list"),
    ({"action": "position"}, "state must be an object"),
    ({"action": "position", "state": "{}"}, "state must be an object"),
    ({"action": "position", "state": {"pieces": {"0": ["x" * 20_000]}}}, "state is larger than any position"),
    ({"action": "position", "state": json.loads('{"pieces": ' + "[" * 600 + "]" * 600 + "}")}, "state is larger"),
    ({"action": "newgame", "seats": [0, 0]}, "different seats"),
    ({"action": "newgame", "seats": [4]}, "different seats"),
    ({"action": "newgame", "seats": {"0": 1}}, "different seats"),
    ({"action": "newgame", "seats": [[0]]}, "different seats"),
    ({"action": "newgame", "seats": [0, 2], "first": 1}, "first must be one of the seats that play, [0, 2]"),
    ({"action": "newgame", "first": True}, "first must be one of the seats"),
    ({"action": "answer"}, "right must be true or false"),
    ({"action": "answer", "right": 1}, "right must be true or false"),
    ({"action": "declare"}, "seat must be one of [0, 1, 2, 3], not None"),
    ({"action": "declare", "seat": 4}, "seat must be one of"),
    ({"action": "declare", "seat": False}, "seat must be one of"),
    ({"action": "challenge", "space": "z9"}, "space must be the name of a space"),
    ({"action": "challenge", "space": ["t1"]}, "space must be the name of a space"),
    ({"action": "dice"}, "count must be a number of dice"),
    ({"action": "confirm", "mark": 7}, "mark must be one of the view's marks"),
    ({"action": "dice", "count": 0}, "count must be a number of dice"),
    ({"action": "dice", "count": True}, "count must be a number of dice"),
    ({"action": "confirm", "by": 5}, "by must be a name"),
    ({"action": "confirm", "pin": 2468}, "pin must be text"),
    ({"action": "confirm", "dise": [1]}, "no field 'dise'"),
]


@pytest.mark.parametrize(("data", "why"), BAD)
def test_bad_requests_are_answered_with_a_sentence(
    client: FlaskClient, hub: fakehub.FakeHub, data: Any, why: str
) -> None:
    answer = post(client, data=json.dumps(data), content_type="application/json")
    assert answer.status_code == 400 and not answer.json["ok"]
    assert why in answer.json["text"]
    assert hub.actions == []


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"action": NaN'])
def test_what_is_no_json(client: FlaskClient, body: bytes) -> None:
    answer = post(client, data=body, content_type="application/json")
    assert answer.status_code == 400 and answer.json["text"]


def test_forms_and_other_sites_cannot_act(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    assert post(client, data={"action": "confirm", "pin": PIN}).status_code == 400
    for origin in ("http://elsewhere.example", "null", "http://[localhost"):
        answer = post(client, json={"action": "confirm", "pin": PIN}, headers={"Origin": origin})
        assert answer.status_code == 403, origin
    assert hub.actions == []
    own = {"Origin": "http://localhost"}
    assert post(client, json={"action": "confirm", "pin": PIN}, headers=own).json["ok"]


def test_a_body_that_is_too_large(client: FlaskClient) -> None:
    assert post(client, json={"action": "position", "state": {"x": "y" * 200_000}}).status_code == 413


def test_every_action_has_its_name(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    for name in ACTIONS:
        more = {"dice": [1, 2], "state": {}, "seats": [0, 1], "right": True, "seat": 1, "count": 1}
        post(client, json={"action": name, "pin": PIN, **more})
    assert [action.name for action in hub.actions] == list(ACTIONS)


def test_names_are_short_and_printable() -> None:
    action = action_from({"action": "undo", "by": "\x00A\n" + "b" * 99}, parcheesi_board.sheet())
    assert action.by == "A" + "b" * 23


# --- the question of a digital deck ---

QUESTION = "/api/question"


ROLL: dict[str, Any] = {"action": "roll", "dice": [1]}


@pytest.mark.parametrize(
    ("asked", "field", "taken"),
    [
        ({**ROLL, "dice": [6]}, "dice", (6,)),
        ({**ROLL, "dice": [1, 2, 3, 4, 5, 6]}, "dice", (1, 2, 3, 4, 5, 6)),
        ({**ROLL, "mark": "m" * 80}, "mark", "m" * 80),
        ({**ROLL, "by": " \n\u202e"}, "by", "phone"),
        ({"action": "dice", "count": 6}, "count", 6),
        ({"action": "newgame", "first": 3}, "first", 3),
        ({"action": "newgame", "seats": [3, 1], "first": 1}, "seats", (3, 1)),
    ],
)
def test_what_may_just_be_asked_is_taken(asked: dict[str, Any], field: str, taken: Any) -> None:
    assert getattr(action_from(asked, parcheesi_board.sheet()), field) == taken


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *(({**ROLL, "dice": dice}, "dice must be") for dice in ([], [0], [7], [1] * 7, [True], "55", 5)),
        *(({"action": "newgame", "seats": seats}, "seats must be") for seats in ([0, True], [0, 9], [0, 0], "01", 1)),
        *(({"action": "newgame", "seats": [0, 2], "first": first}, "first must be") for first in (1, True, "0")),
        *(({"action": "dice", "count": count}, "count must be") for count in (0, 7, True)),
        ({**ROLL, "mark": "m" * 81}, "mark must be"),
        ({"action": ["roll"]}, "There is no action"),
    ],
)
def test_what_is_just_beyond_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        action_from(asked, parcheesi_board.sheet())


def test_what_was_sent_is_quoted_in_short() -> None:
    for length, quoted in ((58, f"'{'x' * 58}'"), (59, f"'{'x' * 58}…")):
        with pytest.raises(BadInput, match=f"not {re.escape(quoted)}[.]$"):
            action_from({**ROLL, "dice": "x" * length}, parcheesi_board.sheet())


def test_the_reader_gets_the_question_and_nobody_else(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.card = QuestionView("Who?", "I", ("I", "you"), "People")
    hub.show(replace(fakehub.roll_due(), due_kind=DueKind.QUESTION, reader=3, deck=True))
    got = client.post(QUESTION, json={"pin": PIN, "seat": 3}).json
    card = {"text": "Who?", "answer": "I", "choices": ["I", "you"], "category": "People"}
    assert got == {"ok": True, "text": "", "question": card}
    other: Any = client.post(QUESTION, json={"pin": PIN, "seat": 0}).json
    assert not other["ok"] and "no question for that seat" in other["text"]


@pytest.mark.parametrize("data", [None, [], {}, {"seat": 9}, {"seat": "0"}, {"seat": 0, "action": "roll"}])
def test_questions_asked_for_wrongly(client: FlaskClient, data: Any) -> None:
    assert client.post(QUESTION, data=json.dumps(data), content_type="application/json").status_code == 400


def test_the_question_needs_the_pin_and_the_own_page(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    hub.card = QuestionView("Who?", "I")
    hub.show(replace(fakehub.roll_due(), due_kind=DueKind.QUESTION, reader=3, deck=True))
    assert client.post(QUESTION, json={"seat": 3}).status_code == 403
    wrong = client.post(QUESTION, json={"seat": 3, "pin": "1111"})
    assert wrong.status_code == 403 and "Who?" not in wrong.text
    foreign = {"Origin": "http://elsewhere.example"}
    assert client.post(QUESTION, json={"seat": 3, "pin": PIN}, headers=foreign).status_code == 403
    assert client.get(QUESTION).status_code == 405
    assert "Who?" not in client.get("/").text + client.get("/api/view").text


# --- the PIN ---


def test_a_wrong_pin_is_turned_away_kindly(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    missing = post(client, json={"action": "confirm"})
    wrong = post(client, json={"action": "confirm", "pin": "1111"})
    assert missing.status_code == wrong.status_code == 403
    assert missing.json["asks_pin"] and wrong.json["asks_pin"]
    assert missing.json["text"] == "Please enter the table's PIN."
    assert wrong.json["text"] == "That is not the table's PIN. Ask at the table; it may have been changed."
    assert hub.actions == []


def test_guessing_is_slowed_down(client: FlaskClient, hub: fakehub.FakeHub) -> None:
    answers = [post(client, json={"action": "confirm", "pin": f"{n:04}"}) for n in range(FREE_TRIES + 2)]
    assert [answer.status_code for answer in answers] == [403] * FREE_TRIES + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) > 0
    right = post(client, json={"action": "confirm", "pin": PIN})
    assert right.status_code == 429 and hub.actions == []


def test_no_pin_asks_for_none(make_app: Callable[..., Flask], hub: fakehub.FakeHub) -> None:
    client = make_app().test_client()
    assert post(client, json={"action": "confirm"}).json["ok"]


def test_waits_grow_end_and_are_forgotten() -> None:
    now = [0.0]
    door = Door("1234", lambda: now[0])
    for _ in range(FREE_TRIES):
        door.ask("0", "a")
    first = door.ask("0", "a")
    now[0] += 5.1
    door.ask("0", "a")
    second = door.ask("1234", "a")
    assert first is not None and second is not None and 0 < first.wait < second.wait
    now[0] += 11
    assert door.ask("1234", "a") is None
    assert door.ask("0", "a").wait == 0  # type: ignore[union-attr]


def test_the_right_pin_wipes_out_the_wrong_ones() -> None:
    door = Door("1234", lambda: 0.0)
    for _ in range(3):
        assert all(door.ask("0", "a").wait == 0 for _ in range(FREE_TRIES - 1))  # type: ignore[union-attr]
        assert door.ask("1234", "a") is None


def test_however_many_guess_no_more_than_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "MOST_ADDRESSES", 3)
    door = Door("1234", lambda: 0.0)
    for n in range(9):
        door.ask("0", f"stranger {n}")
        door.ask("1234", f"player {n}")
    assert len(door._tries) <= 3 and len(door._known) == 3


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.1, "1 second"), (1.6, "2 seconds"), (99.4, "99 seconds"), (99.6, "2 minutes"), (300.0, "5 minutes")],
)
def test_waits_are_said_in_words(seconds: float, said: str) -> None:
    assert door_module._duration(seconds) == said


def test_many_strangers_wait_together_and_players_do_not() -> None:
    door = Door("1234", lambda: 0.0)
    assert door.ask("1234", "player") is None
    for n in range(FREE_TRIES_OF_STRANGERS):
        door.ask("0", f"stranger {n}")
    refusal = door.ask("1234", "another stranger")
    assert refusal is not None and refusal.wait > 0
    assert door.ask("1234", "player") is None


def test_wrong_pins_of_another_evening_are_forgotten() -> None:
    """On a table that runs for months each guest's slip made all new guests wait, in the end five minutes each time."""
    now = [0.0]
    door = Door("1234", lambda: now[0])
    for n in range(FREE_TRIES_OF_STRANGERS - 1):
        door.ask("0", f"stranger {n}")
        now[0] += 60
    assert door.ask("0", "one more").wait == 0 < door.ask("1234", "a guest").wait  # type: ignore[union-attr]
    now[0] += FORGOTTEN_AFTER + 1
    assert door.ask("0", "slip").wait == 0  # type: ignore[union-attr]
    assert door.ask("1234", "another guest") is None


@pytest.mark.parametrize("written", ["۲۴۶۸", "٢٤٦٨", "２４６８"])
def test_a_pin_may_be_written_in_the_figures_of_any_keyboard(written: str) -> None:
    """Persian, Arabic, full width: it was wrong, and locked its owner out."""
    assert Door("2468").ask(written, "a") is None and Door(written).ask("2468", "a") is None
    assert Door("2468").ask(written[::-1], "a") is not None and Door("2").ask("²", "a") is not None


def test_a_pin_may_have_any_letters() -> None:
    assert Door("ключ").ask("ключ", "a") is None
    assert Door("ключ").ask("\ud800", "a") is not None


# --- colours ---


def test_contrasts_are_those_of_wcag() -> None:
    """https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio, by its own formula: 21 at most; of #777777 on white 4.478."""
    on_white, on_black = ("#000000", "#777777", "#ff0000"), ("#0000ff", "#060606")
    assert [round(contrast(color, "#ffffff"), 2) for color in on_white] == [21.0, 4.48, 4.0]
    assert [round(contrast(color, "#000000"), 2) for color in on_black] == [2.44, 1.04]
    assert mixed("#204060", "#e0c0a0", 0.25) == "#506070"
    assert readable("#ffffff", "#ffffff", "#000000") == "#737373"


@pytest.mark.parametrize("color", ["#c8102e", "#0a7d33", "#e8a800", "#1450a0", "#000000", "#ffffff", "#777777"])
def test_seat_colours_read_well(color: str) -> None:
    assert contrast(ink_on(color), color) >= 4.4
    assert contrast(readable(color, "#f6f1e7", "#000000"), "#f6f1e7") >= 4.5
    assert contrast(readable(color, "#332c24", "#ffffff"), "#332c24") >= 4.5


def test_what_a_camera_saw_darker_is_drawn_as_bright_as_its_hue() -> None:
    printed = parcheesi_board.sheet()
    assert shown(printed) == printed.colors
    seen = {0: "#6d0b17", 1: "#0b3d1a", 2: "#8e640c", 3: "#0b1a3d"}
    drawn = shown(replace(printed, colors=seen))
    for seat, color in drawn.items():
        one, other = (colorsys.rgb_to_hsv(*(int(c[i : i + 2], 16) for i in (1, 3, 5))) for c in (seen[seat], color))
        assert other[0] == pytest.approx(one[0], abs=0.01) and other[2] > 1.5 * one[2]
    assert drawn[0] == "#bf1328" and drawn[2] == "#e09e13"
    assert f"--seat: {drawn[0]};" in seats_css(replace(printed, colors=seen))


def test_what_is_meant_to_be_dark_or_would_pass_for_another_stays_as_it_is() -> None:
    printed = parcheesi_board.sheet()
    assert brightened("#101010") == "#101010" and brightened("#8c8a92") == "#8c8a92"
    named = replace(printed, colors={**printed.colors, 0: "#5a3010"}, seat_names={**printed.seat_names, 0: "brown"})
    assert shown(named)[0] == "#5a3010"
    near = replace(printed, colors={**printed.colors, 2: "#5a3010", 3: "#e07828"})
    assert shown(near)[2] == "#5a3010" and shown(near)[3] == "#e07828"


@pytest.mark.parametrize(
    ("color", "light"),
    [
        ("#0b5a25", "1FFF69"), ("#980d22", "FF1639"), ("#5a3010", "FF882D"), ("#9a9aa0", "FFFFFF"),
        ("#1c1b1e", "4C4C4C"), ("#200c10", "4C4C4C"),
    ],
)
def test_a_lamp_is_bright_though_the_camera_saw_dark_pieces(color: str, light: str) -> None:
    assert light_of(color) == light


@pytest.mark.parametrize(
    ("host", "port", "typed"),
    [
        ("192.168.1.20", 8000, "http://192.168.1.20:8000/"),
        ("referee.local", 80, "http://referee.local/"),
        ("fe80::1", 8000, "http://[fe80::1]:8000/"),
    ],
)
def test_what_is_typed_to_open_the_page(host: str, port: int, typed: str) -> None:
    assert address_of(host, port) == typed


class Nowhere(socket.socket):
    """A socket of a machine that no network leads away from."""

    def connect(self, _address: object) -> None:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")


@pytest.mark.parametrize(
    ("plugs", "address"), [({"eth0", "wlan0"}, "10.42.0.1"), ({"eth0"}, "localhost"), (set(), "localhost")]
)
def test_a_hotspot_leads_nowhere_but_has_an_address(
    plugs: set[str], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = {"lo": "127.0.0.1", "docker0": "172.17.0.1", "wlan0": "10.42.0.1"}

    def ioctl(_line: object, asked: int, name: bytes) -> bytes:
        found = addresses.get(name.rstrip(b"\0").decode())
        if asked != 0x8915 or found is None:
            raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")
        return bytes(20) + socket.inet_aton(found) + bytes(232)

    for plug in plugs:
        (tmp_path / plug / "device").mkdir(parents=True)
    monkeypatch.setattr(server, "_NETWORKS", tmp_path)
    monkeypatch.setattr(server.fcntl, "ioctl", ioctl)
    monkeypatch.setattr(server.socket, "socket", Nowhere)
    monkeypatch.setattr(server.socket, "if_nameindex", lambda: list(enumerate(["lo", "docker0", "eth0", "wlan0"])))
    assert server.local_address() == address


@pytest.mark.parametrize("name", ["McBlue", "olive Green", "Dr. Müller", "红色", "🐙", "אדום", "<b>bold</b>"])
def test_a_name_is_written_as_it_was_given_but_for_its_first_letter(
    hub: fakehub.FakeHub, client: FlaskClient, name: str
) -> None:
    seats = (replace(fakehub.seats()[0], name=name), *fakehub.seats()[1:])
    hub.show(replace(hub.view(), seats=seats))
    shown = str(escape(name[:1].upper() + name[1:]))
    text = client.get("/").text
    assert f'<span class="small">Turn</span><bdi>{shown}</bdi></h1>' in text
    assert f"<li>{shown}: 2 on " in text and "<b>bold" not in text
