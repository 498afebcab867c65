"""The JSON API for programs: the same duels as on the pages, and exact verdicts.

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
from numduel.web.game_settings import check_size, read_record
from numduel.web.identity import KEY_PATTERN, MAX_KEY_LENGTH, client_of
from numduel.web.services import services_of
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
_OPENED_LINKS = {
    "read": {"operationId": "read_duel", "parameters": {"name": "$response.body#/name"}},
}

KeyInPath = Annotated[str, Path(pattern=KEY_PATTERN)]

router = APIRouter(prefix="/api", responses=_ERRORS)

_bearer = HTTPBearer(auto_error=False, description="The secret of a seat.")


async def _bearer_secret(
    header: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> str:
    if header is None or not 0 < len(header.credentials) <= MAX_KEY_LENGTH:
        raise HTTPException(401, _ERRORS[401]["description"], {"WWW-Authenticate": "Bearer"})
    return header.credentials


Secret = Annotated[str, Depends(_bearer_secret)]


def _duel_state(duel: DuelRecord) -> DuelState:
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


@router.post("/duels", status_code=201, responses={201: {"links": _OPENED_LINKS}})
async def open_duel(request: Request, body: NewDuel) -> OpenedDuel:
    """Begin a duel."""
    terms = body.model_dump(exclude={"game", "settings"})
    agreed = agree(new(body.game, **body.settings), **terms)
    duel = await services_of(request).duels.open(agreed.terms, client_of(request))
    secrets = {str(seat): secret for seat, secret in enumerate(agreed.secrets, 1) if secret}
    return OpenedDuel(name=duel.name, secrets=secrets)


@router.get("/duels/{name}", operation_id="read_duel")
async def read_duel(request: Request, name: KeyInPath) -> DrawnDuel:
    """A duel as it stands."""
    duel = await services_of(request).duels.read(name, client_of(request))
    game = duel.table.game
    scene = _json_value(game.words.scene(duel.table.position))
    return DrawnDuel.model_construct(
        **dict(_duel_state(duel)), settings=dict(game.settings.values), scene=scene
    )


def _json_value(part: Any) -> Any:
    """Return a Scene, or a part of it, as JSON values."""
    if isinstance(part, tuple) and hasattr(part, "_asdict"):
        return {name: _json_value(value) for name, value in part._asdict().items()}
    if isinstance(part, tuple | list | frozenset):
        return [_json_value(one) for one in part]
    return part


@router.get("/duels/{name}/events", response_class=StreamingResponse, responses=_STREAM)
async def duel_events(request: Request, name: KeyInPath) -> Response:
    """Server-sent events: the version, now and whenever it changes.

    With the secret of a seat, the stream counts as a player's; other limits apply to watchers.
    """
    header = await _bearer(request)
    secret = "" if header is None else header.credentials
    return await duel_stream(services_of(request), client_of(request), name, secret)


@router.post("/duels/{name}/move")
async def move(request: Request, name: KeyInPath, body: MoveRequest, secret: Secret) -> DuelState:
    """Make a move. The answer is sent once the move and the computer's reply are on disk."""
    return await _apply_wish(request, name, secret, Move(body.move), body.at)


@router.post("/duels/{name}/swap")
async def swap(request: Request, name: KeyInPath, body: SwapRequest, secret: Secret) -> DuelState:
    """Take over the first move, or decline to."""
    return await _apply_wish(request, name, secret, Swap(body.taken), body.at)


async def _apply_wish(
    request: Request, name: str, secret: str, wish: Wish, at: int | None
) -> DuelState:
    duels, client = services_of(request).duels, client_of(request)
    return _duel_state(await duels.wish(name, secret, wish, at, client=client))


def _wish_route(word: WishWord) -> Callable[..., Awaitable[DuelState]]:
    async def wish(
        request: Request, name: KeyInPath, body: DuelRequest, secret: Secret
    ) -> DuelState:
        return await _apply_wish(request, name, secret, word, body.at)

    return wish


_WISH_DESCRIPTIONS: dict[WishWord, str] = {
    "undo": "Take a move back, or ask the other player for it; or agree to what they asked.",
    "refuse": "Refuse to let the other player take a move back.",
    "resign": "Resign.",
    "next": "Begin the next round.",
    "rematch": "Begin another match, in which the other seat begins, or ask the other person to.",
}
for _word in WISH_WORDS:
    router.post(f"/duels/{{name}}/{_word}", name=_word, description=_WISH_DESCRIPTIONS[_word])(
        _wish_route(_word)
    )


@router.post("/solve", response_model=PositionVerdicts)
async def solve(request: Request, body: PositionRequest) -> Response:
    """Who wins a position, and with which moves: exactly, or refused as too large.

    A position is too large if it takes more than ten seconds or 40 MB of memory: for example, other
    operations than +1 and x2 on more than about ten million numbers.
    """
    game = check_size(new(body.game, **body.settings))
    slow, client = services_of(request).slow, client_of(request)
    text = await slow.ask(client, tasks.solve_as_json, game, body.first, body.moves)
    return Response(text, media_type="application/json")


@router.post("/analyze", response_model=dict[str, Any])
async def analyze(request: Request, body: dict[str, Any]) -> Response:
    """Where a game turned; the body is its record."""
    record = read_record(await request.body())
    analysis = await services_of(request).reviews.analysis(client_of(request), record)
    return JSONResponse(analysis.as_dict())
