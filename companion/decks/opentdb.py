"""Open Trivia DB's answers as they are downloaded, in any of its encodings.

The API sends {"response_code": 0, "results": [{"type", "difficulty", "category", "question", "correct_answer",
"incorrect_answers"}]}, its texts with HTML entities, or (encode=…) in base64, url3986 or urlLegacy. Which one it was
is not said, but can be told: base64 encodes the words of "type" too, and of the two others neither has a space.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from companion.model import DeckError

Decode = Callable[[str], str]
_TYPES = ("multiple", "boolean")
_URL = re.compile(r"[A-Za-z0-9_.~*!'()+-]*(%[0-9A-Fa-f]{2}[A-Za-z0-9_.~*!'()+-]*)*")
_CODES = {
    1: "there were not that many questions: ask for fewer",
    2: "the address had a mistake in it",
    3: "the token was not known",
    4: "the token has seen all questions: ask for a new one",
    5: "it was asked too often: wait some seconds and download again",
}


def is_opentdb(data: Any) -> bool:
    """Whether decoded JSON is an answer of Open Trivia DB."""
    return isinstance(data, dict) and "response_code" in data


def opentdb_rows(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Its questions with the keys of this project's own decks. name: of the file. Raises DeckError."""
    code, results = data["response_code"], data.get("results")
    if code != 0:
        why = _CODES.get(code, "something went wrong there") if isinstance(code, int) else "that is no code"
        raise DeckError(f"{name}: Open Trivia DB sent no questions (response_code {code!r}): {why}")
    if not isinstance(results, list):
        raise DeckError(f"{name}: results must be a list of questions, as Open Trivia DB sends it")
    for number, row in enumerate(results, 1):
        _check(row, f"{name} question {number}")
    decode = _decoder(results)
    return [_row(row, decode, f"{name} question {number}") for number, row in enumerate(results, 1)]


def _check(row: Any, where: str) -> None:
    if not isinstance(row, dict):
        raise DeckError(f"{where}: expected an object as Open Trivia DB sends it")
    for key in ("question", "correct_answer"):
        if not isinstance(row.get(key), str):
            raise DeckError(f"{where}: {key} is missing, or no text")
    wrong = row.get("incorrect_answers")
    if not isinstance(wrong, list) or not all(isinstance(choice, str) for choice in wrong):
        raise DeckError(f"{where}: incorrect_answers must be a list of texts")


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    yield row["question"]
    yield row["correct_answer"]
    yield from row["incorrect_answers"]
    yield str(row.get("category") or "")


def _decoder(rows: list[Any]) -> Decode:
    """How the texts of this file are to be read."""
    if all(_is_base64_type(row.get("type")) for row in rows):
        return _from_base64
    texts = [text for row in rows for text in _texts(row)]
    if not any("%" in text for text in texts) or not all(_URL.fullmatch(text) for text in texts):
        return html.unescape
    return unquote_plus  # in url3986 no plus sign is left: each is %2B


def _is_base64_type(word: Any) -> bool:
    try:
        return isinstance(word, str) and _from_base64(word) in _TYPES
    except ValueError:
        return False


def _from_base64(text: str) -> str:
    return base64.b64decode(text, validate=True).decode("utf-8")


def _row(row: Mapping[str, Any], decode: Decode, where: str) -> dict[str, Any]:
    try:
        question, answer, *rest = (decode(text) for text in _texts(row))
    except (binascii.Error, UnicodeDecodeError):
        raise DeckError(f"{where}: this is not the base64 that the other questions are in") from None
    return {"question": question, "answer": answer, "wrong": rest[:-1], "category": rest[-1]}
