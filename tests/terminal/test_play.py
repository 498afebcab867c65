"""`numduel play` and `numduel resume`: their flags."""

import json
import re
import sys

import pytest
from tests.terminal.shared import MOVE, QUICK, saved_match

from numduel.games import new
from numduel.play.files import read_record
from numduel.play.saved import Shelf
from numduel.play.setup import arrange

RANDOM = ("--p1", "random", "--p2", "random")


# Who begins.


def test_the_best_of_three_ends_when_it_is_decided(run, home):
    ran = run("play", *QUICK, "--best-of", 3, typed="1\nresign\ny\n")
    assert "Round 2, best of 3\n" in ran.out and "Round 3" not in ran.out
    assert "Player 1 is the champion, 2 to 0!" in ran.out
    assert saved_match(home).over
    assert "match finished, 2 to 0" in run("history").out


def test_first_says_who_begins_and_random_tosses_a_coin(run, home):
    for first in (1, 2):
        out = run("play", "double-or-add", "--first", first, typed="1\n").out
        assert f"Player {first}, choose your action:" in out
        assert "coin" not in out
        assert saved_match(home, first).setup.first == first
    fell = set()
    for seed in range(6):
        toss = ["--first", "random", "--seed", seed]
        out = run("play", "double-or-add", *toss, typed="1\n").out
        said = int(re.match(r"The coin toss decides: Player ([12]) begins\.\n\n", out)[1])
        assert f"Player {said}, choose your action:" in out
        assert saved_match(home, seed + 3).setup.first == said
        fell.add(said)
    assert fell == {1, 2}


# Chance.


def test_a_seed_repeats_a_game(run):
    def moves(*seed):
        return run("play", "multiplicity", *RANDOM, *seed).out

    assert moves("--seed", 5) == moves("--seed", 5)
    assert len({moves("--seed", seed) for seed in range(5)}) > 1
    assert len({moves() for _ in range(4)}) > 1


def test_where_no_person_plays_1000_turns_are_the_limit(run, home):
    endless = ("operation-duel", "--operations", "+1,-1", "--start", 5000, "--target", 10**6)
    ran = run("play", *endless, *RANDOM)
    assert ran.status == 0
    assert ran.out.endswith("Nobody wins: the limit of 1,000 turns is reached.\n")
    assert len(saved_match(home).table.moves) == 1000
    ran = run("play", *endless, *RANDOM, "--turn-limit", 7, "--rounds", 2)
    assert ran.out.count("Nobody wins: the limit of 7 turns is reached.") == 2
    assert ran.out.endswith("The match is tied, 0 to 0.\n")


def test_a_person_may_set_a_limit_and_then_it_does_not_go_on(run):
    ran = run("play", "divisor-duel", "--turn-limit", 2, typed="1\n1\n")
    assert ran.status == 0
    assert ran.out.count("Game continues.") == 1
    assert ran.out.endswith("Updated N: 3\n\nNobody wins: the limit of 2 turns is reached.\n")


# The swap.


def test_the_second_player_may_take_over_the_first_move_once(run, home):
    out = run("play", "double-or-add", "--swap", typed="1\nyes\n2\n1\n2\n").out
    assert out.count("do you want to take over what Player 1 has played?") == 1
    assert "Player 2 takes it over. Player 1 goes on." in out
    assert (saved_match(home).table.first, saved_match(home).table.movers) == (2, [2, 1, 2, 1])
    out = run("play", "double-or-add", "--swap", typed="1\nn\n2\n").out
    assert "takes it over" not in out
    assert saved_match(home, 2).table.movers == [1, 2]


def test_each_round_has_its_swap(run):
    typed = "1\ny\nresign\ny\n1\nn\nresign\ny\n"
    out = run("play", "double-or-add", "--swap", "--rounds", 2, typed=typed).out
    assert re.findall(
        r"Player \d, do you want to take over what Player \d has played\? \(yes or no\): \w", out
    ) == [
        "Player 2, do you want to take over what Player 1 has played? (yes or no): y",
        "Player 1, do you want to take over what Player 2 has played? (yes or no): n",
    ]


def test_the_computer_decides_about_the_swap_too(run, home):
    answers = set()
    for seed in range(8):
        out = run(
            "play", "double-or-add", "--swap", "--p2", "random", "--seed", seed, typed="1\n"
        ).out
        asked = r"2, do you want to take over what Player 1 has played\? \(yes or no\): (yes|no)\n"
        answer = re.search(asked, out)[1]
        assert saved_match(home, seed + 1).table.first == (2 if answer == "yes" else 1)
        answers.add(answer)
    assert answers == {"yes", "no"}


def test_a_swap_is_resumed(run, home):
    run("play", "double-or-add", "--swap", typed="1\n")
    ran = run("resume", typed="yes\n2\n")
    assert "2, do you want to take over what Player 1 has played? (yes or no): yes" in ran.out
    assert saved_match(home).table.movers == [2, 1]
    assert "take over" not in run("resume", typed="1\n").out


# Records.


def test_record_writes_the_game_as_json(run, tmp_path):
    ran = run("play", "double-or-add", "--target", 4, "--record", "game.json", typed="1\n1\n")
    assert ran.status == 0
    fields = json.loads((tmp_path / "game.json").read_text())
    assert fields.pop("started").endswith("+00:00")
    assert fields == {
        "format": "numduel-record/1",
        "game": "double-or-add",
        "settings": {"target": 4, "start": 1},
        "players": ["human", "human"],
        "first": 1,
        "moves": [1, 1],
        "outcome": {"winner": 2, "reason": "reached"},
    }


def test_each_round_has_its_record(run, tmp_path):
    run("play", *QUICK, "--rounds", 3, "--record", "game.json", typed="1\n2\n1\n")
    records = [read_record(tmp_path / f"game{part}.json") for part in ("", "-2", "-3")]
    assert [record.first for record in records] == [1, 2, 1]
    assert [record.moves for record in records] == [(1,), (2,), (1,)]
    assert sorted(path.name for path in tmp_path.glob("*.json")) == [
        "game-2.json",
        "game-3.json",
        "game.json",
    ]


def test_an_unfinished_game_is_recorded_as_such_and_a_resumed_one_from_its_beginning(run, tmp_path):
    for name, typed in (("cut.json", "1\n"), ("left.json", "1\nquit\n")):
        run("play", "double-or-add", "--target", 4, "--record", name, typed=typed)
        record = read_record(tmp_path / name)
        assert (record.moves, record.outcome) == ((1,), None)
    run("resume", "--record", "game.json", typed="1\n")
    assert read_record(tmp_path / "game.json").moves == (1, 1)


def test_a_record_may_go_to_a_device(run, run_process):
    ran = run_process("play", *QUICK, "--record", "/dev/stderr", typed="1\n")
    assert ran.status == 0
    assert json.loads(ran.err)["moves"] == [1]
    ran = run("play", *QUICK, "--record", "/dev/full", typed="1\n")
    assert ran.status == 1
    assert ran.err == "numduel: /dev/full: cannot be written: No space left on device\n"


# Resume.


def test_resume_goes_on_with_the_newest_unfinished_game_or_with_any(run, home):
    run("play", "divisor-line", typed="4\n")
    run("play", "double-or-add", typed="1\n2\n")
    run("play", *QUICK, typed="1\n")
    out = run("resume", typed="1\n").out
    assert out.startswith("Game 2: Double or Add (target 31, start 1).\n2 moves played so far.\n\n")
    # It says again what the last move led to.
    assert "so far.\n\nYou chose to Add One.\nNew Current Number: 3\n\nCurrent Number: 3\n" in out
    assert saved_match(home, 2).table.moves == [1, 2, 1]
    assert run("resume", 1, typed="8\n").out.startswith("Game 1: Divisor Line (")
    assert saved_match(home, 1).table.moves == [4, 8]


def test_a_finished_game_is_not_resumed(run):
    run("play", *QUICK, typed="1\n")
    ran = run("resume", 1)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "numduel: game 1 is finished; see it with: numduel replay 1\n"


def test_the_answers_of_the_computer_are_the_same_after_a_resume(run, home):
    play = ("play", "divisor-line", "--p2", "random", "--seed", 9)
    run(*play, typed="4\nundo\n4\n")
    run(*play, typed="4\n")
    assert saved_match(home, 1).table.moves == saved_match(home, 2).table.moves
    run("resume", 1, typed="18\n")
    run(*play, typed="4\n18\n")
    assert saved_match(home, 1).table.moves == saved_match(home, 3).table.moves


def test_the_second_to_resume_the_same_game_gets_one_clear_line(spawn, run):
    run("play", "double-or-add", typed="1\n")
    first = spawn("resume", 1)
    first.shows(MOVE)
    for arguments in (["resume", 1], ["resume"]):
        ran = run(*arguments, typed="2\n")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == "numduel: game 1 is being played in another window\n"
    first.child.send("2\r")
    first.type(MOVE, "quit")
    assert first.ends() == 0
    assert run("resume", typed="quit\n").out.startswith("Game 1: ")


def test_many_games_at_once_do_not_disturb_each_other(start, home):
    games = [start("play", "multiplicity", *RANDOM, "--seed", seed) for seed in range(8)]
    outs = [game.communicate()[0] for game in games]
    assert [game.returncode for game in games] == [0] * 8
    matches = [saved_match(home, ident) for ident in range(1, 9)]
    assert all(match.over for match in matches)
    assert sorted(match.setup.seed for match in matches) == list(range(8))
    by_seed = {match.setup.seed: match.table.moves for match in matches}
    for seed, out in enumerate(outs):
        chosen = re.findall(r"Enter your choice: (\d+)", out.decode())
        assert list(map(int, chosen)) == by_seed[seed]


@pytest.mark.parametrize("name", ["divisor-line", "multiplicity"])
def test_rules_prints_the_rules_of_the_game_as_it_is_set(run, home, name):
    ran = run("play", name, "rules", "--size", 30)
    assert ran.status == 0
    assert re.search(r"\n\nThis game: size 30, .+\.\n\n$", ran.out)
    assert max(map(len, ran.out.splitlines())) <= 80
    assert not home.exists()


# Names.


def test_players_may_have_names(run, spawn, home):
    named = ("--name1", "Ann", "--name2", "Bob")
    out = run("play", *QUICK, *named, "--rounds", 2, typed="1\n").out
    assert out.startswith("Player 1 is Ann.\nPlayer 2 is Bob.\nRound 1 of 2\n")
    assert saved_match(home).setup.names == ("Ann", "Bob")
    terminal = spawn("resume", 1)
    terminal.shows("Double or Add: Bob's turn ─")
    terminal.type("Bob, your move: ", "1")
    terminal.shows("Bob wins: 1 × 2 = 2.", "Score: Ann: 1, Bob: 1")
    assert terminal.ends() == 0
    assert [record.players for record in saved_match(home).finished] == [("Ann", "Bob")] * 2


@pytest.mark.parametrize("name", ["", " ", "x" * 21, "a\x1bb", "random", "human"])
def test_what_is_no_name_is_refused(run, home, name):
    ran = run("play", "double-or-add", "--name1", name)
    assert ran.status == 1
    assert not home.exists()


def test_a_program_is_called_what_it_calls_itself(run, spawn, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    answer = {'numduel': 'ready Old \x1b[2JFaithful', 'go': 'move 1'}.get(word)\n"
        "    if answer: print(answer, flush=True)\n"
    )
    program = f"program:{sys.executable} {bot}"
    out = run("play", "double-or-add", "--p2", program, typed="1\n").out
    assert "Player 2 is 'Old" not in out
    assert "Player 2 is Old ?[2JFaithful.\n" in out
    terminal = spawn("play", "double-or-add", "--p2", program)
    terminal.type(MOVE, "1")
    terminal.shows("Player 2 (Old ?[2JFaithful) doubles: 2 → 4.")


def test_a_saved_program_is_not_run_without_asking(run, spawn, home, tmp_path):
    bot, ran_file = tmp_path / "bot.py", tmp_path / "ran"
    bot.write_text(
        "import pathlib, sys\n"
        "pathlib.Path('ran').touch()\n"
        "for line in sys.stdin:\n"
        "    answer = {'numduel': 'ready', 'go': 'move 1'}.get(line.split()[0])\n"
        "    if answer: print(answer, flush=True)\n"
    )
    program = f"program:{sys.executable} bot.py"
    run("play", "double-or-add", "--p2", program, typed="1\n")
    ran_file.unlink()
    said = f"this game runs {program!r}; to allow that, type: numduel resume 1 --run-program"
    for typed in ("", "yes\n"):
        ran = run("resume", 1, typed=typed)
        assert (ran.status, ran.out, ran.err) == (1, "", f"numduel: {said}\n")
    for command in ("replay", "analyze"):
        assert run(command, 1).status == 0
    terminal = spawn("resume", 1)
    terminal.type("no): ", "no")
    assert terminal.ends() == 1
    assert not ran_file.exists()
    run("resume", 1, "--run-program", typed="1\n")
    assert ran_file.exists()
    programs = "program:" + "a" * 99, "program:b"
    Shelf(home / "games").create(arrange(new("double-or-add"), players=programs)).close()
    assert "this game runs {!r} and {!r}; ".format(*programs) in run("resume", 2).err


# Who is spoken to.


def test_only_whoever_typed_is_you(run):
    out = run("play", "double-or-add", "--p2", "random", "--seed", 1, typed="1\n").out
    assert out.count("You chose to Double.") == 1
    assert len(re.findall(r"Player 2 chose to (Double|Add One)\.", out)) == 1


# What can be typed.


@pytest.mark.parametrize(
    ("key", "typed", "moves"),
    [
        ("double-or-add", "double\nADD one\n+1\nx2\n*2\n", [1, 2, 2, 1, 1]),
        ("operation-duel", "+1\nmultiply by 2\n×2\nadd 1\n", [1, 2, 2, 1]),
        ("divisor-line", " 7 \n", [7]),
    ],
)
def test_a_move_may_be_a_word(run, home, key, typed, moves):
    run("play", key, typed=typed)
    assert saved_match(home).table.moves == moves


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("undoo", "undo"), ("hnt", "hint"), ("doubel", "double"), ("Rule", "rules")],
)
def test_a_slip_is_answered_by_what_was_meant(run, typed, meant):
    out = run("play", "double-or-add", typed=f"{typed}\n").out
    assert f"{typed!r} is not a choice. Did you mean {meant}? Type 1 or 2, or help.\n" in out


def test_every_move_can_be_seen_however_many(run, spawn):
    out = run("play", "multiplicity", "--size", 1000, typed="2\nmoves\n").out
    listed = out.split("Enter your choice: moves\n")[1].split("\n")[0]
    assert listed == ", ".join(map(str, range(4, 1001, 2)))
    out = run("play", "divisor-line", "--size", 1000, typed="7\nmoves\n").out
    assert "occupy: moves\n1-6, 8-1000\n" in out
    out = run("play", "double-or-add", typed="moves\n").out
    assert "Enter 1 or 2: moves\n  1. Double → 2\n  2. Add One → 2\n" in out


# Records that are there already.


def test_a_record_replaces_no_file_unless_it_is_told_to(run, tmp_path):
    file, second = tmp_path / "game.json", tmp_path / "game-2.json"
    for there, rounds in ((file, 1), (second, 2)):
        there.write_text("precious")
        ran = run("play", *QUICK, "--rounds", rounds, "--record", "game.json", typed="1\n")
        said = f"numduel: {there.name} already exists; --force replaces it\n"
        assert (ran.status, ran.out, ran.err) == (1, "", said)
        assert there.read_text() == "precious"
        run("play", *QUICK, "--rounds", rounds, "--record", there.name, "--force", typed="1\n")
        assert read_record(there).moves == (1,)
        there.unlink()


def test_nor_does_the_record_of_a_resumed_game(run, tmp_path):
    run("play", "double-or-add", "--record", "game.json", typed="1\n")
    ran = run("resume", "--record", "game.json")
    assert (ran.status, ran.out) == (1, "")
    assert "game.json already exists" in ran.err
    assert run("resume", "--record", "game.json", "--force", typed="2\nquit\n").status == 0
    assert read_record(tmp_path / "game.json").moves == (1, 2)


def test_a_long_game_between_computers_has_a_winner_and_says_how_long_it_takes(run):
    ran = run("play", "double-or-add", "--target", 1600, "--p1", "perfect", "--p2", "perfect")
    assert "Between perfect players this game takes 1,074 moves." in ran.out
    assert "wins" in ran.out.splitlines()[-1] and "limit" not in ran.out
    far = ("--target", 10**6, "--p1", "perfect", "--p2", "perfect")
    assert (
        "moves, and a game has at most 100,000; set a turn limit"
        in run("play", "double-or-add", *far).err
    )
    assert "nobody wins" in run("play", "double-or-add", *far, "--turn-limit", 3).out.lower()


@pytest.mark.parametrize("answer", ["no", "quit", "\x04"])
def test_a_long_game_between_computers_is_begun_only_if_it_is_wanted(spawn, home, answer):
    terminal = spawn("play", "double-or-add", "--target", 1600, "--p1", "hard", "--p2", "hard")
    terminal.type("Play it to the end? (yes or no): ", answer)
    assert terminal.ends() == 0
    assert not list(home.glob("games/*"))
