"""The faults of the siege: what they hold to be broken."""

import json
from collections import Counter

import pytest
from benchmarks.siege import __main__ as siege
from benchmarks.siege import faults
from benchmarks.siege.disorder import FAULTS
from benchmarks.siege.faults import Outcome, Ready, untrue

SINCE, UNTIL = 100.0, 110.0


def outcome(name, *causes):
    logged = [json.dumps({"event": "busy", "cause": cause}) for cause in causes]
    return Outcome(name, 9, [], 1.0, [], Counter(), [], True, logged)


@pytest.mark.parametrize(
    ("name", "answer", "held"),
    [
        ("write_lock", Ready(102, 102.9, 503), True),
        ("write_lock", Ready(102, 102.1, 200), False),
        ("write_lock", Ready(100.5, 100.6, 200), True),  # when it could not know yet
        ("write_lock", Ready(102, 102.0, 0), False),
        ("write_lock", Ready(102, 103.2, 503), False),
        ("write_lock", Ready(102, 103.2, 503, waited=0.5), True),  # on a busy machine
        ("write_lock", Ready(108, 112.0, 503), False),  # when it was mended
        ("write_lock", Ready(99, 99.0, 0), True),
        ("write_lock", Ready(110.5, 110.5, 0), True),
        ("deleted_file", Ready(102, 102.1, 200), True),  # which is written back
        ("deleted_file", Ready(102, 102.0, 0), False),
    ],
)
def test_ready_is_said_in_time_and_truly(name, answer, held):
    assert bool(untrue(FAULTS[name], [answer], SINCE, UNTIL)) != held


def test_the_cause_of_a_fault_is_its_own():
    assert not outcome("full_disk", "no answer", "database or disk is full").broken
    assert outcome("full_disk", "database is locked").broken
    assert outcome("full_disk").broken
    assert not outcome("kill_server").broken  # who would write it?


def test_whatever_breaks_the_database_has_a_cause():
    assert all(fault.cause for fault in FAULTS.values() if fault.breaks)


@pytest.mark.parametrize("ci", [True, False])
def test_a_fault_that_cannot_be_run_fails_where_everything_must_run(monkeypatch, capsys, ci):
    monkeypatch.setattr(faults, "mount", lambda *_: False)
    monkeypatch.setattr(siege.signal, "signal", lambda *_: None)
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("sys.argv", ["siege", "--faults", "--on", "sqlite", "full_disk"])
    assert siege.main() == ci
    assert "skipped: no small disk can be made here" in capsys.readouterr().out
