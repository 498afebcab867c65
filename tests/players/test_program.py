"""Outside programs: one that plays well behaved, and every way to misbehave."""

import sys
import textwrap
import time
from pathlib import Path
from random import Random

import pytest

import numduel
from numduel.players.player import Forfeit, Turn
from numduel.players.program import MOST_OUTPUT, Program

BOT = Path(__file__).parents[2] / "examples" / "bot.py"

PATIENCE = 180.0  # seconds until something that does not come is given up

GAME = numduel.new("multiplicity", size=20)


def turn(*moves):
    position = GAME.start()
    for move in moves:
        position = GAME.play(position, move)
    return Turn(GAME, position, 1, moves, Random(1))


@pytest.fixture
def program(tmp_path):
    """Programs by their source; all are closed at the end."""
    made = []

    def make(source, seconds=PATIENCE):
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text("import sys, time\n" + textwrap.dedent(source))
        made.append(Program(f"{sys.executable} -u {path}", seconds))
        return made[-1]

    yield make
    for one in made:
        one.close()


GOOD = """
    for line in sys.stdin:
        words = line.split()
        if words[0] == "numduel": print("ready bot")
        if words[0] == "go": print("thinking aloud"); print("move 14")
        if words[0] == "swap": print("swap yes")
"""


def test_a_program_is_told_the_game_and_answers_with_a_move(program, tmp_path):
    log = tmp_path / "log"
    bot = program(f"""
        log = open({str(log)!r}, "w")
        for line in sys.stdin:
            log.write(line); log.flush()
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"): print("move 14")
    """)
    assert bot.choose(turn(7)) == 14
    assert log.read_text().splitlines() == [
        "numduel 1",
        'game multiplicity {"size": 20, "start": 1, "opening": "any", "start_open": false}',
        "moves 1 7",
        "go 2 180",
    ]


def test_a_program_may_think_aloud_and_is_asked_about_the_swap(program):
    bot = program(GOOD)
    assert bot.choose(turn(7)) == 14
    assert bot.choose(turn(7)) == 14
    assert bot.swaps(turn(7)) is True


def test_the_example_plays_legal_moves():
    bot = Program(f"{sys.executable} {BOT}", PATIENCE)
    try:
        position = GAME.start()
        moves = ()
        while GAME.moves(position):
            move = bot.choose(Turn(GAME, position, 1, moves, Random(1)))
            position = GAME.play(position, move)
            moves += (move,)
        assert bot.swaps(turn(7)) is False
    finally:
        bot.close()


READY = "print('ready'); [sys.stdin.readline() for _ in range(4)]; "

MISBEHAVING = [
    ("pass", "has stopped"),
    ("print('ready')", "has stopped"),
    (READY + "print('move 13')", "'move 13', which is not a legal move"),
    (READY + "print('move seven')", "'move seven', which is not a legal move"),
    (READY + "print('move')", "which is not a legal move"),
    (READY + "print('move ' + '9' * 5000)", "which is not a legal move"),
    (READY + "sys.stdout.buffer.write(b'move \\xff\\n')", "which is not a legal move"),
    ("while True: print('x' * 100)", f"more than {MOST_OUTPUT:,} bytes"),
    ("sys.stdout.write('x' * 10**6); time.sleep(60)", f"more than {MOST_OUTPUT:,} bytes"),
    ("raise SystemExit(3)", "has stopped"),
    ("import os; os.kill(os.getpid(), 9)", "has stopped"),
]


@pytest.mark.parametrize(("source", "why"), MISBEHAVING)
def test_a_program_that_misbehaves_forfeits_with_the_reason(program, source, why):
    with pytest.raises(Forfeit, match=why.replace("(", r"\(")):
        program(source).choose(turn(7))


@pytest.mark.parametrize("source", ["time.sleep(60)", READY + "time.sleep(60)"])
def test_silence_forfeits_when_the_time_is_up(program, source):
    with pytest.raises(Forfeit, match=r"did not answer within 0\.5 seconds"):
        program(source, seconds=0.5).choose(turn(7))


def test_a_program_that_does_not_read_forfeits(program):
    bot = program(READY + "print('move 14'); time.sleep(600)")
    assert bot.choose(turn(7)) == 14  # it has started, however long that took
    bot.seconds = 0.5
    with pytest.raises(Forfeit, match="does not read"):
        bot.choose(Turn(GAME, turn(7).position, 1, (7,) * 100_000, Random(1)))


def test_a_strange_answer_about_the_swap_forfeits(program):
    with pytest.raises(Forfeit, match="not yes or no"):
        program(READY + "print('swap maybe')").swaps(turn(7))


def test_a_program_that_fell_is_started_again(program, tmp_path):
    flag = tmp_path / "fell"
    bot = program(f"""
        import os
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w"); sys.exit()
        for line in sys.stdin:
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"): print("move 14")
    """)
    with pytest.raises(Forfeit):
        bot.choose(turn(7))
    assert bot.choose(turn(7)) == 14


def test_closing_kills_what_the_program_has_started(program, tmp_path):
    pid = tmp_path / "pid"
    bot = program(f"""
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open({str(pid)!r}, "w").write(str(child.pid))
        for line in sys.stdin:
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"): print("move 14")
    """)
    bot.choose(turn(7))
    child = int(pid.read_text())
    bot.close()
    end = time.monotonic() + PATIENCE
    while lives(child):
        assert time.monotonic() < end, "the child lives on"
        time.sleep(0.01)


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "XZ"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_command_that_does_not_exist_forfeits():
    with pytest.raises(Forfeit, match="cannot be started: No such file"):
        Program("./no-such-program").choose(turn(7))


@pytest.mark.parametrize("command", ["", "   ", "'unclosed"])
def test_a_command_that_says_nothing_is_refused(command):
    with pytest.raises(numduel.SettingsError, match="program:"):
        Program(command)


def test_what_was_said_unasked_is_no_answer(program, tmp_path):
    said = tmp_path / "said"
    bot = program(f"""
        asked = 0
        for line in sys.stdin:
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"):
                asked += 1
                print("move 14")
                if asked == 1: print("move 13"); open({str(said)!r}, "w").close()
    """)
    assert bot.choose(turn(7)) == 14
    end = time.monotonic() + PATIENCE
    while not said.exists():  # until the line that nobody asked for has come
        assert time.monotonic() < end
        time.sleep(0.01)
    assert bot.choose(turn(7)) == 14
