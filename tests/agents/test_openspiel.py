"""Our games pass OpenSpiel's own tests and agree with its solvers and with the rules."""

import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType

import pyspiel
import pytest
from absl import flags
from elsewhere import CASES, REGISTERED
from take_away import TakeAway

import numduel
from numduel.agents.common import game_name, position_text, reward
from numduel.agents.openspiel import register_game
from numduel.core.game import Encoding
from numduel.games import OUR_GAMES
from numduel.play.table import TURN_LIMIT

flags.FLAGS.mark_as_parsed()  # generating playthroughs requires it
# Only games with simultaneous moves need this solver, which is not installed.
sys.modules.setdefault("open_spiel.python.algorithms.lp_solver", ModuleType("lp_solver"))

from open_spiel.python.algorithms import (  # noqa: E402
    generate_playthrough,
    minimax,
    value_iteration,
)

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")
cases = pytest.mark.parametrize(("key", "settings"), CASES, ids=str)


@pytest.fixture(autouse=True)
def _registered_with_openspiel(games_from_elsewhere):
    for key in REGISTERED:
        if game_name(key) not in pyspiel.registered_names():
            register_game(key)


def load(key, settings):
    """Load a game by its game string."""
    texts = {name: str(value).replace(",", ";") for name, value in settings.items()}
    if texts.get("operations") == "+1":
        texts["operations"] = "+1;"  # otherwise it is read as a number
    parts = [f"{name}={text}" for name, text in texts.items()]
    return pyspiel.load_game(f"{game_name(key)}({','.join(parts)})")


@cases
def test_openspiels_own_simulations_pass(key, settings, capfd, many):
    pyspiel.random_sim_test(
        load(key, settings), num_sims=many(1, 30), serialize=True, verbose=False
    )


@cases
def test_random_games_follow_the_rules(key, settings, many):
    spiel, game, rng = load(key, settings), numduel.new(key, **settings), Random(1)
    assert spiel.num_distinct_actions() == len(game.actions)
    positions = {}
    for _ in range(many(5, 120)):
        state, position, turns = spiel.new_initial_state(), game.start(), 0
        while game.outcome(position) is None and turns < TURN_LIMIT:
            assert not state.is_terminal()
            assert state.current_player() == position.mover - 1
            assert state.legal_actions() == [game.actions.index(m) for m in game.moves(position)]
            assert tuple(state.observation_tensor()) == game.encode(position)
            text = state.observation_string()
            assert positions.setdefault(text, position) == position  # the text is complete
            assert str(state) == game.notation(position)
            move = rng.choice(game.moves(position))
            state.apply_action(game.actions.index(move))
            position, turns = game.play(position, move), turns + 1
        assert state.is_terminal() and state.legal_actions() == []
        assert state.returns() == [reward(game.outcome(position), seat) for seat in (1, 2)]


@pytest.mark.parametrize("key", [*OUR_GAMES, *REGISTERED])
def test_every_game_has_a_playthrough_that_can_be_repeated(key):
    stored, again = generate_playthrough.replay(str(PLAYTHROUGHS / f"{game_name(key)}.txt"))
    assert again.splitlines() == stored.splitlines()


def is_over_at_start(key, settings):
    game = numduel.new(key, **settings) if key in OUR_GAMES else None
    return game is not None and game.outcome(game.start()) is not None


SMALL = [
    *(("operation-duel", {"target": target, "operations": menu})
      for target, menu in product(range(2, 16), ("+1,x2", "+1,-2,x3", "+2,-1", "+1"))),
    *(("double-or-add", {"target": target, "start": start})
      for target in range(2, 24) for start in range(1, min(target, 4))),
    *(("divisor-duel", {"divisor": divisor, "ceiling": ceiling})
      for divisor, ceiling in product(range(1, 12), (5, 20, 40))),
    *(("divisor-line", {"size": size}) for size in (6, 7)),
    *(("multiplicity", {"size": size, "start": start, "start_open": is_open, "opening": opening})
      for size in range(3, 14) for start in (1, 2, 3) for is_open in (False, True)
      for opening in ("any", "even")),
    ("take-away", {"stones": 12}),
    ("again", {}),
    ("heaps", {}),
]  # fmt: skip
SMALL = [(key, given) for key, given in SMALL if not is_over_at_start(key, given)]
VALUES = {"win": 1.0, "draw": 0.0, "endless": 0.0, "loss": -1.0}


@pytest.mark.soak(keep=25)
@pytest.mark.parametrize(("key", "settings"), SMALL, ids=str)
def test_value_iteration_finds_our_verdict_of_every_position(key, settings):
    game = numduel.new(key, **settings)
    values = value_iteration.value_iteration(load(key, settings), -1, 0.01, cyclic_game=True)
    assert len(values) > 1
    for text, value in values.items():
        position = game.read(text)
        sign = 1 if position.mover == 1 else -1
        assert value == sign * VALUES[numduel.solve(game, position).value], text


@pytest.mark.soak(keep=6)
@pytest.mark.parametrize(
    ("key", "settings"),
    [
        *(("multiplicity", {"size": size}) for size in range(2, 13)),
        *(("double-or-add", {"target": target}) for target in range(2, 20)),
        *(("divisor-line", {"size": size}) for size in (6, 7)),
        ("take-away", {"stones": 10}),
        ("again", {}),
        ("heaps", {}),
    ],
    ids=str,
)
def test_alpha_beta_search_finds_our_verdicts(key, settings):
    game = numduel.new(key, **settings)
    value, action = minimax.alpha_beta_search(load(key, settings), maximum_depth=50)
    assert value == VALUES[numduel.solve(game, game.start()).value]
    best = numduel.evaluate(game, game.start())[game.actions[action]]
    assert value == VALUES[best.value]


def test_a_state_is_written_in_our_notation():
    spiel = pyspiel.load_game("numduel_multiplicity(size=20)")
    state = spiel.new_initial_state()
    for action in (6, 13):
        state.apply_action(action)
    assert state.to_dict() == {"position": "14:1,7,14/1", "turns": 2}
    for written in ("14:1,7,14/1", state.to_dict(), state.to_struct()):
        assert str(spiel.new_initial_state(written)) == str(state)
    game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(spiel, state))
    assert (str(game), str(again), again.history()) == (str(spiel), str(state), [6, 13])
    with pytest.raises(numduel.PositionError, match="'9:1,2/1' is not one that play can reach"):
        spiel.new_initial_state("9:1,2/1")
    with pytest.raises(numduel.PositionError, match="none is not one that play can reach"):
        spiel.new_initial_state({"number": 9})
    with pytest.raises(numduel.PositionError, match="turns must be from 0 to 1,000, not -1"):
        spiel.new_initial_state({"position": "7:1,7/2", "turns": -1})


def test_no_two_positions_have_the_same_text_even_if_only_owners_differ():
    spiel = pyspiel.load_game("numduel_divisor_line(size=7)")
    game = numduel.new("divisor-line", size=7)
    texts, waiting, found = {}, [game.start(1), game.start(2)], set()
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            texts.setdefault(position_text(game, position), set()).add(position)
            waiting += [game.after(position, move) for move in game.moves(position)]
    assert len(texts) == len(found) > 300
    state = spiel.new_initial_state("3:5/1")
    assert state.observation_string() == position_text(game, game.read("3:5/1"))


def test_every_game_can_be_loaded_with_its_default_settings():
    for key in OUR_GAMES:
        assert not pyspiel.load_game(game_name(key)).new_initial_state().is_terminal()
    duel = pyspiel.load_game("numduel_divisor_duel(divisor=7)")
    assert duel.rules.settings.divisor == 7 and duel.rules.settings.ceiling == 40
    assert pyspiel.load_game(str(duel)).rules == duel.rules


def test_a_menu_of_one_operation_is_not_read_as_a_number():
    spiel = pyspiel.load_game("numduel_operation_duel", {"operations": "+1"})
    again = pyspiel.load_game(str(spiel))
    assert again.rules == spiel.rules == numduel.new("operation-duel", operations="+1")


def test_copies_of_a_state_keep_the_turn_limit():
    spiel = pyspiel.load_game("numduel_operation_duel(operations=+1;-1,target=20)")
    last = spiel.new_initial_state({"position": "4/2", "turns": TURN_LIMIT - 1})
    again = spiel.deserialize_state(last.serialize())
    for state in (last, last.clone(), again):
        assert not state.is_terminal()
        state.apply_action(0)
        assert state.is_terminal() and state.returns() == [0.0, 0.0]


def test_a_move_is_a_struct():
    state = pyspiel.load_game("numduel_multiplicity(size=20)").new_initial_state()
    struct = state.action_to_struct(0, 6)
    assert struct.to_dict() == {"move": 7}
    assert state.struct_to_actions(struct) == [6]
    assert state.action_to_string(6) == "7"


def test_who_begins_is_a_parameter():
    state = pyspiel.load_game("numduel_divisor_line(first=2)").new_initial_state()
    assert state.current_player() == 1
    assert state.clone().current_player() == 1


def test_verdicts_are_in_the_struct():
    spiel = pyspiel.load_game("numduel_double_or_add(target=5,verdicts=true)")
    state = spiel.new_initial_state("2/2")
    game = numduel.new("double-or-add", target=5)
    struct = state.to_dict()
    assert struct["verdict"]["value"] == numduel.solve(game, game.read("2/2")).value
    assert {int(move): known["value"] for move, known in struct["verdicts"].items()} == {
        move: verdict.value for move, verdict in numduel.evaluate(game, game.read("2/2")).items()
    }
    state.apply_action(1)
    state.apply_action(0)
    assert state.is_terminal() and "verdict" not in state.to_dict()


@pytest.mark.parametrize(
    ("string", "message"),
    [
        ("divisor_duel(start=50)", "the numbers of Divisor Duel have no bound: set a ceiling"),
        ("multiplicity(size=1000000)", "it has 1,000,000 actions, at most 10,000 are allowed"),
        ("operation_duel(target=2000000000)", "its numbers go beyond 16,777,216"),
        ("multiplicity(first=3)", "first must be 1 or 2, not 3"),
        ("multiplicity(opening=odd)", "opening must be any or even, not 'odd'"),
    ],
)
def test_unsupported_settings_are_refused_in_one_line(string, message):
    with pytest.raises(numduel.SettingsError, match=message) as refused:
        pyspiel.load_game(f"numduel_{string}")
    assert "\n" not in str(refused.value)


def test_numbers_far_below_0_are_refused_too(monkeypatch):
    monkeypatch.setattr(TakeAway, "encoding", Encoding(1, -(2**24) - 1, 0))
    with pytest.raises(numduel.SettingsError, match="its numbers go beyond 16,777,216"):
        pyspiel.load_game("numduel_take_away(stones=17)")


def test_an_illegal_action_is_refused(capfd):
    state = pyspiel.load_game("numduel_multiplicity").new_initial_state()
    state.apply_action(6)
    with pytest.raises(numduel.IllegalMove, match="5 is neither a multiple nor a divisor"):
        state.apply_action(4)
    with pytest.raises(pyspiel.SpielError):
        state.apply_action_with_legality_check(4)


def test_the_interpreter_exits_without_an_error():
    lines = "import pyspiel, numduel.agents.openspiel; pyspiel.load_game('numduel_multiplicity')"
    assert subprocess.run([sys.executable, "-c", lines]).returncode == 0
