"""The values that the pages of a room show."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from markupsafe import Markup

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.scene import SEAT_MARKS, Scene
from numduel.core.verdict import Value, Verdict
from numduel.core.words import Last
from numduel.picture import mini
from numduel.picture.cells import answers_over
from numduel.play.chain import longest_chain
from numduel.play.puzzle import Puzzle, Reason
from numduel.web.board import Board, PlayedMove, board, past_of, played_moves
from numduel.web.duels.record import DuelRecord, cooperatively
from numduel.web.errors import Busy
from numduel.web.game_settings import form_fields
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache
from numduel.web.reviews.service import ReviewService
from numduel.web.rooms.model import Room
from numduel.web.rooms.pupils import ClassGame, Pupil
from numduel.web.rooms.questions import Question, best_of
from numduel.web.thinking import Thinking, tasks

MOMENT_SECONDS = 2.0
"""Time that the projector's page waits for the analyses from which it picks a moment."""

_MAX_NAMED_MOVES = 8
_MAX_NAMED_CHAINS = 5
_MAX_SMALL_BOARDS_BYTES = 8 * 2**20
_MAX_EXPLAINED_QUESTIONS = 200  # in the cache

_small_boards: LruCache[tuple[int, Markup]] = LruCache(_MAX_SMALL_BOARDS_BYTES)
"""The small board of each game, by the name of its duel, with the version that it shows."""

_explanations: LruCache[list[Reason]] = LruCache(_MAX_EXPLAINED_QUESTIONS)


class QuestionView(NamedTuple):
    """The question of a room. It does not show who gave which answer."""

    sentence: str
    board: Board
    mine: str | None  # the visitor's own answer
    right: bool | None  # whether that is right; None until it is revealed
    bars: list[tuple[str, int, Value | None]]  # each answer, how many gave it, and its value
    result: str  # how many found a best move; empty until it is revealed


class ContestView(NamedTuple):
    """The chain contest of a room."""

    line: str  # who has the longest chain, in a sentence
    leaders: list[tuple[str, int]]  # the pupils with the longest chains, and their lengths
    board: Board
    possible: int  # the length of the longest possible chain; 0 if unknown


class Tile(NamedTuple):
    """A game of the class on the projector's page."""

    game: ClassGame
    names: list[str]
    turn: int | None  # the seat of the player who must move
    picture: Markup


class Moment(NamedTuple):
    """A position of a finished round at which a game turned."""

    sentence: str  # the question about it
    picture: Markup
    fields: dict[str, str]  # of a form that asks the class about it


class PlayedLine(NamedTuple):
    """The best moves after an answer, to be played out on the board."""

    boards: list[Board]  # after each move
    moves: list[PlayedMove]
    end: str  # why the game is over then; empty if it is not


class ProjectorPage(NamedTuple):
    """The page for the whole class: the way in, the games, or what all do together."""

    question: QuestionView | None
    contest: ContestView | None
    reasons: list[Reason]  # for and against the answers to the question, once they are revealed
    played_reason: int  # which of them is played out on the board, from 1; 0 if none is
    line: PlayedLine | None  # the moves of that reason
    tiles: list[Tile]  # the games of the round
    columns: int  # of the tiles
    moment: Moment | None
    thinking: bool  # whether the page should look again for a moment


class AskPage(NamedTuple):
    """The page on which a teacher chooses the next question."""

    game: Game[Any]
    games: list[tuple[str, str]]  # the key and title of each game
    offers: list[tuple[Puzzle, bool]]  # positions, and whether each is from a lesson
    moves: str  # those that lead to the teacher's own position
    played: list[str]  # the same moves, as players write them
    board: Board
    promise: str  # how much there is to find in that position, or why it cannot be asked about
    can_ask: bool
    position: Any


# A question.


def question_sentence(scene: Scene, mover: int) -> str:
    """Return the question about a position, addressed to the player who is to move."""
    if scene.number is None:
        return f"You are {SEAT_MARKS[mover]}. Which number would you pick?"
    if scene.cells:
        return f"You are on {scene.number.value}. Which number would you pick?"
    return f"You are on {scene.number.value}. What would you play?"


def question_fields(game: Game[Any], position: Any) -> dict[str, str]:
    """Return the fields of a form that asks the class about this position."""
    return {"game": game.key, "position": game.notation(position), **form_fields(game)}


def promise(values: Mapping[int, Value]) -> str:
    """Return how much there is to find in a position, given the value of each move."""
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
    """Return the room's question as the pupil sees it; without a pupil, as the class sees it."""
    question = room.question
    if question is None:
        return None
    # In a thread, because a game without a notation of its own searches all its positions.
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
        sentence=question_sentence(scene, position.mover),
        board=shown,
        mine=None if mine is None else game.words.move_label(position, mine),
        right=question.is_right(me.number) if me and revealed else None,
        bars=[] if question.stage == "asked" else _bars(question, position),
        result=_result_sentence(question, position) if revealed else "",
    )


def _bars(question: Question, position: Any) -> list[tuple[str, int, Value | None]]:
    """Return each answer, and each best move once the values are revealed."""
    counts, values = question.counts(), question.values if question.stage == "revealed" else {}
    shown = {*counts, *(question.best_moves()[:_MAX_NAMED_MOVES] if values else ())}
    label = question.game.words.move_label
    return [
        (label(position, move), counts.get(move, 0), values.get(move)) for move in sorted(shown)
    ]


def _result_sentence(question: Question, position: Any) -> str:
    """Return how many pupils found a best move, in a sentence."""
    best = question.best_moves()
    if not question.has_right_answer():
        lost = set(question.values.values()) == {"loss"}
        return "Every move loses here." if lost else "No move is better than another here."
    labels = [question.game.words.move_label(position, move) for move in best[:_MAX_NAMED_MOVES]]
    more = f" and {len(best) - _MAX_NAMED_MOVES} more" if len(best) > _MAX_NAMED_MOVES else ""
    who = f"{question.finders()} of you" if question.finders() else "Nobody"
    return f"{who} found it: {', '.join(labels)}{more}"


async def explanations(thinking: Thinking, client: Client, room: Room) -> list[Reason]:
    """Return why the best answer is right, and what is wrong with the most common other one."""
    question = room.question
    if question is None or question.stage != "revealed":
        return []
    key, counts, best = f"{room.code} {question.number}", question.counts(), question.best_moves()
    known = _explanations.get(key)
    if known is None:
        groups = best if question.has_right_answer() else (), {*counts} - {*best}
        moves = [
            max(sorted(group), key=lambda move: counts.get(move, 0)) for group in groups if group
        ]
        with suppress(NumduelError):  # nobody knows
            position = await asyncio.to_thread(question.parsed)
            known = await thinking.ask(client, tasks.reasons, question.game, position, moves)
        _explanations.put(key, known or [], 1)
    return known or []


def played_line(game: Game[Any], past: Sequence[Last]) -> PlayedLine:
    """Return a line of moves as the page plays it out."""
    ends = [(game.after(*last), past[: at + 1]) for at, last in enumerate(past)]
    outcome = game.outcome(ends[-1][0])
    boards = [board(game.words.scene(*end)) for end in ends]
    return PlayedLine(boards, played_moves(game, past), outcome.reason if outcome else "")


def contest_view(room: Room) -> ContestView | None:
    contest = room.contest
    if contest is None:
        return None
    names, line = room.names(), "Who makes the longest chain?"
    leaders = [(names[one], contest.length(one)) for one in contest.ranked()[:_MAX_NAMED_CHAINS]]
    if leaders:
        line = f"{leaders[0][0]} has the longest chain: {leaders[0][1]}"
    return ContestView(
        line=line,
        leaders=leaders,
        board=board(contest.best.scene),
        possible=len(longest_chain(contest.size) or ()),
    )


# The games of a round.


async def tiles(room: Room, duels: list[DuelRecord]) -> list[Tile]:
    """Return the games of the round, each as a small board."""
    return [
        Tile(
            game, room.player_names(game), None if game.over else duel.deciding, _small_board(duel)
        )
        async for game, duel in cooperatively(zip(room.current_games(), duels, strict=True))
    ]


def _small_board(duel: DuelRecord) -> Markup:
    """Return the small board of a game, which is drawn again only after a move."""
    version, picture = _small_boards.get(duel.name) or (-1, Markup())
    if version != duel.version:
        table = duel.table
        scene = table.game.words.scene(table.position, past_of(table, len(table.moves)))
        picture = mini(scene)
        _small_boards.put(duel.name, (duel.version, picture), len(picture))
    return picture


async def moment_of(
    reviews: ReviewService, client: Client, room: Room, duels: list[DuelRecord]
) -> Moment | None:
    """Return the latest position of a finished round at which one of its games turned.

    It names nobody. Returns None if no game turned; raises TimeoutError if nobody knows that yet.
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
    sentence = question_sentence(scene, position.mover)
    return Moment(sentence, mini(scene), question_fields(table.game, position))


async def _last_turning_point(reviews: ReviewService, client: Client, duel: DuelRecord) -> int:
    """Return the last turn at which the last round of a game turned; 0 if there is none known."""
    try:
        analysis = await reviews.analysis(client, duel.rounds[-1], duel.swaps[-1])
    except Busy:
        raise TimeoutError from None
    except NumduelError:
        return 0
    return max((step.turn for step in analysis.turning_points), default=0)
