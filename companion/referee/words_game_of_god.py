"""Objections in words, by rule id."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.referee.phrases import Facts, Names

SENTENCES: Mapping[str, Callable[[str, Facts, Names], str]] = {}
