"""Every story in the .game files is ruled as it says."""

from pathlib import Path

import pytest
from stories import Story

HERE = Path(__file__).parent
STORIES = sorted(HERE.glob("parcheesi/*.game"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_story(path):
    Story().read(path)


def test_a_whole_game_was_played_to_its_end():
    story = Story()
    story.read(HERE / "parcheesi" / "whole_game.game")
    assert story.game.winners(story.state)
