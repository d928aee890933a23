"""Word alignment with eflomal (Östling & Tiedemann 2016), and what it learns, kept for later text."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import eflomal

from widl.errors import InputError
from widl.files import count_lines, read_lines, write_text
from widl.workers import Progress, no_progress

LONGEST_LINE = 1023
"""Tokens of a line; eflomal leaves pairs with a longer one unaligned."""

_PRIOR_KINDS = {"LEX": 4, "FERF": 4, "FERR": 4, "HMMF": 3, "HMMR": 3}  # and their numbers of fields


def align_words(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    directory: Path,
    *,
    priors: Path | None = None,
    progress: Progress = no_progress,
) -> tuple[Path, Path]:
    """Align tokenised lines both ways; the files of the two directions, written into `directory`.

    Both files hold a line ``0-0 1-2 …`` of source-target points for each pair of lines. `priors` is a file
    that `write_priors` made of aligned text, which makes few lines enough. Eflomal lower-cases what it reads. It
    takes its random numbers from the system and has no option for a seed: two runs differ a little.
    """
    source, target = list(source_lines), list(target_lines)
    if len(source) != len(target):
        raise InputError(
            f"{len(source)} source lines and {len(target)} target lines; line i of one must translate "
            "line i of the other"
        )
    for number, (source_line, target_line) in enumerate(zip(source, target, strict=True), start=1):
        if not source_line.strip() or not target_line.strip():
            raise InputError(f"line {number}: an empty line can't be aligned; leave the pair out")
    forward, reverse = directory / "forward.align", directory / "reverse.align"
    if not source:
        forward.write_text("")
        reverse.write_text("")
        return forward, reverse
    progress("align", 0, len(source))
    eflomal.Aligner().align(
        source,
        target,
        links_filename_fwd=str(forward),
        links_filename_rev=str(reverse),
        priors_input=None if priors is None else _priors_of(priors, _words(source), _words(target)),
        quiet=True,
    )
    # Eflomal's interface does not tell when its program failed.
    for path in (forward, reverse):
        written = count_lines(path) if path.exists() else 0
        if written != len(source):
            raise OSError(
                f"{path}: eflomal wrote {written} of {len(source)} lines; see its message, or make room on the disk"
            )
    progress("align", len(source), len(source))
    return forward, reverse


def write_priors(
    source_lines: Iterable[str], target_lines: Iterable[str], forward: Iterable[str], reverse: Iterable[str], path: Path
) -> None:
    """Count in aligned text what `align_words` can start from, into a file in eflomal's format, lower-cased.

    ``LEX`` word word count (links of `forward`), ``FERF`` and ``FERR`` word fertility count, ``HMMF`` and ``HMMR``
    jump count, separated by tabs. `forward` and `reverse` may be the same symmetrised alignment.
    """
    counts = eflomal.calculate_priors(map(str.lower, source_lines), map(str.lower, target_lines), forward, reverse)
    with write_text(path) as file:
        eflomal.write_priors(file, *counts)


def _words(lines: Iterable[str]) -> set[str]:
    return {word for line in lines for word in line.lower().split()}


def _priors_of(path: Path, source_words: Collection[str], target_words: Collection[str]) -> Iterator[str]:
    """The lines about words of the text; eflomal would keep all the others in memory before it leaves them out."""
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        kind = fields[0]
        if len(fields) != _PRIOR_KINDS.get(kind) or not fields[-1].replace("e+", "").replace(".", "").isdecimal():
            raise InputError(f"{path}:{number}: no line of alignment priors: {line[:60]!r}; train the model again")
        if (
            (kind == "LEX" and fields[1] in source_words and fields[2] in target_words)
            or (kind == "FERF" and fields[1] in source_words)
            or (kind == "FERR" and fields[1] in target_words)
            or kind.startswith("HMM")
        ):
            yield line
