"""By which names the page is asked for: one from elsewhere sees nothing and does nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import fakehub
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.page import names
from companion.page.names import Names

PATHS = ("/", "/kiosk", "/api/view", "/api/state", "/live.jpg", "/api/events", "/static/app.js")
NUMBERS = ("192.168.1.5", "192.168.1.5:8000", "[fe80::1%25eth0]:80", "[2001:db8::1]")
AT_HOME = ("localhost:8000", "referee", "REFEREE.local.", "referee.lan", "referee.fritz.box:8000", "referee.home.arpa")
CONFIGURED, OF_THE_NETWORK = "table.example.org:443", "pi.club.example"


@pytest.mark.parametrize("path", PATHS)
def test_a_page_whose_name_leads_here_sees_nothing(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "evil.example:8000"})
    assert answer.status_code == 421
    assert "evil.example is no name of this table" in answer.text and "http" in answer.text


def test_a_page_whose_name_leads_here_does_nothing(make_app: Callable[..., Flask], hub: fakehub.FakeHub) -> None:
    there = {"Host": "evil.example", "Origin": "http://evil.example"}
    answer = make_app().test_client().post("/api/act", json={"action": "confirm"}, headers=there)
    assert answer.status_code == 421 and not answer.json["ok"] and hub.actions == []


@pytest.mark.parametrize("host", [*NUMBERS, *AT_HOME, CONFIGURED, OF_THE_NETWORK])
def test_names_of_the_table(host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "resolv.conf").write_text("# by the network\nsearch . club.example\nnameserver 192.0.2.1\n")
    monkeypatch.setattr(names, "_RESOLVER", tmp_path / "resolv.conf")
    monkeypatch.setattr(names.socket, "gethostname", lambda: "pi")
    assert Names(["Table.example.org"]).are_ours(host)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "local.evil.example", "fritz.box.evil.example"])
@pytest.mark.parametrize("more", ["", ".", ":x", "/x"])
def test_names_of_others(host: str, more: str) -> None:
    assert not Names().are_ours(host + more)


def test_what_else_the_network_told_is_no_name_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_RESOLVER", tmp_path / "resolv.conf")
    monkeypatch.setattr(names.socket, "gethostname", lambda: "pi")
    assert not Names().are_ours("pi.club.example"), "there is no such file"
    (tmp_path / "resolv.conf").write_text("options edns0.example\n# search club.example\nsearch other.example\n")
    found = [Names().are_ours(f"pi.{name}.example") for name in ("edns0", "club", "other")]
    assert found == [False, False, True]


def test_who_names_no_host_is_answered(client: FlaskClient) -> None:
    assert client.get("/health", headers={"Host": ""}).status_code == 200
