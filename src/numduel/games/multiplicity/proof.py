"""How the proofs that are particular to Multiplicity are checked: matchings, and three primes.

docs/certificates.md says what is asked of it, and docs/theory.md why that is enough.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from numduel.core import rocq
from numduel.core.errors import CertificateError
from numduel.core.numerals import quoted
from numduel.core.proof import Parts, is_whole, take, take_list
from numduel.core.verdict import Verdict
from numduel.games.divisors import proper_divisors
from numduel.games.multiplicity.rules import Multiplicity, Walk

WALKER = 0
"""The vertex that stands for the walker, joined to the legal moves."""


def check_matching(game: Multiplicity, position: Walk, proof: Parts, verdict: Verdict) -> Verdict:
    """Return the verdict that a matching and a set that cuts the graph into odd parts prove."""
    take(proof, "pairs", "apart", "parts")
    if verdict.value not in ("win", "loss"):
        raise CertificateError("a matching proves a win or a loss")
    size = game.settings.size
    graph = bytearray([1]) * (size + 1)  # 1 at each number that is not chosen
    graph[WALKER] = 0
    for number in position.chosen:
        graph[number] = 0
    moves = game.moves(position)
    pairs = take_list(proof, "pairs", size)
    walking = _matched(pairs, bytearray(graph), moves)
    bound = _bound(proof, bytearray(graph), moves, verdict)
    most = 2 * len(pairs) - (verdict.value == "win")
    if walking != (verdict.value == "win"):
        raise CertificateError("the walker must have a partner in a win, and none in a loss")
    if bound > most:
        raise CertificateError(
            f"the parts leave room for a larger matching: {bound:,} is above {most:,}"
        )
    return Verdict(verdict.value)


def check_primes(game: Multiplicity, position: Walk, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict of the start, if three primes show that an opening wins."""
    primes, above = take(proof, "primes", "above")
    size, start_open = game.settings.size, game.settings.start_open
    if game.settings.start != 1 or position != game.begin(position.mover):
        raise CertificateError("the theorem is for the start, which is 1")
    if len(set(map(_shown, take_list(proof, "primes", 3)))) < 3:
        raise CertificateError("there are not three different primes")
    for prime in primes:
        if not (_is_prime(prime, size) and size < 4 * prime and 3 * prime <= size):
            raise CertificateError(f"{quoted(prime)} is not a prime from a quarter to a third")
    if start_open and not (_is_prime(above, size) and size < 2 * above):
        raise CertificateError(f"{quoted(above)} is not a prime above half of the size")
    if not start_open and above is not None:
        raise CertificateError("no prime above half of the size is needed")
    return Verdict("win")


def _is_prime(value: object, size: int) -> TypeGuard[int]:
    return is_whole(value, 2, size) and proper_divisors(value) == (1,)


def _matched(pairs: list[Any], alone: bytearray, moves: tuple[int, ...]) -> bool:
    """Return whether the walker has a partner, in pairs that are a matching."""
    size = len(alone) - 1
    walking = False
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2:
            raise CertificateError(f"a pair is two numbers, not {quoted(pair)}")
        a, b = pair
        if not (is_whole(a, 0, size) and is_whole(b, 1, size)):
            raise CertificateError(f"a pair is two numbers of the graph, not {_shown(pair)}")
        if a == WALKER:
            if walking or b not in moves or not alone[b]:
                raise CertificateError(f"{_shown(pair)} cannot be the pair of the walker")
            walking = True
        elif not (alone[a] and alone[b]) or a >= b or b % a:
            raise CertificateError(f"{_shown(pair)} cannot be a pair")
        alone[a] = alone[b] = 0
    return walking


def _bound(proof: Parts, present: bytearray, moves: tuple[int, ...], verdict: Verdict) -> int:
    """Check the parts and return V + A - q; `present` has a 1 for each number in V."""
    size = len(present) - 1
    apart, parts = take_list(proof, "apart", size), take_list(proof, "parts", size)
    bound = sum(present) + len(apart) - len(parts)
    in_part = bytearray(size + 1)
    part_of: dict[int, int] = {}  # of the numbers that have others in their part
    for number in apart:
        if not (is_whole(number, 1, size) and present[number]):
            raise CertificateError(f"{_shown(number)} cannot stand apart")
        present[number] = 0
    for place, part in enumerate(parts):
        members = part if type(part) is list else (part,)
        if len(members) % 2 == 0:
            raise CertificateError(f"part {place} is not odd: it has {len(members):,} numbers")
        for number in members:
            if not (is_whole(number, 1, size) and present[number]) or in_part[number]:
                raise CertificateError(f"{_shown(number)} cannot be in part {place}")
            in_part[number] = 1
        if len(members) > 1:
            part_of.update(dict.fromkeys(members, place))
    _check_apart(present, in_part, part_of)
    if verdict.value == "loss":
        for move in moves:
            if in_part[move]:
                raise CertificateError(f"{move} is a move, and in a part")
    return bound


def _check_apart(present: bytearray, in_part: bytearray, part_of: dict[int, int]) -> None:
    """Check that edges lead out of a part only to numbers that stand apart. Slices, for speed."""
    size = len(present) - 1
    for number in range(1, size // 2 + 1):
        if not present[number]:
            continue
        part = part_of.get(number)
        if part is None:
            apart_from = present if in_part[number] else in_part
            place = apart_from[2 * number :: number].find(1)
            if place >= 0:
                raise _joined(number, (place + 2) * number)
        else:
            for multiple in range(2 * number, size + 1, number):
                if present[multiple] and part_of.get(multiple) != part:
                    raise _joined(number, multiple)


def _joined(number: int, multiple: int) -> CertificateError:
    return CertificateError(f"{number} and {multiple} are joined, and not in the same part")


def _shown(value: object) -> str:
    if type(value) is list:
        return ", ".join(map(quoted, value))
    return quoted(value)


PROOF_CHECKS = {"matching": check_matching, "primes": check_primes}


def rocq_term(
    game: Multiplicity, position: Walk, kind: str, parts: Parts, verdict: Verdict
) -> rocq.Term | None:
    """Return a proof as a term of Rocq; None if there is no theorem for its kind."""
    size, number, mover = game.settings.size, position.number, rocq.SEAT_TERMS[position.mover]
    chosen, even = rocq.numbers(sorted(position.chosen)), rocq.flag(game.opens_even(position))
    rules, here = f"multiplicity (N.to_nat {size})", f"walk {number} {chosen} {even} {mover}"
    if kind == "matching":
        walker = next((b for a, b in parts["pairs"] if a == WALKER), None)
        edges = rocq.pairs(pair for pair in parts["pairs"] if pair[0] != WALKER)
        cut = rocq.numbers(rocq.numbers(p if type(p) is list else [p]) for p in parts["parts"])
        given = f"{size} {number} {chosen} {even} {mover} {rocq.option(walker)} {edges}"
        return rocq.Term(
            rules, here, f"matching_checked {given} {rocq.numbers(parts['apart'])} {cut}"
        )
    if kind == "primes":
        three = " ".join(map(str, parts["primes"]))
        given = f"{size} {rocq.flag(game.settings.start_open)} {even} {mover} {three}"
        return rocq.Term(rules, here, f"primes_checked {given} {rocq.option(parts['above'])}")
    rocq.check_unary(size)
    if kind == "strategy":
        moves = f"(walk_moves {size}) walk_after (walk_numbered {size})"
        return rocq.strategy_term(rules, here, moves, position.mover, parts, verdict)
    return rocq.Term(rules, here, f"over_checked ({rules}) ({here})") if kind == "over" else None
