"""`numduel chain`."""

from __future__ import annotations

import contextlib

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import format_ranges, join_numbers, parse_whole, pluralize, quoted, runs
from numduel.play.chain import DEFAULT_SIZE, MAX_KNOWN_SIZE, Chain, longest_chain
from numduel.terminal.command import command
from numduel.terminal.options import plain_option
from numduel.terminal.saved_games import achieved, keep
from numduel.terminal.screen import Screen, screen

CHAIN_FILE = "chains.json"
"""Where the longest chain of each size is kept, as text."""

MAX_LISTED_RUNS = 20
"""Maximum number of numbers, or runs of them, that are listed below a board."""

CHAIN_HELP = (
    "Type a number, or several; back to take one back, turn to go on at the other end, "
    "new to start again, longest to see one, quit to leave."
)


@click.command(epilog=f"Example: {command('chain 100')}")
@click.argument("size", metavar="[N]", default=str(DEFAULT_SIZE))
@plain_option
def chain(size: str, plain: bool) -> None:
    """Make the longest chain: numbers from 1 to N, each a factor or multiple of the one before."""
    number = parse_whole(size)
    if number is None:
        raise SettingsError(f"N is a whole number, not {quoted(size)}")
    make_chain(screen(plain), number)


def make_chain(out: Screen, size: int = DEFAULT_SIZE) -> None:
    """Let a person make chains of numbers up to this size until they leave."""
    begun = Chain.empty(size)
    out.say(
        [
            f"Longest chain, 1 to {size}: use each number once; each is a factor or a multiple "
            "of the one before.",
            CHAIN_HELP,
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
            made = made.reversed()
        elif typed == "new":
            made = empty
        elif typed in ("", "help", "h", "?"):
            out.say([CHAIN_HELP])
        else:
            try:
                made = made.add_text(typed)
            except NumduelError as error:
                out.say([f"Try again: {error}."])


def _show(out: Screen, made: Chain, best: Chain) -> None:
    out.say([""])
    drawn = out.cells(made.scene.cells)
    if made.numbers:
        out.say([f"Chain: {join_numbers(made.numbers, most=made.size)}"])
    most = MAX_LISTED_RUNS if drawn else made.size
    following = format_ranges(runs(made.moves), most).replace(",", ", ")
    out.say([f"Can follow: {following or 'nothing; type back, or turn'}"])
    count = len(best.numbers)
    yours = pluralize(count, "Your best: {} number.", "Your best: {} numbers.")
    out.say([made.length_line, *([yours] if count else [])])


def _told(size: int) -> str:
    found = longest_chain(size)
    if found is None:
        return f"It is known up to {MAX_KNOWN_SIZE} numbers."
    return f"One of the longest: {join_numbers(found, most=size)}"


def _best(size: int) -> Chain:
    try:
        return Chain.parse(size, str(achieved(CHAIN_FILE).get(str(size), "")))
    except NumduelError:
        return Chain(size)


def _kept(made: Chain, best: Chain) -> Chain:
    """Return the better of the two, and save a new best."""
    if len(made.numbers) <= len(best.numbers):
        return best
    keep(CHAIN_FILE, **{str(made.size): made.text})
    return made
