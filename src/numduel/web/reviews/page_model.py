"""What the page of a finished game shows, as plain values for the template."""

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
from numduel.play.table import Table, table_ending
from numduel.players import HUMAN, character, check_who
from numduel.web.board import Board, PlayedMove, board, history, past_of, settings_words

_MAX_STRETCHES = 30  # on the bar of a game


class Replay(NamedTuple):
    """A finished game at one of its positions."""

    title: str  # of the game
    settings: str  # those that are not the usual ones, in words
    players: list[str]
    names: tuple[str, str]  # the same, as they begin a sentence
    started: str  # the day
    ending: str  # who won and why
    length: int  # in moves
    at: int  # after how many moves the position is shown
    scene: Scene
    board: Board
    history: list[PlayedMove]

    def judged(self, scene: Scene, verdicts: Mapping[int, Verdict], position: Any) -> Replay:
        """Return the same with the verdicts of moves on the board."""
        drawn = board(scene, verdicts, self.names, seat=position.mover)
        return self._replace(board=drawn)


class Stretch(NamedTuple):
    """Who was winning after a move, or after several that changed nothing."""

    move: int  # after how many moves the position is that it leads to
    label: str  # the number of the move
    seat: int  # who was winning then; 0: nobody
    mistake: bool  # whether it gave something away
    said: str  # the same in words
    here: bool  # whether the page shows it
    weight: int = 1  # how many moves it stands for


class Review(NamedTuple):
    """The analysis of a finished game, as far as it is known."""

    unknown: str = ""  # why it is not known
    story: str = ""  # where the game turned, in a sentence
    bar: tuple[Stretch, ...] = ()
    mistakes: tuple[int, ...] = ()  # after how many moves each was made
    mistake: JudgedMove | None = None  # that was made in the position shown
    swap: SwapJudgement | None = None  # the decision about the first move


def replay(table: Table[Any], record: Record, step: int | None, you: int = 0) -> Replay:
    """Return a game after `step` moves, or at its end, to whoever has the seat `you`."""
    game, length = table.game, len(record.moves)
    at = length if step is None else max(0, min(step, length))
    position = table.position_at(at)
    scene = game.words.scene(position, past_of(table, at))
    players = [
        YOU if seat == you else _called(seat, who) for seat, who in enumerate(record.players, 1)
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


def _called(seat: int, who: str) -> str:
    """Return what a player of a record is called: a person or a computer player."""
    if who == HUMAN:
        return f"Player {seat}"
    try:
        return character(who) or f"the computer ({check_who(who)})"
    except SettingsError:
        return f"{who[:60]} (Player {seat})"


def review(analysis: Analysis, shown: Replay, you: int = 0) -> Review:
    """Return the analysis of a game beside one of its positions."""
    made = [step for step in analysis.turning_points if step.turn == shown.at + 1]
    return Review(
        story=analysis.story(shown.names, you),
        bar=tuple(bar(analysis, shown.names, shown.at)),
        mistakes=tuple(step.turn - 1 for step in analysis.turning_points),
        mistake=made[0] if made else None,
        swap=analysis.swap,
    )


def bar(analysis: Analysis, names: tuple[str, str], at: int) -> list[Stretch]:
    """Return who was winning, move by move; for a long game, at its mistakes and between them.

    A mistake leads to the position before it, where one can try again.
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
            said=_winning(analysis.leads[turn], names, turn in mistakes),
            here=turn == (at + 1 if at + 1 in mistakes else at),
            weight=turn - before if turn else 1,
        )
        for before, turn in zip([0, *turns], turns, strict=False)
    ]


def _winning(seat: int, names: tuple[str, str], mistake: bool) -> str:
    who = names[seat - 1] if seat else "nobody"
    line = f"{who} {'are' if who == YOU else 'is'} winning"
    return f"a mistake: {line}" if mistake else line
