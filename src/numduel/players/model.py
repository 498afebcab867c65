"""A language model as a player: what it is asked, and what its answers count as.

The model of `model:NAME@PROVIDER` is asked at a provider of `providers.toml` (see `provider.py`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from threading import Thread
from typing import Any, NamedTuple, cast

from numduel.core.errors import SettingsError, install_command
from numduel.core.game import Game
from numduel.core.numerals import join_or, quoted
from numduel.core.words import replay_moves
from numduel.players.answer import Answer, Reading
from numduel.players.player import Cut, Fault, Forfeit, Player, Turn, Unavailable
from numduel.players.prompt import BARE_GRAPH, SECOND_CHANCES, Prompt
from numduel.players.provider import DEFAULT_NAME, Provider, provider

MODEL_TIMEOUT_SECONDS = 1_800.0
"""How long an answer may take if the turn has no time limit."""

MAX_SEED = 2**31 - 1

MAX_RECALLED_CHARACTERS = 2_000
"""Maximum length of the end of an answer that is shown to the model when it is asked again."""

OWN_FIELDS = ("model", "messages", "stream", "n", "max_tokens", "max_completion_tokens")
"""Fields of a request that a user cannot set: they would change its meaning, or what it costs."""

Messages = list[dict[str, str]]

SendRequest = Callable[[dict[str, Any], float, int], Awaitable[Answer]]
"""Sends the fields of a request, as `Provider.ask` does."""


class Options(NamedTuple):
    """The options that can follow a model's name: `model:NAME@PROVIDER,legal=shown,again=3`."""

    legal: str = "hidden"  # whether the legal moves are listed: shown or hidden
    again: int = SECOND_CHANCES
    retries: int = 4  # how often a request is repeated when the provider fails
    tokens: int = 16_384  # the maximum of an answer, including those of reasoning
    temperature: float | None = None
    effort: str = ""  # of reasoning, in the provider's words
    stream: str = "yes"
    url: str = ""
    disguise: int | str | None = None  # a number: the game in other words; or BARE_GRAPH
    fields: dict[str, Any] = {}  # noqa: RUF012  # more fields of a request, as JSON; comes last

    @classmethod
    def read(cls, text: str) -> Options:
        """Return the options in a text. Raises SettingsError if one is wrong."""
        text, _, fields = text.partition("fields=")
        given: dict[str, Any] = {"fields": _read_fields(fields)} if fields else {}
        for option in filter(None, text.split(",")):
            name, _, value = option.partition("=")
            if name not in cls._fields:
                known = join_or(cls._fields)
                raise SettingsError(f"a model has the options {known}, not {quoted(option)}")
            if name in _CHOICES and value not in _CHOICES[name]:
                raise SettingsError(f"a model's {name} is {join_or(_CHOICES[name])}")
            is_text = name not in _MAXIMA or (name, value) == ("disguise", BARE_GRAPH)
            given[name] = value if is_text else _read_number(name, value)
        return cls(**given)


_CHOICES = {"legal": ("hidden", "shown"), "stream": ("yes", "no")}
_MAXIMA = {"again": 20, "retries": 20, "tokens": 10**7, "disguise": MAX_SEED, "temperature": 9.0}


def _read_number(name: str, text: str) -> float:
    """Return the value of an option. It is a whole number if its maximum is one."""
    try:
        number = type(_MAXIMA[name])(text)
    except ValueError:
        number = -1
    minimum = 1 if name == "tokens" else 0
    if not minimum <= number <= _MAXIMA[name]:
        allowed = f"from {minimum} to {_MAXIMA[name]:,}"
        raise SettingsError(f"a model's {name} is {allowed}, not {quoted(text)}")
    return number


def _read_fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not fields.keys().isdisjoint(OWN_FIELDS):
        allowed = f"a JSON object without {join_or(OWN_FIELDS)}"
        raise SettingsError(f"a model's fields are {allowed}, not {quoted(text)}")
    return fields


class Model(Player):
    """Asks a provider for each move."""

    is_remote = True

    def __init__(self, model: str, provider_name: str, options: Options) -> None:
        self.model = model
        self.options = options
        self.name = f"model:{model}"
        self.provider_name = provider_name
        self._provider: Provider | None = None
        self._prompts: dict[Game[Any], Prompt] = {}

    @classmethod
    def of(cls, text: str) -> Model:
        """Return the model of a text with its name and options. Raises SettingsError."""
        name, _, option_texts = text.partition(",")
        model, at, provider_name = name.rpartition("@")
        if not at:
            model, provider_name = name, ""
        if not model:
            raise SettingsError("model: needs a name, as in model:NAME or model:NAME@PROVIDER")
        options = Options.read(option_texts)
        if provider_name and options.url:
            shown = quoted(provider_name)
            raise SettingsError(f"a model has a provider, {shown}, or a url, and not both")
        return cls(model, provider_name, options)

    def check_fit(self, game: Game[Any]) -> None:
        try:
            import httpx2  # noqa: F401
        except ModuleNotFoundError:
            install = install_command("model")
            line = f"a model needs httpx2, which is not installed; type: {install}"
            raise SettingsError(line) from None
        self.provider()
        self._prompt(game)

    @property
    def address(self) -> str:
        """The URL or the name of the provider. Models with the same address share its limits."""
        return self.options.url or self.provider_name or DEFAULT_NAME

    def provider(self) -> Provider:
        """Return the provider of the model. Raises SettingsError if there is none."""
        if self._provider is None:
            self._provider = provider(self.provider_name, self.options.url)
        return self._provider

    def choose(self, turn: Turn) -> int:
        """Ask, and wait for the answer. Raises Unavailable if none comes, or if it is cut off."""
        results: list[int | BaseException] = []

        async def ask() -> None:
            results.extend(await asyncio.gather(self._choose(turn), return_exceptions=True))

        # A thread of its own is needed because an event loop may be running in this one.
        thread = Thread(target=asyncio.run, args=(ask(),), daemon=True)
        thread.start()
        thread.join()
        if isinstance(results[0], BaseException):
            raise results[0]
        return results[0]

    async def _choose(self, turn: Turn) -> int:
        try:
            async with self.provider() as provider:
                return await self.answer(turn, provider.ask)
        except Forfeit as error:
            if error.fault == "cut":
                raise Unavailable(str(error)) from None
            raise

    async def answer(
        self,
        turn: Turn,
        ask: SendRequest,
        known: Sequence[Answer] = (),
        on_answer: Callable[[Answer], object] = lambda answer: None,
    ) -> int:
        """Return a legal move.

        Raises Forfeit if no answer names one, and Unavailable if no answer comes. `known` are the
        first answers in this turn, which were paid for already; `on_answer` is called with each
        further one.
        """
        prompt = self._prompt(turn.game)
        position, past = replay_moves(turn.game, turn.first, turn.moves)
        question = prompt.question(position, past)
        messages = [_message("system", prompt.rules), _message("user", question)]
        seconds_left = turn.seconds or MODEL_TIMEOUT_SECONDS
        for attempt in range(self.options.again + 1):
            fields = self._fields(messages, turn.rng.randint(0, MAX_SEED))
            if attempt < len(known):
                answer = known[attempt]
            else:
                answer = await self._request_answer(turn, prompt, fields, seconds_left, ask)
                on_answer(answer)
            if answer.move is not None:
                return answer.move
            if answer.kind == "late":
                raise Forfeit(answer.why, "late")
            seconds_left = max(0.0, seconds_left - answer.seconds)
            if answer.kind in ("illegal", "unreadable"):
                tail = answer.text[-MAX_RECALLED_CHARACTERS:].strip() or "…"
                correction = prompt.correction(Reading(None, why=answer.why))
                messages = [*messages, _message("assistant", tail), _message("user", correction)]
        fault = cast(Fault | Cut, answer.kind)
        raise Forfeit(f"gave no legal move in {attempt + 1} answers: {answer.why}", fault)

    async def _request_answer(
        self, turn: Turn, prompt: Prompt, fields: dict[str, Any], seconds: float, ask: SendRequest
    ) -> Answer:
        """Send a request, and read the answer. Raises Unavailable if none comes."""
        try:
            answer = await ask(fields, seconds, self.options.retries)
        except TimeoutError:
            if turn.seconds is None:
                raise Unavailable(f"no answer within {MODEL_TIMEOUT_SECONDS:g} seconds") from None
            why = f"did not answer within {turn.seconds:g} seconds"
            return Answer(asked=fields["messages"], kind="late", why=why)
        answer = answer._replace(asked=fields["messages"])
        finish_reason = "refusal" if answer.refusal else answer.finish_reason
        move, fault, why, strict = prompt.reader.read(turn.position, answer.text, finish_reason)
        return answer._replace(kind=fault or "move", move=move, why=why, strict=strict)

    def _fields(self, messages: Messages, seed: int) -> dict[str, Any]:
        """Return the fields of a request, by the names that are tried first."""
        options = self.options
        fields = {
            "model": self.model,
            "messages": messages,
            "max_completion_tokens": options.tokens,
            "seed": seed,
        }
        if options.temperature is not None:
            fields["temperature"] = options.temperature
        if options.effort:
            fields["reasoning_effort"] = options.effort
        if options.stream == "yes":
            fields |= {"stream": True, "stream_options": {"include_usage": True}}
        return fields | options.fields

    def _prompt(self, game: Game[Any]) -> Prompt:
        if game not in self._prompts:
            legal = self.options.legal == "shown"
            self._prompts[game] = Prompt(game, legal=legal, disguise=self.options.disguise)
        return self._prompts[game]


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
