"""plybench: every game for plybench's players, its solver and its language models.

    register(bench.registry)
    Benchmark("trial", bench, ["numduel_multiplicity:size=12"], …)

The games are those of `numduel.agents.openspiel`, with settings as in OpenSpiel's game strings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from numduel.agents.common import game_name, not_installed
from numduel.games import keys
from numduel.players.prompt import Prompt

try:
    import pyspiel
    from plybench.configs.game_params import GameParams
    from plybench.core.engine import TurnBasedEngine
    from plybench.core.game import OpenSpielAction, OpenSpielObservation, TurnBasedGame
    from plybench.core.interface import InterfaceAction, InterfaceObservation, InterfaceTransformer
    from plybench.core.prompt_adapter import PromptAdapter
    from plybench.games.spec import GameSpec

    import numduel.agents.openspiel  # noqa: F401  # registers the games
except ModuleNotFoundError as error:
    raise not_installed("plybench", error) from None


@dataclass(frozen=True)
class Settings(GameParams):
    """The settings of a game in the form of a game string: `size=12,goal=chain`."""

    text: str

    @classmethod
    def from_string(cls, params_string: str) -> Settings:
        """Return the settings in a text. They are checked when the game is made."""
        return cls(params_string)

    def to_string(self) -> str:
        return self.text

    @property
    def path_suffix(self) -> str:
        """The settings as a part of a file name."""
        return quote(self.text, safe="=,")


class Game(TurnBasedGame):
    """A game of OpenSpiel. A player may move twice in a row, unlike in plybench's own games."""

    def __init__(self, key: str, settings: str) -> None:
        name = game_name(key)
        params = pyspiel.load_game(f"{name}({settings})").get_parameters()
        super().__init__(game_type=name, game_name=name, params=params)

    def action_histories(self, player: int) -> tuple[list[Any], list[Any]]:
        """Return the actions of the player, and those of its opponent."""
        actions: tuple[list[Any], list[Any]] = ([], [])
        for one in self.state.full_history():
            text = self.state.action_to_string(one.player, one.action)
            actions[one.player].append(OpenSpielAction(one.action, text))
        return actions[player], actions[1 - player]

    def get_observation(self, player: int) -> Any:
        """Return the whole position in words, and the actions that led to it."""
        mine, theirs = self.action_histories(player)
        return OpenSpielObservation(self.state.observation_string(player), mine, theirs, player)


class Action(InterfaceAction):
    """A move, written as its number."""

    def __init__(self, action: Any, transformer: Any) -> None:
        super().__init__(action.number, transformer)
        self.move: str = action.string

    @staticmethod
    def from_openspiel(action: Any, interface_transformer: Any) -> Action:
        return Action(action, interface_transformer)

    def to_openspiel(self) -> Any:
        return OpenSpielAction(self.number, self.move)


class Observation(InterfaceObservation):
    """What a player sees: the whole position and the moves of both players."""

    @staticmethod
    def from_openspiel(observation: Any, interface_transformer: Any) -> Observation:
        mine, theirs = (
            [Action(action, interface_transformer) for action in actions]
            for actions in (observation.i_actions, observation.o_actions)
        )
        return Observation(observation, mine, theirs, interface_transformer)


class Transformer(InterfaceTransformer[Action, Observation, []]):
    """Writes moves as their numbers, and positions as the text of OpenSpiel's observations."""

    def _inner_llm_action(self, action: Action) -> str:
        return action.move

    def display_action(self, action: Action) -> str:
        """Return the move as people read it."""
        return action.move

    def _inner_llm_state(self, observation: Observation) -> str:
        return str(observation.os_observation.state)

    def _inner_llm_partial_states(self, observation: Observation) -> list[str]:
        return [self._inner_llm_state(observation)]

    def _inner_llm_positions(self, observation: Observation) -> tuple[list[str], list[str]]:
        return [], []

    def _inner_display_state(self, observation: Observation) -> str:
        return self._inner_llm_state(observation)

    def reset(self) -> None:
        """Do nothing: no names or symbols are chosen at random for a game."""

    def set_state(self) -> None:
        """Do nothing: there is no state beside the game's."""

    def get_other_params(self) -> dict[str, Any] | None:
        """Return None: there are no parameters beside the settings."""
        return None


class Wording(PromptAdapter[[]]):
    """The rules in the words of all other harnesses, and the question in plybench's own form."""

    def __init__(self, rules: str) -> None:
        super().__init__(head_prompt_template="", use_partial_state=True)
        self.head_prompt = rules

    def _partial_states_prompt(self, observation: Any) -> str:
        return f"\n{observation.all_partial_states_prompt()}"

    def action_format(self) -> str:
        """Return how a move is written."""
        return "<x>, where x is the move, e.g., <1>"

    def restart_prompt(self) -> None:
        """Do nothing: the rules are the same in each game."""


class Engine(TurnBasedEngine[Transformer, Wording]):
    """Plays games of one kind."""

    def __init__(self, key: str, config: Any) -> None:
        game = Game(key, config.params.text)
        wording = Wording(Prompt(game.game.rules).rules)
        super().__init__(config, game, Transformer(), wording, Action, Observation)

    def reset(self) -> None:
        self.game.reset()


def register(registry: Any) -> None:
    """Add every game to a plybench registry under its name in OpenSpiel."""
    for key in keys():

        def engine(config: Any, key: str = key) -> Engine:
            return Engine(key, config)

        registry.register_game(GameSpec(game_name(key), Settings, engine, solvable=True))
