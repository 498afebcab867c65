"""What a page shows of a puzzle: its board, what the visitor has found, and how it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.requests import Request

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.words import YOU, Last
from numduel.play.puzzle import Attempt, Puzzle
from numduel.web.board import Board, PlayedMove, board, played_moves
from numduel.web.html import address, number_of
from numduel.web.identity import client_of
from numduel.web.services import services_of
from numduel.web.sharing import challenge_address, picture_address, played_address
from numduel.web.thinking import tasks

OPPONENT_NAME = "Your opponent"
"""The name of the other player in a puzzle."""

MAX_BOARDS = 16
"""Maximum number of boards on which a line is played out: the last ones."""


class PuzzleView(NamedTuple):
    """A puzzle, and what the visitor has found."""

    puzzle: Puzzle
    attempt: Attempt
    boards: list[Board]  # the present board, or one after each move of a line that is played out
    played: list[PlayedMove]  # the moves of that line
    result: str  # how the line ends the game, in a sentence; empty if it does not
    end: str  # the reason of that outcome
    found: str  # the right moves so far, as a form sends them
    gave_up: bool  # whether the visitor asked for the answer
    hint: str  # the idea; empty unless the visitor asked for it
    notice: str  # what was wrong with the visitor's move
    image: str  # the address of the picture
    play_on: str  # the address at which the visitor can play on; empty if the game is over

    @property
    def open(self) -> bool:
        """Whether this page takes an answer."""
        return not self.attempt.solved and not self.attempt.missed

    @property
    def solved(self) -> bool:
        """Whether the visitor has found every right move."""
        return self.attempt.solved and not self.gave_up

    @property
    def next_task(self) -> str:
        """What to find after a right move that is not the last."""
        number, turns = self.puzzle.turns - self.attempt.missing + 1, self.puzzle.turns
        before, move = self.attempt.past[-1]
        if before.mover == self.puzzle.position.mover:
            return f"It is your move again: find move {number} of {turns}."
        reply = self.puzzle.game.words.move_label(before, move)
        return f"Your opponent plays {reply}. Find move {number} of {turns}."


async def puzzle_view(
    request: Request, puzzle: Puzzle, low: bool = False, solved: bool = False
) -> PuzzleView:
    """Return a puzzle after the answer in the request: `?moves=7,2`, or `?show=answer`.

    `low`: whether there is little height for its picture. `solved`: whether the visitor solved it
    earlier; then it is shown solved unless the request has an answer.
    """
    query = request.query_params
    gave_up, notice = query.get("show") == "answer", ""
    if gave_up or (solved and not {"move", "moves"} & {*query}):
        moves = [last.move for last in puzzle.answers]
    else:
        texts = query["moves"].split(",") if query.get("moves") else query.getlist("move")
        moves, notice = _read_moves(puzzle, texts)
    client, quick = client_of(request), services_of(request).quick
    attempt = await quick.ask(client, tasks.attempt, puzzle, moves)
    game, names = puzzle.game, (YOU, OPPONENT_NAME)
    if puzzle.position.mover == 2:
        names = (OPPONENT_NAME, YOU)
    line = [*attempt.past, *attempt.ending]
    shown = range(len(attempt.past) + (attempt.missed and bool(attempt.ending)), len(line) + 1)
    end = game.after(*line[-1]) if line else puzzle.position
    outcome = game.outcome(end)
    return PuzzleView(
        puzzle=puzzle,
        attempt=attempt,
        boards=[_board(puzzle, line[:count], names, low) for count in shown[-MAX_BOARDS:]],
        played=played_moves(game, line) if attempt.solved or attempt.missed else [],
        result=game.words.result(end, outcome, line[-1], names) if outcome else "",
        end=outcome.reason if outcome else "",
        found=",".join(map(str, moves[: puzzle.turns - attempt.missing])),
        gave_up=gave_up,
        hint=await _idea(request, game, attempt) if query.get("show") == "hint" else "",
        notice=notice,
        image=address(request, picture_address(challenge_address(game, puzzle.position))),
        play_on=_address_to_play_on(puzzle, attempt),
    )


async def _idea(request: Request, game: Game[Any], attempt: Attempt) -> str:
    """Return what to look for, without the move; empty if nobody knows."""
    with suppress(NumduelError):
        ask = services_of(request).quick.ask
        return await ask(client_of(request), tasks.idea, game, attempt.position)
    return ""


def _read_moves(puzzle: Puzzle, texts: Sequence[str]) -> tuple[list[int], str]:
    """Return the moves up to the first wrong one, and the error in the text after them if any."""
    moves: list[int] = []
    for text, (before, right) in zip(texts, puzzle.answers, strict=False):
        move = number_of(text)
        if move is None or not puzzle.game.allows(before, move):
            return moves, f"{quoted(text)} is not a move that can be made here."
        moves.append(move)
        if move != right:
            break
    return moves, ""


def _board(puzzle: Puzzle, past: list[Last], names: tuple[str, str], low: bool) -> Board:
    position = puzzle.game.after(*past[-1]) if past else puzzle.position
    scene = puzzle.game.words.scene(position, past)
    shown = board(scene, names=names, seat=puzzle.position.mover, low=low)
    return shown._replace(squares=[square._replace(here=False) for square in shown.squares])


def _address_to_play_on(puzzle: Puzzle, attempt: Attempt) -> str:
    """Return the address to play on after a solved puzzle; empty if no move remains."""
    line = [*attempt.past]
    for last in attempt.ending:
        if last.before.mover == puzzle.position.mover:
            start = puzzle.game.notation(puzzle.position)
            return played_address(puzzle.game, start, [move for _, move in line])
        line.append(last)
    return ""
