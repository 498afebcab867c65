"""`numduel sweep` and `numduel plot`, as they are typed."""

import polars as pl
import pytest


def test_a_family_is_solved_and_drawn(run, tmp_path):
    ran = run("sweep", "multiplicity", "--size", "2..30", "--opening", "even", "--out", "out")
    assert ran.status == 0, ran.err
    assert "The other player wins: 17\nWhoever begins wins: 12\n" in ran.out
    assert len(pl.read_parquet(tmp_path / "out" / "*.parquet")) == 29
    for show in ("value", "openings", "distance"):
        ran = run("plot", "sweep", "out", "--show", show, "--out", f"{show}.svg")
        assert (ran.status, ran.out) == (0, f"Drawn: {show}.svg\n"), ran.err
        assert (tmp_path / f"{show}.svg").read_text().startswith("<svg")


def test_a_picture_says_that_its_sweep_is_not_finished(run, tmp_path):
    assert run("sweep", "multiplicity", "--size", "2..1500", "--out", "out").status == 0
    (tmp_path / "out" / "part-000001.parquet").unlink()
    ran = run("plot", "sweep", "out")
    assert ran.err == "out is not finished: 1 of 2 parts are solved.\n"
    assert "Not finished: 1 of 2 parts are solved." in (tmp_path / "plot.svg").read_text()


def test_a_flag_has_both_values_or_one(run, tmp_path):
    for out, given, rows in (
        ("one", ["--start-open"], 3),
        ("two", ["--start-open", "true|false"], 6),
    ):
        ran = run("sweep", "multiplicity", "--size", "4..6", *given, "--out", out)
        assert ran.status == 0, ran.err
        assert len(pl.read_parquet(tmp_path / out / "*.parquet")) == rows


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        (["sweep", "multiplicity", "--size", "9..3"], 1, "a range is like 10..30"),
        (["sweep", "multiplicity", "--size", "a"], 1, "size must be a whole number"),
        (["sweep"], 2, "Which game?"),
        (["plot", "sweep", "nowhere"], 2, "does not exist"),
        (["plot", "sweep", "."], 1, "holds no sweep"),
        (["plot", "sweep", ".", "--where", "x"], 1, "a setting is given as size=30, not 'x'"),
        (
            ["plot", "sweep", ".", "--out", "a.pdf"],
            2,
            "called like plot.svg or plot.png, not a.pdf",
        ),
        (["plot", "arena", "."], 1, "holds no finished arena"),
        (["plot", "record", "nothing"], 1, "nothing"),
        (["plot", "pairing", "double-or-add"], 1, "Double or Add is not decided by a pairing"),
        (["plot", "pairing", "multiplicity", "--size", "5000"], 1, "up to a size of 1,000"),
        (["plot", "pairing", "multiplicity", "--after", "1"], 1, "move 1: 1 "),
    ],
)
def test_an_error_is_one_line(run, words, status, line):
    ran = run(*words)
    assert ran.status == status
    assert line in ran.err and len(ran.err.splitlines()) == 1


def test_a_pairing_is_drawn_from_any_position(run, tmp_path):
    ran = run(
        "plot", "pairing", "multiplicity", "--size", "20", "--after", "7,14", "--out", "p.png"
    )
    assert ran.status == 0, ran.err
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_a_match_of_two_rounds_is_drawn(run, tmp_path):
    match = ["play", "operation-duel", "--p1", "perfect", "--p2", "random", "--rounds", 2]
    assert run(*match, "--plain").status == 0
    assert run("plot", "record", 1, "--out", "game.svg").status == 0
    svg = (tmp_path / "game.svg").read_text()
    assert svg.count("who is winning") >= 2


def test_an_arena_is_drawn(run, tmp_path):
    arena = ["--game", "double-or-add:target=12", "--player", "random", "--player", "hard"]
    assert (
        run("arena", *arena, "--rounds", 1, "--no-truth", "--out", "a", "--workers", 1).status == 0
    )
    assert run("plot", "arena", "a", "--out", "ratings.png").status == 0
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")
    ran = run("plot", "arena", "a", "--show", "depths")
    assert (ran.status, ran.err) == (
        1,
        "numduel: no moves were judged in a: it has ratings, crossed\n",
    )
