"""The pages on which people begin a game and play it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.core.scene import Link
from numduel.core.settings import Flag, Setting, Word
from numduel.core.verdict import Verdict
from numduel.games import game_type
from numduel.play.duel import WORDS, Wish
from numduel.play.event import Move, Swap
from numduel.play.setup import LONGEST_NAME
from numduel.players import kinds
from numduel.web.classes.room import Room
from numduel.web.data.hosted import Hosted
from numduel.web.keys import Key, hashed, joined, parted
from numduel.web.live.agreement import (
    FIRST,
    LINK,
    MOST_ROUNDS,
    MOST_TURNS,
    OPPONENTS,
    agree_from_form,
    game_from_form,
)
from numduel.web.live.coach import comment_on
from numduel.web.live.desk import MOVE_SECONDS, MOVED_ON
from numduel.web.live.school import School
from numduel.web.live.site import Site, site_of
from numduel.web.live.streams import duel_stream
from numduel.web.pages import views
from numduel.web.pages.addresses import challenge_address, picture_address
from numduel.web.pages.board import board
from numduel.web.pages.home import remember
from numduel.web.pages.html import (
    address,
    form_of,
    go,
    number_of,
    page,
    rendered,
    sent,
    set_secret,
    way_back,
)
from numduel.web.pages.preferences import preferences
from numduel.web.pages.qr import qr
from numduel.web.problems import Missing, NotNow, NotYours, sentence, status_of
from numduel.web.thinking import questions

router = APIRouter(include_in_schema=False)


def kind(key: str) -> Any:
    """The class of a game; Missing if there is none."""
    try:
        return game_type(key)
    except SettingsError as error:
        raise Missing(sentence(error)) from None


@router.get("/rules/{key}")
async def rules(request: Request, key: Key) -> Response:
    """The rules of a game."""
    shown = {"game": kind(key), "rules": _paragraphs(kind(key).rules)}
    return page(request, "rules.html", back=way_back(request.query_params.get("back", "")), **shown)


def _paragraphs(text: str) -> list[Markup]:
    """The paragraphs of a text, with what stands in `marks` as code."""
    safe = (str(escape(" ".join(part.split()))) for part in text.split("\n\n"))
    return [Markup(re.sub("`([^`]+)`", r"<code>\1</code>", part)) for part in safe]


@router.get("/new/{key}")
async def new_game(request: Request, key: Key) -> Response:
    """The form for a new game."""
    kind(key)
    opponent = request.query_params.get("opponent", "")
    return await new_page(request, key, {"opponent": opponent} if opponent in OPPONENTS else {})


async def new_page(
    request: Request, key: str, form: dict[str, str], error: NumduelError | None = None
) -> Response:
    """The form for a game, with how fair it is at these settings."""
    fair = ""
    with suppress(NumduelError):  # then it is not known, or the settings are wrong
        game = game_from_form(key, form)
        fair = await site_of(request).quick.ask(questions.fairness, game, MOVE_SECONDS)
    return setup_page(request, "new.html", key, form, error, fair)


def setup_page(
    request: Request,
    template: str,
    key: str,
    form: dict[str, str] | None = None,
    error: NumduelError | None = None,
    fair: str = "",
) -> Response:
    """The form for a game or for a class: as it was sent, with what was wrong with it."""
    fields = setting_fields(key)
    field = error.field if isinstance(error, SettingsError) else ""
    own = f"set-{field}"
    return page(
        request,
        template,
        200 if error is None else status_of(error),
        notice=error and sentence(error),
        wrong=own if own in [one["name"] for one in fields] else field,
        form=form or {},
        game=kind(key),
        fields=fields,
        fair=fair,
        opponents=OPPONENTS,
        levels=kinds(served=True),
        first=FIRST,
        most_rounds=MOST_ROUNDS,
        most_turns=MOST_TURNS,
        longest_name=LONGEST_NAME,
    )


def setting_fields(key: str) -> list[dict[str, Any]]:
    """A field for each setting of a game, from its declaration."""
    return [_field(setting) for setting in kind(key).settings_type.declared]


def _field(setting: Setting[Any]) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": f"set-{setting.name}",
        "label": setting.name.replace("_", " ").capitalize(),
        "help": setting.help,
        "allowed": setting.allowed,
        "default": setting.text(setting.default),
        "type": "text",
    }
    if isinstance(setting, Flag):
        field["type"] = "flag"
    elif isinstance(setting, Word):
        field |= {"type": "choice", "options": setting.options}
    return field


@router.post("/play/{key}")
async def play(request: Request, key: Key) -> Response:
    """Begin a game; without a form, against the computer, as usual."""
    kind(key)
    form = await form_of(request)
    try:
        agreed = agree_from_form(key, form)
        duel = await site_of(request).desk.open(agreed.terms)
    except NumduelError as error:
        return await new_page(request, key, form, error)
    response = go(_path(duel.name))
    mine, theirs = agreed.secrets
    if form.get("opponent") == LINK and theirs is not None:
        set_secret(request, response, "invite", theirs, _path(duel.name))
        theirs = None
    set_secret(request, response, "seat", joined(mine, theirs), _path(duel.name))
    remember(request, response, duel.name, 1)
    return response


def _path(name: str) -> str:
    return f"/game/{name}"


@router.get("/game/{name}")
async def game(request: Request, name: Key) -> Response:
    """A game: for those who play it, and for those who watch."""
    site = site_of(request)
    duel = await site.desk.read(name)
    if duel.terms.room is None or not duel.match.over:
        return await game_page(request, duel)
    room = await School(site.store).read(duel.terms.room)
    me = room.pupil(hashed(request.cookies.get("seat", "")))
    if me is None:
        return await game_page(request, duel)
    if room.is_asked(me):
        return go(f"/room/{room.code}")
    game = room.game_of(me)
    if game is not None and game.duel != name and not game.over:
        return go(f"/room/{room.code}/play")  # the next round has begun
    return await game_page(request, duel, room=room)


async def game_page(
    request: Request, duel: Hosted, notice: str = "", status: int = 200, room: Room | None = None
) -> Response:
    """The page of a game for whoever asks; for a pupil who waits for the next, with their room."""
    site, query = site_of(request), request.query_params
    secrets = request.cookies.get("seat", "")
    seats, base = duel.held(secrets), address(request, _path(duel.name))
    look = number_of(query.get("look"))
    if duel.match.left and secrets and not seats:
        notice = notice or "Your teacher has removed you from this room."
    if not seats and not notice:
        return sent(_watched(site, duel, look, base))
    shown = views.game_page(duel, seats, look, preferences(request))
    coaching = await _coaching(site, duel, shown, query.get("show", ""))
    invite = request.cookies.get("invite", "") if seats else ""
    links = {
        "watch": base,
        "seats": {
            seat: f"{base}/seat/{secret}"
            for secret in parted("" if duel.terms.room else secrets)  # a pupil's is not for sharing
            for seat in sorted(duel.held(secret))
        },
        "invite": f"{base}/join/{invite}" if duel.held(invite) - seats else "",
    }
    if links["invite"] and not duel.table.moves and "board" not in query:
        return page(
            request,
            "invite.html",
            status,
            notice=notice,
            link=links["invite"],
            qr=qr(str(links["invite"])),
            **shown,
        )
    return page(
        request,
        "game.html",
        status,
        notice=notice,
        links=links,
        events=f"{_path(duel.name)}/events" if room is None else f"/room/{room.code}/events",
        seen=duel.version if room is None else room.version,
        **{**shown, **coaching, **_pictured(duel, base)},
    )


def _pictured(duel: Hosted, base: str) -> dict[str, str]:
    """Where there is a picture of the game as it stands, and where one can play on from there."""
    table, root = duel.table, base.removesuffix(_path(duel.name))
    if table.outcome is not None:
        return {"image": f"{base}/round/{len(duel.rounds)}/picture.png", "challenge": ""}
    challenge = challenge_address(table.game, table.position)
    image = picture_address(challenge)
    return {"image": image and root + image, "challenge": challenge and root + challenge}


def _watched(site: Site, duel: Hosted, look: int | None, base: str) -> bytes:
    """The page for those who only watch, who all see the same."""
    key = f"{duel.version} {look} {duel.terms.setup.names} {base}"
    text = site.watched.get(key)
    if text is None:
        links = {"watch": base, "seats": {}, "invite": ""}
        shown = views.game_page(duel, frozenset(), look)
        shown |= {"events": f"{_path(duel.name)}/events", "seen": duel.version}
        shown |= _pictured(duel, base)
        text = rendered("game.html", notice="", comment="", hint="", links=links, **shown)
        site.watched.keep(key, text, len(text))
    return text


async def _coaching(site: Site, duel: Hosted, shown: dict[str, Any], show: str) -> dict[str, Any]:
    """What the coach says where it is on, the colours of moves, and a hint that was asked for."""
    turn, swap_open = duel.match.turn(), duel.table.swap_open  # before anything is awaited
    said: dict[str, Any] = {"comment": "", "hint": ""}
    if shown["coach"] and shown["looking"] is None and shown["seated"]:
        said["comment"] = await comment_on(site.quick, duel)
    if not shown["can_hint"]:
        return said
    links: tuple[Link, ...] = ()
    hinted = None
    if show == "hint":
        try:
            found = await site.quick.ask(questions.advise, turn, swap_open, MOVE_SECONDS)
            said["hint"], hinted = found.line, found.move
            pairs = {(min(pair), max(pair)) for pair in found.pairs}  # either may be the answer
            links = tuple(Link(low, high, "pair") for low, high in sorted(pairs))
        except NumduelError as error:
            said["hint"] = f"This is beyond the coach: {error}."
    verdicts: dict[int, Verdict] = {}
    if shown["coach"] and shown["colours"] and shown["can_move"]:
        with suppress(NumduelError):  # then there is nothing to colour
            verdicts = await site.quick.ask(questions.move_verdicts, turn.game, turn.position)
    scene = shown["scene"]
    if links:
        scene = scene._replace(links=links)
    said["board"] = board(
        scene,
        verdicts,
        shown["names"],
        seat=turn.position.mover,
        hinted=hinted,
        allowed=shown["allowed"],
    )
    return said


@router.get("/game/{name}/events")
async def game_events(request: Request, name: Key) -> Response:
    """The stream of a game's versions."""
    return await duel_stream(site_of(request), name, request.cookies.get("seat", ""))


@router.get("/game/{name}/seat/{secret}")
async def seat(request: Request, name: Key, secret: Key) -> Response:
    """Open a seat of one's own on another device: from now on that can move for it."""
    duel = await site_of(request).desk.read(name)
    seats = duel.held(secret)
    if not seats:
        raise NotYours("This link does not belong to a seat of that game.")
    response = go(_path(name))
    remember(request, response, name, min(seats))
    before = [one for one in parted(request.cookies.get("seat", "")) if duel.held(one)]
    set_secret(request, response, "seat", joined(*before, secret), _path(name))
    return response


@router.get("/game/{name}/join/{secret}")
async def invitation(request: Request, name: Key, secret: Key) -> Response:
    """An invitation. Looking at it takes no seat: a messenger does so for its preview."""
    duel = await site_of(request).desk.read(name)
    seats, base = duel.held(request.cookies.get("seat", "")), address(request, _path(name))
    invited = duel.held(secret) - seats
    if seats and not invited:
        return go(_path(name))
    game, names = duel.table.game, duel.terms.setup.names
    return page(
        request,
        "invited.html",
        name=name,
        secret=secret,
        free=bool(invited),
        inside=bool(seats),
        host=next((names[2 - seat] for seat in invited), None),
        game=game,
        settings=views.settings_words(game),
        image=_pictured(duel, base)["image"],
    )


@router.post("/game/{name}/join/{secret}")
async def accept(request: Request, name: Key, secret: Key) -> Response:
    """Take the seat of an invitation; whoever comes too late watches."""
    desk, response = site_of(request).desk, go(_path(name))
    own = await desk.take(name, secret)
    if own is not None:
        duel = await desk.read(name)
        remember(request, response, name, min(duel.held(own)))
        before = [one for one in parted(request.cookies.get("seat", "")) if duel.held(one)]
        set_secret(request, response, "seat", joined(*before, own), _path(name))
    return response


@router.post("/game/{name}/{wish}")
async def wish(request: Request, name: Key, wish: Key) -> Response:
    """Do something in a game, by a button."""
    desk = site_of(request).desk
    form = await form_of(request)
    secret = request.cookies.get("seat", "")
    try:
        wished = _wish(wish, form)
        at = number_of(form.get("at"))
        if at is None and "at" in form:
            raise NotNow(MOVED_ON)
        wait = form.get("answer") != "later"  # as a page says that will hear of it
        duel = await desk.wish(name, secret, wished, at, wait=wait)
        if not wait and duel.computer is not None:
            return await game_page(request, duel)  # as it is now, before the answer
    except Missing:
        raise
    except NumduelError as error:
        duel = await desk.read(name)
        return await game_page(request, duel, sentence(error), status_of(error))
    return go(f"{_path(name)}{views.anchor(duel)}")


def _wish(word: str, form: dict[str, str]) -> Wish:
    if word == "swap":
        return Swap(form.get("swap") == "yes")
    if word == "move":
        text = form.get("move", "").strip()
        move = number_of(text)
        if move is None:
            raise SettingsError(f"a move is a whole number, not {quoted(text)}")
        return Move(move)
    for known in WORDS:
        if word == known:
            return known
    raise Missing("There is nothing like that to do in a game.")
