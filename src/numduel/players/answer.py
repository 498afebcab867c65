r"""The answers of language models, and how the move is read in them: one reader for all.

>>> from numduel import new
>>> game = new("double-or-add", target=7)
>>> reader = AnswerReader(GameText(game))
>>> reader.read(game.read("5/2"), "Doubling would overshoot.\n**Move: 2**")
Reading(move=2, fault='', why='', strict=False)
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from numduel.core.game_text import GameText
from numduel.core.numerals import quoted

MAX_ANSWER_CHARACTERS = 100_000
"""Maximum length of an answer. A longer one is unreadable."""

MAX_READ_CHARACTERS = 20_000
"""Maximum number of characters that are read, from the end of an answer."""

MAX_MOVE_WORDS = 3
"""Maximum number of words in the name of a move, such as `multiply by 2`."""

MAX_NESTED_MARKUP = 3
"""How often markup is removed from a line: `**_bold and italic_**` needs two rounds."""

ANSWER_LINE = "Move: …"
"""The form of the last line of an answer, with `…` in place of the move."""

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
_PUNCTUATION = " \t.!\"'“”[](){}"
_SECOND_THOUGHT = re.compile(r"\b(?:or|wait|actually|prefer|instead|better|no)\b", re.IGNORECASE)
_END_OF_THOUGHT = "</think>"


class Answer(NamedTuple):
    """An answer: as it came from the provider, and what it counts as."""

    text: str = ""
    finish_reason: str | None = None
    refusal: str = ""
    version: str = ""  # the model that has answered, according to the provider
    prompt_tokens: int | None = None
    answer_tokens: int | None = None  # including those of reasoning
    reasoning_tokens: int | None = None
    cost: float | None = None  # by the prices in `providers.toml`
    seconds: float = 0.0  # of the request that was answered
    tries: int = 1  # number of requests, including those that failed
    sent: Any = None  # the fields of the request, without its messages
    asked: Any = None  # the messages
    kind: str = ""  # "move" or a `Fault`; "void" if there is none, through no fault of the model
    move: int | None = None
    strict: bool = False  # whether it has exactly the form that was asked for
    why: str = ""  # what is wrong with it, without a full stop


class Reading(NamedTuple):
    """The result of reading an answer: a legal move, or what is wrong with the answer."""

    move: int | None
    fault: Literal["", "unreadable", "illegal", "refused", "cut"] = ""
    why: str = ""  # one line, without a full stop
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
"""The answers that are not read, by the reason that a provider gives for their end."""


class AnswerReader:
    """Reads answers to questions about one game, which is told under its own name or in disguise.

    `answer_line` is the form of the last line that was asked for.
    """

    def __init__(self, text: GameText[Any], answer_line: str = ANSWER_LINE) -> None:
        self._text = text
        self._strict_line = re.compile(re.escape(answer_line).replace("…", r"(\S.*)"))

    def read(self, position: Any, text: str, finish_reason: str | None = None) -> Reading:
        """Read the last line of an answer that names a move.

        Such a line begins with `Move:`, or is a move in square brackets; the very last line may
        also be the move alone. If there is no such line, a move in square brackets in a sentence
        is read. Markdown is ignored. Text may follow as long as it proposes no other move. The
        move is a number, or the words that the game knows for it.
        """
        if finish_reason in UNREAD:
            return UNREAD[finish_reason]
        is_too_long = len(text) > MAX_ANSWER_CHARACTERS
        lines = [] if is_too_long else _plain_lines(text)
        moves: set[int | None] = set()
        for number, line in reversed([*enumerate(lines, 1)]):
            if proposed := self._proposed_moves(position, line, number == len(lines)):
                moves |= proposed | self._second_thoughts(position, lines[number:])
                break
            moves = moves or self._bracketed_moves(position, line)
        move = moves.pop() if len(moves) == 1 else None
        if move is None:
            shown = "so long an answer" if is_too_long else quoted(lines[-1] if lines else "")
            return Reading(None, "unreadable", f"no move can be read in {shown}")
        strict = self._is_strict(position, text)
        if not self._text.game.allows(position, move):
            return Reading(None, "illegal", self._text.why_not(position, move), strict)
        return Reading(move, strict=strict)

    def _is_strict(self, position: Any, text: str) -> bool:
        match = self._strict_line.fullmatch(text.rstrip().rpartition("\n")[2])
        return match is not None and self._text.read(position, match[1]) is not None

    def _proposed_moves(self, position: Any, line: str, is_last: bool) -> set[int | None]:
        """Return the move of a line that proposes one, with None for a move that is unreadable."""
        labelled = _LABELLED.match(line)
        if labelled is not None:
            return {self._first_move(position, labelled[1])}
        is_move = is_last or _BRACKETED.fullmatch(line.strip(" .!"))
        return {self._move(position, line)} - {None} if is_move else set()

    def _second_thoughts(self, position: Any, lines: list[str]) -> set[int | None]:
        """Return the legal moves that the lines after the proposed move name instead of it."""
        words = (word for line in lines if _SECOND_THOUGHT.search(line) for word in line.split())
        moves = {self._move(position, word.strip(",;:?")) for word in words}
        return {move for move in moves if move and self._text.game.allows(position, move)}

    def _bracketed_moves(self, position: Any, line: str) -> set[int | None]:
        """Return the moves in square brackets anywhere in a line."""
        return {self._move(position, text) for text in _BRACKETED.findall(line)} - {None}

    def _first_move(self, position: Any, text: str) -> int | None:
        """Return the move that a text begins with; None if there is none, or another follows."""
        move = self._move(position, text)
        if move is not None:
            return move
        plain = _REMARK.sub("", _FILLER.sub("", text, count=1))
        words = [word.strip(_PUNCTUATION + ",;:") for word in plain.split()]
        for count in range(MAX_MOVE_WORDS, 0, -1):
            move = self._move(position, " ".join(words[:count]))
            if move is not None:
                others = {self._move(position, word) for word in words[count:]} - {move}
                is_alone = not any(one and self._text.game.allows(position, one) for one in others)
                return move if is_alone else None
        return None

    def _move(self, position: Any, text: str) -> int | None:
        return self._text.read(position, text.strip(_PUNCTUATION))


def _plain_lines(text: str) -> list[str]:
    """Return the last lines that have content, without markup and without tagged thoughts."""
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
