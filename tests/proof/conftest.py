"""What the tests of certificates share."""

from random import Random

import pytest


@pytest.fixture
def rng():
    return Random(13)
