"""A table with a fake hub: its app, and its server on a free port."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import fakehub
import pytest
from browser import CHROMIUM, DRIVER, FLAGS, Page
from fakehub import PIN
from fakesetup import FakeSetUp
from flask import Flask
from flask.testing import FlaskClient

from calibration import parcheesi_board
from companion.model import Sheet
from companion.page import PageServer, create_app


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """What looks at the page in the browser shares one, where tests run side by side."""
    for item in items:
        if "driver" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture
def hub() -> fakehub.FakeHub:
    return fakehub.FakeHub()


@pytest.fixture
def make_app(hub: fakehub.FakeHub) -> Callable[..., Flask]:
    def make(**more: Any) -> Flask:
        return create_app(hub, parcheesi_board.sheet(), parcheesi_board.svg(), **more)

    return make


@pytest.fixture
def client(make_app: Callable[..., Flask]) -> FlaskClient:
    return make_app(pin=PIN).test_client()


@pytest.fixture
def setup() -> FakeSetUp:
    return FakeSetUp()


@pytest.fixture
def asker(make_app: Callable[..., Flask], setup: FakeSetUp) -> FlaskClient:
    """A client of a table that can be set up."""
    return make_app(pin=PIN, setup=setup).test_client()


@pytest.fixture
def serve(make_app: Callable[..., Flask]) -> Iterator[Callable[..., PageServer]]:
    servers: list[PageServer] = []

    def start(**more: Any) -> PageServer:
        servers.append(PageServer(make_app(**more), "127.0.0.1", 0))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests; it is left at an empty page after each."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium or chromedriver is not installed")
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
    """A browser at a table; by default Parcheesi's. tamper: what is done to the app before it is served."""
    servers: list[PageServer] = []

    def make(
        sheet: Sheet | None = None, svg: str = "", tamper: Callable[[Flask], object] = lambda _: None, **more: Any
    ) -> Page:
        app = create_app(hub, sheet or parcheesi_board.sheet(), svg or parcheesi_board.svg(), **more)
        tamper(app)
        servers.append(PageServer(app, "127.0.0.1", 0))
        servers[-1].start()
        return Page(driver, servers[-1], hub)

    yield make
    driver.get("about:blank")
    driver.get_log("browser")
    for server in servers:
        server.close()


@pytest.fixture
def page(make_page: Callable[..., Page]) -> Page:
    return make_page()
