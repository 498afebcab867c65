"""The oracle: plays a game on a server with sound moves alone, and prints all that it was paid.

`python oracle.py http://localhost:8000`
"""

import sys

from openenv.core.generic_client import GenericEnvClient

import numduel


def played(url: str, seed: int = 0) -> float:
    with GenericEnvClient(base_url=url).sync() as env:
        result = env.reset(seed=seed)
        state = env.state()
        game = numduel.new(state["game"], **state["settings"])
        paid = 0.0
        while not result.done:
            verdicts = numduel.evaluate(game, game.read(result.observation["notation"]))
            move = max(verdicts, key=lambda move: verdicts[move].rank)
            result = env.step({"move": move})
            paid += result.reward
        return paid


if __name__ == "__main__":
    print(played(sys.argv[1]))
