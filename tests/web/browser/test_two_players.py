"""Two people who play by a link while a third one watches, or at the same screen."""

import re

import pytest
from playwright.sync_api import expect


def friends(visit, key="operation-duel", **form):
    one = visit().begin(key, opponent="link", **form)
    two = visit().open(one.page.locator("#invite").input_value())
    two.button("Play").click()
    expect(two.page).to_have_url(one.page.url)  # the address no longer has the secret
    third = visit().open(one.page.locator("#watch").input_value())
    for visitor in (one, two, third):
        visitor.mark()
    return one, two, third


def test_moves_appear_without_reload_for_the_other_and_for_a_watcher(visit):
    everybody = one, two, third = friends(visit)
    expect(one.turn).to_have_text("Your turn")
    expect(two.turn).to_have_text("Player 1's turn")
    expect(third.turn).to_have_text("Player 1's turn")
    expect(two.moves).to_have_count(0)
    one.move(1)
    expect(two.turn).to_have_text("Your turn")
    expect(two.page.locator("#news")).to_have_text("Player 1 adds 1: 1 → 2. Your turn")  # read out
    expect(two.page).to_have_title(re.compile("^Your turn"))
    two.move(2)
    for visitor in everybody:
        expect(visitor.history).to_have_text([re.compile("Add 1 → 2"), re.compile("by 2 → 4")])
        assert visitor.marked
    expect(one.turn).to_have_text("Your turn")
    expect(third.moves).to_have_count(0)


def test_a_seat_goes_on_at_another_device_by_its_own_link(visit):
    one, two, _ = friends(visit)
    again = visit().open(one.page.locator("#seat1").input_value())
    again.move(1)
    expect(one.history).to_have_count(1)
    expect(two.moves.first).to_be_visible()
    stranger = visit().open(f"{one.page.url}/seat/AAAAAAAAAAAAAAAA")
    expect(stranger.notice).to_contain_text("does not belong")
    assert stranger.secrets == []


def test_taking_back_is_asked_refused_asked_again_and_granted(visit):
    one, two, third = friends(visit)
    one.move(1)
    expect(two.moves.first).to_be_visible()
    one.act(one.button("Ask to take back"))
    expect(one.page.locator(".ask")).to_contain_text("Waiting for the answer")
    expect(two.page.locator("#news")).to_contain_text("Player 1 asks to take back")
    expect(third.button("Allow it")).to_have_count(0)
    two.act(two.button("Refuse"))
    expect(one.page.locator(".ask")).to_contain_text("said no: the move stands")
    expect(one.history).to_have_count(1)
    one.act(one.button("Ask to take back"))
    two.act(two.button("Allow it"))
    for visitor in (one, two, third):
        expect(visitor.history).to_have_count(0)
        assert visitor.marked
    expect(one.turn).to_have_text("Your turn")


def test_resigning_and_the_rematch_reach_everybody(visit):
    one, two, third = friends(visit)
    one.move(1)
    expect(two.moves.first).to_be_visible()
    one.resign()  # although it is the other player's turn
    expect(two.turn).to_have_text("You win!")
    for visitor in (one, third):
        expect(visitor.turn).to_have_text("Player 2 wins")
    expect(third.button("Rematch")).to_have_count(0)
    two.act(two.button("Rematch"))
    expect(two.page.locator(".ask")).to_contain_text("You asked for a rematch.")
    expect(one.page.locator(".ask")).to_have_text("Player 2 wants a rematch.")
    one.act(one.button("Rematch"))
    expect(two.turn).to_have_text("Your turn")  # now the other begins
    expect(one.turn).to_have_text("Player 2's turn")
    expect(one.page.locator(".score")).to_have_text(re.compile("You: 0, Player 2: 1"))
    two.move(1)
    for visitor in (one, two, third):
        expect(visitor.history).to_have_count(1)
        assert visitor.marked


def test_players_give_names_and_see_the_other_leave_and_come_back(visit):
    one = visit().begin("multiplicity", opponent="link", name1="Ada")
    two = visit().open(one.page.locator("#invite").input_value())
    two.page.get_by_label("what’s your name?").fill("Ada")
    two.button("Play").click()
    expect(two.notice).to_contain_text("different names")
    two.page.get_by_label("what’s your name?").fill("Bo")
    two.button("Play").click()
    expect(two.turn).to_have_text("Ada's turn")
    expect(one.page.locator(".them .name")).to_have_text("Bo")
    address = two.page.url
    with two.page.expect_response("**/events"):  # the stream tells the server who is here
        two.page.reload()
    two.page.goto("about:blank")
    expect(one.page.locator(".them .gone")).to_have_text("away")
    expect(one.page.locator("#news")).to_contain_text("Bo has gone away for a moment.")
    two.page.goto(address)
    expect(one.page.locator(".them .gone")).to_have_count(0)
    expect(one.page.locator("#news")).to_contain_text("Bo is back.")
    one.move(36)  # which an older page may still send
    expect(two.turn).to_have_text("Your turn")


@pytest.mark.soak
def test_looking_back_by_the_history_while_the_game_goes_on(visit):
    one, two, third = friends(visit)
    one.move(1)
    two.move(2)
    expect(third.history).to_have_count(2)
    third.page.locator(".history a").nth(1).click()
    expect(third.page.locator(".lookback")).to_contain_text("after move 1 of 2")
    expect(third.page.locator(".big")).to_contain_text("2")
    one.move(1)
    expect(third.page.locator(".lookback")).to_contain_text("after move 1 of 3")
    third.page.go_back()
    expect(third.page.locator(".lookback")).to_have_count(0)
    expect(third.page.locator(".big")).to_contain_text("5")
    one.page.locator(".history a").first.click()
    expect(one.page.locator(".lookback")).to_contain_text("the start")
    one.link("Back to the game").click()
    expect(one.page.locator(".big")).to_contain_text("5")
    assert one.marked
    assert third.marked


def test_a_late_move_is_told_that_the_game_has_moved_on(visit):
    one = visit().begin("operation-duel", opponent="here")
    other = one.context.new_page()
    other.goto(one.page.url)
    other.evaluate("EventSource.prototype.close.call(source)")  # it gets no updates
    one.move(1)
    other.locator("#m2").click()
    expect(other.locator(".notice")).to_contain_text("moved on")
    expect(other.locator(".history li[class]")).to_have_count(1)


@pytest.mark.soak
def test_a_page_that_gets_no_stream_asks_by_itself(visit):
    one, two, _ = friends(visit)
    two.page.route("**/events*", lambda route: route.fulfill(status=503))
    two.page.reload()
    one.move(1)
    expect(two.turn).to_have_text("Your turn")
    two.complaints.clear()  # of the streams
