"""Question decks: read from files, shuffled, and dealt without repeats."""

from companion.decks.deck import Question, deal
from companion.decks.files import builtin_deck, read_decks

__all__ = ["Question", "builtin_deck", "deal", "read_decks"]
