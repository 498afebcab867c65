"""Sequences of whole numbers that come from the games, as b-files: make.py NAME."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count, islice

import numduel

JUNIPER_GREEN = {"opening": "even", "start_open": True}
"""Multiplicity as schools know it: the first number is even, and 1 can be chosen once, later."""


def races() -> Iterator[int]:
    """Targets of Double or Add, from 1, at which the first player wins."""
    for target in count(2):
        game = numduel.new("double-or-add", target=target)
        if numduel.solve(game, game.start()).value == "win":
            yield target


def even_losses() -> Iterator[int]:
    """Sizes of Juniper Green up to 1,000 at which the first player, who must open even, loses.

    At size 1 there is no even number to open with.
    """
    for size in range(1, 1001):
        if not winning_openings(size, **JUNIPER_GREEN):
            yield size


def openings() -> Iterator[int]:
    """How many openings of Multiplicity win, for each size; the start, 1, counts as chosen."""
    return (winning_openings(size) for size in count(1))


def even_openings() -> Iterator[int]:
    """How many openings of Juniper Green win, for each size."""
    return (winning_openings(size, **JUNIPER_GREEN) for size in count(1))


def winning_openings(size: int, **settings: object) -> int:
    """How many first moves of Multiplicity win."""
    game = numduel.new("multiplicity", size=size, **settings)
    values = game.theory.values(game.start())
    return sum(value == "win" for value in values.values())


SEQUENCES = {
    "races": (races, 1000),
    "even-losses": (even_losses, 1000),
    "openings": (openings, 500),
    "even-openings": (even_openings, 500),
}
"""Each with how many terms its file has, at most; the first has the number 1."""


def b_file(name: str) -> str:
    """The terms, numbered, a line each."""
    terms, most = SEQUENCES[name]
    return "".join(f"{n} {term}\n" for n, term in enumerate(islice(terms(), most), 1))


if __name__ == "__main__":
    sys.stdout.write(b_file(sys.argv[1]))
