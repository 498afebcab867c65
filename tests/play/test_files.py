"""Records in files, private files and folders, and locked folders."""

import os
import stat

import pytest

from numduel import Record, RecordError, SettingsError
from numduel.core.record import MAX_RECORD_BYTES
from numduel.play.files import (
    check_writable,
    locked_folder,
    make_private_folder,
    private_opener,
    read_record,
    write_atomically,
    write_record,
)

RECORD = Record(
    game="double-or-add",
    settings={"target": 31, "start": 1},
    players=("human", "random"),
    first=2,
    moves=(1, 2),
    outcome=None,
    started="2026-01-02T03:04:05+00:00",
)


def test_a_written_record_can_be_read(tmp_path):
    path = tmp_path / "game.json"
    write_record(path, RECORD)
    assert read_record(path) == RECORD
    assert [one.name for one in tmp_path.iterdir()] == ["game.json"]


def test_an_older_file_is_replaced_completely(tmp_path):
    path = tmp_path / "game.json"
    path.write_text("x" * 10_000)
    write_record(path, RECORD)
    assert path.read_text() == RECORD.dumps()


def test_a_link_stays_a_link(tmp_path):
    link, target = tmp_path / "link.json", tmp_path / "target.json"
    link.symlink_to(target)
    write_record(link, RECORD)
    assert link.is_symlink()
    assert read_record(target) == RECORD


def test_an_error_names_the_file_that_was_asked_for(tmp_path):
    path = tmp_path / "nowhere" / "plot.svg"
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(path, b"")
    assert caught.value.filename == str(path)


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_record(check_writable(pipe), RECORD)
    assert pipe.is_fifo()
    assert os.read(reader, 10_000).decode() == RECORD.dumps()
    os.close(reader)


def test_a_failed_write_leaves_the_older_file_and_no_part_of_the_new_one(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    path.write_text("older")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordError, match=r"game\.json: cannot be written: No space left"):
        write_record(path, RECORD)
    assert path.read_text() == "older"
    assert [one.name for one in tmp_path.iterdir()] == ["game.json"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(RecordError, match=r"gone/game\.json: cannot be written: No such file"):
        write_record(tmp_path / "gone" / "game.json", RECORD)


def test_a_path_is_refused_if_no_record_can_be_written_there(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    assert check_writable(path) == path
    with pytest.raises(RecordError, match="is a folder: a record is written to a file"):
        check_writable(tmp_path)
    with pytest.raises(RecordError, match=r"game\.json: there is no folder '.*/gone'"):
        check_writable(tmp_path / "gone" / "game.json")
    monkeypatch.setattr(os, "access", lambda place, _: place != tmp_path)
    with pytest.raises(RecordError, match=r"game\.json: cannot write to the folder '"):
        check_writable(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: not JSON"),
        (b'{\n"format"\n', "line 3: not JSON"),
        (b"\xff", "byte 0: not UTF-8 text"),
        (b'{"format": "other/2"}', "field 'format' must be 'numduel-record/1', not 'other/2'"),
        (RECORD.dumps().replace("[1, 2]", '[1, "2"]').encode(), "field 'moves' must be a list of"),
        (RECORD.dumps().replace('"first"', '"fist"').encode(), "field 'fist' is unknown"),
        pytest.param(
            b" " * (MAX_RECORD_BYTES + 2), "a record has at most 16,777,216 bytes", id="long"
        ),
    ],
)
def test_damage_is_named_by_file_and_line_or_field(tmp_path, content, message):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(RecordError) as refused:
        read_record(path)
    assert str(refused.value).startswith(f"{path}: {message}")
    assert path.read_bytes() == content


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(RecordError, match=r"none\.json: No such file or directory$"):
        read_record(tmp_path / "none.json")
    with pytest.raises(RecordError, match=r": Is a directory$"):
        read_record(tmp_path)


@pytest.fixture
def lenient():
    if os.name != "posix":
        pytest.skip("others are kept out by other means there")
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_can_access_a_new_folder_and_those_above_it(tmp_path, lenient):
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path / "home" / "games")
    assert [mode(tmp_path / name) for name in ("", "home", "home/games")] == [0o755, 0o700, 0o700]
    make_private_folder(tmp_path / "home" / "games")


def test_a_file_in_place_of_a_folder_is_an_error(tmp_path):
    (tmp_path / "home").touch()
    with pytest.raises(FileExistsError):
        make_private_folder(tmp_path / "home")


def test_only_the_owner_can_access_a_new_file(tmp_path, lenient):
    with open(tmp_path / "game", "xb", opener=private_opener):
        pass
    assert mode(tmp_path / "game") == 0o600


def test_a_folder_is_filled_by_one_process_at_a_time(tmp_path):
    with locked_folder(tmp_path, "arena", "log"):
        (tmp_path / "log").touch()
        (tmp_path / ".numduel-1").touch()  # as a process that was killed leaves it
        with (
            pytest.raises(SettingsError, match=r"^another arena is writing to "),
            locked_folder(tmp_path, "arena", "log"),
        ):
            pass
    with locked_folder(tmp_path, "arena", "log"):
        assert sorted(one.name for one in tmp_path.iterdir()) == [".lock", "log"]


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "mine").touch()
    with (
        pytest.raises(SettingsError, match=" is not empty, and holds no arena: choose another"),
        locked_folder(tmp_path, "arena", "log"),
    ):
        pass
