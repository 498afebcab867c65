"""How games are handed out to the processes that play them."""

from numduel.arena.crew import MOST, Waiting
from numduel.arena.guard import CHUNK


def test_about_as_many_games_are_handed_out_as_fill_the_time_of_a_chunk():
    waiting = Waiting(range(10**6))
    first = waiting.take()
    assert first == [0]
    waiting.played(first, 1, CHUNK / 100)
    second = waiting.take()
    assert second == [*range(1, 101)]
    waiting.played(second, 20, 2 * CHUNK)  # slower than was thought: the others wait again
    assert waiting.take() == [*range(21, 31)]
    waiting.played([31], 1, 0)
    assert len(waiting.take()) == MOST


def test_a_few_slow_games_are_shared_among_all():
    waiting = Waiting(range(4))
    taken = [waiting.take() for _ in range(2)]
    waiting.played(taken[0], 1, 60)
    assert [*taken, waiting.take(), waiting.take(), waiting.take()] == [[0], [1], [2], [3], []]
    waiting.give_back([1])
    assert waiting.take() == [1]
