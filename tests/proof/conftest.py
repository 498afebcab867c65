"""A fixture of the tests of certificates."""

from random import Random

import pytest


@pytest.fixture
def rng():
    return Random(13)
