"""Many games at once, beside the rules: the same moves, ends, winners and rewards."""

import pytest
from fifteen import Fifteen
from take_away import TakeAway

import numduel
from numduel.agents.batch import Batch

CASES = [
    ("divisor-duel", {"ceiling": 500}),
    ("divisor-duel", {"divisor": 6, "start": 12, "ceiling": 50}),
    ("divisor-duel", {"divisor": 90, "ceiling": 70}),
    ("operation-duel", {}),
    ("operation-duel", {"target": 60, "operations": "+1,-3,x2,-70"}),
    ("operation-duel", {"target": 9, "start": 4, "operations": "-3,-2"}),
    ("operation-duel", {"target": 10**12, "operations": "+1,x1000"}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 300, "start": 7}),
    ("divisor-line", {}),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 150}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("divisor-line", {"size": 60, "goal": "chain"}),
    ("multiplicity", {}),
    ("multiplicity", {"size": 20, "start": 17, "opening": "even"}),
    ("multiplicity", {"size": 30, "start": 6, "start_open": True}),
    ("multiplicity", {"size": 200, "start": 12, "opening": "even", "start_open": True}),
]
GAMES = [(numduel.new(key, **settings), key) for key, settings in CASES]
GAMES += [(Fifteen(), "fifteen"), (TakeAway(stones=15), "take-away")]


class Beside:
    """The same games, one position after the other, by the rules."""

    def __init__(self, batch):
        self.batch, self.game = batch, batch.game
        self.positions = [batch.position(row) for row in range(batch.count)]
        self.turns = [0] * batch.count

    def play(self, actions, step):
        """Take the actions, and find that the step tells the same; the number of games ended."""
        ended = 0
        for row, action in enumerate(actions.tolist()):
            position = self.positions[row]
            position = self.game.play(position, self.game.actions[action])
            outcome = self.game.outcome(position)
            self.turns[row] += 1
            late = outcome is None and self.turns[row] == self.batch.turn_limit
            winner = None if outcome is None else outcome.winner
            rewards = [0, 0] if winner is None else [1, -1] if winner == 1 else [-1, 1]
            assert (step.terminated[row], step.truncated[row]) == (outcome is not None, late)
            assert step.rewards[row].tolist() == rewards
            if late or outcome is not None:
                ended += 1
                position, self.turns[row] = self.game.start(int(step.mover[row])), 0
            self.positions[row] = position
        return ended

    def look(self, step):
        """Find that the step tells where the games stand."""
        for row, position in enumerate(self.positions):
            assert self.batch.position(row) == position
            assert step.mover[row] == position.mover
            assert tuple(step.legal[row].tolist()) == self.game.mask(position)
            assert tuple(step.observation[row].tolist()) == self.game.encode(position)


@pytest.mark.parametrize(("game", "key"), GAMES, ids=lambda one: str(one))
def test_it_plays_as_the_rules_do(game, key, many):
    batch = Batch(game, many(20, 500), first=None, turn_limit=40)
    step = batch.reset(seed=1)
    beside = Beside(batch)
    ended = 0
    while ended < many(20, 10_000):
        beside.look(step)
        actions = batch.sample()
        step = batch.step(actions)
        ended += beside.play(actions, step)
