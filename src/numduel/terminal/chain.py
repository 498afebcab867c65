"""`numduel chain`."""

from __future__ import annotations

import contextlib

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import format_ranges, join_numbers, parse_whole, pluralize, quoted, runs
from numduel.play.chain import DEFAULT_SIZE, MAX_KNOWN_SIZE, Chain, longest_chain
from numduel.terminal.command import command
from numduel.terminal.options import plain_option
from numduel.terminal.saved_games import read_progress, update_progress
from numduel.terminal.screen import Screen, make_screen
from numduel.terminal.streams import command_word

CHAIN_FILE = "chains.json"
"""The file with this person's longest chain of each size, as text."""

MAX_LISTED_RUNS = 20
"""Maximum number of single numbers, or runs of them, that are listed below a board."""

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
    make_chain(make_screen(plain), number)


def make_chain(screen: Screen, size: int = DEFAULT_SIZE) -> None:
    """Let a person make chains of numbers up to this size until they leave."""
    empty = Chain.empty(size)
    rules = "use each number once; each is a factor or a multiple of the one before."
    screen.say([f"Longest chain, 1 to {size}: {rules}", CHAIN_HELP])
    with contextlib.suppress(EOFError):
        _extend(screen, empty)


def _extend(screen: Screen, empty: Chain) -> None:
    """Ask for numbers and commands until the person leaves."""
    chain, best = empty, _saved_best(empty.size)
    shown: Chain | None = None
    while True:
        if chain != shown:
            if len(chain.numbers) > len(best.numbers):
                best = chain
                update_progress(CHAIN_FILE, **{str(best.size): best.text})
            _show_chain(screen, chain, best)
            shown = chain
        typed = screen.ask("Next: ").strip()
        word = command_word(typed)
        if word == "quit":
            return
        if word == "longest":
            screen.say([_longest_line(chain.size)])
        elif word in ("back", "undo"):
            chain = chain.back()
        elif word == "turn":
            chain = chain.reversed()
        elif word == "new":
            chain = empty
        elif word in ("", "help"):
            screen.say([CHAIN_HELP])
        else:
            try:
                chain = chain.add_text(typed)
            except NumduelError as error:
                screen.say([f"Try again: {error}."])


def _show_chain(screen: Screen, chain: Chain, best: Chain) -> None:
    screen.say([""])
    drawn = screen.draw_cells(chain.scene.cells)
    if chain.numbers:
        screen.say([f"Chain: {join_numbers(chain.numbers, most=chain.size)}"])
    max_runs = MAX_LISTED_RUNS if drawn else chain.size
    following = format_ranges(runs(chain.moves), max_runs).replace(",", ", ")
    screen.say([f"Can follow: {following or 'nothing; type back, or turn'}", chain.length_line])
    if count := len(best.numbers):
        screen.say([pluralize(count, "Your best: {} number.", "Your best: {} numbers.")])


def _longest_line(size: int) -> str:
    numbers = longest_chain(size)
    if numbers is None:
        return f"It is known up to {MAX_KNOWN_SIZE} numbers."
    return f"One of the longest: {join_numbers(numbers, most=size)}"


def _saved_best(size: int) -> Chain:
    try:
        return Chain.parse(size, str(read_progress(CHAIN_FILE).get(str(size), "")))
    except NumduelError:
        return Chain(size)
