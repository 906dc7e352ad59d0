"""Kills the real program at random moments of a game in play, and says what became of it.

python tests/service/kills.py --runs 200 --seed 1 [--game gloria]
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evening import Evening


@dataclass
class Killed:
    """What became of an evening. lost: what was announced and is not in the journal. rolls: made, and on record.

    twice: rolls on record more than once. helped: how often the players had to say how the game stands.
    """

    runs: int = 0
    announced: int = 0
    lost: int = 0
    made: int = 0
    unrecorded: int = 0
    twice: int = 0
    accused: int = 0
    helped: int = 0
    turns: int = 0

    def __str__(self) -> str:
        return (
            f"{self.runs} kills in {self.turns} turns: {self.lost} of {self.announced} announcements lost; "
            f"of {self.made} rolls {self.unrecorded} not on record, {self.twice} twice; "
            f"{self.accused} false accusations; "
            f"{self.helped} times the players had to say how the game stands"
        )


def kill_often(evening: Evening, runs: int, rng: random.Random) -> Killed:
    """Kill the program `runs` times while the players play on; in the end board and page must agree."""
    killed, program = Killed(), evening.program
    evening.until(lambda: bool(program.view()["plays"]), "the game is in play")
    for _ in range(runs):
        view = _watch(evening, rng.uniform(0.0, 4.0))
        program.kill()
        killed.runs += 1
        missing, count = _missing(evening, view)
        killed.announced += count
        killed.lost += missing
        time.sleep(rng.choice((0.0, 0.0, 0.5, 1.5)))
        program.begin()
    evening.until(evening.agrees, "the page agrees with the board in the end")
    _count_rolls(evening, killed)
    killed.accused = len(evening.tally.false_accusations)
    killed.helped, killed.turns = evening.helped, evening.tally.turns
    return killed


def _watch(evening: Evening, seconds: float) -> Any:
    """The last view that a phone saw in so many seconds."""
    view, end = evening.program.view(), time.monotonic() + seconds
    while time.monotonic() < end:
        view = evening.program.view()
        time.sleep(0.02)
    return view


def _missing(evening: Evening, view: Any) -> tuple[int, int]:
    """How many of the announced lines are not in the journal, and of how many; the roll in play counts as one."""
    kept = [json.loads(text) for (text,) in evening.rows("SELECT payload FROM entries WHERE kind = 'verdict'")]
    texts = {verdict["text"] for verdict in kept if "text" in verdict}
    said = [line["text"] for line in view["plays"] if line["text"]]
    missing = sum(text not in texts for text in said)
    if view["roll"]:
        rolls = [json.loads(text) for (text,) in evening.rows("SELECT payload FROM entries WHERE kind = 'word'")]
        missing += list(view["roll"]) not in [word.get("roll") for word in rolls]
    return missing, len(said) + bool(view["roll"])


def _count_rolls(evening: Evening, killed: Killed) -> None:
    rows = evening.rows("SELECT roll FROM entries WHERE kind = 'roll'")
    recorded = [number for (number,) in rows]
    made = [roll.id for roll in evening.box.box.made]
    killed.made = len(made)
    killed.unrecorded = sum(number not in recorded for number in made[:-1])
    killed.twice = sum(recorded.count(number) > 1 for number in made)


def main() -> None:
    """One evening by command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="parcheesi")
    parser.add_argument("--cheat", type=float, default=0.0)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), words.seed, words.game, words.cheat)
        try:
            print(kill_often(evening, words.runs, random.Random(words.seed)))
        finally:
            evening.leave()


if __name__ == "__main__":
    main()
