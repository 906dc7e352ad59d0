"""Every story of a race in the .game files is ruled as it says; those of Game of God are played elsewhere."""

from pathlib import Path

import pytest
from stories import Story

from companion.games.catalogue import GAMES

HERE = Path(__file__).parent
STORIES = sorted(path for path in HERE.glob("*/*.game") if path.parent.name != "game_of_god")
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


def test_each_race_has_stories():
    assert {path.parent.name for path in STORIES} == {name.replace("-", "_") for name in GAMES} - {"game_of_god"}


def test_each_game_with_stories_has_a_whole_one():
    assert {path.parent for path in WHOLE_GAMES} == {path.parent for path in STORIES}
