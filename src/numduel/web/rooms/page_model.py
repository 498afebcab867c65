"""What the pages of a room show, as plain values for the templates."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from markupsafe import Markup

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.scene import MARKS, Scene
from numduel.core.verdict import Value, Verdict
from numduel.core.words import Last
from numduel.picture import mini
from numduel.picture.cells import answers_over
from numduel.play.chain import longest_chain
from numduel.play.puzzle import Reason
from numduel.web.board import Board, PlayedMove, board, past_of, played_moves
from numduel.web.duels.record import DuelRecord, cooperatively
from numduel.web.errors import Busy
from numduel.web.game_settings import form_fields
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache
from numduel.web.reviews.service import ReviewService
from numduel.web.rooms.model import Room
from numduel.web.rooms.pupils import ClassGame, Pupil
from numduel.web.rooms.questions import Question, Stage, best_of
from numduel.web.thinking import Thinking, tasks

MOMENT_SECONDS = 2.0
"""How long the projector's page waits for the position of the round."""

_MAX_NAMED_MOVES = 8  # of the best moves
_MAX_NAMED_CHAINS = 5
_MAX_TILE_BYTES = 8 * 2**20
_MAX_REASONS = 200  # questions whose reasons are remembered

_tiles: LruCache[tuple[int, Markup]] = LruCache(_MAX_TILE_BYTES)
"""The small board of each game, by its name, with the version of the game that it shows."""

_reasons: LruCache[list[Reason]] = LruCache(_MAX_REASONS)


class QuestionView(NamedTuple):
    """The question of a room. It never tells whose answer is whose."""

    number: int
    stage: Stage
    game: Game[Any]
    sentence: str
    board: Board
    answered: int  # how many have answered
    mine: str | None  # the answer of whoever looks
    right: bool | None  # whether it is right, once that is revealed
    bars: list[tuple[str, int, Value | None]]  # each answer, how many gave it, and its value
    found: str  # how many found the best move, once that is revealed


class ContestView(NamedTuple):
    """The chain contest of a room."""

    length: int  # of the longest chain of the class
    leaders: list[tuple[str, int]]  # who made the longest, and how long each is
    board: Board
    possible: int  # the length of the longest chain there is; 0: nobody knows

    @property
    def line(self) -> str:
        """How far the class has come."""
        if not self.leaders:
            return "Who makes the longest chain?"
        return f"{self.leaders[0][0]} has the longest chain: {self.length}"


class Tile(NamedTuple):
    """A game of the class on the projector's page."""

    game: ClassGame
    names: list[str]
    turn: int | None  # whose turn it is
    picture: Markup


Moment = tuple[str, Markup, dict[str, str]]
"""The position of a round: the question, its picture, and the form that asks it."""


# A question.


def asking(scene: Scene, mover: int) -> str:
    """Return the question about a position, to whoever is to move."""
    if scene.number is None:
        return f"You are {MARKS[mover]}. Which number would you pick?"
    if scene.cells:
        return f"You are on {scene.number.value}. Which number would you pick?"
    return f"You are on {scene.number.value}. What would you play?"


def question_fields(game: Game[Any], position: Any) -> dict[str, str]:
    """Return the fields of a form that asks the class about a position."""
    return {"game": game.key, "position": game.notation(position), **form_fields(game)}


def promise(values: Mapping[int, Value]) -> str:
    """Return how much there is to find in a position, by the value of each move."""
    best, total = best_of(values), len(values)
    if not best:
        return "Nobody knows which moves are good here."
    wins = values[best[0]] == "win"
    if len(best) == total:
        return "No move is better than another: there is nothing to find."
    if len(best) == 1:
        return f"1 of {total} moves wins." if wins else f"1 of {total} moves is safe."
    return f"{len(best)} of {total} moves {'win' if wins else 'are safe'}."


async def question_view(room: Room, me: Pupil | None = None) -> QuestionView | None:
    """Return the question of a room to a pupil, or to all."""
    question = room.question
    if question is None:
        return None
    # In a thread: a game without a notation of its own searches all its positions for it.
    game, position = question.game, await asyncio.to_thread(question.parsed)
    revealed = question.stage == "revealed"
    best = {move: Verdict(question.values[move]) for move in question.best_moves()}
    mine = question.answers.get(me.number) if me else None
    scene = game.words.scene(position)
    hinted = () if mine is None else (mine,)
    shown = board(scene, best if revealed else {}, seat=position.mover, hinted=hinted)
    if scene.cells and question.stage != "asked":
        shown = shown._replace(over=shown.over + answers_over(scene, question.counts()))
    return QuestionView(
        number=question.number,
        stage=question.stage,
        game=game,
        sentence=asking(scene, position.mover),
        board=shown,
        answered=len(question.answers),
        mine=None if mine is None else game.words.move_label(position, mine),
        right=question.is_right(me.number) if me and revealed else None,
        bars=[] if question.stage == "asked" else _bars(question, position),
        found=_found(question, position) if revealed else "",
    )


def _bars(question: Question, position: Any) -> list[tuple[str, int, Value | None]]:
    """Return each answer, and once they are revealed also each best move."""
    counts, values = question.counts(), question.values if question.stage == "revealed" else {}
    shown = {*counts, *(question.best_moves()[:_MAX_NAMED_MOVES] if values else ())}
    label = question.game.words.move_label
    return [
        (label(position, move), counts.get(move, 0), values.get(move)) for move in sorted(shown)
    ]


def _found(question: Question, position: Any) -> str:
    """Return how many have found a best move, in a sentence."""
    best = question.best_moves()
    if len(best) == len(question.values):
        lost = set(question.values.values()) == {"loss"}
        return "Every move loses here." if lost else "No move is better than another here."
    labels = [question.game.words.move_label(position, move) for move in best[:_MAX_NAMED_MOVES]]
    more = f" and {len(best) - _MAX_NAMED_MOVES} more" if len(best) > _MAX_NAMED_MOVES else ""
    who = f"{question.finders()} of you" if question.finders() else "Nobody"
    return f"{who} found it: {', '.join(labels)}{more}"


async def reasons(thinking: Thinking, client: Client, room: Room) -> list[Reason]:
    """Return why the best answer is right, and what is wrong with the most common other one."""
    question = room.question
    if question is None or question.stage != "revealed":
        return []
    key, counts, best = f"{room.code} {question.number}", question.counts(), question.best_moves()
    found = _reasons.get(key)
    if found is None:
        groups = best if len(best) < len(question.values) else (), {*counts} - {*best}
        moves = [
            max(sorted(group), key=lambda move: counts.get(move, 0)) for group in groups if group
        ]
        with suppress(NumduelError):  # then nothing is known to be said
            position = await asyncio.to_thread(question.parsed)
            found = await thinking.ask(client, tasks.reasons, question.game, position, moves)
        _reasons.put(key, found or [], 1)
    return found or []


def played_out(game: Game[Any], past: Sequence[Last]) -> tuple[list[Board], list[PlayedMove], str]:
    """Return the board after each move of a line, the moves, and why the game is over then."""
    ends = [(game.after(*last), past[: at + 1]) for at, last in enumerate(past)]
    outcome = game.outcome(ends[-1][0])
    boards = [board(game.words.scene(*end)) for end in ends]
    return boards, played_moves(game, past), outcome.reason if outcome else ""


def contest_view(room: Room) -> ContestView | None:
    """Return the chain contest of a room."""
    contest = room.contest
    if contest is None:
        return None
    names, first = room.names(), contest.ranked()[:_MAX_NAMED_CHAINS]
    return ContestView(
        length=len(contest.best.numbers),
        leaders=[(names[pupil], contest.length(pupil)) for pupil in first],
        board=board(contest.best.scene),
        possible=len(longest_chain(contest.size) or ()),
    )


# The games of a round.


async def tiles(room: Room, duels: list[DuelRecord]) -> list[Tile]:
    """Return the games of the class, each as a small board."""
    return [
        Tile(game, room.players(game), None if game.over else duel.deciding, _drawn(duel))
        async for game, duel in cooperatively(zip(room.current(), duels, strict=True))
    ]


def _drawn(duel: DuelRecord) -> Markup:
    """Return the small board of a game, which is drawn again only after a move."""
    version, drawn = _tiles.get(duel.name) or (-1, Markup())
    if version != duel.version:
        table = duel.table
        scene = table.game.words.scene(table.position, past_of(table, len(table.moves)))
        drawn = mini(scene)
        _tiles.put(duel.name, (duel.version, drawn), len(drawn))
    return drawn


async def moment_of(
    reviews: ReviewService, client: Client, room: Room, duels: list[DuelRecord]
) -> Moment | None:
    """Return the latest position of a finished round at which one of its games turned.

    It names nobody. Returns None if no game turned; raises TimeoutError if that is not known yet.
    """
    if not duels or room.unfinished:
        return None
    async with asyncio.timeout(MOMENT_SECONDS):
        turns = [await _last_turning_point(reviews, client, one) for one in duels]
    turn, duel = max(zip(turns, duels, strict=True), key=lambda one: one[0])
    if turn == 0:
        return None
    table, position = duel.table, duel.table.position_at(turn - 1)
    scene = table.game.words.scene(position, past_of(table, turn - 1))
    return asking(scene, position.mover), mini(scene), question_fields(table.game, position)


async def _last_turning_point(reviews: ReviewService, client: Client, duel: DuelRecord) -> int:
    """Return the turn at which the last round of a game last turned; 0 if there is none known."""
    try:
        found = await reviews.analysis(client, duel.rounds[-1], duel.swaps[-1])
    except Busy:
        raise TimeoutError from None
    except NumduelError:
        return 0
    return max((step.turn for step in found.turning_points), default=0)
