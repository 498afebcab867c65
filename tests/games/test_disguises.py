"""Disguises: a game that is rebuilt from the words of a disguise alone has the same tree."""

import re

import networkx as nx
import pytest
from networkx.algorithms.isomorphism import rooted_tree_isomorphism

import numduel
from numduel import TooLarge
from numduel.core.explore import reachable
from numduel.core.game_text import GameText
from numduel.core.words import Last

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


MAX_DEPTH = 8  # moves, as some of these games are endless


def tree(start, follow):
    """Return the tree of a game, where `follow(state)` returns the next states and the winner.

    An end has as many leaves as the number of the seat that won, a node at MAX_DEPTH has three.
    """
    graph = nx.Graph()
    graph.add_node(0)
    waiting = [(0, start, 0)]
    while waiting:
        node, state, depth = waiting.pop()
        after, winner = follow(state)
        marks = winner if winner else 3 if depth == MAX_DEPTH else 0
        for one in [None] * marks if marks else after:
            graph.add_edge(node, len(graph))
            if not marks:
                waiting.append((len(graph) - 1, one, depth + 1))
    return graph


def plain_tree(game):
    def follow(position):
        outcome = game.outcome(position)
        after = [game.after(position, move) for move in game.moves(position)]
        return after, outcome and outcome.winner

    return tree(game.start(), follow)


def tree_of_tally_story(rules):
    """Return the tree of the numbers and operations in a story."""
    start = int(re.search(r"At first the .*? is (\d+)", rules)[1])
    menu = []
    for line in re.findall(r"^[A-I]: (.*)$", rules, re.M):
        amount = int(re.search(r"\d+", line)[0])
        menu.append((amount, 0) if "times as large" in line else (1, amount))
        if line.startswith("lower"):
            menu[-1] = (1, -amount)
    exact = re.search(r"exactly (\d+) wins", rules)
    divides = re.search(r"one that (\d+) goes into exactly wins", rules)
    limit = re.search(r"larger than (\d+) loses", rules)

    def end(number):
        if limit and number > int(limit[1]):
            return "lost"
        won = number == int(exact[1]) if exact else number % int(divides[1]) == 0
        return "won" if won else ""

    def follow(state):
        number, mover, ended = state
        made = [] if ended else [times * number + more for times, more in menu]
        if "smaller than 1 is not allowed" in rules:
            made = [one for one in made if one >= 1]
        after = [(one, 3 - mover, end(one)) for one in made]
        return after, {"won": 3 - mover, "lost": mover, "": None if after else 3 - mover}[ended]

    return tree((start, 1, ""), follow)


def tree_of_tally_graph(rules):
    start = re.search(r"It begins at (\w+)", rules)[1]
    places = {
        one: re.findall(r"[A-I] (leads to \w+|wins|loses)", does)
        for one, does in re.findall(r"^(\w+): (.*)$", rules, re.M)
    }

    def follow(state):
        place, mover = state
        if place in ("wins", "loses"):
            return [], 3 - mover if place == "wins" else mover
        after = [(does.removeprefix("leads to "), 3 - mover) for does in places[place]]
        return after, None if after else 3 - mover

    return tree((start, 1), follow)


def read_neighbours(rules):
    pairs = re.findall(r"^(\w+): (.*)$", rules, re.M)
    return {one: set() if others == "none" else set(others.split(", ")) for one, others in pairs}


def divisor_relations(rules, related):
    """Return the related numbers of each number in a story."""
    numbers = [str(n) for n in range(1, int(re.search(r"numbered from 1 to (\d+)", rules)[1]) + 1)]
    assert related in rules
    return {
        one: {n for n in numbers if n != one and (int(n) % int(one) == 0 or int(one) % int(n) == 0)}
        for one in numbers
    }


def tree_of_walk(rules):
    related = "a whole number of times the present number, or goes into it a whole number of times"
    is_story = "are numbered" in rules
    joined = divisor_relations(rules, related) if is_story else read_neighbours(rules)
    start = re.search(r"(?:It begins at|A token is at \w+) (\w+)", rules)[1]
    first = re.search(r"first move must be to one of these: (.*)\.", rules)
    evens = {n for n in joined if int(n) % 2 == 0} if "to an even number" in rules else None
    first = set(first[1].split(", ")) if first else evens
    is_open = "counts as new" in rules or "does not count as visited" in rules
    used = frozenset() if is_open else frozenset({start})

    def follow(state):
        place, used, mover, opening = state
        to = joined[place] - used
        if opening and first is not None:
            to &= first
        after = [(one, used | {one}, 3 - mover, False) for one in to]
        return after, None if after else 3 - mover

    return tree((start, used, 1, True), follow)


def tree_of_line(rules):
    related = "the number of one goes into that of another a whole number of times"
    fits = divisor_relations(rules, related) if "are numbered" in rules else read_neighbours(rules)
    assert "at least three of them" in rules

    def follow(state):
        mine, theirs, mover = state
        if len(theirs) >= 3 and any(one in fits[other] for one in theirs for other in theirs):
            return [], 3 - mover
        free = fits.keys() - mine - theirs
        return [(theirs, mine | {one}, 3 - mover) for one in free], None

    return tree((frozenset(), frozenset(), 1), follow)


TREE_READERS = {
    "tally": tree_of_tally_story,
    "multiplicity": tree_of_walk,
    "divisor_line": tree_of_line,
}


def family(game):
    return type(game).__module__.split(".")[2]


def is_isomorphic(one, two):
    return len(one) == len(two) and bool(rooted_tree_isomorphism(one, 0, two, 0))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("key", "settings"), SMALL)
@pytest.mark.soak(keep=6)
def test_the_words_of_a_disguise_describe_the_same_game(key, settings, seed):
    game = numduel.new(key, **settings)
    plain = plain_tree(game)
    stories = game.disguises(seed)
    assert len(stories) >= 3
    for text in (*stories, game.bare_graph(seed)):
        is_graph = text.title == "The Bare Graph"
        read = (
            tree_of_tally_graph
            if is_graph and family(game) == "tally"
            else TREE_READERS[family(game)]
        )
        assert is_isomorphic(read(text.rules), plain), text.title


def numbers_in(text):
    return sorted(map(int, re.findall(r"\d+", text)))


@pytest.mark.parametrize(("key", "settings"), SMALL)
def test_a_story_has_the_numbers_of_the_game_and_the_graph_has_none(key, settings):
    game = numduel.new(key, **settings)
    position = game.play(game.start(), game.moves(game.start())[-1])
    chosen = {value for _, value in game.settings if type(value) is int}
    for text in game.disguises(1):
        assert chosen <= {*numbers_in(text.rules)}
        plain = numbers_in(GameText(game).describe(position).partition("notation")[0])
        shown = {*numbers_in(text.describe(position))}
        assert {*plain} - chosen - {1, 2} <= shown <= {*plain, *chosen, 1, 2}  # the players
    graph = game.bare_graph(1)
    assert graph.title == "The Bare Graph"
    assert {*numbers_in(f"{graph.rules} {graph.describe(position)}")} <= {1, 2}  # the players
    legal = [graph.label(position, move) for move in game.moves(position)]
    assert graph.labels(position) == sorted(legal)


def test_a_game_with_another_goal_has_a_different_tree():
    game, other = (numduel.new("double-or-add", target=target) for target in (11, 12))
    assert not is_isomorphic(tree_of_tally_story(game.disguises(1)[0].rules), plain_tree(other))


@pytest.mark.parametrize(("key", "settings"), SMALL)
@pytest.mark.soak(keep=4)
def test_every_position_and_every_move_has_words_of_its_own(key, settings):
    game = numduel.new(key, **settings)
    positions = [*reachable(game, [game.start()])]
    going_on = [position for position in positions if game.outcome(position) is None]
    for text in (*game.disguises(3), game.bare_graph(3)):
        assert len({text.describe(position) for position in going_on}) == len(going_on)
        for position in positions:
            for move in game.moves(position):
                label = text.label(position, move)
                assert text.read(position, f" {label.lower()} ") == move
                assert label in text.labels(position)
                said = text.moved(Last(position, move))
                assert said.startswith(f"Player {position.mover} plays {label}")
                assert text.why_not(position, move) == f"{label} is not a legal move"
                if text.title != "The Bare Graph":  # the same numbers as in the game's own words
                    plain = GameText(game).moved(Last(position, move))
                    assert numbers_in(said.rpartition(": ")[2]) == numbers_in(
                        plain.rpartition(": ")[2]
                    )
        assert text.read(positions[0], "nothing of the kind") is None
        assert text.form.startswith("A move is written as")


def test_a_disguise_covers_chains_and_the_lack_of_a_ceiling():
    chain = numduel.new("divisor-line", goal="chain", size=16).disguises(1)[0]
    assert "that of the second into that of the third" in chain.rules
    assert "both others" in numduel.new("divisor-line", goal="chain").bare_graph(1).rules
    assert "loses" not in numduel.new("divisor-duel").disguises(1)[0].rules
    remainders = numduel.new("divisor-duel", divisor=3, start=3).bare_graph(1)
    assert len(re.findall("leads to|wins", remainders.rules)) == 6  # two moves at each of three


def test_a_disguise_has_no_word_of_the_plain_game():
    for key, settings in SMALL:
        game = numduel.new(key, **settings)
        for text in (*game.disguises(1), game.bare_graph(1)):
            text = f"{text.title} {text.rules} {text.describe(game.start())}".lower()
            for word in ("divisor", "multipl" if key == "multiplicity" else "target", "duel"):
                assert word not in text


def test_a_seed_names_the_places_and_a_large_board_is_refused():
    game = numduel.new("multiplicity", size=20)
    one, again, other = (game.bare_graph(seed).rules for seed in (1, 1, 2))
    assert one == again != other
    assert game.disguises(1)[0].form == "A move is written as the number of the house."
    for key, settings in (("multiplicity", {"size": 1000}), ("divisor-line", {"size": 1000}),
                          ("divisor-duel", {"divisor": 10**99})):  # fmt: skip
        with pytest.raises(TooLarge, match="too many to name"):
            numduel.new(key, **settings).bare_graph(1)


def test_the_plain_text_of_a_game_has_its_own_words():
    game = numduel.new("double-or-add")
    text, start = GameText(game), game.start()
    assert text.title == "Double or Add" and text.rules.startswith(game.rules)
    assert "- target: 31 (the number to reach exactly, above the start)" in text.rules
    assert text.form == "A move is written as its number: 1 for Double, 2 for Add One."
    assert text.describe(start).splitlines() == [
        "Current Number: 1",
        "Target Number: 31",
        "Position in notation: 1/1",
    ]
    assert (text.label(start, 2), text.read(start, " 2 "), text.read(start, "x")) == (
        "2",
        2,
        None,
    )
    menu = numduel.new("operation-duel", operations="-2,+1")
    assert "1 for Subtract 2, 2 for Add 1" in GameText(menu).form  # at any position
    assert "the number that you choose" in GameText(numduel.new("multiplicity")).form
