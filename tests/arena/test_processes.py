"""How games are given out to worker processes."""

from numduel.arena.processes import CHUNK_SECONDS, MAX_CHUNK_GAMES, GameQueue


def test_a_chunk_has_as_many_games_as_fit_into_its_time():
    waiting = GameQueue(range(10**6))
    first = waiting.take()
    assert first == [0]
    waiting.finish(first, 1, CHUNK_SECONDS / 100)
    second = waiting.take()
    assert second == [*range(1, 101)]
    waiting.finish(second, 20, 2 * CHUNK_SECONDS)  # slower than was thought: the others wait again
    assert waiting.take() == [*range(21, 31)]
    waiting.finish([31], 1, 0)
    assert len(waiting.take()) == MAX_CHUNK_GAMES


def test_a_few_slow_games_are_shared_among_all_processes():
    waiting = GameQueue(range(4))
    taken = [waiting.take() for _ in range(2)]
    waiting.finish(taken[0], 1, 60)
    assert [*taken, waiting.take(), waiting.take(), waiting.take()] == [[0], [1], [2], [3], []]
    waiting.give_back([1])
    assert waiting.take() == [1]
