"""Command-line options made from the declaration of a game's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

import click

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.settings import Flag, Setting, Word
from numduel.games import game_type, games, keys, new

Completion = Callable[[click.Context, click.Parameter, str], list[str]]


class GameCommands(click.Group):
    """A command that takes a game: `numduel play GAME`, with the game's own options.

    `build` makes the command for one kind of game.
    """

    def __init__(self, build: Callable[[type[Game[Any]]], click.Command], **kwargs: Any) -> None:
        super().__init__(subcommand_metavar="GAME [OPTIONS]", no_args_is_help=False, **kwargs)
        self.build = build

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            raise click.UsageError(f"Which game? The games are {', '.join(keys())}.", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [listed.key for listed in games()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Games"):
            formatter.write_dl([(key, game_type(key).summary) for key in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in keys():
            return None
        command = self.build(game_type(cmd_name))
        flags = [flag for parameter in command.params for flag in parameter.opts]
        for flag in flags:
            if flags.count(flag) > 1:
                raise SettingsError(
                    f"the game {cmd_name!r} has a setting named like the option {flag} "
                    f"of numduel {self.name}"
                )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in keys() and not args[0].startswith("-") and not ctx.resilient_parsing:
            meant = did_you_mean(args[0], keys()) or f"The games are {', '.join(keys())}."
            raise click.UsageError(f"There is no game {args[0][:60]!r}. {meant}", ctx)
        return super().resolve_command(ctx, args)


def did_you_mean(typed: str, words: Iterable[str]) -> str:
    """The word that somebody may have meant, in a question; empty where none is like it."""
    meant = get_close_matches(typed.lower()[:60], list(words), 1)
    return f"Did you mean {meant[0]}?" if meant else ""


def completed(words: Iterable[str] | Callable[[], Iterable[str]]) -> Completion:
    """What a shell offers where one of these words is typed."""

    def offered(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        found = words() if callable(words) else words
        return [word for word in found if word.startswith(incomplete)]

    return offered


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
        shell_complete=completed(setting.options if isinstance(setting, Word) else [default]),
        help=f"{meaning}  [default: {default}]",
    )
