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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("game ludo", "COLORS of stories.py does not name the seats of 'ludo'"),
        ("seats red lila", "the seats are red, blue, yellow, green, not 'lila'"),
        ("dew red", "a line begins with .*, due, .*, green, not 'dew'"),
        ("red roll 5", "after a colour stands rolls, answers, declares, not 'roll'"),
        ("red rolls 5 t3 > t8", "a play is written like: red rolls 5 3"),
        ("red rolls 2 t3 > t6 legal", "it breaks GLO-4, and legal stands here"),
        ("red rolls 2 t3 > t5 illegal", "it breaks no rule, and illegal stands here"),
        ("red rolls 2 t3 > t6 illegal GLO-99", "it breaks GLO-4, and GLO-99 stands here"),
        ("wins red", "the seats that have won are \\[\\]"),
    ],
)
def test_what_is_wrong_in_a_story_is_named_with_its_line(tmp_path, line, said):
    """It was, as often as not, a KeyError, or of a method that there is not."""
    told = "game gloria\nseats red yellow\nstart red base base base t3 / yellow base base base t9\nred answers right\n"
    (tmp_path / "mine.game").write_text(f"{told}{line}\nseats red yellow\n")
    with pytest.raises(AssertionError, match=f"^mine.game:[56]: .*\n  {said}"):
        Story().read(tmp_path / "mine.game")
