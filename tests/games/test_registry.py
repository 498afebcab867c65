"""The registry: the five games of this package, and those that other packages register."""

from random import Random

import pytest

import numduel
from numduel.core.settings import Settings
from numduel.games import _registered_games, describe_game, game_type, hide_games_except, keys

SIXTH = """
from typing import NamedTuple
from numduel import Game, Outcome

class Position(NamedTuple):
    mover: int

class Sixth(Game):
    key = "sixth"
    title = "The Sixth"
    summary = "Nobody can move."
    rules = "Whoever begins has lost."
    def begin(self, first):
        return Position(first)
    def moves(self, position):
        return ()
    def after(self, position, move):
        raise AssertionError
    def outcome(self, position):
        return Outcome(3 - position.mover, "stuck")

class Keyless(Sixth):
    key = ""

class Nameless(Game):
    pass

class Titleless(Game):
    key = "titleless"

class Ruleless(Game):
    key = title = summary = "ruleless"

not_a_class = Sixth
an_instance = Sixth()
"""

ENTRY_POINTS = """\
[numduel.games]
zero-th = sixth_game:Sixth
sixth = sixth_game:Sixth
keyless = sixth_game:Keyless
nameless = sixth_game:Nameless
titleless = sixth_game:Titleless
ruleless = sixth_game:Ruleless
instance = sixth_game:an_instance
nothing = sixth_game:nothing
gone = no_such_module:Game
broken = broken_game:Game
bare = sixth_game
divisor-duel = sixth_game:Sixth
"""


@pytest.fixture
def empty_caches():
    """Clear the caches of the registry before and after a test."""
    _registered_games.cache_clear()
    game_type.cache_clear()
    yield
    _registered_games.cache_clear()
    game_type.cache_clear()


@pytest.fixture
def other_package(tmp_path, monkeypatch, empty_caches):
    """A package that registers a sixth game, and several that cannot be loaded."""
    (tmp_path / "sixth_game.py").write_text(SIXTH)
    (tmp_path / "broken_game.py").write_text("1 / 0")
    info = tmp_path / "sixth_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sixth-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))


DEFAULTS = {
    "divisor-duel": {"divisor": 13, "start": 1, "ceiling": None},
    "operation-duel": {"target": 20, "start": 1, "operations": "+1,x2"},
    "divisor-line": {"size": 20, "goal": "pair"},
    "double-or-add": {"target": 31, "start": 1},
    "multiplicity": {"size": 50, "start": 1, "opening": "any", "start_open": False},
}


def test_the_five_games_have_the_titles_and_defaults_of_their_documents():
    found = numduel.games()[:5]
    assert [game.title for game in found] == [
        *("Divisor Duel", "Operation Duel", "Divisor Line", "Double or Add", "Multiplicity")
    ]
    defaults = {game.key: {one.name: one.default for one in game.settings} for game in found}
    assert defaults == DEFAULTS
    assert {key: numduel.new(key).settings.values for key in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize("key", ["", "Multiplicity", "chess", "divisor_duel", 7, None])
def test_an_unknown_game_is_refused_and_the_known_ones_are_named(key):
    known = r"; the games are divisor-duel, operation-duel, divisor-line, double-or-add, mult"
    with pytest.raises(numduel.SettingsError, match=r"^there is no game .*" + known):
        numduel.new(key)


def test_an_unknown_game_of_any_length_is_refused_in_one_short_line():
    with pytest.raises(numduel.SettingsError) as caught:
        numduel.new("g" * 10**6)
    assert len(str(caught.value)) < 250


def test_a_game_of_another_package_can_be_listed_and_created(other_package):
    with pytest.warns(UserWarning, match="cannot be loaded"):
        listed = {one.key: one for one in numduel.games()}
    assert listed["sixth"] == ("sixth", "The Sixth", ())
    game = numduel.new("sixth")
    assert game.outcome(game.start(2)) == (1, "stuck")
    assert type(game.settings) is Settings


def test_built_in_games_come_first_and_cannot_be_replaced(other_package):
    ours, others = keys()[:5], keys()[5:]
    assert ours == tuple(DEFAULTS)
    assert list(others) == sorted(others)
    assert "sixth" in others
    assert "divisor-duel" not in others
    assert numduel.new("divisor-duel").title == "Divisor Duel"


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("zero-th", "sixth_game:Sixth is not a Game of that key"),
        ("keyless", "sixth_game:Keyless is not a Game of that key"),
        ("nameless", "sixth_game:Nameless is not a Game of that key"),
        ("titleless", "sixth_game:Titleless has no title"),
        ("ruleless", "sixth_game:Ruleless has no rules"),
        ("instance", "sixth_game:an_instance is not a Game of that key"),
        ("nothing", "module 'sixth_game' has no attribute 'nothing'"),
        ("gone", "No module named 'no_such_module'"),
        ("broken", "division by zero"),
        ("bare", "module 'sixth_game' has no attribute ''"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_refused_with_a_warning(other_package, key, why):
    with pytest.raises(
        numduel.SettingsError, match=rf"^the game '{key}' cannot be loaded"
    ) as caught:
        numduel.new(key)
    assert why in str(caught.value)
    with pytest.warns(UserWarning, match="cannot be loaded") as warned:
        assert key not in [one.key for one in numduel.games()]
    assert str(caught.value) in [str(one.message) for one in warned]
    assert {one.filename for one in warned} == {__file__}  # the warning points to the caller


@pytest.mark.parametrize("key", DEFAULTS)
def test_a_game_is_described_to_programs(key):
    description, kind = describe_game(key), game_type(key)
    assert (description["title"], description["rules"]) == (kind.title, kind.rules)
    settings = {one["name"]: one["default"] for one in description["settings"]}
    assert numduel.new(key, **settings) == kind()


@pytest.mark.usefixtures("other_package")
def test_games_of_other_packages_can_be_hidden():
    every = keys()
    with hide_games_except(["sixth", "unknown"]):
        assert keys() == (*DEFAULTS, "sixth")
    assert keys() == every


@pytest.mark.parametrize("key", DEFAULTS)
def test_the_settings_of_puzzles_are_allowed_and_varied(key):
    rng = Random(1)
    games = {numduel.new(key, **game_type(key).puzzle_settings(rng)) for _ in range(100)}
    assert len(games) > 10
