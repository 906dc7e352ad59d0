"""Pawns that are the image of a lamp in a space of their own colour: it adds as much light as round about."""

from __future__ import annotations

import numpy as np

from calibration.evidence.shop import make_own
from companion.model import BoardSeen
from companion.vision import look
from companion.vision.lamplit import image_of_lamp


def test_what_the_lamp_adds_it_adds_in_all_channels_and_round_about() -> None:
    about = np.tile((0.09, 0.1, 0.1), (6, 1))
    grey = (0.36, 0.02, -0.1)
    here = [(0.075, 0.08, 0.08), (0.5, 0.45, 0.1), (0.1, 0.1, 0.02), *((more, more, more) for more in grey)]
    assert image_of_lamp(np.array(here), about).tolist() == [True, False, False, False, False, False]
    assert not image_of_lamp(np.array(here), np.zeros((6, 3))).any(), "nothing is added round about"


def test_the_image_of_a_lamp_in_a_red_space_is_not_surely_a_red_pawn() -> None:
    """Seen from straight above the pale red was a red pawn with 0.986."""
    made, shown = make_own(881, 7, "gloria", "wide lens")
    assert shown.scene is not None
    seen, _ = look(made.frame, shown.scene)
    assert isinstance(seen, BoardSeen) and made.counted["lane0.4"] == ()
    assert seen.spaces["lane0.4"].confidence < 0.6
    assert all(seen.spaces[name].content == content for name, content in made.counted.items())
    pawns = [seen.spaces[name].confidence for name, content in made.counted.items() if content]
    assert len(pawns) == 8 and min(pawns) > 0.97, "those that stand there are as sure as ever"
