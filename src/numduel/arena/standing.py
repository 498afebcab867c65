"""Who is ahead while an arena is still being played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from numduel.arena.plan import Plan


class Standing:
    """The score of each player in the games so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ended: Counter[tuple[tuple[str, str], str]] = Counter()  # by the seats and who won

    def add(self, lines: Iterable[str]) -> None:
        """Count the games of these lines of the log, of which only the beginning is read."""
        for line in lines:
            game, winner, _ = line.split(",", 2)
            seats = self._plan.seats(int(game.partition(":")[2]))
            self._ended[seats, winner.partition(":")[2]] += 1

    def shares(self) -> list[tuple[str, float]]:
        """Which part of the points of its games each player has, the best first."""
        games: Counter[str] = Counter()
        scores: dict[str, float] = {}
        for (seats, won), count in self._ended.items():
            for seat, player in enumerate(seats, 1):
                points = 0.5 if won == "null" else won == str(seat)
                games[player] += count
                scores[player] = scores.get(player, 0) + count * points
        found = [(name, scores[name] / count) for name, count in games.items()]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def __str__(self) -> str:
        return ", ".join(f"{name[:20]} {share:.0%}" for name, share in self.shares()[:4])
