"""Moses' regression suite: does widl, with the same models, find what Moses found?

    python benchmarks/moses_suite.py SUITE [--only NAME…] [--search stack|cube|astar]

SUITE has the layout of moses-regression-tests: ``tests/NAME/moses.ini``, ``tests/NAME/to-translate.txt`` and
``tests/NAME/truth/results.txt`` with lines ``TRANSLATION_1=…``, ``SCORE_1 = …`` and, of tests of n-best lists, lines
``0 ||| text ||| … ||| score``; a configuration's ${MODEL_PATH}, ${LM_PATH} and ${TEST_PATH} are the suite's models, lm
and the test's own folder. Each configuration is imported as `widl import-moses` does. Of what was left out nothing can
be compared; of the others each line's text and score is, up to the digits of the truth and 4e-6 of the score, and each
n-best list as far as both have it. A score above Moses' is no fault of widl's: its search found more. The exit status
is 1 if a score is lower, or a text differs with the same score.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from widl.errors import InputError
from widl.files import read_lines, read_toml
from widl.pipeline.moses_model import import_moses_model
from widl.translation import Translation, TranslationOptions, Translator
from widl.translation.sentence import MarkupMode

_RESULT = re.compile(r"(TRANSLATION|SCORE)_([0-9]+)\s*=\s*(.*)")
_TOLERANCE = 4e-6
_SEARCHES: dict[str, dict[str, Any]] = {
    "stack": {"decoder": "stack", "search": "stack", "stack_size": 200},
    "cube": {"decoder": "stack", "search": "cube", "pop_limit": 1000},
    "astar": {"search": "astar"},
}


@dataclass
class Truth:
    """What Moses found: texts and scores (as they are written) by line from 1, and n-best lists by line from 0."""

    texts: dict[int, str] = field(default_factory=dict)
    scores: dict[int, str] = field(default_factory=dict)
    nbest: dict[int, list[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Truth":
        """Read a file of results."""
        truth = cls()
        for line in read_lines(path):
            columns = [column.strip() for column in line.split("|||")]
            if (match := _RESULT.match(line)) is not None:
                kind = truth.texts if match[1] == "TRANSLATION" else truth.scores
                kind[int(match[2])] = match[3].strip()
            elif len(columns) >= 4 and columns[0].isdecimal():
                truth.nbest.setdefault(int(columns[0]), []).append((columns[1], columns[3]))
        return truth


def tolerance(written: str) -> float:
    """How far a score may be from one that is written like this."""
    decimals = len(written.partition(".")[2])
    return 0.51 * 10.0**-decimals + _TOLERANCE * abs(float(written))


def verdict(text: str, score: float, expected_text: str | None, expected_score: str | None) -> str:
    """``equal``, ``equal in score``, ``higher``, ``LOWER`` or ``DIFFERENT``."""
    same_text = expected_text is None or " ".join(expected_text.split()) == " ".join(text.split())
    if expected_score is None:
        return "equal" if same_text else "DIFFERENT"
    difference = score - float(expected_score)
    if abs(difference) <= tolerance(expected_score):
        return "equal" if same_text else "DIFFERENT"
    return "higher" if difference > 0 else "LOWER"


def compared(result: Translation, line: int, truth: Truth) -> Iterator[str]:
    """The verdicts of a line, counted from 1."""
    if line in truth.texts or line in truth.scores:
        score = result.score if result.source else 0.0
        yield verdict(result.text, score, truth.texts.get(line), truth.scores.get(line))
    for candidate, (text, written) in zip(result.nbest, truth.nbest.get(line - 1, ()), strict=False):
        # Candidates of equal scores may stand in another order.
        found = verdict(candidate.text, candidate.score, text, written)
        yield "equal" if found == "DIFFERENT" and any(one == text for one, _ in truth.nbest[line - 1]) else found


def filled(folder: Path, suite: Path, target: Path) -> Path:
    """The test's configuration with the suite's paths in it."""
    text = (folder / "moses.ini").read_text(encoding="utf-8")
    for name, path in (("MODEL_PATH", suite / "models"), ("LM_PATH", suite / "lm"), ("TEST_PATH", folder)):
        text = text.replace(f"${{{name}}}", str(path.absolute()))
    (target / "moses.ini").write_text(text, encoding="utf-8")
    return target / "moses.ini"


def markup_of(configuration: str) -> MarkupMode:
    """How a configuration reads markup."""
    found = re.search(r"\[xml-input\]\s*(\w+)", configuration)
    modes: tuple[MarkupMode, ...] = ("exclusive", "inclusive", "constraint")
    return next((mode for mode in modes if found is not None and found[1] == mode), "none")


def run_test(folder: Path, suite: Path, search: str) -> tuple[Counter[str], list[str]]:
    """Verdicts of a test's lines, and what of its configuration was left out."""
    truth = Truth.read(folder / "truth" / "results.txt")
    with tempfile.TemporaryDirectory() as temporary:
        ini = filled(folder, suite, Path(temporary))
        made = import_moses_model(ini, Path(temporary) / "model")
        if made.left_out:
            return Counter(), made.left_out
        options = TranslationOptions(**{**read_toml(made.options), "distortion_limit": None, **_SEARCHES[search]})
        limit = read_toml(made.options)["distortion_limit"]
        nbest = max([1, *map(len, truth.nbest.values())])
        options = replace(
            options,
            distortion_limit=None if limit == "none" else limit,
            markup=markup_of(ini.read_text(encoding="utf-8")),
            nbest=nbest,
            distinct=nbest == 1,  # of several, those with equal strings are compared, too
        )
        with Translator(Path(temporary) / "model") as translator:
            results = translator.translate(read_lines(folder / "to-translate.txt"), options)
            return Counter(found for n, one in enumerate(results, 1) for found in compared(one, n, truth)), []


def main() -> int:
    """Print a row for each test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--only", nargs="*", help="names of tests")
    parser.add_argument("--search", choices=sorted(_SEARCHES), default="stack")
    arguments = parser.parse_args()
    wrong = 0
    for folder in sorted((arguments.suite / "tests").glob("*")):
        needed = [folder / name for name in ("moses.ini", "to-translate.txt", "truth/results.txt")]
        if (arguments.only and folder.name not in arguments.only) or not all(map(Path.is_file, needed)):
            continue
        try:
            verdicts, left_out = run_test(folder, arguments.suite, arguments.search)
        except InputError as error:
            print(f"{folder.name}: not read: {error}")
            continue
        told = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
        print(f"{folder.name}: {told or 'not compared: ' + left_out[0]}", flush=True)
        wrong += verdicts["LOWER"] + verdicts["DIFFERENT"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
