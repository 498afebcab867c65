"""The tally games in disguise: in other words, or as a graph without numbers."""

from __future__ import annotations

from collections.abc import Callable

from numduel.core.game_text import BARE_GRAPH_TITLE, Disguise, number_names
from numduel.core.numerals import shorten
from numduel.games.tally.rules import Tally, TallyGame

LETTERS = "ABCDEFGHI"
"""The names of the operations, in the order of the menu."""

TURN_LIMIT_RULE = "The game may be stopped by a limit of turns: then nobody has won."

STORIES = (
    ("The Lift", "Two people share a lift and press a button in turn.", "floor number"),
    ("The Purse", "Two friends share a purse and change it in turn.", "number of coins"),
    ("The Diary", "Two readers share a book and turn its pages in turn.", "page number"),
)
"""The title of each story, its scene, and what its number counts."""

OPERATIONS = {
    "+": "raise the {} by {}",
    "-": "lower the {} by {}",
    "x": "make the {} {} times as large",
}


def new_disguise(game: TallyGame, title: str, scene: str, number: str) -> Disguise[Tally]:
    goal, ceiling = shorten(game.goal), game.ceiling
    parts = [
        f"{scene} At first the {number} is {shorten(game.starting_number)}. On your turn you must "
        "make one of these moves:"
    ]
    for letter, (sign, amount) in zip(LETTERS, game.operations, strict=False):
        parts.append(f"{letter}: {OPERATIONS[sign].format(number, shorten(amount))}")
    if ceiling == game.goal:
        parts.append(f"Whoever makes the {number} exactly {goal} wins.")
    else:
        parts.append(f"Whoever brings the {number} to one that {goal} goes into exactly wins.")
    if ceiling is not None:
        parts.append(f"Whoever makes the {number} larger than {shorten(ceiling)} loses at once.")
    if game.subtracts:
        parts.append(f"A move that would make the {number} smaller than 1 is not allowed.")
        parts.append("Whoever is to move and cannot has lost.")

    def describe(position: Tally) -> str:
        here = f"The {number} is {shorten(position.number)}."
        if ceiling == game.goal:
            return here
        rest = shorten(position.number % game.goal)
        return f"{here} Divided by {goal} it leaves {rest} over."

    def describe_change(before: Tally, move: int) -> str:
        return f": {shorten(before.number)} → {shorten(game.after(before, move).number)}"

    return _with_letters(game, title, parts, describe, describe_change)


def new_bare_graph(game: TallyGame, seed: int) -> Disguise[Tally]:
    """Return the graph of its numbers, or of remainders without a ceiling. Raises TooLarge."""
    goal, ceiling, start = game.goal, game.ceiling, game.starting_number
    numbers = range(goal) if ceiling is None else range(1, ceiling + 1)
    names = number_names(game, numbers, seed)

    def name_of(number: int) -> str:
        return names[number % goal if ceiling is None else number]

    def effect(position: Tally, move: int) -> str:
        after = game.after(position, move)
        if after.ended:
            return "loses" if after.ended == "overshot" else "wins"
        return f"leads to {name_of(after.number)}"

    def describe_moves(number: int) -> str:
        position = Tally(number, 1)
        moves = (f"{LETTERS[move - 1]} {effect(position, move)}" for move in game.moves(position))
        return f"{name_of(number)}: {', '.join(moves) or 'none'}"

    parts = [
        f"Two players move one token in turn, from place to place. It begins at {name_of(start)}. "
        "Whoever is to move and cannot has lost.",
        "Each place, and what each move does there:",
        *sorted(map(describe_moves, {start, *(number for number in numbers if number % goal)})),
    ]

    def describe(position: Tally) -> str:
        return "It has ended." if position.ended else f"The token is at {name_of(position.number)}."

    return _with_letters(game, BARE_GRAPH_TITLE, parts, describe)


def _with_letters(
    game: TallyGame,
    title: str,
    parts: list[str],
    describe: Callable[[Tally], str],
    describe_change: Callable[[Tally, int], str] = lambda before, move: "",
) -> Disguise[Tally]:
    """Return a disguise of these sentences, in which a move is written as its letter."""
    if game.subtracts or game.ceiling is None:
        parts.append(TURN_LIMIT_RULE)
    names = dict(zip(game.actions, LETTERS, strict=False))
    return Disguise(game, title, "\n".join(parts), "its letter", describe, names, describe_change)
