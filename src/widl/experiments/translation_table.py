"""The translation experiment's figures as text, beside the paper's."""

import statistics
from collections.abc import Iterator, Sequence

from widl.experiments.text_table import aligned
from widl.experiments.translation import SystemOnTest, TranslationResults

PAPER = (("WIDL-A*_2", 25.70), ("Pharaoh", 26.35))
"""BLEU of Soricut & Marcu (2006), Table 3, in points; the difference is not significant at 95 %."""


def translation_table(found: TranslationResults) -> Iterator[str]:
    """Lines of text: own weights, comparisons, and equal weights, test set by test set."""
    for test in dict.fromkeys(row.test for row in found.systems):
        rows = [row for row in found.systems if row.test == test]
        metrics = list(rows[0].scores)
        yield f"{test}: {len(rows[0].dev)} replications of tuning; mean and standard deviation"
        yield ""
        yield from aligned(
            [["system", "dev", *metrics, "brevity", "words/s"], *(_own(row, metrics) for row in rows)]
        )
        yield ""
        if len(rows) > 1:
            yield f"against {rows[0].system}: difference, p of paired bootstrap, p of approximate randomisation"
            yield ""
            yield from aligned([["system", *metrics], *(_against(row, metrics) for row in rows[1:])])
            yield ""
        equal = [row for row in found.equal_weights if row.test == test]
        yield f"with the weights of {equal[0].system}: what is left is search"
        yield ""
        lines = [["system", "model score", "errors %", "gap to bound", "words/s", "bleu"]]
        for row in equal:
            figures = [f"{row.score:.4f}", f"{100 * row.errors:.1f}", f"{row.gap:.1f}"]
            lines.append([row.system, *figures, f"{row.words_per_second:,.0f}", f"{row.bleu:.2f}"])
        yield from aligned(lines)
        yield ""
        for metric, signature in found.signatures[test].items():
            yield f"{metric}: {signature}"
        yield ""
    yield "The paper, on NIST 2003: " + ", ".join(f"{name} {bleu:.2f} BLEU" for name, bleu in PAPER)


def _own(row: SystemOnTest, metrics: Sequence[str]) -> list[str]:
    dev = [score for score in row.dev if score is not None]
    brevity = [s.brevity_penalty for s in row.scores.get("bleu", []) if s.brevity_penalty is not None]
    return [
        row.system,
        _spread(dev) if dev else "given",
        *(_spread([s.score for s in row.scores[metric]]) for metric in metrics),
        f"{statistics.fmean(brevity):.3f}" if brevity else "",
        f"{row.words_per_second:,.0f}",
    ]


def _spread(values: Sequence[float]) -> str:
    mean = f"{statistics.fmean(values):.2f}"
    return f"{mean} ±{statistics.stdev(values):.2f}" if len(values) > 1 else mean


def _against(row: SystemOnTest, metrics: Sequence[str]) -> list[str]:
    cells = [row.system]
    for metric in metrics:
        one = row.against_first[metric]
        cells.append(f"{one.difference:+.2f} ({one.bootstrap_p:.3f}, {one.randomization_p:.3f})")
    return cells
