"""Checks that every game should pass, for the test suites of games in other packages.

For example::

    import pytest
    from numduel import conformance
    from take_away import TakeAway

    @pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
    def test_take_away_conforms(check):
        check(TakeAway())

Each check takes a game at some settings, returns nothing, and raises AssertionError if the game
breaks the rule that the docstring of the check states.

>>> import numduel
>>> for check in CHECKS:
...     check(numduel.new("double-or-add"))
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import compress, pairwise
from math import inf
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import IllegalMove, SettingsError, TooLarge
from numduel.core.explore import playout
from numduel.core.game import OUTSIDE_REASONS, Game, Outcome, P, other
from numduel.core.record import Record, loads
from numduel.core.scene import Scene
from numduel.core.verdict import Verdict
from numduel.core.words import Last, seat_name
from numduel.play.event import Move, Swap
from numduel.play.table import Table
from numduel.solver import theory_of
from numduel.solver.reference import retrograde

_RANDOM_GAMES = 20
_MAX_TURNS = 60  # of a random game
_MAX_TYPED_MOVES = 60  # moves of a position that are typed and put into words
_MAX_REFERENCE_POSITIONS = 20_000  # of a game that is compared with the reference solver


class Perft(NamedTuple):
    """Counts of the play after a fixed number of moves."""

    sequences: int  # the number of sequences of moves
    positions: int  # the number of different positions that they lead to


def perft(game: Game[P], depth: int) -> list[Perft]:
    """Return the counts for each number of moves from 0 to `depth`.

    >>> import numduel
    >>> perft(numduel.new("double-or-add"), 1)
    [Perft(sequences=1, positions=1), Perft(sequences=2, positions=1)]
    """
    level: Counter[P] = Counter([game.start()])
    counts = [Perft(1, 1)]
    for _ in range(depth):
        following: Counter[P] = Counter()
        for position, ways in level.items():
            for move in game.moves(position):
                following[game.play(position, move)] += ways
        level = following
        counts.append(Perft(level.total(), len(level)))
    return counts


def _random_games(game: Game[P]) -> Iterator[Iterator[tuple[P, int | None]]]:
    """Yield random games, always the same ones, as `playout` does."""
    return (playout(game, Random(seed), most=_MAX_TURNS) for seed in range(_RANDOM_GAMES))


def _random_positions(game: Game[P]) -> Iterator[P]:
    return (position for steps in _random_games(game) for position, _ in steps)


def names_itself(game: Game[Any]) -> None:
    """The key is a lower-case word, and the texts for people are not empty."""
    assert game.key and game.key == game.key.lower() and " " not in game.key, game.key
    for name in ("title", "summary", "rules"):
        assert getattr(game, name).strip(), f"{name} is empty"


def settings_round_trip(game: Game[Any]) -> None:
    """Each setting can be read back from its text, and unknown settings are refused."""
    kind = type(game)
    assert kind(**kind.settings_type.parse(game.settings.texts())) == game
    assert hash(kind(**game.settings.values)) == hash(game)
    for setting in kind.settings_type.declared:
        assert setting.help and setting.allowed, f"{setting.name} has no help"
    try:
        kind(no_such_setting=1)
    except SettingsError:
        return
    raise AssertionError("an unknown setting was accepted")


def either_seat_begins(game: Game[Any]) -> None:
    """The given seat moves first, and the two starts have the same moves."""
    assert [game.start(first).mover for first in (1, 2)] == [1, 2]
    assert game.moves(game.start(1)) == game.moves(game.start(2))


def first_turns_can_be_taken_over(game: Game[Any]) -> None:
    """The other player may take over the complete first turn, with all its moves."""
    for steps in _random_games(game):
        start, move = next(steps)
        first, second = start.mover, other(start.mover)
        table, taken = Table(game, first, None, swap=True), game.start(second)
        while move is not None and not table.swap_open:
            assert move in game.moves(taken), f"{move} is legal for one seat only"
            taken = game.after(taken, move)
            table.apply(Move(move))
            move = next(steps)[1]
        if table.swap_open:
            assert (table.position.mover, taken.mover) == (second, first), table.position
            table.apply(Swap(True))
            assert table.position == taken and {*table.movers} == {second}, taken


def positions_are_values(game: Game[Any]) -> None:
    """Positions are hashable, compare by content, and are not changed by later moves."""
    for steps, same_steps in zip(_random_games(game), _random_games(game), strict=True):
        once, again = [position for position, _ in steps], [position for position, _ in same_steps]
        assert once == again
        assert [*map(hash, once)] == [*map(hash, again)]
        assert [pickle.loads(pickle.dumps(position)) for position in once] == once


def moves_are_ascending(game: Game[Any]) -> None:
    """The legal moves are a tuple of different whole numbers in ascending order."""
    for position in _random_positions(game):
        moves = game.moves(position)
        assert isinstance(moves, tuple) and all(type(move) is int for move in moves), moves
        assert all(low < high for low, high in pairwise(moves)), moves


def offered_moves_are_legal(game: Game[Any]) -> None:
    """The moves that a position offers can be played, and no others."""
    for position in _random_positions(game):
        moves = game.moves(position)
        for move in moves:
            game.play(position, move)
        beyond = [-1, 0, 1, max(moves, default=0) + 1, 10**9]
        for move in [move for move in beyond if move not in moves]:
            try:
                game.play(position, move)
            except IllegalMove as error:
                assert error.move == move and error.position == position and error.why
            else:
                raise AssertionError(f"{move} was played and is not in {moves} at {position}")


def ends_once(game: Game[Any]) -> None:
    """A position has an outcome if and only if it has no legal moves."""
    for position in _random_positions(game):
        outcome = game.outcome(position)
        assert (outcome is None) == bool(game.moves(position)), position
        if outcome is not None:
            assert isinstance(outcome, Outcome) and outcome.winner in (1, 2, None)
            assert outcome.reason and outcome.reason not in OUTSIDE_REASONS, outcome
            assert game.outcome(position) == outcome


def records_replay(game: Game[Any]) -> None:
    """A game that is read from its record leads to the same position."""
    for steps in map(list, _random_games(game)):
        start, last = steps[0][0], steps[-1][0]
        moves = tuple(move for _, move in steps if move is not None)
        settings = dict(game.settings.values)
        record = Record(
            game.key, settings, ("a", "b"), start.mover, moves, game.outcome(last), "2026-01-01"
        )
        read = loads(record.dumps())
        assert read == record
        assert [*read.positions(type(game)(**read.settings))][-1] == last


def notations_round_trip(game: Game[Any]) -> None:
    """Each position has a notation of its own, in one line, and can be read back from it."""
    texts: dict[str, Any] = {}
    for position in _random_positions(game):
        text = game.notation(position)
        _is_line(text)
        assert texts.setdefault(text, position) == position, f"{text} stands for two positions"
        game.check(position)
        try:
            assert game.read(text) == position, text
        except TooLarge:
            return  # the game has the default notation but is too large for it to be read


def actions_cover_the_moves(game: Game[Any]) -> None:
    """All moves are among the actions, and the mask says which actions are legal."""
    try:
        actions = game.actions
    except TooLarge:
        return
    for position in _random_positions(game):
        legal = game.moves(position)
        mask = game.mask(position)
        assert len(mask) == len(actions)
        assert tuple(compress(actions, mask)) == legal


def vectors_tell_positions_apart(game: Game[Any]) -> None:
    """Each position has a vector of its own, with the declared length and bounds."""
    try:
        length, low, high = game.encoding
    except TooLarge:
        return
    vectors: dict[tuple[int, ...], Any] = {}
    for position in _random_positions(game):
        vector = game.encode(position)
        assert isinstance(vector, tuple) and len(vector) == length, vector
        assert all(type(one) is int and low <= one <= high for one in vector), vector
        assert vectors.setdefault(vector, position) == position, f"{vector}: two positions have it"


def scenes_can_be_drawn(game: Game[Any]) -> None:
    """Every position has a scene, and every choice in it is legal."""
    for position in _random_positions(game):
        scene, legal = game.words.scene(position), set(game.moves(position))
        assert isinstance(scene, Scene)
        facts = (*scene.facts, *scene.offers, *filter(None, [scene.number]))
        for text in (scene.sentence, *(fact.label for fact in facts)):
            _is_line(text)
        assert all("\n" not in fact.value for fact in facts), facts
        assert {choice.move for choice in scene.choices} <= legal
        assert {cell.number for cell in scene.cells if cell.legal} <= legal


def pictures_fit_their_game(game: Game[Any]) -> None:
    """The picture in a scene agrees with the moves so far and with the board."""
    for steps in _random_games(game):
        past: list[Last] = []
        for position, move in steps:
            scene = game.words.scene(position, past)
            assert scene.last in (None, *(last.move for last in past[-1:]))
            numbers = {cell.number for cell in scene.cells}
            assert {end for link in scene.links for end in (link.start, link.end)} <= numbers
            for drawn in (scene.track, scene.dial):
                if drawn is not None:
                    assert {step.move for step in drawn.choices} <= set(game.moves(position))
                    assert [step.move for step in drawn.steps] == [
                        last.move for last in past[len(past) - len(drawn.steps) :]
                    ]
            if move is not None:
                past.append(Last(position, move))


def words_are_lines(game: Game[Any]) -> None:
    """Sentences about positions, moves and the end are single lines without a full stop."""
    words = game.words
    for steps in _random_games(game):
        last: Last | None = None
        for position, move in steps:
            for text in (words.describe(position), words.allowed(position)):
                _is_line(text)
            legal = game.moves(position)[:_MAX_TYPED_MOVES]
            labels = [words.move_label(position, one) for one in legal]
            assert len(set(labels)) == len(labels), f"two moves have the same label: {labels}"
            for one, label in zip(legal, labels, strict=True):
                _is_line(label)
                assert "\n" not in words.ends(position, one)
            if last is not None:
                who = seat_name(last.before.mover)
                report = words.moved(*last, position, who)
                _is_line(report)
                assert who in report and not report.endswith("."), report
            outcome = game.outcome(position)
            if outcome is not None:
                for why in (words.result(position, outcome), words.result(position, outcome, last)):
                    _is_line(why)
                    assert not why.endswith("."), why
            last = None if move is None else Last(position, move)


def moves_can_be_typed(game: Game[Any]) -> None:
    """Each move can be typed as its number."""
    for position in _random_positions(game):
        for move in game.moves(position)[:_MAX_TYPED_MOVES]:
            for text in (str(move), f" {move} "):
                assert game.words.read_move(position, text) == move, text
        assert game.words.read_move(position, "") is None
        assert game.words.read_move(position, "no such move") is None


def scripts_are_lines(game: Game[Any]) -> None:
    """The script in plain text consists of lines."""
    words = game.words
    for steps in _random_games(game):
        lines: list[str] = []
        before: tuple[Any, int] | None = None
        for position, move in steps:
            outcome = game.outcome(position)
            for typed in (True, False):
                if before is not None:
                    lines += words.follow(*before, position, typed=typed)
                if outcome is not None:
                    lines += words.closing(position, outcome, typed=typed)
            if outcome is None:
                lines += [*words.welcome(position), *words.turn(position), words.prompt(position)]
                lines += words.goes_on(position)
            before = None if move is None else (position, move)
        assert all(isinstance(line, str) and "\n" not in line for line in lines), lines


def theory_agrees_with_reference(game: Game[Any]) -> None:
    """The game's own theory agrees with the reference solver, if that can solve the game."""
    theory = game.theory
    if theory is None:
        return  # the reference solver is the theory of this game
    try:
        reference = retrograde(game, game.start(1), _MAX_REFERENCE_POSITIONS)
        reference |= retrograde(game, game.start(2), _MAX_REFERENCE_POSITIONS)
    except TooLarge:
        return
    for position, expected in reference.items():
        cost = theory.cost(position)
        assert all(0 < seconds < inf for seconds in cost[:3]), position
        assert 0 <= cost.once < inf and 0 <= cost.bytes < inf, position
        assert _agree(theory.solve(position), expected), position
        moves = {}
        for move in game.moves(position):
            after = game.after(position, move)
            moves[move] = reference[after].before(after.mover == position.mover)
        verdicts, values = theory.evaluate(position), theory.values(position)
        assert list(verdicts) == list(values) == list(moves), position
        for move, verdict in moves.items():
            assert _agree(verdicts[move], verdict) and values[move] == verdict.value, position
            _explanation_agrees(game, position, move, verdict)
        if moves:
            assert moves[theory.sound_move(position)].score == expected.score, position


def _explanation_agrees(game: Game[P], position: P, move: int, expected: Verdict) -> None:
    found = theory_of(game).explanation(position, move)
    assert _agree(found.verdict, expected), position
    _is_line(game.words.because(position, move, found))
    _is_line(game.words.idea(position, move, found))
    if expected.value != "loss" and found.kind != "end":
        _is_line(game.words.praise(position, move, found))


def _agree(found: Verdict, expected: Verdict) -> bool:
    """Return whether a verdict is right. Its distance may be missing."""
    return found.value == expected.value and found.distance in (None, expected.distance)


def _is_line(text: object) -> None:
    assert isinstance(text, str) and text and text == text.strip() and "\n" not in text, repr(text)


CHECKS: tuple[Callable[[Game[Any]], None], ...] = (
    names_itself,
    settings_round_trip,
    either_seat_begins,
    first_turns_can_be_taken_over,
    positions_are_values,
    moves_are_ascending,
    offered_moves_are_legal,
    ends_once,
    records_replay,
    notations_round_trip,
    actions_cover_the_moves,
    vectors_tell_positions_apart,
    scenes_can_be_drawn,
    pictures_fit_their_game,
    words_are_lines,
    moves_can_be_typed,
    scripts_are_lines,
    theory_agrees_with_reference,
)
