"""Who chooses a move."""

from collections import Counter
from random import Random

import pytest

import numduel
from numduel import SettingsError
from numduel.players import Turn, check_who, player

LINE = numduel.new("divisor-line", size=6)


def turn(rng):
    return Turn(LINE, LINE.play(LINE.start(), 3), 1, (3,), rng)


def test_random_chooses_each_legal_move_about_as_often():
    rng = Random(1)
    chosen = Counter(player("random").choose(turn(rng)) for _ in range(5000))
    assert sorted(chosen) == [1, 2, 4, 5, 6]
    assert all(900 < count < 1100 for count in chosen.values())


def test_random_swaps_about_every_other_time():
    rng = Random(1)
    swaps = sum(player("random").swaps(turn(rng)) for _ in range(1000))
    assert 450 < swaps < 550


def test_the_same_chance_gives_the_same_move():
    chosen = [player("random").choose(turn(Random(5))) for _ in range(2)]
    assert chosen[0] == chosen[1]


def test_a_person_is_no_computer_player():
    assert player("human") is None


@pytest.mark.parametrize("who", ["", "Random", "robot", "x" * 10_000])
def test_a_player_of_another_name_is_refused(who):
    with pytest.raises(
        SettingsError, match=r"^a player is human, random.* or .*, not '"
    ) as refused:
        check_who(who)
    assert len(str(refused.value)) < 160
