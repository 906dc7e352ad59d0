"""The kinds of foul in words, for the score of the demo."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.catalogue import GAMES

KINDS: Mapping[str, str] = {
    "wrong_count": "a pawn moved by a number not on the dice",
    "wrong_way": "a pawn moved backwards",
    "others_pawn": "another player's pawn moved",
    "blockade": "through or onto a blockade",
    "onto_blockade": "onto a blockade",
    "safe_space": "onto an occupied safety space",
    "third_pawn": "a third pawn on a space",
    "captured_kept": "a captured pawn left on the board",
    "captured_gone": "a captured pawn kept in the hand",
    "captured_astray": "a captured pawn put elsewhere",
    "no_five": "entered without a five",
    "must_enter": "a five not used to enter",
    "unfinished": "said done while dice were left",
    "one_of_four": "said done before all four of doublets",
    "bonus_left": "a bonus not taken",
    "not_moved": "said done without a move",
    "third_doublets": "third doublets played",
    "more_dice": "played so that fewer dice can be used",
    "doublets": "doublets played in part",
    "together": "a blockade moved on together",
    "wrong_lane": "onto another's lane",
    "past_home": "past the own lane",
    "wrong_home": "HOME without the exact count",
    "two_moved": "two pieces moved by one die",
    "bonus_split": "a bonus split between two pawns",
    "before_roll": "moved before rolling",
    "out_of_turn": "moved out of turn",
    "removed": "a piece removed",
    "added": "a piece added",
    "set_up": "set up with other squares vacant",
    "placed_anyway": "a piece trapped by a challenge not won",
}
"""The kinds that are not named by a rule. Those of one illegal move are: the rule and its face, see `cheats_single`."""

FACES: Mapping[str, str] = {
    "": "",
    "before_answer": "before the question is answered",
    "before_roll": "before the roll",
    "before_throws": "placed before the throws",
    "declare": "before the declaration",
    "backwards": "backwards",
    "lane_of": "onto another's lane",
    "past_mouth": "past the own lane",
    "past_start": "past the own start",
    "no_round": "home without a round",
    "at_rest": "a piece at rest moved",
    "from_home": "out of home",
    "hops": "a wrong star run",
    "beyond": "beyond the own star",
    "on_star": "from a star into the centre",
    "star": "a star run in mid-move",
    "no_six": "entered without a six",
    "second_six": "entered by a second six",
    "one_used": "entered by a total half used",
    "five_used": "entered by a five already used",
    "at_once": "a bonus that is not due",
    "other": "the bonus by another piece",
    "exact": "home without the exact count",
    "third": "a third piece on a space",
    "forward": "not forward in the own goal area",
    "entered": "back into the own goal area",
    "trapped": "a trapped piece moved",
    "closed": "onto a closed stack",
    "again": "moved twice",
    "bent": "not in a straight line",
    "over": "over other pieces",
    "onto": "onto an opponent's piece",
    "must": "not placed after a challenge won",
    "own": "onto an own piece",
    "total": "several dice at once",
    "landing": "landing where one may not",
}


def text_of(kind: str) -> str:
    """A kind of foul in words."""
    if kind in KINDS:
        return KINDS[kind]
    named, comma, later = kind.partition(",")
    rule, _, face = named.partition(" ")
    return f"{rule} {FACES.get(face, face) or _subject(rule)}{comma}{later}"


def _subject(rule: str) -> str:
    """What a rule is about, where no face of it is named: the beginning of its sentence."""
    sentence = next((game.sentences[rule] for game in GAMES.values() if rule in game.sentences), "")
    short = sentence.split(".")[0].split(":")[0].split(",")[0]
    return short if len(short) <= 40 else short[:39].rsplit(" ", 1)[0] + " …"
