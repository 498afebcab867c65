"""What is kept in memory because it may be asked for again, as long as it is not too much."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by their keys, up to a weight of all of them; the longest unused go first."""

    def __init__(self, most: float) -> None:
        self.most = most
        self.weight = 0.0
        self._values: OrderedDict[str, tuple[T, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> T | None:
        """The value under that key, if it is still there."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def keep(self, key: str, value: T, weight: float) -> T:
        """Keep the value under that key; what weighs too much with it goes, but not the value."""
        self._drop(key)
        self._values[key] = value, weight
        self.weight += weight
        while self.weight > self.most and len(self._values) > 1:
            self._drop(next(iter(self._values)))
        return value

    def _drop(self, key: str) -> None:
        _, weight = self._values.pop(key, (None, 0.0))
        self.weight -= weight
