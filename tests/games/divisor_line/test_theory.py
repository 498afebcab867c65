"""The solution of Divisor Line, against the reference solver and plain searches."""

from functools import cache
from random import Random

import pytest

import numduel
from numduel.core.verdict import Verdict
from numduel.games.divisor_line import theory
from numduel.games.divisor_line.rules import Line, completes_chain, related
from numduel.solver.claims import ClaimSearch, mask_of
from numduel.solver.reference import retrograde


def line(size, goal="pair"):
    return numduel.new("divisor-line", size=size, goal=goal)


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_every_position_of_small_lines_equals_the_reference(size):
    game = line(size)
    for position, verdict in retrograde(game, game.start(), most=10**6).items():
        assert numduel.solve(game, position) == verdict, position
        if not position.won:
            after = game.play(position, game.theory.sound_move(position))
            assert (numduel.solve(game, after).value == "loss") == (verdict.value == "win")


class PlainClaims:
    """A game of claiming that is given only by the winning numbers of a set."""

    def __init__(self, size, threats):
        self.board = (2 << size) - 2
        self.threats = cache(threats)

    def new_wins(self, held, claim):
        return self.threats(held | claim)

    def near(self, claim):
        return self.board

    def matters(self, claim, mine, theirs):
        return True


def pair_search(size):
    def threats(held):
        numbers = [n for n in range(1, size + 1) if held >> n & 1]
        if len(numbers) < 2:
            return 0
        if len(numbers) == 2 and related(*numbers):
            return (2 << size) - 2
        return sum(1 << n for n in range(1, size + 1) if any(related(n, one) for one in numbers))

    return ClaimSearch(PlainClaims(size, threats))


def searched_verdict(search, position):
    search.reset()
    sides = position.owned(position.mover), position.owned(3 - position.mover)
    return search.solve(*(search.side(mask_of(side)) for side in sides))


def random_position(game, rng, longest):
    while True:
        position = game.start(rng.choice((1, 2)))
        for _ in range(rng.randint(0, longest)):
            position = game.play(position, rng.choice(game.moves(position)))
            if position.won:
                break
        if not position.won:
            return position


@pytest.mark.parametrize("size", [10, 12, 15, 20, 30, 60])
def test_pairs_equal_the_search_on_random_positions(size):
    rng = Random(size)
    game, search = line(size), pair_search(size)
    for _ in range(40):
        position = random_position(game, rng, 8)
        assert numduel.solve(game, position) == searched_verdict(search, position), position


def antichain_position(game, rng):
    """Return a position after many random claims of which none won."""
    position = game.start()
    for number in rng.sample(range(1, game.settings.size + 1), game.settings.size):
        if game.allows(position, number) and not game.play(position, number).won:
            position = game.play(position, number)
    return position


@pytest.mark.parametrize("size", [12, 20, 31])
def test_pairs_equal_the_search_late_in_long_games(size):
    rng = Random(size)
    game, search = line(size), pair_search(size)
    for _ in range(60):
        position = antichain_position(game, rng)
        assert numduel.solve(game, position) == searched_verdict(search, position), position


@pytest.mark.no_cover
@pytest.mark.parametrize("size", [16, 17, 20])
def test_chains_equal_the_reference_late_in_a_game(size, many):
    rng = Random(size)
    game = line(size, "chain")
    checked = 0
    while checked < many(4, 12):
        position = antichain_position(game, rng)
        while position.crosses and len(game.moves(position)) < 8:
            taken = sorted(position.crosses | position.noughts)
            gone = rng.choice(taken)
            position = Line(position.crosses - {gone}, position.noughts - {gone}, position.mover)
        found = retrograde(game, position, most=10**6)
        for one, verdict in found.items():
            assert game.theory.solve(one) == verdict  # of any marks, reachable or not
        checked += 1


@pytest.mark.parametrize("size", [8, 20, 61, 1000, 1_000_000])
def test_the_first_player_wins_pairs_in_five_at_every_size(size):
    game = line(size)
    position = game.start()
    assert numduel.solve(game, position) == Verdict("win", 5)
    position = game.play(position, size)
    assert numduel.solve(game, position) == Verdict("loss", 4)
    position = game.play(position, 1)
    assert numduel.solve(game, position) == Verdict("win", 3)
    position = game.play(position, game.theory.sound_move(position))
    assert numduel.solve(game, position) == Verdict("loss", 2)


def slow_verdict(game, position):
    """Return the verdict by a search that tries every claim, unless one is forced."""
    size = game.settings.size

    @cache
    def threats(held):
        return frozenset(n for n in range(1, size + 1) if completes_chain(held, n, size)) - held

    def wins(mine, theirs, depth):
        if threats(mine) - theirs:
            return True
        free = frozenset(range(1, size + 1)) - mine - theirs
        return depth > 1 and any(loses(theirs, mine | {n}, depth - 1) for n in free)

    def loses(mine, theirs, depth):
        danger = threats(theirs) - mine
        if depth < 2 or threats(mine) - theirs:
            return False
        free = danger or frozenset(range(1, size + 1)) - mine - theirs
        return len(danger) > 1 or all(wins(theirs, mine | {n}, depth - 1) for n in free)

    mine, theirs = position.owned(position.mover), position.owned(3 - position.mover)
    depth = 1
    while not (wins if depth % 2 else loses)(mine, theirs, depth):
        depth += 1
    return Verdict("win" if depth % 2 else "loss", depth)


@pytest.mark.parametrize("size", [16, 17, 18])
def test_chains_equal_a_search_without_short_cuts_after_every_two_moves(size):
    game = line(size, "chain")
    one = Random(size).randint(1, size)
    for two in range(1, size + 1):
        if two != one:
            position = game.read(f"{one}:{two}/1")
            assert numduel.solve(game, position) == slow_verdict(game, position), position


def test_chains_equal_a_search_without_short_cuts_on_random_positions(many):
    for seed in range(many(3, 30)):
        rng = Random(seed)
        game = line(rng.randint(16, 40), "chain")
        for _ in range(10):
            position = random_position(game, rng, rng.randint(3, 20))
            assert numduel.solve(game, position) == slow_verdict(game, position), position


@pytest.mark.parametrize("size", [101, 300])
def test_the_verdict_of_a_move_is_that_of_the_position_after_it(size):
    rng, game = Random(size), line(size, "chain")
    for longest in (0, 1, 6, 20):
        position = random_position(game, rng, longest)
        verdicts = numduel.evaluate(game, position)
        assert list(verdicts) == list(game.moves(position))
        for move in rng.sample(list(verdicts), 20):
            after = numduel.solve(game, game.play(position, move))
            assert verdicts[move] == after.before(same_mover=False)
        best = max(verdicts.values(), key=lambda verdict: verdict.rank)
        assert numduel.solve(game, position) == best
        sound = game.theory.sound_move(position)
        assert verdicts[sound].value == best.value


@pytest.mark.parametrize("size", [32, 33, 47, 100, 10_000])
def test_a_mover_who_holds_1_and_faces_no_threat_wins_within_three(size):
    rng, game = Random(size), line(size, "chain")
    seen = 0
    while seen < 20:
        position = game.play(game.start(), 1)
        for number in rng.sample(range(2, size + 1), 2 * rng.randint(1, 5) - 1):
            if not position.won:
                position = game.play(position, number)
        taken = position.crosses | position.noughts
        if not position.won and not any(game.theory.winning_claims(position.noughts, taken)):
            assert numduel.solve(game, position).distance in (1, 3)
            seen += 1


def test_chains_on_lines_that_are_too_long_are_refused():
    game = line(10_001, "chain")
    with pytest.raises(numduel.TooLarge, match="up to a size of 10,000, not 10,001"):
        numduel.solve(game, game.start())
    game = line(10_000, "chain")
    assert numduel.solve(game, game.start()) == Verdict("win", 5)
    with pytest.raises(numduel.TooLarge, match="move by move up to a size of 2,000, not 10,000"):
        numduel.evaluate(game, game.start())


@pytest.mark.parametrize("ask", ["solve", "evaluate", "sound_move"])
def test_a_search_that_takes_too_long_is_refused(ask, monkeypatch):
    monkeypatch.setattr(theory, "MAX_SEARCHED_CLAIMS", 100)
    game = line(100, "chain")
    position = game.read("17:-/2")  # which is won in seven
    for _ in range(2):
        with pytest.raises(numduel.TooLarge, match="more than 100 claims to look at"):
            getattr(game.theory, ask)(position)


@pytest.mark.parametrize(("size", "goal"), [(20, "pair"), (1_000_000, "pair"), (24, "chain")])
def test_a_sound_move_keeps_a_win(size, goal):
    game = line(size, goal)
    for moves in ((), (size,), (7, 9), (7, 9, 14)):
        position = game.start()
        for move in moves:
            position = game.play(position, move)
        after = game.play(position, game.theory.sound_move(position))
        won = game.theory.solve(position).value == "win"
        assert (game.theory.solve(after).value == "loss") == won


def test_a_sound_move_answers_a_threat():
    game = line(20)
    position = game.read("3,8:5,7/2")  # X threatens 1, 2, 4, 6, 9 and more
    assert game.theory.solve(position) == Verdict("win", 1)
    lost = game.read("3,8:5/2")
    assert game.theory.solve(lost) == Verdict("loss", 2)
    assert game.play(game.play(lost, game.theory.sound_move(lost)), 6).won


def test_longer_lines_cost_more():
    for goal in ("pair", "chain"):
        costs = [line(size, goal).theory.cost(line(size, goal).start()) for size in (16, 40, 90)]
        assert costs == sorted(costs)
        assert all(cost.values <= cost.evaluate for cost in costs)
