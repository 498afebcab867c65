"""The script of the live parts, when presses and updates come at the same time."""

import re

from playwright.sync_api import expect


def test_a_press_during_an_update_is_not_lost(visit):
    one = visit().begin("operation-duel", opponent="here")
    held = []
    # the update is under way until the test ends it
    one.page.route(one.page.url, lambda route: held.append(route), times=1)
    one.page.evaluate("refresh()")
    expect(one.main).to_have_attribute("aria-busy", "true")
    while not held:
        one.page.wait_for_timeout(10)
    one.moves.first.click()
    [news] = held
    news.continue_()
    expect(one.history).to_have_count(1)


def test_a_double_click_is_one_move(visit):
    one = visit().begin("operation-duel", opponent="here", set_target=1000)
    one.moves.first.dblclick()
    expect(one.history).to_have_count(1)
    one.act(one.button("Take back"))
    one.moves.first.click(click_count=3)
    expect(one.history).to_have_count(1)


def test_a_new_page_is_shown_from_its_top(visit):
    one = visit(viewport={"width": 320, "height": 480}).open()
    one.page.get_by_role("button", name="Learn it").last.click()
    expect(one.page.locator("h1")).to_be_in_viewport()
    expect(one.turn).to_be_visible()
    one.page.go_back()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Number games for two")


def test_a_move_leaves_the_page_where_it_was_scrolled(visit):
    one = visit(viewport={"width": 320, "height": 480})
    one.begin("multiplicity", opponent="here")
    one.page.locator("#m50").scroll_into_view_if_needed()
    before = one.page.evaluate("window.scrollY")
    one.move(50)
    assert before > 0
    assert one.page.evaluate("window.scrollY") == before


def test_a_refused_form_keeps_what_was_filled_in(visit):
    one = visit().open("/new/operation-duel")
    one.fill(coach=True, opponent="hard", rounds=3, set_target=1)
    one.page.locator("[data-play]").click()
    expect(one.notice).to_contain_text(re.compile("target must be", re.IGNORECASE))
    expect(one.notice).to_have_attribute("role", "alert")  # a screen reader reads it out
    expect(one.page.locator(".wrong")).to_be_in_viewport()
    expect(one.page.locator("[name=opponent]:checked")).to_have_value("hard")
    expect(one.page.locator("[name=rounds]")).to_have_value("3")
    expect(one.page.locator("[name=set-target]")).to_have_value("1")
    expect(one.page.locator("[name=coach]")).to_be_checked()


def test_a_link_is_copied(visit):
    one = visit(permissions=["clipboard-read", "clipboard-write"])
    one.begin("operation-duel", opponent="link")
    one.button("Copy").click()
    expect(one.page.locator("#news")).to_have_text("Copied.")
    expect(one.button("Copied")).to_be_visible()
    copied = one.page.evaluate("navigator.clipboard.readText()")
    assert copied == one.page.locator("#invite").input_value()


def test_a_move_made_without_a_connection_is_sent_later_or_said_to_be_lost(visit):
    one = visit().begin("operation-duel", opponent="here")
    connection = one.page.locator("#connection")
    one.context.set_offline(True)
    one.moves.first.click()
    expect(connection).to_have_text(re.compile("Your move is kept, and sent"))
    expect(one.history).to_have_count(0)
    one.context.set_offline(False)
    expect(one.history).to_have_count(1)
    expect(connection).to_be_hidden()
    other = one.context.new_page()
    other.goto(one.page.url)
    one.page.route("**/*", lambda route: route.abort())
    one.moves.first.click()
    expect(connection).to_be_visible()
    other.locator("#m1").click()
    expect(other.locator(".history li[class]")).to_have_count(2)
    one.page.unroute("**/*")
    expect(one.history).to_have_count(2)
    expect(one.notice).to_contain_text("Look whether your move is there")
