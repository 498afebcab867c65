"""The exact solution of Multiplicity. The proofs are in docs/theory.md."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.proof_parts import Proof
from numduel.core.theory import Cost, Explanation, Pairing, Theory
from numduel.core.verdict import Value, Verdict
from numduel.games import divisors
from numduel.games.divisors import proper_divisors
from numduel.games.multiplicity.proof import WALKER
from numduel.games.multiplicity.rules import Multiplicity, Walk
from numduel.solver.compiled import compile_module, is_loaded
from numduel.solver.flat_arrays import Graph, zeros
from numduel.solver.geography import Distances, Walks
from numduel.solver.strategy import Strategies

MAX_PLAIN_SIZE = 2_000
"""Maximum size for the plain solvers if the compiled ones are loaded."""

MAX_PLAIN_SIZE_UNCOMPILED = 50_000
"""Maximum size for them otherwise: there they take about as long as loading the compiled ones."""

MAX_LOOKS_FOR_DISTANCE = 300
"""Maximum number of positions looked at to find the distance of a verdict."""

MAX_LOOKS_FOR_STRATEGY = 20_000
"""Maximum number of positions looked at to find the strategies that prove a distance."""

MAX_SIZE_FOR_DISTANCE = 300
"""Maximum size for which `solve` looks for the distance."""

MAX_SIZE_FOR_LONG_SEARCH = 1_000
"""Maximum size for the longer search that `distance` makes."""

MAX_PLAIN_LOOKS, MAX_COMPILED_LOOKS = 500_000, 50_000_000
"""Maximum number of positions looked at there, times the size. Each form takes a few seconds."""

MAX_CANONICAL_SIZE = 100_000
"""Maximum size for which `sound_move` takes the smallest winning move. Above it, the move
depends on earlier questions."""

MAX_DOMINOES = 6
"""Maximum number of pairs in an explanation, besides those of the replies."""

MAX_EXPLAINED_REPLIES = 100
"""Maximum number of replies whose pairs are in an explanation."""

MAX_PAIRING_SIZE = 1_000
"""Maximum size for which the complete pairing is listed."""

MAX_DEAD_END_LOOKS = 30
"""Maximum number of moves that are tried for an immediate win before a matching is found."""


class Primes(NamedTuple):
    """Primes that prove a win from a start at 1, by the theorem of docs/theory.md."""

    primes: list[int]  # three from a quarter to a third of the size: twice any of them wins
    above: int | None  # one above half of the size, which is needed if the start is open


class MultiplicityTheory(Theory[Walk]):
    """A step to a number wins if some maximum matching of the unchosen numbers misses it."""

    game: Multiplicity
    _last_mates: tuple[Set[int], Any] | None = None  # chosen numbers, and the partners of the rest

    @cached_property
    def _graph(self) -> Graph:
        return divisor_graph(self.game.size)

    @cached_property
    def _walks(self) -> Walks:
        return Walks(self._graph)

    @cached_property
    def primes(self) -> Primes | None:
        """The primes that prove a win from the start, or None if there are none."""
        settings, size = self.game.settings, self.game.size
        low = (p for p in range(size // 3, size // 4, -1) if proper_divisors(p) == (1,))
        high = (p for p in range(size, size // 2, -1) if proper_divisors(p) == (1,))
        three = list(islice(low, 3))[::-1]
        if settings.start != 1 or len(three) < 3:
            return None
        return Primes(three, next(high) if settings.start_open else None)

    def _wins_by_primes(self, position: Walk) -> Primes | None:
        return self.primes if position == self.game.begin(position.mover) else None

    @cached_property
    def _distances(self) -> Distances | None:
        if self.game.size > MAX_SIZE_FOR_DISTANCE:
            return None
        return Distances(self._graph, MAX_LOOKS_FOR_DISTANCE)

    def cost(self, position: Walk) -> Cost:
        size = self.game.size
        if size <= MAX_PLAIN_SIZE_UNCOMPILED:
            values, once = 1e-5 * size, 5e-5 * size
        else:
            values, once = 1e-6 * size, 4 + 1e-5 * size  # numba is loaded, and may compile
        if size > MAX_SIZE_FOR_DISTANCE:
            return Cost(values, values, values, once)
        distance = 5e-5 * size
        moves = len(self.game.moves(position))
        return Cost(values + distance, values, values + distance * moves, once)

    def solve(self, position: Walk) -> Verdict:
        if self.game.outcome(position) is not None:
            return Verdict("loss", 0)
        if self._distances is None and self._wins_by_primes(position):
            return Verdict("win")
        value: Value = "win" if self._winning_step(position) else "loss"
        return Verdict(value, self._distance(position, value == "loss"))

    def distance(self, position: Walk) -> int | None:
        known = self.solve(position).distance
        if known is not None:
            return known
        size = self.game.size
        if size > MAX_SIZE_FOR_LONG_SEARCH:
            raise TooLarge(
                f"distances are searched for up to a size of {MAX_SIZE_FOR_LONG_SEARCH:,}, "
                f"not {size:,}"
            )
        lost = not self._winning_step(position)
        for plain, most, places in (
            (True, MAX_PLAIN_LOOKS, 2**13),
            (False, MAX_COMPILED_LOOKS, 2**18),
        ):
            distances = Distances(divisor_graph(size, plain), most // size, places)
            distances.set_position(position.chosen, self.game.moves(position))
            known = distances.here(lost)
            if known is not None:
                return known
        raise TooLarge(f"the distance takes more than {most // size:,} positions to look at")

    def values(self, position: Walk) -> dict[int, Value]:
        moves = self.game.moves(position)
        winning = self._walks.winning_steps(position.chosen, moves)
        return {move: "win" if move in winning else "loss" for move in moves}

    def evaluate(self, position: Walk) -> dict[int, Verdict]:
        values = self.values(position)
        distances = self._distances
        if distances is None:
            verdicts = {value: Verdict(value) for value in values.values()}
            return {move: verdicts[value] for move, value in values.items()}
        distances.set_position(position.chosen, tuple(values))
        found = {}
        for move, value in values.items():
            after = distances.after(move, lost=value == "win")
            found[move] = Verdict(value, None if after is None else after + 1)
        return found

    def evaluate_many(self, positions: Sequence[Walk]) -> list[dict[int, Verdict]]:
        from numduel.games.multiplicity.bulk import bulk_for

        bulk = bulk_for(self.game, len(positions))
        return super().evaluate_many(positions) if bulk is None else bulk.evaluate(positions)

    def sound_move(self, position: Walk) -> int:
        return self._winning_move(position) or self._late_loss(position, self.game.moves(position))

    def _winning_move(self, position: Walk) -> int:
        """Return a move that wins, preferably at once; 0 if there is none."""
        for move in islice(self.game.largest_moves(position), MAX_DEAD_END_LOOKS):
            if self._ends_game(position, move):
                return move  # most moves that win at once are large
        if self.game.size <= MAX_CANONICAL_SIZE:
            moves = self.game.moves(position)
            return min(self._walks.winning_steps(position.chosen, moves), default=0)
        return self._winning_step(position)

    def _late_loss(self, position: Walk, moves: tuple[int, ...]) -> int:
        """Return a move that does not lose at once, if there is one among moves that all lose."""
        for move in moves[:MAX_DEAD_END_LOOKS]:
            after = self.game.after(position, move)
            replies = islice(self.game.largest_moves(after), MAX_DEAD_END_LOOKS)
            if not any(self._ends_game(after, reply) for reply in replies):
                return move
        return moves[0]

    def _ends_game(self, position: Walk, move: int) -> bool:
        return self.game.outcome(self.game.after(position, move)) is not None

    def _winning_step(self, position: Walk) -> int:
        """Return a move that wins, or 0. Which one it is depends on earlier questions."""
        if position.number in position.chosen and not self.game.opens_even(position):
            return self._walks.reply(position.chosen, position.number)
        return min(self._walks.winning_steps(position.chosen, self.game.moves(position)), default=0)

    def explanation(self, position: Walk, move: int) -> Explanation:
        after = self.game.after(position, move)
        if self.game.outcome(after) is not None:
            return Explanation("end", Verdict("win", 1))
        prime_moves = self._doubled_primes(position)
        reply = self._winning_move(after)
        if reply and self._ends_game(after, reply):
            return Explanation("answer", Verdict("loss", 2), (reply,), landings=prime_moves)
        far = self._distance(after, lost=not reply)
        verdict = Verdict("loss" if reply else "win", None if far is None else far + 1)
        if reply:
            partner = self._partner(position, move)
            return Explanation("answer", verdict, (partner,), landings=prime_moves)
        replies = self.game.moves(after)[:MAX_EXPLAINED_REPLIES]
        pairs = self._walks.partners(after.chosen, replies, MAX_DOMINOES)
        return Explanation("pairs", verdict, pairs=pairs, landings=prime_moves)

    def _partner(self, position: Walk, move: int) -> int:
        """Return the reply to a losing move. All such moves get their replies from one matching."""
        if self._last_mates is None or self._last_mates[0] != position.chosen:
            is_small = self.game.size <= MAX_PLAIN_SIZE  # then a new matching costs little
            walks = Walks(self._graph, position.chosen) if is_small else self._walks
            self._last_mates = position.chosen, walks.mates(position.chosen)
        return int(self._last_mates[1][move])

    def _doubled_primes(self, position: Walk) -> tuple[tuple[int, Value], ...]:
        """Return the first moves that win as twice a prime, unless an easier rule applies."""
        settings = self.game.settings
        if settings.opening == "any" and not settings.start_open:
            return ()  # any prime above half of the size wins at once
        primes = self._wins_by_primes(position)
        return tuple((2 * prime, "win") for prime in primes.primes) if primes else ()

    def pairing(self, position: Walk) -> Pairing:
        size, chosen = self.game.size, position.chosen
        if size > MAX_PAIRING_SIZE:
            raise TooLarge(
                f"pairings are listed up to a size of {MAX_PAIRING_SIZE:,}, not {size:,}"
            )
        _, pairs, _, parts = self._walks.evidence(chosen, ())
        edges = [
            (number, multiple)
            for number in range(1, size + 1)
            for multiple in range(2 * number, size + 1, number)
            if not chosen & {number, multiple}
        ]
        missed = {number for part in parts for number in part}
        return Pairing(edges, [(a, b) for a, b in pairs], missed)

    def proofs(self, position: Walk) -> tuple[Proof, ...]:
        primes = self._wins_by_primes(position) if self._distances is None else None
        if primes:
            return (Proof("primes", primes._asdict(), distance=False),)
        moves = self.game.moves(position)
        walker, pairs, apart, parts = self._walks.evidence(position.chosen, moves)
        if walker:
            pairs.append([WALKER, walker])
        cut = {"apart": apart, "parts": [part if part[1:] else part[0] for part in parts]}
        matching = Proof("matching", {"pairs": pairs, **cut}, distance=False)
        distance = self._distance(position, lost=not walker)
        if distance is None:
            return (matching,)
        strategies = Strategies(_DistanceSearch(self.game, self._graph))
        try:
            wins = strategies.wins(position, distance, mover=walker > 0)
            holds = strategies.holds(position, distance - 1, mover=walker == 0)
        except TooLarge:
            return (matching,)
        return matching, Proof("strategy", {"wins": wins, "holds": holds}, distance=True)

    def _distance(self, position: Walk, lost: bool) -> int | None:
        """Return the number of moves to the end of a position of known value; None if unknown."""
        if self._distances is None:
            return None
        self._distances.set_position(position.chosen, self.game.moves(position))
        return self._distances.here(lost)


new_theory = MultiplicityTheory


def divisor_graph(size: int, plain: bool | None = None) -> Graph:
    """Return the graph that joins each number to its divisors and multiples.

    A `plain` graph is made of lists, others of NumPy arrays. By default the size decides.
    """
    if plain is None:
        plain = size <= (MAX_PLAIN_SIZE if is_loaded() else MAX_PLAIN_SIZE_UNCOMPILED)
    builder: Any = divisors if plain else compile_module(divisors.__name__)
    offsets = zeros(plain, size + 2, kind="int64")
    builder.count_neighbours(size, offsets)
    targets = zeros(plain, offsets[size + 1])
    builder.list_neighbours(size, offsets, targets)
    return Graph(offsets, targets)


class _DistanceSearch:
    """The search for distances, with the interface that `Strategies` needs."""

    def __init__(self, game: Multiplicity, graph: Graph) -> None:
        self._game = game
        self._distances = Distances(graph, MAX_LOOKS_FOR_STRATEGY)

    def moves(self, position: Walk) -> tuple[int, ...]:
        return self._game.moves(position)

    def after(self, position: Walk, move: int) -> Walk:
        return self._game.after(position, move)

    def wins(self, position: Walk, within: int) -> bool:
        self._distances.set_position(position.chosen, self._game.moves(position))
        return self._distances.ends_within(within - 1 + within % 2)

    def loses(self, position: Walk, within: int) -> bool:
        self._distances.set_position(position.chosen, self._game.moves(position))
        return self._distances.ends_within(within - within % 2)
