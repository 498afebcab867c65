"""What there is to think about. Each is asked in the process of a Thinker."""

from __future__ import annotations

import gc
import json
from functools import lru_cache
from typing import Any

from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.core.words import Last
from numduel.play import coach
from numduel.play.analysis import Analysis, analyze
from numduel.play.event import Event, Move, Swap
from numduel.play.puzzle import Answer, Puzzle
from numduel.play.puzzle import answered as answer_of
from numduel.play.puzzle import puzzle as numbered_puzzle
from numduel.players import Turn, check_fit, player
from numduel.solver import evaluate, solve, theory_of
from numduel.web.bounds import LARGEST_SOLUTION, MOST_REMEMBERED
from numduel.web.thinking.memory import resident

COLOUR_SECONDS = 0.5
"""How long it may take to find what each move leads to, for a page that shows it unasked."""


@lru_cache(maxsize=16)
def _remembered(game: Game[Any]) -> Game[Any]:
    return game


def _known(game: Game[Any]) -> Game[Any]:
    """The same game, with what was found out about it before, unless that became too much."""
    if resident() > MOST_REMEMBERED:
        _remembered.cache_clear()
        gc.collect()  # for a game and its theory hold each other
    return _remembered(game)


def _solvable(game: Game[Any], position: Any) -> Game[Any]:
    """`_known`, if its exact solution is not too large for this server; TooLarge."""
    game = _known(game)
    needed = theory_of(game).cost(position).bytes
    if needed > LARGEST_SOLUTION:
        raise TooLarge(
            f"its exact solution takes {needed / 2**20:,.0f} MB of memory, "
            f"and here at most {LARGEST_SOLUTION / 2**20:,.0f} MB"
        )
    return game


def decide(who: str, turn: Turn, swap: bool, seconds: float) -> Event:
    """What a computer player decides: a move, or whether it takes over the first one."""
    computer = player(who)
    assert computer is not None
    turn = turn._replace(game=_known(turn.game), seconds=seconds)
    return Swap(computer.swaps(turn)) if swap else Move(computer.choose(turn))


def fits(players: tuple[str, str], game: Game[Any]) -> None:
    """Raise where one of the players cannot play this game."""
    for who in players:
        check_fit(who, _known(game))


def advise(turn: Turn, swap_open: bool, seconds: float) -> coach.Advice:
    """What the coach says to the player who is to decide."""
    return coach.advised(turn._replace(game=_known(turn.game), seconds=seconds), swap_open)


def comment(game: Game[Any], before: Any, move: int) -> str:
    """What the coach says of a move that was made."""
    return coach.comment(_solvable(game, before), before, move)


def comment_swap(game: Game[Any], position: Any, taken: bool) -> str:
    """What the coach says of taking over the first move, or of leaving it."""
    return coach.comment_swap(_solvable(game, position), position, taken)


def choices(game: Game[Any], notation: str) -> int:
    """How many moves there are in the position of that notation; PositionError."""
    game = _known(game)
    position = game.read(notation)
    return 0 if game.outcome(position) is not None else len(game.moves(position))


def played_from(game: Game[Any], notation: str, moves: list[int]) -> tuple[Any, list[Last]]:
    """Where moves lead from a position, and each with the position before it; PositionError."""
    position, past = _known(game).read(notation), []
    for move in moves:
        past.append(Last(position, move))
        position = game.play(position, move)
    return position, past


def verdicts(game: Game[Any], position: Any) -> tuple[Verdict, dict[int, Verdict]]:
    """The verdict of a position, and that of each legal move."""
    game = _solvable(game, position)
    return solve(game, position), evaluate(game, position)


def move_verdicts(game: Game[Any], position: Any) -> dict[int, Verdict]:
    """The verdict of each legal move: without distances where those would take too long."""
    game = _solvable(game, position)
    cost = theory_of(game).cost(position)
    if cost.once + cost.evaluate <= COLOUR_SECONDS:
        return evaluate(game, position)
    if cost.once + cost.values <= COLOUR_SECONDS:
        return {move: Verdict(value) for move, value in theory_of(game).values(position).items()}
    raise TooLarge("it would take too long here")


def solved(game: Game[Any], first: int, moves: list[int]) -> str:
    """The verdicts after those moves as JSON, which may be long; IllegalMove."""
    position = game.start(first)
    for move in moves:
        position = game.play(position, move)
    verdict, found = verdicts(game, position)
    listed = {str(move): one._asdict() for move, one in found.items()}
    return json.dumps({**verdict._asdict(), "mover": position.mover, "moves": listed})


def analysis(game: Game[Any], record: Record, swapped: bool | None) -> Analysis:
    """A finished game looked back on."""
    return analyze(_solvable(game, game.start(record.first)), record, swapped)


def puzzle(key: str, number: int, grade: int | None) -> Puzzle:
    """The puzzle of that number."""
    return numbered_puzzle(key, number, grade)


def answered(game: Game[Any], position: Any, move: int) -> Answer:
    """What a move comes to that somebody tried."""
    return answer_of(_solvable(game, position), position, move)


def fairness(game: Game[Any], seconds: float) -> str:
    """Who can win, in a sentence."""
    return coach.fairness(_solvable(game, game.start()), seconds)
