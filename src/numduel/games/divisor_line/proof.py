"""The check of the kind of proof that only Divisor Line has: by the theorem for the goal `pair`.

docs/certificates.md defines the proof, and docs/theory.md has the theorem.
"""

from __future__ import annotations

from numduel.core.errors import CertificateError
from numduel.core.numerals import quoted
from numduel.core.proof_parts import Parts, is_whole, take_list, take_parts
from numduel.core.rocq import SEAT_TERMS, Term, bool_term, check_unary, list_term, strategy_term
from numduel.core.verdict import Verdict
from numduel.games.divisor_line.rules import DivisorLine, Line, related


def check_pair(game: DivisorLine, position: Line, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict that the winning claims of the players prove."""
    take_parts(proof, "claims")
    claims, size = take_list(proof, "claims", 2), game.settings.size
    if game.settings.goal != "pair":
        raise CertificateError("the theorem is for the goal pair")
    mine, theirs = position.sides
    taken = mine | theirs
    for claim in claims:
        if not is_whole(claim, 1, size) or claim in taken:
            raise CertificateError(f"{quoted(claim)} is not a free number")
    if len(set(claims)) < len(claims):
        raise CertificateError("the two claims are the same")
    if len(theirs) < 2:
        if claims:
            raise CertificateError("it is too early for winning claims")
        return (Verdict("win", 5), Verdict("loss", 4), Verdict("win", 3))[len(taken)]
    if len(claims) == 1 and game.completes(mine, claims[0]):
        return Verdict("win", 1)
    if _winning_claims(mine, taken, size):
        raise CertificateError("the mover can win at once, but the proof does not say how")
    if len(claims) == 2:
        if not all(game.completes(theirs, claim) for claim in claims):
            raise CertificateError(f"{claims[0]} and {claims[1]} do not both win for the opponent")
        return Verdict("loss", 2)
    if _winning_claims(theirs, taken, size) != set(claims):
        raise CertificateError("these are not the winning claims of the opponent")
    return Verdict("win", 3)


def _winning_claims(held: frozenset[int], taken: frozenset[int], size: int) -> set[int]:
    """Return up to two free numbers with which the holder of some numbers wins."""
    is_free = bytearray([1]) * (size + 1)
    is_free[0] = 0
    for number in taken:
        is_free[number] = 0
    if len(held) < 2:
        return set()
    if len(held) == 2 and related(*held):
        return _first_two(is_free)
    is_held = bytearray(size + 1)
    for number in held:
        is_held[number] = 1
    claims: set[int] = set()
    for number in range(1, size // 2 + 1):  # slices, for speed
        if is_held[number]:
            claims |= {(place + 2) * number for place in _first_two(is_free[2 * number :: number])}
        elif is_free[number] and 1 in is_held[2 * number :: number]:
            claims.add(number)
        if len(claims) > 1:
            break
    return claims


def _first_two(marks: bytearray) -> set[int]:
    """Return the first two places that are marked, or fewer if there are not as many."""
    first = marks.find(1)
    return {place for place in (first, marks.find(1, first + 1)) if place >= 0}


PROOF_CHECKS = {"pair": check_pair}


def rocq_term(
    game: DivisorLine, position: Line, kind: str, parts: Parts, verdict: Verdict
) -> Term | None:
    """Return a proof as a term of Rocq, or None if no theorem covers its kind."""
    size, mover, pair = game.settings.size, SEAT_TERMS[position.mover], game.settings.goal == "pair"
    check_unary(size)
    mine, theirs = (list_term(sorted(held)) for held in position.sides)
    rules = f"{'Line.line_game' if pair else 'Chain.chain_game'} (N.to_nat {size})"
    here = f"line_at {mine} {theirs} {mover} {bool_term(position.won)}"
    if kind == "pair":
        return Term(rules, here, f"pair_checked {size} {mine} {theirs} {mover}")
    if kind == "strategy" and not pair:
        moves = f"(chain_moves {size}) chain_after (chain_numbered {size})"
        return strategy_term(rules, here, moves, position.mover, parts, verdict)
    return Term(rules, here, f"over_checked ({rules}) ({here})") if kind == "over" else None
