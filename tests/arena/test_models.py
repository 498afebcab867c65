"""Language models in an arena: a provider's failure is not their fault, and no answer is lost."""

import json
import signal

import polars as pl
import pytest

from numduel import SettingsError
from numduel.arena.measures import FAULTS
from numduel.arena.model_games import SpendingLimit
from numduel.arena.spec import Spec, parse_fields
from numduel.terminal.arena import for_models

KEY = "sk-very-secret"
SECONDS = 3
"""Enough time for `random` to move, even on a busy machine."""
LIMITS = {"max_tokens", "max_completion_tokens"}
SMALL = Spec(("double-or-add:target=4",), ("random", "model:first"), rounds=1)


@pytest.fixture
def play_random(stub, play_arena, tmp_path, monkeypatch):
    """Let a model play two games against `random`. Return its row, its rating and the warnings."""
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def play_random(model, spec=SMALL, folder=None, **options):
        warnings, players = [], ("random", f"model:{model}")
        folder = tmp_path / (folder or f"{len([*tmp_path.iterdir()])}")
        tables = play_arena(spec._replace(players=players), folder, warn=warnings.append, **options)
        rows = tables.player_measures().rows_by_key("player", named=True, unique=True)
        for fault in ("void", "cut", *FAULTS):
            assert not rows.get("random", {}).get(fault)
        ratings = {who: one.points for who, one in tables.ratings().items()}
        return rows.get(players[1]), ratings[players[1]], warnings

    return play_random


def answers_in(folder):
    return [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]


WELL = """
    first refuses-max_completion_tokens+refuses-seed refuses-stream_options forbids-seed limited
    flaky first,stream=no
"""


def test_temporary_errors_of_a_provider_leave_no_trace(play_random, many):
    rows = [play_random(f"{who},legal=shown") for who in WELL.split()[:: many(2, 1)]]
    for row, _, warnings in rows:
        assert row["games"] == 2 and warnings == []
        assert sum(row[fault] for fault in ("void", "cut", *FAULTS)) == 0
        assert row["answers"] == row["strict"] > 0 and row["cost"] is None
    row = rows[0][0]
    tokens = [row[f"{kind}_tokens"] for kind in ("prompt", "answer", "reasoning")]
    assert tokens == [count * row["answers"] for count in (100, 20, 15)]


VOID = """
    down drops half errs garbled nothing silent zipped limited-99999 floods-stream floods-whole
    refuses-model barred broke missing poor redirects
"""


@pytest.mark.soak(keep=5)
@pytest.mark.parametrize("who", VOID.split())
def test_failures_of_a_provider_are_not_the_fault_of_the_model(stub, play_random, who):
    row, rating, (warning,) = play_random(f"{who},retries=0", folder="out")
    assert row["games"] == row["lost"] == row["cut"] == 0 and row["void"] in (1, 2)
    assert rating == pytest.approx(1500, abs=0.1)
    assert warning.startswith(f"games not played: 2 (model:{who},retries=0: ")
    assert KEY not in warning and "run the same command again" in warning


FATES = {
    "says-Move: 99,again=1": "illegal",
    "says-I like 7,again=1": "unreadable",
    "declines": "refused",
    "filtered": "refused",
}


def test_wrong_answers_are_the_fault_of_the_model_and_a_cut_answer_is_nobodys(play_random):
    for who, fault in FATES.items():
        row, rating, warnings = play_random(who)
        assert row[fault] == row["lost"] == row["games"] == 2 and rating < 1400 and not warnings
        assert sum(row[one] for one in ("void", "cut", *FAULTS)) == 2
    for who in ("cut", "empty"):  # `Move: 1` of `Move: 15` is no move
        row, rating, warnings = play_random(who)
        assert row["cut"] == 2 and row["games"] == row["lost"] == row["void"] == 0
        assert rating == pytest.approx(1500, abs=0.1) and not warnings
        assert row["answers"] == 2 * 3 and row["strict"] == 0


def test_a_model_that_exceeds_its_time_is_late(play_random):
    row, _, _ = play_random("stalls", SMALL._replace(seconds=SECONDS))
    assert row["late"] == row["lost"] == 2


def test_a_void_game_is_played_when_the_provider_is_back(stub, play_random, tmp_path):
    row, _, _ = play_random("once,retries=0,legal=shown", folder="out")
    assert row["void"] == 2
    stub.is_repaired = True
    row, _, warnings = play_random("once,retries=0,legal=shown", folder="out")
    assert row["void"] == 0 and row["games"] == 2 and not warnings
    kinds = [line["kind"] for line in answers_in(tmp_path / "out")]
    assert kinds.count("void") == 2 and {*kinds} == {"void", "move"}


def test_a_model_is_not_asked_again_after_some_void_games_in_a_row(stub, play_random):
    spec = SMALL._replace(rounds=100)
    row, _, (warning,) = play_random("down,retries=0", spec)
    assert 5 <= row["void"] <= 5 + 32 and "games not played: 200 (" in warning


def test_everything_about_an_answer_is_logged_except_the_key(stub, play_random, tmp_path):
    play_random("refuses-seed+flaky+echoes,legal=shown", folder="out")
    for line in answers_in(tmp_path / "out"):
        assert line["finish_reason"] == "stop" and line["version"] == "refuses-s-2026-11-18"
        assert (line["prompt_tokens"], line["answer_tokens"], line["reasoning_tokens"]) == (
            100,
            20,
            15,
        )
        assert line["seconds"] > 0 and line["tries"] >= 2 and line["sent"]["stream"]
        assert "seed" not in line["sent"] and line["sent"]["max_completion_tokens"] >= 16_384
        assert line["asked"][0]["role"] == "system" and line["setting"] == SMALL.games[0]
    assert f"Bearer {KEY}" in stub.keys
    for path in (tmp_path / "out").iterdir():
        assert KEY.encode() not in path.read_bytes()


def test_no_answer_is_paid_for_twice_wherever_the_arena_is_stopped(
    stub, play_random, tmp_path, many
):
    """Cut the log after each line: only answers that are missing then are requested."""
    who = "says-Move: 1,again=1"  # which is legal once
    spec = Spec(("divisor-line:size=8",), (), rounds=2, decided=True)
    play_random(who, spec, folder="out")
    log, moves = tmp_path / "out/log.jsonl", tmp_path / "out/moves.parquet"
    lines, whole = log.read_bytes().splitlines(keepends=True), pl.read_parquet(moves)
    answers = [line.startswith(b'{"answer"') for line in lines]
    assert sum(answers) >= 8
    for kept in [*range(1, len(lines))][:: many(4, 1)]:
        log.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])
        before = len(stub.requests)
        play_random(who, spec, folder="out")
        assert len(stub.requests) - before == sum(answers[kept:])
        assert pl.read_parquet(moves).equals(whole)


def arena(stub, *flags):
    models = [f"model:{number}+waits-0.02@lab,legal=shown" for number in range(3)]
    players = [flag for who in models for flag in ("--player", who)]
    game = ["--game", "double-or-add:target=20", "--rounds", 2, "--workers", 1]
    return ["arena", *game, *players, "--providers", "providers.toml", *flags]


@pytest.fixture
def lab(stub, tmp_path, environment, monkeypatch):
    environment["LAB_KEY"] = KEY
    monkeypatch.setenv("LAB_KEY", KEY)
    monkeypatch.setenv("NUMDUEL_PROVIDERS", str(tmp_path / "providers.toml"))
    entry = f'[lab]\nurl = "{stub.url}"\nkey = "LAB_KEY"\nin_flight = 3\n'
    prices = "".join(f'prices."{number}+waits-0.02" = [{number}, 5]\n' for number in range(2))
    prices += "prices.first = [1000, 5000]\nprices.uncounted = [1000, 5000]\n"
    (tmp_path / "providers.toml").write_text(f"{entry}{prices}")


def test_killing_the_arena_loses_no_answer(
    stub, lab, start, play_arena, tmp_path, many, wait_for_games
):
    log = tmp_path / "out" / "log.jsonl"
    for how in [signal.SIGKILL, signal.SIGINT][: many(1, 2)]:
        going = start(*map(str, arena(stub, "--out", "out")))
        wait_for_games(going, log, more=6)
        going.send_signal(how)
        _, err = going.communicate(timeout=180)
        assert going.returncode == -9 or (going.returncode == 130 and b"to resume" in err)
    spec = Spec(**parse_fields((tmp_path / "out" / "arena.toml").read_text()))
    play_arena(spec, tmp_path / "out")
    answers = [line for line in log.read_text().splitlines() if line.startswith('{"answer"')]
    assert len(stub.requests) - len(answers) <= 3 * many(1, 2)  # those that were under way
    assert {*stub.keys} == {f"Bearer {KEY}"}
    play_arena(spec, tmp_path / "whole")
    for name in ("games.parquet", "moves.parquet"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize(
    ("who", "name", "most"),
    [("first", "tokens", 8_000), ("uncounted", "money", 8), ("uncounted", "tokens", 8_000)],
)
def test_a_budget_is_never_exceeded_and_can_be_raised(
    stub, play_random, lab, tmp_path, who, name, most
):
    """What the provider does not count is assumed to be the maximum."""
    spec, given = SMALL._replace(rounds=30), f"{who}@lab,legal=shown,tokens=20"
    used = []
    for budget in (most / 2, most):
        row, _, (warning,) = play_random(
            given, spec, "out", budget=SpendingLimit.parse(f"{name}={budget}")
        )
        assert "the budget is used up" in warning and row["void"] == 0
        lines = answers_in(tmp_path / "out")
        sizes = [line["prompt_tokens"] or len(json.dumps(line["asked"])) for line in lines]
        prices = (1, 1) if name == "tokens" else (0.001, 0.005)
        used.append(sum(size * prices[0] + 20 * prices[1] for size in sizes))
        assert budget / 2 < used[-1] <= budget
        counted = pytest.approx(0.2 * len(lines)) if who == "first" else None
        assert row["cost"] == counted
    assert used[0] < used[1] and len(stub.requests) == len(lines)


@pytest.mark.parametrize("who", ["stalls", "half,retries=9"])
def test_a_lost_answer_counts_with_its_maximum_usage(stub, play_random, who, monkeypatch):
    """Also when the arena resumes later; and a request without a limit of tokens is not sent."""
    monkeypatch.setattr("numduel.players.provider.FIRST_RETRY_SECONDS", 0)
    spec, budget = SMALL._replace(seconds=SECONDS), "tokens=10000"
    for _ in range(2):
        _, _, (warning,) = play_random(
            f"{who},tokens=5000", spec, "out", budget=SpendingLimit.parse(budget)
        )
        assert "the budget is used up" in warning and len(stub.requests) == 1
    both = "refuses-max_tokens+refuses-max_completion_tokens"
    _, _, (warning,) = play_random(both, budget=SpendingLimit.parse("tokens=100000"))
    assert "a budget needs a limit of tokens; it is refused" in warning
    assert all(request.keys() & LIMITS for request in stub.requests) and not play_random(both)[2]


def test_a_wrong_budget_is_refused(play_random):
    for text in ("", "5", "euros=5", "tokens=many", "money=-1", "money=1.2.3"):
        with pytest.raises(SettingsError, match="a budget is tokens=2000000, money"):
            SpendingLimit.parse(text)
    with pytest.raises(SettingsError, match="needs the prices of model:first"):
        play_random("first", budget=SpendingLimit.parse("money=5,tokens=9"))


def test_the_options_for_models_change_no_other_player():
    given = ("random", "model:a", "model:b@lab,legal=shown", "model:c,fields={}")
    spec = Spec(("double-or-add",), given)
    assert for_models(spec, url="http://x/v1", disguise=3).players == (
        "random",
        "model:a,url=http://x/v1,disguise=3",
        "model:b@lab,disguise=3,legal=shown",
        "model:c,url=http://x/v1,disguise=3,fields={}",
    )
    assert for_models(spec) == spec


def test_the_command_reports_games_that_were_not_played(stub, lab, run, tmp_path):
    done = run(*arena(stub, "--player", "model:barred@lab", "--out", "out"))
    assert done.status == 1 and done.err.count("\n") == 1 and KEY not in done.err
    assert "games not played: 12 (model:barred@lab: HTTP 401: Incorrect API key" in done.err
    head, *rows = [line.split() for line in done.out.splitlines()[:5]]
    assert head[-5:] == ["cut", "void", "strict", "tokens", "cost"]
    assert {row[0]: row[-4:-1] for row in rows}["model:barred@lab"][0] in "123"
    players = json.loads((tmp_path / "out/players.json").read_text())
    costs = {one["player"][6]: one.get("cost") for one in players}
    assert 0 < costs["0"] < costs["1"] and costs["2"] is costs["b"] is None
    assert all("void" in one and "cut" in one for one in players)
    page = (tmp_path / "out/report.html").read_text()
    assert "Not played, and why" in page and "HTTP 401: Incorrect API key" in page
