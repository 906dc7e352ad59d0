"""An evening with many phones: double taps, sheets left open, a kiosk older than its network, pages of yesterday."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import fakehub
import pytest
from browser import KIOSK, LYING_PHONE, PHONE, SMALL_PHONE, Page
from fakesetup import FakeSetUp

from companion.model import DueKind
from companion.model.table import Action, Answer, DeviceView, PlayLine, TableView

QUICKER = Answer(False, "Somebody was quicker.")


def test_a_double_tap_takes_back_once(page: Page) -> None:
    page.hub.show(fakehub.illegal())
    page.open()
    page.tap_twice("#bar [data-action=takeback]", lambda: page.show(fakehub.playing()))
    assert page.until_acted() == Action("takeback")
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.hub.actions == [], "“Done” came up under the finger"


ASKED = replace(
    fakehub.playing(), due=1, due_kind=DueKind.QUESTION, reader=0, hints=(), marks={"answer": "1"},
    actions=("answer", "takeback"),
)  # fmt: skip
GREEN_ASKED = replace(ASKED, due=2, reader=1, marks={"answer": "2"})


@pytest.mark.parametrize(
    ("before", "button", "after", "size"),
    [
        (fakehub.playing(), "[data-action=confirm]", ASKED, PHONE),
        (fakehub.playing(), "[data-action=confirm]", ASKED, LYING_PHONE),
        (ASKED, ".wrong", GREEN_ASKED, PHONE),
    ],
)
def test_a_tap_that_was_on_its_way_presses_nothing_that_it_did_not_mean(
    page: Page, before: TableView, button: str, after: TableView, size: tuple[int, int]
) -> None:
    """"Done", as the camera saw it at that moment, took the play back, or answered the next player's question;
    and "Wrong" on a second phone was said of the next answer, too."""
    page.hub.show(before)
    page.open("", size)
    page.tap_as_it_changes(f"#bar {button}", lambda: page.show(after))
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.hub.actions == []
    page.tap("#bar .right")
    assert page.until_acted() == Action("answer", right=True, mark=after.marks["answer"])


@pytest.mark.parametrize(("action", "pressed"), [("confirm", ["confirm"]), ("takeback", [])])
def test_a_tap_on_its_way_presses_the_button_of_which_nothing_changed(
    page: Page, action: str, pressed: list[str]
) -> None:
    """What would be taken back was another play; “Done”, which meant what it had meant, was swallowed as well."""
    page.hub.show(replace(fakehub.playing(), marks={"confirm": "1", "takeback": "1"}))
    page.open()
    other = replace(fakehub.playing(), marks={"confirm": "1", "takeback": "2"})
    page.tap_as_it_changes(f"#bar [data-action={action}]", lambda: page.show(other))
    page.run("return new Promise((done) => setTimeout(done, 300))")
    assert [one.name for one in page.hub.actions] == pressed


def test_a_tap_on_what_the_dice_showed_does_not_press_what_comes_up_below_it(page: Page) -> None:
    """The dice box was quicker: the button of the sheet lies just over those of the page."""
    page.open()
    page.tap("#bar .main")
    page.tap(".faces:nth-child(1) button:nth-child(5)")
    page.tap(".faces:nth-child(2) button:nth-child(3)")
    page.tap_as_it_changes("#sheet .main", lambda: page.show(fakehub.playing()))
    page.until("document.querySelector('#toast.shown')?.innerText === 'The dice came another way meanwhile.'")
    assert page.hub.actions == []


def test_a_reminder_offers_to_go_on_and_not_to_take_back_another_play(page: Page) -> None:
    """"Take back" was all that was offered, and took back the play before, perhaps another player's."""
    wrong = fakehub.illegal()
    assert wrong.trouble is not None
    reminder = replace(wrong.trouble, text="Red must still move 3.", put_right=(), seen={})
    page.hub.show(replace(fakehub.playing(), trouble=reminder))
    page.open()
    page.until("document.querySelector('#trouble .what')")
    assert page.run("return document.querySelector('#trouble h2').textContent") == "Not done yet"
    assert page.run("return [...document.querySelectorAll('#bar [data-action]')].map((one) => one.dataset.action)") == [
        "confirm",
        "takeback",
    ]


def test_a_double_tap_does_not_answer_what_it_opens(page: Page) -> None:
    page.hub.stored = {**fakehub.STATE, "next": 1}
    page.hub.show(replace(fakehub.playing(), devices=(DeviceView("camera", "off", "no camera"),)))
    page.open()
    opened = "document.querySelector('.editor .choices .main')?.disabled === false"
    page.tap_twice("#bar [data-action=position]", lambda: page.until(opened))
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.hub.actions == []


def test_a_double_tap_on_what_the_dice_showed_says_it_once(page: Page) -> None:
    page.hub.show(fakehub.unclear())
    page.open()
    page.tap_twice("#trouble .roll-choice")
    page.until("document.querySelector('#toast.shown')")
    assert len(page.hub.actions) == 1


def test_a_double_tap_on_what_is_chosen_chooses_it(page: Page) -> None:
    """It was chosen and left again: nothing had happened."""
    pressed = "return document.querySelector(arguments[0]).getAttribute('aria-pressed')"
    page.hub.show(fakehub.illegal())
    page.open()
    page.tap_twice("#evidence .chip")
    assert page.run(pressed, "#evidence .chip") == "true"
    page.tap("#evidence .chip")
    assert page.run(pressed, "#evidence .chip") == "false"
    page.show(fakehub.roll_due())
    page.tap("#bar [data-action=roll]")
    face = ".faces:nth-child(2) button:nth-child(3)"
    page.tap_twice(face)
    assert page.run(pressed, face) == "true"


def test_figures_that_are_tapped_quickly_all_count(make_page: Callable[..., Page]) -> None:
    page = make_page(pin="11")
    page.open("kiosk", KIOSK)
    page.run("localStorage.clear()")
    page.show(fakehub.playing())
    page.tap("#bar [data-action=confirm]")
    page.tap_twice(".keypad button")
    assert page.run("return document.querySelector('#pin').value") == "11"


def test_a_new_game_that_somebody_else_began_is_not_ended_unseen(page: Page) -> None:
    page.hub.answer = QUICKER
    page.hub.show(replace(fakehub.over(), marks={"newgame": "1"}))
    page.open()
    page.tap("#bar [data-action=newgame]")
    page.show(replace(fakehub.playing(), marks={"newgame": "2"}))
    page.tap("#sheet .main")
    page.until("!document.querySelector('#sheet').open && document.querySelector('#toast.shown.wrong')")
    assert page.until_acted().mark == "1"


@pytest.mark.long
def test_a_position_is_set_over_what_changed_meanwhile_only_by_pressing_again(page: Page) -> None:
    page.hub.answer = QUICKER
    page.hub.show(replace(fakehub.roll_due(), marks={"position": "1"}))
    page.open()
    page.more("position")
    page.until("document.querySelectorAll('.editor .pawn').length === 16")
    page.show(replace(fakehub.playing(), marks={"position": "2"}))
    page.tap("#sheet .choices .main")
    assert page.until_acted().mark == "1"
    page.until("document.querySelector('#toast.shown.wrong')")
    page.hub.answer = Answer(True, "The position was set by hand.")
    page.tap("#sheet .choices .main")
    assert page.until_acted().mark == "2"
    page.until("!document.querySelector('#sheet').open")


@pytest.mark.parametrize("action", ["answer", "undo", "takeback"])
def test_a_row_of_more_is_about_the_turn_in_which_that_was_opened(page: Page, action: str) -> None:
    """The table had gone on: what was meant for red's question was said of green's."""
    asked = {"due": 0, "due_kind": DueKind.QUESTION, "reader": 3, "deck": True, "dice": ()}
    first = replace(fakehub.playing(), actions=("answer", "takeback", "undo"), marks={action: "1"}, **asked)
    page.hub.show(first)
    page.open()
    page.tap("#bar .more")
    page.show(replace(first, due=1, reader=0, headline="Red, read a question to green.", marks={action: "2"}))
    page.tap(f"#sheet [data-action={action}]")
    assert page.until_acted().mark == "1"


@pytest.mark.parametrize(("action", "before"), [("roll", fakehub.roll_due), ("correct", fakehub.playing)])
def test_dice_of_the_turn_in_which_more_was_opened_are_not_entered_for_another(
    page: Page, action: str, before: Callable[[], TableView]
) -> None:
    """Red's were asked for, and corrected green's; where none were due any more, nothing came of the tap at all."""
    page.hub.show(replace(before(), marks={action: "1"}))
    page.open()
    page.tap("#bar .more")
    page.show(replace(fakehub.playing(), due=1, roll=(6, 6), headline="Green, move 6.", marks={action: "2"}))
    page.tap(f"#sheet [data-action={action}]")
    page.until("document.querySelector('#toast.shown.wrong')?.innerText.startsWith('The table has changed')")
    assert not page.run("return document.querySelector('#sheet').open")
    assert page.complaints() == []


@pytest.mark.parametrize("after", ["right", "another foul"])
def test_the_large_picture_of_a_foul_does_not_outlast_it(page: Page, after: str) -> None:
    """What was headed "Now" hid the next foul."""
    foul = fakehub.illegal()
    assert foul.trouble is not None
    another = replace(foul, trouble=replace(foul.trouble, text="That is a blockade.", after="1/00003000-after.jpg"))
    page.hub.show(foul)
    page.open()
    page.tap("#evidence figure:last-child .shot")
    page.show(replace(foul, devices=()))
    assert page.text("#sheet h2") == "Now"
    page.show(another if after == "another foul" else fakehub.roll_due())
    assert not page.run("return document.querySelector('#sheet').open")


def test_a_sheet_begins_at_its_top(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open(size=SMALL_PHONE)
    page.run("document.documentElement.style.fontSize = '200%'")
    page.more("newgame")
    page.until("document.querySelector('#sheet .playing')")
    assert page.run("return document.querySelector('#sheet').scrollTop") == 0


def test_what_is_wrong_is_read_out_once(page: Page) -> None:
    page.hub.show(fakehub.unclear())
    page.open()
    page.run("document.querySelector('#trouble .what').dataset.test = 'kept'")
    page.show(replace(fakehub.unclear(), actions=("undo", *fakehub.unclear().actions)))
    assert page.run("return document.querySelector('#trouble .what').dataset.test") == "kept"
    assert page.run("return document.querySelectorAll('#trouble .roll-choice').length") == 2
    page.show(fakehub.illegal())
    assert page.run("return document.querySelectorAll('#trouble .what, #trouble .rolls').length") == 1
    page.show(fakehub.playing())
    assert page.run("return document.querySelector('#trouble').textContent") == ""


def test_what_others_played_is_read_out_as_it_comes(page: Page) -> None:
    page.open()
    said = "return document.querySelector('#said').textContent"
    assert page.run(said) == "", "what was played before is in the story"
    plays = fakehub.story()
    line = PlayLine(plays[0].number + 1, time.time(), 0, "legal", "Red moved 5, then moved 3.")
    page.show(replace(fakehub.roll_due(), plays=(line, *plays)))
    assert page.run(said) == line.text
    wrong = replace(line, number=line.number + 1, verdict="illegal", text="That is a blockade.")
    page.show(replace(fakehub.illegal(), plays=(wrong, line, *plays)))
    assert page.run(said) == line.text, "what is wrong is read where it stands"
    assert page.run("return document.querySelector('#players [aria-current]').dataset.seat") == "0"


READ = """window.read = [];
new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {
  if (addedNodes.length && target.getAttribute("aria-live") === "polite") read.push(target.textContent);
})).observe(document.body, { subtree: true, childList: true });"""
"""What is read out of the regions that are no part of what is seen, and of what a phone is told."""


@pytest.mark.parametrize("first", ["answer", "stream"])
def test_what_a_phone_asked_for_is_read_out_once(page: Page, first: str) -> None:
    """It is told it, and it is in the story: in whichever order both come over a slow network."""
    text = "The last play is taken back."
    page.hub.answer = Answer(True, text)
    page.hub.show(fakehub.playing())
    page.open()
    line = PlayLine(fakehub.story()[0].number + 1, time.time(), 0, "takeback", text)
    taken_back = replace(fakehub.playing(), plays=(line, *fakehub.story()))
    page.run(READ)
    if first == "stream":
        page.show(taken_back)
    page.tap("#bar [data-action=takeback]")
    page.until("document.querySelector('#toast.shown')")
    if first == "answer":
        page.show(taken_back)
    assert page.run("return window.read").count(text) == 1


def test_the_same_words_of_another_play_are_read_out_too(page: Page) -> None:
    page.open()
    page.run(READ)
    plays, text = fakehub.story(), "Thank you. The board is right again."
    for _ in range(2):
        plays = (PlayLine(plays[0].number + 1, time.time(), 0, "restored", text), *plays)
        page.show(replace(fakehub.roll_due(), plays=plays))
        page.show(replace(fakehub.roll_due(), plays=plays, devices=()))
    assert page.run("return window.read").count(text) == 2


def test_whoever_plays_by_keys_is_not_sent_to_the_top(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open()
    focus = "return document.activeElement.dataset.action ?? document.activeElement.id"
    page.run("document.querySelector('#bar [data-action=takeback]').focus()")
    page.show(fakehub.illegal())
    assert page.run(focus) == "takeback"
    page.show(fakehub.over())
    assert page.run(focus) == "bar", "no other button is pressed by the same key"


def test_letters_of_twice_the_size_fit_the_smallest_phone(page: Page) -> None:
    page.open(size=SMALL_PHONE)
    root = """[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .find((rule) => rule.selectorText === "html").style.fontSize"""
    assert page.run(f"return {root}") == "100%", "the size that people set in their browser counts"
    page.run("document.documentElement.style.fontSize = '200%'")
    for name, state in fakehub.STATES.items():
        page.show(state())
        wide = page.run("return document.documentElement.scrollWidth")
        assert wide <= SMALL_PHONE[0], f"{name} scrolls sideways"
        cut = page.run("""return [...document.querySelectorAll("#bar button, #players li")]
          .filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.textContent)""")
        assert cut == [], name


def test_a_kiosk_older_than_the_network_shows_the_code_once_there_is_one(make_page: Callable[..., Page]) -> None:
    address = ["http://localhost:8000/"]
    page = make_page(address=lambda: address[0], heartbeat=0.2)
    page.open("kiosk", KIOSK)
    assert page.text(".join") == ""
    address[0] = "http://192.168.1.20:8000/"
    page.until("document.querySelector('.join .code svg')")
    assert "192.168.1.20:8000" in page.text(".join")


HURRY = """const usual = window.setTimeout;
window.setTimeout = (work, ms) => usual(work, ms > 60000 ? 1000 : ms);"""
"""The page's minutes pass at once."""


def test_what_was_left_open_on_the_kiosk_does_not_stay_before_the_game(page: Page) -> None:
    page.open("kiosk", KIOSK)
    page.run(HURRY)
    page.tap("#bar .more")
    page.until("document.querySelector('#sheet').open")
    page.until("!document.querySelector('#sheet').open")


def test_the_kiosk_comes_back_from_a_set_up_that_nobody_goes_on_with(make_page: Callable[..., Page]) -> None:
    page = make_page(setup=FakeSetUp())
    page.open("setup?from=kiosk", KIOSK)
    page.run(HURRY)
    page.tap("#check-title")
    page.until("location.pathname === '/kiosk'")


def test_nothing_glides_for_those_who_want_nothing_to_move(make_page: Callable[..., Page]) -> None:
    page = make_page(setup=FakeSetUp())
    page.open("setup")
    page.run("Element.prototype.scrollIntoView = function ({ behavior }) { window.how = behavior; }")
    for wish, how in (("reduce", "auto"), ("no-preference", "smooth")):
        media = {"features": [{"name": "prefers-reduced-motion", "value": wish}]}
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        page.run("document.querySelector('#check').click()")
        page.until(f"window.how === '{how}'")


@pytest.mark.long
def test_a_page_of_yesterday_without_a_place_in_the_stream_loads_itself_anew(make_page: Callable[..., Page]) -> None:
    page = make_page(most_streams=0)
    page.open()
    page.server.app.extensions["companion.streams"].build = "another"
    page.until("document.body.dataset.build === 'another'")


def test_scripts_write_the_times_of_the_first_paint(page: Page) -> None:
    now = time.time()
    walls = (now, now - 7 * 86400, 34.0)
    lines = [PlayLine(3 - i, wall, 0, "legal", "Red moved 5.") for i, wall in enumerate(walls)]
    page.hub.show(replace(fakehub.roll_due(), plays=tuple(lines)))
    page.open()
    drawn, first = page.run("""
      const times = (page) => [...page.querySelectorAll("#story time")].map((node) => node.textContent);
      return fetch("/").then((answer) => answer.text()).then((text) =>
        [times(document), times(new DOMParser().parseFromString(text, "text/html"))]);""")
    assert drawn == first and drawn[2] == "" and len(drawn[1]) > len(drawn[0]) == len("21:05")


@pytest.mark.long
def test_whoever_reads_the_story_is_shown_what_is_wrong(page: Page) -> None:
    page.hub.show(fakehub.playing())
    page.open("", SMALL_PHONE)
    where = """const [box, turn, bar] = ["#trouble", "#turn", "#bar"]
      .map((part) => document.querySelector(part).getBoundingClientRect());
    return box.height && box.top >= turn.bottom && box.bottom <= bar.top"""
    bottom = "document.scrollingElement.scrollTo(0, 9999); return document.scrollingElement.scrollTop"
    before = page.run(bottom)
    assert before > 200
    page.show(fakehub.lost())
    time.sleep(0.5)
    assert not page.run(where), "a hand over the board takes nobody away"
    page.run(bottom)
    page.show(fakehub.illegal())
    page.until(f"(() => {{ {where} }})()")
    page.run(bottom)
    page.show(replace(fakehub.illegal(), actions=("takeback",)))
    time.sleep(0.5)
    assert not page.run(where), "it is shown once"
