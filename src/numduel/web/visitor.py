"""What is known of a request wherever it is answered, without being handed on."""

from __future__ import annotations

from contextvars import ContextVar

visitor: ContextVar[str] = ContextVar("visitor", default="")
"""For whom it is answered."""

head_only: ContextVar[bool] = ContextVar("head_only", default=False)
"""Whether only the headers of the answer are asked for."""
