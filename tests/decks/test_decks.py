"""Decks: every format that is read, everything that is refused, and dealing without repeats."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.decks import Question, builtin_deck, deal, read_decks
from companion.model import DeckError

MOON = Question("Is the Moon a star?", "No", ("Yes",), "Space")
LEGS = Question("How many legs, in all, has a spider?", "Eight", ("Six", "Ten"), "")
PLAIN = Question("Say “ä” & <b>", "ä & <b>", (), "Letters")

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(name: str, content: str | bytes | object) -> Path:
        path = tmp_path / name
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.mark.parametrize(
    "text",
    [
        "question,answer,wrong1,wrong2,category\nIs the Moon a star?,No,Yes,,Space\n"
        '"How many legs, in all, has a spider?",Eight,Six,Ten,\nSay “ä” & <b>,ä & <b>,,,Letters\n',
        "Question;Answer;Wrong;Category\r\nIs the Moon a star?;No;Yes;Space\r\n\r\n"
        "How many legs, in all, has a spider?;Eight;Six|Ten\r\nSay “ä” & <b>;ä & <b>;;Letters\r\n",
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_csv(write: Write, text: str, mark: bytes) -> None:
    assert read_decks(write("a.csv", mark + text.encode())) == (MOON, LEGS, PLAIN)


def test_json(write: Write) -> None:
    rows = [
        {"question": MOON.text, "answer": "No", "wrong": ["Yes"], "category": "Space"},
        {"question": LEGS.text, "answer": "Eight", "wrong": ["Six", "Ten"]},
        {"question": PLAIN.text, "answer": PLAIN.answer, "wrong": None, "category": "Letters"},
    ]
    assert read_decks(write("a.json", rows)) == (MOON, LEGS, PLAIN)


ENCODINGS: dict[str, Callable[[str], str]] = {
    "entities": lambda text: html.escape(text),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "url3986": lambda text: quote(text, safe=""),
    "urlLegacy": lambda text: quote_plus(text),
}


def opentdb(encode: Callable[[str], str], all_texts: bool) -> dict[str, Any]:
    """MOON, LEGS and PLAIN as the API sends them. all_texts: type and difficulty are encoded too."""
    word = encode if all_texts else str
    rows = [
        {
            "type": word("boolean" if card is MOON else "multiple"),
            "difficulty": word("easy"),
            "category": encode(card.category),
            "question": encode(card.text),
            "correct_answer": encode(card.answer),
            "incorrect_answers": [encode(choice) for choice in card.wrong],
        }
        for card in (MOON, LEGS, PLAIN)
    ]
    return {"response_code": 0, "results": rows}


@pytest.mark.parametrize("name", ENCODINGS)
def test_open_trivia_db_in_each_encoding(write: Write, name: str) -> None:
    data = opentdb(ENCODINGS[name], all_texts=name == "base64")
    assert read_decks(write("a.json", data)) == (MOON, LEGS, PLAIN)


def test_entities_with_a_percent_sign_are_left_alone(write: Write) -> None:
    data = opentdb(html.escape, all_texts=False)
    data["results"][0]["question"] = "Is 100%25 more than 1%20?"
    assert read_decks(write("a.json", data))[0].text == "Is 100%25 more than 1%20?"


@pytest.mark.parametrize("kind", [None, "difficult", "bXV0bw==", "multiple", 5])
def test_open_trivia_db_without_a_type_that_is_known(write: Write, kind: object) -> None:
    """Not each who sends its questions on keeps the type; what cannot be told is read as it stands."""
    row = {"question": "C++?", "correct_answer": "Yes+No", "incorrect_answers": [], "category": None, "type": kind}
    if kind is None:
        del row["type"]
    deck = read_decks(write("a.json", {"response_code": 0, "results": [row]}))
    assert deck == (Question("C++?", "Yes+No"),)


def test_words_with_a_plus_but_no_percent_sign_are_left_alone(write: Write) -> None:
    row = {"type": "multiple", "question": "Which", "correct_answer": "C++", "incorrect_answers": []}
    assert read_decks(write("a.json", {"response_code": 0, "results": [row]}))[0].answer == "C++"


def test_a_folder_is_one_deck_in_order_of_names(write: Write, tmp_path: Path) -> None:
    write("b.csv", "question,answer\nThird?,3\nFirst?,1\n")
    write("a.json", [{"question": "First?", "answer": "1"}, {"question": "Second?", "answer": "2"}])
    write("notes.txt", "no deck")
    (tmp_path / "old.csv").mkdir()
    assert [card.text for card in read_decks(tmp_path)] == ["First?", "Second?", "Third?"]


def test_the_same_words_may_ask_of_other_choices(write: Write) -> None:
    deck = read_decks(write("a.csv", "question,answer,wrong\nWhich is even?,2,1|3\nWhich is even?,4,5|7\n"))
    assert len(deck) == 2


HEAD = "question,answer,wrong1,wrong2\n"
ROW = {"question": "One?", "answer": "1"}
TRIVIA = {"type": "multiple", "question": "One?", "correct_answer": "1"}
REFUSED: list[tuple[str, Any, str]] = [
    ("a.csv", "", "a.csv: there is no question"),
    ("a.csv", "question,category\nOne?,1\n", "a.csv line 1: this is no deck"),
    ("a.csv", "answer,category\n1,Numbers\n", "a.csv line 1: this is no deck"),
    ("a.csv", "sep=;\none;two\n1;2\n", "a.csv line 2: this is no deck"),
    ("a.csv", "question,answer,level1\n", "a.csv line 1: there is no column 'level1'"),
    ("a.csv", "question,answer,wrongly\n", "a.csv line 1: there is no column 'wrongly'"),
    ("a.csv", HEAD + "One?,1,2,3,4,\n", "a.csv line 2: too many columns: the header has 4, this row 6"),
    ("a.csv", HEAD + "One?,1,2\nOne?,1,3\n", "a.csv line 3: 'One?' is the same question as a.csv line 2"),
    ("a.csv", HEAD + "One?,1,2\nOne?,2\n", "a.csv line 3: 'One?' asks the same, with another answer"),
    ("a.csv", HEAD + "One?,1\nOne?,2,3\n", "a.csv line 3: 'One?' asks the same, with another answer"),
    ("a.csv", b"\n" + HEAD.encode() + "Wer?,Jörg\n".encode("latin-1"), "a.csv line 3: this is not UTF-8"),
    ("a.csv", HEAD, "a.csv: there is no question"),
    ("a.csv", "one,two\n1,2\n", "a.csv line 1: this is no deck"),
    ("a.csv", "question,answer,answer\n", "a.csv line 1: the column answer is there twice"),
    ("a.csv", "question,answer,level\n", "a.csv line 1: there is no column 'level'"),
    ("a.csv", HEAD + "One?,1\n,2\n", "a.csv line 3: the question is missing"),
    ("a.csv", HEAD + "One?, \n", "a.csv line 2: the answer to 'One?' is missing"),
    ("a.csv", HEAD + "One?,1,2,1\n", "a.csv line 2: '1' is the answer, and among the wrong ones"),
    ("a.csv", HEAD + "Who?,Ann,bob,Bob\n", "a.csv line 2: the wrong answer 'Bob' is there twice"),
    ("a.csv", HEAD + "One?,1,2,3,4\n", "a.csv line 2: too many columns: the header has 4, this row 5"),
    ("a.csv", HEAD + '"A\nB?",1\n\nOne?,1\nONE?,1\n', "a.csv line 6: 'ONE?' is the same question as a.csv line 5"),
    ("a.csv", HEAD + "One?,1\nOne?,2\n", "a.csv line 3: 'One?' asks the same, with another answer, as a.csv line 2"),
    ("a.csv", HEAD + 'One?,"1\n', "a.csv line 2: this is no CSV"),
    ("a.csv", HEAD + 'One?,"1\nTwo?,2\n', 'line 2: this is no CSV: a " that is opened here is never closed. Write'),
    ("a.csv", HEAD.encode() + "Wer?,Jörg\n".encode("latin-1"), "a.csv line 2: this is not UTF-8"),
    ("a.csv", (HEAD + "One?,1\n").encode("utf-16"), "a.csv line 1: this is not UTF-8"),
    ("a.json", "[", "a.json line 1: this is no JSON"),
    pytest.param("a.json", "[" * 200_000, "nested too deeply", id="nested too deeply"),
    pytest.param("a.json", f"[{'9' * 5000}]", "a.json: this is no deck", id="a number that is too long"),
    ("a.json", {"questions": []}, "a.json: this is no deck"),
    ("a.json", [], "a.json: there is no question"),
    ("a.json", [ROW, 5], "a.json question 2: expected an object"),
    ("a.json", [{"answer": "1"}], "a.json question 1: the question is missing"),
    ("a.json", [{"question": "One?"}], "a.json question 1: the answer to 'One?' is missing"),
    ("a.json", [{**ROW, "answer": 1}], "a.json question 1: answer must be text"),
    ("a.json", [{**ROW, "wrong": "2"}], "a.json question 1: wrong must be a list"),
    ("a.json", [{**ROW, "wrong": ["3", 2]}], "a.json question 1: wrong must be a list of texts, not ['3', 2]"),
    ("a.json", ["response_code"], "a.json question 1: expected an object"),
    ("a.json", [{**ROW, "wrong": [" 1 "]}], "a.json question 1: '1' is the answer, and among"),
    ("a.json", [{**ROW, "wrong": [""]}], "a.json question 1: the wrong answer '' is empty"),
    ("a.json", [{**ROW, "hint": "x"}], "a.json question 1: there is no 'hint'"),
    ("a.json", [ROW, ROW], "a.json question 2: 'One?' is the same question as a.json question 1"),
    ("a.json", {"response_code": 5, "results": []}, "response_code 5): it was asked too often"),
    ("a.json", {"response_code": 9}, "response_code 9): something went wrong there"),
    ("a.json", {"response_code": 0}, "results must be a list"),
    ("a.json", {"response_code": 0, "results": []}, "there is no question"),
    ("a.json", {"response_code": 0, "results": [{"question": "x"}]}, "question 1: correct_answer is missing"),
    ("a.json", {"response_code": 0, "results": [5]}, "question 1: expected an object as Open Trivia DB"),
    ("a.json", {"response_code": [], "results": []}, "response_code []): that is no code"),
    ("a.json", {"response_code": 0, "results": [TRIVIA]}, "question 1: incorrect_answers must be a list of texts"),
    ("a.json", {"response_code": 0, "results": [{**TRIVIA, "incorrect_answers": "x"}]}, "must be a list of texts"),
    ("a.json", {"response_code": 0, "results": [{**TRIVIA, "incorrect_answers": ["x", 5]}]}, "a list of texts"),
    ("deck", "x", "a deck is a .csv or .json file, not a file without an ending"),
    ("a.txt", "x", "a deck is a .csv or .json file, not .txt"),
]


@pytest.mark.parametrize(("name", "content", "why"), REFUSED)
def test_what_is_refused(write: Write, name: str, content: Any, why: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_decks(write(name, content))
    assert why in str(refused.value)


@pytest.mark.parametrize("broken", ["How many?", "Tm8=?", "/w=="])
def test_base64_with_one_broken_text(write: Write, broken: str) -> None:
    data = opentdb(ENCODINGS["base64"], all_texts=True)
    data["results"][1]["question"] = broken
    with pytest.raises(DeckError, match="question 2: this is not the base64"):
        read_decks(write("a.json", data))


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="no such file or folder"):
        read_decks(tmp_path / "none.csv")
    with pytest.raises(DeckError, match=r"no \.csv or \.json file"):
        read_decks(tmp_path)


def test_files_that_contradict_each_other(write: Write, tmp_path: Path) -> None:
    write("a.csv", "question,answer\nOne?,1\n")
    write("b.csv", "question,answer\nOne?,2\n")
    with pytest.raises(DeckError, match=r"b\.csv line 2: 'One\?' asks the same, with another answer, as a\.csv line 2"):
        read_decks(tmp_path)


def test_the_deck_that_comes_along() -> None:
    deck = builtin_deck()
    assert len(deck) >= 80 and all(len(card.wrong) == 3 and card.category for card in deck)
    assert len({card.category for card in deck}) >= 8
    assert max(len(choice) for card in deck for choice in (card.answer, *card.wrong)) <= 40


@settings(max_examples=60)
@given(size=st.integers(1, 40), seed=st.integers(0, 10**6), laps=st.integers(1, 3))
def test_nothing_is_asked_twice_in_a_lap(size: int, seed: int, laps: int) -> None:
    deck = [Question(f"{n}?", f"{n}", (f"{n + 1}", f"{n + 2}")) for n in range(size)]
    for lap in range(laps):
        asked = [deal(deck, seed, lap * size + n) for n in range(size)]
        assert {question.text for question in asked} == {card.text for card in deck}
        for question in asked:
            card = deck[int(question.answer)]
            assert sorted(question.choices) == sorted((card.answer, *card.wrong))
    assert deal(deck, seed, 0) == deal(deck, seed, 0)


def test_the_right_answer_may_stand_at_any_place_and_each_lap_has_an_order_of_its_own() -> None:
    deck = [Question(f"{n}?", "right", ("a", "b", "c")) for n in range(8)]
    asked = [deal(deck, 1, number) for number in range(5 * len(deck))]
    assert {question.choices.index("right") for question in asked} == {0, 1, 2, 3}
    laps = {tuple(question.text for question in asked[n : n + 8]) for n in range(0, len(asked), 8)}
    assert len(laps) == 5, "each lap was dealt anew"
    assert len({deal(deck, seed, 0).text for seed in range(30)}) > 3, "and each game"


def test_a_card_without_choices_has_none() -> None:
    assert deal([Question("Who?", "I")], 1, 5).choices == ()


def test_columns_and_cells_left_empty_at_the_end_are_no_columns(write: Write) -> None:
    file = write("a.csv", "question,answer,wrong1,wrong2,category,,\nIs the Moon a star?,No,Yes,,Space,,,,\n")
    assert read_decks(file) == (MOON,)


def test_a_choice_in_a_column_of_its_own_may_have_any_sign(write: Write) -> None:
    file = write("a.csv", "question,answer,wrong1,wrong2\nWhich is “or”?,||,a|b,&&\n")
    assert read_decks(file) == (Question("Which is “or”?", "||", ("a|b", "&&")),)


def test_excel_may_name_any_separator(write: Write) -> None:
    file = write("a.csv", "sep=|\nquestion|answer\nWho, me?|Me; yes\n")
    assert read_decks(file) == (Question("Who, me?", "Me; yes"),)


@pytest.mark.parametrize("mark", ["", "sep=\t\r\n"])
def test_columns_separated_by_tabs(write: Write, mark: str) -> None:
    text = f"{mark}question\tanswer\twrong\r\nHow many legs, in all, has a spider?\tEight\tSix|Ten\r\n"
    assert read_decks(write("a.csv", text)) == (LEGS,)


def test_lines_may_end_as_on_an_old_mac(write: Write) -> None:
    """The separator is that of the first line, wherever else another sign stands."""
    file = write("mac.csv", "question,answer\rWhich sign is ; here?,A semicolon\rWho?,Me\r")
    assert read_decks(file) == (Question("Which sign is ; here?", "A semicolon"), Question("Who?", "Me"))


def test_the_line_by_which_excel_is_told_the_separator_is_no_question(write: Write) -> None:
    """It was taken for the names of the columns."""
    text = "sep=;\r\nquestion;answer;wrong;category\r\nIs the Moon a star?;No;Yes;Space\r\n"
    assert read_decks(write("a.csv", text)) == (MOON,)
    with pytest.raises(DeckError, match=r"^a\.csv line 4: the answer to 'Who\?' is missing$"):
        read_decks(write("a.csv", f"{text}Who?;\r\n"))


@pytest.mark.parametrize("beside", ["._a.csv", ".a.json", "~$a.csv", ".~lock.a.csv"])
def test_what_lies_hidden_beside_a_deck_is_none(write: Write, tmp_path: Path, beside: str) -> None:
    """A Mac puts ._a.csv beside a.csv on every stick; the whole folder was refused for it."""
    write("a.csv", "question,answer,wrong,category\nIs the Moon a star?,No,Yes,Space\n")
    write(beside, b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ")
    assert read_decks(tmp_path) == (MOON,)


def test_a_folder_of_hidden_files_alone_has_no_deck(write: Write, tmp_path: Path) -> None:
    write("._a.csv", b"\x00\x05\x16\x07")
    with pytest.raises(DeckError, match=r"there is no \.csv or \.json file in this folder"):
        read_decks(tmp_path)


def test_the_encodings_of_excel_are_refused_with_the_way_out(write: Write) -> None:
    rows = "question;answer\r\nWie heißt „Käse“?;Cheese\r\n"
    with pytest.raises(DeckError, match=r"a\.csv line 2: this is not UTF-8. Save .* Excel: Save as, “CSV UTF-8”"):
        read_decks(write("a.csv", rows.encode("cp1252")))
    with pytest.raises(DeckError, match=r"this is not UTF-8 but UTF-16. Save .* “CSV UTF-8”"):
        read_decks(write("a.csv", rows.encode("utf-16")))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("W" * 1001, 'too long: it has 1001 characters, and 1000 are the most. Was a " left open?'),
        ("Who\x00?", r"a character that cannot be shown: '\x00'. Take it away"),
        ("Who\ud800?", r"a character that cannot be shown: '\ud800'. Take it away"),
    ],
)
def test_text_that_cannot_be_shown_is_refused(write: Write, question: str, said: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_decks(write("a.json", [{"question": question, "answer": "I"}]))
    assert str(refused.value).startswith("a.json question 1: ") and str(refused.value).endswith(said)


def test_the_longest_question_is_read_and_a_long_one_is_not_shown_whole(write: Write) -> None:
    (longest,) = read_decks(write("a.json", [{"question": "W" * 1000, "answer": "I"}]))
    assert len(longest.text) == 1000
    with pytest.raises(DeckError, match=r"^a\.json question 1: the answer to 'W{58}… is missing$"):
        read_decks(write("a.json", [{"question": "W" * 59}]))
    with pytest.raises(DeckError, match=r"^a\.json question 1: the answer to 'W{58}' is missing$"):
        read_decks(write("a.json", [{"question": "W" * 58}]))


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_no_question_is_asked_twice_running(size: int, seed: int) -> None:
    """The last of all could be the first when the deck was dealt again."""
    deck = [Question(f"Q{n}", "A") for n in range(size)]
    asked = [deal(deck, seed, number).text for number in range(6 * size)]
    assert all(one != other for one, other in pairwise(asked))
    laps = [sorted(asked[n : n + size]) for n in range(0, len(asked), size)]
    assert all(lap == [f"Q{n}" for n in range(size)] for lap in laps)
