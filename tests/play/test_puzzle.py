"""Puzzles have exactly one sound move, and are graded as people of some sight find them."""

from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest
from fifteen import Fifteen
from take_away import TakeAway

import numduel
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.verdict import Verdict, ended_verdict
from numduel.games import OURS
from numduel.play.puzzle import (
    GRADES,
    LARGEST_NUMBER,
    answered,
    daily,
    graded,
    parse_day,
    posed,
    puzzle,
    today,
)
from numduel.players import Turn
from numduel.players.levels import SIGHTS
from numduel.players.sight import best_in_sight
from numduel.solver import theory_of
from numduel.solver.reference import retrograde

HUNDREDS = range(11)
GUESSES = 50


def scores(one, most):
    """What each move is worth: by the reference or, beyond it, by the theory."""
    game, position = one.game, one.position
    try:
        known = retrograde(game, position, most)
    except TooLarge:
        return {move: found.score for move, found in theory_of(game).evaluate(position).items()}
    found = {}
    for move in game.moves(position):
        after = game.after(position, move)
        end = game.outcome(after)
        verdict = known[after] if end is None else ended_verdict(end, after.mover)
        found[move] = verdict.before(after.mover == position.mover).score
    return found


@pytest.mark.soak(keep=5)
@pytest.mark.parametrize("hundred", HUNDREDS)
@pytest.mark.parametrize("key", OURS)
def test_exactly_one_move_is_sound(key, hundred, many):
    for number in range(100 * hundred + 1, 100 * hundred + many(3, 101)):
        one = puzzle(key, number)
        one.game.check(one.position)
        worth = scores(one, many(1_000, 6_000))
        best = max(worth.values())
        assert [move for move, score in worth.items() if score == best] == [one.answer]
        assert best == one.verdict.score > 0


@pytest.mark.parametrize("key", OURS)
def test_there_are_many_different_ones(key, many):
    count = many(8, 200)
    made = [puzzle(key, number) for number in range(1, count + 1)]
    found = {(one.game, one.game.notation(one.position)) for one in made}
    assert len(found) > 0.7 * count


def solved(puzzles, level):
    """How often whoever sees as far as that level finds the answer, or guesses it."""
    count = 0
    for one in puzzles:
        turn = Turn(one.game, one.position, 1, (one.answer,), Random(1))
        seen = SIGHTS[level].of(turn)
        count += sum(best_in_sight(turn, seen) == one.answer for _ in range(GUESSES))
    return count / GUESSES / len(puzzles)


@pytest.mark.soak(keep=3)
@pytest.mark.parametrize("key", OURS)
def test_the_higher_its_grade_the_fewer_find_it(key, many):
    shares = []
    for grade in GRADES:
        made = [puzzle(key, number, grade) for number in range(1, many(4, 41))]
        found = [one for one in made if one.grade == grade]
        if found:
            shares.append(sum(solved(found, level) for level in many((0,), (0, 4, 8))))
    assert len(shares) >= 4
    assert all(later <= sooner + 0.3 for sooner, later in pairwise(shares))
    assert shares[0] > 1.5 * shares[-1]


@pytest.mark.parametrize("key", OURS)
def test_the_same_number_is_the_same_puzzle(key):
    assert puzzle(key, 7, 3) == puzzle(key, 7, 3) != puzzle(key, 8, 3)


def test_each_day_has_its_puzzle_and_the_games_take_turns():
    days = [date(2026, 11, 9) + timedelta(days) for days in range(7)]
    puzzles = [daily(day) for day in days]
    keys = [one.game.key for one in puzzles]
    assert set(keys) == set(OURS)
    assert keys[:2] == keys[5:]
    assert puzzles == [daily(day) for day in days]
    assert puzzles[0].grade < puzzles[6].grade


def test_a_day_is_typed_as_its_date():
    assert parse_day("2026-11-15") == date(2026, 11, 15)
    assert parse_day(str(today())) == today()
    with pytest.raises(SettingsError, match="a day is written like 2026-11-15, not 'soon'"):
        parse_day("soon")


def test_a_number_or_a_level_out_of_bounds_is_refused():
    for number in (0, LARGEST_NUMBER + 1):
        with pytest.raises(SettingsError, match=f"from 1 to 1,000,000,000, not {number}"):
            puzzle("multiplicity", number)
    with pytest.raises(SettingsError, match="a puzzle's level is from 1 to 5, not 6"):
        puzzle("multiplicity", 1, 6)
    with pytest.raises(SettingsError, match="there is no game 'chess'"):
        puzzle("chess", 1)


# The words.


def test_a_win_is_asked_for_with_its_distance_and_explained_by_the_theory():
    game = numduel.new("operation-duel", target=25)
    one = posed(game, game.read("12/2"))
    assert one is not None
    assert one.task == "You win in 13: find the move."
    assert (one.answered(1).right, one.answered(2).right) == (True, False)
    assert one.answered(1).line.startswith(
        "Only Add 1 → 13 wins: 13 leaves them an odd number above half"
    )
    assert one.answered(2).line.startswith(
        "Multiply by 2 → 24 loses: 24 lets them add one and reach 25"
    )


def test_a_win_is_asked_for_as_it_is_known():
    game = numduel.new("double-or-add")
    one = posed(game, game.read("30/1"))
    assert one is not None
    assert one.task == "You win at once: find the move."
    assert one._replace(verdict=Verdict("win")).task == "One move wins: find it."


def test_what_only_holds_is_asked_for_as_that():
    game = numduel.new("divisor-duel", divisor=13)
    one = posed(game, game.read("11/1"))  # 12 lets them add 1
    assert one is not None
    assert one.task == "One move does not lose: find it."
    assert one.answered(2).line.startswith("Only Multiply by 2 → 22 holds: ")
    assert one.answered(1).line.startswith("Add 1 → 12 loses: ")


def test_a_draw_that_one_move_keeps():
    game = Fifteen()
    one = posed(game, game.read("2;/2"))
    assert one is not None
    assert one.task == "One move keeps the draw: find it."
    assert one.answered(5).line == "Only 5 keeps the draw: with best play nobody wins."
    assert one.answered(1).line.startswith("1 loses: ")


def test_a_move_that_gives_a_win_away_need_not_lose():
    game = Fifteen()
    one = posed(game, game.read("6,8;2,4/1"))
    assert one is not None
    assert one.answered(1).line == "Only 1 wins: you win at once."
    assert one.answered(9).line == "9 does not win: with best play nobody wins."


def test_of_several_sound_moves_none_is_the_only_one():
    game = numduel.new("divisor-line")
    right, value, line = answered(game, game.start(), 7)
    assert right and value == "win" and line.startswith("7 wins: ")
    game = numduel.new("double-or-add")
    right, value, line = answered(game, game.start(), 1)
    assert right and value == "loss" and line.startswith("Double → 2 loses too: ")


# Which positions are puzzles.


def test_no_choice_is_no_puzzle():
    game = numduel.new("operation-duel", operations="+1")
    assert posed(game, game.start()) is None


def test_two_sound_moves_are_no_puzzle():
    game = numduel.new("divisor-line")
    assert posed(game, game.start()) is None


def test_a_position_in_which_all_is_lost_is_no_puzzle():
    game = numduel.new("double-or-add")
    assert posed(game, game.start()) is None


def test_what_takes_too_long_or_is_too_large_is_no_puzzle():
    game = numduel.new("divisor-line", size=5_000, goal="chain")
    assert posed(game, game.start()) is None
    game = numduel.new("divisor-line", size=101, goal="chain")
    assert posed(game, game.read("1:2/1")) is None


def test_anybodys_game_has_puzzles(monkeypatch):
    monkeypatch.setattr("numduel.play.puzzle.game_type", lambda key: TakeAway)
    one = puzzle("take-away", 1)
    assert one.answer == one.position.left % 4


def test_a_long_game_is_left_for_another(monkeypatch):
    monkeypatch.setattr("numduel.play.puzzle.LONGEST_PLAYOUT", 4)
    assert len(puzzle("multiplicity", 1).position.chosen) <= 4


def test_a_game_without_any_says_so(monkeypatch):
    class Forced(TakeAway):
        def moves(self, position):
            return super().moves(position)[:1]

    monkeypatch.setattr("numduel.play.puzzle.game_type", lambda key: Forced)
    with pytest.raises(SettingsError, match="no puzzle is found in Take Away: no position with"):
        puzzle("take-away", 1)


# The grades.


@pytest.mark.parametrize(
    ("answer", "others", "grade"),
    [
        (Verdict("win", 1), [Verdict("loss", 8)] * 9, 1),  # to win at once is not hard to see
        (Verdict("win", 13), [Verdict("loss", 2)], 2),  # nor that the other loses at once
        (Verdict("win", 13), [Verdict("loss", 4)], 3),
        (Verdict("win", 3), [Verdict("loss", 8)] * 3, 2),
        (Verdict("win", 3), [Verdict("loss", 8)] * 4, 3),  # more of them tempt
        (Verdict("win", 9), [Verdict("loss")], 4),
        (Verdict("win"), [Verdict("loss")] * 4, 5),
        (Verdict("endless"), [Verdict("loss", 2)] * 2, 2),
        (Verdict("draw", 1), [Verdict("loss", 6)], 4),
    ],
)
def test_a_grade_is_how_far_one_must_see_and_how_much_tempts(answer, others, grade):
    assert graded({0: answer, **dict(enumerate(others, 1))}, 0) == grade
