"""One matching that grows with the size gives the same first moves as each size by itself."""

from itertools import product
from random import Random

import pytest

import numduel
from numduel.games.multiplicity import bulk
from numduel.games.multiplicity.rules import Multiplicity


@pytest.fixture
def check_sizes(monkeypatch):
    """A function that compares the first moves of games solved together and one at a time."""

    def check_sizes(sizes, alone_at=None, **settings):
        monkeypatch.setattr(bulk, "MAX_SIZE_FOR_DISTANCE", 0)
        games = [Multiplicity(size=size, **settings) for size in sizes]
        for game, (verdict, winning, count) in zip(
            games, Multiplicity.first_moves_each(games), strict=True
        ):
            if alone_at is not None and game.settings.size not in alone_at:
                continue
            alone = game.theory.first_moves()
            assert [*winning] == alone.winning, game
            assert (verdict.value, count) == (alone.verdict.value, alone.total), game

    return check_sizes


@pytest.mark.no_cover
@pytest.mark.parametrize("start_open", [False, True])
@pytest.mark.parametrize("opening", ["any", "even"])
def test_every_small_size(check_sizes, opening, start_open, many):
    for start in many((1, 6), (1, 2, 6, 7)):
        check_sizes(
            range(start, many(40, 200)), start=start, opening=opening, start_open=start_open
        )


def test_sizes_in_any_order_and_far_apart(check_sizes):
    check_sizes([400, 401, 390, 460, 461, 461, 7, 8, 300, 301])


def test_random_runs_of_larger_sizes(check_sizes, many, monkeypatch):
    rng = Random(1)
    for compiled, _ in product((False, True), range(many(1, 3))):
        monkeypatch.setattr(bulk, "is_installed", lambda there=compiled: there)
        low = rng.randint(2100, 20_000) if compiled else rng.randint(301, 1900)
        check_sizes(
            range(low, low + many(12, 60), rng.choice((1, 1, 3))),
            start=rng.choice((1, 1, 2, 30)),
            opening=rng.choice(("any", "even")),
        )


def test_random_sizes_in_long_runs(check_sizes, many):
    # Like the parts of a sweep up to 100,000. Some of the sizes are solved one at a time.
    rng = Random(2)
    for _ in range(many(1, 10)):
        low = rng.randint(301, many(2_000, 99_700))
        sizes = range(low, low + many(60, 300))
        check_sizes(sizes, alone_at=rng.sample(sizes, many(3, 30)), opening="even")


def test_a_game_that_is_over_at_the_start_is_lost_in_0():
    over = Multiplicity(size=400, start=307, opening="even")
    (found,) = Multiplicity.first_moves_each([over])
    assert found.verdict == numduel.solve(over, over.start()) == ("loss", 0)
    assert (len(found.winning), found.total) == (0, 0)


def test_small_games_are_solved_one_at_a_time_with_their_distances():
    games = [Multiplicity(size=size, start=2) for size in (7, 8)]
    found = [*Multiplicity.first_moves_each(games)]
    assert found == [game.theory.first_moves() for game in games]
    assert all(moves.verdict.distance for moves in found)
