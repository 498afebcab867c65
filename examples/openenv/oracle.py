"""The oracle plays a game on a server with sound moves only, and prints its total reward.

`python oracle.py http://localhost:8000`
"""

import sys

from openenv.core.generic_client import GenericEnvClient

import numduel


def play_game(url: str, seed: int = 0) -> float:
    with GenericEnvClient(base_url=url).sync() as env:
        result = env.reset(seed=seed)
        state = env.state()
        game = numduel.new(state["game"], **state["settings"])
        total = 0.0
        while not result.done:
            verdicts = numduel.evaluate(game, game.read(result.observation["notation"]))
            move = max(verdicts, key=lambda move: verdicts[move].rank)
            result = env.step({"move": move})
            total += result.reward
        return total


if __name__ == "__main__":
    print(play_game(sys.argv[1]))
