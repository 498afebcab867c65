"""The longest chain as a class: each pupil makes one, the longest is the class's best."""

from __future__ import annotations

from typing import NamedTuple

from numduel.play.chain import Chain


class Chains(NamedTuple):
    """The longest chain of each pupil on one board."""

    size: int  # of the board
    longest: dict[int, Chain]  # by the pupil's number, the first to be made first

    def length(self, pupil: int) -> int:
        """How long the longest chain of a pupil is."""
        return len(self.longest[pupil].numbers) if pupil in self.longest else 0

    @property
    def leader(self) -> int | None:
        """The pupil who made the longest chain, the first to do so."""
        return max(self.longest, key=self.length, default=None)

    @property
    def best(self) -> Chain:
        """The longest chain of the class."""
        return Chain(self.size) if self.leader is None else self.longest[self.leader]
