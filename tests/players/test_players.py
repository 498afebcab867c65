"""The registry of players, and the random player."""

from collections import Counter
from random import Random

import pytest
from tests.toy_games import asked

import numduel
from numduel import SettingsError
from numduel.players import (
    HUMAN,
    OUR_PLAYERS,
    _load_kind,
    _plug_ins,
    check_fit,
    check_who,
    choices,
    computers,
    display_name,
    kinds,
    player,
)

LINE = numduel.new("divisor-line", size=6)


def turn(rng, **given):
    return asked(LINE, 3, **given)._replace(rng=rng)


def test_random_chooses_each_legal_move_about_as_often():
    rng = Random(1)
    chosen = Counter(player("random").choose(turn(rng)) for _ in range(5000))
    assert sorted(chosen) == [1, 2, 4, 5, 6]
    assert all(900 < count < 1100 for count in chosen.values())


def test_random_swaps_about_every_other_time():
    rng = Random(1)
    swaps = sum(player("random").swaps(turn(rng)) for _ in range(1000))
    assert 450 < swaps < 550


def test_a_player_plans_for_a_third_of_the_time_but_for_a_minimum():
    assert turn(Random(1), seconds=30).allowance_seconds == 10
    assert turn(Random(1), seconds=0).allowance_seconds == 0.2
    assert turn(Random(1)).allowance_seconds == 3


# The registry.


def test_a_person_is_known_but_is_no_player_object():
    assert player("human") is None
    assert check_who("human") == "human"
    check_fit("human", LINE)


@pytest.mark.parametrize(
    "who",
    ["random", "easy", "medium", "hard", "perfect", "level:0", "level:10", "program:./a bot"],
)
def test_players_are_known_by_their_names(who):
    assert check_who(who) == who
    assert player(who) is not None


def test_a_level_with_a_name_is_shown_with_it():
    assert [player(f"level:{n}").name for n in (0, 3, 4, 8)] == [
        "easy",
        "level:3",
        "medium",
        "hard",
    ]
    assert player("random").name == "random"
    assert player("perfect").name == "perfect"


@pytest.mark.parametrize(
    "who", ["", "Random", "robot", "x" * 10_000, "random:", "easy:1", "level", "human:"]
)
def test_a_player_of_another_name_is_refused(who):
    with pytest.raises(
        SettingsError, match=r"^a player is human, random.* or model:NAME, not '"
    ) as refused:
        check_who(who)
    assert len(str(refused.value)) < 180


@pytest.mark.parametrize("who", ["level:", "level:11", "level:-1", "level:1.5", "level:²"])
def test_a_level_that_does_not_exist_is_refused(who):
    with pytest.raises(SettingsError, match="a level is from 0 to 10, not"):
        check_who(who)


@pytest.mark.parametrize("who", ["program:", "program: ", "program:'unclosed"])
def test_a_program_without_a_command_is_refused(who):
    with pytest.raises(SettingsError, match="program:"):
        check_who(who)


def test_a_player_that_does_not_fit_the_game_says_so():
    check_fit("perfect", LINE)
    with pytest.raises(numduel.TooLarge):
        check_fit("perfect", numduel.new("divisor-line", goal="chain", size=10_001))


def test_programs_and_models_are_not_served():
    assert [kind.name for kind in OUR_PLAYERS.values() if not kind.served] == ["program", "model"]
    assert "program" not in choices(served=True) and "model" not in choices(served=True)
    assert check_who("perfect", served=True)
    assert check_who(HUMAN, served=True)
    with pytest.raises(SettingsError, match=r"^a player is human, .* or level:0-10, not 'program"):
        check_who("program:./bot", served=True)


def test_each_kind_of_player_has_one_line_of_help():
    assert all(kind.help and "\n" not in kind.help for kind in OUR_PLAYERS.values())


PLUG_IN = """
from numduel.players import Kind, Player

class Last(Player):
    name = "last"
    def __init__(self, parameter=""):
        self.parameter = parameter
    def choose(self, turn):
        return turn.game.moves(turn.position)[-1]

LAST = Kind("last", "always the last move", Last, served=True)
NTH = Kind("nth", "the move of that number", Last, "N")
"""

ENTRY_POINTS = """\
[numduel.players]
last = last_player:LAST
nth = last_player:NTH
other = last_player:LAST
klass = last_player:Last
gone = no_such_module:KIND
broken = broken_player:KIND
random = last_player:LAST
human = last_player:LAST
"""

WRONG = {
    "other": "the player 'other' cannot be loaded: last_player:LAST is not a Kind of that name",
    "klass": "the player 'klass' cannot be loaded: last_player:Last is not a Kind of that name",
    "gone": "the player 'gone' cannot be loaded from no_such_module:KIND: No module",
    "broken": "the player 'broken' cannot be loaded from broken_player:KIND: division by zero",
}


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Install a package that registers two players, and several things that are none."""
    (tmp_path / "last_player.py").write_text(PLUG_IN)
    (tmp_path / "broken_player.py").write_text("1 / 0")
    info = tmp_path / "last_player-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: last-player\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    _plug_ins.cache_clear()
    _load_kind.cache_clear()
    yield
    _plug_ins.cache_clear()
    _load_kind.cache_clear()


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.filterwarnings("ignore:the player")
def test_a_player_from_another_package_plays_by_its_name():
    assert player("last").choose(turn(Random(1))) == 6
    assert player("nth:7").parameter == "7"
    assert check_who("last", served=True)
    with pytest.raises(SettingsError):
        check_who("nth:7", served=True)


@pytest.mark.usefixtures("elsewhere")
def test_a_player_that_cannot_be_loaded_causes_a_warning_and_breaks_no_other():
    with pytest.warns(UserWarning, match="cannot be loaded") as warned:
        names = [kind.name for kind in kinds()]
    assert names == [*OUR_PLAYERS, "last", "nth"]
    assert sorted(str(one.message)[:60] for one in warned) == sorted(
        text[:60] for text in WRONG.values()
    )
    with pytest.warns(UserWarning, match="cannot be loaded"):
        assert computers() == ("random", "easy", "medium", "hard", "perfect", "last")


@pytest.mark.usefixtures("elsewhere")
def test_a_player_from_another_package_plays_in_the_terminal(run, tmp_path):
    who = ("--p1", "last", "--p2", "nth:2", "--plain")
    ran = run("play", "divisor-line", *who, env={"PYTHONPATH": str(tmp_path)})
    assert (ran.status, "Player 1 has won the game by" in ran.out) == (0, True)
    assert "the player 'gone' cannot be loaded" in ran.err


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("who", WRONG)
def test_a_player_that_cannot_be_loaded_is_refused_with_the_reason(who):
    with pytest.raises(SettingsError, match="cannot be loaded") as refused:
        check_who(who)
    assert str(refused.value).startswith(WRONG[who])


@pytest.mark.usefixtures("elsewhere")
def test_no_package_can_replace_our_players():
    assert player("random").name == "random"
    assert player("human") is None


def test_people_see_the_character_of_a_player_beside_its_name():
    assert [display_name(who) for who in ("perfect", "level:3")] == ["Otto (perfect)", "level:3"]
