"""Moves of one piece by one die, ready-made in tables: for Gloria and Aggravation.

A move is told in progress and holds its step. What it meets are the spaces of other seats that are its own last one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from companion.games.race_pieces import Pieces, moved
from companion.model import Seat, Step


class Move(NamedTuple):
    """One piece's way, whoever stands on it.

    held: the spaces, as bits, where a piece of the mover's own closes the way. step: without captures. meets: the
    other seats' progress on the last space, each with the step that captures a piece there. shortcut: see AGG-15.
    """

    origin: int
    target: int
    held: int
    step: Step
    meets: tuple[tuple[Seat, int, Step], ...]
    shortcut: bool = False


Known = Mapping[int, tuple[Move, ...]]
"""The moves of one seat by one number: progress of a piece → its moves; a piece that has none is missing."""


def meets(step: Step, there: tuple[tuple[Seat, int], ...]) -> tuple[tuple[Seat, int, Step], ...]:
    """What a move meets. there: the other seats that can stand on its last space, each with its progress."""
    return tuple((seat, p, replace(step, captures=((seat, f"base{seat}"),))) for seat, p in there)


def bits_of(hand: tuple[int, ...], bits: Mapping[int, int]) -> int:
    """Where the pieces of a hand stand. bits: progress → its space as a bit."""
    a, b, c, d = hand
    return bits[a] | bits[b] | bits[c] | bits[d]


def open_moves(hand: tuple[int, ...], known: Known, bits: Mapping[int, int]) -> list[Move]:
    """The moves of a hand, equal pieces once (COM-5), that no piece of its own closes (GLO-6, AGG-3, AGG-5).

    bits: progress → its space as a bit.
    """
    own, found, before = bits_of(hand, bits), [], None
    for origin in hand:
        if origin in known and origin != before:
            for move in known[origin]:
                if not move.held & own:
                    found.append(move)
            before = origin
    return found


def open_move(hand: tuple[int, ...], known: Known, bits: Mapping[int, int], way: tuple[int | None, str]) -> Move | None:
    """The one of `open_moves` that goes `way`: from a progress to a space; None where there is none."""
    origin, target = way
    if origin in hand:
        for move in known.get(origin, ()):
            if move.step.target == target:
                return None if move.held & bits_of(hand, bits) else move
    return None


def step_of(pieces: Pieces, move: Move) -> Step:
    """The step of a move, with what it sends back: one piece at most (GLO-5, AGG-3, AGG-6)."""
    for seat, progress, step in move.meets:
        if progress in pieces[seat]:
            return step
    return move.step


def after(pieces: Pieces, move: Move, base: int) -> Pieces:
    """The pieces after a move, with what it captures back in base."""
    mover = move.step.seat
    then = moved(pieces, mover, move.origin, move.target)
    for seat, progress, _ in move.meets:
        if progress in pieces[seat]:
            return moved(then, seat, progress, base)
    return then
