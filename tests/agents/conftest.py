"""What the tests of all adapters need."""

import pytest
from elsewhere import REGISTERED

from numduel.games import OURS


@pytest.fixture
def games_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are known by their keys, as if their packages were installed."""
    for key, target in REGISTERED.items():
        monkeypatch.setitem(OURS, key, target)
