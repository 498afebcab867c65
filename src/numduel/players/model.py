"""A language model as a player: what it is asked, and what its answers count as.

`model:NAME@PROVIDER` is asked at a provider that `providers.toml` names (`provider.py`).
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
from numduel.players.player import Cut, Fault, Forfeit, Player, Turn, Unavailable
from numduel.players.prompt import BARE_GRAPH, SECOND_CHANCES, Prompt, Reading
from numduel.players.provider import DEFAULT_NAME, Answer, Provider, provider

MODEL_TIMEOUT_SECONDS = 1_800.0
"""How long an answer may take where the turn has no time limit."""

MAX_SEED = 2**31 - 1

MAX_RECALLED_CHARACTERS = 2_000
"""How much of the end of an answer a model is shown when it is asked again."""

OWN_FIELDS = ("model", "messages", "stream", "n", "max_tokens", "max_completion_tokens")
"""Fields of a request that are not given as further ones: they change what it is, or may cost."""

Messages = list[dict[str, str]]

SendRequest = Callable[[dict[str, Any], float, int], Awaitable[Answer]]
"""Sends the fields of a request, as `Provider.ask` does."""


class Options(NamedTuple):
    """The options that can follow a model's name: `model:NAME@PROVIDER,legal=shown,again=3`."""

    legal: str = "hidden"  # whether the legal moves are listed: shown or hidden
    again: int = SECOND_CHANCES
    retries: int = 4  # how often a request is repeated when the provider fails
    tokens: int = 16_384  # the maximum of an answer, with those of reasoning
    temperature: float | None = None
    effort: str = ""  # of reasoning, in the provider's words
    stream: str = "yes"
    url: str = ""
    disguise: int | str | None = None  # a number: the game in other words; or BARE_GRAPH
    fields: dict[str, Any] = {}  # noqa: RUF012  # further ones of a request, as JSON; comes last

    @classmethod
    def read(cls, text: str) -> Options:
        """Return the options that are written so; SettingsError if one is wrong."""
        text, _, fields = text.partition("fields=")
        given: dict[str, Any] = {"fields": _json_object(fields)} if fields else {}
        for option in filter(None, text.split(",")):
            name, _, value = option.partition("=")
            if name not in cls._fields:
                known = join_or(cls._fields)
                raise SettingsError(f"a model has the options {known}, not {quoted(option)}")
            if name in _WORDS and value not in _WORDS[name]:
                raise SettingsError(f"a model's {name} is {join_or(_WORDS[name])}")
            plain = name not in _MAXIMA or (name, value) == ("disguise", BARE_GRAPH)
            given[name] = value if plain else _number(name, value)
        return cls(**given)


_WORDS = {"legal": ("hidden", "shown"), "stream": ("yes", "no")}
_MAXIMA = {"again": 20, "retries": 20, "tokens": 10**7, "disguise": MAX_SEED, "temperature": 9.0}


def _number(name: str, text: str) -> float:
    """Return a number that is whole if its maximum is."""
    try:
        number = type(_MAXIMA[name])(text)
    except ValueError:
        number = -1
    least = 1 if name == "tokens" else 0
    if not least <= number <= _MAXIMA[name]:
        allowed = f"from {least} to {_MAXIMA[name]:,}"
        raise SettingsError(f"a model's {name} is {allowed}, not {quoted(text)}")
    return number


def _json_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not found.keys().isdisjoint(OWN_FIELDS):
        allowed = f"a JSON object without {join_or(OWN_FIELDS)}"
        raise SettingsError(f"a model's fields are {allowed}, not {quoted(text)}")
    return found


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
        """Return the model of that name and options; SettingsError if the text is wrong."""
        whole, _, options = text.partition(",")
        model, at, name = whole.rpartition("@")
        if not at:
            model, name = name, ""
        if not model:
            raise SettingsError("model: needs a name, as in model:NAME or model:NAME@PROVIDER")
        read = Options.read(options)
        if name and read.url:
            raise SettingsError(f"a model has a provider, {quoted(name)}, or a url, and not both")
        return cls(model, name, read)

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
        """What names the provider: models with the same one share its limits."""
        return self.options.url or self.provider_name or DEFAULT_NAME

    def provider(self) -> Provider:
        """Return the provider of the model; SettingsError if there is none."""
        if self._provider is None:
            self._provider = provider(self.provider_name, self.options.url)
        return self._provider

    def choose(self, turn: Turn) -> int:
        """Ask, and wait for the answer. Raises Unavailable if none comes, or if it is cut."""
        found: list[int | BaseException] = []

        async def ask() -> None:
            found.extend(await asyncio.gather(self._choose(turn), return_exceptions=True))

        # In a thread of its own, since an event loop may run in this one already.
        thread = Thread(target=asyncio.run, args=(ask(),), daemon=True)
        thread.start()
        thread.join()
        if isinstance(found[0], BaseException):
            raise found[0]
        return found[0]

    async def _choose(self, turn: Turn) -> int:
        try:
            async with self.provider() as asked:
                return await self.answer(turn, asked.ask)
        except Forfeit as error:
            if error.fault == "cut":
                raise Unavailable(str(error)) from None
            raise

    async def answer(
        self,
        turn: Turn,
        ask: SendRequest,
        heard: Sequence[Answer] = (),
        note: Callable[[Answer], object] = lambda answer: None,
    ) -> int:
        """Return a legal move; Forfeit if the answers name none, Unavailable if none comes.

        `heard` are the first answers in this turn, which were paid for already; `note` is called
        with each further one.
        """
        prompt = self._prompt(turn.game)
        position, past = replay_moves(turn.game, turn.first, turn.moves)
        question = prompt.question(position, past)
        messages = [_message("system", prompt.rules), _message("user", question)]
        left = turn.seconds or MODEL_TIMEOUT_SECONDS
        for attempt in range(self.options.again + 1):
            fields = self._fields(messages, turn.rng.randint(0, MAX_SEED))
            if attempt < len(heard):
                answer = heard[attempt]
            else:
                answer = await self._asked(turn, prompt, fields, left, ask)
                note(answer)
            if answer.move is not None:
                return answer.move
            if answer.kind == "late":
                raise Forfeit(answer.why, "late")
            left = max(0.0, left - answer.seconds)
            if answer.kind in ("illegal", "unreadable"):
                said = answer.text[-MAX_RECALLED_CHARACTERS:].strip() or "…"
                correction = prompt.correction(Reading(None, why=answer.why))
                messages = [*messages, _message("assistant", said), _message("user", correction)]
        fault = cast(Fault | Cut, answer.kind)
        raise Forfeit(f"gave no legal move in {attempt + 1} answers: {answer.why}", fault)

    async def _asked(
        self, turn: Turn, prompt: Prompt, fields: dict[str, Any], seconds: float, ask: SendRequest
    ) -> Answer:
        """Send a request and return the answer as it was read; Unavailable if none comes."""
        try:
            answer = await ask(fields, seconds, self.options.retries)
        except TimeoutError:
            if turn.seconds is None:
                raise Unavailable(f"no answer within {MODEL_TIMEOUT_SECONDS:g} seconds") from None
            why = f"did not answer within {turn.seconds:g} seconds"
            return Answer(asked=fields["messages"], kind="late", why=why)
        answer = answer._replace(asked=fields["messages"])
        ended = "refusal" if answer.refusal else answer.finish_reason
        move, fault, why, strict = prompt.read(turn.position, answer.text, ended)
        return answer._replace(kind=fault or "move", move=move, why=why, strict=strict)

    def _fields(self, messages: Messages, seed: int) -> dict[str, Any]:
        """Return the fields of a request, in the names that are tried first."""
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
            shown = self.options.legal == "shown"
            self._prompts[game] = Prompt(game, legal=shown, disguise=self.options.disguise)
        return self._prompts[game]


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
