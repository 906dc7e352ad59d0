"""Random play keeps its laws; states and positions of Game of God go out and come back as they were."""

import json
from itertools import combinations, product
from random import Random

import pytest
import rare_game_of_god
from hypothesis import given, settings
from hypothesis import strategies as st
from test_game_of_god_against_slow import onward

from companion.games.catalogue import game_for, roll_off, state_from_json
from companion.model import BadInput, DueKind, IllegalStep, NotDue, OptionError, Position, Roll, StateError, Step

N, E, S, W = range(4)
seeds = st.integers(0, 2**32)
TABLES = [((0, 2), {}), ((3, 1, 2, 0), {}), ((0, 2), {"size": 6, "pairs": 1}), ((0, 1, 2, 3), {"size": 11, "pairs": 9})]


def there_and_back(game, state):
    return state_from_json(json.loads(json.dumps(game.to_json(state))))[1]


@pytest.mark.long
@settings(max_examples=12)
@given(seeds, st.sampled_from(TABLES))
def test_random_legal_play_keeps_its_laws(seed, table):
    """COM-2, GOD-9, GOD-14, GOD-15: until the end, which comes."""
    rng, game = Random(seed), game_for("game-of-god", *table)
    state = game.opening(rng.choice(game.seats))
    for _ in range(20_000):
        due = game.due(state)
        if rng.random() < 0.05:
            assert there_and_back(game, state) == state
            stacks = game.everything(state)
            assert all(stacks.count()[seat] == 2 * game.pairs for seat in game.seats)
            assert game.position(state) == Position.stacked({name: stack[-1:] for name, stack in stacks.items()})
            assert game.with_position(game.position(state), due.seat, state).codes == state.codes
        if due.kind is DueKind.OVER:
            break
        assert not game.winners(state)
        if due.kind is DueKind.MOVE:
            assert game.legal_steps(state)
        state = onward_freely(game, state, rng)
    assert game.winners(state)


def onward_freely(game, state, rng):
    legal = game.legal_steps(state)
    if game.due(state).kind is DueKind.PLAY and legal and not game.may_stop(state):
        return game.take(state, rng.choice(legal))
    return onward(game, state, rng)


@pytest.mark.long
@settings(max_examples=60)
@given(seeds)
def test_every_phase_is_saved_whole(seed):
    """What is pending of a challenge (GOD-11 to GOD-13) comes back as it was."""
    rng = Random(seed)
    data = rare_game_of_god.state(rng)
    game, state = state_from_json(data)
    assert game.to_json(state) == data
    for _ in range(12):
        assert there_and_back(game, state) == state
        state = onward(game, state, rng)


@settings(max_examples=60)
@given(seeds)
def test_a_step_changes_what_is_seen_as_disturbed_says(seed):
    rng = Random(seed)
    game, state = state_from_json(rare_game_of_god.state(rng))
    for step in rng.sample(game.legal_steps(state), min(12, len(game.legal_steps(state)))):
        after = game.take(state, step)
        assert game.position(after) == game.disturbed(state, step)
        if game.position(after) != game.position(state):
            guess = game.with_position(game.position(after), S, state)
            assert guess.codes.count(0) == after.codes.count(0)
            assert game.position(guess) == game.position(after)


def test_disturbed_shows_what_lay_beneath():
    game = game_for("game-of-god", (0, 2))
    state = game.opening(N)
    shown = game.disturbed(state, Step(N, "a8", "b1"))
    assert (shown.at("a8"), shown.at("b1")) == ((N,), (N,))
    assert game.disturbed(state, Step(S, "a1", "")) == game.position(state)
    assert game.disturbed(state, Step(N, "", "d4")).at("d4") == (N,)
    for step in (Step(S, "a8", "a7"), Step(N, "d4", "d5"), Step(N, "z9", "d5")):
        with pytest.raises(KeyError):
            game.disturbed(state, step)


def test_the_seats_are_two_that_face_each_other_or_four():
    """COM-7 as Game of God has it: North and South, or all."""
    for seats in ((0, 1), (1, 3), (0, 1, 2), (0,), (0, 0), (0, 4), None, "NS"):
        with pytest.raises(OptionError, match="seats"):
            game_for("game-of-god", seats)
    assert [game_for("game-of-god", (2, 0)).next_seat(seat) for seat in (N, S)] == [S, N]
    four = game_for("game-of-god", (3, 2, 1, 0))
    assert [four.next_seat(seat) for seat in range(4)] == [E, S, W, N]


def test_the_highest_throw_begins_and_ties_throw_again():
    """COM-1 and GOD-4, one die each."""
    game = game_for("game-of-god", (0, 1, 2, 3))
    throws = roll_off(game, S)
    assert (game.opening_dice, throws.throwing) == (1, (S, W, N, E))
    for seat, value in zip((S, W, N, E), (5, 2, 5, 1), strict=True):
        throws = throws.thrown(seat, value)
    assert throws.throwing == (S, N)


@pytest.mark.parametrize("seats, options, names", [
    ((0, 2), {"size": 5}, "size 5.*6 to 12"),
    ((0, 2), {"size": 13}, "size 13"),
    ((0, 2), {"size": "8"}, "size '8'"),
    ((0, 2), {"size": True}, "size True"),
    ((0, 2), {"pairs": 0}, "pairs 0.*1 to 8"),
    ((0, 2), {"pairs": 9}, "pairs 9"),
    ((0, 1, 2, 3), {"pairs": 7}, "pairs 7.*1 to 6"),
    ((0, 1, 2, 3), {"size": 12, "pairs": 11}, "1 to 10"),
    ((0, 2), {"rows": 8}, "size"),
    ((0, 2), [], "options"),
])
def test_options_that_do_not_fit_are_refused(seats, options, names):
    """GOD-3: pairs from 1 to the squares of the goal area, size from 6 to 12."""
    with pytest.raises(OptionError, match=names):
        game_for("game-of-god", seats, options)


@pytest.mark.parametrize("seats, options, pairs, rule", [
    ((0, 2), {}, 7, "GOD-1"),
    ((0, 1, 2, 3), {}, 5, "GOD-2"),
    ((0, 2), {"size": 12}, 11, "GOD-3"),
    ((0, 2), {"size": 9, "pairs": 7}, 7, "GOD-3"),
    ((0, 1, 2, 3), {"size": 6}, 3, "GOD-3"),
    ((0, 2), {"pairs": 8}, 8, "GOD-3"),
    ((0, 1, 2, 3), {"pairs": 1}, 1, "GOD-3"),
])
def test_the_opening_is_a_set_up(seats, options, pairs, rule):
    """GOD-1, GOD-2, GOD-3: stacked pairs, as many as there should be, read back from their tops."""
    game = game_for("game-of-god", seats, options)
    state = game.opening(S)
    assert (game.pairs, game.setup_rule, game.due(state).seat) == (pairs, rule, S)
    assert {len(stack) for stack in game.everything(state).values()} == {2}
    assert game.everything(state).count() == dict.fromkeys(sorted(seats), 2 * pairs)
    assert game.set_up(game.position(state), S) == state
    assert game.set_up(game.everything(state), S) == state


def changed(game, **squares):
    stacks = dict(game.position(game.opening(N)))
    return Position.stacked(stacks | {name: seats for name, seats in squares.items()})


@pytest.mark.parametrize("squares, names", [
    ({"c8": ()}, "GOD-1: North has 6 pairs on its edge, and it must have 7: set up 1 more"),
    ({"c8": (), "d8": (), "h8": (N,)}, "GOD-1: North has 6 pairs"),
    ({"c8": (), "h8": (N,)}, "c8 is vacant, so c1 must be vacant too: move South's pair from c1 to h1"),
    ({"c8": (), "c1": ()}, "GOD-1: North has 6 pairs on its edge, and it must have 7: set up 1 more"),
    ({"h8": (N,), "h1": (S,)}, "8 pairs.*take 1 away"),
    (dict.fromkeys(("b8", "c8", "d8", "e8", "f8", "g8"), ()), "GOD-1: North has 1 pair on its edge"),
    (dict.fromkeys(("a8", "b8", "c8", "d8", "e8", "f8", "g8"), ()), "GOD-1: North has no pairs on its edge"),
    ({"d4": (N,)}, "d4 is no goal area"),
    ({"d8": (S,)}, "d8 is North's goal area"),
    ({"d8": (N, N, N)}, "take 1 away"),
    ({"z3": (N,)}, "z3"),
])
def test_a_set_up_that_is_wrong_is_explained(squares, names):
    """GOD-1: what must be changed."""
    game = game_for("game-of-god", (0, 2))
    with pytest.raises(StateError, match=names):
        game.set_up(changed(game, **squares), N)


def test_of_several_vacant_squares_that_do_not_face_each_other_all_are_named():
    """GOD-3: fewer pairs, so more of them to move."""
    game = game_for("game-of-god", (0, 2), {"pairs": 5})
    tops = {f"{column}8": (N,) for column in "abefg"} | {f"{column}1": (S,) for column in "abcde"}
    with pytest.raises(StateError) as error:
        game.set_up(Position.of(tops), N)
    wrong, mended = str(error.value).split(": move ")
    assert wrong == "GOD-3: c8 and d8 are vacant, so c1 and d1 must be vacant too"
    assert mended == "South's pairs from c1 and d1 to f1 and g1"


def test_where_no_square_stays_vacant_there_is_nothing_to_choose():
    """GOD-3: as many pairs as squares."""
    assert game_for("game-of-god", (0, 2)).chooses_setup
    assert not game_for("game-of-god", (0, 2), {"pairs": 8}).chooses_setup
    assert not game_for("game-of-god", (0, 1, 2, 3), {"size": 6, "pairs": 4}).chooses_setup


@pytest.mark.parametrize("table", [((0, 2), {}), ((0, 2), {"size": 6, "pairs": 3}), ((0, 1, 2, 3), {"size": 7})])
def test_the_likely_set_ups_are_the_two_that_fit_best_of_all(table):
    """GOD-1 to GOD-3: against every set-up there is, where chance says how well what fits."""
    rng, game = Random(5), game_for("game-of-god", *table)
    edges = [one for one in (("N", "S"), ("E", "W")) if "NESW".index(one[0]) in game.seats]
    rows = [list(zip(*(game.board.goals["NESW".index(seat)] for seat in edge), strict=True)) for edge in edges]
    for _ in range(5):
        contents = ((), (N,), (E,), (S,), (W,))
        chance = {(name, content): rng.gauss(0, 3) for name in game.spaces() for content in contents}

        def fit(state, chance=chance):
            return sum(chance[name, game.position(state).at(name)] for name in game.spaces())

        every = []
        for chosen in product(*(combinations(row, game.pairs) for row in rows)):
            squares = [square for places in chosen for pair in places for square in pair]
            tops = {game.board.names[square]: (game.board.area[square],) for square in squares}
            every.append(game.set_up(Position.of(tops), S))
        best = sorted(every, key=fit, reverse=True)
        assert game.likely_set_ups(lambda name, content, chance=chance: chance[name, content], S) == tuple(best[:2])


def test_of_one_set_up_only_that_is_likely():
    """GOD-3: as many pairs as squares leave nothing to choose."""
    game = game_for("game-of-god", (0, 2), {"size": 6, "pairs": 6})
    assert game.likely_set_ups(lambda name, content: 0.0, N) == (game.opening(N),)


def test_squares_have_names_of_one_letter_and_one_number():
    assert set(game_for("game-of-god", (0, 2), {"size": 12}).spaces()) >= {"a1", "a10", "l12"}
    for size in range(6, 13):
        assert len(set(game_for("game-of-god", (0, 2), {"size": size}).spaces())) == size * size


def small(squares, due=N, **options):
    """A game of two, one pair each on six rows if nothing else is said, with these stacks."""
    game = game_for("game-of-god", (0, 2), {"size": 6, "pairs": 1} | options)
    return game, game.with_position(Position.stacked(squares), due)


def test_nobody_rolls_here_and_words_out_of_turn_are_refused():
    game, state = small({"c4": (N,), "d3": (S,), "a6": (N,), "f1": (S,)})
    for refused in (lambda: game.hear(state, Roll((3,))), lambda: game.rolls(state), lambda: game.throw(state, N, 3),
                    lambda: game.challenge(state, "d3"), lambda: game.begin(game.begin(state)),
                    lambda: game.answer(state, True), lambda: game.outcomes(challenge_due()[1])):
        with pytest.raises(NotDue):
            refused()
    assert game.left(state) == () and game.targets(state) == () and not game.may_stop(state)
    with pytest.raises(IllegalStep):
        game.stop(state)
    with pytest.raises(IllegalStep):
        game.take(state, Step(N, "c4", "d3"))


def challenge_due():
    game, state = small({"c4": (N,), "d3": (S,), "a6": (N,), "f1": (S,)})
    return game, game.take(game.begin(state), Step(N, "c4", "c3"))


def test_after_a_move_the_next_player_is_due_whatever_it_may_challenge():
    """COM-2, GOD-11: the only move of North ends beside South's piece."""
    game, state = small({"d6": (N,), "d4": (S,), "f1": (S,), "a1": (N,)})
    state = game.begin(state)
    assert game.due(game.take(state, Step(N, "d6", "d5"))).kind is DueKind.CHALLENGE
    assert game.afterwards(state) == S


def test_a_challenge_step_by_step():
    """GOD-11, GOD-12, GOD-13, COM-3: each has one throw of one die, the challenger first."""
    game, state = challenge_due()
    assert (game.due(state).kind, game.targets(state), game.may_stop(state)) == (DueKind.CHALLENGE, ("d3",), True)
    with pytest.raises(OptionError, match="GOD-11"):
        game.challenge(state, "f1")
    thrown = game.challenge(state, "")
    assert thrown == game.challenge(state, "d3") and game.due(thrown).dice == (1,)
    with pytest.raises(NotDue):
        game.throw(thrown, S, 3)
    for value in (0, 7, True, "3"):
        with pytest.raises(OptionError):
            game.throw(thrown, N, value)
    won, lost = (game.throw(game.throw(thrown, N, 4), S, other) for other in (2, 5))
    assert [outcome.steps for outcome in game.outcomes(won)] == [(Step(N, "c3", "d3"),)]
    assert [o.rule for o in game.unfinished(won)] == ["GOD-12", "COM-4"] and game.due(won).seat == N
    assert [outcome.steps for outcome in game.outcomes(lost)] == [(Step(S, "d3", "c3"),), ()]
    assert game.unfinished(lost) == () and {game.due(o.state).seat for o in game.outcomes(lost)} == {S}
    assert game.capture_rule(Step(N, "c3", "d3")) == "GOD-12"


def test_of_several_pieces_beside_it_the_one_challenged_is_named():
    """GOD-11: a word without a name means the only one there is."""
    game, state = small({"a6": (N,), "c4": (N,), "d3": (S,), "b3": (S,)})
    state = game.take(game.begin(state), Step(N, "c4", "c3"))
    assert sorted(game.targets(state)) == ["b3", "d3"]
    with pytest.raises(OptionError, match=r"by GOD-11 it can be (b3 or d3|d3 or b3)"):
        game.challenge(state, "")
    assert game.targets(game.challenge(state, "b3")) == ()


def test_the_piece_just_moved_is_placed_and_no_other():
    """GOD-12: on the challenged piece, wherever else one could be put there from."""
    game, state = challenge_due()
    won = game.throw(game.throw(game.challenge(state, ""), N, 4), S, 2)
    for step in (Step(N, "a6", "d3"), Step(N, "c3", "f1"), Step(S, "c3", "d3")):
        with pytest.raises(IllegalStep):
            game.take(won, step)
    assert game.position(game.take(won, Step(N, "c3", "d3"))).at("d3") == (N,)


def test_god_13_after_equal_throws_or_a_piece_left_alone_the_right_player_is_next():
    """GOD-12: equal, and nothing happens: the challenger's turn is over."""
    game = game_for("game-of-god", (0, 1, 2, 3), {"size": 6, "pairs": 1})
    squares = {"c4": (N,), "d3": (S,), "b6": (N,), "e1": (S,), "a2": (W, W), "f2": (E, E)}
    state = game.begin(game.with_position(Position.stacked(squares), N))
    state = game.challenge(game.take(state, Step(N, "c4", "c3")), "d3")
    equal = game.throw(game.throw(state, N, 4), S, 4)
    assert (game.due(equal).kind, game.due(equal).seat) == (DueKind.MOVE, E)
    lost = game.throw(game.throw(state, N, 2), S, 5)
    assert game.due(game.stop(lost)).seat == game.due(game.take(lost, Step(S, "d3", "c3"))).seat == S
    won = game.throw(game.throw(state, N, 5), S, 2)
    assert game.due(game.take(won, Step(N, "c3", "d3"))).seat == E


@pytest.mark.parametrize("squares", [{"z9": (N,)}, {"c4": (N, E)}, {"c4": (7,)}])
def test_a_board_with_what_there_is_not_is_refused_by_name(squares):
    game, _ = small({"c4": (N,), "d3": (S,), "a6": (N,), "f1": (S,)})
    name = next(iter(squares))
    with pytest.raises(StateError, match=f"^{name} .* there is no such square, or no such player"):
        game.with_position(Position.stacked({"d3": (S,), **squares}), N)


def test_nobody_begins_who_does_not_play():
    game, state = small({"c4": (N,), "d3": (S,), "a6": (N,), "f1": (S,)})
    board = game.position(game.opening(N))
    for begins in (game.opening, game.next_seat, lambda seat: game.set_up(board, seat),
                   lambda seat: game.likely_set_ups(lambda name, content: 0.0, seat),
                   lambda seat: game.with_position(game.position(state), seat)):
        begins(S)
        with pytest.raises(BadInput):
            begins(E)


def test_a_saved_goal_area_holds_pairs_at_most_and_a_vacant_square_may_be_named():
    """GOD-3, GOD-6."""
    game = game_for("game-of-god", (0, 2), {"size": 6, "pairs": 2})
    data = {"game": "game-of-god", "options": dict(game.options), "seats": ["N", "S"], "due": "N"}
    south = {"a1": "SS", "b1": "SS"}
    named = {"c4": "NNN", "a6": "N", "b6": "", **south}
    assert dict(game.everything(game.from_json({**data, "squares": named}))).keys() == {"c4", "a6", "a1", "b1"}
    with pytest.raises(StateError, match=r"a6 NNN: a player's own goal area holds the pairs of the start"):
        game.from_json({**data, "squares": {"a6": "NNN", "c4": "N", **south}})


def test_a_player_on_turn_must_move():
    """COM-4."""
    game, state = small({"c4": (N,), "d3": (S,), "a6": (N,), "f1": (S,)})
    assert game.unfinished(state) == ()
    assert [(o.rule, o.facts["unfinished"]) for o in game.unfinished(game.begin(state))] == [("COM-4", True)]


def test_the_players_agree_to_stop():
    """GOD-16: it counts as a stalemate, and a saved game remembers it."""
    game, state = challenge_due()
    over = game.agree_to_stop(state)
    assert game.due(over).kind is DueKind.OVER and game.winners(over) == (N, S)
    assert there_and_back(game, over) == over
    with pytest.raises(NotDue):
        game.agree_to_stop(game.challenge(state, "d3"))
    with pytest.raises(NotDue):
        game.agree_to_stop(over)


def test_two_ways_to_the_same_board_are_the_same_state():
    """COM-5: pieces of one colour are alike."""
    game, state = small({"a3": (N,), "c3": (N,), "f6": (S,), "f2": (S,)})
    one = game.take(state, Step(N, "a3", "b3"))
    other = game.take(small({"b4": (N,), "c3": (N,), "f6": (S,), "f2": (S,)})[1], Step(N, "b4", "b3"))
    assert one == other and hash(one) == hash(other)


SEEN = [
    # before, what is seen, what is taken to stand there
    ({"a6": "NN", "c1": "SS"}, {"a6": "N", "a4": "N", "c1": "S"}, {"a6": "N", "a4": "N", "c1": "SS"}),
    ({"a3": "NN", "f6": "N", "c3": "N", "c1": "SS", "e6": "SS"}, {"a3": "N", "f6": "N", "c1": "S", "e6": "S"},
     {"a3": "NNN", "f6": "N", "e6": "SS"}),
    ({"a3": "NN", "d4": "NN", "c1": "SS", "e1": "SS"}, {"a3": "N", "d4": "N", "a5": "N", "c1": "S", "e1": "S"},
     {"a3": "N", "a5": "N", "d4": "NN"}),
    ({"c3": "SN", "a6": "N", "f1": "S"}, {"c3": "S", "a6": "N", "e4": "N", "f1": "S"}, {"c3": "S", "e4": "N"}),
    ({"c3": "N", "c4": "S", "a6": "N", "f1": "S"}, {"c4": "N", "a6": "N", "f1": "S"}, {"c4": "SN"}),
    ({"c3": "NN", "d3": "S", "f1": "S"}, {"c3": "S", "f1": "S"}, {"c3": "NNS"}),
    ({"c3": "NN", "f1": "S", "e1": "S"}, {"d4": "N", "f1": "S", "e1": "S"}, {"d4": "NN"}),
    (None, {"a6": "N", "f1": "S"}, {"a6": "NN", "f1": "SS"}),
    (None, {"c4": "N", "c3": "N", "f1": "S"}, {"c4": "N", "c3": "N", "f1": "SS"}),
    (None, {"c4": "N", "c3": "N"}, {"c3": "SSN", "c4": "N"}),
    ({"c3": "NS", "a6": "N", "f1": "S"}, {"a6": "N", "c3": "S"}, {"a6": "NN", "c3": "SS"}),
    (None, {"c4": "N"}, None),
    (None, {"c4": "N", "a6": "N", "b6": "N"}, None),
    (None, {"a6": "N", "c1": "S"}, {"a6": "NN", "c1": "SS"}),
    ({"a6": "N", "c3": "SN", "f1": "S"}, {"a6": "N", "c3": "N", "d4": "S", "f1": "S"}, {"c3": "N", "d4": "S"}),
    (None, {"a6": "N", "b6": "N", "c3": "N", "f1": "S"}, None),
    (None, {"c3": "NN", "f1": "SS"}, {"c3": "NN", "f1": "SS"}),
    (None, {"c6": "S"}, None),
    # of several that may have gone there one that might, though another is nearer; where its way is closed the nearest
    ({"c6": "NN", "b4": "NN", "a1": "SS", "b1": "SS"}, {"c6": "N", "b4": "N", "c3": "N", "a1": "S", "b1": "S"},
     {"c6": "N", "b4": "NN"}),
    ({"c6": "NN", "b4": "NN", "c5": "S", "a1": "SS", "b1": "S"},
     {"c6": "N", "b4": "N", "c5": "S", "c3": "N", "a1": "S", "b1": "S"}, {"c6": "NN", "b4": "N"}),
    ({"c4": "N", "d5": "N", "c2": "N", "b6": "N", "a1": "SS", "b1": "SS"},
     {"d5": "N", "c2": "N", "b6": "N", "a1": "S", "b1": "S"}, {"d5": "N", "c2": "NN"}),
    # two went, each from where it might
    ({"c6": "NN", "b6": "NN", "f6": "NN", "a1": "SS", "b1": "SS", "f1": "SS"},
     {**dict.fromkeys(("c6", "b6", "f6", "c4", "b4"), "N"), **dict.fromkeys(("a1", "b1", "f1"), "S")},
     {"c6": "N", "b6": "N", "f6": "NN"}),
]


def stacked(squares):
    return Position.stacked({name: ["NESW".index(piece) for piece in stack] for name, stack in squares.items()})


@pytest.mark.parametrize("before, seen, after", SEEN)
def test_stacks_are_found_that_explain_the_tops(before, seen, after):
    pairs = sum(map(len, before.values())) // 4 if before else 1
    game = game_for("game-of-god", (0, 2), {"size": 6, "pairs": pairs})
    like = game.with_position(stacked(before), N) if before else None
    if after is None:
        with pytest.raises(StateError):
            game.with_position(stacked(seen), S, like)
        return
    found = game.everything(game.with_position(stacked(seen), S, like))
    assert {name: found.at(name) for name in after} == dict(stacked(after))


def explanations(game, tops):
    """Whether any stacks at all show these tops: every one is tried (one pair each)."""
    names = sorted(tops)

    def fill(n, left):
        if n == len(names):
            return not any(left)
        area = game.board.area[game.board.index[names[n]]]
        seat = tops[names[n]]
        for under in (0, 2):
            for hidden in range(3):
                rest = list(left)
                rest[seat // 2] -= 1
                rest[under // 2] -= hidden
                mixed = hidden and under != seat
                if min(rest) >= 0 and not (mixed and area != -1) and fill(n + 1, rest):
                    return True
        return False

    return fill(0, [2, 2])


some_tops = st.dictionaries(st.sampled_from(["a6", "c6", "c3", "c4", "d4", "f1", "a1"]), st.sampled_from([N, S]))


@pytest.mark.long
@settings(max_examples=300)
@given(some_tops, seeds)
def test_stacks_are_found_exactly_where_there_are_any(tops, seed):
    game = game_for("game-of-god", (0, 2), {"size": 6, "pairs": 1})
    stacks = [{"a6": (N, N), "f1": (S, S)}, {"c3": (N, S), "c4": (S, N)}, {"d4": (N, N, S), "c6": (S,)},
              {"c3": (N,), "c4": (N,), "a1": (S,), "d4": (S,)}]
    like = game.with_position(Position.stacked(Random(seed).choice(stacks)), N)
    position = Position.stacked({name: (seat,) for name, seat in tops.items()})
    for before in (None, like):
        try:
            found = game.with_position(position, N, before)
        except StateError as error:
            assert not explanations(game, tops) or "only the first" in str(error)
        else:
            assert game.position(found) == position


GOOD = {"game": "game-of-god", "options": {"size": 6, "pairs": 2}, "seats": ["N", "S"], "due": "N",
        "squares": {"a6": "NN", "c4": "N", "d4": "S", "c3": "SN", "f1": "SS"}}


@pytest.mark.parametrize("change, names", [
    ({"seats": ["N", "E"]}, "seats"),
    ({"seats": [0, 2]}, "seats"),
    ({"seats": ["N", "X"]}, "seats"),
    ({"seats": "NS"}, "seats"),
    ({"options": {"size": 5}}, "size"),
    ({"options": {"size": 6}}, "it must have 10"),
    ({"due": "E"}, "due 'E'"),
    ({"due": 0}, "due 0"),
    ({"due": None}, "due"),
    ({"squares": []}, "squares"),
    ({"squares": {"g7": "N"}}, "square 'g7': the squares are a1 to f6"),
    ({"squares": {"a6": "NX"}}, "a6"),
    ({"squares": {"a6": "NE"}}, "a6"),
    ({"squares": {"a6": 2}}, "a6"),
    ({"squares": GOOD["squares"] | {"c4": "NN"}}, "N has 5 pieces: it must have 4"),
    ({"squares": {"a6": "NN", "c3": "NSN", "d4": "S", "f1": "SS"}}, "c3 NSN"),
    ({"squares": {"a6": "NN", "c3": "NSS", "d4": "N", "f1": "SS"}}, "c3 NSS"),
    ({"squares": {"a6": "NNNN", "f1": "SSSS"}}, "a6 NNNN"),
    ({"squares": {"a6": "NS", "c3": "NNN", "f1": "SSS"}}, "a6 NS"),
    ({"squares": {"a6": "SSSS", "f1": "NNNN"}}, "only the first"),
    ({"expects": "dance"}, "expects"),
    ({"expects": "challenge"}, "moved"),
    ({"expects": "challenge", "moved": "c3"}, "moved c3: no piece that was just moved there"),
    ({"expects": "challenge", "moved": "a6"}, "moved a6: no piece that was just moved there"),
    ({"expects": "challenge", "moved": "b2"}, "moved b2: no piece that was just moved there"),
    ({"expects": "challenge", "moved": "c4", "squares": {"a6": "NN", "c4": "N", "e2": "S", "c3": "SN", "f1": "SS"}},
     "moved c4: no lone opponent's piece stands beside it"),
    ({"expects": "challenge", "moved": "d4"}, "due N"),
    ({"expects": "throws", "moved": "c4", "target": "f1"}, "GOD-11"),
    ({"expects": "throws", "moved": "c4", "target": "d4", "throws": [7]}, "throws"),
    ({"expects": "throws", "moved": "c4", "target": "d4", "throws": [3]}, "due N"),
    ({"expects": "placing", "moved": "c4", "target": "d4", "throws": [3, 3]}, "due N"),
    ({"expects": "placing", "moved": "c4", "target": "d4", "throws": [3, 4]}, "due N"),
])
def test_what_cannot_be_is_refused_by_name(change, names):
    """GOD-6, GOD-9, GOD-11, GOD-14: a saved or a given state that no game can come to."""
    state_from_json(GOOD)
    with pytest.raises((StateError, OptionError), match=names):
        state_from_json(GOOD | change)


def test_four_players_leave_the_corners_vacant():
    """GOD-2: the corners are out of reach."""
    data = GOOD | {"seats": ["N", "E", "S", "W"], "options": {"size": 6, "pairs": 1},
                   "squares": {"b6": "NN", "b1": "SS", "f2": "EE", "a6": "WW"}}
    with pytest.raises(StateError, match="a6 WW"):
        state_from_json(data)


@pytest.mark.parametrize("change, kind", [
    ({}, DueKind.MOVE), ({"expects": "play"}, DueKind.PLAY), ({"expects": "throws"}, DueKind.MOVE),
    ({"expects": "challenge", "moved": "c4"}, DueKind.CHALLENGE),
    ({"expects": "throws", "moved": "c4", "target": "d4"}, DueKind.THROW),
    ({"expects": "throws", "moved": "c4", "target": "d4", "throws": [2], "due": "S"}, DueKind.THROW),
    ({"expects": "placing", "moved": "c4", "target": "d4", "throws": [2, 3], "due": "S"}, DueKind.PLAY),
    ({"expects": "nothing"}, DueKind.OVER),
    ({"expects": "challenge", "moved": "d4", "squares": {"a1": "NNNN", "d4": "SS", "f1": "SS"}}, DueKind.OVER),
])
def test_what_is_pending_is_read(change, kind):
    game, state = state_from_json(GOOD | change)
    assert game.due(state).kind is kind


@settings(max_examples=60)
@given(seeds)
def test_one_piece_that_was_moved_anyhow_changes_two_stacks_at_most(seed):
    """What the table accepts as played, legal or not, is taken for the move of one piece."""
    rng = Random(seed)
    game, state = state_from_json(rare_game_of_god.state(rng))
    stacks, areas = game.everything(state), game.board.area
    free = [name for name in game.spaces() if areas[game.board.index[name]] == -1 and len(set(stacks.at(name))) < 2]
    for origin in rng.sample(list(stacks), min(6, len(stacks))):
        seen = game.disturbed(state, Step(stacks[origin][-1], origin, rng.choice(free)))
        found = game.with_position(seen, rng.choice(game.seats), state)
        assert game.position(found) == seen
        assert sum(a != b for a, b in zip(found.codes, state.codes, strict=True)) <= 2


@settings(max_examples=60)
@given(seeds)
def test_an_upset_board_is_explained_or_refused(seed):
    rng = Random(seed)
    game, state = state_from_json(rare_game_of_god.state(rng))
    shown = dict(game.position(state))
    for _ in range(rng.randint(2, 5)):
        name, content = rng.choice(list(shown.items()))
        shown[rng.choice(game.spaces())] = content
        if rng.random() < 0.5:
            shown.pop(name, None)
        if not shown:
            return
    position = Position.stacked(shown)
    try:
        assert game.position(game.with_position(position, game.seats[0], state)) == position
    except StateError as error:
        assert str(error)
