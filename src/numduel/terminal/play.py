"""`numduel play` and `numduel resume`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from numduel.core.errors import RecordError
from numduel.core.game import Game
from numduel.core.numerals import counted
from numduel.play.arrange import FIRST, arrange, coin_line
from numduel.play.record_file import check_place
from numduel.play.saved import SavedMatch
from numduel.play.setup import MOST_ROUNDS
from numduel.players import HUMAN, check_fit, choices, kinds
from numduel.terminal.command import command
from numduel.terminal.options import GameCommands, completed, game_from, setting_options
from numduel.terminal.screen import Screen, rules_of, screen, titled
from numduel.terminal.session import Interrupted, Session, round_path
from numduel.terminal.shelf import idents, open_saved, shelf


def begin(game: Game[Any], screen: Screen, **agreed: Any) -> SavedMatch:
    """A new saved match, as `arrange` has it; where the coin decides, it says how it fell."""
    setup = arrange(game, **agreed)
    for who in setup.players:
        check_fit(who, game)
    saved = shelf().create(setup)
    if setup.coin:
        screen.say([coin_line(setup), ""])
    return saved


def resumed_lines(saved: SavedMatch) -> list[str]:
    """What is taken up again."""
    match = saved.match
    played = f"{counted(len(match.table.moves), 'move')} played so far."
    score = [match.score_line()] if match.setup.rounds > 1 else []
    return [f"Game {saved.ident}: {titled(match.setup.game)}.", played, *score, ""]


def finish(session: Session) -> None:
    """Play a session as a whole command; interrupted, it leaves with status 130."""
    try:
        session.run()
    except Interrupted:
        raise click.exceptions.Exit(130) from None


def _play_command(kind: type[Game[Any]]) -> click.Command:

    def run(what: str | None, **options: Any) -> None:
        game = game_from(kind, options)
        if what is not None:
            screen(options["plain"]).prose(f"{game.title}\n\n{rules_of(game)}")
            return
        plain, record, force = (options.pop(name) for name in ("plain", "record", "force"))
        coach = options.pop("coach")
        options["players"] = options.pop("p1"), options.pop("p2")
        options["names"] = options.pop("name1"), options.pop("name2")
        rounds, best_of = options.pop("rounds"), options.pop("best_of")
        if rounds is not None and best_of is not None:
            raise click.UsageError("give --rounds or --best-of, not both.")
        options["rounds"] = next((count for count in (best_of, rounds) if count is not None), 1)
        options["best_of"] = best_of is not None
        _check_unwritten(record, range(1, options["rounds"] + 1), force)
        shown = screen(plain)
        finish(Session(begin(game, shown, **options), shown, record, coach))

    return click.Command(
        kind.key,
        callback=run,
        params=[
            click.Argument(
                ["what"], required=False, type=click.Choice(["rules"]), metavar="[rules]"
            ),
            *setting_options(kind),
            *_player_options(),
            click.Option(
                ["--first"],
                default="1",
                metavar="|".join(FIRST),
                shell_complete=completed(FIRST),
                help="Who begins; random: a coin toss.",
            ),
            click.Option(
                ["--rounds"],
                type=int,
                metavar="N",
                help=f"How many rounds to play, up to {MOST_ROUNDS:,}.",
            ),
            click.Option(
                ["--best-of"],
                type=int,
                metavar="N",
                help="As many rounds, but only until it is decided.",
            ),
            click.Option(
                ["--swap"],
                is_flag=True,
                help="The second player may take over the first move, once a round.",
            ),
            click.Option(
                ["--turn-limit"],
                type=int,
                metavar="N",
                help="Nobody wins a game that lasts this many turns.",
            ),
            click.Option(
                ["--seed"], type=int, metavar="N", help="Makes everything random repeatable."
            ),
            *_screen_options(),
        ],
        help=f"{kind.title}: {kind.summary}\n\nWith `rules`, print the rules.",
        short_help=kind.summary,
        epilog=f"Example: {command(f'play {kind.key} --p2 random --rounds 3')}",
    )


def _player_options() -> list[click.Parameter]:
    players = completed(_players)
    options: list[click.Parameter] = [
        click.Option(
            [f"--p{seat}"],
            default=HUMAN,
            metavar="WHO",
            shell_complete=players,
            help=f"Player {seat}: {choices()}.",
        )
        for seat in (1, 2)
    ]
    for seat in (1, 2):
        help_text = f"What Player {seat}, a person, is called."
        options.append(click.Option([f"--name{seat}"], metavar="NAME", help=help_text))
    return options


def _players() -> list[str]:
    return [HUMAN, *(f"{kind.name}:" if kind.parameter else kind.name for kind in kinds())]


def _screen_options() -> list[click.Parameter]:
    return [
        click.Option(["--coach"], is_flag=True, help="Comment on each move that a person makes."),
        click.Option(["--plain"], is_flag=True, help="Plain text: no colour, no board."),
        click.Option(
            ["--record"],
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            callback=lambda _ctx, _option, path: path and check_place(path),
            help="Write the game there as JSON; game.json is followed by game-2.json for round 2.",
        ),
        click.Option(["--force"], is_flag=True, help="Let --record replace a file that is there."),
    ]


def _check_unwritten(record: Path | None, rounds: range, force: bool) -> None:
    """Raise RecordError where the record of a round would replace a file."""
    for count in rounds if record is not None and not force else ():
        assert record is not None
        path = round_path(record, count)
        if path.is_file():
            raise RecordError(f"{path} is there already; --force replaces it")


play = GameCommands(
    _play_command,
    name="play",
    help="Play a game.",
    epilog=f"Example: {command('play divisor-line --p2 random')}",
)


def _resume(ident: str | None, coach: bool, plain: bool, record: Path | None, force: bool) -> None:
    saved = open_saved(ident)
    try:
        match = saved.match
        _check_unwritten(record, range(match.round, match.setup.rounds + 1), force)
    except RecordError:
        saved.close()
        raise
    shown = screen(plain)
    shown.say(resumed_lines(saved))
    finish(Session(saved, shown, record, coach))


resume = click.Command(
    "resume",
    callback=_resume,
    params=[
        click.Argument(["ident"], required=False, metavar="[ID]", shell_complete=completed(idents)),
        *_screen_options(),
    ],
    help="Go on with a saved game or match: the newest unfinished one, or the one of that ID.",
    epilog=f"Example: {command('resume 12')}",
)
