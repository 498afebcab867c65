"""`numduel fair`."""

from __future__ import annotations

import json
from typing import Any

import click

from numduel.core.game import Game
from numduel.core.numerals import either
from numduel.lab.fairness import MAX_OPENINGS_EVALUATED, Fairness, Series, fairness
from numduel.play.coach import outlook
from numduel.terminal.command import command, with_settings
from numduel.terminal.options import GameCommands, json_option
from numduel.terminal.progress import progress
from numduel.terminal.screen import Screen, screen, titled


def _fair(game: Game[Any], /, as_json: bool) -> None:
    with progress("Playing games") as told:
        found = fairness(game, on_progress=told)
    if as_json:
        click.echo(json.dumps(_as_dict(found)))
        return
    out = screen(plain=False)
    with out.paged():
        _show(out, found)


fair = GameCommands(
    "fair",
    _fair,
    help="Show how fair a game is, and name fairer settings.",
    epilog=f"Example: {command('fair multiplicity --size 20')}",
    about="Show how fair {title} is at these settings, and name fairer ones.",
    example="fair {key}",
    options=[json_option],
)


def _show(out: Screen, found: Fairness) -> None:
    out.say([titled(found.game), "", _plainly(found)])
    if found.winning_openings is not None:
        out.say([f"{found.winning_openings} of {found.openings} openings win for the beginner."])
    if found.series:
        out.say(["", "Between equal players, the one who begins wins (in brackets, 95 % sure):"])
    for one in found.series:
        length = f"{one.length:.1f} moves on average of {one.games} games"
        out.entry(f"  {one.level:8} {_shares(one)}; {length}", 11)
    out.say([""])
    if found.swap_helps:
        out.say(["With --swap the second player may take over the opening: a real choice."])
    for near, begins in found.fairer:
        counted = f"{begins.winning} of {begins.openings} first moves win"
        out.say([f"Fairer: {with_settings('play', near)}  ({counted})"])
    if found.fairer:
        out.say(["(A fairer fight between people; with best play one side may still win.)"])
    elif found.tried:
        out.say([f"None of the {found.tried} settings tried nearby is fairer."])
    elif found.openings > MAX_OPENINGS_EVALUATED:
        out.say(["The settings nearby were not tried: there are too many first moves."])
    out.say(["Fair at any setting: --rounds 2, so that each begins once."])


def _shares(one: Series) -> str:
    shares = one.shares
    first, second = shares["first"], shares["second"]
    rest = "".join(
        f", {name} {shares[name].part:.0%}" for name in ("drawn", "undecided") if shares[name].part
    )
    between = f"({first.low:.0%} to {first.high:.0%})"
    return f"{first.part:4.0%} {between}, the other {second.part:.0%}{rest}".strip()


def _plainly(found: Fairness) -> str:
    if found.verdict is None:
        return "Too large to solve: who wins with best play is not known."
    if found.verdict.value == "endless":
        limits = either([*(f"a {name}" for name in found.bounding), "a limit of turns"])
        return f"Endless: between good players nobody can force an end. Set {limits}."
    if found.verdict.value == "draw":
        return "Fair: with best play nobody wins."
    side = "begins" if found.verdict.value == "win" else "does not begin"
    told = outlook(found.game, found.verdict, 1)
    return f"Lopsided: with best play the player who {side} always wins. {told}"


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
            {
                "settings": dict(near.settings.values),
                "command": with_settings("play", near),
                "openings": begins.openings,
                "winning_openings": begins.winning,
            }
            for near, begins in found.fairer
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
