"""Every story of a race in the .game files is ruled as it says."""

from pathlib import Path

import pytest
from stories import Story

HERE = Path(__file__).parent
RACES = ("parcheesi", "parcheesi_print", "gloria", "aggravation")
STORIES = sorted(path for race in RACES for path in HERE.glob(f"{race}/*.game"))
WHOLE_GAMES = [path for path in STORIES if path.stem.startswith("whole_game")]


def named(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", STORIES, ids=named)
def test_story(path):
    Story().read(path)


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=named)
def test_a_whole_game_was_played_to_its_end(path):
    story = Story()
    story.read(path)
    assert story.game.winners(story.state)


def test_each_game_with_stories_has_a_whole_one():
    assert {path.parent for path in WHOLE_GAMES} == {path.parent for path in STORIES}
