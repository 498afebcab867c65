"""What there is to think about. Each is asked in the process of a Thinker."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from numduel.core.game import Game
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.play import coach
from numduel.play.analysis import Analysis, analyze
from numduel.play.event import Event, Move, Swap
from numduel.play.puzzle import Answer, Puzzle
from numduel.play.puzzle import answered as answer_of
from numduel.play.puzzle import puzzle as numbered_puzzle
from numduel.players import Turn, check_fit, player
from numduel.solver import evaluate, solve


@lru_cache(maxsize=32)
def _known(game: Game[Any]) -> Game[Any]:
    """The same game, with what was found out about it before."""
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


def advise(turn: Turn, swap_open: bool, seconds: float) -> str:
    """What the coach says to the player who is to decide."""
    return coach.advice(turn._replace(game=_known(turn.game), seconds=seconds), swap_open)


def comment(game: Game[Any], before: Any, move: int) -> str:
    """What the coach says of a move that was made."""
    return coach.comment(_known(game), before, move)


def comment_swap(game: Game[Any], position: Any, taken: bool) -> str:
    """What the coach says of taking over the first move, or of leaving it."""
    return coach.comment_swap(_known(game), position, taken)


def verdicts(game: Game[Any], position: Any) -> tuple[Verdict, dict[int, Verdict]]:
    """The verdict of a position, and that of each legal move."""
    game = _known(game)
    return solve(game, position), evaluate(game, position)


def analysis(game: Game[Any], record: Record, swapped: bool | None) -> Analysis:
    """A finished game looked back on."""
    return analyze(_known(game), record, swapped)


def puzzle(key: str, number: int, grade: int | None) -> Puzzle:
    """The puzzle of that number."""
    return numbered_puzzle(key, number, grade)


def answered(game: Game[Any], position: Any, move: int) -> Answer:
    """What a move comes to that somebody tried."""
    return answer_of(_known(game), position, move)


def fairness(game: Game[Any], seconds: float) -> str:
    """Who can win, in a sentence."""
    return coach.fairness(_known(game), seconds)
