"""The log on standard error: text on a terminal, JSON elsewhere, with repeated lines limited."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from numduel.web.limits import Rate, TokenBuckets
from numduel.web.lru_cache import LruCache

_STANDARD_FIELDS = vars(logging.makeLogRecord({})).keys() | {"message", "asctime", "color_message"}
_KIND_FIELDS = ("method", "route", "status", "why", "cause")
_MAX_KINDS = 1_000
_INFO_RATE = Rate(50, 5)
_WARNING_RATE = Rate(5, 0.1)  # of errors too, whose lines may be long


class LogFormatter(logging.Formatter):
    """Formats a record and its extra fields as a line of JSON, or of text for people."""

    def __init__(self, as_json: bool | None = None) -> None:
        super().__init__()
        self._as_json = not sys.stderr.isatty() if as_json is None else as_json

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC)
        event, level = record.getMessage(), record.levelname.lower()
        extra = vars(record).items()
        fields = {name: value for name, value in extra if name not in _STANDARD_FIELDS}
        error = self.formatException(record.exc_info) if record.exc_info else ""
        if self._as_json:
            known = {"time": time.isoformat(timespec="milliseconds"), "level": level}
            known |= {"event": event, **fields} | ({"error": error} if error else {})
            return json.dumps(known, default=str)
        line = f"{time:%H:%M:%S} {level:7} {_printable(event)}"
        if fields:
            line += ": " + ", ".join(f"{name} {_printable(one)}" for name, one in fields.items())
        return f"{line}\n{error}" if error else line


def _printable(value: object) -> str:
    text = str(value)
    return text if text.isprintable() else json.dumps(text)


class LogThrottle(logging.Filter):
    """Limits the rate of each kind of line; the next line written says how many were left out."""

    def __init__(self, info: Rate = _INFO_RATE, warning: Rate = _WARNING_RATE) -> None:
        super().__init__()
        self._info = TokenBuckets(info, _MAX_KINDS)
        self._warning = TokenBuckets(warning, _MAX_KINDS)
        self._left_out: LruCache[int] = LruCache(_MAX_KINDS)

    def filter(self, record: logging.LogRecord) -> bool:
        buckets = self._warning if record.levelno >= logging.WARNING else self._info
        kind = _kind(record)
        left_out = self._left_out.get(kind) or 0
        if buckets.wait(kind):
            self._left_out.put(kind, left_out + 1)
            return False
        buckets.take(kind)
        if left_out:
            record.left_out = left_out
            self._left_out.put(kind, 0)
        return True


def _kind(record: logging.LogRecord) -> str:
    """Return a key that all repetitions of a line share."""
    first_line = str(record.msg).partition("\n")[0]
    fields = (getattr(record, name, None) for name in _KIND_FIELDS)
    return repr((record.name, record.levelno, first_line, *fields))


CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"ours": {"()": LogFormatter}},
    "filters": {"throttle": {"()": LogThrottle}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "ours",
            "filters": ["throttle"],
            "stream": "ext://sys.stderr",
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},  # of other libraries
    "loggers": {"numduel.web": {"level": "INFO"}},
}
