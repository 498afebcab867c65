"""The perfect player gives nothing away, wins quickly, sets traps, and answers in time."""

from random import Random

import pytest
from tests.toy_games import GraphGame, PricedGame, asked, random_graph

import numduel
from numduel.core.explore import playout, reachable
from numduel.core.theory import Cost
from numduel.core.verdict import Verdict
from numduel.players import Turn, player
from numduel.players.perfect import Decision, Perfect, Trap, decide
from numduel.solver import theory_of
from numduel.solver.reference import retrograde

SETTINGS = [
    ("divisor-duel", {}),
    ("divisor-duel", {"ceiling": 60}),
    ("operation-duel", {"target": 40}),
    ("operation-duel", {"target": 30, "operations": "+1,-2,x2"}),
    ("double-or-add", {"target": 42}),
    ("divisor-line", {}),
    ("divisor-line", {"goal": "chain"}),
    ("multiplicity", {"size": 30, "start": 2}),
    ("multiplicity", {"size": 400, "start": 2}),
]

SMALL = [
    *(("divisor-duel", {"divisor": d, "ceiling": c}) for d in (1, 2, 5, 8, 13) for c in (9, 40)),
    *(("operation-duel", {"target": t}) for t in (2, 9, 20)),
    *(("operation-duel", {"target": t, "operations": "+1,-2,x2"}) for t in (7, 16)),
    *(("operation-duel", {"target": 20, "operations": o}) for o in ("-3,x3", "+1,-1", "+4,x3")),
    *(("double-or-add", {"target": t}) for t in (2, 11, 31)),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 8}),
    *(("multiplicity", {"size": size, "start": 1}) for size in (1, 4, 8, 10)),
    ("multiplicity", {"size": 9, "start": 6, "start_open": True}),
    ("multiplicity", {"size": 9, "start": 2, "opening": "even"}),
]


def random_position(game, rng):
    *_, (position, _) = playout(game, rng, most=rng.randint(0, 6))
    return position


def choose(game, position, rng, who="perfect", seconds=None):
    return player(who).choose(Turn(game, position, 1, (), rng, seconds=seconds))


def gives_away(game, seconds):
    """Return the positions, of all that can be reached, in which it gives something away."""
    truth = retrograde(game, game.start())
    found = []
    for position in reachable(game, [game.start()]):
        if game.outcome(position) is None:
            after = game.after(position, choose(game, position, Random(1), seconds=seconds))
            kept = truth[after].before(after.mover == position.mover).score
            if kept < truth[position].score:
                found.append(position)
    return found


@pytest.mark.no_cover
@pytest.mark.parametrize("seconds", [None, 0])
@pytest.mark.parametrize(("key", "settings"), SMALL, ids=str)
def test_it_gives_nothing_away_in_any_small_game(key, settings, seconds):
    assert gives_away(numduel.new(key, **settings), seconds) == []


@pytest.mark.parametrize("seconds", [None, 0])
def test_it_gives_nothing_away_in_games_with_cycles_and_draws(seconds):
    values = set()
    for seed in range(60):
        game = random_graph(seed)
        values |= {verdict.value for verdict in retrograde(game, game.start()).values()}
        assert gives_away(game, seconds) == []
    assert values == {"win", "draw", "endless", "loss"}


@pytest.mark.no_cover
@pytest.mark.parametrize("seconds", [None, 2, 0])
@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
def test_it_wins_every_won_position_against_random_moves(key, settings, seconds):
    rng = Random(2)
    game = numduel.new(key, **settings)
    won = 0
    while won < 6:
        position = random_position(game, rng)
        if game.outcome(position) or numduel.solve(game, position).value != "win":
            continue
        side = position.mover
        while (outcome := game.outcome(position)) is None:
            who = "perfect" if position.mover == side else "random"
            position = game.play(position, choose(game, position, rng, who, seconds))
        assert outcome.winner == side
        won += 1


@pytest.mark.parametrize("seconds", [None, 0])
def test_it_never_loses_an_endless_position_to_itself_or_to_random_moves(seconds):
    rng = Random(3)
    game = numduel.new("divisor-duel")
    for who in ("perfect", "random"):
        position = game.start()
        for _ in range(300):
            outcome = game.outcome(position)
            if outcome is not None:
                assert (who, outcome.winner) == ("random", 1)
                break
            one = "perfect" if position.mover == 1 else who
            position = game.play(position, choose(game, position, rng, one, seconds))


# Why it decides so.


def test_an_immediate_win_is_the_quickest_whatever_is_known_about_other_moves():
    game = numduel.new("multiplicity", size=1000)
    decided = decide(asked(game))
    assert decided.verdict == Verdict("win", 1)
    assert game.moves(game.play(game.start(), decided.move)) == ()


def test_its_decision_shows_if_only_one_move_is_sound():
    verdicts = {1: Verdict("win", 9), 2: Verdict("loss", 1)}
    assert decide(asked(numduel.new("operation-duel", start=11))) == Decision(
        1, Verdict("win", 9), verdicts=verdicts
    )


def test_it_holds_out_longest_if_no_reply_is_a_mistake():
    # 0 -> 1 or 2, both lost; 1 ends at once and 2 two moves later, with no other way to go.
    game = GraphGame({0: (1, 2), 1: (5,), 2: (3,), 3: (4,), 4: (5,)}, {5: "lost"})
    assert decide(asked(game))[:3] == (2, Verdict("loss", 4), {})


def test_if_nobody_wins_and_there_is_no_trap_any_move_will_do():
    game = GraphGame({0: (1, 2), 1: (3,), 2: (4,), 3: (0,), 4: (0,)}, {})
    decided = decide(asked(game))
    assert (decided.verdict, decided.traps) == (Verdict("endless"), {})


def test_its_own_next_moves_do_not_count_as_a_trap():
    # Whoever leaves 0 moves again, and of 1 and 2 only 1 leaves it a wrong move to make.
    ends = {5: "drawn", 6: "won"}
    game = GraphGame({0: (1, 2), 1: (5, 6), 2: (5,)}, ends, again=0)
    assert not decide(asked(game)).traps


def test_it_sets_the_trap_after_which_most_replies_are_mistakes():
    # From 11 to 20 doubling loses at once. From 1, lost with target 9, both moves lead to 2, to
    # which one of two replies is right; the trap is then as deep as can be, and so far away.
    game = numduel.new("operation-duel", target=9, start=1)
    decided = decide(asked(game))
    assert decided.traps[decided.move] == Trap(1, 2)
    verdicts = numduel.evaluate(game, game.start())
    assert decided.verdict.distance == max(verdict.distance for verdict in verdicts.values())


@pytest.mark.parametrize("seconds", [None, 2])
def test_traps_come_before_length(seconds):
    game = numduel.new("multiplicity", size=20, start=1)
    rng = Random(5)
    seen = 0
    while seen < 10:
        position = random_position(game, rng)
        if game.outcome(position) or numduel.solve(game, position).value != "loss":
            continue
        seen += 1

        def share(move, position=position):
            replies = numduel.evaluate(game, game.play(position, move)).values()
            return sum(reply.value != "win" for reply in replies) / len(replies)

        best = max(share(move) for move in game.moves(position))
        assert share(choose(game, position, rng, seconds=seconds)) == best


@pytest.mark.no_cover
def test_a_lost_position_is_not_lost_at_once():
    # It once said here that 1 is as good as any, to which 211 is the end.
    game = numduel.new("multiplicity", size=400, start=6)
    for seconds in (None, 2, 0):
        decided = decide(asked(game, seconds=seconds))
        assert (decided.verdict.value, bool(decided.traps)) == ("loss", True)
        assert decided.move != 1


# The swap.


def test_it_swaps_exactly_if_the_other_side_is_better():
    game = numduel.new("divisor-line", goal="chain")
    for opening in game.moves(game.start()):
        # The opening wins for whoever has made it just if the mover now is lost.
        swaps = Perfect().swaps(asked(game, opening))
        assert swaps == (numduel.evaluate(game, game.start())[opening].value == "win")


def test_an_opening_that_can_be_taken_over_is_not_chosen_for_winning():
    game = numduel.new("divisor-duel", divisor=4, start=2, ceiling=30)
    # From 2, doubling gives 4 and ends the game: no swap can follow.
    turn = asked(game, swap_ahead=True)
    assert all(player(who).choose(turn) == 2 for who in ("level:10", "perfect"))
    chain = numduel.new("divisor-line", goal="chain")
    turn = asked(chain, swap_ahead=True)
    verdicts = numduel.evaluate(chain, chain.start())
    decided = decide(turn)
    # Whichever side it leaves the opponent, the end is as far away as it can be.
    chosen = verdicts[decided.move]
    assert chosen.distance == max(verdict.distance for verdict in verdicts.values())


# Time.

ARROWS = {0: (1, 2, 3), 1: (4,), 2: (5,), 3: (0,), 4: (5,)}, {5: "lost"}


def test_it_asks_the_theory_for_as_much_as_there_is_time_for():
    def asks(seconds, *price, once=0.0):
        game = PricedGame(*ARROWS, price=Cost(*price, once=once))
        decided = decide(asked(game, seconds=seconds))
        assert decided.verdict.value == "win"
        return set(game.priced.asked)

    assert asks(3, 0.1, 0.5, 1) == {"evaluate"}
    assert asks(3, 0.1, 0.5, 1.1) == {"values"}
    assert asks(3, 0.1, 0.5, 0.9, once=0.2) == {"values"}
    assert asks(3, 0.1, 1.1, 1.1) == {"solve", "sound_move"}
    assert asks(0, 0.1, 0.15, 1) == {"values"}  # a minimum of time is always allowed
    assert asks(None, 2, 2, 3) == {"evaluate"}
    assert asks(None, 99, 99, 99) == {"solve", "sound_move"}  # as long as it takes


def test_if_there_is_no_time_for_a_sound_move_it_looks_ahead():
    game = PricedGame(*ARROWS, price=Cost(9, 9, 9))
    turn = asked(game, seconds=3)
    with pytest.raises(numduel.TooLarge, match="takes too long"):
        decide(turn)
    assert Perfect().choose(turn) == 1  # which wins in three
    assert Perfect().swaps(asked(game, 1, seconds=3)) is True
    assert Perfect().swaps(asked(game, 2, seconds=3)) is False
    assert not game.priced.asked
    round_and_round = PricedGame({0: (1,), 1: (0,)}, {}, price=Cost(9, 9, 9))
    answers = [Perfect().swaps(asked(round_and_round, 1, seconds=3, seed=s)) for s in range(9)]
    assert {*answers} == {True, False}
    with pytest.raises(numduel.TooLarge):
        decide(asked(game, seconds=3, swap_ahead=True))


def test_it_examines_as_many_traps_as_there_is_time_for():
    # Every way from 0 loses, and each leaves the opponent one mistake, the move to 10.
    ways = range(1, 9)
    arrows = {0: tuple(ways), **dict.fromkeys(ways, (9, 10)), 10: (11,)}
    game = PricedGame(arrows, {9: "lost", 11: "lost"}, price=Cost(0.1, 0.1, 0.2))
    assert set(decide(asked(game, seconds=3)).traps.values()) == {Trap(1, 2)}
    assert game.priced.asked == {"evaluate": 1, "values": 8}
    game = PricedGame(arrows, {9: "lost", 11: "lost"}, price=Cost(0.1, 0.3, 0.3))
    assert set(decide(asked(game, seconds=3)).traps.values()) == {Trap(1, 2)}
    assert game.priced.asked == {"evaluate": 1, "values": 2}
    game = PricedGame(arrows, {9: "lost", 11: "lost"}, price=Cost(0.1, 0.7, 0.7))
    assert not decide(asked(game, seconds=3)).traps
    assert game.priced.asked == {"evaluate": 1}
    game = PricedGame(arrows, {9: "lost", 11: "lost"}, price=Cost(0.1, 0.7, 9))
    assert not decide(asked(game, seconds=3)).traps
    assert game.priced.asked == {"values": 1, "sound_move": 1}


LARGEST = [
    ("multiplicity", {"size": 1_000_000}),
    ("multiplicity", {"size": 1_000_000, "start": 6}),
    ("operation-duel", {"target": 100_000_000, "operations": "+1,-2,x3"}),
    ("operation-duel", {"target": 10**900, "operations": "+1,x3"}),
    ("divisor-duel", {"ceiling": 10**900}),
    ("divisor-line", {"size": 1_000_000, "goal": "chain"}),
]


@pytest.mark.no_cover
@pytest.mark.soak(keep=6)
@pytest.mark.parametrize(("key", "settings"), LARGEST, ids=lambda one: str(one)[:40])
@pytest.mark.parametrize("who", ["easy", "hard", "perfect"])
def test_the_largest_games_are_played_in_time_without_their_theory(key, settings, who):
    game = numduel.new(key, **settings)
    turn = asked(game, seconds=2)
    assert game.allows(turn.position, player(who).choose(turn))
    assert player(who).swaps(asked(game, game.moves(turn.position)[0], seconds=2)) in (True, False)
    assert not {"_walks", "_found", "_search"} & vars(theory_of(game)).keys()


def test_the_largest_line_is_played_soundly_in_time():
    game = numduel.new("divisor-line", size=1_000_000)
    turn = asked(game, 500_001, 999_999, seconds=2)
    after = game.play(turn.position, Perfect().choose(turn))
    assert numduel.solve(game, after).value == "loss"


@pytest.mark.no_cover
@pytest.mark.parametrize("seconds", [None, 2, 0])
@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
def test_a_seed_gives_the_same_move_whatever_was_solved_before(key, settings, seconds):
    for who in ("easy", "hard", "perfect"):
        cold, warm = numduel.new(key, **settings), numduel.new(key, **settings)
        moves = [warm.moves(warm.start())[-1]]
        numduel.evaluate(warm, warm.start())
        numduel.evaluate(warm, warm.play(warm.start(), moves[0]))
        chosen = [player(who).choose(asked(g, *moves, seconds=seconds)) for g in (cold, warm)]
        assert chosen[0] == chosen[1]


def test_a_game_without_its_own_theory_is_solved_if_it_is_small():
    line = {place: (place + 1,) for place in range(6_000)}
    large, small = (GraphGame(line, {end: "lost"}) for end in (6_000, 4_000))
    assert theory_of(large).cost(large.start()).once == pytest.approx(4)
    assert theory_of(small).cost(small.start()).once < 0.1


def test_it_refuses_a_game_that_it_cannot_solve():
    with pytest.raises(numduel.TooLarge):
        Perfect().check_fit(numduel.new("operation-duel", target=10**12, operations="+1,-1,x3"))
    Perfect().check_fit(numduel.new("multiplicity"))
