"""Programs as players: one that behaves well, and every way to misbehave."""

import os
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.toy_games import asked

import numduel
from numduel.players.player import Forfeit
from numduel.players.program import MAX_OUTPUT_BYTES, Program

BOT = Path(__file__).parents[2] / "examples" / "bot.py"

GAME = numduel.new("multiplicity", size=20)


def turn(*moves):
    return asked(GAME, *moves)


@pytest.fixture
def program(tmp_path):
    """Return a function that makes a program from its source. All are closed at the end."""
    made = []

    def make(source, seconds=5.0):
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
        "go 2 5",
    ]


def test_a_program_may_think_aloud_and_is_asked_about_the_swap(program):
    bot = program(GOOD)
    assert bot.choose(turn(7)) == 14
    assert bot.choose(turn(7)) == 14
    assert bot.swaps(turn(7)) is True


def test_the_example_plays_legal_moves():
    bot = Program(f"{sys.executable} {BOT}")
    try:
        moves = ()
        while GAME.moves(turn(*moves).position):
            moves += (bot.choose(turn(*moves)),)
        assert bot.swaps(turn(7)) is False
    finally:
        bot.close()


READY = "print('ready'); [sys.stdin.readline() for _ in range(4)]; "

ILLEGAL = "which is not a legal move"

MISBEHAVING = [
    ("pass", "has stopped", "crashed"),
    ("print('ready')", "has stopped", "crashed"),
    (READY + "print('move 13')", f"'move 13', {ILLEGAL}", "illegal"),
    (READY + "print('move seven')", f"'move seven', {ILLEGAL}", "unreadable"),
    (READY + "print('move')", ILLEGAL, "unreadable"),
    (READY + "print('move ' + '9' * 5000)", ILLEGAL, "unreadable"),
    (READY + "sys.stdout.buffer.write(b'move \\xff\\n')", ILLEGAL, "unreadable"),
    ("while True: print('x' * 100)", f"more than {MAX_OUTPUT_BYTES:,} bytes", "crashed"),
    ("sys.stdout.write('x' * 10**6); time.sleep(60)", f"more than {MAX_OUTPUT_BYTES:,}", "crashed"),
    ("raise SystemExit(3)", "has stopped", "crashed"),
    ("import os; os.kill(os.getpid(), 9)", "has stopped", "crashed"),
    ("sys.stdin.close(); time.sleep(60)", "has stopped|did not answer", ""),
]


@pytest.mark.parametrize(("source", "why", "fault"), MISBEHAVING)
def test_a_program_that_misbehaves_forfeits_with_the_reason(program, source, why, fault):
    seconds = 20 if fault else 0.5
    with pytest.raises(Forfeit, match=why) as forfeit:
        program(source, seconds=seconds).choose(turn(7))
    assert not fault or forfeit.value.fault == fault


@pytest.mark.parametrize("source", ["time.sleep(60)", READY + "time.sleep(60)"])
def test_silence_forfeits_when_the_time_is_up(program, source):
    with pytest.raises(Forfeit, match=r"did not answer within 0\.5 seconds") as forfeit:
        program(source, seconds=0.5).choose(turn(7))
    assert forfeit.value.fault == "late"


def test_a_program_that_does_not_read_forfeits(program):
    long = turn(7)._replace(moves=(7,) * 100_000)
    with pytest.raises(Forfeit, match="does not read") as forfeit:
        program("print('ready'); time.sleep(60)", seconds=0.5).choose(long)
    assert forfeit.value.fault == "late"


def test_a_program_is_told_how_long_it_has(program, tmp_path):
    log = tmp_path / "log"
    bot = program(f"""
        log = open({str(log)!r}, "w")
        for line in sys.stdin:
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"): log.write(line); log.flush(); print("move 14")
    """)
    for seconds in (None, 30, 2.5, 0):
        bot.choose(turn(7)._replace(seconds=seconds))
    assert log.read_text().splitlines() == ["go 2 5", "go 2 30", "go 2 2.5", "go 2 1"]


def test_a_program_has_the_name_that_it_gives(program):
    bot = program(GOOD.replace("ready bot", "ready   Deep  Seven"))
    assert bot.name == bot.command
    bot.choose(turn(7))
    assert bot.name == "Deep  Seven"
    nameless = program(GOOD.replace("ready bot", "ready"))
    nameless.choose(turn(7))
    assert nameless.name == nameless.command


def test_the_last_line_of_standard_error_is_part_of_the_message(program):
    with pytest.raises(Forfeit, match=r"has stopped \(ValueError: seven is not a number\)$"):
        program("raise ValueError('seven is not a number')", seconds=20).choose(turn(7))
    aloud = program("print('thinking', file=sys.stderr); " + READY + "print('move 13')", seconds=20)
    with pytest.raises(Forfeit, match=r"13.*legal move \(thinking\)$"):
        aloud.choose(turn(7))


def test_much_standard_error_is_shortened_and_never_blocks_the_program(program):
    noise = "sys.stderr.write('x' * 10**6 + chr(10) + chr(27) + 'y' * 10**5); "
    with pytest.raises(Forfeit, match="has stopped") as forfeit:
        program(noise, seconds=20).choose(turn(7))
    assert len(str(forfeit.value)) < 500
    assert str(forfeit.value).isprintable()
    loud = program(f"""
        for line in sys.stdin:
            {noise}
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"): print("move 14")
    """)
    assert loud.choose(turn(7)) == 14


def test_our_own_python_is_found_first(monkeypatch, tmp_path):
    impostor = tmp_path / "python3"
    impostor.write_text("#!/bin/sh\nexit 1\n")
    impostor.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    bot = Program(f"python3 {BOT}")
    try:
        bot.check_fit(GAME)
        assert bot.choose(turn(7)) in (1, 14)
    finally:
        bot.close()


def test_without_process_groups_only_the_program_is_ended(program, monkeypatch):
    bot = program(GOOD)
    bot.choose(turn(7))
    process = bot._running.process
    monkeypatch.delattr(os, "killpg")
    bot.close()
    assert process.returncode is not None


def test_a_program_that_does_not_exist_does_not_fit():
    with pytest.raises(numduel.SettingsError, match=r"there is no program '\./no-such-program'"):
        Program("./no-such-program").check_fit(GAME)


def test_a_child_process_that_keeps_the_pipes_open_does_not_block(program):
    """The child has left the process group, and writes nothing."""
    bot = program(
        """
        import subprocess
        child = [sys.executable, "-c", "import time; time.sleep(3)"]
        subprocess.Popen(child, start_new_session=True)
        raise SystemExit("gone")
    """,
        seconds=0.5,
    )
    with pytest.raises(Forfeit, match=r"did not answer.*\(gone\)$"):
        bot.choose(turn(7))


def test_a_strange_answer_about_the_swap_forfeits(program):
    with pytest.raises(Forfeit, match="not yes or no"):
        program(READY + "print('swap maybe')").swaps(turn(7))


def test_a_program_that_was_killed_between_two_turns_has_stopped(program):
    bot = program(GOOD)
    bot.choose(turn(7))
    bot._running.process.kill()
    bot._running.process.wait()
    with pytest.raises(Forfeit, match="has stopped"):
        bot.choose(turn(7))


def test_a_program_that_crashed_is_started_again(program, tmp_path):
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


def test_closing_kills_the_processes_that_the_program_has_started(program, tmp_path):
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
    for _ in range(500):
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            break
        if state == "Z":
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        raise AssertionError("the child is still running")


def test_a_command_that_does_not_exist_forfeits():
    with pytest.raises(Forfeit, match="cannot be started: No such file"):
        Program("./no-such-program").choose(turn(7))


@pytest.mark.parametrize("command", ["", "   ", "'unclosed"])
def test_an_empty_or_unclosed_command_is_refused(command):
    with pytest.raises(numduel.SettingsError, match="program:"):
        Program(command)


def test_output_before_the_question_is_no_answer(program):
    bot = program("""
        asked = 0
        for line in sys.stdin:
            if line.startswith("numduel"): print("ready")
            if line.startswith("go"):
                asked += 1
                print("move 14\\nmove 13" if asked == 1 else "move 14")
    """)
    assert bot.choose(turn(7)) == 14
    time.sleep(0.2)  # until the unexpected line has arrived
    assert bot.choose(turn(7)) == 14
