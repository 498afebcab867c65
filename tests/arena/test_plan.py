"""The plan: who plays whom, which game, and from which positions."""

from collections import Counter

import pytest

import numduel
from numduel import SettingsError
from numduel.arena.plan import Plan
from numduel.core.words import replay_moves


def test_every_pair_plays_every_game_from_both_seats_in_every_round(small):
    plan = Plan(small)
    met = Counter(
        (plan.game_text(number), planned.players, planned.round)
        for number in range(len(plan))
        for planned in [plan[number]]
    )
    assert len(plan) == len(met) == 3 * 6 * 2  # settings, pairs in order, rounds
    assert all(plan.seats(number) == plan[number].players for number in range(len(plan)))


def test_no_game_changes_when_another_player_or_game_is_added(small):
    def seeds(spec):
        plan = Plan(spec)
        games = [plan[number] for number in range(len(plan))]
        return {(one.game, one.players, one.round): (one.seed, one.opening) for one in games}

    small = small._replace(decided=True)
    more = small._replace(players=("easy", *small.players), games=("divisor-line", *small.games))
    assert seeds(small).items() <= seeds(more).items()
    assert len({seed for seed, _ in seeds(small).values()}) == len(Plan(small))


def test_sampled_positions_are_decided_and_the_same_for_all(small):
    plan = Plan(small._replace(decided=True, rounds=6))
    openings = {}
    for number in range(len(plan)):
        planned = plan[number]
        openings.setdefault((planned.game, planned.round), set()).add(planned.opening)
    assert all(len(one) == 1 for one in openings.values())
    sides = Counter()
    for (game, _), (opening,) in openings.items():
        position, _ = replay_moves(game, 1, opening)
        verdict = numduel.solve(game, position)
        sides[verdict.value] += 1
        assert game.outcome(position) is None and verdict.distance > 1
    assert sides.keys() == {"win", "loss"}


def test_a_game_without_decided_positions_is_refused(small):
    plan = Plan(small._replace(games=("divisor-duel:divisor=1",), decided=True))
    with pytest.raises(SettingsError, match="no decided position"):
        plan[0]


def test_too_many_games_are_refused(small):
    with pytest.raises(SettingsError, match="games, more than"):
        Plan(small._replace(rounds=10**8))
