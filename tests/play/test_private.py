import os
import stat

import pytest

from numduel.play.private import make_folder, opener

pytestmark = pytest.mark.skipif(os.name != "posix", reason="others are kept out otherwise there")


@pytest.fixture(autouse=True)
def lenient():
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_folder_and_those_above_it_are_for_their_owner_alone(tmp_path):
    tmp_path.chmod(0o755)
    make_folder(tmp_path / "home" / "games")
    assert [mode(tmp_path / name) for name in ("", "home", "home/games")] == [0o755, 0o700, 0o700]
    make_folder(tmp_path / "home" / "games")


def test_a_file_in_place_of_a_folder_is_said(tmp_path):
    (tmp_path / "home").touch()
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "home")


def test_a_new_file_is_for_its_owner_alone(tmp_path):
    with open(tmp_path / "game", "xb", opener=opener):
        pass
    assert mode(tmp_path / "game") == 0o600
