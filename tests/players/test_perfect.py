"""The perfect player keeps what it has, hurries, and sets traps."""

from random import Random

import pytest

import numduel
from numduel.players import Turn, player
from numduel.players.perfect import Perfect

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


def random_position(game, rng):
    position = game.start(rng.choice((1, 2)))
    for _ in range(rng.randint(0, 6)):
        moves = game.moves(position)
        if moves:
            position = game.play(position, rng.choice(moves))
    return position


def choose(game, position, rng, who="perfect"):
    return player(who).choose(Turn(game, position, 1, (), rng))


@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
def test_it_never_gives_anything_away(key, settings):
    rng = Random(1)
    game = numduel.new(key, **settings)
    for _ in range(25):
        position = random_position(game, rng)
        if game.outcome(position) is None:
            value = numduel.solve(game, position).value
            move = choose(game, position, rng)
            assert numduel.evaluate(game, position)[move].value == value


@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
def test_it_wins_every_won_position_against_random_moves(key, settings):
    rng = Random(2)
    game = numduel.new(key, **settings)
    won = 0
    while won < 15:
        position = random_position(game, rng)
        if game.outcome(position) or numduel.solve(game, position).value != "win":
            continue
        side = position.mover
        while (outcome := game.outcome(position)) is None:
            who = "perfect" if position.mover == side else "random"
            position = game.play(position, choose(game, position, rng, who))
        assert outcome.winner == side
        won += 1


def test_it_never_loses_an_endless_position_to_itself_or_to_random_moves():
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
            position = game.play(position, choose(game, position, rng, one))


def test_it_hurries_when_winning():
    game = numduel.new("multiplicity")
    assert choose(game, game.start(), Random(1)) in (29, 31, 37, 41, 43, 47)


def test_it_sets_the_trap_after_which_most_replies_are_mistakes():
    # From 11 to 20 doubling loses at once. From 4, lost with +1,x2 and target 9, the opponent
    # must answer 5 with 6 or 10 > 9, and 8 with 9 or 16 > 9: half of the replies are mistakes in
    # both cases, and then the longer way counts.
    game = numduel.new("operation-duel", target=9, start=1)
    position = game.start()
    assert numduel.solve(game, position).value == "loss"
    verdicts = numduel.evaluate(game, position)
    move = choose(game, position, Random(1))
    assert verdicts[move].distance == max(verdict.distance for verdict in verdicts.values())


def test_traps_come_before_length():
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
        assert share(choose(game, position, rng)) == best


def test_it_swaps_just_where_the_other_side_is_better():
    game = numduel.new("divisor-line", goal="chain")
    for opening in game.moves(game.start()):
        position = game.play(game.start(), opening)
        swaps = Perfect().swaps(Turn(game, position, 1, (opening,), Random(1)))
        # The opening wins for whoever has made it just if the mover now is lost.
        assert swaps == (numduel.evaluate(game, game.start())[opening].value == "win")


def test_the_same_seed_gives_the_same_game():
    game = numduel.new("divisor-line")
    for who in ("easy", "medium", "hard", "perfect"):
        moves = [choose(game, game.start(), Random(9), who) for _ in range(2)]
        assert moves[0] == moves[1]


def test_an_opening_that_can_be_taken_over_is_not_chosen_for_winning():
    game = numduel.new("divisor-duel", divisor=4, start=2, ceiling=30)
    # From 2, doubling gives 4 and ends the game: no swap can follow.
    turn = Turn(game, game.start(), 1, (), Random(1), swap_ahead=True)
    assert all(player(who).choose(turn) == 2 for who in ("easy", "medium", "hard", "perfect"))
    chain = numduel.new("divisor-line", goal="chain")
    turn = Turn(chain, chain.start(), 1, (), Random(1), swap_ahead=True)
    verdicts = numduel.evaluate(chain, chain.start())
    chosen = verdicts[Perfect().choose(turn)]
    # Whichever side it leaves the opponent, the end is as far away as it can be.
    assert chosen.distance == max(verdict.distance for verdict in verdicts.values())
