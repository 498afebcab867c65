"""The values that the page of a finished game shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.record import Record
from numduel.core.scene import Scene
from numduel.core.verdict import Verdict
from numduel.core.words import SEATS, YOU
from numduel.play.analysis import Analysis, JudgedMove
from numduel.play.judgement import SwapJudgement
from numduel.play.puzzle import PuzzleAnswer
from numduel.play.table import Table, table_ending
from numduel.players import HUMAN, character, check_who
from numduel.web.board import Board, PlayedMove, board, history, past_of, settings_words

_MAX_STRETCHES = 30  # of the bar


class Replay(NamedTuple):
    """A finished game at one of its positions."""

    title: str  # of the game
    settings: str  # those that differ from the usual ones, in words
    players: list[str]
    names: tuple[str, str]  # the players' names as they begin a sentence
    started: str  # the day
    ending: str  # who won and why
    length: int  # the number of moves of the game
    at: int  # the number of moves before the shown position
    scene: Scene
    board: Board
    history: list[PlayedMove]

    def with_verdicts(self, scene: Scene, verdicts: Mapping[int, Verdict], seat: int) -> Replay:
        """Return the same with the verdicts of moves on the board of that scene."""
        return self._replace(board=board(scene, verdicts, self.names, seat=seat))


class Stretch(NamedTuple):
    """A part of the bar: who was winning after a move, or after several that changed nothing."""

    move: int  # the number of moves before the position to which it leads
    label: str  # the number of the move
    seat: int  # the player who was winning; 0 for nobody
    mistake: bool  # whether the move was a mistake
    words: str  # the same in words
    here: bool  # whether the page shows that position
    weight: int = 1  # the number of moves for which it stands


class Review(NamedTuple):
    """The analysis of a finished game, as far as it is known."""

    unknown: str = ""  # why it is unknown
    story: str = ""  # where the game turned, in a sentence
    bar: tuple[Stretch, ...] = ()
    mistakes: tuple[int, ...] = ()  # the number of moves before each mistake
    mistake: JudgedMove | None = None  # the mistake in the shown position
    swap: SwapJudgement | None = None  # the decision about the first move


class ReviewPage(NamedTuple):
    """The page of a finished game."""

    replay: Replay
    review: Review
    path: str  # the address of the page
    back: str  # the address of its duel; empty for an uploaded record
    tried: PuzzleAnswer | None  # the judgement of the move that the visitor tried
    colours: bool  # whether the visitor wants to see verdicts
    challenge: str  # the address at which one can play on; empty if the game is over


def replay_at(table: Table[Any], record: Record, step: int | None, you: int = 0) -> Replay:
    """Return a game after `step` moves, or at its end, as the player in the seat `you` sees it."""
    game, length = table.game, len(record.moves)
    at = length if step is None else max(0, min(step, length))
    position = table.position_at(at)
    scene = game.words.scene(position, past_of(table, at))
    players = [
        YOU if seat == you else _player_name(seat, who)
        for seat, who in enumerate(record.players, 1)
    ]
    one, two = (f"{name[:1].upper()}{name[1:]}" for name in players)
    end = table_ending(table, record.outcome)
    return Replay(
        title=game.title,
        settings=settings_words(game),
        players=players,
        names=(one, two),
        started=record.started[:10],
        ending="The game is not finished."
        if end is None
        else end.sentence(game, (one, two) if you else SEATS),
        length=length,
        at=at,
        scene=scene,
        board=board(scene, names=(one, two), seat=position.mover),
        history=history(table, past_of(table, length)),
    )


def _player_name(seat: int, who: str) -> str:
    """Return the name of a player of a record: a person or a computer player."""
    if who == HUMAN:
        return f"Player {seat}"
    try:
        return character(who) or f"the computer ({check_who(who)})"
    except SettingsError:
        return f"{who[:60]} (Player {seat})"


def review_of(analysis: Analysis, shown: Replay, you: int = 0) -> Review:
    """Return what the page shows of an analysis beside one position of the game."""
    mistakes = [step for step in analysis.turning_points if step.turn == shown.at + 1]
    return Review(
        story=analysis.story(shown.names, you),
        bar=tuple(stretches(analysis, shown.names, shown.at)),
        mistakes=tuple(step.turn - 1 for step in analysis.turning_points),
        mistake=mistakes[0] if mistakes else None,
        swap=analysis.swap,
    )


def stretches(analysis: Analysis, names: tuple[str, str], at: int) -> list[Stretch]:
    """Return who was winning after each move; in a long game, only around its mistakes.

    A mistake leads to the position before it, in which the visitor can try again.
    """
    mistakes = {step.turn for step in analysis.turning_points}
    last = len(analysis.leads) - 1
    turns = [*range(last + 1)]
    if last > _MAX_STRETCHES:
        near = {0, last, at, *mistakes, *(turn - 1 for turn in mistakes)}
        turns = sorted(near)[:_MAX_STRETCHES]
    return [
        Stretch(
            move=turn - 1 if turn in mistakes else turn,
            label=str(turn),
            seat=analysis.leads[turn],
            mistake=turn in mistakes,
            words=_winning_words(analysis.leads[turn], names, turn in mistakes),
            here=turn == (at + 1 if at + 1 in mistakes else at),
            weight=turn - before if turn else 1,
        )
        for before, turn in zip([0, *turns], turns, strict=False)
    ]


def _winning_words(seat: int, names: tuple[str, str], mistake: bool) -> str:
    who = names[seat - 1] if seat else "nobody"
    line = f"{who} {'are' if who == YOU else 'is'} winning"
    return f"a mistake: {line}" if mistake else line
