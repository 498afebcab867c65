"""A seed gives the same game wherever it is played: there is one loop, and one random source."""

import asyncio
from io import StringIO

import numpy as np
import pytest

import numduel
from numduel.agents.gymnasium import Environment
from numduel.agents.mcp_games import Games
from numduel.agents.text_game import TextGame
from numduel.agents.vector import Environments
from numduel.play.chance import coin
from numduel.play.event import Move
from numduel.play.game_loop import play_on
from numduel.play.match import Match
from numduel.play.saved import Shelf
from numduel.play.setup import arrange
from numduel.players import Player, player
from numduel.terminal.screen import Screen
from numduel.terminal.session import Session

KEY, SETTINGS = "multiplicity", {"size": 20}
GAME = numduel.new(KEY, **SETTINGS)
SEEDS = range(40)

pytestmark = pytest.mark.no_cover


class Lowest(Player):
    """Plays the lowest legal move, as the learner, the client and the person do in these tests."""

    name = "lowest"

    def choose(self, turn):
        return lowest(turn.position)


def lowest(position):
    return GAME.moves(position)[0]


@pytest.fixture(scope="module", params=["random", "medium", "perfect"])
def who(request):
    return request.param


@pytest.fixture(scope="module")
def games(who):
    """Return the moves of the games of all seeds, as `play_game` plays them."""
    players = (Lowest(), who)
    records = [numduel.play_game(GAME, players, coin(seed), seed) for seed in SEEDS]
    moves = [[*record.moves] for record in records]
    assert len({*map(tuple, moves)}) > (len(SEEDS) // 2 if who == "random" else 1)
    return moves


def agreed(who, seed):
    return arrange(GAME, players=("human", who), first="random", seed=seed)


def test_in_a_match(who, games):
    def played(seed):
        match = Match(agreed(who, seed))
        while not match.over:
            for _ in play_on(match.table, (None, player(who)), apply=match.apply):
                pass
            if not match.over:
                match.apply(Move(lowest(match.table.position)))
        return match.table.moves

    assert [played(seed) for seed in SEEDS] == games


def test_at_the_terminal(who, games, tmp_path, monkeypatch):
    def played(seed):
        own = games[seed][coin(seed) - 1 :: 2]
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{move}\n" for move in own)))
        saved = Shelf(tmp_path).create(agreed(who, seed))
        assert Session(saved, Screen()).run()
        return saved.match.table.moves

    assert [played(seed) for seed in SEEDS] == games


def test_in_gymnasium(who, games):
    env = Environment(KEY, opponent=who, first="random", **SETTINGS)

    def played(seed):
        env.reset(seed=seed)
        ended = False
        while not ended:
            legal = GAME.moves(env.table.position) or GAME.actions
            ended = env.step(GAME.actions.index(legal[0]))[2]
        return env.table.moves

    assert [played(seed) for seed in SEEDS] == games


def test_in_the_vector_environment(who, games):
    env = Environments(KEY, len(SEEDS), opponent=who, first="random", **SETTINGS)
    _, info = env.reset(seed=SEEDS.start)
    played = {}
    while len(played) < len(SEEDS):
        _, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
        for row in np.flatnonzero(ended).tolist():
            played.setdefault(row, [*env.moves(row)])
    assert [played[row] for row in SEEDS] == games


def test_in_the_games_of_openenv_inspect_and_verifiers(who, games):
    def played(seed):
        game = TextGame(GAME, who, seed=seed)
        while game.outcome is None:
            game.answer(f"Move: {lowest(game.position)}")
        return game.moves

    assert [played(seed) for seed in SEEDS] == games


def test_in_the_games_of_mcp(who, games):
    client = Games()

    async def played(seed):
        seen = await client.start(KEY, SETTINGS, who, "random", seed)
        while not seen["result"]:
            seen = await client.play(seen["table"], seen["legal"][0])
        return seen["moves"]

    assert [asyncio.run(played(seed)) for seed in SEEDS] == games
