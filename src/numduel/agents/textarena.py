"""TextArena: every game as a text environment for two of its agents.

After `import numduel.agents.textarena`: `textarena.make("numduel/Multiplicity-v0", size=20)`.
"""

from __future__ import annotations

import re
from typing import Any

from numduel.agents.asking import question, rules, spoken, told
from numduel.agents.ground import TURN_LIMIT, environment_id, not_installed, truth
from numduel.core.errors import SettingsError
from numduel.core.game import Outcome
from numduel.core.numerals import parse_whole
from numduel.core.words import SEATS, Last, seat_name
from numduel.games import keys
from numduel.play.ending import Ending

try:
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import register_with_versions
except ModuleNotFoundError as error:
    raise not_installed("textarena", error) from None

HOW_TO_ANSWER = "Your answer holds your move, a whole number, once in square brackets, like `[7]`."
Kind = ta.ObservationType


class GameEnv(ta.Env):
    """A game between two agents; the first of them begins."""

    def __init__(
        self,
        key: str,
        *,
        legal: bool = False,
        verdicts: bool = False,
        error_allowance: int = 1,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.game = spoken(key, settings)
        self._legal = legal
        self._verdicts = verdicts
        self._error_allowance = error_allowance

    def get_board_str(self) -> str:
        """The position in words."""
        return question(self.game, self.position, legal=self._legal)

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """A new game. There is no chance in it."""
        if num_players != 2:
            raise SettingsError(f"a game has two players, not {num_players}")
        self.position = self.game.start()
        self.past: list[Last] = []
        self.state = ta.TwoPlayerState(
            num_players=2, seed=seed, error_allowance=self._error_allowance
        )
        names = dict(enumerate(SEATS))
        self.state.reset(game_state={}, player_prompt_function=self._prompt, role_mapping={**names})
        self._go_on()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """A move of whoever is to move; one that is not legal may be tried again, as often."""
        state, game, position = self.state, self.game, self.position
        if not state.done:
            state.add_observation(action, Kind.PLAYER_ACTION, from_id=state.current_player_id)
            move = _read(action)
            if move is None:
                state.set_invalid_move(HOW_TO_ANSWER)
            elif not game.allows(position, move):
                state.set_invalid_move(f"{game.words.why_not(position, move)}.")
            else:
                self.past.append(Last(position, move))
                self.position = game.after(position, move)
                state.add_observation(told(game, self.past[-1]), Kind.GAME_ACTION_DESCRIPTION)
                self._go_on()
        if self._verdicts and not state.done:
            state.step_info.update(truth(game, self.position))
        done, info = state.step(rotate_player=False)
        if state.current_player_id != self.position.mover - 1:  # or the errors were forgotten
            state.manually_set_current_player_id(self.position.mover - 1)
        return done, info

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        return f"{rules(self.game, HOW_TO_ANSWER)}\n\nYou are {seat_name(player_id + 1)}."

    def _go_on(self) -> None:
        """Ask whoever is to move, or end the game."""
        outcome = self.game.outcome(self.position)
        if outcome is None and len(self.past) >= TURN_LIMIT:
            outcome = Outcome(None, "turn-limit")
        if outcome is None:
            board = self.get_board_str()
            self.state.add_observation(board, Kind.GAME_BOARD, to_id=self.position.mover - 1)
            return
        last = self.past[-1] if self.past else None
        why = Ending(self.position, outcome, last, len(self.past)).sentence(self.game)
        if outcome.winner is None:
            self.state.set_draw(reason=why)
        else:
            self.state.set_winner(player_id=outcome.winner - 1, reason=why)


def _read(action: str) -> int | None:
    """The one number in square brackets; None where there is none, or more than one."""
    found = re.findall(r"\[([^\[\]]*)\]", action)
    return parse_whole(found[0]) if len(found) == 1 else None


for _key in keys():
    register_with_versions(
        id=environment_id(_key),
        entry_point=GameEnv,
        wrappers={"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS},
        key=_key,
    )
