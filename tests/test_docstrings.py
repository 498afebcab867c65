"""The public names have docstrings, and the examples in the docstrings are right."""

import doctest
import importlib
import inspect
from pkgutil import iter_modules

import pytest

import numduel
import numduel.core

MODULES = [
    "numduel.conformance",
    "numduel.games",
    "numduel.play.game_loop",
    "numduel.proof.certificate",
    "numduel.proof.certify",
    "numduel.proof.verify",
    "numduel.solver",
    *(f"numduel.core.{module.name}" for module in iter_modules(numduel.core.__path__)),
]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0


@pytest.mark.parametrize("name", ["numduel", *MODULES])
def test_public_functions_and_classes_have_docstrings(name):
    module = importlib.import_module(name)
    undocumented = [
        f"{one.__module__}.{one.__qualname__}"
        for one in _public(module)
        if one.__module__.startswith("numduel.") and not inspect.getdoc(one)
    ]
    assert undocumented == []


def _public(module):
    """Yield the functions and classes of a module, and the methods that the classes define."""
    own = getattr(module, "__all__", None) or [
        name
        for name, one in vars(module).items()
        if not name.startswith("_") and getattr(one, "__module__", "") == module.__name__
    ]
    for one in (getattr(module, name) for name in own):
        if inspect.isclass(one):
            yield one
            for name, member in vars(one).items():
                if inspect.isfunction(member) and not name.startswith("_"):
                    yield member
        elif inspect.isfunction(one):
            yield one


PUBLIC = ["numduel", *(name for name in MODULES if name.startswith("numduel.core."))]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_functions_and_classes_show_an_example(name):
    """Named tuples and errors need no example."""
    module = importlib.import_module(name)
    shown = {one.__qualname__ for one in _public(module) if ">>>" in (inspect.getdoc(one) or "")}
    shown |= {example.partition(".")[0] for example in shown}
    missing = {
        one.__qualname__
        for one in _public(module)
        if "." not in one.__qualname__
        and not (inspect.isclass(one) and issubclass(one, (tuple, Exception)))
    }
    assert missing - shown == set()


def test_the_methods_that_players_call_have_examples():
    shown = {
        name
        for name, member in vars(numduel.Game).items()
        if inspect.isfunction(member) and ">>>" in (inspect.getdoc(member) or "")
    }
    assert shown >= {"start", "moves", "play", "outcome", "read", "notation", "encode", "check"}
