"""What is seen on standard error while something takes long: how far it is, how long to go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds without a word."""


@contextmanager
def expecting(what: str, seconds: float) -> Iterator[None]:
    """Shows that something is worked on which takes about so many seconds, if more than one."""
    with _shown_later(what, seconds):
        yield


@contextmanager
def advancing(what: str) -> Iterator[Callable[..., None]]:
    """Gives what is to be told which part of the work is done and, if there is news, what it is."""
    from rich.markup import escape

    with _shown_later(what, None) as progress:

        def told(part: float, news: object = "") -> None:
            if progress is not None:
                text = escape(f"{what}: {news}" if str(news) else what)
                progress.update(progress.task_ids[0], completed=part, total=1, description=text)

        yield told


@contextmanager
def _shown_later(what: str, seconds: float | None) -> Iterator[Progress | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class Expected(ProgressColumn):
        """How long it has taken, and what is left of the time that was expected."""

        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            so_far = task.elapsed or 0
            left = (seconds or 0) - so_far
            return Text(
                f"{so_far:.0f} s so far{f', about {left:.0f} s to go' if left >= 1 else ''}"
            )

    columns = [BarColumn(), Remaining()] if seconds is None else [Expected()]
    progress = Progress(
        TextColumn("{task.description}"),
        *columns,
        console=Console(stderr=True),
        transient=True,
    )
    progress.add_task(what, total=None)
    timer = Timer(PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield progress
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
