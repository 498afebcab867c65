"""`numduel fair`."""

from __future__ import annotations

import json
from typing import Any

import click

from numduel.core.game import Game
from numduel.core.numerals import either
from numduel.lab.fairness import MOST_OPENINGS, Fairness, Series, fairness
from numduel.play.coach import outlook
from numduel.terminal.options import GameCommands, game_from, setting_options


def _fair_command(kind: type[Game[Any]]) -> click.Command:
    def run(as_json: bool, **options: Any) -> None:
        game = game_from(kind, options)
        found = fairness(game)
        if as_json:
            click.echo(json.dumps(_as_dict(found)))
        else:
            _show(found)

    return click.Command(
        kind.key,
        callback=run,
        params=[
            *setting_options(kind),
            click.Option(["--json", "as_json"], is_flag=True, help="For programs."),
        ],
        help=f"How fair {kind.title} is at these settings, and what would be a fairer fight.",
        short_help=kind.summary,
        epilog=f"Example: numduel fair {kind.key}",
    )


fair = GameCommands(
    _fair_command,
    name="fair",
    help="How fair a game is, and what would be a fairer fight.",
    epilog="Example: numduel fair multiplicity --size 20",
)


def _show(found: Fairness) -> None:
    game = found.game
    click.echo(f"{game.title} ({game.settings})\n")
    click.echo(_plainly(found))
    if found.winning_openings is not None:
        click.echo(f"{found.winning_openings} of {found.openings} openings win for the beginner.")
    if found.series:
        click.echo("\nBetween equal players, the one who begins wins:")
    for one in found.series:
        length = f"{one.length:.1f} moves on average of {one.games} games"
        click.echo(f"  {one.level:8} {_shares(one)}; {length}")
    click.echo()
    if found.swap_helps:
        click.echo("With --swap the second player may take over the opening: a real choice.")
    for near, one in found.fairer:
        click.echo(f"Fairer: {_command(near)}  ({one.level} players: {_shares(one)})")
    if found.fairer:
        click.echo("(A fairer fight between people; with best play one side may still win.)")
    elif found.tried:
        click.echo(f"None of the {found.tried} settings tried nearby is clearly fairer.")
    elif found.openings > MOST_OPENINGS:
        click.echo("The settings nearby were not tried: there are too many first moves.")
    click.echo("Fair at any setting: --rounds 2, so that each begins once.")


def _shares(one: Series) -> str:
    shares = one.shares
    first, second = shares["first"], shares["second"]
    rest = "".join(
        f", {name} {shares[name].part:.0%}" for name in ("drawn", "undecided") if shares[name].part
    )
    between = f"({first.low:.0%} to {first.high:.0%})"
    return f"{first.part:4.0%} {between}, the other {second.part:4.0%}{rest}".strip()


def _plainly(found: Fairness) -> str:
    if found.verdict is None:
        return "Too large to solve: who wins with best play is not known."
    if found.verdict.value == "endless":
        limits = either([*(f"a {name}" for name in found.bounding), "a limit of turns"])
        return f"Endless: between good players nobody can force an end. Set {limits}."
    if found.verdict.value == "draw":
        return "Fair: with best play nobody wins."
    side = "begins" if found.verdict.value == "win" else "does not begin"
    return (
        f"Lopsided: with best play the player who {side} always wins. {outlook(found.verdict, 1)}"
    )


def _command(game: Game[Any]) -> str:
    flags = []
    for setting, value in game.settings:
        if value != setting.default:
            flag = setting.flag if value is True else f"{setting.flag} {setting.text(value)}"
            flags.append(flag)
    return " ".join(["numduel play", game.key, *flags])


def _as_dict(found: Fairness) -> dict[str, Any]:
    return {
        "game": found.game.key,
        "settings": dict(found.game.settings.values),
        "verdict": found.verdict and found.verdict._asdict(),
        "openings": found.openings,
        "winning_openings": found.winning_openings,
        "levels": [_numbers(one) for one in found.series],
        "tried": found.tried,
        "fairer": [
            {"settings": dict(near.settings.values), "command": _command(near), **_numbers(one)}
            for near, one in found.fairer
        ],
    }


def _numbers(one: Series) -> dict[str, Any]:
    return {
        "level": one.level,
        "games": one.games,
        "length": one.length,
        **{name: part for name, (part, _, _) in one.shares.items()},
        "intervals": {name: [low, high] for name, (_, low, high) in one.shares.items()},
    }
