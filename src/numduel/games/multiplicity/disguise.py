"""Multiplicity in disguise: in other words, or as a graph without numbers."""

from __future__ import annotations

from numduel.core.game_text import (
    BARE_GRAPH_TITLE,
    Disguise,
    join_names,
    number_names,
    relation_lines,
)
from numduel.games.multiplicity.rules import Multiplicity, Walk

STORIES = (
    ("The Postman", "Houses", "house"),
    ("The Lockers", "Lockers", "locker"),
    ("The Ferry", "Islands", "island"),
)
"""The title of each story, and the plural and singular of what is numbered."""


def new_disguise(game: Multiplicity, title: str, places: str, place: str) -> Disguise[Walk]:
    settings = game.settings
    counts = "does not count as visited yet" if settings.start_open else "counts as visited"
    even = " The very first move must go to an even number." * (settings.opening == "even")
    rules = (
        f"{places} are numbered from 1 to {settings.size}. A token is at {place} {settings.start}, "
        f"which {counts}. Two players move it in turn. On your turn you must move it to another "
        f"{place} that has not been visited yet, whose number is a whole number of times the "
        f"present number, or goes into it a whole number of times.{even} Whoever is to move and "
        "cannot has lost, even at the very first turn."
    )

    def describe(position: Walk) -> str:
        visited = ", ".join(map(str, sorted(position.chosen))) or "none"
        return f"The token is at {place} {position.number}. Visited: {visited}."

    def describe_step(before: Walk, move: int) -> str:
        if before.number == 1:
            return ""
        if move > before.number:
            return f", which is {move // before.number} × {before.number}"
        return f", which goes into {before.number}"

    return Disguise(game, title, rules, f"the number of the {place}", describe, {}, describe_step)


def new_bare_graph(game: Multiplicity, seed: int) -> Disguise[Walk]:
    """Return Multiplicity as a bare graph. Raises TooLarge if there are too many numbers."""
    names, settings = number_names(game, game.actions, seed), game.settings
    parts = [
        f"Two players move one token in turn. It begins at {names[settings.start]}. On your turn "
        "you must move it to a place that is joined to the one where it is, and at which it has "
        "not been yet. Whoever is to move and cannot has lost."
    ]
    if settings.start_open:
        parts.append("The place at which it begins counts as new: it may be entered once.")
    if settings.opening == "even":
        even = join_names(names, (number for number in names if number % 2 == 0))
        parts.append(f"The very first move must be to one of these: {even}.")
    parts.append("Each place, and what it is joined to:")
    parts.append(relation_lines(names, {number: game.neighbours(number) for number in names}))

    def describe(position: Walk) -> str:
        used = join_names(names, position.chosen)
        return f"The token is at {names[position.number]}. It cannot enter again: {used}."

    return Disguise(
        game, BARE_GRAPH_TITLE, "\n".join(parts), "the name of the place", describe, names
    )
