"""The pages of finished games: the replay with its analysis, the record and the picture."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.core.numerals import MAX_INPUT_DIGITS, quoted
from numduel.core.record import Record, loads
from numduel.core.verdict import Verdict
from numduel.picture import card
from numduel.web.cookies import preferences
from numduel.web.duels.pages import duel_path, remembered_games
from numduel.web.errors import Busy, Missing
from numduel.web.game_settings import read_record
from numduel.web.html import address, download, form_of, go, number_of, page, uploaded
from numduel.web.identity import Key, client_of, new_name
from numduel.web.puzzles.challenges import CHALLENGE_QUESTION
from numduel.web.reviews.page_model import Replay, Review, ReviewPage, replay_at, review_of
from numduel.web.routing import PageRouter
from numduel.web.services import services_of
from numduel.web.sharing import challenge_address, picture_response
from numduel.web.thinking import tasks

router = PageRouter()

_MAX_OWN_GAMES = 8  # number of finished games of a browser that are offered


class FinishedGame(NamedTuple):
    """A finished game that can be reviewed: a round of a duel, or an uploaded record."""

    record: Record
    path: str  # the address of its page
    back: str = ""  # the address of its duel
    swapped: bool | None = None  # whether the first move was taken over
    you: int = 0  # the visitor's seat; 0 if they have none or both


async def _read_finished(request: Request, name: str) -> FinishedGame:
    """Return the finished game to which an address belongs."""
    services, number = services_of(request), request.path_params.get("number")
    if number is None:
        text = await services.records.load(name)
        if text is None:
            raise Missing("There is no such record here, or it was deleted.")
        return FinishedGame(loads(text), f"/record/{name}")
    duel = await services.duels.read(name)
    which = number_of(number) or 0
    if not 1 <= which <= len(duel.rounds):
        raise Missing("That round is not finished, or there is no such round.")
    client_of(request).prove(name, duel.terms.seats)
    seats = duel.seats_of(request.cookies.get("seat", ""))
    return FinishedGame(
        record=duel.rounds[which - 1],
        path=f"/game/{name}/round/{which}",
        back=f"/game/{name}",
        swapped=duel.swaps[which - 1],
        you=min(seats) if len(seats) == 1 else 0,
    )


@router.post("/game/{name}/round/{number}")
@router.post("/record/{name}")
async def try_move(request: Request, name: Key) -> Response:
    """Try another move in place of a mistake: lead to the page that judges it."""
    finished, form = await _read_finished(request, name), await form_of(request)
    at, move = (form.get(field, "")[:MAX_INPUT_DIGITS] for field in ("at", "move"))
    return go(f"{finished.path}?{urlencode({'move': at, 'tried': move})}")


@router.get("/game/{name}/round/{number}/record.json")
@router.get("/record/{name}/record.json")
async def download_record(request: Request, name: Key) -> Response:
    record = (await _read_finished(request, name)).record
    return download(record.dumps(), "application/json", f"numduel-{record.game}.json")


@router.get("/game/{name}/round/{number}/picture.png")
@router.get("/record/{name}/picture.png")
async def finished_picture(request: Request, name: Key) -> Response:
    """Return the picture of a finished game: its end, or its position after `?move=7`."""
    finished = await _read_finished(request, name)
    table = await services_of(request).reviews.replayed(finished.record)
    shown = replay_at(table, finished.record, number_of(request.query_params.get("move")))
    headline = shown.ending.rstrip(".") if shown.at == shown.length else CHALLENGE_QUESTION
    return await picture_response(request, card(shown.scene, headline, shown.title))


@router.get("/game/{name}/round/{number}")
@router.get("/record/{name}")
async def show_review(request: Request, name: Key) -> Response:
    """Show a finished game, and where it turned."""
    finished = await _read_finished(request, name)
    path, query = finished.path, request.query_params
    table = await services_of(request).reviews.replayed(finished.record)
    shown = replay_at(table, finished.record, number_of(query.get("move")), finished.you)
    review = await _review(request, finished, shown)
    game, position = table.game, table.position_at(shown.at)
    colours, tried, notice = bool(preferences(request).colours), None, ""
    ask, client = services_of(request).quick.ask, client_of(request)
    if review.mistake is not None:
        move = number_of(query.get("tried"))
        if move is not None and game.allows(position, move):
            tried = await ask(client, tasks.check_answer, game, position, move)
            verdicts = {move: Verdict(tried.value)}
            shown = shown.with_verdicts(game.words.scene(position), verdicts, position.mover)
        elif "tried" in query:
            notice = f"{quoted(query['tried'])} is not a move that can be made here."
    elif colours:
        with suppress(NumduelError):  # nobody knows, or the game is over
            verdicts = await ask(client, tasks.move_verdicts, game, position)
            shown = shown.with_verdicts(shown.scene, verdicts, position.mover)
    over = game.outcome(position) is not None
    challenge = "" if over else challenge_address(game, position)
    return page(
        request,
        "review.html",
        page=ReviewPage(shown, review, path, finished.back, tried, colours, challenge),
        notice=notice,
        link=address(request, path),
        image=f"{address(request, path)}/picture.png?move={shown.at}",
    )


async def _review(request: Request, finished: FinishedGame, shown: Replay) -> Review:
    """Return the analysis of a game beside the shown position, or why there is none."""
    reviews, client = services_of(request).reviews, client_of(request)
    try:
        analysis = await reviews.analysis(client, finished.record, finished.swapped)
        return review_of(analysis, shown, finished.you)
    except Busy as error:
        return Review(unknown=f"{error} Reload this page to see who was winning.")
    except NumduelError as error:
        return Review(unknown=f"It is not known who was winning: {error}.")


@router.get("/analyze")
async def show_own_games(request: Request) -> Response:
    """Show the finished games of this browser, and the form for a record."""
    own = []
    for name, seat in reversed(remembered_games(request)):
        with suppress(NumduelError):  # it was deleted
            duel = await services_of(request).duels.read(name)
            for number, record in reversed([*enumerate(duel.rounds, 1)]):
                won = record.outcome is not None and record.outcome.winner == seat
                result = "You won." if won else "You did not win."
                own.append((duel.table.game.title, result, f"{duel_path(name)}/round/{number}"))
    return page(request, "analyze.html", own=own[:_MAX_OWN_GAMES])


@router.post("/analyze")
async def upload(request: Request) -> Response:
    """Store an uploaded record, if it can be analysed, and lead to its page."""
    services = services_of(request)
    try:
        record = read_record(await uploaded(request, "record"))
        await services.reviews.analysis(client_of(request), record)
        name = new_name()
        await services.records.add(name, record.dumps())
    except NumduelError as error:
        return page(request, "analyze.html", error=error)
    return go(f"/record/{name}")
