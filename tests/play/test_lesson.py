"""Lesson plans: what they say about a game is true, by a solver that a reader can check by eye."""

from functools import cache

from tests.play.test_chain import searched

from numduel.core.verdict import SCORES
from numduel.core.words import replay_moves
from numduel.play.coach import outlook
from numduel.play.lesson import lessons
from numduel.play.puzzle import explain_answer
from numduel.solver import theory_of


def test_there_is_a_lesson_for_each_of_three_ages():
    assert [lesson.age for lesson in lessons()] == [8, 11, 14]
    for lesson in lessons():
        told = (lesson.goal, lesson.introduction, lesson.play, lesson.talk)
        assert all(part.endswith((".", "?")) for part in told)
        assert len(lesson.questions) == len(lesson.solutions) == len(lesson.cards) == 3


def test_each_question_has_exactly_one_right_answer_and_the_solution_names_it():
    for lesson in lessons():
        for question, solution in zip(lesson.questions, lesson.solutions, strict=True):
            values = theory_of(lesson.game).values(question.position)
            right = [move for move, value in values.items() if SCORES[value] == 1]
            assert right == [question.answer] and len(values) > 1
            label = lesson.game.words.move_label(question.position, question.answer)
            assert solution.startswith(f"Play {label}. ")


def lesson_for(age):
    [lesson] = [lesson for lesson in lessons() if lesson.age == age]
    return lesson


def answers(age):
    return lesson_for(age).cards


def good_to_land_on(target):
    """The numbers that win for whoever lands on them, where a move adds 1 or doubles."""

    @cache
    def good(number):
        return number == target or (
            number < target and not good(number + 1) and not good(2 * number)
        )

    return [number for number in range(2, target + 1) if good(number)]


def listed(numbers):
    return ", ".join(map(str, numbers))


def test_the_cards_on_the_races_agree_with_counting_backwards():
    asked = "Which numbers are good to land on?"
    assert answers(8)[asked] == f"{listed(good_to_land_on(21))}: the odd numbers."
    assert answers(14)[asked] == f"{listed(good_to_land_on(40))}."
    begins = [target for target in range(2, 65) if 2 in good_to_land_on(target)]
    for age in (8, 14):
        targets = answers(age)["Up to 64, for which targets does it pay to begin?"]
        assert targets.startswith(f"{listed(begins)}. ")
        game = lesson_for(age).game
        who = answers(age)["Who wins if nobody makes a mistake?"]
        assert who.startswith(outlook(game, theory_of(game).solve(game.start()), 1))


def test_the_cards_on_the_walk_to_40_are_true():
    told, game = answers(11), lesson_for(11).game
    first = theory_of(game).values(game.start())
    assert [move for move, value in first.items() if value == "win"] == [22, 26]
    lowest = told["What is the lowest number that you can begin with and still win?"]
    assert lowest == "22. The only numbers to begin with and win are 22, 26."
    lost = [number for number in range(2, 41, 2) if number not in (22, 26)]
    assert told["Which openings lose?"] == f"{listed(lost)}."
    count, way = told["How long can you go on without primes?"].split(" numbers: ")
    way = [int(number) for number in way.partition(".")[0].split(", ")]
    for before, move in replay_moves(game, 1, way)[1]:
        assert game.allows(before, move)
    composites = [n for n in range(4, 41) if any(n % d == 0 for d in range(2, n))]
    assert {*way} <= {*composites} and len(way) == int(count) == searched(composites)


def test_the_reason_for_an_answer_plays_the_game_to_its_end():
    lesson = lessons()[1]
    question = lesson.questions[2]
    right = explain_answer(lesson.game, question.position, question.answer)
    assert right.answer.right and len(right.pairs) == 3
    wrong = explain_answer(lesson.game, question.position, 4)
    assert not wrong.answer.right
    for found, won in ((right, True), (wrong, False)):
        end = lesson.game.after(*found.past[-1])
        assert (lesson.game.outcome(end).winner == question.position.mover) == won
