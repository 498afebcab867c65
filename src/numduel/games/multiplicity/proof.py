"""The checks of the kinds of proof that only Multiplicity has: by a matching, or by three primes.

docs/certificates.md defines these proofs, and docs/theory.md has the theorems.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from numduel.core import rocq
from numduel.core.errors import CertificateError
from numduel.core.numerals import quoted
from numduel.core.proof_parts import Parts, is_whole, take_list, take_parts
from numduel.core.verdict import Verdict
from numduel.games.divisors import proper_divisors
from numduel.games.multiplicity.rules import Multiplicity, Walk

WALKER = 0
"""The vertex of the walker, which is joined to the legal moves."""


def check_matching(game: Multiplicity, position: Walk, proof: Parts, verdict: Verdict) -> Verdict:
    """Return the verdict that a matching proves, with numbers that cut the graph into odd parts."""
    take_parts(proof, "pairs", "apart", "parts")
    if verdict.value not in ("win", "loss"):
        raise CertificateError("a matching proves a win or a loss")
    size = game.settings.size
    is_unused = bytearray([1]) * (size + 1)
    is_unused[WALKER] = 0
    for number in position.chosen:
        is_unused[number] = 0
    moves = game.moves(position)
    pairs = take_list(proof, "pairs", size)
    walker_is_matched = _check_pairs(pairs, bytearray(is_unused), moves)
    bound = _check_cut(proof, bytearray(is_unused), moves, verdict)
    most = 2 * len(pairs) - (verdict.value == "win")
    if walker_is_matched != (verdict.value == "win"):
        raise CertificateError("the walker must have a partner in a win, and none in a loss")
    if bound > most:
        raise CertificateError(
            f"the parts leave room for a larger matching: {bound:,} is above {most:,}"
        )
    return Verdict(verdict.value)


def check_primes(game: Multiplicity, position: Walk, proof: Parts, _: Verdict) -> Verdict:
    """Return a win for the start, if three primes show that an opening wins."""
    primes, above = take_parts(proof, "primes", "above")
    size, start_open = game.settings.size, game.settings.start_open
    if game.settings.start != 1 or position != game.begin(position.mover):
        raise CertificateError("the theorem is for the start, which is 1")
    if len(set(map(_text, take_list(proof, "primes", 3)))) < 3:
        raise CertificateError("there are not three different primes")
    for prime in primes:
        if not (_is_prime(prime, size) and size < 4 * prime and 3 * prime <= size):
            raise CertificateError(
                f"{quoted(prime)} is not a prime from a quarter to a third of the size"
            )
    if start_open and not (_is_prime(above, size) and size < 2 * above):
        raise CertificateError(f"{quoted(above)} is not a prime above half of the size")
    if not start_open and above is not None:
        raise CertificateError("no prime above half of the size is needed")
    return Verdict("win")


def _is_prime(value: object, size: int) -> TypeGuard[int]:
    return is_whole(value, 2, size) and proper_divisors(value) == (1,)


def _check_pairs(pairs: list[Any], is_single: bytearray, moves: tuple[int, ...]) -> bool:
    """Return whether the walker has a partner. Raises CertificateError if there is no matching.

    `is_single` is 1 for each number that has no partner yet.
    """
    size = len(is_single) - 1
    walker_is_matched = False
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2:
            raise CertificateError(f"a pair is two numbers, not {quoted(pair)}")
        a, b = pair
        if not (is_whole(a, 0, size) and is_whole(b, 1, size)):
            raise CertificateError(f"a pair is two numbers of the graph, not {_text(pair)}")
        if a == WALKER:
            if walker_is_matched or b not in moves or not is_single[b]:
                raise CertificateError(f"{_text(pair)} cannot be the pair of the walker")
            walker_is_matched = True
        elif not (is_single[a] and is_single[b]) or a >= b or b % a:
            raise CertificateError(f"{_text(pair)} cannot be a pair")
        is_single[a] = is_single[b] = 0
    return walker_is_matched


def _check_cut(proof: Parts, present: bytearray, moves: tuple[int, ...], verdict: Verdict) -> int:
    """Check the odd parts, and return how many vertices they let a matching cover at most.

    `present` is 1 for each unused number. The result is V + A - q in the words of the document.
    """
    size = len(present) - 1
    apart, parts = take_list(proof, "apart", size), take_list(proof, "parts", size)
    bound = sum(present) + len(apart) - len(parts)
    in_part = bytearray(size + 1)
    part_of: dict[int, int] = {}  # only of numbers in parts of more than one
    for number in apart:
        if not (is_whole(number, 1, size) and present[number]):
            raise CertificateError(f"{_text(number)} cannot stand apart")
        present[number] = 0
    for place, part in enumerate(parts):
        members = part if type(part) is list else (part,)
        if len(members) % 2 == 0:
            raise CertificateError(f"part {place} is not odd: it has {len(members):,} numbers")
        for number in members:
            if not (is_whole(number, 1, size) and present[number]) or in_part[number]:
                raise CertificateError(f"{_text(number)} cannot be in part {place}")
            in_part[number] = 1
        if len(members) > 1:
            part_of.update(dict.fromkeys(members, place))
    _check_apart(present, in_part, part_of)
    if verdict.value == "loss":
        for move in moves:
            if in_part[move]:
                raise CertificateError(f"{move} is a legal move, but in a part")
    return bound


def _check_apart(present: bytearray, in_part: bytearray, part_of: dict[int, int]) -> None:
    """Check that every edge out of a part leads to a number that stands apart."""
    size = len(present) - 1
    for number in range(1, size // 2 + 1):
        if not present[number]:
            continue
        part = part_of.get(number)
        if part is None:
            apart_from = present if in_part[number] else in_part
            place = apart_from[2 * number :: number].find(1)  # slices, for speed
            if place >= 0:
                raise _joined_error(number, (place + 2) * number)
        else:
            for multiple in range(2 * number, size + 1, number):
                if present[multiple] and part_of.get(multiple) != part:
                    raise _joined_error(number, multiple)


def _joined_error(number: int, multiple: int) -> CertificateError:
    return CertificateError(f"{number} and {multiple} are joined, but not in the same part")


def _text(value: object) -> str:
    if type(value) is list:
        return ", ".join(map(quoted, value))
    return quoted(value)


PROOF_CHECKS = {"matching": check_matching, "primes": check_primes}


def rocq_term(
    game: Multiplicity, position: Walk, kind: str, parts: Parts, verdict: Verdict
) -> rocq.Term | None:
    """Return a proof as a term of Rocq, or None if no theorem covers its kind."""
    size, number, mover = game.settings.size, position.number, rocq.SEAT_TERMS[position.mover]
    chosen, even = (
        rocq.list_term(sorted(position.chosen)),
        rocq.bool_term(game.opens_even(position)),
    )
    rules, here = f"multiplicity (N.to_nat {size})", f"walk {number} {chosen} {even} {mover}"
    if kind == "matching":
        walker = next((b for a, b in parts["pairs"] if a == WALKER), None)
        edges = rocq.pair_list_term(pair for pair in parts["pairs"] if pair[0] != WALKER)
        cut = rocq.list_term(rocq.list_term(p if type(p) is list else [p]) for p in parts["parts"])
        given = f"{size} {number} {chosen} {even} {mover} {rocq.option_term(walker)} {edges}"
        return rocq.Term(
            rules, here, f"matching_checked {given} {rocq.list_term(parts['apart'])} {cut}"
        )
    if kind == "primes":
        three = " ".join(map(str, parts["primes"]))
        given = f"{size} {rocq.bool_term(game.settings.start_open)} {even} {mover} {three}"
        return rocq.Term(rules, here, f"primes_checked {given} {rocq.option_term(parts['above'])}")
    rocq.check_unary(size)
    if kind == "strategy":
        moves = f"(walk_moves {size}) walk_after (walk_numbered {size})"
        return rocq.strategy_term(rules, here, moves, position.mover, parts, verdict)
    return rocq.Term(rules, here, f"over_checked ({rules}) ({here})") if kind == "over" else None
