"""The checks of the kinds of proof that only the tally games have.

docs/certificates.md defines these proofs, and docs/theory.md has the theorems.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numduel.core.errors import CertificateError
from numduel.core.numerals import quoted, shorten
from numduel.core.proof_parts import Parts, is_whole, take_list, take_parts
from numduel.core.rocq import (
    SEAT_TERMS,
    Term,
    check_unary,
    claim,
    list_term,
    option_term,
    pair_list_term,
)
from numduel.core.settings import MAX_NUMBER
from numduel.core.verdict import Verdict
from numduel.games.tally.rules import Tally, TallyGame

MAX_NUMBER_LABELS = 1_000_000
"""Maximum number of labelled numbers in a proof."""

MAX_REMAINDERS = 1_000
"""Maximum number of labelled remainders in a proof."""

MIN_DIVISOR = 9
"""Minimum divisor for which every position is either won at once or endless."""


def check_numbers(game: TallyGame, position: Tally, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict of the number, after checking that all labels of numbers agree."""
    take_parts(proof, "labels")
    goal, ceiling, steps = game.goal, game.ceiling, game.steps
    if ceiling is None:
        raise CertificateError("numbers are labelled where there is a ceiling")
    labels = _read_labels(take_list(proof, "labels", MAX_NUMBER_LABELS), ceiling)

    def value(result: int) -> int:
        """Return the label that a move to `result` gives to its player."""
        if result > ceiling:
            return -1
        if result % goal == 0:
            return 1
        label = labels.get(result)
        if label is not None:
            return _label_before(label)
        if game.subtracts and all(step(result) < 1 for step in steps):
            return 1
        raise CertificateError(f"{shorten(result)} has no label")

    for number, label in labels.items():
        results = [result for step in steps if (result := step(number)) >= 1]
        _check_agreement(shorten(number), label, map(value, results))
    if position.number not in labels:
        raise CertificateError(f"{shorten(position.number)} has no label")
    return verdict_of(labels[position.number])


def check_remainders(game: TallyGame, position: Tally, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict of the remainder, after checking that all labels agree."""
    take_parts(proof, "labels")
    divisor = _divisor(game)
    labels = take_list(proof, "labels", MAX_REMAINDERS)
    if len(labels) != divisor:
        raise CertificateError(f"there are {shorten(divisor)} remainders, not {len(labels):,}")
    for label in labels:
        _check_label(label)
    for remainder, label in enumerate(labels):
        results = [step(remainder) % divisor for step in game.steps]
        values = [_label_before(labels[result]) if result else 1 for result in results]
        _check_agreement(f"remainder {remainder}", label, values)
    return verdict_of(labels[position.number % divisor])


def check_divisor(game: TallyGame, position: Tally, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict of the remainder by the theorem for large divisors."""
    (remainder,) = take_parts(proof, "remainder")
    divisor = _divisor(game)
    if divisor < MIN_DIVISOR:
        raise CertificateError(f"the divisor must be at least {MIN_DIVISOR}")
    if not is_whole(remainder, 0, divisor - 1) or remainder != position.number % divisor:
        raise CertificateError(f"{quoted(remainder)} is not the remainder")
    if remainder in (0, divisor - 1) or 2 * remainder == divisor:
        return Verdict("win", 1)
    return Verdict("endless")


def check_race(game: TallyGame, position: Tally, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict of the number by the theorem on the layers of a race."""
    layer, odd_from = take_parts(proof, "layer", "odd_from")
    number, target = position.number, game.goal
    if game.ceiling != target or not game.adds_or_doubles or number >= target:
        raise CertificateError("the theorem is for races of adding one and doubling")
    digits = target.bit_length()
    if not is_whole(layer, 0, digits) or not target >> layer + 1 < number <= target >> layer:
        raise CertificateError(f"{shorten(number)} is not in layer {quoted(layer)}")
    first = digits if odd_from is None else odd_from
    if not is_whole(first, 0, digits) or any(target >> place & 1 for place in range(0, first, 2)):
        raise CertificateError(f"the target has a one at an even place below {quoted(odd_from)}")
    if odd_from is not None and (first % 2 or not target >> first & 1):
        raise CertificateError(f"{quoted(odd_from)} is not an even place of a one in the target")

    def distance(number: int, layer: int) -> int:
        return target - number - sum(target >> j for j in range(2, min(layer, first) + 1, 2))

    if layer < first and layer % 2:
        return Verdict("win", 1 + distance(2 * number, layer - 1))
    loses = number % 2 == (layer >= first)
    return Verdict("loss" if loses else "win", distance(number, layer))


def _divisor(game: TallyGame) -> int:
    """Return the divisor. Raises CertificateError unless remainders decide the game."""
    if game.ceiling is not None or not game.adds_or_doubles:
        raise CertificateError("remainders are enough where there is no ceiling")
    return game.goal


def _read_labels(given: list[Any], ceiling: int) -> dict[int, int]:
    """Return the label of each number. Raises CertificateError if `given` is malformed."""
    labels: dict[int, int] = {}
    last = 0
    for pair in given:
        if type(pair) is not list or len(pair) != 2 or not is_whole(pair[0], last + 1, ceiling):
            raise CertificateError("labels are pairs of a number and a label, numbers ascending")
        last, label = pair
        _check_label(label)
        labels[last] = label
    return labels


def _check_label(label: object) -> None:
    if not is_whole(label, -MAX_NUMBER, MAX_NUMBER):
        raise CertificateError(f"{quoted(label)} is not a label")


def _label_before(label: int) -> int:
    """Return the label that a move to a number with this label gives to its player."""
    return label and (1 - label if label < 0 else -1 - label)


def _check_agreement(where: str, label: int, values: Iterable[int]) -> None:
    """Raise CertificateError unless the label is the best of what the moves give."""
    values = list(values)
    if not values:
        raise CertificateError(f"{where} has a label, but no legal move")
    wins = [value for value in values if value > 0]
    best = min(wins) if wins else 0 if 0 in values else min(values)
    if label != best:
        given, right = shorten(label), shorten(best)
        raise CertificateError(f"{where} is labelled {given}, but its best move gives {right}")


def verdict_of(label: int) -> Verdict:
    if label == 0:
        return Verdict("endless")
    return Verdict("win" if label > 0 else "loss", abs(label))


PROOF_CHECKS = {
    "numbers": check_numbers,
    "remainders": check_remainders,
    "divisor": check_divisor,
    "race": check_race,
}


_ROCQ_OPERATIONS = {"+": "plus", "-": "minus", "x": "times"}

_ROCQ_ENDS = {"": None, "overshot": "Tally.overshot"}


def rocq_term(game: TallyGame, position: Tally, kind: str, parts: Parts, _: Verdict) -> Term | None:
    """Return a proof as a term of Rocq, or None if no theorem covers its kind."""
    number, mover, goal = position.number, SEAT_TERMS[position.mover], game.goal
    menu = list_term(f"{_ROCQ_OPERATIONS[one.sign]} {one.amount}" for one in game.operations)
    ceiling, ended = (
        option_term(game.ceiling),
        option_term(_ROCQ_ENDS.get(position.ended, "Tally.success")),
    )
    here = f"numbered {number} {mover} {ended}"
    parameters = f"(map nat_change {menu}) (N.to_nat {goal}) (option_map N.to_nat {ceiling})"
    rules = f"Tally.tally_game {parameters}"
    if kind == "race":
        first = goal.bit_length() if parts["odd_from"] is None else parts["odd_from"]
        check = f"race_checked {goal} {number} {mover} {parts['layer']}%nat {first}%nat"
        return Term(f"Races.race (N.to_nat {goal})", here, check)
    if kind in ("divisor", "remainders"):
        duel = f"DivisorDuel.divisor_duel (N.to_nat {goal})"
        return Term(duel, here, f"divisor_checked {goal} {number} {mover}")
    if kind == "numbers":
        labels = pair_list_term((each, claim(verdict_of(label))) for each, label in parts["labels"])
        check = f"numbers_checked {menu} {goal} {ceiling} {labels} {number} {mover}"
        return Term(rules, here, check)
    check_unary(max(number, goal))
    return Term(rules, here, f"over_checked ({rules}) ({here})") if kind == "over" else None
