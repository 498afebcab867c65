"""Playing: a whole game of each, what else can be typed, and nothing that is ever lost."""

import json
import re
import signal

import pytest
from tests.terminal.shared import MOVE, saved_moves

import numduel
from numduel.play.saved import Shelf
from numduel.play.setup import Setup
from numduel.play.table import with_reason
from numduel.terminal import screen
from numduel.terminal.screen import Screen
from numduel.terminal.session import Session

PROMPTS = {
    "divisor-duel": "Enter choice (1 or 2): ",
    "operation-duel": "Enter your choice (1 or 2): ",
    "divisor-line": "Enter a number to occupy: ",
    "double-or-add": "Enter 1 or 2: ",
    "multiplicity": "Enter your choice: ",
}


GAMES = {
    "divisor-duel": ([1, 1, 2, 2, 1], "12 + 1 = 13, and 13 divides 13", 1),
    "operation-duel": ([1, 2, 1, 2, 2], "10 × 2 = 20", 1),
    "divisor-line": ([4, 8, 1, 2, 12], "1 divides 12", 1),
    "double-or-add": ([1, 2, 1, 2, 1, 2, 1, 2], "30 + 1 = 31", 2),
    "multiplicity": (
        [10, 5, 15, 3, 9, 18, 6, 12, 4, 20, 2, 14, 7],
        "Player 2 cannot move: no multiple or divisor of 7 is left",
        1,
    ),
}

BAD = [
    ("", "An empty line is not a choice. "),
    ("   ", "An empty line is not a choice. "),
    ("0", "0 is not "),
    ("-7", ""),  # a number, or an operation that there is none of
    ("99999999999999999999", "99999999999999999999 is not "),
    ("1.0", "'1.0' is not a choice. "),
    ("one", "'one' is not a choice. "),
    ("undo 2", "'undo 2' is not a choice. "),
    ("yes", "'yes' is not a choice. "),
    ("é漢🎲", "'é漢🎲' is not a choice. "),
    ("'; rm -rf", '"\'; rm -rf" is not a choice. '),
]

SETUP = Setup(
    game=numduel.new("double-or-add"),
    players=("human", "human"),
    first=1,
    rounds=1,
    swap=False,
    turn_limit=None,
    seed=1,
    started="2026-01-02T03:04:05+00:00",
)


# A whole game of each, at a pseudo-terminal.


@pytest.mark.soak(keep=5)
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_a_whole_game_at_a_terminal(spawn, run, home, key, columns):
    moves, end, winner = GAMES[key]
    size = ["--size", 20] if key == "multiplicity" else []
    terminal = spawn("play", key, *size, columns=columns)
    terminal.type(MOVE, *map(str, moves))
    assert terminal.ends() == 0
    assert f"Player {winner} {with_reason('wins', end)}." in " ".join(terminal.text.split())
    assert "\x1b[" in terminal.raw
    assert max(map(len, terminal.text.splitlines())) <= columns
    assert saved_moves(home) == moves
    won = with_reason(f"Player {winner} won after {len(moves)} moves", end)
    assert won in run("history").out


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_in_plain_text_reads_as_through_a_pipe(spawn, run, key):
    moves, _, _ = GAMES[key]
    size = ["--size", 20] if key == "multiplicity" else []
    terminal = spawn("play", key, *size, "--plain", columns=100)
    terminal.type(PROMPTS[key], *map(str, moves))
    assert terminal.ends() == 0
    typed = "".join(f"{move}\n" for move in moves)
    assert terminal.text == run("play", key, *size, typed=typed).out
    assert not re.search(r"\x1b\[[0-9;]*m", terminal.raw)


@pytest.mark.parametrize("key", GAMES)
def test_what_is_no_choice_is_answered_by_one_line_and_asked_again(run, home, key):
    prompt = PROMPTS[key]
    ran = run("play", key, typed="".join(f"{bad}\n" for bad, _ in BAD))
    assert ran.status == 130
    lines = ran.out.splitlines()
    at = lines.index(prompt + BAD[0][0])
    for bad, answer in BAD:
        assert lines[at] == prompt + bad
        assert lines[at + 1].startswith(answer)
        assert re.search(r"[.:] (Did you mean .+\? )?[tT]ype .+, or help\.$", lines[at + 1])
        at += 2
    assert lines[at] == prompt
    assert not [*home.glob("games/*")]


# Commands.


@pytest.mark.parametrize("word", ["h", "?", "help"])
def test_help_names_everything_that_can_be_typed(run, word):
    lines = run("play", "double-or-add", typed=f"{word}\n").out.splitlines()
    at = lines.index(f"Enter 1 or 2: {word}")
    assert lines[at + 1] == "Type 1 or 2, or one of:"
    commands = ["hint", "moves", "undo", "rules", "save", "resign", "quit", "help"]
    assert [line.split()[0] for line in lines[at + 2 : at + 10]] == commands
    assert lines[at + 10] == "Enter 1 or 2: "


@pytest.mark.parametrize("key", GAMES)
def test_rules_shows_the_rules_and_the_settings_and_asks_again(run, key):
    out = run("play", key, typed="rules\n").out
    shown = out.split(f"{PROMPTS[key]}rules\n")[1]
    assert "take turns" in shown
    assert re.search(r"\n\nThis game: .+\.\n\nEnter ", shown)
    assert max(map(len, shown.splitlines())) <= 80


def test_save_says_how_to_go_on(run):
    out = run("play", "double-or-add", typed="1\nsave\n").out
    assert (
        "Enter 1 or 2: save\nGame 1 is saved. Go on with: numduel resume 1\nEnter 1 or 2: " in out
    )


@pytest.mark.parametrize("word", ["quit", "QUIT", "  quit  ", "q"])
def test_quit_leaves_with_the_game_saved(run, home, word):
    ran = run("play", "double-or-add", typed=f"1\n{word}\n2\n")
    assert ran.status == 0
    assert ran.out.endswith(f"{word}\nGame 1 is saved. Go on with: numduel resume 1\n")
    assert saved_moves(home) == [1]


def test_resign_gives_the_game_to_the_other(run):
    ran = run("play", "double-or-add", typed="1\nresign\nyes\n")
    assert ran.status == 0
    assert ran.out.endswith("(yes or no): yes\nPlayer 1 wins: Player 2 resigned.\n")


@pytest.mark.parametrize("answer", ["no", "n", "\nwhat\nno"])
def test_resigning_is_asked_about_first(run, home, answer):
    out = run("play", "double-or-add", typed=f"1\nresign\n{answer}\n2\n").out
    assert out.count("Give this game up? (yes or no): ") == 1 + out.count("Type yes or no.\n")
    assert out.count("Type yes or no.\n") == answer.count("\n")
    assert "\nThe game goes on.\nEnter 1 or 2: 2" in out
    assert saved_moves(home) == [1, 2]


def test_undo_between_people_takes_back_one_move_at_a_time(run, home):
    ran = run("play", "double-or-add", typed="1\n2\n1\nundo\nno\nundo\ny\nundo\nyes\n1\n")
    assert "Player 2, may Player 1 take that move back? (yes or no): no\nThe move st" in ran.out
    assert ran.out.count("Took back 1 move.") == 2
    assert saved_moves(home) == [1, 1]
    assert ran.out.count("Player 2, choose your action:") == 3
    # After undo the turn opens anew, with what the move before it led to.
    assert "Took back 1 move.\n\nYou chose to Add One.\nNew Current Number: 3\n\nCurrent" in ran.out


def test_undo_against_the_computer_takes_back_the_own_move_and_the_answer(run, home):
    play = ("play", "divisor-line", "--p2", "random", "--seed", "5")
    once = run(*play, typed="7\n").out
    ran = run(*play, typed="7\n11\nundo\n13\nundo\nundo\nundo\n")
    assert ran.out.count("Took back 2 moves.") == 3
    assert ran.out.count("There is nothing to undo yet.\nEnter a number to occupy: ") == 1
    assert ran.out.endswith("No move has been made, so there is nothing to save.\n")
    assert not (home / "games" / "2.jsonl").exists()
    answer = re.findall(r"occupy: (\d+)", once)[1]
    assert re.findall(r"occupy: (\d+)", ran.out)[:2] == ["7", answer]


def test_resume_keeps_the_coach_and_the_names(run):
    named = ["--name1", "Ann", "--name2", "Bob", "--coach", "--rounds", 2, "--first", "random"]
    begun = run("play", "operation-duel", *named, "--seed", 1, typed="1\n").out
    assert re.match(r"The coin toss decides: (Ann|Bob) begins\.\n", begun)
    out = run("resume", typed="2\n").out
    assert "Score: Ann: 0, Bob: 0\n" in out
    assert out.count("\nCoach: ") == 1
    assert run("play", "multiplicity", "--name1", "Ann", "--name2", "ann").err == (
        "numduel: the two players need different names, not both 'Ann'\n"
    )


def test_a_game_without_a_move_is_not_kept(run, home):
    left = run("play", "double-or-add", typed="help\nquit\n").out
    assert left.endswith("quit\nNo move has been made, so there is nothing to save.\n")
    assert not [*home.glob("games/*")]


def test_undo_before_the_own_first_move_takes_nothing_back(run, home):
    play = ("play", "divisor-line", "--p1", "random")
    ran = run(*play, typed="undo\n")
    assert "undo\nThere is nothing to undo yet.\nEnter a number to occupy: " in ran.out
    assert len(saved_moves(home)) == 1


def test_undo_at_a_terminal_draws_the_board_as_it_was(spawn):
    terminal = spawn("play", "divisor-line")
    terminal.type(MOVE, "4", "8", "undo")
    terminal.type("(yes or no): ", "yes")
    terminal.shows("Took back 1 move.", "Player 2's turn", "(X)", MOVE)
    last = terminal.text.split("Took back 1 move.")[1]
    assert "Player 1 (X): 4   Player 2 (O): -" in last
    assert "(X)  5   6   7   8 " in last


def test_commands_work_at_the_question_of_the_swap(run, home):
    typed = "1\nmaybe\nhelp\nrules\nhint\nsave\nundo\ny\n2\n7\nYES\n"
    ran = run("play", "double-or-add", "--swap", typed=typed)
    question = "Player 2, do you want to take over what Player 1 has played? (yes or no): "
    assert f"{question}maybe\n'maybe' is not a choice. Type yes or no, or help.\n" in ran.out
    assert f"{question}7\n'7' is not a choice. Type yes or no, or help.\n" in ran.out
    explained = (
        "Yes: what Player 1 has played counts as yours, and Player 1 moves next.\n"
        "No: it stays Player 1's, and you move next.\n"
    )
    assert f"{question}help\n{explained}Type yes or no, or one of:\n" in ran.out
    assert f"{question}rules\n{explained}" in ran.out
    assert f"{question}hint\n{explained}" in ran.out
    asked = "Player 2, may Player 1 take that move back? (yes or no): "
    assert f"{question}undo\n{asked}y\nTook back 1 move.\n" in ran.out
    assert f"{question}YES\nPlayer 2 takes it over. Player 1 goes on.\n" in ran.out
    assert saved_moves(home) == [2]


def test_resigning_at_the_question_of_the_swap(run):
    ran = run("play", "double-or-add", "--swap", typed="1\nresign\ny\n")
    assert ran.out.endswith("Player 1 wins: Player 2 resigned.\n")


# Interrupted, ended, killed.


def test_ctrl_c_saves_and_says_how_to_go_on(spawn, home):
    terminal = spawn("play", "divisor-line")
    terminal.type(MOVE, "4", "8")
    terminal.keys(MOVE, "12")
    assert terminal.interrupt("12") == 130
    assert terminal.text.endswith("\nGame 1 is saved. Go on with: numduel resume 1\n")
    assert saved_moves(home) == [4, 8]
    terminal = spawn("resume")
    terminal.shows("Game 1: Divisor Line (size 20, goal pair).", "2 moves played so far.")
    terminal.type(MOVE, "1", "2", "12")
    assert terminal.ends() == 0
    assert saved_moves(home) == [4, 8, 1, 2, 12]


def test_the_end_of_input_saves_and_says_how_to_go_on(spawn, run, home):
    terminal = spawn("play", "divisor-line")
    terminal.type(MOVE, "4")
    terminal.keys(MOVE, "\x04")
    assert terminal.ends() == 130
    assert terminal.text.endswith("\nGame 1 is saved. Go on with: numduel resume 1\n")
    ran = run("play", "divisor-line", typed="4")  # and no newline
    assert ran.status == 130
    assert ran.out.endswith("\nGame 2 is saved. Go on with: numduel resume 2\n")
    assert saved_moves(home, 2) == [4]


def test_an_interrupt_while_computers_play_saves_too(start, run):
    huge = ["--operations", "+1,-1", "--target", "9" * 100, "--start", 50, "--turn-limit", 100_000]
    playing = start("play", "operation-duel", "--p1", "random", "--p2", "random", *huge)
    playing.stdout.readline()
    playing.send_signal(signal.SIGINT)
    out, err = playing.communicate()
    assert (playing.returncode, err) == (130, b"")
    assert out.endswith(b"\nGame 1 is saved. Go on with: numduel resume 1\n")
    assert "Player 1 (random) against Player 2 (random): unfinished" in run("history").out


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("key", GAMES)
def test_kill_9_at_every_move_loses_at_most_what_is_being_typed(spawn, home, key):
    moves, end, _ = GAMES[key]
    prompt = MOVE
    size = ["--size", 20] if key == "multiplicity" else []
    terminal = spawn("play", key, *size)
    for count, move in enumerate(moves):
        terminal.type(prompt, str(move))
        if count + 1 < len(moves):
            terminal.keys(prompt, "un")  # typed, and not sent off
            terminal.kill()
            assert saved_moves(home) == moves[: count + 1]
            terminal = spawn("resume")
            terminal.shows(f"{count + 1} move{'s' if count else ''} played so far.")
    assert terminal.ends() == 0
    assert end in " ".join(terminal.text.split())
    assert saved_moves(home) == moves


def test_a_move_is_on_disk_before_it_is_shown(home, monkeypatch):
    seen = []

    class Watching(Screen):
        def show_move(self, game, before, move, after, typed):
            seen.append((move, saved_moves(home)))

    agreed = SETUP._replace(players=("human", "random"), turn_limit=4)
    typed = iter(["2", "2", "2"])
    monkeypatch.setattr(screen, "read_line", lambda _: next(typed))
    Session(Shelf(home / "games").create(agreed), Watching()).run()
    assert len(seen) >= 3
    for count, (move, on_disk) in enumerate(seen, 1):
        assert len(on_disk) == count
        assert on_disk[-1] == move


# Rounds.


def test_a_match_says_round_score_and_champion(run):
    ran = run("play", "double-or-add", "--target", 2, "--rounds", 3, typed="1\n1\n1\n")
    assert ran.status == 0
    said = [line for line in ran.out.splitlines() if re.match(r"Round|Score|Player \d is", line)]
    assert said == [
        "Round 1 of 3",
        "Score: Player 1: 1, Player 2: 0",
        "Round 2 of 3",
        "Score: Player 1: 1, Player 2: 1",
        "Round 3 of 3",
        "Score: Player 1: 2, Player 2: 1",
        "Player 1 is the champion, 2 to 1!",
    ]


def test_a_single_game_says_nothing_of_rounds(run):
    out = run("play", "double-or-add", "--target", 2, typed="1\n").out
    assert not re.search("Round|Score|champion", out)


def test_a_match_left_between_rounds_goes_on_with_the_next(run, home):
    run("play", "double-or-add", "--rounds", 3, typed="resign\nyes\n")
    saved = home / "games" / "1.jsonl"
    assert [json.loads(line) for line in saved.read_text().splitlines()[1:]] == [{"resign": 1}]
    ran = run("resume", typed="resign\nyes\nresign\nyes\n")
    assert ran.status == 0
    assert "Round 1" not in ran.out
    assert ran.out.count("Round 2 of 3") == ran.out.count("Round 3 of 3") == 1
    assert ran.out.endswith(
        "Score: Player 1: 1, Player 2: 2\n\nPlayer 2 is the champion, 2 to 1!\n"
    )


def test_a_game_that_is_lost_before_the_first_move(run):
    ran = run("play", "multiplicity", "--size", 1, "--rounds", 2)
    assert ran.status == 0
    assert "Player 1 cannot make a valid move. Player 2 wins!" in ran.out
    assert "Player 2 cannot make a valid move. Player 1 wins!" in ran.out
    assert ran.out.endswith("The match is tied, 1 to 1.\n")
    assert run("history").out.endswith("Player 1 against Player 2: match finished, 1 to 1\n")
