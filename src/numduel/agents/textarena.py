"""TextArena: every game as a text environment for two agents.

After `import numduel.agents.textarena`: `textarena.make("numduel/Multiplicity-v0", size=20)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.agents.common import environment_id, game_for_text, not_installed, truth
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
"""TextArena writes moves in square brackets; answers in every harness are read in this form."""

ObservationKind = ta.ObservationType


class GameEnv(ta.Env):
    """A game between two agents. The first one begins."""

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
        self.game = game_for_text(key, settings)
        self._prompt = Prompt(self.game, legal=legal, answer_line=BRACKETED_LINE)
        self._verdicts = verdicts
        self._error_allowance = error_allowance

    def get_board_str(self) -> str:
        """Return the question to the mover."""
        return self._prompt.question(self.position)

    @property
    def position(self) -> Any:
        return self._text_game.position

    @property
    def past(self) -> Sequence[Last]:
        """The moves so far, each with the position before it."""
        return self._text_game.table.past()

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Begin a new game. The seed has no effect: nothing is random."""
        if num_players != 2:
            raise SettingsError(f"a game has two players, not {num_players}")
        self._text_game = TextGame(self.game, None, second_chances=self._error_allowance)
        self.state = ta.TwoPlayerState(
            num_players=2, seed=seed, error_allowance=0
        )  # TextGame counts
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: self._prompt.rules,
            role_mapping=dict(enumerate(SEATS)),
        )
        self._ask_or_end()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Make the mover's move. After an illegal one the same player is asked again."""
        state, text_game = self.state, self._text_game
        if not state.done:
            player = state.current_player_id
            state.add_observation(action, ObservationKind.PLAYER_ACTION, from_id=player)
            text_game.answer(action)
            if not text_game.fault.fault:
                description = GameText(self.game).moved(self.past[-1])
                state.add_observation(description, ObservationKind.GAME_ACTION_DESCRIPTION)
                self._ask_or_end()
            elif text_game.outcome is None:  # TextArena's own messages count the players from 0
                state.made_invalid_move = True
                why = self._prompt.correction(text_game.fault)
                state.add_observation(why, ObservationKind.GAME_ADMIN, to_id=player)
            else:
                state.set_invalid_move(self._prompt.correction(text_game.fault))
        if self._verdicts and not state.done:
            state.step_info.update(truth(self.game, self.position))
        done, info = state.step(rotate_player=False)
        state.manually_set_current_player_id(self.position.mover - 1)
        return done, info

    def _ask_or_end(self) -> None:
        """Ask the mover for a move, or record the result if the game is over."""
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
