"""What people agree on before a duel: from a form or from JSON to the terms, within bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, parse_whole, quoted
from numduel.core.record import Record, loads
from numduel.core.settings import LARGEST_NUMBER, Whole
from numduel.games import game_type, new
from numduel.play.arrange import arrange
from numduel.play.setup import Names
from numduel.players import HUMAN, check_who, computers
from numduel.web.bounds import too_much_json
from numduel.web.data.hosted import Terms
from numduel.web.keys import hashed, new_secret

LARGEST_SERVED = 10_000
"""The longest line and the largest pool that is played here."""

MOST_TURNS = 2_000
"""A round ends, undecided, after this many moves here."""

MOST_ROUNDS = 50
"""The longest match here."""

HERE, LINK = "here", "link"
OPPONENTS = {
    **{level: f"the computer, {level}" for level in computers(served=True)},
    HERE: "a friend, at this screen",
    LINK: "a friend, by a link",
}
"""Who can be played against."""

FIRST = {"1": "You", "2": "The opponent", "random": "A coin decides"}
"""Who can begin."""


class Agreed(NamedTuple):
    """The terms of a duel, and the secret of each seat that is a person's."""

    terms: Terms
    secrets: tuple[str | None, str | None]


def served(game: Game[Any]) -> Game[Any]:
    """The game, if it is not too large for this server; SettingsError."""
    for setting, value in game.settings:
        bounded = isinstance(setting, Whole) and setting.high < LARGEST_NUMBER
        if bounded and value > LARGEST_SERVED:
            raise SettingsError(
                f"{setting.name} must be at most {LARGEST_SERVED:,} here, not {quoted(value)}; "
                "larger ones play in the terminal",
                setting.name,
            )
    return game


def agree(
    game: Game[Any],
    players: tuple[str, str],
    *,
    names: Names = (None, None),
    first: str = "1",
    rounds: int = 1,
    best_of: bool = False,
    swap: bool = False,
    turn_limit: int | None = None,
    coach: bool = False,
    seed: int | None = None,
) -> Agreed:
    """The terms, within the bounds of this server; SettingsError says what is not allowed."""
    for who in players:
        check_who(who, served=True)  # no program of the server's is run for a visitor
    if HUMAN not in players:
        raise SettingsError("one of the players must be human")
    for name, value, most in (
        ("rounds", rounds, MOST_ROUNDS),
        ("turn-limit", turn_limit, MOST_TURNS),
    ):
        if value is not None and not 1 <= value <= most:
            raise SettingsError(f"{name} must be from 1 to {most:,}, not {quoted(value)}", name)
    setup = arrange(
        served(game),
        players=players,
        names=names,
        first=first,
        rounds=rounds,
        best_of=best_of,
        swap=swap,
        turn_limit=MOST_TURNS if turn_limit is None else turn_limit,
        seed=seed,
    )
    one, two = (new_secret() if who == HUMAN else None for who in players)
    return Agreed(Terms(setup, (one and hashed(one), two and hashed(two)), coach), (one, two))


def agree_from_form(key: str, form: Mapping[str, str]) -> Agreed:
    """The terms that a form asks for; what it leaves out is as usual."""
    opponent = form.get("opponent", "medium")
    if opponent not in OPPONENTS:
        raise SettingsError(
            f"the opponent must be {either(list(OPPONENTS))}, not {quoted(opponent)}", "opponent"
        )
    friend = opponent in (HERE, LINK)
    return agree(
        game_from_form(key, form),
        (HUMAN, HUMAN if friend else opponent),
        names=(_name(form, "name1"), _name(form, "name2") if friend else None),
        first=form.get("first", "1"),
        rounds=1 if (rounds := _number(form, "rounds")) is None else rounds,
        best_of="best-of" in form,
        swap="swap" in form,
        turn_limit=_number(form, "turn-limit"),
        coach="coach" in form,
    )


def game_from_form(key: str, form: Mapping[str, str]) -> Game[Any]:
    """The game at the settings that a form gives, each under the name `set-NAME`."""
    declared = game_type(key).settings_type
    names = (setting.name for setting in declared.declared)
    texts = {n: form[f"set-{n}"] for n in names if form.get(f"set-{n}", "").strip()}
    return new(key, **declared.parse(texts))


def _name(form: Mapping[str, str], field: str) -> str | None:
    return form.get(field, "").strip() or None


def _number(form: Mapping[str, str], name: str) -> int | None:
    text = form.get(name, "").strip()
    number = parse_whole(text)
    if text and number is None:
        raise SettingsError(f"{name} must be a whole number, not {quoted(text)}", name)
    return number


def check_record(text: bytes) -> Record:
    """A record of a game that is played here; its moves are checked when it is analysed."""
    if (fault := too_much_json(text)) is not None:
        raise RecordError(fault)
    record = loads(text)
    served(new(record.game, **record.settings))
    if len(record.moves) > MOST_TURNS:
        raise RecordError(f"a record that is analysed here has at most {MOST_TURNS:,} moves")
    return record
