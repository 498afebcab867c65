"""Lesson plans made of real positions. What they say about a game, the solver has worked out."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache, reduce
from importlib.resources import files
from string import Formatter
from typing import Any, NamedTuple

from numduel.core.explore import reachable
from numduel.core.game import Game
from numduel.core.numerals import listed
from numduel.core.verdict import Value
from numduel.core.words import Last
from numduel.games import new
from numduel.play.chain import longest_among
from numduel.play.coach import outlook
from numduel.play.puzzle import Puzzle, answered
from numduel.play.thought import graded
from numduel.solver import theory_of


class Lesson(NamedTuple):
    """Half a page for a teacher."""

    age: int  # of the pupils, about
    title: str
    topic: str
    game: Game[Any]
    goal: str
    introduction: str  # of five minutes
    play: str
    questions: tuple[Puzzle, ...]  # each with one right answer
    solutions: tuple[str, ...]  # the right answer to each, and why
    talk: str
    cards: dict[str, str]  # questions that teachers ask about the game, and the answer to each


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lesson plans, for the youngest first."""
    text = (files("numduel.games") / "lessons.toml").read_text("utf-8")
    return tuple(_lesson(**kept) for kept in tomllib.loads(text)["lessons"])


def _lesson(
    game: str,
    settings: dict[str, object],
    questions: list[list[int]],
    cards: dict[str, str],
    **told: Any,
) -> Lesson:
    played = new(game, **settings)
    asked = [_question(played, moves) for moves in questions]
    return Lesson(
        game=played,
        questions=tuple(asked),
        solutions=tuple(answered(played, one.position, one.answer).line for one in asked),
        cards={ask: _filled(played, answer) for ask, answer in cards.items()},
        **told,
    )


def _question(game: Game[Any], moves: Iterable[int]) -> Puzzle:
    """Return the question that is asked after these moves from the start."""
    position = reduce(game.play, moves, game.start())
    verdicts = theory_of(game).evaluate(position)
    last = Last(position, max(verdicts, key=lambda move: verdicts[move].rank))
    return Puzzle(game, position, (last,), verdicts[last.move], graded(game, [last]))


def _filled(game: Game[Any], answer: str) -> str:
    """Return an answer with the fact that it names in braces put in."""
    named = {name for _, name, _, _ in Formatter().parse(answer) if name}
    return answer.format(**{name: _FACTS[name](game) for name in named})


def _openings(game: Game[Any], wanted: Value) -> list[int]:
    """Return the first moves that lead to a value."""
    found = theory_of(game).values(game.start())
    return [move for move, value in found.items() if value == wanted]


def _good_numbers(game: Game[Any]) -> list[int]:
    """Return the numbers that win for whoever lands on them."""
    found = {
        int(game.words.brief(position, move))
        for position, following in reachable(game, [game.start()]).items()
        if following
        for move, value in theory_of(game).values(position).items()
        if value == "win"
    }
    return sorted(found)


def _won_by_beginner(game: Game[Any]) -> list[int]:
    """Return for which values up to 64 of the changed setting whoever begins wins."""
    values = game.settings.values
    [name] = [setting.name for setting, value in game.settings if value != setting.default]
    games = {n: type(game)(**{**values, name: n}) for n in range(2, 65)}
    return [n for n, one in games.items() if theory_of(one).solve(one.start()).value == "win"]


def _without_primes(game: Game[Any]) -> tuple[int, ...]:
    """Return one of the longest chains of the game's numbers in which none is prime."""
    return longest_among([n for n in game.actions if any(n % d == 0 for d in range(2, n))])


_FACTS: dict[str, Callable[[Game[Any]], object]] = {
    "winning": lambda game: listed(_openings(game, "win")),
    "losing": lambda game: listed(_openings(game, "loss")),
    "lowest": lambda game: min(_openings(game, "win")),
    "outlook": lambda game: outlook(game, theory_of(game).solve(game.start()), 1),
    "good_numbers": lambda game: listed(_good_numbers(game)),
    "targets": lambda game: listed(_won_by_beginner(game)),
    "without_primes": lambda game: listed(_without_primes(game)),
    "count": lambda game: len(_without_primes(game)),
}
"""What the solver says about a game, by the name that an answer has for it."""
