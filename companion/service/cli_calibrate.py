"""`companion calibrate …`: what is done once per table, each kind in a module of its own."""

from __future__ import annotations

import argparse

from companion.service.cli_board import add_board, add_colors

_KINDS = (add_board, add_colors)


def add_calibrate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command with its kinds."""
    calibrate = commands.add_parser("calibrate", help="set up a board of one's own, its pieces' colours, the lens")
    kinds = calibrate.add_subparsers(required=True, metavar="WHAT")
    for add in _KINDS:
        add(kinds)
