"""The API for programs: complete games, exact verdicts, and errors of one form."""

from random import Random

import pytest

import numduel
from numduel import Record, evaluate, solve
from numduel.core.scene import Scene
from numduel.play.analysis import analyze_record
from numduel.players import computers

KEYS = [key for key, _, _ in numduel.games()]
SMALL = {
    "divisor-line": {"size": 12},
    "multiplicity": {"size": 20},
}


@pytest.fixture
def api(visit):
    """api(path, body, secret) sends a request: GET without a body, otherwise POST."""
    visitor = visit()

    def api(path, body=None, secret=None, status=200):
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        if body is None:
            answer = visitor.get(f"/api{path}", headers=headers)
        else:
            answer = visitor.post(f"/api{path}", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        if status >= 400:
            assert answer.json().keys() == {"error"}
            return answer.json()["error"]
        return answer.json()

    return api


def opened(api, key="double-or-add", **asked):
    """Open a duel; return its path, and the secrets by seat."""
    made = api("/duels", {"game": key, **asked}, status=201)
    assert made.keys() == {"name", "secrets"}
    return f"/duels/{made['name']}", {int(seat): key for seat, key in made["secrets"].items()}


def legal(key, state):
    """Return the legal moves by the rules, without the server."""
    game = numduel.new(key)
    position = game.start(state["first"])
    for move in state["moves"]:
        position = game.play(position, move)
    assert position.mover == state["mover"]
    return game.moves(position)


def test_the_games_and_their_settings_are_listed(api):
    listed = api("/games")
    assert [(game["key"], game["title"]) for game in listed] == [
        (key, title) for key, title, _ in numduel.games()
    ]
    for game in listed:
        declared = numduel.new(game["key"]).settings.declared
        assert [setting["name"] for setting in game["settings"]] == [s.name for s in declared]
        assert [setting["default"] for setting in game["settings"]] == [s.default for s in declared]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("computer", ["random", "perfect"])
def test_a_complete_game_against_the_computer(api, key, computer):
    asked = {"players": ["human", computer], "seed": 2**64 - 1, "turn_limit": 60}
    path, secrets = opened(api, key, **asked)
    assert secrets.keys() == {1}
    rng, state = Random(key), api(path)
    while state["outcome"] is None:
        assert state["mover"] == 1
        made = len(state["moves"])
        move = rng.choice(legal(key, state))
        state = api(f"{path}/move", {"move": move, "at": state["version"]}, secrets[1])
        assert state["moves"][made] == move
        assert state["outcome"] or len(state["moves"]) == made + 2  # and its answer
    assert state["over"]
    assert sum(state["score"]) == (state["outcome"]["winner"] is not None)
    assert api(path).items() >= state.items()


@pytest.mark.parametrize("key", KEYS)
def test_a_complete_game_between_two(api, key):
    path, secrets = opened(api, key, turn_limit=60)
    rng, state = Random(key), api(path)
    while state["outcome"] is None:
        move = {"move": rng.choice(legal(key, state)), "at": state["version"]}
        wrong = api(f"{path}/move", move, secrets[3 - state["mover"]], status=409)
        assert wrong == f"It is not your turn: Player {state['mover']} is to move."
        state = api(f"{path}/move", move, secrets[state["mover"]])
    assert state["version"] == len(state["moves"])
    assert legal(key, state) == () or state["outcome"]["reason"] == "turn-limit"


@pytest.mark.parametrize("computer", computers())
def test_a_computer_that_begins_has_already_moved(api, computer):
    path, secrets = opened(api, players=[computer, "human"])
    assert secrets.keys() == {2}
    assert len(api(path)["moves"]) == 1


def test_everything_a_player_can_do(api):
    path, secrets = opened(api, swap=True, rounds=2, first="2", settings={"target": 40})
    state = api(path)
    assert (state["mover"], state["settings"], state["rounds"]) == (
        2,
        {"target": 40, "start": 1},
        2,
    )
    assert state["scene"].keys() == {*Scene._fields}
    assert api(f"{path}/move", {"move": 1}, secrets[2])["swap_open"]
    state = api(f"{path}/swap", {"taken": True}, secrets[1])
    assert (state["swap_open"], state["first"], state["mover"]) == (False, 1, 2)
    api(f"{path}/move", {"move": 2}, secrets[2])
    assert api(f"{path}/undo", {}, secrets[2])["asking"] == 2
    assert api(f"{path}/refuse", {}, secrets[1])["asking"] is None
    assert api(f"{path}/undo", {}, secrets[2])["asking"] == 2
    assert api(f"{path}/undo", {}, secrets[1])["moves"] == [1]
    state = api(f"{path}/resign", {"at": 7}, secrets[1])
    assert state["outcome"] == {"winner": 2, "reason": "resigned"}
    assert (state["score"], state["over"], state["round"]) == ([0, 1], False, 1)
    assert api(f"{path}/next", {}, secrets[1])["round"] == 2
    assert api(f"{path}/resign", {}, secrets[1])["over"]
    assert api(f"{path}/rematch", {}, secrets[2])["asking"] == 2
    state = api(f"{path}/rematch", {}, secrets[1])
    assert (state["round"], state["score"], state["over"]) == (1, [0, 0], False)


@pytest.mark.parametrize("wish", ["move", "swap", "undo", "refuse", "resign", "next", "rematch"])
def test_nothing_is_done_without_the_secret_of_a_seat(api, visit, wish):
    path, secrets = opened(api, players=["human", "easy"])
    _, others = opened(api)
    body = {"move": {"move": 1}, "swap": {"taken": True}}.get(wish, {})
    wrong = ["x", "x" * 64, others[1], secrets[1][:-1], secrets[1].swapcase(), f"x.y.{secrets[1]}"]
    for secret in wrong:
        line = api(f"{path}/{wish}", body, secret, status=403)
        assert line == "You are watching: only the players can do that."
    for header in (
        None,
        "",
        "Bearer",
        "Bearer ",
        f"Basic {secrets[1]}",
        secrets[1],
        "Bearer" + "x" * 99,
    ):
        headers = {} if header is None else {"Authorization": header}
        answer = visit().post(f"/api{path}/{wish}", json=body, headers=headers)
        assert answer.status_code == 401
        assert answer.json() == {"error": "The header must be: Authorization: Bearer SECRET"}
        assert answer.headers["www-authenticate"] == "Bearer"
    cookie = visit().post(f"/api{path}/{wish}", json=body, headers={"Cookie": f"seat={secrets[1]}"})
    assert cookie.status_code == 401  # a browser would send it to any site that asks
    assert api(path)["version"] == 0


def test_only_the_first_answer_has_secrets(api):
    path, secrets = opened(api)
    said = [api(path), api(f"{path}/move", {"move": 1}, secrets[1]), api(path)]
    said.append(api(f"{path}/move", {"move": 1}, secrets[1], status=409))
    said.append(api(f"{path}/resign", {}, secrets[2]))
    assert not [secret for secret in secrets.values() if secret in repr(said)]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"game": "chess"}, "There is no game 'chess'; the games are divisor-duel, "),
        ({"game": 7}, "game: Input should be a valid string"),
        ({}, "game: Field required"),
        ({"players": ["human", "program:ls"]}, "A player is human, random, easy, "),
        ({"players": ["human"]}, "players.1: Field required"),
        ({"players": ["easy", "hard"]}, "One of the players must be human."),
        ({"players": "human"}, "players: Input should be a valid tuple"),
        ({"first": 1}, "first: Input should be '1', '2' or 'random'"),
        ({"rounds": 0}, "rounds: Input should be greater than or equal to 1"),
        ({"rounds": 51}, "rounds: Input should be less than or equal to 50"),
        ({"rounds": "1"}, "rounds: Input should be a valid integer"),
        ({"rounds": 1.5}, "rounds: Input should be a valid integer"),
        ({"rounds": True}, "rounds: Input should be a valid integer"),
        ({"turn_limit": 2001}, "turn_limit: Input should be less than or equal to 2000"),
        ({"seed": -1}, "seed: Input should be greater than or equal to 0"),
        ({"seed": 2**64}, "seed: Input should be less than or equal to 18446744073709551615"),
        ({"swap": 1}, "swap: Input should be a valid boolean"),
        ({"settings": {"size": 10_001}}, "Size must be at most 10,000 here, not 10001; larger "),
        (
            {"settings": {"size": "20"}},
            "Size must be a whole number from 1 to 10,000,000, not ",
        ),
        ({"settings": {"depth": 1}}, "There is no setting 'depth'; the settings are size, "),
        ({"settings": {"size": [1]}}, "settings.size."),
        ({"settings": {str(n): 1 for n in range(21)}}, "settings: Dictionary should have at most"),
        ({"coach": True}, "coach: Extra inputs are not permitted"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_impossible_terms_are_refused_in_one_line(api, asked, why):
    body = asked if asked == {} else {"game": "multiplicity", **asked}
    line = api("/duels", body, status=422)
    assert line.startswith(why)
    assert "\n" not in line
    assert len(line) < 300


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"move": 9}, 422),
        ({"move": "1"}, 422),
        ({"move": None}, 422),
        ({"move": 10**1000}, 422),
        ({"move": 1, "at": 1}, 409),
        ({"move": 1, "at": -1}, 422),
        ({"move": 1, "at": 10**100}, 409),
        ({"move": 1, "more": 1}, 422),
        ([], 422),
        ({}, 422),
    ],
)
def test_an_impossible_move_is_refused_and_changes_nothing(api, body, status):
    path, secrets = opened(api)
    assert api(f"{path}/move", body, secrets[1], status=status)
    assert api(path)["version"] == 0
    assert api(f"{path}/move", {"move": 1.0, "at": 0.0}, secrets[1])["moves"] == [
        1
    ]  # as JSON has it


@pytest.mark.parametrize("path", ["/duels/none", "/duels/none/events", "/duels/a%00", "/nothing"])
def test_an_unknown_path_is_not_found(api, path):
    assert api(path, status=404)


def test_a_move_in_no_duel_is_not_found(api):
    line = api("/duels/none/move", {"move": 1}, "secret", status=404)
    assert line == "There is no such game here, or it was deleted."


def test_a_refused_method_lists_the_allowed_ones(visit):
    for method, path, allowed in (
        ("POST", "/api/games", "GET"),
        ("PUT", "/api/duels", "POST"),
        ("POST", "/api/duels/none/events", "GET"),
        ("GET", "/api/duels/none/move", "POST"),
    ):
        answer = visit().request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
        assert answer.json() == {"error": "Method Not Allowed"}


# Exact answers.


@pytest.mark.parametrize("key", KEYS)
def test_a_solution_is_that_of_the_solver(api, key):
    settings = SMALL.get(key, {})
    game = numduel.new(key, **settings)
    rng = Random(key)
    for first in (1, 2):
        moves, position = [], game.start(first)
        for _ in range(6):
            asked = {"game": key, "settings": settings, "first": first, "moves": moves}
            found = api("/solve", asked)
            moves_found = found.pop("moves")
            assert found == {**solve(game, position)._asdict(), "mover": position.mover}
            assert moves_found == {
                str(move): verdict._asdict() for move, verdict in evaluate(game, position).items()
            }
            if not game.moves(position):
                break
            moves.append(rng.choice(game.moves(position)))
            position = game.play(position, moves[-1])


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"moves": [9]}, "Move 1: 9 is not in the menu"),
        ({"moves": [1] * 2001}, "moves: List should have at most 2000 items"),
        ({"first": 3}, "first: Input should be 1 or 2"),
        ({"settings": {"operations": "+1,-1,x2", "target": 10**300}}, "The numbers up to 1000"),
        ({"settings": {"operations": "+1,+2,x2", "target": 99_999_001}}, "Its exact solution"),
        ({"game": "multiplicity", "settings": {"size": 10_001}}, "Size must be at most 10,000"),
    ],
)
def test_a_position_that_cannot_be_solved_is_refused_in_one_line(api, asked, why):
    assert api("/solve", {"game": "operation-duel", **asked}, status=422).startswith(why)


@pytest.mark.parametrize("key", KEYS)
def test_an_analysis_is_that_of_the_library(api, key):
    settings = SMALL.get(key, {})
    game = numduel.new(key, **settings)
    rng, moves, position = Random(key), [], game.start(2)
    while game.outcome(position) is None and len(moves) < 20:
        moves.append(rng.choice(game.moves(position)))
        position = game.play(position, moves[-1])
    record = Record(
        key, dict(game.settings.values), ("a", "b"), 2, tuple(moves), game.outcome(position), ""
    )
    fields = {**record._asdict(), "format": "numduel-record/1"}
    fields["outcome"] = record.outcome and record.outcome._asdict()
    assert api("/analyze", fields) == analyze_record(game, record).as_dict()


def test_an_invalid_record_is_refused_in_one_line(api):
    line = api("/analyze", {"format": "else"}, status=422)
    assert line == "Field 'format' must be 'numduel-record/1', not 'else'."
    assert api("/analyze", [], status=422)


# Its description.


def test_every_answer_is_described(visit):
    schema = visit().get("/api/openapi.json").json()
    problem = {"$ref": "#/components/schemas/ErrorBody"}
    for operations in schema["paths"].values():
        for operation in operations.values():
            assert operation["description"]
            refusals = {
                status: answer for status, answer in operation["responses"].items() if status >= "4"
            }
            assert refusals.keys() >= {"400", "403", "404", "409", "413", "422", "429", "503"}
            for answer in refusals.values():
                assert answer["content"]["application/json"]["schema"] == problem
    assert schema["components"]["schemas"]["NewDuel"]["properties"]["game"]["enum"] == KEYS


def test_moves_are_described_as_needing_the_secret_of_a_seat(visit):
    schema = visit().get("/api/openapi.json").json()
    for path, operations in schema["paths"].items():
        needed = "post" in operations and path.startswith("/api/duels/{name}/")
        assert all(("security" in operation) == needed for operation in operations.values())


def test_no_page_of_documentation_loads_scripts_from_elsewhere(visit):
    for path in ("/docs", "/redoc", "/openapi.json", "/docs/oauth2-redirect"):
        assert visit().get(path).status_code == 404
