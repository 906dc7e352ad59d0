"""Random states of print-and-cut Parcheesi with a taste for the rare: chains of captures, blockades, last pieces."""

from random import Random

import rare_states

from companion.games.catalogue import state_from_json
from companion.model import StateError


def state_and_roll(rng: Random) -> tuple[dict, list[int]]:
    """A possible STATE and a roll of one die or two for it."""
    state, roll = rare_states.state_and_roll(rng)
    del state["doublets"]
    state["game"] = "parcheesi-print"
    if rng.random() < 0.4:
        state = _with_chains(rng, state)
    return state, roll[:1] if rng.random() < 0.2 else roll


def _with_chains(rng, state):
    """The same with opponents' pieces a part and some bonuses ahead of a piece of the seat due, if that can be."""
    due, pieces = state["due"], dict(state["pieces"])
    origin = rng.choice(pieces[str(due)])
    if origin < 0:
        return state
    reach = origin + rng.randint(1, 6)
    for seat in state["seats"]:
        if seat != due:
            hit = [(17 * due + reach + 20 * n - 17 * seat) % 68 for n in range(rng.randint(1, 3))]
            pieces[str(seat)] = sorted((*[p if p <= 63 else -1 for p in hit], *([-1] * 4))[:4])
    changed = {**state, "pieces": pieces}
    try:
        state_from_json(changed)
    except StateError:
        return state
    return changed
