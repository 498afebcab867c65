"""Divisor Line in disguise: in other words, or as a graph without numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from numduel.core.game_text import (
    BARE_GRAPH_TITLE,
    Disguise,
    join_names,
    number_names,
    relation_lines,
)
from numduel.games.divisor_line.rules import DivisorLine, Line, related

STORIES = (
    ("The Auction", "Lots", "lot", "buy"),
    ("The Theatre", "Seats", "seat", "book"),
    ("The Harvest", "Trees", "tree", "pick"),
)
"""The title of each story, the plural and singular of what is numbered, and the verb of a move."""

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


def new_disguise(
    game: DivisorLine, title: str, things: str, thing: str, take: str
) -> Disguise[Line]:
    rules = (
        f"{things} are numbered from 1 to {game.settings.size}. Two players take turns to {take} "
        f"one {thing} that nobody has yet. You win when you have {GOALS[game.settings.goal]}."
    )

    def list_numbers(held: frozenset[int]) -> str:
        return ", ".join(map(str, sorted(held))) or "none"

    describe = partial(_describe, list_numbers)
    return Disguise(game, title, rules, f"the number of the {thing}", describe, {})


def new_bare_graph(game: DivisorLine, seed: int) -> Disguise[Line]:
    """Return Divisor Line as a bare graph. Raises TooLarge if the line is long."""
    names = number_names(game, game.actions, seed)
    joined = {one: [n for n in names if n != one and related(one, n)] for one in names}
    rules = (
        "Two players take one place in turn, of those that are left. You win when you have "
        f"{GRAPH_GOALS[game.settings.goal]}.\nEach place, and what it is joined to:\n"
        f"{relation_lines(names, joined)}"
    )
    describe = partial(_describe, partial(join_names, names))
    return Disguise(game, BARE_GRAPH_TITLE, rules, "the name of the place", describe, names)


def _describe(list_held: Callable[[frozenset[int]], str], position: Line) -> str:
    first, second = list_held(position.crosses), list_held(position.noughts)
    return f"Player 1 has: {first}. Player 2 has: {second}."
