"""The command itself: its status, its one line of error, its streams, and what it imports."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from numduel import __version__
from numduel.games import OUR_GAMES
from numduel.terminal.main import COMMANDS

RANDOM = ("--p1", "random", "--p2", "random", "--seed", "1")


def one_line(ran):
    """The one line on standard error, without the name of the program."""
    assert re.fullmatch(r"numduel: [^\n]+\n", ran.err), ran.err
    return ran.err.removeprefix("numduel: ").rstrip("\n")


# Help.


@pytest.mark.parametrize("asked", ["--help", "-h"])
def test_help_is_everywhere_with_an_example(run, asked):
    for command in ([], *([name] for name in COMMANDS if name != "completion")):
        ran = run(*command, asked)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith(" ".join(["Usage: numduel", *command]))
        assert re.search(r"\n  Example: numduel [a-z]+( |\n)", ran.out)
        assert max(map(len, ran.out.splitlines())) <= 100


def test_the_help_of_a_game_has_its_settings(run):
    for key in OUR_GAMES:
        ran = run("play", key, "--help")
        assert (ran.status, ran.err) == (0, "")
        assert f"Example: numduel play {key} --p2 random" in ran.out
        flags = re.findall(r"^  (--[\w-]+)", ran.out, re.MULTILINE)
        assert flags[:2] == ["--p2", "--coach"]
        assert {"--p1", "--first", "--rounds", "--swap", "--turn-limit", "--seed"} < {*flags}
        assert "[default: " in ran.out


def test_where_there_is_no_terminal_the_command_alone_is_help(run, spawn):
    assert run().out == run("--help").out
    menu = spawn()
    menu.keys("Choose a game", "\x04")
    assert menu.ends() == 0


def test_the_version(run):
    assert run("--version") == (0, f"numduel {__version__}\n", "")


def test_the_module_is_the_command(environment):
    command = [sys.executable, "-m", "numduel", "--version"]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert done.stdout.decode() == f"numduel {__version__}\n"


# Status.

MULTIPLICITY = "play multiplicity"
USAGE = {
    "bogus": "No such command 'bogus'. See: numduel --help",
    "--bogus": "No such option '--bogus'. See: numduel --help",
    "play": "Which game? The games are divisor-duel, operation-duel,",
    "play chess": "There is no game 'chess'. The games are divisor-duel, operation-duel,",
    f"play {'x' * 9999}": "There is no game 'xxxx",
    "play 'a\nb'": "There is no game 'a\\nb'. The games are",
    "pley": "No such command 'pley'. Did you mean play? See: numduel --help",
    "play multiplicty": "There is no game 'multiplicty'. Did you mean multiplicity?",
    f"{MULTIPLICITY} --round 3": "No such option '--round'. ",
    f"{MULTIPLICITY} --rounds 3 --best-of 3": "give --rounds or --best-of, not both.",
    f"{MULTIPLICITY} --divisor 3": "No such option '--divisor'",
    f"{MULTIPLICITY} --size": "Option '--size' requires an argument",
    f"{MULTIPLICITY} --rounds x": "Invalid value for '--rounds': 'x'",
    f"{MULTIPLICITY} ruls": "Invalid value for '[rules]': 'ruls' is not 'rules'.",
    f"{MULTIPLICITY} rules x": "Got unexpected extra argument",
    f"{MULTIPLICITY} --record /": "Invalid value for '--record': File '/' is a",
    "replay": "Missing argument 'RECORD'. See: numduel replay --help",
    "history 7": "Got unexpected extra argument",
    "games --xml": "No such option '--xml'",
    "completion tcsh": "Invalid value for '{bash|zsh|fish}'",
}
REFUSED = {
    f"{MULTIPLICITY} --size 0": "size must be a whole number from 1 to 10,000,000",
    f"{MULTIPLICITY} --size x": "size must be a whole number from 1 to 10,000,000",
    f"{MULTIPLICITY} --start 51": "start must be at most the size, 50, not 51",
    f"{MULTIPLICITY} --opening odd": "opening must be any or even, not 'odd'",
    "play divisor-line --size 5": "size must be",
    "play double-or-add --target 1": "target must be",
    "play operation-duel --operations x1": "operations must be 1 to 9 different",
    f"{MULTIPLICITY} --p1 robot": "a player is human",
    f"{MULTIPLICITY} --first 3": "first must be 1, 2 or random, not '3'",
    f"{MULTIPLICITY} --rounds 0": "rounds must be from 1 to 1,000, not 0",
    f"{MULTIPLICITY} --best-of 2": "best-of must be an odd number",
    f"{MULTIPLICITY} --turn-limit -5": "turn-limit must be from 1 to 100,000",
    f"{MULTIPLICITY} --seed -5": "seed must be from 0 to",
    f"{MULTIPLICITY} --record ''": ". is a folder: a record is written to a file",
    f"{MULTIPLICITY} --record no/x": "no/x: there is no folder '",
    "resume --record no/x": "no/x: there is no folder '",
    "resume": "there is no unfinished game; start one with: numduel play GAME",
    "resume 7": "there is no game 7; see: numduel history",
    "resume x": "a game's ID is a number from numduel history, not 'x'",
    "resume 0": "a game's ID is a number from numduel history, not '0'",
    f"resume {'9' * 5000}": "a game's ID is a number from numduel history, not '999",
    "replay 7": "there is no game 7; see: numduel history",
    "replay none.json": "none.json: No such file or directory",
    "replay .": ".: Is a directory",
    f"replay {'y' * 999}": "yyyy",
}


@pytest.mark.parametrize(
    ("status", "messages"), [(2, USAGE), (1, REFUSED)], ids=["usage", "refused"]
)
def test_what_is_wrong_is_one_line_and_a_status(run, home, status, messages):
    for command, message in messages.items():
        ran = run(*shlex.split(command))
        assert (ran.status, ran.out) == (status, ""), command
        assert one_line(ran).startswith(message), command
        if status == 2:
            assert re.search(r" See: numduel.* --help$", one_line(ran))
            assert len(ran.err) < 300
    assert not home.exists()


# The folder.


@pytest.mark.parametrize("place", ["/proc/numduel", "/dev/null/numduel", "/sys/numduel"])
def test_where_nothing_can_be_saved_play_goes_on_with_a_warning(run, place):
    typed = "1\nsave\n1\n"
    ran = run("play", "double-or-add", "--target", 4, typed=typed, env={"NUMDUEL_HOME": place})
    assert ran.status == 0
    assert "Enter 1 or 2: save\nThis game is not saved.\n" in ran.out
    assert ran.out.endswith("Player 2 wins the game!\n")
    said = one_line(ran)
    assert said.startswith(place) and said.endswith(". What you play will not be saved.")
    assert run("history", env={"NUMDUEL_HOME": place}) == (
        0,
        "No games yet. Start one with: numduel play GAME\n",
        "",
    )


def test_a_file_in_place_of_the_folder_is_left_alone(run, home):
    home.mkdir()
    (home / "games").write_text("")
    ran = run("play", "double-or-add", "--p2", "easy", "--target", 2, typed="1\n")
    assert (ran.status, "analyze" in ran.out) == (0, False)
    assert one_line(ran).startswith(f"{home}/games: ")
    assert (home / "games").read_text() == ""


def test_numduel_home_moves_the_folder(run, tmp_path, home):
    there = tmp_path / "there" / "deep"
    run("play", "double-or-add", typed="1\n", env={"NUMDUEL_HOME": str(there)})
    assert (there / "games" / "1.jsonl").exists()
    assert not home.exists()


def test_without_numduel_home_the_system_says_where(run, tmp_path):
    data = tmp_path / "data"
    places = {"NUMDUEL_HOME": "", "XDG_DATA_HOME": str(data)}
    run("play", "double-or-add", typed="1\n", env=places)
    assert (data / "numduel" / "games" / "1.jsonl").exists()


def test_a_disk_that_fills_up_is_one_line_and_loses_no_move(run, run_process, home):
    import resource

    def with_room_for(size, *arguments, **options):
        return run_process(
            *arguments,
            **options,
            env={"PYTHONDONTWRITEBYTECODE": "1"},  # or half a module would be left for everybody
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )

    run("play", "double-or-add", typed="1\n2\n")
    saved = home / "games" / "1.jsonl"
    size = saved.stat().st_size
    for _ in range(2):  # the second time there is not even room for a byte
        ran = with_room_for(size + 5, "resume", typed="1\n")
        assert ran.status == 1
        assert one_line(ran) in (
            "input or output: the disk is full",
            "input or output: File too large",
        )
    assert run("resume", typed="quit\n").out.startswith("Game 1: ")
    assert saved.read_bytes().count(b"\n") == 3
    ran = with_room_for(9, "play", "divisor-duel", typed="1\n")
    assert (ran.status, one_line(ran).endswith("What you play will not be saved.")) == (130, True)
    assert sorted(path.name for path in saved.parent.iterdir()) == ["1.jsonl"]


# The streams.


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", [["games"], ["play", "double-or-add", *RANDOM], ["play", "double-or-add"]]
)
def test_a_full_disk_behind_the_output_is_one_line(run_process, arguments, unbuffered):
    with Path("/dev/full").open("w") as full:
        ran = run_process(*arguments, stdout=full, env={"PYTHONUNBUFFERED": unbuffered})
    assert ran.status == 1
    assert one_line(ran) == "input or output: No space left on device"


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", [["games"], ["play", "multiplicity", *RANDOM], ["history"], ["--help"]]
)
def test_a_reader_that_has_gone_is_no_matter(start, arguments, unbuffered, environment):
    environment["PYTHONUNBUFFERED"] = unbuffered
    read, write = os.pipe()
    os.close(read)
    process = start(*arguments, stdout=write)
    os.close(write)
    _, err = process.communicate()
    assert (process.returncode, err) == (1, b"")


def test_a_reader_of_one_line_gets_it(environment):
    shell = ["sh", "-c", "numduel play multiplicity --p1 random --p2 random --rounds 99 | head -1"]
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    done = subprocess.run(shell, env=environment, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"Player 1 is random.\n", b"")


def test_a_full_disk_behind_the_errors_is_quiet(run_process):
    with Path("/dev/full").open("w") as full:
        assert run_process("bogus", stderr=full).status == 2
        assert run_process("resume", stderr=full).status == 1


@pytest.mark.parametrize(
    ("closed", "status"), [("<&-", 130), (">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 130)]
)
def test_a_closed_stream_is_no_failure(environment, home, closed, status):
    who = "human" if "<" in closed else "random"
    players = f"--p1 random --p2 {who}"
    command = f"{sys.executable} -m numduel play double-or-add {players} {closed}"
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (status, b"")
    assert (home / "games" / "1.jsonl").read_bytes().startswith(b'{"game": "double-or-add"')


def test_an_input_that_cannot_be_read_is_one_line(environment):
    command = f"{sys.executable} -m numduel play double-or-add 0>/dev/null"
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"numduel: input or output: Bad file descriptor\n")
    assert done.stdout.endswith(b"Enter 1 or 2: ")


# What is imported.

COMMAND = "from numduel.terminal.main import numduel; numduel"
HEAVY = """
import sys
{what}
heavy = ["rich", "platformdirs", "importlib.metadata", "random", "dataclasses", "readline", "email",
    "numpy", "numba", "sqlite3", "asyncio", "urllib", "socket", "subprocess", "numduel.games.tally",
    "numduel.games.divisor_line.rules", "numduel.games.multiplicity.rules",
    "numduel.terminal.board", "numduel.play.saved", {more}]
print([name for name in heavy if name in sys.modules])
"""


def printed(program, environment):
    """The last line that a program in a fresh Python prints."""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return done.stdout.decode().splitlines()[-1]


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("import numduel", "'click', 'inspect', 'datetime', 'pathlib', 'numduel.terminal'"),
        (f"{COMMAND}(['--version'], standalone_mode=False)", ""),
        (f"{COMMAND}(['--help'], standalone_mode=False)", ""),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(environment, what, more):
    assert printed(HEAVY.format(what=what, more=more), environment) == "[]"


def test_a_pipe_does_not_need_rich(environment):
    program = """
import sys
from numduel.terminal.main import main
try:
    main(["play", "double-or-add", "--p1", "random", "--p2", "random"])
finally:
    print([name for name in ("rich", "readline") if name in sys.modules])
"""
    assert printed(program, environment) == "[]"
