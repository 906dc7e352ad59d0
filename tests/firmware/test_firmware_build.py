"""The firmware's own tests in C, its size, a short fuzzing, and its way through real bootloaders in emulation."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest
import serial
from making import FIRMWARE, made
from plugged import PATIENCE
from test_firmware_line import HandMade

from companion.dice.events import BoxRoll
from companion.dice.flash import load, read_hex
from companion.virtual.dicebox import Memory, Ring
from companion.virtual.emulated import EmulatedBox

ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
BOOTLOADERS = ARDUINO / "bootloaders"
"""Of Debian's package arduino-core-avr."""
LARGEST: dict[str, dict[str, object]] = {
    "LED": {"rgb": "ffffff", "fx": "pulse", "lvl": 255},
    "SHOW": {"f": "6,6,6"},
    "SET": {"dice": 3, "lvl": 255},
    "TEST": {"k": "led"},
    "LOG": {"from": 2**32 - 9, "k": 8},
}
UNDEFINED_ENDS = "-fsanitize=undefined -fsanitize-undefined-trap-on-error"


@pytest.mark.long
@pytest.mark.parametrize("target", ["test", "fuzz"])
def test_in_c(target: str) -> None:
    """Golden lines, all bytes to faces, dead sources, the ring under power cuts; a parser under random lines."""
    made(target, "cc", words=("FUZZ_LINES=100000",))


@pytest.mark.long
def test_the_size_is_within_its_budget(firmware_hex: Path) -> None:
    made("size", "avr-size")
    assert len(read_hex(firmware_hex)) < 30 * 1024


@pytest.mark.long
def test_a_box_with_a_button_is_not_loaded_with_what_was_built_for_one_that_is_tilted(
    firmware_hex: Path, tmp_path: Path
) -> None:
    built = tmp_path / "dicebox.hex"
    made("build", "avr-gcc", words=(f"BUILD={tmp_path}", "EXTRA=-DTILT"))
    tilted = read_hex(built)
    made("build", "avr-gcc", words=(f"BUILD={tmp_path}",))
    assert read_hex(built) == read_hex(firmware_hex) != tilted
    once = built.stat().st_mtime_ns
    made("build", "avr-gcc", words=(f"BUILD={tmp_path}",))
    assert built.stat().st_mtime_ns == once, "what is there is not built again"


@pytest.mark.long
def test_a_program_is_whole_while_another_builds_it(simulator: Path, tmp_path: Path) -> None:
    """Two demos that start at once, or tests side by side, run what the other one builds."""
    made("sim", "cc", words=(f"BUILD={tmp_path}",))
    again = subprocess.Popen(["make", "-B", "-s", "-C", str(FIRMWARE), "sim", f"BUILD={tmp_path}"])
    runs = 0
    while again.poll() is None:
        assert "usage" in subprocess.run([tmp_path / simulator.name], capture_output=True, text=True).stderr
        runs += 1
    assert again.returncode == 0 and runs > 1 and list(tmp_path.iterdir()) == [tmp_path / simulator.name]


@pytest.mark.long
def test_the_chip_reckons_only_what_is_defined_up_to_its_largest_numbers(simulator: Path, tmp_path: Path) -> None:
    """Its int has 16 bits, which no check on this computer sees; here what is not defined ends the program."""
    made("build", "avr-gcc", words=(f"BUILD={tmp_path}", f"EXTRA={UNDEFINED_ENDS}"))
    memory = Memory(0xFFFFFFFE)
    memory.write(8, (0x7FFF).to_bytes(2, "big"))
    ring = Ring(memory)
    ring.put(BoxRoll(2**32 - 2, 65535, (6, 6, 6), 65535))
    ring.acknowledge()
    (tmp_path / "eeprom").write_bytes(memory.bytes)
    box = EmulatedBox([str(simulator), str(tmp_path / "dicebox.hex")], tmp_path, 2)
    line = HandMade(box)
    for verb, keys in LARGEST.items():
        assert line.ask(verb, **keys).verb == "OK", verb
    for id in (2**32 - 1, 1):
        line.arm(65535)
        box.throw()
        assert line.until(lambda each: each.verb == "ROLL" and not each.text("old")).number("id") == id
        assert line.ask("ACK", id=id).verb == "OK"
    assert {each.text("boot") for each in line.heard if each.verb == "HELLO"} & {"32768", "32769"}
    line.serial.close()
    box.close()


def bootloader(name: str, folder: Path) -> Path:
    """A bootloader's hex file. Optiboot is built: Debian's own file is 20 bytes too long for the chip."""
    if not BOOTLOADERS.exists():
        pytest.skip("there are no bootloaders here (apt-get install arduino-core-avr)")
    if name == "older":
        return BOOTLOADERS / "atmega" / "ATmegaBOOT_168_atmega328.hex"
    shutil.copytree(BOOTLOADERS / "optiboot", folder / "optiboot")
    chip = ["-mmcu=atmega328p", "-Os", "-mrelax", "-Wl,--relax", "-nostartfiles", "-nostdlib"]
    options = ["-DF_CPU=16000000L", "-DLED_START_FLASHES=0", "-DBAUD_RATE=115200", "-fno-split-wide-types", "-w"]
    places = ["-Wl,--section-start=.text=0x7e00", "-Wl,--section-start=.version=0x7ffe"]
    _run(folder, "avr-gcc", *chip, *options, *places, "optiboot/optiboot.c", "-o", "boot.elf")
    _run(folder, "avr-objcopy", "-O", "ihex", "-j", ".text", "boot.elf", "boot.hex")
    return folder / "boot.hex"


def _run(folder: Path, *words: str) -> None:
    subprocess.run(words, cwd=folder, check=True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["optiboot", "older"])
def test_through_a_real_bootloader(name: str, simulator: Path, firmware_hex: Path, tmp_path: Path) -> None:
    """What ran before is replaced, and the new program starts. The emulated line does not mind the baud rate."""
    other = tmp_path / "other.hex"
    other.write_text(":02000000FFCF30\n:00000001FF\n")  # a program that stands still
    box = EmulatedBox([str(simulator), str(other)], tmp_path, after=[str(bootloader(name, tmp_path))])
    try:
        image, told = read_hex(firmware_hex), []
        load(str(box.link), image, lambda *words: told.append(words))
        assert told[-1] == ("verify", len(image), len(image))
        port, heard, end = serial.Serial(str(box.link), 115200, timeout=0.5), b"", time.monotonic() + PATIENCE
        while b"HELLO v=1" not in heard and time.monotonic() < end:
            heard += port.read(200)
        port.close()
        assert b"HELLO v=1" in heard
    finally:
        box.close()


def sketch(folder: Path) -> Path:
    """The firmware as the Arduino IDE builds it: its flags, its core as an archive, the .ino as C++."""
    if not (ARDUINO / "cores").exists():
        pytest.skip("there is no Arduino core here (apt-get install arduino-core-avr)")
    core, board = ARDUINO / "cores" / "arduino", ARDUINO / "variants" / "eightanaloginputs"
    chip = ["-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_AVR_NANO", "-DARDUINO_ARCH_AVR"]
    options = [*chip, f"-I{core}", f"-I{board}", "-Os", "-ffunction-sections", "-fdata-sections", "-flto", "-c"]
    cpp = ["avr-g++", *options, "-std=gnu++11", "-fno-exceptions", "-fno-threadsafe-statics", "-w"]
    (folder / "core").mkdir()
    for name in ("wiring.c", "wiring_digital.c", "wiring_analog.c", "hooks.c", "WInterrupts.c"):
        _run(folder / "core", "avr-gcc", *options, "-std=gnu11", "-w", str(core / name))
    for name in ("main.cpp", "HardwareSerial.cpp", "HardwareSerial0.cpp", "Print.cpp", "abi.cpp"):
        _run(folder / "core", *cpp, str(core / name))
    _run(folder, "avr-gcc-ar", "rcs", "core.a", *map(str, sorted((folder / "core").glob("*.o"))))
    ours = FIRMWARE / "dicebox"
    (folder / "sketch.cpp").write_text("#include <Arduino.h>\n" + (ours / "dicebox.ino").read_text())
    _run(folder, *cpp, "sketch.cpp")
    _run(folder, "avr-gcc", *options, "-std=gnu11", "-Wall", "-Wextra", "-Werror", *map(str, ours.glob("*.c")))
    parts = [str(path) for path in folder.glob("*.o")]
    _run(folder, "avr-gcc", "-Os", "-flto", "-Wl,--gc-sections", chip[0], "-w", "-o", "a.elf", *parts, "core.a", "-lm")
    _run(folder, "avr-objcopy", "-O", "ihex", "-R", ".eeprom", "a.elf", "sketch.hex")
    return folder / "sketch.hex"


@pytest.mark.long
def test_the_folder_builds_as_the_arduino_ide_builds_it(simulator: Path, tmp_path: Path) -> None:
    box = EmulatedBox([str(simulator), str(sketch(tmp_path))], tmp_path)
    try:
        line = HandMade(box)
        line.arm(7)
        box.throw()
        assert line.until(lambda line: line.verb == "ROLL").text("turn") == "7"
        line.serial.close()
    finally:
        box.close()
