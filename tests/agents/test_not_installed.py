"""What an adapter says where its framework is not there."""

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules.update(dict.fromkeys(['gymnasium', 'pettingzoo', 'pyspiel']))"


@pytest.mark.parametrize("adapter", ["gymnasium", "openspiel", "pettingzoo"])
def test_what_is_not_installed_is_named_with_its_extra(adapter):
    done = subprocess.run(
        [sys.executable, "-c", f"{HIDDEN}; import numduel.agents.{adapter}"],
        capture_output=True,
        text=True,
    )
    assert done.stderr.splitlines()[-1].endswith(f"pip install 'numduel[{adapter}]'")
