import io
from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import given

from tests.phrase_table.moses_lines import moses_lines
from tests.reference import moses_text as slow
from widl.phrase_table import PhraseTable
from widl.phrase_table.moses_text import import_moses
from widl.phrase_table.statistics import DECADES, table_statistics


def statistics(text, path):
    import_moses(io.BytesIO(text.encode()), path)
    with PhraseTable.open(path) as table:
        return table_statistics(table)


def decade(p):
    """Compares 32-bit floats, in which 0.01 is slightly less than 0.01."""
    bounds = [np.float32(f"1e-{i}") for i in range(1, 11)]
    return DECADES[0] if p == 1 else DECADES[1 + sum(p < bound for bound in bounds)]


@given(moses_lines(max_size=20))
def test_against_the_slow_reader(tmp_path, lines):
    result = statistics("".join(f"{line}\n" for line in lines), tmp_path / "table")
    entries = slow.read(lines)
    sources = Counter(f for f, _ in entries)
    assert result.options == Counter(sources.values())
    assert result.source_lengths == Counter(1 + f.count(" ") for f in sources)
    assert result.target_lengths == Counter(1 + e.count(" ") for _, e in entries)
    assert result.counts == Counter(entry.counts[2] for entry in entries.values())
    entropy = 0.0
    for f in sources:
        probabilities = [entry.scores[1] for (source, _), entry in entries.items() if source == f]
        total = sum(probabilities)
        entropy -= sum(p / total * log2(p / total) for p in probabilities if p / total > 0) if total else 0
    assert result.entropy == pytest.approx(entropy / len(sources), abs=1e-6)
    for i, score in enumerate(result.probabilities):
        assert result.probabilities[score] == Counter(decade(entry.scores[i]) for entry in entries.values())


def test_without_counts(tmp_path):
    result = statistics("a ||| b ||| 1 1 1 1 ||| 0-0\n", tmp_path / "table")
    assert (result.counts, result.weighted_entropy) == ({}, None)
