"""Mutation test: how many of a hundred broken places does the suite notice?

    python benchmarks/mutations.py [--places 100] [--seed 1] [--core 0] [--rooms decoder mert …] [--processes 2]

Each place is one token of the package, chosen at random with a seed and changed in a copy of the working tree: a
comparison reversed, a sum made a difference, a constant changed by one, a condition negated, an `and` made an `or`. The
quick tests run once under coverage, which records the tests that execute each line (for a line outside of functions:
any line of its file). At most `--tests` of these tests run against each place, until the first fails. Prints one line
per place, and the share noticed. Mutations without effect (equivalent programs) count as not noticed: the share is a
lower bound, for comparing two versions of the suite.

`--core N` also breaks N places of the core: each is compiled in its copy, and all quick tests run.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[1]
# Operators and their replacements.
COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
SUMS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*")}
CORE_CHANGES = [("<=", "<"), (">=", ">"), ("==", "!="), ("&&", "||"), (" + ", " - "), (" - ", " + "), (" < ", " <= ")]
TIMEOUT = 900.0  # seconds for the tests of a place: an endless loop counts as noticed
FOREIGN = """
import sys
sys.meta_path = [finder for finder in sys.meta_path if type(finder).__name__ != "ScikitBuildRedirectingFinder"]
"""


@dataclass(frozen=True)
class Place:
    """A part of a file, and its replacement."""

    path: str
    start: int
    end: int
    instead: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def python_places(path: Path) -> Iterator[Place]:
    """Possible mutations of a module, with offsets in its UTF-8 bytes."""
    data = path.read_bytes()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column

    def span(node: ast.expr) -> tuple[int, int]:
        return offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0)

    def between(left: ast.expr, right: ast.expr, written: str, instead: str) -> Iterator[Place]:
        """The operator between two operands."""
        start, end = span(left)[1], span(right)[0]
        found = re.search(re.escape(written.encode()), data[start:end])
        if found:
            yield Place(name, start + found.start(), start + found.end(), instead, left.lineno)

    name = str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            yield from between(node.left, node.comparators[0], *COMPARISONS[type(node.ops[0])])
        elif isinstance(node, ast.BoolOp):
            was, now = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from between(node.values[0], node.values[1], was, now)
        elif isinstance(node, ast.BinOp) and type(node.op) in SUMS and not isinstance(node.left, ast.Constant):
            yield from between(node.left, node.right, *SUMS[type(node.op)])
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield Place(name, *span(node), str(node.value + 1), node.lineno)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            start, end = span(node.test)
            yield Place(name, start, end, f"(not ({data[start:end].decode()}))", node.test.lineno)


def core_places(path: Path) -> Iterator[Place]:
    """Possible mutations of a core file, outside of comments, assertions and strings."""
    at = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(keepends=True), start=1):
        code = line.split("//")[0]
        if not any(word in code for word in ("#include", "assert", "template", '"', "<<")):
            for was, now in CORE_CHANGES:
                for found in re.finditer(re.escape(was), code):
                    start = at + len(code[: found.start()].encode())
                    yield Place(str(path.relative_to(ROOT)), start, start + len(was), now, number)
        at += len(line.encode())


def chosen(places: list[Place], number: int, rng: random.Random) -> list[Place]:
    """A sample of this size, with each line at most once."""
    lines: dict[str, Place] = {}
    for place in rng.sample(places, len(places)):
        lines.setdefault(str(place), place)
    return list(lines.values())[:number]


class Copy:
    """A copy of the working tree in a separate folder, from which tests import the package."""

    def __init__(self, folder: Path, processes: int) -> None:
        self.folder = folder
        self.processes = processes
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in listed.stdout.splitlines():
            if (ROOT / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
        (folder / "first").mkdir()
        (folder / "first" / "sitecustomize.py").write_text(FOREIGN)
        module = subprocess.run(
            [sys.executable, "-c", "import widl._core; print(widl._core.__file__)"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        self.module = folder / "src/widl" / Path(module).name
        shutil.copy2(module, self.module)
        self._whole = self.module.read_bytes()

    @cached_property
    def _coverage(self) -> CoverageData:
        data = CoverageData(str(self.folder / ".coverage"))
        data.read()
        return data

    def covering(self, path: str, line: int) -> list[str]:
        """The quick tests that execute a line; for a line executed at import, all tests that use its file."""
        lines = self._coverage.contexts_by_lineno(str(self.folder / path))
        there = lines.get(line, [])
        contexts = {one for contexts in lines.values() for one in contexts} if "" in there else set(there)
        return sorted({context.rpartition("|")[0] for context in contexts} - {""})

    def notices(self, place: Place, most: int, rng: random.Random) -> str:
        """How the tests notice a mutation: the first test that fails, or an empty string."""
        path = self.folder / place.path
        whole = path.read_bytes()
        path.write_bytes(whole[: place.start] + place.instead.encode() + whole[place.end :])
        try:
            if path.suffix != ".py":
                return self.failing(["tests"]) if self._compiled() else "it does not compile"
            tests = self.covering(place.path, place.line)
            return self.failing(rng.sample(tests, min(most, len(tests)))) if tests else ""
        finally:
            path.write_bytes(whole)
            if path.suffix != ".py":
                self.module.write_bytes(self._whole)

    def _compiled(self) -> bool:
        """Whether the broken core compiles; the module replaces the original one."""
        build = self.folder / "build/broken"
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        command = ["sh", "cmake/core-build.sh", str(build), "-DCMAKE_BUILD_TYPE=Release"]
        done = subprocess.run(
            command, cwd=self.folder, env={**os.environ, "PATH": path}, capture_output=True, check=False
        )
        if done.returncode == 0:
            shutil.copy2(next(build.glob("_core*.so")), self.module)
        return done.returncode == 0

    def failing(self, tests: list[str], *options: str, timeout: float | None = TIMEOUT) -> str:
        """The first failing test, if any."""
        first = os.pathsep.join([str(self.folder / "first"), str(self.folder / "src")])
        environment = {**os.environ, "PYTHONPATH": first, "HYPOTHESIS_PROFILE": "few"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", *tests]
        command += ["--numprocesses", str(self.processes), "--dist", "loadfile", *options]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return "it does not end"
        if done.returncode in (0, 5):  # 5: no tests were collected
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return failed.group(1) if failed else f"pytest ends with {done.returncode}"


def main() -> int:
    """Breaks the places one after another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", type=int, default=100, help="of the package in Python")
    parser.add_argument("--core", type=int, default=0, help="places of the core")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--rooms", nargs="*", help="packages below widl; all without it")
    parser.add_argument("--tests", type=int, default=200, help="most tests that run against a place")
    parser.add_argument("--processes", type=int, default=2, help="of the tests")
    arguments = parser.parse_args()

    rng = random.Random(arguments.seed)
    modules = sorted((ROOT / "src/widl").rglob("*.py"))
    if arguments.rooms:
        modules = [path for path in modules if path.relative_to(ROOT / "src/widl").parts[0] in arguments.rooms]
    others = {"testing", "fuzz", "examples"}
    sources = [path for path in sorted((ROOT / "core").rglob("*.[ch]pp")) if path.parent.name not in others]
    sources = [path for path in sources if not path.stem.endswith("_test")]
    places = chosen([place for path in modules for place in python_places(path)], arguments.places, rng)
    places += chosen([place for path in sources for place in core_places(path)], arguments.core, rng)

    noticed = 0
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copy = Copy(Path(folder), arguments.processes)
        if failing := copy.failing(["tests"], "--cov=widl", "--cov-context=test", "--cov-report=", timeout=None):
            print(f"the tests fail before anything is broken: {failing}", file=sys.stderr)
            return 1
        for number, place in enumerate(places, start=1):
            how = copy.notices(place, arguments.tests, rng)
            if "::" in how and copy.failing([how]):
                how = ""  # a test that also fails without the mutation does not count
            noticed += bool(how)
            print(f"{number}\t{place}\t{place.instead}\t{how or 'NOT NOTICED'}", flush=True)
    print(f"{noticed} of {len(places)} noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
