"""The exact solution of Divisor Line. The proofs are in docs/theory.md."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, cached_property
from itertools import chain, islice

from numduel.core.errors import TooLarge
from numduel.core.proof_parts import Proof
from numduel.core.theory import CHEAP, Cost, Explanation, Theory
from numduel.core.verdict import Verdict
from numduel.games.divisor_line.rules import DivisorLine, Line, related
from numduel.games.divisors import proper_divisors
from numduel.solver.claims import (
    MAX_SEARCHED_CLAIMS,
    ClaimSearch,
    ClaimsState,
    ClaimStrategySearch,
    Side,
    bits,
    mask_of,
)
from numduel.solver.strategy import Strategies

MAX_CHAIN_SIZE = 10_000
"""Maximum size of a line, with the goal chain, whose positions are solved."""

MAX_CHAIN_SIZE_FOR_MOVES = 2_000
"""Maximum size of a line, with the goal chain, of which each move is solved."""


def new_theory(game: DivisorLine) -> Theory[Line]:
    return PairTheory(game) if game.settings.goal == "pair" else ChainTheory(game)


class LineTheory(Theory[Line]):
    game: DivisorLine

    def solve(self, position: Line) -> Verdict:
        if position.won:
            return Verdict("loss", 0)
        return self.verdict(*position.sides)

    def verdict(self, mine: frozenset[int], theirs: frozenset[int]) -> Verdict:
        """Return the verdict for the mover, who holds `mine`."""
        raise NotImplementedError

    def winning_claims(self, held: Collection[int], taken: Collection[int]) -> Iterator[int]:
        """Yield the numbers, other than those `taken`, with which the holder of `held` wins."""
        raise NotImplementedError

    def _two_claims(self, held: Collection[int], taken: Collection[int]) -> list[int]:
        """Return the first two winning claims, or fewer if there are not as many."""
        return list(islice(self.winning_claims(held, taken), 2))

    def explanation(self, position: Line, move: int) -> Explanation:
        after = self.game.after(position, move)
        if after.won:
            return Explanation("end", Verdict("win", 1))
        mine, theirs = after.owned(position.mover), after.owned(after.mover)
        taken = mine | theirs
        verdict = self.solve(after).before(same_mover=False)
        if verdict.value == "loss":
            answer = self._two_claims(theirs, taken)[:1] or [self.sound_move(after)]
            return Explanation("answer", verdict, tuple(answer))
        threats = tuple(self._two_claims(mine, taken))
        if len(threats) > 1:
            return Explanation("fork", verdict, threats)
        if self._two_claims(theirs, taken - {move}):
            return Explanation("block", verdict, threats)
        return Explanation("threat" if threats else "verdict", verdict, threats)


class PairTheory(LineTheory):
    """The goal `pair`: whoever is first to hold three numbers nearly always wins."""

    def verdict(self, mine: frozenset[int], theirs: frozenset[int]) -> Verdict:
        taken = mine | theirs
        if len(theirs) < 2:
            return (Verdict("win", 5), Verdict("loss", 4), Verdict("win", 3))[len(taken)]
        if self._two_claims(mine, taken):
            return Verdict("win", 1)
        return Verdict("loss", 2) if len(self._two_claims(theirs, taken)) > 1 else Verdict("win", 3)

    def sound_move(self, position: Line) -> int:
        mine, theirs = position.sides
        taken = mine | theirs
        best_claims = [*self._two_claims(mine, taken), *self._two_claims(theirs, taken)]
        small_first = range(1, self.game.size + 1)  # small numbers have the most relations
        free = (number for number in chain(best_claims, small_first) if number not in taken)
        if self.solve(position).value == "loss":
            return next(free)  # a number that would win for the opponent, if there is one
        return next(n for n in free if self.solve(self.game.after(position, n)).value == "loss")

    def proofs(self, position: Line) -> tuple[Proof, ...]:
        mine, theirs = position.sides
        taken = mine | theirs
        claims = self._two_claims(mine, taken)[:1] or self._two_claims(theirs, taken)
        return (Proof("pair", {"claims": claims}, distance=True),)

    def cost(self, position: Line) -> Cost:
        size = self.game.size
        values = 2e-5 * size * (1 + size**0.5 / 100)  # for the divisors of each number
        return Cost(0.001, values, values)

    def winning_claims(self, held: Collection[int], taken: Collection[int]) -> Iterator[int]:
        size = self.game.size
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
    """The goal `chain`: a search for the quickest forced win."""

    @cached_property
    def _search(self) -> ClaimSearch:
        size = self.game.size
        if size > MAX_CHAIN_SIZE:
            raise TooLarge(f"chains are solved up to a size of {MAX_CHAIN_SIZE:,}, not {size:,}")
        most = MAX_SEARCHED_CLAIMS // (1 + size // 4000)  # takes about the same time at any size
        return ClaimSearch(Chains(size), most)

    def verdict(self, mine: frozenset[int], theirs: frozenset[int]) -> Verdict:
        self._search.reset()
        return self._search.solve(self._side(mine), self._side(theirs))

    def evaluate(self, position: Line) -> dict[int, Verdict]:
        size = self.game.size
        if size > MAX_CHAIN_SIZE_FOR_MOVES:
            raise TooLarge(
                f"chains are solved move by move up to a size of {MAX_CHAIN_SIZE_FOR_MOVES:,}, "
                f"not {size:,}"
            )
        self._search.reset()
        mine, theirs, _ = self._state(position)
        found = {}
        for move in self.game.moves(position):
            if mine.wins >> move & 1:
                found[move] = Verdict("win", 1)
            else:
                verdict = self._search.solve(theirs, self._search.after(mine, 1 << move))
                found[move] = verdict.before(same_mover=False)
        return found

    def sound_move(self, position: Line) -> int:
        """Return a move that wins soonest. If all moves lose, return one that answers a threat."""
        self._search.reset()
        state, claiming = self._state(position), ClaimStrategySearch(self._search)
        value, distance = self._search.solve(state.mine, state.theirs)
        assert distance is not None
        return next(
            move
            for move in claiming.moves(state)
            if value == "loss" or claiming.loses(claiming.after(state, move), distance - 1)
        )

    def proofs(self, position: Line) -> tuple[Proof, ...]:
        value, distance = self.solve(position)
        assert distance is not None
        strategies, wins = Strategies(ClaimStrategySearch(self._search)), value == "win"
        state = self._state(position)
        strategy = {"wins": strategies.wins(state, distance, mover=wins)}
        try:
            strategy["holds"] = strategies.holds(state, distance - 1, mover=not wins)
        except TooLarge:
            return (Proof("strategy", strategy, distance=False),)
        return (Proof("strategy", strategy, distance=True),)

    def cost(self, position: Line) -> Cost:
        size = self.game.size
        cost = CHEAP  # a refusal takes no time
        if size <= MAX_CHAIN_SIZE:
            cost = cost._replace(solve=1e-4 * size)
        if size <= MAX_CHAIN_SIZE_FOR_MOVES:
            cost = cost._replace(values=1e-6 * size**2, evaluate=1e-6 * size**2)
        return cost

    def winning_claims(self, held: Collection[int], taken: Collection[int]) -> Iterator[int]:
        wins = self._side(held).wins & ~mask_of(taken)
        return (claim.bit_length() - 1 for claim in bits(wins))

    def _state(self, position: Line) -> ClaimsState:
        mine, theirs = map(self._side, position.sides)
        return ClaimsState(mine, theirs)

    def _side(self, held: Collection[int]) -> Side:
        return self._search.side(mask_of(held))


class Chains:
    """Chains of three on a line, for `ClaimSearch`. Sets of numbers are bit masks."""

    def __init__(self, size: int) -> None:
        self.board = (2 << size) - 2
        self._size = size
        self._below = cache(lambda number: mask_of(proper_divisors(number)))
        self._above = cache(self._multiples)

    def new_wins(self, held: int, claim: int) -> int:
        """Return the numbers that complete a chain with the claimed number and a held one."""
        number = claim.bit_length() - 1
        below, above = self._below(number), self._above(number)
        found = 0
        for one in bits(held & below):
            other = one.bit_length() - 1
            found |= self._below(other) | self._above(other) & below | above
        for one in bits(held & above):
            other = one.bit_length() - 1
            found |= self._above(other) | self._below(other) & above | below
        return found

    def near(self, claim: int) -> int:
        """Return the numbers that are related to the claimed one."""
        number = claim.bit_length() - 1
        return self._below(number) | self._above(number)

    def matters(self, claim: int, mine: int, theirs: int) -> bool:
        """Return whether either side can still complete a chain with the claimed number."""
        number = claim.bit_length() - 1
        return self._in_chain(number, ~mine) or self._in_chain(number, ~theirs)

    def _in_chain(self, number: int, among: int) -> bool:
        """Return whether the number forms a chain with two numbers of `among`."""
        below, above = self._below(number) & among, self._above(number) & among
        if below and above:
            return True
        return any(self._below(one.bit_length() - 1) & among for one in bits(below)) or any(
            self._above(one.bit_length() - 1) & among for one in bits(above)
        )

    def _multiples(self, number: int) -> int:
        found, step = 1 << number, number
        while step <= self._size:
            found |= found << step
            step *= 2
        return found & self.board & ~(1 << number)
