"""`numduel games`."""

from __future__ import annotations

import json

import click

from numduel.games import described, game_type
from numduel.games import games as known_games
from numduel.terminal.command import command
from numduel.terminal.screen import screen


@click.command(epilog=f"Example: {command('games --json')}")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def games(as_json: bool) -> None:
    """List the games and their settings."""
    if as_json:
        click.echo(json.dumps([described(listed.key) for listed in known_games()], indent=2))
        return
    out = screen(plain=False)
    with out.paged():
        for key, title, settings in known_games():
            out.entry(f"{key}: {title}. {game_type(key).summary}")
            for setting in settings:
                default = setting.text(setting.default)
                out.entry(f"    {setting.flag} ({default})  {setting.help}")
            out.say([""])
        out.say([f"Play one with: {command('play GAME')}"])
