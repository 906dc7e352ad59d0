"""Dice of one's own on a pretend air: found, kept, lost, found again; badly behaved radios; nobody else's dice."""

from __future__ import annotations

import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from listener import Listener
from program import free_port

from companion.dice import (
    BluetoothDice,
    BoxArmed,
    DiceSaid,
    DiceUnfit,
    LinkLost,
    LinkReady,
    MemoryBook,
    PortTrouble,
    RollApart,
    State,
    radio,
)
from companion.dice.radio import GODICE, OLD_PIXELS, PIXELS, Client, Make, bleak_radio
from companion.model import ConfigError, DeviceError
from companion.service import dice_ble
from companion.service.assembly import build
from companion.service.cli import main
from companion.service.config import config_from
from companion.virtual.pretend_air import AirFaults, PretendAdvert, PretendAir, PretendDie, PretendRadioError


class Table(Listener):
    """Dice on the air, and who listens to them."""

    def __init__(self, *dice: PretendDie, wanted: Sequence[str] = (), look: float = 0.15, silent: float = 30) -> None:
        super().__init__()
        self.air = PretendAir(*dice)
        self.kept: list[tuple[str, ...]] = []
        self.look, self.silent = look, silent
        self.sit_down(wanted)

    def sit_down(self, wanted: Sequence[str] = ()) -> None:
        keep = lambda addresses: self.kept.append(tuple(addresses))  # noqa: E731
        times = {"look": self.look, "pause": 0.05, "silent": self.silent}
        self.dice = BluetoothDice(self.book, wanted, keep, radio=self.air.radio, **times)

    def start(self, turn: int = 7, dice: int = 2) -> None:
        self.dice.arm(turn, dice, "FF0000")
        self.dice.start()
        self.until(lambda: self.dice.state is State.ARMED)


MADE: list[Table] = []


@pytest.fixture(autouse=True)
def all_let_go() -> Iterator[None]:
    MADE.clear()
    yield
    for table in MADE:
        table.dice.close()
        assert all(die.client is None for die in table.air.dice), "each die is free for its own app"


def seated(*dice: PretendDie, wanted: Sequence[str] = (), look: float = 0.15, silent: float = 30) -> Table:
    table = Table(*dice, wanted=wanted, look=look, silent=silent)
    MADE.append(table)
    return table


def pair(make: Make = PIXELS) -> tuple[PretendDie, PretendDie]:
    names = ("GoDice_1A2B3C_R_v03", "GoDice_4D5E6F_K_v03") if make is GODICE else ("Ruby", "Opal")
    return PretendDie(names[0], "AA:01", make), PretendDie(names[1], "AA:02", make)


@pytest.mark.parametrize("make", [PIXELS, OLD_PIXELS, GODICE])
def test_two_dice_are_found_and_roll(make: Make) -> None:
    ruby, opal = pair(make)
    table = seated(ruby, opal)
    table.start()
    for turn, faces in enumerate([(5, 3), (1, 6), (2, 2)], 8):
        ruby.roll(faces[0])
        opal.roll(faces[1])
        table.until(lambda faces=faces, turn=turn: (turn - 1, faces) in table.counted)
        table.dice.arm(turn, 2, "00FF00")
    assert [type(event) for event in table.seen[:2]] == [LinkReady, BoxArmed] or table.heard(BoxArmed)
    table.until(lambda: sum(data[0] in (29, 16) for data in ruby.told) >= 3)
    assert ruby.told[0] == make.hello, "then it blinks in the colour of whose throw it is"
    assert not table.heard(RollApart) and not table.heard(DiceSaid)


def test_the_dice_that_threw_first_are_kept_and_others_are_left_alone_from_then_on() -> None:
    ruby, opal = pair()
    far = PretendDie("Far away", "BB:01", rssi=-90)
    table = seated(ruby, opal, far)
    table.air.others.append((PretendDie("Speaker", "CC"), PretendAdvert("Speaker", (), {}, -30)))
    table.start()
    ruby.roll(1)
    opal.roll(2)
    table.until(lambda: bool(table.counted))
    assert table.kept == [("AA:01", "AA:02")] and far.client is None
    visitor = PretendDie("Visitor", "BB:02", rssi=-30)
    table.air.dice.append(visitor)
    searches = table.air.searches
    table.watch(0.5)
    assert visitor.client is None and table.air.searches == searches, "nothing is looked for any more"
    table.dice.close()
    table.sit_down(table.kept[0])
    table.start(9, 2)
    assert set(table.dice.names) == {"Ruby", "Opal"} and visitor.client is None


def test_a_die_that_fell_asleep_before_the_other_lay_is_not_shut_out_by_their_first_throw() -> None:
    """Only the other one was kept, for all evenings to come."""
    ruby, opal = pair()
    table = seated(ruby, opal)
    table.start()
    table.until(lambda: set(table.dice.names) == {"Ruby", "Opal"})
    ruby.tumble()
    opal.roll(4)
    table.watch(0.2)
    opal.leave()
    table.watch(0.2)
    ruby.rest(2)
    table.until(lambda: bool(table.counted))
    assert table.kept == []


def test_two_tables_in_one_room_each_with_its_own_dice_by_name() -> None:
    ruby, opal = pair()
    table = seated(ruby, opal, wanted=["opal"])
    table.start(7, 1)
    ruby.roll(6)
    opal.roll(4)
    table.until(lambda: table.counted == [(7, (4,))])
    assert ruby.client is None and table.kept == []


def test_a_die_out_of_reach_comes_back_and_its_roll_meanwhile_does_not_count() -> None:
    ruby, opal = pair()
    table = seated(ruby, opal, wanted=["Ruby", "Opal"])
    table.start()
    ruby.roll(5)
    opal.tumble()
    table.watch(0.1)
    opal.leave()
    table.until(lambda: bool(table.heard(DiceUnfit)))
    assert "Opal is out of reach. How it comes to rest will not be heard" in table.texts(DiceUnfit)
    opal.roll(6)
    opal.come_back()
    table.until(lambda: table.dice.state is State.ARMED)
    opal.rest(6)
    table.watch(0.2)
    assert table.counted == []
    opal.roll(2)
    table.until(lambda: table.counted == [(7, (5, 2))])


def test_all_dice_lost_is_said_and_all_found_again() -> None:
    [ruby, _] = pair()
    table = seated(ruby, wanted=["Ruby"])
    table.start(7, 1)
    ruby.leave()
    table.until(lambda: bool(table.heard(LinkLost)))
    assert "enter the dice on the phone" in table.texts(LinkLost)
    table.until(lambda: bool(table.heard(PortTrouble)))
    assert "None of the table's dice is in reach" in table.texts(PortTrouble)
    ruby.come_back()
    table.until(lambda: table.dice.state is State.ARMED)
    ruby.roll(3)
    table.until(lambda: table.counted == [(7, (3,))])


@pytest.mark.long(but=("twice-make0", "twice+garbage+late+refusals-make2"))
@pytest.mark.parametrize("make", [PIXELS, OLD_PIXELS, GODICE])
@pytest.mark.parametrize(
    "faults",
    [
        AirFaults(twice=True),
        AirFaults(garbage=3),
        AirFaults(late=0.15),
        AirFaults(refusals=3),
        AirFaults(deaf=True),
        AirFaults(twice=True, garbage=2, late=0.05, refusals=1),
    ],
    ids=lambda faults: "+".join(name for name, value in vars(faults).items() if value),
)
def test_a_bad_radio_changes_no_roll(make: Make, faults: AirFaults) -> None:
    """Noise may by chance be a message; that it shows a roll takes a Tumbling and a face: not in these streams."""
    ruby, opal = pair(make)
    ruby.faults, ruby.chance = faults, random.Random(11)
    table = seated(ruby, opal, wanted=[ruby.name, opal.name])
    table.start()
    thrown = [(7, (4, 1)), (8, (6, 6)), (9, (1, 2))]
    for turn, faces in thrown:
        table.dice.arm(turn, 2)
        ruby.roll(faces[0])
        table.watch(0.05 + faults.late)
        opal.roll(faces[1])
        table.until(lambda turn=turn: any(t == turn for t, _ in table.counted))
    assert table.counted == thrown and not table.heard(RollApart)


def test_messages_in_the_wrong_order_make_no_roll_and_it_is_said() -> None:
    ruby = PretendDie("GoDice_1", "AA:01", GODICE, faults=AirFaults(swapped=True))
    table = seated(ruby, wanted=["GoDice_1"])
    ruby.faults.swapped = False
    table.start(7, 1)
    ruby.faults.swapped = True
    ruby.roll(6)
    table.until(lambda: bool(table.heard(DiceSaid)))
    assert table.counted == [] and "was turned, not thrown" in table.texts(DiceSaid)
    ruby.faults.swapped = False
    ruby.roll(2)
    table.until(lambda: table.counted == [(7, (2,))])


@pytest.mark.parametrize("make", [PIXELS, GODICE])
def test_what_is_no_roll_is_said(make: Make) -> None:
    ruby, _ = pair(make)
    table = seated(ruby, wanted=[ruby.name])
    table.start(7, 1)
    for what in (ruby.cock, lambda: ruby.feign(6)):
        ruby.tumble()
        what()
    ruby.turn(5)
    ruby.drain(7)
    table.until(lambda: len(table.heard(DiceSaid)) >= 3)
    assert "lies crooked: throw it again" in table.texts(DiceSaid)
    assert "not thrown" in table.texts(DiceSaid) or "not really thrown" in table.texts(DiceSaid)
    assert "is low (7 %)" in table.texts(DiceSaid)
    ruby.roll(1)
    table.until(lambda: table.counted == [(7, (1,))])


@pytest.mark.parametrize(("kind", "make"), [("d20", PIXELS), ("d6fudge", PIXELS), ("d8", OLD_PIXELS)])
def test_a_die_of_other_faces_is_let_go_for_good(kind: str, make: Make) -> None:
    ruby, odd = PretendDie("Ruby", "AA:01"), PretendDie("Odd", "AA:02", make, kind=kind)
    table = seated(odd, ruby, wanted=["Ruby", "Odd"])
    table.start(7, 1)
    table.until(lambda: bool(table.heard(DiceSaid)) and odd.client is None)
    assert f"Odd is a {kind}: only dice of six faces" in table.texts(DiceSaid)
    odd.roll(6)
    ruby.roll(2)
    table.until(lambda: table.counted == [(7, (2,))])
    table.watch(0.4)
    assert odd.client is None and len(table.heard(DiceSaid)) == 1


def test_a_die_of_other_faces_is_not_taken_in_unnamed() -> None:
    ruby, odd = PretendDie("Ruby", "AA:01"), PretendDie("Odd", "AA:02", kind="d20")
    table = seated(odd, ruby)
    table.start(7, 1)
    table.watch(0.4)
    assert table.dice.names == ("Ruby",) and table.heard(DiceSaid) == []


def test_no_radio_is_said_once_and_looked_for_again() -> None:
    ruby, _ = pair()
    table = seated(ruby, wanted=["Ruby"])
    table.air.off = True
    table.dice.arm(7, 1)
    table.dice.start()
    table.until(lambda: bool(table.heard(PortTrouble)))
    table.watch(0.4)
    assert len(table.heard(PortTrouble)) == 1
    assert "no powered Bluetooth adapter found. Is it switched on?" in table.texts(PortTrouble)
    table.air.off = False
    table.until(lambda: table.dice.state is State.ARMED)


def test_two_dice_of_one_name_are_two_dice() -> None:
    one, other = PretendDie("Pixel", "AA:01"), PretendDie("Pixel", "AA:02")
    table = seated(one, other)
    table.start()
    one.roll(1)
    other.roll(6)
    table.until(lambda: [sorted(faces) for _, faces in table.counted] == [[1, 6]])
    names = set(table.dice.names)
    for die in (one, other):
        die.leave()
    table.until(lambda: not table.dice.names)
    other.come_back()
    table.until(lambda: len(table.dice.names) == 1)
    one.come_back()
    table.until(lambda: set(table.dice.names) == names, 20)


def test_two_dice_that_are_named_by_their_one_name_are_both_waited_for() -> None:
    """The first that came was taken for both, and the other, which was asleep yet, was never looked for."""
    one, other = PretendDie("Pixel", "AA:01"), PretendDie("Pixel", "AA:02")
    other.leave()
    table = seated(one, other, wanted=("Pixel", "pixel"))
    table.dice.arm(7, 2)
    table.dice.start()
    table.until(lambda: len(table.dice.names) == 1)
    time.sleep(0.4)
    other.come_back()
    table.until(lambda: len(table.dice.names) == 2)


def test_a_die_whose_connection_died_unnoticed_is_asked_lost_and_found_again() -> None:
    [ruby, _] = pair()
    table = seated(ruby, wanted=["Ruby"], silent=0.3)
    table.start(7, 1)
    table.until(lambda: len(ruby.told) > 3)
    assert ruby.told[-1] == PIXELS.hello and not table.heard(LinkLost), "one that answers is not lost"
    ruby.faults.deaf = True
    table.until(lambda: bool(table.heard(LinkLost)))
    ruby.faults.deaf = False
    table.until(lambda: table.dice.state is State.ARMED)
    ruby.roll(3)
    table.until(lambda: table.counted == [(7, (3,))])


def test_a_die_that_is_lost_while_it_is_connected_is_looked_for_again() -> None:
    """Its radio says so before the connection is known to be made."""
    die = PretendDie("Pip", "AA:01", faults=AirFaults(fades=1))
    table = seated(die, wanted=["Pip"])
    table.start(7, 1)
    assert die.client is not None, "a die that is not there is not in reach"
    die.roll(4)
    table.until(lambda: table.counted == [(7, (4,))])


def test_a_die_of_which_the_radio_knows_nothing_any_more_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stood for it may be gone since it was heard; then there is nothing to connect to."""
    die = PretendDie("Pip", "AA:01")
    table = seated(die, wanted=["Pip"])
    client, refused = table.air.radio.client, []

    def at_first_none(device: object, lost: Callable[[object], None]) -> Client:
        if not refused:
            refused.append(device)
            raise PretendRadioError("no such device")
        return client(device, lost)

    monkeypatch.setattr(table.dice, "_radio", table.air.radio._replace(client=at_first_none))
    table.start(7, 1)
    assert refused == [die]
    die.roll(2)
    table.until(lambda: table.counted == [(7, (2,))])


def test_at_most_six_dice_are_taken_in_the_nearest_first() -> None:
    dice = [PretendDie(f"D{n}", f"AA:{n:02}", rssi=-40 - 3 * n) for n in range(9)]
    table = seated(*dice)
    table.start(7, 3)
    table.until(lambda: len(table.dice.names) == 6)
    table.watch(0.3)
    assert set(table.dice.names) == {f"D{n}" for n in range(6)}


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bleak", None)
    with pytest.raises(DeviceError, match=r"pip install -e '\.\[ble\]'"):
        bleak_radio()
    with pytest.raises(DeviceError, match="pip install"):
        BluetoothDice(MemoryBook())


def test_the_command_lists_what_is_in_reach_and_whose_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    air = PretendAir(*pair(), PretendDie("GoDice_9", "BB:01", GODICE, rssi=-88))
    monkeypatch.setattr(radio, "bleak_radio", lambda: air.radio)
    config = tmp_path / "companion.toml"
    config.write_text(f'[journal]\nfolder = "{tmp_path}"\n')
    words = ["dice", "bluetooth", "--seconds", "0.2", "--config", str(config)]
    assert main(words) == 0
    out = capsys.readouterr().out.splitlines()
    assert "Ruby" in out[0] and "it is this table's if it throws first" in out[0] and "too far" in out[2]
    assert out[3] == 'to keep to these: [dice] dice = ["Ruby", "Opal", "GoDice_9"]'
    air.dice.append(PretendDie("Ruby", "CC:01", rssi=-70))
    assert main(words) == 0
    named = capsys.readouterr().out.splitlines()[-1]
    assert named == 'to keep to these: [dice] dice = ["AA:01", "Opal", "CC:01", "GoDice_9"]', "two are called Ruby"
    air.dice.pop()
    dice_ble.keeper(tmp_path)(["AA:02"])
    main(words)
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("left alone") and told[1].endswith("this table's")
    monkeypatch.setattr("companion.service.config.APPLIANCE", config)
    assert main(["dice", "bluetooth", "--forget"]) == 0 and dice_ble.kept(tmp_path) == ()
    assert "until it is started anew: sudo systemctl restart companion" in capsys.readouterr().out
    air.dice.clear()
    assert main(words) == 1 and "in reach" in capsys.readouterr().out
    air.off = True
    assert main(words) == 2 and "Is it switched on?" in capsys.readouterr().err


def test_the_command_without_the_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "bleak", None)
    assert main(["dice", "bluetooth"]) == 2
    assert "pip install -e '.[ble]'" in capsys.readouterr().err


def test_what_was_kept_is_read_back_or_else_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert dice_ble.kept(tmp_path) == ()
    dice_ble.keeper(tmp_path)(["AA:01"])
    assert dice_ble.kept(tmp_path) == ("AA:01",)
    (tmp_path / dice_ble.KEPT).write_text("{")
    assert dice_ble.kept(tmp_path) == ()
    dice_ble.keeper(tmp_path / "nowhere")(["AA:01"])
    dice_ble.keeper(tmp_path)(["AA:01"])
    monkeypatch.setattr(Path, "replace", lambda path, target: None)  # the power goes
    dice_ble.keeper(tmp_path)(["AA:02", "AA:03"])
    assert dice_ble.kept(tmp_path) == ("AA:01",)
    assert not dice_ble.forget(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ('[dice]\nport = "ble"\ndice = "Ruby"', 'list of names like ["Ruby", "Opal"]'),
        ('[dice]\nport = "ble"\ndice = [1]', "list of names"),
        ('[dice]\ndice = ["Ruby"]', 'set port = "ble"'),
    ],
)
def test_a_configuration_that_cannot_be(toml: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_from(tomllib.loads(toml))
    assert says in str(caught.value)


def test_a_table_without_the_package_says_so_and_goes_by_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bleak", None)
    told = {"dice": {"port": "ble"}, "camera": {"source": "none"}, "journal": {"folder": str(tmp_path)}}
    house = build(config_from({**told, "page": {"host": "127.0.0.1", "port": free_port()}}))
    try:
        [dice] = [device for device in house.service.view().devices if device.name == "dice"]
        assert "pip install -e '.[ble]'" in dice.text and dice.state == "off"
    finally:
        house.close()
