"""What the web is tested with does what the tests rely on."""

import psycopg
import pytest
import sqlalchemy


def rows(url: str, *statements: str) -> list[tuple]:
    """Run statements, commit them, and answer with the rows of the last."""
    engine = sqlalchemy.create_engine(url)
    try:
        with engine.begin() as connection:
            for statement in statements:
                result = connection.exec_driver_sql(statement)
            return [tuple(row) for row in result]
    finally:
        engine.dispose()


def test_a_database_is_new_and_empty_each_time(database_url):
    made = rows(
        database_url, "CREATE TABLE made (n INTEGER)", "INSERT INTO made VALUES (7) RETURNING n"
    )
    assert made == [(7,)]


def test_postgresql_makes_a_database_anew(postgres):
    url = postgres.url("anew")
    rows(url, "CREATE TABLE made (n INTEGER)", "SELECT 1")
    assert postgres.url("anew") == url
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    assert rows(url, tables) == [(0,)]


def test_postgresql_writes_before_it_commits(postgres):
    assert rows(postgres.url("written"), "SHOW synchronous_commit") == [("on",)]


@pytest.mark.parametrize("end", ["fast", "immediate", "kill"])
def test_what_was_committed_survives(postgres, end):
    url = postgres.url("kept")
    rows(url, "CREATE TABLE kept (n INTEGER)", "INSERT INTO kept VALUES (7) RETURNING n")
    held = psycopg.connect(url.replace("+psycopg", ""))
    held.execute("INSERT INTO kept VALUES (8)")  # never committed
    if end == "kill":
        postgres.kill()
        assert not postgres.running
        postgres.start()
    else:
        postgres.restart(end)
    with pytest.raises(psycopg.OperationalError):
        held.execute("SELECT 1")
    held.close()
    assert rows(url, "SELECT n FROM kept") == [(7,)]


def test_postgresql_can_be_away_for_a_while(postgres):
    url = postgres.url("away")
    postgres.stop()
    with pytest.raises(sqlalchemy.exc.OperationalError):
        rows(url, "SELECT 1")
    postgres.start()
    assert rows(url, "SELECT 1") == [(1,)]


def test_the_browser_opens_a_page(browser):
    with browser.new_context() as visitor:
        page = visitor.new_page()
        page.goto("data:text/html,<title>Numduel</title><h1>Seven</h1>")
        assert (page.title(), page.inner_text("h1")) == ("Numduel", "Seven")


def test_the_page_checker_comes_with_its_rules(browser):
    from axe_playwright_python.sync_playwright import Axe

    with browser.new_context(offline=True) as visitor:  # nothing is fetched
        page = visitor.new_page()
        page.goto("data:text/html,<img src='data:,'>")
        found = {violation["id"] for violation in Axe().run(page).response["violations"]}
    assert "image-alt" in found
