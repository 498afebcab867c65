"""By which names a server is known."""

import pytest

from numduel.web.hosts import canonical, is_ours, named


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Games.Example.ORG", "games.example.org"),
        ("games.example.org.:8000", "games.example.org"),
        ("my_machine", "my_machine"),
        ("192.168.1.20:8000", "192.168.1.20"),
        ("[::1]:8000", "::1"),
        ("[0:0::1]", "::1"),
        ("[::ffff:192.168.1.20]:80", "192.168.1.20"),
        *((odd, "") for odd in ("", ".", "a:b", "::1", "[a", "a]", "a/b", "x@y", "-a", "a" * 300)),
    ],
)
def test_a_header_names_one_host(header, name):
    assert named(header) == name


@pytest.mark.parametrize("host", ["fe80::1%eth0", "fe80::1"])
def test_an_address_is_the_same_at_each_interface(host):
    assert canonical(host) == "fe80::1"


def test_a_machine_is_known_by_the_address_at_which_it_is_reached():
    assert is_ours("192.168.1.20", "::ffff:192.168.1.20", ())
    assert is_ours("games.example.org", "127.0.0.1", {"games.example.org"})
    assert not is_ours("192.168.1.21", "192.168.1.20", {"games.example.org"})
    assert not is_ours("", "", {"games.example.org"})
