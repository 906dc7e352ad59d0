"""The page on a bad network: a proxy that holds the stream back, answers that come late, half or never."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import fakegames
import fakehub
import fakesetup
import pytest
from browser import Page

from companion.model.table import Action, Answer

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@pytest.fixture
def proxy(make_page: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """A page behind a proxy that sends only the beginning of what comes from one address, and then nothing more."""
    over = threading.Event()

    def make(address: str, head: bytes = b"", length: str = "") -> Page:
        page = make_page()
        app = page.server.app
        usual: Wsgi = app.wsgi_app

        def held(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
            if environ["PATH_INFO"] != address:
                return usual(environ, start)
            kind = "text/event-stream" if not length else "application/json"
            start("200 OK", [("Content-Type", kind), *([("Content-Length", length)] if length else [])])
            return trickle()

        def trickle() -> Iterator[bytes]:
            yield head
            over.wait(60)

        app.wsgi_app = held
        return page

    yield make
    over.set()


@pytest.mark.long
def test_a_proxy_that_holds_the_stream_back_does_not_hide_a_foul(proxy: Callable[..., Page]) -> None:
    page = proxy("/api/events")
    page.open()
    page.show(fakehub.illegal())
    assert page.run("return document.querySelector('#link').hidden")
    page.show(fakehub.playing())


@pytest.mark.long
def test_a_network_on_which_all_comes_late_is_not_called_lost_again_and_again(make_page: Callable[..., Page]) -> None:
    page = make_page(heartbeat=2.0)
    page.open()
    app = page.server.app
    usual: Wsgi = app.wsgi_app
    late = {"/api/events": 3.0, "/api/view": 7.0}

    def slow(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        time.sleep(late.get(environ["PATH_INFO"], 0.0))
        return usual(environ, start)

    app.wsgi_app = slow
    page.run("""window.times = 0;
      new MutationObserver(() => (window.times += !document.querySelector("#link").hidden))
        .observe(document.querySelector("#link"), { attributes: true });
      dispatchEvent(new Event("online"));""")
    time.sleep(20)
    assert page.run("return window.times") == 0
    page.show(fakehub.illegal())


@pytest.mark.long
def test_half_an_answer_is_not_waited_for_for_ever(proxy: Callable[..., Page]) -> None:
    page = proxy("/api/state", b'{"game": ', "900")
    page.open()
    page.more("position")
    page.until("document.querySelector('#toast').textContent.startsWith('The referee cannot be reached')")


def test_an_answer_that_was_cut_off_is_asked_for_once_more(make_page: Callable[..., Page]) -> None:
    """Where that was in its headers a browser takes it for whole: the page held itself for newer than it was, and
    showed no foul until the next change."""
    page = make_page(most_streams=0)
    page.open()
    page.run("""window.stays = true;
        const usual = window.fetch;
        window.fetch = async (...how) => {
          const whole = await usual(...how);
          if (whole.status !== 200 || window.cut) return whole;
          window.cut = true;
          return new Response("", { headers: { ETag: whole.headers.get("ETag"), "Companion-Build": "0" } });
        };""")
    page.show(fakehub.illegal())
    assert page.run("return window.stays && window.cut") and page.complaints() == []


def test_a_position_that_comes_late_does_not_shut_what_was_opened_meanwhile(page: Page) -> None:
    page.open()
    page.run("""window.usual = window.fetch;
      window.fetch = async (...how) => {
        if (String(how[0]).includes("state")) await new Promise((go) => (window.let_go = go));
        return usual(...how);
      };""")
    page.more("position")
    page.until("window.let_go")
    page.tap("#bar [data-action=roll]")
    page.tap("#sheet .faces button")
    page.run("window.let_go()")
    time.sleep(0.5)
    assert page.run("return document.querySelectorAll('#sheet .faces [aria-pressed=true]').length") == 1


def test_what_takes_long_is_said_to_and_not_asked_for_twice(
    page: Page, hub: fakehub.FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, go_on = hub.act, threading.Event()

    def slow(action: Action) -> Answer:
        answer = usual(action)
        go_on.wait(10)
        return answer

    monkeypatch.setattr(hub, "act", slow)
    hub.show(fakehub.playing())
    page.open()
    page.tap("#bar [data-action=takeback]")
    page.until("document.querySelector('#toast.shown')?.textContent === 'One moment …'")
    page.tap("#bar [data-action=takeback]")
    time.sleep(0.3)
    assert hub.actions == [Action("takeback")]
    go_on.set()
    page.until("document.querySelector('#toast').textContent === 'Done.'")
    assert page.until_acted() == Action("takeback") and not hub.actions
    page.tap("#bar [data-action=takeback]")
    assert page.until_acted() == Action("takeback") and not hub.actions


@pytest.mark.long
def test_what_was_not_answered_may_have_been_done(
    page: Page, hub: fakehub.FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    monkeypatch.setattr(hub, "act", lambda action: over.wait(30) and Answer(True, "Done."))
    hub.show(fakehub.playing())
    page.open()
    page.tap("#bar [data-action=takeback]")
    time.sleep(9)
    page.until("document.querySelector('#toast.wrong')?.textContent.includes('look whether it was done')")
    over.set()


def test_a_phone_that_left_the_network_says_so_at_once(page: Page) -> None:
    page.open()
    time.sleep(0.5)
    page.run("""window.fetch = () => Promise.reject(new TypeError());
      dispatchEvent(new Event("offline"));""")
    page.until("document.querySelector('#link').checkVisibility()")


@pytest.mark.long
def test_a_question_that_did_not_come_can_be_asked_for_again(
    make_page: Callable[..., Page], hub: fakehub.FakeHub
) -> None:
    page = make_page(fakegames.GLORIA.sheet, fakegames.GLORIA.svg)
    hub.show(fakegames.question())
    hub.card = fakegames.CARD
    page.open()
    page.run("""window.usual = window.fetch;
      window.fetch = (address, how) =>
        (address.includes("question") ? Promise.reject(new TypeError()) : usual(address, how));""")
    page.tap("#bar [data-action=reader]")
    page.until("document.querySelector('#card p')?.textContent.includes('cannot be reached')")
    page.run("window.fetch = window.usual")
    page.tap("#card button")
    page.until("document.querySelector('#card .question')")
    page.run("document.querySelector('#card .question').dataset.test = 'kept'")
    page.show(replace(hub.view(), plays=fakehub.story()))
    time.sleep(0.5)
    assert page.run("return document.querySelector('#card .question').dataset.test") == "kept", "not read out again"


@pytest.mark.long
def test_a_picture_that_is_long_on_its_way_is_waited_for(
    page: Page, hub: fakehub.FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow() -> bytes:
        time.sleep(2.5)
        return fakesetup.picture(90)

    monkeypatch.setattr(hub, "live", slow)
    page.open()
    page.more("camera")
    page.until("document.querySelector('#sheet img')?.naturalWidth > 0")


def test_a_referee_who_is_away_is_not_called_a_camera_that_shows_nothing(page: Page) -> None:
    page.open()
    page.server.close()
    page.until("!document.querySelector('#link').hidden")
    page.more("camera")
    page.until("document.querySelector('#sheet p')?.checkVisibility()")
    assert page.text("#sheet p") == "The referee cannot be reached just now."
