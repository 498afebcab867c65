"""How many open pages a server tells of news."""

from contextlib import ExitStack

import pytest

from numduel.web.live import streams
from numduel.web.live.news import News
from numduel.web.problems import Busy
from numduel.web.visitor import visitor


class Site:
    """As much of a site as a stream needs."""

    def __init__(self):
        self.news = News(None)
        self.waiting = ExitStack()


async def version():
    return 1


def open_pages(site, address, count, plays=True):
    """Let a visitor wait for news so often."""
    token = visitor.set(address)
    try:
        for _ in range(count):
            site.waiting.enter_context(site.news.waiting_for("a duel", plays))
    finally:
        visitor.reset(token)


def test_one_address_has_so_many_streams_and_others_have_theirs(monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS_EACH", 3)
    site = Site()
    open_pages(site, "192.0.2.1", 3)
    token = visitor.set("192.0.2.1")
    with pytest.raises(Busy, match="Too many pages"):
        streams.stream(site, "a duel", version, plays=True)
    visitor.set("192.0.2.2")
    streams.stream(site, "a duel", version, plays=True)
    visitor.reset(token)


def test_all_addresses_together_have_so_many(monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", 3)
    site = Site()
    for number in range(3):
        open_pages(site, f"192.0.2.{number}", 1)
    with pytest.raises(Busy, match="Too many pages"):
        streams.stream(site, "a duel", version, plays=True)


@pytest.mark.parametrize("bound", ["MOST_STREAMS", "MOST_STREAMS_EACH"])
def test_those_who_only_watch_leave_a_share_to_those_who_play(monkeypatch, bound):
    monkeypatch.setattr(streams, bound, 4)
    site = Site()
    open_pages(site, "", 1, plays=True)
    open_pages(site, "", 2, plays=False)
    with pytest.raises(Busy, match="Too many pages"):
        streams.stream(site, "a duel", version, plays=False)
    streams.stream(site, "a duel", version, plays=True)
    open_pages(site, "", 1, plays=True)
    with pytest.raises(Busy, match="Too many pages"):
        streams.stream(site, "a duel", version, plays=True)


def test_whoever_leaves_makes_room():
    site = Site()
    with site.news.waiting_for("a duel"):
        assert site.news.waiting.total() == 1
        assert site.news.watching.total() == 1
    with site.news.waiting_for("a duel", plays=True):
        assert site.news.waiting.total() == 1
        assert not site.news.watching
    assert not site.news.waiting
