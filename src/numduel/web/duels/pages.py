"""The page of a game for its players and for those who watch it, and the page of an invitation."""

from __future__ import annotations

from dataclasses import replace
from secrets import randbits

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.play.duel import WISH_WORDS, Wish
from numduel.play.event import Move, Swap
from numduel.play.path import path_of
from numduel.web.board import settings_words
from numduel.web.cookies import Mastered, preferences, progress_of, set_progress
from numduel.web.duels.coach import coaching
from numduel.web.duels.page_model import FREE, GamePage, Links
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.service import MOVED_ON
from numduel.web.duels.streams import duel_stream
from numduel.web.duels.terms import Agreed, with_new_secrets
from numduel.web.errors import Missing, NotNow, NotYours
from numduel.web.html import (
    CLASS,
    address,
    form_of,
    go,
    html_response,
    move_of,
    number_of,
    page,
    render,
    set_note,
    set_secret,
)
from numduel.web.identity import Key, client_of, hash_secret, is_name, join_secrets, split_secrets
from numduel.web.routing import PageRouter
from numduel.web.services import Services, services_of
from numduel.web.sharing import challenge_address, picture_address, qr

router = PageRouter()

HELPED = "helped"
"""The cookie of a duel that holds notes: in which rounds a hint was given, and `FREE`."""

UNDER_WAY = "games"
"""The cookie that holds the games in which a browser plays, each with its seat."""

_MAX_REMEMBERED_GAMES = 8  # in the cookie: the latest ones
_MAX_NOTES = 50  # in the cookie of one duel


def duel_path(name: str) -> str:
    return f"/game/{name}"


def remembered_games(request: Request) -> list[tuple[str, int]]:
    """Return the name of each game in which this browser plays, and its seat; the latest last."""
    games = []
    for text in request.cookies.get(UNDER_WAY, "").split(".")[-_MAX_REMEMBERED_GAMES:]:
        name, seat = text[:-1], text[-1:]
        if is_name(name) and seat in ("1", "2"):
            games.append((name, int(seat)))
    return games


def remember_game(request: Request, response: Response, name: str, seat: int) -> None:
    """Add a game to those in which this browser plays."""
    others = [one for one in remembered_games(request) if one[0] != name]
    games = [*others, (name, seat)][-_MAX_REMEMBERED_GAMES:]
    set_note(request, response, UNDER_WAY, ".".join(f"{n}{s}" for n, s in games))


async def begin(request: Request, agreed: Agreed, invites: bool = False) -> Response:
    """Open a duel and lead the visitor to its page; raises NumduelError.

    With `invites`, the second seat is for somebody who gets a link to it.
    """
    duel = await services_of(request).duels.open(agreed.terms, client_of(request))
    path = duel_path(duel.name)
    response = go(path)
    mine, theirs = agreed.secrets
    if invites and theirs is not None:
        set_secret(request, response, "invite", theirs, path)
        theirs = None
    set_secret(request, response, "seat", join_secrets(mine, theirs), path)
    remember_game(request, response, duel.name, 1)
    return response


@router.get("/game/{name}")
async def show_game(request: Request, name: Key) -> Response:
    return await _game_page(
        request, await services_of(request).duels.read(name, client_of(request))
    )


async def _game_page(
    request: Request, duel: DuelRecord, error: NumduelError | None = None
) -> Response:
    """Return the page of a game for this visitor; lead a pupil to what the class does now."""
    services, client, query = services_of(request), client_of(request), request.query_params
    own, look = request.cookies.get("seat", ""), number_of(query.get("look"))
    client.prove(duel.name, duel.terms.seats)
    seats, base = duel.seats_of(own), address(request, duel_path(duel.name))
    removed = bool(duel.match.left and own and not seats)
    if not (seats or removed or error) and CLASS not in request.cookies:
        return html_response(_page_for_watchers(services, duel, look, base))
    path, version = _event_stream(duel)
    if seats and duel.terms.room is not None:
        room = await services.rooms.store.read(duel.terms.room)
        if room.is_called_away(hash_secret(own), duel.name):
            return go(f"/room/{room.code}")
        version += room.calls
    links = _links(duel, base, own, request.cookies.get("invite", "") if seats else "")
    helped = request.cookies.get(HELPED, "").split(".")
    shown = GamePage(duel, seats, look, preferences(request), links, helped=frozenset(helped))
    if links.invite and not duel.table.moves and "board" not in query:
        code = qr(links.invite)
        return page(request, "invite.html", error=error, page=shown, qr=code)
    coached = await coaching(services.quick, client, shown, number_of(query.get("hint")))
    progress = progress_of(request).adding(shown.game.key, shown.earned)
    shown = replace(shown, coaching=coached, mastered=progress.of(shown.game.key))
    response = page(
        request,
        "game.html",
        error=error,
        notice="Your teacher has removed you from this room." if removed else "",
        page=shown,
        rules=path_of(type(shown.game)).rules if shown.taps else (),
        follows=(path, version),
        image=links.image,
    )
    if shown.earned != Mastered():
        set_progress(request, response, progress)
    if shown.offers_sound:
        set_note(request, response, "sound", "off")
    if coached.hint or coached.verdicts:
        _note_help(request, response, duel, shown.hint_note)
    return response


def _note_help(request: Request, response: Response, duel: DuelRecord, note: str) -> None:
    """Add a note to this browser's cookie of the duel: a hint was given, or the lesson skipped."""
    notes = {*filter(None, request.cookies.get(HELPED, "").split(".")), note}
    set_note(request, response, HELPED, ".".join(sorted(notes)[-_MAX_NOTES:]), duel_path(duel.name))


def _event_stream(duel: DuelRecord) -> tuple[str, int]:
    return f"{duel_path(duel.name)}/events", duel.version


def _links(duel: DuelRecord, base: str, secrets: str = "", invite: str = "") -> Links:
    """Return the addresses that a visitor who has these secrets can share."""
    image, challenge = _image_and_challenge(duel, base)
    return Links(
        watch=base,
        seats={
            seat: f"{base}/seat/{secret}"
            for secret in split_secrets(
                "" if duel.terms.room else secrets
            )  # pupils must not share theirs
            for seat in sorted(duel.seats_of(secret))
        },
        invite=f"{base}/join/{invite}" if duel.seats_of(invite) - duel.seats_of(secrets) else "",
        image=image,
        challenge=challenge,
    )


def _image_and_challenge(duel: DuelRecord, base: str) -> tuple[str, str]:
    table, root = duel.table, base.removesuffix(duel_path(duel.name))
    if table.outcome is not None:
        return f"{base}/round/{len(duel.rounds)}/picture.png", ""
    challenge = challenge_address(table.game, table.position)
    image = picture_address(challenge)
    return image and root + image, challenge and root + challenge


def _page_for_watchers(services: Services, duel: DuelRecord, look: int | None, base: str) -> bytes:
    """Return the page for those who only watch; it is the same for all of them."""
    key = f"{duel.version} {look} {duel.terms.setup.names} {base}"
    text = services.watched.get(key)
    if text is None:
        links = _links(duel, base)
        shown = GamePage(duel, frozenset(), look, links=links)
        around = {"notice": "", "follows": _event_stream(duel), "image": links.image}
        text = render("game.html", page=shown, server=services.is_server, **around)
        services.watched.put(key, text, len(text))
    return text


@router.get("/game/{name}/events")
async def game_events(request: Request, name: Key) -> Response:
    secrets = request.cookies.get("seat", "")
    return await duel_stream(services_of(request), client_of(request), name, secrets)


@router.get("/game/{name}/seat/{secret}")
async def open_seat(request: Request, name: Key, secret: Key) -> Response:
    """Give this browser the seat that a player holds on another device."""
    duel = await services_of(request).duels.read(name)
    if not duel.seats_of(secret):
        raise NotYours("This link does not belong to a seat of that game.")
    return _give_seat(request, duel, secret)


def _give_seat(request: Request, duel: DuelRecord, secret: str) -> Response:
    """Give the browser a seat beside those that it has, and lead it to the game."""
    path = duel_path(duel.name)
    response = go(path)
    remember_game(request, response, duel.name, min(duel.seats_of(secret)))
    before = [one for one in split_secrets(request.cookies.get("seat", "")) if duel.seats_of(one)]
    set_secret(request, response, "seat", join_secrets(*before, secret), path)
    return response


@router.get("/game/{name}/join/{secret}")
async def invitation(request: Request, name: Key, secret: Key) -> Response:
    """Show an invitation. This takes no seat, because messengers open links for a preview."""
    return await _invitation_page(request, name, secret)


async def _invitation_page(
    request: Request, name: str, secret: str, error: NumduelError | None = None
) -> Response:
    duel = await services_of(request).duels.read(name)
    seats = duel.seats_of(request.cookies.get("seat", ""))
    invited = duel.seats_of(secret) - seats
    if seats and not invited:
        return go(duel_path(name))
    game, names = duel.table.game, duel.terms.setup.names
    return page(
        request,
        "invited.html",
        error=error,
        name=name,
        secret=secret,
        free=bool(invited),
        inside=bool(seats),
        host=next((names[2 - seat] for seat in invited), None),
        game=game,
        settings=settings_words(game),
        image=_image_and_challenge(duel, address(request, duel_path(name)))[0],
    )


@router.post("/game/{name}/join/{secret}")
async def accept(request: Request, name: Key, secret: Key) -> Response:
    """Take the seat of an invitation; if somebody else has taken it, lead to the game to watch."""
    duels, form = services_of(request).duels, await form_of(request)
    try:
        own = await duels.take_seat(name, secret, form.get("called", ""))
    except SettingsError as error:
        return await _invitation_page(request, name, secret, error)
    return go(duel_path(name)) if own is None else _give_seat(request, await duels.read(name), own)


@router.post("/game/{name}/again")
async def restart(request: Request, name: Key) -> Response:
    """Begin a new game against the same computer player from an earlier position of this one."""
    duel, form = await services_of(request).duels.read(name), await form_of(request)
    table, count = duel.table, number_of(form.get("from"))
    shown = GamePage(duel, duel.seats_of(request.cookies.get("seat", "")))
    is_over = shown.can_coach and table.outcome is not None
    if not is_over or count is None or not 0 <= count < len(table.moves):
        raise NotNow("This game cannot be tried again from there.")
    setup = duel.match.setup._replace(
        moves=tuple(table.moves[:count]), first=table.first, rounds=1, best_of=False, swap=False
    )
    setup = setup._replace(seed=randbits(32), keep_first=True)
    return await begin(request, with_new_secrets(setup, coach=True))


@router.post("/game/{name}/free")
async def skip_lesson(request: Request, name: Key) -> Response:
    """End the lesson of a first game; the game goes on without it."""
    response = go(duel_path(name))
    _note_help(request, response, await services_of(request).duels.read(name), FREE)
    return response


@router.post("/game/{name}/{wish}")
async def wish(request: Request, name: Key, wish: Key) -> Response:
    """Do what a button of the page says: move, take back, resign, and so on."""
    duels, form = services_of(request).duels, await form_of(request)
    secret = request.cookies.get("seat", "")
    try:
        wished = _read_wish(wish, form)
        at = number_of(form.get("at"))
        if at is None and "at" in form:
            raise NotNow(MOVED_ON)
        wait = form.get("answer") != "later"  # sent by a page that follows the event stream
        duel = await duels.wish(name, secret, wished, at, client=client_of(request), wait=wait)
        if not wait and duel.computer is not None:
            return await _game_page(request, duel)  # before the computer's answer
    except Missing:
        raise
    except NumduelError as error:
        duel = await duels.read(name)
        return await _game_page(request, duel, error)
    # Without scripts, the browser scrolls to the current number of a large board.
    is_large = GamePage(duel, frozenset()).large and duel.table.moves
    return go(f"{duel_path(name)}{'#here' if is_large else ''}")


def _read_wish(word: str, form: dict[str, str]) -> Wish:
    """Return the wish that a form expresses; raises Missing if there is no such wish."""
    if word == "swap":
        return Swap(form.get("swap") == "yes")
    if word == "move":
        return Move(move_of(form.get("move", "")))
    for known in WISH_WORDS:
        if word == known:
            return known
    raise Missing("That cannot be done in a game.")
