"""Extracted phrases and contents of a table as plain Python values; tables made by hand."""

import tempfile

from widl import _core
from widl._core import SourceLine, TableInUse, Tiler
from widl.phrase_table import PhraseTable


def items_of(phrases):
    for batch in phrases.batches():
        yield from batch.items


def written(values, words):
    """The core's table of source phrases with their encoded options; the file is gone when this returns."""
    with tempfile.NamedTemporaryFile() as file:
        writer = _core.TableWriter(file.name, tempfile.gettempdir())
        writer.add(_core.PhraseBatch([(phrase.encode(), value) for phrase, value in values.items()]))
        writer.finish("{}", words)
        return _core.PhraseTable(file.name)


def tiled(source, *tables, components=(4,), beams=(0.0,), back_off=(False,), dictionary=None, given=(), **more):
    """The tiles of a source line; values of `components`, `beams` and `back_off` repeat for further tables."""
    of_tiler = {name: more.pop(name) for name in ("origins", "split_origin", "reordering") if name in more}

    def of_table(values, number):
        return values[min(number, len(values) - 1)]

    uses = [
        TableInUse(table, of_table(components, i), of_table(beams, i), of_table(back_off, i))
        for i, table in enumerate(tables)
    ]
    tiler = Tiler(uses, len(source), dictionary=dictionary, **of_tiler)
    return tiler.tile([SourceLine(source, given, **more)])[0]


def options_of(extracted):
    """(source words, target words) -> the option, in the order of the table."""
    with tempfile.NamedTemporaryFile() as file:
        writer = _core.TableWriter(file.name, tempfile.gettempdir())
        phrases = []
        for batch in extracted.batches():
            writer.add(batch)
            phrases += batch.phrases
        writer.finish("{}", extracted.target_words())
        table = _core.PhraseTable(file.name)
        return {
            (tuple(phrase.split(" ")), tuple(option.words)): option
            for phrase in phrases
            for option in table.options(phrase)
        }


def table_of(extracted):
    """(source words, target words) -> (scores, counts, links), in the order of the table."""
    return {pair: (option.scores, option.counts, option.links) for pair, option in options_of(extracted).items()}


def contents(path):
    with PhraseTable.open(path) as table:
        return list(table.iterate())
