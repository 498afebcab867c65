"""The server is killed and started again while pages are open."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def killed(serve, tmp_path):
    """Return a server, and a function that starts it again at the same address."""
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    server = serve(database)
    return server, lambda: serve(database, port=server.port)


def connection(visitor):
    return visitor.page.locator("#connection")


@pytest.mark.soak
def test_open_pages_come_back_by_themselves_and_catch_up(killed, visit):
    server, start_again = killed
    site = server.url.rstrip("/")
    one = visit(site).begin("operation-duel", opponent="link")
    two = visit(site).open(one.page.locator("#invite").input_value())
    two.button("Play").click()
    third = visit(site).open(one.page.url)
    everybody = one, two, third
    for visitor in everybody:
        visitor.mark()
    one.move(1)
    expect(third.history).to_have_count(1)
    expect(two.moves.first).to_be_visible()
    server.kill()
    for visitor in everybody:
        expect(connection(visitor)).to_have_text(re.compile("connection is lost"))
        expect(connection(visitor)).to_be_visible()
    two.moves.first.click()  # is not lost: it is sent when the server is back
    expect(connection(two)).to_have_text(re.compile("Your move is kept"))
    expect(two.history).to_have_count(1)

    start_again()
    for visitor in everybody:
        expect(visitor.history).to_have_count(2)
        expect(connection(visitor)).to_be_hidden()
    one.move(1)
    two.move(1)
    for visitor in everybody:
        expect(visitor.history).to_have_count(4)
        assert visitor.marked


@pytest.mark.soak
def test_a_class_room_comes_back(killed, visit):
    server, start_again = killed
    site = server.url.rstrip("/")
    teacher = visit(site).open("/class/operation-duel").enter("Open the room", "/room/")
    teacher.mark()
    server.kill()
    expect(connection(teacher)).to_be_visible()
    start_again()
    pupil = visit(site).open(f"/join?code={teacher.page.url.rpartition('/')[2]}")
    pupil.page.get_by_label("Your first name").fill("Ada")
    pupil.enter("Join", "/room/")
    expect(teacher.page.locator(".names li")).to_have_text(["Ada"])
    expect(connection(teacher)).to_be_hidden()
    assert teacher.marked
