"""`numduel verify`."""

from __future__ import annotations

from pathlib import Path

import click

from numduel.core.errors import CertificateError
from numduel.games import new
from numduel.proof.verify import verify as verify_certificate
from numduel.terminal.certificates import read_certificate
from numduel.terminal.command import command
from numduel.terminal.screen import screen, titled
from numduel.terminal.solve import show_outlook


@click.command(epilog=f"Example: {command('verify proof.json')}")
@click.argument("file", type=click.Path())
@click.option("--plain", is_flag=True, help="Plain text, without colour.")
def verify(file: str, plain: bool) -> None:
    """Check a certificate, and say what it proves: FILE is what `solve --certificate` wrote."""
    try:
        certificate = read_certificate(Path(file))
        verdict = verify_certificate(certificate)
    except CertificateError as error:
        raise CertificateError(f"{file}: {error}") from None
    game = new(certificate.game, **certificate.settings)
    position = game.read(certificate.position)
    out = screen(plain)
    out.say([titled(game), game.words.describe(position)])
    show_outlook(out, game, position, verdict)
    kinds = " and ".join(proof["kind"] for proof in certificate.proofs)
    out.say([f"Proved, by the rules of the game alone ({kinds})."])
