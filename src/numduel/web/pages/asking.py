"""What is shown of a position that was posed to a class; and the page on which it is posed."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.core.words import seat_name
from numduel.games import games
from numduel.picture.cells import answers_over
from numduel.play.puzzle import LARGEST_NUMBER, today
from numduel.web.classes.question import Question
from numduel.web.classes.room import Pupil, Room
from numduel.web.data.hosted import Hosted
from numduel.web.keys import Key
from numduel.web.live.agreement import game_from_form, served
from numduel.web.live.posing import pose, position_of
from numduel.web.live.school import School
from numduel.web.live.site import Site, site_of
from numduel.web.pages.board import board
from numduel.web.pages.html import form_of, go, number_of, page
from numduel.web.pages.play import kind, setting_fields
from numduel.web.pages.puzzles import known_day, known_key, known_number
from numduel.web.pages.views import past_of
from numduel.web.problems import Busy, sentence, status_of

router = APIRouter(include_in_schema=False)

_MOST_NAMED = 8  # sound moves that are named
_PATIENCE = 2.0  # seconds that the page of a room waits for the position of its round


async def shown_question(room: Room, me: Pupil | None = None) -> dict[str, Any] | None:
    """The question of a room, to a pupil or to all: never whose answer is whose."""
    question = room.question
    if question is None:
        return None
    game, position = question.game, await position_of(question)
    verdicts = {move: Verdict(value) for move, value in question.values.items()}
    mine = question.answers.get(me.number) if me else None
    scene = game.words.scene(position)
    shown = board(scene, verdicts, seat=position.mover)
    if scene.cells and question.stage != "asked":
        over = answers_over(scene, question.counts(), question.values)
        shown = shown._replace(over=shown.over + over)
    return {
        "number": question.number,
        "stage": question.stage,
        "title": game.title,
        "sentence": f"{seat_name(position.mover)} is to move: what would you play?",
        "board": shown,
        "answered": len(question.answers),
        "mine": None if mine is None else game.words.move_label(position, mine),
        "bars": [] if question.stage == "asked" else _bars(question, position, mine),
        "found": _found(question, position) if question.values else "",
    }


def _bars(question: Question, position: Any, mine: int | None) -> list[dict[str, Any]]:
    """How many have given each answer; once it is revealed, also what nobody has found."""
    counts = question.counts()
    if question.values:
        counts = {**dict.fromkeys(question.sound()[:_MOST_NAMED], 0), **counts}
    most = max(counts.values(), default=0) or 1
    return [
        {
            "label": question.game.words.move_label(position, move),
            "count": counts[move],
            "width": round(100 * counts[move] / most),
            "value": question.values.get(move),
            "mine": move == mine,
        }
        for move in sorted(counts)
    ]


def _found(question: Question, position: Any) -> str:
    """How many have found what was to be found."""
    sound = question.sound()
    if len(sound) == len(question.values):
        lost = set(question.values.values()) == {"loss"}
        return "Every move loses here." if lost else "No move is better than another here."
    count = sum(move in sound for move in question.answers.values())
    labels = [question.game.words.move_label(position, move) for move in sound[:_MOST_NAMED]]
    more = f" and {len(sound) - _MOST_NAMED} more" if len(sound) > _MOST_NAMED else ""
    return f"{count} of {len(question.answers)} found it: {', '.join(labels)}{more}."


async def moment_of(site: Site, room: Room, duels: list[Hosted]) -> dict[str, Any] | None:
    """The position of a round that is over: where one of its games turned, as late as any did.

    Nobody is named. None where no game turned; TimeoutError where that is not known yet.
    """
    if not duels or not all(game.over for game in room.current()):
        return None
    turned: tuple[int, Hosted] | None = None
    async with asyncio.timeout(_PATIENCE):
        for duel in duels:
            last = await _turned(site, duel)
            if last > (turned[0] if turned else 0):
                turned = last, duel
    if turned is None:
        return None
    turn, duel = turned
    table, position = duel.table, duel.table.position_at(turn - 1)
    scene = table.game.words.scene(position, past_of(table, turn - 1))
    return {
        "sentence": f"{seat_name(position.mover)} is to move: what would you play?",
        "board": board(scene, seat=position.mover, low=True),
        "ask": f"/room/{room.code}/ask?duel={duel.name}&move={turn - 1}",
    }


async def _turned(site: Site, duel: Hosted) -> int:
    """The last turn at which a game's last round turned; 0: at none, or it is too large to know."""
    try:
        found = await site.analysis(duel.table.game, duel.rounds[-1], duel.swaps[-1])
    except Busy:
        raise TimeoutError from None
    except NumduelError:
        return 0
    return max((step.turn for step in found.turning_points), default=0)


@router.get("/room/{code}/ask")
async def prepare(request: Request, code: Key) -> Response:
    """The form for a question: the start of a game, or a position of `?duel=` or `?puzzle=`."""
    site, query = site_of(request), request.query_params
    room = await _taught(request, code)
    game, position, taken = room.setup.game, None, None
    if query.get("duel") in {played.duel for played in room.current()}:
        duel = await site.desk.read(query["duel"])
        game, position = duel.table.game, duel.table.position
        at = number_of(query.get("move"))
        if at is None and game.outcome(position) is not None:
            at = len(duel.table.moves) - 1  # before the move that ended it
        if at is not None and 0 <= at < len(duel.table.moves):
            position = duel.table.position_at(at)
    elif "puzzle" in query:
        game, position = await _posed(site, query["puzzle"])
        taken = number_of(query["puzzle"].partition("/")[2])
    elif query.get("game", game.key) != game.key:
        game = kind(query["game"])()
    form = {f"set-{setting.name}": setting.text(value) for setting, value in game.settings}
    form["position"] = game.notation(game.start() if position is None else position)
    return _form_page(request, room, game.key, form, taken=taken)


@router.post("/room/{code}/ask")
async def ask(request: Request, code: Key) -> Response:
    """Pose a position."""
    site = site_of(request)
    room = await _taught(request, code)
    form = await form_of(request)
    key = form.get("game", "")
    kind(key)
    try:
        game: Game[Any] = served(game_from_form(key, form))
        text = form.get("position", "").strip()
        if not text:
            raise SettingsError("a question needs a position")
        secret = request.cookies.get("teacher", "")
        await pose(School(site.store), site.quick, code, secret, game, text)
    except NumduelError as error:
        return _form_page(request, room, key, form, error)
    site.news.tell(code)
    return go(f"/room/{code}/manage")


async def _posed(site: Site, which: str) -> tuple[Game[Any], Any]:
    """The position of a puzzle: `2026-11-15`, or `divisor-line/7`."""
    key, _, number = which.partition("/")
    if number:
        puzzle = await site.puzzles.numbered(known_key(key), known_number(number), None)
    else:
        puzzle = await site.puzzles.daily(known_day(key))
    return puzzle.game, puzzle.position


async def _taught(request: Request, code: str) -> Room:
    """The room, for its teacher alone."""
    school = School(site_of(request).store)
    await school.check_teacher(code, request.cookies.get("teacher", ""))
    return await school.read(code)


def _offered(room: Room, key: str) -> int:
    """The number of the puzzle that a room is offered, the same until something is asked."""
    asked = room.question.number if room.question else room.answered
    return Random(f"{room.code} {key} {asked}").randint(1, LARGEST_NUMBER)


def _form_page(
    request: Request,
    room: Room,
    key: str,
    form: dict[str, str],
    error: NumduelError | None = None,
    taken: int | None = None,
) -> Response:
    """The form; `taken`: the number of the puzzle in it, behind which comes another."""
    names = {pupil.number: pupil.name for pupil in room.pupils}
    field = getattr(error, "field", "")  # empty: it is the position that was wrong
    wrong = f"set-{field}" if field else "position"
    return page(
        request,
        "ask.html",
        200 if error is None else status_of(error),
        notice=error and sentence(error),
        wrong=error and wrong,
        code=room.code,
        form=form,
        game=kind(key),
        fields=setting_fields(key),
        others=[(other, title) for other, title, _ in games() if other != key],
        played=[
            (game.duel, " – ".join(names.get(seat or 0, "the computer") for seat in game.seats))
            for game in room.current()
        ],
        today=today(),
        puzzle=_offered(room, key) if taken is None else taken % LARGEST_NUMBER + 1,
        another=taken is not None,
    )
