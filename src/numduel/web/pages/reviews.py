"""The pages of finished games: the replay, who was winning when, and the record."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, RecordError
from numduel.core.game import Game
from numduel.core.numerals import LONGEST_INPUT, quoted
from numduel.core.record import Record, loads
from numduel.core.verdict import Verdict
from numduel.games import new
from numduel.picture.card import card
from numduel.web.keys import Key, new_name
from numduel.web.live.agreement import check_record
from numduel.web.live.site import Site, site_of
from numduel.web.pages import views
from numduel.web.pages.addresses import challenge_address
from numduel.web.pages.board import board
from numduel.web.pages.challenges import ASKED, picture_of
from numduel.web.pages.html import address, form_of, go, number_of, page, read_form
from numduel.web.pages.preferences import preferences
from numduel.web.problems import Busy, Missing, sentence, status_of
from numduel.web.thinking import questions

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
    site = site_of(request)
    record, swapped = await _finished(site, name, number)
    path = f"/game/{name}"
    seats = (await site.desk.read(name)).held(request.cookies.get("seat", ""))
    you = min(seats) if len(seats) == 1 else 0
    return await _review(request, record, f"{path}/round/{number}", path, swapped, you)


@router.post("/game/{name}/round/{number}")
async def try_again(request: Request, name: Key, number: Key) -> Response:
    """Another move in place of a mistake."""
    await _finished(site_of(request), name, number)
    return await _tried(request, f"/game/{name}/round/{number}")


@router.post("/record/{name}")
async def try_again_uploaded(request: Request, name: Key) -> Response:
    """Another move in place of a mistake."""
    await _uploaded(site_of(request), name)
    return await _tried(request, f"/record/{name}")


async def _tried(request: Request, path: str) -> Response:
    """On to the page that shows what the move comes to."""
    form = await form_of(request)
    at, move = (form.get(name, "")[:LONGEST_INPUT] for name in ("at", "move"))
    return go(f"{path}?{urlencode({'move': at, 'tried': move})}")


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


@router.get("/game/{name}/round/{number}/picture.png")
async def finished_picture(request: Request, name: Key, number: Key) -> Response:
    """A finished round as a picture."""
    record, _ = await _finished(site_of(request), name, number)
    return await _picture(request, record)


@router.get("/record/{name}/picture.png")
async def uploaded_picture(request: Request, name: Key) -> Response:
    """A record that somebody uploaded, as a picture."""
    return await _picture(request, await _uploaded(site_of(request), name))


async def _picture(request: Request, record: Record) -> Response:
    """The picture of a record: its end, or its position after `?move=7`."""
    game: Game[Any] = new(record.game, **record.settings)
    table = await site_of(request).replayed(game, record)
    shown = views.round_page(table, record, number_of(request.query_params.get("move")))
    headline = shown["ending"].rstrip(".") if shown["at"] == shown["count"] else ASKED
    return await picture_of(request, card(shown["scene"], headline, game.title))


def _download(record: Record) -> Response:
    name = f"numduel-{record.game}.json"
    return Response(
        record.dumps(),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def _review(
    request: Request,
    record: Record,
    path: str,
    back: str,
    swapped: bool | None = None,
    you: int = 0,
) -> Response:
    game: Game[Any] = new(record.game, **record.settings)
    site, query = site_of(request), request.query_params
    table = await site.replayed(game, record)
    shown = views.round_page(table, record, number_of(query.get("move")), you)
    names = views.named(record, you)
    found, beyond, colours = None, "", preferences(request).colours is not False
    try:
        found = await site.analysis(game, record, swapped)
    except Busy as error:
        beyond = f"{error} Reload this page to see who was winning."
    except NumduelError as error:
        beyond = f"Who was winning is not known here: {error}."
    turned = [step for step in found.steps if step.turn == shown["at"] + 1] if found else []
    mistake = turned[0] if turned and not turned[0].sound else None
    if mistake is not None:
        position = table.position_at(shown["at"])
        shown |= await _trying(site, game, position, names, query.get("tried"))
    elif colours:
        with suppress(NumduelError):  # then there is nothing to colour
            position = table.position_at(shown["at"])
            verdicts = await site.quick.ask(questions.move_verdicts, game, position)
            shown["board"] = board(shown["scene"], verdicts, names, seat=position.mover)
    return page(
        request,
        "review.html",
        path=path,
        colours=colours,
        back=back,
        link=address(request, path),
        challenge=_challenge(game, table.position_at(shown["at"])),
        image=f"{address(request, path)}/picture.png?move={shown['at']}",
        story=found and found.story(names, you),
        names=names,
        bar=found and views.bar(found, names, shown["at"]),
        mistake=mistake,
        mistakes=[step.turn - 1 for step in found.turning_points] if found else [],
        swap=found and found.swap,
        beyond=beyond,
        **shown,
    )


def _challenge(game: Game[Any], position: Any) -> str:
    """Where one can play on from a position; empty where it is over."""
    return challenge_address(game, position) if game.outcome(position) is None else ""


async def _trying(
    site: Site, game: Game[Any], position: Any, names: tuple[str, str], text: str | None
) -> dict[str, Any]:
    """What another move in place of a mistake comes to, and the board with it."""
    move = number_of(text)
    if text is None or move is None or not game.allows(position, move):
        return {"tried": None, "notice": "" if text is None else f"{quoted(text)} is no move here."}
    tried = await site.quick.ask(questions.answered, game, position, move)
    return {
        "tried": tried,
        "board": board(
            game.words.scene(position), {move: Verdict(tried.value)}, names, seat=position.mover
        ),
    }


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
