"""Checks a certificate by the rules of its game alone, without any solver."""

from __future__ import annotations

from functools import partial
from typing import Any

from numduel.core.errors import CertificateError, NumduelError
from numduel.core.game import Game
from numduel.core.numerals import join_or, quoted, shorten
from numduel.core.proof_parts import Check, Parts, take_parts
from numduel.core.verdict import Verdict, ended_verdict
from numduel.games import new
from numduel.proof.certificate import Certificate
from numduel.proof.checks import check_labels, check_strategy


def verify(certificate: Certificate) -> Verdict:
    """Return the verdict that the certificate proves, with the distance if that is proved.

    Raises CertificateError with the first error.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> certificate = numduel.certify(game, game.start())
    >>> verify(certificate)
    Verdict(value='loss', distance=2)
    >>> verify(certificate._replace(verdict=Verdict("win", 2)))
    Traceback (most recent call last):
        ...
    numduel.core.errors.CertificateError: proof 1, 'race': it proves loss in 2, not win in 2
    """
    try:
        game = new(certificate.game, **certificate.settings)
        for name, value in certificate.settings.items():
            normal = game.settings.values[name]
            if value != normal:
                raise CertificateError(f"{name} must be written {quoted(normal)}")
        position = game.read(certificate.position)
    except NumduelError as error:
        raise CertificateError(str(error)) from None
    claimed, proved_distances = certificate.verdict, set()
    for number, proof in enumerate(certificate.proofs, 1):
        try:
            proved_distances.add(_check_proof(game, position, proof, claimed).distance)
        except CertificateError as error:
            kind = quoted(proof["kind"])
            raise CertificateError(f"proof {number}, {kind}: {error}") from None
    if certificate.proves == "value":
        return Verdict(claimed.value)
    if claimed.distance is None or claimed.distance not in proved_distances:
        raise CertificateError("the distance is not proved")
    return claimed


def _check_proof(game: Game[Any], position: Any, proof: Parts, claimed: Verdict) -> Verdict:
    """Return the verdict that a proof proves. Raises CertificateError if it is not as claimed."""
    kinds: dict[str, Check] = {
        "over": partial(_check_over, game),
        "labels": partial(check_labels, game),
        "strategy": partial(check_strategy, game),
        **game.checks,
    }
    kind = proof["kind"]
    if kind not in kinds:
        raise CertificateError(f"the kinds of proof of {game.title} are {join_or(sorted(kinds))}")
    if kind != "over" and game.outcome(position) is not None:
        raise CertificateError("the game is over")
    parts = {name: part for name, part in proof.items() if name != "kind"}
    proved = kinds[kind](position, parts, claimed)
    differs = proved.distance is not None and claimed.distance not in (None, proved.distance)
    if proved.value != claimed.value or differs:
        raise CertificateError(f"it proves {_verdict_text(proved)}, not {_verdict_text(claimed)}")
    return proved


def _check_over(game: Game[Any], position: Any, parts: Parts, _: Verdict) -> Verdict:
    take_parts(parts)
    outcome = game.outcome(position)
    if outcome is None:
        raise CertificateError("the game is not over")
    return ended_verdict(outcome, position.mover)


def _verdict_text(verdict: Verdict) -> str:
    if verdict.distance is None:
        return verdict.value
    return f"{verdict.value} in {shorten(verdict.distance)}"
