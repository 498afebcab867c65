"""The JSON API, described by OpenAPI: the same duels and the exact answers, for programs.

A seat's secret goes into the header `Authorization: Bearer SECRET`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from numduel.games import games, new
from numduel.play.duel import WORDS, Word
from numduel.play.event import Move, Swap
from numduel.web.api.models import (
    Answer,
    Drawn,
    Ended,
    Listed,
    Moving,
    NewDuel,
    Opened,
    Problem,
    Question,
    Setting,
    State,
    Swapping,
    Wishing,
)
from numduel.web.data.hosted import Hosted
from numduel.web.keys import LONGEST_KEY, Key
from numduel.web.live.agreement import agree, check_record, served
from numduel.web.live.site import site_of
from numduel.web.live.streams import duel_stream
from numduel.web.thinking import questions

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in {
        400: "The request cannot be read",
        401: "The header must be: Authorization: Bearer SECRET",
        403: "Not your seat, or a request from another site",
        404: "There is no such duel",
        409: "Not now: another's turn, or the duel has moved on",
        413: "The body is too long",
        422: "Not allowed by the rules or the settings",
        429: "Too many requests",
        503: "Busy: again in a moment",
    }.items()
}

_STREAM: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
_LINKS = {
    "read": {"operationId": "read_duel", "parameters": {"name": "$response.body#/name"}},
}

router = APIRouter(prefix="/api", responses=_PROBLEMS)

_bearer = HTTPBearer(auto_error=False, description="The secret of a seat.")


async def _secret(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    if given is None or not 0 < len(given.credentials) <= LONGEST_KEY:
        raise HTTPException(401, _PROBLEMS[401]["description"], {"WWW-Authenticate": "Bearer"})
    return given.credentials


Secret = Annotated[str, Depends(_secret)]


def _state(duel: Hosted) -> State:
    match, table = duel.match, duel.table
    outcome = table.outcome
    return State.model_construct(
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
        outcome=None if outcome is None else Ended.model_construct(**outcome._asdict()),
        over=match.over,
        asking=duel.asking,
    )


@router.get("/games")
async def list_games() -> list[Listed]:
    """Every game, with its settings."""
    return [
        Listed(
            key=key,
            title=title,
            settings=[
                Setting(name=s.name, default=s.default, allowed=s.allowed, help=s.help)
                for s in settings
            ],
        )
        for key, title, settings in games()
    ]


@router.post("/duels", status_code=201, responses={201: {"links": _LINKS}})
async def open_duel(request: Request, asked: NewDuel) -> Opened:
    """Begin a duel."""
    agreed = agree(
        new(asked.game, **asked.settings),
        asked.players,
        names=asked.names,
        first=asked.first,
        rounds=asked.rounds,
        best_of=asked.best_of,
        swap=asked.swap,
        turn_limit=asked.turn_limit,
        seed=asked.seed,
    )
    duel = await site_of(request).desk.open(agreed.terms)
    held = {str(seat): secret for seat, secret in enumerate(agreed.secrets, 1) if secret}
    return Opened(name=duel.name, secrets=held)


@router.get("/duels/{name}", operation_id="read_duel")
async def read_duel(request: Request, name: Key) -> Drawn:
    """A duel as it stands."""
    duel = await site_of(request).desk.read(name)
    game = duel.table.game
    drawn = _drawn(game.words.scene(duel.table.position))
    return Drawn.model_construct(
        **dict(_state(duel)), settings=dict(game.settings.values), scene=drawn
    )


def _drawn(part: Any) -> Any:
    """A Scene, or a part of it, as JSON has it."""
    if isinstance(part, tuple) and hasattr(part, "_asdict"):
        return {name: _drawn(value) for name, value in part._asdict().items()}
    if isinstance(part, tuple | list | frozenset):
        return [_drawn(one) for one in part]
    return part


@router.get("/duels/{name}/events", response_class=StreamingResponse, responses=_STREAM)
async def duel_events(request: Request, name: Key) -> Response:
    """Server-sent events: the version, now and whenever it changes.

    With the secret of a seat, from the share that is kept for players.
    """
    given = await _bearer(request)
    return await duel_stream(site_of(request), name, "" if given is None else given.credentials)


@router.post("/duels/{name}/move")
async def move(request: Request, name: Key, asked: Moving, secret: Secret) -> State:
    """Make a move. When this is answered, it is on disk, and so is the computer's reply."""
    desk = site_of(request).desk
    return _state(await desk.wish(name, secret, Move(asked.move), asked.at))


@router.post("/duels/{name}/swap")
async def swap(request: Request, name: Key, asked: Swapping, secret: Secret) -> State:
    """Take over the first move, or leave it."""
    desk = site_of(request).desk
    return _state(await desk.wish(name, secret, Swap(asked.taken), asked.at))


def _wishing(word: Word) -> Callable[..., Awaitable[State]]:
    async def wish(request: Request, name: Key, asked: Wishing, secret: Secret) -> State:
        return _state(await site_of(request).desk.wish(name, secret, word, asked.at))

    return wish


_MEANT: dict[Word, str] = {
    "undo": "Take a move back, or ask to; or grant it to the other, who asked.",
    "refuse": "Refuse that a move is taken back.",
    "resign": "Resign.",
    "next": "Begin the next round.",
    "rematch": "Begin another match, in which the other seat begins.",
}
for _word in WORDS:
    router.post(f"/duels/{{name}}/{_word}", name=_word, description=_MEANT[_word])(_wishing(_word))


@router.post("/solve", response_model=Answer)
async def solve(request: Request, asked: Question) -> Response:
    """Who wins a position, and with which moves: exact, or refused as too large.

    Too large is what takes more than ten seconds, or more than 40 MB of memory: other operations
    than +1 and x2 on more than about ten million numbers.
    """
    game = served(new(asked.game, **asked.settings))
    text = await site_of(request).slow.ask(questions.solved, game, asked.first, asked.moves)
    return Response(text, media_type="application/json")


@router.post("/analyze", response_model=dict[str, Any])
async def analyze(request: Request, asked: dict[str, Any]) -> Response:
    """Where a game turned: the body is its record."""
    record = check_record(await request.body())
    found = await site_of(request).analysis(new(record.game, **record.settings), record)
    return JSONResponse(found.as_dict())
