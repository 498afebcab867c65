"""`numduel play` and `numduel resume`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from numduel.core.errors import NumduelError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import pluralize
from numduel.core.record import MAX_GAME_MOVES
from numduel.play.files import check_writable
from numduel.play.friendly_settings import beginning
from numduel.play.match import score_line
from numduel.play.saved import SavedMatch
from numduel.play.setup import FIRST, MAX_ROUNDS, arrange, coin_line
from numduel.play.table import TURN_LIMIT
from numduel.players import HUMAN, check_fit, choices, kinds, player
from numduel.players.program import Program
from numduel.terminal.command import command
from numduel.terminal.move_prompt import yes_or_no
from numduel.terminal.options import AddOption, GameCommands, completion_of, plain_option
from numduel.terminal.saved_games import create_saved, open_saved, saved_idents
from numduel.terminal.screen import Screen, make_screen, rules_of, title_of
from numduel.terminal.session import Session, round_path
from numduel.terminal.streams import at_terminal


def create_match(game: Game[Any], screen: Screen, **terms: Any) -> SavedMatch:
    """Arrange and save a new match. If a coin is tossed, say how it fell."""
    setup = arrange(game, **terms)
    for who in setup.players:
        check_fit(who, game)
    saved = create_saved(setup)
    if setup.coin:
        screen.say([coin_line(setup), ""])
    return saved


def introduce_resumed(saved: SavedMatch, screen: Screen, run_program: bool = False) -> None:
    """Say what a saved match is and how it stands, if its programs may be run.

    Unless `run_program` is true, the person is asked: the file of the match may come from somebody
    else. Raises SettingsError if they do not agree.
    """
    match = saved.match
    # The commands are shown in full, so that nobody agrees to what they have not read.
    programs = " and ".join(
        repr(who) for who in match.setup.players if isinstance(player(who), Program)
    )
    if programs and not run_program:
        question = f"This game runs {programs}. Go on? (yes or no): "
        if not (at_terminal() and yes_or_no(screen.ask(question))):
            saved.close()
            allow = command(f"resume {saved.ident} --run-program")
            raise SettingsError(f"this game runs {programs}; to allow that, type: {allow}")
    count = len(match.table.moves)
    played = pluralize(count, "{} move played so far.", "{} moves played so far.")
    score = [score_line(match.wins, match.setup.seat_names)] if match.setup.rounds > 1 else []
    screen.say([f"Game {saved.ident}: {title_of(match.setup.game)}.", played, *score, ""])


def _play(game: Game[Any], /, what: str | None, **options: Any) -> None:
    if what is not None:
        make_screen(options["plain"]).say_prose(f"{game.title}\n\n{rules_of(game)}")
        return
    names = ("plain", "scroll", "record", "force")
    plain, scroll, record, force = (options.pop(name) for name in names)
    options["players"] = options.pop("p1"), options.pop("p2")
    options["names"] = options.pop("name1"), options.pop("name2")
    rounds, best_of = options.pop("rounds"), options.pop("best_of")
    if rounds is not None and best_of is not None:
        raise click.UsageError("give --rounds or --best-of, not both.")
    options["rounds"] = next((count for count in (best_of, rounds) if count is not None), 1)
    options["best_of"] = best_of is not None
    _check_records(record, range(1, options["rounds"] + 1), force)
    screen = make_screen(plain, scroll)
    if options["turn_limit"] is None and HUMAN not in options["players"]:
        options["turn_limit"] = _limit_for_computers(game, screen)
    Session(create_match(game, screen, **options), screen, record).run()


def _limit_for_computers(game: Game[Any], screen: Screen) -> int | None:
    """Return a higher limit of turns if perfect players need more than the usual one, else None.

    Say how many moves they need; at a terminal, ask whether to play that long. Raises SettingsError
    if they need more than a game can have.
    """
    try:
        moves = beginning(game).verdict.distance or 0
    except TooLarge:
        return None
    if moves <= TURN_LIMIT:
        return None
    line = f"Between perfect players this game takes {moves:,} moves"
    if moves > MAX_GAME_MOVES:
        raise SettingsError(f"{line}, and a game has at most {MAX_GAME_MOVES:,}; set a turn limit")
    screen.say([f"{line}."])
    if at_terminal():
        try:
            agreed = yes_or_no(screen.ask("Play it to the end? (yes or no): "))
        except EOFError:
            agreed = False
        if not agreed:
            raise click.exceptions.Exit(0)
    return MAX_GAME_MOVES


def _check_records(record: Path | None, rounds: range, force: bool) -> None:
    """Raise NumduelError if the record of a round would replace a file."""
    if record is None or force:
        return
    for path in (round_path(record, count) for count in rounds):
        if path.is_file():
            raise NumduelError(f"{path} already exists; --force replaces it")


def _player_option(seat: int) -> AddOption:
    return click.option(
        f"--p{seat}",
        default=HUMAN,
        metavar="WHO",
        shell_complete=completion_of(_player_words),
        help=f"Player {seat}: {choices()}.",
    )


def _player_words() -> list[str]:
    return [HUMAN, *(f"{kind.name}:" if kind.parameter else kind.name for kind in kinds())]


_coach_option = click.option(
    "--coach", is_flag=True, help="Comment on each move that a person makes."
)
_scroll_option = click.option("--scroll", is_flag=True, help="Keep earlier turns above the board.")
_record_option = click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    callback=lambda _ctx, _option, path: path and check_writable(path),
    help="Write the game to a JSON file; with game.json, round 2 goes to game-2.json.",
)
_force_option = click.option("--force", is_flag=True, help="Let --record replace an existing file.")
_match_options = (
    click.option("--name1", metavar="NAME", help="Player 1's name, if a person plays."),
    click.option("--name2", metavar="NAME", help="Player 2's name, if a person plays."),
    click.option(
        "--first",
        default="1",
        metavar="|".join(FIRST),
        shell_complete=completion_of(FIRST),
        help="Who begins; random: a coin toss.",
    ),
    click.option(
        "--rounds", type=int, metavar="N", help=f"How many rounds to play, up to {MAX_ROUNDS:,}."
    ),
    click.option(
        "--best-of", type=int, metavar="N", help="Up to N rounds, until the match is decided."
    ),
    click.option(
        "--swap", is_flag=True, help="The second player may take over the first move, once a round."
    ),
    click.option(
        "--turn-limit", type=int, metavar="N", help="Nobody wins a game that lasts N turns."
    ),
    click.option("--seed", type=int, metavar="N", help="Makes everything random repeatable."),
)

play = GameCommands(
    "play",
    _play,
    help="Play a game.",
    epilog=f"Example: {command('play divisor-line --p2 random')}",
    about="{title}: {summary}\n\nAdd `rules` to print the rules.",
    example="play {key} --p2 random --rounds 3",
    first_options=[
        click.argument("what", required=False, type=click.Choice(["rules"]), metavar="[rules]"),
        _player_option(2),
        _coach_option,
    ],
    options=[
        _player_option(1),
        *_match_options,
        plain_option,
        _scroll_option,
        _record_option,
        _force_option,
    ],
)


@click.command(epilog=f"Example: {command('resume 12')}")
@click.argument("ident", required=False, metavar="[ID]", shell_complete=completion_of(saved_idents))
@click.option("--run-program", is_flag=True, help="Run the game's program without asking.")
@_coach_option
@plain_option
@_scroll_option
@_record_option
@_force_option
def resume(
    ident: str | None,
    run_program: bool,
    coach: bool,
    plain: bool,
    scroll: bool,
    record: Path | None,
    force: bool,
) -> None:
    """Go on with a saved game or match: the newest unfinished one, or the one with that ID."""
    saved = open_saved(ident)
    try:
        match = saved.match
        _check_records(record, range(match.round, match.setup.rounds + 1), force)
    except NumduelError:
        saved.close()
        raise
    screen = make_screen(plain, scroll)
    introduce_resumed(saved, screen, run_program)
    Session(saved, screen, record, coach).run()
