"""The rules of Divisor Line over arrays."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

from numduel.core.array_rules import ArrayRules, Signs
from numduel.core.bitset import Array, Bitset, difference, intersection, nonempty, union
from numduel.games.divisor_line.rules import DivisorLine, Line
from numduel.games.divisors import proper_divisors


class LineState(NamedTuple):
    mine: Bitset  # the places of the mover's numbers
    mine_known: Bitset  # what the rules know of these numbers, to see wins quickly
    theirs: Bitset  # the same of the opponent
    theirs_known: Bitset
    mover: Array
    winner: Array


class LineRules(ArrayRules):
    """The rules that both goals share. Number n has place n - 1."""

    game: DivisorLine
    known_sets: int  # number of sets in `mine_known` and in `theirs_known`

    def __init__(self, game: DivisorLine, xp: Any, word_bits: int = 32) -> None:
        super().__init__(game, xp, word_bits)
        numbers = range(1, self.count + 1)
        self.all = self.sets.constant(range(self.count))
        self.below = self.sets.table([n - 1 for n in proper_divisors(one)] for one in numbers)
        self.above = self.sets.table(range(2 * one - 1, self.count, one) for one in numbers)

    @abstractmethod
    def claim(self, held: Bitset, known: Bitset, action: Array) -> tuple[Bitset, Bitset, Array]:
        """Return the numbers with one more, what is known of them, and whether it wins."""

    def begin(self, first: Array) -> LineState:
        none = self.sets.constant((), first.shape)
        known = none * self.known_sets
        return LineState(none, known, none, known, first, self.winner_at_start(first))

    def moves(self, state: LineState) -> Bitset:
        return difference(self.all, union(state.mine, state.theirs))

    def after(self, state: LineState, action: Array) -> LineState:
        mine, known, theirs, theirs_known, mover, _ = state
        mine, known, won = self.claim(mine, known, action)
        return LineState(theirs, theirs_known, mine, known, 3 - mover, mover * won)

    def encode(self, state: LineState) -> Array:
        crosses = self.sets.where(state.mover == 1, state.mine, state.theirs)
        noughts = difference(union(state.mine, state.theirs), crosses)
        first = [state.mover, state.winner != 0]
        return self.sets.vectors(self.encoded, first, crosses, noughts)

    def position(self, state: LineState) -> Line:
        mine, theirs = (
            frozenset(place + 1 for place in self.sets.members(held))
            for held in (state.mine, state.theirs)
        )
        mover, won = int(state.mover), bool(state.winner)
        return Line(mine, theirs, 1, won) if mover == 1 else Line(theirs, mine, 2, won)


class PairRules(LineRules):
    """The goal `pair`. The known set holds all numbers related to one that the player holds."""

    known_sets = 1

    def __init__(self, game: DivisorLine, xp: Any, word_bits: int = 32) -> None:
        super().__init__(game, xp, word_bits)
        self.near = union(self.below, self.above)

    def claim(self, held: Bitset, known: Bitset, action: Array) -> tuple[Bitset, Bitset, Array]:
        sets, three = self.sets, self.sets.size(held) >= 2
        held = union(held, sets.single(action))
        won = three & nonempty(intersection(known, held))
        return held, union(known, sets.look_up(self.near, action)), won

    def prepare_verdicts(self) -> None:
        """Do nothing, as no verdict is looked up."""

    def ongoing_verdict(self, state: LineState) -> Signs:
        """Return the same as `PairTheory.verdict`, by what each side threatens."""
        sets, select, free = self.sets, self.sets.select, self.moves(state)
        wins_now = nonempty(self._threats(state.mine, state.mine_known, free))
        in_danger = sets.size(self._threats(state.theirs, state.theirs_known, free)) > 1
        sign = select(in_danger & ~wins_now, -1, 1)
        distance = select(wins_now, 1, select(in_danger, 2, 3))
        mine, theirs = (sets.size(held) for held in (state.mine, state.theirs))
        early, odd = theirs < 2, theirs != mine
        return Signs(
            select(early, select(odd, -1, 1), sign),
            select(early, 5 - (mine + theirs).astype(self.xp.int8), distance),
        )

    def _threats(self, held: Bitset, known: Bitset, free: Bitset) -> Bitset:
        """Return the free numbers with which the holder of some numbers would win."""
        sets, paired = self.sets, nonempty(intersection(known, held))
        threats = sets.where(paired, free, intersection(known, free))
        return sets.masked(threats, sets.size(held) >= 2)


class ChainRules(LineRules):
    """The goal `chain`.

    Of the numbers that a player holds, the first known set has those that are multiples of
    another, the second those that are divisors of another.
    """

    known_sets = 2

    def claim(self, held: Bitset, known: Bitset, action: Array) -> tuple[Bitset, Bitset, Array]:
        sets, words = self.sets, self.sets.words
        multiples, divisors = known[:words], known[words:]
        below = intersection(held, sets.look_up(self.below, action))
        above = intersection(held, sets.look_up(self.above, action))
        has_below, has_above = nonempty(below), nonempty(above)
        between = has_below & has_above
        won = between | nonempty(
            union(intersection(below, multiples), intersection(above, divisors))
        )
        here = sets.single(action)
        multiples, divisors = union(multiples, above), union(divisors, below)
        multiples = sets.where(has_below, union(multiples, here), multiples)
        divisors = sets.where(has_above, union(divisors, here), divisors)
        return union(held, here), multiples + divisors, won


def new_rules(game: DivisorLine, xp: Any, word_bits: int) -> LineRules:
    return (PairRules if game.settings.goal == "pair" else ChainRules)(game, xp, word_bits)
