"""The exact solution of Divisor Line. The proofs are in docs/theory.md."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import chain, islice

from numduel.core.errors import TooLarge
from numduel.core.proof import Proof
from numduel.core.theory import Cost, Theory
from numduel.core.verdict import Verdict
from numduel.games.divisors import proper_divisors
from numduel.games.line.rules import DivisorLine, Line, related
from numduel.solver.claims import Claiming, ClaimSearch
from numduel.solver.strategy import Strategies

LONGEST_CHAIN_LINE = 100
"""The longest line whose chains are searched."""


def line_theory(game: DivisorLine) -> Theory[Line]:
    """The solution that fits the goal."""
    return PairTheory(game) if game.settings.goal == "pair" else ChainTheory(game)


class LineTheory(Theory[Line]):
    """What both goals share."""

    game: DivisorLine

    def solve(self, position: Line) -> Verdict:
        if position.won:
            return Verdict("loss", 0)
        mover = position.mover
        return self.verdict(position.owned(mover), position.owned(3 - mover))

    def verdict(self, mine: frozenset[int], theirs: frozenset[int]) -> Verdict:
        """The verdict for the mover, who holds `mine`."""
        raise NotImplementedError

    def winning_claims(self, held: Collection[int], taken: Collection[int]) -> Iterator[int]:
        """The free numbers that would win for the holder of `held`."""
        raise NotImplementedError

    def sound_move(self, position: Line) -> int:
        mover = position.mover
        mine, theirs = position.owned(mover), position.owned(3 - mover)
        taken = mine | theirs
        likely = [*self._some(mine, taken), *self._some(theirs, taken)]
        small = range(1, self.game.settings.size + 1)  # these have the most relations
        free = (number for number in chain(likely, small) if number not in taken)
        if self.solve(position).value == "loss":
            return next(free)  # what could be claimed against us, if anything
        return next(n for n in free if self.solve(self.game.after(position, n)).value == "loss")

    def _some(self, held: Collection[int], taken: Collection[int]) -> list[int]:
        return list(islice(self.winning_claims(held, taken), 2))

    def reason(self, position: Line, move: int) -> str:
        after = self.game.after(position, move)
        if after.won:
            return f"with {move} you hold the numbers that win"
        mine, theirs = after.owned(position.mover), after.owned(after.mover)
        taken = mine | theirs
        danger = self._some(theirs, taken)
        if danger:
            return f"{move} lets them claim {danger[0]} and win"
        threats = self._some(mine, taken)
        if len(threats) > 1:
            return f"{move} threatens {threats[0]} and {threats[1]}: they can stop only one"
        verdict = self.solve(after)
        if threats:
            result = "wins" if verdict.value == "loss" else "does not win"
            return f"{move} threatens {threats[0]}, which they must take; that {result}"
        if verdict.value == "loss":
            return f"{move} leaves no good answer: you win within {verdict.distance} more moves"
        return f"{move} is too slow: they win in {verdict.distance} moves"


class PairTheory(LineTheory):
    """Three numbers with one relation among them: whoever first holds three nearly always wins."""

    def verdict(self, mine: frozenset[int], theirs: frozenset[int]) -> Verdict:
        taken = mine | theirs
        if len(theirs) < 2:
            return (Verdict("win", 5), Verdict("loss", 4), Verdict("win", 3))[len(taken)]
        if self._some(mine, taken):
            return Verdict("win", 1)
        return Verdict("loss", 2) if len(self._some(theirs, taken)) > 1 else Verdict("win", 3)

    def proofs(self, position: Line) -> tuple[Proof, ...]:
        mine, theirs = position.owned(position.mover), position.owned(3 - position.mover)
        taken = mine | theirs
        claims = self._some(mine, taken)[:1] or self._some(theirs, taken)
        return (Proof("pair", {"claims": claims}, distance=True),)

    def cost(self, position: Line) -> Cost:
        size = self.game.settings.size
        values = 2e-5 * size * (1 + size**0.5 / 100)  # for the divisors of each number
        return Cost(0.001, values, values)

    def winning_claims(self, held: Collection[int], taken: Collection[int]) -> Iterator[int]:
        size = self.game.settings.size
        if len(held) < 2:
            return
        if len(held) == 2 and related(*held):
            yield from (n for n in range(1, size + 1) if n not in taken)
            return
        seen = set(taken)
        for one in held:
            for n in chain(proper_divisors(one), range(2 * one, size + 1, one)):
                if n not in seen:
                    seen.add(n)
                    yield n


class ChainTheory(LineTheory):
    """Three numbers, each dividing the next: a search for the quickest forced win."""

    @cached_property
    def _search(self) -> ClaimSearch:
        size = self.game.settings.size
        if size > LONGEST_CHAIN_LINE:
            raise TooLarge(
                f"chains are solved up to a size of {LONGEST_CHAIN_LINE:,}, not {size:,}"
            )
        return ClaimSearch((2 << size) - 2, self._threats, self._alive)

    def verdict(self, mine: frozenset[int], theirs: frozenset[int]) -> Verdict:
        return self._search.solve(_mask(mine), _mask(theirs))

    def proofs(self, position: Line) -> tuple[Proof, ...]:
        mover = position.mover
        state = _mask(position.owned(mover)), _mask(position.owned(3 - mover)), False
        value, distance = self.solve(position)
        assert distance is not None
        strategies, wins = Strategies(Claiming(self._search)), value == "win"
        strategy = {"wins": strategies.wins(state, distance, mover=wins)}
        try:
            strategy["holds"] = strategies.holds(state, distance - 1, mover=not wins)
        except TooLarge:
            return (Proof("strategy", strategy, distance=False),)
        return (Proof("strategy", strategy, distance=True),)

    def cost(self, position: Line) -> Cost:
        size = min(self.game.settings.size, LONGEST_CHAIN_LINE + 1)  # beyond, it is refused at once
        values = 8e-7 * size**3 / (1 + len(position.crosses | position.noughts))
        return Cost(1e-5 * size**2, values, values)

    def winning_claims(self, held: Collection[int], taken: Collection[int]) -> Iterator[int]:
        return iter(_numbers(self._threats(_mask(held)) & ~_mask(taken)))

    @cached_property
    def _thirds(self) -> dict[tuple[int, int], int]:
        """For each two related numbers, the smaller first, what makes a chain of three of them."""
        size = self.game.settings.size
        thirds: dict[tuple[int, int], int] = {}
        for a in range(1, size + 1):
            for b in range(2 * a, size + 1, a):
                for c in range(2 * b, size + 1, b):
                    for pair, third in (((a, b), c), ((a, c), b), ((b, c), a)):
                        thirds[pair] = thirds.get(pair, 0) | 1 << third
        return thirds

    @cached_property
    def _known_threats(self) -> dict[int, int]:
        return {0: 0}

    def _threats(self, held: int) -> int:
        """What completes a chain for the holder of these numbers."""
        found = self._known_threats.get(held)
        if found is None:
            largest = held.bit_length() - 1
            rest = held ^ 1 << largest
            found = self._threats(rest)
            for number in _numbers(rest):
                found |= self._thirds.get((number, largest), 0)
            self._known_threats[held] = found
        return found

    @cached_property
    def _known_alive(self) -> dict[int, int]:
        return {}

    def _alive(self, mine: int, theirs: int) -> int:
        """The numbers that some chain still needs."""
        return self._alive_beside(mine) | self._alive_beside(theirs)

    def _alive_beside(self, taken: int) -> int:
        found = self._known_alive.get(taken)
        if found is None:
            found = 0
            for pair, thirds in self._thirds.items():
                both = 1 << pair[0] | 1 << pair[1]
                if not both & taken and thirds & ~taken:
                    found |= both
            self._known_alive[taken] = found
        return found


def _mask(numbers: Collection[int]) -> int:
    return sum(1 << number for number in numbers)


def _numbers(mask: int) -> list[int]:
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
