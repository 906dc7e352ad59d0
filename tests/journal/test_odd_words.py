"""Words and looks of a damaged or edited journal: what cannot be is named, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest

from companion.journal.codec import group, ungroup, word_from_json
from companion.model import JournalError


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ({"word": "position_set", "at": 4.5, "state": 5}, "position_set that cannot be: state cannot be 5"),
        ({"word": "position_set", "at": 4.5, "state": None}, "state cannot be None"),
        ({"word": "thrown", "at": 1.0, "seat": 0, "value": "6"}, "value cannot be '6'"),
        ({"word": "thrown", "at": 1.0, "seat": True, "value": 6}, "seat cannot be True"),
        ({"word": "answered", "at": "soon", "right": True}, "at cannot be 'soon'"),
        ({"word": "answered", "at": 1.0, "right": "yes"}, "right cannot be 'yes'"),
        ({"word": "saw", "at": 1.0, "sighting": {"at": "now", "spaces": {}}}, "at must be seconds, not 'now'"),
    ],
)
def test_a_word_of_another_kind_is_refused_in_a_sentence(word: dict[str, Any], said: str) -> None:
    """Such a one ended the replay of a recording in a traceback."""
    with pytest.raises(JournalError, match=said):
        word_from_json(word)


@pytest.mark.parametrize("names", [["pit", "pit2"], ["t", "t0", "t1", "t5"], ["base0", "base0.1", "base0.2"], ["a"]])
def test_a_name_without_a_number_beside_others_with_one_is_kept(names: list[str]) -> None:
    assert sorted(ungroup(group(names))) == sorted(names)
