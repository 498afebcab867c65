"""The fields of a line of a log: a JSON object from text that may hold anything."""

from __future__ import annotations

from typing import Any

from numduel.core.errors import RecordError
from numduel.core.numerals import quoted
from numduel.core.record import parse_object


def parse(line: str | bytes) -> dict[str, Any]:
    """The fields of a line; RecordError, without the number of the line, which our caller knows."""
    try:
        return parse_object(line)
    except RecordError as error:
        raise RecordError(str(error).removeprefix("line 1: ")) from None


def typed(name: str, value: Any, kind: type) -> Any:
    """The value of a field, if it is of just that type; else RecordError."""
    if type(value) is not kind:
        raise RecordError(f"field {name!r} must be of type {kind.__name__}, not {quoted(value)}")
    return value
