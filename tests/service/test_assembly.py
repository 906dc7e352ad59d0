"""What the configuration says of the game reaches the table: the deck and the members of teams."""

from pathlib import Path

import pytest

from companion.games.catalogue import game_for
from companion.model import ConfigError, DeckError
from companion.service.assembly import members_of, questions_of
from companion.service.boards import table_for
from companion.service.config import config_from

GLORIA = game_for("gloria", (0, 2))


def config(**game: object):
    return config_from({"game": {"name": "gloria", "seats": [0, 2], **game}})


def test_questions_come_from_cards_the_built_in_deck_or_a_file(tmp_path: Path) -> None:
    assert questions_of(config(), GLORIA) == ()
    assert len(questions_of(config(deck="builtin"), GLORIA)) > 50
    (tmp_path / "ours.csv").write_text("question,answer\nHow many legs has a spider?,Eight\n")
    assert questions_of(config(deck=str(tmp_path / "ours.csv")), GLORIA)[0].answer == "Eight"


def test_a_deck_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("question,answer\nHow many legs has a spider?,\n")
    with pytest.raises(DeckError, match=r"bad\.csv"):
        questions_of(config(deck=str(tmp_path / "bad.csv")), GLORIA)
    with pytest.raises(ConfigError, match="no questions"):
        questions_of(config_from({"game": {"deck": "builtin"}}), game_for("parcheesi", (0, 2)))


def test_members_are_named_by_colour() -> None:
    table = table_for(config(), GLORIA)
    assert members_of(config(members={"red": ["Ann", "Bob"]}), table, GLORIA) == {0: ("Ann", "Bob")}
    with pytest.raises(ConfigError, match="nobody plays 'green'; at the table are red, yellow"):
        members_of(config(members={"green": ["Ann"]}), table, GLORIA)
