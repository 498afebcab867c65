"""Certificates: the verdict of a position with its proofs, as a value, a file and a theorem.

docs/certificates.md describes the form.
"""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any, Literal, NamedTuple

from numduel.core import rocq
from numduel.core.errors import CertificateError, RecordError
from numduel.core.game import Game
from numduel.core.notation import MAX_NOTATION_LENGTH
from numduel.core.numerals import quoted
from numduel.core.proof_parts import is_whole
from numduel.core.record import check_settings, check_text, field_error, read_fields
from numduel.core.settings import MAX_NUMBER
from numduel.core.verdict import SCORES, Verdict
from numduel.games import new

CERTIFICATE_FORMAT = "numduel-certificate/1"

MAX_CERTIFICATE_BYTES = 24 * 2**20
"""Maximum length of a certificate file, compressed or not."""

MAX_PLAIN_BYTES = 1_000_000
"""Maximum length of a certificate file that is written uncompressed."""

MAX_PROOFS = 2

_GZIP_MAGIC = b"\x1f\x8b"


class Certificate(NamedTuple):
    """The contents of a certificate. `verify` checks whether they are right.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> certificate = numduel.certify(game, game.start())
    >>> certificate.verdict, certificate.proves
    (Verdict(value='loss', distance=2), 'distance')
    >>> loads(certificate.dumps()) == certificate
    True
    """

    game: str  # the key
    settings: dict[str, Any]
    position: str  # in the game's notation
    verdict: Verdict
    proves: Literal["value", "distance"]  # the value alone, or the distance as well
    proofs: tuple[dict[str, Any], ...]  # each has a `kind`, and parts that depend on it

    def dumps(self) -> bytes:
        """Return the certificate as the bytes of a file."""
        fields = {"format": CERTIFICATE_FORMAT, **self._asdict(), "verdict": self.verdict._asdict()}
        text = json.dumps(fields, separators=(",", ":")).encode() + b"\n"
        return text if len(text) <= MAX_PLAIN_BYTES else gzip.compress(text, 1, mtime=0)


def loads(data: bytes) -> Certificate:
    """Return the certificate in the bytes of a file. Raises CertificateError if it is malformed."""
    try:
        return _parse(_decompress(data).decode())
    except UnicodeDecodeError as error:
        raise CertificateError(f"byte {error.start}: not UTF-8 text") from None
    except RecordError as error:
        raise CertificateError(str(error)) from None


def _parse(text: str) -> Certificate:
    fields = read_fields(text, CERTIFICATE_FORMAT, Certificate._fields)
    if fields["proves"] not in ("value", "distance"):
        raise field_error("proves", f"must be value or distance, not {quoted(fields['proves'])}")
    return Certificate(
        game=check_text("game", fields["game"]),
        settings=check_settings(fields["settings"]),
        position=check_text("position", fields["position"], MAX_NOTATION_LENGTH),
        verdict=_read_verdict(fields["verdict"]),
        proves=fields["proves"],
        proofs=_read_proofs(fields["proofs"]),
    )


def _decompress(data: bytes) -> bytes:
    if len(data) <= MAX_CERTIFICATE_BYTES and data.startswith(_GZIP_MAGIC):
        decompressor = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            data = decompressor.decompress(data, MAX_CERTIFICATE_BYTES + 1)
        except zlib.error:
            raise CertificateError("damaged: the compressed data cannot be read") from None
        if len(data) <= MAX_CERTIFICATE_BYTES and not (
            decompressor.eof and not decompressor.unused_data
        ):
            raise CertificateError("damaged: the compressed data does not end with the file")
    if len(data) > MAX_CERTIFICATE_BYTES:
        raise CertificateError(f"a certificate has at most {MAX_CERTIFICATE_BYTES:,} bytes")
    return data


def _read_verdict(value: object) -> Verdict:
    if not isinstance(value, dict) or value.keys() != {"value", "distance"}:
        raise field_error("verdict", "must be an object of value and distance")
    if not isinstance(value["value"], str) or value["value"] not in SCORES:
        raise field_error("verdict", f"must be {', '.join(SCORES)}, not {quoted(value['value'])}")
    distance = value["distance"]
    if distance is not None and not is_whole(distance, 0, MAX_NUMBER):
        raise field_error("verdict", f"has a distance from 0 or null, not {quoted(distance)}")
    return Verdict(value["value"], distance)


def _read_proofs(value: object) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_PROOFS:
        raise field_error("proofs", f"must be a list of 1 to {MAX_PROOFS} proofs")
    for proof in value:
        if not isinstance(proof, dict) or not isinstance(proof.get("kind"), str):
            raise field_error("proofs", "must hold objects that have a kind")
    return tuple(value)


# Certificates as theorems of Rocq (formerly Coq). They apply the theorems in proofs/.

_THEOREM_TEMPLATE = """\
(* {game}: {notation}. To check it: proofs/check FILE *)
From Coq Require Import List NArith.
From Numduel Require Import Game Geography Certificates.
From Numduel Require Tally Races DivisorDuel Line Chain.
Import ListNotations.
Open Scope N_scope.

Theorem verdict : means ({term.game}) ({term.position}) ({claim}).
Proof. apply ({term.check}). vm_cast_no_check (eq_refl true). Qed.
"""


def as_theorem(certificate: Certificate) -> str:
    """Return the text of a Rocq file that proves the verdict of the certificate.

    Raises CertificateError if no theorem covers its proof, and TooLarge if Rocq cannot check it.
    """
    game: Game[Any] = new(certificate.game, **certificate.settings)
    position = game.read(certificate.position)
    if certificate.proves == "distance":
        verdict, proof = certificate.verdict, certificate.proofs[-1]
    else:
        verdict, proof = Verdict(certificate.verdict.value), certificate.proofs[0]
    parts = {name: part for name, part in proof.items() if name != "kind"}
    term = game.rocq_term(position, proof["kind"], parts, certificate.verdict)
    if term is None:
        raise CertificateError(
            f"a proof of {game.title} by {proof['kind']} cannot be checked by Rocq"
        )
    notation, claim = certificate.position[:60], rocq.claim(verdict)
    return _THEOREM_TEMPLATE.format(game=game.title, notation=notation, term=term, claim=claim)
