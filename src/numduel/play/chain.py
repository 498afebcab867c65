"""The longest chain: of the numbers from 1 to n, each once, each a factor or multiple of the last.

The challenge is from NRICH. The longest chains are known up to n = 200: `longest_chains.txt` holds
one of each length, and the tests compute a bound that shows that none is longer.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise, starmap
from typing import NamedTuple

from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.numerals import parse_whole, pluralize, quoted
from numduel.core.scene import MAX_BOARD_CELLS, MAX_DRAWN_ITEMS, Cell, Fact, Link, Scene

DEFAULT_SIZE = 50

MAX_KNOWN_SIZE = 200
"""Maximum size of a board whose longest chain is known."""


class Chain(NamedTuple):
    """A chain on the board with the numbers from 1 to `size`."""

    size: int
    numbers: tuple[int, ...] = ()

    @classmethod
    def empty(cls, size: int) -> Chain:
        """Return a chain without numbers. Raises SettingsError if the board has a wrong size."""
        if not 2 <= size <= MAX_BOARD_CELLS:
            raise SettingsError(
                f"the board has from 2 to {MAX_BOARD_CELLS} numbers, not {quoted(size)}"
            )
        return cls(size)

    @classmethod
    def parse(cls, size: int, text: str) -> Chain:
        """Return the chain of a text such as `3,6,2`. Raises NumduelError."""
        return cls.empty(size).add_text(text)

    @property
    def moves(self) -> tuple[int, ...]:
        """The numbers that can come next, in ascending order."""
        used = set(self.numbers)
        return tuple(n for n in range(1, self.size + 1) if n not in used and self._follows(n))

    def _follows(self, number: int) -> bool:
        last = self.numbers[-1] if self.numbers else number
        return number % last == 0 or last % number == 0

    def add(self, number: int) -> Chain:
        """Return the chain with one more number. Raises IllegalMove if it cannot follow."""
        if not 1 <= number <= self.size:
            why = f"{quoted(number)} is not on the board from 1 to {self.size}"
        elif number in self.numbers:
            why = f"{number} is in the chain already"
        elif not self._follows(number):
            why = f"{number} is neither a factor nor a multiple of {self.numbers[-1]}"
        else:
            return self._replace(numbers=(*self.numbers, number))
        raise IllegalMove(number, self, why)

    def add_text(self, text: str) -> Chain:
        """Return the chain with the numbers of a text added. Raises NumduelError."""
        chain = self
        for part in text.replace(",", " ").split()[: MAX_BOARD_CELLS + 1]:
            number = parse_whole(part)
            if number is None:
                raise SettingsError(f"a chain is numbers like 3,6,2, not {quoted(part)}")
            chain = chain.add(number)
        return chain

    def back(self) -> Chain:
        """Return the chain without its last number."""
        return self._replace(numbers=self.numbers[:-1])

    def reversed(self) -> Chain:
        """Return the chain in reverse, to go on at its other end."""
        return self._replace(numbers=self.numbers[::-1])

    @property
    def text(self) -> str:
        """The numbers as they are typed: `3,6,2`."""
        return ",".join(map(str, self.numbers))

    @property
    def length_line(self) -> str:
        """The length of the chain, compared with the maximum."""
        length, longest = len(self.numbers), longest_chain(self.size)
        if longest is None:
            comparison = "The longest chain of this size is not known."
        elif length == len(longest):
            comparison = "No chain is longer!"
        else:
            comparison = f"The longest possible chain has {len(longest)}."
        return f"{pluralize(length, '{} number.', '{} numbers.')} {comparison}"

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
            links=tuple(starmap(_link, pairwise(self.numbers[-MAX_DRAWN_ITEMS:]))),
        )


def _link(one: int, two: int) -> Link:
    """Return the link from one number to the next, labelled with its factor."""
    factor = f"× {two // one}" if two > one else f"÷ {one // two}"
    return Link(one, two, "step", label=factor)


def longest_chain(size: int) -> tuple[int, ...] | None:
    """Return one of the longest chains on the board from 1 to `size`; None if none is known."""
    return None if size > MAX_KNOWN_SIZE else _longest_chains()[size]


@cache
def _longest_chains() -> tuple[tuple[int, ...], ...]:
    """Return a longest chain for each size, from 0 on."""
    text = (files(__package__) / "longest_chains.txt").read_text("ascii")
    known = [tuple(map(int, line.split())) for line in text.splitlines()]
    chains: list[tuple[int, ...]] = [()]
    for size in range(1, MAX_KNOWN_SIZE + 1):
        new = [chain for chain in known if max(chain) == size]
        chains.append(max([chains[-1], *new], key=len))
    return tuple(chains)
