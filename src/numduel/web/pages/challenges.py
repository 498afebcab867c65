"""A challenge: any position by its link, with a picture, to be played on against the computer.

The address says all of it: the game, its settings, the position and the moves since.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import IllegalMove, NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.words import YOU, Last
from numduel.picture.card import WIDTH, card
from numduel.play.event import Move
from numduel.players import Turn
from numduel.web.keys import Key
from numduel.web.live.agreement import game_from_form, served
from numduel.web.live.site import site_of
from numduel.web.pages.addresses import (
    LONGEST,
    picture_address,
    played_address,
    played_fields,
)
from numduel.web.pages.board import board
from numduel.web.pages.html import address, form_of, go, number_of, page
from numduel.web.pages.play import kind
from numduel.web.pages.views import settings_words
from numduel.web.problems import sentence, status_of
from numduel.web.thinking import questions

router = APIRouter(include_in_schema=False)

ASKED = "Can you win from here?"

OPPONENT = "perfect"
"""Whom one plays against."""

_MOST_MOVES = 200
_DAY = 24 * 60 * 60


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
    def names(self) -> tuple[str, str]:
        """What the players are called."""
        return (YOU, "The computer") if self.you == 1 else ("The computer", YOU)


async def _read(request: Request, key: str, fields: Mapping[str, str]) -> Challenge:
    """What an address or a form says; SettingsError, PositionError or IllegalMove."""
    kind(key)
    game, text = served(game_from_form(key, fields)), fields.get("position", "").strip()
    listed = fields.get("moves", "")
    if len(text) + len(listed) > LONGEST:
        raise SettingsError("that is too long for a challenge")
    moves = [_move(one) for one in listed.split(",") if one]
    if len(moves) > _MOST_MOVES:
        raise SettingsError(f"a challenge has at most {_MOST_MOVES} moves: please begin again")
    found = await site_of(request).quick.ask(questions.played_from, game, text, moves)
    return Challenge(game, text, moves, *found)


def _move(text: str) -> int:
    move = number_of(text.strip())
    if move is None:
        raise SettingsError(f"a move is a whole number, not {quoted(text)}")
    return move


@router.get("/challenge/{key}")
async def challenge(request: Request, key: Key) -> Response:
    """The position, with whatever was played from it."""
    return await _page(request, await _read(request, key, request.query_params))


@router.post("/challenge/{key}")
async def answer(request: Request, key: Key) -> Response:
    """A move, and the computer's answers to it."""
    form = await form_of(request)
    made = await _read(request, key, form)
    game, moves = made.game, [*made.moves]
    try:
        move = _move(form.get("move", ""))
        position = game.play(made.position, move)
    except (IllegalMove, SettingsError) as error:
        return await _page(request, made, sentence(error), status_of(error))
    moves.append(move)
    while position.mover != made.you and game.outcome(position) is None:
        turn = Turn(game, position, made.you, tuple(moves), Random())
        decided = await site_of(request).desk.decided(OPPONENT, turn, False)
        assert isinstance(decided, Move)
        moves.append(decided.move)
        position = game.after(position, decided.move)
    return go(played_address(game, made.text, moves))


async def _page(request: Request, made: Challenge, notice: str = "", status: int = 200) -> Response:
    game, position = made.game, made.position
    outcome = game.outcome(position)
    start = played_address(game, made.text)
    return page(
        request,
        "challenge.html",
        status,
        notice=notice,
        title=game.title,
        key=game.key,
        summary=game.summary,
        settings=settings_words(game),
        headline=_headline(made),
        comment=await _comment(request, made),
        over=outcome is not None,
        good=outcome is not None and outcome.winner == made.you,
        hidden=played_fields(game, made.text, made.moves),
        board=board(game.words.scene(position, made.past), names=made.names, seat=position.mover),
        again=start if made.moves else "",
        link=address(request, start),
        image=address(request, picture_address(start)),
    )


def _headline(made: Challenge) -> str:
    """What there is to do, or how it ended."""
    outcome = made.game.outcome(made.position)
    if outcome is None:
        return "Your turn" if made.moves else ASKED
    if outcome.winner is None:
        return "Nobody wins"
    return "You win!" if outcome.winner == made.you else "The computer wins"


async def _comment(request: Request, made: Challenge) -> str:
    """What the coach says of the last move of whoever plays."""
    own = [last for last in made.past if last.before.mover == made.you]
    if own:
        with suppress(NumduelError):  # then nobody knows
            ask = site_of(request).quick.ask
            return await ask(questions.comment, made.game, own[-1].before, own[-1].move)
    return ""


@router.get("/challenge/{key}/picture.png")
async def challenge_picture(request: Request, key: Key) -> Response:
    """The picture of the position."""
    made = await _read(request, key, request.query_params)
    scene = made.game.words.scene(made.position, made.past)
    over = made.game.outcome(made.position) is not None
    headline = made.game.title if over else ASKED
    return await picture_of(request, card(scene, headline, f"{made.game.title}. {scene.aim}"))


async def picture_of(request: Request, svg: str) -> Response:
    """A card as a PNG."""
    png = await site_of(request).picture(svg, WIDTH)
    headers = {
        "cache-control": f"public, max-age={_DAY}",
        "content-disposition": 'inline; filename="numduel.png"',
    }
    return Response(png, media_type="image/png", headers=headers)
