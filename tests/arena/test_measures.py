"""The measures are right for players whose strength is known."""

import pytest

import numduel
from numduel.arena.plan import Plan
from numduel.arena.playing import Judge
from numduel.arena.spec import Spec
from numduel.core.words import replay_moves
from numduel.players import OUR_PLAYERS, Kind, Player
from numduel.solver import evaluate

GAMES = (
    "divisor-duel:divisor=10,ceiling=40",
    "operation-duel:target=25",
    "divisor-line:size=8",
    "double-or-add:target=20",
    "multiplicity:size=14",
)


class Errs(Player):
    """Makes errors at a given rate, where errors are possible; otherwise sound moves, slow ones."""

    def __init__(self, rate):
        self.name = f"errs:{rate}"
        self.rate = float(rate)

    def choose(self, turn):
        verdicts = evaluate(turn.game, turn.position)
        best = max(verdict.score for verdict in verdicts.values())
        errors = [move for move, verdict in verdicts.items() if verdict.score < best]
        if errors and turn.rng.random() < self.rate:
            return turn.rng.choice(errors)
        sound = {move: verdict for move, verdict in verdicts.items() if verdict.score == best}
        return min(sound, key=lambda move: sound[move].rank)


@pytest.fixture
def errs(monkeypatch):
    monkeypatch.setitem(OUR_PLAYERS, "errs", Kind("errs", "", Errs, "RATE"))


def test_intervals_contain_the_known_regret_of_players(errs, play_arena, tmp_path, many):
    rates = {"errs:0": 0.0, "errs:0.1": 0.1, "errs:0.3": 0.3, "errs:0.6": 0.6}
    spec = Spec(GAMES, tuple(rates), rounds=many(4, 40), decided=True, seed=5)
    tables = play_arena(spec, tmp_path)
    rows = {row["player"]: row for row in tables.player_measures().iter_rows(named=True)}
    for who, rate in rates.items():
        row = rows[who]
        low, high = (row[f"sound_{end}"] for end in ("low", "high"))
        assert low <= 1 - rate <= high + 1e-9, (who, low, high)
        assert row["regret"] == pytest.approx(1 - row["sound"])  # these games are won or lost
        assert row["regret_low"] <= rate + 1e-9 and rate <= row["regret_high"] + 1e-9
    assert rows["errs:0"]["regret"] == 0 and rows["errs:0"]["conversion"] == 1
    assert rows["errs:0"]["skill"] == 1 > rows["errs:0.6"]["skill"]
    assert list(tables.ratings()) == list(rates)
    ahead = {one[:2]: one for one in tables.differences(tuple(rates))}
    assert ahead["errs:0", "errs:0.6"].is_sure and ahead["errs:0", "errs:0.6"].part > 0
    assert len(ahead) == 6


def test_every_move_is_measured_as_the_solver_says(play_arena, tmp_path):
    spec = Spec(GAMES, ("easy", "random"), rounds=1, decided=True)
    tables, plan = play_arena(spec, tmp_path), Plan(spec)
    for (number,), made in tables.moves.collect().group_by("game"):
        planned = plan[number]
        position, _ = replay_moves(planned.game, 1, planned.opening)
        for row in made.sort("ply").iter_rows(named=True):
            verdicts = evaluate(planned.game, position)
            best = max(verdicts.values(), key=lambda one: one.rank)
            mine = verdicts[row["move"]]
            assert (row["value"], row["distance"]) == mine
            assert (row["best"], row["best_distance"]) == best
            assert row["legal"] == len(verdicts)
            assert row["regret"] == best.score - mine.score
            assert row["mattered"] == (len({one.score for one in verdicts.values()}) > 1)
            assert row["right"] == sum(one.score == best.score for one in verdicts.values())
            if row["delay"] is not None:
                assert row["delay"] == abs(mine.distance - best.distance)
            position = planned.game.play(position, row["move"])


def test_accuracy_is_measured_by_the_distance_of_the_win(errs, play_arena, tmp_path):
    spec = Spec(GAMES, ("errs:0.5", "random"), rounds=3, decided=True)
    tables = play_arena(spec, tmp_path)
    rows = tables.by_depth()
    won = tables.moves.collect().filter(best="win", mattered=True)
    assert rows["decisions"].sum() == len(won)
    for name in ("sound", "skill"):
        assert (rows[f"{name}_low"] <= rows[name]).all() and (
            rows[name] <= rows[f"{name}_high"]
        ).all()
    assert set(rows["best_distance"]) == set(won["best_distance"])


def test_moves_that_take_too_long_to_solve_are_not_judged():
    game = numduel.new("divisor-line", size=1_000_000)
    truth = Judge(game)
    assert truth.worth(game.start(), 1) is None and truth.value(game.start()) is None
    beyond = numduel.new("divisor-line", size=10_001, goal="chain")
    assert Judge(beyond).worth(beyond.start(), 1) is None


def test_a_judge_caches_a_bounded_number_of_positions():
    game = numduel.new("double-or-add")
    truth = Judge(game, max_positions=3)
    position = game.start()
    for _ in range(10):
        assert truth.worth(position, 2).legal == 2
        position = game.after(position, 2)
    assert truth._cached_verdicts.cache_info().currsize <= 3


class Constant(Player):
    """Always makes the legal move with the same index."""

    def __init__(self, place):
        self.name, self.place = f"constant:{place}", int(place)

    def choose(self, turn):
        return turn.game.moves(turn.position)[self.place]


def test_games_that_copy_others_count_once(play_arena, tmp_path, monkeypatch):
    """A hundred rounds between two players without chance have four different games."""
    monkeypatch.setitem(OUR_PLAYERS, "constant", Kind("constant", "", Constant, "PLACE"))
    games = ("double-or-add:target=12", "multiplicity:size=8")
    tables = play_arena(Spec(games, ("constant:0", "constant:-1"), rounds=100), tmp_path)
    assert tables.copies == 396 and tables.player_measures()["games"].to_list() == [4, 4]


def test_moves_at_random_show_no_skill(play_arena, tmp_path, many):
    spec = Spec(GAMES, ("random", "easy"), rounds=many(10, 40), decided=True)
    rows = {
        row["player"]: row
        for row in play_arena(spec, tmp_path).player_measures().iter_rows(named=True)
    }
    assert rows["random"]["skill_low"] < 0 < rows["random"]["skill_high"]
    assert rows["easy"]["skill_low"] > 0
    assert rows["random"]["sound"] > 0.3  # which looks like something
