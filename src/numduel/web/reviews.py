"""The pages of finished games: the replay, who was winning when, and the record."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, RecordError
from numduel.core.game import Game
from numduel.core.record import Record, loads
from numduel.games import new
from numduel.web import views
from numduel.web.agreement import MOST_TURNS, served
from numduel.web.html import Key, address, go, number_of, page, read_form
from numduel.web.keys import new_name
from numduel.web.problems import Busy, Missing, sentence, status_of
from numduel.web.reading import too_much_json
from numduel.web.site import Site, site_of

router = APIRouter(include_in_schema=False)


async def _finished(site: Site, name: str, number: str) -> Record:
    duel = await site.desk.read(name)
    which = number_of(number) or 0
    if not 1 <= which <= len(duel.rounds):
        raise Missing("That round is not finished, or there is no such round.")
    return duel.rounds[which - 1]


async def _uploaded(site: Site, name: str) -> Record:
    text = await site.store.record(name)
    if text is None:
        raise Missing("There is no such record here, or it was cleared away.")
    return loads(text)


@router.get("/game/{name}/round/{number}")
async def finished(request: Request, name: Key, number: Key) -> Response:
    """A finished round."""
    record = await _finished(site_of(request), name, number)
    return await _review(request, record, f"/game/{name}/round/{number}", f"/game/{name}")


@router.get("/game/{name}/round/{number}/record.json")
async def finished_record(request: Request, name: Key, number: Key) -> Response:
    """A finished round as a record."""
    return _download(await _finished(site_of(request), name, number))


@router.get("/record/{name}")
async def uploaded(request: Request, name: Key) -> Response:
    """A record that somebody uploaded."""
    return await _review(request, await _uploaded(site_of(request), name), f"/record/{name}", "")


@router.get("/record/{name}/record.json")
async def uploaded_record(request: Request, name: Key) -> Response:
    """A record that somebody uploaded, as it was."""
    return _download(await _uploaded(site_of(request), name))


def _download(record: Record) -> Response:
    name = f"numduel-{record.game}.json"
    return Response(
        record.dumps(),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def _review(request: Request, record: Record, path: str, back: str) -> Response:
    game: Game[Any] = new(record.game, **record.settings)
    step = number_of(request.query_params.get("move"))
    shown = views.round_page(game, record, step)
    found, beyond = None, ""
    try:
        found = await site_of(request).analysis(game, record)
    except Busy as error:
        beyond = f"{error} Reload this page to see who was winning."
    except NumduelError as error:
        beyond = f"Who was winning is not known here: {error}."
    return page(
        request,
        "review.html",
        path=path,
        back=back,
        link=address(request, path),
        lead=found and views.lead_line(found),
        turning=found and found.turning_points,
        beyond=beyond,
        **shown,
    )


@router.get("/analyze")
async def choose(request: Request) -> Response:
    """Upload a record."""
    return page(request, "analyze.html")


@router.post("/analyze")
async def upload(request: Request) -> Response:
    """Analyse an uploaded record; it gets a page of its own."""
    site = site_of(request)
    async with read_form(request) as form:
        text = await _text(form, "record") or await _text(form, "text")
    try:
        if not text:
            raise RecordError("choose a file, or paste its text")
        record = check_record(text)
        await site.analysis(new(record.game, **record.settings), record)
        name = new_name()
        await site.store.keep_record(name, record.dumps())
    except NumduelError as error:
        return page(request, "analyze.html", status_of(error), notice=sentence(error))
    return go(f"/record/{name}")


async def _text(form: FormData, name: str) -> bytes:
    """A field of a form, which may be a file."""
    given = form.get(name) or ""
    text = given.encode("utf-8", "replace") if isinstance(given, str) else await given.read()
    return text.strip()


def check_record(text: str | bytes) -> Record:
    """A record of a game that is played here; its moves are checked when it is analysed."""
    body = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if (fault := too_much_json(body)) is not None:
        raise RecordError(fault)
    record = loads(text)
    served(new(record.game, **record.settings))
    if len(record.moves) > MOST_TURNS:
        raise RecordError(f"a record that is analysed here has at most {MOST_TURNS:,} moves")
    return record
