"""Every story of Game of God is ruled as it says."""

from pathlib import Path

import pytest
from stories_of_god import Story

HERE = Path(__file__).parent / "game_of_god"


@pytest.mark.parametrize("path", sorted(HERE.glob("*.game")), ids=lambda path: path.stem)
def test_story(path):
    Story().read(path)


@pytest.mark.parametrize("name", ["whole_game", "four_players"])
def test_whole_games_were_played_to_their_ends(name):
    story = Story()
    story.read(HERE / f"{name}.game")
    assert story.game.winners(story.state)
