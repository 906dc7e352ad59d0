"""What was told and ruled, in order, on disk."""

from companion.journal.codec import (
    sighting_from_json,
    sighting_to_json,
    verdict_from_json,
    verdict_to_json,
    word_from_json,
    word_to_json,
)
from companion.journal.export import export
from companion.journal.journal import HOUSE, Journal
from companion.journal.opening import JOURNAL, bring_home, open_journal, open_journal_or_refuge, open_to_read
from companion.journal.owner import kept_out
from companion.journal.pictures import Pictures
from companion.journal.rows import Entry, Game
from companion.journal.tables import JournalNewer

__all__ = [
    "HOUSE",
    "JOURNAL",
    "Entry",
    "Game",
    "Journal",
    "JournalNewer",
    "Pictures",
    "bring_home",
    "export",
    "kept_out",
    "open_journal",
    "open_journal_or_refuge",
    "open_to_read",
    "sighting_from_json",
    "sighting_to_json",
    "verdict_from_json",
    "verdict_to_json",
    "word_from_json",
    "word_to_json",
]
