"""The games that this server offers: their settings in forms, and limits on their size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.record import Record, loads
from numduel.core.settings import MAX_NUMBER, Flag, OptionalWhole, Setting, Whole, Word
from numduel.games import game_type, new
from numduel.web.errors import Missing, sentence
from numduel.web.limits import json_fault

MAX_SIZE = 10_000  # of a line or a pool
MAX_ROUND_MOVES = 2_000  # after which a round ends undecided


class Field(NamedTuple):
    """The field of a form for one setting."""

    name: str  # `set-NAME`
    label: str
    help: str
    allowed: str  # the allowed values, in words
    default: str
    type: str  # "text", "number", "flag", "choice" or "parts"
    options: tuple[tuple[str, str], ...] = ()  # of a choice or of parts: values and labels


def find_game_type(key: str) -> Any:
    """Return the class of a game; raises Missing if there is none."""
    try:
        return game_type(key)
    except SettingsError as error:
        raise Missing(sentence(error)) from None


def setting_fields(key: str) -> list[Field]:
    """Return a field for each setting of a game, except hidden ones."""
    declared = find_game_type(key).settings_type.declared
    return [_field(setting) for setting in declared if not setting.hidden]


def _field(setting: Setting[Any]) -> Field:
    controls = {Flag: "flag", Word: "choice", Whole: "number", OptionalWhole: "number"}
    control = next((name for type_, name in controls.items() if isinstance(setting, type_)), "text")
    words = setting.options if isinstance(setting, Word) else ()
    return Field(
        name=f"set-{setting.name}",
        label=setting.name.replace("_", " ").capitalize(),
        help=setting.help,
        allowed=setting.allowed,
        default=setting.text(setting.default),
        type="parts" if setting.parts else control,
        options=setting.parts or tuple((word, word) for word in words),
    )


def game_from_form(key: str, form: Mapping[str, str]) -> Game[Any]:
    """Return the game with the settings in a form; raises SettingsError."""
    declared = game_type(key).settings_type
    names = (setting.name for setting in declared.declared)
    texts = {n: form[f"set-{n}"] for n in names if form.get(f"set-{n}", "").strip()}
    return new(key, **declared.parse(texts))


def form_fields(game: Game[Any]) -> dict[str, str]:
    """Return the fields of a form that stand for the settings of a game."""
    return {f"set-{setting.name}": setting.text(value) for setting, value in game.settings}


def check_size(game: Game[Any]) -> Game[Any]:
    """Return the game; raises SettingsError if it is too large for this server."""
    for setting, value in game.settings:
        is_size = isinstance(setting, Whole) and setting.high < MAX_NUMBER
        if is_size and value > MAX_SIZE:
            raise SettingsError(
                f"{setting.name} must be at most {MAX_SIZE:,} here, not {quoted(value)}; "
                "larger ones work in the terminal",
                setting.name,
            )
    return game


def read_record(text: bytes) -> Record:
    """Return the record in a text; its moves are checked when it is analysed.

    Raises RecordError or SettingsError if it cannot be read or is too large for this server.
    """
    if (fault := json_fault(text)) is not None:
        raise RecordError(fault)
    record = loads(text)
    check_size(new(record.game, **record.settings))
    if len(record.moves) > MAX_ROUND_MOVES:
        raise RecordError(f"a record that is analysed here has at most {MAX_ROUND_MOVES:,} moves")
    return record
