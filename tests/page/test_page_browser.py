"""The page in a real browser: sizes, day and night, taps that arrive, trouble that shows, a table that is lost."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import fakehub
import pytest
from conftest import PIN

from calibration import parcheesi_board
from companion.model.table import Action, Answer
from companion.page import PageServer, create_app

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium or chromedriver is not installed")

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
SOON = 8.0
PHONE, KIOSK, LARGE = (360, 640), (1024, 600), (1920, 1080)
CONTRASTS = """
const ink = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (node) => {
  for (; node; node = node.parentElement) {
    const color = ink(getComputedStyle(node).backgroundColor);
    if (color.length < 4 || color[3] > 0.99) return color;
  }
  return [255, 255, 255];
};
const texts = [...document.querySelectorAll("h1, h2, h3, p, li, time, button, small, span, b")].filter((node) =>
  node.checkVisibility() && !node.closest(".unseen, .toast, .symbols, .skip") &&
  [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
return texts.map((node) => {
  const [a, b] = [light(ink(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => x - y);
  return [(b + 0.05) / (a + 0.05), node.textContent.trim().slice(0, 30)];
});
"""
SMALL_TARGETS = """
return [...document.querySelectorAll("button, input, a:not(.skip)")].filter((node) => node.checkVisibility())
  .map((node) => [node.closest("label.row") ?? node, node]).map(([box, node]) => [box.getBoundingClientRect(), node])
  .filter(([box]) => box.width < 44 || box.height < 44).map(([box, node]) => node.outerHTML.slice(0, 80));
"""


class Page:
    """A browser at one table, with a fake hub behind it."""

    def __init__(self, driver: Any, server: PageServer, hub: fakehub.FakeHub) -> None:
        self.driver, self.server, self.hub = driver, server, hub

    def open(self, path: str = "", size: tuple[int, int] = PHONE, scheme: str = "light", touch: bool = True) -> None:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": touch}
        scheme_of = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme_of)
        self.driver.get(self.server.url + path)
        self.until("document.body.classList.contains('ready')")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, condition: str) -> None:
        end = time.monotonic() + SOON
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"in vain waited for {condition}"
            time.sleep(0.05)

    def tap(self, selector: str) -> None:
        self.until(f"document.querySelector({selector!r})?.checkVisibility()")
        target = self.driver.find_element("css selector", selector)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", target)
        target.click()

    def write(self, selector: str, text: str) -> None:
        self.driver.find_element("css selector", selector).send_keys(text)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def show(self, view: Any) -> None:
        self.hub.show(view)
        self.until(f"document.body.dataset.version === '{self.hub.view().version}'")

    def complaints(self) -> list[str]:
        """What the browser's log holds against the page."""
        return [line["message"] for line in self.driver.get_log("browser") if line["source"] != "network"]

    def more(self, action: str) -> None:
        self.tap("#bar .more")
        self.tap(f"#sheet [data-action={action}]")

    def until_acted(self) -> Action:
        end = time.monotonic() + SOON
        while not self.hub.actions and time.monotonic() < end:
            time.sleep(0.02)
        return self.hub.actions.pop()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield made
    made.quit()


@pytest.fixture
def make_page(driver: Any, hub: fakehub.FakeHub) -> Iterator[Callable[..., Page]]:
    servers: list[PageServer] = []

    def make(**more: Any) -> Page:
        app = create_app(hub, parcheesi_board.sheet(), parcheesi_board.svg(), **more)
        servers.append(PageServer(app, "127.0.0.1", 0))
        servers[-1].start()
        return Page(driver, servers[-1], hub)

    yield make
    driver.get("about:blank")
    for server in servers:
        server.close()


@pytest.fixture
def page(make_page: Callable[..., Page]) -> Page:
    return make_page()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("path", "size", "touch"),
    [("", PHONE, True), ("kiosk", KIOSK, True), ("kiosk", LARGE, False), ("", (1280, 800), False)],
)
def test_every_state_fits_every_screen(page: Page, path: str, size: tuple[int, int], touch: bool, scheme: str) -> None:
    page.open(path, size, scheme, touch)
    for name, state in fakehub.STATES.items():
        page.show(state())
        page.run("document.getAnimations().forEach((a) => { try { a.finish(); } catch { a.cancel(); } })")
        wide, high = page.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert wide <= size[0], f"{name} scrolls sideways"
        assert path != "kiosk" or high <= size[1], f"{name} scrolls"
        assert page.text("#turn h1") and page.run("return document.querySelector('#headline').textContent")
        faint = [text for ratio, text in page.run(CONTRASTS) if ratio < 4.5]
        assert faint == [], f"{name}: hard to read"
        assert page.run(SMALL_TARGETS) == [], f"{name}: hard to tap"
    assert page.complaints() == []


@pytest.mark.parametrize("state", ["rolloff", "roll", "playing", "over"])
def test_the_essentials_are_on_the_phone_without_scrolling(page: Page, state: str) -> None:
    page.hub.show(fakehub.STATES[state]())
    page.open()
    bar = page.run("return document.querySelector('#bar').getBoundingClientRect().top")
    assert bar <= PHONE[1] - 44
    for part in ("#turn", "#headline", "#board svg"):
        assert page.run("return document.querySelector(arguments[0]).getBoundingClientRect().bottom", part) <= bar, part


@pytest.mark.parametrize("state", sorted(fakehub.STATES))
def test_scripts_draw_what_the_first_paint_drew(page: Page, state: str) -> None:
    page.hub.show(fakehub.STATES[state]())
    page.open()
    drawn = page.run("""
      const places = (pawns, text) => [...pawns].map((g) => text(g).match(/-?[\\d.]+/g).map((v) => Math.round(v * 10)))
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      return fetch("/").then((answer) => answer.text()).then((text) => {
        const first = new DOMParser().parseFromString(text, "text/html").querySelectorAll("#board .pawn");
        return [places(document.querySelectorAll("#board .pawn"), (g) => g.style.transform),
                places(first, (g) => g.getAttribute("transform")), document.querySelector("#spoken").innerText];
      });""")
    assert drawn[0] == drawn[1]
    assert "Green: " in drawn[2]


def test_dice_by_phone_with_the_pin(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.open()
    page.run("localStorage.clear()")
    page.tap("#bar .main")
    page.tap(".faces:nth-child(1) button:nth-child(5)")
    assert page.run("return document.querySelector('#sheet .main').disabled")
    page.tap(".faces:nth-child(2) button:nth-child(3)")
    assert page.text("#sheet .main") == "The dice show 5 and 3"
    page.tap("#sheet .main")
    page.write("#sheet #pin", "1111")
    page.tap("#sheet form .main")
    page.until("document.querySelector('#sheet p.wrong')")
    page.write("#sheet #pin", PIN)
    page.write("#sheet #by", "Ada")
    page.tap("#sheet form .main")
    assert page.until_acted() == Action("roll", "Ada", (5, 3))
    page.until("document.querySelector('#toast').textContent === 'Done.'")
    page.show(fakehub.playing())
    page.tap("#bar [data-action=confirm]")
    assert page.until_acted() == Action("confirm", "Ada")
    assert page.complaints() == []


def test_a_foul_shows_within_seconds(page: Page) -> None:
    page.open()
    page.until("document.querySelector('#trouble').hidden")
    began = time.monotonic()
    page.show(fakehub.illegal())
    assert time.monotonic() - began < 2
    assert "Red counted 5 spaces" in page.text("#trouble") and "PAR-4" in page.text("#trouble")
    assert "The red pawn goes from space 9 to space 4." in page.text("#evidence")
    assert page.run("return document.querySelectorAll('#board .arrows.mend .head').length") == 1
    assert page.run("return document.querySelectorAll('#evidence .shot img').length") == 2
    page.tap("#evidence .chip")
    assert page.run("return document.querySelectorAll('#board .arrows.right .head').length") == 1
    page.show(fakehub.playing())
    assert page.run("return document.querySelector('#trouble').hidden && document.querySelector('#evidence').hidden")


def test_accepting_asks_first(page: Page) -> None:
    page.hub.show(fakehub.illegal())
    page.open()
    page.tap("#bar [data-action=accept]")
    page.tap("#sheet .choices button:nth-child(2)")
    assert page.hub.actions == []
    page.tap("#bar [data-action=accept]")
    page.tap("#sheet .choices .main")
    assert page.until_acted() == Action("accept")


def test_which_roll_was_it(page: Page) -> None:
    page.hub.show(fakehub.unclear())
    page.open()
    page.tap(".roll-choice:nth-child(2)")
    assert page.until_acted() == Action("roll", dice=(4, 4))


def test_correcting_and_new_game(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open()
    page.more("correct")
    page.tap(".faces:nth-child(1) button:nth-child(6)")
    page.tap(".faces:nth-child(2) button:nth-child(6)")
    page.tap("#sheet .main")
    assert page.until_acted() == Action("correct", dice=(6, 6))
    page.more("newgame")
    page.tap("#sheet .chip[data-seat='1']")
    page.tap("#sheet .chip[data-seat='3']")
    page.tap("#sheet .main")
    assert page.until_acted() == Action("newgame", seats=(0, 2))


def test_setting_the_position(page: Page) -> None:
    page.hub.answer = Answer(True, "The position is set.")
    page.open()
    page.more("position")
    page.until("document.querySelectorAll('.editor .pawn').length === 16")
    tap_board(page, "base3")
    tap_board(page, "t51")
    tap_board(page, "t4")
    tap_board(page, "lane0.1")
    page.tap("#sheet .chip[data-seat='2']")
    page.tap("#sheet .choices .main")
    pieces = {**fakehub.STATE["pieces"], "0": [-1, -1, 64, 66], "3": [-1, 0, 30, 71]}  # type: ignore[dict-item]
    assert page.until_acted() == Action("position", state={**fakehub.STATE, "pieces": pieces, "due": 2, "doublets": 0})
    page.until("!document.querySelector('#sheet').open")
    assert page.complaints() == []


def tap_board(page: Page, space: str) -> None:
    """Tap a space of the position editor: its first piece, if any stands there."""
    place = parcheesi_board.sheet().spaces[space]
    x, y = (place.x - 20.28, place.y - 20.28) if place.is_area else (place.x, place.y)
    page.run(
        """const board = document.querySelector(".editor svg");
        const at = new DOMPoint(arguments[0], arguments[1]).matrixTransform(board.getScreenCTM());
        board.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: at.x, clientY: at.y }));""",
        x,
        y,
    )


def test_hints_can_be_turned_off(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open()
    assert page.run("return document.querySelectorAll('#board .hints .ring').length") == 2
    page.tap("#bar .more")
    page.tap("#hints-switch")
    assert page.run("return document.querySelectorAll('#board .hints .ring').length") == 0
    page.run("localStorage.clear()")


def test_pawns_move_and_keep_who_they_are(page: Page) -> None:
    page.open()
    page.run("document.querySelectorAll('#board .pawn').forEach((g, i) => (g.dataset.test = i))")
    before = page.run("return document.querySelectorAll('#board .pawn').length")
    page.show(fakehub.playing())
    assert page.run("return document.querySelectorAll('#board .pawn[data-test]').length") == before


def test_a_lost_connection_shows_and_mends_itself(page: Page, hub: fakehub.FakeHub) -> None:
    page.open()
    page.until("document.querySelector('#link').hidden")
    page.server.close()
    page.until("!document.querySelector('#link').hidden")
    hub.show(fakehub.playing())
    app = create_app(hub, parcheesi_board.sheet(), parcheesi_board.svg())
    again = PageServer(app, "127.0.0.1", page.server.port)
    again.start()
    page.until("document.querySelector('#link').hidden")
    page.until("document.querySelector('#headline').textContent === 'Red, move 3.'")
    again.close()


def test_without_a_place_in_the_stream_it_asks_by_itself(make_page: Callable[..., Page]) -> None:
    page = make_page(most_streams=0)
    page.open()
    page.show(fakehub.illegal())
    assert page.run("return document.querySelector('#link').hidden")


def test_the_kiosk_has_a_keypad_for_the_pin(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.open("kiosk", KIOSK)
    page.run("localStorage.clear()")
    page.show(fakehub.playing())
    page.tap("#bar [data-action=confirm]")
    for digit in PIN:
        page.tap(f".keypad button:nth-child({digit})")
    page.tap("#sheet form .main")
    assert page.until_acted() == Action("confirm")
    page.run("localStorage.clear()")
