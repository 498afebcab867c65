"""One seat is asked in words, the other is played by a player of ours; or both are asked."""

import pytest
from tests.toy_games import Lowest

import numduel
from numduel import SettingsError, TooLarge, new
from numduel.agents.problems import regret
from numduel.agents.text_game import TextGame
from numduel.core.words import replay_moves
from numduel.players import Player
from numduel.players.prompt import SECOND_CHANCES, Prompt

BOARD = new("multiplicity", size=20)


def played(seed, **options):
    """Return a finished game in which the lowest legal move was always the answer."""
    game = TextGame(BOARD, "easy", seed=seed, **options)
    while game.outcome is None:
        game.answer(f"Move: {BOARD.moves(game.position)[0]}")
    return game


def test_a_seed_repeats_a_game_and_decides_the_seat():
    assert played(3).moves == played(3).moves
    assert {played(seed).seat for seed in range(10)} == {1, 2}
    assert len({tuple(played(seed).moves) for seed in range(10)}) > 2


def test_a_finished_game_has_an_ending_and_a_reward():
    game = played(1, seat=1)
    assert game.outcome == BOARD.outcome(game.position)
    assert game.reward == (1 if game.outcome.winner == 1 else -1)
    assert game.ending().startswith(f"Player {game.outcome.winner} wins")


def test_the_first_question_has_the_rules_and_later_ones_only_what_is_new():
    game = TextGame(BOARD, "perfect", seat=1)
    assert game.ending() == "" and game.question() == Prompt(BOARD).whole(BOARD.start())
    game.answer("10")
    asked = game.question().splitlines()
    assert asked[0] == "Player 1 goes up to 10."
    assert asked[1].startswith("Player 2 goes ") and asked[2].startswith("Current N: ")
    assert "Legal moves: " in TextGame(BOARD, None, legal=True).question()


def test_answers_without_a_legal_move_are_corrected_and_then_lose_everything():
    game = TextGame(BOARD, "random", seat=1, judged=True)
    for _ in range(SECOND_CHANCES):
        assert game.answer("Move: 21") is None and game.outcome is None
        assert "21 is not one of the numbers from 1 to 20.\n" in game.question()
    assert game.answer("I resign") == 1.0
    assert game.outcome == (2, "resigned") and game.reward == -1
    assert game.fault.fault == "unreadable"
    assert game.ending().startswith("no move can be read in 'I resign'. Player 2 wins")


def test_a_cut_off_answer_is_never_read_and_loses_nothing():
    game = TextGame(BOARD, "random", seat=1, judged=True)
    for _ in range(SECOND_CHANCES):
        assert game.answer("Move: 1", "max_tokens") is None and game.outcome is None
        assert game.question().startswith("No move was read: the answer was cut off by a limit of")
    assert game.marks(1) == {"strict": 0, "fault": 0, "cut": 0}
    assert game.answer("Move: 1", "length") is None
    assert game.outcome == (None, "cut") and game.reward == game.reward_of(2) == 0
    assert game.ending() == "the answer was cut off by a limit of tokens. Nobody wins."
    assert (game.marks(1)["cut"], game.marks(2)) == (1, {"fault": 0, "cut": 0})


def test_a_refusal_is_a_fault_and_the_answers_of_a_seat_are_marked():
    game = TextGame(BOARD, None, judged=True, second_chances=1)
    game.answer("Move: 10", "stop")
    for move in ("I take 5.", "[5]"):
        game.answer(move)
    for _ in range(2):
        game.answer("", "content_filter")
    assert game.outcome == (2, "resigned") and "it refused to answer" in game.ending()
    worth = 1 - regret(BOARD, BOARD.start(), 10)
    assert game.marks(1) == {
        "sound": worth, "regret": 1 - worth, "strict": pytest.approx(1 / 3), "fault": 1, "cut": 0
    }  # fmt: skip
    second = game.marks(2, sound="sound_moves")
    assert second["strict"] == second["fault"] == 0


def test_a_legal_move_restores_all_second_chances():
    game = TextGame(BOARD, None)
    for move in (7, 14, 2):
        for _ in range(SECOND_CHANCES):
            game.answer("no")
        game.answer(f"Move: {move}")
        assert game.outcome is None and not game.fault.fault


def test_moves_are_judged_by_what_they_give_away():
    game = TextGame(BOARD, "perfect", position=BOARD.read("14:1,7,14/2"), judged=True)
    assert game.seat == 2 and game.answer("2") is None  # which is the only move
    for move, given_away in ((11, 0.0), (14, 1.0)):
        game = TextGame(BOARD, "perfect", seat=1, judged=True)
        assert game.answer(f"Move: {move}") == given_away


def test_the_question_tells_the_opening_and_the_game_continues_it_as_everywhere():
    game = TextGame(BOARD, "random", opening=(10, 5), seed=3)
    past = replay_moves(BOARD, 1, (10, 5))[1]
    assert game.seat == 1 and game.question() == Prompt(BOARD).whole(game.position, past)
    while game.outcome is None:
        game.answer(str(BOARD.moves(game.position)[0]))
    record = numduel.play_game(BOARD, (Lowest(), "random"), seed=3, opening=(10, 5))
    assert game.moves == [*record.moves]


def test_a_game_can_be_limited_to_one_turn_and_one_answer():
    game = TextGame(BOARD, None, opening=(2, 4), turn_limit=1, second_chances=0, judged=True)
    assert game.answer("Move: 8") == 1.0 and game.outcome == (None, "turn-limit")
    game = TextGame(BOARD, None, opening=(10,), turn_limit=1, second_chances=0)
    game.answer("none")
    assert game.outcome.winner == 1 and game.fault.fault == "unreadable"


def test_without_an_opponent_both_seats_are_asked_in_turn():
    game = TextGame(BOARD, None)
    assert "You are Player 1." in game.question() and BOARD.rules in game.question()
    game.answer("7")
    assert "You are Player 2." in game.question() and BOARD.rules in game.question()
    game.answer("14")
    assert game.question().startswith("Player 1 goes up to 7")
    game.answer("2")
    for _ in range(1 + SECOND_CHANCES):
        game.answer("no")
    assert (game.reward_of(1), game.reward_of(2)) == (1, -1) and game.position.mover == 2
    game.close()


def test_a_game_is_called_off_at_the_turn_limit():
    game = TextGame(new("divisor-duel"), "random", seat=1, turn_limit=2)
    game.answer("1")
    assert game.outcome == (None, "turn-limit") and game.reward == 0
    assert game.ending() == "Nobody wins: the limit of 2 turns is reached."


def test_an_opponent_that_fails_forfeits():
    class Broken(Player):
        def choose(self, turn):
            raise ZeroDivisionError

    game = TextGame(BOARD, Broken(), seat=2)
    assert game.outcome == (2, "forfeited") and game.reward == 1
    game.close()


def test_a_game_may_be_over_before_anybody_moves():
    game = TextGame(new("multiplicity", size=1), "random", seat=1, judged=True)
    assert game.outcome.winner == 2 and game.ending().startswith("Player 2 wins")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat must be none, 1 or 2, not 3"),
        ({"opponent": "human"}, "cannot play without a screen"),
        ({"opponent": "nobody"}, "a player is"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(SettingsError, match=message):
        TextGame(BOARD, **{"opponent": "random", **options})


def test_a_game_that_cannot_be_judged_is_refused_before_the_first_move():
    with pytest.raises(TooLarge, match="too long to judge"):
        TextGame(new("multiplicity", size=1_000_000), "random", judged=True)
