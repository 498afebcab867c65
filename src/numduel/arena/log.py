"""The log of an arena: a line for each game that was played, whole or not at all."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

_BEFORE = b'{"game":'
ABSENT = -1


class Log:
    """An append-only file of lines. Where each game's line stands is known, and nothing else.

    A last line without its end was cut off by whatever killed the arena: it is dropped.
    """

    def __init__(self, path: Path, games: int, writing: bool = True) -> None:
        self._places = array("q", [ABSENT]) * games
        self.done = 0  # how many games it has
        self.speaks = False  # whether a player of some game has said something
        self._file = path.open("a+b" if writing else "rb")
        self._end = 0
        if writing:
            for _ in self.refresh():
                pass
            self._file.truncate(self._end)

    def __contains__(self, number: int) -> bool:
        return self._places[number] != ABSENT

    def add(self, lines: Iterable[str]) -> None:
        """Append the lines of games."""
        self._file.seek(0, os.SEEK_END)
        texts = [f"{line}\n".encode() for line in lines]
        self._file.writelines(texts)
        self._file.flush()
        for text in texts:
            self._note(text)

    def refresh(self) -> Iterator[bytes]:
        """The lines of the games that the file has and this did not know of; it does then."""
        self._file.seek(self._end)
        for line in self._file:
            if not (line.endswith(b"\n") and self._note(line)):
                break
            yield line

    def absent(self) -> Iterator[int]:
        """The numbers of the games that are still to be played, ascending."""
        return (number for number, place in enumerate(self._places) if place == ABSENT)

    def lines(self) -> Iterator[str]:
        """The line of each game of it, by its number ascending."""
        for place in self._places:
            if place != ABSENT:
                self._file.seek(place)
                yield self._file.readline().decode()

    def games(self) -> Iterator[dict[str, Any]]:
        """Each game of it, by its number ascending."""
        return map(json.loads, self.lines())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _note(self, line: bytes) -> bool:
        """Note where a line stands; whether it is the line of a game."""
        digits = line[len(_BEFORE) : line.find(b",")]
        if not (line.startswith(_BEFORE) and digits.isdigit() and line.endswith(b"}\n")):
            return False
        number = int(digits)
        if number >= len(self._places):
            return False
        if self._places[number] == ABSENT:
            self.done += 1
            self._places[number] = self._end
            self.speaks = self.speaks or b',"said":[' in line
        self._end += len(line)
        return True
