"""Matches on disk: saved at once, resumed, damaged, and shared by processes."""

import errno
import fcntl
import json
import os
import subprocess
import sys

import pytest
from tests.play.test_match import QUICK, setup

from numduel import IllegalMove, NumduelError, RecordError
from numduel.core.record import MAX_RECORD_BYTES
from numduel.play import saved as saved_module
from numduel.play.event import Ask, Move, Next, Resign, Swap, Undo
from numduel.play.saved import BeingPlayed, SavedMatch, Shelf


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "new" / "games")


def save(shelf, *events, **agreed):
    """Save a match with these events, and return its number."""
    saved = shelf.create(setup(**agreed))
    for event in events:
        saved.apply(event)
    saved.close()
    return saved.ident


def path(shelf, ident):
    return shelf.folder / f"{ident}.jsonl"


def state(match):
    table = match.table
    return (match.round, table.moves, table.movers, table.position, match.wins, match.finished)


# Saving and resuming.


def test_the_folder_is_made_and_matches_are_numbered_from_1(shelf):
    assert [save(shelf) for _ in range(3)] == [1, 2, 3]
    assert sorted(shelf.idents()) == [1, 2, 3]


def test_a_discarded_match_is_deleted_and_an_unsaved_one_never_written(shelf):
    saved = shelf.create(setup())
    saved.apply(Move(1))
    saved.discard()
    unsaved = SavedMatch.unsaved(setup())
    unsaved.apply(Move(1))
    unsaved.discard()
    assert (unsaved.ident, unsaved.match.table.moves) == (0, [1])
    assert [*shelf.folder.iterdir()] == []


@pytest.mark.skipif(os.name != "posix", reason="others are kept out otherwise there")
def test_only_the_owner_can_access_saved_matches(shelf):
    before = os.umask(0)
    try:
        playing = shelf.create(setup())
    finally:
        os.umask(before)
    found = {one.name: one.stat().st_mode & 0o777 for one in shelf.folder.iterdir()}
    assert found == {"1.jsonl": 0o600, "1.lock": 0o600}
    assert shelf.folder.stat().st_mode & 0o777 == 0o700
    playing.close()


EVENTS = [
    Move(1),
    Swap(True),
    Move(2),
    Move(1),
    Undo(2),
    Move(1),
    Resign(1),
    Move(2),
    Swap(False),
    Move(2),
    Undo(1),
]


@pytest.mark.parametrize("count", range(len(EVENTS) + 1))
def test_a_match_is_resumed_exactly_where_it_was_left(shelf, count):
    agreed = {"rounds": 3, "swap": True, "first": 2, "players": ("human", "random")}
    playing = shelf.create(setup(**agreed))
    for event in EVENTS[:count]:
        playing.apply(event)
    playing.match.begin_due_rounds()
    playing.close()
    resumed = shelf.open(1)
    assert state(resumed.match) == state(playing.match)
    assert resumed.match.setup == playing.match.setup
    for event in EVENTS[count:]:
        resumed.apply(event)
    resumed.close()
    assert state(shelf.read(1))[:4] == (2, [2], [1], shelf.read(1).table.position)
    assert shelf.read(1).wins == {1: 0, 2: 1}


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("divisor-duel", {"divisor": 10**999 + 7, "start": 5, "ceiling": 10**1000 - 1}),
        ("operation-duel", {"operations": "-3,x7,+2", "target": 99}),
        ("divisor-line", {"size": 16, "goal": "chain"}),
        ("double-or-add", {"target": 8}),
        ("multiplicity", {"size": 9, "start": 3, "opening": "even", "start_open": True}),
    ],
)
def test_every_setting_comes_back(shelf, key, settings):
    people = {"names": ("Ada", None), "coach": True, "coin": True}
    agreed = setup(key, settings, turn_limit=12, seed=2**64 - 1, best_of=True, rounds=3, **people)
    shelf.create(agreed).close()
    assert shelf.read(1).setup == agreed


def test_a_match_of_an_earlier_version_is_read(shelf):
    shelf.folder.mkdir(parents=True)
    path(shelf, 1).write_text(header() + '\n{"move": 1}\n')
    match = shelf.read(1)
    assert match.setup == setup()
    assert match.table.moves == [1]


def test_a_move_is_written_and_synced_before_apply_returns(shelf, monkeypatch):
    playing = shelf.create(setup())
    synced = []
    monkeypatch.setattr(
        os, "fsync", lambda _: synced.append(path(shelf, 1).read_bytes().splitlines()[-1])
    )
    playing.apply(Move(2))
    assert synced == [b'{"move": 2}']
    playing.close()


def test_a_new_match_is_synced_with_its_folder(shelf, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor)))
    shelf.create(setup()).close()
    assert [one.st_ino for one in synced] == [
        path(shelf, 1).stat().st_ino,
        shelf.folder.stat().st_ino,
    ]


def test_a_refused_event_is_not_written(shelf):
    playing = shelf.create(setup())
    before = path(shelf, 1).read_bytes()
    for event in (Move(3), Undo(1), Swap(True), Next(), Ask(1)):
        with pytest.raises(IllegalMove):
            playing.apply(event)
    assert path(shelf, 1).read_bytes() == before
    playing.close()


def test_a_file_cut_at_any_byte_loses_at_most_the_unfinished_line(shelf):
    save(shelf, Move(1), Move(2), Undo(1), Move(1), rounds=2)
    whole = path(shelf, 1).read_bytes()
    header = whole.index(b"\n") + 1
    for cut in range(header, len(whole) + 1):
        path(shelf, 1).write_bytes(whole[:cut])
        events = whole[header:cut].count(b"\n")
        playing = shelf.open(1)
        moves = list(playing.match.table.moves)
        assert moves == [[], [1], [1, 2], [1], [1, 1]][events]
        playing.apply(Move(2))
        playing.close()
        assert shelf.read(1).table.moves == [*moves, 2]
    for cut in range(header):
        path(shelf, 1).write_bytes(whole[:cut])
        with pytest.raises(RecordError, match=r"^1\.jsonl: line 1: nothing was saved yet$"):
            shelf.open(1)
        assert path(shelf, 1).read_bytes() == whole[:cut]


def test_a_full_disk_leaves_the_saved_events_and_no_empty_match(shelf, monkeypatch):
    playing = shelf.create(setup())
    playing.apply(Move(1))
    whole = path(shelf, 1).read_bytes()

    def half(descriptor, line, write=os.write):
        return write(descriptor, line[: len(line) // 2])

    monkeypatch.setattr(saved_module.os, "write", half)
    with pytest.raises(OSError, match="the disk is full"):
        playing.apply(Move(2))
    playing.close()
    assert path(shelf, 1).read_bytes().startswith(whole)
    with pytest.raises(OSError, match="the disk is full"):
        shelf.create(setup())
    assert shelf.idents() == [1]
    monkeypatch.undo()
    resumed = shelf.open(1)
    assert resumed.match.table.moves == [1]
    assert path(shelf, 1).read_bytes() == whole
    resumed.close()


def test_a_match_left_between_two_rounds_is_resumed_in_the_next_round(shelf):
    save(shelf, Move(1), settings=QUICK, rounds=3)
    save(shelf, Resign(1), rounds=3)
    for ident in (1, 2):
        match = shelf.read(ident)
        assert (match.round, match.table.moves, len(match.finished)) == (2, [], 1)


def test_a_match_in_which_nothing_can_happen_is_finished(shelf):
    save(shelf, key="multiplicity", settings={"size": 1}, rounds=3)
    assert shelf.read(1).over


# Opening.


def test_a_finished_match_cannot_be_opened(shelf):
    save(shelf, Move(1), settings=QUICK)
    with pytest.raises(RecordError, match="game 1 is finished"):
        shelf.open(1)


@pytest.mark.parametrize("reach", ["open", "read"])
def test_a_missing_match_is_refused(shelf, reach):
    with pytest.raises(RecordError, match="there is no game 5"):
        getattr(shelf, reach)(5)


def test_the_newest_unfinished_match_is_opened_by_default(shelf):
    save(shelf)
    save(shelf, Move(1))
    save(shelf, Move(1), settings=QUICK)
    path(shelf, save(shelf)).write_text("damaged\n")
    newest = shelf.newest()
    assert newest.ident == 2
    second = shelf.newest()
    assert second.ident == 1  # the other one is being played
    with pytest.raises(BeingPlayed, match="game 1 is being played in another window"):
        shelf.newest()
    newest.close()
    second.close()


def test_without_an_unfinished_match_none_is_opened(shelf):
    save(shelf, Move(1), settings=QUICK)
    with pytest.raises(RecordError, match="there is no unfinished game"):
        shelf.newest()


def test_a_match_that_is_being_played_is_not_opened_twice(shelf):
    playing = shelf.create(setup())
    with pytest.raises(BeingPlayed, match="game 1 is being played in another window"):
        shelf.open(1)
    assert shelf.read(1).table.moves == []  # reading is allowed
    playing.close()
    again = shelf.open(1)
    with pytest.raises(BeingPlayed):
        shelf.open(1)
    again.close()


def test_a_refused_opening_leaves_no_lock_behind(shelf):
    save(shelf)
    whole = path(shelf, 1).read_bytes()
    path(shelf, 1).write_bytes(whole + b"damaged\n")
    with pytest.raises(RecordError):
        shelf.open(1)
    path(shelf, 1).write_bytes(whole)
    shelf.open(1).close()


# Damage.


def header(**changed):
    fields = {
        "format": "numduel-match/1",
        "game": "double-or-add",
        "settings": {"target": 31, "start": 1},
        "players": ["human", "human"],
        "first": 1,
        "rounds": 1,
        "swap": False,
        "turn_limit": None,
        "seed": 7,
        "started": "2026-01-02T03:04:05+00:00",
        **changed,
    }
    return json.dumps({name: value for name, value in fields.items() if value != "gone"})


DAMAGED = [
    ("", "line 1: nothing was saved yet"),
    ("\n", "line 1: not JSON"),
    ("[]\n", "line 1: not a JSON object"),
    ("7\n", "line 1: not a JSON object"),
    ("{}\n", "line 1: field 'format' must be 'numduel-match/1', not none"),
    (header(format="numduel-record/1") + "\n", "line 1: field 'format' must be 'numduel-match/1'"),
    (header(game="gone") + "\n", "line 1: field 'game' is missing"),
    (header(more=1) + "\n", "line 1: field 'more' is unknown"),
    (header(game="chess") + "\n", "this match needs the game 'chess', which is not installed"),
    (header(game=["chess"]) + "\n", "this match needs the game \"['chess']\""),
    (header(settings=[]) + "\n", "line 1: field 'settings' must be an object, not a list"),
    (header(settings={"goal": 3}) + "\n", "line 1: there is no setting 'goal'"),
    (header(settings={"self": 3}) + "\n", "line 1: there is no setting 'self'"),
    (header(settings={"target": 1}) + "\n", "line 1: target must be"),
    (header(settings={"target": True}) + "\n", "line 1: target must be"),
    (header(players=["human"]) + "\n", "line 1: field 'players' must be two names"),
    (header(players=["human", 7]) + "\n", "line 1: field 'players' must be text"),
    (header(players=["human", "robot"]) + "\n", "line 1: a player is human"),
    (header(first=3) + "\n", "line 1: field 'first' must be 1 or 2, not 3"),
    (header(first=True) + "\n", "line 1: field 'first' must be 1 or 2, not True"),
    (header(rounds=0) + "\n", "line 1: rounds must be from 1 to 1,000, not 0"),
    (header(rounds="2") + "\n", "line 1: field 'rounds' must be of type int, not '2'"),
    (header(swap=1) + "\n", "line 1: field 'swap' must be of type bool, not 1"),
    (header(turn_limit=1.5) + "\n", "line 1: field 'turn_limit' must be of type int, not a float"),
    (header(turn_limit=-1) + "\n", "line 1: turn-limit must be from 1 to 100,000, not -1"),
    (header(seed=None) + "\n", "line 1: field 'seed' must be of type int, not none"),
    (header(started="now") + "\n", "line 1: field 'started' must be a time, not 'now'"),
    (header(started="\x1b[2J") + "\n", "line 1: field 'started' must be a time, not '\\x1b[2J'"),
    (header(started=3) + "\n", "line 1: field 'started' must be a time, not 3"),
    (header(best_of=1) + "\n", "line 1: field 'best_of' must be of type bool, not 1"),
    (header(best_of=True, rounds=2) + "\n", "line 1: best-of must be an odd number of rounds"),
    (header(coin=None) + "\n", "line 1: field 'coin' must be of type bool, not none"),
    (header(names="Ada") + "\n", "line 1: field 'names' must be two names, or null"),
    (header(moves=3) + "\n", "line 1: field 'moves' must be a list of moves"),
    (header(names=["Ada", 7]) + "\n", "line 1: field 'names' must be of type str, not 7"),
    (header(names=["\x1b[2J", None]) + "\n", "line 1: a name has 1 to 20 printable characters"),
    (header() + "\n\n", "line 2: not JSON"),
    (header() + '\n{"move": 1}\nrubbish\n{"move": 1}\n', "line 3: not JSON"),
    (header() + '\n{"move": 1\n', "line 2: not JSON"),
    (header() + '\n{"move": 9}\n', "line 2: 9 is not in the menu"),
    (header() + f'\n{{"move": {"9" * 5000}}}\n', "line 2: field 'move' must be of type int"),
    (header() + '\n{"settle": 1}\n', "line 2: must be one of move, swap"),
    (header() + '\n{"undo": 1}\n', "line 2: undo is not possible: there are 0 moves"),
    (header() + '\n{"swap": true}\n', "line 2: swap is not possible"),
    (
        header() + '\n{"next": true}\n',
        "line 2: next is not possible: it does not happen",
    ),
    (header() + '\n{"resign": 1}\n{"move": 1}\n', "line 3: 1 is not possible: the game is over"),
    (header() + "\n" + "[" * 100_000 + "\n", "line 2: nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), DAMAGED)
def test_damage_is_named_by_line_and_the_file_is_left_as_it_was(shelf, text, message):
    shelf.folder.mkdir(parents=True)
    path(shelf, 1).write_text(text)
    for reach in (shelf.open, shelf.read):
        with pytest.raises(RecordError) as refused:
            reach(1)
        assert str(refused.value).removeprefix("1.jsonl: ").startswith(message)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 400
    assert path(shelf, 1).read_text() == text


def test_bytes_that_are_not_text_are_named_by_line(shelf):
    shelf.folder.mkdir(parents=True)
    path(shelf, 1).write_bytes(header().encode() + b'\n{"move": \xff}\n')
    with pytest.raises(RecordError, match=r"^1\.jsonl: line 2: byte 9: not UTF-8 text$"):
        shelf.read(1)


def test_a_file_that_is_too_large_is_not_read(shelf):
    shelf.folder.mkdir(parents=True)
    with path(shelf, 1).open("wb") as file:
        file.truncate(MAX_RECORD_BYTES + 1)
    with pytest.raises(RecordError, match=r"^1\.jsonl: more than 16,777,216 bytes$"):
        shelf.read(1)


def test_anything_but_a_regular_file_is_refused_and_not_opened(shelf):
    shelf.folder.mkdir(parents=True)
    os.mkfifo(path(shelf, 1))  # opening it would wait for a writer
    path(shelf, 2).symlink_to(path(shelf, 2))
    for reach in (shelf.open, shelf.read, shelf.delete):
        with pytest.raises(RecordError, match=r"^1\.jsonl: not a file$"):
            reach(1)
        with pytest.raises(RecordError, match=r"^2\.jsonl: Too many levels of symbolic links$"):
            reach(2)
    assert [str(entry.error) for entry in shelf.entries()][1] == "1.jsonl: not a file"


def test_a_file_that_cannot_be_read_is_named(shelf, monkeypatch):
    save(shelf)

    def refuse(self):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(type(shelf.folder), "read_bytes", refuse)
    with pytest.raises(RecordError, match=r"^1\.jsonl: Permission denied$"):
        shelf.read(1)


# Deleting.


def test_a_deleted_match_is_gone(shelf):
    for _ in range(3):
        save(shelf)
    path(shelf, 2).write_text("damaged\n")
    shelf.delete(2)
    assert sorted(shelf.idents()) == [1, 3]
    assert save(shelf) == 4  # a number is not used again while a later one exists
    with pytest.raises(RecordError, match="there is no game 2"):
        shelf.delete(2)


def test_a_match_that_is_being_played_is_not_deleted(shelf):
    playing = shelf.create(setup())
    with pytest.raises(BeingPlayed, match="game 1 is being played in another window"):
        shelf.delete(1)
    playing.apply(Move(1))
    playing.close()
    shelf.delete(1)
    assert list(shelf.entries()) == []


def test_no_lock_files_are_left_behind(shelf):
    playing = shelf.create(setup())
    assert len(list(shelf.folder.iterdir())) == 2
    playing.close()
    shelf.open(1).close()
    assert list(shelf.folder.iterdir()) == [path(shelf, 1)]


def test_a_folder_that_cannot_be_synced_is_no_error(shelf, monkeypatch):
    def refuse(*_):
        raise PermissionError  # as Windows does

    real = os.open
    monkeypatch.setattr(
        saved_module.os,
        "open",
        lambda path, *rest: refuse() if path == shelf.folder else real(path, *rest),
    )
    assert save(shelf, Move(1)) == 1


# History.


def test_entries_are_newest_first_and_include_damaged_matches(shelf):
    save(shelf, Move(1))
    save(shelf, Move(1), settings=QUICK)
    path(shelf, save(shelf)).write_text("rubbish\n")
    path(shelf, 10).write_text(header() + "\n")
    entries = list(shelf.entries())
    assert [entry.ident for entry in entries] == [10, 3, 2, 1]
    assert [entry.match and entry.match.over for entry in entries] == [False, None, True, False]
    assert [str(entry.error)[:24] for entry in entries if entry.error] == [
        "3.jsonl: line 1: not JSO"
    ]


def test_entries_leave_out_matches_that_are_being_created(shelf):
    save(shelf)
    path(shelf, 2).write_text("")
    path(shelf, 3).write_text(header()[:40])
    assert [entry.ident for entry in shelf.entries()] == [1]
    assert save(shelf) == 4


def test_other_files_in_the_folder_are_ignored(shelf):
    save(shelf)
    for name in ("note.txt", "x.jsonl", "01.jsonl", "-2.jsonl", "²3.jsonl", ".jsonl"):
        (shelf.folder / name).write_text("rubbish\n")
    assert [entry.ident for entry in shelf.entries()] == [1]
    assert save(shelf) == 2


def test_there_are_no_entries_without_a_folder(shelf):
    assert list(shelf.entries()) == []


# Several processes.


CREATE = """
import os, sys
from pathlib import Path
import numduel
from numduel.play.event import Move
from numduel.play.saved import Shelf
from numduel.play.setup import Setup

print("ready", flush=True)
sys.stdin.readline()
game = numduel.new("double-or-add")
for seed in range(10):
    agreed = Setup(game, ("human", "human"), 1, 1, False, None, seed, "2026-01-02T03:04:05+00:00")
    playing = Shelf(Path(sys.argv[1])).create(agreed)
    for move in (1, 2, 1):
        playing.apply(Move(move))
    playing.close()
"""

HOLD = """
import sys
from pathlib import Path
from numduel.play.event import Move
from numduel.play.saved import Shelf

playing = Shelf(Path(sys.argv[1])).open(1)
print("ready", flush=True)
sys.stdin.readline()
playing.apply(Move(1))
playing.close()
"""


def start_waiting(shelf, program):
    """Start another process, which waits for a line of input."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, shelf.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    return process


def test_many_processes_that_create_at_once_get_a_match_each(shelf):
    processes = [start_waiting(shelf, CREATE) for _ in range(6)]
    for process in processes:
        process.stdin.write(b"\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * 6
    matches = [entry.match for entry in shelf.entries()]
    assert sorted(shelf.idents()) == list(range(1, 61))
    assert all(match is not None and match.table.moves == [1, 2, 1] for match in matches)
    assert sorted(match.setup.seed for match in matches) == sorted([*range(10)] * 6)


def test_only_one_process_plays_a_match(shelf):
    save(shelf)
    holder = start_waiting(shelf, HOLD)
    with pytest.raises(NumduelError, match="game 1 is being played in another window"):
        shelf.open(1)
    holder.communicate(b"\n")
    again = shelf.open(1)
    assert again.match.table.moves == [1]
    again.close()


def test_a_killed_process_releases_its_match(shelf):
    save(shelf)
    holder = start_waiting(shelf, HOLD)
    holder.kill()
    holder.communicate()
    shelf.open(1).close()


def test_a_number_that_another_process_takes_first_is_passed_over(shelf, monkeypatch):
    save(shelf)
    monkeypatch.setattr(shelf, "idents", list)  # as if the folder were still empty
    assert save(shelf) == 2


def test_another_error_of_a_lock_is_not_hidden(shelf, monkeypatch):
    save(shelf)

    def refuse(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OSError, match="No locks available"):
        shelf.open(1)
