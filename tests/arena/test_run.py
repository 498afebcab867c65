"""The folder of an arena: its files, the same bytes each time, and resuming after anything."""

import json
import re
import signal
import time
from random import Random

import polars as pl
import pytest

from numduel import SettingsError
from numduel.arena import report
from numduel.arena.plan import Plan
from numduel.arena.run import run as run_arena
from numduel.arena.spec import Spec, parse_fields
from numduel.core.words import replay_moves
from numduel.terminal.arena import _read_spec

OUT = ("arena.toml", "games.parquet", "moves.parquet", "players.json", "report.html")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in OUT if (folder / name).exists()}


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(small, play_arena, tmp_path):
    for name in ("one", "two"):
        play_arena(small, tmp_path / name, report=True)
    play_arena(small._replace(seed=2), tmp_path / "three")
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two and one.keys() == {*OUT}
    assert one["games.parquet"] != three["games.parquet"]


def test_every_game_is_in_the_tables_as_it_was_played(small, play_arena, tmp_path):
    play_arena(small._replace(decided=True), tmp_path)
    plan = Plan(small._replace(decided=True))
    moves = pl.read_parquet(tmp_path / "moves.parquet")
    for row in pl.read_parquet(tmp_path / "games.parquet").iter_rows(named=True):
        planned = plan[row["game"]]
        assert (row["seat1"], row["seat2"]) == planned.players
        made = moves.filter(game=row["game"])
        position, _ = replay_moves(planned.game, 1, planned.opening)
        for move, seat, player in made.select("move", "seat", "player").iter_rows():
            assert (seat, player) == (position.mover, planned.players[seat - 1])
            position = planned.game.play(position, move)
        assert planned.game.outcome(position) == (row["winner"], row["reason"])
        assert row["moves"] == len(made)


def test_an_arena_resumes_where_it_was_stopped(small, play_arena, tmp_path):
    play_arena(small, tmp_path / "whole")
    stopped = tmp_path / "stopped"

    class Stop(Exception):
        pass

    def stop(part, standing):
        if part:
            raise Stop

    with pytest.raises(Stop):
        play_arena(small, stopped, on_progress=stop)
    parts = []
    play_arena(
        small, stopped, on_progress=lambda part, standing: parts.append((part, str(standing)))
    )
    assert 0 < parts[0][0] < 1 and parts[-1][0] == 1
    assert "perfect" in parts[-1][1]
    assert contents(stopped) == contents(tmp_path / "whole")


def test_a_line_that_was_cut_off_is_dropped_and_its_game_played_again(small, play_arena, tmp_path):
    play_arena(small, tmp_path)
    whole, log = contents(tmp_path), tmp_path / "log.jsonl"
    text = log.read_bytes()
    for cut in (1, 30, len(text.splitlines()[-1]) + 2):
        log.write_bytes(text[:-cut])
        play_arena(small, tmp_path)
        assert contents(tmp_path) == whole
        assert len(log.read_bytes()) == len(text)


def test_players_games_and_rounds_can_be_added(small, play_arena, tmp_path):
    """Games in the log are kept, and the result is the same as if all had been there at first."""
    whole = small._replace(
        players=("easy", *small.players), games=("divisor-line:size=8", *small.games)
    )
    whole = whole._replace(rounds=3)
    play_arena(whole, tmp_path / "whole")
    folder = tmp_path / "grown"
    for spec in (small, small._replace(rounds=3), whole._replace(games=small.games), whole):
        kept = [*lines_of(folder)]
        play_arena(spec, folder)
        assert len({*kept}) == len(kept) and {*kept} <= {*lines_of(folder)}
    assert contents(folder) == contents(tmp_path / "whole")


def lines_of(folder):
    """Yield the games in a log without their numbers, which change."""
    if (folder / "log.jsonl").exists():
        plan = Plan(Spec(**parse_fields((folder / "arena.toml").read_text())))
        for line in (folder / "log.jsonl").read_text().splitlines()[1:]:
            number, _, rest = line.removeprefix('{"game":').partition(",")
            yield (
                plan.game_text(int(number)),
                plan.seats(int(number)),
                plan[int(number)].round,
                rest,
            )


def test_without_truth_the_results_are_the_same_and_no_move_is_judged(small, play_arena, tmp_path):
    play_arena(small, tmp_path / "with")
    play_arena(small._replace(truth=False), tmp_path / "without", report=True)
    games = [pl.read_parquet(tmp_path / name / "games.parquet") for name in ("with", "without")]
    assert games[0]["winner"].equals(games[1]["winner"])
    moves = pl.read_parquet(tmp_path / "without" / "moves.parquet")
    assert moves["sound"].null_count() == len(moves) > 0
    players = json.loads((tmp_path / "without" / "players.json").read_text())
    assert all(one["skill"] is None for one in players)


def test_the_report_is_self_contained(small, play_arena, tmp_path):
    play_arena(small, tmp_path, report=True)
    page = (tmp_path / "report.html").read_text()
    assert "<script" not in page and "<link" not in page
    assert "src=" not in page and "@import" not in page
    assert page.count("<svg") == 3
    assert all(name in page for name in ("random", "hard", "perfect", "multiplicity:size=12"))


def test_the_report_has_long_names_in_full_and_says_whom_it_compares(
    small, play_arena, tmp_path, monkeypatch
):
    monkeypatch.setattr(report, "MAX_COMPARED_PLAYERS", 2)
    who = f"program:false {'name' * 25}"
    play_arena(small._replace(players=("random", "hard", who), rounds=1), tmp_path, report=True)
    page = (tmp_path / "report.html").read_text()
    assert "Only the\nfirst 2 players of the table at a glance are compared." in page
    for name in ("ratings", "crossed", "depths"):
        svg = (tmp_path / f"{name}.svg").read_text()
        lines = re.findall(">([^<>]+)</t(?:ext|span)>", svg)
        assert max(map(len, lines)) <= report.MAX_LINE_CHARACTERS
        assert who in "".join(lines) or name == "depths"
    assert re.search(r">\d+% to 100%<", (tmp_path / "crossed.svg").read_text())


def test_a_folder_that_holds_something_else_is_left_alone(small, play_arena, tmp_path):
    play_arena(small, tmp_path / "one")
    with pytest.raises(SettingsError, match="another arena"):
        play_arena(small._replace(seed=9), tmp_path / "one")


def test_two_arenas_do_not_write_to_one_folder(small, play_arena, tmp_path):
    def again(part, standing):
        with pytest.raises(SettingsError, match="another arena is writing"):
            play_arena(small, tmp_path)

    play_arena(small, tmp_path, on_progress=again)


def test_a_player_that_cannot_play_is_named_before_the_arena_begins(small, tmp_path):
    absent = small._replace(players=("random", "program:/no/such/bot"))
    with pytest.raises(SettingsError, match=r"program:/no/such/bot.*there is no program"):
        run_arena(absent, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_options_replace_fields_of_the_file(tmp_path):
    (tmp_path / "asked.toml").write_text('players = ["random", "medium"]\nrounds = 1\n')
    spec = _read_spec(tmp_path / "asked.toml", {"games": ("double-or-add",), "rounds": 2})
    assert spec == Spec(("double-or-add",), ("random", "medium"), rounds=2)


FLAGS = ["--game", "multiplicity:size=14", "--game", "double-or-add:target=14", "--seed", "3"]
FLAGS += ["--player", "slow", "--player", "medium", "--player", "perfect", "--workers", "2"]


def test_however_the_command_is_ended_it_resumes_and_gives_the_same(
    start, run, play_arena, hurry, tmp_path, many, wait_for_games
):
    """It is killed while it starts, plays and writes its tables, and stopped by Ctrl-C."""
    flags = [*FLAGS, "--rounds", many(5, 30), "--out", "out"]
    rng, log = Random(1), tmp_path / "out" / "log.jsonl"
    for kill in range(many(1, 6) + 1):
        going = start("arena", *flags)
        if kill % 5 != 4:
            wait_for_games(going, log)
        time.sleep(rng.random() / 4)
        going.send_signal(signal.SIGKILL if kill else signal.SIGINT)
        _, err = going.communicate(timeout=180)
        assert going.returncode == -9 or (going.returncode == 130 and b"to resume" in err)
        whole, _, _ = log.read_bytes().rpartition(b"\n")
        assert all(json.loads(line) for line in whole.splitlines())
    hurry.touch()
    for _ in range(many(0, 2)):
        going = start("arena", *flags)
        while going.poll() is None and not (tmp_path / "out" / "games.parquet").exists():
            time.sleep(0.02)
        time.sleep(rng.random())
        going.kill()
        going.communicate()
    done = run("arena", *flags)
    table = [line.split() for line in done.out.splitlines()]
    assert table[0][:2] == ["player", "rating"]
    assert {row[0] for row in table[1:4]} == {"perfect", "medium", "slow"}
    spec = parse_fields((tmp_path / "out" / "arena.toml").read_text())
    play_arena(Spec(**spec), tmp_path / "whole", report=True)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_progress_shows_who_is_ahead_and_ctrl_c_says_how_to_resume(spawn, hurry, tmp_path):
    flags = [*FLAGS, "--rounds", 10, "--out", tmp_path / "out"]
    terminal = spawn("arena", *flags, columns=160)
    assert terminal.interrupt("Playing games: perfect ") == 130
    assert "Run the same command again to resume" in terminal.text and "%" in terminal.text


def test_bad_input_gives_one_line_of_error(run, tmp_path):
    done = run("arena", __file__)
    assert done.status == 1 and done.err.startswith("numduel: ") and done.err.count("\n") == 1
    assert not (tmp_path / "arena").exists()
