"""Who is ahead while an arena is still being played."""

from __future__ import annotations

from collections.abc import Iterable

from numduel.arena.plan import Plan


class Standing:
    """The score of each player in the games so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._scores = dict.fromkeys(plan.asked.players, 0.0)
        self._games = dict.fromkeys(plan.asked.players, 0)

    def add(self, lines: Iterable[str]) -> None:
        """Count the games of these lines of the log, of which only the beginning is read."""
        for line in lines:
            game, winner, _ = line.split(",", 2)
            seats = self._plan.seats(int(game.partition(":")[2]))
            won = winner.partition(":")[2]
            for seat, player in enumerate(seats, 1):
                self._games[player] += 1
                self._scores[player] += 0.5 if won == "null" else won == str(seat)

    def shares(self) -> list[tuple[str, float]]:
        """Which part of the points of its games each player has, the best first."""
        found = [(name, self._scores[name] / count) for name, count in self._games.items() if count]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def __str__(self) -> str:
        return ", ".join(f"{name[:20]} {share:.0%}" for name, share in self.shares()[:4])
