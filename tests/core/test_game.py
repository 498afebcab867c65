"""What a game is, shown with a sixth one that brings its rules and no words."""

import pickle
from copy import deepcopy
from typing import NamedTuple

import pytest

import numduel
from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.game import CALLED, REASONS, RULED, Game, Outcome, other
from numduel.core.scene import Choice, Fact
from numduel.core.settings import Flag, OptionalWhole, Settings, Whole


class Pile(NamedTuple):
    stones: int
    mover: int


class NimSettings(Settings):
    stones = Whole(5, "how many stones there are", high=1000)
    most = OptionalWhole("how many may be taken at once")
    even = Flag("only even numbers of stones may be taken")


class Nim(Game[Pile]):
    """Take stones; whoever takes the last one wins, and nobody where one is left over."""

    key = "nim"
    title = "Nim"
    summary = "Take stones."
    rules = "Take stones."
    settings_type = NimSettings

    def begin(self, first):
        return Pile(self.settings.stones, first)

    def moves(self, position):
        most = self.settings.most or position.stones
        step = 2 if self.settings.even else 1
        return tuple(range(step, min(most, position.stones) + 1, step))

    def after(self, position, move):
        return Pile(position.stones - move, other(position.mover))

    def outcome(self, position):
        if self.moves(position):
            return None
        return (
            Outcome(None, "left over") if position.stones else Outcome(3 - position.mover, "took")
        )


def test_the_other_seat():
    assert (other(1), other(2)) == (2, 1)


def test_the_reasons_are_those_of_the_rules_and_those_called_from_outside():
    assert RULED == ("divisible", "reached", "overshot", "relation", "stuck")
    assert CALLED == ("resigned", "turn-limit")
    assert REASONS == RULED + CALLED


def test_a_game_without_rules_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Game()


@pytest.mark.parametrize("first", [1, 2])
def test_either_seat_begins(first):
    assert Nim().start(first) == Pile(5, first)
    assert Nim().start() == Pile(5, 1)


@pytest.mark.parametrize("first", [0, 3, -1, "1", None, 1.5, [1]])
def test_there_is_no_other_seat_to_begin(first):
    with pytest.raises(SettingsError, match=r"^first must be 1 or 2, not "):
        Nim().start(first)


def test_a_huge_seat_is_refused_in_a_short_line():
    with pytest.raises(SettingsError, match=r"^first must be 1 or 2, not 1000.* digits\)$"):
        Nim().start(10**5000)


def test_a_legal_move_leads_on():
    assert Nim().play(Pile(5, 1), 2) == Pile(3, 2)


def test_an_illegal_move_names_the_move_the_position_and_what_is_allowed():
    with pytest.raises(IllegalMove) as caught:
        Nim().play(Pile(5, 1), 6)
    assert str(caught.value) == "6 is not a legal move (stones 5, Player 1 to move; allowed: 1-5)"
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
    line = r"^1 cannot be played: the game is over \(stones 0, Player 2 to move\)$"
    with pytest.raises(IllegalMove, match=line) as caught:
        Nim().play(Pile(0, 2), 1)
    assert caught.value.why == "1 cannot be played: the game is over"


def test_allowed_moves_are_given_as_ranges():
    assert Nim().words.allowed(Pile(5, 1)) == "1-5"
    assert Nim(even=True).words.allowed(Pile(5, 1)) == "2,4"
    assert Nim().words.allowed(Pile(0, 1)) == "nothing"
    assert Nim(even=True).words.allowed(Pile(99, 1)).endswith(",38,40,… up to 98")


def test_a_game_without_words_has_plain_ones():
    game = Nim(even=True)
    start = game.start(2)
    assert game.words.welcome(start) == [
        "Welcome to Nim!",
        "",
        "stones: 5",
        "most: none",
        "even: true",
        "",
    ]
    assert game.words.turn(start) == ["Player 2's turn.", "stones: 5", "Allowed: 2,4"]
    assert game.words.prompt(start) == "Enter your move: "
    assert game.words.follow(start, 2, game.play(start, 2)) == ["Player 2 played 2.", ""]
    assert game.words.closing(start, Outcome(1, "took")) == ["Player 1 wins the game (took)!"]
    assert game.words.closing(start, Outcome(None, "left over")) == ["Nobody wins (left over)."]


def test_a_game_without_a_scene_has_a_plain_one():
    scene = Nim(even=True).words.scene(Pile(5, 2))
    assert scene.sentence == "Player 2's turn."
    settings = (Fact("stones", "5"), Fact("most", "none"), Fact("even", "true"))
    assert scene.facts == (Fact("stones", "5"), *settings)
    assert scene.choices == (Choice(2, "Play 2", ""), Choice(4, "Play 4", ""))
    assert scene.cells == ()
    assert scene.allowed == "2,4"


def test_a_scene_after_the_end_says_how_it_ended():
    scene = Nim().words.scene(Pile(0, 2))
    assert scene.sentence == "Player 1 wins the game (took)!"
    assert scene.allowed == ""
    assert scene.choices == ()


def test_a_menu_has_at_most_20_choices():
    assert len(Nim().words.scene(Pile(20, 1)).choices) == 20
    assert Nim().words.scene(Pile(21, 1)).choices == ()
    assert Nim().words.scene(Pile(21, 1)).allowed == "1-21"


def test_games_are_compared_by_content():
    class Other(Nim):
        pass

    assert Nim(stones=5) == Nim()
    assert hash(Nim(stones=5)) == hash(Nim())
    assert len({Nim(), Nim(stones=5), Nim(stones=6)}) == 2
    assert Nim() != Nim(even=True)
    assert Nim() != Other()
    assert Nim() != "nim"


def test_games_are_pickled_by_content_without_what_was_worked_out_about_them():
    game = numduel.new("multiplicity", size=30, opening="even")
    before = pickle.dumps(game)
    found = numduel.solve(game, game.start())  # which is remembered with the game
    assert "theory" in vars(game)
    assert pickle.dumps(game) == before
    for copy in (pickle.loads(before), deepcopy(game)):
        assert copy == game
        assert copy.settings.values == game.settings.values
        assert "theory" not in vars(copy)
        assert numduel.solve(copy, copy.start()) == found


@pytest.mark.parametrize("key", [key for key, _, _ in numduel.games()])
def test_every_game_and_its_positions_are_pickled(key):
    game = numduel.new(key)
    position = game.after(game.start(2), game.moves(game.start(2))[0])
    assert pickle.loads(pickle.dumps((game, position))) == (game, position)


def test_the_repr_of_a_game_gives_what_differs_from_the_defaults():
    assert repr(Nim()) == "Nim()"
    assert repr(Nim(even=True, stones=9, most=None)) == "Nim(stones=9, even=True)"
