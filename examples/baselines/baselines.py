"""Two baseline players: the tree search of OpenSpiel, and a table learnt by self-play.

    pip install ./examples/baselines
    numduel bench random mcts:100 self-play:300 --positions 500

`mcts:N` makes N simulations a move, by `open_spiel.python.algorithms.mcts`. `self-play:N` plays N
games against itself before its first move at some settings, and looks up what it learnt. Neither
uses the solver. OpenSpiel needs bounded numbers, so `mcts` plays games without a bound as if they
had a ceiling.
"""

import sys
from types import ModuleType

import numpy as np
import pyspiel

# Only games with simultaneous moves need the linear programming solver, which is not installed.
sys.modules.setdefault("open_spiel.python.algorithms.lp_solver", ModuleType("lp_solver"))
from open_spiel.python.algorithms import mcts  # noqa: E402

from numduel.agents.openspiel import as_parameter  # noqa: E402  # it registers the games
from numduel.core.errors import SettingsError  # noqa: E402
from numduel.core.numerals import parse_whole  # noqa: E402
from numduel.players import Kind, Player  # noqa: E402

UCT_C = 2.0
CEILING_FACTOR = 1000
LEARNING_RATE = 0.3
CURIOSITY = 0.3
MAX_MOVES = 200


def read_count(text):
    number = parse_whole(text)
    if number is None or not 2 <= number <= 10**6:
        raise SettingsError(f"a number from 2 to 1,000,000 is needed, not {text!r}")
    return number


class TreeSearch(Player):
    """Monte Carlo tree search with random playouts."""

    def __init__(self, simulations):
        self.name = f"mcts:{simulations}"
        self.simulations = read_count(simulations)
        self.games = {}

    def choose(self, turn):
        game, spiel = turn.game, self.load(turn.game)
        chance = np.random.RandomState(turn.rng.getrandbits(32))
        bot = mcts.MCTSBot(
            spiel,
            UCT_C,
            self.simulations,
            mcts.RandomRolloutEvaluator(1, chance),
            random_state=chance,
        )
        number = turn.position.number if hasattr(turn.position, "number") else 0
        if spiel.rules != game and number > spiel.rules.settings.ceiling // 2:
            return turn.rng.choice(game.moves(turn.position))
        action = bot.step(spiel.new_initial_state(game.notation(turn.position)))
        return game.actions[action]

    def load(self, game):
        if game not in self.games:
            given = {name: as_parameter(value) for name, value in game.settings.changed().items()}
            if "ceiling" in game.settings.values and game.settings.ceiling is None:
                given["ceiling"] = CEILING_FACTOR * game.settings.divisor
            name = f"numduel_{game.key.replace('-', '_')}"
            self.games[game] = pyspiel.load_game(name, given)
        return self.games[game]


class SelfPlay(Player):
    """A table of the value of each position for its mover, learnt from games against itself."""

    def __init__(self, games):
        self.name = f"self-play:{games}"
        self.count = read_count(games)
        self.tables = {}

    def choose(self, turn):
        game = turn.game
        if game not in self.tables:
            self.tables[game] = self.learn(game)
        return self.best(game, self.tables[game], turn.position, turn.rng)

    def best(self, game, table, position, rng):
        worth = {}
        for move in game.moves(position):
            after = game.after(position, move)
            outcome = game.outcome(after)
            if outcome is not None:
                worth[move] = (
                    0 if outcome.winner is None else 1 - 2 * (outcome.winner != position.mover)
                )
            else:
                value = table.get(after, 0.0)
                worth[move] = value if after.mover == position.mover else -value
        top = max(worth.values())
        return rng.choice([move for move, one in worth.items() if one == top])

    def learn(self, game):
        rng = np.random.default_rng(0)
        chooser = Chooser(rng)
        table = {}
        for _ in range(self.count):
            position, past = game.start(), []
            while game.outcome(position) is None and len(past) < MAX_MOVES:
                past.append(position)
                if rng.random() < CURIOSITY:
                    move = chooser.choice(game.moves(position))
                else:
                    move = self.best(game, table, position, chooser)
                position = game.after(position, move)
            outcome = game.outcome(position)
            for one in past if outcome is not None and outcome.winner else ():
                paid = 1.0 if outcome.winner == one.mover else -1.0
                known = table.get(one, 0.0)
                table[one] = known + LEARNING_RATE * (paid - known)
        return table


class Chooser:
    """A generator of NumPy with the interface of `random.Random` that is needed here."""

    def __init__(self, rng):
        self.rng = rng

    def choice(self, options):
        return options[int(self.rng.integers(len(options)))]


MCTS = Kind("mcts", "OpenSpiel's tree search", TreeSearch, "SIMULATIONS")
SELF_PLAY = Kind("self-play", "learns a table by playing itself", SelfPlay, "GAMES")
