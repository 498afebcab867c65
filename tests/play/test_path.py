"""The paths of the games: the rules and the solver check what each step declares."""

import pytest
from take_away import TakeAway

import numduel
from numduel.core.game import Game
from numduel.games import OUR_GAMES, game_type
from numduel.play.event import Move
from numduel.play.friendly_settings import friendly_game
from numduel.play.match import Match
from numduel.play.path import (
    CHARACTERS,
    MAX_STARS,
    earns_medal,
    path_of,
    stars,
    step_of,
    step_setup,
)
from numduel.play.setup import dump_setup, load_setup
from numduel.players import player

STEPS = [
    pytest.param(key, number, id=f"{key}-{number}")
    for key in OUR_GAMES
    for number in range(1, len(path_of(game_type(key)).steps) + 1)
]


def step_and_match(key, number):
    """Return a step, and its match at the beginning."""
    kind = game_type(key)
    step = path_of(kind).steps[number - 1]
    return step, Match(step_setup(kind, step))


@pytest.mark.parametrize("key", OUR_GAMES)
def test_a_path_goes_from_a_lesson_to_the_strongest_opponent(key):
    path = path_of(game_type(key))
    assert 8 <= len(path.steps) <= 12
    assert [bool(step.taps) for step in path.steps].index(True) == 0
    assert len(path.steps[0].taps) == len(path.rules) == 3
    assert path.steps[-1].title == "Beat Otto"
    titles = [step.title for step in path.steps]
    assert len({*titles}) == len(titles)
    met = [step.opponent for step in path.steps if not step.sign and not step.taps]
    assert met == [*CHARACTERS]
    assert path.emblem.startswith("<svg")


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_the_player_can_win_each_step_but_not_with_any_move(key, number):
    step, match = step_and_match(key, number)
    game, position = match.setup.game, match.table.position
    verdict = numduel.solve(game, position)
    assert verdict.value == ("win" if position.mover == 1 else "loss")
    if step.idea and position.mover == 1:
        values = {one.value for one in numduel.evaluate(game, position).values()}
        assert "win" in values and len(values) > 1
    assert bool(step.idea) == bool(step.sign) and len(step.sign) <= 6
    assert len(step.idea) < 100  # it is one sentence, or two short ones


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_a_match_knows_its_step_even_from_a_later_position(key, number):
    step, match = step_and_match(key, number)
    setup = match.setup
    assert step_of(setup) == step_of(load_setup(dump_setup(setup))) == number
    assert stars(setup, undone=False, hinted=False) == MAX_STARS
    assert stars(setup, undone=True, hinted=True) == 1
    move = setup.game.moves(match.table.position)[0]
    later = setup._replace(moves=(*setup.moves, move))
    if step_of(later) == number:  # the longer opening may be that of another step
        assert stars(later, undone=False, hinted=False) == 1
    assert not earns_medal(later)
    is_friendly = setup.game == friendly_game(type(setup.game))
    assert earns_medal(setup) == (is_friendly and not setup.moves and not step.taps)


@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_first_game_goes_as_its_lesson_says(key):
    step, match = step_and_match(key, 1)
    table, opponent = match.table, player(step.opponent)
    for at, tap in enumerate(step.taps, 1):
        assert table.position.mover == 1
        match.apply(Move(tap.move))
        if at < len(step.taps):
            match.apply(Move(opponent.choose(table.turn())))
    assert table.outcome.winner == 1


@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_pictures_of_the_rules_can_be_drawn(key):
    for rule in path_of(game_type(key)).rules:
        assert rule["sentence"].endswith((".", "?"))
        for start, end, *_ in rule.get("arrows", ()):
            assert rule["tiles"][start] != rule["tiles"][end]
        for words, x, *rest in rule["tiles"]:
            assert isinstance(words, str) and abs(x) < 3 and all(abs(y) < 1.3 for y in rest[:1])


def test_other_matches_of_the_same_game_belong_to_no_step():
    _, match = step_and_match("double-or-add", 2)
    setup = match.setup
    assert step_of(setup._replace(players=("human", "human"))) == 0
    assert step_of(setup._replace(players=("random", "human"))) == 0
    assert step_of(setup._replace(game=numduel.new("double-or-add", target=77))) == 0


def test_the_path_of_another_package_s_game_has_opponents_and_puzzles():
    path = path_of(TakeAway)
    assert (path.short, path.rules, path.emblem) == (TakeAway.summary, (), "")
    assert [step.title for step in path.steps[:3]] == ["Beat Pip", "Puzzle 1", "Beat Dot"]
    assert [step.puzzle for step in path.steps] == [0, 1, 0, 2, 0, 3, 0, 4, 0, 5]
    assert step_of(step_setup(TakeAway, path.steps[4])) == 5


def test_preset_moves_cannot_be_taken_back_and_are_made_in_the_first_round():
    _, match = step_and_match("multiplicity", 6)
    assert (match.table.moves, match.undo_count()) == ([1, 12], 0)
    match.apply(Move(6))
    assert match.undo_count() == 1
    two = Match(match.setup._replace(rounds=2))
    two.table.apply(Move(6))
    two.next_round()
    assert two.table.moves == []


@pytest.mark.parametrize("key", OUR_GAMES)
def test_mirroring_exchanges_the_seats_and_twice_is_the_same_position(key):
    game = friendly_game(game_type(key))
    position = game.start(2)
    for _ in range(3):
        assert game.mirrored(position).mover == 3 - position.mover
        assert game.mirrored(game.mirrored(position)) == position
        game.check(game.mirrored(position))
        position = game.play(position, game.moves(position)[0])
    assert Game.mirrored(game, position) == position
