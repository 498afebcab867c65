"""The weeks and months of the daily puzzles, with those that a browser has solved."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Collection
from datetime import date, timedelta
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.games import game_type
from numduel.play.puzzle import FIRST_DAY, daily_key, next_day, today


class Day(NamedTuple):
    day: date
    game: type[Game[Any]]
    within: bool  # whether it belongs to the month
    open: bool  # whether there is a puzzle for it
    solved: bool


class Month(NamedTuple):
    title: str
    shown: date  # the day whose puzzle the page shows
    before: str  # the month before as in its address; empty if it has no puzzles
    after: str  # the month after, likewise
    weeks: list[list[Day]]
    week: list[Day]  # this week


def day_name(day: date) -> str:
    """Return "Today", or a day such as "Sunday 15 November"."""
    return "Today" if day == today() else f"{day:%A} {day.day} {day:%B}"


def next_address(day: date, solved: Collection[date]) -> str:
    """Return the address of the latest other day whose puzzle is not solved, or of any puzzle."""
    return f"/puzzle/{next_day(day, solved) or daily_key(day)}"


def week_of(solved: Collection[date]) -> list[Day]:
    """Return the days of this week, Monday first."""
    monday = today() - timedelta(today().weekday())
    return [_day(monday + timedelta(days), today(), solved) for days in range(7)]


def month_of(shown: date, solved: Collection[date]) -> Month:
    first = shown.replace(day=1)
    before, after = first - timedelta(1), (first + timedelta(31)).replace(day=1)
    return Month(
        title=f"{shown:%B %Y}",
        shown=shown,
        before=f"{before:%Y-%m}" if before >= FIRST_DAY else "",
        after=f"{after:%Y-%m}" if after <= today() else "",
        weeks=[
            [_day(day, shown, solved) for day in week]
            for week in Calendar().monthdatescalendar(shown.year, shown.month)
        ],
        week=week_of(solved),
    )


def _day(day: date, shown: date, solved: Collection[date]) -> Day:
    return Day(
        day,
        game=game_type(daily_key(day)),
        within=day.month == shown.month,
        open=FIRST_DAY <= day <= today(),
        solved=day in solved,
    )
