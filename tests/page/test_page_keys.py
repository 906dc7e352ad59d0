"""The page by keys alone: where the focus is while dialogues open and close, and while the table changes."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import replace

import fakegames
import fakehub
import pytest
from browser import LARGE, Page
from fakesetup import FakeSetUp

from companion.model.table import Action

CORNERS = [[60, 60], [580, 50], [590, 430], [50, 440]]
HELD = """const node = document.activeElement;
return node.getAttribute("aria-label") ?? node.dataset.action ?? node.textContent;"""
KEYS = {"Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
SHIFT = 8


def until_held(page: Page, what: str) -> None:
    """The focus comes there; a dialogue gives it back a moment after it closed."""
    page.until(f"(() => {{ {HELD} }})() === {what!r}")


def press(page: Page, key: str, shift: bool = False, repeat: bool = False) -> None:
    text = {"Enter": "\r", " ": " "}.get(key, "")
    stroke = {"key": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": SHIFT * shift, "text": text}
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", "autoRepeat": repeat, **stroke})
    if not repeat:
        page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **stroke, "text": ""})


def go_to(page: Page, selector: str) -> None:
    page.until(f"document.querySelector({selector!r})?.checkVisibility()")
    page.run("document.querySelector(arguments[0]).focus()", selector)


def open_more(page: Page, action: str) -> None:
    go_to(page, "#bar .more")
    press(page, "Enter")
    go_to(page, f"#sheet [data-action={action}]")
    press(page, "Enter")
    page.until("document.querySelector('#sheet[open]:not(.more-list)')")


def test_a_roll_is_entered_while_the_table_changes(page: Page) -> None:
    page.open()
    go_to(page, "#bar [data-action=roll]")
    press(page, "Enter")
    for face in ("1: 5", "2: 3"):
        name = {"1": "First", "2": "Second"}[face[0]]
        go_to(page, f"#sheet [aria-label='{name} die{face[1:]}']")
        press(page, " ")
        page.show(replace(fakehub.roll_due(), plays=fakehub.story()[int(face[0]) :]))
        assert page.run(HELD) == f"{name} die{face[1:]}"
    go_to(page, "#sheet .main")
    press(page, "Enter")
    assert page.until_acted() == Action("roll", "phone", (5, 3))
    page.until("!document.querySelector('#sheet').open")
    until_held(page, "roll")


def test_who_is_too_late_with_the_dice_is_told_why_they_are_not_asked_for_any_more(page: Page) -> None:
    page.open()
    page.tap("#bar [data-action=roll]")
    page.tap("#sheet .faces button")
    page.show(fakehub.playing())
    page.until("!document.querySelector('#sheet').open")
    # the dialogue closes at once, the message fades in
    page.until("document.querySelector('#toast.shown')?.innerText === 'The dice came another way meanwhile.'")


@pytest.mark.long(but=("playing-More", "illegal-More"))
@pytest.mark.parametrize(
    ("after", "held"), [(fakehub.playing, "More"), (fakehub.roll_due, "More"), (fakehub.illegal, "More")]
)
def test_a_dialogue_goes_back_to_a_button_that_was_made_anew(
    page: Page, after: Callable[[], fakehub.TableView], held: str
) -> None:
    page.open()
    go_to(page, "#bar .more")
    press(page, "Enter")
    page.until("document.querySelector('#sheet').open")
    page.show(after())
    press(page, "Escape")
    page.until("!document.querySelector('#sheet').open")
    until_held(page, held)


def test_a_dialogue_whose_button_went_leaves_the_focus_at_the_other_buttons(page: Page) -> None:
    page.hub.show(fakehub.illegal())
    page.open()
    go_to(page, "#bar [data-action=accept]")
    press(page, "Enter")
    page.until("document.querySelector('#sheet').open")
    page.show(fakehub.over())
    press(page, "Escape")
    page.until("!document.querySelector('#sheet').open && document.activeElement.id === 'bar'")


@pytest.mark.long
def test_choosing_seats_keeps_the_focus(page: Page) -> None:
    page.open()
    open_more(page, "newgame")
    for beginner in ("Green", "Throw for it"):
        page.run("[...document.querySelectorAll('[aria-labelledby=first-label] .chip')]"
                 ".find((chip) => chip.textContent === arguments[0]).focus()", beginner)  # fmt: skip
        press(page, "Enter")
        assert page.run(HELD) == beginner
        assert page.run("return document.activeElement.getAttribute('aria-pressed')") == "true"
    press(page, "Escape")
    open_more(page, "position")
    go_to(page, "#sheet .seats [data-seat='2']")
    press(page, "Enter")
    assert page.run(HELD) == "Yellow"


def test_what_is_wrong_keeps_the_focus_while_other_things_change(page: Page) -> None:
    page.hub.show(fakehub.illegal())
    page.open()
    go_to(page, "#evidence .chip")
    page.show(replace(fakehub.illegal(), actions=("takeback",)))
    assert page.run(HELD) == "space 4 → space 7"
    page.show(fakehub.unclear())
    go_to(page, "#trouble .roll-choice")
    page.run("document.querySelector('#trouble .rolls').dataset.test = 'kept'")
    page.show(replace(fakehub.unclear(), actions=("takeback",)))
    assert page.run(HELD) == "The dice showed 5 and 3"
    assert page.run("return document.querySelector('#trouble .rolls').dataset.test") == "kept", "not read out again"
    page.show(fakehub.roll_due())
    assert page.run("return document.activeElement.id") == "bar"


def test_a_key_held_down_is_one_press(page: Page) -> None:
    page.hub.show(fakehub.illegal())
    page.open()
    go_to(page, "#bar [data-action=takeback]")
    press(page, "Enter", repeat=True)
    page.run("return new Promise((done) => setTimeout(done, 200))")
    assert page.hub.actions == []
    press(page, "Enter")
    assert page.until_acted() == Action("takeback")


def test_with_many_moves_keys_go_from_piece_to_piece(make_page: Callable[..., Page]) -> None:
    page = make_page(fakegames.GOD.sheet, fakegames.GOD.svg)
    page.hub.show(fakegames.moving())
    page.open()
    page.run("localStorage.clear()")
    go_to(page, "#board svg")
    press(page, "ArrowRight")
    rings = "return document.querySelectorAll('#board .hints .ring').length"
    told = page.text("#tap-hint")
    origin = re.match(r"([A-H]\d): to ", told)
    assert origin is not None
    goals = [to for start, to in fakegames.moving().hints if start == origin[1].lower()]
    assert all(re.search(rf"\b{to}\b", told, re.I) for to in goals) and page.run(rings) == len(goals)
    assert page.run("return document.querySelector('#said').textContent") == told, "and is read out"
    press(page, "ArrowRight")
    assert page.text("#tap-hint") != told
    press(page, "ArrowLeft")
    assert page.text("#tap-hint") == told
    press(page, "Escape")
    assert page.run(rings) == 0 and page.run("return document.activeElement.tagName") == "svg"


def test_a_kiosk_with_nothing_but_a_keyboard_has_its_buttons(page: Page) -> None:
    page.open("kiosk", LARGE, touch=False)
    there = "return document.querySelector('#bar').checkVisibility()"
    assert page.run("return matchMedia('(any-pointer: none)').matches") is not page.run(there)
    press(page, "ArrowDown")
    assert page.run(there)


def test_possible_moves_are_told_in_words_too(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open()
    page.run("localStorage.clear()")
    moves = "return [...document.querySelectorAll('#may li')].map((item) => item.textContent)"
    assert page.run(moves) == ["Space 4: to space 7.", "Red's lane 3: to red's lane 6."]
    go_to(page, "#board svg")
    press(page, "ArrowRight")
    assert page.text("#tap-hint") == "Space 4: to space 7."
    page.show(fakehub.illegal())
    assert page.run(moves) == [] and page.text("#tap-hint") == ""


# --- the set-up page ---

CROSS = r"""const way = document.querySelector("#place-view .cross path")?.getAttribute("d");
if (!way) return null;
const [x, y, wide] = way.match(/-?[\d.]+/g).map(Number);
return [x + wide / 2, y];"""


def steer(page: Page, x: float, y: float) -> None:
    """Bring the cross to a place in the picture: by long strides, then by pixels."""
    if page.run(CROSS) is None:
        press(page, "ArrowRight")
    stride = 640 / 60
    at = page.run(CROSS)
    for part, keys in ((0, ("ArrowLeft", "ArrowRight")), (1, ("ArrowUp", "ArrowDown"))):
        way = (x, y)[part] - at[part]
        for _ in range(int(abs(way) // stride)):
            press(page, keys[way > 0])
        for _ in range(round(abs(way) % stride)):
            press(page, keys[way > 0], shift=True)


@pytest.mark.long
def test_the_corners_of_a_board_are_shown_by_keys(make_page: Callable[..., Page], setup: FakeSetUp) -> None:
    page = make_page(setup=setup)
    page.open("setup")
    go_to(page, "#point")
    press(page, "Enter")
    page.until("document.activeElement.id === 'place-view'")
    for i, (x, y) in enumerate(CORNERS):
        steer(page, x, y)
        press(page, "Enter")
        page.until(f"document.querySelectorAll('#place-view .grip').length === {i + 1}")
    page.until("!document.querySelector('#here').disabled")
    press(page, " ")
    steer(page, 80, 420)
    press(page, " ")
    page.until("document.querySelector('#place-view .outline')?.getAttribute('points').endsWith(' 80,420') ||"
               " Math.abs(document.querySelectorAll('#place-view .grip')[3]?.getAttribute('cx') - 80) < 3")  # fmt: skip
    page.until("!document.querySelector('#here').disabled")
    go_to(page, "#here")
    press(page, "Enter")
    page.until("document.querySelector('#toast').textContent.includes('to lie there')")
    (corners, _), *_ = setup.pointing.told
    wanted = [*CORNERS[:3], [80, 420]]
    assert all(math.dist(at, to) < 3 for at, to in zip(corners, wanted, strict=True))


def test_going_back_costs_nothing_that_was_moved(page: Page) -> None:
    """Escape, or the way back of a phone, left the position as it was, without a word."""
    is_open = "document.querySelector('#sheet').open"
    page.hub.show(fakehub.roll_due())
    page.open()
    for moved in (False, True):
        page.more("position")
        page.until("document.querySelectorAll('.editor .pawn').length === 16")
        if moved:
            page.tap("#sheet .due-row [data-seat='2']")
        press(page, "Escape")
        page.until(f"{is_open} === {str(moved).lower()}")
    page.until("document.querySelector('#toast.shown').textContent.startsWith('Not set yet')")
    for _ in range(3):
        press(page, "Escape")
        time.sleep(0.2)
        assert page.run(f"return {is_open}"), "the browser asks only once whether it may go back"
    assert page.run("return document.activeElement.id") == "sheet", "Enter leaves nothing"
    page.tap("#sheet .leave")
    page.until(f"!{is_open}")
