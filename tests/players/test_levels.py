"""The levels do not think at their rates, err less than the random player, and else are sound."""

from itertools import pairwise
from random import Random

import pytest
from tests.toy_games import GraphGame, PricedGame, asked, random_graph

import numduel
from numduel.core.explore import playout
from numduel.core.theory import Cost
from numduel.players import Turn, evaluation, levels, player
from numduel.players.evaluation import LookAhead, best_foreseen
from numduel.players.levels import LOOK_AHEADS, RATES, Level

SETTINGS = [
    ("divisor-duel", {"divisor": 7}),
    ("divisor-duel", {"ceiling": 100}),
    ("operation-duel", {"target": 50, "operations": "+1,+2,x3"}),
    ("divisor-line", {}),
    ("divisor-line", {"goal": "chain", "size": 16}),
    ("double-or-add", {}),
    ("multiplicity", {"size": 14, "start": 2}),
]


@pytest.fixture(autouse=True)
def evaluated_once(monkeypatch):
    """Evaluate each turn once, however often a player is asked about it."""
    known = {}

    def evaluate_moves(turn):
        key = id(turn.game), turn.position, turn.swap_ahead, turn.seconds
        if key not in known:
            known[key] = (
                turn.game,
                evaluation.evaluate_moves(turn),
            )  # the game, so that its id stays
        return known[key][1]

    monkeypatch.setattr(levels, "evaluate_moves", evaluate_moves)


def chosen(who, turn, times=40):
    one = player(who)
    return {one.choose(turn._replace(rng=Random(seed))) for seed in range(times)}


def critical_turns(game, count):
    """Return turns in which some moves are sound and some are not, with those that are not."""
    rng = Random(3)
    found = []
    while len(found) < count:
        *past, (position, _) = playout(game, rng, game.start(), rng.randint(1, 6))
        moves = tuple(move for _, move in past)
        if game.outcome(position) is not None:
            continue
        verdicts = numduel.evaluate(game, position)
        best = max(verdict.score for verdict in verdicts.values())
        errors = {move for move, verdict in verdicts.items() if verdict.score < best}
        if errors:
            found.append((Turn(game, position, 1, moves, rng), errors))
    return found


def test_the_rates_fall_to_none():
    assert [RATES[level] for level in (0, 4, 8, 10)] == [0.7, 0.4, 0.15, 0]
    assert all(weak > strong for weak, strong in pairwise((1, *RATES)))
    assert [player(who).rate for who in ("easy", "medium", "hard")] == [0.7, 0.4, 0.15]


@pytest.mark.no_cover
@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
def test_a_level_plays_any_move_at_its_rate_in_every_game(key, settings):
    game = numduel.new(key, **settings)
    found = critical_turns(game, 20)
    for level in (0, 4, 8, 10):
        erred = expected = 0
        for count in range(600):
            turn, errors = found[count % len(found)]
            erred += Level(level).choose(turn._replace(rng=Random(f"{level} {count}"))) in errors
            verdicts = numduel.evaluate(game, turn.position)
            going_on = [move for move, one in verdicts.items() if one != ("loss", 1)]
            expected += len(errors.intersection(going_on)) / len(going_on)
        assert abs(erred - RATES[level] * expected) < 0.07 * 600  # more than three deviations


def test_a_level_tosses_a_coin_about_the_first_move_at_the_same_rate():
    game = numduel.new("divisor-line", goal="chain")
    won = numduel.solve(game, game.play(game.start(), 19)).value == "loss"
    for level in (0, 4, 8, 10):
        answers = [Level(level).swaps(asked(game, 19, seed=seed)) for seed in range(600)]
        assert abs(answers.count(not won) / 600 - RATES[level] / 2) < 0.06


def test_if_nobody_can_win_a_level_decides_on_the_swap_by_chance():
    turn = asked(numduel.new("divisor-duel"), 1)
    answers = {Level(10).swaps(turn._replace(rng=Random(seed))) for seed in range(20)}
    assert answers == {True, False}


def test_no_level_makes_a_move_that_loses_at_once_if_it_can_avoid_it():
    # 1 draws, 2 loses for the player who goes there, and 3 lets the opponent win at once.
    game = GraphGame({0: (1, 2, 3), 3: (4,)}, {1: "drawn", 2: "won", 4: "lost"})
    assert chosen("easy", asked(game)) == {1, 3}
    only = GraphGame({0: (1, 2)}, {1: "won", 2: "won"})
    assert chosen("easy", asked(only)) == {1, 2}


def test_a_player_who_moves_again_has_not_lost_at_once():
    # The player who leaves 0 moves again: 2 can still lose, but by the player's own next move.
    game = GraphGame({0: (1, 2), 2: (3,)}, {1: "won", 3: "won"}, again=0)
    assert chosen("easy", asked(game)._replace(moves=(0,))) == {1, 2}
    lost = GraphGame({0: (1, 2), 1: (3,), 2: (3,)}, {3: "won"}, again=0)
    assert chosen("level:10", asked(lost)) == {1, 2}


def test_a_lost_level_does_not_lose_at_once_if_it_can():
    game = numduel.new("multiplicity", size=50, start=6)
    turn = asked(game)
    verdicts = numduel.evaluate(game, turn.position)
    assert {verdict.value for verdict in verdicts.values()} == {"loss"}
    late = {move for move, verdict in verdicts.items() if verdict.distance != 2}
    assert chosen("easy", turn, times=10) <= late


def test_very_many_replies_are_not_all_searched():
    game = numduel.new("divisor-line", size=20_000)
    turn = asked(game, 10_001, 19_999, 19_997)
    assert game.allows(turn.position, Level(0).choose(turn))


def test_a_level_that_thinks_takes_an_immediate_win():
    game = numduel.new("operation-duel", start=17, operations="+1,+2,+3")
    turn = asked(game, 1)  # at 18: two more wins, and one more leaves the other 19
    assert chosen("level:10", turn) == {2}
    game = numduel.new("multiplicity", size=1000)
    turn = asked(game)
    ends = chosen("level:10", turn, times=5)
    assert all(not game.moves(game.play(turn.position, move)) for move in ends)


def test_no_level_below_hard_wins_before_the_opponent_has_moved():
    game = numduel.new("multiplicity", size=50)
    ends = {29, 31, 37, 41, 43, 47}
    for who in ("easy", "level:3", "medium", "level:7"):
        assert not chosen(who, asked(game), times=8) & ends
    assert chosen("level:10", asked(game), times=5) <= ends
    assert chosen("hard", asked(game), times=5) & ends
    # Where every move wins at once there is nothing else to do.
    assert chosen("easy", asked(numduel.new("divisor-duel", divisor=1))) == {1, 2}


def test_a_won_game_is_not_dawdled_away():
    # Both ways from 0 win: by 1 in three moves, and by 3 two moves later, which leads back to 0.
    game = GraphGame({0: (1, 3), 1: (2,), 2: (9,), 3: (0,)}, {9: "lost"})
    assert numduel.evaluate(game, game.start())[3].value == "win"
    assert chosen("level:10", asked(game)) == {1}


def test_the_quicker_half_of_the_wins_is_chosen_from():
    game = numduel.new("divisor-line", goal="chain")
    turn = asked(game)
    wins = [one for one in numduel.evaluate(game, turn.position).items() if one[1].value == "win"]
    quickest = sorted(verdict.distance for _, verdict in wins)
    half = quickest[(len(wins) - 1) // 2]
    assert chosen("level:10", turn, times=100) == {
        move for move, verdict in wins if verdict.distance <= half
    }


# Where the theory does not reach.


@pytest.mark.parametrize("who", ["easy", "level:2", "medium", "level:9"])
def test_beyond_the_theory_a_level_looks_ahead(who):
    near = PricedGame({0: (1, 2), 1: (3,), 2: (3,)}, {1: "lost", 3: "lost"}, price=Cost(9, 9, 9))
    turn = asked(near, seconds=3)._replace(moves=(0,))
    assert chosen(who, turn) == {1}
    assert not near.priced.asked


def test_easy_does_not_see_the_reply_and_medium_does():
    # At 6 with divisor 13, doubling gives 12, to which 1 is added.
    game = numduel.new("divisor-duel", start=6)
    seen = {low: ahead.verdicts(asked(game)) for low, ahead in LOOK_AHEADS.items()}
    assert seen[0] == {1: None, 2: None}
    assert seen[4][2].value == "loss"
    assert {best_foreseen(asked(game, seed=s), seen[0]) for s in range(20)} == {1, 2}
    assert best_foreseen(asked(game), seen[4]) == 1


def test_beyond_the_theory_low_levels_avoid_a_winning_first_move_too():
    game = numduel.new("multiplicity", size=100_000)
    turn = asked(game, seconds=0)
    for who, spared in (("easy", True), ("medium", True), ("hard", False)):
        moves = chosen(who, turn, times=2)
        assert any(not game.moves(game.play(turn.position, move)) for move in moves) != spared


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("multiplicity", {"size": 14, "start": 2}),
        ("operation-duel", {}),
        ("operation-duel", {"target": 12, "operations": "+1,-2,x2"}),
    ],
)
def test_a_foreseen_verdict_is_true(key, settings):
    rng = Random(1)
    game = numduel.new(key, **settings)
    for _ in range(15):
        position = game.start()
        for _ in range(rng.randint(0, 6)):
            if game.moves(position):
                position = game.play(position, rng.choice(game.moves(position)))
        if game.outcome(position):
            continue
        exact = numduel.evaluate(game, position)
        for look_ahead in LOOK_AHEADS.values():
            for move, verdict in look_ahead.verdicts(Turn(game, position, 1, (), rng)).items():
                if verdict is not None:
                    assert verdict.value == exact[move].value
                    assert exact[move].distance in (None, verdict.distance)


def test_a_foreseen_draw_is_true():
    for seed in range(60):
        game = random_graph(seed)
        if game.outcome(game.start()) is None:
            exact = numduel.evaluate(game, game.start())
            for move, verdict in LookAhead(6, 500).verdicts(asked(game)).items():
                assert verdict is None or verdict.value == exact[move].value


def test_a_look_ahead_is_limited_by_its_positions_and_by_the_time():
    game = numduel.new("multiplicity", size=100_000)
    assert len(LookAhead(4, 1_000).verdicts(asked(game))) == 500
    assert len(LookAhead(4, 1_000_000).verdicts(asked(game, seconds=0))) == 500
    assert len(LookAhead(4, 1_000_000).verdicts(asked(game, seconds=3))) == 2_500


def test_beyond_the_theory_levels_swap_if_they_foresee_that_the_mover_loses():
    # The player to move loses at 1, and wins at 2; from 4 the game goes round.
    arrows = {0: (1, 2, 4), 1: (3,), 2: (5,), 4: (0,)}
    game = PricedGame(arrows, {3: "won", 5: "lost"}, price=Cost(9, 9, 9))
    assert player("hard").swaps(asked(game, 1, seconds=3))
    assert not player("hard").swaps(asked(game, 2, seconds=3))
    answers = {player("easy").swaps(asked(game, 4, seconds=3, seed=seed)) for seed in range(20)}
    assert answers == {True, False}
