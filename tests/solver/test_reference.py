"""The reference solver, tested with games of known solution and by brute force."""

from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from tests.toy_games import Maze, Nim, Pile, Places, Stand

from numduel import TooLarge
from numduel.core.game import Outcome, other
from numduel.core.verdict import Verdict
from numduel.solver import evaluate, reference, solve, theory_of
from numduel.solver.reference import Reference, retrograde


class Again(Nim):
    """Nim in which a player who takes one stone moves again."""

    def after(self, position, move):
        return Pile(position.stones - move, position.mover if move == 1 else other(position.mover))

    def outcome(self, position):
        return None if position.stones else Outcome(position.mover, "last")


class Drawn(Nim):
    def outcome(self, position):
        return None if position.stones else Outcome(None, "drawn")


UP_TO_THREE = {"stones": 12, "most": 3}


def test_multiples_of_four_lose_when_up_to_three_can_be_taken():
    game = Nim(**UP_TO_THREE)
    found = retrograde(game, game.start())
    assert found[Pile(0, 1)] == Verdict("loss", 0)
    for (left, _), verdict in found.items():
        assert verdict.value == ("loss" if left % 4 == 0 else "win")
    assert {left for left, _ in found} == set(range(13))


def test_the_winner_hurries_and_the_loser_delays():
    game = Nim(**UP_TO_THREE)
    # From 4 the loser takes 1 and the winner 3, which is 2 moves. From 7 the winner takes 3 first.
    assert solve(game, Pile(4, 1)) == Verdict("loss", 2)
    assert solve(game, Pile(7, 1)) == Verdict("win", 3)
    assert solve(game, Pile(8, 2)) == Verdict("loss", 4)


def test_a_game_that_nobody_can_end_is_endless():
    # At b the mover wins, or goes round between c and d for ever.
    game = Places(a={1: "b", 2: "c"}, b={0: "lost", 2: "c"}, c={3: "d"}, d={2: "c"})
    found = retrograde(game, game.start())
    assert found[Stand("b", 2)] == Verdict("win", 1)
    assert found[Stand("c", 1)] == found[Stand("d", 1)] == Verdict("endless")
    assert found[Stand("a", 1)] == Verdict("endless")
    assert evaluate(game, game.start()) == {1: Verdict("loss", 2), 2: Verdict("endless")}


def test_a_player_may_move_twice_running():
    game = Again(**UP_TO_THREE)
    assert solve(game, Pile(1, 1)) == Verdict("win", 1)
    assert solve(game, Pile(2, 1)) == Verdict("win", 2)


def test_a_game_that_ends_without_a_winner_is_a_draw():
    game = Drawn(**UP_TO_THREE)
    assert solve(game, game.start()) == Verdict("draw", 4)
    assert solve(game, Pile(0, 1)) == Verdict("draw", 0)
    assert theory_of(game).explanation(game.start(), 3) == ("verdict", ("draw", 4), (), (), ())


def test_too_many_positions_are_refused_rather_than_guessed():
    game = Nim(**UP_TO_THREE)
    with pytest.raises(TooLarge, match="more than 10 positions"):
        retrograde(game, game.start(), most=10)


def test_the_memory_of_the_reference_solver_is_bounded(monkeypatch):
    monkeypatch.setattr(reference, "MAX_EXPLORED_POSITIONS", 30)
    game = Nim(stones=14, most=3)
    theory = Reference(game)
    for stones in (14, 3, 14, 2, 13, 1, 14):
        for mover in (1, 2):
            verdict = theory.solve(Pile(stones, mover))
            assert verdict.value == ("win" if stones % 4 else "loss")
            assert 0 < len(theory._known) <= 30


def test_the_cost_of_a_question_does_not_depend_on_earlier_questions():
    game = Nim(**UP_TO_THREE)
    theory = theory_of(game)
    assert theory is theory_of(game)
    before = theory.cost(game.start())
    theory.solve(game.start())
    assert theory.cost(game.start()) == before and before.once > 0


# By brute force. A graph has places; in each a seat moves along its ways, or the game is over.

NOBODY, FOR_EVER = 0, "for ever"


class Place(NamedTuple):
    mover: int
    ways: tuple[int, ...]
    winner: int = NOBODY  # where there are no ways


def random_graph(rng):
    count = rng.randint(2, 6)
    graph = []
    for _ in range(count):
        ways = rng.choices(range(count), k=rng.choice((0, 1, 1, 2, 2, 3)))
        graph.append(Place(rng.choice((1, 2)), tuple(ways), rng.choice((1, 2, NOBODY, NOBODY))))
    return tuple(graph)


def strategies(graph, seat):
    """Yield every strategy of a seat: a way from each of its places."""
    choices = [set(p.ways) if p.mover == seat and p.ways else {None} for p in graph]
    return product(*choices)


def ends(graph, seat, strategy, place, before=()):
    """Return the possible results against a strategy: a winner, NOBODY or FOR_EVER."""
    if place in before:
        return {FOR_EVER}
    mover, ways, winner = graph[place]
    if not ways:
        return {winner}
    if mover == seat:
        ways = (strategy[place],)
    return set().union(*(ends(graph, seat, strategy, way, (*before, place)) for way in ways))


def value_by_force(graph, place):
    """Return the value for the mover, by the definitions of the values."""
    reached = {
        seat: [ends(graph, seat, strategy, place) for strategy in strategies(graph, seat)]
        for seat in (1, 2)
    }
    for seat in (1, 2):
        if {seat} in reached[seat]:
            return "win" if seat == graph[place].mover else "loss"
    if any(found <= {seat, FOR_EVER} for seat in (1, 2) for found in reached[seat]):
        return "endless"
    return "draw"


def wins_within(graph, seat, place, moves):
    """Return whether a seat can force a win in at most that many moves."""
    mover, ways, winner = graph[place]
    if not ways:
        return winner == seat
    some_or_all = any if mover == seat else all
    return moves > 0 and some_or_all(wins_within(graph, seat, way, moves - 1) for way in ways)


def steps_to_a_draw(graph, values, place):
    """Return the fewest moves to a drawn end through drawn places only."""
    steps, here = 0, {place}
    while not any(not graph[one].ways for one in here):
        here = {way for one in here for way in graph[one].ways if values[way] == "draw"}
        steps += 1
    return steps


def verdicts_by_force(graph):
    values = [value_by_force(graph, place) for place in range(len(graph))]
    found = []
    for place, value in enumerate(values):
        distance = None
        if value in ("win", "loss"):
            seat = graph[place].mover if value == "win" else other(graph[place].mover)
            distance = next(n for n in range(20) if wins_within(graph, seat, place, n))
        elif value == "draw":
            distance = steps_to_a_draw(graph, values, place)
        found.append(Verdict(value, distance))
    return found


def by_reference(graph):
    ways = {p: [(way, graph[way].mover) for way in graph[p].ways] for p in range(len(graph))}
    ends = {p: place.winner or None for p, place in enumerate(graph) if not place.ways}
    return {
        position.place: verdict
        for p, place in enumerate(graph)
        for position, verdict in retrograde(Maze(ways, ends), Stand(p, place.mover)).items()
    }


def test_a_draw_that_both_can_force_and_an_end_that_one_can_avoid():
    # At 0 Player 1 can stay for ever, or move to 1, where Player 2 must end the game.
    graph = (Place(1, (0, 1)), Place(2, (2,)), Place(1, (), NOBODY))
    assert verdicts_by_force(graph) == [Verdict("endless"), Verdict("draw", 1), Verdict("draw", 0)]
    assert by_reference(graph) == dict(enumerate(verdicts_by_force(graph)))


def test_a_draw_may_require_avoiding_a_position_where_the_opponent_can_go_round():
    # At 0 Player 1 can let Player 2 into the round trip of 1, or end the game: a draw.
    graph = (Place(1, (1, 2)), Place(2, (1, 2)), Place(2, (), NOBODY))
    assert verdicts_by_force(graph) == [Verdict("draw", 1), Verdict("endless"), Verdict("draw", 0)]
    assert by_reference(graph) == dict(enumerate(verdicts_by_force(graph)))


def test_random_graphs_with_draws_and_cycles_equal_brute_force(many):
    seen = set()
    for seed in range(many(1000, 4000)):
        graph = random_graph(Random(seed))
        expected = verdicts_by_force(graph)
        assert by_reference(graph) == dict(enumerate(expected)), graph
        seen.add(frozenset(verdict.value for verdict in expected))
        for place, verdict in enumerate(expected):
            if verdict.value == "draw" and graph[place].ways:
                assert any(expected[way].value == "draw" for way in graph[place].ways)
    assert frozenset({"draw", "endless"}) in seen
    assert frozenset({"win", "draw", "endless", "loss"}) in seen
