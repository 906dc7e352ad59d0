"""The dice: a box on a cable, or dice of one's own over the air; bytes in, events out, and what keeps them alive."""

from companion.dice.ble import BluetoothDice
from companion.dice.book import Book, MemoryBook
from companion.dice.events import (
    Alarm,
    BoxAnswered,
    BoxArmed,
    BoxFound,
    BoxNoticed,
    BoxQuestion,
    BoxRoll,
    DiceEvent,
    DiceSaid,
    DiceUnfit,
    Flooded,
    LinkLost,
    LinkReady,
    PortTrouble,
    Remark,
    RollApart,
    RollHeard,
    RollsUnseen,
)
from companion.dice.host import Host, State
from companion.dice.port import DicePort
from companion.dice.source import DiceSource

__all__ = [
    "Alarm",
    "BluetoothDice",
    "Book",
    "BoxAnswered",
    "BoxArmed",
    "BoxFound",
    "BoxNoticed",
    "BoxQuestion",
    "BoxRoll",
    "DiceEvent",
    "DicePort",
    "DiceSaid",
    "DiceSource",
    "DiceUnfit",
    "Flooded",
    "Host",
    "LinkLost",
    "LinkReady",
    "MemoryBook",
    "PortTrouble",
    "Remark",
    "RollApart",
    "RollHeard",
    "RollsUnseen",
    "State",
]
