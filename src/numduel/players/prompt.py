"""The wording of what a language model is asked: one wording for all.

>>> from numduel import new
>>> game = new("double-or-add", target=7)
>>> print(Prompt(game).question(game.read("5/2")))
Current Number: 5
Target Number: 7
Position in notation: 5/2
You are Player 2. What is your move?
Think as long as you like, but end with a line of this form, and nothing after it:
Move: …
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.game_text import GameText
from numduel.core.words import Last, seat_name
from numduel.players.answer import ANSWER_LINE, UNREAD, AnswerReader, Reading

SECOND_CHANCES = 2
"""How often a player is asked again in a turn, after an answer that is no legal move."""

BARE_GRAPH = "graph"
"""The disguise that serves as a control: the game as a graph, without arithmetic."""


class Prompt:
    """What is asked about one game, under its own name or in disguise."""

    def __init__(
        self,
        game: Game[Any],
        *,
        legal: bool = False,
        disguise: int | str | None = None,
        answer_line: str = ANSWER_LINE,
    ) -> None:
        """Raises SettingsError if a disguise is asked for and the game has none.

        `legal`: list the legal moves; `disguise`: a number, for other words, or BARE_GRAPH;
        `answer_line`: the form of the last line of an answer.
        """
        self.game = game
        self._legal = legal
        self._text = _game_text(game, disguise)
        self.reader = AnswerReader(self._text, answer_line)
        self._how_to_answer = (
            "Think as long as you like, but end with a line of this form, and nothing after it:\n"
            f"{answer_line}"
        )

    @property
    def rules(self) -> str:
        """The rules of the game, its settings, and how a move is written."""
        text = self._text
        title = f"{text.title}, a game for two players."
        return "\n\n".join([title, text.rules, text.form])

    def question(self, position: Any, past: Sequence[Last] = ()) -> str:
        """Return the question for a move. It tells of the moves in `past`, oldest first."""
        text = self._text
        lines = [*map(text.moved, past), text.describe(position)]
        if self._legal:
            lines.append(f"Legal moves: {', '.join(text.labels(position))}")
        lines.append(f"You are {seat_name(position.mover)}. What is your move?")
        return "\n".join([*lines, self._how_to_answer])

    def whole(self, position: Any, past: Sequence[Last] = ()) -> str:
        """Return the rules and the question in one text."""
        return f"{self.rules}\n\n{self.question(position, past)}"

    def correction(self, reading: Reading) -> str:
        """Return the text for a player that is asked again after such an answer."""
        wrong = "No move was read" if reading in UNREAD.values() else "That is not a legal move"
        return f"{wrong}: {reading.why}.\n{self._how_to_answer}"


def _game_text(game: Game[Any], disguise: int | str | None) -> GameText[Any]:
    if disguise is None:
        return GameText(game)
    if isinstance(disguise, str):
        texts = [text] if (text := game.bare_graph(0)) is not None else []
        disguise = 0
    else:
        texts = [*game.disguises(disguise)]
    if not texts:
        raise SettingsError(f"{game.title} has no disguise")
    return texts[disguise % len(texts)]
