"""TextArena: every game as a text environment for two of its agents.

After `import numduel.agents.textarena`: `textarena.make("numduel/Multiplicity-v0", size=20)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.agents.common import environment_id, not_installed, told_in_words, truth
from numduel.agents.text_game import TextGame
from numduel.core.errors import SettingsError
from numduel.core.game_text import GameText
from numduel.core.words import SEATS, Last
from numduel.games import keys
from numduel.players.prompt import SECOND_CHANCES, Prompt

try:
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import register_with_versions
except ModuleNotFoundError as error:
    raise not_installed("textarena", error) from None

BRACKETED_LINE = "[…]"
"""Moves stand in square brackets in TextArena; the reader takes them so everywhere."""

ObservationKind = ta.ObservationType


class GameEnv(ta.Env):
    """A game between two agents, of whom the first begins."""

    def __init__(
        self,
        key: str,
        *,
        legal: bool = False,
        verdicts: bool = False,
        error_allowance: int = SECOND_CHANCES,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.game = told_in_words(key, settings)
        self._prompt = Prompt(self.game, legal=legal, answer_line=BRACKETED_LINE)
        self._verdicts = verdicts
        self._error_allowance = error_allowance

    def get_board_str(self) -> str:
        """Return what the mover is asked."""
        return self._prompt.question(self.position)

    @property
    def position(self) -> Any:
        """The position now."""
        return self._text_game.position

    @property
    def past(self) -> Sequence[Last]:
        """The moves so far, each with the position before it."""
        return self._text_game.table.past()

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Begin a new game, in which there is no chance."""
        if num_players != 2:
            raise SettingsError(f"a game has two players, not {num_players}")
        self._text_game = TextGame(self.game, None, chances=self._error_allowance)
        self.state = ta.TwoPlayerState(num_players=2, seed=seed, error_allowance=0)  # we count them
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: self._prompt.rules,
            role_mapping=dict(enumerate(SEATS)),
        )
        self._go_on()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Make a move of who is to move. After an illegal one the same player is asked again."""
        state, text_game = self.state, self._text_game
        if not state.done:
            asked = state.current_player_id
            state.add_observation(action, ObservationKind.PLAYER_ACTION, from_id=asked)
            text_game.answer(action)
            if not text_game.fault.fault:
                played = GameText(self.game).moved(self.past[-1])
                state.add_observation(played, ObservationKind.GAME_ACTION_DESCRIPTION)
                self._go_on()
            elif text_game.outcome is None:  # TextArena's own words count the players from 0
                state.made_invalid_move = True
                why = self._prompt.correction(text_game.fault)
                state.add_observation(why, ObservationKind.GAME_ADMIN, to_id=asked)
            else:
                state.set_invalid_move(self._prompt.correction(text_game.fault))
        if self._verdicts and not state.done:
            state.step_info.update(truth(self.game, self.position))
        done, info = state.step(rotate_player=False)
        state.manually_set_current_player_id(self.position.mover - 1)
        return done, info

    def _go_on(self) -> None:
        """Ask who is to move, or end the game."""
        outcome, why = self._text_game.outcome, self._text_game.ending()
        if outcome is None:
            mover = self.position.mover - 1
            self.state.add_observation(
                self.get_board_str(), ObservationKind.GAME_BOARD, to_id=mover
            )
        elif outcome.winner is None:
            self.state.set_draw(reason=why)
        else:
            self.state.set_winner(player_id=outcome.winner - 1, reason=why)


for _key in keys():
    register_with_versions(
        id=environment_id(_key),
        entry_point=GameEnv,
        wrappers={"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS},
        key=_key,
    )
