"""Time of minimum-Bayes-risk decoding over lattices, by number of arcs.

    python benchmarks/consensus.py MODEL_DIR TEXT [--lines 200]

The lines of the text are translated without and with lattices, from which consensus then chooses. CPU milliseconds a
line on one thread.
"""

import argparse
import os
import time
from itertools import islice
from pathlib import Path

import numpy as np

from widl._core import ConsensusOptions, consensus_paths
from widl.common.files import read_lines
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
    begun = time.process_time()
    found = consensus_paths(lattices, weights, ConsensusOptions(scale=0.75 * unit))
    taken = 1000 * (time.process_time() - begun) / len(lines)
    assert all(lattice.words_of(paths[0][0]) for lattice, paths in zip(lattices, found, strict=True))
    print(f"{most_arcs:>6,} {explored:>13.1f} {taken:>10.2f}", flush=True)


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
        print(f"{'arcs':>6} {'with lattices':>13} {'consensus':>10}")
        for most_arcs in (250, 500, 1000, 2000):
            measure(translator, lines, most_arcs)


if __name__ == "__main__":
    main()
