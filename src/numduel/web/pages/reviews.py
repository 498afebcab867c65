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
from numduel.web.keys import Key, new_name
from numduel.web.live.agreement import check_record
from numduel.web.live.site import Site, site_of
from numduel.web.pages import views
from numduel.web.pages.html import address, go, number_of, page, read_form
from numduel.web.problems import Busy, Missing, sentence, status_of

router = APIRouter(include_in_schema=False)


async def _finished(site: Site, name: str, number: str) -> tuple[Record, bool | None]:
    """A finished round, and whether its first move was taken over."""
    duel = await site.desk.read(name)
    which = number_of(number) or 0
    if not 1 <= which <= len(duel.rounds):
        raise Missing("That round is not finished, or there is no such round.")
    return duel.rounds[which - 1], duel.swaps[which - 1]


async def _uploaded(site: Site, name: str) -> Record:
    text = await site.store.record(name)
    if text is None:
        raise Missing("There is no such record here, or it was cleared away.")
    return loads(text)


@router.get("/game/{name}/round/{number}")
async def finished(request: Request, name: Key, number: Key) -> Response:
    """A finished round."""
    record, swapped = await _finished(site_of(request), name, number)
    path = f"/game/{name}"
    return await _review(request, record, f"{path}/round/{number}", path, swapped)


@router.get("/game/{name}/round/{number}/record.json")
async def finished_record(request: Request, name: Key, number: Key) -> Response:
    """A finished round as a record."""
    record, _ = await _finished(site_of(request), name, number)
    return _download(record)


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


async def _review(
    request: Request, record: Record, path: str, back: str, swapped: bool | None = None
) -> Response:
    game: Game[Any] = new(record.game, **record.settings)
    step = number_of(request.query_params.get("move"))
    shown = views.round_page(await site_of(request).replayed(game, record), record, step)
    found, beyond = None, ""
    try:
        found = await site_of(request).analysis(game, record, swapped)
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
        swap=found and found.swap,
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
