"""Certificates in files."""

from __future__ import annotations

from pathlib import Path

from numduel.core.errors import CertificateError
from numduel.play.record_file import write_whole
from numduel.proof.certificate import LONGEST_CERTIFICATE, Certificate, loads


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file; CertificateError says what is wrong with it."""
    try:
        with path.open("rb") as file:
            return loads(file.read(LONGEST_CERTIFICATE + 1))
    except OSError as error:
        raise CertificateError(str(error.strerror)) from None


def write_certificate(path: Path, certificate: Certificate) -> None:
    """The certificate into a file, whole or not at all."""
    try:
        write_whole(path, certificate.dumps())
    except OSError as error:
        raise CertificateError(f"{path}: cannot be written: {error.strerror}") from None
