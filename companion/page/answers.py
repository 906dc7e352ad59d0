"""How the page answers: JSON for its scripts, a sentence for people."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, render_template, request

from companion.model.table import Answer


def answer(ok: bool, text: str, status: int = 200, **more: Any) -> Response:
    """What became of something that was asked for. more: what else the page's scripts are told."""
    response = jsonify(ok=ok, text=text, **more)
    response.status_code = status
    return response


def told(said: Answer) -> Response:
    """What the service said to it."""
    return answer(said.ok, said.text)


def sentence(text: str, status: int) -> Response:
    """One line of plain text; for who opens it in a browser a page, as a phone makes plain text too small to read."""
    if "text/html" in request.headers.get("Accept", ""):
        return Response(render_template("sentence.html", text=text), status)
    return Response(f"{text}\n", status, mimetype="text/plain")


def capital(text: str) -> str:
    """As a sentence begins: what an error says begins small."""
    return text[:1].upper() + text[1:]


def jpeg(picture: bytes | None, none: str) -> Response:
    """A picture, or a sentence where there is none."""
    return sentence(none, 404) if picture is None else Response(picture, mimetype="image/jpeg")
