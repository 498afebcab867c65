"""The loop plays a game and returns its record, whatever the players do."""

import subprocess
import sys

import pytest

import numduel
from numduel import SettingsError
from numduel.core.record import loads
from numduel.play.game_loop import Failure, play_game, play_on
from numduel.play.table import Table
from numduel.players import Forfeit, Player

LINE = numduel.new("divisor-line", goal="chain")
THEN = "2026-01-02T03:04:05+00:00"


class LastMove(Player):
    """Plays the last of the legal moves, and takes over the first turn."""

    name = "last"
    closed = 0

    def choose(self, turn):
        self.turn = turn
        return turn.game.moves(turn.position)[-1]

    def swaps(self, turn):
        self.turn = turn
        return True

    def close(self):
        self.closed += 1


def test_a_game_between_named_players_gives_a_record():
    record = numduel.play_game(LINE, ("hard", "easy"), first=2, seed=3, started=THEN)
    assert record.players == ("hard", "easy")
    assert (record.game, record.settings["goal"], record.first) == ("divisor-line", "chain", 2)
    *_, end = record.positions(LINE)
    assert LINE.outcome(end) == record.outcome
    assert loads(record.dumps()) == record


def test_a_callback_gets_each_turn_before_the_player_is_asked():
    told, last = [], LastMove()
    for _ in play_on(Table(LINE, 1, None, swap=False), (last, None), before_turn=told.append):
        assert last.turn is told[-1]
    assert len(told) == 1


def test_a_seed_repeats_a_game_and_another_does_not():
    games = [play_game(LINE, ("easy", "easy"), seed=seed, started=THEN) for seed in (1, 1, 2, 3)]
    assert games[0] == games[1]
    assert len({record.moves for record in games}) == 3


def test_the_moves_of_an_opening_are_made_before_any_player_is_asked():
    last = LastMove()
    record = play_game(LINE, (last, last), opening=(3, 4), turn_limit=1, started=THEN)
    assert record.moves == (3, 4, 20)
    assert last.turn.moves == (3, 4)


def test_the_limit_does_not_count_an_opening_and_only_one_of_one_move_can_be_taken_over():
    record = play_game(LINE, (LastMove(), LastMove()), opening=(3, 4, 5), turn_limit=1, swap=True)
    assert (record.moves, record.first) == ((3, 4, 5, 20), 1)
    assert record.outcome == numduel.Outcome(None, "turn-limit")
    taken = play_game(LINE, (LastMove(), LastMove()), opening=(3,), turn_limit=1, swap=True)
    assert (taken.moves, taken.first) == ((3, 20), 2)


def test_an_illegal_opening_is_refused():
    with pytest.raises(numduel.IllegalMove):
        play_game(LINE, (LastMove(), LastMove()), opening=(3, 3))


def test_a_game_starts_now_if_no_time_is_given():
    assert play_game(LINE, ("random", "random")).started.endswith("+00:00")


def test_players_can_be_objects_which_their_owner_closes():
    one, other = LastMove(), LastMove()
    record = play_game(LINE, (one, other), seconds=2.5)
    assert record.players == ("last", "last")
    assert record.moves[:3] == (20, 19, 18)
    assert one.turn.seconds == 2.5
    assert (one.closed, other.closed) == (0, 0)


def test_a_game_that_does_not_end_is_stopped():
    game = numduel.new("divisor-duel")
    record = play_game(game, ("perfect", "perfect"), turn_limit=9)
    assert (len(record.moves), record.outcome) == (9, numduel.Outcome(None, "turn-limit"))
    assert len(play_game(game, ("perfect", "perfect")).moves) == 1000


def test_the_first_move_can_be_taken_over():
    first, second = LastMove(), LastMove()
    record = play_game(LINE, (first, second), swap=True, turn_limit=2)
    assert (record.first, record.moves) == (2, (20, 19))
    assert second.turn.moves == (20,)
    assert second.turn.position.mover == 2
    assert first.turn.position.mover == 1
    assert list(record.positions(LINE))[-1].noughts == {20}


def test_the_first_player_knows_of_the_swap_and_it_can_be_declined():
    class Stays(LastMove):
        def choose(self, turn):
            self.ahead = [*getattr(self, "ahead", []), turn.swap_ahead]
            return super().choose(turn)

        def swaps(self, turn):
            return False

    first, second = Stays(), Stays()
    record = play_game(LINE, (first, second), swap=True, turn_limit=3)
    assert (record.first, first.ahead, second.ahead) == (1, [True, False], [False])


def failing_player(what):
    class Falls(Player):
        name = "falls"

        def choose(self, turn):
            if isinstance(what, Exception):
                raise what
            return what

        swaps = choose

    return Falls()


@pytest.mark.parametrize(
    ("what", "fault", "why"),
    [
        (21, "illegal", "21"),
        (0, "illegal", "0"),
        ("7", "illegal", "'7' is not a whole number"),
        (None, "illegal", "none is not a whole number"),
        (Forfeit("it slept", "late"), "late", "it slept"),
        (Forfeit("it fell"), "crashed", "it fell"),
        (ZeroDivisionError("by zero"), "crashed", "ZeroDivisionError: by zero"),
    ],
)
def test_a_player_that_fails_forfeits_and_the_reason_is_reported(what, fault, why):
    failures = []
    record = play_game(LINE, ("random", failing_player(what)), on_failure=failures.append)
    assert record.outcome == numduel.Outcome(1, "forfeited")
    assert len(record.moves) == 1
    assert failures[0][:2] == (2, fault)
    assert why in failures[0].why
    assert play_game(LINE, ("random", failing_player(what))).outcome == record.outcome


def test_a_player_that_fails_to_decide_on_the_swap_forfeits():
    failures = []
    players = (LastMove(), failing_player(ValueError("no")))
    record = play_game(LINE, players, swap=True, on_failure=failures.append)
    assert (record.outcome, failures) == (
        numduel.Outcome(1, "forfeited"),
        [Failure(2, "crashed", "ValueError: no")],
    )


def test_programs_are_closed_when_the_game_is_over(tmp_path):
    bot = tmp_path / "bot.py"
    says = "print({'numduel': 'ready', 'go': 'move 999'}.get(input().split()[0], ''), flush=True)"
    bot.write_text(f"while True: {says}\n")
    failures = []
    who = f"program:{sys.executable} {bot}"
    record = play_game(LINE, (who, "random"), on_failure=failures.append)
    assert record.players == (who, "random")
    assert (record.outcome.winner, failures[0].fault) == (2, "illegal")


def test_neither_people_nor_three_players_are_accepted():
    with pytest.raises(SettingsError, match="'human' cannot play without a screen"):
        play_game(LINE, ("human", "random"))
    with pytest.raises(SettingsError, match="a game has two players, not 3"):
        play_game(LINE, ("random",) * 3)


def test_looking_at_games_loads_no_players():
    code = "import numduel, sys; print('numduel.players' in sys.modules, hasattr(numduel, 'x'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
