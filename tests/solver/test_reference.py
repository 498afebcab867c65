"""The reference solver, on games whose solution is known by heart."""

from typing import ClassVar, NamedTuple

import pytest

from numduel import TooLarge
from numduel.core.game import Game, Outcome, other
from numduel.core.verdict import Verdict
from numduel.solver import evaluate, solve
from numduel.solver.reference import retrograde


class Pile(NamedTuple):
    left: int
    mover: int


class TakeUpToThree(Game[Pile]):
    key, title, summary, rules = "take", "Take", "Take.", "Take."
    stones = 12

    def begin(self, first):
        return Pile(self.stones, first)

    def moves(self, position):
        return tuple(range(1, min(3, position.left) + 1))

    def after(self, position, move):
        return Pile(position.left - move, other(position.mover))

    def outcome(self, position):
        return None if position.left else Outcome(other(position.mover), "last")


class RoundTable(Game[Pile]):
    """Places 0 to 4: 0 has won for who came there; 1 leads to 0 or 2, 2 and 3 to each other, 4 to
    1 or 2."""

    key, title, summary, rules = "round", "Round", "Round.", "Round."
    ways: ClassVar = {0: (), 1: (0, 2), 2: (3,), 3: (2,), 4: (1, 2)}

    def begin(self, first):
        return Pile(4, first)

    def moves(self, position):
        return self.ways[position.left]

    def after(self, position, move):
        return Pile(move, other(position.mover))

    def outcome(self, position):
        return None if self.moves(position) else Outcome(other(position.mover), "last")


class Again(TakeUpToThree):
    """Whoever takes one stone moves again."""

    def after(self, position, move):
        return Pile(position.left - move, position.mover if move == 1 else other(position.mover))

    def outcome(self, position):
        return None if position.left else Outcome(position.mover, "last")


class Drawn(TakeUpToThree):
    def outcome(self, position):
        return None if position.left else Outcome(None, "drawn")


def test_multiples_of_four_lose_when_up_to_three_can_be_taken():
    game = TakeUpToThree()
    found = retrograde(game, game.start())
    assert found[Pile(0, 1)] == Verdict("loss", 0)
    for (left, _), verdict in found.items():
        assert verdict.value == ("loss" if left % 4 == 0 else "win")
    assert {left for left, _ in found} == set(range(13))


def test_the_winner_hurries_and_the_loser_delays():
    game = TakeUpToThree()
    # From 4 the loser takes one and the winner three: 2 moves. From 7 the winner takes 3 first.
    assert solve(game, Pile(4, 1)) == Verdict("loss", 2)
    assert solve(game, Pile(7, 1)) == Verdict("win", 3)
    assert solve(game, Pile(8, 2)) == Verdict("loss", 4)


def test_what_nobody_can_end_is_endless():
    game = RoundTable()
    found = retrograde(game, game.start())
    assert found[Pile(1, 2)] == Verdict("win", 1)
    assert found[Pile(2, 1)] == found[Pile(3, 1)] == Verdict("endless")
    assert found[Pile(4, 1)] == Verdict("endless")
    assert evaluate(game, game.start()) == {1: Verdict("loss", 2), 2: Verdict("endless")}


def test_a_player_may_move_twice_running():
    game = Again()
    assert solve(game, Pile(1, 1)) == Verdict("win", 1)
    assert solve(game, Pile(2, 1)) == Verdict("win", 2)


def test_a_drawn_game_is_a_win_for_nobody():
    game = Drawn()
    assert solve(game, game.start()) == Verdict("endless")
    assert solve(game, Pile(0, 1)) == Verdict("endless")


def test_too_many_positions_are_refused_rather_than_guessed():
    game = TakeUpToThree()
    with pytest.raises(TooLarge, match="more than 10 positions"):
        retrograde(game, game.start(), most=10)
