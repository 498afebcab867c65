"""A cache that evicts the least recently used entries when their total weight is too large."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """Values by key, each with a weight; `max_weight` bounds their sum."""

    def __init__(self, max_weight: float) -> None:
        self.max_weight = max_weight
        self.weight = 0.0
        self._values: OrderedDict[Hashable, tuple[T, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> T | None:
        """Return the value stored under `key` and mark it as used; None if there is none."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: Hashable, value: T, weight: float = 1) -> T:
        """Store and return the value.

        Evicts the least recently used entries until the new value fits. The new value itself is
        always kept.
        """
        self._drop(key)
        self._values[key] = value, weight
        self.weight += weight
        while self.weight > self.max_weight and len(self._values) > 1:
            self._drop(next(iter(self._values)))
        return value

    def _drop(self, key: Hashable) -> None:
        _, weight = self._values.pop(key, (None, 0.0))
        self.weight -= weight
