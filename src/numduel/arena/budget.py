"""What the answers of models may use in an arena, in tokens and in money."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.players.player import Unavailable
from numduel.players.provider import Answer


class BudgetUsedUp(Unavailable):
    """Raised instead of sending a request that the rest of the budget may not suffice for."""


class Budget:
    """The limits of all answers in a folder together, and what is used of them."""

    def __init__(self, tokens: float = inf, money: float = inf) -> None:
        self.tokens, self.money = tokens, money
        self._tokens = self._money = 0.0  # used, and reserved for requests that are not answered
        self._in_flight = 0
        self._change = asyncio.Condition()

    @classmethod
    def read(cls, text: str) -> Budget:
        """Return the budget that is written as `tokens=2000000`, `money=5.50`, or both."""
        given: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = part.partition("=")
            if name not in ("tokens", "money") or not re.fullmatch(r"\d{1,15}(\.\d{1,9})?", value):
                allowed = "tokens=2000000, money=5.50, or both with a comma between them"
                raise SettingsError(f"a budget is {allowed}, not {quoted(text)}")
            given[name] = float(value)
        return cls(**given)

    def use(self, answer: Answer) -> None:
        """Count an answer; by its characters where the provider counts no tokens."""
        answered = len(answer.text) if answer.answer_tokens is None else answer.answer_tokens
        self._tokens += (answer.prompt_tokens or 0) + answered
        self._money += answer.cost or 0.0

    @asynccontextmanager
    async def reserved(self, tokens: float, money: float) -> AsyncIterator[None]:
        """Reserve the most that a request can use, until it is answered.

        Waits for other requests, which may use less than they reserve. Raises BudgetUsedUp if there
        are none, and it does not suffice.
        """

        def suffices() -> bool:
            return self._tokens + tokens <= self.tokens and self._money + money <= self.money

        async with self._change:
            await self._change.wait_for(lambda: suffices() or not self._in_flight)
            if not suffices():
                raise BudgetUsedUp("the budget is used up", stops=True)
            self._tokens, self._money = self._tokens + tokens, self._money + money
            self._in_flight += 1
        try:
            yield
        finally:
            self._tokens, self._money = self._tokens - tokens, self._money - money
            self._in_flight -= 1
            async with self._change:
                self._change.notify_all()
