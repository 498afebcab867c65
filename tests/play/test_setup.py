"""The setup of a match: its defaults, the coin toss, names, and what is refused."""

from datetime import UTC, datetime

import pytest

import numduel
from numduel import SettingsError
from numduel.play.duel import Duel
from numduel.play.event import Rematch, Resign
from numduel.play.setup import MAX_SEED, arrange, check_name, coin_line

GAME = numduel.new("double-or-add")


def test_the_default_is_one_round_between_two_people():
    setup = arrange(GAME)
    assert (setup.game, setup.players, setup.names) == (GAME, ("human", "human"), (None, None))
    assert setup[2:6] == (1, 1, False, None)
    assert (setup.best_of, setup.coin, coin_line(setup)) == (False, False, "")
    age = datetime.now(UTC) - datetime.fromisoformat(setup.started)
    assert 0 <= age.total_seconds() < 60


def test_a_setup_holds_what_was_asked_for():
    agreed = {"rounds": 3, "best_of": True, "swap": True, "turn_limit": 9, "seed": 5}
    setup = arrange(GAME, players=("human", "hard"), names=("Ada", None), first="2", **agreed)
    assert {name: getattr(setup, name) for name in agreed} == agreed
    assert (setup.first, setup.player_names) == (2, ("Ada", "hard"))


@pytest.mark.parametrize(
    ("players", "first", "kept"),
    [(("human", "easy"), 2, True), (("easy", "human"), 1, True), (("human", "human"), 1, False)],
)
def test_if_nobody_chose_who_begins_a_person_can_beat_the_computer(players, first, kept):
    setup = arrange(GAME, players=players, first=None)  # whoever goes second can win
    assert (setup.first, setup.keep_first) == (first, kept)
    duel = Duel(setup)
    duel.apply(Resign(1))
    duel.apply(Rematch())
    assert duel.match.setup.first == (first if kept else 3 - first)


def test_the_seed_is_random_unless_one_is_given():
    assert len({arrange(GAME).seed for _ in range(20)}) > 15
    assert arrange(GAME, seed=0).seed == 0


def test_the_seed_decides_the_coin_toss_which_is_announced():
    fallen = {seed: arrange(GAME, first="random", seed=seed) for seed in range(20)}
    assert {setup.first for setup in fallen.values()} == {1, 2}
    for seed, setup in fallen.items():
        assert arrange(GAME, first="random", seed=seed).first == setup.first
        assert coin_line(setup) == f"The coin toss decides: Player {setup.first} begins."
    assert {arrange(GAME, first="random").first for _ in range(60)} == {1, 2}


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"first": "3"}, "first must be 1, 2 or random, not '3'"),
        ({"first": ""}, "first must be 1, 2 or random, not ''"),
        ({"players": ("human", "robot")}, "a player is human"),
        ({"rounds": 0}, "rounds must be from 1 to 1,000, not 0"),
        ({"rounds": 1001}, "rounds must be from 1 to 1,000, not 1001"),
        ({"rounds": 2, "best_of": True}, "best-of must be an odd number of rounds, not 2"),
        ({"turn_limit": 0}, "turn-limit must be from 1 to 100,000, not 0"),
        ({"turn_limit": 100_001}, "turn-limit must be from 1 to 100,000, not 100001"),
        ({"seed": -1}, f"seed must be from 0 to {MAX_SEED:,}, not -1"),
        ({"seed": MAX_SEED + 1}, "seed must be from 0 to"),
        ({"players": ("human", "easy"), "names": (None, "Ada")}, "easy has a name already"),
        ({"names": ("Ann", "ANN")}, "the two players need different names, not both 'Ann'"),
        ({"names": ("Hard", None)}, "'Hard' is the name of a computer player"),
    ],
)
def test_a_setup_that_is_not_allowed_is_refused(asked, why):
    with pytest.raises(SettingsError) as refused:
        arrange(GAME, **asked)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Ada ", "Ada"),
        ("Ada \t Lovelace", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),  # the wide letters of another keyboard
        ("Zoe\u0308", "Zoë"),
        ("Ⅳ" * 10, "IV" * 10),
        ("李", "李"),
    ],
)
def test_a_name_has_one_form(typed, kept):
    assert check_name(typed) == kept == check_name(kept)
    assert arrange(GAME, names=(typed, None)).names == (kept, None)


@pytest.mark.parametrize(
    "name",
    [
        *("", "  ", "x" * 21, "Ⅳ" * 11, "a\x00", "a\u202eb", "\u200b", "\ud800"),
        *("random", "Perfect", "human", "ｅａｓｙ", "program:ls"),
    ],
)
def test_a_name_that_is_not_allowed_is_refused(name):
    with pytest.raises(SettingsError) as refused:
        check_name(name)
    assert str(refused.value).isprintable()
