"""The configuration: strict, with errors that name key, value and way out."""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.model import BadInput, ConfigError
from companion.service import config as module
from companion.service.cli import main
from companion.service.config import EXAMPLE, Config, config_from, read_config
from companion.service.machine.backup import restore
from companion.service.meaning import meaning_of


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
    ("[game]\nseats = [[0, 2]]\n", r"\[game\] seats must be a list of seats"),
    ("[game]\nfirst = [0]\n", r"\[game\] first must be a whole number, not \[0\]"),
    ("[game]\nfirst = 3\nseats = [0, 2]\n", r"first is 3, but at the table sit \[0, 2\]"),
    ("[camera]\nfps = 0\n", r"\[camera\] fps must be 1 to 120, not 0"),
    ("[camera]\nfsp = 10\n", r"\[camera\] has an unknown key 'fsp'; there are: source, .*lens$"),
    ("[journal]\n# [panel]\nlamps = {0 = 17}\n", r"'lamps'; .*\. It belongs below \[panel\]: is that line there,"),
    ('[dice]\nport = "ble"\nwidth = 110\n', r"'width'; .*\. It belongs below \[camera\] or \[tray\]: "),
    ("[page]\nport = 70000\n", r"\[page\] port must be 1 to 65535"),
    ('[page]\npin = "our house"\n', r"\[page\] pin must be digits only"),
    ("[page]\nport = true\n", r"\[page\] port must be a whole number, not True"),
    ("camera = 0\n", r"\[camera\] must be a table"),
    ("[panel]\nlamps = {0 = 99}\n", r"GPIO number 0 to 27, not 99"),
    ("[page\n", r"companion.toml.*with text in quotes"),
    ("[game]\nname = gloria\n", r'like name = "gloria", with text in quotes'),
    ("[game]\nname = “gloria”\n", r"\(line 2: name = “gloria”\)\. .* with text in quotes like these"),
    ("[game]\noptions = { six_again = True }\n", r"\(line 2: .*\)\. true and false are written in small letters"),
    ("[panel]\ndim = False\n", r"\(line 2: dim = False\)\. true and false are written in small letters"),
    ('[page] pin = "1234"\n', r"\(line 1: .*\)\. \[page\] has a line to itself, once; what belongs to it stands below"),
    ('[page]\nport = 80\n[page] pin = "1234"\n', r"\(line 3: .*\)\. \[page\] has a line to itself, once; "),
    ("[page]\nport = 80\nport = 81\n\n", r"\(line 3: port = 81\)\. That is there twice: keep one"),
    ("[page]\nport = 80\nport = 81\n[game]\n", r"\(line 3: port = 81\)\. That is there twice: keep one"),
    ("[page]\nport = 80\n[page]\npin = 3\n", r"\(line 3: \[page\]\)\. That is there twice: keep one"),
    ('[page]\nport = "8000"\n', r"\[page\] port must be a whole number, without quotes, not '8000'"),
    ('[tray]\nx = "12"\n', r"\[tray\] x must be a number, without quotes, not '12'"),
    ('name = "gloria"\n', r"name stands in no part; put it below one of: game, sheet"),
    ("[game]\nmembers = 3\n", r"\[game\] members must be a table like"),
    ('[sheet]\nreference = "empty.png"\n', r"\[sheet\] reference is the photo of a board: name its sheet.json"),
    ('[dice]\nport = "bluetooth"\n', r'\[dice\] port must be "auto", "ble" \(Bluetooth\), .*not \'bluetooth\'$'),
    ('[dice]\nport = "camrea"\n', r"\[dice\] port must be .*, not 'camrea'; did you mean \"camera\"\?"),
    ('[dice]\nport = "BLE"\n', r"\[dice\] port must be .*, not 'BLE'; did you mean \"ble\"\?"),
    ('[dice]\nport = "COM3"\n', r'\[dice\] port must be .*a path like "/dev/ttyUSB0", not \'COM3\'$'),
    ('[dice]\nport = ""\n', r"\[dice\] port must be .*, not ''$"),
    ('[camera]\nsource = ""\n', r'\[camera\] source is empty: set "auto" for the one'),
    ('[camera]\nsource = " "\n', r"\[camera\] source is empty"),
    ('[game]\nmembers = { red = [""] }\n', r"""\[game\] members red must be a list of names like .*, not \[''\]"""),
    ('[game]\nmembers = { red = "Ann" }\n', r"\[game\] members red must be a list of names like .*, not 'Ann'"),
    ("[game]\nmembers = { red = [] }\n", r"\[game\] members red must be a list of names like .*, not \[\]"),
]


@pytest.mark.parametrize(("text", "named"), BAD, ids=[text.strip() for text, _ in BAD])
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=named):
        read_config(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e9, 10**400])
def test_a_tray_lies_somewhere_near_the_board(value: float) -> None:
    with pytest.raises(ConfigError, match=r"\[tray\] x must be at most 3000 mm, not "):
        config_from({"tray": {"x": value, "width": 90, "height": 90}})


def test_a_mark_that_an_editor_puts_before_the_first_line_is_let_through(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('[game]\nname = "gloria"\n', encoding="utf-8-sig")
    assert read_config(tmp_path / "companion.toml").game.name == "gloria"


@pytest.mark.parametrize("key", ["x", "y", "drop"])
def test_a_place_of_the_tray_without_its_size_is_not_left_unheeded(key: str) -> None:
    with pytest.raises(ConfigError, match=r"\[tray\] x, y and drop need width and height"):
        config_from({"tray": {key: 1}})
    assert config_from({"tray": {key: 1, "width": 90, "height": 90}}).tray.width == 90


def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    for content in (b"\x7fELF\xd0", '[game]\nmembers = { red = ["Zoë"] }\n'.encode("latin-1")):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match=r"this is no text \(UTF-8\): save it as UTF-8 in the editor") as caught:
            read_config(path)
        assert "companion config >" not in str(caught.value)  # which would overwrite it


@pytest.mark.parametrize("written", [b"", b"[page]\nport = 80\n"])
def test_a_file_in_which_a_power_cut_left_zeros_is_said_to_be_damaged(tmp_path: Path, written: bytes) -> None:
    """The way out was to write a line with text in quotes, after a line of zeros."""
    path = tmp_path / "companion.toml"
    path.write_bytes(written + bytes(400))
    with pytest.raises(ConfigError, match=r"companion.toml: it is damaged: zeros .* put a backup back") as caught:
        read_config(path)
    assert "\0" not in str(caught.value) and "x00" not in str(caught.value)


@pytest.mark.parametrize("part", ['sheet]\npath = "{}/sheet.json"', 'camera]\nlens = "{}/lens.json"'])
def test_a_file_in_a_home_says_why_the_service_does_not_find_it(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner saw the file, the doctor found all in order, and the service said that it cannot be read."""
    path = tmp_path / "companion.toml"
    path.write_text(f"[{part.format(tmp_path / 'home' / 'ann')}\n")
    monkeypatch.setattr(module, "HOMES", (tmp_path / "home",))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    with pytest.raises(BadInput, match=r"cannot be read .* sees nothing below .*/home .* in /etc/companion"):
        meaning_of(read_config(path))
    monkeypatch.delenv("STATE_DIRECTORY")
    with pytest.raises(BadInput) as caught:
        meaning_of(read_config(path))
    assert "sees nothing" not in str(caught.value), "started by hand it is kept from nothing"


@pytest.mark.parametrize("port", ["auto", "ble", "camera", "none", "/dev/ttyUSB0", "pretend/dice"])
def test_dice_are_named_by_a_word_or_by_a_path(port: str) -> None:
    assert config_from({"dice": {"port": port}}).dice.port == port


def test_a_missing_file_names_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"companion config > companion\.toml"):
        read_config(tmp_path / "none.toml")


def test_a_folder_is_not_told_to_be_made_anew(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=rf"{tmp_path} is a folder: name the file in it, like .*/companion\.toml"):
        read_config(tmp_path)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text('[journal]\nfolder = "games"\n')
    assert read_config(path).journal_folder == tmp_path.resolve() / "games"


@pytest.mark.parametrize("source", ["auto", "none", "0", "picamera:1", "http://10.0.0.9:8080/video", "/dev/video2"])
def test_a_camera_that_is_no_file_is_named_as_it_is(source: str) -> None:
    assert config_from({"camera": {"source": source}}, Path("/elsewhere")).camera_source == source


def test_a_video_or_folder_of_pictures_is_named_by_its_path_from_the_configuration(tmp_path: Path) -> None:
    for source in ("evening.mp4", "own/frames"):
        assert config_from({"camera": {"source": source}}, tmp_path).camera_source == str(tmp_path / source)
    assert config_from({"camera": {"source": "~/frames"}}, tmp_path).camera_source == str(Path.home() / "frames")


@pytest.fixture
def shut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration in a folder that this user may not look into, as an ordinary user on an appliance."""
    path = tmp_path / "companion.toml"

    def refuse(method: Callable[..., Any]) -> Callable[..., Any]:
        def refused(asked: Path, *words: Any, **more: Any) -> Any:
            if asked == path:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return method(asked, *words, **more)

        return refused

    for name in ("stat", "exists", "read_text", "read_bytes"):
        monkeypatch.setattr(Path, name, refuse(getattr(Path, name)))
    return path


COMMANDS = ("games list", "doctor", "doctor --bundle support.zip", "dice stats", "dice bluetooth --forget", "backup x")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_only_root_may_read_asks_for_sudo(
    shut: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "APPLIANCE", shut)
    monkeypatch.setattr("companion.dice.radio.bleak_radio", lambda: None)
    assert main(command.split()) == 2
    assert f"only root and the service's user may read {shut}: put sudo before" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="put sudo before the command"):
        read_config(shut)


def test_nor_is_a_backup_put_back_there(shut: Path, tmp_path: Path) -> None:
    mine, saved = tmp_path / "mine.toml", tmp_path / "saved.zip"
    mine.write_text('[journal]\nfolder = "games"\n')
    assert main(["backup", str(saved), "--config", str(mine)]) == 0
    with pytest.raises(ConfigError, match="put sudo before the command"):
        list(restore(shut, saved))


def test_a_member_s_name_fits_the_page() -> None:
    members = {"red": ["Ann", "x" * 41]}
    with pytest.raises(ConfigError, match="has 41 letters, at most 40"):
        config_from({"game": {"members": members}})
    assert config_from({"game": {"members": {"red": ["x" * 40]}}}).game.members == {"red": ["x" * 40]}


PATHS = ["[sheet]\npath", "[camera]\nsource", "[camera]\nlens", "[game]\ndeck", "[journal]\nfolder"]


@pytest.mark.parametrize("key", PATHS)
@pytest.mark.parametrize("text", ["~no-such-user/there", "there\\u0000", "  "])
def test_a_path_that_leads_nowhere_on_any_machine_is_named(key: str, text: str) -> None:
    part, name = key.split("\n")
    with pytest.raises(ConfigError) as refused:
        config_from(tomllib.loads(f'{key} = "{text}"\n'))
    said = str(refused.value)
    assert f"{part} {name}" in said
    reasons = ("no home folder ~no-such-user here", "without the sign", "names nothing", "is empty")
    assert any(reason in said for reason in reasons)


def test_a_user_without_a_home_folder_is_asked_for_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(cls: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(homeless))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    with pytest.raises(ConfigError, match=r"companion.toml: this user has no home folder.* \[journal\] folder"):
        _ = Config(source="companion.toml").journal_folder
    assert config_from({"journal": {"folder": "games"}}, tmp_path).journal_folder == tmp_path / "games"


def test_the_appliances_games_are_where_the_service_keeps_them_whoever_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service is told its folder by systemd, and root's commands looked in /root: the backup held no games."""
    monkeypatch.setenv("HOME", "/root")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    appliance = config_from({}, module.APPLIANCE.parent, str(module.APPLIANCE))
    assert appliance.journal_folder == Path("/var/lib/companion")
    monkeypatch.chdir("/")
    assert config_from({}, Path("etc/companion")).journal_folder == Path("/var/lib/companion")
    assert config_from({}, Path("/home/ann")).journal_folder == Path("/root/.local/share/companion")
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    assert Config().journal_folder == Path("/root/.local/share/companion"), "from a folder that is gone"
    assert config_from({"journal": {"folder": "games"}}, Path("/etc/companion")).journal_folder.name == "games"
    tilde = config_from({"journal": {"folder": "~/games"}}, module.APPLIANCE.parent, str(module.APPLIANCE))
    assert tilde.journal_folder == Path("/var/lib/companion/games"), "its ~ is the service's, not root's"
    monkeypatch.setenv("STATE_DIRECTORY", "/run/by-hand:/run/more")
    assert appliance.journal_folder == Path("/run/by-hand")


def test_the_unit_keeps_its_games_where_the_configuration_says() -> None:
    unit = (Path(module.__file__).parents[2] / "systemd" / "companion.service").read_text()
    assert f"\nStateDirectory={module.STATE.name}\n" in unit and module.STATE.parent == Path("/var/lib")
    assert f" --config {module.APPLIANCE}\n" in unit


def test_seats_are_named_as_they_are_written() -> None:
    compass = {"game": {"name": "game-of-god", "seats": ["N", "S"], "first": "E"}}
    with pytest.raises(ConfigError, match=r"first is E, but at the table sit \[N, S\]"):
        config_from(compass)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_may_end_as_on_any_system(tmp_path: Path, end: str) -> None:
    (tmp_path / "companion.toml").write_bytes(f'[game]{end}name = "gloria"{end}'.encode())
    assert read_config(tmp_path / "companion.toml").game.name == "gloria"
