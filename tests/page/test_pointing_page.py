"""A board that the camera does not find, shown on the set-up page: in a real browser and as plain requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from browser import CONTRASTS, KIOSK, PHONE, PLACE, SMALL_TARGETS, Page
from fakehub import PIN
from fakesetup import FakeSetUp
from flask.testing import FlaskClient

from companion.model.table import TroubleView
from companion.page.pointing_pages import WISHES

CORNERS = [[60, 60], [580, 50], [590, 430], [50, 440]]


def wish(client: FlaskClient, do: str, pin: str = PIN, **more: Any) -> Any:
    return client.post("/api/pointing", json={"do": do, "pin": pin, **more})


def test_every_wish_is_granted_to_players_and_to_nobody_else(asker: FlaskClient) -> None:
    for do in WISHES:
        assert wish(asker, do, pin="", corners=CORNERS).status_code == 403
        answer = wish(asker, do, corners=CORNERS)
        assert answer.status_code == 200 and answer.json["ok"], (do, answer.text)


def test_the_picture_is_there_once_it_is_taken(asker: FlaskClient, setup: FakeSetUp) -> None:
    assert asker.get("/setup/now.jpg").status_code == 404
    assert wish(asker, "picture").json == {"ok": True, "text": "", "size": [640, 480], "picture": "picture1"}
    assert asker.get("/setup/now.jpg?name=picture1").status_code == 200
    assert "here no more" in asker.get("/setup/now.jpg?name=picture2").text
    assert asker.get("/setup/now.jpg").mimetype == asker.get("/setup/guide.jpg").mimetype == "image/jpeg"
    setup.pointing.blind = True
    assert wish(asker, "picture").json == {"ok": False, "text": "The camera shows nothing yet."}


def test_a_board_in_doubt_is_taken_only_from_those_who_are_sure(asker: FlaskClient, setup: FakeSetUp) -> None:
    turned = CORNERS[1:] + CORNERS[:1]
    doubt = "Is the first corner the one that is marked?"
    assert wish(asker, "lay", corners=turned).json["doubt"] == doubt
    assert wish(asker, "here", corners=turned).json == {"ok": False, "text": doubt}
    assert wish(asker, "here", corners=turned, sure=True).json["ok"]
    assert setup.pointing.told == [(turned, True)]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ([], "JSON object"),
        ({"do": "dance"}, "picture, lay, here, forget"),
        ({"do": "lay", "draft": 3}, "no field 'draft'"),
        ({"do": "here", "sure": "yes"}, "sure must be true or false"),
        ({"do": "lay", "picture": 7}, "picture must be the name of one, not 7"),
        ({"do": "lay", "pin": 7}, "pin must be text"),
    ],
)
def test_what_cannot_be_is_named(asker: FlaskClient, sent: Any, words: str) -> None:
    answer = asker.post("/api/pointing", json=sent)
    assert answer.status_code == 400 and words in answer.json["text"]


def test_corners_that_are_missing_are_said(asker: FlaskClient) -> None:
    assert "four places" in wish(asker, "lay").json["text"]


def test_the_way_back_leads_where_people_came_from(asker: FlaskClient) -> None:
    assert 'href="/kiosk"' in asker.get("/setup?from=kiosk").text
    assert 'href="/"' in asker.get("/setup").text and 'href="/"' in asker.get("/setup?from=//elsewhere").text


# --- in a real browser ---


def settle(page: Page) -> None:
    """Until the page scrolls no more: it glides to what is next."""
    before = None
    while before != (before := page.run("return document.scrollingElement.scrollTop")):
        time.sleep(0.3)


def show(page: Page, corners: list[list[int]]) -> None:
    page.open("setup")
    page.tap("#point")
    page.until("document.querySelector('#place-asked').textContent.startsWith('Tap the corner that is marked')")
    settle(page)
    for i, (x, y) in enumerate(corners):
        page.until(f"document.querySelectorAll('#place-view .grip').length === {i}")
        assert page.run("return document.querySelectorAll('#guide circle').length") == 1
        page.tap_at("#place-view", x, y)
    page.until("document.querySelectorAll('#place-view .space').length === 20")


@pytest.mark.long
def test_no_corner_is_tapped_before_the_picture_is_seen(
    make_page: Callable[..., Page], setup: FakeSetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    with monkeypatch.context() as patch:
        patch.setattr(setup.pointing, "frame", lambda name="": None)
        page.tap("#point")
        page.until("document.querySelector('#toast.wrong')?.textContent.includes('did not come')")
        settle(page)
        page.tap_at("#place-view", 40, 40)
        assert page.text("#place-asked") == "The picture is on its way …"
    page.until("document.querySelector('#place-asked').textContent.startsWith('Tap the corner that is marked')")
    assert page.run("return document.querySelectorAll('#place-view .grip').length") == 0


def test_a_board_is_shown_by_its_corners(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    show(page, CORNERS)
    assert page.text("#place-asked") == "Do the rings lie on the spaces?"
    page.tap("#here")
    page.until("document.querySelector('#toast').textContent.includes('to lie there')")
    (corners, sure), *others = setup.pointing.told
    assert not others and not sure
    assert all(abs(a - b) < 3 for at, to in zip(corners, CORNERS, strict=True) for a, b in zip(at, to, strict=True))
    assert page.complaints() == []


@pytest.mark.long
def test_corners_belong_to_the_picture_in_which_they_were_tapped_whoever_takes_others(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#point")
    page.until("document.querySelector('#place-view image')?.getAttribute('href')?.endsWith('now.jpg?name=picture1')")
    setup.pointing.take_frame()  # on another phone
    settle(page)
    for i, (x, y) in enumerate(CORNERS):
        page.until(f"document.querySelectorAll('#place-view .grip').length === {i}")
        page.tap_at("#place-view", x, y)
    page.until("!document.querySelector('#here').disabled")
    for _ in range(3):
        setup.pointing.take_frame()
    page.tap("#here")
    page.until("document.querySelector('#toast').textContent.includes('here no more')")
    assert setup.pointing.laid_in == ["picture1"] and setup.pointing.told == []
    page.tap("#place-again")
    page.until("document.querySelector('#place-view image')?.getAttribute('href')?.endsWith('now.jpg?name=picture6')")
    page.until("document.querySelectorAll('#place-view .grip').length === 0")


def test_a_corner_is_dragged_and_undone(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    show(page, CORNERS)
    page.run("""
        const grip = document.querySelector("#place-view .grip");
        const { x, y, width } = grip.getBoundingClientRect();
        const finger = { pointerId: 1, isPrimary: true, bubbles: true };
        const at = (dx) => ({ clientX: x + width / 2 + dx, clientY: y + width / 2, ...finger });
        grip.setPointerCapture = () => {};
        grip.dispatchEvent(new PointerEvent("pointerdown", at(0)));
        grip.dispatchEvent(new PointerEvent("pointermove", at(30)));
        grip.dispatchEvent(new PointerEvent("pointerup", at(30)));""")
    page.until("Number(document.querySelector('#place-view .corner')?.getAttribute('cx')) > 75")
    page.tap("#place-undo")
    page.until("document.querySelectorAll('#place-view .grip').length === 3")
    assert page.run("return document.querySelector('#here').disabled")


def test_a_finger_that_slips_beyond_the_picture_leaves_the_corner_at_its_edge(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """It lay beyond the picture then, out of reach, and Undo took back another one."""
    page = make_page(setup=setup)
    show(page, CORNERS)
    x, y = page.run(PLACE, "#place-view", *CORNERS[0])
    page.touch("touchStart", [(x, y)])
    page.touch("touchMove", [(x - 5, y - 5)])
    page.touch("touchMove", [(2, y - 150)])
    page.touch("touchEnd", [])
    page.until("document.querySelector('#place-view .corner').getAttribute('cx') === '0'")
    assert page.run("return document.querySelector('#place-view .corner').getAttribute('cy')") == "0"
    page.tap("#here")
    page.until("document.querySelector('#toast.shown')")
    assert setup.pointing.told[-1][0][0] == [0, 0]  # type: ignore[index]


@pytest.mark.long
def test_corners_the_other_way_round_say_why_nothing_is_laid_until_they_are_undone(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#point")
    page.until("document.querySelector('#place-asked').textContent.startsWith('Tap the corner that is marked')")
    settle(page)
    for i, at in enumerate([[580, 50], [60, 60], [50, 440], [590, 430]]):
        page.until(f"document.querySelectorAll('#place-view .grip').length === {i}")
        page.tap_at("#place-view", *at)
    page.until("document.querySelector('#place-doubts').textContent.includes('the other way round')")
    assert "Undo" in page.text("#place-asked") and page.run("return document.querySelector('#here').disabled")
    marked = "return [...document.querySelectorAll('#guide circle')].map((ring) => ring.getAttribute('cx'))"
    assert page.run(marked) == ["40"], "the reason speaks of the first corner"
    page.tap("#place-undo")
    page.until("document.querySelector('#place-asked').textContent.startsWith('Tap the last corner')")
    assert page.text("#place-doubts") == ""
    assert not page.run("return document.querySelector('#place-anew').checkVisibility()")
    page.tap_at("#place-view", 590, 430)
    page.tap("#place-anew")
    page.until("document.querySelector('#place-asked').textContent.startsWith('Tap the corner that is marked')")
    assert page.run("return document.querySelectorAll('#place-view .grip').length") == 0
    assert not page.run("return document.querySelector('#place-anew').checkVisibility()")


@pytest.mark.long
def test_a_doubt_is_asked_about_before_the_board_is_taken_to_lie_there(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    show(page, CORNERS[1:] + CORNERS[:1])
    assert "first corner" in page.text("#place-doubts")
    page.tap("#here")
    page.until("document.querySelector('#sheet').open")
    assert setup.pointing.told == []
    page.tap("#sheet button.main")
    page.until("document.querySelector('#toast').textContent.includes('to lie there')")
    assert [sure for _, sure in setup.pointing.told] == [True]


def test_what_was_shown_is_forgotten(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    setup.pointing.shown = True
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#forget")
    page.until("!document.querySelector('#forget').checkVisibility()")
    assert not setup.pointing.shown
    page.open("setup")
    assert not page.run("return document.querySelector('#forget').checkVisibility()")


@pytest.mark.parametrize(("kind", "address"), [("", "/setup#pointing"), ("kiosk", "/setup?from=kiosk#pointing")])
def test_a_board_that_cannot_be_seen_leads_there(
    make_page: Callable[..., Page], setup: FakeSetUp, kind: str, address: str
) -> None:
    page = make_page(setup=setup)
    page.open(kind, KIOSK if kind else PHONE)
    page.show(replace(page.hub.view(), trouble=TroubleView("lost", "The board cannot be found in the picture.")))
    page.run("[...document.querySelectorAll('#trouble button')].find((b) => b.textContent.startsWith('Show')).click()")
    page.until(f"(location.pathname + location.search + location.hash) === {address!r}")


@pytest.mark.long(but=("size1",))
@pytest.mark.parametrize("size", [PHONE, KIOSK])
def test_it_can_be_read_and_hit(make_page: Callable[..., Page], setup: FakeSetUp, size: tuple[int, int]) -> None:
    page = make_page(setup=setup)
    page.open("setup", size)
    show(page, CORNERS[1:] + CORNERS[:1])
    assert [pair for pair in page.run(CONTRASTS) if pair[0] < 4.5] == []
    assert page.run(SMALL_TARGETS) == []
    assert page.run("return document.documentElement.scrollWidth") <= size[0]


def test_on_a_phone_that_lies_the_picture_and_the_question_are_seen_together(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    page.open("setup", (740, 360))
    page.tap("#point")
    page.until("document.querySelector('#place-view image')?.getAttribute('href')")
    settle(page)
    boxes = """return ["#place-view", "#place-asked", "#guide", "#place-undo", "#here"]
      .map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"""
    picture, *others = page.run(boxes)
    assert picture[1] - picture[0] > 240
    assert all(top >= 0 and bottom <= 360 for top, bottom in (picture, *others))
