"""The pages on which a game begins: its rules, its path, and the form for a new one."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.games import games
from numduel.play.friendly_settings import friendly_game
from numduel.play.path import Path, path_of, step_setup
from numduel.play.setup import MAX_NAME_LENGTH
from numduel.players import kinds
from numduel.web.cookies import path_view, progress_of
from numduel.web.duels.pages import begin
from numduel.web.duels.terms import (
    FIRST_CHOICES,
    HERE,
    LINK,
    MAX_ROUNDS,
    OPPONENTS,
    agree_from_form,
    seated,
)
from numduel.web.errors import Missing
from numduel.web.game_settings import (
    MAX_ROUND_MOVES,
    form_fields,
    game_from_form,
    kind,
    setting_fields,
)
from numduel.web.html import form_of, go, number_of, page, way_back
from numduel.web.identity import Key, client_of
from numduel.web.routing import PageRouter
from numduel.web.site import site_of
from numduel.web.thinking import tasks

router = PageRouter()


@router.get("/rules")
async def all_rules(request: Request) -> Response:
    """The rules of every game, in pictures."""
    return page(request, "rules.html", shown=[_ruled(key) for key, _, _ in games()])


@router.get("/rules/{key}")
async def rules(request: Request, key: Key) -> Response:
    """The rules of a game."""
    back = way_back(request.query_params.get("back", ""))
    return page(request, "rules.html", shown=[_ruled(key)], back=back)


def _ruled(key: str) -> tuple[type[Game[Any]], Path, list[Markup]]:
    """Return a game, its path, which has the rules as pictures, and the text of the rules."""
    game = kind(key)
    hidden = [one.name.replace("_", " ") for one in game.settings_type.declared if one.hidden]
    return game, path_of(game), _paragraphs(game.rules_and_notes(), hidden)


def _paragraphs(text: str, hidden: list[str]) -> list[Markup]:
    """Return the paragraphs of a text, with what stands in `marks` as code.

    Sentences about the `hidden` settings are left out.
    """
    told = (re.split(r"(?<=\.)\s+", part) for part in text.split("\n\n"))
    kept = ([one for one in part if not any(name in one for name in hidden)] for part in told)
    safe = (str(escape(" ".join(" ".join(part).split()))) for part in kept)
    return [Markup(re.sub("`([^`]+)`", r"<code>\1</code>", part)) for part in safe]


@router.get("/path/{key}")
async def path(request: Request, key: Key) -> Response:
    """Show the path of a game."""
    return page(request, "path.html", path=path_view(kind(key), progress_of(request).of(key)))


@router.post("/path/{key}/{number}")
async def begin_step(request: Request, key: Key, number: Key) -> Response:
    """Begin a step of a path: a game, or a puzzle."""
    steps, which = path_of(kind(key)).steps, number_of(number) or 0
    if not 1 <= which <= len(steps):
        raise Missing(f"The path has the steps 1 to {len(steps)}.")
    step = steps[which - 1]
    if step.puzzle:
        return go(f"/puzzle/{key}/{which}?level={step.puzzle}")
    return await begin(request, seated(step_setup(kind(key), step), coach=True))


@router.get("/new/{key}")
async def new_game(request: Request, key: Key) -> Response:
    """The form for a new game, at friendly settings or at those of its document."""
    opponent = request.query_params.get("opponent", "")
    chosen = {"opponent": opponent} if opponent in OPPONENTS else {}
    if opponent not in (HERE, LINK):
        chosen["coach"] = "on"
    return await _new_page(request, key, chosen | offered_fields(request, key))


def offered_fields(request: Request, key: str) -> dict[str, str]:
    """Return the fields of the settings that a form begins with; friendly unless asked for."""
    game = kind(key)() if request.query_params.get("settings") else friendly_game(kind(key))
    return form_fields(game)


async def _new_page(
    request: Request, key: str, form: dict[str, str], error: NumduelError | None = None
) -> Response:
    """Return the form for a game, with who wins at these settings between perfect players."""
    forecast = ""
    with suppress(NumduelError):  # then it is not known, or the settings are wrong
        game, thinking = game_from_form(key, form), site_of(request).quick
        forecast = await thinking.ask(client_of(request), tasks.forecast, game)
    return setup_page(request, "new.html", key, form, error, forecast)


def setup_page(
    request: Request,
    template: str,
    key: str,
    form: dict[str, str],
    error: NumduelError | None = None,
    forecast: str = "",
) -> Response:
    """Return the form for a game or for a class, filled in as it was sent, with its error."""
    friendly, document = friendly_game(kind(key)), kind(key)()
    fields = setting_fields(key)
    field = error.field if isinstance(error, SettingsError) else ""
    own = f"set-{field}"
    return page(
        request,
        template,
        error=error,
        wrong=own if own in [one.name for one in fields] else field,
        form=form,
        game=kind(key),
        friendly=friendly if form.items() >= form_fields(friendly).items() else None,
        mastered=progress_of(request).of(key),
        document=document if friendly != document else None,
        fields=fields,
        forecast=forecast,
        phrases=_phrases(key, form),
        opponents=OPPONENTS,
        levels=kinds(served=True),
        first=FIRST_CHOICES,
        most_rounds=MAX_ROUNDS,
        most_turns=MAX_ROUND_MOVES,
        longest_name=MAX_NAME_LENGTH,
    )


def _phrases(key: str, form: dict[str, str]) -> list[str]:
    """Return the settings of a form in everyday words; none if they are wrong."""
    with suppress(NumduelError):
        return game_from_form(key, form).settings.phrases()
    return []


@router.post("/play/{key}")
async def play(request: Request, key: Key) -> Response:
    """Begin a game; with an empty form, against the computer at the default settings."""
    kind(key)
    form = await form_of(request)
    try:
        agreed = agree_from_form(key, form)
        return await begin(request, agreed, invites=form.get("opponent") == LINK)
    except NumduelError as error:
        return await _new_page(request, key, form, error)
