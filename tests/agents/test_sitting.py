"""One seat is asked, the other is played by a player of ours, and both keep to the rules."""

import pytest

from numduel import SettingsError, TooLarge, new, play_game
from numduel.agents import sitting
from numduel.agents.sitting import Sitting
from numduel.players import Player

BOARD = new("multiplicity", size=20)


def played(seed, **options):
    """A game in which the lowest legal move is always the answer."""
    game = Sitting(BOARD, "easy", seed=seed, **options)
    while game.outcome is None:
        game.answer(f"Move: {BOARD.moves(game.position)[0]}")
    return game


def test_a_seed_repeats_a_game_and_draws_the_seat():
    assert played(3).moves == played(3).moves
    assert {played(seed).seat for seed in range(10)} == {1, 2}
    assert len({tuple(played(seed).moves) for seed in range(10)}) > 2


def test_the_end_is_told_and_paid():
    game = played(1, seat=1)
    assert game.outcome == BOARD.outcome(game.position)
    assert game.reward == (1 if game.outcome.winner == 1 else -1)
    assert game.ending().startswith(f"Player {game.outcome.winner} wins: ")


def test_the_first_question_has_the_rules_and_each_later_one_what_has_happened_since():
    game = Sitting(BOARD, "perfect", seat=1)
    assert game.ending() == "" and BOARD.rules in game.question()
    game.answer("10")
    asked = game.question().splitlines()
    assert asked[0] == "Player 1 goes up to 10, which is 10 × 1."
    assert asked[1].startswith("Player 2 goes ") and asked[2].startswith("Current N: ")
    assert "Legal moves: " in game.question(legal=True)


def test_what_is_no_move_loses_all_that_there_was():
    game = Sitting(BOARD, "random", seat=1, judged=True)
    assert game.answer("I resign") == 1.0
    assert game.outcome == (2, "resigned") and game.reward == -1
    assert game.fault.fault == "unreadable" and game.ending().startswith("a move is given like")


def test_moves_are_judged_by_what_they_give_away():
    game = Sitting(BOARD, "perfect", position=BOARD.read("14:1,7,14/2"), judged=True)
    assert game.seat == 2 and game.answer("2") == 0.0


def test_without_an_opponent_both_seats_are_asked_one_after_the_other():
    game = Sitting(BOARD, None)
    assert "You are Player 1." in game.question() and BOARD.rules in game.question()
    game.answer("7")
    assert "You are Player 2." in game.question() and BOARD.rules in game.question()
    game.answer("14")
    assert game.question().startswith("Player 1 goes up to 7")
    game.answer("2")
    game.answer("no")
    assert (game.paid(1), game.paid(2)) == (1, -1) and game.position.mover == 2
    game.close()


def test_a_game_is_called_off_at_the_limit_of_turns(monkeypatch):
    monkeypatch.setattr(sitting, "TURN_LIMIT", 2)
    game = Sitting(new("divisor-duel"), "random", seat=1)
    game.answer("1")
    assert game.outcome == (None, "turn-limit") and game.reward == 0
    assert game.ending() == "Nobody wins: the limit of 2 turns is reached."


def test_an_opponent_that_fails_has_resigned(monkeypatch):
    class Broken(Player):
        def choose(self, turn):
            raise ZeroDivisionError

    monkeypatch.setattr(sitting, "player", lambda name: Broken())
    game = Sitting(BOARD, "broken", seat=2)
    assert game.outcome == (2, "resigned") and game.reward == 1
    game.close()


def test_a_game_may_be_over_before_anybody_moves():
    game = Sitting(new("multiplicity", size=1), "random", seat=1, judged=True)
    assert game.outcome.winner == 2 and game.ending().startswith("Player 2 wins: ")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"seat": 3}, "seat must be none, 1 or 2, not 3"),
        ({"opponent": "human"}, "cannot play without a screen"),
        ({"opponent": "nobody"}, "a player is"),
    ],
)
def test_what_cannot_be_is_refused(options, line):
    with pytest.raises(SettingsError, match=line):
        Sitting(BOARD, **{"opponent": "random", **options})


def test_what_cannot_be_judged_is_refused_before_anybody_moves():
    with pytest.raises(TooLarge, match="too long to judge"):
        Sitting(new("multiplicity", size=1_000_000), "random", judged=True)


def test_the_referee_agrees():
    """The same moves, replayed by the players of the same game, end the same way."""
    game = played(2, seat=1)

    class Replay(Player):
        def choose(self, turn):
            return game.moves[len(turn.moves)]

    assert play_game(BOARD, [Replay(), Replay()]).outcome == game.outcome
