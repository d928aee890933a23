"""What a scorer gives, and what a table holds, as plain Python values."""

from widl._core import read_options
from widl.phrase_table import PhraseTable


def batches(scorer):
    while (batch := scorer.next_batch(511)) is not None:
        yield from batch.sorted
        yield from batch.unsorted


def table_of(scorer):
    """(source words, target words) -> (scores, counts, links), in the order of the table."""
    words = scorer.target_words()
    return {
        (tuple(key.decode().split(" ")), tuple(words[i] for i in option_words)): (scores, counts, links)
        for key, value in batches(scorer)
        for option_words, scores, counts, links in read_options(value, len(words))
    }


def contents(path):
    with PhraseTable.open(path) as table:
        return list(table.iterate())
