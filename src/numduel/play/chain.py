"""The longest chain: of the numbers from 1 to n, each once, each a factor or multiple of the last.

The challenge is NRICH's. The longest chains are known up to n = 200: `longest_chains.txt` holds one
of each length, and a bound in the tests shows that none is longer.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise, starmap
from typing import NamedTuple

from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.numerals import parse_whole, pluralize, quoted
from numduel.core.scene import MAX_BOARD_CELLS, MAX_DRAWN_ITEMS, Cell, Fact, Link, Scene

USUAL_SIZE = 50
MAX_KNOWN_SIZE = 200
"""Largest size of a board whose longest chain is known."""


class Chain(NamedTuple):
    """The numbers of a chain on the board from 1 to its size."""

    size: int
    numbers: tuple[int, ...] = ()

    @property
    def moves(self) -> tuple[int, ...]:
        """The numbers that can come next, ascending."""
        used = set(self.numbers)
        return tuple(n for n in range(1, self.size + 1) if n not in used and self._follows(n))

    def _follows(self, number: int) -> bool:
        last = self.numbers[-1] if self.numbers else number
        return number % last == 0 or last % number == 0

    def add(self, number: int) -> Chain:
        """Return the chain with one more number; IllegalMove says why it cannot follow."""
        if not 1 <= number <= self.size:
            why = f"{quoted(number)} is not on the board from 1 to {self.size}"
        elif number in self.numbers:
            why = f"{number} is in the chain already"
        elif not self._follows(number):
            why = f"{number} is neither a factor nor a multiple of {self.numbers[-1]}"
        else:
            return self._replace(numbers=(*self.numbers, number))
        raise IllegalMove(number, self, why)

    def back(self) -> Chain:
        """Return the chain without its last number."""
        return self._replace(numbers=self.numbers[:-1])

    def turned(self) -> Chain:
        """Return the chain reversed, to go on from its other end."""
        return self._replace(numbers=self.numbers[::-1])

    @property
    def text(self) -> str:
        """The numbers as they are typed: `3,6,2`."""
        return ",".join(map(str, self.numbers))

    @property
    def standing(self) -> str:
        """The length of the chain, beside the greatest length there is."""
        length, best = len(self.numbers), longest(self.size)
        if best is None:
            said = "The longest chain of this size is not known."
        elif length == len(best):
            said = "No chain is longer!"
        else:
            said = f"The longest possible chain has {len(best)}."
        return f"{pluralize(length, '{} number.', '{} numbers.')} {said}"

    @property
    def scene(self) -> Scene:
        """The board."""
        used, open_numbers = set(self.numbers), set(self.moves)
        last = self.numbers[-1] if self.numbers else 0
        sentence = "No number can follow: take one back, or go on at the other end"
        if open_numbers:
            sentence = "Choose any number that follows" if used else "Choose any number to begin"
        return Scene(
            sentence,
            number=Fact("Length", str(len(self.numbers))),
            cells=tuple(
                Cell(n, legal=n in open_numbers, chosen=n in used, current=n == last)
                for n in range(1, self.size + 1)
            ),
            links=tuple(starmap(_step, pairwise(self.numbers[-MAX_DRAWN_ITEMS:]))),
        )


def _step(one: int, two: int) -> Link:
    """Return the link from one number to the next, with its factor."""
    factor = f"× {two // one}" if two > one else f"÷ {one // two}"
    return Link(one, two, "step", label=factor)


def board(size: int) -> Chain:
    """Return an empty chain; SettingsError if the board is too small or too large."""
    if not 2 <= size <= MAX_BOARD_CELLS:
        raise SettingsError(
            f"the board has from 2 to {MAX_BOARD_CELLS} numbers, not {quoted(size)}"
        )
    return Chain(size)


def parse(size: int, text: str) -> Chain:
    """Return the chain that a text gives on a board of that size; NumduelError."""
    return extended(board(size), text)


def extended(chain: Chain, text: str) -> Chain:
    """Return the chain with the numbers of a text added; NumduelError says what is wrong."""
    for part in text.replace(",", " ").split()[: MAX_BOARD_CELLS + 1]:
        number = parse_whole(part)
        if number is None:
            raise SettingsError(f"a chain is numbers like 3,6,2, not {quoted(part)}")
        chain = chain.add(number)
    return chain


def longest(size: int) -> tuple[int, ...] | None:
    """Return one of the longest chains on the board from 1 to `size`; None if none is known."""
    return None if size > MAX_KNOWN_SIZE else _known()[size]


@cache
def _known() -> tuple[tuple[int, ...], ...]:
    """Return a longest chain for each size; one stays until a larger size has a longer one."""
    text = (files(__package__) / "longest_chains.txt").read_text("ascii")
    lines = [tuple(map(int, line.split())) for line in text.splitlines()]
    found: list[tuple[int, ...]] = [()]
    for size in range(1, MAX_KNOWN_SIZE + 1):
        new = [line for line in lines if max(line) == size]
        found.append(max([found[-1], *new], key=len))
    return tuple(found)
