"""Counters and timers for Prometheus."""

from __future__ import annotations

import logging
import os
from http import HTTPStatus
from pathlib import Path

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from numduel.core.errors import NumduelError

log = logging.getLogger("numduel.web")

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder that several processes share; set before this module is loaded."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

EVENTS = Counter("numduel_events", "Events in duels.", ["event"])
REFUSALS = Counter("numduel_refusals", "Requests that were refused.", ["status", "reason"])
REQUEST_SECONDS = Histogram(
    "numduel_request_seconds",
    "Time until the answer to a request began.",
    ["route"],
    buckets=_BUCKETS,
)
LOOP_LAG = Histogram("numduel_loop_lag_seconds", "Delay of the event loop.", buckets=_BUCKETS)
STREAMS = Gauge("numduel_streams", "Open event streams.", multiprocess_mode="livesum")
THINKING_QUESTIONS = Gauge(
    "numduel_thinking",
    "Questions that are being computed, or wait for it.",
    ["thinker"],
    multiprocess_mode="livesum",
)
DATABASE_SECONDS = Histogram(
    "numduel_database_seconds", "Duration of transactions.", ["kind"], buckets=_BUCKETS
)
DATABASE_FAILURES = Counter("numduel_database_failures", "Transactions that failed.", ["error"])


def serve_metrics(port: int) -> None:
    """Serve the metrics of all processes together, to this machine alone."""
    registry = REGISTRY
    if FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    start_http_server(port, "127.0.0.1", registry)


def forget_dead_processes() -> None:
    """Stop counting the open streams of processes that were killed."""
    if FOLDER not in os.environ:
        return
    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not Path(f"/proc/{pid}").exists():
            mark_process_dead(pid)  # type: ignore[no-untyped-call]


def note_answer(route: str, status: int, seconds: float, error: Exception | None) -> None:
    """Count an answer and its time and, if it is a refusal, the reason."""
    REQUEST_SECONDS.labels(route).observe(seconds)
    if status >= HTTPStatus.BAD_REQUEST:
        phrase = HTTPStatus(status).phrase
        reason = type(error).__name__ if isinstance(error, NumduelError) else phrase
        cause = str(getattr(error, "cause", getattr(error, "detail", phrase)))
        note_refusal(status, reason, route, cause)


def note_refusal(status: int, reason: str, route: str, cause: str) -> None:
    """Count a refusal; if the server is busy, log the cause."""
    REFUSALS.labels(str(int(status)), reason).inc()
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        log.warning("busy", extra={"route": route, "cause": cause})
