"""An arena's folder: what comes out, the same bytes each time, and going on after anything."""

import json
import signal
import time
from functools import partial
from random import Random

import polars as pl
import pytest

from numduel import SettingsError
from numduel.arena.asked import Asked, loads
from numduel.arena.log import Log
from numduel.arena.plan import Plan
from numduel.arena.run import run as run_arena
from numduel.terminal.arena import _asked

OUT = ("arena.toml", "games.parquet", "moves.parquet", "players.json", "report.html")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in OUT if (folder / name).exists()}


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(small, played, tmp_path):
    for name in ("one", "two"):
        played(small, tmp_path / name, report=True)
    played(small._replace(seed=2), tmp_path / "three")
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two and one.keys() == {*OUT}
    assert one["games.parquet"] != three["games.parquet"]


def test_every_game_is_in_the_tables_as_it_was_played(small, played, tmp_path):
    played(small._replace(decided=True), tmp_path)
    plan = Plan(small._replace(decided=True))
    moves = pl.read_parquet(tmp_path / "moves.parquet")
    for row in pl.read_parquet(tmp_path / "games.parquet").iter_rows(named=True):
        planned = plan[row["game"]]
        assert (row["seat1"], row["seat2"]) == planned.players
        made = moves.filter(game=row["game"])
        position = planned.game.start()
        for move in planned.opening:
            position = planned.game.play(position, move)
        for move, seat, player in made.select("move", "seat", "player").iter_rows():
            assert (seat, player) == (position.mover, planned.players[seat - 1])
            position = planned.game.play(position, move)
        assert planned.game.outcome(position) == (row["winner"], row["reason"])
        assert row["moves"] == len(made)


def test_it_goes_on_where_it_was_stopped(small, played, tmp_path):
    played(small, tmp_path / "whole")
    stopped = tmp_path / "stopped"

    class Stop(Exception):
        pass

    def stop(part, standing):
        if part:
            raise Stop

    with pytest.raises(Stop):
        played(small, stopped, told=stop)
    parts = []
    played(small, stopped, told=lambda part, standing: parts.append((part, str(standing))))
    assert 0 < parts[0][0] < 1 and parts[-1][0] == 1
    assert "perfect" in parts[-1][1]
    assert contents(stopped) == contents(tmp_path / "whole")


def test_a_line_that_was_cut_off_is_dropped_and_its_game_played_again(small, played, tmp_path):
    played(small, tmp_path)
    whole, log = contents(tmp_path), tmp_path / "log.jsonl"
    text = log.read_bytes()
    for cut in (1, 30, len(text.splitlines()[-1]) + 2):
        log.write_bytes(text[:-cut])
        played(small, tmp_path)
        assert contents(tmp_path) == whole
        assert len(log.read_bytes()) == len(text)


def test_what_is_no_line_of_a_game_ends_the_log(small, tmp_path):
    path = tmp_path / "log.jsonl"
    line = '{"game":0,"winner":1,"reason":"x","moves":[]}'
    for broken in ("\0\0\0\n", '{"game":999,"winner":1}\n', '{"game":x}\n', '{"game":1,"win\n'):
        path.write_text(f"{line}\n{broken}{line}\n")
        log = Log(path, 10)
        assert (log.done, list(log.absent())) == (1, list(range(1, 10)))
        log.close()
        assert path.read_text() == f"{line}\n"


def test_without_the_truth_the_results_are_the_same_and_no_move_is_judged(small, played, tmp_path):
    played(small, tmp_path / "with")
    played(small._replace(truth=False), tmp_path / "without", report=True)
    games = [pl.read_parquet(tmp_path / name / "games.parquet") for name in ("with", "without")]
    assert games[0]["winner"].equals(games[1]["winner"])
    moves = pl.read_parquet(tmp_path / "without" / "moves.parquet")
    assert moves["sound"].null_count() == len(moves) > 0
    assert "perfect play" not in (tmp_path / "without" / "players.json").read_text()


def test_the_report_needs_nothing_from_elsewhere(small, played, tmp_path):
    played(small, tmp_path, report=True)
    page = (tmp_path / "report.html").read_text()
    assert "<script" not in page and "<link" not in page
    assert "src=" not in page and "@import" not in page
    assert page.count("<svg") == 4
    assert all(name in page for name in ("random", "hard", "perfect", "multiplicity:size=12"))


def test_a_folder_that_holds_something_else_is_left_alone(small, played, tmp_path):
    played(small, tmp_path / "one")
    with pytest.raises(SettingsError, match="another arena"):
        played(small._replace(seed=9), tmp_path / "one")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat").touch()
    with pytest.raises(SettingsError, match="not empty"):
        played(small, tmp_path / "photos")


def test_two_arenas_do_not_write_to_one_folder(small, played, tmp_path):
    def again(part, standing):
        with pytest.raises(SettingsError, match="another arena is writing"):
            played(small, tmp_path)

    played(small, tmp_path, told=again)


def test_who_cannot_play_a_game_is_named_before_it_begins(small, tmp_path):
    absent = small._replace(players=("random", "program:/no/such/bot"))
    with pytest.raises(SettingsError, match=r"program:/no/such/bot.*there is no program"):
        run_arena(absent, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_gives_what_the_flags_do_not(tmp_path):
    (tmp_path / "asked.toml").write_text('players = ["random", "medium"]\nrounds = 1\n')
    asked = _asked(tmp_path / "asked.toml", {"games": ("double-or-add",), "rounds": 2})
    assert asked == Asked(("double-or-add",), ("random", "medium"), rounds=2)


FLAGS = ["--game", "multiplicity:size=14", "--game", "double-or-add:target=14", "--seed", "3"]
FLAGS += ["--player", "slow", "--player", "medium", "--player", "perfect", "--workers", "2"]


def test_however_the_command_is_ended_it_goes_on_and_comes_to_the_same(
    start, run, played, hurry, tmp_path, many
):
    """Killed while it starts, plays and writes its tables, and stopped by Ctrl-C."""
    flags = [*FLAGS, "--rounds", many(10, 100), "--out", "out"]
    rng, log = Random(1), tmp_path / "out" / "log.jsonl"
    for kill in range(many(1, 20) + 1):
        size = log.stat().st_size if log.exists() else 0
        going = start("arena", *flags)
        if kill % 5 != 4:
            wait_for(partial(has_gone_on, going, log, size))
        time.sleep(rng.random() / 4)
        going.send_signal(signal.SIGKILL if kill else signal.SIGINT)
        _, err = going.communicate(timeout=180)
        assert going.returncode == -9 or (going.returncode == 130 and b"goes on" in err)
        whole, _, _ = log.read_bytes().rpartition(b"\n")
        assert all(json.loads(line) for line in whole.splitlines())
    hurry.touch()
    for _ in range(many(0, 3)):
        going = start("arena", *flags)
        wait_for((tmp_path / "out" / "games.parquet").exists)
        time.sleep(rng.random())
        going.kill()
        going.communicate()
    done = run("arena", *flags)
    table = [line.split() for line in done.out.splitlines()]
    assert table[0][:2] == ["player", "rating"]
    assert {row[0] for row in table[1:5]} == {"perfect", "medium", "slow"}
    asked = loads((tmp_path / "out" / "arena.toml").read_text())
    played(Asked(**asked), tmp_path / "whole", report=True)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_progress_tells_who_is_ahead_and_ctrl_c_that_it_can_be_gone_on_with(spawn, hurry, tmp_path):
    flags = [*FLAGS, "--rounds", 10, "--out", tmp_path / "out"]
    terminal = spawn("arena", *flags, columns=160)
    assert terminal.interrupt("Playing games: perfect ") == 130
    assert "the same command goes on" in terminal.text and "%" in terminal.text


def has_gone_on(going, log, size):
    assert going.poll() is None, going.communicate()
    return log.exists() and log.stat().st_size > size


def wait_for(what):
    until = time.monotonic() + 180
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_bad_input_is_one_line(run, tmp_path):
    done = run("arena", __file__)
    assert done.status == 1 and done.err.startswith("numduel: ") and done.err.count("\n") == 1
    assert not (tmp_path / "arena").exists()
