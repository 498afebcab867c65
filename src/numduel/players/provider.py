"""The provider of language models: its address, its key, its limits and its prices.

If a provider fails (errors, limits, broken connections), the player is `Unavailable`; it is never
at fault. Providers are declared in `providers.toml`:

    [openrouter]
    url = "https://openrouter.ai/api/v1"
    key = "OPENROUTER_API_KEY"           # the environment variable that holds the key
    in_flight = 32                       # maximum number of requests at once
    per_minute = 300                     # maximum number of requests in a minute
    prices."some/model" = [0.15, 0.60]   # for a million tokens of prompts, and of answers
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
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from numduel.core.errors import SettingsError
from numduel.core.numerals import join_or, quoted
from numduel.players.answer import MAX_ANSWER_CHARACTERS, Answer
from numduel.players.player import Unavailable

if TYPE_CHECKING:
    import httpx2

FILE_VARIABLE = "NUMDUEL_PROVIDERS"
"""The environment variable with the path of `providers.toml`."""

DEFAULT_NAME, DEFAULT_URL = "openai", "https://api.openai.com/v1"

MAX_IN_FLIGHT = 1_000

CONNECT_TIMEOUT_SECONDS = 20.0

MAX_RATE_LIMITED_SECONDS = 900.0
"""Maximum time that one request spends waiting for the provider's rate limit."""

FIRST_RETRY_SECONDS = 1.0
"""The wait after the first failure. It doubles with each further one."""

MAX_RETRY_SECONDS = 60.0

MAX_MESSAGE_CHARACTERS = 300
"""Maximum length of a provider's own message about an error."""

TOKEN_LIMITS = {"max_completion_tokens", "max_tokens"}
"""The fields of a request that limit the tokens of its answer. One of them is sent."""

OPTIONAL_FIELDS = {*TOKEN_LIMITS, "seed", "temperature", "stream_options"}
"""The fields of a request that are left out if a provider refuses them."""

RETRIED_STATUSES = (408, 409, 425)
"""The statuses below 500 after which a request is sent again. After 429 it waits for its turn."""


class Failed(Exception):
    """A request was not answered. `status` is the HTTP status of an error, otherwise 0."""

    def __init__(
        self,
        why: str,
        status: int = 0,
        retry_after: float | None = None,
        was_sent: bool = True,
    ) -> None:
        super().__init__(why)
        self.status = status
        self.may_cost = was_sent and not status  # the model may have begun to answer
        self.retry_after = retry_after  # seconds, if the server named any


def provider(name: str = "", url: str = "") -> Provider:
    """Return the provider of that name, or the server at that address, which gets no key.

    The default is `openai`, at OPENAI_BASE_URL if that is set. Raises SettingsError if there is no
    such provider, or its entry in `providers.toml` is wrong.
    """
    if url:
        return Provider(url)
    name = name or DEFAULT_NAME
    path, entries = _read_providers_file()
    default = {"url": os.environ.get("OPENAI_BASE_URL", DEFAULT_URL), "key": "OPENAI_API_KEY"}
    entries = {DEFAULT_NAME: default, **entries}
    if name not in entries:
        raise SettingsError(f"a provider is {join_or([*entries])}, not {quoted(name)}; see {path}")
    try:
        return Provider(**entries[name])
    except (AttributeError, TypeError, ValueError) as error:
        fields = "url, key, in_flight, per_minute and prices"
        raise SettingsError(f"{path}: [{name}] has {fields}; here: {error}") from None


def _read_providers_file() -> tuple[Path, dict[str, Any]]:
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
    """Sends requests within the limits of the provider. It is used as an async context manager."""

    def __init__(
        self,
        url: str,
        key: str = "",
        in_flight: int = 32,
        per_minute: float = inf,
        prices: dict[str, tuple[float, float]] | None = None,
    ) -> None:
        """Raises SettingsError if the address, the key or a number cannot be used.

        `key`: the environment variable with the key, which is sent to this address only.
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
        self._refused_fields: dict[str, set[str]] = defaultdict(set)  # by model

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
        """Return what these tokens cost; None if the price or one of the numbers is not known."""
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
        on_lost: Callable[[], object] = lambda: None,
    ) -> Answer:
        """Send a request, again if it fails, and return the answer.

        Raises TimeoutError if the answer takes longer than `seconds`, not counting the time before
        the request is sent. Raises Unavailable if no answer comes, or if the tokens of the answer
        must be bounded (`is_bounded`) and the provider refuses any limit. `on_lost` is called when
        an answer has broken off, which may have cost as much as a complete one.
        """
        tries, failures, limited_seconds = 0, 0, 0.0
        while True:
            tries += 1
            sent = self._accepted_fields(fields)
            if is_bounded and sent.keys().isdisjoint(TOKEN_LIMITS):
                raise Unavailable("a budget needs a limit of tokens; it is refused", stops=True)
            try:
                return (await self._request(sent, seconds))._replace(tries=tries)
            except Failed as error:
                failed, why = error, self._without_key(str(error))
            if failed.may_cost:
                on_lost()
            refused = OPTIONAL_FIELDS & sent.keys() & {*re.findall(r"\w+", why)}
            if refused and failed.status in (400, 422):
                self._refused_fields[sent["model"]] |= refused
                continue
            is_rate_limited = failed.status == 429 and "insufficient_quota" not in why
            is_final = 300 <= failed.status < 500 and failed.status not in RETRIED_STATUSES
            if is_final and not is_rate_limited:
                raise Unavailable(why, stops=True)
            wait = min(FIRST_RETRY_SECONDS * 2 ** (tries - 1), MAX_RETRY_SECONDS)
            if failed.retry_after is not None:
                wait = failed.retry_after
            if is_rate_limited:
                limited_seconds += wait
            else:
                failures += 1
            if failures > retries or limited_seconds > MAX_RATE_LIMITED_SECONDS:
                raise Unavailable(why)
            if is_rate_limited:  # the limit holds for all requests to this provider
                self._next_at = max(self._next_at, time.monotonic() + wait)
            else:
                await asyncio.sleep(min(wait, MAX_RETRY_SECONDS))

    async def _request(self, fields: dict[str, Any], seconds: float) -> Answer:
        """Send one request within the limits of the provider, and return the answer with its cost.

        Raises Failed, and TimeoutError.
        """
        from numduel.players.chat_request import request_completion  # needs httpx2

        async with self._slots:
            await self._wait_for_turn()
            answer = await request_completion(self._client, self.url, fields, seconds)
        return answer._replace(
            text=self._without_key(answer.text, MAX_ANSWER_CHARACTERS + 1),
            refusal=self._without_key(answer.refusal),
            version=self._without_key(answer.version),
            cost=self.cost(fields["model"], answer.prompt_tokens, answer.answer_tokens),
            sent={name: value for name, value in fields.items() if name != "messages"},
        )

    def _accepted_fields(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields without those that the provider has refused for this model."""
        refused, sent = self._refused_fields[fields["model"]], dict(fields)
        if "max_completion_tokens" in refused:
            sent["max_tokens"] = sent.pop("max_completion_tokens")
        return {name: value for name, value in sent.items() if name not in refused}

    async def _wait_for_turn(self) -> None:
        """Wait until the limits of the provider allow the next request."""
        while (wait := self._next_at - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        self._next_at = time.monotonic() + self._spacing_seconds

    def _without_key(self, text: str, max_characters: int = MAX_MESSAGE_CHARACTERS) -> str:
        """Return the beginning of a provider's text, with the key left out."""
        return (text.replace(self._key, "…") if self._key else text)[:max_characters]
