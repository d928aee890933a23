"""Word alignment with eflomal (Östling & Tiedemann 2016)."""

from collections.abc import Iterable
from pathlib import Path

import eflomal

from widl.errors import InputError
from widl.workers import Progress, no_progress


def align_words(
    source_lines: Iterable[str], target_lines: Iterable[str], directory: Path, *, progress: Progress = no_progress
) -> tuple[Path, Path]:
    """Align tokenised lines both ways; the files of the two directions, written into `directory`.

    Both files hold a line ``0-0 1-2 …`` of source-target points for each pair of lines. Eflomal lower-cases
    what it reads, and samples with seeds of its own: two runs differ a little.
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
        source, target, links_filename_fwd=str(forward), links_filename_rev=str(reverse), quiet=True
    )
    progress("align", len(source), len(source))
    return forward, reverse
