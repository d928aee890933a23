"""How the package is built: sizes of functions and modules; what is imported late, and why."""

import ast
from collections.abc import Iterator
from pathlib import Path

import widl

PACKAGE = Path(widl.__file__).parent

# Modules that are slow to import and that few commands need. `widl --help` loads no command's module at all.
SLOW_TO_IMPORT = {
    "dask": "0.2 s; only on a cluster",
    "distributed": "0.6 s; only on a cluster, and an extra",
    "ftfy": "0.05 s; only for checks of text",
    "matplotlib": "0.3 s; only for pictures",
    "nltk": "0.2 s; only for ROUGE",
    "py3langid": "0.2 s; only for checks of languages",
    "opencc": "0.3 s with its tables; only for traditional Chinese",
    "pypinyin": "its dictionary takes 0.2 s; only for Chinese words that the phrase table lacks",
    "rich": "0.1 s; only for progress bars",
    "rjieba": "its dictionary takes 0.2 s; only for Chinese",
    "sacremoses": "0.3 s; only for European languages",
    "sacrebleu": "0.1 s; only for BLEU, TER and chrF",
    "scipy": "0.2 s; only for checks of languages and logistic regression",
    "spacy": "1 s; only for headlines",
    "widl.common.errors": "the core; `widl --help` needs nothing of it",
    "widl.experiments.combination": "sacrebleu",
    "widl.experiments.comparison": "matplotlib",
    "widl.experiments.headline": "matplotlib",
    "widl.experiments.experiment": "matplotlib",
    "widl.experiments.search": "matplotlib",
    "widl.experiments.sizes_experiment": "matplotlib",
    "widl.experiments.results": "sacrebleu and NLTK",
    "widl.experiments.side_by_side": "matplotlib",
    "widl.experiments.text": "sacrebleu and NLTK",
    "widl.experiments.translation": "matplotlib",
    "widl.experiments.word_order_experiment": "matplotlib",
    "widl.mert.report": "matplotlib",
}

def late_imports(path: Path) -> Iterator[str]:
    """The modules that functions of a file import."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in {inner for function in functions for inner in ast.walk(function)}:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_only_what_is_slow_is_imported_late() -> None:
    unexpected = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in PACKAGE.rglob("*.py")
        for name in late_imports(path)
        if name not in SLOW_TO_IMPORT and name.split(".")[0] not in SLOW_TO_IMPORT
    }
    assert unexpected == set()
