"""Old phones, and scripts that get lost: a page that cannot do all must not stand still."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import fakehub
import pytest
from browser import LYING_PHONE, PHONE, Page
from fakehub import PIN
from fakesetup import FakeSetUp
from flask import Flask, Response, request

from companion.model.table import Action, PlayLine

STATIC = Path(__file__).resolve().parents[2] / "companion" / "page" / "static"
NEWER = re.compile(
    r"\?\?=|\|\|=|&&=|\.replaceAll\(|\.replaceChildren\(|(?<!this)(?<!board)\.at\(|\.findLast|\.toSorted"
    r"|structuredClone|hasOwn\(|\(\?<[=!]|hour12|\"[^\"]*:(?:is|where|has)\([^\"]*\""
)
"""What Safari 14 and Chrome 80, of 2020, do not know: words of the language that spoil all scripts, and calls."""
OF_2020 = """
for (const [kind, names] of [
  [Array, ["at", "findLast", "toSorted"]], [String, ["at", "replaceAll"]], [Element, ["replaceChildren"]],
  [Document, ["replaceChildren"]], [DocumentFragment, ["replaceChildren"]],
  [HTMLDialogElement, ["show", "showModal", "close", "open"]],
]) for (const name of names) delete kind.prototype[name];
for (const name of ["matches", "querySelector", "querySelectorAll"]) {
  for (const kind of [Element, Document]) {
    const known = kind.prototype[name];
    if (known) kind.prototype[name] = function (words) {
      if (/:(is|where|has|modal|focus-visible)\\b/.test(words)) throw new DOMException(words, "SyntaxError");
      return known.call(this, words);
    };
  }
}
const usual = Date.prototype.toLocaleTimeString;
Date.prototype.toLocaleTimeString = function (where, how) {
  return usual.call(this, where, how).replace(/^00/, how.hour12 === false ? "24" : "00");
};
"""


@pytest.fixture
def old_phone(driver: Any) -> Iterator[None]:
    """The browser forgets what it has learnt since 2020."""
    named = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OF_2020})
    yield
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", named)


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_no_script_needs_what_phones_of_2020_do_not_know(script: Path) -> None:
    assert NEWER.findall(script.read_text()) == []


@pytest.mark.usefixtures("old_phone")
def test_a_phone_of_2020_follows_the_game_and_acts(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.open()
    page.run("localStorage.clear()")
    for state in fakehub.STATES.values():
        page.show(state())
    page.show(fakehub.roll_due())
    page.tap("#bar [data-action=roll]")
    for row, face in ((1, 5), (2, 3)):
        page.tap(f"#sheet .faces:nth-child({row}) button:nth-child({face})")
    page.tap("#sheet .main")
    page.write("#door #pin", PIN)
    page.tap("#door form .main")
    assert page.until_acted() == Action("roll", dice=(5, 3))
    page.until("!document.querySelector('.sheet[open]')")
    page.more("position")
    page.until("document.querySelector('#sheet .editor, #sheet.editor .pawn')")
    wide, high = PHONE
    box = page.run("""const box = document.querySelector("#sheet").getBoundingClientRect();
        return [box.left, box.right, box.bottom];""")
    assert box == [0, wide, high]
    page.tap("#sheet .leave")
    page.until("!document.querySelector('#sheet').checkVisibility()")
    assert page.complaints() == []


@pytest.mark.usefixtures("old_phone")
def test_a_quarter_past_midnight_is_no_quarter_past_twenty_four(page: Page) -> None:
    page.driver.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": "en-US"})
    page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "UTC"})
    try:
        page.open()
        midnight = time.time() // 86400 * 86400
        play = PlayLine(1, midnight + 300, None, "note", "The dice are back.")
        page.show(replace(fakehub.roll_due(), plays=(play,)))
        assert page.text("#story time").endswith("00:05")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setLocaleOverride", {})
        page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def instead_of_the_board(spoil: Callable[[], Response | None]) -> Callable[[Flask], object]:
    """One script is answered by `spoil`, as long as that gives an answer."""
    return lambda app: app.before_request(lambda: spoil() if request.path == "/static/board.js" else None)


def styles_of_2020(app: Flask) -> None:
    """A unit that browsers know since 2022 is none."""

    @app.after_request
    def forget(response: Response) -> Response:
        if response.mimetype == "text/css":
            response.direct_passthrough = False
            response.set_data(response.get_data().replace(b"dvh", b"xvh"))
        return response


@pytest.mark.long(but=("size0-330", "size2-550"))
@pytest.mark.parametrize(("size", "least"), [(PHONE, 330), (LYING_PHONE, 240), ((1280, 800), 550)])
def test_the_board_of_an_old_phone_is_as_large_as_of_a_new_one(
    make_page: Callable[..., Page], size: tuple[int, int], least: int
) -> None:
    page = make_page(tamper=styles_of_2020)
    page.open("", size)
    wide, foot = page.run("""return [document.querySelector("#board").getBoundingClientRect().width,
        document.querySelector("#bar").getBoundingClientRect().bottom]""")
    assert wide >= least and foot == size[1]


@pytest.mark.long
def test_a_page_whose_script_got_lost_is_loaded_anew(make_page: Callable[..., Page]) -> None:
    answers = [Response("", 503)]
    page = make_page(tamper=instead_of_the_board(lambda: answers.pop() if answers else None))
    page.driver.get(page.server.url)
    page.until("document.querySelector('#link').checkVisibility()")
    page.until("document.body.classList.contains('ready')")
    assert not page.run("return document.querySelector('#link').checkVisibility()")


@pytest.mark.long
def test_a_browser_that_cannot_read_the_scripts_follows_the_game_and_says_so(
    make_page: Callable[..., Page], hub: fakehub.FakeHub
) -> None:
    page = make_page(tamper=instead_of_the_board(lambda: Response("export class { ??? }", mimetype="text/javascript")))
    page.driver.get(page.server.url)
    page.until("document.querySelector('#old').checkVisibility()")
    assert "too old" in page.text("#old")
    hub.show(fakehub.over())
    page.until("document.querySelector('#headline').textContent === 'Red wins!'")


@pytest.mark.long
def test_a_page_that_began_stays_whatever_else_fails(page: Page) -> None:
    page.open()
    page.run("setTimeout(() => { throw new Error('not ours'); }); window.same = true")
    time.sleep(5)
    assert page.run("return window.same && document.querySelector('#old').hidden")


@pytest.mark.long
@pytest.mark.usefixtures("old_phone")
def test_a_phone_of_2020_sets_up_the_table(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    page.tap("#check")
    page.until("document.querySelector('#health .score')")
    for field, size in (("#width", "400"), ("#height", "300")):
        page.write(field, size)
    page.tap("#photo")
    for i, (x, y) in enumerate([(40, 40), (600, 40), (600, 440), (40, 440)]):
        page.until(f"document.querySelectorAll('#view .corner').length === {i}")
        page.tap_at("#view", x, y)
    page.until("document.querySelector('#asked').textContent.includes('(space 0)')")
    page.tap("#again")
    page.tap("#sheet .main")
    page.until("document.querySelector('#asked').textContent.startsWith('Tap one corner')")
    assert page.complaints() == []
