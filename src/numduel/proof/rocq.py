"""A certificate as a theorem of Rocq (formerly Coq), which the theorems of proofs/ check."""

from __future__ import annotations

from typing import Any

from numduel.core.errors import CertificateError
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.games import new
from numduel.proof.certificate import Certificate

_THEOREM = """\
(* {game}: {notation}. To check it: proofs/check FILE *)
From Coq Require Import List NArith.
From Numduel Require Import Game Geography Certificates.
From Numduel Require Tally Races DivisorDuel Line Chain.
Import ListNotations.
Open Scope N_scope.

Theorem verdict : means ({term.game}) ({term.position}) {said}.
Proof. apply ({term.check}). vm_cast_no_check (eq_refl true). Qed.
"""


def as_theorem(certificate: Certificate) -> str:
    """Return the text of a file that proves what the certificate does.

    Raises CertificateError if proofs/ has no theorem for it, and TooLarge if Rocq cannot check it.
    """
    game: Game[Any] = new(certificate.game, **certificate.settings)
    position = game.read(certificate.position)
    timed = certificate.proves == "distance"
    proof = certificate.proofs[-1 if timed else 0]
    parts = {name: part for name, part in proof.items() if name != "kind"}
    term = game.rocq_term(position, proof["kind"], parts, certificate.verdict)
    if term is None:
        raise CertificateError(
            f"a proof of {game.title} by {proof['kind']} cannot be checked by Rocq"
        )
    return _THEOREM.format(
        game=game.title,
        notation=certificate.position[:60],
        term=term,
        said=_said(certificate.verdict if timed else Verdict(certificate.verdict.value)),
    )


def _said(verdict: Verdict) -> str:
    value, distance = verdict
    if value == "endless":
        return "is_endless"
    verb = "wins" if value == "win" else "loses"
    return f"{verb}_somehow" if distance is None else f"({verb}_in_ {distance})"
