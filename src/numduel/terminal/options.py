"""Command-line options made from the declaration of a game's settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.settings import Flag, Setting
from numduel.games import game_type, games, keys, new


class GameCommands(click.Group):
    """A command that takes a game: `numduel play GAME`, with the game's own options.

    `build` makes the command for one kind of game.
    """

    def __init__(self, build: Callable[[type[Game[Any]]], click.Command], **kwargs: Any) -> None:
        super().__init__(subcommand_metavar="GAME [OPTIONS]", no_args_is_help=False, **kwargs)
        self.build = build

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise click.UsageError(f"Which game? The games are {', '.join(keys())}.", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [listed.key for listed in games()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in keys():
            raise click.UsageError(
                f"There is no game {cmd_name[:60]!r}; the games are {', '.join(keys())}.", ctx
            )
        command = self.build(game_type(cmd_name))
        flags = [flag for parameter in command.params for flag in parameter.opts]
        for flag in flags:
            if flags.count(flag) > 1:
                raise SettingsError(
                    f"the game {cmd_name!r} has a setting named like the option {flag} "
                    f"of numduel {self.name}"
                )
        return command


def setting_options(kind: type[Game[Any]]) -> list[click.Parameter]:
    """An option for each setting of a game."""
    return [_option(setting) for setting in kind.settings_type.declared]


def game_from(kind: type[Game[Any]], options: dict[str, Any]) -> Game[Any]:
    """The game at the settings among the options, which are taken out of them."""
    names = [setting.name for setting in kind.settings_type.declared]
    given = {name: options.pop(name) for name in names}
    texts = {name: value for name, value in given.items() if value is not None}
    return new(kind.key, **kind.settings_type.parse(texts))


def _option(setting: Setting[Any]) -> click.Option:
    if isinstance(setting, Flag):
        return click.Option(
            [setting.flag, setting.name],
            is_flag=True,
            flag_value="true",
            default=None,
            help=f"{setting.help.capitalize()}.",
        )
    default = setting.text(setting.default)
    meaning = f"{setting.help[0].upper()}{setting.help[1:]} ({setting.allowed})."
    return click.Option(
        [setting.flag, setting.name],
        metavar=setting.name.upper(),
        help=f"{meaning}  [default: {default}]",
    )
