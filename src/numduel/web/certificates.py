"""The page that checks a certificate and shows what it proves."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.games import new
from numduel.play.coach import outlook
from numduel.play.table import Ending
from numduel.proof.certificate import loads
from numduel.proof.verify import verify
from numduel.web.board import Board, board, settings_words
from numduel.web.game_settings import check_size
from numduel.web.html import page, uploaded
from numduel.web.identity import client_of
from numduel.web.routing import PageRouter
from numduel.web.services import services_of

router = PageRouter()


class ProvedVerdict(NamedTuple):
    """What a certificate proves."""

    title: str  # of the game
    settings: str  # in words, without those at their defaults
    board: Board  # the position
    line: str  # the verdict in a sentence
    kinds: str  # of its proofs


def proved_verdict(text: bytes) -> ProvedVerdict:
    """Return what a certificate proves; raises NumduelError if it proves nothing."""
    certificate = loads(text)
    game = check_size(new(certificate.game, **certificate.settings))
    verdict = verify(certificate)
    position = game.read(certificate.position)
    outcome = game.outcome(position)
    return ProvedVerdict(
        title=game.title,
        settings=settings_words(game),
        board=board(game.words.scene(position), seat=position.mover),
        line=outlook(game, verdict, position.mover)
        if outcome is None
        else Ending(position, outcome, None, 0).sentence(game),
        kinds=", ".join(proof["kind"] for proof in certificate.proofs),
    )


@router.get("/verify")
async def certificate_form(request: Request) -> Response:
    """Show the form in which a certificate is uploaded."""
    return page(request, "certificate.html")


@router.post("/verify")
async def check_certificate(request: Request) -> Response:
    """Check an uploaded certificate."""
    try:
        text = await uploaded(request, "certificate")
        proved = await services_of(request).slow.ask(client_of(request), proved_verdict, text)
    except NumduelError as error:
        return page(request, "certificate.html", error=error)
    return page(request, "certificate.html", proved=proved)
