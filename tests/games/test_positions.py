"""Positions as values, texts and vectors: only those that play can reach are accepted."""

from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel.core.explore import reachable
from numduel.games.divisor_line.rules import Line
from numduel.games.multiplicity.rules import Walk
from numduel.games.tally.rules import Tally

KEYS = [listed.key for listed in numduel.games()]

every_game = pytest.mark.parametrize("key", KEYS)

TALLIES = [
    *(
        ("divisor-duel", {"divisor": divisor, "start": start, "ceiling": 23})
        for divisor in (1, 2, 3, 4, 6, 7, 30)
        for start in (1, 3, 4, 12)
    ),
    *(
        (key, {"target": target, "start": start})
        for key in ("operation-duel", "double-or-add")
        for target, start in ((2, 1), (7, 1), (20, 1), (21, 6), (22, 21))
    ),
    *(
        ("operation-duel", {"target": 19, "start": 5, "operations": menu})
        for menu in ("+3", "-1", "x2,-3", "+4,-6,x3", "+2,+3", "x2", "-7", "+50,-1")
    ),
]
LINES = [("divisor-line", {"size": 6}), ("divisor-line", {"size": 7})]
WALKS = [
    *(("multiplicity", {"size": size}) for size in range(1, 13)),
    *(
        ("multiplicity", {"size": 8, "start": start, "opening": opening, "start_open": start_open})
        for start in range(1, 9)
        for opening in ("any", "even")
        for start_open in (False, True)
    ),
]


def every_position(game):
    return set(reachable(game, [game.start(1), game.start(2)]))


# Every position of small games.


def test_every_position_round_trips_and_has_its_own_text_and_vector(many):
    for key, settings in many([*TALLIES[::3], *LINES, *WALKS[::3]], [*TALLIES, *LINES, *WALKS]):
        game = numduel.new(key, **settings)
        positions = every_position(game)
        length, low, high = game.encoding
        for position in positions:
            game.check(position)
            assert game.read(game.notation(position)) == position
            legal = tuple(
                move
                for move, is_legal in zip(game.actions, game.mask(position), strict=True)
                if is_legal
            )
            assert legal == game.moves(position)
            vector = game.encode(position)
            assert len(vector) == length
            assert all(low <= one <= high for one in vector)
        assert len({game.encode(position) for position in positions}) == len(positions)
        assert len({game.notation(position) for position in positions}) == len(positions)


def test_of_all_tallies_only_those_of_play_are_reachable(many):
    for key, settings in TALLIES[:: many(3, 1)]:
        game = numduel.new(key, **settings)
        positions = every_position(game)
        endings = ("", "divisible", "reached", "overshot", "stuck")
        for tally in product(range(-2, 80), (1, 2), endings):
            assert game.can_reach(Tally(*tally)) == (Tally(*tally) in positions), tally


def test_of_all_tallies_without_a_ceiling_only_those_of_play_are_reachable():
    for divisor in range(1, 12):
        for start in (1, 2, 3, 5, 8, 9, 22):
            game = numduel.new("divisor-duel", divisor=divisor, start=start)
            reached, waiting = set(), [game.start(1), game.start(2)]
            while waiting:
                position = waiting.pop()
                if position not in reached and position.number < 100:
                    reached.add(position)
                    waiting += [game.play(position, move) for move in game.moves(position)]
            for tally in product(range(100), (1, 2), ("", "divisible", "overshot")):
                assert game.can_reach(Tally(*tally)) == (Tally(*tally) in reached), (start, tally)


def test_of_all_lines_of_six_only_those_of_play_are_reachable():
    game = numduel.new("divisor-line", size=6)
    positions = every_position(game)
    for owners in product((0, 1, 2), repeat=6):
        marks = [
            frozenset(n for n, owner in enumerate(owners, 1) if owner == seat) for seat in (1, 2)
        ]
        for mover, won in product((1, 2), (False, True)):
            line = Line(*marks, mover, won)
            assert game.can_reach(line) == (line in positions), line


def test_of_all_walks_of_up_to_eight_only_those_of_play_are_reachable(many):
    for key, settings in [case for case in WALKS if case[1]["size"] <= 8][:: many(5, 1)]:
        game = numduel.new(key, **settings)
        positions = every_position(game)
        numbers = range(1, game.settings.size + 1)
        for count in range(len(numbers) + 1):
            for chosen in combinations(numbers, count):
                for number, mover in product(numbers, (1, 2)):
                    walk = Walk(number, frozenset(chosen), mover)
                    assert game.can_reach(walk) == (walk in positions), walk


# Random positions of large games.


@every_game
@given(data=st.data())
def test_a_text_is_only_read_if_it_is_the_notation_of_a_reachable_position(key, random_games, data):
    game, _, _, positions = data.draw(random_games(key))
    text = game.notation(data.draw(st.sampled_from(positions)))
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.text("0123456789,-:;!/x ab٣", max_size=3) | st.text(max_size=2))
    gone = data.draw(st.integers(0, 3))
    changed = text[:at] + put + text[at + gone :]
    try:
        position = game.read(changed)
    except numduel.PositionError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        assert game.notation(position) == changed
        game.check(position)


@cache
def of_size(key, size):
    """Return a game at default or very large settings. It is cached, as creating it takes long."""
    if size == "default":
        return numduel.new(key)
    if "size" in numduel.new(key).settings.values:
        return numduel.new(key, size=1_000_000)
    target = {"target": 10**999} if key != "divisor-duel" else {}
    return numduel.new(key, start=10**900, **target)


HOSTILE = [
    *("", "/", "1", "1/", "/1", "1/0", "1/3", "1/1/1", "1/1\n", " 1/1", "1/1 ", "1/\u0661"),
    *("\u0661/1", "\uff11/1", "\u00b2/1", "1\u200b/1", "\x00/1", "-1/1", "+1/1", "1e3/1"),
    *("9" * 10**6 + "/1", "9" * 10**7, "/1" * 10**6, "1," * 10**6 + "1/1", "," * 10**6 + "/1"),
    *("1-" * 10**6 + "1/1", ":" * 10**6 + "/1", "!" * 10**6 + "/1", "0x" + "f" * 10**6 + "/1"),
    *("1-1000000," * 10**5 + "1/1", "1:" + "1-1000000," * 10**5 + "1/1", "1-9" * 10**6 + ":-/1"),
    *(None, 7, b"1/1", ["1/1"], 1.5),
]


@every_game
@pytest.mark.parametrize("size", ["default", "large"])
def test_hostile_texts_are_refused_in_one_line(key, size):
    for text in HOSTILE:
        game = of_size(key, size)
        with pytest.raises(
            numduel.PositionError, match=r"^a position of .* is written like '.*'"
        ) as caught:
            game.read(text)
        assert len(str(caught.value)) < 400


# Positions with parts of wrong types or that contradict each other.

STRANGE = [
    *(True, False, 1.0, 2.0, 0.5, float("nan"), float("inf"), "1", "", "x" * 10**5, b"1", None),
    *([], [1], {}, {1}, {1: 1}, (), (1,), 0, -1, -(10**5000), object(), 1j),
    *(frozenset({"1"}), frozenset({1.0}), frozenset({True}), frozenset({0}), frozenset({None})),
    *(frozenset({-1}), frozenset({10**7}), frozenset({(1,)}), frozenset({10**5000})),
]


def same(one, another):
    return type(one) is type(another) and one == another


@every_game
def test_a_position_of_strange_parts_is_refused_in_one_line(key):
    for strange in STRANGE:
        game = numduel.new(key)
        for start in (game.start(), game.play(game.start(2), 2)):
            for field, value in start._asdict().items():
                if same(value, strange):
                    continue
                made = start._replace(**{field: strange})
                for ask in (numduel.solve, numduel.evaluate):
                    with pytest.raises(numduel.PositionError) as caught:
                        ask(game, made)
                    line = str(caught.value)
                    assert line.startswith("play cannot reach ")
                    assert "\n" not in line
                    assert len(line) < 300


@pytest.mark.parametrize(
    ("key", "other"),
    [
        (key, other)
        for key, other in product(KEYS, KEYS)
        if type(numduel.new(key).start()) is not type(numduel.new(other).start())
    ],
)
def test_a_position_of_another_game_is_refused(key, other):
    game = numduel.new(key)
    with pytest.raises(numduel.PositionError, match=rf"in {game.title}$"):
        numduel.solve(game, numduel.new(other).start())


def line(crosses, noughts, mover, won=False):
    return Line(frozenset(crosses), frozenset(noughts), mover, won)


@pytest.mark.parametrize(
    ("key", "settings", "position"),
    [
        ("divisor-duel", {"start": 5}, Tally(4, 1)),  # below the start
        ("divisor-duel", {}, Tally(26, 1)),  # a multiple that play goes on from
        ("divisor-duel", {}, Tally(26, 1, "reached")),  # another game's reason
        ("divisor-duel", {}, Tally(27, 1, "divisible")),  # a mark that lies
        ("divisor-duel", {"ceiling": 20}, Tally(21, 1)),  # beyond the ceiling
        (
            "divisor-duel",
            {"ceiling": 20},
            Tally(41, 1, "overshot"),
        ),  # only 40 leads there, which is too high
        ("divisor-duel", {"start": 14}, Tally(27, 1)),  # only past 26, which ends the game
        ("operation-duel", {}, Tally(20, 1)),
        ("operation-duel", {}, Tally(19, 1, "stuck")),
        ("operation-duel", {"operations": "x3"}, Tally(6, 1)),
        ("operation-duel", {"operations": "-3", "start": 9}, Tally(5, 1)),
        ("divisor-line", {}, line({1, 2}, set(), 2)),  # Player 1 moved twice
        ("divisor-line", {}, line({1}, set(), 1)),
        ("divisor-line", {}, line({4, 5}, {4, 7}, 1)),  # overlapping marks
        ("divisor-line", {}, line({21}, set(), 2)),
        ("divisor-line", {}, line({1, 2}, {3, 4}, 1, won=True)),
        ("divisor-line", {}, line({4, 8, 12}, {5, 9}, 2)),  # won, but not marked as won
        ("divisor-line", {}, line({4, 8, 12}, {5, 9, 18}, 2, won=True)),  # the opponent won earlier
        ("divisor-line", {}, line({1, 2, 3, 4}, {5, 7, 11}, 2, won=True)),  # won one move earlier
        ("divisor-line", {"goal": "chain"}, line({4, 8, 12}, {5, 9}, 2, won=True)),
        ("multiplicity", {}, Walk(2, frozenset({1}), 1)),  # the current number was not chosen
        ("multiplicity", {}, Walk(2, frozenset({2}), 1)),  # the start is not chosen
        ("multiplicity", {}, Walk(51, frozenset({1, 51}), 1)),
        ("multiplicity", {}, Walk(7, frozenset({1, 5, 7}), 1)),  # no walk
        ("multiplicity", {"opening": "even"}, Walk(7, frozenset({1, 7}), 1)),
        ("multiplicity", {"start_open": True}, Walk(1, frozenset({1}), 1)),
    ],
)
def test_positions_that_play_cannot_reach_have_no_verdict(key, settings, position):
    game = numduel.new(key, **settings)
    for ask in (numduel.solve, numduel.evaluate):
        with pytest.raises(numduel.PositionError, match=rf"^play cannot reach .* in {game.title}$"):
            ask(game, position)
