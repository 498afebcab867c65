"""A game as a bare graph: its numbers have names that mean nothing, and nothing is to be counted.

This is a control for disguises: who plays one worse than the game itself leans on its arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice, product
from random import Random
from typing import Any

from numduel.core.errors import TooLarge
from numduel.core.game import Game

TITLE = "The Bare Graph"

MOST_NAMES = 200
"""Maximum number of names: the list of relations grows too long."""

_NAMES = [a + b + c + d for a, b, c, d in product("bdfgklmnprstvz", "aeiou", "dklmnrst", "aiou")]


def named(game: Game[Any], numbers: Iterable[int], seed: int) -> dict[int, str]:
    """Return a name for each number, drawn by the seed. Raises TooLarge if there are too many."""
    found = list(islice(numbers, MOST_NAMES + 1))
    if len(found) > MOST_NAMES:
        raise TooLarge(f"{game.title} has over {MOST_NAMES} numbers here, too many to name")
    names = Random(f"{seed} {game.key}").sample(_NAMES, len(found))
    return dict(zip(found, names, strict=True))


def listed(names: Mapping[int, str], numbers: Iterable[int]) -> str:
    """Return the names of some numbers in order, or `none`."""
    return ", ".join(sorted(names[number] for number in numbers)) or "none"


def joined(names: Mapping[int, str], related: Mapping[int, Iterable[int]]) -> str:
    """Return a line for each number: its name and those of its relations."""
    return "\n".join(sorted(f"{names[one]}: {listed(names, related[one])}" for one in names))
