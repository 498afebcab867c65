"""What a provider does: limits, refusals, failures, and where a key is sent."""

import asyncio
import contextlib
import socket
import time
import tracemalloc

import pytest

from numduel import SettingsError
from numduel.players.player import Unavailable
from numduel.players.provider import Provider, provider

KEY = "sk-very-secret"
FIELDS = {
    "messages": [{"role": "system", "content": ""}, {"role": "user", "content": ""}],
    "max_completion_tokens": 99,
    "seed": 7,
    "temperature": 0.5,
    "stream": True,
    "stream_options": {"include_usage": True},
}


@pytest.fixture
def asked(stub, monkeypatch):
    """Return a function that asks these models at once, and returns answers or exceptions."""
    monkeypatch.setenv("STUB_KEY", KEY)

    def asked(*names, retries=2, seconds=60, stream=True, is_bounded=False, **options):
        options = {"url": stub.url, "key": "STUB_KEY", **options}
        one = options.pop("one", None) or Provider(**options)
        fields = FIELDS if stream else {k: v for k, v in FIELDS.items() if "stream" not in k}

        async def ask():
            async with one:
                asking = [
                    one.ask({**fields, "model": who}, seconds, retries, is_bounded=is_bounded)
                    for who in names
                ]
                return await asyncio.gather(*asking, return_exceptions=True)

        return asyncio.run(ask())

    return asked


def test_refused_fields_are_left_out_and_the_answer_holds_what_was_sent(stub, asked):
    for who, left_out in (
        ("refuses-max_completion_tokens", {"max_completion_tokens"}),
        ("refuses-max_completion_tokens+refuses-max_tokens", {"max_completion_tokens"}),
        ("refuses-seed+refuses-temperature", {"seed", "temperature"}),
        ("refuses-stream_options", {"stream_options"}),
        ("forbids-seed", {"seed"}),
    ):
        one = Provider(stub.url)
        (answer,) = asked(who, one=one)
        assert FIELDS.keys() - answer.sent.keys() == {*left_out, "messages"}
        assert answer.text == "Move: 1" and answer.tries == 1 + who.count("-")
        if who == "refuses-max_completion_tokens":
            assert answer.sent["max_tokens"] == 99
        before = len(stub.requests)
        assert asked(who, one=one)[0].tries == 1 and len(stub.requests) == before + 1
    assert answer.prompt_tokens == 100
    (error,) = asked("refuses-max_completion_tokens+refuses-max_tokens", is_bounded=True)
    assert error.stops and "a budget needs a limit of tokens" in str(error)


def test_without_a_count_of_tokens_there_is_none(asked):
    (answer,) = asked("refuses-stream_options")
    assert (answer.prompt_tokens, answer.answer_tokens) == (None, None)


STOPS = {
    "refuses-model": "HTTP 400: Unsupported parameter: 'model'., model",
    "barred": "HTTP 401: Incorrect API key provided: Bearer …, barred",
    "broke": "HTTP 402: Add credits to go on, broke",
    "missing": "HTTP 404: The model does not exist, missing",
    "poor": "HTTP 429: You exceeded your current quota, insufficient_quota",
    "redirects": "HTTP 307: redirects are not followed",
}


def test_a_lasting_error_stops_at_once_with_the_provider_s_message(stub, asked):
    for who, why in STOPS.items():
        (error,) = asked(who)
        assert type(error) is Unavailable and error.stops and str(error) == why
    assert len(stub.requests) == len(STOPS)


FAILS = {
    "down": "HTTP 503: Overloaded, down",
    "drops": "no answer from {url} (RemoteProtocolError)",
    "half": "the connection was closed in the middle of an answer",
    "errs": "Provider returned error",
    "garbled-502": "HTTP 502: <html>",
    "garbled": "the answer from {url} makes no sense (JSONDecodeError)",
    "nothing": "the connection was closed in the middle of an answer",
    "silent": "the connection was closed in the middle of an answer",
    "zipped": "the answer from {url} makes no sense (ValueError)",
}


def test_the_wait_doubles_with_each_failure(asked, monkeypatch):
    waits, sleep = [], asyncio.sleep

    async def record(seconds, result=None):
        waits.append(seconds)
        return await sleep(0, result)

    monkeypatch.setattr(asyncio, "sleep", record)
    asked("once", retries=3)
    assert [seconds for seconds in waits if seconds] == [0.01, 0.02, 0.04]


def test_a_passing_error_is_retried(stub, asked):
    for who, why in FAILS.items():
        before = len(stub.requests)
        (error,) = asked(who, retries=1)
        assert type(error) is Unavailable and not error.stops, who
        assert str(error) == why.format(url=stub.url)
        assert len(stub.requests) == before + 2
    (answer,) = asked("flaky", retries=1)
    assert answer.text == "Move: 1" and answer.tries == 2


def test_without_a_server_there_is_no_answer(asked):
    (error,) = asked("first", url="http://127.0.0.1:1/v1", retries=0)
    assert str(error) == "no answer from http://127.0.0.1:1/v1 (ConnectError)"
    (error,) = asked("first", url="http://a..b/v1", retries=0)
    assert isinstance(error, Unavailable)


def test_connecting_does_not_count_as_time_of_the_answer(asked, monkeypatch):
    monkeypatch.setattr("numduel.players.provider.CONNECT_TIMEOUT_SECONDS", 0.5)
    with socket.socket() as deaf, contextlib.ExitStack() as waiting:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for _ in range(5):  # until no more are accepted
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(deaf.getsockname())
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/v1"
        (error,) = asked("first", url=url, retries=0, seconds=0.1)
    assert str(error) == f"no answer from {url} (ConnectTimeout)"


def test_a_rate_limit_is_waited_for_as_the_provider_says(stub, asked):
    """The wait counts neither as time of the answer nor as a failure."""
    begun = time.monotonic()
    (answer,) = asked("limited-1", retries=0)
    assert answer.tries == 2 and time.monotonic() - begun - answer.seconds >= 1
    (answer,) = asked("limited-Wed, 21 Oct 2015 07:28:00 GMT", retries=0)
    assert answer.tries == 2
    (answer,) = asked("limited-soon", retries=0)  # which is no time
    assert answer.tries == 2
    (error,) = asked("limited-99999")
    assert str(error) == "HTTP 429: limited, limited" and not error.stops


def test_requests_keep_to_the_limits_of_a_provider(stub, asked):
    begun = time.monotonic()
    asked(*["first"] * 4, per_minute=600)
    assert time.monotonic() - begun >= 0.3  # one in a tenth of a second
    asked(*["pairs"] * 6, in_flight=2)
    assert stub.max_in_flight == 2


def test_an_answer_that_takes_too_long_is_given_up(asked):
    (error,) = asked("stalls", seconds=0.2)
    assert isinstance(error, TimeoutError)


def test_a_key_is_sent_to_its_provider_only(stub, asked, monkeypatch):
    from tests.stub_provider import StubProvider

    other = StubProvider()
    stub.elsewhere = other.url
    monkeypatch.setattr("numduel.players.provider.MAX_MESSAGE_CHARACTERS", len(KEY) + 34)
    (error,) = asked("barred")  # whose sentence is cut in the middle of the key
    assert KEY[:-1] not in str(error)
    (answer,) = asked("echoes")
    assert KEY not in repr(answer) and {*stub.keys} == {f"Bearer {KEY}"}
    asked("redirects")
    asked("first", url=other.url, key="")
    assert other.keys == [None]
    other.close()


@pytest.mark.parametrize("how", ["stream", "whole", "error"])
def test_an_endless_line_costs_no_more_memory_than_the_bound(stub, asked, how):
    stub.flood_bytes = 300 * 2**20
    tracemalloc.start()
    (error,) = asked(f"floods-{how}", retries=0)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(error, Unavailable)
    assert stub.flooded_bytes < 64 * 2**20
    assert most < 32 * 2**20


def test_a_text_in_parts_is_read(asked):
    assert asked("parts", stream=False)[0].text == "Move: 1"


def test_the_user_s_prices_give_the_cost(asked):
    known, unknown = asked("first", "other", prices={"first": [2, 10]})
    assert known.cost == (100 * 2 + 20 * 10) / 10**6 and unknown.cost is None


FILE = """
    [lab]
    url = "http://127.0.0.1:1/v1/"
    key = "LAB_KEY"
    in_flight = 3
    prices."a/b" = [1, 2]
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "providers.toml"
    monkeypatch.setenv("NUMDUEL_PROVIDERS", str(path))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return path


def test_providers_are_named_in_a_file(file, monkeypatch):
    file.write_text(FILE)
    lab = provider("lab")
    assert (lab.url, lab.in_flight, lab.cost("a/b", 1, 1)) == ("http://127.0.0.1:1/v1", 3, 3e-6)
    assert provider().url == provider("openai").url == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://here/v1")
    assert provider().url == "http://here/v1" and provider("", "http://there").url == "http://there"
    monkeypatch.delenv("NUMDUEL_PROVIDERS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(file.parent / "none"))
    with pytest.raises(SettingsError, match="a provider is openai, not 'lab'"):
        provider("lab")


WRONG = {
    "x = ": "cannot be read",
    "[lab]\nkey = 'A'": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 'http://a/v1'\ncolour = 1": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 'http://a/v1'\nin_flight = 'many'": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 'http://a/v1'\nprices = 3": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 'http://a/v1'\nprices.b = [1]": "in_flight, per_minute and prices; here: ",
    "lab = 3": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 3": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 'ftp://a'": "https://HOST/v1",
    "[lab]\nurl = 'http://[a'": "in_flight, per_minute and prices; here: ",
    "[lab]\nurl = 'http://me:secret@a/v1'": "https://HOST/v1",
    "[lab]\nurl = 'http://a/v1'\nin_flight = 0": "from 1 to",
    "[lab]\nurl = 'http://a/v1'\nper_minute = 0.5": "at least 1",
}


def test_a_wrong_file_is_refused_with_one_line(file, monkeypatch):
    with pytest.raises(SettingsError, match="cannot be read"):
        provider("lab")
    for text, why in WRONG.items():
        file.write_text(text)
        with pytest.raises(SettingsError, match=why) as refused:
            provider("lab")
        assert "\n" not in str(refused.value) and "secret" not in str(refused.value)
    file.write_text(FILE)
    monkeypatch.setenv("LAB_KEY", "schlüssel")
    with pytest.raises(SettingsError, match="LAB_KEY holds no key"):
        provider("lab")
