"""The sender of a request: its client prefix, its cookies, and proven secrets."""

from http.cookies import SimpleCookie

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.web.identity import (
    MAX_KEY_LENGTH,
    Client,
    client_prefix,
    hash_secret,
    join_secrets,
    new_secret,
    our_cookies,
)


def test_an_ipv6_network_is_one_client():
    for host, prefix in (
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
        ("", ""),
        ("a-socket", "a-socket"),
    ):
        assert client_prefix(host) == prefix


def test_only_right_secrets_in_the_request_are_proven():
    client = Client("192.0.2.1", ["right", "wrong"])
    assert client.person == ""
    client.prove("duel", ("right", None))
    client.prove("room", ("another",))
    assert (client.proven, client.person) == ({("duel", "right")}, "right")
    client.grant("room", "new")
    assert client.proven == {("duel", "right"), ("room", hash_secret("new"))}


@pytest.mark.parametrize(
    ("header", "ours"),
    [
        (b"", b""),
        (b"seat=abc", b"seat=abc"),
        (b"seat=abc; invite=x-_9", b"seat=abc; invite=x-_9"),
        (b"seat=abc;invite=d ; pupil=e", b"seat=abc; invite=d; pupil=e"),
        (b"_ga=GA1.2; seat=abc; theme=dark mode", b"seat=abc"),
        (b'seat="abc"', b""),
        (b"seat=a\\b", b""),
        (b"seat=", b""),
        (b"seat", b""),
        (b"seat=abc; seat=\xff", b"seat=abc"),
        (b"SEAT=abc", b""),
        (b"x=seat=abc", b""),
        (b"seat=" + b"a" * 501, b""),
    ],
)
def test_only_cookies_that_can_be_ours_are_read(header, ours):
    assert our_cookies(header) == ours


def test_the_longest_cookie_that_we_set_is_read():
    both = join_secrets(new_secret(), new_secret()).encode()
    longest = b"%s.%s" % (b"a" * MAX_KEY_LENGTH, b"b" * MAX_KEY_LENGTH)
    for value in (both, longest):
        assert our_cookies(b"seat=" + value) == b"seat=" + value


def test_a_bounded_number_of_pairs_is_read():  # the standard library takes minutes for these
    for text in (b'seat="' + b"\\\\" * 30_000 + b'"', b"a=b;" * 20_000, b"; " * 30_000):
        assert our_cookies(text).count(b"=") <= 50


@given(st.binary(max_size=200))
def test_any_header_gives_only_plain_cookies(header):
    for pair in filter(None, our_cookies(header).split(b"; ")):
        name, _, value = pair.decode().partition("=")
        assert name.isascii() and name.islower() and value and SimpleCookie(pair.decode())[name]
