"""OpenSpiel: every game under its name, with its settings as parameters.

    import numduel.agents.openspiel
    pyspiel.load_game("numduel_multiplicity(size=20)")

The text form of a state, its struct and its serialised form contain our notation. In a game string
a semicolon stands for a comma within a setting and is appended to a text that looks like a number;
0 stands for none.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from numduel.agents.common import (
    game_name,
    not_installed,
    not_supported,
    playable_game,
    position_text,
    reward,
    shared_game,
    truth,
)
from numduel.core.errors import PositionError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.settings import OptionalWhole, Setting
from numduel.games import game_type, games
from numduel.play.table import TURN_LIMIT

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as error:
    raise not_installed("openspiel", error) from None

SEAT_NUMBERS = (1, 2)
"""The seats of player 0 and player 1."""

MAX_EXACT_FLOAT = 2**24
"""Largest number that a tensor of 32-bit floats holds exactly."""

OWN_PARAMETERS = {"first": 1, "verdicts": False}
"""Parameters in addition to a game's settings: who begins, and whether structs have verdicts."""


class Stage(NamedTuple):
    """A game's position after a number of turns: immutable, and pickled by its notation."""

    game: Game[Any]
    position: Any
    turns: int

    def __deepcopy__(self, memo: object) -> Stage:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _at, (self.game, self.game.notation(self.position), self.turns)


def _at(game: Game[Any], notation: Any, turns: Any) -> Stage:
    """Return a checked stage. Serialized states contain this name, and that of the field `at`."""
    if type(turns) is not int or not 0 <= turns <= TURN_LIMIT:
        raise PositionError(f"turns must be from 0 to {TURN_LIMIT:,}, not {quoted(turns)}")
    shared = shared_game(game)
    return Stage(shared, shared.read(notation), turns)


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game at its settings. There is a subclass for each key."""

    key: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        key = self.key
        given = {**OWN_PARAMETERS, **(params or {})}
        self.first, self.verdicts = (given.pop(name) for name in OWN_PARAMETERS)
        declared = {setting.name: setting for setting in game_type(key).settings_type.declared}
        settings = {name: _from_parameter(declared[name], value) for name, value in given.items()}
        self.rules = playable_game(key, settings)
        _, low, high = self.rules.encoding
        if max(-low, high) > MAX_EXACT_FLOAT:
            raise not_supported(self.rules, f"its numbers go beyond {MAX_EXACT_FLOAT:,}")
        self.rules.start(self.first)
        values = {**(params or {}), **self.rules.settings.changed()}
        encoded = {name: as_parameter(value) for name, value in values.items()}
        super().__init__(_spiel_type(key), self._info(), encoded)

    def _info(self) -> Any:
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.actions),
            max_chance_outcomes=0,
            num_players=len(SEAT_NUMBERS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=TURN_LIMIT,
        )

    def new_initial_state(self, state: Any = None) -> SpielState:
        """Return the start, or the state that a notation, a dict or a struct describes."""
        return SpielState(self, state)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return an observer of the position or, with perfect recall, of the moves."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return Observer(self.rules)
        return IIGObserverForPublicInfoGame(kind, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position, and how many moves have led there."""

    def __init__(self, game: SpielGame, given: Any = None) -> None:
        super().__init__(game)
        rules = game.rules
        if given is None:
            self.at = Stage(rules, rules.start(game.first), 0)
            return
        if isinstance(given, str):
            given = {"position": given}
        struct = given if isinstance(given, dict) else given.to_dict()
        self.at = _at(rules, struct.get("position"), struct.get("turns", 0))

    def current_player(self) -> int:
        """Return the player to move, or TERMINAL."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.at.position.mover - 1

    def _legal_actions(self, player: int) -> list[int]:
        rules, position, _ = self.at
        return [move - rules.actions.start for move in rules.moves(position)]

    def _apply_action(self, action: int) -> None:
        rules, position, turns = self.at
        self.at = Stage(rules, rules.play(position, rules.actions[action]), turns + 1)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.at.game.actions[action])

    def is_terminal(self) -> bool:
        """Return whether the game has ended by its rules or at the turn limit."""
        rules, position, turns = self.at
        return turns >= TURN_LIMIT or rules.outcome(position) is not None

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser; otherwise 0 for both."""
        outcome = self.at.game.outcome(self.at.position)
        return [reward(outcome, seat) for seat in SEAT_NUMBERS]

    def __str__(self) -> str:
        return self.at.game.notation(self.at.position)

    def _to_struct(self) -> dict[str, Any]:
        struct: dict[str, Any] = {"position": str(self), "turns": self.at.turns}
        if self.get_game().verdicts and not self.is_terminal():
            known = truth(self.at.game, self.at.position)
            by_move = {str(move): verdict for move, verdict in known["verdicts"].items()}
            struct |= {**known, "verdicts": by_move}
        return struct

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"move": self.at.game.actions[action]}

    def _struct_to_actions(self, struct: dict[str, Any]) -> list[int]:
        return [self.at.game.actions.index(struct["move"])]


class Observer:
    """The position as a vector and as text: the same for both players."""

    def __init__(self, rules: Game[Any]) -> None:
        self.tensor = np.zeros(rules.encoding.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the vector of a state into the tensor."""
        self.tensor[:] = state.at.game.encode(state.at.position)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position in words."""
        return position_text(state.at.game, state.at.position)


def _default_parameter(setting: Setting[Any]) -> Any:
    """Return the default of a setting as OpenSpiel takes it; its type is that of the parameter."""
    if isinstance(setting, OptionalWhole):
        return 0
    if isinstance(setting.default, (bool, int)):
        return setting.default
    return as_parameter(setting.text(setting.default))


def as_parameter(value: Any) -> Any:
    """Return the value of a setting in a form that is allowed in a game string."""
    if not isinstance(value, str):
        return value
    looks_like_number = not value.strip("+-.0123456789")
    return value.replace(",", ";") + (";" if looks_like_number else "")


def _from_parameter(setting: Setting[Any], value: Any) -> Any:
    """Return the value of a setting that `as_parameter` has encoded."""
    if isinstance(setting, OptionalWhole):
        return value or None
    if isinstance(value, str):
        return setting.parse(value.rstrip(";").replace(";", ","))
    return value


def _spiel_type(key: str) -> Any:
    kind = game_type(key)
    defaults = {
        setting.name: _default_parameter(setting) for setting in kind.settings_type.declared
    }
    return pyspiel.GameType(
        short_name=game_name(key),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(SEAT_NUMBERS),
        min_num_players=len(SEAT_NUMBERS),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**OWN_PARAMETERS, **defaults},
    )


def register_game(key: str) -> None:
    """Register a game with OpenSpiel."""
    kind = game_type(key)
    pyspiel.register_game(_spiel_type(key), type(kind.__name__, (SpielGame,), {"key": key}))


for _listed in games():
    register_game(_listed.key)
