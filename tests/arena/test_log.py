"""Lines of the log are read as they were written, and damaged lines are refused."""

import json

import pytest

from numduel import NumduelError, SettingsError
from numduel.arena.log import AnswerLine, GameLine, GameResult, Log
from numduel.arena.plan import Plan
from numduel.arena.spec import Spec
from numduel.players.answer import Answer

WON = GameLine(7, 1, "stuck", [7, 14, 2], "121")
LINE = '{"game":7,"winner":1,"reason":"stuck","moves":[7,14,2],"seats":"121"}'
SPEC = Spec(("multiplicity:size=12",), ("random", "easy"), rounds=10)
ANSWER = AnswerLine(3, "model:x", 2, (4,), Answer("Move: 9", "stop", kind="move", move=9, tries=2))


def test_a_line_is_written_and_read():
    assert WON.dumps() == LINE and GameLine.loads(f"{LINE}\n".encode()) == WON
    full = WON._replace(
        winner=None,
        fault=[1, "late", 'said "no"'],
        start=None,
        worth=[[2, "win", 3, "loss", None, True], None, None],
    )
    assert GameLine.loads(f"{full.dumps()}\n".encode()) == full and "\n" not in full.dumps()
    judged = WON._replace(moves=[], seats="", start="win", worth=[])
    assert judged.dumps().endswith('"moves":[],"seats":"","start":"win","worth":[]}')
    assert AnswerLine.loads(ANSWER.dumps().encode()) == ANSWER


@pytest.fixture
def log(tmp_path):
    def log(*lines):
        path = tmp_path / "log.jsonl"
        head = json.dumps({"spec": SPEC.dumps()}, separators=(",", ":"))
        path.write_text("".join(f"{line}\n" for line in (head, *lines)))
        return Log(path, Plan(SPEC))

    return log


def test_games_and_answers_are_found_again(log):
    made = log(LINE, ANSWER.dumps(), WON._replace(game=2, winner=None).dumps())
    assert [*made.refresh()] == [GameResult(7, 1), GameResult(2, None)] and made.done == 2
    assert 7 not in made.missing() and 3 in made.missing()
    assert [*made.games()] == [WON._replace(game=2, winner=None), WON]
    assert [*made.answers()] == [*made.answers(3)] == [ANSWER] and not [*made.answers(7)]
    made.close()


BROKEN = [
    "\0\0\0",
    "{}",
    "[]",
    LINE[:-1],
    LINE.replace("7", "999", 1),
    LINE.replace('"winner":1', '"winner":3'),
    LINE.replace("14", '"x"'),
    LINE.replace('"121"', '"123"'),
    LINE.replace("}", ',"fault":["late"]}'),
    LINE.replace("}", ',"start":"won","worth":[]}'),
    LINE.replace("}", ',"start":null,"worth":[[1,"win",null,"wins",null,true],null,null]}'),
    LINE.replace("}", ',"colour":3}'),
    ANSWER.dumps()[:-1],
    ANSWER.dumps().replace('"answer":3', '"answer":-3'),
]


def test_garbage_is_refused_in_one_line_and_not_changed(log, tmp_path):
    for broken in BROKEN:
        made = log(LINE, broken, LINE.replace("7", "8", 1))
        before = (tmp_path / "log.jsonl").read_bytes()
        with pytest.raises(NumduelError, match=r"the log is damaged: .* is not a line") as refused:
            [*made.refresh()]
        made.close()
        assert "\n" not in str(refused.value)
        assert (tmp_path / "log.jsonl").read_bytes() == before
    for broken in (
        LINE.replace('"121"', '"12"'),
        LINE.replace("}", ',"start":null,"worth":[null]}'),
    ):
        made = log(broken)
        assert [*made.refresh()]
        with pytest.raises(NumduelError, match="the log is damaged"):
            [*made.games()]
        made.close()
    for name, value in (("tries", '"two"'), ("move", "[]"), ("colour", "3"), ("moves", "7")):
        fields = {**json.loads(ANSWER.dumps()), name: json.loads(value)}
        made = log(json.dumps(fields, separators=(",", ":")))
        assert not [*made.refresh()]
        with pytest.raises(NumduelError, match="the log is damaged"):
            [*made.answers()]
        made.close()


def test_games_are_renumbered_when_others_are_added(log, tmp_path):
    log(LINE, ANSWER.dumps()).close()
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write(LINE[:30])  # when it was killed
    more = Plan(
        SPEC._replace(games=("double-or-add", *SPEC.games), players=("hard", *SPEC.players))
    )
    made = Log(tmp_path / "log.jsonl", more)
    ((number, winner),) = made.refresh()
    assert (more.seats(number), more.game_text(number)) == (("easy", "random"), SPEC.games[0])
    assert (more[number].round, more[number].seed) == (3, Plan(SPEC)[7].seed) and winner == 1
    (answer,) = made.answers()
    assert more.seats(answer.game) == ("easy", "random") and more[answer.game].round == 1
    made.close()
    for other in (SPEC, SPEC._replace(seed=1), more.spec._replace(rounds=9)):
        with pytest.raises(SettingsError, match="holds another arena"):
            Log(tmp_path / "log.jsonl", Plan(other))
    (tmp_path / "log.jsonl").write_text("{}\n")
    with pytest.raises(NumduelError, match="the log is damaged"):
        Log(tmp_path / "log.jsonl", more)
