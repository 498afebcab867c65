"""The JSON API: the same duels as on the pages, and exact verdicts, for programs.

The secret of a seat is sent in the header `Authorization: Bearer SECRET`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from numduel.games import games, new
from numduel.play.duel import WISH_WORDS, Wish, WishWord
from numduel.play.event import Move, Swap
from numduel.web.api.models import (
    DrawnDuel,
    DuelRequest,
    DuelState,
    ErrorBody,
    GameSummary,
    MoveRequest,
    NewDuel,
    OpenedDuel,
    PositionRequest,
    PositionVerdicts,
    RoundResult,
    SwapRequest,
)
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.streams import duel_stream
from numduel.web.duels.terms import agree
from numduel.web.game_settings import check_record, served
from numduel.web.identity import FORM, MAX_KEY_LENGTH, client_of
from numduel.web.site import site_of
from numduel.web.thinking import tasks

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": words}
    for status, words in {
        400: "The request cannot be read",
        401: "The header must be: Authorization: Bearer SECRET",
        403: "Not your seat, or a request from another site",
        404: "There is no such duel",
        409: "Not now: another's turn, or the duel has moved on",
        413: "The body is too long",
        422: "Not allowed by the rules or the settings",
        429: "Too many requests",
        503: "Busy: try again in a moment",
    }.items()
}

_STREAM: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
_LINKS = {
    "read": {"operationId": "read_duel", "parameters": {"name": "$response.body#/name"}},
}

KeyInPath = Annotated[str, Path(pattern=FORM)]

router = APIRouter(prefix="/api", responses=_ERRORS)

_bearer = HTTPBearer(auto_error=False, description="The secret of a seat.")


async def _secret(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    if given is None or not 0 < len(given.credentials) <= MAX_KEY_LENGTH:
        raise HTTPException(401, _ERRORS[401]["description"], {"WWW-Authenticate": "Bearer"})
    return given.credentials


Secret = Annotated[str, Depends(_secret)]


def _state(duel: DuelRecord) -> DuelState:
    match, table = duel.match, duel.table
    outcome = table.outcome
    return DuelState.model_construct(
        name=duel.name,
        version=duel.version,
        game=table.game.key,
        players=match.setup.players,
        names=match.setup.names,
        round=match.round,
        rounds=match.setup.rounds,
        best_of=match.setup.best_of,
        score=(match.wins[1], match.wins[2]),
        first=table.first,
        mover=table.position.mover,
        moves=table.moves,
        swap_open=table.swap_open,
        outcome=None if outcome is None else RoundResult.model_construct(**outcome._asdict()),
        over=match.over,
        asking=duel.asking,
    )


@router.get("/games", response_model=list[GameSummary])
async def list_games() -> object:
    """Every game, with its settings."""
    return games()


@router.post("/duels", status_code=201, responses={201: {"links": _LINKS}})
async def open_duel(request: Request, asked: NewDuel) -> OpenedDuel:
    """Begin a duel."""
    terms = asked.model_dump(exclude={"game", "settings"})
    agreed = agree(new(asked.game, **asked.settings), **terms)
    duel = await site_of(request).duels.open(agreed.terms, client_of(request))
    held = {str(seat): secret for seat, secret in enumerate(agreed.secrets, 1) if secret}
    return OpenedDuel(name=duel.name, secrets=held)


@router.get("/duels/{name}", operation_id="read_duel")
async def read_duel(request: Request, name: KeyInPath) -> DrawnDuel:
    """A duel as it stands."""
    duel = await site_of(request).duels.read(name, client_of(request))
    game = duel.table.game
    drawn = _drawn(game.words.scene(duel.table.position))
    return DrawnDuel.model_construct(
        **dict(_state(duel)), settings=dict(game.settings.values), scene=drawn
    )


def _drawn(part: Any) -> Any:
    """Return a Scene, or a part of it, as JSON values."""
    if isinstance(part, tuple) and hasattr(part, "_asdict"):
        return {name: _drawn(value) for name, value in part._asdict().items()}
    if isinstance(part, tuple | list | frozenset):
        return [_drawn(one) for one in part]
    return part


@router.get("/duels/{name}/events", response_class=StreamingResponse, responses=_STREAM)
async def duel_events(request: Request, name: KeyInPath) -> Response:
    """Server-sent events: the version, now and whenever it changes.

    With the secret of a seat, one of the streams that are reserved for players.
    """
    given = await _bearer(request)
    secret = "" if given is None else given.credentials
    return await duel_stream(site_of(request), client_of(request), name, secret)


@router.post("/duels/{name}/move")
async def move(request: Request, name: KeyInPath, asked: MoveRequest, secret: Secret) -> DuelState:
    """Make a move. When this is answered, the move and the computer's reply are on disk."""
    return await _wished(request, name, secret, Move(asked.move), asked.at)


@router.post("/duels/{name}/swap")
async def swap(request: Request, name: KeyInPath, asked: SwapRequest, secret: Secret) -> DuelState:
    """Take over the first move, or leave it."""
    return await _wished(request, name, secret, Swap(asked.taken), asked.at)


async def _wished(
    request: Request, name: str, secret: str, wish: Wish, at: int | None
) -> DuelState:
    duels, client = site_of(request).duels, client_of(request)
    return _state(await duels.wish(name, secret, wish, at, client=client))


def _wishing(word: WishWord) -> Callable[..., Awaitable[DuelState]]:
    async def wish(
        request: Request, name: KeyInPath, asked: DuelRequest, secret: Secret
    ) -> DuelState:
        return await _wished(request, name, secret, word, asked.at)

    return wish


_MEANT: dict[WishWord, str] = {
    "undo": "Take a move back, or ask to; or let the other player, who asked, take one back.",
    "refuse": "Refuse that a move is taken back.",
    "resign": "Resign.",
    "next": "Begin the next round.",
    "rematch": "Begin another match, in which the other seat begins, or ask another person to.",
}
for _word in WISH_WORDS:
    router.post(f"/duels/{{name}}/{_word}", name=_word, description=_MEANT[_word])(_wishing(_word))


@router.post("/solve", response_model=PositionVerdicts)
async def solve(request: Request, asked: PositionRequest) -> Response:
    """Who wins a position, and with which moves: exact, or refused as too large.

    It is too large if it takes more than ten seconds, or more than 40 MB of memory, such as other
    operations than +1 and x2 on more than about ten million numbers.
    """
    game = served(new(asked.game, **asked.settings))
    slow, client = site_of(request).slow, client_of(request)
    text = await slow.ask(client, tasks.solved, game, asked.first, asked.moves)
    return Response(text, media_type="application/json")


@router.post("/analyze", response_model=dict[str, Any])
async def analyze(request: Request, asked: dict[str, Any]) -> Response:
    """Where a game turned; the body is its record."""
    record = check_record(await request.body())
    found = await site_of(request).reviews.analysis(client_of(request), record)
    return JSONResponse(found.as_dict())
