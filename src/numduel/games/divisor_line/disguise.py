"""Divisor Line in disguise: other words for the numbers, or a graph without numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from numduel.core.game_text import GRAPH_TITLE, Disguise, joined_names, listed_names, number_names
from numduel.games.divisor_line.rules import DivisorLine, Line, related

STORIES = (
    ("The Auction", "Lots", "lot", "buy"),
    ("The Theatre", "Seats", "seat", "book"),
    ("The Harvest", "Trees", "tree", "pick"),
)
"""The title, what the numbers are those of, and what is done with one."""

GOALS = {
    "pair": "at least three of them, and the number of one goes into that of another a whole "
    "number of times",
    "chain": "three of them, where the number of the first goes into that of the second, and that "
    "of the second into that of the third, a whole number of times",
}

GRAPH_GOALS = {
    "pair": "at least three of them, two of which are joined",
    "chain": "three of them, each of which is joined to both others",
}


def told(game: DivisorLine, title: str, things: str, thing: str, take: str) -> Disguise[Line]:
    """Return Divisor Line in a disguise."""
    rules = (
        f"{things} are numbered from 1 to {game.settings.size}. Two players take turns to {take} "
        f"one {thing} that nobody has yet. You win when you have {GOALS[game.settings.goal]}."
    )

    def numbers(held: frozenset[int]) -> str:
        return ", ".join(map(str, sorted(held))) or "none"

    describe = partial(_held, numbers)
    return Disguise(game, title, rules, f"the number of the {thing}", describe, {})


def graph(game: DivisorLine, seed: int) -> Disguise[Line]:
    """Return Divisor Line as a bare graph. Raises TooLarge for a long line."""
    names = number_names(game, game.actions, seed)
    pairs = {one: [n for n in names if n != one and related(one, n)] for one in names}
    rules = (
        "Two players take one place in turn, of those that are left. You win when you have "
        f"{GRAPH_GOALS[game.settings.goal]}.\nEach place, and what it is joined to:\n"
        f"{joined_names(names, pairs)}"
    )
    describe = partial(_held, partial(listed_names, names))
    return Disguise(game, GRAPH_TITLE, rules, "the name of the place", describe, names)


def _held(listed: Callable[[frozenset[int]], str], position: Line) -> str:
    return f"Player 1 has: {listed(position.crosses)}. Player 2 has: {listed(position.noughts)}."
