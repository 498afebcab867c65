"""Divisor Duel: make the shared number divisible by the divisor."""

from __future__ import annotations

from numduel.core.errors import SettingsError
from numduel.core.game import Outcome
from numduel.core.numerals import shown
from numduel.core.scene import Fact
from numduel.core.settings import OptionalWhole, Settings, Whole
from numduel.games.tally import Tally, TallyGame


class DivisorDuelSettings(Settings):
    divisor = Whole(13, "the number to make N divisible by")
    start = Whole(1, "the number that N starts at")
    ceiling = OptionalWhole("a move above it loses, so that every game ends")

    def agree(self) -> None:
        if self.ceiling is not None and self.ceiling <= self.start:
            raise SettingsError(
                f"ceiling must be above the start, {shown(self.start)}, not {shown(self.ceiling)}"
            )


class DivisorDuel(TallyGame):
    key = "divisor-duel"
    title = "Divisor Duel"
    summary = "Add 1 or double a shared number; whoever makes it divisible by the divisor wins."
    rules = """\
The players share one number, N, and take turns. On your turn you must either add 1 to N or
multiply it by 2. If N is then divisible by the divisor D, you win.

Only a move wins: where N starts at a multiple of D, the game begins as usual. With D = 1 the
first move wins. From 1 both operations give 2, and both are offered.

Nothing ends the game but a win, and good players can avoid losing for ever, for nearly every D.
Play on, set a limit of turns, or set a ceiling: a move that takes N above it loses, even to a
multiple of D, and then every game ends. Where no person plays, a game without a winner stops
after 1,000 turns. N is exact however long it gets; past 60 digits it is shown shortened, with
its number of digits and its remainder."""
    settings_type = DivisorDuelSettings
    settings: DivisorDuelSettings
    success = "divisible"

    @property
    def goal(self) -> int:
        return self.settings.divisor

    @property
    def ceiling(self) -> int | None:
        return self.settings.ceiling

    @property
    def starting_number(self) -> int:
        return self.settings.start

    def shown(self, number: int) -> str:
        """N, with its remainder where it is too long to show whole."""
        return shown(number, self.goal)

    def welcome(self, position: Tally) -> list[str]:
        ceiling = [] if self.ceiling is None else [f"Ceiling: {shown(self.ceiling)}"]
        return [
            "Welcome to Divisor Duel!",
            "",
            f"Target Divisor (D): {shown(self.goal)}",
            f"Starting Number (N): {self.shown(position.number)}",
            *ceiling,
            "",
        ]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"Player {position.mover}'s turn.",
            f"Current N: {self.shown(position.number)}",
            "Choose an operation:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter choice ({self.allowed(position)}): "

    def moved(self, before: Tally, move: int, after: Tally) -> list[str]:
        label = self.label(move)
        lines = [
            f"You chose to {label[0].lower()}{label[1:]}.",
            f"Updated N: {self.shown(after.number)}",
            "",
        ]
        if not after.ended:
            divisor = shown(self.goal)
            lines += [f"N is not divisible by {divisor}. Game continues.", "", "-" * 40]
        return lines

    def ended(self, position: Tally, outcome: Outcome) -> list[str]:
        if outcome.reason == "overshot":
            assert self.ceiling is not None
            first = f"N is above the ceiling, {shown(self.ceiling)}."
        else:
            first = f"Congratulations! N is divisible by {shown(self.goal)}."
        return [first, f"Player {outcome.winner} wins the game!"]

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        facts = [
            Fact("Current N", self.shown(position.number)),
            Fact("Target Divisor (D)", shown(self.goal)),
            Fact("Remainder", shown(position.number % self.goal)),
        ]
        if self.ceiling is not None:
            facts.append(Fact("Ceiling", shown(self.ceiling)))
        return tuple(facts)
