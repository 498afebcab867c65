"""Random mutants of the rules, solvers and players, and how many of them the tests kill.

    python -m benchmarks.mutants [--count 60] [--seed 1] [--jobs 2] [--root FOLDER]

A mutant is one small change: `<` to `<=`, `+` to `-`, a number plus one, a condition turned round.
It is killed if a test fails, or if the tests take far longer than without it. Type annotations are
left alone. `--root` names another checkout, to compare two versions with the same script.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

TESTS = {  # by package, the folders of tests that protect it, its own first
    "core": ["core", "games", "solver", "play", "players", "proof", "test_conformance.py"],
    "games": ["games", "play", "players", "proof", "theory", "test_conformance.py"],
    "solver": ["solver", "games", "players", "proof", "theory"],
    "play": ["play"],
    "players": ["players", "play"],
}
TIMEOUT_SECONDS = 300
"""If the tests of a folder take longer, the mutant counts as killed."""

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


class Mutant(NamedTuple):
    file: Path  # below the root
    line: int
    what: str  # such as "Lt -> LtE"
    text: str  # the complete source of the module


class Result(NamedTuple):
    mutant: Mutant
    killed_by: str  # the test that failed; empty: it survived


def code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and all below it, except for type annotations."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from code(child)


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the possible changes of a node: a description, and a function that makes the change."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            swap = SWAPS[type(operator)]
            described = f"{type(operator).__name__} -> {swap.__name__}"
            yield described, lambda place=place, swap=swap: node.ops.__setitem__(place, swap())
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
        swap = SWAPS[type(node.op)]
        described = f"{type(node.op).__name__} -> {swap.__name__}"
        yield described, lambda: setattr(node, "op", swap())
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} -> {not node.value}", lambda: setattr(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} -> + 1", lambda: setattr(node, "value", node.value + 1)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        turned = ast.UnaryOp(ast.Not(), node.test)
        yield "condition -> not condition", lambda: setattr(node, "test", turned)


def mutants(root: Path, count: int, seed: int) -> list[Mutant]:
    """Return random mutants of the packages in TESTS. All changes are equally likely."""
    places = [
        (file, number, choice)
        for package in TESTS
        for file in sorted((root / "src/numduel" / package).rglob("*.py"))
        for number, node in enumerate(code(ast.parse(file.read_text())))
        for choice, _ in enumerate(changes(node))
    ]
    found = []
    for file, number, choice in random.Random(seed).sample(places, count):
        tree = ast.parse(file.read_text())
        node = [*code(tree)][number]
        what, change = [*changes(node)][choice]
        change()
        text = ast.unparse(ast.fix_missing_locations(tree))
        found.append(Mutant(file.relative_to(root), getattr(node, "lineno", 0), what, text))
    return found


def run_tests(root: Path, source: Path, folders: list[str], options: list[str]) -> tuple[int, str]:
    """Run tests of the root against this source; return the exit status and the output."""
    path = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-rfE", "-p", "no:cacheprovider", *options]
    ran = subprocess.run(
        [*command, *(f"tests/{folder}" for folder in folders)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    return ran.returncode, ran.stdout


def failures(output: str) -> list[str]:
    """Return the names of the tests that failed."""
    return re.findall(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", output, re.MULTILINE)


def judge(root: Path, mutant: Mutant, left_out: list[str]) -> Result:
    """Run the tests that protect the mutant's package until one fails."""
    skipped = [f"--deselect={name}" if "::" in name else f"--ignore={name}" for name in left_out]
    options = ["-x", "-n", "0", *skipped]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(root / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        (Path(folder) / mutant.file).write_text(mutant.text)
        for tests in TESTS[mutant.file.parts[2]]:
            try:
                status, output = run_tests(root, source, [tests], options)
            except subprocess.TimeoutExpired:
                return Result(mutant, f"time-out in tests/{tests}")
            if status:
                return Result(mutant, (failures(output) or [f"exit status {status}"])[0])
    return Result(mutant, "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    given = parser.parse_args()
    root = given.root.resolve()
    folders = list(dict.fromkeys(folder for each in TESTS.values() for folder in each))
    options = ["-n", str(given.jobs), "--continue-on-collection-errors"]
    status, output = run_tests(root, root / "src", folders, options)
    left_out = failures(output)
    if status and not left_out:
        parser.error(f"the tests cannot be run: {output[-500:]}")
    for name in left_out:
        print(f"fails without any mutant, left out: {name}", flush=True)
    print(output.splitlines()[-1], flush=True)
    killed = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for mutant, why in pool.map(
            lambda mutant: judge(root, mutant, left_out), mutants(root, given.count, given.seed)
        ):
            killed += bool(why)
            verdict = f"killed by {why}" if why else "SURVIVED"
            print(f"{mutant.file}:{mutant.line} {mutant.what}: {verdict}", flush=True)
    print(f"{killed} of {given.count} killed")


if __name__ == "__main__":
    main()
