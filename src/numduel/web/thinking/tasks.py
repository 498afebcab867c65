"""The questions for a ThinkingPool: functions that run in its processes."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from numduel.core.errors import TooLarge
from numduel.core.game import Game, Outcome
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.core.words import Last, replay_from
from numduel.play import coach, friendly_settings, judgement
from numduel.play.analysis import Analysis, analyze_record
from numduel.play.event import Event
from numduel.play.game_loop import decision
from numduel.play.puzzle import Attempt, Puzzle, PuzzleAnswer, Reason, explain_answer, judge_answer
from numduel.players import Turn, check_fit, player
from numduel.players.perfect import Perfect
from numduel.solver import theory_of

MAX_SOLUTION_BYTES = 40 * 2**20  # of the exact solution of a game: about ten million numbers
MAX_SOLUTION_SECONDS = 6.0  # for it, as its theory estimates on a slow machine
MAX_RESIDENT_BYTES = 256 * 2**20  # above which a process forgets the games that it has solved
MAX_VERDICTS_SECONDS = 0.5  # for the verdicts of all moves that a page shows unasked

_STATM = Path("/proc/self/statm")  # exists on Linux only


def resident_bytes() -> int:
    """Return the memory in use by this process; 0 if the system does not tell."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


@lru_cache(maxsize=16)
def _cached(game: Game[Any]) -> Game[Any]:
    return game


def _with_cache(game: Game[Any]) -> Game[Any]:
    """Return an equal game with what was computed about it before, unless memory is short."""
    if resident_bytes() > MAX_RESIDENT_BYTES:
        _cached.cache_clear()
        gc.collect()  # a game and its theory refer to each other
    return _cached(game)


def _solvable(game: Game[Any], position: Any) -> Game[Any]:
    """Return `_with_cache(game)`; raises TooLarge if its exact solution is too large here."""
    game = _with_cache(game)
    cost = theory_of(game).cost(position)
    if cost.bytes > MAX_SOLUTION_BYTES:
        raise TooLarge(
            f"its exact solution takes {cost.bytes / 2**20:,.0f} MB of memory, "
            f"and here at most {MAX_SOLUTION_BYTES / 2**20:,.0f} MB"
        )
    if cost.once + cost.solve > MAX_SOLUTION_SECONDS:
        raise TooLarge("its exact solution takes too long here")
    return game


def decide(who: str, turn: Turn, swap: bool, seconds: float) -> Event:
    """Return a computer player's decision: a move, or whether it takes over the first move."""
    computer = player(who)
    assert computer is not None
    turn = turn._replace(game=_with_cache(turn.game), seconds=seconds)
    return decision(computer, turn, swap)


def check_players(players: tuple[str, str], game: Game[Any]) -> None:
    """Raise an error if one of the players cannot play this game."""
    for who in players:
        if isinstance(player(who), Perfect):
            _solvable(game, game.start())  # refuse before solving
        check_fit(who, _with_cache(game))


def advise(turn: Turn, swap_open: bool, seconds: float) -> coach.Advice:
    """Return the coach's advice to the player who is to decide."""
    return coach.advise(turn._replace(game=_with_cache(turn.game), seconds=seconds), swap_open)


def idea(game: Game[Any], position: Any) -> str:
    """Return a hint to a position that does not name the move."""
    return coach.hint(_solvable(game, position), position).idea


def comment(game: Game[Any], past: list[Last]) -> str:
    """Return the coach's comment on the last of a player's moves."""
    return judgement.comment_on_move(_solvable(game, past[-1].before), past)


def last_word(
    game: Game[Any], past: list[Last], outcome: Outcome, seat: int
) -> judgement.ClosingRemark:
    """Return the coach's last word to the player of a seat."""
    return judgement.closing_remark(_solvable(game, past[0].before), past, outcome, seat)


def comment_swap(game: Game[Any], position: Any, taken: bool) -> str:
    """Return the coach's comment on a decision to take over the first move, or not to."""
    return judgement.comment_on_swap(_solvable(game, position), position, taken)


def played_from(game: Game[Any], notation: str, moves: list[int]) -> tuple[Any, list[Last]]:
    """Return the position after the moves, and each move with the position before it.

    Raises PositionError or IllegalMove.
    """
    return replay_from(game, _with_cache(game).read(notation), moves)


def verdicts(game: Game[Any], position: Any) -> tuple[Verdict, dict[int, Verdict]]:
    """Return the verdict of a position, and of each legal move."""
    game = _solvable(game, position)
    theory = theory_of(game)
    return theory.solve(position), theory.evaluate(position)


def move_verdicts(game: Game[Any], position: Any) -> dict[int, Verdict]:
    """Return the verdict of each legal move, without distances if those would take too long.

    Raises TooLarge if the verdicts themselves would take too long.
    """
    game = _solvable(game, position)
    cost = theory_of(game).cost(position)
    if cost.once + cost.evaluate <= MAX_VERDICTS_SECONDS:
        return theory_of(game).evaluate(position)
    if cost.once + cost.values <= MAX_VERDICTS_SECONDS:
        return {move: Verdict(value) for move, value in theory_of(game).values(position).items()}
    raise TooLarge("it would take too long here")


def solve_as_json(game: Game[Any], first: int, moves: list[int]) -> str:
    """Return the verdicts of a position as JSON, which may be long; raises IllegalMove."""
    position, _ = replay_from(game, game.start(first), moves)
    verdict, of_moves = verdicts(game, position)
    moves_as_dict = {str(move): one._asdict() for move, one in of_moves.items()}
    return json.dumps({**verdict._asdict(), "mover": position.mover, "moves": moves_as_dict})


def analysis(game: Game[Any], record: Record, swapped: bool | None) -> Analysis:
    """Return the analysis of a finished game."""
    return analyze_record(_solvable(game, game.start(record.first)), record, swapped)


def check_answer(game: Game[Any], position: Any, move: int) -> PuzzleAnswer:
    """Return whether a move is right, and why."""
    return judge_answer(_solvable(game, position), position, move)


def reasons(game: Game[Any], position: Any, moves: Sequence[int]) -> list[Reason]:
    """Return why each of these moves is right or wrong."""
    game = _solvable(game, position)
    return [explain_answer(game, position, move) for move in moves]


def attempt(puzzle: Puzzle, moves: Sequence[int]) -> Attempt:
    """Return what these moves have solved of a puzzle."""
    return puzzle._replace(game=_with_cache(puzzle.game)).attempt(moves)


def forecast(game: Game[Any]) -> str:
    """Return a sentence on who can win, with advice if that spoils the game."""
    return friendly_settings.winner_forecast(_solvable(game, game.start()))
