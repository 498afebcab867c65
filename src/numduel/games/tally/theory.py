"""The exact solution of the tally games. The proofs are in docs/theory.md."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from numduel.core.errors import TooLarge
from numduel.core.numerals import shown
from numduel.core.proof import Proof
from numduel.core.scene import MAX_DRAWN
from numduel.core.theory import CHEAP, Cost, Explanation, Theory
from numduel.core.verdict import TURNED, Value, Verdict, ended_verdict
from numduel.games.tally.proof import MAX_NUMBER_LABELS, verdict_of
from numduel.games.tally.rules import Tally, TallyGame
from numduel.solver import retrograde as plain
from numduel.solver.compiled import compiled
from numduel.solver.flat_arrays import numbers, zeros
from numduel.solver.periodic_labels import MAX_STEPS, Runs
from numduel.solver.reference import Reference

MAX_PLAIN_CEILING = 100_000
"""Maximum ceiling for the plain retrograde analysis."""

MAX_COMPILED_CEILING = 100_000_000
"""Maximum ceiling for the compiled one. Above it, labels are found in runs if numbers only grow."""

FEW_STEPS = 10_000
"""Number of steps that take a moment."""


def new_theory(game: TallyGame) -> Theory[Tally]:
    """Return the theory that fits the game's settings: a closed form if there is one."""
    if game.ceiling is None:
        return ResiduesTheory(game) if game.adds_or_doubles else Reference(game)
    if game.ceiling == game.goal and game.adds_or_doubles:
        return RaceTheory(game)
    if game.ceiling > MAX_COMPILED_CEILING and not game.subtracts:
        return RunsTheory(game)
    return RetrogradeTheory(game)


class TallyTheory(Theory[Tally]):
    """What the solutions share: only the number counts, not who moves."""

    game: TallyGame

    def solve(self, position: Tally) -> Verdict:
        outcome = self.game.outcome(position)
        if outcome is not None:
            return ended_verdict(outcome, position.mover)
        return self.verdict(position.number)

    def verdict(self, number: int) -> Verdict:
        """Return the verdict of a number at which the game goes on."""
        raise NotImplementedError

    def explanation(self, position: Tally, move: int) -> Explanation:
        found = super().explanation(position, move)
        if found.kind == "verdict" and found.verdict.value == "win":
            after = self.game.after(position, move)
            replies = {reply: self.game.after(after, reply) for reply in self.game.moves(after)}
            pairs = tuple(
                (reply, self.sound_move(follows))
                for reply, follows in replies.items()
                if not follows.ended
            )
            found = found._replace(kind="pairs", pairs=pairs)
        return found._replace(landings=self.landings(position))

    def landings(self, position: Tally) -> tuple[tuple[int, Value], ...]:
        """Return the numbers that are good to land on, up to the ceiling, if it is near."""
        top, number = self.game.ceiling or 0, position.number
        ahead = range(number + 1, top + 1 if top - number <= MAX_DRAWN else 0)
        return tuple(
            (n, "win") for n in ahead if not n % self.game.goal or self.verdict(n).value == "loss"
        )


class ResiduesTheory(TallyTheory):
    """Divisor Duel with no ceiling: only N mod D matters.

    The mover wins at once at D - 1, at D / 2 and at 0. From D = 9 on, nothing else is decided.
    """

    def verdict(self, number: int) -> Verdict:
        divisor = self.game.goal
        residue = number % divisor
        if divisor <= len(_SMALL_DIVISORS):
            return as_verdict(_SMALL_DIVISORS[divisor - 1][residue])
        if residue in (0, divisor - 1) or 2 * residue == divisor:
            return Verdict("win", 1)
        return Verdict("endless")

    def proofs(self, position: Tally) -> tuple[Proof, ...]:
        divisor = self.game.goal
        if divisor <= len(_SMALL_DIVISORS):
            labels = {"labels": _SMALL_DIVISORS[divisor - 1]}
            return (Proof("remainders", labels, distance=True),)
        remainder = {"remainder": position.number % divisor}
        return (Proof("divisor", remainder, distance=True),)

    def landings(self, position: Tally) -> tuple[tuple[int, Value], ...]:
        """Return the remainders that are good or bad to leave, as far as is drawn."""
        rests = range(1, self.game.goal if self.game.goal <= MAX_DRAWN else 1)
        values = ((rest, self.verdict(rest).value) for rest in rests)
        return tuple((rest, TURNED[value]) for rest, value in values if value != "endless")


def _residues(divisor: int) -> list[int]:
    found = [0] * divisor
    plain.settle_residues([1, 2], [1, 0], divisor, found)
    return found


_SMALL_DIVISORS = [_residues(divisor) for divisor in range(1, 9)]


class RaceTheory(TallyTheory):
    """Add one or double, to the target exactly: a closed form for a target of any length.

    Layer k is the numbers above T >> (k + 1), up to T >> k. Let e be the lowest even place of a
    one in T's binary digits. Below layer e the layers take turns: in even layers the even numbers
    lose, in odd layers everything wins, by doubling. From layer e on the odd numbers lose.
    """

    @cached_property
    def first_odd_layer(self) -> int:
        target = self.game.goal
        evens = int.from_bytes(b"\x55" * (target.bit_length() // 8 + 1), "big")
        places = target & evens
        return (places & -places).bit_length() - 1 if places else target.bit_length()

    def layer(self, number: int) -> int:
        """Return the layer that a number below the target lies in."""
        target = self.game.goal
        k = target.bit_length() - number.bit_length()
        return k if number <= target >> k else k - 1

    def verdict(self, number: int) -> Verdict:
        k = self.layer(number)
        if k < self.first_odd_layer and k % 2:
            return Verdict("win", 1 + self._distance(2 * number, k - 1))
        losing = number % 2 == (1 if k >= self.first_odd_layer else 0)
        return Verdict("loss" if losing else "win", self._distance(number, k))

    def _distance(self, number: int, k: int) -> int:
        """Return the moves to the end from a layer in which wins and losses alternate.

        Both sides add one, except that somebody doubles over each layer of wins on the way: what
        those doublings pass is not counted.
        """
        target = self.game.goal
        highest = min(k - k % 2, self.first_odd_layer)
        passed = sum(target >> even for even in range(2, highest + 1, 2))
        return target - number - passed

    def proofs(self, position: Tally) -> tuple[Proof, ...]:
        first = self.first_odd_layer
        odd_from = None if first == self.game.goal.bit_length() else first
        layers = {"layer": self.layer(position.number), "odd_from": odd_from}
        return (Proof("race", layers, distance=True),)


class LabelsTheory(TallyTheory):
    """Any operations below a ceiling, by labels: verdicts as `solver.retrograde` writes them."""

    def label(self, number: int) -> int:
        """Return the label of a number up to the ceiling."""
        raise NotImplementedError

    def verdict(self, number: int) -> Verdict:
        return as_verdict(self.label(number))

    def proofs(self, position: Tally) -> tuple[Proof, ...]:
        ceiling = self.game.ceiling or 0
        most = MAX_NUMBER_LABELS // (1 + ceiling.bit_length() // 32)  # long ones fill it sooner
        found = self.game.numbers_from(position.number, most)
        if len(found) > most:
            raise TooLarge(f"a proof would need the labels of over {most:,} numbers")
        labels = [[n, self.label(n)] for n in sorted(found)]
        given = [pair for pair in labels if pair[1] != plain.STUCK]
        return (Proof("numbers", {"labels": given}, distance=True),)


class RetrogradeTheory(LabelsTheory):
    """A table of all numbers, by retrograde analysis."""

    def cost(self, position: Tally) -> Cost:
        assert self.game.ceiling is not None
        top, menu = self.game.ceiling, len(self.game.operations)
        if top <= MAX_PLAIN_CEILING:
            return CHEAP._replace(once=5e-7 * top * menu)
        if top > MAX_COMPILED_CEILING:
            return CHEAP  # what is refused is refused at once
        return CHEAP._replace(once=4 + 2e-8 * top * menu, bytes=4 * top)  # numba loads

    @cached_property
    def found(self) -> Any:
        """The label of each number."""
        game = self.game
        top = game.ceiling or 0
        if top > MAX_COMPILED_CEILING:
            raise TooLarge(
                f"the numbers up to {shown(top)} are too many to analyse with subtraction: "
                f"at most {MAX_COMPILED_CEILING:,}"
            )
        factors, terms = [], []
        for sign, amount in game.operations:
            amount = min(amount, top + 1)  # more goes past the ceiling, or below 1, just as well
            factors.append(amount if sign == "x" else 1)
            terms.append({"x": 0, "+": amount, "-": -amount}[sign])
        is_plain = top <= MAX_PLAIN_CEILING
        solver: Any = plain if is_plain else compiled(plain.__name__)
        found = zeros(is_plain, top + 1)
        menu = (numbers(is_plain, values, "int64") for values in (factors, terms))
        given = (*menu, min(game.goal, top + 1), top, found)
        if game.subtracts:
            unsettled = zeros(is_plain, top + 1, kind="int8")
            solver.settle(*given, unsettled, zeros(is_plain, top + 1))
        else:
            solver.settle_upward(*given)
        return found

    def label(self, number: int) -> int:
        return int(self.found[number])


class RunsTheory(LabelsTheory):
    """Runs of labels that repeat, where every operation makes the number larger."""

    def cost(self, position: Tally) -> Cost:
        assert self.game.ceiling is not None
        steps = FEW_STEPS if position.number >= self._near else MAX_STEPS
        a_step = (5e-6 + 4e-9 * self.game.ceiling.bit_length()) * len(self.game.operations)
        return CHEAP._replace(once=a_step * steps)

    @cached_property
    def _near(self) -> int:
        """The lowest number whose label takes few steps."""
        return self._new_runs().lowest_within(FEW_STEPS)

    @cached_property
    def _runs(self) -> Runs:
        return self._new_runs()

    def _new_runs(self) -> Runs:
        menu = [
            (amount, 0) if sign == "x" else (1, amount) for sign, amount in self.game.operations
        ]
        return Runs(menu, self.game.goal, self.game.ceiling or 0)

    def label(self, number: int) -> int:
        return self._runs.label(number)


def as_verdict(found: int) -> Verdict:
    """Return the verdict that `solver.retrograde` writes as one signed number."""
    if found == plain.STUCK:
        return Verdict("loss", 0)
    return verdict_of(found)
