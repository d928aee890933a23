"""How fast and how well a model translates, by search: words a second, model score, gap to the bound, BLEU.

    python benchmarks/translation.py MODEL_DIR --source dev.zh --reference dev.en --sentences 100

Times include tokenising, table lookup, search and detokenising, after the model is open. Every row is run
`--repeat` times, the rows in turn; the median counts.
"""

import argparse
import resource
import statistics
import time
from dataclasses import replace
from pathlib import Path

import sacrebleu
from rich.console import Console
from rich.table import Table

from widl.common.files import read_lines
from widl.translation import Translation, TranslationOptions, Translator

_BY_ESTIMATE = TranslationOptions(search="astar-k", k_unit="words", order="estimate")
SYSTEMS = {
    "cube 1500": TranslationOptions(),
    "cube 2000, no entities": TranslationOptions(entities="none"),
    "cube 400": TranslationOptions(pop_limit=400),
    "cube 100": TranslationOptions(pop_limit=100),
    "stack 100": TranslationOptions(decoder="stack"),
    "stack, cube 400": TranslationOptions(decoder="stack", search="cube"),
    "A*_2": TranslationOptions(search="astar-k"),
    "A*_0, words, estimate": replace(_BY_ESTIMATE, k=0),
    "A*_2, words, estimate": _BY_ESTIMATE,
    "A*_2, words, estimate, source order": replace(_BY_ESTIMATE, distortion_limit=0),
    "A*_2, words, estimate, limit 10": replace(_BY_ESTIMATE, distortion_limit=10),
    "A*_5, words, estimate": replace(_BY_ESTIMATE, k=5),
    "A*_10, words, estimate": replace(_BY_ESTIMATE, k=10),
    "A*, limit 4, 5 s": TranslationOptions(search="astar", distortion_limit=4, max_seconds=5, max_states=20_000_000),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=100, help="spread evenly over the file; 0: all")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--systems", nargs="*", default=list(SYSTEMS), metavar="NAME", choices=list(SYSTEMS))
    options = parser.parse_args()
    source, reference = list(read_lines(options.source)), list(read_lines(options.reference))
    if options.sentences:
        step = max(1, len(source) // options.sentences)
        source, reference = source[::step][: options.sentences], reference[::step][: options.sentences]
    start = time.perf_counter()
    translator = Translator(options.model)
    opened = time.perf_counter() - start
    seconds: dict[str, list[float]] = {name: [] for name in options.systems}
    found: dict[str, list[Translation]] = {}
    for _ in range(options.repeat):
        for name in options.systems:
            start = time.perf_counter()
            found[name] = list(translator.translate(source, SYSTEMS[name], threads=options.threads))
            seconds[name].append(time.perf_counter() - start)
    print_table(seconds, found, source, reference)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{options.threads} thread(s); opening the model {opened:.2f} s; peak {peak:,.0f} MB, mapped files included")


def print_table(
    seconds: dict[str, list[float]],
    found: dict[str, list[Translation]],
    source: list[str],
    reference: list[str],
) -> None:
    """One row a system."""
    words = sum(len(t.source) for t in next(iter(found.values())))
    table = Table(title=f"{len(source)} sentences, {words:,} source words")
    columns = ("search", "words/s", "seconds", "model score", "gap to bound", "optimal", "states", "BLEU")
    for column in columns:
        table.add_column(column, justify="left" if column == "search" else "right")
    bleu = sacrebleu.BLEU()

    def score(output: list[str]) -> str:
        return f"{bleu.corpus_score(output, [reference]).score:.2f}"

    for name, results in found.items():
        median = statistics.median(seconds[name])
        table.add_row(
            name,
            f"{words / median:,.0f}",
            f"{median:.2f}",
            f"{statistics.mean(t.score for t in results):.3f}",
            f"{statistics.mean(t.bound - t.score for t in results):.3f}",
            f"{100 * statistics.mean(t.optimal for t in results):.0f} %",
            f"{statistics.mean(t.states for t in results):,.0f}",
            score([t.text for t in results]),
        )
    Console(width=120).print(table)
    print(bleu.get_signature())


if __name__ == "__main__":
    main()
