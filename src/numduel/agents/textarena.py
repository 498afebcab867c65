"""TextArena: every game as a text environment for two of its agents.

After `import numduel.agents.textarena`: `textarena.make("numduel/Multiplicity-v0", size=20)`.
"""

from __future__ import annotations

from typing import Any

from numduel.agents.common import (
    TURN_LIMIT,
    environment_id,
    not_installed,
    told_in_words,
    truth,
)
from numduel.core.errors import SettingsError
from numduel.core.game import Outcome
from numduel.core.game_text import GameText
from numduel.core.words import SEATS, Last
from numduel.games import keys
from numduel.play.table import Ending
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

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Begin a new game, in which there is no chance."""
        if num_players != 2:
            raise SettingsError(f"a game has two players, not {num_players}")
        self.position = self.game.start()
        self.past: list[Last] = []
        self.state = ta.TwoPlayerState(
            num_players=2, seed=seed, error_allowance=self._error_allowance
        )
        names = dict(enumerate(SEATS))
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: self._prompt.rules,
            role_mapping={**names},
        )
        self._go_on()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Make a move of who is to move. After an illegal one the same player is asked again."""
        state, game, position = self.state, self.game, self.position
        if not state.done:
            state.add_observation(
                action, ObservationKind.PLAYER_ACTION, from_id=state.current_player_id
            )
            reading = self._prompt.read(position, action)
            if reading.move is None:
                self._correct(self._prompt.correction(reading))
            else:
                self.past.append(Last(position, reading.move))
                self.position = game.after(position, reading.move)
                played = GameText(game).moved(self.past[-1])
                state.add_observation(played, ObservationKind.GAME_ACTION_DESCRIPTION)
                self._go_on()
        if self._verdicts and not state.done:
            state.step_info.update(truth(game, self.position))
        done, info = state.step(rotate_player=False)
        mover = self.position.mover - 1
        if state.current_player_id != mover:  # setting it resets the count of errors
            state.manually_set_current_player_id(mover)
        return done, info

    def _correct(self, why: str) -> None:
        """Ask the mover again, as `set_invalid_move` does but without its number, or end the game.

        TextArena's own sentence counts the players from 0, where all else counts them from 1.
        """
        state = self.state
        if state.error_count >= state.error_allowance:
            state.set_invalid_move(why)
            return
        state.error_count += 1
        state.made_invalid_move = True
        state.add_observation(why, ObservationKind.GAME_ADMIN, to_id=state.current_player_id)

    def _go_on(self) -> None:
        """Ask who is to move, or end the game."""
        outcome = self.game.outcome(self.position)
        if outcome is None and len(self.past) >= TURN_LIMIT:
            outcome = Outcome(None, "turn-limit")
        if outcome is None:
            board = self.get_board_str()
            self.state.add_observation(
                board, ObservationKind.GAME_BOARD, to_id=self.position.mover - 1
            )
            return
        last = self.past[-1] if self.past else None
        why = Ending(self.position, outcome, last, len(self.past)).sentence(self.game)
        if outcome.winner is None:
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
