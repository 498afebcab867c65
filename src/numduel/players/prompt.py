r"""What a language model is asked, and how its answer is read: one wording, one reader for all.

>>> from numduel import new
>>> game = new("double-or-add", target=7)
>>> prompt = Prompt(game)
>>> print(prompt.question(game.read("5/2")))
Current Number: 5
Target Number: 7
Position in notation: 5/2
You are Player 2. What is your move?
Think as long as you like, but end with a line of this form, and nothing after it:
Move: …
>>> prompt.read(game.read("5/2"), "Doubling would overshoot.\n**Move: 2**")
Reading(move=2, fault='', why='', strict=False)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.game_text import GameText
from numduel.core.numerals import quoted
from numduel.core.words import Last, seat_name

SECOND_CHANCES = 2
"""How often a player is asked again in a turn, after an answer that is no legal move."""

MAX_ANSWER_CHARACTERS = 100_000
"""Maximum length of an answer. A longer one is unreadable."""

MAX_READ_CHARACTERS = 20_000
"""How many of the last characters of an answer are read."""

MAX_MOVE_WORDS = 3
"""Maximum number of words in the name of a move, such as `multiply by 2`."""

MAX_NESTED_MARKUP = 3
"""How often markup is taken off a line: `**_bold and italic_**` needs two."""

ANSWER_LINE = "Move: …"

BARE_GRAPH = "graph"
"""The disguise that is a control: the game as a graph, without arithmetic."""

_LABELLED = re.compile(
    r"\W*(?:\d+[.)]\s+)?(?:(?:so|answer|my|the|final|chosen|best|next)\b[\s,:]*)*"
    r"move[\"']?(?: is)?\s*[:：=]\s*(.*)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_FENCE = re.compile(r"(```|~~~)\w*")
_LINE_MARK = re.compile(r"(?:[>#*•-]+\s+)+")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|`{1,3})(\S.{0,200}?)\1(?!\w)")
_LATEX = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm)\{([^{}]*)\}")
_TAG = re.compile(r"</?\w+>|<\|\w+\|>|\$|\\[()\[\]]")
_FILLER = re.compile(r"(?:i )?(?:choose|claim|take|play|pick|select|number)\s+", re.IGNORECASE)
_REMARK = re.compile(r"\([^()]*\)|(?:→|->|=).*")
_AROUND = " \t.!\"'“”[](){}"
_SECOND_THOUGHT = re.compile(r"\b(?:or|wait|actually|prefer|instead|better|no)\b", re.IGNORECASE)
_END_OF_THOUGHT = "</think>"


class Reading(NamedTuple):
    """An answer as it was read: a legal move, or what is wrong with it."""

    move: int | None
    fault: Literal["", "unreadable", "illegal", "refused", "cut"] = ""
    why: str = ""  # one line, without full stop
    strict: bool = False  # whether the last line has exactly the form that was asked for


NO_ANSWER = Reading(None, "unreadable", "there was no answer")
CUT = Reading(None, "cut", "the answer was cut off by a limit of tokens")
REFUSED = Reading(None, "refused", "it refused to answer")

UNREAD = {
    "length": CUT,
    "max_tokens": CUT,
    "model_length": CUT,
    "content_filter": REFUSED,
    "refusal": REFUSED,
}
"""What an answer counts as that is not read, by why it ended in the words of providers."""


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
        self._text = _text_of(game, disguise)
        self._form = re.compile(re.escape(answer_line).replace("…", r"(\S.*)"))
        self._how_to_answer = (
            "Think as long as you like, but end with a line of this form, and nothing after it:\n"
            f"{answer_line}"
        )

    @property
    def rules(self) -> str:
        """How the game is played at its settings, and how a move is written."""
        text = self._text
        title = f"{text.title}, a game for two players."
        return "\n\n".join([title, text.rules, text.form])

    def question(self, position: Any, past: Sequence[Last] = ()) -> str:
        """Return the question which move to make; `past`: the moves to tell of, oldest first."""
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
        """Return what is said to a player that is asked again."""
        wrong = "No move was read" if reading in UNREAD.values() else "That is not a legal move"
        return f"{wrong}: {reading.why}.\n{self._how_to_answer}"

    def read(self, position: Any, text: str, ended: str | None = None) -> Reading:
        """Read the last line of an answer that names a move. `ended`: why it ended, if known.

        Such a line begins with `Move:`, or is a move in square brackets; the very last line may
        also be the move alone. If there is none, a move in square brackets in a sentence is read.
        Markdown is ignored. Text may follow as long as it proposes no other move. The move is a
        number, or the words for it that the game knows.
        """
        if ended in UNREAD:
            return UNREAD[ended]
        lines = _plain_lines(text) if len(text) <= MAX_ANSWER_CHARACTERS else []
        named: set[int | None] = set()
        for place, line in reversed([*enumerate(lines, 1)]):
            if found := self._named(position, line, place == len(lines)):
                named |= found | self._others(position, lines[place:])
                break
            named = named or self._bracketed(position, line)
        move = named.pop() if len(named) == 1 else None
        if move is None:
            is_long = len(text) > MAX_ANSWER_CHARACTERS
            shown = "so long an answer" if is_long else quoted(lines[-1] if lines else "")
            return Reading(None, "unreadable", f"no move can be read in {shown}")
        strict = self._is_strict(position, text)
        if not self.game.allows(position, move):
            return Reading(None, "illegal", self._text.why_not(position, move), strict)
        return Reading(move, strict=strict)

    def _is_strict(self, position: Any, text: str) -> bool:
        form = self._form.fullmatch(text.rstrip().rpartition("\n")[2])
        return form is not None and self._text.read(position, form[1]) is not None

    def _named(self, position: Any, line: str, is_last: bool) -> set[int | None]:
        """Return the move that a line is there to name, None if it cannot be read."""
        labelled = _LABELLED.match(line)
        if labelled is not None:
            return {self._first_move(position, labelled[1])}
        is_move = is_last or _BRACKETED.fullmatch(line.strip(" .!"))
        return {self._move(position, line)} - {None} if is_move else set()

    def _others(self, position: Any, lines: list[str]) -> set[int | None]:
        """Return the legal moves that are named instead in the lines after the move."""
        words = (word for line in lines if _SECOND_THOUGHT.search(line) for word in line.split())
        moves = {self._move(position, word.strip(",;:?")) for word in words} - {None}
        return {move for move in moves if move and self.game.allows(position, move)}

    def _bracketed(self, position: Any, line: str) -> set[int | None]:
        """Return the moves in square brackets somewhere in a line."""
        return {self._move(position, text) for text in _BRACKETED.findall(line)} - {None}

    def _first_move(self, position: Any, text: str) -> int | None:
        """Return the move that a text begins with; None if there is none, or another follows."""
        move = self._move(position, text)
        if move is not None:
            return move
        plain = _REMARK.sub("", _FILLER.sub("", text, count=1))
        words = [word.strip(_AROUND + ",;:") for word in plain.split()]
        for count in range(MAX_MOVE_WORDS, 0, -1):
            move = self._move(position, " ".join(words[:count]))
            if move is not None:
                named = {self._move(position, word) for word in words[count:]} - {move}
                is_alone = not any(one and self.game.allows(position, one) for one in named)
                return move if is_alone else None
        return None

    def _move(self, position: Any, text: str) -> int | None:
        return self._text.read(position, text.strip(_AROUND))


def _text_of(game: Game[Any], disguise: int | str | None) -> GameText[Any]:
    if disguise is None:
        return GameText(game)
    if isinstance(disguise, str):
        found = [text] if (text := game.bare_graph(0)) is not None else []
        disguise = 0
    else:
        found = [*game.disguises(disguise)]
    if not found:
        raise SettingsError(f"{game.title} has no disguise")
    return found[disguise % len(found)]


def _plain_lines(text: str) -> list[str]:
    """Return the last lines that say something, without markup, and without thoughts in tags."""
    lines = []
    for line in text.rpartition(_END_OF_THOUGHT)[2][-MAX_READ_CHARACTERS:].splitlines():
        line = line.strip()
        if _FENCE.fullmatch(line):
            continue
        plain = _TAG.sub("", _LINE_MARK.sub("", line, count=1) if _LINE_MARK.match(line) else line)
        for _ in range(MAX_NESTED_MARKUP):
            plain = _EMPHASIS.sub(r"\2", _LATEX.sub(r"\1", plain))
        plain = plain.strip(" \t\"'“”")
        if plain:
            lines.append(plain)
    return lines
