"""Options made from the settings of a game; `numduel games` and `numduel completion`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import click
from click.shell_completion import get_completion_class

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.settings import Flag, Setting, Word
from numduel.games import describe_game, game_type, keys, new
from numduel.games import games as known_games
from numduel.terminal.command import command
from numduel.terminal.screen import screen

AddOption = Callable[[Any], Any]
"""A decorator that adds an option to a command."""

Completion = Callable[[click.Context, click.Parameter, str], list[str]]

SHELLS = {
    "bash": '  ~/.bashrc:  eval "$(numduel completion bash)"',
    "zsh": '  ~/.zshrc, after compinit:  eval "$(numduel completion zsh)"',
    "fish": "  ~/.config/fish/config.fish:  numduel completion fish | source",
}
"""Where each shell reads the line that lets it complete our commands."""


plain_option = click.option("--plain", is_flag=True, help="Plain text: no colour, no board.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


class _WholeRange(click.IntRange):
    """Its bounds are told in words, in the help and in errors."""

    def _describe_range(self) -> str:
        return f"{self.min} or more" if self.max is None else f"{self.min} to {self.max}"


def number_option(flag: str, low: int, high: int | None, help: str, **more: Any) -> AddOption:
    """Return an option whose value is a whole number between two bounds."""
    return click.option(flag, type=_WholeRange(low, high), metavar="N", help=help, **more)


class GameCommands(click.Group):
    """A command with a game as its subcommand: `numduel play GAME`, with that game's options.

    Each runs `run` with the game and the values of the options, or, where a setting may be given
    `several` values, with the class of the game and also the texts of its settings. The texts
    `about` and `example` are those of each game, made from its key, title and summary.
    """

    def __init__(
        self,
        name: str,
        run: Callable[..., None],
        *,
        about: str,
        example: str,
        options: Sequence[AddOption],
        first: Sequence[AddOption] = (),  # those that come before the settings
        several: bool = False,
        **texts: Any,
    ) -> None:
        super().__init__(name, options_metavar="", subcommand_metavar="GAME [OPTIONS]", **texts)
        self.run = run
        self.about = about
        self.example = example
        self.options = options
        self.first = first
        self.several = several

    def _build(self, kind: type[Game[Any]]) -> click.Command:
        def run(**options: Any) -> None:
            self.run(kind if self.several else game_from(kind, options), **options)

        texts = {"key": kind.key, "title": kind.title, "summary": kind.summary}
        built = click.Command(
            kind.key,
            callback=run,
            help=self.about.format(**texts),
            short_help=kind.summary,
            epilog=f"Example: {command(self.example.format(**texts))}",
        )
        for add in self.first:
            add(built)
        built.params += setting_options(kind, self.several)
        for add in self.options:
            add(built)
        return built

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            raise click.UsageError(f"Which game? The games are {', '.join(keys())}.", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [listed.key for listed in known_games()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Games"):
            formatter.write_dl([(key, game_type(key).summary) for key in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in keys():
            return None
        built = self._build(game_type(cmd_name))
        flags = [flag for parameter in built.params for flag in parameter.opts]
        for flag in flags:
            if flags.count(flag) > 1:
                raise SettingsError(
                    f"the game {cmd_name!r} has a setting named like the option {flag} "
                    f"of numduel {self.name}"
                )
        return built

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in keys() and not args[0].startswith("-") and not ctx.resilient_parsing:
            meant = did_you_mean(args[0], keys()) or f"The games are {', '.join(keys())}."
            raise click.UsageError(f"There is no game {args[0][:60]!r}. {meant}", ctx)
        return super().resolve_command(ctx, args)


def did_you_mean(typed: str, words: Iterable[str]) -> str:
    """Return "Did you mean …?" with the most similar word, or nothing if none is similar."""
    meant = get_close_matches(typed.lower()[:60], list(words), 1)
    return f"Did you mean {meant[0]}?" if meant else ""


def completed(words: Iterable[str] | Callable[[], Iterable[str]]) -> Completion:
    """Return a completion of these words for the shell."""

    def offered(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        found = words() if callable(words) else words
        return [word for word in found if word.startswith(incomplete)]

    return offered


def setting_options(kind: type[Game[Any]], several: bool = False) -> list[click.Parameter]:
    """Return an option for each setting of a game, of one value or of several."""
    return [_option(setting, several) for setting in kind.settings_type.declared]


def game_from(kind: type[Game[Any]], options: dict[str, Any]) -> Game[Any]:
    """Return the game at the settings in the options, and remove these from the options."""
    names = [setting.name for setting in kind.settings_type.declared]
    given = {name: options.pop(name) for name in names}
    texts = {name: value for name, value in given.items() if value is not None}
    return new(kind.key, **kind.settings_type.parse(texts))


def default_text(setting: Setting[Any]) -> str:
    """Return the default of a setting for people."""
    return "no" if isinstance(setting, Flag) else setting.text(setting.default)


def _option(setting: Setting[Any], several: bool) -> click.Option:
    if isinstance(setting, Flag):
        return click.Option(
            [setting.flag, setting.name],
            is_flag=not several,
            flag_value="true",
            default=None,
            metavar="VALUES" if several else None,
            help=f"{setting.help.capitalize()}.",
        )
    default = setting.text(setting.default)
    meaning = f"{setting.help[0].upper()}{setting.help[1:]} ({setting.allowed})."
    return click.Option(
        [setting.flag, setting.name],
        metavar="VALUES" if several else setting.name.upper(),
        shell_complete=completed(setting.options if isinstance(setting, Word) else [default]),
        help=f"{meaning}  [default: {default}]",
    )


@click.command(epilog=f"Example: {command('games --json')}")
@json_option
def games(as_json: bool) -> None:
    """List the games and their settings."""
    if as_json:
        click.echo(json.dumps([describe_game(listed.key) for listed in known_games()], indent=2))
        return
    out = screen(plain=False)
    with out.paged():
        for key, title, settings in known_games():
            out.entry(f"{key}: {title}. {game_type(key).summary}")
            for setting in settings:
                out.entry(f"    {setting.flag} ({default_text(setting)})  {setting.help}")
            out.say([""])
        out.say([f"Play one with: {command('play GAME')}"])


@click.command(epilog="\b\nAdd the line of your shell to its file:\n" + "\n".join(SHELLS.values()))
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that lets the Tab key complete commands, games, players and settings."""
    kind = get_completion_class(shell)
    if kind is None:
        raise NumduelError(f"Tab completion does not work in {shell}")
    click.echo(kind(ctx.find_root().command, {}, "numduel", "_NUMDUEL_COMPLETE").source())
