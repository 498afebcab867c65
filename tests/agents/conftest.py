"""What the tests of all adapters need."""

from collections.abc import Iterator

import pytest
from elsewhere import REGISTERED

from numduel.games import OUR_GAMES, game_type


@pytest.fixture
def games_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are known by their keys, as if their packages were installed, and no longer after."""
    for key, target in REGISTERED.items():
        monkeypatch.setitem(OUR_GAMES, key, target)
    yield
    game_type.cache_clear()
