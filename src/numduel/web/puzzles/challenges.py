"""A challenge: a position from which a visitor plays on against the computer.

Its address holds everything: the game, its settings, the position and the moves since.
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
from numduel.web.board import Board, board
from numduel.web.game_settings import check_size, find_game_type, game_from_form
from numduel.web.html import address, form_of, go, move_of, page
from numduel.web.identity import Key, client_of
from numduel.web.routing import PageRouter
from numduel.web.services import services_of
from numduel.web.sharing import (
    MAX_POSITION_CHARACTERS,
    picture_address,
    picture_response,
    played_address,
    played_fields,
)
from numduel.web.thinking import tasks

router = PageRouter()

CHALLENGE_QUESTION = "Can you win from here?"

OPPONENT_PLAYER = "perfect"
"""The computer player against which the visitor plays."""

_MAX_CHALLENGE_MOVES = 200


class Challenge(NamedTuple):
    """A position, and what was played from it. It is also the model of its page."""

    game: Game[Any]
    text: str  # the notation of the position at its start
    moves: list[int]
    position: Any  # after these moves
    past: list[Last]

    @property
    def you(self) -> int:
        """The visitor's seat."""
        start = self.past[0].before if self.past else self.position
        return int(start.mover)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.position)

    @property
    def won(self) -> bool:
        return self.outcome is not None and self.outcome.winner == self.you

    @property
    def headline(self) -> str:
        """What the visitor should do, or how it ended."""
        if self.outcome is None:
            return "Your turn" if self.moves else CHALLENGE_QUESTION
        if self.outcome.winner is None:
            return "Nobody wins"
        return "You win!" if self.won else "The computer wins"

    @property
    def scene(self) -> Scene:
        """The position to be drawn."""
        return self.game.words.scene(self.position, self.past)

    @property
    def board(self) -> Board:
        names = (YOU, "The computer") if self.you == 1 else ("The computer", YOU)
        return board(self.scene, names=names, seat=self.position.mover)

    @property
    def start(self) -> str:
        """The address of the challenge before any move."""
        return played_address(self.game, self.text)

    @property
    def fields(self) -> dict[str, str]:
        """The hidden fields of the page's form."""
        return played_fields(self.game, self.text, self.moves)


async def _read_challenge(request: Request, key: str, fields: Mapping[str, str]) -> Challenge:
    """Return the challenge of an address or a form; raises NumduelError if it is invalid."""
    find_game_type(key)
    game, text = check_size(game_from_form(key, fields)), fields.get("position", "").strip()
    move_texts = fields.get("moves", "")
    if len(text) + len(move_texts) > MAX_POSITION_CHARACTERS:
        raise SettingsError("that is too long for a challenge")
    moves = [move_of(one) for one in move_texts.split(",") if one]
    if len(moves) > _MAX_CHALLENGE_MOVES:
        raise SettingsError(
            f"a challenge has at most {_MAX_CHALLENGE_MOVES} moves: please begin again"
        )
    quick, client = services_of(request).quick, client_of(request)
    position, past = await quick.ask(client, tasks.played_from, game, text, moves)
    return Challenge(game, text, moves, position, past)


@router.get("/challenge/{key}")
async def show_challenge(request: Request, key: Key) -> Response:
    """Show a challenge after the moves that were played from it."""
    challenge = await _read_challenge(request, key, request.query_params)
    return await _challenge_page(request, challenge)


@router.post("/challenge/{key}")
async def move_in_challenge(request: Request, key: Key) -> Response:
    """Make a move, and let the computer answer it."""
    form = await form_of(request)
    challenge = await _read_challenge(request, key, form)
    game, moves = challenge.game, [*challenge.moves]
    try:
        move = move_of(form.get("move", ""))
        position = game.play(challenge.position, move)
    except (IllegalMove, SettingsError) as error:
        return await _challenge_page(request, challenge, error)
    moves.append(move)
    duels, client = services_of(request).duels, client_of(request)
    while position.mover != challenge.you and game.outcome(position) is None:
        turn = Turn(game, position, challenge.you, tuple(moves), Random())
        decision = await duels.decision(client, OPPONENT_PLAYER, turn, False)
        assert isinstance(decision, Move)
        moves.append(decision.move)
        position = game.after(position, decision.move)
    return go(played_address(game, challenge.text, moves))


async def _challenge_page(
    request: Request, challenge: Challenge, error: NumduelError | None = None
) -> Response:
    return page(
        request,
        "challenge.html",
        error=error,
        challenge=challenge,
        comment=await _comment(request, challenge),
        link=address(request, challenge.start),
        image=address(request, picture_address(challenge.start)),
    )


async def _comment(request: Request, challenge: Challenge) -> str:
    """Return the coach's comment on the visitor's last move; empty if there is none."""
    own = [last for last in challenge.past if last.before.mover == challenge.you]
    if own:
        with suppress(NumduelError):  # nobody knows
            ask, client = services_of(request).quick.ask, client_of(request)
            return await ask(client, tasks.comment, challenge.game, own)
    return ""


@router.get("/challenge/{key}/picture.png")
async def challenge_picture(request: Request, key: Key) -> Response:
    challenge = await _read_challenge(request, key, request.query_params)
    scene, title = challenge.scene, challenge.game.title
    headline = CHALLENGE_QUESTION if challenge.outcome is None else title
    return await picture_response(request, card(scene, headline, f"{title}. {scene.aim}"))
