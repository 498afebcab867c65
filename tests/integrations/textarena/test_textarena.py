"""Whole games between two agents of TextArena follow our rules."""

import re
from random import Random

import pytest
import textarena as ta

import numduel
import numduel.agents.textarena
from numduel.agents.common import environment_id, truth
from numduel.players.prompt import SECOND_CHANCES, Prompt


class RandomAgent(ta.Agent):
    """Reads the position in an observation, and makes a random legal move."""

    def __init__(self, game, seed):
        super().__init__()
        self.game, self.rng = game, Random(seed)

    def __call__(self, observation):
        text = observation if isinstance(observation, str) else observation[-1][1]
        position = self.game.read(re.findall(r"Position in notation: (\S+)", text)[-1])
        return f"I take [{self.rng.choice(self.game.moves(position))}]."


def played(env, agents, seed=0):
    """Return the moves of a game, the rewards, and the info of its players."""
    env.reset(num_players=2, seed=seed)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, _ = env.step(agents[player](observation))
    return [last.move for last in env.past], *env.close()


@pytest.mark.parametrize("version", ["", "-train", "-raw"])
def test_two_agents_play_a_whole_game_by_our_rules(key, settings, version, many):
    game = numduel.new(key, **settings)
    for seed in range(many(100, 3500)):
        env = ta.make(environment_id(key) + version, **settings)
        moves, rewards, info = played(
            env, [RandomAgent(game, seed), RandomAgent(game, -seed)], seed
        )
        position = game.start()
        for move in moves:
            position = game.play(position, move)
        winner = game.outcome(position).winner
        assert rewards == ({0: 0, 1: 0} if winner is None else {winner - 1: 1, 2 - winner: -1})
        assert info[0]["reason"].startswith("Nobody" if winner is None else f"Player {winner} wins")
        assert not info[0]["invalid_move"]


def test_the_question_has_the_rules_and_the_board():
    env = ta.make("numduel/DoubleOrAdd-v0")
    env.reset(num_players=2)
    player, text = env.get_observation()
    prompt = Prompt(env.game, answer_line="[…]")
    assert player == 0 and prompt.rules in text and prompt.question(env.position) in text
    assert prompt.question(env.position).replace("[…]", "Move: …") == Prompt(env.game).question(
        env.position
    )


@pytest.mark.parametrize("answer", ["[2]", "I take [2].", "Move: 2", "**[2]**"])
def test_an_answer_is_read_as_in_every_harness(answer):
    env = ta.make("numduel/Multiplicity-v0-raw", size=7)
    env.reset(num_players=2)
    env.step(answer)
    assert [last.move for last in env.past] == [2]


@pytest.mark.parametrize("answer", ["[8]", "seven", "[2] or [3]", "[two]"])
def test_an_illegal_move_may_be_corrected_and_then_loses(answer):
    env = ta.make("numduel/Multiplicity-v0-raw", size=7)
    env.reset(num_players=2)
    for _ in range(SECOND_CHANCES):
        assert env.step(answer) == (False, {})
        player, observation = env.get_observation()
        prompt = Prompt(env.game, answer_line="[…]")
        message = observation[-1][1]
        assert (player, message) == (0, prompt.correction(prompt.reader.read(env.position, answer)))
    assert env.step(answer)[0]
    rewards, info = env.close()
    assert rewards == {0: -1, 1: 1} and info[0]["invalid_move"]


def test_verdicts_are_given_if_they_are_requested():
    for verdicts in (False, True):
        env = ta.make("numduel/Multiplicity-v0", size=20, verdicts=verdicts)
        env.reset(num_players=2)
        _, info = env.step("[7]")
        assert info == (truth(env.game, env.position) if verdicts else {})


def test_verdicts_are_of_the_current_position_and_end_with_the_game():
    env = ta.make("numduel/Multiplicity-v0-raw", size=7, verdicts=True)
    env.reset(num_players=2)
    assert env.step("[8]") == (False, truth(env.game, env.position))
    done = False
    while not done:
        done, info = env.step(f"[{env.game.moves(env.position)[0]}]")
        assert info == ({} if done else truth(env.game, env.position))
    env.reset(num_players=2)
    for _ in range(SECOND_CHANCES):
        env.step("[8]")
    assert env.step("[8]") == (True, {})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 1_000_000}, "at most 10,000 are allowed"),
        ({"big": 1}, "there is no setting 'big'"),
    ],
)
def test_unsupported_settings_are_refused_in_one_line(options, message):
    with pytest.raises(numduel.SettingsError, match=message):
        ta.make("numduel/Multiplicity-v0", **options)


def test_a_game_has_two_players():
    env = ta.make("numduel/Multiplicity-v0")
    with pytest.raises(numduel.SettingsError, match="a game has two players, not 3"):
        env.reset(num_players=3)
