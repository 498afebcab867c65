"""`numduel solve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from numduel.core.errors import IllegalMove, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import listed, parse_whole, quoted, shown
from numduel.core.record import LONGEST_GAME
from numduel.core.verdict import Verdict
from numduel.play.coach import hint, outlook
from numduel.play.ending import Ending
from numduel.proof.certify import certify
from numduel.solver import evaluate, theory_of
from numduel.solver import solve as solve_position
from numduel.terminal.certificates import write_certificate
from numduel.terminal.command import command
from numduel.terminal.options import GameCommands, game_from, setting_options
from numduel.terminal.progress import expecting
from numduel.terminal.screen import LEGEND, Screen, screen, titled

MOST_LISTED = 30
"""More moves than this are summed up by their verdict."""

SAYS = {"win": "wins", "draw": "draws", "endless": "endless", "loss": "loses"}


def parse_moves(text: str) -> list[int]:
    """Moves as typed, such as `7,14,2`."""
    parts = text.replace(",", " ").split()
    if len(parts) > LONGEST_GAME:
        raise SettingsError(f"after: at most {LONGEST_GAME:,} moves, not {len(parts):,}")
    moves = []
    for part in parts:
        move = parse_whole(part)
        if move is None:
            raise SettingsError(f"after: moves are numbers like 7,14,2, not {quoted(part)}")
        moves.append(move)
    return moves


def play_moves(game: Game[Any], position: Any, moves: list[int]) -> Any:
    """The position after some moves; IllegalMove says which of them is wrong."""
    for count, move in enumerate(moves, 1):
        try:
            position = game.play(position, move)
        except IllegalMove as error:
            raise IllegalMove(move, position, f"move {count}: {error}") from None
    return position


def _solve_command(kind: type[Game[Any]]) -> click.Command:
    def run(
        after: str,
        notation: str | None,
        certificate: str | None,
        distance: bool,
        as_json: bool,
        plain: bool,
        **options: Any,
    ) -> None:
        game = game_from(kind, options)
        moves = parse_moves(after)
        start = game.start() if notation is None else game.read(notation)
        position = play_moves(game, start, moves)
        cost = theory_of(game).cost(position)
        with expecting("Solving", cost.once + cost.solve + cost.evaluate):
            verdict = solve_position(game, position)
            if distance:
                verdict = Verdict(verdict.value, theory_of(game).distance(position))
            verdicts = _of_each_move(game, position)
            if certificate is not None:
                write_certificate(Path(certificate), certify(game, position))
        if as_json:
            click.echo(json.dumps(_as_dict(game, moves, position, verdict, verdicts)))
        else:
            out = screen(plain)
            with out.paged():
                _show(out, game, position, verdict, verdicts)

    return click.Command(
        kind.key,
        callback=run,
        params=[
            *setting_options(kind),
            click.Option(
                ["--position", "notation"],
                metavar="POSITION",
                help="The position to begin from, as `--json` gives it.",
            ),
            click.Option(
                ["--after"], default="", metavar="MOVES", help="Moves already made, as 7,14,2."
            ),
            click.Option(
                ["--certificate"],
                metavar="FILE",
                help="Write what proves the verdict to a file, for `numduel verify`.",
            ),
            click.Option(
                ["--distance"],
                is_flag=True,
                help="Search longer for how soon it ends, where that is not known at once.",
            ),
            click.Option(["--json", "as_json"], is_flag=True, help="For programs."),
            click.Option(["--plain"], is_flag=True, help="Plain text, without colour."),
        ],
        help=f"{kind.title}: who wins from here with best play, by which moves, and why.",
        short_help=kind.summary,
        epilog=f"Example: {command(f'solve {kind.key} --after 2')}",
    )


solve = GameCommands(
    _solve_command,
    name="solve",
    help="Who wins with best play, and by which moves.",
    epilog=f"Example: {command('solve multiplicity --size 20 --after 7,14')}",
)


def _of_each_move(game: Game[Any], position: Any) -> dict[int, Verdict] | TooLarge:
    """The verdict of each move, or why it is out of reach where that of the position is not."""
    try:
        return evaluate(game, position)
    except TooLarge as error:
        return error


def _show(
    out: Screen,
    game: Game[Any],
    position: Any,
    verdict: Verdict,
    verdicts: dict[int, Verdict] | TooLarge,
) -> None:
    out.say([titled(game), game.words.describe(position)])
    if not show_outlook(out, game, position, verdict):
        return
    if isinstance(verdicts, TooLarge):
        out.say([hint(game, position).line, f"Not each move is judged: {verdicts}."])
        return
    out.say([LEGEND, ""])
    ranked = sorted(verdicts, key=lambda move: (verdicts[move].rank, -move), reverse=True)
    if len(ranked) > MOST_LISTED:
        for value in SAYS:
            moves = [move for move in verdicts if verdicts[move].value == value]
            if moves:
                share = f"{len(moves):,} of {len(verdicts):,} moves"
                out.verdict(value, f"{share}: {listed(moves, most=20)}")
        out.say([hint(game, position).line])
        return
    for move in ranked:
        reason = theory_of(game).reason(position, move)
        label = game.words.move_label(position, move)
        out.verdict(verdicts[move].value, f"{label}: {_worded(verdicts[move])}: {reason}")


def show_outlook(out: Screen, game: Game[Any], position: Any, verdict: Verdict) -> bool:
    """The verdict in a sentence; whether the game goes on."""
    outcome = game.outcome(position)
    if outcome is not None:
        out.say(["The game is over.", Ending(position, outcome, None, 0).sentence(game)])
        return False
    out.verdict(verdict.value, outlook(verdict, position.mover))
    return True


def _worded(verdict: Verdict) -> str:
    if verdict.distance is None:
        return SAYS[verdict.value]
    return f"{SAYS[verdict.value]} in {shown(verdict.distance)}"


def _as_dict(
    game: Game[Any],
    moves: list[int],
    position: Any,
    verdict: Verdict,
    verdicts: dict[int, Verdict] | TooLarge,
) -> dict[str, Any]:
    best = hint(game, position) if game.outcome(position) is None else None
    judged = None if isinstance(verdicts, TooLarge) else verdicts
    return {
        "game": game.key,
        "settings": dict(game.settings.values),
        "after": moves,
        "position": game.notation(position),
        "mover": position.mover,
        "verdict": verdict._asdict(),
        "moves": judged and {str(move): one._asdict() for move, one in judged.items()},
        "best": best and best.move,
        "reason": best and best.reason,
    }
