"""The terms of a new duel, from a form or from JSON, within the limits of this server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import join_or, parse_whole, quoted
from numduel.play.setup import Setup, arrange
from numduel.players import HUMAN, check_who, computers, display_name
from numduel.web.duels.record import Terms
from numduel.web.game_settings import MAX_ROUND_MOVES, check_size, game_from_form
from numduel.web.identity import hash_secret, new_secret

MAX_ROUNDS = 50

HERE, LINK = "here", "link"
OPPONENTS = {
    **{level: display_name(level) for level in computers(served=True)},
    HERE: "a friend, at this screen",
    LINK: "a friend, by a link",
}
"""The opponents to choose from, by their key in a form."""

AUTO = "auto"
FIRST_CHOICES = {
    AUTO: "The game decides",
    "1": "You",
    "2": "The opponent",
    "random": "A coin decides",
}
"""Who can begin. If the game decides, a person who plays the computer gets the winning side."""


class Agreed(NamedTuple):
    """The terms of a duel, and the secret of each person's seat."""

    terms: Terms
    secrets: tuple[str | None, str | None]


def agree(
    game: Game[Any],
    players: tuple[str, str],
    *,
    rounds: int = 1,
    turn_limit: int | None = None,
    coach: bool = False,
    **others: Any,
) -> Agreed:
    """Return the terms of a duel with new secrets; raises SettingsError.

    `others` are arguments of `arrange`.
    """
    for who in players:
        check_who(who, served=True)  # visitors must not run programs on the server
    if HUMAN not in players:
        raise SettingsError("one of the players must be human")
    limit = MAX_ROUND_MOVES if turn_limit is None else turn_limit
    limits = ("rounds", rounds, MAX_ROUNDS), ("turn-limit", limit, MAX_ROUND_MOVES)
    for name, value, maximum in limits:
        if not 1 <= value <= maximum:
            raise SettingsError(f"{name} must be from 1 to {maximum:,}, not {quoted(value)}", name)
    rules = check_size(game)
    setup = arrange(rules, players=players, rounds=rounds, turn_limit=limit, **others)
    return with_new_secrets(setup, coach)


def with_new_secrets(setup: Setup, coach: bool) -> Agreed:
    """Return the terms of a duel that begins with this setup, and new secrets of its seats."""
    one, two = (new_secret() if who == HUMAN else None for who in setup.players)
    return Agreed(
        Terms(setup, (one and hash_secret(one), two and hash_secret(two)), coach), (one, two)
    )


def agree_from_form(key: str, form: Mapping[str, str]) -> Agreed:
    """Return the terms that a form asks for, with the default for each field that it lacks."""
    opponent = form.get("opponent", "medium")
    if opponent not in OPPONENTS:
        raise SettingsError(
            f"the opponent must be {join_or(list(OPPONENTS))}, not {quoted(opponent)}", "opponent"
        )
    is_friend = opponent in (HERE, LINK)
    rounds = _read_number(form, "rounds")
    one, two = (form.get(field, "").strip() or None for field in ("name1", "name2"))
    return agree(
        game_from_form(key, form),
        (HUMAN, HUMAN if is_friend else opponent),
        names=(one, two if is_friend else None),
        first=None if form.get("first") == AUTO else form.get("first", "1"),
        rounds=1 if rounds is None else rounds,
        best_of="best-of" in form,
        swap="swap" in form,
        turn_limit=_read_number(form, "turn-limit"),
        coach="coach" in form,
    )


def _read_number(form: Mapping[str, str], field: str) -> int | None:
    text = form.get(field, "").strip()
    number = parse_whole(text)
    if text and number is None:
        raise SettingsError(f"{field} must be a whole number, not {quoted(text)}", field)
    return number
