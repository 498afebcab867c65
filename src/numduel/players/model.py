"""A language model as a player, by any server that speaks the form of chat completions.

Where the server is, and its key, say the client's own environment variables (OPENAI_BASE_URL,
OPENAI_API_KEY), or the option `url`. No key reaches what is kept or said.
"""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, parse_whole, quoted
from numduel.core.telling import Telling
from numduel.players.player import Fault, Forfeit, Player, Turn

if TYPE_CHECKING:
    from openai import OpenAI

KEY = "OPENAI_API_KEY"

SECONDS = 60.0
"""How long an answer may take, unless it is said."""

LONGEST_ANSWER = 20_000
"""Characters after which an answer is not read on."""

LARGEST_SEED = 2**31 - 1

_ANSWER = re.compile(r"move:\s*(\S.*)", re.IGNORECASE)

ANSWER = (
    "Think as long as you like, but end with a line of this form, and nothing after it:\nMOVE: …"
)


class Options(NamedTuple):
    """What can be said behind a model's name: `model:NAME,legal=shown,again=3`."""

    legal: str = "hidden"  # whether the legal moves are listed: shown or hidden
    again: int = 2  # how often it is asked again, after an answer that is no legal move
    retries: int = 2  # how often a server that fails is asked again
    tokens: int = 2048  # that an answer may have
    stream: str = "yes"
    url: str = ""
    disguise: int | None = None  # a seed: the game under other words

    @classmethod
    def read(cls, texts: list[str]) -> Options:
        """The options that such texts give; SettingsError."""
        given: dict[str, Any] = {}
        for text in texts:
            name, _, value = text.partition("=")
            if name not in cls._fields:
                known = either(cls._fields)
                raise SettingsError(f"a model has the options {known}, not {quoted(text)}")
            given[name] = _number(name, value) if name in _BOUNDS else value
        options = cls(**given)
        for name, words in (("legal", ("hidden", "shown")), ("stream", ("yes", "no"))):
            if getattr(options, name) not in words:
                raise SettingsError(f"a model's {name} is {either(words)}")
        if "@" in options.url:
            raise SettingsError("a model's url has no name and no key in it: use the environment")
        return options


_BOUNDS = {"again": 20, "retries": 20, "tokens": 1_000_000, "disguise": LARGEST_SEED}


def _number(name: str, text: str) -> int:
    number = parse_whole(text)
    if number is None or not 0 <= number <= _BOUNDS[name]:
        raise SettingsError(f"a model's {name} is from 0 to {_BOUNDS[name]:,}, not {quoted(text)}")
    return number


class Answer(NamedTuple):
    """What a server answered."""

    text: str
    tokens: tuple[int, int] | None  # of the prompt and of the answer, where the server says


class Model(Player):
    """Asks a server for each move. What is asked and answered is kept, until it is taken."""

    def __init__(self, model: str, options: Options) -> None:
        self.model = model
        self.options = options
        self.name = f"model:{model}"
        self._said: list[dict[str, Any]] = []
        self._client: OpenAI | None = None
        self._tellings: dict[Game[Any], Telling[Any]] = {}

    @classmethod
    def of(cls, text: str) -> Model:
        """The model of that name and options; SettingsError."""
        model, *options = text.split(",")
        if not model:
            raise SettingsError("model: needs a name, as in model:NAME")
        return cls(model, Options.read(options))

    def check_fit(self, game: Game[Any]) -> None:
        try:
            import openai  # noqa: F401
        except ModuleNotFoundError:
            raise SettingsError("a model needs more: pip install 'numduel[model]'") from None
        self._telling(game)

    def choose(self, turn: Turn) -> int:
        messages = self._asked(turn)
        fault: Fault = "unreadable"
        for _ in range(self.options.again + 1):
            begun = time.monotonic()
            seed = turn.rng.randint(0, LARGEST_SEED)
            answer = self._answered(turn, messages, seed, begun)
            move, fault, wrong = self._read(turn, answer.text)
            self._keep(turn, messages, answer, fault if wrong else "move", begun)
            if move is not None and not wrong:
                return move
            messages = [
                *messages,
                {"role": "assistant", "content": answer.text[:LONGEST_ANSWER]},
                {"role": "user", "content": f"{wrong} {ANSWER}"},
            ]
        raise Forfeit(f"gave no legal move in {self.options.again + 1} answers", fault)

    def take_said(self) -> list[dict[str, Any]]:
        """All that was asked and answered since this was last called."""
        said, self._said = self._said, []
        return said

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    # The words.

    def _telling(self, game: Game[Any]) -> Telling[Any]:
        if game not in self._tellings:
            self._tellings[game] = self._told(game)
        return self._tellings[game]

    def _told(self, game: Game[Any]) -> Telling[Any]:
        seed = self.options.disguise
        if seed is None:
            return Telling(game)
        disguises = game.disguises(seed)
        if not disguises:
            raise SettingsError(f"{game.title} has no disguise")
        return disguises[seed % len(disguises)]

    def _asked(self, turn: Turn) -> list[dict[str, str]]:
        telling = self._telling(turn.game)
        lines = [
            f"You are Player {turn.position.mover}. {telling.describe(turn.position)}",
            f"The moves so far, Player {turn.first} first: {self._history(turn, telling)}",
        ]
        if self.options.legal == "shown":
            legal = turn.game.moves(turn.position)
            labels = ", ".join(telling.label(turn.position, move) for move in legal)
            lines.append(f"The legal moves: {labels}")
        system = f"You play {telling.title}.\n\n{telling.rules}\n\n{telling.form}"
        return [
            {"role": "system", "content": system},
            {"role": "user", "content": "\n".join([*lines, "Your move?", ANSWER])},
        ]

    def _history(self, turn: Turn, telling: Telling[Any]) -> str:
        position, labels = turn.game.start(turn.first), []
        for move in turn.moves:
            labels.append(telling.label(position, move))
            position = turn.game.after(position, move)
        return ", ".join(labels) or "none"

    def _read(self, turn: Turn, text: str) -> tuple[int | None, Fault, str]:
        """The move, or the fault and what is wrong; only the last line is read, strictly."""
        last = (text.strip().splitlines() or [""])[-1].strip()
        found = _ANSWER.fullmatch(last)
        move = None
        if found is not None and len(text) <= LONGEST_ANSWER:
            move = self._telling(turn.game).read(turn.position, found[1].rstrip(" ."))
        if move is None:
            return None, "unreadable", "That could not be read as a move."
        if not turn.game.allows(turn.position, move):
            return move, "illegal", "That move is not legal."
        return move, "illegal", ""

    # The server.

    def _connected(self) -> OpenAI:
        if self._client is None:
            from openai import OpenAI

            self._client = OpenAI(
                base_url=self.options.url or None,
                api_key=os.environ.get(KEY)
                or "none",  # which a server of one's own does not ask for
                max_retries=self.options.retries,
            )
        return self._client

    def _answered(
        self, turn: Turn, messages: list[dict[str, str]], seed: int, begun: float
    ) -> Answer:
        import openai

        seconds = SECONDS if turn.seconds is None else turn.seconds
        fields: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "max_tokens": self.options.tokens,
            "seed": seed,
            "timeout": seconds,
        }
        try:
            client = self._connected()
            if self.options.stream == "no":
                return _whole(client.chat.completions.create(**fields))
            return _streamed(
                client.chat.completions.create(
                    **fields, stream=True, stream_options={"include_usage": True}
                ),
                begun + seconds,
            )
        except (openai.APITimeoutError, TimeoutError):
            why, fault = f"did not answer within {seconds:g} seconds", "late"
        except openai.APIStatusError as error:  # whose text may hold what is secret
            why, fault = f"the server answers with the status {error.status_code}", "crashed"
        except openai.OpenAIError as error:
            why, fault = f"the server cannot be used ({type(error).__name__})", "crashed"
        except Exception as error:  # whatever it sends, and the client makes of it
            why, fault = f"the server's answer makes no sense ({type(error).__name__})", "crashed"
        self._keep(turn, messages, Answer("", None), fault, begun)
        raise Forfeit(why, "late" if fault == "late" else "crashed")

    def _keep(
        self,
        turn: Turn,
        messages: list[dict[str, str]],
        answer: Answer,
        kind: str,
        begun: float,
    ) -> None:
        self._said.append(
            {
                "ply": len(turn.moves),
                "legal": self.options.legal,
                "disguise": self.options.disguise,
                "asked": messages,
                "answer": _without_key(answer.text[:LONGEST_ANSWER]),
                "kind": kind,
                "tokens": answer.tokens,
                "seconds": round(time.monotonic() - begun, 3),
            }
        )


def _whole(completion: Any) -> Answer:
    usage = completion.usage
    text = completion.choices[0].message.content or ""
    return Answer(text, usage and (usage.prompt_tokens, usage.completion_tokens))


def _streamed(chunks: Any, until: float) -> Answer:
    """The answer as it comes, as far as it is read; TimeoutError where it takes too long."""
    text, usage = "", None
    with chunks:
        for chunk in chunks:
            for choice in chunk.choices[:1]:
                text += choice.delta.content or ""
            usage = chunk.usage or usage
            if len(text) > LONGEST_ANSWER:
                break
            if time.monotonic() > until:
                raise TimeoutError
    return Answer(text, usage and (usage.prompt_tokens, usage.completion_tokens))


def _without_key(text: str) -> str:
    key = os.environ.get(KEY)
    return text.replace(key, "…") if key else text
