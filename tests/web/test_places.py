"""Places are shared out evenly, between clients and between the people behind one."""

from random import Random

import pytest

from numduel.web.identity import Client
from numduel.web.places import Place, Places


def person(address, secret=""):
    client = Client(address, [secret] if secret else [])
    client.prove("duel", client.shown)
    return client


@pytest.fixture
def take():
    """Take a place: take(places, "a", "secret"); the place, None if there is none."""

    def take(places, *who):
        place = Place(person(*who), lost=lambda: lost.append(place))
        return place if places.take(place) else None

    take.lost = lost = []
    return take


def test_a_person_keeps_the_latest_few(take):
    places = Places(100, 100, 3)
    first, *others = [take(places, "a", "one") for _ in range(4)]
    assert take.lost == [first] and first not in places
    assert all(one in places for one in others) and len(places) == 3
    assert all(take(places, "a") for _ in range(9))  # nobody in particular


def test_one_who_holds_fewer_gets_a_place_of_who_holds_most(take):
    places = Places(100, 6, 5)
    hoarded = [take(places, "a", f"game {n % 3}") for n in range(6)]
    assert take(places, "a", "classmate")
    assert take.lost == hoarded[:1]
    assert take(places, "a", "game 1") is None  # who holds as many as anybody
    assert take(places, "b", "elsewhere")


def test_between_clients_it_is_the_same(take):
    places = Places(5, 4, 5)
    for n in range(4):
        take(places, "a", f"{n}")
    assert take(places, "b") and take(places, "b")
    assert [one.prefix for one in take.lost] == ["a"]
    assert take(places, "c")
    assert len(places) == 5
    for place in [*places._held]:
        places.give_back(place)
        places.give_back(place)
    assert len(places) == 0


def test_whatever_comes_no_bound_is_broken_and_nobody_is_shut_out(take, many):
    rng, places = Random(7), Places(20, 8, 3)
    for _ in range(many(2_000, 20_000)):
        who = rng.choice("abcdef"), rng.choice(["", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
        held = [(one.prefix, one.person) for one in places._held]
        place = take(places, *who)
        if place is None:  # then no other person there, and no other client, holds more
            own = [one for one in held if one[0] == who[0]]
            most = max(own.count(one) for one in own)
            assert own.count(who) == most or len(own) == max(
                len([one for one in held if one[0] == prefix]) for prefix in "abcdef"
            )
        held = [(one.prefix, one.person) for one in places._held]
        assert len(held) <= 20
        assert all(len([one for one in held if one[0] == prefix]) <= 8 for prefix in "abcdef")
        assert all(held.count(one) <= 3 for one in held if one[1])
        if held and rng.random() < 0.3:
            places.give_back(rng.choice([*places._held]))
