"""The provider of language models: its address, its key, its limits and its prices.

What a provider does (errors, limits, broken connections) is `Unavailable`, never a fault of a
player. Providers are named in `providers.toml`:

    [openrouter]
    url = "https://openrouter.ai/api/v1"
    key = "OPENROUTER_API_KEY"           # the environment variable that holds the key
    in_flight = 32                       # requests at once
    per_minute = 300                     # requests in a minute
    prices."some/model" = [0.15, 0.60]   # of a million tokens, prompt and answer
"""

from __future__ import annotations

import asyncio
import os
import re
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from numduel.core.errors import SettingsError
from numduel.core.numerals import join_or, quoted
from numduel.players.player import Unavailable
from numduel.players.prompt import MAX_ANSWER_CHARACTERS

if TYPE_CHECKING:
    import httpx2

FILE_VARIABLE = "NUMDUEL_PROVIDERS"
"""The environment variable with the path of `providers.toml`."""

DEFAULT_NAME, DEFAULT_URL = "openai", "https://api.openai.com/v1"

MAX_IN_FLIGHT = 1_000

CONNECT_TIMEOUT_SECONDS = 20.0

MAX_LIMITED_SECONDS = 900.0
"""How long a request waits in all for the provider's rate limit."""

FIRST_RETRY_SECONDS = 1.0
"""The wait after the first failure. It doubles with each one."""

MAX_RETRY_SECONDS = 60.0

MAX_SENTENCE_CHARACTERS = 300
"""Maximum length of a provider's own words about an error."""

LIMITS = {"max_completion_tokens", "max_tokens"}
"""The fields of a request that limit its answer, of which one is sent."""

NEGOTIABLE = {*LIMITS, "seed", "temperature", "stream_options"}
"""The fields of a request that are left out where a provider refuses them."""

RETRIED_STATUSES = (408, 409, 425)
"""Those below 500 after which a request is sent again; after 429 it waits for the rate limit."""


class Answer(NamedTuple):
    """An answer: as it came from the provider, and what it counts as."""

    text: str = ""
    finish_reason: str | None = None
    refusal: str = ""
    version: str = ""  # the model that the provider says has answered
    prompt_tokens: int | None = None
    answer_tokens: int | None = None  # with those of reasoning
    reasoning_tokens: int | None = None
    cost: float | None = None  # by the prices in `providers.toml`
    seconds: float = 0.0  # of the request that was answered
    tries: int = 1  # number of requests, with those that failed
    sent: Any = None  # the fields of the request besides its messages
    asked: Any = None  # the messages
    kind: str = ""  # "move" or a `Fault`; "void": there is none, which is not the model's fault
    move: int | None = None
    strict: bool = False  # whether it has exactly the form that was asked for
    why: str = ""  # what is wrong with it, without full stop


class Failed(Exception):
    """A request was not answered. `status` is that of HTTP, or 0 without an answer in this form."""

    def __init__(
        self,
        why: str,
        status: int = 0,
        retry_after: float | None = None,
        was_sent: bool = True,
    ) -> None:
        super().__init__(why)
        self.status = status
        self.may_cost = was_sent and not status  # an answer may have been begun
        self.retry_after = retry_after  # seconds, if the server says so


def provider(name: str = "", url: str = "") -> Provider:
    """Return the provider of that name, or a server at that address, which is sent no key.

    Without both it is `openai`, at OPENAI_BASE_URL if that is set. Raises SettingsError if there
    is no such provider, or its entry in `providers.toml` is wrong.
    """
    if url:
        return Provider(url)
    name = name or DEFAULT_NAME
    path, entries = _entries()
    default = {"url": os.environ.get("OPENAI_BASE_URL", DEFAULT_URL), "key": "OPENAI_API_KEY"}
    entries = {DEFAULT_NAME: default, **entries}
    if name not in entries:
        raise SettingsError(f"a provider is {join_or([*entries])}, not {quoted(name)}; see {path}")
    try:
        return Provider(**entries[name])
    except (AttributeError, TypeError, ValueError) as error:
        fields = "url, key, in_flight, per_minute and prices"
        raise SettingsError(f"{path}: [{name}] has {fields}; here: {error}") from None


def _entries() -> tuple[Path, dict[str, Any]]:
    """Return the path of `providers.toml`, and its entries by name."""
    from platformdirs import user_config_path

    named = os.environ.get(FILE_VARIABLE)
    path = Path(named) if named else user_config_path("numduel") / "providers.toml"
    try:
        text = path.read_text(encoding="utf-8") if named or path.exists() else ""
        return path, tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None


class Provider:
    """Sends requests, within its limits, while its context is entered."""

    def __init__(
        self,
        url: str,
        key: str = "",
        in_flight: int = 32,
        per_minute: float = inf,
        prices: dict[str, tuple[float, float]] | None = None,
    ) -> None:
        """Raises SettingsError if the address, the key or a number cannot be used.

        `key`: the environment variable that holds the key, which goes to this address alone.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            shown = quoted(url.rpartition("@")[2])
            raise SettingsError(f"a provider's address is like https://HOST/v1, not {shown}")
        if not 1 <= in_flight <= MAX_IN_FLIGHT or not per_minute >= 1:
            raise SettingsError(f"in_flight is from 1 to {MAX_IN_FLIGHT:,}, per_minute at least 1")
        self.url = url.rstrip("/")
        self.in_flight = in_flight
        self.prices = {model: (float(p), float(a)) for model, (p, a) in (prices or {}).items()}
        self._key = os.environ.get(key, "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise SettingsError(f"{key} holds no key: a key has only ASCII characters")
        self._spacing_seconds = 60 / per_minute
        self._next_at = 0.0  # when the next request may be sent
        self._client: httpx2.AsyncClient
        self._slots = asyncio.Semaphore(in_flight)
        self._refused: dict[str, set[str]] = defaultdict(set)  # fields, by model

    async def __aenter__(self) -> Provider:
        import httpx2

        key = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx2.AsyncClient(
            headers={"Accept-Encoding": "identity", **key},
            timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT_SECONDS),
            limits=httpx2.Limits(max_connections=self.in_flight),
            follow_redirects=False,  # the key must not go to another address
            verify=urlsplit(self.url).scheme == "https",  # certificates are slow to load
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    def cost(
        self, model: str, prompt_tokens: int | None, answer_tokens: int | None
    ) -> float | None:
        """Return what so many tokens cost; None if no price is known, or a number is not."""
        if model not in self.prices or prompt_tokens is None or answer_tokens is None:
            return None
        prompt, answer = self.prices[model]
        return (prompt_tokens * prompt + answer_tokens * answer) / 1_000_000

    async def ask(
        self,
        fields: dict[str, Any],
        seconds: float,
        retries: int,
        *,
        is_bounded: bool = False,
        lost: Callable[[], object] = lambda: None,
    ) -> Answer:
        """Send a request, again where it fails, and return the answer.

        Raises TimeoutError if the answer takes longer, and Unavailable if none comes, or if the
        answer `is_bounded` and the provider takes no limit of tokens. What is waited before a
        request is sent does not count as time of its answer. `lost` is called after each try whose
        answer broke off, which may have cost as much as another.
        """
        from numduel.players.completion import complete  # needs httpx2

        tries, failures, limited_seconds, model = 0, 0, 0.0, fields["model"]
        while True:
            tries += 1
            sent = self._accepted(fields)
            if is_bounded and sent.keys().isdisjoint(LIMITS):
                raise Unavailable("a budget needs a limit of tokens; it is refused", stops=True)
            try:
                async with self._slots:
                    await self._wait_for_turn()
                    found = await complete(self._client, self.url, sent, seconds)
                break
            except Failed as error:
                failed, why = error, self._told(str(error))
                if failed.may_cost:
                    lost()
            status = failed.status
            named = NEGOTIABLE & sent.keys() & {*re.findall(r"\w+", why)}
            if status in (400, 422) and named:
                self._refused[model] |= named
                continue
            is_limited = status == 429 and "insufficient_quota" not in why
            if 300 <= status < 500 and not is_limited and status not in RETRIED_STATUSES:
                raise Unavailable(why, stops=True)
            wait = min(FIRST_RETRY_SECONDS * 2 ** (tries - 1), MAX_RETRY_SECONDS)
            if failed.retry_after is not None:
                wait = failed.retry_after
            if is_limited:
                limited_seconds += wait
            else:
                failures += 1
            if failures > retries or limited_seconds > MAX_LIMITED_SECONDS:
                raise Unavailable(why)
            if is_limited:  # for all requests to this provider
                self._next_at = max(self._next_at, time.monotonic() + wait)
            else:
                await asyncio.sleep(min(wait, MAX_RETRY_SECONDS))
        return found._replace(
            text=self._told(found.text, MAX_ANSWER_CHARACTERS + 1),
            refusal=self._told(found.refusal),
            version=self._told(found.version),
            cost=self.cost(model, found.prompt_tokens, found.answer_tokens),
            tries=tries,
            sent={name: value for name, value in sent.items() if name != "messages"},
        )

    def _accepted(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields without those that the provider refuses for this model."""
        refused, sent = self._refused[fields["model"]], dict(fields)
        if "max_completion_tokens" in refused:
            sent["max_tokens"] = sent.pop("max_completion_tokens")
        return {name: value for name, value in sent.items() if name not in refused}

    async def _wait_for_turn(self) -> None:
        """Wait until the rate of the provider, and what it said of its limits, allow a request."""
        while (wait := self._next_at - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        self._next_at = time.monotonic() + self._spacing_seconds

    def _told(self, text: str, most: int = MAX_SENTENCE_CHARACTERS) -> str:
        """Return the beginning of what a provider said, without the key."""
        return (text.replace(self._key, "…") if self._key else text)[:most]
