"""The bodies of requests and answers, from which FastAPI derives the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from numduel.core.verdict import Value as VerdictValue
from numduel.games import keys
from numduel.play.setup import MAX_NAME_LENGTH, MAX_SEED
from numduel.players import HUMAN, computers
from numduel.web.duels.terms import MAX_ROUNDS
from numduel.web.game_settings import MAX_ROUND_MOVES


class ErrorBody(BaseModel):
    """An error, in one line that says what is allowed."""

    error: str


def _to_whole(number: object) -> object:
    return int(number) if isinstance(number, float) and number.is_integer() else number


_WHOLE = BeforeValidator(_to_whole)
Whole = Annotated[int, _WHOLE]
"""A whole number; 7.0 is accepted too, because JSON has only one type of number."""

GameKey = Annotated[str, Field(json_schema_extra=lambda schema: schema.update(enum=[*keys()]))]
Settings = Annotated[dict[str, bool | Whole | str | None], Field(max_length=20)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)] | None
Player = Annotated[str, Field(json_schema_extra=lambda schema: schema.update(enum=_player_names()))]


def _player_names() -> list[str]:
    return [HUMAN, *computers(served=True)]


class SettingSummary(BaseModel):
    """A declared setting of a game."""

    name: str
    default: bool | int | str | None
    allowed: str
    help: str


class GameSummary(BaseModel):
    """A game that can be played here."""

    key: str
    title: str
    settings: list[SettingSummary]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewDuel(_Request):
    """The terms of a new duel."""

    game: GameKey
    settings: Settings = {}
    players: tuple[Player, Player] = Field(("human", "human"), strict=False)  # a list in JSON
    names: tuple[Name, Name] = Field((None, None), strict=False)
    first: Literal["1", "2", "random"] = "1"
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS), _WHOLE] = 1
    best_of: bool = False
    swap: bool = False
    turn_limit: Annotated[int, Field(ge=1, le=MAX_ROUND_MOVES), _WHOLE] = MAX_ROUND_MOVES
    seed: Annotated[int, Field(ge=0, le=MAX_SEED), _WHOLE] | None = None


class OpenedDuel(BaseModel):
    """A new duel, and the secret of each person's seat."""

    name: str
    secrets: dict[str, str]


class RoundResult(BaseModel):
    """How a round ended."""

    winner: int | None
    reason: str


class DuelState(BaseModel):
    """A duel as it stands."""

    name: str
    version: int = Field(description="the number of events so far; send it back as `at`")
    game: str
    players: tuple[str, str]
    names: tuple[str | None, str | None]
    round: int
    rounds: int
    best_of: bool
    score: tuple[int, int]
    first: int
    mover: int
    moves: list[int]
    swap_open: bool
    outcome: RoundResult | None
    over: bool
    asking: int | None


class DrawnDuel(DuelState):
    """A duel as it stands, with its settings and what a front end draws."""

    settings: dict[str, Any]
    scene: dict[str, Any]


class DuelRequest(_Request):
    """A player's wish; `at` is the version of the duel that they saw."""

    at: Annotated[int, Field(ge=0), _WHOLE] | None = None


class MoveRequest(DuelRequest):
    """A move."""

    move: Whole


class SwapRequest(DuelRequest):
    """Whether to take over the first move."""

    taken: bool


class PositionRequest(_Request):
    """A position: a game, and the moves that lead to it."""

    game: GameKey
    settings: Settings = {}
    first: Literal[1, 2] = 1
    moves: list[Whole] = Field([], max_length=MAX_ROUND_MOVES)


class Value(BaseModel):
    """What best play leads to, for the player who is to move."""

    value: VerdictValue
    distance: int | None


class PositionVerdicts(Value):
    """The verdict of a position, and of each legal move."""

    mover: int
    moves: dict[str, Value]
