"""Progress on standard error while something takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

DELAY_SECONDS = 1.0
"""Nothing is shown for work that takes less time."""


@contextmanager
def progress(what: str, seconds: float | None = None) -> Iterator[Callable[..., None]]:
    """Show a bar, or the time left of work that takes about so many seconds.

    Yields a function to call with the part that is done, and a text if any, which moves the bar.
    """
    if not sys.stderr.isatty():
        yield lambda part, news="": None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class Expected(ProgressColumn):
        """How long it has taken, and what is left of the time that was expected."""

        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            so_far = task.elapsed or 0
            left = (seconds or 0) - so_far
            to_go = f", about {left:.0f} s to go" if left >= 1 else ""
            return Text(f"{so_far:.0f} s so far{to_go}")

    columns = [BarColumn(), Remaining()] if seconds is None else [Expected()]
    console = Console(stderr=True)
    bar = Progress(TextColumn("{task.description}"), *columns, console=console, transient=True)
    task = bar.add_task(what, total=None)

    def told(part: float, news: object = "") -> None:
        text = escape(f"{what}: {news}" if str(news) else what)
        bar.update(task, completed=part, total=1, description=text)

    timer = Timer(DELAY_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield told
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
