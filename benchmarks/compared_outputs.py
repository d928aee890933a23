r"""Compares outputs of two experiments on the same lines: the difference of a metric, and its two p-values.

    python benchmarks/compared_outputs.py plain/systems/WIDL-Astar_2/nist03.seed-1.txt \
        own/systems/Pharaoh-own/nist03.seed-1.txt --references mt/nist/nist03.ref?.en

Prints by how much the second is better, and p of paired bootstrap and of approximate randomization as an experiment's
report has them for the systems of one experiment. The files hold one output a line.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from widl.common.files import read_lines
from widl.experiments.config import ExperimentConfig
from widl.experiments.results import MetricScorer
from widl.experiments.significance import compare
from widl.pages.tables import Figure


def main() -> None:
    """Prints the difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("outputs", type=Path, nargs=2)
    parser.add_argument("--references", type=Path, nargs="+", required=True)
    parser.add_argument("--metric", default="bleu-lc")
    arguments = parser.parse_args()
    first, second, *references = (list(read_lines(file)) for file in (*arguments.outputs, *arguments.references))
    difference = compared(first, second, references, arguments.metric)
    bootstrap, randomization = difference.p or (1.0, 1.0)
    print(f"{arguments.outputs[1].stem}: {difference.value:+.2f}, p {bootstrap:.4f} and {randomization:.4f}")


def compared(first: Sequence[str], second: Sequence[str], references: Sequence[Sequence[str]], name: str) -> Figure:
    """The score of the second outputs minus that of the first, with p, under the defaults of experiments."""
    scorer, defaults = MetricScorer([name], references), ExperimentConfig()
    [metric] = scorer.metrics
    ours, theirs = (np.array([scorer.scored(texts)["statistics"][name]]) for texts in (first, second))
    return compare(ours, theirs, metric.scorer(), resamples=defaults.resamples, seed=defaults.seed)


if __name__ == "__main__":
    main()
