"""What a scorer gives, and what a table holds, as plain Python values; tables made by hand."""

import tempfile

from widl import _core
from widl._core import SentencePhrases, read_options
from widl.phrase_table import PhraseTable


def batches(scorer):
    while (batch := scorer.next_batch()) is not None:
        yield from batch.items


def written(values, words):
    """The core's table of source phrases with their encoded options; the file is gone when this returns."""
    with tempfile.NamedTemporaryFile() as file:
        writer = _core.TableWriter(file.name, tempfile.gettempdir())
        writer.add([(phrase.encode(), value) for phrase, value in values.items()])
        writer.finish("{}", words)
        return _core.PhraseTable(file.name)


def looked_up(source, *tables, cut_off=(), back_off=None):
    """The phrases of a source sentence with a single segmentation."""
    edges = [[(i + 1, word, i in cut_off)] for i, word in enumerate(source)]
    return SentencePhrases(edges, tables, back_off or [False] * len(tables), len(source))


def table_of(scorer):
    """(source words, target words) -> (scores, counts, links), in the order of the table."""
    words = scorer.target_words()
    return {
        (tuple(key.decode().split(" ")), tuple(words[i] for i in option_words)): (scores, counts, links)
        for key, value in batches(scorer)
        for option_words, scores, counts, links, _ in read_options(value, len(words))
    }


def contents(path):
    with PhraseTable.open(path) as table:
        return list(table.iterate())
