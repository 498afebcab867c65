"""The error of an adapter whose framework is not installed."""

import subprocess
import sys

import pytest

from numduel.core.errors import install_command

FRAMEWORKS = {
    "batch": "numpy",
    "gymnasium": "gymnasium",
    "inspect": "inspect_ai",
    "openenv": "openenv",
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "pgx": "jax",
    "plybench": "plybench",
    "reasoning_gym": "reasoning_gym",
    "textarena": "textarena",
    "verifiers": "verifiers",
}
HIDDEN = f"import sys; sys.modules.update(dict.fromkeys({[*FRAMEWORKS.values()]}))"


@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_a_missing_framework_is_named_with_its_extra(adapter):
    extra = "fast" if adapter == "batch" else adapter.replace("_", "-")
    done = subprocess.run(
        [sys.executable, "-c", f"{HIDDEN}; import numduel.agents.{adapter}"],
        capture_output=True,
        text=True,
    )
    assert done.stderr.splitlines()[-1].endswith(install_command(extra))
