"""What is counted and timed, for Prometheus."""

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
"""The variable that names the folder in which several processes count; set before this module."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

HAPPENED = Counter("numduel_events", "What has happened in duels.", ["event"])
REFUSALS = Counter("numduel_refusals", "Requests that were refused.", ["status", "reason"])
ANSWERED = Histogram(
    "numduel_request_seconds", "Until the answer to a request began.", ["route"], buckets=_BUCKETS
)
LAG = Histogram("numduel_loop_lag_seconds", "How late the loop came to its work.", buckets=_BUCKETS)
STREAMS = Gauge("numduel_streams", "Open pages that are told of news.", multiprocess_mode="livesum")
THINKING_GAUGE = Gauge(
    "numduel_thinking",
    "Questions that are thought about, or wait for it.",
    ["thinker"],
    multiprocess_mode="livesum",
)
DATABASE = Histogram(
    "numduel_database_seconds", "Transactions, until they ended.", ["kind"], buckets=_BUCKETS
)
AWAY = Counter("numduel_database_failures", "Transactions that failed.", ["error"])


def show(port: int) -> None:
    """Serve the metrics of all processes that count together, on this machine alone."""
    registry = REGISTRY
    if FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    start_http_server(port, "127.0.0.1", registry)


def forget_dead_processes() -> None:
    """Remove the open streams of processes that were killed from the count."""
    if FOLDER not in os.environ:
        return
    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not Path(f"/proc/{pid}").exists():
            mark_process_dead(pid)  # type: ignore[no-untyped-call]


def note_answer(route: str, status: int, seconds: float, error: Exception | None) -> None:
    """Count an answer and its time; if it is a refusal, with the reason for it."""
    ANSWERED.labels(route).observe(seconds)
    if status >= HTTPStatus.BAD_REQUEST:
        phrase = HTTPStatus(status).phrase
        reason = type(error).__name__ if isinstance(error, NumduelError) else phrase
        cause = str(getattr(error, "cause", getattr(error, "detail", phrase)))
        note_refusal(status, reason, route, cause)


def note_refusal(status: int, reason: str, route: str, cause: str) -> None:
    """Count a refusal; if the server is busy, write the cause to the log."""
    REFUSALS.labels(str(int(status)), reason).inc()
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        log.warning("busy", extra={"route": route, "cause": cause})
