"""The settings of a game, each declared once with its name, default, bounds and help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

from numduel.core.errors import SettingsError
from numduel.core.numerals import MAX_INPUT_DIGITS, join_or, parse_whole, quoted, shorten

T = TypeVar("T")

MAX_NUMBER = 10**MAX_INPUT_DIGITS - 1
"""Maximum of a setting that is a number."""

MAX_SETTING_SIZE = 1_000_000
"""Maximum size of a line or a pool of numbers."""


class Setting(Generic[T]):
    """One declared setting, with its name, default, allowed values and a sentence of help.

    It is a descriptor: it returns the declaration on a class of settings, and the value on an
    instance.

    >>> import numduel
    >>> game = numduel.new("multiplicity", size=20)
    >>> type(game).settings_type.size.default, game.settings.size
    (50, 20)
    """

    name: str
    phrase: str = ""  # everyday words for people, with {} for the value: "race to {}"
    parts: tuple[tuple[str, str], ...] = ()  # the choices of a list: their texts and labels
    hidden = False  # whether web pages leave it out; programs and the terminal do not

    def __init__(self, default: T, help: str, *, ends: bool = False) -> None:
        self.default = default
        self.help = help
        self.ends = ends  # whether a value can end a game that would be endless without it

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, settings: None, owner: type) -> Setting[T]: ...
    @overload
    def __get__(self, settings: Settings, owner: type) -> T: ...
    def __get__(self, settings: Settings | None, owner: type) -> Setting[T] | T:
        if settings is None:
            return self
        value: T = settings.values[self.name]
        return value

    @property
    def flag(self) -> str:
        """The option on the command line, such as `--start-open`."""
        return "--" + self.name.replace("_", "-")

    @property
    def allowed(self) -> str:
        """The allowed values in words that can follow "must be"."""
        raise NotImplementedError

    def check(self, value: object) -> T:
        """Return the value if it is allowed. Raises `SettingsError` if not."""
        raise NotImplementedError

    def parse(self, text: str) -> T:
        """Return the value that a text stands for. Raises `SettingsError` if it is not allowed."""
        return self.check(text.strip())

    def text(self, value: T) -> str:
        """Return the value as text that `parse` reads back."""
        return str(value)

    def describe(self, value: T) -> str:
        """Return the value with its name, for people: `size 20`, `start open`, `no ceiling`."""
        name = self.name.replace("_", " ")
        if value is True:
            return name
        if value is None:
            return f"no {name}"
        return f"{name} {shorten(value) if isinstance(value, int) else self.text(value)}"

    def with_phrase(self, phrase: str) -> Self:
        """Set `phrase` and return the setting."""
        self.phrase = phrase
        return self

    def in_everyday_words(self, value: T) -> str:
        """Return the phrase with the value, such as `race to 20`, or else the description."""
        if not self.phrase or value is None:
            return self.describe(value)
        return self.phrase.format(shorten(value) if isinstance(value, int) else self.text(value))

    def near(self, value: T) -> Sequence[T]:
        """Return similar values, the nearest first. Some of them may not be allowed."""
        return ()

    def refusal(self, value: object) -> SettingsError:
        """Return an error which says that the value is not allowed, and which values are."""
        line = f"{self.name} must be {self.allowed}, not {quoted(value)}"
        return SettingsError(line, self.name)


class Whole(Setting[int]):
    """A whole number between two bounds.

    >>> Whole(50, "How many numbers there are.", low=1, high=100).parse("20")
    20
    """

    name = "number"

    def __init__(self, default: int, help: str, *, low: int = 1, high: int = MAX_NUMBER) -> None:
        super().__init__(default, help)
        self.low = low
        self.high = high

    @property
    def allowed(self) -> str:
        if self.high == MAX_NUMBER:
            return f"a whole number from {self.low:,}, of at most {MAX_INPUT_DIGITS:,} digits"
        return f"a whole number from {self.low:,} to {self.high:,}"

    def check(self, value: object) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise self.refusal(value)
        return value

    def near(self, value: int) -> Sequence[int]:
        steps = [value + step for step in (1, -1, 2, -2, 3, -3)]
        return list(dict.fromkeys([*steps, value * 2]))

    def parse(self, text: str) -> int:
        number = parse_whole(text)
        return self.check(text.strip() if number is None else number)


class OptionalWhole(Setting[int | None]):
    """A whole number between two bounds, or none (the default).

    >>> ceiling = OptionalWhole("Where the game ends.")
    >>> ceiling.parse("none"), ceiling.parse("20")
    (None, 20)
    """

    def __init__(
        self, help: str, *, low: int = 1, high: int = MAX_NUMBER, ends: bool = False
    ) -> None:
        super().__init__(None, help, ends=ends)
        self._whole = Whole(low, help, low=low, high=high)

    @property
    def allowed(self) -> str:
        return f"none or {self._whole.allowed}"

    def near(self, value: int | None) -> Sequence[int | None]:
        return [50, 100, 200] if value is None else [None, *self._whole.near(value)]

    def check(self, value: object) -> int | None:
        try:
            return None if value is None else self._whole.check(value)
        except SettingsError:
            raise self.refusal(value) from None

    def parse(self, text: str) -> int | None:
        if text.strip().lower() == "none":
            return None
        number = parse_whole(text)
        return self.check(text.strip() if number is None else number)

    def text(self, value: int | None) -> str:
        return "none" if value is None else str(value)


class Word(Setting[str]):
    """One of several words.

    >>> Word("most", "What wins.", options=("most", "chain")).allowed
    'most or chain'
    """

    def __init__(self, default: str, help: str, *, options: Sequence[str]) -> None:
        super().__init__(default, help)
        self.options = tuple(options)

    @property
    def allowed(self) -> str:
        return join_or(self.options)

    def near(self, value: str) -> Sequence[str]:
        return [option for option in self.options if option != value]

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise self.refusal(value)
        return value


class Flag(Setting[bool]):
    """True or false; false by default.

    >>> Flag("Whether the start may be used.").parse("yes")
    True
    """

    def __init__(self, help: str, *, hidden: bool = False) -> None:
        super().__init__(False, help)
        self.hidden = hidden

    @property
    def allowed(self) -> str:
        return "true or false"

    def near(self, value: bool) -> Sequence[bool]:
        return [not value]

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise self.refusal(value)
        return value

    def parse(self, text: str) -> bool:
        words = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}
        word = text.strip().lower()
        return self.check(words.get(word, text))

    def text(self, value: bool) -> str:
        return "true" if value else "false"


class Settings:
    """The settings of a game. They are checked, immutable and compared by content.

    A game declares its settings as attributes of a subclass, which are of type `Setting`.
    Creating an instance raises `SettingsError` for an unknown name, for a value that is not
    allowed, and for values that contradict each other.

    >>> from numduel.core.settings import Settings, Whole
    >>> class Pile(Settings):
    ...     stones = Whole(21, "How many stones there are.", low=1, high=100)
    >>> Pile().stones, Pile(stones=30).changed()
    (21, {'stones': 30})
    >>> Pile(stones=0)
    Traceback (most recent call last):
        ...
    numduel.core.errors.SettingsError: stones must be a whole number from 1 to 100, not 0
    """

    declared: ClassVar[tuple[Setting[Any], ...]] = ()
    values: Mapping[str, Any]  # by name; immutable

    def __init_subclass__(cls) -> None:
        own = [value for value in vars(cls).values() if isinstance(value, Setting)]
        cls.declared = tuple({s.name: s for s in (*cls.declared, *own)}.values())

    def __init__(self, /, **given: object) -> None:
        names = [setting.name for setting in self.declared]
        for name in given:
            if name not in names:
                known = f"the settings are {', '.join(names)}" if names else "it has no settings"
                raise SettingsError(f"there is no setting {quoted(name)}; {known}")
        values = {s.name: s.check(given.get(s.name, s.default)) for s in self.declared}
        object.__setattr__(self, "values", MappingProxyType(values))
        self.agree()

    def agree(self) -> None:
        """Raise `SettingsError` if values that are allowed by themselves contradict each other."""

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> dict[str, object]:
        """Return the values of texts by name. `__init__` refuses the texts of unknown names."""
        declared = {setting.name: setting for setting in cls.declared}
        return {n: declared[n].parse(t) if n in declared else t for n, t in texts.items()}

    def texts(self) -> dict[str, str]:
        """Return each value as text, by name."""
        return {setting.name: setting.text(self.values[setting.name]) for setting in self.declared}

    def changed(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, by name."""
        return {s.name: v for s, v in self if v != s.default}

    def __iter__(self) -> Iterator[tuple[Setting[Any], Any]]:
        return ((setting, self.values[setting.name]) for setting in self.declared)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings do not change: {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.values == self.values

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.values.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.values), ()

    def __str__(self) -> str:
        return ", ".join(
            f"{setting.name} {shorten(value) if type(value) is int else setting.text(value)}"
            for setting, value in self
        )

    def describe(self, changed: bool = False) -> str:
        """Return the values with their names, or only those that differ from the defaults."""
        return ", ".join(setting.describe(value) for setting, value in self._notable(changed))

    def phrases(self, changed: bool = False) -> list[str]:
        """Return each value in everyday words, or only those that differ from the defaults."""
        return [setting.in_everyday_words(value) for setting, value in self._notable(changed)]

    def _notable(self, changed: bool) -> Iterator[tuple[Setting[Any], Any]]:
        """Yield all values except False, or only those that differ from the defaults."""
        return (
            (setting, value)
            for setting, value in self
            if value is not False and (not changed or value != setting.default)
        )


def values_in_text(text: str, most: int) -> list[str]:
    """Return the texts of several values of a setting. Ranges of numbers are written out.

    Raises `SettingsError` for a range of more than `most` values.

    >>> values_in_text("5|10..12|20..30..5", most=100)
    ['5', '10', '11', '12', '20', '25', '30']
    >>> values_in_text("any|even", most=100)
    ['any', 'even']
    """
    found = []
    for each in text.split("|"):
        parts = [parse_whole(part) for part in each.split("..")]
        numbers = [part for part in parts if part is not None]
        if len(numbers) < len(parts) or len(parts) not in (2, 3):
            found.append(each)
            continue
        low, high, step = (*numbers, 1)[:3]
        if step < 1 or high < low or (high - low) // step >= most:
            raise SettingsError(
                f"a range is like 10..30 or 10..30..5, of at most {most:,} values, "
                f"not {quoted(each)}"
            )
        found += map(str, range(low, high + 1, step))
    return found
