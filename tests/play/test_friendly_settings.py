"""Games begin well at their friendly settings, ours and those of other packages."""

import sys

import pytest
from tests.toy_games import Nim, Places

import numduel
from numduel.games import game_type, keys
from numduel.play import friendly_settings as module
from numduel.play.friendly_settings import (
    beginning,
    beginnings,
    friendly_game,
    nearby_games,
    seat_to_begin,
    winner_forecast,
)
from numduel.solver import theory_of

EXAMPLES = {
    "take-away": ("take_away", "TakeAway"),
    "stepping-stones": ("stepping_stones", "SteppingStones"),
}


@pytest.fixture(params=[*keys(), *EXAMPLES])
def kind(request, monkeypatch):
    """The class of a game: one of ours, or of an example."""
    if request.param not in EXAMPLES:
        return game_type(request.param)
    file, name = EXAMPLES[request.param]
    folder = request.config.rootpath / "examples" / request.param
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return getattr(__import__(file), name)


def test_a_friendly_game_begins_well(kind):
    game = friendly_game(kind)
    start = game.start()
    verdicts = numduel.evaluate(game, start)
    after = [game.after(start, move) for move in verdicts]
    assert not any(game.outcome(position) for position in after)  # no first move wins at once
    assert len(set(after)) == len(after)  # the choices differ
    best = max(verdict.score for verdict in verdicts.values())
    assert best == 1  # the player who begins can win: against a computer, the person
    right = sum(verdict.score == best for verdict in verdicts.values())
    assert right < len(verdicts)
    assert len(verdicts) == 2 or right <= 2 / 3 * len(verdicts)
    # With a line of any size, best play of Divisor Line is over after five moves.
    assert theory_of(game).distance(start) >= (5 if kind.key == "divisor-line" else 7)
    assert beginning(game).is_good()


def test_no_line_lasts_longer_than_a_friendly_one():
    lines = [numduel.new("divisor-line", size=size, goal="chain") for size in range(16, 40)]
    assert {numduel.solve(line, line.start()).distance for line in lines} == {5}


class Pile(Nim):
    """Take one or two stones, unless told otherwise."""

    def moves(self, position):
        return tuple(range(1, min(self.settings.most or 2, position.stones) + 1))


def test_the_nearest_good_settings_are_searched_for():
    assert not beginning(Pile()).is_good(7)  # the game is over in three moves
    found = friendly_game(Pile)
    assert found.settings.changed() == {"stones": 10}
    assert friendly_game(Nim) == Nim()  # whoever begins takes all, whatever the settings


def test_five_moves_of_best_play_are_accepted_if_seven_are_not_found(monkeypatch):
    monkeypatch.setattr(module, "MAX_TRIED", 10)
    assert friendly_game.__wrapped__(Pile).settings.changed() == {"stones": 7}


def test_games_that_take_too_long_to_solve_are_left_out():
    large = numduel.new("operation-duel", target=10**8, start=10**8 - 9, operations="+1,-1,x3")
    with pytest.raises(numduel.TooLarge):
        beginning(large)
    small = numduel.new("double-or-add")
    assert [game for game, _ in beginnings([large, small, large])] == [small]
    assert [game for game, _ in beginnings([large, large, large, small])] == []
    assert seat_to_begin(large, 2) == 2


@pytest.mark.parametrize(
    ("key", "settings", "begins"),
    [
        ("double-or-add", {}, 2),
        ("double-or-add", {"target": 24, "start": 2}, 1),
        ("divisor-duel", {}, 1),
    ],
)
def test_a_seat_can_win_or_draw_if_the_right_seat_begins(key, settings, begins):
    game = numduel.new(key, **settings)
    assert (seat_to_begin(game, 1), seat_to_begin(game, 2)) == (begins, 3 - begins)


def test_a_seat_begins_itself_if_the_game_turns_out_to_be_too_large(monkeypatch):
    def solve(self, position):
        raise numduel.TooLarge("more than was thought")

    monkeypatch.setattr(type(theory_of(numduel.new("double-or-add"))), "solve", solve)
    assert seat_to_begin(numduel.new("double-or-add"), 1) == 1


def test_nearby_settings_differ_in_one_and_each_setting_has_its_turn():
    game = numduel.new("multiplicity", size=20)
    changed = [
        [
            name
            for name, value in near.settings.values.items()
            if value != game.settings.values[name]
        ]
        for near in nearby_games(game)
    ]
    assert changed[:4] == [["size"], ["start"], ["opening"], ["start_open"]]
    assert all(len(names) == 1 for names in changed)


def test_how_lopsided_a_beginning_is():
    assert beginning(numduel.new("multiplicity")).lopsided == 2  # a first move ends it
    assert beginning(numduel.new("divisor-line")).lopsided == 1  # every first move wins
    assert beginning(numduel.new("divisor-line", size=24, goal="chain")).lopsided == 0
    assert beginning(Places(a={1: "b"}, b={1: "drawn"})).lopsided == 0


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (
            numduel.new("multiplicity"),
            "Whoever begins can win with the first move: choose the friendly settings.",
        ),
        (
            friendly_game(game_type("multiplicity")),
            "Whoever begins can win. That is you.",
        ),
        (
            numduel.new("double-or-add"),
            "Whoever goes second can win. That is you.",
        ),
        (
            numduel.new("divisor-duel"),
            "Between perfect players the game never ends: set the ceiling to 50.",
        ),
        (
            numduel.new("operation-duel", target=9, operations="+1,-1"),
            "Between perfect players the game never ends: set a limit of turns.",
        ),
        (Places(a={1: "b"}, b={1: "drawn"}), "Between perfect players nobody wins."),
    ],
    ids=str,
)
def test_a_forecast_says_who_can_win_and_what_to_do(game, line):
    assert winner_forecast(game, "That is you.") == line


def test_the_advice_for_an_endless_game_makes_it_end():
    game = numduel.new("divisor-duel", ceiling=50)
    assert numduel.solve(game, game.start()).value in ("win", "loss")
