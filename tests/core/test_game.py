"""What a game is, shown with Nim, which defines nothing but its rules."""

import pickle
from copy import deepcopy
from typing import NamedTuple

import pytest
from tests.toy_games import Nim, Pile

import numduel
from numduel.core.errors import IllegalMove, PositionError, SettingsError, TooLarge
from numduel.core.game import Encoding, Outcome, is_seat, other


@pytest.mark.parametrize("value", [0, 3, True, 1.0, "1", None, [1]])
def test_only_1_and_2_are_seats(value):
    assert not is_seat(value)
    assert is_seat(1)
    assert is_seat(2)


@pytest.mark.parametrize("first", [1, 2])
def test_either_seat_begins(first):
    assert Nim().start(first) == Pile(5, first)
    assert Nim().start() == Pile(5, 1)


@pytest.mark.parametrize("first", [0, 3, -1, "1", None, 1.5, [1], 10**5000], ids=range(8))
def test_only_seats_1_and_2_can_begin(first):
    with pytest.raises(SettingsError, match=r"^first must be 1 or 2, not "):
        Nim().start(first)


def test_an_illegal_move_names_the_move_the_position_and_what_is_allowed():
    with pytest.raises(IllegalMove) as caught:
        Nim().play(Pile(5, 1), 6)
    assert str(caught.value) == "6 is not a legal move (Stones 5, Player 1 to move; allowed: 1-5)"
    assert caught.value.why == "6 is not a legal move"
    assert (caught.value.move, caught.value.position) == (6, Pile(5, 1))


@pytest.mark.parametrize(
    ("move", "text"),
    [(True, "True"), (1.0, "a float"), ("1", "'1'"), (None, "none"), ([], "a list")],
)
def test_only_a_whole_number_is_a_move(move, text):
    assert not Nim().allows(Pile(5, 1), move)
    with pytest.raises(IllegalMove) as caught:
        Nim().play(Pile(5, 1), move)
    assert caught.value.why == f"{text} is not a whole number"


def test_after_the_end_no_move_is_legal():
    line = r"^1 cannot be played: the game is over \(Stones 0, Player 2 to move\)$"
    with pytest.raises(IllegalMove, match=line) as caught:
        Nim().play(Pile(0, 2), 1)
    assert caught.value.why == "1 cannot be played: the game is over"


def test_games_are_compared_by_content():
    class Other(Nim):
        pass

    assert Nim(stones=5) == Nim()
    assert hash(Nim(stones=5)) == hash(Nim())
    assert len({Nim(), Nim(stones=5), Nim(stones=6)}) == 2
    assert Nim() != Nim(even=True)
    assert Nim() != Other()
    assert Nim() != "nim"


def test_games_are_pickled_by_content_without_cached_results():
    game = numduel.new("multiplicity", size=30, opening="even")
    before = pickle.dumps(game)
    found = numduel.solve(game, game.start())  # which the game caches
    assert "theory" in vars(game)
    assert pickle.dumps(game) == before
    assert pickle.loads(pickle.dumps(game.settings)) == game.settings
    for copy in (pickle.loads(before), deepcopy(game)):
        assert copy == game
        assert copy.settings.values == game.settings.values
        assert "theory" not in vars(copy)
        assert numduel.solve(copy, copy.start()) == found


def test_the_repr_of_a_game_has_the_settings_that_differ_from_the_defaults():
    assert repr(Nim()) == "Nim()"
    assert repr(Nim(even=True, stones=9, most=None)) == "Nim(stones=9, even=True)"


# Positions that do not come from play, and positions as text.


def test_the_positions_of_a_small_game_are_known_and_numbered():
    game = Nim(stones=2)
    expected = {Pile(stones, mover) for stones in range(3) for mover in (1, 2)}
    assert set(game.position_numbers) == expected
    assert sorted(game.position_numbers.values()) == list(range(6))


@pytest.mark.parametrize(
    "position",
    [
        *(Pile(6, 1), Pile(-1, 1), Pile(3, 3), Pile(3.0, 1), Pile(True, 1), Pile("3", 1)),
        *(Pile(None, 1), Pile([3], 1), Pile(3, True), Pile(10**5000, 1)),
        *((3, 1), None, 3, "3/1", [3, 1], numduel.new("multiplicity").start()),
    ],
    ids=lambda position: type(position).__name__,
)
def test_a_position_that_play_cannot_reach_is_refused_in_one_line(position):
    game = Nim()
    for ask in (numduel.solve, numduel.evaluate):
        with pytest.raises(PositionError, match=r"^play cannot reach .* in Nim$") as caught:
            ask(game, position)
        assert len(str(caught.value)) < 250


def test_the_positions_of_a_game_may_be_of_several_types():
    class Over(NamedTuple):
        mover: int

    class TwoTypes(Nim):
        def after(self, position, move):
            left = position.stones - move
            return Pile(left, other(position.mover)) if left else Over(other(position.mover))

        def moves(self, position):
            return () if isinstance(position, Over) else super().moves(position)

        def outcome(self, position):
            return None if self.moves(position) else Outcome(other(position.mover), "took")

    game = TwoTypes()
    assert numduel.solve(game, game.start()) == ("win", 1)
    assert numduel.solve(game, Over(1)) == ("loss", 0)


def test_a_position_reads_back_from_its_notation():
    game = Nim()
    assert game.notation(Pile(3, 2)) == "3/2"
    for position in game.position_numbers:
        assert game.read(game.notation(position)) == position


@pytest.mark.parametrize(
    "text", ["", "3", "3/3", "6/1", "03/1", " 3/1", "3/1\n", "٣/1", "3" * 10**6]
)
def test_a_text_that_is_not_a_notation_is_refused_with_an_example(text):
    with pytest.raises(PositionError) as caught:
        Nim().read(text)
    assert str(caught.value).startswith("a position of Nim is written like '3/1'; '")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", [None, 3, b"3/1", ["3/1"]])
def test_only_text_is_read_as_a_notation(text):
    with pytest.raises(PositionError, match="a position of Nim is written like '3/1'"):
        Nim().read(text)


def test_a_notation_that_is_too_long_is_not_parsed(monkeypatch):
    monkeypatch.setattr("numduel.core.game.MAX_NOTATION_LENGTH", 3)
    monkeypatch.setattr(Nim, "parse", lambda game, text: Pile(5, len(text) and 1))
    assert Nim().read("5/1") == Pile(5, 1)
    with pytest.raises(PositionError):
        Nim().read("5/1 ")


# Moves and positions as numbers, for machine learning.


def test_the_actions_of_a_small_game_are_all_its_moves():
    assert Nim(stones=7, most=3).actions == range(1, 4)
    assert Nim(stones=7, even=True).actions == range(2, 7)
    assert Nim(stones=1, even=True).actions == range(0)


def test_the_mask_says_which_actions_are_legal():
    game = Nim(even=True)
    assert game.actions == range(2, 5)
    assert game.mask(Pile(5, 1)) == (True, False, True)
    assert game.mask(Pile(3, 2)) == (True, False, False)


def test_the_vector_of_a_position_of_a_small_game_is_its_number():
    game = Nim(stones=2)
    assert game.encoding == Encoding(1, 0, 5)
    assert sorted(game.encode(position) for position in game.position_numbers) == [
        (n,) for n in range(6)
    ]


def test_a_game_is_explored_only_once_to_find_that_it_is_too_large(monkeypatch):
    monkeypatch.setattr("numduel.core.explore.MAX_EXPLORED_POSITIONS", 10)
    game = Nim(stones=100)
    looks = []
    monkeypatch.setattr(game, "begin", lambda first: looks.append(first) or Pile(100, first))
    for ask in (lambda: game.position_numbers, lambda: game.actions, lambda: game.read("5/1")):
        with pytest.raises(TooLarge, match=r"^Nim has more than 200,000 positions$"):
            ask()
    game.check(Pile(1, 1))  # nobody knows whether play can reach it
    assert looks == [1, 2]


def test_the_notes_come_after_the_rules():
    for listed in numduel.games():
        kind = type(numduel.new(listed.key))
        assert kind.rules_and_notes() == "\n\n".join(filter(None, [kind.rules, kind.notes]))
