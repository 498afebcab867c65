"""`numduel solve` and `numduel verify`: verdicts, and the certificates that prove them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from numduel.core.errors import CertificateError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import join_numbers, parse_whole, quoted
from numduel.core.record import MAX_GAME_MOVES
from numduel.core.verdict import Verdict
from numduel.core.words import replay_from
from numduel.games import new
from numduel.play.coach import hint, outlook
from numduel.play.files import write_atomically
from numduel.play.table import Ending
from numduel.proof.certificate import MAX_CERTIFICATE_BYTES, as_theorem, loads
from numduel.proof.certify import certify
from numduel.proof.verify import verify as verify_certificate
from numduel.solver import theory_of
from numduel.terminal.command import command
from numduel.terminal.options import GameCommands, json_option, plain_option
from numduel.terminal.screen import LEGEND, Screen, make_screen, progress, title_of

MAX_LISTED_MOVES = 30
"""Maximum number of moves that are listed one by one. More are grouped by verdict."""

VERDICT_WORDS = {"win": "wins", "draw": "draws", "endless": "endless", "loss": "loses"}


def parse_moves(text: str) -> list[int]:
    """Return the moves in a text such as `7,14,2`. Raises SettingsError."""
    parts = text.replace(",", " ").split()
    if len(parts) > MAX_GAME_MOVES:
        raise SettingsError(f"after: at most {MAX_GAME_MOVES:,} moves, not {len(parts):,}")
    moves = []
    for part in parts:
        move = parse_whole(part)
        if move is None:
            raise SettingsError(f"after: moves are numbers like 7,14,2, not {quoted(part)}")
        moves.append(move)
    return moves


def _solve(
    game: Game[Any],
    /,
    after: str,
    notation: str | None,
    certificate: Path | None,
    coq: bool,
    force: bool,
    distance: bool,
    as_json: bool,
    plain: bool,
) -> None:
    if coq and certificate is None:
        raise click.UsageError("--coq needs --certificate FILE.")
    if certificate is not None and not force and certificate.is_file():
        raise CertificateError(f"{certificate} already exists; --force replaces it")
    moves = parse_moves(after)
    start = game.start() if notation is None else game.read(notation)
    position, _ = replay_from(game, start, moves)
    theory = theory_of(game)
    cost = theory.cost(position)
    with progress("Solving", cost.once + cost.solve + cost.evaluate):
        verdict = theory.solve(position)
        if distance:
            verdict = Verdict(verdict.value, theory.distance(position))
        verdicts: Mapping[int, Verdict] | TooLarge
        try:
            verdicts = theory.verdicts(position)
        except TooLarge as error:  # it says why they cannot be found
            verdicts = error
        if certificate is not None:
            proof = certify(game, position)
            write_atomically(certificate, as_theorem(proof).encode() if coq else proof.dumps())
    if as_json:
        click.echo(json.dumps(_solution_data(game, moves, position, verdict, verdicts)))
    else:
        screen = make_screen(plain)
        with screen.paged():
            _show_solution(screen, game, position, verdict, verdicts)


after_option = click.option(
    "--after",
    default="",
    show_default=False,
    metavar="MOVES",
    help="Moves already made, like 7,14,2.",
)
distance_option = click.option(
    "--distance",
    is_flag=True,
    help="Search longer for how many moves it takes, if that is not known at once.",
)

solve = GameCommands(
    "solve",
    _solve,
    help="Show who wins with best play, and which moves to make.",
    epilog=f"Example: {command('solve multiplicity --size 20 --after 7,14')}",
    about="{title}: who wins from here with best play, by which moves, and why.",
    example="solve {key} --after 2",
    options=[
        click.option(
            "--position",
            "notation",
            metavar="POSITION",
            help="The position to begin from, written as `--json` shows it.",
        ),
        after_option,
        click.option(
            "--certificate",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Write a proof of the verdict to a file, for `numduel verify`.",
        ),
        click.option(
            "--coq",
            is_flag=True,
            help="Write it as a theorem of Rocq (formerly Coq), for `proofs/check`.",
        ),
        click.option("--force", is_flag=True, help="Replace an existing certificate."),
        distance_option,
        json_option,
        plain_option,
    ],
)


def _show_solution(
    screen: Screen,
    game: Game[Any],
    position: Any,
    verdict: Verdict,
    verdicts: Mapping[int, Verdict] | TooLarge,
) -> None:
    screen.say([title_of(game), game.words.describe(position)])
    if not show_outlook(screen, game, position, verdict):
        return
    if isinstance(verdicts, TooLarge):
        screen.say([hint(game, position).steps[-1], f"Not every move could be judged: {verdicts}."])
        return
    screen.say([LEGEND, ""])
    if len(verdicts) > MAX_LISTED_MOVES:
        for value in VERDICT_WORDS:
            moves = [move for move in verdicts if verdicts[move].value == value]
            if moves:
                share = f"{len(moves):,} of {len(verdicts):,} moves"
                screen.say_verdict(value, f"{share}: {join_numbers(moves, most=20)}")
        best = hint(game, position)
        screen.say([best.steps[-1], *best.notes])
        return
    for move in sorted(verdicts, key=lambda move: (verdicts[move].rank, -move), reverse=True):
        label = game.words.move_label(position, move)
        explanation = theory_of(game).explanation(position, move)
        reason = game.words.because(position, move, explanation)
        if explanation.kind not in ("end", "verdict"):
            reason = f"{_verdict_text(game, verdicts[move])}. {reason}"
        if explanation.pairs:
            notes = game.words.reason_notes(position, move, explanation)
            reason = " ".join([reason, *(f"{note}." for note in notes)])
        screen.say_verdict(verdicts[move].value, f"{label}: {reason}")


def show_outlook(screen: Screen, game: Game[Any], position: Any, verdict: Verdict) -> bool:
    """Say the verdict in a sentence. Return whether the game goes on."""
    outcome = game.outcome(position)
    if outcome is not None:
        screen.say(["The game is over.", Ending(position, outcome, None, 0).sentence(game)])
        return False
    screen.say_verdict(verdict.value, outlook(game, verdict, position.mover))
    return True


def _verdict_text(game: Game[Any], verdict: Verdict) -> str:
    if verdict.distance is None or verdict.value == "draw":
        return VERDICT_WORDS[verdict.value]
    whose = "your" if verdict.value == "win" else "their"
    return f"{VERDICT_WORDS[verdict.value]} {game.words.in_moves(verdict.distance, whose)}"


def _solution_data(
    game: Game[Any],
    moves: list[int],
    position: Any,
    verdict: Verdict,
    verdicts: Mapping[int, Verdict] | TooLarge,
) -> dict[str, Any]:
    best = hint(game, position) if game.outcome(position) is None else None
    judged = {} if isinstance(verdicts, TooLarge) else verdicts
    data = {str(move): verdict._asdict() for move, verdict in judged.items()}
    for move in judged if len(judged) <= MAX_LISTED_MOVES else ():
        data[str(move)]["pairs"] = theory_of(game).explanation(position, move).pairs
    return {
        "game": game.key,
        "settings": dict(game.settings.values),
        "after": moves,
        "position": game.notation(position),
        "mover": position.mover,
        "verdict": verdict._asdict(),
        "moves": None if isinstance(verdicts, TooLarge) else data,
        "best": best and best.move,
        "reason": best and best.why,
        "pairs": best and best.explanation.pairs,
    }


@click.command(epilog=f"Example: {command('verify proof.json')}")
@click.argument("file", type=click.Path())
@plain_option
def verify(file: str, plain: bool) -> None:
    """Check a certificate, and say what it proves: FILE was written by `solve --certificate`."""
    if file.endswith(".v"):
        raise CertificateError(f"{file} is a theorem of Rocq: `proofs/check {file}` checks it")
    with Path(file).open("rb") as opened:
        data = opened.read(MAX_CERTIFICATE_BYTES + 1)
    try:
        certificate = loads(data)
        verdict = verify_certificate(certificate)
    except CertificateError as error:
        raise CertificateError(f"{file}: {error}") from None
    game = new(certificate.game, **certificate.settings)
    position = game.read(certificate.position)
    screen = make_screen(plain)
    screen.say([title_of(game), game.words.describe(position)])
    show_outlook(screen, game, position, verdict)
    kinds = " and ".join(proof["kind"] for proof in certificate.proofs)
    screen.say([f"Proved, by the rules of the game alone ({kinds})."])
