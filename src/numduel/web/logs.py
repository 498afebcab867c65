"""The log: one JSON object a line on standard error, and not too many that say the same."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

from numduel.web.sparing import Sparing

_USUAL = vars(logging.makeLogRecord({})).keys() | {"message", "asctime", "color_message"}


class Structured(logging.Formatter):
    """A line of the log as JSON, with whatever was said beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        fields |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"structured": {"()": Structured}},
    "filters": {"sparing": {"()": Sparing}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "structured",
            "filters": ["sparing"],
            "stream": "ext://sys.stderr",
        }
    },
    "loggers": {
        "numduel.web": {"handlers": ["stderr"], "level": "INFO"},
        "asyncio": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}
