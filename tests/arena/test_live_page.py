"""The arena in the browser, while it is played and afterwards."""

import json
import re
import signal
from contextlib import closing
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from numduel import SettingsError
from numduel.arena.live_page import LivePage


def test_the_page_shows_who_is_ahead_and_then_the_ratings(small, play_arena, tmp_path):
    seen = []

    def look(part, standing):
        with closing(LivePage(tmp_path)) as watched:
            seen.append(watched.render())

    play_arena(small, tmp_path, on_progress=look)
    (tmp_path / "players.json").write_text(json.dumps([PLAYER]))
    assert "18 of 36 games" in seen[1] and "refresh" in seen[1] and "perfect" in seen[1]
    with closing(LivePage(tmp_path)) as watched:
        page = watched.render()
    assert "Who plays best" in page and "1650" in page and "refresh" not in page


RATING = {"points": 1650.2, "low": 1600.0, "high": 1700.0}
PLAYER = {"player": "<b>perfect", "rating": RATING, "won": 3, "drawn": 0, "undecided": 0, "lost": 1}


def test_the_page_follows_what_another_process_adds(small, play_arena, tmp_path):
    watched = []

    def look(part, standing):
        watched[:] = watched or [LivePage(tmp_path)]
        assert f"{round(part * 36)} of 36 games" in watched[0].render()

    play_arena(small, tmp_path, on_progress=look)
    watched[0].close()


def test_a_folder_without_an_arena_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="holds no arena"):
        LivePage(tmp_path)


def test_the_command_serves_the_page_only_to_this_machine(small, play_arena, start, tmp_path):
    play_arena(small, tmp_path / "out")
    (tmp_path / "out" / "players.json").write_text(json.dumps([PLAYER]))
    (tmp_path / "out" / "report.html").write_text("<p>the report</p>")
    serving = start("arena", "--serve", "--out", "out", "--port", "0")
    try:
        address = re.search(r"http://\S+/", serving.stdout.readline().decode())[0]
        page = urlopen(address, timeout=180).read().decode()
        assert "&lt;b&gt;perfect" in page and "<b>perfect" not in page
        assert b"the report" in urlopen(f"{address}report", timeout=180).read()
        assert b"--ground" in urlopen(f"{address}static/numduel.css", timeout=180).read()
        with pytest.raises(OSError, match="400"):
            urlopen(Request(address, headers={"Host": "elsewhere.example"}), timeout=180)
        with (tmp_path / "out" / "log.jsonl").open("a") as log:
            log.write("garbage\n")
        with pytest.raises(HTTPError, match="500") as damaged:
            urlopen(address, timeout=180)
        assert damaged.value.read().startswith(b"the log is damaged: 'garbage")
    finally:
        serving.send_signal(signal.SIGINT)
        _, err = serving.communicate(timeout=180)
    assert serving.returncode == 130 and b"Traceback" not in err
