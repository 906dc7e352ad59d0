"""Every game on the page in a real browser: questions, declarations, challenges, dice, stacks, positions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import fakegames
import fakehub
import pytest
from browser import CONTRASTS, DOUBLE_TAP, KIOSK, PANEL, PHONE, SMALL_PHONE, SMALL_TARGETS, Page
from fakegames import Table
from fakehub import PIN
from fakesetup import FakeSetUp, picture

from companion.games.catalogue import game_from_json
from companion.model import DueKind
from companion.model.table import Action, Answer, QuestionView, TableView, TroubleView

At = Callable[..., Page]
CARD = "document.querySelector('#card .question')?.textContent === 'Which is the largest animal that lives today?'"
NO_CARD = "document.querySelector('#card').hidden"


@pytest.fixture
def at(make_page: Callable[..., Page], hub: fakehub.FakeHub) -> At:
    """A page at a table of fakegames, that shows a view."""

    def sit(table: Table, view: TableView, path: str = "", size: tuple[int, int] = PHONE, **more: Any) -> Page:
        hub.show(view)
        hub.stored, hub.card = table.stored, fakegames.CARD
        page = make_page(table.sheet, table.svg, **more)
        page.open(path, size)
        page.run("localStorage.clear()")
        return page

    return sit


def tap_board(page: Page, where: str, x: float, y: float) -> None:
    """Tap the board in `where` at a point in mm."""
    page.run(
        """const board = document.querySelector(arguments[0]);
        const at = new DOMPoint(arguments[1], arguments[2]).matrixTransform(board.getScreenCTM());
        board.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: at.x, clientY: at.y }));""",
        where,
        x,
        y,
    )


def tap_space(page: Page, table: Table, name: str, where: str = ".editor .board svg") -> None:
    space = table.sheet.spaces[name]
    tap_board(page, where, space.x, space.y)


# --- looks ---


@pytest.mark.long(but=("four", "question"))
@pytest.mark.parametrize("name", sorted(fakegames.STATES))
def test_every_state_of_every_game_fits(at: At, name: str) -> None:
    table, make = fakegames.STATES[name]
    page = at(table, make())
    for path, size, scheme in (("", PHONE, "light"), ("kiosk", KIOSK, "dark")):
        page.open(path, size, scheme)
        wide, high = page.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert wide <= size[0] and (not path or high <= size[1]), f"{path} scrolls"
        assert [text for ratio, text in page.run(CONTRASTS) if ratio < 4.5] == []
        assert page.run(SMALL_TARGETS) == []
        if not path:
            bar, board = page.run("""return ["#bar", "#board svg"].map((one) => document.querySelector(one))
              .map((node) => node.getBoundingClientRect()).map(({ top, bottom }, i) => (i ? bottom : top))""")
            assert board <= bar, "the buttons hide the board"
    assert page.complaints() == []


WHO = """const title = document.querySelector("#turn h1");
return [title.innerText.replace("\\n", ": "), title.scrollHeight - title.clientHeight,
  [...document.querySelectorAll("#turn .badge")].map((node) => getComputedStyle(node).backgroundColor)];"""
SHARED = {
    "one": (fakegames.GOD, (2,), "Winner: Black"),
    "draw": (fakegames.GOD, (0, 2), "A draw: White and Black"),
    "partners": (fakegames.AGGRAVATION_FOUR, (0, 2), "Winners: Red and Yellow"),
    "team": (fakegames.AGGRAVATION, (1, 3, 5), "Winners: Orange, Green and Purple"),
}


@pytest.mark.parametrize("how", SHARED)
def test_all_who_share_a_win_or_a_draw_are_named_above(at: At, how: str) -> None:
    table, winners, said = SHARED[how]
    page = at(table, table.view(DueKind.OVER, "It is over.", winners[0], winner=winners), "", SMALL_PHONE)
    words, cut, badges = page.run(WHO)
    assert words == said and cut <= 0 and len(set(badges)) == len(winners)


@pytest.mark.parametrize(("path", "size"), [("", (160, 284)), ("", SMALL_PHONE), ("kiosk", PANEL)])
def test_all_of_a_team_that_won_are_read_above(at: At, path: str, size: tuple[int, int]) -> None:
    view = fakegames.GLORIA.view(DueKind.OVER, "Red wins.", winner=(0,))
    team = "Grossmutter Annemarie, Maximiliana-Josephine von Hohenstein and Bartholomew"
    view = replace(view, seats=(replace(view.seats[0], member=team), *view.seats[1:]))
    words, cut, _ = at(fakegames.GLORIA, view, path, size).run(WHO)
    assert words == f"Winner: Red – {team}" and cut <= 0


@pytest.mark.long(but=("cards", "question"))
@pytest.mark.parametrize("name", sorted(fakegames.STATES))
def test_scripts_draw_what_the_first_paint_drew(at: At, name: str) -> None:
    table, make = fakegames.STATES[name]
    page = at(table, make())
    drawn, first = page.run("""
      const seen = (pawns, where) => [...pawns].map((g) => [
        where(g).match(/-?[\\d.]+/g).map((v) => Math.round(v * 10)).join(), g.dataset.seat,
        [...g.querySelectorAll(".rim")].map((rim) => [rim.dataset.seat, Math.round(rim.getAttribute("r"))]).join(),
        g.querySelector(".height")?.textContent ?? ""].join(" ")).sort();
      return fetch("/").then((answer) => answer.text()).then((text) => {
        const first = new DOMParser().parseFromString(text, "text/html");
        return [seen(document.querySelectorAll("#board .pawn"), (g) => g.style.transform),
          seen(first.querySelectorAll("#board .pawn"), (g) => g.getAttribute("transform"))];
      });""")
    assert drawn == first and drawn


@pytest.mark.long(but=("declaration", "challenge"))
@pytest.mark.parametrize("name", ["declaration", "dice", "challenge"])
def test_what_is_asked_leaves_the_board_of_a_lying_phone_whole(at: At, name: str) -> None:
    table, state = fakegames.STATES[name]
    page = at(table, state(), size=(740, 360))
    board, bar = page.run("""return ["#board svg", "#bar"]
      .map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
    assert board[1] <= bar[0]
    assert page.run(SMALL_TARGETS) == []


def test_a_stack_shows_what_lies_under_its_top(at: At) -> None:
    page = at(fakegames.GOD, fakegames.moving())
    heights = page.run("return [...document.querySelectorAll('#board .height')].map((g) => g.textContent).sort()")
    assert heights == ["2"] * 8 + ["3"] * 2
    assert "Black: 2 on a1, 2 on a4" in page.text("#spoken")


@pytest.mark.long(but=("dark",))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_dot_of_a_colour_like_the_ground_has_an_outline(at: At, scheme: str) -> None:
    page = at(fakegames.GOD, fakegames.moving())
    page.open("", PHONE, scheme)
    ratio = page.run("""
      const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
      const light = (rgb) => rgb.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const shadow = getComputedStyle(document.querySelector("#story .dot")).boxShadow;
      const [r, g, b, share] = numbers(shadow.match(/color\\(srgb ([^)]*)\\)/)[1]);
      const ground = numbers(getComputedStyle(document.body).backgroundColor).map((v) => v / 255);
      const seen = [r, g, b].map((v, i) => share * v + (1 - share) * ground[i]);
      const [dark, bright] = [light(seen), light(ground)].sort((x, y) => x - y);
      return (bright + 0.05) / (dark + 0.05);""")
    assert ratio >= 3, "WCAG 2 asks for 3 of what is not text"


def test_with_many_moves_a_tap_shows_those_of_one_piece(at: At) -> None:
    page = at(fakegames.GOD, fakegames.moving())
    rings = "return document.querySelectorAll('#board .hints .ring').length"
    assert page.run(rings) == 0 and page.text("#tap-hint") == "Tap a piece to see where it may go."
    tap_space(page, fakegames.GOD, "a1", "#board svg")
    assert page.run(rings) == 2
    tap_space(page, fakegames.GOD, "d4", "#board svg")
    assert page.run(rings) == sum(origin == "d4" for origin, _ in fakegames.moving().hints)
    tap_space(page, fakegames.GOD, "g7", "#board svg")
    assert page.run(rings) == 0


def test_a_team_shows_who_of_it_acts(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question())
    assert page.text("#turn h1").split("\n")[-1] == "Red – Ann"


@pytest.mark.long(but=("four-size0",))
@pytest.mark.parametrize("size", [(768, 1024), (600, 960), (1440, 900)], ids=["size0", "size1", "size2"])
@pytest.mark.parametrize("name", ["declaration", "four"])
def test_the_names_of_the_seats_are_whole_on_a_tablet(at: At, name: str, size: tuple[int, int]) -> None:
    """Whose turn it is has the broadest: it was "Gr…"."""
    table, make = fakegames.STATES[name]
    page = at(table, make(), "", size)
    cut = "return [...document.querySelectorAll('#players bdi')].filter((one) => one.scrollWidth > one.clientWidth)"
    assert page.run(f"{cut}.map((one) => one.textContent)") == []


SIX = ("Anna-Katharina Schulze", "Bartholomew", "Christine", "Dora", "Emil", "Friederike")
COVERED = """return [...document.querySelectorAll(arguments[0])].filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter(({ width }) => width > 3).some(({ left, right, bottom, height }) =>
    [left + 2, (left + right) / 2, right - 2].some((x) => {
      const on = document.elementFromPoint(x, bottom - height / 4);
      return !on || !(node.contains(on) || on.contains(node)) || on.matches("body, html, .join");
    }));
}).map(({ textContent }) => textContent)"""
"""The texts of which something else covers a part."""


def six(view: TableView) -> TableView:
    """Aggravation's six players, who have names."""
    return replace(view, seats=tuple(replace(seat, member=name) for seat, name in zip(view.seats, SIX, strict=True)))


@pytest.mark.long(but=("size0",))
@pytest.mark.parametrize("size", [PANEL, KIOSK, (480, 800), (600, 1024)])
def test_the_code_to_join_lies_over_none_of_six_players(at: At, size: tuple[int, int]) -> None:
    lost = replace(fakegames.declaration(), due_kind=DueKind.ROLL, partners=(), actions=("roll", *fakehub.ALWAYS))
    lost = replace(lost, trouble=TroubleView("lost", "The camera cannot see the board. Is something in front of it?"))
    more = {"address": lambda: "http://192.168.1.20:8000/", "setup": FakeSetUp()}
    page = at(fakegames.AGGRAVATION, six(lost), "kiosk", size, **more)
    assert page.run("return document.querySelector('.code').checkVisibility()")
    assert page.run(COVERED, "#players li > :not(.member, .badge), .address") == []


@pytest.mark.long(but=("size0",))
@pytest.mark.parametrize("size", [PANEL, KIOSK])
def test_what_would_be_right_is_read_above_the_pictures(at: At, hub: fakehub.FakeHub, size: tuple[int, int]) -> None:
    hub.pictures["1/a.jpg"] = picture(90)
    words = "Purple's marble only passed the star on hole 0: it runs the stars from a star where it stood before."
    rules = (
        ("AGG-11", "A marble that only passes a star stays on the track."),
        ("AGG-4", "A marble moves clockwise by exactly what the die shows, hole by hole."),
    )
    right = {"put_right": ((5, "t9", "t4"),), "seen": {"t9": (5,)}, "legal": ((("t9", "t15"),),)}
    trouble = TroubleView("illegal", words, rules, before="1/a.jpg", after="1/a.jpg", **right)
    foul = replace(fakegames.declaration(), due_kind=DueKind.PLAY, roll=(6,), left=(6,), partners=(), trouble=trouble)
    foul = replace(foul, actions=("takeback", "accept", "correct", *fakehub.ALWAYS))
    page = at(fakegames.AGGRAVATION, six(foul), "kiosk", size, address=lambda: "http://192.168.1.20:8000/")
    assert page.text(".right-plays .chip")
    assert page.run(COVERED, ".mending li, .right-plays h3, .right-plays .chip, #trouble .what") == []


# --- questions ---


def test_the_question_is_on_its_readers_phone_alone(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question(), pin=PIN)
    page.run("localStorage.setItem('pin', arguments[0]); localStorage.setItem('seat', '3')", PIN)
    page.open()
    assert page.run(f"return {NO_CARD}") and page.text("#headline") == "Blue, read a question to Red."
    assert page.run("return document.querySelector('#bar [data-action=answer]')") is None
    page.more("seat")
    page.tap("#sheet .chip[data-seat='1']")
    page.until(CARD)
    assert page.text("#card li.right") == "The blue whale"
    assert page.text("#card ol").split("\n") == list(fakegames.CARD.choices)
    page.tap("#bar .right")
    assert page.until_acted() == Action("answer", right=True)
    page.show(replace(fakegames.question(), reader=2, due=1))
    page.until(NO_CARD)
    assert page.complaints() == []


def test_who_said_i_am_the_reader_is_still_it_when_the_page_is_loaded_anew(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question(), pin=PIN)
    page.run("localStorage.setItem('pin', arguments[0])", PIN)
    page.open()
    page.tap("#bar [data-action=reader]")
    page.until(CARD)
    page.open()
    page.until(CARD)
    page.show(replace(fakegames.question(), reader=2, due=1))
    page.until(NO_CARD)
    page.show(fakegames.question())
    page.until("document.querySelector('#bar [data-action=reader]')")
    assert page.run(f"return {NO_CARD}") and page.complaints() == []


@pytest.mark.long(but=("390",))
@pytest.mark.parametrize("wide", [320, 390])
def test_a_long_word_stays_on_its_readers_phone(at: At, hub: fakehub.FakeHub, wide: int) -> None:
    word = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch"
    red, *others = fakegames.question().seats
    view = replace(fakegames.question(), seats=(replace(red, name=word[:16], member=word), *others))
    page = at(fakegames.GLORIA, replace(view, headline=f"{word}?", plays=(replace(view.plays[0], text=word),)))
    page.run("localStorage.setItem('seat', '1')")
    for choices in ((word, "a"), ()):
        hub.card = QuestionView(word, word, choices, word)
        page.open("", (wide, 640))
        page.until(f"document.querySelector('#card .question')?.textContent === '{word}'")
        assert page.run("return document.documentElement.scrollWidth") == wide
        assert page.run("""return [...document.querySelectorAll("#card *, #players *, #story *, #turn h1, #headline")]
          .filter((node) => node.getBoundingClientRect().right > innerWidth).map((node) => node.outerHTML)""") == []


def test_a_reader_who_gives_no_pin_is_not_asked_again_and_again(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question(), pin=PIN)
    page.tap("#bar [data-action=reader]")
    page.until("document.querySelector('#door #pin')")
    page.tap("#door .leave")
    page.until("document.querySelector('#card button')")
    page.show(replace(fakegames.question(), devices=()))
    assert not page.run("return document.querySelector('#door').open")
    page.tap("#card button")
    page.write("#door #pin", PIN)
    page.tap("#door form .main")
    page.until(CARD)


def test_a_phone_without_a_seat_may_read(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question())
    page.tap("#bar [data-action=reader]")
    page.until(CARD)
    page.tap("#bar .wrong")
    assert page.until_acted() == Action("answer", right=False)
    page.show(replace(fakegames.question(), reader=2, due=1))
    page.until(NO_CARD)
    page.until("document.querySelector('#bar [data-action=reader]')")


def test_a_phone_that_did_not_read_the_last_question_may_read_the_next(at: At) -> None:
    """After a wrong answer the next player's question comes at once, and the button stays as it was."""
    page = at(fakegames.GLORIA, fakegames.question())
    page.show(replace(fakegames.question(), reader=2, due=1))
    page.tap("#bar [data-action=reader]")
    page.until(CARD)
    page.tap("#bar .right")
    assert page.until_acted() == Action("answer", right=True)


def test_a_reader_who_is_down_at_the_story_is_shown_the_question(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question())
    assert page.run("scrollTo(0, 9999); return scrollY") > 100
    page.tap("#bar [data-action=reader]")
    page.until(CARD)
    page.until("""(() => {
      const [card, turn, bar] = ["#card", "#turn", "#bar"]
        .map((one) => document.querySelector(one).getBoundingClientRect());
      return card.top >= turn.bottom && card.bottom <= bar.top;
    })()""")


def test_who_does_not_read_can_still_say_what_came_of_it(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question())
    page.more("answer")
    assert page.until_acted() == Action("answer", right=True)


def test_cards_on_the_table_are_judged_on_any_phone_and_the_kiosk(at: At) -> None:
    page = at(fakegames.GLORIA, fakegames.question(deck=False))
    page.tap("#bar .wrong")
    assert page.until_acted() == Action("answer", right=False)
    page.open("kiosk", KIOSK)
    page.show(fakegames.question())
    page.tap("#bar .right")
    assert page.until_acted() == Action("answer", right=True)
    assert page.run(f"return {NO_CARD}")


# --- declarations, challenges, dice, the end ---


@pytest.mark.parametrize(("path", "size"), [("", SMALL_PHONE), ("", PHONE), ("kiosk", PANEL), ("kiosk", KIOSK)])
def test_what_a_phone_is_told_lies_over_no_button(
    at: At, hub: fakehub.FakeHub, path: str, size: tuple[int, int]
) -> None:
    """For seconds nobody read which was "Right" and which "Wrong" of the next question."""
    hub.answer = Answer(False, "Somebody was quicker: the table has changed. Look again, and press once more.")
    asked = fakegames.question(deck=False)
    page = at(fakegames.GLORIA, replace(asked, actions=("answer", "takeback", *fakehub.ALWAYS)), path, size)
    page.tap("#bar .wrong")
    page.until("getComputedStyle(document.querySelector('#toast')).opacity === '1'")
    covered = """const box = (node) => node.getBoundingClientRect();
      const end = box(document.querySelector("#toast")).bottom;
      return [...document.querySelectorAll("#bar button")].filter((one) => box(one).top < end).length"""
    assert page.run(covered) == 0


@pytest.mark.parametrize(
    ("name", "action"), [("cards", "answer"), ("declaration", "declare"), ("challenge", "challenge"), ("dice", "dice")]
)
def test_a_board_that_cannot_be_seen_keeps_nobody_from_answering(at: At, name: str, action: str) -> None:
    """The table waited for an answer all the same, and no button gave one."""
    table, view = fakegames.STATES[name]
    page = at(table, replace(view(), trouble=fakehub.lost().trouble))
    assert page.run("return document.querySelector('#headline').checkVisibility()"), "it says what is asked"
    page.tap(f"#bar [data-action={action}]")
    assert page.until_acted().name == action
    page.show(replace(view(), trouble=fakehub.illegal().trouble))
    assert not page.run("return document.querySelector('#bar .asked')"), "a foul is put right first"


def test_declaring_who_plays(at: At) -> None:
    page = at(fakegames.AGGRAVATION, fakegames.declaration())
    assert page.text("#bar [data-seat='2']") == "Yellow plays"
    page.tap("#bar [data-seat='4']")
    assert page.until_acted() == Action("declare", seat=4)


def test_challenging_or_not(at: At) -> None:
    page = at(fakegames.GOD, fakegames.challenge())
    page.tap("#bar [data-action=challenge]:nth-child(2)")
    assert page.until_acted() == Action("challenge", space="e4")
    assert page.run("return document.querySelectorAll('#board .arrows .ring').length") == 2
    assert page.text("#bar [data-action=confirm]") == "No challenge"
    page.tap("#bar [data-action=confirm]")
    assert page.until_acted() == Action("confirm")


def test_one_die_or_both(at: At) -> None:
    page = at(fakegames.PRINT, fakegames.dice())
    buttons = "[...document.querySelectorAll('#bar [data-action=dice]')]"
    pressed = f"{buttons}.map((button) => button.getAttribute('aria-pressed')).join()"
    page.until(f"{pressed} === 'false,true'")
    page.tap("#bar [data-action=dice]:nth-child(1)")
    assert page.until_acted() == Action("dice", count=1)
    page.show(replace(fakegames.dice(), throwing=1))
    page.until(f"{pressed} === 'true,false'")


def test_one_die_that_was_told_is_corrected_to_both(at: At) -> None:
    told = fakegames.PRINT.view(DueKind.PLAY, "Red, move 5.", roll=(5,), left=(5,), thrown=(1, 2), actions=("correct",))
    page = at(fakegames.PRINT, told)
    page.more("correct")
    page.tap(".faces:nth-child(1) button:nth-child(5)")
    assert page.text("#sheet .main") == "The die shows 5"
    page.tap(".faces:nth-child(2) button:nth-child(3)")
    page.tap("#sheet .main")
    assert page.until_acted() == Action("correct", dice=(5, 3))


@pytest.mark.long
def test_stopping_asks_once_more(at: At) -> None:
    page = at(fakegames.GOD, fakegames.moving())
    page.more("stop")
    page.tap("#sheet .choices button:nth-child(2)")
    page.until("!document.querySelector('#sheet').open")
    assert page.hub.actions == []
    page.more("stop")
    page.tap("#sheet .choices .main")
    assert page.until_acted() == Action("stop")


def test_a_new_game_with_who_begins(at: At) -> None:
    page = at(fakegames.GOD, fakegames.moving())
    page.more("newgame")
    page.tap("#sheet .playing [data-seat='1']")
    assert page.run("return document.querySelector('#sheet .main').disabled")
    page.tap("#sheet .playing [data-seat='3']")
    page.tap("#sheet [aria-labelledby='first-label'] [data-seat='3']")
    page.tap("#sheet .main")
    assert page.until_acted() == Action("newgame", seats=(0, 1, 2, 3), first=3)


# --- editing positions ---


def edited(page: Page, table: Table, taps: list[str], press: tuple[str, ...] = ()) -> dict[str, Any]:
    """The STATE that the editor sends after taps on spaces and presses of what is below the board.

    It is one that the game takes.
    """
    state = sent(page, table, taps, press)
    game_from_json(state).from_json(state)
    return state


def sent(page: Page, table: Table, taps: list[str], press: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the editor sends after taps on spaces and presses of what is below the board."""
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    for name in taps:
        tap_space(page, table, name)
    for selector in press:
        page.tap(selector)
    page.tap("#sheet .choices .main")
    return dict(page.until_acted().state or {})


@pytest.mark.long(but=("aggravation", "god-four"))
@pytest.mark.parametrize("name", sorted(fakegames.GAMES))
def test_the_editor_gives_back_what_it_was_given(at: At, name: str) -> None:
    table = fakegames.GAMES[name]
    page = at(table, replace(fakehub.roll_due(), game=table.stored["game"]))
    same = dict(table.stored)
    game = game_from_json(same)
    assert game.from_json(edited(page, table, [])) == game.from_json(same)
    assert page.complaints() == []


def test_editing_gloria(at: At) -> None:
    table = fakegames.GLORIA
    page = at(table, fakegames.question())
    state = edited(page, table, ["t17", "lane0.4", "t15", "t5", "base3.1", "t31"], ("#sheet .round[data-seat='1']",))
    assert state["pieces"] == {**table.stored["pieces"], "0": [-1, 0, 42, 44], "1": [-1, -1, 0, 35]}


def test_a_pawn_that_comes_back_to_its_start_has_been_round(at: At) -> None:
    table = fakegames.GLORIA_CENTER
    page = at(table, fakegames.center())
    taps = ["lane1.1", "t10", "t13", "center", "base2.1", "t20"]
    press = "#sheet .opened [data-seat='1']", "#sheet .due-row:not(.opened) [data-seat='1']"
    state = edited(page, table, taps, press)
    assert state["pieces"] == {**table.stored["pieces"], "1": [-1, 40, 45, 45], "2": [-1, -1, -1, 0]}
    assert state["opened"] == [0, 1, 2, 3]


@pytest.mark.long
def test_editing_aggravation(at: At) -> None:
    table = fakegames.AGGRAVATION
    page = at(table, fakegames.declaration())
    state = edited(page, table, ["center", "base1.3", "t1", "center"], ("#sheet .seats [data-seat='5']",))
    assert state["pieces"] == {**table.stored["pieces"], "1": [-1, -1, -1, 5], "4": [-1, 19, 84, 900]}
    assert state["due"] == 5 and state["options"] == table.stored["options"]


def test_editing_a_game_of_other_people_that_the_page_does_not_know(at: At) -> None:
    """A game on a grid, say: the page offered to set its position, and said then that it cannot be set."""
    stands = {"base0": [0, 0], "t3": [0], "t17": [1], "base1": [1]}
    table = replace(fakegames.GLORIA, stored={**fakegames.GLORIA.stored, "stands": stands})
    page = at(table, fakegames.question())
    state = sent(page, table, ["t17", "t21", "base0.1", "t30"], ("#sheet .seats [data-seat='2']",))
    assert state == {"due": 2, "stands": {"base0": [0], "t3": [0], "t21": [1], "base1": [1], "t30": [0]}}


def test_editing_game_of_god(at: At) -> None:
    table = fakegames.GOD
    page = at(table, fakegames.moving())
    state = edited(page, table, ["c8", "c7", "f5"], ("#sheet .turn-over", "#sheet .seats [data-seat='0']"))
    assert state["squares"] == {**table.stored["squares"], "c8": "N", "c7": "N", "f5": "SN"} and state["due"] == "N"


@pytest.mark.parametrize("size", [(563, 260), (422, 195)], ids=["150 %", "200 %"])
def test_on_a_phone_on_its_side_that_is_enlarged_the_board_can_be_tapped(at: At, size: tuple[int, int]) -> None:
    """The board of the position was 79 pixels wide, or 19; and the dice were half under their button."""
    page = at(fakegames.GOD, fakegames.moving(), size=size)
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    assert page.run("return document.querySelector('.editor .board').clientWidth") > 200
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    page = at(fakegames.PRINT, fakegames.dice(), size=size)
    page.tap("#bar [data-action=roll]")
    page.until("document.querySelector('#sheet .faces')")
    edge = "return [...document.querySelectorAll(arguments[0])].pop().getBoundingClientRect()[arguments[1]]"
    assert page.run(edge, "#sheet .faces button", "bottom") <= page.run(edge, "#sheet .body > *:last-child", "top")


def test_who_chooses_the_set_up_by_hand_says_who_plays_next(at: At) -> None:
    """GOD-1: of one piece that is moved the next player follows; of a pair put elsewhere the one after the chooser was
    taken to, whose move was lost."""
    table = replace(fakegames.GOD, stored={**fakegames.GOD.stored, "next": "N"})
    page = at(table, fakegames.moving())
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    for taps, said in ((("c1", "d1"), "Set this position"), (("c1", "d1"), "Say who plays next")):
        for name in taps:
            tap_space(page, table, name)
            time.sleep(DOUBLE_TAP)  # the same spots again
        assert page.text("#sheet .choices .main") == said
    page.tap("#sheet .due-row [data-seat='2']")
    page.tap("#sheet .choices .main")
    state = page.until_acted().state
    assert state is not None and state["due"] == "S" and state["squares"]["d1"] == "SS"


def test_a_stack_that_is_taken_up_is_told_to_a_screen_reader(at: At) -> None:
    page = at(fakegames.GOD, fakegames.moving())
    page.more("position")
    page.until("document.querySelector('#sheet .editor, #sheet.editor')")
    tap_space(page, fakegames.GOD, "f5")
    pieces = """return [...document.querySelectorAll("#sheet .pile [role=img]")].map((piece) => piece.ariaLabel)"""
    assert page.run(pieces) == ["white", "black"]


@pytest.mark.long
def test_game_of_god_is_edited_by_names_too(at: At) -> None:
    table = fakegames.GOD
    page = at(table, fakegames.moving())
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    page.run("document.querySelector('#sheet details').open = true")
    for piece, goal in ((", c8", "beside the board"), (", beside the board", "c7")):
        script = """const [which, goal] = ["which", "goal"].map((name) => document.querySelector(`#sheet .${name}`));
          which.selectedIndex = [...which.options].find((option) => option.textContent.endsWith(arguments[0])).index;
          which.dispatchEvent(new Event("change"));
          goal.selectedIndex = [...goal.options].find((option) => option.textContent === arguments[1]).index;"""
        page.run(script, piece, goal)
        page.tap("#sheet .move-it")
    page.tap("#sheet .due-row [data-seat='2']")
    page.tap("#sheet .choices .main")
    state = page.until_acted().state
    assert state is not None and state["squares"] == {**table.stored["squares"], "c8": "N", "c7": "N"}


def test_a_double_tap_takes_a_piece_up_and_puts_it_nowhere(at: At) -> None:
    """The board gives way once a piece is taken up: the second tap put it on the square beside."""
    table = fakegames.GOD
    page = at(table, fakegames.moving())
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    where = table.sheet.spaces["c8"]
    page.tap_twice_at(".editor .board", where.x, where.y)
    page.until("document.querySelector('#sheet .help').textContent.includes('c8')")
    time.sleep(0.2)
    assert "Now tap where" in page.text("#sheet .help")


def test_the_board_does_not_give_way_under_the_finger_that_takes_a_piece_up(at: At) -> None:
    """By more than a square where a phone is high enough."""
    table = fakegames.GOD
    page = at(table, fakegames.moving(), size=(390, 844))
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    place = "return document.querySelector('.editor .board').getBoundingClientRect().y"
    before = page.run(place)
    for name, row in (("a4", "take-off"), ("f5", "turn-over")):
        tap_space(page, table, name)
        page.until(f"document.querySelector('#sheet .{row}')")
        assert abs(page.run(place) - before) < 2
        tap_space(page, table, name)
        page.until("!document.querySelector('#sheet .take-off')")


@pytest.mark.long
def test_pieces_may_wait_beside_the_board(at: At) -> None:
    table = fakegames.GOD
    page = at(table, fakegames.moving())
    page.more("position")
    page.until("document.querySelector('.editor .pawn')")
    tap_space(page, table, "a4")
    page.tap("#sheet .take-off")
    tap_space(page, table, "a4")
    page.tap("#sheet .take-off")
    page.tap("#sheet .beside [data-seat='0']")
    tap_space(page, table, "b4")
    page.tap("#sheet .beside [data-seat='2']")
    tap_space(page, table, "b4")
    page.tap("#sheet .due-row [data-seat='2']")
    page.tap("#sheet .choices .main")
    state = page.until_acted().state or {}
    squares = {name: stack for name, stack in table.stored["squares"].items() if name != "a4"}
    assert state["squares"] == {**squares, "a4": "S", "b4": "NS"}
