"""Where this person's games are kept."""

import pytest

from numduel import SettingsError
from numduel.terminal.saved_games import parse_ident, shelf


def test_numduel_home_is_where_the_games_are(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMDUEL_HOME", str(tmp_path))
    assert shelf().folder == tmp_path / "games"


def test_else_it_is_where_the_system_keeps_such_things(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMDUEL_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert shelf().folder == tmp_path / "numduel" / "games"


def test_an_id_is_a_number_of_the_history():
    assert parse_ident("12") == 12
    assert parse_ident(" 007 ") == 7


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "1.5", "²", "9" * 10, "9" * 5000])
def test_what_is_no_id_is_refused(text):
    with pytest.raises(SettingsError, match="a game's ID is a number from numduel history, not "):
        parse_ident(text)
