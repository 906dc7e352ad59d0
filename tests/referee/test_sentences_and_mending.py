"""Sentences that fit what happened, and ways to put the board right that can be followed where pieces hide others."""

from __future__ import annotations

import random

import pytest

from companion.games.aggravation import Aggravation, step_of
from companion.games.catalogue import game_for
from companion.model import (
    AcceptedAsPlayed,
    BoardSeen,
    Confirmed,
    DueKind,
    Nouns,
    Objection,
    Position,
    Roll,
    Rolled,
    Saw,
    SpaceSeen,
    StateError,
    Step,
    TakenBack,
    Verdict,
)
from companion.referee import accusing, announcing, wording
from companion.referee.bench import Bench, tell
from companion.referee.explain import Foul, put_right
from companion.referee.miscolored import Recolored
from companion.referee.phrases import Names

COLORS = {0: "red", 1: "green", 2: "yellow", 3: "blue", 4: "white", 5: "purple"}
GOD = game_for("game-of-god", (0, 2), {})
STATE = {
    "game": "game-of-god",
    "options": {},
    "seats": ["N", "S"],
    "due": "N",
    "squares": {f"{column}8": "NN" for column in "bcde"}
    | {f"{column}1": "SS" for column in "abcdefg"}
    | {"a8": "N", "a5": "NN", "h8": "N", "h5": "N", "f8": "N"},
}


def watched(bench: Bench, position: Position, at: float, seconds: float = 3.0) -> tuple[Bench, list[Verdict]]:
    """A hand, and then a still board."""
    known = {n: SpaceSeen(position.at(n), 0.999, likelihoods={position.at(n): 0.0}) for n in bench.game.spaces()}
    said: list[Verdict] = []
    for k in range(int(seconds * 5)):
        bench, more = tell(bench, Saw(at + 0.2 * k, BoardSeen(at + 0.2 * k, known, moving=k == 0)))
        said += more
    return bench, said


def test_com_4_speaks_of_shortcuts_only_where_one_could_be_taken() -> None:
    game = game_for("aggravation", (0, 1))
    bench = Bench.opening(game, COLORS, game.opening(0), 0)
    bench, _ = watched(bench, bench.position, 0.0)
    bench, _ = tell(bench, Rolled(4.0, Roll((6,))))
    bench, _ = tell(bench, Confirmed(4.0))
    _, said = watched(bench, bench.position, 4.2)
    assert [verdict.text for verdict in said] == ["Red rolled 6 and can move, and so must."]


def test_a_step_that_may_be_left_is_told_from_the_others() -> None:
    """AGG-15: what is said is held against the game's own walking, on positions of random games."""
    game, rng, kinds = game_for("aggravation", (0, 1, 2, 3)), random.Random(1), set()
    assert isinstance(game, Aggravation)
    for _ in range(4):
        state = game.opening(0)
        for _ in range(300):
            state = game.hear(state, Roll((rng.randint(1, 6),)))
            for move in game._legal(state):
                kinds.add(move.shortcut)
                assert accusing._shortcut(step_of(state.pieces, move)) == move.shortcut
            steps = game.legal_steps(state)
            state = game.take(state, rng.choice(steps)) if steps else game.stop(state)
            if game.due(state).kind is DueKind.OVER:
                break
    assert kinds == {True, False}


@pytest.mark.parametrize(
    ("game", "error", "said"),
    [
        ("aggravation", "base0: a marble of seat 5 can never stand there. Move it",
         "Red's base: a marble of purple can never stand there. Move it."),
        ("aggravation", "t23: marbles of seats [0, 0] stand there: a hole holds one",
         "Hole 23: marbles of red stand there: a hole holds one."),
        ("parcheesi", "t5: pawns of seats [0, 2] never share a space",
         "Space 5: pawns of red and yellow never share a space."),
        ("game-of-god", "3 pieces of S are missing, and nothing can hide them",
         "3 pieces of yellow are missing, and nothing can hide them."),
    ],
)
def test_errors_of_a_position_name_colours_and_places(game: str, error: str, said: str) -> None:
    names = Names(COLORS, game_for(game, (0, 2), {}).nouns, game)
    assert wording.error_sentence(StateError(error), names) == said


def test_places_of_seats_that_do_not_play_are_named_by_their_colour() -> None:
    game = game_for("parcheesi", (0, 2))
    names = Bench.opening(game, COLORS, game.opening(0), 0).names
    said = [wording.where(space, names) for space in ("base0", "base1.3", "lane3.2", "home1", "base")]
    expected = ["in red's circle", "in the green circle", "in the blue lane", "in the green HOME", "in the circle"]
    assert said == expected


def test_a_place_is_named_once_however_many_of_its_spaces_are_meant() -> None:
    """ "… what stands on yellow's lane and yellow's lane"."""
    game = game_for("parcheesi", (0, 2))
    bench = Bench.opening(game, {0: "yellow", 2: "blue"}, game.opening(0), 0)
    assert "what stands on yellow's lane and space 46." in announcing.unseen(bench, ("lane0.2", "lane0.3", "t46"))
    said = wording.to_set_up(("lane0.2", "lane0.3"), ("base0", "base2"), bench.names)
    assert "To me yellow's lane looks otherwise;" in said


def test_a_doubt_names_the_places_unless_there_are_too_many() -> None:
    game = game_for("parcheesi", (0, 2))
    names = Bench.opening(game, {0: "yellow", 2: "blue"}, game.opening(0), 0).names
    foul = Foul(missing=((0, "t5"), (2, "lane2.3")), extra=((2, "lane2.4"), (0, "t9")))
    free = "Please make sure that the pawns stand free."
    said = wording.doubt(foul, names)
    assert said == f"I cannot see for sure what stands on space 5, blue's lane and space 9. {free}"
    many = Foul(missing=tuple((0, f"t{n}") for n in range(4)), extra=((2, "t30"),))
    assert wording.doubt(many, names) == f"I am not sure that I see all pawns as they stand. {free}"


def test_a_duty_is_known_by_what_the_step_is_by_and_not_by_where_it_goes() -> None:
    names = Names(COLORS, game_for("parcheesi", (0, 2)).nouns, "parcheesi")
    said = wording.duty_sentence(0, Step(0, "t20", "base0", "penalty"), names)
    assert said == "Red, these are your third doublets in a row: the pawn on space 20 goes back to the circle."
    assert wording.duty_sentence(0, Step(0, "t20", "base0", "5"), names) == ""
    assert wording.duty_sentence(0, Step(0, "t20", "base0", "penalty"), Names(COLORS, names.nouns, "gloria")) == ""


def test_accepting_a_wrong_set_up_names_the_colour() -> None:
    game = game_for("aggravation", (0, 1))
    bench = Bench.opening(game, COLORS, game.opening(0), 0)
    wrong = bench.position.without(0, "base0").with_piece(1, "base0")
    bench, _ = watched(bench, wrong, 0.0)
    with pytest.raises(StateError, match="Red's base: a marble of green can never stand there"):
        tell(bench, AcceptedAsPlayed(4.0))


def test_accepting_the_board_takes_a_piece_of_nobody_who_plays_for_the_likeliest_of_the_players() -> None:
    """On a shop's board with green discs, East's green was as likely as North's, and "accept" was refused."""
    bench = Bench.opening(GOD, {0: "white", 2: "black"}, GOD.opening(0), 0)
    stands = bench.position
    known = {n: SpaceSeen(stands.at(n), 0.999, likelihoods={stands.at(n): 0.0}) for n in GOD.spaces()}
    known["a5"] = SpaceSeen((1,), 0.5, likelihoods={(1,): 0.0, (0,): -0.5, (2,): -3.0, (): -9.0})
    stood = next(name for name, content in stands.items() if content == (0,))
    known[stood] = SpaceSeen((), 0.999, likelihoods={(): 0.0})
    for k in range(15):
        bench, _ = tell(bench, Saw(0.2 * k, BoardSeen(0.2 * k, known, moving=k == 0)))
    bench, said = tell(bench, AcceptedAsPlayed(4.0))
    assert said[-1].text == "Accepted as played." and bench.position.at("a5") == (0,)


@pytest.mark.long
def test_a_piece_put_wrongly_on_another_goes_back_to_where_it_came_from() -> None:
    bench = Bench.opening(GOD, {0: "white", 2: "black"}, GOD.from_json(STATE), 0)
    bench, _ = watched(bench, bench.position, 0.0)
    step = Step(2, "a1", "f8")
    shown = GOD.disturbed(bench.state, step)
    assert shown.at("a1") == (2,) and shown.at("f8") == (2,), "the piece comes from a stack of its own colour"
    _, said = watched(bench, shown, 4.0, 15.0)
    assert said[-1].kind.value == "illegal" and said[-1].put_right == ((2, "f8", "a1"),)


def test_a_move_that_is_taken_back_is_put_back_by_its_own_way() -> None:
    bench = Bench.opening(GOD, {0: "white", 2: "black"}, GOD.from_json(STATE), 0)
    bench, _ = watched(bench, bench.position, 0.0)
    state = GOD.begin(bench.state)
    step = next(s for s in GOD.legal_steps(state) if GOD.everything(state)[s.origin] == (0, 0))
    bench, said = watched(bench, GOD.position(GOD.take(state, step)), 4.0)
    assert [verdict.kind.value for verdict in said] == ["legal"]
    _, said = tell(bench, TakenBack(8.0))
    assert said[0].put_right == ((0, step.target, step.origin),)


def test_a_piece_under_another_is_not_told_to_move() -> None:
    stands = Position.of({"e8": (0,), "d5": (2,)})
    covered = Position.of({"e8": (2,)})
    stacks = {"e8": (0,), "d5": (2,)}
    assert put_right(covered, stands, stacks) == ((2, "e8", "d5"),)
    uncovered = Position.of({"e8": (2,), "c3": (0,)})
    assert put_right(uncovered, Position.of({"e8": (0,)}), {"e8": (2, 0)}) == ((0, "c3", "e8"),)


def test_an_orange_marble_is_no_a_orange_marble() -> None:
    names = Names({0: "orange", 1: "red"}, game_for("aggravation", (0, 1)).nouns, "aggravation")
    assert wording.missing(names, 0, "t3").startswith("An orange marble is missing")
    assert wording.missing(names, 1, "t3").startswith("A red marble is missing")
    for seat, words in ((0, "an orange marble"), (1, "a red marble")):
        assert f"I cannot find {words}" in wording.doubt(Foul(missing=((seat, "t3"),)), names)


# --- what games of other makers need ---

MEN = Names({0: "white", 1: "black"}, Nouns(piece="man", several="men", home="catch"), "morris")


def test_more_than_one_man_are_men() -> None:
    texts = [
        wording.foul_sentence(Foul(upset=True), 0, MEN),
        wording.foul_sentence(Foul(missing=((0, "a1"),), extra=((1, "a4"),)), 0, MEN),
        wording.doubt(Foul(missing=((0, "a1"),)), MEN),
    ]
    assert all("men" in text and "mans" not in text for text in texts), texts


def test_another_players_piece_that_is_taken_is_not_brought_home() -> None:
    steps = (Step(0, "base0", "a1"), Step(1, "d6", "home0", "mill"))
    assert wording.play_sentence(0, steps, MEN, more=False) == "White entered a man, then took black's man."


def test_a_step_that_no_die_moves_is_said_by_its_spaces() -> None:
    steps = (Step(0, "t1", "t4", "3"), Step(0, "t4", "t11", "ladder"))
    said = wording.play_sentence(0, steps, Names(COLORS), more=False)
    assert said == "Red moved 3, then moved from space 4 to space 11."


def test_a_name_keeps_its_capitals_within() -> None:
    names = Names({0: "McBlue", 1: "red", 2: "ÉLISE"})
    assert [wording.name_of(names, seat) for seat in names] == ["McBlue", "Red", "ÉLISE"]


# --- each sentence as a whole ---

PAWNS = Names(COLORS, game_for("parcheesi", (0, 2)).nouns, "parcheesi")
MARBLES = Names(COLORS, game_for("aggravation", (0, 1)).nouns, "aggravation")
FREE = "Please make sure that the pawns stand free."
AS_SHOWN = "Please put them back as the picture shows."


@pytest.mark.parametrize(
    ("foul", "said"),
    [
        (Foul(upset=True, missing=((0, "t5"),)),
         "The board looks quite different from before. Please put the pawns back as the picture shows."),
        (Foul(missing=((0, "t5"),)), "A red pawn is missing: it stood on space 5. Please put it back."),
        (Foul(extra=((2, "t9"),)), "There is one yellow pawn too many, on space 9. Please take it away."),
        (Foul(missing=((0, "t5"),), extra=((2, "t9"),)), f"Some pawns are not where they were. {AS_SHOWN}"),
        (Foul(), f"The pawns do not stand as the game says. {AS_SHOWN}"),
        (Foul(seat=2, objections=(Objection("COM-6", {}),)), "The game is over: nothing is moved any more."),
        (Foul(seat=2, objections=(Objection("COM-4", {}), Objection("COM-6", {}))), "Yellow can move, and so must."),
        (Foul(objections=(Objection("COM-4", {}),)), "Red can move, and so must."),
        (Foul(objections=(Objection("XYZ-1", {}),)), "Red made a move that rule XYZ-1 forbids."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(foul: Foul, said: str) -> None:
    assert wording.foul_sentence(foul, 0, Names(COLORS, PAWNS.nouns, "morris")) == said


@pytest.mark.parametrize(
    ("foul", "said"),
    [
        (Foul(missing=((0, "t5"),)), f"I cannot find a red pawn: it stood on space 5. {FREE}"),
        (Foul(extra=((2, "base2"),)), f"I seem to see one yellow pawn too many, in yellow's circle. {FREE}"),
        (Foul(missing=((0, "t5"),), extra=((0, "t6"),)),
         f"I cannot see for sure what stands on space 5 and space 6. {FREE}"),
        (Foul(missing=((0, "t5"), (0, "t6")), extra=((0, "t7"), (0, "t8"))),
         f"I cannot see for sure what stands on space 5, space 6, space 7 and space 8. {FREE}"),
        (Foul(), f"I am not sure that I see all pawns as they stand. {FREE}"),
    ],
)  # fmt: skip
def test_what_may_be_wrong_is_asked(foul: Foul, said: str) -> None:
    assert wording.doubt(foul, PAWNS) == said


def test_what_is_covered_is_named_as_far_as_it_can_be_read() -> None:
    free = "something lies over the board, or a lamp shines on it. Please make it free."
    said = [wording.covered([f"t{n}" for n in range(count)], PAWNS) for count in (1, 4, 5, 12)]
    assert said == [
        f"I cannot see space 0: {free}",
        f"I cannot see space 0, space 1, space 2 and space 3: {free}",
        f"I cannot see space 0, space 1, space 2 and 2 more: {free}",
        f"I cannot see space 0, space 1, space 2 and 9 more: {free}",
    ]


def test_a_set_up_that_is_nearly_there_may_be_said_to_be_right() -> None:
    ask = "To begin, please set up the board as the picture shows."
    right = "otherwise; if all is right there, say so on the phone: “The board is set up”."
    wanted = ("base0", "base2")
    assert wording.to_set_up((), wanted, PAWNS) == ask
    assert wording.to_set_up(("t5",), wanted, PAWNS) == f"{ask} To me space 5 looks {right}"
    four = [f"t{n}" for n in range(4)]
    look = f"{ask} To me space 0, space 1, space 2 and space 3 look {right}"
    assert wording.to_set_up(four, wanted, PAWNS) == look
    assert wording.to_set_up([*four, "t4"], wanted, PAWNS) == ask
    assert wording.to_set_up(("base0", "t5"), wanted, PAWNS).endswith(right), "one of the two is there"
    assert wording.to_set_up(("base0", "base2", "t5"), wanted, PAWNS) == ask, "nothing is set up yet"


@pytest.mark.parametrize(
    ("rule", "facts", "said"),
    [
        ("COM-2", {"seat": 2, "due": 0}, "Yellow moved, but it is Red's turn."),
        ("COM-2", {"seat": 2, "due": 0, "played": True},
         "Yellow has played the whole roll already: no more pawns move, and Red is next."),
        ("COM-3", {"seat": 2, "due": 0},
         "Yellow's pawn was moved, but it is Red's turn. Only Red's own pawns may move now."),
        ("COM-3", {"seat": 2, "no_pawn": True, "space": "home2"}, "No yellow pawn stood in yellow's HOME."),
        ("COM-6", {"winner": 0}, "The game is over: nothing is moved any more."),
    ],
)  # fmt: skip
def test_com_2_com_3_com_6_are_said_in_each_case(rule: str, facts: dict[str, object], said: str) -> None:
    assert wording.objection_sentence(Objection(rule, facts), 2, PAWNS) == said


@pytest.mark.parametrize(
    ("names", "step", "said"),
    [
        (PAWNS, Step(0, "base0", "t0", "5", ((2, "base2"),)), "entered a pawn and sent yellow's pawn back"),
        (PAWNS, Step(0, "lane0.7", "home0", "1"), "brought a pawn HOME"),
        (PAWNS, Step(0, "t9", "base0", "penalty"), "took a pawn back to the circle"),
        (PAWNS, Step(0, "t9", "t29", "bonus 20", ((2, "base2"),)), "moved a bonus of 20 and sent yellow's pawn back"),
        (PAWNS, Step(0, "t63", "lane0.1", "1"), "moved 1"),
        (MARBLES, Step(0, "t14", "t29", "star run 2"), "ran the stars for 2"),
        (MARBLES, Step(0, "t12", "center", "center 3"), "turned into the centre"),
        (MARBLES, Step(0, "t7", "lane0.1", "1"), "moved 1 to HOME"),
        (MARBLES, Step(0, "lane0.1", "lane0.2", "1"), "moved 1"),
    ],
)
def test_what_was_played_is_said(names: Names, step: Step, said: str) -> None:
    assert wording.play_sentence(0, (step,), names, more=False) == f"Red {said}."
    assert wording.play_sentence(0, (step,), names, more=True) == f"Red {said}, and is not finished yet."
    assert wording.play_sentence(0, (), names, more=True) == "Red has not moved yet."


def test_who_wins_is_said() -> None:
    god = Names({0: "white", 2: "black"}, GOD.nouns, GOD.name)
    assert wording.winning((0,), PAWNS) == "Red wins."
    assert wording.winning((0, 2), MARBLES) == "Red and Yellow share the win."
    assert wording.winning((0,), god) == "White wins."
    assert wording.winning((0, 2), god) == "A draw: White and Black have brought in as many pieces each."


def test_a_captured_piece_is_told_where_it_goes_and_who_goes_on() -> None:
    said = wording.returned_early(PAWNS, 2, 0)
    assert said == "Yellow's pawn is back in its circle. Red, please finish the move that captures it."
    assert wording.captured(PAWNS, 2) == "Yellow's pawn is captured: it goes back to yellow's circle."
    found = Recolored(Position.of({"t5": (0,)}), "t5", own=0, shown=4)
    assert wording.of_another_color(found, PAWNS) == (
        "I seem to see a white pawn on space 5, and that would be one too many. "
        "If it is red's, accept it as played; if not, please put it right."
    )
