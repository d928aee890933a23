"""Tables of the headline experiment: the paper's Table 1, its figures beside those measured."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from widl.experiments.results import Cell, Column, Metric, Row, Table, TestSet, measured
from widl.headline.options import SEARCHED
from widl.mert.rouge import ROOT_OF_RECALLS, rouge_tokenizer

METRICS = ("rouge1_recall", "rouge2_recall", ROOT_OF_RECALLS, "rouge1", "rouge2", "rougeL_recall")

SUPPORT = Metric(name="support", scale=100, digits=1)
"""Share of the headlines' relations that their documents have (`widl.headline.support`)."""

FACTS = (
    SUPPORT,
    Metric(name="unigrams", scale=1, digits=2, tested=False),
    Metric(name="bigrams", scale=1, digits=2, tested=False),
    Metric(name="length", scale=1, digits=1, better=None, tested=False),
    Metric(name="optimal", scale=100, digits=1, tested=False),
    Metric(name="seconds", scale=1, digits=3, better="lower", tested=False),
)
"""Further figures: matched n-grams, words, whether search proved optimality, its time without the parse."""

PAPER = {
    "lead": (458, 114, 9.9, 20.8, 11.1),
    "hedge-trimmer": (399, 104, 7.4, 18.1, 9.9),
    "topiary": (576, 115, 9.9, 26.2, 12.5),
    "keywords": (585, 22, 9.9, 26.6, 5.5),
    "webcl": (311, 76, 7.3, 14.1, 7.5),
    "widl-paper": (562, 126, 10.0, 25.5, 12.9),
}
"""Table 1 by system: matched unigrams and bigrams, length, Rouge₁, Rouge₂."""
PAPER_DOCUMENTS = 273
PAPER_UNIGRAMS = 2202
"""Of the references. The paper does not say; with 2200 to 2202, and no other number, every Rouge₁ is #(uni) by it."""
PAPER_BIGRAMS = PAPER_UNIGRAMS - PAPER_DOCUMENTS
"""Of the references: each, of one line, has one bigram less than words."""
SYSTEM_NAMES = {
    "lead": "Lead10",
    "hedge-trimmer": "HedgeTrimmer",
    "topiary": "Topiary",
    "keywords": "Keywords",
    "webcl": "Webcl",
    "webcl-full": "Webcl full",
    "widl-paper": "WIDL-A*",
}

_tokens = rouge_tokenizer()


def paper_recalls(system: str) -> tuple[float, float, float]:
    """Unigram and bigram recall from the paper's counts, and the root of their product, which it prints as Rouge₂.

    >>> "%.1f %.1f %.1f" % paper_recalls("lead")
    '20.8 5.9 11.1'
    """
    unigrams, bigrams, *_ = PAPER[system]
    recalls = 100 * unigrams / PAPER_UNIGRAMS, 100 * bigrams / PAPER_BIGRAMS
    return *recalls, math.sqrt(recalls[0] * recalls[1])


def _paper_cells(system: str) -> list[Cell]:
    """The paper's figures under the columns of `tables`; none of a system that it does not have."""
    if system not in PAPER:
        return []
    unigrams, bigrams, length, rouge1, rouge2 = PAPER[system]
    return [unigrams, bigrams, length, rouge1, round(paper_recalls(system)[1], 1), rouge2, None, None, None]


def matches(text: str, references: Sequence[str]) -> tuple[int, int]:
    """Matched unigrams and bigrams of a headline, counted as ROUGE does, for the reference that matches best.

    >>> matches("Rain stops play", ["RAIN STOPS THE PLAY"])
    (3, 1)
    """
    headline_ngrams = [_ngrams(text, n) for n in (1, 2)]
    counts = [
        tuple((ngrams & _ngrams(reference, n)).total() for n, ngrams in enumerate(headline_ngrams, 1))
        for reference in references
    ]
    unigrams, bigrams = max(counts, default=(0, 0), key=lambda count: (count[1], count[0]))
    return unigrams, bigrams


def _ngrams(text: str, n: int) -> Counter[tuple[str, ...]]:
    tokens = _tokens(text)
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def tables(test: TestSet, kinds: Mapping[str, str], published: Sequence[tuple[int, int]]) -> list[Table]:
    """Table 1, a table of relation support, and one of search.

    `kinds` has the kind of system of each row, by the row's name; `published` the relations of the published headlines.
    """
    of_kind = Counter(kinds.values())
    columns = [
        Column(name="#(uni)", digits=0, help="matched unigrams, of all documents"),
        Column(name="#(bi)", digits=0, help="matched bigrams, of all documents"),
        Column(name="Len.", digits=1, help="mean number of words"),
        Column(name="ROUGE-1", digits=1, better="higher", help="recall, mean of documents"),
        Column(name="ROUGE-2", digits=1, better="higher", help="bigram recall, mean of documents"),
        Column(name="√(R1·R2)", digits=1, better="higher", help="of recalls of all documents: the paper's Rouge₂"),
        Column(name="ROUGE-1 F", digits=1, better="higher"),
        Column(name="ROUGE-2 F", digits=1, better="higher"),
        Column(name="ROUGE-L", digits=1, better="higher", help="recall of the longest common subsequence"),
    ]
    rows = []
    labels: dict[str, str] = {}
    for name in test.systems:
        totals = [round(len(test.items) * measured(test, name, metric).value) for metric in ("unigrams", "bigrams")]
        cells: list[Cell] = [*totals, measured(test, name, "length")]
        cells += [measured(test, name, metric) for metric in METRICS]
        labels[name] = SYSTEM_NAMES.get(kinds[name], name) if of_kind[kinds[name]] == 1 else name
        rows.append(Row(label=labels[name], cells=cells, paper=_paper_cells(kinds[name])))
    first = Table(
        name="headlines",
        title=f"Headlines of {len(test.items)} documents",
        paper="Soricut & Marcu (2006), Table 1, DUC 2003",
        columns=columns,
        rows=rows,
        notes=[
            "Matched n-grams are sums over all documents, of means over runs where there are several.",
            "ROUGE-1, ROUGE-2 and ROUGE-L are recalls. The paper's Rouge₂ is √(R1·R2); its ROUGE-2 is from its #(bi).",
        ],
    )
    truth = _support_table(test, labels, published)
    searched = [name for name in test.systems if kinds[name] in SEARCHED]
    if not searched:
        return [first, truth]
    second = Table(
        name="search",
        title="Search",
        columns=[
            Column(name="proved optimal %", digits=1, better="higher"),
            Column(name="seconds a document", digits=3, better="lower", help="phrases and search, without the parse"),
        ],
        rows=[
            Row(label=name, cells=[measured(test, name, "optimal"), measured(test, name, "seconds")])
            for name in searched
        ],
    )
    return [first, truth, second]


def _support_table(test: TestSet, labels: Mapping[str, str], published: Sequence[tuple[int, int]]) -> Table:
    supported, relations = (sum(counts) for counts in zip(*published, strict=True))
    rows = [Row(label=labels[name], cells=[measured(test, name, "support")]) for name in test.systems]
    if relations:
        rows.append(Row(label="published", cells=[100 * supported / relations]))
    return Table(
        name="support",
        title="Relation support",
        columns=[
            Column(
                name="support %",
                digits=1,
                better="higher",
                help="of subjects, objects, negations and prepositions of headlines, those that documents have",
            )
        ],
        rows=rows,
        notes=[
            "Both parsers err: the beginnings of texts, word for word, have less than 100. Published headlines "
            "use words that their texts don't have."
        ],
    )
