"""What can be asked of an arena, and how it is refused."""

import pytest

from numduel import SettingsError
from numduel.arena.asked import Asked, check, label, loads, settled


def labels(*texts):
    return [label(game) for game in settled(texts)]


def test_settings_may_be_ranges_and_alternatives():
    assert labels("multiplicity:size=10..30..10,opening=any|even") == [
        "multiplicity:size=10",
        "multiplicity:size=10,opening=even",
        "multiplicity:size=20",
        "multiplicity:size=20,opening=even",
        "multiplicity:size=30",
        "multiplicity:size=30,opening=even",
    ]


def test_a_comma_that_no_name_follows_belongs_to_the_value():
    assert labels("operation-duel:operations=+1,x3,target=30..31") == [
        "operation-duel:target=30,operations=+1,x3",
        "operation-duel:target=31,operations=+1,x3",
    ]


def test_a_label_asks_for_the_same_game_again():
    (game,) = settled(("multiplicity:size=20,start-open=true",))
    assert settled((label(game),)) == (game,)


def test_the_same_game_is_there_once():
    assert labels("double-or-add", "double-or-add:target=31") == ["double-or-add"]


@pytest.mark.parametrize(
    "text",
    [
        "chess",
        "multiplicity:20",
        "multiplicity:size=0",
        "multiplicity:depth=3",
        "multiplicity:size=30..10",
        "multiplicity:size=1..30..0",
        "multiplicity:size=1..999999999999",
        "multiplicity:size=1..5000,start=1..5000",
        "",
    ],
)
def test_what_is_no_game_is_refused(text):
    with pytest.raises(SettingsError):
        settled((text,))


def test_it_is_written_so_that_it_can_be_asked_again():
    asked = Asked(("double-or-add",), ("random", 'program:"a b" \\ é'), 3, 7, True, 50, 2.5, False)
    assert Asked(**loads(asked.dumps())) == asked
    assert Asked(**loads(asked._replace(seconds=None).dumps())).seconds is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rounds = ", "not TOML"),
        ("colour = 1", "no 'colour'"),
        ("rounds = true", "whole number"),
        ("players = 3", "list of texts"),
        ("players = [3]", "list of texts"),
        ('seconds = "long"', "a number"),
        pytest.param("#" * 2_000_000, "at most", id="long"),
    ],
)
def test_what_is_no_file_is_refused(text, why):
    with pytest.raises(SettingsError, match=why):
        loads(text)


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0},
        {"seed": -1},
        {"turn_limit": 10**9},
        {"seconds": 0.0},
        {"players": ("random",)},
        {"players": ("random", "random")},
        {"players": ("random", "human")},
        {"players": ("random", "nobody")},
    ],
)
def test_what_cannot_be_played_is_refused(small, change):
    with pytest.raises(SettingsError):
        check(small._replace(**change))
