"""The pages of the puzzles: each day's, those of each game, the archive, and a sheet to print."""

from __future__ import annotations

import re
import secrets
from calendar import Calendar
from datetime import date, timedelta
from itertools import cycle, islice
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import LONGEST_INPUT, quoted
from numduel.core.verdict import Verdict
from numduel.core.words import YOU
from numduel.games import OURS, game_type, games, keys
from numduel.play.puzzle import (
    FIRST_DAY,
    GRADES,
    LARGEST_NUMBER,
    Answer,
    Puzzle,
    daily_key,
    parse_day,
    today,
)
from numduel.web.keys import Key
from numduel.web.live.site import site_of
from numduel.web.pages.addresses import challenge_address, picture_address
from numduel.web.pages.board import Board, board
from numduel.web.pages.html import address, form_of, go, number_of, page, set_note
from numduel.web.pages.views import settings_words
from numduel.web.problems import Missing, sentence

router = APIRouter(include_in_schema=False)

SOLVED = "solved"
"""The cookie in which a browser keeps the days whose puzzles were solved on it."""

OPPONENT = "Your opponent"
"""What the other player of a puzzle is called."""

_MOST_SOLVED = 400  # days back that it keeps
_ON_A_SHEET = 6


class Posed(NamedTuple):
    """A puzzle as a page shows it, before an answer and after."""

    title: str  # of the game
    key: str
    settings: str
    summary: str
    grade: int
    task: str
    seat: int  # whose turn it is
    board: Board
    tried: Answer | None  # what was answered last
    told: bool  # whether the answer was asked for
    open: bool  # whether it can still be answered
    notice: str  # what was wrong with the answer
    image: str  # where its picture is


async def posed(request: Request, puzzle: Puzzle, low: bool = False) -> Posed:
    """The puzzle, with what the request answers to it: `?move=7`, or `?show=answer`.

    `low`: where there is little height for its picture.
    """
    game, position, query = puzzle.game, puzzle.position, request.query_params
    names = (YOU, OPPONENT) if position.mover == 1 else (OPPONENT, YOU)
    told, notice, tried = query.get("show") == "answer", "", None
    text = query.get("move")
    move = puzzle.answer if told else number_of(text)
    shown = position
    verdicts: dict[int, Verdict] = {}
    if move is not None and game.allows(position, move):
        tried = await site_of(request).puzzles.answered(puzzle, move)
        if tried.right:
            shown = game.after(position, move)
        verdicts[move] = Verdict(tried.value)
    elif text is not None:
        notice = f"{quoted(text)} is no move here."
    return Posed(
        title=game.title,
        key=game.key,
        settings=settings_words(game),
        summary=game.summary,
        grade=puzzle.grade,
        task=puzzle.task,
        seat=position.mover,
        board=board(game.words.scene(shown), verdicts, names, seat=position.mover, low=low),
        tried=tried,
        told=told,
        open=tried is None or not tried.right,
        notice=notice,
        image=address(request, picture_address(challenge_address(game, position))),
    )


@router.get("/puzzle")
async def todays(request: Request) -> Response:
    """Today's puzzle."""
    return await _daily(request, today())


@router.get("/puzzle/{which}")
async def one(request: Request, which: Key) -> Response:
    """The puzzle of a day, `2026-11-15`; or some puzzle of a game."""
    if which in keys():
        level = number_of(request.query_params.get("level"))
        return go(f"/puzzle/{which}/{any_number()}{'' if level is None else f'?level={level}'}")
    return await _daily(request, known_day(which))


@router.get("/puzzle/{key}/{number}")
async def numbered(request: Request, key: Key, number: Key) -> Response:
    """The puzzle of a game with that number."""
    level = number_of(request.query_params.get("level"))
    which = known_number(number)
    puzzle = await site_of(request).puzzles.numbered(known_key(key), which, level)
    path = f"/puzzle/{key}/{which}"
    hidden = {} if level is None else {"level": str(level)}
    shown = await posed(request, puzzle)
    again = f"/puzzle/{key}{'' if level is None else f'?level={level}'}"
    return page(
        request,
        "puzzle.html",
        puzzle=shown,
        kicker=f"{shown.title} · puzzle {which}",
        path=path,
        hidden=hidden,
        again=again,
        notice=shown.notice,
        image=shown.image,
        month=None,
        **_choices(),
    )


@router.post("/puzzle")
async def answer_todays(request: Request) -> Response:
    """An answer to today's puzzle."""
    return await _answer(request, f"/puzzle/{today()}")


@router.post("/puzzle/{which}")
async def answer_daily(request: Request, which: Key) -> Response:
    """An answer to the puzzle of a day."""
    return await _answer(request, f"/puzzle/{known_day(which)}")


@router.post("/puzzle/{key}/{number}")
async def answer_numbered(request: Request, key: Key, number: Key) -> Response:
    """An answer to the puzzle of a game."""
    return await _answer(request, f"/puzzle/{known_key(key)}/{number}")


@router.get("/puzzles")
async def archive(request: Request) -> Response:
    """The archive: a month of days, and the puzzles of each game."""
    text = request.query_params.get("month", "")
    month = known_day(f"{text}-01") if text else today()
    return page(request, "puzzles.html", month=_month(request, month), **_choices())


@router.get("/puzzles/sheet/{number}")
async def sheet(request: Request, number: Key) -> Response:
    """Puzzles to print, and their answers on a page of their own."""
    which = number_of(number)
    if which is None or not 1 <= which <= LARGEST_NUMBER:
        raise Missing("There is no such sheet.")
    puzzles = site_of(request).puzzles
    shown, answers = [], []
    for place, key in enumerate(islice(cycle(OURS), _ON_A_SHEET)):
        grade = GRADES[place % 3 + 1]
        puzzle = await puzzles.numbered(key, (which + place) % LARGEST_NUMBER + 1, grade)
        shown.append(await posed(request, puzzle))
        answers.append((await puzzles.answered(puzzle, puzzle.answer)).line)
    return page(request, "sheet.html", number=which, puzzles=shown, answers=answers)


async def _daily(request: Request, day: date) -> Response:
    puzzle = await site_of(request).puzzles.daily(day)
    shown = await posed(request, puzzle)
    which = "Today" if day == today() else f"{day:%A} {day.day} {day:%B}"
    solved = solved_days(request)
    if shown.tried and shown.tried.right and not shown.told:
        solved |= {day}
    response = page(
        request,
        "puzzle.html",
        puzzle=shown,
        kicker=f"{which} · {shown.title}",
        path=f"/puzzle/{day}",
        hidden={},
        again="",
        notice=shown.notice,
        image=shown.image,
        month=_month(request, day, solved),
        **_choices(),
    )
    keep_solved(request, response, solved)
    return response


async def _answer(request: Request, path: str) -> Response:
    """On to the page that shows what an answer comes to."""
    form = await form_of(request)
    return go(answer_address(path, form))


def answer_address(path: str, form: dict[str, str]) -> str:
    """Where the answer of a form is shown."""
    fields = {"move": form.get("move", "")[:LONGEST_INPUT]}
    if "level" in form:
        fields["level"] = form["level"][:LONGEST_INPUT]
    return f"{path}?{urlencode(fields)}"


def solved_days(request: Request) -> set[date]:
    """The days whose puzzles were solved on this browser: the newest, and a bit for each before."""
    newest, _, bits = request.cookies.get(SOLVED, "").partition(".")
    last = number_of(newest)
    if last is None or last > today().toordinal() or not re.fullmatch("[0-9a-f]+", bits):
        return set()
    before = int(bits, 16)
    days = {last - back for back in range(_MOST_SOLVED) if before >> back & 1}
    return {date.fromordinal(day) for day in days if day >= FIRST_DAY.toordinal()}


def keep_solved(request: Request, response: Response, days: set[date]) -> None:
    """Let the browser keep them."""
    if days and days != solved_days(request):
        last = max(days).toordinal()
        bits = sum(1 << last - day.toordinal() for day in days) % (1 << _MOST_SOLVED)
        set_note(request, response, SOLVED, f"{last}.{bits:x}")


def known_key(key: str) -> str:
    """The key of a game; Missing."""
    try:
        return game_type(key).key
    except SettingsError as error:
        raise Missing(sentence(error)) from None


def any_number() -> int:
    """The number of some puzzle."""
    return 1 + secrets.randbelow(LARGEST_NUMBER)


def known_number(text: str) -> int:
    """The number of a puzzle; Missing."""
    number = number_of(text)
    if number is None:
        raise Missing("There is no such puzzle.")
    return number


def known_day(text: str) -> date:
    """A day that has a puzzle; Missing."""
    try:
        day = parse_day(text)
    except NumduelError as error:
        raise Missing(sentence(error)) from None
    if not FIRST_DAY <= day <= today():
        raise Missing(f"There is a puzzle for each day from {FIRST_DAY} to today.")
    return day


def _choices() -> dict[str, Any]:
    """The games and the grades to choose a puzzle by."""
    return {
        "games": [(key, title) for key, title, _ in games()],
        "grades": GRADES,
        "sheet": today().toordinal(),  # a new one each day
    }


class Day(NamedTuple):
    """A day of the calendar."""

    day: date
    title: str  # of its game
    within: bool  # whether it lies in the month
    open: bool  # whether there is a puzzle for it
    solved: bool


def _month(request: Request, shown: date, solved: set[date] | None = None) -> dict[str, Any]:
    """The month of a day, as a calendar."""
    done = solved_days(request) if solved is None else solved
    first = shown.replace(day=1)
    before, after = first - timedelta(1), (first + timedelta(31)).replace(day=1)
    weeks = Calendar().monthdatescalendar(shown.year, shown.month)
    return {
        "title": f"{shown:%B %Y}",
        "shown": shown,
        "today": today(),
        "before": f"{before:%Y-%m}" if before >= FIRST_DAY else "",
        "after": f"{after:%Y-%m}" if after <= today() else "",
        "weeks": [
            [
                Day(
                    day,
                    game_type(daily_key(day)).title,
                    day.month == shown.month,
                    FIRST_DAY <= day <= today(),
                    day in done,
                )
                for day in week
            ]
            for week in weeks
        ],
    }
