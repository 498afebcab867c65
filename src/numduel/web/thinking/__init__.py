"""Long computations: the questions, and who answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from numduel.core.errors import TooLarge
from numduel.web.identity import Client

T = TypeVar("T")


class Thinking(Protocol):
    """Answers questions within limits; see ThinkingPool."""

    async def ask(self, client: Client, about: Callable[..., T], *arguments: object) -> T:
        """Return `about(*arguments)`; raises TooLarge if that takes too much time or memory."""


def too_slow(seconds: float) -> TooLarge:
    """Return the error of a question that could not be answered in time."""
    return TooLarge(f"it takes more than the {seconds:g} seconds allowed here")
