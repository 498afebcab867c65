"""The pages from which a game begins: the rules, the path, and the form for a new game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.games import games
from numduel.play.friendly_settings import friendly_game
from numduel.play.path import Path, path_of, step_setup
from numduel.players import kinds
from numduel.web.cookies import Mastered, path_view, progress_of
from numduel.web.duels.pages import begin
from numduel.web.duels.terms import (
    FIRST_CHOICES,
    HERE,
    LINK,
    MAX_ROUNDS,
    OPPONENTS,
    agree_from_form,
    with_new_secrets,
)
from numduel.web.errors import Missing
from numduel.web.game_settings import (
    MAX_ROUND_MOVES,
    Field,
    find_game_type,
    form_fields,
    game_from_form,
    setting_fields,
)
from numduel.web.html import form_of, go, number_of, page, way_back
from numduel.web.identity import Key, client_of
from numduel.web.routing import PageRouter
from numduel.web.services import services_of
from numduel.web.thinking import tasks

router = PageRouter()


@router.get("/rules")
async def show_all_rules(request: Request) -> Response:
    return page(request, "rules.html", shown=[_rules_of(key) for key, _, _ in games()])


@router.get("/rules/{key}")
async def show_rules(request: Request, key: Key) -> Response:
    back = way_back(request.query_params.get("back", ""))
    return page(request, "rules.html", shown=[_rules_of(key)], back=back)


def _rules_of(key: str) -> tuple[type[Game[Any]], Path, list[Markup]]:
    """Return a game, its path (which has the rules as pictures), and the text of its rules."""
    game = find_game_type(key)
    hidden = [one.name.replace("_", " ") for one in game.settings_type.declared if one.hidden]
    return game, path_of(game), _paragraphs(game.rules_and_notes(), hidden)


def _paragraphs(text: str, hidden: list[str]) -> list[Markup]:
    """Return the paragraphs of a text, in which words between backticks become code.

    Sentences that mention one of the `hidden` settings are left out.
    """
    paragraphs = []
    for paragraph in text.split("\n\n"):
        sentences = re.split(r"(?<=\.)\s+", paragraph)
        shown = [one for one in sentences if not any(name in one for name in hidden)]
        safe = str(escape(" ".join(" ".join(shown).split())))
        paragraphs.append(Markup(re.sub("`([^`]+)`", r"<code>\1</code>", safe)))
    return paragraphs


@router.get("/path/{key}")
async def show_path(request: Request, key: Key) -> Response:
    return page(
        request, "path.html", path=path_view(find_game_type(key), progress_of(request).of(key))
    )


@router.post("/path/{key}/{number}")
async def begin_step(request: Request, key: Key, number: Key) -> Response:
    """Begin a step of a path: a game or a puzzle."""
    steps, which = path_of(find_game_type(key)).steps, number_of(number) or 0
    if not 1 <= which <= len(steps):
        raise Missing(f"The path has the steps 1 to {len(steps)}.")
    step = steps[which - 1]
    if step.puzzle:
        return go(f"/puzzle/{key}/{which}?level={step.puzzle}")
    setup = step_setup(find_game_type(key), step)
    return await begin(request, with_new_secrets(setup, coach=True))


@router.get("/new/{key}")
async def show_new_game(request: Request, key: Key) -> Response:
    """Show the form for a new game, at friendly settings or at the original ones."""
    opponent = request.query_params.get("opponent", "")
    chosen = {"opponent": opponent} if opponent in OPPONENTS else {}
    if opponent not in (HERE, LINK):
        chosen["coach"] = "on"
    return await _new_page(request, key, chosen | offered_fields(request, key))


def offered_fields(request: Request, key: str) -> dict[str, str]:
    """Return the fields of friendly settings, or with `?settings=document` of the original ones."""
    game = (
        find_game_type(key)()
        if request.query_params.get("settings")
        else friendly_game(find_game_type(key))
    )
    return form_fields(game)


async def _new_page(
    request: Request, key: str, form: dict[str, str], error: NumduelError | None = None
) -> Response:
    """Return the form for a game, with a forecast of who wins between perfect players."""
    forecast = ""
    with suppress(NumduelError):  # nobody knows, or the settings are wrong
        game = game_from_form(key, form)
        forecast = await services_of(request).quick.ask(client_of(request), tasks.forecast, game)
    return setup_page(request, "new.html", key, form, error, forecast)


@dataclass(frozen=True)
class SetupPage:
    """The form for a new game or for a class room, filled in as it was sent."""

    game: type[Game[Any]]
    form: Mapping[str, str]
    mastered: Mastered  # what this browser has mastered of the game
    fields: list[Field]  # of the game's settings
    wrong: str = ""  # the name of the field that was refused
    forecast: str = ""  # who wins between perfect players

    opponents = OPPONENTS
    levels = kinds(served=True)
    first_choices = FIRST_CHOICES
    max_rounds = MAX_ROUNDS
    max_turns = MAX_ROUND_MOVES

    @property
    def friendly(self) -> Game[Any] | None:
        """The game at friendly settings, if the form has them."""
        friendly = friendly_game(self.game)
        return friendly if self.form.items() >= form_fields(friendly).items() else None

    @property
    def document(self) -> Game[Any] | None:
        """The game at its original settings, if the friendly ones differ."""
        document = self.game()
        return document if document != friendly_game(self.game) else None

    @property
    def phrases(self) -> list[str]:
        """The settings of the form in everyday words; none if they are wrong."""
        with suppress(NumduelError):
            return game_from_form(self.game.key, self.form).settings.phrases()
        return []


def setup_page(
    request: Request,
    template: str,
    key: str,
    form: dict[str, str],
    error: NumduelError | None = None,
    forecast: str = "",
) -> Response:
    """Return the form for a game or for a class, filled in as it was sent, with its error."""
    fields, mastered = setting_fields(key), progress_of(request).of(key)
    wrong = error.field if isinstance(error, SettingsError) else ""
    if f"set-{wrong}" in [field.name for field in fields]:
        wrong = f"set-{wrong}"
    shown = SetupPage(find_game_type(key), form, mastered, fields, wrong, forecast)
    return page(request, template, error=error, page=shown)


@router.post("/play/{key}")
async def begin_game(request: Request, key: Key) -> Response:
    """Begin a game; with an empty form, against the computer at the default settings."""
    find_game_type(key)
    form = await form_of(request)
    try:
        agreed = agree_from_form(key, form)
        return await begin(request, agreed, invites=form.get("opponent") == LINK)
    except NumduelError as error:
        return await _new_page(request, key, form, error)
