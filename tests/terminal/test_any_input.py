"""Thousands of lines of anything in each game: every line is answered, none is lost or skipped."""

import json
import re
from random import Random

import pytest
from tests.terminal.shared import saved_match

import numduel
from numduel.play.event import Move, Resign, Swap, Undo
from numduel.play.match import Match
from numduel.play.setup import Setup
from numduel.terminal.move_prompt import COMMAND_HELP
from numduel.terminal.streams import MAX_LINE_CHARACTERS, command_word, printable

ROUNDS = 1000
GAMES = {
    "divisor-duel": ({}, []),
    "operation-duel": ({"operations": "+1,x2,-1"}, []),
    "divisor-line": ({"size": 12}, []),
    "double-or-add": ({"target": 9}, ["--swap"]),
    "multiplicity": ({"size": 12}, []),
}
WORDS = [
    *("undo", "UNDO", "  Undo ", "save", "help", "Help", "rules", "resign"),
    *("yes", "no", "y", "n", "yes please", "quit now", "undo 2", "None", "nan", "1 2", "0x1"),
    *("1e3", "1.0", "+1", "-1", "--1", "01", " 2 ", "1,2", "½", "١", "２", "²", "[red]1[/red]"),
    *("%s%n{0}", "'", '"', "\\", "$(reboot)", "; ls", "\x00", "\x1b[A", "\x1b[2J", "\x03", "\x04"),
    *(
        "\x08\x08",
        "\x7f",
        "\t",
        "\x0c",
        "\x1c1",
        "\u2028",
        "\u202e1",
        "\ufeff1",
        "e\u0301",
        "👩‍👩‍👧",
    ),
    *(
        "",
        " ",
        "9" * 999,
        "9" * 1001,
        "-" + "9" * 50,
        "x" * MAX_LINE_CHARACTERS,
        "x" * 5000,
        " " * 2001,
    ),
]
RARE = {"rules", "resign", "x" * 5000, "x" * MAX_LINE_CHARACTERS, " " * 2001}


def anything(rng, most):
    """A line that somebody, or something, might type; never one that leaves."""
    kind = rng.random()
    if kind < 0.5:
        return str(rng.randint(-1, most + 2)).encode()
    if kind < 0.8:
        word = rng.choice(WORDS)
        return (word if word not in RARE or rng.random() < 0.1 else "undo").encode()
    if kind < 0.9:
        return bytes(rng.choice([b for b in range(256) if b not in b"\r\n"]) for _ in range(8))
    points = (rng.choice([rng.randrange(32, 127), rng.randrange(0xA0, 0xD800)]) for _ in range(5))
    return "".join(map(chr, points)).encode()


def expected_refusal(match, typed):
    """A pattern of the one line of answer, if this is not a choice here; else None."""
    table, word = match.table, command_word(typed)
    if word in COMMAND_HELP:
        nothing = word == "undo" and not match.undo_count()
        return r"There is nothing to undo yet\." if nothing else None
    if table.swap_open:
        return (
            None
            if word in ("yes", "y", "no", "n")
            else r".+ is not a choice\. (Did you mean \w+\? )?Type yes or no, or help\."
        )
    number = table.game.words.read_move(table.position, typed)
    if number is None:
        return r".+ is not a choice\. (Did you mean .+\? )?Type .+, or help\."
    if table.game.allows(table.position, number):
        return None
    return r".+: type .+, or help\."


def apply(match, typed):
    """Apply what was typed to the match."""
    word, table = command_word(typed), match.table
    if word not in COMMAND_HELP:
        move = table.game.words.read_move(table.position, typed)
        match.apply(Swap(word[0] == "y") if table.swap_open else Move(move))
    match.begin_due_rounds()


@pytest.mark.parametrize("key", GAMES)
def test_thousands_of_lines_of_anything(run, home, many, key):
    settings, options = GAMES[key]
    game = numduel.new(key, **settings)
    rng = Random(key)
    typed = [anything(rng, settings.get("size", 3)) for _ in range(many(800, 10_000))]
    typed = [line for line in typed if line.strip().lower() not in (b"quit", b"q")]
    asking = (b"resign", b"undo")
    typed = [part for line in typed for part in ([line, b"yes"] if line in asking else [line])]

    flags = [part for name, value in settings.items() for part in (f"--{name}", value)]
    ran = run("play", key, *flags, *options, "--rounds", ROUNDS, typed=b"\n".join(typed) + b"\n")
    assert (ran.status, ran.err) == (130, "")  # the lines ended before the rounds did

    swap = "--swap" in options
    match = Match(Setup(game, ("human", "human"), 1, ROUNDS, swap, None, 1, ""))
    lines = ran.out.split("\n")
    at = 0
    asked = None  # the event about which somebody is asked first
    for line in typed:
        table = match.table
        text = line.decode(errors="replace")[:MAX_LINE_CHARACTERS]
        if asked is not None:
            assert lines[at].endswith(f"? (yes or no): {printable(text)}")
            word = text.strip().lower()
            if word in ("y", "yes"):
                match.apply(asked)
                match.begin_due_rounds()
            if word in ("y", "yes", "n", "no"):
                asked = None
            else:  # it is asked again
                assert lines[at + 1] == "Type yes or no."
                at += 2
            continue
        second, first = f"Player {table.position.mover}", f"Player {3 - table.position.mover}"
        question = f"{second}, do you want to take over what {first} has played? (yes or no): "
        prompt = question if table.swap_open else game.words.prompt(table.position)
        while not lines[at].startswith(prompt):
            at += 1
        assert lines[at] == prompt + printable(text)
        answer = expected_refusal(match, text.strip())
        if answer is None:
            asking = {"resign": Resign(table.position.mover), "undo": Undo(match.undo_count())}
            asked = asking.get(command_word(text.strip()))
            apply(match, text.strip())
            at += 1
        else:
            assert re.fullmatch(answer, lines[at + 1])
            assert lines[at + 2].startswith(prompt)
            at += 2

    saved = saved_match(home)
    assert saved.table.moves == match.table.moves
    assert [record.moves for record in saved.finished] == [one.moves for one in match.finished]
    assert len(saved.finished) > many(1, 50)
    events = (home / "games" / "1.jsonl").read_text().splitlines()[1:]
    happened = {verb for event in events for verb in json.loads(event)}
    assert happened >= many({"move", "undo"}, {"move", "undo", "resign"})
