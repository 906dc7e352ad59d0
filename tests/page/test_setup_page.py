"""The set-up page: the health check and tapping a board, in a real browser and as plain requests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import fakehub
import pytest
from browser import CONTRASTS, KIOSK, LYING_PHONE, PHONE, PLACE, SMALL_PHONE, SMALL_TARGETS, Page
from fakehub import PIN
from fakesetup import SPACES, FakeSetUp
from flask.testing import FlaskClient

from calibration import parcheesi_board
from companion.model import BadInput
from companion.page import create_app
from companion.page.setup_pages import WISHES


def wish(client: FlaskClient, do: str, pin: str = PIN, **more: Any) -> Any:
    return client.post("/api/setup", json={"do": do, "pin": pin, **more})


DRAFT = {"corners": [[1, 1], [9, 1], [9, 9], [1, 9]], "taps": {f"t{i}": [i, i] for i in range(4)}, "moved": {}}


def test_every_wish_is_granted_to_players_and_to_nobody_else(asker: FlaskClient) -> None:
    for do in WISHES:
        assert wish(asker, do, pin="", draft=DRAFT).status_code == 403
        answer = wish(asker, do, draft=DRAFT)
        assert answer.status_code == 200 and answer.json["ok"], (do, answer.text)


def test_the_check_comes_with_its_picture(asker: FlaskClient) -> None:
    assert asker.get("/setup/check.jpg").status_code == 404
    found = wish(asker, "check").json
    assert found["score"] == 61 and [f["name"] for f in found["findings"]] == ["glare", "view", "board"]
    assert asker.get("/setup/check.jpg").mimetype == "image/jpeg"


def test_the_photo_is_there_once_it_is_taken(asker: FlaskClient) -> None:
    assert asker.get("/setup/photo.jpg").status_code == 404
    assert wish(asker, "photo").json == {"ok": True, "text": "", "size": [640, 480], "photo": "photo1"}
    assert asker.get("/setup/photo.jpg?name=photo1").status_code == 200
    assert asker.get("/setup/photo.jpg?name=photo2").status_code == 404
    assert asker.get("/setup/photo.jpg").status_code == 200
    assert asker.get("/setup/layout.svg").mimetype == "image/svg+xml"


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ([], "JSON object"),
        ({"do": "dance"}, "check, photo, lay, save, colors, printed, last"),
        ({"do": "lay", "draft": 3}, "draft must be"),
        ({"do": "lay", "shape": 3}, "no field 'shape'"),
        ({"do": "check", "pin": 7}, "pin must be text"),
    ],
)
def test_what_cannot_be_is_named(asker: FlaskClient, sent: Any, words: str) -> None:
    answer = asker.post("/api/setup", json=sent)
    assert answer.status_code == 400 and words in answer.json["text"]


@pytest.mark.parametrize(("may_change", "where"), [(True, ", below."), (False, ".")])
def test_advice_points_to_what_can_be_opened_here(may_change: bool, where: str) -> None:
    setup = FakeSetUp(may_change)
    setup.advice = "It is shown once, as a board of your own (docs/own-boards.md)."
    client = create_app(fakehub.FakeHub(), parcheesi_board.sheet(), "<svg/>", setup=setup).test_client()
    findings = client.post("/api/setup", json={"do": "check"}).json["findings"]  # type: ignore[index]
    assert findings[0]["advice"] == f"It is shown once, as a board of your own{where}"


def test_what_the_draft_lacks_is_said(asker: FlaskClient) -> None:
    answer = wish(asker, "lay", draft={"corners": [], "taps": {}, "moved": {}})
    assert answer.json == {"ok": False, "text": "The board has four corners to tap"}


def test_a_table_without_a_set_up_has_no_such_page() -> None:
    client = create_app(fakehub.FakeHub(), parcheesi_board.sheet(), "<svg/>").test_client()
    assert client.get("/setup").status_code == 404 and client.post("/api/setup", json={}).status_code == 404
    assert 'data-setup=""' in client.get("/").text


def test_the_demo_s_page_checks_and_changes_nothing() -> None:
    client = create_app(
        fakehub.FakeHub(), parcheesi_board.sheet(), "<svg/>", setup=FakeSetUp(may_change=False)
    ).test_client()
    page = client.get("/setup").text
    assert 'id="check"' in page and 'id="photo"' not in page


# --- in a real browser ---


def tap_photo(page: Page, x: float, y: float) -> None:
    page.tap_at("#view", x, y)


def start(page: Page) -> None:
    page.open("setup")
    page.run("localStorage.clear()")
    page.open("setup")
    page.write("#width", "400")
    page.write("#height", "300")
    page.tap("#photo")
    page.until("document.querySelector('#asked').textContent.startsWith('Tap one corner')")


def start_to_change(page: Page) -> None:
    """The board in use."""
    page.open("setup")
    page.run("localStorage.clear()")
    page.open("setup")
    page.tap("#change")
    page.until("document.querySelectorAll('#view .space').length === 20")


def tap_corners_and(page: Page, count: int) -> None:
    for i, (x, y) in enumerate([(40, 40), (600, 40), (600, 440), (40, 440)]):
        tap_photo(page, x, y)
        page.until(f"document.querySelectorAll('#view .corner').length === {i + 1}")
    for i in range(count):
        page.until(f"document.querySelector('#asked').textContent.includes('(space {i})')")
        tap_photo(page, 120 + 60 * i, 100)
    page.until(f"document.querySelector('#asked').textContent.includes('(space {count})')")


def drag(page: Page, name: str, end: str = "pointerup") -> None:
    """Drag a ring 20 pixels to the right and 30 down. end: how the finger is lifted, or taken away by the phone."""
    page.run(
        """
        const ring = [...document.querySelectorAll(".space")].find((node) => node.textContent === arguments[0]);
        const root = ring.ownerSVGElement, at = (x, y) => new DOMPoint(x, y).matrixTransform(root.getScreenCTM());
        const finger = { pointerId: 1, isPrimary: true, bubbles: true };
        const send = (kind, { x, y }) =>
          ring.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: y, ...finger }));
        ring.setPointerCapture = () => {};
        const [x, y] = [Number(ring.getAttribute("cx")), Number(ring.getAttribute("cy"))];
        send("pointerdown", at(x, y));
        for (const kind of ["pointermove", arguments[1]]) send(kind, at(x + 20, y + 30));""",
        name,
        end,
    )


@pytest.mark.long
def test_a_ring_that_is_laid_anew_under_the_finger_costs_no_tap(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """What was tapped before is laid while the next ring is dragged already."""
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    drag(page, "t9", "pointermove")
    page.run("""document.querySelector("#view .space").id = "old";
        document.querySelector("#width").dispatchEvent(new Event("change"))""")
    page.until("!document.querySelector('#old')")
    tap_photo(page, 400, 100)
    page.until("document.querySelectorAll('#view .space.tapped').length === 5")


@pytest.mark.long
def test_a_drag_that_the_phone_cuts_off_is_one_and_the_next_tap_counts(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """A call comes in, or a hand lies on the screen."""
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    drag(page, "t9", "pointercancel")
    page.until("document.querySelector('.space.moved')")
    tap_photo(page, 400, 100)
    page.until("document.querySelectorAll('#view .space.tapped').length === 5")


@pytest.mark.parametrize("other", [(360, 100), (300, 330)], ids=["on another ring", "between the rings"])
def test_two_fingers_that_would_enlarge_the_photo_drag_no_space(
    make_page: Callable[..., Page], setup: FakeSetUp, other: tuple[int, int]
) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.until("document.querySelectorAll('#view .space').length === 20")
    fingers = [page.run(PLACE, "#view", x, y) for x, y in ((120, 260), other)]
    page.touch("touchStart", fingers[:1])
    page.touch("touchMove", [(fingers[0][0] - 9, fingers[0][1])])
    for kind, apart in (("touchStart", 9), ("touchMove", 20), ("touchMove", 40)):
        page.touch(kind, [(fingers[0][0] - apart, fingers[0][1]), (fingers[1][0] + apart, fingers[1][1])])
    page.touch("touchEnd", [])
    time.sleep(0.3)
    places = "[...document.querySelectorAll('#view .space')].map((ring) => ring.getAttribute('cx')).slice(10, 15)"
    assert page.run(f"return {places}") == ["120", "200", "280", "360", "440"]
    assert not page.run("return document.querySelector('.space.moved')")
    drag(page, "t9")
    page.until("document.querySelector('.space.moved')")


def test_two_fingers_enlarge_the_photo_between_them_and_make_it_small_again(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """Only + and − did: to who pulls at a photo, as everywhere else, nothing happened."""
    page = make_page(setup=setup)
    start(page)
    page.until("window.was === scrollY || void (window.was = scrollY)")  # it glides there
    x, y = page.run(PLACE, "#view", 200, 160)
    wide = "document.querySelector('#view svg').getBoundingClientRect().width"
    under = """(({ x, y }) => [x, y])(new DOMPoint(...arguments)
      .matrixTransform(document.querySelector("#view svg").getScreenCTM().inverse()))"""
    before = page.run(f"return {wide}")
    for way, factor in (((30, 40, 60, 75), 2.5), ((75, 50, 30), 1.0)):
        for kind, apart in zip(("touchStart", *("touchMove",) * 3), way, strict=False):
            page.touch(kind, [(x - apart, y), (x + apart, y)])
        page.touch("touchEnd", [])
        assert page.run(f"return {wide}") == pytest.approx(factor * before, rel=0.02)
        assert page.run(f"return {under}", x, y) == pytest.approx([200, 160], abs=2)
    assert not page.run("return document.querySelector('#view .corner')"), "nothing was tapped"


def test_a_board_is_tapped_dragged_and_saved(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    assert page.run("return document.querySelector('#save').disabled")
    tap_corners_and(page, 4)
    page.until("document.querySelectorAll('#view .space').length === 20 && !document.querySelector('#save').disabled")
    assert "Space 3 was tapped" in page.text("#doubts")
    drag(page, "t9")
    page.until("document.querySelector('.space.moved')")
    page.tap("#save")
    page.until("location.pathname === '/'")
    (saved,) = setup.saved
    assert saved["size_mm"] == [400, 300] and len(saved["corners"]) == 4 and len(saved["taps"]) == 4
    x, y = saved["moved"]["t9"]
    assert abs(x - 460) < 3 and abs(y - 210) < 3
    assert saved["piece"] == {"kind": "pawn", "diameter_mm": 12, "height_mm": 24}
    assert saved["colors"] == saved["seats"] == {}, "those of now stay, which others may change meanwhile"
    assert page.complaints() == []


def test_nothing_is_tapped_before_the_photo_is_seen_and_it_is_asked_for_until_then(
    make_page: Callable[..., Page], setup: FakeSetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a bad network the corners were tapped on nothing, or on the photo before."""
    page = make_page(setup=setup)
    start(page)
    tap_photo(page, 40, 40)
    page.until("document.querySelectorAll('#view .corner').length === 1")
    with monkeypatch.context() as patch:
        patch.setattr(setup, "photo", lambda name="": None)
        page.tap("#photo")
        page.tap("#sheet .choices .main")
        page.until("document.querySelector('#toast.wrong')?.textContent.includes('did not come')")
        assert page.text("#asked") == "The picture is on its way …"
        tap_photo(page, 40, 40)
        time.sleep(0.3)
        assert page.run("return document.querySelectorAll('#view .corner').length") == 0
    page.until("document.querySelector('#asked').textContent.startsWith('Tap one corner')")
    tap_photo(page, 40, 40)
    page.until("document.querySelectorAll('#view .corner').length === 1")


@pytest.mark.long
def test_a_double_tap_does_not_answer_what_it_opens(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 2)
    same = """const [again, yes] = ["#again", "#sheet .choices .main"].map((one) => document.querySelector(one));
      yes.style.position = "fixed"; yes.style.inset = "0"; yes.style.zIndex = "9";"""
    page.tap_twice("#again", lambda: (page.until("document.querySelector('#sheet .choices .main')"), page.run(same))[0])
    time.sleep(0.2)
    assert page.run("return document.querySelector('#sheet').open"), "it asks yet"
    assert page.run("return document.querySelectorAll('#view .corner').length") == 6


def test_a_double_tap_on_the_photo_is_one_corner_and_one_space(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """The second tap was the next corner, or the next space, at the same place."""
    page = make_page(setup=setup)
    start(page)
    for i, (x, y) in enumerate([(40, 40), (600, 40), (600, 440), (40, 440)]):
        page.tap_twice_at("#view", x, y)
        page.until(f"document.querySelectorAll('#view .corner').length === {i + 1}")
    asked = "document.querySelector('#asked').textContent.includes('(space {})')"
    page.until(asked.format(0))
    page.tap_twice_at("#view", 120, 100, lambda: page.until(asked.format(1)))
    time.sleep(0.3)
    assert "(space 1)" in page.text("#asked"), "it is to be tapped yet"
    assert page.run("return document.querySelectorAll('#view .corner').length") == 4 + 1


def test_a_phone_that_is_turned_goes_on_at_the_photo(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    """Its browser went to the top of the page."""
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 1)
    for width, height in (LYING_PHONE, PHONE):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        page.until(f"innerWidth === {width}")
        time.sleep(0.5)
        top, bottom = page.run("const { top, bottom } = document.querySelector('#view').getBoundingClientRect(); "
                               "return [top, Math.min(bottom, innerHeight)]")  # fmt: skip
        assert top >= 0 and bottom - top > 0.3 * height, (width, top)


def test_taps_are_undone_one_by_one_and_survive_a_reload(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 2)
    page.tap("#undo")
    page.until("document.querySelector('#asked').textContent.includes('(space 1)')")
    page.open("setup")
    page.until("document.querySelector('#asked').textContent.includes('(space 1)')")
    assert page.run("return document.querySelector('#width').value") == "400"


def test_what_was_tapped_stays_though_others_play_meanwhile(
    make_page: Callable[..., Page], setup: FakeSetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blue's circle is called the blue circle once nobody plays blue: that is the same board yet."""
    monkeypatch.setitem(SPACES, "base3", (200.0, 200.0))
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 2)
    page.hub.show(replace(fakehub.roll_due(), seats=fakehub.seats()[:2]))
    page.open("setup")
    page.until("document.querySelectorAll('#view .corner').length === 4 + 2")
    assert page.text("#dropped") == ""


@pytest.mark.long
@pytest.mark.parametrize("undone", [False, True])
def test_a_space_that_was_dragged_lies_where_it_is_tapped_then(
    make_page: Callable[..., Page], setup: FakeSetUp, undone: bool
) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.until("document.querySelectorAll('#view .space').length === 20")
    drag(page, "t4")
    tap_photo(page, 333, 222)
    page.until("document.querySelectorAll('.space.tapped').length === 5")
    if undone:
        page.tap("#undo")
        page.until("document.querySelectorAll('.space.tapped').length === 4")
    page.tap("#save")
    page.until("location.pathname === '/'")
    (saved,) = setup.saved
    assert (list(saved["moved"]) == ["t4"], "t4" in saved["taps"]) == (undone, not undone)


@pytest.mark.long
def test_colours_that_are_learnt_elsewhere_are_not_overwritten(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """The kiosk learnt them while a phone changed the board; the page was opened anew there, and saved."""
    setup.own = True
    setup.take_photo()
    setup.tapped = {**DRAFT, "size_mm": [410.0, 420.0], "inner": False, "photo": setup.photos()[-1]}
    page = make_page(setup=setup)
    start_to_change(page)
    setup.colored = {"0": "#9e0d22", "1": "#0b5d25"}
    page.open("setup")
    page.until("document.querySelectorAll('#view .space').length === 20")
    assert page.run("return document.querySelector('[data-color=\"0\"]').value") == "#9e0d22"
    page.tap("#save")
    page.until("location.pathname === '/'")
    assert setup.saved[-1]["colors"] == {}


FORM = """return Object.fromEntries([...document.querySelectorAll("fieldset :is(input, select)")]
  .map((field) => [field.id || Object.entries(field.dataset).join(), field.value]))"""


def test_what_was_written_survives_a_reload(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    written = {"#kind": "marble", "#tall": "14", "[data-color='1']": "#aa5500", "[data-name='1']": "brown"}
    for field, value in written.items():
        page.run(
            """const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event("change", { bubbles: true }));""",
            field,
            value,
        )
    before = page.run(FORM)
    page.open("setup")
    assert page.run(FORM) == before
    assert [before[field] for field in ("kind", "tall", "color,1", "name,1")] == list(written.values())
    setup.own = True
    page.open("setup")
    assert page.run(FORM)["kind"] == "pawn", "another board is in use: what was written for the last is forgotten"


@pytest.mark.long
def test_the_newest_is_undone_first_be_it_a_tap_or_a_drag(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.until("document.querySelectorAll('#view .space').length === 20")
    drag(page, "t9")
    page.until("document.querySelector('.space.moved')")
    tap_photo(page, 400, 300)
    page.until("document.querySelector('#asked').textContent.includes('(space 5)')")
    drag(page, "t0")
    page.until("document.querySelectorAll('.space.tapped').length === 5")
    for left, moved in (("(space 5)", 1), ("(space 4)", 1), ("(space 4)", 0), ("(space 3)", 0)):
        page.tap("#undo")
        page.until(f"document.querySelector('#asked').textContent.includes('{left}')")
        page.until(f"document.querySelectorAll('.space.moved').length === {moved}")


@pytest.mark.long
def test_the_board_in_use_can_be_changed(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    setup.own = True
    setup.take_photo()
    setup.tapped = {**DRAFT, "size_mm": [410.0, 420.0], "inner": True, "photo": "photo1"}
    page = make_page(setup=setup)
    page.open("setup")
    page.run("localStorage.clear()")
    page.open("setup")
    assert page.run("return ['width', 'height', 'shape'].map((id) => document.getElementById(id).value)") == [
        "410", "420", "inner",
    ]  # fmt: skip
    assert page.run("return document.querySelector('#tapping').hidden")
    page.tap("#change")
    page.until("document.querySelectorAll('#view .space').length === 20")
    page.run("document.querySelector('[data-name=\"1\"]').value = 'olive'")
    page.tap("#save")
    page.until("location.pathname === '/'")
    (saved,) = setup.saved
    assert saved["taps"] == DRAFT["taps"] and saved["corners"] == DRAFT["corners"] and saved["inner"]
    assert saved["seats"] == {"1": "olive"}


def test_what_was_tapped_to_change_a_board_stays_though_its_colours_are_learnt_meanwhile(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """The board in use seemed to be another one then, and all that had been tapped was forgotten."""
    setup.own = True
    setup.take_photo()
    taps = {name: [2 * x + 40, 2 * y + 20] for name, (x, y) in [*SPACES.items()][:4]}
    corners = [[40, 20], [520, 20], [520, 420], [40, 420]]
    tapped_first = {"corners": corners, "taps": taps, "moved": {}, "photo": setup.photos()[-1]}
    setup.tapped = {**tapped_first, "size_mm": [410.0, 420.0], "inner": False}
    page = make_page(setup=setup)
    start_to_change(page)
    tapped = "return document.querySelectorAll('.space.tapped').length"
    before = page.run(tapped)
    x, y = [*SPACES.values()][4]
    tap_photo(page, 2 * x + 44, 2 * y + 22)
    page.until(f"document.querySelectorAll('.space.tapped').length === {before + 1}")
    page.tap("#colors")
    page.until("document.querySelector('[data-color=\"0\"]').value === '#aa0011'")
    page.open("setup")
    page.until(f"document.querySelectorAll('.space.tapped').length === {before + 1}")
    assert page.text("#dropped") == ""
    assert page.run("return document.querySelector('[data-color=\"0\"]').value") == "#aa0011"


@pytest.mark.long
def test_a_board_that_was_only_looked_at_is_not_said_to_be_forgotten(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    """It was put aside, and is kept with all that was tapped; the page said for good that this belongs elsewhere."""
    setup.own = True
    setup.take_photo()
    setup.tapped = {**DRAFT, "size_mm": [410.0, 420.0], "inner": False, "photo": "photo1"}
    page = make_page(setup=setup)
    start_to_change(page)
    setup.use_printed()
    setup.tapped = None
    page.open("setup")
    assert page.run("return document.querySelector('#last')") and page.text("#dropped") == ""


@pytest.mark.long
def test_what_was_tapped_is_not_laid_over_the_photo_that_somebody_took_meanwhile(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.until("!document.querySelector('#save').disabled")
    setup.take_photo()
    page.tap("#save")
    page.until("document.querySelector('#doubts').textContent.includes('belongs to another photo')")
    page.until("document.querySelector('#save').disabled")
    assert setup.saved == []
    page.open("setup")
    assert "Photograph the empty board again" in page.text("#dropped")
    assert page.run("return document.querySelector('#tapping').hidden")
    assert page.run("return document.querySelector('#width').value") == "400", "what was written stays"
    page.tap("#photo")
    page.until("document.querySelector('#asked').textContent.startsWith('Tap one corner')")
    assert page.text("#dropped") == ""


@pytest.mark.long
def test_after_a_restart_what_was_tapped_on_a_photo_that_is_gone_is_dropped_and_that_is_said(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 2)
    setup.taken = 0
    page.open("setup")
    assert "is forgotten" in page.text("#dropped")
    assert page.run("return document.querySelector('#tapping').hidden")
    page.open("setup")
    assert page.text("#dropped") == "", "it was said, and is not said for good"
    assert page.run("return document.querySelector('#width').value") == "400"


@pytest.mark.long
def test_corners_the_other_way_round_say_why_nothing_is_laid_until_they_are_undone(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    start(page)
    for i, (x, y) in enumerate([(600, 40), (40, 40), (40, 440), (600, 440)]):
        tap_photo(page, x, y)
        page.until(f"document.querySelectorAll('#view .corner').length === {i + 1}")
    page.until("document.querySelector('#doubts').textContent.includes('the other way round')")
    assert "Undo" in page.text("#asked") and page.run("return document.querySelector('#save').disabled")
    page.tap("#undo")
    page.until("document.querySelector('#asked').textContent.startsWith('Tap the last corner')")
    assert page.text("#doubts") == ""


def test_what_is_refused_calls_spaces_as_the_game_does(
    make_page: Callable[..., Page], setup: FakeSetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was said of "base0", and of "T3" where a space begins the sentence."""

    def refused(why: str) -> Callable[..., Any]:
        def refuse(*_: object) -> Any:
            raise BadInput(why)

        return refuse

    setup.own = True
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 2)
    monkeypatch.setattr(setup, "lay", refused("t3 would lie beside the board: tap it where it is"))
    tap_photo(page, 400, 100)
    page.until("document.querySelector('#doubts').textContent.startsWith('Space 3 would lie beside')")
    monkeypatch.setattr(setup, "colors", refused("no pieces of red are seen on t4: set them up"))
    page.tap("#colors")
    page.until("document.querySelector('#toast').textContent === 'No pieces of red are seen on space 4: set them up'")


@pytest.mark.long
def test_a_space_that_cannot_be_laid_says_why_and_the_rings_stay(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 5)
    page.until("document.querySelectorAll('#view .space').length === 20")
    tap_photo(page, 120 + 60 * 4, 100)
    page.until("document.querySelector('#doubts').textContent.includes('at the same place')")
    assert "Undo" in page.text("#asked") and page.run("return document.querySelector('#save').disabled")
    assert page.run("return document.querySelectorAll('#view .space').length") == 20
    page.tap("#undo")
    page.until("!document.querySelector('#save').disabled")
    assert "(space 5)" in page.text("#asked") and "same place" not in page.text("#doubts")


@pytest.mark.long
def test_a_referee_that_was_not_reached_is_asked_again(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.until("document.querySelectorAll('#view .space').length === 20")
    page.run("window.usual = window.fetch; window.fetch = () => Promise.reject(new TypeError())")
    tap_photo(page, 400, 300)
    page.until("document.querySelector('#doubts').textContent.includes('cannot be reached')")
    assert "Every space" not in page.text("#asked") and page.run("return document.querySelector('#save').disabled")
    assert page.run("return document.querySelectorAll('#view .space').length") == 20
    page.run("window.fetch = window.usual")
    page.until("document.querySelector('#asked').textContent.includes('(space 5)')")
    assert not page.run("return document.querySelector('#save').disabled")


def test_a_board_need_not_measure_whole_millimetres(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    page.run("document.querySelector('#width').value = '412.5'")
    assert page.run("return document.querySelector('#width').checkValidity()")


@pytest.mark.long
def test_two_players_are_not_called_alike(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.run("document.querySelector('[data-name=\"1\"]').value = 'Red '")
    page.tap("#save")
    page.until("document.activeElement.dataset.name === '0'")
    said = page.run("return document.activeElement.validationMessage")
    assert said == "Red and green would both be called “red”. Please give one another name."
    assert setup.saved == []
    page.run("document.querySelector('[data-name=\"1\"]').value = 'olive'")
    page.tap("#save")
    page.until("location.pathname === '/'")


def keys(page: Page, text: str) -> None:
    """Tap keys of the keypad that is shown, and go on."""
    for key in text:
        page.run(
            """[...document.querySelectorAll("dialog[open] .keypad button")]
              .find((one) => one.textContent === arguments[0]).click()""",
            key,
        )
    page.tap("dialog[open] form .main")


@pytest.mark.long
def test_on_the_kiosk_numbers_are_tapped_and_names_are_for_a_phone(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup, pin=PIN, address=lambda: "http://192.168.1.20:8000/")
    page.open("setup?from=kiosk", KIOSK)
    page.run("localStorage.clear()")
    for field, number in (("#width", "410"), ("#height", "43⌫20"), ("#diameter", "12.5")):
        page.tap(field)
        page.until("document.querySelector('#sheet .keypad')")
        keys(page, number)
    assert page.run("return ['width', 'height', 'diameter'].map((id) => document.getElementById(id).value)") == [
        "410", "420", "12.5",
    ]  # fmt: skip
    assert page.text(".invite b") == "192.168.1.20:8000/setup"
    assert page.run("return Boolean(document.querySelector('.invite .code svg'))")
    page.tap("#photo")
    page.until("document.querySelector('#door .keypad')")
    keys(page, PIN)
    page.until("document.querySelector('#asked').textContent.startsWith('Tap one corner')")
    page.run("localStorage.clear()")
    page.open("setup", PHONE)
    assert not page.run("return document.querySelector('.invite')")
    page.tap("#width")
    assert not page.run("return document.querySelector('#sheet').open") and page.complaints() == []


@pytest.mark.parametrize(("field", "number"), [("#diameter", ""), ("#tall", "240"), ("#width", "4")])
def test_a_size_that_cannot_be_is_shown_where_it_is_written(
    make_page: Callable[..., Page], setup: FakeSetUp, field: str, number: str
) -> None:
    """The referee refused it in words of its files: "diameter_mm"."""
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.until("document.querySelectorAll('#view .space').length === 20")
    write = "[document.activeElement.blur(), document.querySelector(arguments[0]).value = arguments[1]]"
    usual = page.run("return document.querySelector(arguments[0]).value", field)
    page.run(write, field, number)
    page.tap("#save")
    page.until(f"document.activeElement === document.querySelector('{field}')")
    assert setup.saved == []
    page.run(write, field, usual)
    page.tap("#save")
    page.until("location.pathname === '/'")
    assert len(setup.saved) == 1


@pytest.mark.parametrize(("tapped", "kept"), [("410.", "410"), ("41..5", "41.5"), (".", "36"), ("", "36")])
def test_a_point_too_many_on_the_kiosk_costs_no_number(
    make_page: Callable[..., Page], setup: FakeSetUp, tapped: str, kept: str
) -> None:
    """The field was empty then, and the number before gone as well."""
    page = make_page(setup=setup)
    page.open("setup?from=kiosk", KIOSK)
    page.run("document.querySelector('#width').value = '36'")
    page.tap("#width")
    page.until("document.querySelector('#sheet .keypad')")
    keys(page, tapped)
    assert page.run("return document.querySelector('#width').value") == kept


@pytest.mark.long
def test_the_picture_of_the_check_is_seen_at_once_and_larger_by_a_tap(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    for size in (PHONE, KIOSK):
        page.open("setup", size)
        page.tap("#check")
        page.until("document.querySelector('.health img')?.naturalWidth")
        page.until("document.querySelector('.health img').getBoundingClientRect().top < innerHeight * 0.7")
        width = "return document.querySelector('.health img').getBoundingClientRect().width"
        small = page.run(width)
        assert small > 0.45 * size[0]
        page.tap(".health .shot")
        assert page.run(width) > 1.9 * small
        assert page.run("return document.documentElement.scrollWidth") <= size[0]
        page.tap(".health .shot")
        assert page.run(width) == small


def test_the_kind_of_piece_is_read_whole_on_a_phone(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    assert page.run("return document.querySelector('#kind').clientWidth") > 180


def test_a_check_that_takes_long_says_so_and_keeps_the_focus(
    make_page: Callable[..., Page], setup: FakeSetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, check = threading.Event(), setup.check
    monkeypatch.setattr(setup, "check", lambda: (go.wait(20), check())[1])
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#check")
    page.until("document.querySelector('#check:disabled')?.textContent === 'Looking …'")
    go.set()
    page.until("document.querySelector('#check').textContent === 'Check the view'")
    page.until("document.activeElement === document.querySelector('#check')")


def test_the_check_is_shown_the_worst_first(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#check")
    page.until("!document.querySelector('#health').hidden")
    assert page.text(".score").startswith("61")
    assert page.run("return [...document.querySelectorAll('.findings li')].map((li) => li.className)") == [
        "poor", "fair", "good",
    ]  # fmt: skip
    page.until("document.querySelector('#health img').naturalWidth > 0")
    setup.blind = True
    page.tap("#check")
    page.until("document.querySelector('#toast').textContent.includes('camera')")


@pytest.mark.long(but=("size0-light", "size1-dark"))
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, KIOSK])
def test_it_fits_reads_and_can_be_tapped(
    make_page: Callable[..., Page], setup: FakeSetUp, size: tuple[int, int], scheme: str
) -> None:
    setup.own = True
    page = make_page(setup=setup)
    page.open("setup?from=kiosk" if size == KIOSK else "setup", size, scheme)
    page.tap("#check")
    page.until("!document.querySelector('#health').hidden")
    page.run("document.querySelector('#tapping').hidden = false")
    assert page.run("return document.documentElement.scrollWidth") <= size[0]
    assert [text for ratio, text in page.run(CONTRASTS) if ratio < 4.5] == []
    assert page.run(SMALL_TARGETS) == []


@pytest.mark.long
def test_what_the_check_found_is_as_wide_as_the_screen_with_large_letters(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    page = make_page(setup=setup)
    page.open("setup", SMALL_PHONE)
    page.run("document.documentElement.style.fontSize = '200%'")
    page.tap("#check")
    page.until("!document.querySelector('#health').hidden")
    assert page.run("return document.documentElement.scrollWidth") == SMALL_PHONE[0]


@pytest.mark.parametrize("size", [SMALL_PHONE, (195, 422)])
def test_on_a_narrow_phone_all_that_is_asked_is_read_beside_what_it_is_about(
    make_page: Callable[..., Page], setup: FakeSetUp, size: tuple[int, int]
) -> None:
    """The head of the page took two lines there, and lay over the first words; the small board stuck out."""
    page = make_page(setup=setup)
    start(page)
    tap_corners_and(page, 4)
    page.open("setup", size)
    page.until("document.querySelector('#asked').textContent.includes('(space 4)')")
    page.run("document.querySelector('#tapping .tools').scrollIntoView({ block: 'end' })")
    asked, head, board = page.run("""return ["#asked", ".top", "#where"].map((part) => document.querySelector(part))
      .map((node) => node.getBoundingClientRect()).map(({ top, bottom, right }) => [top, bottom, right])""")
    assert asked[0] >= head[1] and board[2] <= size[0]
    assert page.run("return document.documentElement.scrollWidth") == size[0]


def test_the_game_s_page_leads_to_it(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    page.open()
    page.more("setup")
    page.until("location.pathname === '/setup'")
    page.tap(".back")
    page.until("location.pathname === '/'")


@pytest.mark.long
def test_colours_are_shown_when_they_are_learnt(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    setup.own = True
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#colors")
    page.until("document.querySelector('[data-color=\"0\"]').value === '#aa0011'")
    page.tap("#printed")
    page.tap("#sheet .main")
    page.until("!document.querySelector('#printed')")
    assert json.dumps(setup.own) == "false"


@pytest.mark.long
def test_a_board_that_was_put_aside_is_shown_asked_about_and_used_again(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    setup.own = True
    page = make_page(setup=setup)
    page.open("setup")
    assert not page.run("return document.querySelector('#last')")
    page.tap("#printed")
    assert "you can use it again" in page.text("#sheet")
    page.tap("#sheet .main")
    page.until("document.querySelector('#last')?.textContent === 'Use my own board again'")
    page.tap("#last")
    page.until("document.querySelector('#sheet img')?.naturalWidth > 0")
    assert "kept in its place" not in page.text("#sheet") and not setup.own
    page.tap("#sheet .choices button:not(.main)")
    assert not setup.own
    page.tap("#last")
    page.tap("#sheet .main")
    page.until("document.querySelector('#toast').textContent === 'Your own board is used again.'")
    page.until("document.querySelector('#own-state').textContent === 'A board of your own is in use.'")
    assert setup.own and not page.run("return document.querySelector('#last')")
    setup.last = True
    page.open("setup")
    page.tap("#last")
    assert "kept in its place" in page.text("#sheet")
    assert page.complaints() == []


@pytest.mark.long
def test_a_page_goes_on_when_the_referee_is_there_again_not_while_it_begins_anew(
    make_page: Callable[..., Page], setup: FakeSetUp
) -> None:
    setup.own = True
    page = make_page(setup=setup)
    page.open("setup")
    page.run("""window.stayed = true; window.usual = window.fetch;
        window.fetch = (address, options) => address === "/api/view" && window.gone
          ? Promise.reject(new TypeError()) : window.usual(address, options);""")
    page.tap("#printed")
    page.run("window.gone = true")
    page.tap("#sheet .main")
    page.until("document.querySelector('#toast').textContent.includes('printed board is used')")
    time.sleep(5)
    assert page.run("return window.stayed && document.querySelector('#printed').disabled")
    page.run("window.gone = false")
    page.until("!window.stayed && document.querySelector('#last')")
