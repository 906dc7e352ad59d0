"""A table with a fake hub: its app, and its server on a free port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import fakehub
import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration import parcheesi_board
from companion.page import PageServer, create_app

PIN = "2468"


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
def serve(make_app: Callable[..., Flask]) -> Iterator[Callable[..., PageServer]]:
    servers: list[PageServer] = []

    def start(**more: Any) -> PageServer:
        servers.append(PageServer(make_app(**more), "127.0.0.1", 0))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.close()
