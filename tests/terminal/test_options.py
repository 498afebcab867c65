"""Options made from the declaration of a game's settings."""

import click
import pytest

import numduel
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
