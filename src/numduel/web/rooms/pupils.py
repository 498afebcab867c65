"""The pupils of a room: their names, games and standings, and how they are paired."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import other
from numduel.core.numerals import quoted
from numduel.play.setup import check_name

Result = Literal["won", "lost", "tied", "open"]
Pair = tuple[int, int | None]

# Invisible letters and marks. Other invisible characters are not printable, and refused anyway.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

# Scripts that may be mixed with any alphabet, because no sign of theirs looks like a letter.
_ANY_SCRIPT = ("", "BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "KATAKANA")

# Characters that look like a Latin letter, or like another sign, in most typefaces.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԛԝԁһӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ" + "1I|0" + "‘’ʻʼ`´‐‑‒–—−",
    "ABESlJKMHOPCTYXQWaesijopcyxqwdhl" + "ABEZHlKMNOPTYXavop" + "lllO" + "''''''------",
)


class Pupil(NamedTuple):
    number: int  # identifies the pupil; no other pupil of the room ever gets it
    name: str
    secret: str  # the hash of the pupil's secret


class ClassGame(NamedTuple):
    duel: str  # the public name of its duel
    round: int
    seats: tuple[int | None, int | None]  # the pupils' numbers; None for the computer
    over: bool = False
    champion: int | None = None  # the seat that won; None for a tie or if it is not over

    def left_by(self, pupil: int) -> ClassGame:
        """Return the game after a pupil has left the room: the other player wins it."""
        if self.over or pupil not in self.seats:
            return self
        return self._replace(over=True, champion=other(1 + self.seats.index(pupil)))

    def result(self, pupil: int) -> Result:
        """Return the result of the game for one of its pupils."""
        if not self.over:
            return "open"
        if self.champion is None:
            return "tied"
        return "won" if self.seats[self.champion - 1] == pupil else "lost"


class PupilStanding(NamedTuple):
    pupil: Pupil
    points: float  # one for each win, and half for each tie
    played: int  # number of games that are over
    won: int  # number of games won
    games: list[tuple[ClassGame, Result]]  # of all rounds
    right: list[bool | None]  # for each question; None without an answer, or if unknown
    correct: int  # number of right answers
    given: int  # number of answers that are right or wrong
    chains: list[int]  # the length of the pupil's longest chain in each contest


# Names.


def pupil_name(text: str) -> str:
    """Return a pupil's name in normal form; raises SettingsError if the name is refused."""
    name = check_name(text)
    if _INVISIBLE & {*name}:
        raise SettingsError("a name has only characters that can be seen: please type it again")
    words = {_alphabet(letter) for letter in name} - {*_ANY_SCRIPT}
    alphabets = sorted(word.capitalize() for word in words)
    if len(alphabets) > 1:
        raise SettingsError(
            f"{quoted(name)} mixes {' and '.join(alphabets)} letters, which can look "
            "the same: please use one alphabet"
        )
    return name


def look_alike(one: str, two: str) -> bool:
    """Return whether two names look the same, or differ only in case."""
    return one.casefold() == two.casefold() or _appearance(one) == _appearance(two)


def _appearance(name: str) -> str:
    return unicodedata.normalize("NFD", name).translate(_LOOK_ALIKES)


def _alphabet(letter: str) -> str:
    """Return Unicode's name for the alphabet of a letter; empty for other characters."""
    if unicodedata.category(letter) not in ("Lu", "Ll", "Lt", "Lo"):
        return ""
    return unicodedata.name(letter, "").partition(" ")[0]


# Pairing: as few repeated meetings as possible, and among such pairings neighbours in rank.


def pair(
    ranked: Sequence[int], met: Iterable[Iterable[int | None]], alone: Iterable[int]
) -> list[Pair]:
    """Pair the players in `ranked`, the leader first. If their number is odd, one gets None.

    `met` holds the pairs of earlier rounds, `alone` a player once for each round without a pair.
    """
    left_out = Counter(alone)
    players = list(ranked)
    odd: list[Pair] = []
    if len(players) % 2:
        last = min(reversed(players), key=lambda player: left_out[player])
        players.remove(last)
        odd = [(last, None)]
    meetings = Counter(frozenset(pair) for pair in met)
    matched = _matching([[meetings[frozenset((a, b))] for b in players] for a in players])
    return [*((players[high], players[low]) for high, low in matched), *odd]


def _matching(meetings: list[list[int]]) -> list[tuple[int, int]]:
    """Return the pairs of ranks of the lowest cost; the number of ranks is even.

    A repeated meeting costs more than all distances between ranks together. Distances are squared,
    so that two short ones cost less than a long one.
    """
    import networkx as nx  # here, because it is large and only processes that compute need it

    count = len(meetings)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(
        (high, low, count**3 * meetings[high][low] + (low - high) ** 2)
        for high, low in combinations(range(count), 2)
    )
    return sorted((min(two), max(two)) for two in nx.min_weight_matching(graph))
