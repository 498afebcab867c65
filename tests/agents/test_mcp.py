"""`numduel mcp`, called by the SDK's own client over a real pipe."""

import asyncio
import base64
import json
import os
import signal
import struct
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from anyio.from_thread import start_blocking_portal
from fifteen import Fifteen
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from take_away import TakeAway

import numduel
from numduel.agents import mcp_games
from numduel.agents.common import truth
from numduel.agents.mcp import MAX_MESSAGE_BYTES
from numduel.agents.mcp_games import MAX_KEPT_GAMES, Games
from numduel.core.errors import install_command
from numduel.core.record import loads
from numduel.games import OUR_GAMES, describe_game
from numduel.play.analysis import analyze_record
from numduel.play.game_loop import play_game

NUMDUEL = str(Path(sys.executable).with_name("numduel"))
EXAMPLES = Path(__file__).parents[2] / "examples"
TIMEOUT_SECONDS = 180
SETTINGS = {"divisor-duel": {"divisor": 5, "ceiling": 60}, "multiplicity": {"size": 20}}


def connected(tmp_path_factory, *arguments):
    """Yield a client that has started the server, in which our example games are registered."""
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "others-1.0.dist-info").mkdir()
    (folder / "others-1.0.dist-info" / "entry_points.txt").write_text(
        "[numduel.games]\nfifteen = fifteen:Fifteen\ntake-away = take_away:TakeAway\n"
    )
    stderr = folder / "stderr"
    path = os.pathsep.join(map(str, [folder, *EXAMPLES.glob("*/")]))
    command = StdioServerParameters(
        command=NUMDUEL, args=["mcp", *arguments], env={"PYTHONPATH": path}
    )
    with stderr.open("w") as errors, start_blocking_portal() as portal:
        client = Client(stdio_client(command, errlog=errors))
        with portal.wrap_async_context_manager(client):

            def answer(name, **arguments):
                return portal.call(partial(client.call_tool, name, arguments))

            def ask(name, **arguments):
                answered = answer(name, **arguments)
                assert not answered.is_error, answered.content
                return answered.structured_content

            def refused(name, **arguments):
                answered = answer(name, **arguments)
                assert answered.is_error
                [content] = answered.content
                assert "\n" not in content.text and len(content.text) < 300
                return content.text

            tools = {tool.name for tool in portal.call(client.list_tools).tools}
            yield SimpleNamespace(answer=answer, ask=ask, refused=refused, tools=tools)
    assert stderr.read_text() == ""


@pytest.fixture(scope="module")
def no_hints(tmp_path_factory):
    """A server that reveals nothing about unfinished games."""
    yield from connected(tmp_path_factory)


@pytest.fixture(scope="module")
def with_hints(tmp_path_factory):
    """A server that gives hints."""
    yield from connected(tmp_path_factory, "--hints")


def test_games_are_listed_with_rules_settings_and_opponents(no_hints):
    answer = no_hints.ask("games")
    assert {one["key"]: one for one in answer["games"]}.items() >= {
        key: describe_game(key) for key in OUR_GAMES
    }.items()
    assert "perfect" in answer["opponents"] and "program" not in answer["opponents"]


def test_a_whole_game_follows_the_rules_and_is_analyzed(no_hints):
    ours = [numduel.new(key, **SETTINGS.get(key, {})) for key in OUR_GAMES]
    for game in [*ours, Fifteen(), TakeAway()]:
        play_through(no_hints, game)


def play_through(no_hints, game):
    settings = SETTINGS.get(game.key, {})
    seen = no_hints.ask(
        "start", game=game.key, settings=settings, opponent="level:3", first=2, seed=7
    )
    assert seen["players"] == {"1": "you", "2": "level:3"} and len(seen["happened"]) == 1
    while not seen["result"]:
        position = game.read(seen["position"])
        assert seen["mover"] == position.mover == 1
        assert seen["legal"] == [*game.moves(position)] and seen["record"] is None
        assert seen == {**no_hints.ask("see", table=seen["table"]), "happened": seen["happened"]}
        seen = no_hints.ask("play", table=seen["table"], move=seen["legal"][-1])
    record = loads(json.dumps(seen["record"]))
    assert [*record.moves] == seen["moves"] and record.players == ("human", "level:3")
    *_, end = record.positions(game)
    assert game.notation(end) == seen["position"] and seen["legal"] == []
    winner = record.outcome.winner
    assert seen["result"].startswith(f"Player {winner} wins" if winner else "Nobody wins")
    analysis = json.loads(json.dumps(analyze_record(game, record).as_dict()))
    assert no_hints.ask("analyze", table=seen["table"]).items() >= analysis.items()
    assert no_hints.ask("analyze", record=seen["record"]).items() >= analysis.items()


def test_a_seed_repeats_a_game_and_one_client_can_move_for_both(no_hints):
    def opening_moves():
        seen = no_hints.ask("start", game="multiplicity", opponent="random", first=2, seed=3)
        no_hints.ask("resign", table=seen["table"])
        return seen["moves"]

    assert opening_moves() == opening_moves()
    table = no_hints.ask("start", game="double-or-add", opponent="human")["table"]
    assert no_hints.ask("play", table=table, move=1)["happened"] == ["Player 1 doubles: 1 → 2."]
    seen = no_hints.ask("play", table=table, move=2)
    assert seen["happened"] == ["Player 2 adds one: 2 → 3."]
    assert seen["menu"] == {"1": "Double", "2": "Add One"}
    assert no_hints.ask("resign", table=table)["result"] == "Player 2 wins: Player 1 resigned."
    assert no_hints.refused("play", table=table, move=1) == "1 is not possible: the game is over"


def test_the_board_is_a_picture_that_changes_with_each_move(no_hints):
    table = no_hints.ask("start", game="divisor-line", opponent="human")["table"]
    pictures = []
    for move in (4, 5):
        [image] = no_hints.answer("picture", table=table).content
        assert image.mime_type == "image/png"
        pictures.append(base64.b64decode(image.data))
        no_hints.ask("play", table=table, move=move)
    no_hints.ask("resign", table=table)
    assert pictures[0] != pictures[1]
    for png in pictures:
        assert png.startswith(b"\x89PNG") and struct.unpack(">II", png[16:24]) == (1200, 630)


HEAVY = {"game": "operation-duel", "settings": {"target": 10**8, "operations": "+1,-3,x2"}}
INVALID_CALLS = [
    ("start", {"game": "chess"}, "there is no game 'chess'"),
    ("start", {"game": "multiplicity", "settings": {"size": 0}}, "size must be"),
    ("start", {"game": "multiplicity", "settings": {"size": 20_000}}, "at most 10,000"),
    ("start", HEAVY, "takes too much memory"),
    ("start", {"game": "multiplicity", "settings": {"sise": 20}}, "sise"),
    ("start", {"game": "multiplicity", "settings": {"size": [20]}}, "settings.size"),
    ("start", {"game": "multiplicity", "size": 20}, "start has no 'size'"),
    ("start", {"game": "multiplicity", "opponent": "program:true"}, "a player is"),
    ("start", {"game": "multiplicity", "opponent": "nobody" * 100}, "a player is"),
    ("start", {"game": "multiplicity", "first": 3}, "first: Input should be 1, 2 or 'random'"),
    ("start", {"game": "multiplicity", "seed": -1}, "seed must be from 0"),
    ("start", {}, "game: Field required"),
    ("see", {"table": 10**6}, "there is no such table"),
    ("see", {"table": 10**3000}, "there is no such table"),
    ("play", {"table": -1, "move": 1}, "there is no such table"),
    ("play", {"table": "x", "move": 1}, "table: "),
    ("play", {"table": 1}, "move: Field required"),
    ("picture", {"table": 0}, "there is no such table"),
    ("analyze", {}, "give its table, or its record"),
    ("analyze", {"table": 1, "record": {}}, "give its table, or its record"),
    ("analyze", {"record": {"format": "none"}}, "field 'format' must be"),
    ("solve", {}, "Unknown tool: solve"),
]


def test_invalid_calls_are_refused_in_one_line(with_hints):
    for name, arguments, message in INVALID_CALLS:
        assert message in with_hints.refused(name, **arguments)


def test_an_illegal_move_is_refused_and_changes_nothing(with_hints):
    before = with_hints.ask("start", game="multiplicity", settings={"size": 20})
    for move in (1, 0, -7, 21, 10**3000):
        assert "allowed: 2, 3" in with_hints.refused("play", table=before["table"], move=move)
    assert with_hints.ask("see", table=before["table"]) == before


def test_records_that_are_too_long_illegal_or_too_expensive_are_refused(with_hints):
    record = json.loads(play_game(numduel.new("double-or-add"), ["random"] * 2).dumps())
    assert "move 1" in with_hints.refused("analyze", record={**record, "moves": [3]})
    long = {**record, "game": "divisor-duel", "settings": {}, "moves": [1] * 1001}
    assert "at most 1,000 moves" in with_hints.refused("analyze", record=long)
    large = {**record, "settings": {"size": 20_000}, "game": "multiplicity"}
    assert "at most 10,000" in with_hints.refused("analyze", record=large)
    walk = play_game(numduel.new("multiplicity", size=10_000), ["random"] * 2, seed=1)
    assert "takes too long" in with_hints.refused("analyze", record=json.loads(walk.dumps()))


def test_hints_and_verdicts_are_exact_if_they_are_allowed(with_hints):
    assert {"hint", "verdict"} <= with_hints.tools
    game = numduel.new("double-or-add", target=10)
    table = with_hints.ask("start", game=game.key, settings={"target": 10}, opponent="human")[
        "table"
    ]
    seen = with_hints.ask("play", table=table, move=2)
    exact = truth(game, game.read(seen["position"]))
    assert with_hints.ask("verdict", table=table) == json.loads(json.dumps(exact))
    hint = with_hints.ask("hint", table=table)
    assert exact["verdicts"][hint["move"]]["score"] == exact["verdict"]["score"] and hint["says"]
    assert with_hints.ask("analyze", table=table)["moves"]
    with_hints.ask("resign", table=table)
    assert with_hints.refused("hint", table=table) == "the game is over"


def test_unfinished_games_stay_secret_if_hints_are_not_allowed(no_hints):
    assert not {"hint", "verdict"} & no_hints.tools
    assert "Unknown tool" in no_hints.refused("hint", table=1)
    table = no_hints.ask("start", game="multiplicity")["table"]
    record = json.loads(play_game(numduel.new("multiplicity"), ["random"] * 2).dumps())
    for arguments in ({"table": table}, {"record": record}):
        assert f"under way: table {table}" in no_hints.refused("analyze", **arguments)
    no_hints.ask("resign", table=table)
    assert no_hints.ask("analyze", record=record)["moves"]


def test_the_number_of_games_is_limited_and_a_finished_one_makes_room():
    games = Games()

    def start():
        return asyncio.run(games.start("double-or-add", {}, "human"))["table"]

    opened = [start() for _ in range(MAX_KEPT_GAMES)]
    with pytest.raises(numduel.SettingsError, match="100 games are under way"):
        start()
    asyncio.run(games.resign(opened[4]))
    assert start() == MAX_KEPT_GAMES + 1
    with pytest.raises(numduel.SettingsError, match="no such table"):
        asyncio.run(games.see(opened[4]))


def test_an_opponent_that_fails_loses(monkeypatch):
    closed = []
    broken = SimpleNamespace(choose=lambda turn: 1 // 0, close=lambda: closed.append(True))
    monkeypatch.setattr(mcp_games, "player", lambda who: broken)
    seen = asyncio.run(Games().start("double-or-add", {}, "random", 2))
    why = "ZeroDivisionError: integer division or modulo by zero"
    assert seen["happened"] == [f"Player 2 forfeits: {why}."]
    assert seen["result"] == "Player 1 wins: Player 2 forfeited."
    assert closed == [True]


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def test_it_ends_when_the_client_disconnects_and_ignores_invalid_messages(start):
    server = start("mcp")
    lines = f"no message\n{{}}\n\xff\n{json.dumps(HELLO)}\n".encode("latin-1")
    server.stdin.write(lines)
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    assert answer["id"] == 1 and answer["result"]["serverInfo"]["name"] == "numduel"
    assert server.communicate(timeout=TIMEOUT_SECONDS) == (b"", b"")
    assert server.returncode == 0


def test_ctrl_c_ends_it(start):
    server = start("mcp")
    server.stdin.write(f"{json.dumps(HELLO)}\n".encode())
    server.stdin.flush()
    assert server.stdout.readline()
    server.send_signal(signal.SIGINT)
    assert server.wait(TIMEOUT_SECONDS) == 130
    assert server.communicate() == (b"", b"")


@pytest.mark.soak
def test_a_message_that_is_too_long_ends_it_with_a_one_line_error(run):
    ran = run("mcp", typed=b"[" * (MAX_MESSAGE_BYTES + 1))
    assert ran == (1, "", "numduel: a message has at most 1,048,576 bytes\n")


@pytest.mark.soak
def test_a_missing_extra_is_named(run, package):
    package("mcp", "raise ModuleNotFoundError(name='mcp')")
    ran = run("mcp")
    message = f"numduel: this needs mcp, which is not installed; type: {install_command('mcp')}\n"
    assert ran == (1, "", message)
