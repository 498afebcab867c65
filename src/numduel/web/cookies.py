"""What only a visitor's cookies hold: their preferences and their progress.

Progress is stars, medals and the days of solved puzzles. A link copies it to another browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.game import Game
from numduel.play.path import CHARACTERS, MAX_STARS, PathStep, path_of
from numduel.play.puzzle import FIRST_DAY, today
from numduel.web.html import (
    address,
    download,
    form_of,
    go,
    number_of,
    page,
    set_note,
    way_back,
)
from numduel.web.routing import PageRouter
from numduel.web.sharing import qr

router = PageRouter()

_STATES = {"on": True, "off": False}

STARS = "stars"  # the cookie with the stars and medals of each game
SOLVED = "solved"  # the cookie with the days of solved puzzles
_VERSION = "1"
_MASTERED = re.compile(rf"([\w-]{{1,64}})_([0-{MAX_STARS}]{{0,12}})_([0-4]{{0,5}})")
_MAX_STARS_CHARACTERS = 480  # in the cookie of the stars
_MAX_DAYS = 400  # that the cookie of solved days goes back


class Mastered(NamedTuple):
    """What a visitor has mastered of one game."""

    stars: tuple[int, ...] = ()  # of each step of its path, up to the last step with any
    beaten: frozenset[str] = frozenset()  # opponents

    def at(self, step: int) -> int:
        """Return the stars of a step; the first step is 1."""
        return self.stars[step - 1] if step <= len(self.stars) else 0

    def merged(self, other: Mastered) -> Mastered:
        """Return the better of both."""
        steps = range(1, max(len(self.stars), len(other.stars)) + 1)
        stars = tuple(max(self.at(step), other.at(step)) for step in steps)
        return Mastered(stars, self.beaten | other.beaten)


class Progress(NamedTuple):
    """Everything that was mastered in one browser."""

    games: Mapping[str, Mastered] = {}  # by key, the most recent last
    days: frozenset[date] = frozenset()

    def of(self, key: str) -> Mastered:
        """Return what was mastered of a game."""
        return self.games.get(key, Mastered())

    @property
    def stars(self) -> int:
        """The number of stars in all games."""
        return sum(sum(one.stars) for one in self.games.values())

    def adding(self, key: str, mastered: Mastered) -> Progress:
        """Return this progress with something added to one game, which becomes the most recent."""
        others = {other: one for other, one in self.games.items() if other != key}
        return self._replace(games={**others, key: self.of(key).merged(mastered)})

    def merged(self, other: Progress) -> Progress:
        """Return the better of both."""
        both = self._replace(days=self.days | other.days)
        for key, mastered in other.games.items():
            both = both.adding(key, mastered)
        return both

    @property
    def texts(self) -> dict[str, str]:
        """The values of the cookies by name, such as `739570.5` for the solved days.

        This is the ordinal of the last day, and in hexadecimal a bit for each day up to it.
        """
        text = ""
        for key, (stars, beaten) in reversed([*self.games.items()]):
            ranks = "".join(str(CHARACTERS.index(who)) for who in sorted(beaten))
            one = f".{key}_{''.join(map(str, stars))}_{ranks}"
            if len(one) + len(text) < _MAX_STARS_CHARACTERS:
                text = one + text
        last = max(self.days, default=FIRST_DAY).toordinal()
        bits = sum(1 << last - day.toordinal() for day in self.days) % (1 << _MAX_DAYS)
        return {STARS: _VERSION + text, SOLVED: f"{last}.{bits:x}"}


def parse_progress(texts: Mapping[str, str]) -> Progress:
    """Return the progress in the texts of cookies or of a form; what is malformed is left out."""
    games = {}
    version, *parts = texts.get(STARS, "").split(".")
    for match in map(_MASTERED.fullmatch, parts if version == _VERSION else ()):
        if match is not None:
            beaten = frozenset(CHARACTERS[int(rank)] for rank in match[3])
            games[match[1]] = Mastered(tuple(map(int, match[2])), beaten)
    newest, _, bits = texts.get(SOLVED, "").partition(".")
    last = number_of(newest)
    if last is None or last > today().toordinal() or not re.fullmatch("[0-9a-f]{1,120}", bits):
        return Progress(games)
    days = (last - back for back in range(_MAX_DAYS) if int(bits, 16) >> back & 1)
    return Progress(
        games, frozenset(date.fromordinal(day) for day in days if day >= FIRST_DAY.toordinal())
    )


def progress_of(request: Request) -> Progress:
    """Return the progress in the cookies of a request."""
    return parse_progress(request.cookies)


def set_progress(request: Request, response: Response, progress: Progress) -> None:
    """Set the cookies of the progress that have changed."""
    for name, text in progress.texts.items():
        if text != progress_of(request).texts[name]:
            set_note(request, response, name, text)


class PathNode(NamedTuple):
    """A step on the page of a path."""

    number: int
    step: PathStep
    stars: int
    state: str  # "past", "here" or "later"


class PathView(NamedTuple):
    """The path of a game, with the progress on it."""

    game: type[Game[Any]]
    short: str  # the aim of the game, in a few words
    nodes: list[PathNode]
    here: PathNode  # the next step
    stars: int

    @property
    def most(self) -> int:
        """The number of stars that can be won."""
        return MAX_STARS * len(self.nodes)


def path_view(kind: type[Game[Any]], mastered: Mastered, here: int | None = None) -> PathView:
    """Return the path of a game; `here` is the step being played, by default the next one."""
    short, steps, *_ = path_of(kind)
    here = here or next((n for n in range(1, len(steps)) if not mastered.at(n)), len(steps))
    states = ["past" if mastered.at(n) else "later" for n in range(1, len(steps) + 1)]
    states[here - 1] = "here"
    nodes = [PathNode(n, step, mastered.at(n), states[n - 1]) for n, step in enumerate(steps, 1)]
    return PathView(kind, short, nodes, nodes[here - 1], sum(mastered.stars))


@router.get("/progress")
async def progress_page(request: Request) -> Response:
    """Show the progress and, at the link of another browser, what can be copied from it."""
    mine, theirs = progress_of(request), parse_progress(request.query_params)
    link = address(request, f"/progress?{urlencode(mine.texts)}")
    brought = theirs if theirs.stars or theirs.days else None
    return page(request, "progress.html", mine=mine, brought=brought, link=link, qr=qr(link))


@router.post("/progress")
async def change_progress(request: Request) -> Response:
    """Add the progress of another browser, or forget everything."""
    form, response = await form_of(request), go("/")
    if "forget" in form:
        response.delete_cookie(STARS)
        response.delete_cookie(SOLVED)
    else:
        set_progress(request, response, progress_of(request).merged(parse_progress(form)))
    return response


@router.get("/progress.json")
async def progress_file(request: Request) -> Response:
    """Return the progress as a file to download."""
    progress = progress_of(request)
    document = {
        "format": "numduel-progress/1",
        "games": {k: {"stars": s, "beaten": sorted(b)} for k, (s, b) in progress.games.items()},
        "days": sorted(map(str, progress.days)),
    }
    return download(json.dumps(document), "application/json", "numduel-progress.json")


class Preferences(NamedTuple):
    """The switches of a visitor; None stands for the default."""

    coach: bool | None = None
    colours: bool | None = None  # whether moves show their verdicts
    allowed: bool | None = None  # whether a large board shows only the legal moves
    sound: bool | None = None


DEFAULT_PREFERENCES = Preferences()


def preferences(request: Request) -> Preferences:
    """Return the preferences in the cookies of a request."""
    states = {name: request.cookies.get(name, "") for name in Preferences._fields}
    return Preferences(**{name: _STATES.get(state) for name, state in states.items()})


@router.post("/prefer")
async def prefer(request: Request) -> Response:
    """Switch something on or off, and return to the page."""
    form = await form_of(request)
    response = go(way_back(form.get("back", "")) or "/")
    for name in Preferences._fields:
        if form.get(name) in _STATES:
            set_note(request, response, name, form[name])
    return response
