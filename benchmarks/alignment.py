"""Alignment of held-out text with the priors of earlier text: how near to an alignment of all the text together.

    python benchmarks/alignment.py CORPUS.zh CORPUS.en [--lines 1000]

takes tokenised files. All but the last lines are aligned, and priors made of them; then the last lines alone,
alone with priors, and twice together with all the others. Agreement is F1 of the
symmetrised links: 2 |A ∩ B| / (|A| + |B|).
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from widl.files import read_lines
from widl.phrase_table.alignment import align_words, write_priors
from widl.phrase_table.extraction import symmetrize


def agreement(one: Sequence[str], other: Sequence[str]) -> float:
    """F1 of the links of two alignments of the same lines."""
    common = sum(len(set(a.split()) & set(b.split())) for a, b in zip(one, other, strict=True))
    return 2 * common / sum(len(line.split()) for line in (*one, *other))


def timed_alignment(
    source: Sequence[str], target: Sequence[str], directory: Path, priors: Path | None = None
) -> tuple[list[str], float]:
    """The symmetrised links, and the seconds that the alignment took."""
    start = time.perf_counter()
    forward, reverse = align_words(source, target, directory, priors=priors)
    seconds = time.perf_counter() - start
    links = list(symmetrize(read_lines(forward), read_lines(reverse)))
    assert len(links) == len(source)
    return links, seconds


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--lines", type=int, default=1000)
    arguments = parser.parse_args()
    source, target = list(read_lines(arguments.source)), list(read_lines(arguments.target))
    held = slice(len(source) - arguments.lines, None)
    rest = slice(0, len(source) - arguments.lines)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        priors = directory / "priors.gz"
        _, rest_seconds = timed_alignment(source[rest], target[rest], directory)
        forward, reverse = (list(read_lines(directory / f"{side}.align")) for side in ("forward", "reverse"))
        start = time.perf_counter()
        write_priors(source[rest], target[rest], forward, reverse, priors)
        print(f"{len(forward):,} pairs aligned in {rest_seconds:.1f} s")
        print(f"priors: {time.perf_counter() - start:.1f} s, {priors.stat().st_size / 1e6:.1f} MB compressed")
        joint, joint_seconds = timed_alignment(source, target, directory)
        again, _ = timed_alignment(source, target, directory)
        print(f"{'alignment of the last ' + str(arguments.lines):40} agreement  seconds")
        repeated = agreement(again[held], joint[held])
        print(f"{'together with the rest, once more':40} {repeated:9.3f} {joint_seconds:8.1f}")
        for title, use, count in (
            ("alone", None, arguments.lines),
            ("with priors", priors, arguments.lines),
            ("10 lines, alone", None, 10),
            ("10 lines, with priors", priors, 10),
        ):
            part = slice(held.start, held.start + count)
            links, seconds = timed_alignment(source[part], target[part], directory, use)
            print(f"{title:40} {agreement(links, joint[part]):9.3f} {seconds:8.1f}")


if __name__ == "__main__":
    main()
