"""`numduel history`: finished and unfinished games, and deleting one."""

import re
import shutil

import pytest
from tests.terminal.shared import MOVE, QUICK

HEADER = "  ID  Started           Game, players: how it stands"


def undated(text):
    return [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", line) for line in text.splitlines()]


def test_history_lists_finished_and_unfinished_games_the_newest_first(run, home):
    run("play", "divisor-line", "--size", 30, "--p2", "random", typed="4\n")
    run("play", *QUICK, "--name1", "Ann", typed="1\n")
    run("play", "double-or-add", typed="resign\nyes\n")
    run("play", "double-or-add", "--turn-limit", 1, typed="1\n")
    run("play", *QUICK, "--rounds", 3, typed="1\n1\n1\n")
    run("play", *QUICK, "--rounds", 3, typed="1\n1\n")
    (home / "games" / "7.jsonl").write_text("rubbish\n")
    ran = run("history")
    assert (ran.status, ran.err) == (0, "")
    quick = "Double or Add (target 2), Player 1 against Player 2"
    usual = "Double or Add, Player 1 against Player 2"
    ann = "Double or Add (target 2), Ann against Player 2"
    assert undated(ran.out) == [
        HEADER,
        "   7  damaged: 7.jsonl: line 1: not JSON (Expecting value)",
        f"   6  WHEN  {quick}: unfinished, 1 to 1: Round 3 of 3",
        f"   5  WHEN  {quick}: match finished, 2 to 1",
        f"   4  WHEN  {usual}: nobody won after 1 move: the limit of 1 turn is reached",
        f"   3  WHEN  {usual}: Player 2 won after 0 moves: Player 1 resigned",
        f"   2  WHEN  {ann}: Ann won after 1 move: 1 × 2 = 2",
        "   1  WHEN  Divisor Line (size 30), Player 1 against Pip (random): unfinished, 2 moves",
        "Go on with one: numduel resume 6",
    ]


def test_without_games_history_says_how_to_start_one(run):
    assert run("history").out == "No games yet. Start one with: numduel play GAME\n"


def test_history_fits_a_narrow_terminal(run, spawn):
    run("play", "multiplicity", "--size", 1000, typed="4\n")
    listed = spawn("history", columns=40)
    assert listed.ends() == 0
    lines = listed.text.splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[2].startswith("   1  ")
    assert [line[:6] for line in lines[3:-1]] == ["      "] * len(lines[3:-1])
    assert " ".join(listed.text.split()) == " ".join(run("history").out.split())


@pytest.mark.soak
def test_only_the_last_games_are_listed_unless_all_are_asked_for(run, spawn):
    for _ in range(22):
        run("play", "multiplicity", typed="29\n")
    lines = run("history").out.splitlines()
    assert (lines[0], lines[-1]) == (HEADER, "See the older ones too: numduel history --all")
    assert [int(line.split()[0]) for line in lines[1:-1]] == [*range(22, 2, -1)]
    assert len(run("history", "--all").out.splitlines()) == 23
    pager = spawn("history", "--all", lines=10, env={"PAGER": "less", "LESS": ""})
    pager.shows("  22  ")
    assert "   1  " not in pager.text
    pager.keys(":", " " * 20)
    pager.shows("   1  ")
    pager.child.send("q")
    assert pager.ends() == 0


@pytest.mark.skipif(shutil.which("less") is None, reason="there is no pager `less`")
def test_the_pager_says_how_to_leave_it(spawn):
    pager = spawn("games", lines=8, env={"PAGER": "less"})
    pager.keys("(q leaves, Space shows more)", "q")
    assert pager.ends() == 0


def test_a_game_can_be_deleted(run, spawn, home):
    run("play", *QUICK, typed="1\n")
    run("play", "double-or-add", typed="1\n")
    assert run("history", "--delete", 1) == (0, "Game 1 is deleted.\n", "")
    assert sorted(path.name for path in (home / "games").iterdir()) == ["2.jsonl"]
    ran = run("history", "--delete", 1)
    assert (ran.status, ran.err) == (1, "numduel: there is no game 1; see: numduel history\n")
    playing = spawn("resume", 2)
    playing.shows(MOVE)
    ran = run("history", "--delete", 2)
    assert (ran.status, ran.err) == (1, "numduel: game 2 is being played in another window\n")
    playing.type("", "quit")
    assert playing.ends() == 0
