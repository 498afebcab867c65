"""The rules of the tally games: positions, the menu and the notation."""

import pytest

import numduel
from numduel.games.tally import rules
from numduel.games.tally.rules import MAX_READ_DIGITS, Tally


def test_the_repr_of_a_position_is_decimal_up_to_1000_digits():
    longest = 10**1000 - 1
    assert repr(Tally(longest, 1)) == f"Tally(number={'9' * 1000}, mover=1, ended='')"
    assert repr(Tally(longest + 1, 1)) == f"Tally(number={hex(longest + 1)}, mover=1, ended='')"
    assert repr(Tally("x", None)) == "Tally(number=x, mover=None, ended='')"


def test_a_refusal_says_whether_a_move_is_not_in_the_menu_or_goes_below_1():
    game = numduel.new("operation-duel", operations="-2,+1,-1")
    start = game.start()
    assert game.words.why_not(start, 0) == "0 is not in the menu"
    assert game.words.why_not(start, 1) == "Subtract 2 would go below 1"
    assert game.words.why_not(start, 3) == "Subtract 1 would go below 1"
    assert game.words.why_not(start, 4) == "4 is not in the menu"


@pytest.mark.parametrize(
    ("key", "settings", "position", "text"),
    [
        ("divisor-duel", {}, Tally(17, 2), "17/2"),
        ("divisor-duel", {}, Tally(26, 1, "divisible"), "26!/1"),
        ("operation-duel", {"start": 16}, Tally(32, 2, "overshot"), "32!/2"),
        ("operation-duel", {"start": 19}, Tally(20, 2, "reached"), "20!/2"),
        ("divisor-duel", {"divisor": 3}, Tally(1 << 3322, 1), f"{hex(1 << 3322)}/1"),
        ("divisor-duel", {"divisor": 3}, Tally(1 << 90_000, 1), f"{hex(1 << 90_000)}/1"),
    ],
)
def test_a_position_is_written_as_its_number_a_mark_if_it_has_ended_and_the_mover(
    key, settings, position, text
):
    game = numduel.new(key, **settings)
    assert game.notation(position) == text
    assert game.read(text) == position


@pytest.mark.parametrize(
    "text",
    [
        *(
            "0x10/1",
            "0X10/1",
            "0x/1",
            "0xg/1",
            "0xg1/1",
            "017/1",
            "+17/1",
            "-17/1",
            "17!!/1",
            "!/1",
            "/1",
        ),
        *("13/1", "14!/1", "1_7/1", "17.0/1", "17/1/1", "17/01", "17 /1"),
        *("9" * 1001 + "/1", "0x" + "f" * MAX_READ_DIGITS + "/1", hex(1 << 110_000) + "/1"),
    ],
    ids=lambda text: text[:12],
)
def test_a_number_is_only_read_in_its_one_form_and_if_play_can_reach_it(text):
    with pytest.raises(numduel.PositionError, match="a position of Divisor Duel is written like"):
        numduel.new("divisor-duel").read(text)


def test_a_number_that_takes_more_moves_than_a_game_may_have_is_not_reachable():
    game = numduel.new("divisor-duel", divisor=3)
    assert game.can_reach(Tally(1 << 100_000, 1))
    assert not game.can_reach(Tally(1 << 100_001, 1))
    assert not game.can_reach(Tally(1 << 10_000_000, 1))


def test_above_a_bound_the_reachable_numbers_are_not_computed(monkeypatch):
    monkeypatch.setattr(rules, "MAX_REACHABLE_CEILING", 1000)
    small, large = (
        numduel.new("operation-duel", operations="+3,x3", target=target) for target in (1000, 1001)
    )
    assert small.can_reach(Tally(4, 1))
    assert not small.can_reach(Tally(5, 1))
    assert large.can_reach(Tally(5, 1))
    assert not large.can_reach(Tally(1002, 1))


def test_without_a_ceiling_there_is_no_encoding():
    with pytest.raises(numduel.TooLarge, match="set a ceiling"):
        numduel.new("divisor-duel").encoding  # noqa: B018  # it is a property
    game = numduel.new("divisor-duel", ceiling=100)
    assert game.encoding == (3, 0, 200)
    assert game.encode(Tally(91, 2, "divisible")) == (91, 2, 1)


@pytest.mark.parametrize("key", ["operation-duel", "double-or-add"])
def test_only_the_target_itself_wins_a_race_and_no_multiple_of_it(key):
    for target, start, expected in (
        (6, 3, {6: (1, "reached"), 4: None}),
        (5, 4, {5: (1, "reached"), 8: (2, "overshot")}),
        (7, 6, {7: (1, "reached"), 12: (2, "overshot")}),
    ):
        game = numduel.new(key, target=target, start=start)
        after = [game.play(game.start(), move) for move in (1, 2)]
        assert {position.number: game.outcome(position) for position in after} == expected


def test_a_multiple_of_the_target_overshoots():
    game = numduel.new("operation-duel", target=4, start=2, operations="x4")
    assert game.outcome(game.play(game.start(), 1)) == (2, "overshot")
