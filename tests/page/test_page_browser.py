"""The page in a real browser: sizes, day and night, taps that arrive, trouble that shows, a table that is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import fakehub
import fakesetup
import numpy as np
import pytest
from browser import CONTRASTS, KIOSK, LARGE, LYING_PHONE, PANEL, PHONE, SMALL_PHONE, SMALL_TARGETS, Page
from fakehub import PIN

from calibration import parcheesi_board
from companion.model import DueKind
from companion.model.table import Action, Answer, DeviceView, QuestionView, TroubleView
from companion.page import PageServer, create_app, door


@pytest.mark.long(but=("-size1-True-light", "kiosk-size5-False-light"))
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("path", "size", "touch"),
    [
        ("", PHONE, True),
        ("", SMALL_PHONE, True),
        ("", (1280, 800), False),
        ("kiosk", KIOSK, True),
        ("kiosk", PANEL, True),
        ("kiosk", LARGE, False),
    ],
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


@pytest.mark.long(but=("kiosk-size0", "-size3"))
@pytest.mark.parametrize(("path", "size"), [("kiosk", PANEL), ("kiosk", LARGE), ("", SMALL_PHONE), ("", LYING_PHONE)])
def test_no_player_is_written_over_another(page: Page, path: str, size: tuple[int, int]) -> None:
    page.open(path, size)
    for name in ("roll", "setup"):
        page.show(fakehub.STATES[name]())
        cut = page.run("""return [...document.querySelectorAll("#players li")].filter((li) => li.checkVisibility())
          .filter((li) => li.scrollWidth > li.clientWidth).map((li) => li.textContent)""")
        assert cut == [], name


OVER_OTHERS = """const apart = ({ bottom, right }, { top, left }) => bottom <= top + 1 || right <= left + 1;
const boxes = [...document.querySelectorAll("#players li")].flatMap((li) => [...li.children].map((node) => {
  const range = document.createRange(), [own, around] = [node, li].map((one) => one.getBoundingClientRect());
  range.selectNodeContents(node);
  const wide = getComputedStyle(node).overflowX === "hidden" ? own.right : range.getBoundingClientRect().right;
  return { top: own.top, left: own.left, bottom: own.bottom, right: wide, words: node.textContent, end: around.right };
}));
return boxes.filter((one, i) => one.right > one.end + 1
  || boxes.some((other, j) => i < j && !apart(one, other) && !apart(other, one))).map(({ words }) => words);"""
"""What of the players' list lies over another part of it, or reaches out of its own row."""


@pytest.mark.long(but=("-size0-Ann", "kiosk-size5-long"))
@pytest.mark.parametrize("member", ["", "Ann", "Maximiliana-Josephine von Hohenstein"], ids=["none", "Ann", "long"])
@pytest.mark.parametrize(
    ("path", "size"),
    [("", PHONE), ("", (390, 844)), ("", (600, 960)), ("", (768, 1024)), ("", LYING_PHONE), ("kiosk", KIOSK)],
)
def test_a_long_name_of_a_seat_leaves_the_next_one_alone(
    page: Page, path: str, size: tuple[int, int], member: str
) -> None:
    long = tuple(replace(seat, name="wolfeschlegelste", member=member) for seat in fakehub.seats())
    page.hub.show(replace(fakehub.playing(), seats=long))
    page.open(path, size)
    assert page.run(OVER_OTHERS) == []
    names = "return [...document.querySelectorAll('#players bdi')].map((one) => one.getBoundingClientRect().width)"
    assert min(page.run(names)) > 25, "the first letters tell who it is"


@pytest.mark.long(but=("-size0", "kiosk-size3"))
@pytest.mark.parametrize(("path", "size"), [("", PHONE), ("", LYING_PHONE), ("kiosk", KIOSK), ("kiosk", LARGE)])
def test_a_long_name_of_a_player_costs_the_seat_s_name_nothing(page: Page, path: str, size: tuple[int, int]) -> None:
    page.hub.show(replace(fakehub.setting_up(), trouble=None))
    page.open(path, size)
    cut = """return [...document.querySelectorAll("#players bdi:not(.member)")].map((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().width - node.getBoundingClientRect().width;
    })"""
    assert max(page.run(cut)) <= 0.01, "the least of it would be shown as three dots"


def test_an_answer_that_was_long_on_its_way_does_not_take_the_page_back(page: Page) -> None:
    """A phone on a slow network: what it asked for comes after what the stream brought."""
    page.open()
    page.run("""window.usual = window.fetch;
        window.fetch = async (...how) => {
          const answer = await window.usual(...how);
          await new Promise((go) => (window.let_go = go));
          return answer;
        };
        document.dispatchEvent(new Event("visibilitychange"));""")
    page.hub.show(fakehub.playing())
    page.run("document.dispatchEvent(new Event('visibilitychange'))")
    page.until("window.let_go")
    page.show(fakehub.over())
    page.run("window.let_go()")
    time.sleep(0.5)
    assert page.text("#headline") == "Red wins!" and page.complaints() == []


def test_a_phone_that_wakes_asks_at_once_whether_its_stream_is_alive(page: Page) -> None:
    page.open()
    page.run("""window.asked = [];
        window.fetch = (address) => (window.asked.push(address), Promise.reject(new TypeError()));""")
    time.sleep(0.5)
    assert page.run("return window.asked") == []
    page.run("document.dispatchEvent(new Event('visibilitychange'))")
    page.until("window.asked.includes('/api/view') && document.querySelector('#link').checkVisibility()")


def test_a_phone_that_slept_is_streamed_to_anew(page: Page) -> None:
    """An answer tells that the table is there, not that the stream is: that hung, and a foul came a quarter of a minute
    late. Who only looked away for a moment keeps it."""
    page.open()
    page.until("performance.getEntriesByType('resource').length")
    page.run("""window.streams = 0;
        const Usual = window.EventSource;
        window.EventSource = class extends Usual { constructor(...how) { super(...how); window.streams += 1; } };
        window.sleep = (hidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
          document.dispatchEvent(new Event("visibilitychange"));
        };
        window.sleep(true);""")
    page.run("window.sleep(false)")
    time.sleep(0.3)
    assert page.run("return window.streams") == 0
    page.run("window.sleep(true); const now = Date.now(); Date.now = () => now + 5000; window.sleep(false);")
    page.until("window.streams === 1")
    page.show(fakehub.over())
    assert page.text("#headline") == "Red wins!" and page.complaints() == []


CUT = """return [...document.querySelectorAll(arguments[0])].filter((node) => {
  const [box, frame] = [node.getBoundingClientRect(), document.querySelector(arguments[1]).getBoundingClientRect()];
  return !node.checkVisibility() || box.height < 10 || node.scrollWidth > node.clientWidth + 1
    || node.scrollHeight > node.clientHeight + 1 || box.top < frame.top || box.bottom > frame.bottom + 1;
}).map((node) => node.textContent)"""
"""What of arguments[0] is hidden, cut short, or reaches out of arguments[1]."""
LINES = """const range = document.createRange(), name = document.querySelector("#turn h1").childNodes[1];
range.selectNodeContents(name);
return [name.textContent, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];"""
FRAMES = """
const light = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
return [...document.querySelectorAll("#width, #kind")].flatMap((node) => {
  const [own, around] = [getComputedStyle(node), getComputedStyle(node.closest(".step"))];
  return [own.backgroundColor, around.backgroundColor].map((ground) => {
    const [a, b] = [light(own.borderColor), light(ground)].sort((x, y) => x - y);
    return (b + 0.05) / (a + 0.05);
  });
});"""
"""How the frame of a field stands out, inwards and outwards."""
LONG_NAME = "Maximiliana-Josephine von Hohenstein"


@pytest.mark.long(but=("-size0", "kiosk-size4"))
@pytest.mark.parametrize(
    ("path", "size"),
    [("", (160, 284)), ("", (195, 422)), ("", (256, 455)), ("", SMALL_PHONE), ("kiosk", (640, 400))],
)
def test_whose_turn_it_is_stays_whole_beside_two_dice(page: Page, path: str, size: tuple[int, int]) -> None:
    """The smallest are phones whose reader enlarged the page: to such a page the screen is smaller."""
    page.hub.show(replace(fakehub.playing(), due=2, roll=(4, 1), left=(4, 1)))
    page.open(path, size)
    assert page.run(LINES) == ["Yellow", 1]
    assert page.run(CUT, "#turn h1", "#turn") == []
    assert page.run("return document.querySelectorAll('#turn .die').length") == 2
    assert page.run("return document.documentElement.scrollWidth") == size[0]
    assert page.run("return document.querySelector('#bar').getBoundingClientRect().height") < size[1] / 4
    assert page.run(SMALL_TARGETS) == []


@pytest.mark.parametrize("size", [(160, 284), (195, 422), (311, 550), SMALL_PHONE])
def test_all_faces_of_a_die_are_seen_however_narrow_the_page_is(page: Page, size: tuple[int, int]) -> None:
    page.open("", size)
    page.tap("#bar [data-action=roll]")
    ends = page.run("""return [...document.querySelectorAll("#sheet .faces button")]
      .map((face) => face.getBoundingClientRect().right)""")
    assert len(ends) == 12 and max(ends) <= size[0]
    assert page.run("const sheet = document.querySelector('#sheet'); return sheet.scrollWidth - sheet.clientWidth") <= 0
    assert page.run(SMALL_TARGETS) == []


def test_players_and_devices_are_seen_beside_what_is_wrong(page: Page) -> None:
    page.hub.show(fakehub.illegal())
    page.open("kiosk", (1280, 800))
    assert page.run(CUT, "#players li, #devices li, .pictures img", "#table") == []


def test_names_are_read_on_a_small_panel(page: Page) -> None:
    names = (LONG_NAME, "Bartholomew", "Ann", "Wilhelmina")
    named = tuple(replace(seat, member=name) for seat, name in zip(fakehub.seats(), names, strict=True))
    page.hub.show(replace(fakehub.roll_off(), due=0, seats=named))
    page.open("kiosk", PANEL)
    assert page.text("#turn h1").endswith(LONG_NAME) and page.run(CUT, "#turn h1", "#turn") == []
    assert page.run(CUT, "#players li:not(:first-child) .member, #devices li", "#table") == []
    wide = "return document.querySelector('#players .member').getBoundingClientRect().width"
    assert page.run(wide) > 100, "the first letters tell who it is"


def test_what_an_enlarged_kiosk_does_not_hold_is_scrolled_to(page: Page) -> None:
    long = DeviceView("lamps", "off", "none are configured: the page shows whose turn it is")
    named = tuple(replace(seat, member=LONG_NAME) for seat in fakehub.seats())
    camera, dice, _, journal = fakehub.devices()
    page.hub.show(replace(fakehub.roll_off(), devices=(camera, dice, long, journal), seats=named))
    page.open("kiosk", (640, 400))
    stuck = """return [...document.querySelectorAll("main, main *, body")].filter((node) => node.contains(arguments[0]))
      .filter((node) => node.scrollHeight > node.clientHeight + 1 && getComputedStyle(node).overflowY !== "auto")
      .map((node) => node.className)"""
    assert page.run(stuck, page.driver.find_element("css selector", "#devices li:last-child")) == []
    page.run("document.querySelector('#devices li:last-child').scrollIntoView()")
    assert page.run(CUT, "#devices li:last-child", "#table") == []


@pytest.mark.long(but=("size0", "size2"))
@pytest.mark.parametrize("size", [(600, 1024), (480, 800), (1080, 1920)])
def test_a_kiosk_that_stands_upright_has_the_board_above_the_words(
    make_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/", setup=fakesetup.FakeSetUp())
    page.open("kiosk", size)
    for name, state in fakehub.STATES.items():
        page.show(state())
        board, turn, code, bar = page.run("""return ["#board svg", "#turn", ".join", "#bar"]
          .map((part) => document.querySelector(part).getBoundingClientRect()).map((box) => box.toJSON())""")
        assert board["bottom"] <= turn["top"] and board["width"] >= 0.65 * size[0], name
        assert code["bottom"] <= bar["top"] and bar["bottom"] <= size[1], name
        assert page.run("return document.documentElement.scrollHeight") <= size[1], name
        over = """const join = document.querySelector(".join"), box = join.getBoundingClientRect();
          return [...document.querySelectorAll("#players li, #devices li, #evidence li, #headline, #trouble")]
            .filter((node) => join.checkVisibility() && node.checkVisibility()).filter((node) => {
              const range = document.createRange();
              range.selectNodeContents(node);
              return [...range.getClientRects()].some((one) => one.bottom > box.top + 1 && one.right > box.left + 1);
            }).map((node) => node.textContent)"""
        assert page.run(over) == [], f"{name}: written over the code"


@pytest.mark.parametrize("size", [(600, 1024), (1080, 1920)])
def test_the_pictures_are_seen_on_a_tall_kiosk(page: Page, size: tuple[int, int]) -> None:
    page.hub.show(fakehub.illegal())
    page.open("kiosk", size)
    assert page.run(CUT, "#evidence li, #evidence .chip, .pictures img", "#table") == []
    rim = """const [dot, all] = [".mending .dot", "#evidence"].map((part) => document.querySelector(part));
      return dot.getBoundingClientRect().left - all.getBoundingClientRect().left"""
    assert page.run(rim) >= 1, "the rim of a dot is cut off"
    page.show(fakehub.setting_up())
    assert page.run(CUT, "#evidence li", "#evidence") == []


def test_nothing_is_drawn_under_the_buttons_of_a_small_kiosk(make_page: Callable[..., Page]) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/", setup=fakesetup.FakeSetUp())
    page.hub.show(fakehub.lost())
    page.open("kiosk", PANEL)
    under = """const top = document.querySelector("#bar").getBoundingClientRect().top;
      return [...document.querySelectorAll("#table > *, .join *")].filter((node) => node.checkVisibility())
        .filter((node) => node.getBoundingClientRect().bottom > top && !node.matches("#board, .unseen"))
        .map((node) => node.className)"""
    assert page.run(under) == []
    assert page.run(CUT, "#trouble button, #players li", "#table") == []


@pytest.mark.long(but=("dark",))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_chosen_is_seen_in_colours_of_ones_own(make_page: Callable[..., Page], scheme: str) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/")
    page.open("kiosk", KIOSK)
    features = [{"name": "forced-colors", "value": "active"}, {"name": "prefers-color-scheme", "value": scheme}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    page.more("newgame")
    look = """const node = document.querySelector(arguments[0]), style = getComputedStyle(node);
      return [style.backgroundColor, style.color];"""
    page.tap("#sheet .playing [data-seat='1']")
    page.run("document.activeElement.blur()")
    chosen = page.run(look, "#sheet .playing [data-seat='0']")
    assert chosen != page.run(look, "#sheet .playing [data-seat='1']")
    code = """const code = document.querySelector(".code"), ink = getComputedStyle(code.querySelector("path")).stroke;
      return [getComputedStyle(code).backgroundColor, ink]"""
    assert page.run(code) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"], "a camera reads it"
    badges = "return [...document.querySelectorAll('.players .badge')].map((b) => getComputedStyle(b).backgroundColor)"
    assert len(set(page.run(badges))) == 4
    lines = "return [...document.querySelectorAll('.players li')].map((li) => getComputedStyle(li).borderBottomColor)"
    due, *others = page.run(lines)
    assert due not in others and len(set(others)) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_where_to_write_is_seen(make_page: Callable[..., Page], scheme: str) -> None:
    page = make_page(setup=fakesetup.FakeSetUp())
    page.open("setup", scheme=scheme)
    ratios = page.run(FRAMES)
    assert ratios and min(ratios) >= 3, "WCAG 2 asks for 3 of what is not text"


def test_the_code_to_join_is_never_cut_off(make_page: Callable[..., Page]) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/")
    page.open("kiosk", PANEL)
    long = DeviceView("camera", "off", "no camera: the board is set by hand, and nobody looks at it")
    named = tuple(replace(seat, member="Bartholomew Maximilian") for seat in fakehub.seats())
    page.show(replace(fakehub.roll_off(), devices=(long, *fakehub.devices()[1:]), seats=named))
    code, bar = page.run("""return [".code", "#bar"].map((part) => document.querySelector(part).getBoundingClientRect())
      .map(({ top, bottom }) => [top, bottom])""")
    assert code[1] <= bar[0] and code[1] - code[0] >= 60


LOST_DEVICES = (
    DeviceView("camera", "warn", "no pictures from http://192.168.1.30:8080: is that camera on, and on this network?"),
    DeviceView("dice", "off", "by phone"),
    DeviceView("lamps", "off", "none are configured: the page shows whose turn it is"),
    DeviceView("journal", "ok", "written"),
)
LONG_LOSS = "The camera gives no pictures any more: is it plugged in? Meanwhile use “Set the position”."
WAYS_TO_JOIN = """
const [main, bar] = ["#table", "#bar"].map((part) => document.querySelector(part).getBoundingClientRect());
const within = (box, { left, top, right, bottom }) =>
  box.left >= left - 1 && box.top >= top - 1 && box.right <= right + 1 && box.bottom <= bottom + 1;
return [...document.querySelectorAll(".code, .address")].filter((node) => node.checkVisibility()).filter((node) => {
  const box = node.getBoundingClientRect(), around = node.closest("#evidence")?.getBoundingClientRect() ?? main;
  return box.height > 10 && within(box, main) && within(box, around) && box.bottom <= bar.top;
}).map(({ className }) => className)"""


@pytest.mark.long(but=("size0",))
@pytest.mark.parametrize("size", [PANEL, KIOSK, (1280, 800), LARGE, (600, 1024)])
def test_the_way_to_join_is_seen_in_every_state(make_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/", setup=fakesetup.FakeSetUp())
    page.open("kiosk", size)
    loss = replace(fakehub.lost(), trouble=TroubleView("lost", LONG_LOSS), devices=LOST_DEVICES)
    for name, view in (*((name, state()) for name, state in fakehub.STATES.items()), ("no camera", loss)):
        page.show(view)
        assert page.run(WAYS_TO_JOIN) != [], name


@pytest.mark.parametrize("size", [PANEL, KIOSK])
def test_beside_a_board_that_cannot_be_seen_players_and_devices_are_read(
    make_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/", setup=fakesetup.FakeSetUp())
    page.hub.show(replace(fakehub.lost(), trouble=TroubleView("lost", LONG_LOSS), devices=LOST_DEVICES))
    page.open("kiosk", size)
    assert page.run(CUT, "#trouble button, #players li, #devices li", "#table") == []
    assert page.run(CUT, "#devices li", "#devices") == []


def test_beside_a_board_that_cannot_be_seen_a_small_panel_says_what_is_due(make_page: Callable[..., Page]) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/", setup=fakesetup.FakeSetUp())
    page.open("kiosk", PANEL)
    for due in ("Red, roll the dice.", "Red, please put the pawns back, or say “Done” if you play so after all."):
        page.show(replace(fakehub.lost(), headline=due))
        assert page.text("#headline") == due
        assert page.run(CUT, "#headline, #trouble .what, #trouble button, #players li", "#table") == []
        assert page.run(SMALL_TARGETS) == []


def test_what_would_be_right_is_read_above_the_pictures_where_two_pieces_are_to_be_put_back(page: Page) -> None:
    """They lay over it on a small panel, and the heading stood above them as if they were what it meant."""
    foul = fakehub.illegal()
    assert foul.trouble is not None
    text = "Red's pawn moved 4 spaces, but of the roll only 6 is left."
    rules = (("PAR-4", "Each die moves a pawn forward by exactly its number; one pawn may take both, one by one."),)
    two, legal = ((0, "t15", "t11"), (0, "t16", "t12")), ((("t11", "t15"), ("t15", "t21")), (("t12", "t16"),))
    page.hub.pictures = {str(name): fakesetup.picture(90) for name in (foul.trouble.before, foul.trouble.after)}
    page.hub.show(replace(foul, trouble=replace(foul.trouble, text=text, rules=rules, put_right=two, legal=legal)))
    page.open("kiosk", PANEL)
    page.until("[...document.querySelectorAll('.pictures img')].every((one) => one.naturalWidth)")
    chip, pictures = page.run("""return ["#evidence .chip", ".pictures"]
      .map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
    assert chip[1] <= pictures[0]


@pytest.mark.long(but=("size0", "size4"))
@pytest.mark.parametrize("size", [PANEL, KIOSK, (1280, 800), LARGE, (600, 1024)])
def test_the_pictures_show_all_that_the_camera_saw(make_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = make_page(address=lambda: "http://192.168.1.20:8000/", setup=fakesetup.FakeSetUp())
    foul = fakehub.illegal()
    assert foul.trouble is not None
    page.hub.pictures = {str(name): fakesetup.picture(90) for name in (foul.trouble.before, foul.trouble.after)}
    page.hub.show(foul)
    page.open("kiosk", size)
    page.until("[...document.querySelectorAll('.pictures img')].every((one) => one.naturalWidth)")
    assert page.run(CUT, ".pictures img, .pictures figure:not(.with-code) figcaption", "#evidence") == []
    assert page.run(CUT, "#evidence", "#table") == []
    fits = "return [...document.querySelectorAll('.pictures img')].map((one) => getComputedStyle(one).objectFit)"
    assert page.run(fits) == ["contain", "contain"]


def test_on_a_phone_that_lies_the_board_is_seen_whole(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open("", LYING_PHONE)
    turn, board, bar = page.run("""return ["#turn", "#board svg", "#bar"]
      .map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
    assert turn[1] <= board[0] and board[1] <= bar[0]
    assert board[1] - board[0] >= 240


def test_a_position_is_set_above_the_bar_of_the_phone_wherever_its_sheet_is_scrolled_to(page: Page) -> None:
    """The button stood on the bar, where a tap goes to the phone, until all was scrolled up."""
    page.open("", (320, 420))
    page.driver.execute_cdp_cmd("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": 34}})
    page.more("position")
    page.until("document.querySelector('#sheet .choices .main')")
    bottom = "return document.querySelector('#sheet .choices .main').getBoundingClientRect().bottom"
    scrolled = "const sheet = document.querySelector('#sheet'); sheet.scrollTop = 999; return sheet.scrollTop"
    ends = page.run(bottom), page.run(scrolled), page.run(bottom)
    page.driver.execute_cdp_cmd("Emulation.setSafeAreaInsetsOverride", {"insets": {}})
    assert ends[1] > 40 and ends[0] == pytest.approx(ends[2], abs=2) and ends[0] <= 420 - 34


@pytest.mark.parametrize("path", ["", "setup"])
def test_beside_the_camera_of_a_phone_that_lies_all_is_seen(make_page: Callable[..., Page], path: str) -> None:
    """Whose turn it is, and an edge of the board, lay under it."""
    page = make_page(setup=fakesetup.FakeSetUp())
    page.hub.show(fakehub.playing())
    insets = {"left": 47, "right": 47, "bottom": 21}
    page.driver.execute_cdp_cmd("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    page.open(path, LYING_PHONE)
    boxes = page.run("""return [...document.querySelectorAll("h1, h2, p, button, .badge, .die, li, #board svg")]
      .filter((node) => node.checkVisibility() && !node.closest(".unseen, .toast"))
      .map((node) => node.getBoundingClientRect()).map(({ left, right }) => [left, right])""")
    under = "return document.querySelector('#board svg')?.getBoundingClientRect().bottom ?? 0"
    bar = "return document.querySelector('#bar')?.getBoundingClientRect().top ?? 0"
    covered = page.run(under) - page.run(bar)
    page.driver.execute_cdp_cmd("Emulation.setSafeAreaInsetsOverride", {"insets": {}})
    assert len(boxes) > 5 and min(box[0] for box in boxes) >= 47
    assert max(box[1] for box in boxes) <= LYING_PHONE[0] - 47 and covered <= 0


@pytest.mark.long(but=("kiosk-size0", "-size3"))
@pytest.mark.parametrize(("path", "size"), [("kiosk", PANEL), ("kiosk", LARGE), ("", LYING_PHONE), ("", SMALL_PHONE)])
def test_the_position_is_set_within_its_own_sheet(page: Page, path: str, size: tuple[int, int]) -> None:
    page.hub.show(fakehub.playing())
    page.open(path, size)
    page.more("position")
    page.until("document.querySelector('#sheet .board svg')")
    sheet, board, button = page.run("""return ["#sheet", "#sheet .board", "#sheet .choices"]
      .map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
    assert sheet[0] < board[0] and board[1] <= button[0]


def test_nothing_comes_out_below_the_button_of_a_sheet_on_a_phone_with_a_bar_of_its_own(page: Page) -> None:
    """What was scrolled under it did, a strip as high as the bar of the phone."""
    page.open("", (320, 420))
    page.driver.execute_cdp_cmd("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": 34}})
    page.more("newgame")
    page.until("document.querySelector('#sheet').scrollHeight > document.querySelector('#sheet').clientHeight + 40")
    page.run("document.querySelector('#sheet').scrollTop = 20")
    bottom = page.run("return document.querySelector('#sheet .main').getBoundingClientRect().bottom")
    shot = np.frombuffer(page.driver.get_screenshot_as_png(), np.uint8)
    page.driver.execute_cdp_cmd("Emulation.setSafeAreaInsetsOverride", {"insets": {}})
    below = cv2.imdecode(shot, cv2.IMREAD_COLOR)[round(bottom) + 2 :, 20:300]
    assert len(below) > 40 and np.ptp(below, axis=(0, 1)).max() == 0


@pytest.mark.long(but=("kiosk-size1",))
@pytest.mark.parametrize(("path", "size"), [("", PHONE), ("kiosk", KIOSK)])
def test_letters_that_reach_below_the_line_are_seen_in_the_header(page: Page, path: str, size: tuple[int, int]) -> None:
    named = tuple(replace(seat, name="gypsy", member="Jqgy") for seat in fakehub.seats())
    page.hub.show(replace(fakehub.playing(), seats=named))
    page.open(path, size)
    below = """const end = document.querySelector("#turn h1").getBoundingClientRect().bottom;
      return [...document.querySelectorAll("#turn h1 bdi")].map((one) => one.getBoundingClientRect().bottom - end)"""
    assert max(page.run(below)) <= 0


@pytest.mark.long(but=("size0", "size2"))
@pytest.mark.parametrize("size", [PHONE, (390, 844), LYING_PHONE])
def test_the_button_of_a_new_game_keeps_off_who_begins(page: Page, size: tuple[int, int]) -> None:
    page.open("", size)
    page.more("newgame")
    gap = """const [chip, main] = ["#sheet .chips:not(.playing) .chip:last-child", "#sheet .main"]
      .map((one) => document.querySelector(one).getBoundingClientRect());
    return main.top - chip.bottom"""
    assert page.run(gap) >= 8


FLAKES = "return document.querySelectorAll('.flake').length > 0"


def test_a_game_that_is_won_is_celebrated_once(page: Page) -> None:
    won = fakehub.over()
    page.hub.show(won)
    page.open()
    page.run("localStorage.clear()")
    page.open()
    assert page.run(FLAKES)
    page.open()
    assert not page.run(FLAKES), "it was seen already"
    page.show(fakehub.playing())
    page.show(replace(won, plays=(replace(won.plays[0], number=99), *won.plays)))
    assert page.run(FLAKES), "another game"


def test_no_letters_of_a_kiosk_are_too_small_to_read(page: Page) -> None:
    page.open("kiosk", KIOSK)
    small = """return [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility())
      .filter((node) => !node.closest("svg, .unseen, .skip") && parseFloat(getComputedStyle(node).fontSize) < 12)
      .map((node) => node.outerHTML.slice(0, 80))"""
    for name, state in fakehub.STATES.items():
        page.show(state())
        assert page.run(small) == [], name


def test_on_a_television_all_is_as_large_as_on_a_screen_of_half_as_many_dots(page: Page) -> None:
    """People sit as far from it; Chromium on a Pi does not enlarge it."""
    page.hub.show(fakehub.playing())
    sizes = []
    for size in (LARGE, (3840, 2160)):
        page.open("kiosk", size)
        page.tap("#bar .more")
        sizes.append(page.run("""return ["#headline", "#story .die", ".join .code", "#sheet"].map((what) => {
          const node = document.querySelector(what);
          const { fontSize } = getComputedStyle(node);
          return what === "#headline" ? parseFloat(fontSize) : node.getBoundingClientRect().width;
        })"""))
    assert all(large >= 1.9 * small for small, large in zip(*sizes, strict=True)), sizes


def test_the_keypad_is_seen_whole_on_a_small_screen(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.open("kiosk", PANEL)
    page.run("localStorage.clear()")
    page.show(fakehub.playing())
    page.tap("#bar [data-action=confirm]")
    page.until("document.querySelector('#door form .main')")
    assert page.run("return document.querySelector('#door form .main').getBoundingClientRect().bottom") <= PANEL[1]


@pytest.mark.long(but=("rolloff", "over"))
@pytest.mark.parametrize("state", ["rolloff", "roll", "playing", "over"])
def test_the_essentials_are_on_the_phone_without_scrolling(page: Page, state: str) -> None:
    page.hub.show(fakehub.STATES[state]())
    page.open()
    bar = page.run("return document.querySelector('#bar').getBoundingClientRect().top")
    assert bar <= PHONE[1] - 44
    for part in ("#turn", "#headline", "#board svg"):
        assert page.run("return document.querySelector(arguments[0]).getBoundingClientRect().bottom", part) <= bar, part


@pytest.mark.long(but=("illegal", "unclear"))
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


def test_dice_that_another_player_threw_are_not_shown_as_whose_turn_it_is(page: Page) -> None:
    """Yellow had moved before rolling, and beside Yellow's name stood what Blue had rolled."""
    page.hub.show(replace(fakehub.illegal(), due=2, due_kind=DueKind.ROLL, left=(), headline="Yellow, roll the dice."))
    page.open()
    assert page.run("return document.querySelectorAll('#turn .roll > *').length") == 0
    page.show(fakehub.illegal())
    assert page.run("return document.querySelectorAll('#turn .roll > *').length") == 2


def test_scripts_name_the_circle_of_a_seat_that_does_not_play_as_the_first_paint_does(page: Page) -> None:
    stray = {**fakehub.playing().position, "base3.1": (0,)}
    page.hub.show(replace(fakehub.playing(), seats=fakehub.seats()[:2], position=stray))
    page.open()
    drawn = page.run("return document.querySelector('#spoken').innerText")
    first = page.run("""return fetch("/").then((answer) => answer.text()).then((text) =>
      new DOMParser().parseFromString(text, "text/html").querySelector("#spoken").textContent)""")
    assert "on the blue circle" in drawn and "on the blue circle" in first


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
    page.write("#door #pin", "1111")
    page.tap("#door form .main")
    page.until("document.querySelector('#door p.wrong')")
    page.write("#door #pin", PIN)
    page.write("#door #by", "Ada")
    page.tap("#door form .main")
    assert page.until_acted() == Action("roll", "Ada", (5, 3))
    page.until("document.querySelector('#toast').textContent === 'Done.'")
    page.show(fakehub.playing())
    page.tap("#bar [data-action=confirm]")
    assert page.until_acted() == Action("confirm", "Ada")
    assert page.complaints() == []


def knock(page: Page, pin: str) -> None:
    page.until("document.querySelector('#door').open && !document.querySelector('#pin').value")
    page.write("#door #pin", pin)
    page.tap("#door form .main")


@pytest.mark.parametrize("actions", [("roll",), ("roll", "correct")])
def test_dice_that_were_told_already_are_corrected_and_never_thrown_for_the_next(
    page: Page, actions: tuple[str, ...]
) -> None:
    trouble = TroubleView("unclear", "Which of them counts?", rolls=((4, 6), (4, 5)), told=True)
    page.hub.show(replace(fakehub.roll_due(), trouble=trouble, actions=actions))
    page.open()
    buttons = page.run("return document.querySelectorAll('.roll-choice').length")
    assert buttons == (2 if "correct" in actions else 0)
    if buttons:
        page.tap(".roll-choice:last-child")
        assert page.until_acted() == Action("correct", dice=(4, 5), by="phone")


def test_a_pin_that_is_being_entered_is_not_asked_for_once_more(make_page: Callable[..., Page]) -> None:
    """The question that came up meanwhile emptied the field, and what had been pressed before was forgotten."""
    page = make_page(pin=PIN)
    page.hub.card = QuestionView("How many legs has a spider?", "Eight", ("Six", "Eight"))
    page.open()
    page.run("localStorage.clear(); localStorage.setItem('seat', '3')")
    page.hub.show(replace(fakehub.playing(), actions=("confirm", "takeback")))
    page.open()
    page.tap("#bar [data-action=takeback]")
    page.write("#pin", PIN[:2])
    asked = {"due": 0, "due_kind": DueKind.QUESTION, "reader": 3, "deck": True, "dice": (), "actions": ("answer",)}
    for headline in ("Blue, read a question to red.", "Blue, read it to red, please."):
        page.show(replace(fakehub.playing(), headline=headline, **asked))
    assert page.run("return document.querySelector('#pin').value") == PIN[:2]
    page.run(f"document.querySelector('#pin').value = '{PIN}'")
    page.tap("#door form .main")
    assert page.until_acted().name == "takeback"
    page.until("document.querySelector('#card .question')")
    assert page.complaints() == []


def test_whoever_waits_for_the_pin_is_not_turned_away_by_a_wrong_one(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.hub.card = QuestionView("How many legs has a spider?", "Eight", ("Six", "Eight"))
    page.open()
    page.run("localStorage.clear(); localStorage.setItem('seat', '3')")
    asked = {"due": 0, "due_kind": DueKind.QUESTION, "reader": 3, "deck": True, "dice": (), "actions": ("takeback",)}
    page.hub.show(replace(fakehub.playing(), headline="Blue, read a question to red.", **asked))
    page.open()
    page.until("document.querySelector('#door').open")
    page.run("document.querySelector('#bar [data-action=takeback]').click()")
    knock(page, "1111")
    page.until("document.querySelector('#door p.wrong')")
    knock(page, PIN)
    assert page.until_acted().name == "takeback"
    page.until("document.querySelector('#card .question')")


def test_on_a_phone_that_is_full_the_pin_that_was_entered_last_counts(make_page: Callable[..., Page]) -> None:
    """The one of the last evening could not be overwritten, and was sent for ever."""
    page = make_page(pin=PIN)
    page.hub.show(replace(fakehub.playing(), actions=("confirm", "takeback")))
    page.open()
    page.run("localStorage.clear(); localStorage.setItem('pin', '1111')")
    page.open()
    page.run("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    page.tap("#bar [data-action=takeback]")
    knock(page, PIN)
    assert page.until_acted().name == "takeback"


@pytest.mark.long
@pytest.mark.parametrize(("path", "size"), [("", PHONE), ("kiosk", KIOSK)])
def test_a_pin_that_was_set_while_the_page_is_open_can_be_entered(
    make_page: Callable[..., Page], path: str, size: tuple[int, int]
) -> None:
    page = make_page()
    page.hub.show(fakehub.playing())
    page.open(path, size)
    page.run("localStorage.clear()")
    page.server.close()
    page.until("!document.querySelector('#link').hidden")
    app = create_app(page.hub, parcheesi_board.sheet(), parcheesi_board.svg(), PIN)
    again = PageServer(app, "127.0.0.1", page.server.port)
    again.start()
    page.until("document.querySelector('#link').hidden")
    page.tap("#bar [data-action=confirm]")
    page.until("document.querySelector('#door').open")
    assert "asked only once" in page.text("#door")
    assert page.run("return Boolean(document.querySelector('.keypad'))") == bool(path)
    knock(page, PIN)
    assert page.until_acted().name == "confirm"
    again.close()


@pytest.mark.long
def test_after_many_wrong_pins_the_right_one_is_taken_when_the_wait_is_over(
    make_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(pin=PIN)
    clock = stop_the_clock(page, monkeypatch)
    page.open()
    page.run("localStorage.clear()")
    throw(page)
    for _ in range(door.FREE_TRIES):
        knock(page, "1111")
    knock(page, "1111")
    page.until("document.querySelector('#door p.wrong')?.textContent.startsWith('Too many wrong PINs. Please wait')")
    clock[0] += door.LONGEST_WAIT
    knock(page, PIN)
    assert page.until_acted() == Action("roll", dice=(5, 3))
    page.run("localStorage.clear()")


def stop_the_clock(page: Page, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The door's time, to be put on: a slow machine may take longer than any wait that a test would sit through."""
    now = [0.0]
    monkeypatch.setattr(page.server.app.extensions["companion.door"], "_clock", lambda: now[0])
    return now


def throw(page: Page) -> None:
    """Enter 5 and 3."""
    page.tap("#bar .main")
    page.tap(".faces:nth-child(1) button:nth-child(5)")
    page.tap(".faces:nth-child(2) button:nth-child(3)")
    page.tap("#sheet .main")


@pytest.mark.long
def test_what_was_entered_stays_when_it_is_refused(page: Page) -> None:
    page.hub.answer = Answer(False, "Not now.")
    page.open()
    throw(page)
    page.until("document.querySelector('#sheet #toast.shown.wrong')")
    assert page.text("#sheet .main") == "The dice show 5 and 3"
    page.hub.answer = Answer(True, "Done.")
    page.tap("#sheet .main")
    page.until("!document.querySelector('#sheet').open && document.querySelector('#toast.shown')")
    page.hub.show(fakehub.over())
    page.more("newgame")
    page.tap("#sheet .chip[data-seat='1']")
    page.hub.actions.clear()
    page.server.close()
    page.tap("#sheet .main")
    page.until("document.querySelector('#sheet #toast').textContent.startsWith('The referee cannot be reached')")
    assert page.text("#sheet .main") == "Begin with 3 players"
    assert page.hub.actions == [] and page.complaints() == []


def test_who_leaves_the_door_keeps_what_was_entered(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.open()
    page.run("localStorage.clear()")
    throw(page)
    page.tap("#door .leave")
    page.until("!document.querySelector('#door').open")
    assert page.text("#sheet .main") == "The dice show 5 and 3"


def test_a_throw_that_is_too_late_leaves(page: Page) -> None:
    page.hub.answer = Answer(False, "Somebody was quicker.")
    page.hub.show(replace(fakehub.roll_due(), marks={"roll": "one"}))
    page.open()
    page.tap("#bar .main")
    page.tap(".faces:nth-child(1) button:nth-child(5)")
    page.tap(".faces:nth-child(2) button:nth-child(3)")
    page.show(replace(fakehub.roll_due(), marks={"roll": "two"}))
    page.tap("#sheet .main")
    page.until("!document.querySelector('#sheet').open && document.querySelector('#toast.shown.wrong')")


def test_what_was_seen_when_it_was_asked_is_sent_along(page: Page) -> None:
    page.hub.show(replace(fakehub.roll_due(), marks={"roll": "one", "takeback": "a"}))
    page.open()
    page.tap("#bar .main")
    page.tap(".faces:nth-child(1) button:nth-child(5)")
    page.tap(".faces:nth-child(2) button:nth-child(3)")
    page.show(replace(fakehub.roll_due(), marks={"roll": "two", "takeback": "b"}))
    page.tap("#sheet .main")
    assert page.until_acted() == Action("roll", dice=(5, 3), mark="one")
    page.more("takeback")
    assert page.until_acted() == Action("takeback", mark="b")


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


def test_a_board_to_be_set_up_is_drawn_as_it_should_be(page: Page) -> None:
    page.hub.show(fakehub.setting_up())
    page.open()
    assert page.run("return document.querySelectorAll('#board .arrows > *').length") == 0
    assert page.run("return document.querySelectorAll('#board .pawn').length") == 16
    assert "4 on red's circle." in page.run("return document.querySelector('#spoken').textContent")
    steps = page.run("return [...document.querySelectorAll('.mending li')].map((li) => li.textContent)")
    assert len(steps) == 5 and steps[-1].startswith("… and 8 more")
    assert page.text("#trouble h2") == "Please look"
    page.show(replace(fakehub.setting_up(), trouble=replace(fakehub.illegal().trouble, kind="unclear")))
    assert page.run("return document.querySelectorAll('#board .arrows .head').length") == 1


def test_a_board_on_which_much_is_otherwise_is_set_up_only_by_those_who_are_sure(page: Page) -> None:
    page.hub.show(replace(fakehub.setting_up(), marks={"confirm": "one"}))
    page.open()
    page.tap("#bar [data-action=confirm]")
    assert "12 pawns elsewhere" in page.text("#sheet")
    page.tap("#sheet .choices button:nth-child(2)")
    assert page.hub.actions == []
    page.tap("#bar [data-action=confirm]")
    page.tap("#sheet .choices .main")
    assert page.until_acted() == Action("confirm", mark="one")


def test_long_names_leave_room_for_what_matters(page: Page) -> None:
    page.hub.show(replace(fakehub.setting_up(), trouble=None))
    page.open()
    wide = page.run("return document.documentElement.scrollWidth")
    boxes = "return [...document.querySelectorAll('.players .home')].map((node) => node.getBoundingClientRect().right)"
    ends = page.run(boxes)
    high = page.run("return document.querySelector('#turn').getBoundingClientRect().height")
    assert wide <= PHONE[0] and max(ends) <= PHONE[0] and high < 110


SEEN = """document.querySelector("#sheet {one}")?.checkVisibility()
  && !document.querySelector("#sheet {other}").checkVisibility()"""


def test_what_the_camera_sees_or_why_nothing(page: Page) -> None:
    page.hub.show(fakehub.lost())
    page.open()
    page.tap("#trouble .rolls button")
    page.until(SEEN.format(one="p", other="img"))
    assert page.text("#sheet p") == "The camera shows nothing just now."
    page.hub.camera = fakesetup.picture(90)
    page.until(SEEN.format(one="img", other="p"))
    told = page.run("return document.querySelector('#sheet .told').textContent")
    assert told == "The camera cannot see the board. Is something in front of it?"
    page.tap("#sheet .leave")
    page.hub.camera = None
    looking = DeviceView("camera", "warn", "the camera is unplugged")
    page.show(replace(fakehub.lost(), devices=(looking,)))
    page.more("camera")
    page.until("document.querySelector('#sheet p')?.checkVisibility()")
    assert page.text("#sheet p") == "The camera shows nothing just now. The camera is unplugged."
    page.tap("#sheet .leave")
    page.show(replace(fakehub.lost(), devices=(replace(looking, text="no pictures: is it on this network?"),)))
    page.more("camera")
    page.until("document.querySelector('#sheet p')?.checkVisibility()")
    assert page.text("#sheet p") == "The camera shows nothing just now. No pictures: is it on this network?"


@pytest.mark.long
def test_a_board_that_is_not_found_may_be_one_of_ones_own(make_page: Callable[..., Page]) -> None:
    page = make_page(setup=fakesetup.FakeSetUp())
    page.hub.show(fakehub.lost())
    page.open()
    said = page.run("return [...document.querySelectorAll('#trouble button')].map((made) => made.textContent)")
    assert said == ["What the camera sees", "Show where the board lies", "A board of your own"]
    page.tap("#trouble button:nth-child(3)")
    page.until("location.hash === '#own' && document.querySelector(':target h2')")
    assert page.text(":target h2") == "A board of your own"
    demo = make_page(setup=fakesetup.FakeSetUp(may_change=False))
    demo.open()
    assert demo.text("#trouble button:last-child") == "Show where the board lies"


@pytest.mark.long
def test_where_there_is_no_picture_the_position_is_set_and_nothing_pointed_at(make_page: Callable[..., Page]) -> None:
    page = make_page(setup=fakesetup.FakeSetUp())
    unplugged = (DeviceView("camera", "warn", "the camera is unplugged"),)
    black = (DeviceView("camera", "warn", "black picture"),)
    said = "return [...document.querySelectorAll('#trouble button')].map((made) => made.textContent)"
    page.hub.show(replace(fakehub.lost(), devices=unplugged))
    page.open()
    assert page.run(said) == ["What the camera sees", "Set the position"]
    page.show(fakehub.lost())
    assert len(page.run(said)) == 3
    page.show(replace(fakehub.lost(), devices=black))
    assert page.run(said) == ["What the camera sees", "Set the position"]
    page.show(replace(fakehub.lost(), devices=black, actions=("confirm",)))
    assert page.run(said) == ["What the camera sees"]
    page.show(replace(fakehub.lost(), devices=black))
    page.tap("#trouble button:nth-child(2)")
    page.until("document.querySelector('#sheet .editor, #sheet.editor')")


def test_without_a_camera_nothing_offers_to_look_through_it(page: Page) -> None:
    none = DeviceView("camera", "off", "no camera: the board is set by hand")
    page.hub.show(replace(fakehub.lost(), devices=(none,)))
    page.open()
    assert page.run("return document.querySelectorAll('#trouble button').length") == 0
    page.tap("#bar .more")
    page.until("document.querySelector('#sheet [data-action=position]')")
    assert page.run("return document.querySelector('#sheet [data-action=camera]')") is None


@pytest.mark.long
def test_where_nobody_watches_the_position_is_set_and_the_next_player_said(page: Page) -> None:
    none = DeviceView("camera", "off", "no camera: the board is set by hand")
    page.hub.show(replace(fakehub.playing(), devices=(none,)))
    page.open()
    assert page.run("return [...document.querySelectorAll('#bar button')].map((one) => one.dataset.action)") == [
        "position", "confirm", None,
    ]  # fmt: skip
    page.tap("#bar .main")
    page.until("document.querySelector('#sheet .choices .main:disabled')")
    assert page.run("return document.querySelectorAll('#sheet .due-row [aria-pressed=true]').length") == 0
    page.tap("#sheet .due-row [data-seat='1']")
    page.tap("#sheet .choices .main")
    assert (page.until_acted().state or {})["due"] == 1
    page.show(replace(fakehub.roll_due(), devices=(none,)))
    page.more("position")
    page.until("document.querySelector('#sheet .due-row [aria-pressed=true][data-seat=\"0\"]')")


def test_where_a_camera_never_came_the_position_is_set_first_too(page: Page) -> None:
    """“Done” tells nothing of what nobody saw, and it stood first."""
    missing = DeviceView("camera", "warn", "is not plugged in")
    page.hub.show(replace(fakehub.playing(), devices=(missing,), watched=False))
    page.open()
    first = "return [...document.querySelectorAll('#bar button')].map((one) => [one.dataset.action, one.className])"
    assert page.run(first)[:2] == [["position", "main"], ["confirm", ""]]
    page.show(replace(fakehub.playing(), devices=(missing,)))
    assert page.run(first)[0] == ["confirm", ""], "it was there, and the game waits for it"


@pytest.mark.long
def test_the_next_player_is_chosen_already_where_the_referee_knows_it(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page.hub, "state", lambda: {**fakehub.STATE, "next": 3})
    page.hub.show(fakehub.playing())
    page.open()
    page.more("position")
    page.until("document.querySelector('#sheet .due-row [aria-pressed=true][data-seat=\"3\"]')")
    assert page.text("#due-label") == "Who plays next?"
    page.tap("#sheet .choices .main")
    state = page.until_acted().state or {}
    assert state["due"] == 3 and "next" not in state
    page.more("position")
    page.until("document.querySelector('#sheet .due-row [data-seat=\"1\"]')")
    page.tap("#sheet .due-row [data-seat='1']")
    page.tap("#sheet .choices .main")
    assert (page.until_acted().state or {})["due"] == 1


def test_a_play_that_would_be_right_is_told_piece_by_piece(page: Page) -> None:
    foul = fakehub.illegal()
    assert foul.trouble is not None
    legal = (("base0.1", "t0"), ("t0", "t2")), (("t4", "t7"), ("t9", "t10"))
    page.hub.show(replace(foul, trouble=replace(foul.trouble, legal=legal)))
    page.open()
    said = page.run("return [...document.querySelectorAll('.right-plays .chip')].map((chip) => chip.textContent)")
    assert said == ["red's circle → space 0 → space 2", "space 4 → space 7, then space 9 → space 10"]
    assert page.text(".right-plays h3") == "These would be right"
    page.show(replace(foul, trouble=replace(foul.trouble, legal=legal[:1])))
    assert page.text(".right-plays h3") == "This would be right"
    page.show(replace(foul, trouble=replace(foul.trouble, legal=legal * 2)))
    assert page.text(".right-plays h3") == "These would be right, among others"
    assert page.run("return document.querySelectorAll('.right-plays .chip').length") == 3


@pytest.mark.long
def test_the_only_play_that_would_be_right_is_drawn_where_nothing_is_to_be_put_right(page: Page) -> None:
    foul = fakehub.illegal()
    assert foul.trouble is not None and foul.trouble.put_right
    shown = "return document.querySelectorAll('#board .arrows.right .head').length"
    plays = (("t4", "t7"),), (("t9", "t10"),)
    for put_right, legal, arrows in (((), plays[:1], 1), ((), plays, 0), (foul.trouble.put_right, plays[:1], 0)):
        page.hub.show(replace(foul, trouble=replace(foul.trouble, put_right=put_right, seen={}, legal=legal)))
        page.open()
        assert page.run(shown) == arrows
        assert page.run("return document.querySelectorAll('#evidence .chip[aria-pressed=true]').length") == arrows
    page.hub.show(replace(foul, trouble=replace(foul.trouble, put_right=(), seen={}, legal=plays[:1])))
    page.open()
    page.tap("#evidence .chip")
    assert page.run(shown) == 0


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
    assert page.text("#trouble h2") == "A question"
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


def test_who_plays_alone_begins_anew_alone(page: Page) -> None:
    """A game of one's own may be for one: its last word was "Choose at least two"."""
    view = fakehub.playing()
    page.hub.show(replace(view, seats=view.seats[:1]))
    page.open()
    page.more("newgame")
    assert page.text("#sheet .main") == "Begin with one player"
    page.tap("#sheet .chip[data-seat='0']")
    assert page.text("#sheet .main") == "Choose who plays"
    page.tap("#sheet .chip[data-seat='0']")
    page.tap("#sheet .main")
    assert page.until_acted() == Action("newgame", seats=(0,))


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


@pytest.mark.long
def test_a_tap_beside_the_sheet_costs_nothing_that_was_moved(page: Page) -> None:
    def tap_beside() -> None:
        for kind in ("mousePressed", "mouseReleased"):
            mouse = {"type": kind, "x": 180, "y": 8, "button": "left", "clickCount": 1}
            page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", mouse)

    is_open = "document.querySelector('#sheet').open"
    page.hub.show(fakehub.roll_due())
    page.open()
    page.more("position")
    page.until("document.querySelectorAll('.editor .pawn').length === 16")
    tap_beside()
    page.until(f"!{is_open}")
    page.more("position")
    page.until("document.querySelectorAll('.editor .pawn').length === 16")
    page.tap("#sheet .due-row [data-seat='2']")
    tap_beside()
    page.until("document.querySelector('#toast.shown').textContent.startsWith('Not set yet')")
    assert page.run(f"return {is_open}")
    page.tap("#sheet .leave")
    page.until(f"!{is_open}")
    page.tap("#bar .more")
    page.until(is_open)
    tap_beside()
    page.until(f"!{is_open}")


@pytest.mark.long
def test_the_position_is_set_by_keys_alone(page: Page) -> None:
    page.hub.answer = Answer(True, "The position is set.")
    page.hub.show(fakehub.playing())
    page.open()
    page.more("position")
    page.until("document.querySelectorAll('.editor .pawn').length === 16")
    page.driver.find_element("css selector", "#sheet summary").send_keys("\ue007")
    choose = """const [select, words] = arguments, list = document.querySelector(`#sheet ${select}`);
      const found = [...list.options].filter((option) => option.textContent === words);
      list.selectedIndex = found[0].index;
      list.dispatchEvent(new Event("change"));
      return found.length;"""
    for piece, goal in (("Blue, blue's circle", "space 13"), ("Red, space 4", "red's circle")):
        assert page.run(choose, ".which", piece) == 1
        assert page.run(choose, ".goal", goal) == 1
        page.driver.find_element("css selector", "#sheet .move-it").send_keys("\ue007")
    assert page.run(SMALL_TARGETS) == []
    assert page.text("#sheet .choices .main") == "Say who plays next"
    for pressed in (".due-row [data-seat='1']", ".choices .main"):
        page.driver.find_element("css selector", f"#sheet {pressed}").send_keys("\ue007")
    state = page.until_acted().state
    pieces = {**fakehub.STATE["pieces"], "0": [-1, -1, -1, 66], "3": [-1, 30, 30, 71]}  # type: ignore[dict-item]
    assert state is not None and state["pieces"] == pieces and state["due"] == 1
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


@pytest.mark.parametrize("size", [PANEL, KIOSK, (600, 1024)])
def test_a_lost_connection_covers_nothing_that_is_read_on_a_kiosk(page: Page, size: tuple[int, int]) -> None:
    page.open("kiosk", size)
    page.run("document.querySelector('#link').hidden = false")
    link, *others = page.run("""return ["#link", "#turn h1", "#turn .badge"]
      .map((part) => document.querySelector(part).getBoundingClientRect()).map((box) => box.toJSON())""")
    assert all(link["bottom"] <= box["top"] for box in others)
    assert page.run("return document.documentElement.scrollHeight") <= size[1]


@pytest.mark.long
def test_a_page_says_that_the_service_ended_and_not_the_network(make_page: Callable[..., Page]) -> None:
    page = make_page(goodbye="The demo is over.")
    page.open()
    page.until("document.querySelector('#link').hidden")
    page.server.close()
    page.until("!document.querySelector('#link').hidden")
    assert page.text("#link") == "The demo is over."
    app = create_app(page.hub, parcheesi_board.sheet(), parcheesi_board.svg())
    again = PageServer(app, "127.0.0.1", page.server.port)
    again.start()
    page.until("document.querySelector('#link').hidden")
    page.run("""window.fetch = () => Promise.reject(new TypeError());
      dispatchEvent(new Event("offline"));""")
    page.until("!document.querySelector('#link').hidden")
    assert page.text("#link") == "Connection lost. Trying again…"
    again.close()


@pytest.mark.long
def test_without_a_place_in_the_stream_it_asks_by_itself(make_page: Callable[..., Page]) -> None:
    page = make_page(most_streams=0)
    page.open()
    page.show(fakehub.illegal())
    assert page.run("return document.querySelector('#link').hidden")


@pytest.mark.long
def test_the_kiosk_has_a_keypad_for_the_pin(make_page: Callable[..., Page]) -> None:
    page = make_page(pin=PIN)
    page.open("kiosk", KIOSK)
    page.run("localStorage.clear()")
    page.show(fakehub.playing())
    page.tap("#bar [data-action=confirm]")
    for digit in PIN:
        page.tap(f".keypad button:nth-child({digit})")
    page.tap("#door form .main")
    assert page.until_acted() == Action("confirm")
    page.run("localStorage.clear()")


@pytest.mark.long
def test_a_pin_that_was_right_is_kept_through_a_wait_for_wrong_ones(
    make_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others behind the same address guessed: who was let in before need not type the PIN again."""
    page = make_page(pin=PIN)
    clock = stop_the_clock(page, monkeypatch)
    page.open()
    page.run("localStorage.clear()")
    throw(page)
    knock(page, PIN)
    page.until_acted()
    for _ in range(door.FREE_TRIES):
        page.server.app.extensions["companion.door"].ask("1111", "127.0.0.1")
    throw(page)
    page.until("document.querySelector('#toast.shown.wrong')?.textContent.startsWith('Too many wrong PINs.')")
    assert not page.run("return document.querySelector('#door').open")
    clock[0] += door.LONGEST_WAIT
    page.tap("#sheet .main")
    assert page.until_acted() == Action("roll", dice=(5, 3), by="phone")
    page.run("localStorage.clear()")


def test_a_name_in_letters_from_right_to_left_stands_by_itself(page: Page) -> None:
    seats = (replace(fakehub.seats()[0], name="אדום"), *fakehub.seats()[1:])
    page.hub.show(replace(fakehub.roll_due(), seats=seats))
    page.open()
    for place in ("#turn h1 > bdi", "#players li bdi"):
        assert page.text(place) == "אדום"
    page.show(replace(fakehub.playing(), seats=seats))
    for place in ("#turn h1 > bdi", "#players li bdi"):
        assert page.text(place) == "אדום"


@pytest.mark.parametrize(("path", "size"), [("", PHONE), ("kiosk", KIOSK)])
def test_a_player_s_name_from_right_to_left_stands_at_its_seat(page: Page, path: str, size: tuple[int, int]) -> None:
    """It stood at the other end of the row, beside the next seat."""
    page.hub.show(replace(fakehub.playing(), seats=tuple(replace(seat, member="שרה כהן") for seat in fakehub.seats())))
    page.open(path, size)
    begins = """return [...document.querySelectorAll("#players li")].map((li) => {
      const range = document.createRange(), [seat, member] = li.querySelectorAll("bdi");
      range.selectNodeContents(member);
      const [name, words] = [seat, range].map((one) => one.getBoundingClientRect());
      return words.top >= name.bottom ? words.left - name.left : words.left - name.right;
    })"""
    assert all(abs(apart) < 12 for apart in page.run(begins))
