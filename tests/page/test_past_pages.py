"""Earlier games on the page: which there were, and what was said in each."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

import pytest
from browser import CONTRASTS, LARGE, LYING_PHONE, PANEL, PHONE, SMALL_PHONE, SMALL_TARGETS, Page
from fakepast import EVENING, LEFT, LINES, OPEN, WON, FakePast, line
from fakesetup import FakeSetUp, picture
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.model import JournalError
from companion.model.past import PastLine, PastStory
from companion.page import past_pages
from companion.page.past_pages import counts, date, result


@pytest.fixture(autouse=True)
def somewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times are told as at one place."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def past() -> FakePast:
    return FakePast(OPEN, WON, LEFT)


@pytest.fixture
def reader(make_app: Callable[..., Flask], past: FakePast) -> FlaskClient:
    return make_app(past=past).test_client()


def test_games_are_listed_with_how_they_ended(reader: FlaskClient) -> None:
    listed = reader.get("/games").text
    places = [listed.index(f'href="/games/{number}"') for number in (3, 2, 1)]
    assert places == sorted(places), "the newest first"
    for said in ("Still open", "Red and blue won", "Not finished", "Red, yellow", "Wed 18 Nov 2026, 11:06"):
        assert said in listed, said
    assert "&lt;b&gt;Anna" in listed and "<b>Anna" not in listed


def test_a_game_of_a_clock_that_was_not_set_has_its_number(reader: FlaskClient) -> None:
    assert "Game 1" in reader.get("/games").text and "1970" not in reader.get("/games").text


def test_that_nothing_was_said_is_said_in_one_line(make_page: Callable[..., Page]) -> None:
    page = make_page(past=FakePast(LEFT))
    page.driver.get(page.server.url + "games/1")
    lines = """const line = document.querySelector(".told .soft"), style = getComputedStyle(line);
      return line.getBoundingClientRect().height / parseFloat(style.lineHeight)"""
    assert page.run(lines) < 2


def test_a_story_is_told_from_the_beginning_with_what_the_camera_saw(reader: FlaskClient) -> None:
    told = reader.get("/games/2").text
    said = ["Red moved 6, then moved 1.", "Blue&#39;s marble moved 4 spaces &amp; not 3.", "AGG-4", "Thank you", "won."]
    assert [told.index(text) for text in said] == sorted(told.index(text) for text in said)
    assert '<img src="/picture/2/00003100-after.jpg"' in told
    assert "1 play, 1 foul" in told and '<li class="illegal"><time>11:08</time>' in told
    assert told.count('<use href="#die-') == 3


def test_what_was_said_on_another_evening_has_its_date(make_app: Callable[..., Flask], past: FakePast) -> None:
    began_before = replace(WON, began=EVENING - 2 * 86_400)
    past.story = lambda number: PastStory(began_before, LINES)  # type: ignore[method-assign]
    told = make_app(past=past).test_client().get("/games/2").text
    assert "<time>18 Nov 11:08</time>" in told and "Mon 16 Nov 2026, 11:06" in told


def test_a_game_in_which_nothing_was_said(reader: FlaskClient) -> None:
    assert "Nothing was said in this game." in reader.get("/games/3").text


def test_no_game_was_played_yet(make_app: Callable[..., Flask]) -> None:
    assert "No game was played here yet." in make_app(past=FakePast()).test_client().get("/games").text


@pytest.mark.parametrize("number", ["4", "0", "99999999999999999999"])
def test_a_game_that_there_is_not(reader: FlaskClient, number: str) -> None:
    answer = reader.get(f"/games/{number}")
    assert answer.status_code == 404 and answer.text == f"There is no game {number}. All games are at /games\n"


@pytest.mark.parametrize("path", ["/games", "/games/2", "/games/2.zip"])
def test_a_journal_that_cannot_be_read_says_why(reader: FlaskClient, past: FakePast, path: str) -> None:
    past.error = JournalError("journal games.db: the disk does not work: replace the card soon")
    answer = reader.get(path)
    assert answer.status_code == 503
    assert answer.text == "Journal games.db: the disk does not work: replace the card soon\n"


def test_a_kiosk_which_has_no_way_back_of_its_own_is_always_shown_one(reader: FlaskClient, past: FakePast) -> None:
    """A picture alone, or a line of plain text, kept it until somebody pulled its plug."""
    told = reader.get("/games/2?from=kiosk").text
    assert '<img src="/picture/2/00003100-after.jpg"' in told and 'href="/picture/' not in told
    error = JournalError("journal games.db: the disk does not work: replace the card soon")
    for path, status in (("/games", 503), ("/games/2", 503), ("/games/4", 404)):
        past.error = error if status == 503 else None
        answer = reader.get(f"{path}?from=kiosk")
        assert answer.status_code == status and 'href="/kiosk"' in answer.text
        assert ("replace the card soon" if status == 503 else "There is no game 4.") in answer.text


def test_a_game_is_saved_as_one_file(reader: FlaskClient) -> None:
    assert 'href="/games/2.zip"' in reader.get("/games/2").text
    assert ".zip" not in reader.get("/games/2?from=kiosk").text, "a kiosk has no place to keep it"
    answer = reader.get("/games/2.zip")
    assert answer.data == b"PK of game 2" and answer.mimetype == "application/zip"
    assert answer.headers["Content-Disposition"] == "attachment; filename=companion-2026-11-18-game-2.zip"
    of_no_day = reader.get("/games/1.zip").headers["Content-Disposition"]
    assert of_no_day.endswith("filename=companion-game-1.zip"), "its clock was not set"
    missing = reader.get("/games/4.zip")
    assert missing.status_code == 404 and "There is no game 4" in missing.text


def test_why_a_game_is_not_saved_is_read(make_page: Callable[..., Page], past: FakePast) -> None:
    page = make_page(past=past)
    page.driver.get(page.server.url + "games/2")
    past.error = JournalError("the game cannot be packed: No space left on device; is the disk full?")
    page.run("document.querySelector('.keep a').click()")
    page.until("document.body.textContent.includes('is the disk full?')")


def test_games_that_nobody_fetches_fill_no_disk(reader: FlaskClient, past: FakePast) -> None:
    files = list[BinaryIO]()

    def packed(number: int) -> BinaryIO | None:
        files.extend([BytesIO(b"PK")] if number == WON.number else [])
        return files[-1] if number == WON.number else None

    past.packed = packed  # type: ignore[method-assign]

    def save(address: str) -> TestResponse:
        return reader.get("/games/2.zip", environ_base={"REMOTE_ADDR": address})

    held = [save("10.0.0.5") for _ in range(past_pages.MOST_OF_ONE)]
    refused = save("10.0.0.5")
    assert refused.status_code == 503 and "try again" in refused.text
    assert save("10.0.0.6").status_code == 200, "one guest keeps nobody else from it"
    held[0].close()
    assert files[0].closed and save("10.0.0.5").status_code == 200
    for _ in range(2 * past_pages.MOST_SAVED):
        assert reader.get("/games/4.zip").status_code == 404, "what is not there takes no place"
    assert save("127.0.0.1").status_code == 200, "a proxy asks for many"
    everybody = [save(f"10.0.1.{guest}").status_code for guest in range(past_pages.MOST_SAVED)]
    assert everybody[-1] == 503 and sum(not file.closed for file in files) == past_pages.MOST_SAVED


def test_one_game_is_packed_after_the_other(
    make_app: Callable[..., Flask], past: FakePast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_pages, "_PATIENCE", 0.05)
    reader, busy, go_on = make_app(past=past).test_client(), threading.Event(), threading.Event()
    packed = past.packed
    past.packed = lambda number: (busy.set(), go_on.wait(5), packed(number))[2]  # type: ignore[method-assign]
    first = threading.Thread(target=reader.get, args=("/games/2.zip",))
    first.start()
    assert busy.wait(5)
    waits = reader.application.test_client().get("/games/3.zip")
    assert waits.status_code == 503 and "try again in a moment" in waits.text
    go_on.set()
    first.join()
    assert reader.get("/games/3.zip").status_code == 200


def test_a_table_that_keeps_no_games_has_no_such_page(client: FlaskClient) -> None:
    assert client.get("/games").status_code == 404
    assert "Earlier games" not in client.get("/").text


def test_words_of_three_winners_and_of_a_date() -> None:
    assert result(replace(WON, winners=("red", "green", "blue"))) == "Red, green and blue won"
    assert result(replace(WON, winners=("white", "black"), draw=True)) == "A draw: white and black"
    assert date(EVENING) == "Wed 18 Nov 2026, 11:06" and date(5.0) == ""


def test_without_fouls_that_is_said() -> None:
    assert counts(PastStory(WON, (LINES[0], LINES[0]))) == "2 plays, no foul"
    assert counts(PastStory(WON, ())) == ""


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["legal", "takeback", "legal"], "1 play, no foul"),
        (["legal", "takeback"], ""),
        (["partial", "takeback", "partial", "partial", "legal"], "1 play, no foul"),
        (["legal", "illegal", "restored", "legal"], "2 plays, 1 foul"),
        (["legal", "partial", "takeback"], "1 play, no foul"),
        (["legal", "illegal", "legal", "takeback", "illegal", "restored"], "1 play, 1 foul"),
        (["legal", "illegal", "note", "note", "illegal", "restored", "illegal"], "1 play, 2 fouls"),
        (["legal", "illegal", "legal", "illegal"], "2 plays, 2 fouls"),
    ],
)
def test_a_play_that_was_taken_back_is_not_counted(told: list[str], said: str) -> None:
    lines = tuple(line(number, verdict, "Red …") for number, verdict in enumerate(told))
    assert counts(PastStory(WON, lines)) == said


def test_a_word_that_was_taken_back_costs_no_play() -> None:
    word = replace(LINES[0].play, verdict="takeback", seat=None, text="The wrong answer is taken back.")
    assert counts(PastStory(WON, (LINES[0], PastLine(word)))) == "1 play, no foul"


def look(page: Page, path: str, size: tuple[int, int], scheme: str) -> None:
    """Nothing on that page is hard to read or to tap, or wider than the screen."""
    page.until(f"location.pathname === {path!r}")
    emulated = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", emulated)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    assert page.run("return document.documentElement.scrollWidth") <= size[0]
    assert [text for ratio, text in page.run(CONTRASTS) if ratio < 4.5] == []
    assert page.run(SMALL_TARGETS) == []
    assert page.complaints() == []


@pytest.mark.long(but=("size0-light", "size2-light"))
@pytest.mark.parametrize(("size", "scheme"), [(SMALL_PHONE, "light"), (PHONE, "dark"), (LYING_PHONE, "light")])
def test_a_phone_reads_in_an_earlier_game(
    make_page: Callable[..., Page], past: FakePast, size: tuple[int, int], scheme: str
) -> None:
    page = make_page(past=past)
    page.hub.pictures["2/00003100-after.jpg"] = picture(120)
    page.open(size=size, scheme=scheme)
    page.tap(".earlier a")
    look(page, "/games", size, scheme)
    page.tap("a[href='/games/2']")
    look(page, "/games/2", size, scheme)
    page.until("document.querySelector('.told img').naturalWidth > 0")
    page.tap(".back")
    look(page, "/games", size, scheme)
    page.tap(".back")
    page.until("location.pathname === '/' && document.body.classList.contains('ready')")


@pytest.mark.long
def test_a_kiosk_stays_one(make_page: Callable[..., Page], past: FakePast) -> None:
    page = make_page(past=past)
    page.open("kiosk", PANEL)
    page.more("past")
    look(page, "/games", PANEL, "light")
    page.tap("a[href='/games/2?from=kiosk']")
    look(page, "/games/2", PANEL, "light")
    page.tap(".back")
    page.until("location.pathname === '/games'")
    page.tap(".back")
    page.until("location.pathname === '/kiosk' && document.body.classList.contains('ready')")


@pytest.mark.parametrize("path", ["games", "games/2", "setup"])
def test_what_a_television_leads_to_is_as_large_as_on_a_screen_of_half_as_many_dots(
    make_page: Callable[..., Page], past: FakePast, path: str
) -> None:
    page = make_page(past=past, setup=FakeSetUp())
    sizes = []
    for size in (LARGE, (3840, 2160)):
        page.open("kiosk", size)
        page.driver.get(f"{page.server.url}{path}?from=kiosk")
        sizes.append(page.run("""return [...document.querySelectorAll("h1, main, main p")].map((node) =>
          node.matches("main") ? node.clientWidth : parseFloat(getComputedStyle(node).fontSize))"""))
    assert all(large >= 1.9 * small for small, large in zip(*sizes, strict=True)), sizes


@pytest.mark.parametrize("percent", [150, 200])
def test_large_letters_fit_the_smallest_phone(make_page: Callable[..., Page], past: FakePast, percent: int) -> None:
    """A game's name stood one letter a line, and how it ended lay over it."""
    page = make_page(past=past)
    page.open(size=SMALL_PHONE)
    page.driver.get(f"{page.server.url}games")
    page.run(f"document.documentElement.style.fontSize = '{percent}%'")
    assert page.run("return document.documentElement.scrollWidth") <= SMALL_PHONE[0]
    assert page.run(OVERLAPPING) == []
    lines = """return [...document.querySelectorAll(".games b")]
      .map((name) => Math.round(name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight)))"""
    assert max(page.run(lines)) <= 2


OVERLAPPING = """const parts = [...document.querySelectorAll(".top > *, .games a > *")], found = [];
for (const one of parts) for (const other of parts) {
  if (one === other || one.parentNode !== other.parentNode) continue;
  const [a, b] = [one, other].map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect();
  });
  const beside = a.left >= b.right - 1 || b.left >= a.right - 1;
  if (!beside && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(one.textContent);
}
return found;"""


def test_a_kiosk_that_nobody_touches_comes_home_from_an_earlier_game(
    make_page: Callable[..., Page], past: FakePast
) -> None:
    page = make_page(past=past)
    page.open("kiosk", PANEL)
    page.driver.get(f"{page.server.url}games/2?from=kiosk")
    page.run(HURRY)
    page.tap("h1")
    page.until("location.pathname === '/kiosk'")


HURRY = """const usual = window.setTimeout;
window.setTimeout = (work, ms) => usual(work, ms > 60000 ? 200 : ms);"""
