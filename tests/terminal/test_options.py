"""Options made from the declaration of a game's settings."""

import click
import pytest

import numduel
from numduel import SettingsError
from numduel.games import game_type
from numduel.terminal.options import game_from, setting_options


def parsed(key, *arguments):
    kind = game_type(key)
    command = click.Command("x", params=setting_options(kind), callback=lambda **options: options)
    return game_from(kind, command.main(list(arguments), standalone_mode=False))


@pytest.mark.parametrize(
    ("key", "arguments", "settings"),
    [
        ("multiplicity", [], {}),
        (
            "multiplicity",
            ["--size", "9", "--start", "3", "--opening", "even", "--start-open"],
            {"size": 9, "start": 3, "opening": "even", "start_open": True},
        ),
        ("divisor-duel", ["--ceiling", "none"], {}),
        ("divisor-duel", ["--divisor", "17", "--ceiling", "99"], {"divisor": 17, "ceiling": 99}),
        ("operation-duel", ["--operations", " +1, x3 "], {"operations": "+1,x3"}),
        ("operation-duel", ["--operations=-1,*2"], {"operations": "-1,x2"}),
        ("divisor-line", ["--goal", "chain"], {"goal": "chain"}),
    ],
)
def test_options_are_settings(key, arguments, settings):
    assert parsed(key, *arguments) == numduel.new(key, **settings)


def test_every_setting_has_an_option_and_says_what_it_takes():
    for key, _, settings in numduel.games():
        options = setting_options(game_type(key))
        assert [option.opts[0] for option in options] == [setting.flag for setting in settings]
        assert all(option.help.endswith((".", "]")) for option in options)


@pytest.mark.parametrize(
    "arguments", [["--size", "x"], ["--size", "-1"], ["--size", "1e3"], ["--opening", ""]]
)
def test_what_a_setting_does_not_take_is_refused(arguments):
    with pytest.raises(SettingsError, match=" must be "):
        parsed("multiplicity", *arguments)


def test_what_is_taken_out_of_the_options_is_the_settings_only():
    kind = game_type("double-or-add")
    options = {"target": "9", "start": None, "rounds": 3}
    assert game_from(kind, options) == numduel.new("double-or-add", target=9)
    assert options == {"rounds": 3}
