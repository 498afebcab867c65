"""Data sets: true, balanced, split without overlap, and the same from the same seed."""

import json
from collections import Counter
from hashlib import sha256
from itertools import chain

import numpy as np
import polars as pl
import pytest
import yaml

import numduel
from numduel import SettingsError
from numduel.arena.dataset import PARTS, balanced_sample, write_dataset
from numduel.arena.sampling import Sampler, depth
from numduel.arena.spec import parse_games
from numduel.core.verdict import Verdict
from numduel.core.words import replay_moves
from numduel.players.prompt import Prompt

GAMES = (
    "multiplicity:size=10..14",
    "divisor-line:size=8",
    "double-or-add:target=15..25",
    "operation-duel:target=15..25",
    "divisor-duel",
)


def rows(folder):
    return {
        name: [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]
        for name in PARTS
    }


def test_every_column_of_a_position_is_true(sampled_here, tmp_path):
    write_dataset(tmp_path, GAMES, 300, seed=2)
    seen = Counter()
    for row in chain.from_iterable(rows(tmp_path).values()):
        (game,) = parse_games((row["setting"],))
        position = game.read(row["position"])
        verdicts = numduel.evaluate(game, position)
        best = max(verdicts.values(), key=lambda one: one.rank)
        assert (row["value"], row["distance"]) == best
        assert row["legal"] == list(verdicts) and position.mover == row["mover"]
        assert row["sound"] == [m for m, one in verdicts.items() if one.score == best.score]
        assert row["best"] == [m for m, one in verdicts.items() if one.rank == best.rank]
        assert row["reason"] and (row["depth"] == 0) == (row["sound"] == row["legal"])
        assert replay_moves(game, 1, row["moves"])[0] == position
        assert row["prompt"] == Prompt(game).whole(*replay_moves(game, 1, row["moves"]))
        seen[row["game"]] += 1
    assert seen.keys() == {text.partition(":")[0] for text in GAMES}


def test_no_two_positions_are_equivalent(sampled_here, tmp_path):
    made = write_dataset(tmp_path, GAMES, 250, seed=1)
    parts = rows(tmp_path)
    essences = [row["essence"] for part in parts.values() for row in part]
    assert len(essences) == len(set(essences)) == made.positions == 250
    assert len(parts["train"]) > 5 * len(parts["test"]) > 0
    for part in parts.values():
        for row in part[:20]:
            (game,) = parse_games((row["setting"],))
            assert game.essence(game.read(row["position"])) == row["essence"]


def test_the_same_seed_gives_the_same_hash_and_both_forms_agree(sampled_here, tmp_path):
    made = [write_dataset(tmp_path / str(n), GAMES, 100, seed=n // 2) for n in range(3)]
    assert made[0] == made[1] != made[2]
    texts = [(tmp_path / "0" / f"{name}.jsonl").read_bytes() for name in PARTS]
    assert sha256(b"".join(texts)).hexdigest() == made[0].hash
    card = (tmp_path / "0" / "README.md").read_text()
    head = yaml.safe_load(card.split("---\n")[1])
    assert made[0].hash in card and "canary" in card and "@software" in card
    assert head["license"] == "mit" and len(head["dataset_info"][0]["features"]) == 14
    for part in head["dataset_info"][0]["splits"]:  # of which datasets wants all three
        assert part.keys() == {"name", "num_bytes", "num_examples"} and part["num_bytes"] > 0
    asked = yaml.safe_load((tmp_path / "0" / "eval.yaml").read_text())
    assert asked["evaluation_framework"] == "inspect-ai" and len(asked["tasks"]) == 1
    single = pl.read_parquet(tmp_path / "0" / "single.parquet").rows()
    alone = [row for row in rows(tmp_path / "0")["test"] if len(row["sound"]) == 1]
    assert single == [(row["prompt"], str(row["sound"][0])) for row in alone]
    for name, part in rows(tmp_path / "0").items():
        assert pl.read_parquet(tmp_path / "0" / f"{name}.parquet").to_dicts() == part


def test_a_position_stays_in_its_part_however_many_are_asked_for(sampled_here, tmp_path):
    parts = {}
    for size in (50, 200):
        write_dataset(tmp_path / str(size), GAMES, size)
        for name, part in rows(tmp_path / str(size)).items():
            for row in part:
                assert parts.setdefault(row["essence"], name) == name


def positions(kinds):
    rng = np.random.default_rng(1)
    schema = {"value": pl.String, "depth": pl.UInt32}
    return pl.DataFrame(kinds, schema=schema, orient="row").with_columns(
        place=pl.Series(rng.permutation(len(kinds)).astype("uint64"))
    )


def test_verdicts_and_depths_are_balanced_as_far_as_possible():
    kinds = [("win", 1)] * 1000 + [("win", 5)] * 30 + [("endless", None)] * 500
    found = positions(kinds)
    counts = balanced_sample(found, 330).group_by("value", "depth").len().rows()
    assert {*counts} == {("endless", None, 165), ("win", 1, 135), ("win", 5, 30)}
    assert len(balanced_sample(found, 10_000)) == len(kinds)


def test_at_most_a_tenth_of_the_positions_has_nothing_to_find():
    found = positions([("loss", 0)] * 500 + [("win", 3)] * 95)
    for wanted in (40, 100, 1000):
        depths = balanced_sample(found, wanted)["depth"]
        assert (depths == 0).sum() <= len(depths) / 10
    assert len(balanced_sample(found, 40)) == 40 and len(balanced_sample(found, 1000)) == 105


def test_if_there_are_too_few_positions_all_of_them_are_taken(sampled_here, tmp_path):
    made = write_dataset(tmp_path, ("double-or-add:target=12",), 1000)
    assert made.positions == 7  # those from 1 on in which the right move is not the only one


def test_positions_that_take_too_long_to_solve_are_left_out(sampled_here, many):
    games = ["divisor-line:goal=chain,size=2001", "divisor-line:size=1000000"]
    for game in games[: many(1, 2)]:
        assert Sampler((game,), 1).run(1) == ([], 0)


def test_the_number_of_positions_of_a_task_does_not_depend_on_earlier_tasks(sampled_here):
    whole = Sampler(GAMES, 1)
    known = set()
    for task in range(4):
        alone, after = Sampler(GAMES, 1).run(task), whole.run(task)
        assert after.position_count == alone.position_count == len(alone.new)
        assert after.new == [one for one in alone.new if one.essence not in known]
        known |= {one.essence for one in alone.new}
    assert len(after.new) < after.position_count


def test_a_wrong_count_seed_or_game_is_refused(tmp_path):
    for change in ({"count": 0}, {"seed": -1}, {"games": ("chess",)}):
        with pytest.raises(SettingsError):
            write_dataset(tmp_path / "out", **{"games": GAMES, "count": 10, **change})
        assert not (tmp_path / "out").exists()


def test_the_command_gives_the_same_with_two_processes(run, tmp_path, many):
    count = many(50, 1_000)
    flags = ["--game", "double-or-add:target=20..200", "--count", count, "--seed", 4]
    one = run("dataset", *flags, "--out", "one", "--workers", 1)
    assert one.status == 0 and " positions in one" in one.out
    if count > 50:
        two = run("dataset", *flags, "--out", "two", "--workers", 2)
        assert two.out.splitlines()[1] == one.out.splitlines()[1]
    again = run("dataset", *flags, "--out", "one")
    assert again.status == 1 and "not empty" in again.err


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([Verdict("win", 3), Verdict("win", 9), Verdict("loss", 8)], 3),  # the soonest win
        ([Verdict("win"), Verdict("win", 9), Verdict("loss", 8)], None),
        ([Verdict("endless"), Verdict("loss", 2), Verdict("loss", 6)], 6),  # the last loss
        ([Verdict("draw", 9), Verdict("loss")], None),
        ([Verdict("win", 9), Verdict("win", 11)], 0),
        ([Verdict("draw"), Verdict("endless")], 0),
        ([Verdict("loss", 4), Verdict("loss", 2)], 0),
    ],
)
def test_a_depth_is_how_far_one_must_look_ahead(verdicts, expected):
    assert depth(dict(enumerate(verdicts))) == expected
