"""The configuration: strict, with errors that name key, value and way out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.model import ConfigError
from companion.service.config import EXAMPLE, Config, config_from, read_config


def test_the_example_is_the_default() -> None:
    assert config_from(tomllib.loads(EXAMPLE)) == Config()


def test_the_example_with_pins_is_right_too() -> None:
    head, _, panel = EXAMPLE.partition("# [panel]")
    text = head + "[panel]" + panel.replace("\n# ", "\n")
    assert config_from(tomllib.loads(text)).panel.lamps == {0: 17, 1: 27, 2: 22, 3: 23}


BAD = [
    ("[gme]\n", r"unknown part \[gme\]; there are: game"),
    ("[game]\nname = 3\n", r"\[game\] name must be text in quotes, not 3"),
    ('[game]\nseats = "all"\n', r"\[game\] seats must be a list of seats"),
    ("[game]\nfirst = 3\nseats = [0, 2]\n", r"first is 3, but at the table sit \[0, 2\]"),
    ("[camera]\nfps = 0\n", r"\[camera\] fps must be 1 to 120, not 0"),
    ("[camera]\nfsp = 10\n", r"\[camera\] has an unknown key 'fsp'; there are: source"),
    ("[page]\nport = 70000\n", r"\[page\] port must be 1 to 65535"),
    ("[page]\nport = true\n", r"\[page\] port must be a whole number, not True"),
    ("camera = 0\n", r"\[camera\] must be a table"),
    ("[panel]\nlamps = {0 = 99}\n", r"GPIO number 0 to 27, not 99"),
    ("[page\n", r"companion.toml"),
]


@pytest.mark.parametrize(("text", "named"), BAD, ids=[text.strip() for text, _ in BAD])
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=named):
        read_config(path)


def test_a_missing_file_names_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"companion config > companion\.toml"):
        read_config(tmp_path / "none.toml")


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text('[journal]\nfolder = "games"\n')
    assert read_config(path).journal_folder == tmp_path.resolve() / "games"
