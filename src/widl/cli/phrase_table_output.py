"""Output of `widl phrase-table`: entries and statistics of tables."""

import math
import sys
from collections.abc import Iterable, Iterator

from widl.common.json_values import json_text
from widl.decoder.features import TRANSLATION_FEATURES
from widl.phrase_table.entries import PhraseOption, TableInfo
from widl.phrase_table.statistics import DECADES, PhraseTableStatistics, score_titles


def print_entries(
    entries: Iterable[tuple[str, list[PhraseOption]]], info: TableInfo, as_json: bool, *, live: bool = False
) -> None:
    """Print entries; if `live`, print each before waiting for the next one."""
    for phrase, options in entries:
        if as_json:
            record = {"source": phrase, "options": [_option_record(option, info) for option in options]}
            sys.stdout.write(json_text(record) + "\n")
        else:
            sys.stdout.writelines(f"{line}\n" for line in _entry_lines(phrase, options, info))
        if live:
            sys.stdout.flush()


def _probabilities(option: PhraseOption) -> list[float]:
    return _rounded(option.log_scores)


def _rounded(log_scores: Iterable[float]) -> list[float]:
    # Tables store 32-bit floats, a little more than seven digits.
    return [float(f"{math.exp(score):.7g}") for score in log_scores]


def _option_record(option: PhraseOption, info: TableInfo) -> dict[str, object]:
    counts = ("count_target", "count_source", "count")
    reordering = {"reordering": _rounded(option.reordering)} if option.reordering else {}
    return {
        "target": " ".join(option.words),
        **dict(zip(info.scores, _probabilities(option), strict=True)),
        **dict(zip(counts, option.counts, strict=True)),
        "alignment": option.alignment,
        **reordering,
    }


def _entry_lines(phrase: str, options: list[PhraseOption], info: TableInfo) -> Iterator[str]:
    if not options:
        yield f"{phrase}: no entry"
        return
    yield f"{phrase}:"
    width = max(len(" ".join(option.words)) for option in options)
    # p(e|f) comes before p(f|e), because it determines their order; likewise for lex.
    order = [i ^ 1 if i < 4 and info.scores[:4] == TRANSLATION_FEATURES else i for i in range(len(info.scores))]
    titles = score_titles(info)
    yield "  " + "".join(f"{titles[i]:<9} " for i in order) + f"{'count':>7}"
    for option in options:
        probabilities = _probabilities(option)
        numbers = "".join(f"{probabilities[i]:<{max(len(titles[i]), 9)}.4g} " for i in order)
        links = " ".join(f"{i}-{j}" for i, j in option.alignment)
        yield f"  {numbers}{option.counts[2]:>7}  {' '.join(option.words):{width}}  {links}".rstrip()


_RANGES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, 1000), (1001, None))


def _histogram(title: str, numbers: dict[int, int]) -> Iterator[str]:
    if not numbers:
        return
    total = sum(numbers.values())
    yield f"\n{title} (mean {sum(n * k for n, k in numbers.items()) / total:.2f}, most {max(numbers)})"
    for first, last in ((0, 0), *_RANGES):
        count = sum(k for n, k in numbers.items() if n >= first and (last is None or n <= last))
        if count:
            name = f"{first}" if first == last else f"{first}-{last}" if last else f"{first} or more"
            yield f"  {name:>12} {count:>14,} {count / total:>7.2%}"


def statistics_text(statistics: PhraseTableStatistics) -> str:
    """Counts, lengths, probabilities and entropy of a table."""
    info = statistics.info
    lines = [f"source phrases {info.source_phrases:,}", f"phrase pairs {info.phrase_pairs:,}"]
    lines.append(f"target words {info.target_words:,}")
    if info.sentences is not None:
        lines.append(f"sentence pairs {info.sentences:,}, occurrences of phrase pairs {info.occurrences:,}")
    lines.append(f"longest phrase {info.max_length} words")
    if info.symmetrization:
        lines.append(f"symmetrization {info.symmetrization}")
    if info.reordering:
        lines.append(f"reordering model {info.reordering}")
    lines += [f"history: {step}" for step in info.history]
    pairs = max(info.phrase_pairs, 1)
    lines.append(f"size {statistics.bytes / 1e6:,.1f} MB, {statistics.bytes / pairs:.1f} bytes a pair")
    lines.append(f"alignment links a pair {statistics.links / pairs:.2f}")
    weighted = "" if statistics.weighted_entropy is None else f", weighted by counts {statistics.weighted_entropy:.3f}"
    if statistics.entropy is not None:
        lines.append(f"entropy of p(e|f) {statistics.entropy:.3f} bits{weighted}")
    lines += _histogram("options of a source phrase", statistics.options)
    lines += _histogram("words of source phrases", statistics.source_lengths)
    lines += _histogram("words of target phrases", statistics.target_lengths)
    lines += _histogram("counts of phrase pairs", statistics.counts)
    lines.append("\n" + f"{'probabilities':<16}" + "".join(f"{score:>14}" for score in statistics.probabilities))
    for decade in DECADES:
        numbers = [counts.get(decade, 0) for counts in statistics.probabilities.values()]
        if any(numbers):
            lines.append(f"{decade:<16}" + "".join(f"{number:>14,}" for number in numbers))
    return "".join(f"{line}\n" for line in lines)
