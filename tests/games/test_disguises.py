"""Disguises: whoever reads only the words that they tell the rules in plays the same tree."""

import re

import networkx as nx
import pytest
from networkx.algorithms.isomorphism import rooted_tree_isomorphism

import numduel
from numduel import TooLarge
from numduel.core.telling import Telling

SMALL = [
    ("divisor-duel", {"divisor": 4, "ceiling": 11}),
    ("divisor-duel", {"divisor": 3, "start": 3, "ceiling": 12}),
    ("operation-duel", {"target": 9, "operations": "+1,-2,x2"}),
    ("operation-duel", {"target": 12, "start": 2, "operations": "+3,x3"}),
    ("double-or-add", {"target": 11}),
    ("divisor-line", {"size": 6}),
    ("multiplicity", {"size": 7}),
    ("multiplicity", {"size": 8, "opening": "even"}),
    ("multiplicity", {"size": 6, "start": 2, "start_open": True}),
]
SEEDS = (1, 2)


DEEPEST = 8  # moves: some of these games have no end


def tree(start, follow):
    """The tree of a game, its ends marked: `follow(state)` gives what comes next, and who has won.

    An end has as many leaves as the seat that won; a node at which it is cut off has three.
    """
    graph = nx.Graph()
    graph.add_node(0)
    waiting = [(0, start, 0)]
    while waiting:
        node, state, depth = waiting.pop()
        after, winner = follow(state)
        marks = winner if winner else 3 if depth == DEEPEST else 0
        for one in [None] * marks if marks else after:
            graph.add_edge(node, len(graph))
            if not marks:
                waiting.append((len(graph) - 1, one, depth + 1))
    return graph


def plainly(game):
    def follow(position):
        outcome = game.outcome(position)
        after = [game.after(position, move) for move in game.moves(position)]
        return after, outcome and outcome.winner

    return tree(game.start(), follow)


def positions_of(game):
    found, waiting = set(), [game.start()]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            waiting += [game.after(position, move) for move in game.moves(position)]
    return list(found)


def tally_by_its_words(rules):
    """Moves and ends, from the words alone: (start, moves of a number, end of a move)."""
    start = int(re.search(r"At first it is (-?\d+)", rules)[1])
    menu = []
    for line in re.findall(r"^[A-Z]: (.*)$", rules, re.M):
        times = re.search(r"multiply it by (\d+)", line)
        add = re.search(r"add (\d+)", line)
        less = re.search(r"take away (\d+)", line)
        menu.append(
            (int(times[1]) if times else 1, int(add[1]) if add else 0, int(less[1]) if less else 0)
        )
    floor = re.search(r"would take it (below|above) (-?\d+)", rules)
    exact = re.search(r"exactly (-?\d+) wins. Whose move takes it (above|below) loses", rules)
    limit = re.search(r"takes it (above|below) (-?\d+) loses", rules)
    rest = re.search(r"leaves the remainder (\d+) when divided by (\d+)", rules)

    def past(number, side, bound):
        return number > bound if side == "above" else number < bound

    def moves(number):
        made = [times * number + more - less for times, more, less in menu]
        return [n for n in made if not floor or not past(n, floor[1], int(floor[2]))]

    def end(number):
        if exact:
            goal = int(exact[1])
            return "won" if number == goal else "lost" if past(number, exact[2], goal) else ""
        if limit and past(number, limit[1], int(limit[2])):
            return "lost"
        return "won" if number % int(rest[2]) == int(rest[1]) else ""

    return start, moves, end


def told_tally(rules):
    start, moves, end = tally_by_its_words(rules)

    def follow(state):
        number, mover, ended = state
        after = [] if ended else [(n, 3 - mover, end(n)) for n in moves(number)]
        return after, {"won": 3 - mover, "lost": mover, "": None if after else 3 - mover}[ended]

    return tree((start, 1, ""), follow)


def beside(rules):
    pairs = re.findall(r"^(\w+): (.*)$", rules, re.M)
    return {one: set() if others == "none" else set(others.split(", ")) for one, others in pairs}


def told_walk(rules):
    joined = beside(rules)
    start = re.search(r"It begins in (\w+)", rules)[1]
    first = re.search(r"first move must be to one of these: (.*)\.", rules)
    used = frozenset() if "counts as new" in rules else frozenset({start})

    def follow(state):
        place, used, mover, opening = state
        to = joined[place] - used
        if opening and first:
            to &= set(first[1].split(", "))
        after = [(one, used | {one}, 3 - mover, False) for one in to]
        return after, None if after else 3 - mover

    return tree((start, used, 1, True), follow)


def told_line(rules):
    fits = beside(rules)
    assert "at least three of them" in rules

    def follow(state):
        mine, theirs, mover = state
        if len(theirs) >= 3 and any(one in fits[other] for one in theirs for other in theirs):
            return [], 3 - mover
        free = fits.keys() - mine - theirs
        return [(theirs, mine | {one}, 3 - mover) for one in free], None

    return tree((frozenset(), frozenset(), 1), follow)


TOLD = {"tally": told_tally, "walk": told_walk, "line": told_line}


def family(game):
    return type(game).__module__.split(".")[2]


def alike(one, two):
    return len(one) == len(two) and bool(rooted_tree_isomorphism(one, 0, two, 0))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("key", "settings"), SMALL)
@pytest.mark.soak(keep=6)
def test_the_words_of_a_disguise_make_the_same_game(key, settings, seed):
    game = numduel.new(key, **settings)
    plain = plainly(game)
    tellings = game.disguises(seed)
    assert len(tellings) >= 3
    for telling in tellings:
        told = TOLD[family(game)](telling.rules)
        assert alike(told, plain), telling.title


def test_another_goal_is_not_taken_for_the_same_game():
    game, other = (numduel.new("double-or-add", target=target) for target in (11, 12))
    assert not alike(told_tally(game.disguises(1)[0].rules), plainly(other))


@pytest.mark.parametrize(("key", "settings"), SMALL)
@pytest.mark.soak(keep=4)
def test_every_position_and_every_move_has_words_of_its_own(key, settings):
    game = numduel.new(key, **settings)
    positions = positions_of(game)
    for telling in game.disguises(3):
        assert len({telling.describe(position) for position in positions}) == len(positions)
        for position in positions:
            for move in game.moves(position):
                label = telling.label(position, move)
                assert telling.read(position, f" {label.lower()} ") == move
        assert telling.read(positions[0], "nothing of the kind") is None
        assert telling.form.startswith("A move is written as")


def test_a_disguise_tells_of_chains_and_of_no_ceiling():
    chain = numduel.new("divisor-line", goal="chain", size=16).disguises(1)[0]
    assert "both others" in chain.rules
    assert "loses" not in numduel.new("divisor-duel").disguises(1)[0].rules


def test_no_word_of_the_plain_game_is_left():
    for key, settings in SMALL:
        game = numduel.new(key, **settings)
        for telling in game.disguises(1):
            text = f"{telling.title} {telling.rules} {telling.describe(game.start())}".lower()
            for word in ("divisor", "multipl" if key == "multiplicity" else "target", "duel"):
                assert word not in text


def test_a_seed_decides_and_a_large_board_is_refused():
    game = numduel.new("multiplicity", size=20)
    one, again, other = (game.disguises(seed)[0].rules for seed in (1, 1, 2))
    assert one == again != other
    assert game.disguises(1)[0].form == "A move is written as the name of the village."
    for key in ("multiplicity", "divisor-line"):
        with pytest.raises(TooLarge, match="not disguised"):
            numduel.new(key, size=1000).disguises(1)


def test_the_plain_telling_is_the_game_as_it_is():
    game = numduel.new("double-or-add")
    telling, start = Telling(game), game.start()
    assert telling.title == "Double or Add" and "The settings: target 31" in telling.rules
    assert telling.form == "A move is written as its number: 1 for Double, 2 for Add One."
    assert telling.describe(start) == "number 1, Player 1 to move."
    assert (telling.label(start, 2), telling.read(start, " 2 "), telling.read(start, "x")) == (
        "2",
        2,
        None,
    )
    assert "the number that you choose" in Telling(numduel.new("multiplicity")).form
