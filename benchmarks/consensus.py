"""Time of minimum-Bayes-risk decoding over lattices, by rule and number of arcs.

    python benchmarks/consensus.py MODEL_DIR TEXT [--lines 200]

The lines of the text are translated without and with lattices; then each rule chooses from the lattices. CPU
milliseconds a line on one thread. The probability of every n-gram is at most the number of times that it is expected.
"""

import argparse
import os
import time
from itertools import islice
from pathlib import Path

import numpy as np

from widl._core import ConsensusOptions, ConsensusRule, consensus_paths
from widl.files import read_lines
from widl.translation import Translation, TranslationOptions, Translator


def milliseconds(
    translator: Translator, lines: list[str], options: TranslationOptions
) -> tuple[float, list[Translation]]:
    """CPU milliseconds a line, and the translations."""
    begun = time.process_time()
    translations = list(translator.translate(lines, options))
    return 1000 * (time.process_time() - begun) / len(lines), translations


def measure(translator: Translator, lines: list[str], most_arcs: int) -> None:
    """Print one row."""
    weights = np.array(translator.layout.vector(translator.weights))
    unit = 1 / sum(translator.weights[name] for name in translator.layout.language_models)
    explored, translations = milliseconds(translator, lines, TranslationOptions(lattice=True, lattice_arcs=most_arcs))
    lattices = [one.lattice for one in translations if one.lattice is not None]
    times = []
    for rule in (ConsensusRule.lattice, ConsensusRule.consensus, ConsensusRule.nbest):
        begun = time.process_time()
        found = consensus_paths(lattices, weights, ConsensusOptions(rule=rule, scale=0.75 * unit))
        times.append(1000 * (time.process_time() - begun) / len(lines))
        assert all(lattice.words_of(paths[0][0]) for lattice, paths in zip(lattices, found, strict=True))
    for lattice in lattices[:10]:
        for words, expected, probability in lattice.ngrams(weights, 4, scale=0.75 * unit):
            assert -1e-9 <= probability <= min(1.0, expected) + 1e-9, words
    print(f"{most_arcs:>6,} {explored:>13.1f}" + "".join(f" {value:>10.2f}" for value in times), flush=True)


def main() -> None:
    """Measure lattices of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--lines", type=int, default=200)
    arguments = parser.parse_args()
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    lines = list(islice((line for line in read_lines(arguments.text) if line.strip()), arguments.lines))
    with Translator(arguments.model) as translator:
        plain, _ = milliseconds(translator, lines, TranslationOptions())
        print(f"without lattices: {plain:.1f} ms a line")
        print(f"{'arcs':>6} {'with lattices':>13} {'lattice':>10} {'consensus':>10} {'nbest':>10}")
        for most_arcs in (250, 500, 1000, 2000):
            measure(translator, lines, most_arcs)


if __name__ == "__main__":
    main()
