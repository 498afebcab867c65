"""What is counted and timed, for Prometheus; and where it can be asked for."""

from __future__ import annotations

import os
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

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes count; set before this module."""

_TIMES = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

HAPPENED = Counter("numduel_events", "What has happened in duels.", ["event"])
REFUSED = Counter("numduel_refusals", "Requests that were refused.", ["status", "reason"])
ANSWERED = Histogram(
    "numduel_request_seconds", "Until the answer to a request began.", ["route"], buckets=_TIMES
)
LAG = Histogram("numduel_loop_lag_seconds", "How late the loop came to its work.", buckets=_TIMES)
STREAMS = Gauge("numduel_streams", "Open pages that are told of news.", multiprocess_mode="livesum")
THINKING = Gauge(
    "numduel_thinking",
    "Questions that are thought about, or wait for it.",
    ["thinker"],
    multiprocess_mode="livesum",
)
DATABASE = Histogram(
    "numduel_database_seconds", "Transactions, until they ended.", ["kind"], buckets=_TIMES
)
AWAY = Counter("numduel_database_failures", "Transactions that failed.", ["error"])


def show(port: int) -> None:
    """Answer at the port, on this machine alone, for all processes that count with us."""
    registry = REGISTRY
    if FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    start_http_server(port, "127.0.0.1", registry)


def forget_the_dead() -> None:
    """Let processes that were killed no longer count as having streams open."""
    if FOLDER not in os.environ:
        return
    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not Path(f"/proc/{pid}").exists():
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
