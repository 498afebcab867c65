"""The tally games in disguise: other words for the number, or a graph without numbers."""

from __future__ import annotations

from collections.abc import Callable

from numduel.core.game_text import GRAPH_TITLE, Disguise, number_names
from numduel.core.numerals import shown
from numduel.games.tally.rules import Tally, TallyGame

LETTERS = "ABCDEFGHI"
"""What the operations of the menu are called, in their order."""

CALLED_OFF = "The game may be stopped by a limit of turns: then nobody has won."

STORIES = (
    ("The Lift", "Two people share a lift and press a button in turn.", "floor number"),
    ("The Purse", "Two friends share a purse and change it in turn.", "number of coins"),
    ("The Diary", "Two readers share a book and turn its pages in turn.", "page number"),
)
"""The title, the scene, and what the number is."""

CHANGES = {
    "+": "raise the {} by {}",
    "-": "lower the {} by {}",
    "x": "make the {} {} times as large",
}


def told(game: TallyGame, title: str, scene: str, number: str) -> Disguise[Tally]:
    """Return a tally game in a disguise."""
    goal, ceiling = shown(game.goal), game.ceiling
    parts = [
        f"{scene} At first the {number} is {shown(game.starting_number)}. On your turn you must "
        "make one of these moves:"
    ]
    for letter, (sign, amount) in zip(LETTERS, game.operations, strict=False):
        parts.append(f"{letter}: {CHANGES[sign].format(number, shown(amount))}")
    if ceiling == game.goal:
        parts.append(f"Whoever makes the {number} exactly {goal} wins.")
    else:
        parts.append(f"Whoever brings the {number} to one that {goal} goes into exactly wins.")
    if ceiling is not None:
        parts.append(f"Whoever makes the {number} larger than {shown(ceiling)} loses at once.")
    if game.subtracts:
        parts.append(f"A move that would make the {number} smaller than 1 is not allowed.")
        parts.append("Whoever is to move and cannot has lost.")

    def describe(position: Tally) -> str:
        here = f"The {number} is {shown(position.number)}."
        if ceiling == game.goal:
            return here
        rest = shown(position.number % game.goal)
        return f"{here} Divided by {goal} it leaves {rest} over."

    def made(before: Tally, move: int) -> str:
        return f": {shown(before.number)} → {shown(game.after(before, move).number)}"

    return _lettered(game, title, parts, describe, made)


def graph(game: TallyGame, seed: int) -> Disguise[Tally]:
    """Return a tally game as a bare graph, without a ceiling that of the remainders; TooLarge."""
    goal, ceiling, start = game.goal, game.ceiling, game.starting_number
    numbers = range(goal) if ceiling is None else range(1, ceiling + 1)
    names = number_names(game, numbers, seed)

    def place(number: int) -> str:
        return names[number % goal if ceiling is None else number]

    def does(here: Tally, move: int) -> str:
        after = game.after(here, move)
        if after.ended:
            return "loses" if after.ended == "overshot" else "wins"
        return f"leads to {place(after.number)}"

    def moves(number: int) -> str:
        here = Tally(number, 1)
        each = (f"{LETTERS[move - 1]} {does(here, move)}" for move in game.moves(here))
        return f"{place(number)}: {', '.join(each) or 'none'}"

    parts = [
        f"Two players move one token in turn, from place to place. It begins at {place(start)}. "
        "Whoever is to move and cannot has lost.",
        "Each place, and what each move does there:",
        *sorted(map(moves, {start, *(number for number in numbers if number % goal)})),
    ]

    def describe(position: Tally) -> str:
        return "It has ended." if position.ended else f"The token is at {place(position.number)}."

    return _lettered(game, GRAPH_TITLE, parts, describe)


def _lettered(
    game: TallyGame,
    title: str,
    parts: list[str],
    describe: Callable[[Tally], str],
    made: Callable[[Tally, int], str] = lambda before, move: "",
) -> Disguise[Tally]:
    if game.subtracts or game.ceiling is None:
        parts.append(CALLED_OFF)
    names = dict(zip(game.actions, LETTERS, strict=False))
    return Disguise(game, title, "\n".join(parts), "its letter", describe, names, made)
