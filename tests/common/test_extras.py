"""Each use of `widl` imports only the packages that its extra installs, and names the extra if one is missing."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import widl
from tests.command import refused
from widl.common.errors import InputError, MissingPackageError
from widl.common.extras import TOOLS, extras, import_name, optional_packages

SOURCE = Path(widl.__file__).parent
ROOMS = {
    "cli": [],
    "combination": [],
    "common": [],
    "decoder": ["explore"],  # drawings
    "experiments": ["experiments"],
    "expressions": ["explore"],  # drawings
    "headline": ["headline"],
    "mert": ["experiments"],  # pages
    "metrics": ["experiments"],
    "pages": ["experiments", "explore"],
    "phrase_table": [],
    "pipeline": ["experiments", "cluster"],
    "text": ["translation", "headline", "experiments"],  # Chinese and English; the language of documents; Penn's tokens
    "translation": [],
    "web": ["explore"],
}
"""For each room, the extras whose packages it may import, besides the packages that are always installed."""
PARTS = {"isal": "xopen"}
"""Packages that others install on some machines."""


def base() -> set[str]:
    """The packages that `widl` always installs, as imports spell them."""
    required = map(Requirement, requires("widl") or [])
    return {import_name(one.name) for one in required if one.marker is None or "extra" not in str(one.marker)}


class Imports(ast.NodeVisitor):
    """The packages that a module imports, those inside of ``with optional_packages()`` apart."""

    def __init__(self) -> None:
        self.plain: set[str] = set()
        self.guarded: set[str] = set()
        self._found = self.plain

    def visit_With(self, node: ast.With) -> None:
        calls = [ast.unparse(item.context_expr) for item in node.items]
        before, self._found = self._found, self.guarded if "optional_packages()" in calls else self._found
        self.generic_visit(node)
        self._found = before

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self._found |= {alias.name.partition(".")[0] for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._found |= {(node.module or "").partition(".")[0]} if node.level == 0 else set()


def imports_of(path: Path) -> Imports:
    found = Imports()
    found.visit(ast.parse(path.read_text(encoding="utf-8")))
    for names in (found.plain, found.guarded):
        names -= {*sys.stdlib_module_names, "widl"}
    return found


def modules() -> Iterator[tuple[str, Path]]:
    """The modules of all rooms."""
    for path in sorted(SOURCE.rglob("*.py")):
        room, *rest = path.relative_to(SOURCE).parts
        if rest:
            yield room, path


def test_each_room_has_its_extras() -> None:
    assert {room for room, _ in modules()} == set(ROOMS)
    assert set().union(*ROOMS.values()) == set(extras()) - TOOLS


@pytest.mark.parametrize("room", ROOMS)
def test_imports_stand_in_the_extras_of_their_room(room: str) -> None:
    allowed = base().union(*(extras()[extra] for extra in ROOMS[room]))
    found = {path.stem: imports_of(path) for name, path in modules() if name == room}
    used = {(module, PARTS.get(name, name)) for module, i in found.items() for name in i.plain | i.guarded}
    assert {(module, name) for module, name in used if name not in allowed} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_packages_of_extras_are_guarded(room: str) -> None:
    """By the module itself, or by the folder that Python imports before it."""
    whole_room = imports_of(SOURCE / room / "__init__.py").guarded
    found = {path.stem: imports_of(path) for name, path in modules() if name == room}
    plain = {(module, PARTS.get(name, name)) for module, i in found.items() for name in i.plain - i.guarded}
    assert {(module, name) for module, name in plain if name not in base() | whole_room} == set()


def test_no_package_is_installed_in_vain() -> None:
    used: dict[str, set[str]] = {room: set() for room in ROOMS}
    for room, path in modules():
        found = imports_of(path)
        used[room] |= found.plain | found.guarded
    indirect = {"threadpoolctl", "spacy"} & extras()["headline"]  # imported by name; see `import_spacy`
    assert base() - set().union(*used.values()) == set()
    for extra in set(extras()) - TOOLS:
        imported = set().union(*(used[room] for room, names in ROOMS.items() if extra in names))
        assert extras()[extra] - imported - indirect == set(), extra


# --- without the packages of other extras ---


def closure(*names: str) -> set[str]:
    """What is installed with `widl` and some extras, the packages that these packages need, too."""
    found: set[str] = set()
    wanted = [Requirement(f"widl[{','.join(names)}]" if names else "widl")]
    while wanted:
        package = wanted.pop()
        key = f"{canonicalize_name(package.name)}{sorted(package.extras)}"
        if key in found:
            continue
        found |= {key, canonicalize_name(package.name)}
        for line in requires(package.name) or []:
            part = Requirement(line)
            given = [{"extra": extra} for extra in ("", *package.extras)]
            if part.marker is None or any(map(part.marker.evaluate, given)):
                try:
                    distribution(part.name)
                except ImportError:
                    continue  # of another machine
                wanted.append(part)
    return found


BLOCK = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

REFUSED = frozenset(NAMES)
sys.meta_path.insert(0, Refusal())
"""
COMMAND = "from widl.cli import main\nmain()\n"
IMPORT = """
import importlib, pathlib
from widl.common.errors import MissingPackageError

for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except MissingPackageError as error:
        print(f"{name}: {error}")
"""


def only_with(names: tuple[str, ...], code: str, *arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess:
    """Runs code in a process of its own that can import only what `widl` and some extras install."""
    allowed = closure(*names)
    installed = {name: set(map(canonicalize_name, places)) for name, places in packages_distributions().items()}
    blocked = sorted(name for name, places in installed.items() if not places & allowed)
    program = BLOCK.replace("NAMES", repr(blocked)) + code
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=100, check=False)


def output(done: subprocess.CompletedProcess) -> str:
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("names", "rooms"),
    [
        ((), ["cli", "combination", "common", "decoder", "expressions", "phrase_table", "text", "translation"]),
        (("translation",), ["translation", "text"]),
        (("headline",), ["headline"]),
        (("experiments",), ["pages"]),
        (("explore",), ["web", "expressions", "decoder", "pages"]),
        (("cluster",), ["pipeline"]),
        (("experiments", "translation", "headline"), ["experiments", "mert", "metrics", "pipeline", "text"]),
    ],
)
def test_rooms_are_imported_with_their_extras_alone(names: tuple[str, ...], rooms: list[str]) -> None:
    found = [(room, path) for room, path in modules() if room in rooms]
    dotted = [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for _, path in found]
    lines = output(only_with(names, IMPORT, *dotted)).splitlines()
    allowed = {f"widl[{extra}]" for room in rooms for extra in ROOMS[room] if extra not in names}
    # A front end's room and the command line import what they may run without; what they need is named.
    others = (line for line in lines if not line.startswith("widl.cli"))
    assert [line for line in others if not any(extra in line for extra in allowed)] == []


HELP = """
import contextlib, io
from widl.cli import COMMANDS, run
from widl.common.errors import MissingPackageError

for name in COMMANDS:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            run([name, "--help"])
    except ImportError as error:
        assert isinstance(error.__cause__, MissingPackageError), error
        print(name)
"""


def test_most_commands_have_help_without_extras() -> None:
    assert output(only_with((), HELP)).split() == ["demo", "explore", "serve", "experiment"]


def test_expressions_need_no_extra(tmp_path: Path) -> None:
    model, text = tmp_path / "model.arpa", tmp_path / "text"
    text.write_text("the cat sat on the mat\n" * 3)
    assert output(only_with((), COMMAND, "--help")).startswith("Usage: widl COMMAND")
    only_with((), COMMAND, "lm", "estimate", text, "-o", model, "--order", "2").check_returncode()
    assert output(only_with((), COMMAND, "order", "--lm", model, stdin=b"sat cat the\n")) == "the cat sat\n"
    expression = "∥(sat, ×(the cat))".encode()
    assert output(only_with((), COMMAND, "realize", "--lm", model, stdin=expression)) == "the cat sat\n"
    assert output(only_with((), COMMAND, "enumerate", "--count", stdin=expression)) == "2\n"


def test_translation_needs_its_extra_alone(trained: Path) -> None:
    line = "警方正在调查这起事故。\n".encode()
    assert "police" in output(only_with(("translation",), COMMAND, "translate", trained, stdin=line)).lower()
    done = only_with((), COMMAND, "translate", trained, stdin=line)
    assert refused(done) == "this needs rjieba; install it with: pip install 'widl[translation]'"


def test_headlines_need_their_extra_alone() -> None:
    story = b"Police in Madrid arrested two men on Friday after a robbery at a bank in the center of the city.\n"
    assert output(only_with(("headline",), COMMAND, "headline", "generate", stdin=story)).strip()
    message = refused(only_with(("translation",), COMMAND, "headline", "generate", stdin=story))
    assert message == "this needs spacy; install it with: pip install 'widl[headline]'"


def test_pages_need_an_extra(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    output(only_with(("explore",), COMMAND, "explore", "--save", page))
    assert page.read_text().startswith("<!DOCTYPE html>")
    message = refused(only_with((), COMMAND, "explore", "--save", page))
    assert message == "this needs h11; install it with: pip install 'widl[explore]'"


TUNING = """
from widl.mert import tune
from widl.metrics import Objective

def length(hypotheses, references, sources):
    return list(map(len, hypotheses))
"""
"""Tuning by a function ends before it decodes if its report can't be written."""


@pytest.mark.parametrize(
    ("code", "package", "extra"),
    [
        ("widl.Headliner().generate_one('Rain fell in Spain on Monday, the police said.')", "spacy", "headline"),
        ("list(widl.tokenize(['我们']))", "rjieba", "translation"),
        ("widl.draw_expression(widl.parse('a b'))", "graphviz", "explore"),
        ("widl.Objective('rouge1', [['a']]).reported(['a'])", "rouge_score", "experiments"),
        ("widl.Objective('bleu', [['a']])", "sacrebleu", "experiments"),
        (f"{TUNING}\ntune(print, Objective(length, [['a']]), {{'a': 1.0}}, 'job')", "jinja2", "experiments"),
        ("with widl.open_engine('2'): pass", "dask", "cluster"),
        ("from widl.web import Workbench", "h11", "explore"),
        ("import widl.experiments", "jinja2", "experiments"),
    ],
)
def test_python_names_the_extra(code: str, package: str, extra: str) -> None:
    done = only_with((), f"import widl\n{code}\n")
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith(f"widl.common.errors.MissingPackageError: this needs {package}; ")
    assert f"'widl[{extra}]'" in last


# --- the message ---


def test_a_missing_package_names_each_extra_that_has_it() -> None:
    with pytest.raises(InputError) as error, optional_packages():
        raise ModuleNotFoundError("No module named 'jinja2.utils'", name="jinja2.utils")
    assert str(error.value) == "this needs jinja2; install it with: pip install 'widl[experiments]' or 'widl[explore]'"
    assert isinstance(error.value, ImportError)
    assert error.value.name == "jinja2"


@pytest.mark.parametrize("name", ["numpy", "selenium", None])
def test_other_errors_stay_what_they_are(name: str | None) -> None:
    with pytest.raises(ModuleNotFoundError) as error, optional_packages():
        raise ModuleNotFoundError("none", name=name)
    assert not isinstance(error.value, MissingPackageError)
