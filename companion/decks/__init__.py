"""Question decks: read from files, shuffled, and dealt without repeats."""

from companion.decks.deck import Question, deal

__all__ = ["Question", "deal"]
