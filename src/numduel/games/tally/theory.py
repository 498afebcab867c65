"""The exact solution of the tally games. The proofs are in docs/theory.md."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from numduel.core.errors import TooLarge
from numduel.core.numerals import shorten
from numduel.core.proof_parts import Proof
from numduel.core.scene import MAX_DRAWN_ITEMS
from numduel.core.theory import CHEAP, Cost, Explanation, Theory
from numduel.core.verdict import OPPOSITE, Value, Verdict, ended_verdict
from numduel.games.tally.proof import MAX_NUMBER_LABELS, verdict_of
from numduel.games.tally.rules import Tally, TallyGame
from numduel.solver import retrograde as plain
from numduel.solver.compiled import compile_module
from numduel.solver.flat_arrays import array_of, zeros
from numduel.solver.periodic_labels import MAX_STEPS, Runs
from numduel.solver.reference import Reference

MAX_PLAIN_CEILING = 100_000
"""Maximum ceiling for the plain form of retrograde analysis."""

MAX_COMPILED_CEILING = 100_000_000
"""Maximum ceiling for the compiled form. Above it, `RunsTheory` serves if numbers only grow."""

MAX_QUICK_STEPS = 10_000
"""Maximum number of steps of `Runs` that take only a moment."""


def new_theory(game: TallyGame) -> Theory[Tally]:
    """Return the quickest theory for the settings of a game: a closed form if there is one."""
    if game.ceiling is None:
        return ResiduesTheory(game) if game.adds_or_doubles else Reference(game)
    if game.ceiling == game.goal and game.adds_or_doubles:
        return RaceTheory(game)
    if game.ceiling > MAX_COMPILED_CEILING and not game.subtracts:
        return RunsTheory(game)
    return RetrogradeTheory(game)


class TallyTheory(Theory[Tally]):
    """The base of all solutions: only the number matters, not who moves."""

    game: TallyGame

    def solve(self, position: Tally) -> Verdict:
        outcome = self.game.outcome(position)
        if outcome is not None:
            return ended_verdict(outcome, position.mover)
        return self.verdict(position.number)

    def verdict(self, number: int) -> Verdict:
        """Return the verdict of a number at which the game is not over."""
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
        """Return the numbers up to the ceiling that are good to land on, or none if it is far."""
        top, number = self.game.ceiling or 0, position.number
        ahead = range(number + 1, top + 1 if top - number <= MAX_DRAWN_ITEMS else 0)
        return tuple(
            (n, "win") for n in ahead if not n % self.game.goal or self.verdict(n).value == "loss"
        )


class ResiduesTheory(TallyTheory):
    """Divisor Duel with no ceiling: only N mod D matters.

    The mover wins at once from D - 1, D / 2 and 0. If D is at least 9, all else is endless.
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
        """Return the remainders that are good or bad to leave, or none if they are too many."""
        remainders = range(1, self.game.goal if self.game.goal <= MAX_DRAWN_ITEMS else 1)
        values = ((remainder, self.verdict(remainder).value) for remainder in remainders)
        return tuple((r, OPPOSITE[value]) for r, value in values if value != "endless")


def _residue_labels(divisor: int) -> list[int]:
    labels = [0] * divisor
    plain.settle_residues([1, 2], [1, 0], divisor, labels)
    return labels


_SMALL_DIVISORS = [_residue_labels(divisor) for divisor in range(1, 9)]


class RaceTheory(TallyTheory):
    """A race to the target by adding one and doubling: a closed form for targets of any length.

    Layer k holds the numbers above T >> (k + 1), up to T >> k. Let e be the lowest even place at
    which the binary digits of T have a one. Below layer e the layers alternate: in even layers the
    even numbers lose, and in odd layers every number wins by doubling. From layer e on, the odd
    numbers lose.
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
        """Return the number of moves to the end from a layer in which wins and losses alternate.

        Both sides add one, except that the winner doubles over each layer of wins on the way. The
        numbers that those doublings skip are not counted.
        """
        target = self.game.goal
        highest = min(k - k % 2, self.first_odd_layer)
        skipped = sum(target >> even for even in range(2, highest + 1, 2))
        return target - number - skipped

    def proofs(self, position: Tally) -> tuple[Proof, ...]:
        first = self.first_odd_layer
        odd_from = None if first == self.game.goal.bit_length() else first
        layers = {"layer": self.layer(position.number), "odd_from": odd_from}
        return (Proof("race", layers, distance=True),)


class LabelsTheory(TallyTheory):
    """Any operations below a ceiling. A label is a verdict in the form of `solver.retrograde`."""

    def label(self, number: int) -> int:
        """Return the label of a number up to the ceiling."""
        raise NotImplementedError

    def verdict(self, number: int) -> Verdict:
        return as_verdict(self.label(number))

    def proofs(self, position: Tally) -> tuple[Proof, ...]:
        ceiling = self.game.ceiling or 0
        most = MAX_NUMBER_LABELS // (
            1 + ceiling.bit_length() // 32
        )  # the file must not be too long
        reached = self.game.numbers_from(position.number, most)
        if len(reached) > most:
            raise TooLarge(f"a proof would need the labels of over {most:,} numbers")
        labels = [[n, self.label(n)] for n in sorted(reached)]
        labels = [pair for pair in labels if pair[1] != plain.STUCK]
        return (Proof("numbers", {"labels": labels}, distance=True),)


class RetrogradeTheory(LabelsTheory):
    """A table of the labels of all numbers, by retrograde analysis."""

    def cost(self, position: Tally) -> Cost:
        assert self.game.ceiling is not None
        top, menu = self.game.ceiling, len(self.game.operations)
        if top <= MAX_PLAIN_CEILING:
            return CHEAP._replace(once=5e-7 * top * menu)
        if top > MAX_COMPILED_CEILING:
            return CHEAP  # a refusal takes no time
        return CHEAP._replace(once=4 + 2e-8 * top * menu, bytes=4 * top)  # numba is loaded

    @cached_property
    def labels(self) -> Any:
        game = self.game
        top = game.ceiling or 0
        if top > MAX_COMPILED_CEILING:
            raise TooLarge(
                f"the numbers up to {shorten(top)} are too many to analyse with subtraction: "
                f"at most {MAX_COMPILED_CEILING:,}"
            )
        factors, terms = [], []
        for sign, amount in game.operations:
            amount = min(amount, top + 1)  # which overshoots, or goes below 1, like any larger one
            factors.append(amount if sign == "x" else 1)
            terms.append({"x": 0, "+": amount, "-": -amount}[sign])
        is_plain = top <= MAX_PLAIN_CEILING
        solver: Any = plain if is_plain else compile_module(plain.__name__)
        labels = zeros(is_plain, top + 1)
        menu = (array_of(is_plain, values, "int64") for values in (factors, terms))
        given = (*menu, min(game.goal, top + 1), top, labels)
        if game.subtracts:
            unsettled = zeros(is_plain, top + 1, kind="int8")
            solver.settle(*given, unsettled, zeros(is_plain, top + 1))
        else:
            solver.settle_upward(*given)
        return labels

    def label(self, number: int) -> int:
        return int(self.labels[number])


class RunsTheory(LabelsTheory):
    """Repeating runs of labels, for menus of which every operation makes the number larger."""

    def cost(self, position: Tally) -> Cost:
        assert self.game.ceiling is not None
        steps = MAX_QUICK_STEPS if position.number >= self._lowest_quick_number else MAX_STEPS
        step_seconds = (5e-6 + 4e-9 * self.game.ceiling.bit_length()) * len(self.game.operations)
        return CHEAP._replace(once=step_seconds * steps)

    @cached_property
    def _lowest_quick_number(self) -> int:
        """The lowest number whose label takes at most MAX_QUICK_STEPS."""
        return self._new_runs().lowest_within(MAX_QUICK_STEPS)

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


def as_verdict(label: int) -> Verdict:
    """Return the verdict that a label of `solver.retrograde` stands for."""
    return Verdict("loss", 0) if label == plain.STUCK else verdict_of(label)
