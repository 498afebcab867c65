"""Puzzles have one sound move in each turn, and take thought: a player without thought fails."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from fifteen import Fifteen
from stepping_stones import SteppingStones
from take_away import TakeAway

import numduel
from numduel.core.errors import IllegalMove, SettingsError, TooLarge
from numduel.core.verdict import ended_verdict
from numduel.core.words import Last
from numduel.games import OUR_GAMES
from numduel.play.coach import hint
from numduel.play.difficulty import grade_of, takes_thought
from numduel.play.puzzle import (
    FIRST_DAY,
    GRADES,
    MAX_PUZZLE_NUMBER,
    Puzzle,
    best_continuation,
    daily,
    daily_key,
    judge_answer,
    next_day,
    numbered_puzzle,
    parse_day,
    puzzles_from,
    today,
)
from numduel.players import Turn, player
from numduel.solver import theory_of
from numduel.solver.reference import retrograde

LEVELS = range(9)


def scores(game, position, most):
    """Return the score of each move, from the reference solver or, beyond it, from the theory."""
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


@pytest.mark.no_cover
@pytest.mark.parametrize("key", OUR_GAMES)
def test_exactly_one_move_is_sound_at_each_turn_and_each_reply_is_best(key, many):
    for number in range(1, many(4, 101)):
        one = numbered_puzzle(key, number)
        game, position = one.game, one.position
        game.check(position)
        assert 1 <= one.turns <= 3 and one.solution[-1] == one.answers[-1]
        for before, move in one.solution:
            assert before == position
            if before.mover == one.position.mover:
                worth = scores(game, before, many(1_000, 6_000))
                best = max(worth.values())
                assert [move for move, score in worth.items() if score == best] == [move]
                assert best == one.verdict.score > 0
            else:
                verdicts = theory_of(game).evaluate(before)
                assert verdicts[move].rank == max(found.rank for found in verdicts.values())
            position = game.play(before, move)


def test_a_short_one_takes_thought_and_its_first_question_has_its_own_grade():
    turns = Counter()
    for number in range(1, 6):
        one, usual = (
            numbered_puzzle("multiplicity", number, 3, short=True),
            numbered_puzzle("multiplicity", number, 3),
        )
        assert takes_thought(one.game, one.answers) and one.turns <= usual.turns
        turns.update({"short": one.turns, "usual": usual.turns})
        first = usual.first_question()
        assert first.answers == usual.answers[:1]
        assert first.grade == grade_of(usual.game, first.answers) <= usual.grade
    assert turns["short"] < turns["usual"]


@pytest.mark.no_cover
@pytest.mark.parametrize("key", OUR_GAMES)
def test_most_puzzles_are_different(key, many):
    count = many(5, 60)
    made = [numbered_puzzle(key, number) for number in range(1, count + 1)]
    found = {(one.game, one.game.notation(one.position)) for one in made}
    assert len(found) > 0.7 * count


# A player without thought fails.


def any_move(game, position):
    return list(game.moves(position))


def smallest(game, position):
    return [min(game.moves(position))]


def largest(game, position):
    return [max(game.moves(position))]


def fewest_replies(game, position):
    count = {move: len(game.moves(game.play(position, move))) for move in game.moves(position)}
    return [move for move in count if count[move] == min(count.values())]


def one_move_ahead(game, position):
    ends = {move: game.outcome(game.play(position, move)) for move in game.moves(position)}
    winning = [move for move, end in ends.items() if end and end.winner == position.mover]
    return winning or [move for move, end in ends.items() if not end] or list(ends)


def two_moves_ahead(game, position):
    def safe(move):
        after = game.play(position, move)
        ends = [game.outcome(game.play(after, reply)) for reply in game.moves(after)]
        return not any(end and end.winner == after.mover for end in ends)

    likely = one_move_ahead(game, position)
    return [move for move in likely if safe(move)] or likely


THOUGHTLESS = (any_move, smallest, largest, fewest_replies, one_move_ahead, two_moves_ahead)


def solved_share(puzzles, choice):
    """Return the expected share of puzzles solved by playing any of the chosen moves."""
    solved = 0.0
    for one in puzzles:
        chance = 1.0
        for before, right in one.answers:
            moves = choice(one.game, before)
            chance *= (right in moves) / len(moves)
        solved += chance
    return solved / len(puzzles)


@pytest.fixture(scope="module", params=[2026, pytest.param(2027, marks=pytest.mark.soak)])
def year(request, pytestconfig):
    """The puzzles of a year; in `make test`, of some of its days."""
    step = 1 if pytestconfig.getoption("soak") else 13
    return [daily(date(request.param, 1, 1) + timedelta(day)) for day in range(0, 366, step)]


@pytest.mark.no_cover
@pytest.mark.parametrize("choice", THOUGHTLESS)
def test_nobody_solves_more_than_a_quarter_of_a_year_without_thinking(year, choice, many):
    assert many(True, len(year) == 366)
    assert solved_share(year, choice) <= 0.25
    assert (
        solved_share(year, lambda *now: [min(choice(*now))]) <= 0.25
    )  # whichever of several moves they take
    assert solved_share(year, lambda *now: [max(choice(*now))]) <= 0.25


@pytest.mark.no_cover
def test_nor_by_always_giving_the_most_frequent_answer_of_the_game(year):
    firsts = {key: Counter() for key in OUR_GAMES}
    for one in year:
        firsts[one.game.key][one.answer] += 1
    usual = {key: count.most_common(1)[0][0] for key, count in firsts.items()}
    assert solved_share(year, lambda game, position: [usual[game.key]]) <= 0.25
    assert all(len(count) > 1 for count in firsts.values())


def test_races_and_dials_have_menus_of_four_or_take_several_moves(year):
    for one in year:
        moves = one.game.words.operations()
        assert not moves or len(moves) >= 4 or one.turns >= 2


def solves(level, one, seed):
    rng = Random(seed)
    turns = [Turn(one.game, last.before, 1, (last.move,), rng) for last in one.answers]
    return [player(f"level:{level}").choose(turn) for turn in turns] == [
        last.move for last in one.answers
    ]


@pytest.mark.soak
def test_the_higher_its_grade_the_fewer_levels_solve_it():
    made = {grade: [] for grade in GRADES}
    for key in OUR_GAMES:
        for grade in GRADES:
            for number in range(1, 21):
                one = numbered_puzzle(key, number, grade)
                made[one.grade].append(one)
    shares = []
    for found in made.values():
        tries = [(one, seed) for seed, one in enumerate(found * 5)]
        wins = sum(solves(level, *one) for level in LEVELS for one in tries)
        shares.append(wins / len(tries) / len(LEVELS))
    assert all(later < sooner for sooner, later in pairwise(shares)), shares


@pytest.mark.no_cover
@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_same_number_is_the_same_puzzle(key):
    assert numbered_puzzle(key, 7, 3) == numbered_puzzle(key, 7, 3) != numbered_puzzle(key, 8, 3)


def test_a_week_has_at_least_four_games():
    for week in range(200):
        days = [FIRST_DAY + timedelta(7 * week + day) for day in range(7)]
        assert len({daily_key(day) for day in days}) >= 4
    assert daily(FIRST_DAY).game.key == daily_key(FIRST_DAY)


def test_the_next_day_is_the_latest_other_that_is_not_solved_or_none():
    days = [today() - timedelta(back) for back in range((today() - FIRST_DAY).days + 1)]
    assert next_day(days[0], days[1:3]) == days[3] and next_day(days[3], {*days[1:]}) == days[0]
    assert next_day(days[0], {*days[1:]}) is None


def test_a_day_is_typed_as_its_date(monkeypatch):
    assert parse_day("2026-11-15") == date(2026, 11, 15)
    monkeypatch.setenv("NUMDUEL_TODAY", "2026-11-15")
    assert today() == date(2026, 11, 15)
    monkeypatch.delenv("NUMDUEL_TODAY")
    assert date(2026, 11, 15) < today() <= datetime.now(UTC).date()
    with pytest.raises(SettingsError, match="a day is written like 2026-11-15, not 'soon'"):
        parse_day("soon")


def test_a_number_or_a_level_out_of_bounds_is_refused():
    for number in (0, MAX_PUZZLE_NUMBER + 1):
        with pytest.raises(SettingsError, match=f"from 1 to 1,000,000,000, not {number}"):
            numbered_puzzle("multiplicity", number)
    with pytest.raises(SettingsError, match="a puzzle's level is from 1 to 5, not 6"):
        numbered_puzzle("multiplicity", 1, 6)
    with pytest.raises(SettingsError, match="there is no game 'chess'"):
        numbered_puzzle("chess", 1)


# The words.


def one_move_puzzle(game, text):
    """Return a position as a puzzle of one move, whether it takes thought or not."""
    position = game.read(text)
    verdicts = theory_of(game).evaluate(position)
    move = max(verdicts, key=lambda one: verdicts[one].rank)
    return Puzzle(game, position, (Last(position, move),), verdicts[move], 1)


def test_a_move_is_explained_by_the_theory():
    one = one_move_puzzle(numduel.new("operation-duel", target=25), "12/2")
    right, wrong = one.attempt([1]).answer, one.attempt([2]).answer
    assert (right.right, wrong.right) == (True, False)
    assert right.line == f"Play Add 1 → 13. {right.reason}"
    assert right.reason.startswith("13 is more than half of 25: ")
    assert wrong.line == wrong.reason == "From 24 they can go to 25 and win."


def test_the_task_says_that_the_move_wins():
    one = one_move_puzzle(numduel.new("double-or-add"), "30/1")
    assert one.task == "One move wins. Find it."
    assert one._replace(solution=one.solution * 3).task == "Find 3 winning moves in a row."


def test_the_task_says_that_the_move_does_not_lose():
    one = one_move_puzzle(numduel.new("divisor-duel", divisor=13), "11/1")  # 12 lets them add 1
    assert one.task == "One move does not lose. Find it."
    assert one._replace(solution=one.solution * 2).task == (
        "Find 2 moves in a row that do not lose."
    )
    solved, missed = one.attempt([2]), one.attempt([1])
    assert solved.answer.line.startswith("Play Multiply by 2 → 22. ")
    assert solved.ending == ()  # because the game is endless
    assert missed.answer.line == "From 12 they can go to 13 and win."


def test_the_task_says_that_the_move_keeps_the_draw():
    one = one_move_puzzle(Fifteen(), "2;/2")
    assert one.task == "One move keeps the draw. Find it."
    assert one._replace(solution=one.solution * 2).task == (
        "Find 2 moves in a row that keep the draw."
    )
    assert one.attempt([5]).answer.line == "Play 5. After 5 nobody can force a win."
    assert "lets them" in one.attempt([1]).answer.line


def test_a_move_that_gives_a_win_away_need_not_lose():
    one = one_move_puzzle(Fifteen(), "6,8;2,4/1")
    assert one.attempt([1]).answer.line == "Play 1. 1 wins at once."
    assert one.attempt([9]).answer.line == "After 9 nobody can force a win."


def test_each_of_several_sound_moves_is_right():
    game = numduel.new("divisor-line")
    right, value, line, _ = judge_answer(game, game.start(), 7)
    assert right and value == "win" and line.startswith("Play 7. ")
    game = numduel.new("double-or-add")
    assert judge_answer(game, game.start(), 1)[:2] == (True, "loss")


# Attempts to solve a puzzle.


@pytest.fixture(scope="module")
def run():
    """Return a puzzle of three turns."""
    return next(
        one
        for number in range(1, 100)
        if (one := numbered_puzzle("double-or-add", number)).turns == 3
    )


def test_before_the_first_move_there_is_the_position(run):
    assert run.attempt([]) == ((), run.position, None, 3, ())


def test_a_right_move_is_answered_by_the_best_reply(run):
    found = run.attempt([run.answer])
    assert (found.past, found.missing, found.ending) == (run.solution[:2], 2, ())
    assert run.idea(found) == hint(run.game, found.position).idea
    assert found.answer.right and found.position == run.answers[1].before


def test_after_the_last_right_move_the_game_plays_itself_out(run):
    moves = [last.move for last in run.answers]
    found = run.attempt([*moves, 99])
    assert found.solved and not found.missed and found.past == run.solution
    assert found.position == run.game.after(*run.solution[-1]) == found.ending[0].before
    end = run.game.outcome(run.game.after(*found.ending[-1]))
    assert end.winner == run.position.mover


def test_a_wrong_move_is_refuted_to_the_end_and_the_right_ones_before_it_stay(run):
    before, right = run.answers[1]
    wrong = 3 - right
    found = run.attempt([run.answer, wrong, 1])
    assert (found.past, found.position, found.missing) == (run.solution[:2], before, 2)
    assert found.missed and not found.solved and found.ending[0] == (before, wrong)
    end = run.game.outcome(run.game.after(*found.ending[-1]))
    assert end.winner != run.position.mover


def test_an_illegal_move_is_refused(run):
    with pytest.raises(IllegalMove):
        run.attempt([7])


def test_the_continuation_agrees_with_the_reason(year):
    for one in year:
        theory = theory_of(one.game)
        wrong = (move for move in one.game.moves(one.position) if move != one.answer)
        tried = [(one.solution[-1], one.attempt([last.move for last in one.answers]).ending)]
        tried += [(found.ending[0], found.ending[1:]) for found in map(one.attempt, zip(wrong))]
        for made, follows in tried:
            found = theory.explanation(*made)
            pairs = dict(found.pairs)
            if found.kind == "answer":
                assert follows[0].move == found.moves[0]
            elif found.kind == "pairs" and follows and follows[0].move in pairs:
                assert follows[1].move == pairs[follows[0].move]


def test_a_continuation_that_is_too_long_is_not_played_out(monkeypatch):
    game = numduel.new("operation-duel", target=60)
    made = Last(game.read("30/2"), 1)
    assert len(best_continuation(game, made)) == 29
    monkeypatch.setattr("numduel.play.puzzle.MAX_CONTINUATION_MOVES", 28)
    assert best_continuation(game, made) == ()


# Which positions are puzzles.


def test_a_forced_move_is_no_puzzle():
    game = numduel.new("operation-duel", operations="+1")
    assert [*puzzles_from(game, game.start())] == []


def test_two_sound_moves_are_no_puzzle():
    game = numduel.new("divisor-line")
    assert [*puzzles_from(game, game.start())] == []


def test_a_lost_position_is_no_puzzle():
    game = numduel.new("double-or-add")
    assert [*puzzles_from(game, game.start())] == []


def test_an_obvious_move_is_no_puzzle():
    game = numduel.new("operation-duel", operations="+1,+2,+3,x2,x3")
    assert [*puzzles_from(game, game.read("18/1"))] == []


def test_a_position_that_is_too_large_to_solve_is_no_puzzle():
    game = numduel.new("divisor-line", size=5_000, goal="chain")
    assert [*puzzles_from(game, game.start())] == []
    game = numduel.new("divisor-line", size=101, goal="chain")
    assert [*puzzles_from(game, game.read("1:2/1"))] == []


def test_a_game_of_another_package_has_puzzles(monkeypatch):
    monkeypatch.setattr("numduel.play.puzzle.game_type", lambda key: TakeAway)
    one = numbered_puzzle("take-away", 1)
    assert [last.move for last in one.answers] == [last.before.left % 4 for last in one.answers]


def test_a_player_who_moves_twice_in_a_row_finds_both_moves(monkeypatch):
    monkeypatch.setattr("numduel.play.puzzle.game_type", lambda key: SteppingStones)
    for number in range(1, 30):
        one = numbered_puzzle("stepping-stones", number)
        if any(a.before.mover == b.before.mover for a, b in pairwise(one.solution)):
            break
    else:
        pytest.fail("none is found")
    assert one.attempt([last.move for last in one.answers]).solved


def test_a_game_without_puzzles_is_refused(monkeypatch):
    class Forced(TakeAway):
        def moves(self, position):
            return super().moves(position)[:1]

    monkeypatch.setattr("numduel.play.puzzle.game_type", lambda key: Forced)
    with pytest.raises(SettingsError, match="no puzzle is found in Take Away: none that takes"):
        numbered_puzzle("take-away", 1)
