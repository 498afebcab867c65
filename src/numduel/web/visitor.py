"""What is known of a request wherever it is answered, without being handed on."""

from __future__ import annotations

from contextvars import ContextVar

visitor: ContextVar[str] = ContextVar("visitor", default="")
"""For whom it is answered."""

proven: ContextVar[set[tuple[str, str]] | None] = ContextVar("proven", default=None)
"""The right secrets that were shown: the game's name or the room's code, and the hash of each."""

head_only: ContextVar[bool] = ContextVar("head_only", default=False)
"""Whether only the headers of the answer are asked for."""


def prove(where: str, *hashes: str) -> None:
    """Note that whoever asks has secrets of that game or room."""
    known = proven.get()
    if known is not None:
        known.update((where, one) for one in hashes)


def seat() -> str:
    """The seat, or the place in a room, that whoever asks has proven to have; empty: none."""
    return " ".join(min(proven.get() or (), default=()))
