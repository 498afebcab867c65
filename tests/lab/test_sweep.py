"""Rows of a sweep agree with solving each game alone; a killed sweep resumes to the same bytes."""

import os
import signal
from functools import partial
from random import Random

import polars as pl
import psutil
import pytest
from tests.waiting import until

import numduel
from numduel import NumduelError, SettingsError, TooLarge
from numduel.games import game_type
from numduel.games.divisor_line import theory as line_theory
from numduel.games.multiplicity.theory import MultiplicityTheory
from numduel.lab import sweep
from numduel.lab.sweep import Sweep, SweepPlan, compute_here, read_sweep, run_sweep

FAMILIES = [
    ("multiplicity", {"size": "1..24", "start": "1|2|5", "opening": "any|even"}),
    ("multiplicity", {"size": "280..350..4", "start_open": "false|true"}),
    ("double-or-add", {"target": "2..60"}),
    ("operation-duel", {"target": "10..15", "operations": "+1,x2|+1,-2,x3"}),
    ("divisor-duel", {"divisor": "1..12", "start": "1..3", "ceiling": "none|30"}),
    ("divisor-line", {"size": "6..17", "goal": "pair|chain"}),
]


def here(work, numbers):
    """Call the work in this process."""
    return (work([number]) for number in numbers)


def swept(folder, key, settings, **options):
    run_sweep(Sweep(key, settings, **options), folder, compute=here)
    return read_sweep(folder).collect()


@pytest.mark.parametrize(("key", "settings"), FAMILIES)
def test_each_row_agrees_with_solving_the_game_alone(key, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "MAX_PART_ROWS", 7)  # so that there are many parts
    table = swept(tmp_path, key, settings)
    names = [setting.name for setting in game_type(key).settings_type.declared]
    assert table.columns[: len(names)] == names
    assert table.schema["winning_first_moves"] == pl.List(pl.Int64)
    rows = table.rows(named=True)
    assert len({tuple(row[name] for name in names) for row in rows}) == len(rows) > 10
    for row in rows:
        game = numduel.new(key, **{name: row[name] for name in names})
        verdict, moves = numduel.solve(game, game.start()), numduel.evaluate(game, game.start())
        winning = [move for move, one in moves.items() if one.value == "win"]
        assert (row["value"], row["distance"]) == verdict
        assert row["winning_first_moves"] == winning
        assert (row["winning_count"], row["first_moves"]) == (len(winning), len(moves))


def test_contradictory_combinations_are_left_out(tmp_path):
    table = swept(tmp_path, "multiplicity", {"size": "3..5", "start": "4|5"})
    assert table.select("size", "start").rows() == [(4, 4), (5, 4), (5, 5)]
    with pytest.raises(SettingsError, match="start must be at most the size, 5, not 6"):
        SweepPlan(Sweep("multiplicity", {"size": "5", "start": "6"}))
    with pytest.raises(SettingsError, match="every combination of these settings contradicts"):
        SweepPlan(Sweep("multiplicity", {"size": "5", "start": "6..8"}))


def test_values_that_are_too_large_to_compute_are_null(tmp_path, monkeypatch):
    sizes = {"size": "30..31", "goal": "chain"}
    monkeypatch.setattr(line_theory, "MAX_CHAIN_SIZE", 30)
    monkeypatch.setattr(line_theory, "MAX_CHAIN_SIZE_FOR_MOVES", 29)
    table = swept(tmp_path, "divisor-line", sizes)
    assert table.drop("size", "goal").rows() == [
        ("win", 5, None, None, 30),
        (None, None, None, None, 31),
    ]


def test_numbers_too_large_for_64_bits_are_texts(tmp_path):
    low = 2**70
    table = swept(tmp_path, "double-or-add", {"target": f"31|{low}..{low + 2}"})
    assert table["target"].to_list() == ["31", *(str(low + more) for more in range(3))]
    game = numduel.new("double-or-add", target=low + 1)
    assert table["distance"][2] == str(numduel.solve(game, game.start()).distance)


def test_a_longer_search_gives_more_distances(tmp_path):
    quick, longer = (
        swept(
            tmp_path / str(distance),
            "multiplicity",
            {"size": "43..44", "start": "2"},
            distance=distance,
        )
        for distance in (False, True)
    )
    assert None in quick["distance"] and None not in longer["distance"]
    assert quick.drop("distance").equals(longer.drop("distance"))


def test_if_a_longer_search_fails_the_distance_is_null(tmp_path, monkeypatch):
    def too_large(*_):
        raise TooLarge("it is")

    monkeypatch.setattr(MultiplicityTheory, "distance", too_large)
    table = swept(tmp_path, "multiplicity", {"size": "400"}, distance=True)
    assert table["distance"].to_list() == [None]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": "30..20"}, "a range is like 10..30 or 10..30..5"),
        ({"size": "1..3000000"}, "of at most 1,000,000 values"),
        (
            {"size": "1..2000", "start": "1..2000"},
            "at most 1,000,000 combinations of settings, not 4,",
        ),
        ({"size": "x"}, "size must be a whole number"),
        ({"size": "0..5"}, "size must be a whole number from 1"),
    ],
)
def test_invalid_sweeps_are_refused_in_one_line(settings, message, tmp_path):
    with pytest.raises(SettingsError, match=message):
        run_sweep(Sweep("multiplicity", settings), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_with_another_sweep_or_none_is_refused(tmp_path):
    swept(tmp_path / "one", "multiplicity", {"size": "5"})
    with pytest.raises(SettingsError, match="holds another sweep"):
        swept(tmp_path / "one", "multiplicity", {"size": "6"})
    with pytest.raises(SettingsError, match="holds no sweep"):
        read_sweep(tmp_path)


def test_a_sweep_without_parts_or_with_a_damaged_one_is_refused_in_one_line(tmp_path):
    swept(tmp_path, "multiplicity", {"size": "5..300"})
    part = tmp_path / "part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(SettingsError, match=r"part-000000\.parquet is damaged: delete it"):
        read_sweep(tmp_path)
    part.unlink()
    with pytest.raises(SettingsError, match="nothing is solved"):
        read_sweep(tmp_path)


def test_only_one_process_at_a_time_writes_to_a_folder(tmp_path):
    one = Sweep("multiplicity", {"size": "5"})

    def compute(work, numbers):
        with pytest.raises(SettingsError, match="another sweep is writing to"):
            run_sweep(one, tmp_path, compute=here)
        return here(work, numbers)

    run_sweep(one, tmp_path, compute=compute)


def test_a_process_that_dies_ends_the_sweep_with_a_one_line_error():
    with pytest.raises(NumduelError, match="run the same command again to resume"):
        list(compute_here(_die, range(3), workers=1))


def _die(numbers):
    os.kill(os.getpid(), signal.SIGKILL)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def has_parts_or_ended(process, folder, count):
    return len(list(folder.glob("part-*"))) >= count or process.poll() is not None


RACES = ["double-or-add", "--target", "2..12000", "--workers", "2"]
WALKS = ["multiplicity", "--size", "301..12300", "--opening", "even", "--workers", "2"]


def test_a_sweep_that_is_killed_is_resumed_to_the_same_bytes(start, run, tmp_path, many):
    rng, flags, out = Random(1), many(RACES, WALKS), tmp_path / "killed"
    for kill in range(many(2, 20)):
        count = len(list(out.glob("part-*"))) + rng.randrange(3)
        process = start("sweep", *flags, "--out", out)
        until(partial(has_parts_or_ended, process, out, count))
        if process.poll() is not None:  # it finished before it could be killed
            break
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.communicate()
        _, alive = psutil.wait_procs(children, timeout=60)
        assert not alive, kill  # worker processes exit with their parent
        for part in out.glob("part-*"):
            pl.read_parquet(part)  # each is complete
    assert run("sweep", *flags, "--out", out).status == 0
    assert run("sweep", *flags[:-1], 1, "--out", "whole").status == 0
    assert files(out) == files(tmp_path / "whole")
    assert len(files(out)) > 12
