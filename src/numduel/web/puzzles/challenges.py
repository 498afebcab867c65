"""A challenge: a position to be played on against the computer.

Its address holds all of it: the game, its settings, the position and the moves since.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import IllegalMove, NumduelError, SettingsError
from numduel.core.game import Game, Outcome
from numduel.core.scene import Scene
from numduel.core.words import YOU, Last
from numduel.picture import card
from numduel.play.event import Move
from numduel.players import Turn
from numduel.web.board import board
from numduel.web.game_settings import game_from_form, kind, served
from numduel.web.html import address, form_of, go, move_of, page
from numduel.web.identity import Key, client_of
from numduel.web.routing import PageRouter
from numduel.web.sharing import (
    MAX_POSITION_CHARACTERS,
    picture_address,
    picture_response,
    played_address,
    played_fields,
)
from numduel.web.site import site_of
from numduel.web.thinking import tasks

router = PageRouter()

ASKED = "Can you win from here?"

OPPONENT_PLAYER = "perfect"
"""The computer player that one plays against."""

_MAX_MOVES = 200


class Challenge(NamedTuple):
    """A position that somebody was sent, and what was played from it."""

    game: Game[Any]
    text: str  # the notation of the position
    moves: list[int]
    position: Any  # now
    past: list[Last]

    @property
    def you(self) -> int:
        """The seat of whoever was sent it."""
        start = self.past[0].before if self.past else self.position
        seat: int = start.mover
        return seat

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.game.outcome(self.position)

    @property
    def won(self) -> bool:
        """Whether whoever was sent it has won."""
        return self.outcome is not None and self.outcome.winner == self.you

    @property
    def headline(self) -> str:
        """What there is to do, or how it ended."""
        if self.outcome is None:
            return "Your turn" if self.moves else ASKED
        if self.outcome.winner is None:
            return "Nobody wins"
        return "You win!" if self.won else "The computer wins"

    @property
    def scene(self) -> Scene:
        """The board now."""
        return self.game.words.scene(self.position, self.past)

    @property
    def fields(self) -> dict[str, str]:
        """What the form of the page sends along."""
        return played_fields(self.game, self.text, self.moves)


async def _read(request: Request, key: str, fields: Mapping[str, str]) -> Challenge:
    """Return the challenge of an address or a form; SettingsError, PositionError, IllegalMove."""
    kind(key)
    game, text = served(game_from_form(key, fields)), fields.get("position", "").strip()
    listed = fields.get("moves", "")
    if len(text) + len(listed) > MAX_POSITION_CHARACTERS:
        raise SettingsError("that is too long for a challenge")
    moves = [move_of(one) for one in listed.split(",") if one]
    if len(moves) > _MAX_MOVES:
        raise SettingsError(f"a challenge has at most {_MAX_MOVES} moves: please begin again")
    quick, client = site_of(request).quick, client_of(request)
    found = await quick.ask(client, tasks.played_from, game, text, moves)
    return Challenge(game, text, moves, *found)


@router.get("/challenge/{key}")
async def challenge(request: Request, key: Key) -> Response:
    """Show the position, after what was played from it."""
    return await _page(request, await _read(request, key, request.query_params))


@router.post("/challenge/{key}")
async def answer(request: Request, key: Key) -> Response:
    """Make a move and let the computer answer it."""
    form = await form_of(request)
    made = await _read(request, key, form)
    game, moves = made.game, [*made.moves]
    try:
        move = move_of(form.get("move", ""))
        position = game.play(made.position, move)
    except (IllegalMove, SettingsError) as error:
        return await _page(request, made, error)
    moves.append(move)
    while position.mover != made.you and game.outcome(position) is None:
        turn = Turn(game, position, made.you, tuple(moves), Random())
        decided = await site_of(request).duels.decision(
            client_of(request), OPPONENT_PLAYER, turn, False
        )
        assert isinstance(decided, Move)
        moves.append(decided.move)
        position = game.after(position, decided.move)
    return go(played_address(game, made.text, moves))


async def _page(request: Request, made: Challenge, error: NumduelError | None = None) -> Response:
    names = (YOU, "The computer") if made.you == 1 else ("The computer", YOU)
    start = played_address(made.game, made.text)
    return page(
        request,
        "challenge.html",
        error=error,
        challenge=made,
        board=board(made.scene, names=names, seat=made.position.mover),
        comment=await _comment(request, made),
        again=start if made.moves else "",
        link=address(request, start),
        image=address(request, picture_address(start)),
    )


async def _comment(request: Request, made: Challenge) -> str:
    """Return what the coach says of the visitor's last move."""
    own = [last for last in made.past if last.before.mover == made.you]
    if own:
        with suppress(NumduelError):  # then nobody knows
            ask, client = site_of(request).quick.ask, client_of(request)
            return await ask(client, tasks.comment, made.game, own)
    return ""


@router.get("/challenge/{key}/picture.png")
async def challenge_picture(request: Request, key: Key) -> Response:
    """Return the picture of the position."""
    made = await _read(request, key, request.query_params)
    headline = ASKED if made.outcome is None else made.game.title
    drawn = card(made.scene, headline, f"{made.game.title}. {made.scene.aim}")
    return await picture_response(request, drawn)
