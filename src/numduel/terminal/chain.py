"""`numduel chain`."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import counted, parse_whole, quoted, ranges, runs
from numduel.play.chain import LARGEST_KNOWN, USUAL_SIZE, Chain, board, extended, longest, parse
from numduel.terminal.command import command
from numduel.terminal.screen import Screen, screen
from numduel.terminal.shelf import home

HELP = (
    "Type a number, or several; back to take one back, turn to go on at the other end, "
    "new to begin anew, longest to see one, quit to leave."
)


@click.command(epilog=f"Example: {command('chain 100')}")
@click.argument("size", metavar="[N]", default=str(USUAL_SIZE))
@click.option("--plain", is_flag=True, help="Plain text: no colour, no board.")
def chain(size: str, plain: bool) -> None:
    """Make the longest chain: numbers from 1 to N, each a factor or multiple of the one before."""
    number = parse_whole(size)
    if number is None:
        raise SettingsError(f"N is a whole number, not {quoted(size)}")
    out, begun = screen(plain), board(number)
    out.say(
        [
            f"Longest chain, 1 to {number}: use each number once; each is a factor or a multiple "
            "of the one before.",
            HELP,
        ]
    )
    with contextlib.suppress(EOFError):
        _make(out, begun)


def _make(out: Screen, made: Chain) -> None:
    empty, best = made, _best(made.size)
    shown: Chain | None = None
    while True:
        if made != shown:
            best = _kept(made, best)
            _show(out, made, best)
            shown = made
        typed = out.ask("Next: ").strip().lower()
        if typed in ("q", "quit"):
            return
        if typed == "longest":
            out.say([_told(made.size)])
        elif typed in ("back", "undo"):
            made = made.back()
        elif typed == "turn":
            made = made.turned()
        elif typed == "new":
            made = empty
        elif typed in ("", "help", "h", "?"):
            out.say([HELP])
        else:
            try:
                made = extended(made, typed)
            except NumduelError as error:
                out.say([f"{str(error)[:1].upper()}{str(error)[1:]}."])


def _show(out: Screen, made: Chain, best: Chain) -> None:
    out.say([""])
    out.cells(made.scene.cells)
    if made.numbers:
        out.say([f"Chain: {made.text}"])
    following = ranges(runs(made.moves)) or "nothing; type back, or turn"
    out.say([f"Can follow: {following}"])
    yours = f" Your best: {counted(len(best.numbers), 'number')}." if best.numbers else ""
    out.say([f"{made.standing}{yours}"])


def _told(size: int) -> str:
    found = longest(size)
    if found is None:
        return f"It is known up to {LARGEST_KNOWN} numbers."
    return f"One of the longest: {','.join(map(str, found))}"


def _file() -> Path:
    return home() / "chains.json"


def _read() -> dict[str, str]:
    """The person's best chain of each size, as text; what cannot be read counts as none."""
    try:
        found = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _best(size: int) -> Chain:
    try:
        return parse(size, str(_read().get(str(size), "")))
    except NumduelError:
        return Chain(size)


def _kept(made: Chain, best: Chain) -> Chain:
    """The better of the two; a new best is kept for the next time."""
    if len(made.numbers) <= len(best.numbers):
        return best
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({**_read(), str(made.size): made.text}), "utf-8")
    fresh.replace(path)
    return made
