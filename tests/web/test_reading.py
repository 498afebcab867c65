"""What of a request is read: cookies of ours, bodies that are whole, in time and small."""

import asyncio
import json
import time
from http.cookies import SimpleCookie

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.web import keys
from numduel.web.bounds import LARGEST_BODY, LARGEST_UPLOAD, MOST_VALUES, too_much_json
from numduel.web.reading import Patience, Reading, Refused, our_cookies, read_body

# Cookies.


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
        (b"seat=" + b"a" * 131, b""),
    ],
)
def test_of_cookies_only_what_may_be_ours_is_read(header, ours):
    assert our_cookies(header) == ours


def test_the_longest_that_we_set_is_read():
    both = keys.joined(keys.new_secret(), keys.new_secret()).encode()
    assert our_cookies(b"seat=" + both) == b"seat=" + both
    longest = b"%s.%s" % (b"a" * keys.LONGEST_KEY, b"b" * keys.LONGEST_KEY)
    assert our_cookies(b"seat=" + longest) == b"seat=" + longest


def test_backslashes_without_end_take_no_time():
    begun = time.perf_counter()
    for text in (b'seat="' + b"\\\\" * 30_000 + b'"', b"a=b;" * 20_000, b"; " * 30_000):
        assert our_cookies(text).count(b"=") <= 50
    assert time.perf_counter() - begun < 5  # the standard library takes ten for the first


@given(st.binary(max_size=200))
def test_whatever_is_sent_what_is_read_has_the_form_of_ours(header):
    for pair in filter(None, our_cookies(header).split(b"; ")):
        name, _, value = pair.decode().partition("=")
        assert name.isascii() and name.islower() and value and SimpleCookie(pair.decode())[name]


# JSON.


def test_a_record_is_not_too_much():
    assert too_much_json(json.dumps({"moves": list(range(2_000)), "x": [[{}]]}).encode()) is None


@pytest.mark.parametrize(
    "body",
    [
        json.dumps([1] * 450_000).encode(),
        b"[" * 100_000,
        b'{"a":' * 1_000 + b"1" + b"}" * 1_000,
        json.dumps({str(number): 1 for number in range(MOST_VALUES)}).encode(),
    ],
)
def test_too_much_is_seen_before_it_is_parsed(body):
    begun = time.perf_counter()
    assert too_much_json(body).startswith("JSON has at most ")
    assert time.perf_counter() - begun < 1


# Bodies.


def receiver(*parts, ends=True):
    """An ASGI `receive` of those parts; after them it waits, or the connection has ended."""
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends and messages:
        messages[-1]["more_body"] = False

    async def receive():
        if messages:
            return messages.pop(0)
        if ends is None:
            return {"type": "http.disconnect"}
        return await asyncio.Event().wait()

    return receive


def read(receive, limit=10, seconds=60):
    return asyncio.run(read_body(receive, limit, seconds))


def test_a_body_is_read_whole():
    assert read(receiver(b"ab", b"", b"cd")) == b"abcd"
    assert read(receiver(b"")) == b""
    assert read(receiver(b"0123456789")) == b"0123456789"


def test_a_body_that_is_too_long_is_refused_as_soon_as_it_is():
    with pytest.raises(Refused, match="at most 10 bytes") as refused:
        read(receiver(b"01234567890", ends=False))
    assert refused.value.status == 413


def test_a_body_that_does_not_come_is_given_up():
    with pytest.raises(Refused, match="took too long") as refused:
        read(receiver(b"abc", ends=False), seconds=0.05)
    assert refused.value.status == 408


def test_a_body_whose_sender_has_gone_is_nothing():
    assert read(receiver(b"abc", ends=None)) is None


# The layer.


def ask(receive, path="/", headers=(), patience=None, reading=None):
    """What the application behind is given: the cookies and each message of the body."""
    given = []

    async def app(scope, receive, send):
        given.append(dict(scope["headers"]).get(b"cookie"))
        given.append(await receive())

    scope = {"type": "http", "path": path, "headers": list(headers), "client": ("192.0.2.1", 1)}
    layer = Reading(app, patience or Patience())
    asyncio.run(layer(scope, receive, None))
    return given


def test_the_application_gets_one_body_and_the_cookies_that_are_ours():
    cookies = [(b"cookie", b'seat=abc; other="x"')]
    body = {"type": "http.request", "body": b"abc", "more_body": False}
    assert ask(receiver(b"a", b"b", b"c"), headers=cookies) == [b"seat=abc", body]


def test_whoever_has_gone_is_not_answered():
    assert ask(receiver(b"a", ends=None)) == []


@pytest.mark.parametrize(("path", "limit"), [("/", LARGEST_BODY), ("/analyze", LARGEST_UPLOAD)])
def test_the_limit_is_that_of_the_path(path, limit):
    assert ask(receiver(b"x" * limit), path)[1]["body"] == b"x" * limit
    with pytest.raises(Refused):
        ask(receiver(b"x" * (limit + 1)), path)


def test_json_is_looked_over():
    body = json.dumps([1] * 30_000).encode()
    with pytest.raises(Refused, match="values"):
        ask(receiver(body), "/api/analyze", [(b"content-type", b"Application/JSON; x=y")])
    assert ask(receiver(body), "/api/analyze", [(b"content-type", b"text/plain")])


def test_uploads_are_read_a_few_at_a_time():
    async def app(scope, receive, send):
        pass

    async def run():
        layer = Reading(app, Patience(uploads=3, uploads_each=2))
        begun = []

        def upload(host):
            scope = {"type": "http", "path": "/analyze", "headers": [], "client": (host, 1)}
            begun.append(asyncio.create_task(layer(scope, receiver(b"x", ends=False), None)))

        for host in ("a", "a", "a", "b", "c"):
            upload(host)
        await asyncio.sleep(0.05)
        states = [task.done() and task.exception().status.value for task in begun]
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
        assert not layer._uploading
        return states

    assert asyncio.run(run()) == [False, False, 503, False, 503]
