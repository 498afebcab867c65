"""Long computations, which run in processes of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from numduel.core.errors import TooLarge
from numduel.web.identity import Client

T = TypeVar("T")


class Thinking(Protocol):
    """What answers questions within limits, such as ThinkingPool."""

    async def ask(self, client: Client, function: Callable[..., T], *arguments: object) -> T:
        """Return `function(*arguments)`; raises TooLarge if that takes too much time or memory."""


def too_slow(seconds: float) -> TooLarge:
    """Return the error for a question that takes too long."""
    return TooLarge(f"it takes more than the {seconds:g} seconds allowed here")
