"""Divisor Line solved: against the reference, and the two solutions against each other."""

from random import Random

import pytest

import numduel
from numduel.core.verdict import Verdict
from numduel.games.line.rules import Line, related
from numduel.solver.claims import ClaimSearch
from numduel.solver.reference import retrograde


def line(size, goal="pair"):
    return numduel.new("divisor-line", size=size, goal=goal)


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_every_position_of_small_lines_equals_the_reference(size):
    game = line(size)
    for position, verdict in retrograde(game, game.start(), most=10**6).items():
        assert numduel.solve(game, position) == verdict, position
        if not position.won:
            after = game.play(position, game.theory.sound_move(position))
            assert (numduel.solve(game, after).value == "loss") == (verdict.value == "win")


def pair_search(size):
    board = (2 << size) - 2

    def threats(held):
        numbers = [n for n in range(1, size + 1) if held >> n & 1]
        if len(numbers) < 2:
            return 0
        if len(numbers) == 2 and related(*numbers):
            return board
        return sum(1 << n for n in range(1, size + 1) if any(related(n, one) for one in numbers))

    return ClaimSearch(board, threats, lambda mine, theirs: board)


def random_position(game, rng, longest):
    while True:
        position = game.start(rng.choice((1, 2)))
        for _ in range(rng.randint(0, longest)):
            position = game.play(position, rng.choice(game.moves(position)))
            if position.won:
                break
        if not position.won:
            return position


def masks(position):
    sides = position.owned(position.mover), position.owned(3 - position.mover)
    return [sum(1 << n for n in side) for side in sides]


@pytest.mark.parametrize("size", [10, 12, 15, 20, 30, 60])
def test_pairs_equal_the_search_on_random_positions(size):
    rng = Random(size)
    game, search = line(size), pair_search(size)
    for _ in range(40):
        position = random_position(game, rng, 8)
        assert numduel.solve(game, position) == search.solve(*masks(position)), position


def antichain_position(game, rng):
    """Numbers claimed so that nobody has won for as long as possible."""
    position = game.start()
    for number in rng.sample(range(1, game.settings.size + 1), game.settings.size):
        if game.allows(position, number) and not game.play(position, number).won:
            position = game.play(position, number)
    return position


@pytest.mark.parametrize("size", [12, 20, 31])
def test_pairs_equal_the_search_late_in_long_games(size):
    rng = Random(size)
    game, search = line(size), pair_search(size)
    for _ in range(60):
        position = antichain_position(game, rng)
        assert numduel.solve(game, position) == search.solve(*masks(position)), position


@pytest.mark.parametrize("size", [16, 17, 20])
def test_chains_equal_the_reference_late_in_a_game(size):
    rng = Random(size)
    game = line(size, "chain")
    checked = 0
    while checked < 12:
        position = antichain_position(game, rng)
        while position.crosses and len(game.moves(position)) < 8:
            taken = sorted(position.crosses | position.noughts)
            gone = rng.choice(taken)
            position = Line(position.crosses - {gone}, position.noughts - {gone}, position.mover)
        found = retrograde(game, position, most=10**6)
        for one, verdict in found.items():
            assert game.theory.solve(one) == verdict  # of any marks, however they came about
        checked += 1


def test_eleven_of_twenty_openings_win_a_chain():
    game = line(20, "chain")
    verdicts = numduel.evaluate(game, game.start())
    assert sum(verdict.value == "win" for verdict in verdicts.values()) == 11
    assert numduel.solve(game, game.start()) == Verdict("win", 5)


@pytest.mark.parametrize("size", [8, 20, 61, 1000, 1_000_000])
def test_the_first_player_wins_pairs_in_five_at_every_size(size):
    game = line(size)
    position = game.start()
    assert numduel.solve(game, position) == Verdict("win", 5)
    position = game.play(position, size)
    assert numduel.solve(game, position) == Verdict("loss", 4)
    position = game.play(position, 1)
    assert numduel.solve(game, position) == Verdict("win", 3)
    position = game.play(position, game.theory.sound_move(position))
    assert numduel.solve(game, position) == Verdict("loss", 2)


def test_a_won_line_is_over():
    game = line(20)
    position = game.start()
    for move in (4, 5, 8, 9, 12):
        position = game.play(position, move)
    assert numduel.solve(game, position) == Verdict("loss", 0)


def test_long_lines_refuse_chains_rather_than_guess():
    game = line(5000, "chain")
    with pytest.raises(numduel.TooLarge, match="up to a size of 100"):
        numduel.solve(game, game.start())


@pytest.mark.parametrize("goal", ["pair", "chain"])
def test_reasons_are_true(goal):
    rng = Random(1)
    game = line(20, goal)
    said = set()
    for _ in range(60):
        position = random_position(game, rng, 7)
        for move, verdict in numduel.evaluate(game, position).items():
            reason = game.theory.reason(position, move)
            after = game.play(position, move)
            if "you hold the numbers that win" in reason:
                assert after.won
            elif "lets them claim" in reason:
                claim = int(reason.split("claim ")[1].split()[0])
                assert game.play(after, claim).won
                assert verdict == Verdict("loss", 2)
            elif "they can stop only one" in reason:
                assert verdict == Verdict("win", 3)
            else:
                wins = "that wins" in reason or "no good answer" in reason
                assert (verdict.value == "win") == wins, reason
            said.add(" ".join(word for word in reason.split() if word.isalpha()))
    assert len(said) > 4


@pytest.mark.parametrize(("size", "goal"), [(20, "pair"), (1_000_000, "pair"), (24, "chain")])
def test_a_sound_move_keeps_a_win(size, goal):
    game = line(size, goal)
    for moves in ((), (size,), (7, 9), (7, 9, 14)):
        position = game.start()
        for move in moves:
            position = game.play(position, move)
        after = game.play(position, game.theory.sound_move(position))
        won = game.theory.solve(position).value == "win"
        assert (game.theory.solve(after).value == "loss") == won


def test_a_sound_move_stops_what_can_be_claimed_against_it():
    game = line(20)
    position = game.read("3,8:5,7/2")  # X threatens 1, 2, 4, 6, 9 and more
    assert game.theory.solve(position) == Verdict("win", 1)
    lost = game.read("3,8:5/2")
    assert game.theory.solve(lost) == Verdict("loss", 2)
    assert game.play(game.play(lost, game.theory.sound_move(lost)), 6).won


def test_longer_lines_cost_more_to_ask_about():
    for goal in ("pair", "chain"):
        costs = [line(size, goal).theory.cost(line(size, goal).start()) for size in (16, 40, 90)]
        assert costs == sorted(costs)
        assert all(cost.values <= cost.evaluate for cost in costs)
