"""Our games pass the conformance checks, and each check fails for some broken game."""

import pytest
from take_away import TakeAway

import numduel
from numduel import conformance
from numduel.core.game import Encoding, Outcome, other
from numduel.core.scene import Link, Scene
from numduel.core.theory import Cost, Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import Words
from numduel.solver.reference import Reference

SETTINGS = [
    ("divisor-duel", {}),
    ("divisor-duel", {"divisor": 1}),
    ("divisor-duel", {"divisor": 7, "start": 14, "ceiling": 100}),
    ("divisor-duel", {"divisor": 4, "start": 3, "ceiling": 30}),
    ("operation-duel", {}),
    ("operation-duel", {"target": 50, "start": 7, "operations": "-3,+1,x5"}),
    ("operation-duel", {"operations": "-1"}),
    ("operation-duel", {"target": 32}),
    ("divisor-line", {}),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 7}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 42, "start": 3}),
    ("double-or-add", {"target": 10**900, "start": 10**899}),
    ("multiplicity", {}),
    ("multiplicity", {"size": 1}),
    ("multiplicity", {"size": 12}),
    ("multiplicity", {"size": 14, "start": 2, "start_open": True}),
    ("multiplicity", {"size": 30, "start": 6, "opening": "even", "start_open": True}),
]
LARGE = [("divisor-line", {"size": 500}), ("multiplicity", {"size": 200})]


each_check = pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)


@pytest.mark.no_cover
@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
@each_check
def test_our_games_conform(check, key, settings):
    check(numduel.new(key, **settings))


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize(("key", "settings"), LARGE, ids=str)
@each_check
def test_our_games_conform_if_they_are_large(check, key, settings):
    check(numduel.new(key, **settings))


def test_every_known_game_is_among_those_checked():
    assert {key for key, _ in SETTINGS} == {listed.key for listed in numduel.games()}


class Nameless(TakeAway):
    key = "Take Away"


class Forgetful(TakeAway):
    def __init__(self, **settings):
        super().__init__(**{name: settings[name] for name in settings if name in ("stones",)})


class FirstComeFirstServed(TakeAway):
    def begin(self, first):
        return super().begin(1)


class Jealous(TakeAway):
    def moves(self, position):
        least = position.mover if position.left < self.settings.stones else 1
        return tuple(range(least, min(self.settings.most, position.left) + 1))

    def after(self, position, move):
        moved = super().after(position, move)
        return moved._replace(mover=position.mover) if move == 3 else moved


class Changing(TakeAway):
    starts = 0

    def begin(self, first):
        Changing.starts += 1
        return super().begin(first)._replace(left=20 + Changing.starts % 2)


class Descending(TakeAway):
    def moves(self, position):
        return super().moves(position)[::-1]


class Generous(TakeAway):
    def allows(self, position, move):
        return 0 <= move <= position.left


class NeverOver(TakeAway):
    def outcome(self, position):
        return None


class Unrepeatable(TakeAway):
    def outcome(self, position):
        return None if position.left else Outcome(other(position.mover), "divisible" * 1000)


class TwoOfAName(TakeAway):
    def notation(self, position):
        return f"{position.left}"


class Unread(TakeAway):
    def parse(self, text):
        return super().parse(text.replace("21", "20"))


class OutOfAction(TakeAway):
    actions = range(1, 3)


class Masked(TakeAway):
    def mask(self, position):
        return tuple(not one for one in super().mask(position))


class Blurred(TakeAway):
    encoding = Encoding(1, 0, 21)

    def encode(self, position):
        return (position.left,)


class OutOfBounds(TakeAway):
    encoding = Encoding(2, 0, 20)

    def encode(self, position):
        return (position.left, position.mover)


def with_words(**replaced):
    """Return Take Away with some methods of its words replaced."""
    words = type("TheirWords", (Words,), replaced)
    return type("Spoken", (TakeAway,), {"words": property(words)})


def with_theory(**replaced):
    """Return Take Away with a theory of its own, with some methods replaced."""
    theory = type("TheirTheory", (Reference,), replaced)
    return type("Theorised", (TakeAway,), {"theory": property(theory)})


def smallest_move(theory, position):
    """Return the smallest move, which may lose."""
    return min(theory.game.moves(position))


def always_win(theory, position):
    return {move: Verdict("win") for move in theory.game.moves(position)}


BROKEN = [
    (conformance.names_itself, Nameless),
    (conformance.settings_round_trip, Forgetful),
    (conformance.either_seat_begins, FirstComeFirstServed),
    (conformance.first_turns_can_be_taken_over, Jealous),
    (conformance.positions_are_values, Changing),
    (conformance.moves_are_ascending, Descending),
    (conformance.offered_moves_are_legal, Generous),
    (conformance.ends_once, NeverOver),
    (conformance.records_replay, Unrepeatable),
    (conformance.notations_round_trip, TwoOfAName),
    (conformance.notations_round_trip, Unread),
    (conformance.actions_cover_the_moves, OutOfAction),
    (conformance.actions_cover_the_moves, Masked),
    (conformance.vectors_tell_positions_apart, Blurred),
    (conformance.vectors_tell_positions_apart, OutOfBounds),
    (
        conformance.scenes_can_be_drawn,
        with_words(scene=lambda words, position: Scene("two\nlines")),
    ),
    (
        conformance.pictures_fit_their_game,
        with_words(
            scene=lambda words, position, past=(): Scene("A turn", links=(Link(1, 2, "pair"),))
        ),
    ),
    (conformance.words_are_lines, with_words(move_label=lambda words, position, move: "Take some")),
    (
        conformance.words_are_lines,
        with_words(moved=lambda words, before, move, after, who: who + "."),
    ),
    (
        conformance.words_are_lines,
        with_words(moved=lambda words, before, move, after, who: "taken"),
    ),
    (conformance.words_are_lines, with_words(result=lambda words, position, outcome, *rest: "")),
    (conformance.moves_can_be_typed, with_words(read_move=lambda words, position, text: 1)),
    (conformance.scripts_are_lines, with_words(turn=lambda words, position: ["two\nlines"])),
    (
        conformance.theory_agrees_with_reference,
        with_theory(solve=lambda theory, position: Verdict("win", 1)),
    ),
    (conformance.theory_agrees_with_reference, with_theory(evaluate=always_win)),
    (conformance.theory_agrees_with_reference, with_theory(sound_move=smallest_move)),
    (
        conformance.theory_agrees_with_reference,
        with_theory(
            values=lambda theory, position: dict.fromkeys(theory.game.moves(position), "win")
        ),
    ),
    (
        conformance.theory_agrees_with_reference,
        with_theory(cost=lambda theory, position: Cost(0, 0, 0)),
    ),
    (
        conformance.theory_agrees_with_reference,
        with_theory(explanation=lambda *_: Explanation("verdict", Verdict("endless"))),
    ),
]


@pytest.mark.parametrize(("check", "broken"), BROKEN, ids=lambda one: one.__name__)
def test_each_check_catches_a_broken_game(check, broken):
    with pytest.raises((AssertionError, numduel.NumduelError)):
        check(broken())


def test_every_check_has_a_broken_game():
    assert tuple(dict.fromkeys(check for check, _ in BROKEN)) == conformance.CHECKS


def test_a_game_whose_theory_leaves_out_distances_conforms():
    class Vague(Reference):
        def solve(self, position):
            return super().solve(position)._replace(distance=None)

    class Guarded(TakeAway):
        theory = property(Vague)

    conformance.theory_agrees_with_reference(Guarded(stones=9))


@each_check
def test_a_game_that_is_too_large_to_explore_conforms(check, monkeypatch):
    monkeypatch.setattr("numduel.core.explore.MAX_EXPLORED_POSITIONS", 10)
    monkeypatch.setattr(conformance, "_MAX_REFERENCE_POSITIONS", 10)
    check(with_theory()())
