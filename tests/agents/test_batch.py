"""Many games at once, beside the rules: the same moves, ends, winners and rewards."""

import numpy as np
import pytest

import numduel
from numduel.agents.batch import make
from numduel.core.array_rules import VALUES
from numduel.core.errors import IllegalMove, SettingsError

CASES = [
    ("divisor-duel", {"divisor": 6, "start": 12, "ceiling": 50}),
    ("operation-duel", {"target": 60, "operations": "+1,-3,x2,-70"}),
    ("operation-duel", {"target": 10**12, "operations": "+1,x1000"}),
    ("double-or-add", {}),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("multiplicity", {"size": 200, "start": 12, "opening": "even", "start_open": True}),
    ("fifteen", {}),
    ("take-away", {"stones": 15}),
    ("again", {}),
]

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")


class SingleGames:
    """The games of a batch, played one by one by the rules."""

    def __init__(self, batch):
        self.batch, self.game = batch, batch.game
        self.positions = [batch.position(row) for row in range(batch.count)]
        self.turns = [0] * batch.count

    def play(self, actions, step):
        """Take the actions, compare the step, and return the number of games that ended."""
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

    def compare(self, step):
        """Compare the positions with the step."""
        for row, position in enumerate(self.positions):
            assert self.batch.position(row) == position
            assert step.mover[row] == position.mover
            assert tuple(step.legal[row].tolist()) == self.game.mask(position)
            assert tuple(step.observation[row].tolist()) == self.game.encode(position)


@pytest.mark.parametrize(("key", "settings"), CASES, ids=str)
def test_it_plays_by_the_rules(key, settings, many):
    batch = make(key, count=many(20, 200), first=None, turn_limit=40, **settings)
    step = batch.reset(seed=1)
    single_games = SingleGames(batch)
    ended = 0
    while ended < many(20, 2_000):
        single_games.compare(step)
        actions = batch.sample()
        step = batch.step(actions)
        ended += single_games.play(actions, step)


SOLVED = [
    ("divisor-duel", {"divisor": 7, "ceiling": 60}),
    ("operation-duel", {"target": 30, "operations": "+1,-3,x2,-70"}),
    ("operation-duel", {"target": 10**12}),
    ("divisor-line", {"size": 8}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("multiplicity", {"size": 20}),
]


@pytest.mark.parametrize(("key", "settings"), SOLVED, ids=str)
def test_it_gives_the_exact_verdict_of_each_action(key, settings, many):
    batch = make(key, count=many(8, 24), verdicts=True, first=None, turn_limit=30, **settings)
    step = batch.reset(seed=2)
    for _ in range(many(12, 40)):
        for row in range(batch.count):
            known = step.truth.verdicts(row, batch.game.actions)
            assert known == numduel.evaluate(batch.game, batch.position(row))
        step = batch.step(batch.sample())


def test_a_game_of_another_package_has_verdicts_too():
    batch = make("fifteen", count=4, verdicts=True)
    for _ in range(6):
        batch.step(batch.sample())
    truth = batch.restart([True, False, False, False]).truth
    assert [VALUES[value] for value in truth.values[0]] == ["draw"] * 9


def test_a_game_that_has_ended_stays_as_it_is_until_it_is_restarted():
    batch = make("double-or-add", count=3, target=3, auto_reset=False, verdicts=True)
    batch.step([0, 0, 1])
    first = batch.step([0, 1, 0])
    assert first.terminated.tolist() == [True, True, True]
    assert first.rewards.tolist() == [[1, -1], [-1, 1], [1, -1]]
    second = batch.step([7, -1, 0])  # ignored
    assert not second.terminated.any() and not second.rewards.any() and not second.legal.any()
    assert batch.over.all() and batch.sample().tolist() == [0, 0, 0]
    assert (second.truth.values == -1).all()
    with pytest.raises(SettingsError, match="which must be 3 flags, one for each game"):
        batch.restart([True])
    third = batch.restart(np.array([False, True, False]))
    assert batch.over.tolist() == [True, False, True]
    assert third.legal.tolist() == [[False, False], [True, True], [False, False]]
    assert not second.legal.any()  # an earlier result does not change
    assert third.observation[:, 0].tolist() == [4, 1, 4]


def test_the_turn_limit_ends_a_game_without_a_winner():
    batch = make("operation-duel", count=2, operations="+1,-1", turn_limit=3, auto_reset=False)
    for _ in range(2):
        assert not batch.step([0, 0]).truncated.any()
    last = batch.step([0, 1])
    assert last.truncated.tolist() == [True, True]
    assert not last.terminated.any() and not last.rewards.any() and not last.legal.any()
    assert not batch.step([0, 0]).truncated.any()


def test_a_game_that_is_over_before_it_begins_does_not_change():
    batch = make("multiplicity", count=2, size=1)
    step = batch.step(batch.sample())
    assert batch.over.all() and not step.terminated.any() and not step.legal.any()


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(SettingsError, match="seed must be a whole number from 0, not"):
        make("multiplicity", count=1).reset(seed=seed)


def test_a_seed_repeats_the_games():
    def played(seed):
        batch = make("multiplicity", count=20, first=None)
        steps = [batch.reset(seed=seed)] + [batch.step(batch.sample()) for _ in range(20)]
        return np.concatenate([step.observation for step in steps])

    assert (played(5) == played(5)).all()
    assert (played(5) != played(6)).any()


def test_all_legal_actions_are_equally_likely_in_samples():
    batch = make("divisor-line", count=8000, size=8)
    batch.step(np.zeros(8000, int))
    counts = np.bincount(batch.sample(), minlength=8)
    assert counts[0] == 0 and counts[1:].min() > 900


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 7], "game 1: there is no action 7: they are 0 to 1"),
        ([-1, 0], "game 0: there is no action -1: they are 0 to 1"),
        ([0], "actions must be 2 whole numbers, one for each game"),
        ([0.0, 1.0], "actions must be 2 whole numbers, one for each game"),
        ([[0], [1]], "actions must be 2 whole numbers, one for each game"),
        (["a", "b"], "actions must be 2 whole numbers, one for each game"),
    ],
)
def test_invalid_actions_are_refused(actions, message):
    batch = make("double-or-add", count=2)
    with pytest.raises(IllegalMove) as caught:
        batch.step(actions)
    assert str(caught.value) == message
    assert batch.position(0) == batch.game.start()


def test_an_illegal_action_is_refused_in_the_words_of_the_game():
    batch = make("multiplicity", count=3, size=10)
    batch.step([1, 2, 3])
    with pytest.raises(IllegalMove, match=r"^game 2: ") as caught:
        batch.step([3, 5, 4])
    assert (caught.value.move, caught.value.position) == (5, batch.position(2))


@pytest.mark.parametrize(
    ("key", "settings", "message"),
    [
        ("divisor-duel", {"start": 50}, "set a ceiling"),
        ("multiplicity", {"size": 1_000_000}, "at most 10,000"),
        ("double-or-add", {"target": 2**63}, "do not fit 64 bits"),
        ("multiplicity", {"count": 0}, "count must be a whole number from 1 to 3,921,568, not 0"),
        ("multiplicity", {"count": 10**9}, "count must be"),
        ("multiplicity", {"count": "many"}, "count must be"),
        ("multiplicity", {"turn_limit": 0}, "turn_limit must be a whole number from 1, not 0"),
        ("multiplicity", {"first": 3}, "first must be 1, 2 or None, not 3"),
        ("chess", {}, "there is no game"),
    ],
)
def test_invalid_options_are_refused(key, settings, message):
    with pytest.raises(SettingsError, match=message):
        make(key, **{"count": 2, **settings})


def test_earlier_results_do_not_change_later():
    batch = make("divisor-line", count=30, size=8, verdicts=True)
    steps = [batch.reset(seed=3)]
    copies = [[np.array(part) for part in (*steps[0][:-1], *steps[0].truth)]]
    for _ in range(12):
        steps.append(batch.step(batch.sample()))
        copies.append([np.array(part) for part in (*steps[-1][:-1], *steps[-1].truth)])
    for step, parts in zip(steps, copies, strict=True):
        for part, copy in zip((*step[:-1], *step.truth), parts, strict=True):
            assert (part == copy).all()
