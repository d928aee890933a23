"""Time of the upper envelopes of lattices (Macherey et al. 2008).

    python benchmarks/lattice_envelopes.py MODEL_DIR TEXT [--lines 1000]

The lines of the text, again and again if they are fewer, are translated; the lattices' envelopes are taken along every
coordinate and as many random directions from the model's weights. CPU seconds on one thread.
"""

import argparse
import os
import resource
import time
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from widl.common.files import read_lines
from widl.mert import LatticeSet
from widl.pipeline.tuning_decoders import lattice_decoder, tunable
from widl.translation import TranslationOptions, Translator

HEADER = (
    f"{'lattices':>8} {'arcs':>9} {'nodes':>9} {'envelopes':>9} {'ms each':>8} {'lines each':>10} {'paths':>9} "
    f"{'decoding s':>10} {'MB peak':>8}"
)


def measure(translator: Translator, lines: list[str], most_arcs: int) -> None:
    """Print one row."""
    weights = tunable(translator.weights)
    point = np.array(list(weights.values()))
    options = TranslationOptions(pop_limit=400, lattice=True, lattice_arcs=most_arcs)
    begun = time.process_time()
    lattices = list(lattice_decoder(translator, lines, options).decode(weights))
    decoding = time.process_time() - begun
    random = np.random.default_rng(1).normal(size=(len(point), len(point)))
    directions = np.vstack([np.eye(len(point)), random / np.linalg.norm(random, axis=1, keepdims=True)])
    free = np.full(len(point), np.inf)
    chosen = LatticeSet(lattices)
    begun = time.process_time()
    found = chosen.take(point, directions, lower=-free, upper=free)
    seconds = time.process_time() - begun
    sample = lattices[0].envelope(point, directions[0])
    best = max(np.array(features) @ point for _, features in found[0])
    assert abs(best - np.array(chosen.best(point)[0][1]) @ point) < 1e-9, "the best path is not on the envelopes"
    assert len(sample) <= len(lattices[0].arcs) - lattices[0].nodes + 2
    every = sum(len(one.envelope(point, way)) for one in lattices[:50] for way in directions) / len(directions)
    envelopes = len(lattices) * len(directions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(lattices):>8,} {sum(len(one.arcs) for one in lattices):>9,} {sum(one.nodes for one in lattices):>9,} "
        f"{envelopes:>9,} {1000 * seconds / envelopes:>8.2f} {every / min(50, len(lattices)):>10.1f} "
        f"{sum(map(len, found)):>9,} {decoding:>10.1f} {peak:>8.0f}",
        flush=True,
    )


def main() -> None:
    """Measure lattices of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--lines", type=int, default=1000)
    arguments = parser.parse_args()
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    translator = Translator(arguments.model)
    lines = list(islice(cycle(read_lines(arguments.text)), arguments.lines))
    print(HEADER)
    for most_arcs in (250, 500, 1000):
        measure(translator, lines, most_arcs)


if __name__ == "__main__":
    main()
