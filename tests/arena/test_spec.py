"""Specs of arenas: what they can say, and what is refused."""

from pathlib import Path

import pytest

from numduel import SettingsError
from numduel.arena.plan import Plan
from numduel.arena.spec import Spec, check_spec, game_text, parse_fields, parse_games


def labels(*texts):
    return [game_text(game) for game in parse_games(texts)]


def test_settings_may_be_ranges_and_alternatives():
    assert labels("multiplicity:size=10..30..20,opening=any|even") == [
        "multiplicity:size=10",
        "multiplicity:size=10,opening=even",
        "multiplicity:size=30",
        "multiplicity:size=30,opening=even",
    ]


def test_a_comma_without_a_name_after_it_belongs_to_the_value():
    assert labels("operation-duel:operations=+1,x3,target=30..31") == [
        "operation-duel:target=30,operations=+1,x3",
        "operation-duel:target=31,operations=+1,x3",
    ]


def test_the_text_of_a_game_can_be_parsed():
    (game,) = parse_games(("multiplicity:size=20,start-open=true",))
    assert parse_games((game_text(game),)) == (game,)


def test_equal_games_are_listed_once():
    assert labels("double-or-add", "double-or-add:target=31") == ["double-or-add"]


def test_a_wrong_game_is_refused():
    sizes = ("0", "30..10", "1..30..0", "1..999999999999", "1..5000,start=1..5000")
    texts = ["", "chess", "multiplicity:20", "multiplicity:depth=3"]
    for text in texts + [f"multiplicity:size={size}" for size in sizes]:
        with pytest.raises(SettingsError):
            parse_games((text,))


def test_the_text_of_a_spec_can_be_parsed():
    spec = Spec(("double-or-add",), ("random", 'program:"a b" \\ é'), 3, 7, True, 50, 2.5, False)
    assert Spec(**parse_fields(spec.dumps())) == spec
    assert Spec(**parse_fields(spec._replace(seconds=None).dumps())).seconds is None


def test_the_conditions_of_gg_bench_can_be_played():
    asked = parse_fields((Path(__file__).parents[2] / "docs" / "gg-bench.toml").read_text())
    spec = Spec(**asked, players=("perfect", "model:NAME,legal=shown,again=4"))
    check_spec(spec)
    assert len(Plan(spec)) == 5 * 30 and spec.turn_limit == 200


def test_a_wrong_file_is_refused():
    for text, why in (
        ("rounds = ", "not TOML"),
        ("colour = 1", "no 'colour'"),
        ("rounds = true", "whole number"),
        ("players = 3", "list of texts"),
        ("players = [3]", "list of texts"),
        ('seconds = "long"', "a number"),
        ("#" * 2_000_000, "at most"),
    ):
        with pytest.raises(SettingsError, match=why):
            parse_fields(text)


def test_wrong_numbers_and_players_are_refused(small):
    numbers = [{"rounds": 0}, {"seed": -1}, {"turn_limit": 10**9}, {"seconds": 0.0}]
    others = [("random",), ("random", "random"), ("random", "human"), ("random", "nobody")]
    for change in numbers + [{"players": players} for players in others]:
        with pytest.raises(SettingsError):
            check_spec(small._replace(**change))
