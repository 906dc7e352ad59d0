"""The dice line: bytes in, events out, and the port that keeps it alive."""

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

__all__ = [
    "Alarm",
    "Book",
    "BoxAnswered",
    "BoxArmed",
    "BoxFound",
    "BoxNoticed",
    "BoxQuestion",
    "BoxRoll",
    "DiceEvent",
    "DicePort",
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
