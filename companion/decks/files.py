"""Decks of questions from files: CSV, JSON, and Open Trivia DB's JSON as it is downloaded.

Everything that is wrong is a DeckError that names the file and the line (CSV) or the number of the question (JSON).
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.decks.deck import Question
from companion.decks.opentdb import is_opentdb, opentdb_rows
from companion.model import DeckError, why_not

BUILTIN = Path(__file__).with_name("family.csv")
SUFFIXES = (".csv", ".json")
COLUMNS = "question, answer, wrong (choices separated by |) or wrong1, wrong2, wrong3, category"
KEYS = "question, answer, wrong, category"
LONGEST = 1000
"""Characters of a question, an answer or a choice: nobody would read out more, and it is mostly a quote left open."""
_SAVE = "Save the file with the encoding UTF-8 (in Excel: Save as, “CSV UTF-8”)"
_SEPARATORS = (";", "\t", ",")
_EXCELS = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
"""The line with which Excel is told the separator."""

Placed = tuple[str, Question]
"""A question, and where it stands: "family.csv line 3"."""


def builtin_deck() -> tuple[Question, ...]:
    """The small deck that comes along."""
    return read_decks(BUILTIN)


def read_decks(path: Path) -> tuple[Question, ...]:
    """The questions of a file, or of all .csv and .json files of a folder, sorted by name. Raises DeckError.

    A question that several files have is taken once; one that a file has twice is refused.
    """
    seen: dict[str, list[Placed]] = {}
    found: list[Question] = []
    for file in _files(Path(path)):
        for where, question in _questions(file):
            if _is_new(where, question, seen.setdefault(_plain(question.text), []), file.name):
                found.append(question)
    return tuple(found)


def _files(path: Path) -> list[Path]:
    try:
        return _found(path)
    except OSError as error:
        raise DeckError(why_not(error, path)) from error


def _found(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if _is_deck(file))
        if not files:
            raise DeckError(f"{path}: there is no .csv or .json file in this folder. Put a deck into it")
        return files
    if not path.exists():
        raise DeckError(f"{path}: there is no such file or folder")
    if path.suffix.lower() not in SUFFIXES:
        raise DeckError(f"{path.name}: a deck is a .csv or .json file, not {path.suffix or 'a file without an ending'}")
    return [path]


def _is_deck(file: Path) -> bool:
    """Whether a file of a folder is meant: hidden ones, as a Mac puts beside each on a stick (`._a.csv`), are not."""
    return file.suffix.lower() in SUFFIXES and not file.name.startswith((".", "~")) and file.is_file()


def _is_new(where: str, question: Question, others: list[Placed], file: str) -> bool:
    """Whether no other question is the same; the same words with other choices ("Which of these …?") are another."""
    for place, other in others:
        same = _plain(other.answer) == _plain(question.answer)
        if not same and question.wrong and other.wrong:
            continue
        if same and not place.startswith(f"{file} "):
            return False
        what = "is the same question as" if same else "asks the same, with another answer, as"
        raise DeckError(f"{where}: {_shown(question.text)} {what} {place}. Take one of them away")
    others.append((where, question))
    return True


def _questions(file: Path) -> list[Placed]:
    text = _text(file)
    read = _of_csv if file.suffix.lower() == ".csv" else _of_json
    found = list(read(file.name, text)) if text.strip() else []
    if not found:
        raise DeckError(f"{file.name}: there is no question in it. Put some in, or take the file away")
    return found


def _text(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise DeckError(f"{file}: cannot be read: {error.strerror}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        but = " but UTF-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else ""
        raise DeckError(f"{file.name} line {line}: this is not UTF-8{but}. {_SAVE}") from None


# --- CSV ---


def _of_csv(name: str, text: str) -> Iterator[Placed]:
    rows = _csv_rows(name, text)
    line, header = next(rows, (1, [""]))
    columns = _columns(header, f"{name} line {line}")
    for line, cells in rows:
        where = f"{name} line {line}"
        if any(cell.strip() for cell in cells[len(columns) :]):
            wanted = f"the header has {len(columns)}, this row {len(cells)}"
            raise DeckError(f'{where}: too many columns: {wanted}. Put text with a comma or semicolon in it in "…"')
        row = dict(zip(columns, cells, strict=False))
        wrong = [choice for column in columns if column.startswith("wrong") for choice in _split(column, row)]
        yield where, _card(where, row, wrong)


def _split(column: str, row: Mapping[str, str]) -> list[str]:
    text = row.get(column, "")
    choices = text.split("|") if column == "wrong" else [text]
    return [choice for choice in choices if choice.strip()]


def _csv_rows(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, each with the number of its first line."""
    told = _EXCELS.match(text)
    first = re.split(r"[\r\n]", text.lstrip(), maxsplit=1)[0]
    mark = told[1] if told else next((mark for mark in _SEPARATORS if mark in first), ",")
    reader = csv.reader(io.StringIO(text[told.end() if told else 0 :], newline=""), delimiter=mark, strict=True)
    before = 1 if told else 0
    line = 1 + before
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1 + before
    except csv.Error as error:
        why = 'a " that is opened here is never closed' if str(error) == "unexpected end of data" else error
        raise DeckError(f'{name} line {line}: this is no CSV: {why}. Write a " within "…" as ""') from None


def _columns(header: Sequence[str], where: str) -> list[str]:
    columns = [cell.strip().lower() for cell in header]
    while columns and not columns[-1]:
        columns.pop()
    if "question" not in columns or "answer" not in columns:
        raise DeckError(f"{where}: this is no deck: the first line must name the columns {COLUMNS}")
    for column in columns:
        wrong = column.startswith("wrong") and (column == "wrong" or column[5:].isdigit())
        if not wrong and column not in ("question", "answer", "category"):
            raise DeckError(f"{where}: there is no column {_shown(column)}: take it away. There are: {COLUMNS}")
        if columns.count(column) > 1:
            raise DeckError(f"{where}: the column {column} is there twice")
    return columns


# --- JSON ---


def _of_json(name: str, text: str) -> Iterator[Placed]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise DeckError(f"{name} line {error.lineno}: this is no JSON: {error.msg}") from None
    except (RecursionError, ValueError):  # ValueError: thousands of digits
        raise DeckError(f"{name}: this is no deck: it is nested too deeply, or has a number that is too long") from None
    rows = opentdb_rows(data, name) if is_opentdb(data) else data
    if not isinstance(rows, list):
        raise DeckError(f'{name}: this is no deck: expected a list of {{"question": …, "answer": …, "wrong": […]}}')
    for number, row in enumerate(rows, 1):
        where = f"{name} question {number}"
        yield where, _card_of_json(where, row)


def _card_of_json(where: str, row: Any) -> Question:
    if not isinstance(row, dict):
        raise DeckError(f"{where}: expected an object with {KEYS}, not {_shown(row)}")
    if unknown := sorted(set(row) - {"question", "answer", "wrong", "category"}):
        raise DeckError(f"{where}: there is no {_shown(unknown[0])}: take it away. There are: {KEYS}")
    wrong = row.get("wrong") or []
    if not isinstance(wrong, list) or not all(isinstance(choice, str) for choice in wrong):
        raise DeckError(f"{where}: wrong must be a list of texts, not {_shown(wrong)}")
    for key in ("question", "answer", "category"):
        if row.get(key) is not None and not isinstance(row[key], str):
            raise DeckError(f'{where}: {key} must be text such as "…", not {_shown(row[key])}')
    return _card(where, {key: row[key] for key in ("question", "answer", "category") if row.get(key)}, wrong)


# --- both ---


def _card(where: str, row: Mapping[str, str], wrong: Sequence[str]) -> Question:
    """The card of a row. Raises DeckError."""
    text, answer, category = (row.get(key, "").strip() for key in ("question", "answer", "category"))
    if not text:
        raise DeckError(f"{where}: the question is missing")
    if not answer:
        raise DeckError(f"{where}: the answer to {_shown(text)} is missing")
    for said in (text, answer, category, *wrong):
        _check_readable(where, said)
    known = {_plain(answer)}
    for choice in wrong:
        plain = _plain(choice)
        if plain == _plain(answer):
            raise DeckError(f"{where}: {_shown(answer)} is the answer, and among the wrong ones too")
        if not plain or plain in known:
            raise DeckError(f"{where}: the wrong answer {_shown(choice)} {'is there twice' if plain else 'is empty'}")
        known.add(plain)
    return Question(text, answer, tuple(choice.strip() for choice in wrong), category)


def _check_readable(where: str, text: str) -> None:
    """Raises DeckError for text that no page could show, or nobody would read out."""
    if len(text) > LONGEST:
        why = f'it has {len(text)} characters, and {LONGEST} are the most. Was a " left open?'
        raise DeckError(f"{where}: {_shown(text)} is too long: {why}")
    odd = next((sign for sign in text if unicodedata.category(sign) in ("Cc", "Cs") and not sign.isspace()), "")
    if odd:
        raise DeckError(f"{where}: {_shown(text)} has a character that cannot be shown: {odd!r}. Take it away")


def _plain(text: str) -> str:
    """What two texts have in common that people take for the same."""
    return " ".join(text.casefold().split())


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
