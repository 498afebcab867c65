"""Two people: by a link, with a third who watches, and at the same screen."""

import re

import pytest
import segno
from playwright.sync_api import expect


def friends(visit, key="operation-duel", **form):
    one = visit().begin(key, opponent="link", **form)
    two = visit().open(one.page.locator("#invite").input_value())
    two.button("Play").click()
    expect(two.page).to_have_url(one.page.url)  # the secret has left the address
    third = visit().open(one.page.locator("#watch").input_value())
    for visitor in (one, two, third):
        visitor.mark()
    return one, two, third


@pytest.mark.soak
def test_a_friend_opens_what_the_qr_code_says(visit):
    one = visit().begin("operation-duel", opponent="link")
    link = one.page.locator("#invite").input_value()
    drawn = one.page.locator(".qr path").evaluate_all("all => all.map(one => one.outerHTML)")
    wanted = re.findall("<path.*?/>", segno.make(link, micro=False).svg_inline(border=2))
    stroked = [re.search(r' d="([^"]+)"', path)[1] for path in (drawn[-1], wanted[-1])]
    assert stroked[0] == stroked[1]
    two = visit().open(link)
    two.button("Play").click()
    expect(two.page).to_have_url(one.page.url)
    expect(one.turn).to_have_text("Your turn")


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


def test_nobody_but_a_player_can_move_and_no_page_shows_a_secret(visit):
    everybody = one, two, third = friends(visit)
    one.move(1)
    expect(two.moves.first).to_be_visible()
    expect(third.turn).to_have_text("Player 2's turn")
    assert third.secrets == []
    assert one.secrets
    assert two.secrets
    page = third.page.content()
    for visitor in everybody:
        assert visitor.page.evaluate("document.cookie") == ""
        assert not any(secret in page for secret in visitor.secrets)
    assert "Share" in page
    expect(third.page.locator("#seat1, #seat2, #invite, #resign, #undo")).to_have_count(0)
    for wish in ("move", "undo", "resign"):
        answer = third.page.evaluate(
            """async wish => { const body = new URLSearchParams({move: 1});
               return (await fetch(`${location.pathname}/${wish}`, {method: "POST", body})).status
            }""",
            wish,
        )
        assert answer == 403
    expect(one.history).to_have_count(1)
    assert two.page.locator("#invite").count() == 0  # they hold the seat, and invite nobody


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
    one.resign()  # though it is the other's turn
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


def test_names_are_asked_and_who_leaves_or_comes_back_is_told(visit):
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
    with two.page.expect_response("**/events"):  # the stream by which it is known who is here
        two.page.reload()
    two.page.goto("about:blank")
    expect(one.page.locator(".them .gone")).to_have_text("away")
    expect(one.page.locator("#news")).to_contain_text("Bo has gone away for a moment.")
    two.page.goto(address)
    expect(one.page.locator(".them .gone")).to_have_count(0)
    expect(one.page.locator("#news")).to_contain_text("Bo is back.")
    one.move(36)  # which a page from before may still be sent
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


@pytest.mark.soak
def test_two_at_one_screen_play_rounds_with_a_score(visit):
    one = visit().begin("double-or-add", opponent="here", rounds=2, set_target=4)
    one.mark()
    expect(one.turn).to_have_text("Player 1's turn")
    one.move(1)
    expect(one.turn).to_have_text("Player 2's turn")
    one.act(one.button("Take back"))  # at once: nobody else has to be asked
    expect(one.turn).to_have_text("Player 1's turn")
    one.move(1)
    one.move(1)
    expect(one.turn).to_have_text("Player 2 wins")
    expect(one.page.locator(".score")).to_contain_text("Score: Player 1: 0, Player 2: 1")
    one.act(one.button("Next round"))
    expect(one.turn).to_have_text("Player 2's turn")
    one.move(1)
    one.move(1)
    expect(one.page.locator(".score")).to_contain_text("Score: Player 1: 1, Player 2: 1")
    expect(one.page.locator(".result")).to_be_visible()
    expect(one.button("Next round")).to_have_count(0)
    one.page.locator(".more > summary").click()
    one.page.get_by_text("Finished rounds").click()
    expect(one.link("Round 1")).to_be_visible()
    assert one.marked
    one.link("Round 2").click()
    expect(one.page.locator("#replay")).to_have_text("After move 2 of 2")


def test_the_first_move_is_taken_over_or_left(visit):
    one = visit().begin("operation-duel", opponent="here", swap=True)
    one.move(1)
    expect(one.turn).to_have_text("Do you want to take over what was played?")
    expect(one.moves).to_have_count(0)
    one.act(one.button("Yes, take it over"))
    expect(one.turn).to_have_text("Player 1's turn")
    expect(one.button("Yes, take it over")).to_have_count(0)
    two = visit().begin("operation-duel", opponent="here", swap=True)
    two.move(1)
    two.act(two.button("No, go on"))
    expect(two.turn).to_have_text("Player 2's turn")


def test_who_comes_too_late_is_told_that_the_game_has_moved_on(visit):
    one = visit().begin("operation-duel", opponent="here")
    other = one.context.new_page()
    other.goto(one.page.url)
    other.evaluate("EventSource.prototype.close.call(source)")  # it hears no news
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
