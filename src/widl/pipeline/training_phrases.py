"""The phrase pairs of a training: extracted on this machine, or on the workers of an engine."""

from pathlib import Path

from widl._core import PhraseScorer
from widl.common.exchange import Exchange
from widl.common.files import read_lines
from widl.common.streams import count_lines
from widl.phrase_table.extraction import ExtractionOptions, extract_phrases
from widl.phrase_table.shards import PhraseShards


def extracted_phrases(
    source: Path,
    target: Path,
    links: Path,
    options: ExtractionOptions,
    *,
    threads: int,
    memory: int,
    temporary_directory: Path,
    exchange: Exchange | None,
) -> PhraseScorer | PhraseShards:
    """The phrase pairs of text in files; `memory` and `temporary_directory` are of this machine.

    Significance needs all of the text, so with it they are extracted here in any case.
    """
    lines = read_lines(source), read_lines(target), read_lines(links)
    if exchange is not None and options.significance is None:
        return PhraseShards(*lines, exchange, pairs=count_lines(source), options=options)
    return extract_phrases(
        *lines, **vars(options), threads=threads, memory=memory, temporary_directory=temporary_directory
    )
