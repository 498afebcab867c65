"""Numduel-Bench: its positions have the promised properties, and players are scored by them."""

import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from statistics import fmean

import pytest

import numduel
from numduel.agents.problems import BENCH, BENCH_FILE, frozen_positions, problem_at, problems
from numduel.arena import bench
from numduel.arena.bench import (
    FIRST_SEED,
    LAST_DEPTH,
    MAX_DEPTH,
    MAX_MOVES,
    SCORES_FILE,
    SET_POSITIONS,
    make_set,
)
from numduel.arena.plan import BenchPlan
from numduel.arena.sampling import depth
from numduel.arena.spec import Spec
from numduel.games import OUR_GAMES
from numduel.play.difficulty import HABITS
from numduel.solver import theory_of

DOCS = Path(__file__).parents[2] / "docs" / "arena.md"


def test_the_frozen_file_is_the_one_that_is_published():
    assert sha256(BENCH_FILE.read_bytes()).hexdigest() in DOCS.read_text()


@pytest.mark.soak(keep=0)
@pytest.mark.parametrize("seed", [FIRST_SEED])
def test_the_frozen_file_is_made_again_byte_for_byte(tmp_path, seed):
    make_set(tmp_path / "again", seed, workers=2)
    assert (tmp_path / "again").read_bytes() == BENCH_FILE.read_bytes()


def test_every_frozen_position_has_something_to_find_and_no_two_are_equivalent(many):
    lines = frozen_positions()
    found = [problem_at(*one[:3]) for one in lines]
    assert len(lines) == SET_POSITIONS
    assert all(0 < one.chance < 1 for one in found)
    assert len({one.game.essence(one.position) for one in found}) == SET_POSITIONS
    assert all(len(one.moves) <= MAX_MOVES and 1 <= one.depth <= MAX_DEPTH for one in lines)
    for line, one in list(zip(lines, found, strict=True))[: many(100, SET_POSITIONS)]:
        known = depth(numduel.evaluate(one.game, one.position))
        if known is None:
            known = theory_of(one.game).distance(one.position)
        assert line.depth == known


def test_the_positions_are_spread_over_games_settings_seats_and_depths():
    lines = frozen_positions()
    games = Counter(one.key for one in lines)
    assert len(games) == 5 and min(games.values()) > 0.6 * max(games.values())
    assert len({(one.key, repr(one.settings)) for one in lines}) > 200
    seats = Counter(len(one.moves) % 2 for one in lines)
    assert abs(seats[0] - seats[1]) < 100
    depths = Counter(-(-min(one.depth, LAST_DEPTH) // 2) for one in lines)
    assert min(depths.values()) > 120 and len(depths) == 8
    first = Counter(one.key for one in lines[:200])
    assert min(first.values()) > 15  # the first ones are like all


def test_no_habit_is_right_much_more_often_than_chance_in_any_game():
    found = [problem_at(*one[:3]) for one in frozen_positions()]
    assert all(one.chance <= 1 / 2 for one in found)
    for key in OUR_GAMES:
        ours = [one for one in found if one.game.key == key]
        chance = fmean(one.chance for one in ours)
        frequent, _ = Counter(move for one in ours for move in one.gold).most_common(1)[0]

        def often(game, position, move=frequent):
            return [move] if move in game.moves(position) else game.moves(position)

        for habit in (*HABITS, often):
            taken = [(one, habit(one.game, one.position)) for one in ours]
            right = fmean(len({*some}.intersection(one.gold)) / len(some) for one, some in taken)
            most = 0.3 if habit is HABITS[-1] else 0.25  # the last sees what wins or loses at once
            assert (right - chance) / (1 - chance) < most, (key, habit)


def test_a_seed_gives_the_same_set_and_another_one_of_its_own(sampled_here, tmp_path, many):
    size = {"sampled": many(30, 200), "count": many(20, 100)}
    digests = [
        make_set(tmp_path / name, seed, **size) for name, seed in (("a", 5), ("b", 5), ("c", 6))
    ]
    assert digests[0] == digests[1] != digests[2]
    assert sha256((tmp_path / "a").read_bytes()).hexdigest() == digests[0]
    mine, public = (
        {
            one.game.essence(one.position)
            for one in problems(BENCH, {"file": file}, 0, SET_POSITIONS)
        }
        for file in (str(tmp_path / "a"), "")
    )
    assert len(mine) == size["count"] and not mine & public
    canaries = [json.loads((tmp_path / n).read_text().partition("\n")[0])["canary"] for n in "ac"]
    assert len({*canaries}) == 2
    with pytest.raises(numduel.SettingsError, match="already exists"):
        make_set(tmp_path / "a", 5)


def test_a_depth_that_takes_too_long_to_find_is_0():
    row = {"setting": "multiplicity:size=2000", "position": "1:1/1", "depth": None, "moves": []}
    row |= {"legal": [2, 3], "sound": [2], "value": "win", "mover": 1}
    assert (
        bench._candidate(row).line.depth == 0
        and bench._candidate(row | {"depth": 7}).line.depth == 7
    )


PLAYERS = ("random", "perfect", "level:5")


def asked(players, count=60, **more):
    return Spec((), players, rounds=count, turn_limit=1, truth=False, bench="1", **more)


def test_each_player_is_asked_once_about_each_position():
    plan = BenchPlan(asked(PLAYERS))
    assert len(plan) == 180
    for number in range(len(plan)):
        planned, line = plan[number], frozen_positions()[number // 3]
        assert planned.players == (PLAYERS[number % 3],) * 2 == plan.seats(number)
        assert (planned.game.key, [*planned.opening]) == (line.key, line.moves)
        assert plan.game_text(number).startswith(line.key)


def test_random_has_no_skill_and_perfect_has_all(play_arena, tmp_path, many):
    play_arena(asked(PLAYERS, many(100, 700)), tmp_path, report=True)
    scores = json.loads((tmp_path / SCORES_FILE).read_text())
    rows = {row["player"]: row for row in scores["players"]}
    assert [row["player"] for row in scores["players"]] == ["perfect", "level:5", "random"]
    assert rows["perfect"]["skill"] == rows["perfect"]["raw"] == 1
    assert rows["perfect"]["breaks_at"] is None and rows["random"]["breaks_at"] == 1
    assert rows["random"]["skill_low"] < 0 < rows["random"]["skill_high"]
    for row in rows.values():
        assert row["skill"] == pytest.approx((row["raw"] - row["chance"]) / (1 - row["chance"]))
        assert row["raw_low"] <= row["raw"] <= row["raw_high"]
    assert {row["depth"] for row in scores["by_depth"]} <= set(range(1, 16, 2))
    [first, *_] = scores["differences"]
    assert (first["one"], first["two"]) == ("perfect", "level:5") and first["chance"] < 0.05
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 1 and "perfect plays better." in page


def test_faults_count_as_wrong_and_cut_answers_do_not_count(play_arena, tmp_path):
    play_arena(asked(("program:false", "random"), 20), tmp_path, report=True)
    rows = {
        row["player"]: row for row in json.loads((tmp_path / SCORES_FILE).read_text())["players"]
    }
    assert rows["program:false"]["crashed"] == 20 and rows["program:false"]["raw"] == 0
    assert rows["random"]["positions"] == 20 and rows["random"]["raw"] > 0
    assert rows["random"]["chance"] == pytest.approx(
        fmean(problem_at(*one[:3]).chance for one in frozen_positions()[:20])
    )


def test_models_are_asked_once_and_players_and_positions_can_be_added(
    stub, play_arena, tmp_path, monkeypatch
):
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    models, warnings = ("model:first,legal=shown", "model:cut", "model:down,retries=0"), []
    options = {"report": True, "warn": warnings.append}
    play_arena(asked(("random", *models[:1]), 5), tmp_path, **options)
    before = (tmp_path / "answers.jsonl").read_text().count("\n")
    assert before == 5 and not warnings
    play_arena(asked((*models, "random"), 8), tmp_path, **options)
    rows = {
        row["player"]: row for row in json.loads((tmp_path / SCORES_FILE).read_text())["players"]
    }
    answers = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    kinds = Counter((one["player"], one["kind"]) for one in answers)
    assert kinds[models[0], "move"] == rows[models[0]]["positions"] == 8
    firsts = [problem_at(*one[:3]) for one in frozen_positions()[:8]]
    assert rows[models[0]]["raw"] == fmean(min(one.worth) in one.gold for one in firsts)
    assert rows[models[0]]["answer_tokens"] > 0 and rows[models[0]]["strictness"] == 1
    assert rows[models[1]]["cut"] == 8 and rows[models[1]]["skill"] is None
    assert rows[models[2]]["void"] and "games not played: 8 (model:down" in warnings[0]


def test_the_command_prints_the_scores_and_resumes(run, tmp_path):
    flags = ["--positions", 30, "--workers", 1, "--out", "scores"]
    done = run("bench", "random", "perfect", *flags)
    assert done.status == 0, done.err
    table = [line.split() for line in done.out.splitlines()]
    assert table[0] == ["player", "skill", "at", "95", "%", "right", "breaks", "at"]
    assert table[1][0] == "perfect" and table[1][1] == "1.00" and table[2][0] == "random"
    log = (tmp_path / "scores" / "log.jsonl").read_bytes()
    assert run("bench", "random", "perfect", *flags).out == done.out
    assert (tmp_path / "scores" / "log.jsonl").read_bytes() == log
    assert re.search("0 is random, 1 is perfect", done.out)


def test_the_file_of_a_bench_is_refused_as_that_of_an_arena(run, tmp_path):
    (tmp_path / "bench.toml").write_text(asked(PLAYERS).dumps())
    done = run("arena", "bench.toml")
    assert done.status == 1 and "is that of a bench: numduel bench runs it" in done.err


def test_bad_input_gives_one_line_of_error(run, tmp_path):
    for arguments, why in (
        ([], "who is asked"),
        (["human"], "no person plays"),
        (["--make", "x.jsonl", "--seed", -1], "a seed is from 0 to"),
        (["random", "--set", "none.jsonl"], "none.jsonl, line 2, is no position of a set"),
    ):
        done = run("bench", *arguments)
        assert done.status == 1 and why in done.err and done.err.count("\n") == 1
        assert not (tmp_path / "bench").exists()
