"""Word ordering (Soricut & Marcu 2005, §4, Tables 2 and 3): sentences from bags of their words.

Each sentence's words are shuffled, every row of the table orders all bags, and all strings are scored by
the language model alone, boundaries included. A row's results are a file of their own, written when
the row is complete; the same command goes on with the rows that are missing.
"""

import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from time import perf_counter

from widl.decoder import (
    Algorithm,
    Bound,
    LanguageModel,
    Realizer,
    SearchOptions,
    Vocabulary,
    WeightVector,
    bag,
    estimate_language_model,
    greedy_order,
    inverse_lexicographic_order,
    load_language_model,
)
from widl.errors import InputError
from widl.files import read_lines, write_text
from widl.phrase_table.segmentation import make_tokenizer
from widl.workers import Progress, no_progress

SHORT_ROWS = ("L", "G", "bfs", "astar", "astar-1", "astar-2", "beam-0.2", "beam-0.1")
LONG_ROWS = ("L", "G", "astar", "astar-1", "astar-2", "beam-0.2", "beam-0.1")
"""Without `bfs`, which no memory is large enough for."""
TIGHTER_ROWS = ("astar:lagrangian", "astar-2:lagrangian", "beam-0.1:lagrangian")
"""The same searches by a bound that the paper did not have."""
LONGEST_FOR_BFS = 9

# What the language model and the test sentences lose at their ends, as quotes may close after a full stop.
_FINAL = frozenset([".", "!", "?", "…", "...", ";", ":", ",", "--", "-", "''", "``", '"', "'", "`"])
_TOKENISED = re.compile(r"\.tok(\.|$)")
_BATCH = 8
# Sums of single-precision logs: strings closer than this are equally probable.
_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Row:
    """A way to order a bag, by name.

    ``L`` and ``G`` are the baselines; ``bfs``; ``astar``; ``astar-K`` unfolds only states at most K words
    shorter than the longest; ``beam-B`` drops states less probable than B times their length's best. A
    bound after a colon, as in ``astar:static``, replaces the paper's.
    """

    name: str
    algorithm: Algorithm | None = None
    lookback: int = 0
    beam: float = 1.0
    bound: str = "context"

    @classmethod
    def parse(cls, name: str) -> "Row":
        """The row that a name means; InputError for no such row."""
        search, colon, bound = name.partition(":")
        bound = bound if colon else "context"
        if colon and bound not in Bound.__members__:
            raise InputError(f"row {name!r}: unknown bound {bound!r}; known are {', '.join(Bound.__members__)}")
        kind, dash, value = search.partition("-")
        if name in ("L", "G"):
            return cls(name)
        if search in ("bfs", "astar"):
            return cls(name, Algorithm[search], bound=bound)
        if kind == "astar" and dash and re.fullmatch(r"[0-9]{1,4}", value):
            return cls(name, Algorithm.astar_k, lookback=int(value), bound=bound)
        if kind == "beam" and re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]+)?", value) and 0 < float(value) <= 1:
            return cls(name, Algorithm.beam, beam=float(value), bound=bound)
        raise InputError(f"unknown row {name!r}; rows are L, G, bfs, astar, astar-K and beam-B with 0 < B <= 1")

    @property
    def label(self) -> str:
        """As the paper calls it: A*_2 for ``astar-2``.

        >>> Row.parse("astar-2").label, Row.parse("beam-0.2").label, Row.parse("astar:static").label
        ('A*_2', 'B_0.2', 'A* static')
        """
        search, _, bound = self.name.partition(":")
        kind, dash, value = search.partition("-")
        names = {"bfs": "BFS", "astar": "A*", "beam": "B"}
        return names.get(kind, kind) + (f"_{value}" if dash else "") + (f" {bound}" if bound else "")


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What one bag may cost a search; 0 is no limit. The paper's machine had 2 GiB."""

    seconds: float = 10.0
    states: int = 0
    memory: int = 2_000_000_000


@dataclass(frozen=True)
class Bags:
    """Test sentences, and their words in an order that says nothing of the sentence's."""

    name: str
    sentences: list[list[str]]
    shuffled: list[list[str]]

    @property
    def sizes(self) -> tuple[int, int]:
        """The fewest and the most words of a bag."""
        lengths = [len(words) for words in self.sentences]
        return min(lengths), max(lengths)


@dataclass(frozen=True)
class Ordered:
    """What a row made of one bag. `log_prob` is the language model's, of the string with its boundaries."""

    words: list[str]
    log_prob: float
    seconds: float
    states: int = 0
    edges: int = 0
    memory: int = 0
    proved: bool = False
    stopped: str = ""


@dataclass
class Results:
    """All rows' results on one set of bags, in the order of the bags."""

    bags: Bags
    sentence_log_probs: list[float]
    rows: dict[str, list[Ordered]] = field(default_factory=dict)


def read_bags(file: Path, *, limit: int = 0, seed: int = 1) -> Bags:
    """Sentences, one a line, lower-cased and without final punctuation, and their shuffled words.

    Each bag is shuffled from the seed, its number and its words, whatever the limit.
    """
    sentences = []
    for line in read_lines(file):
        if words := without_final_punctuation(line.lower().split()):
            sentences.append(words)
        if limit and len(sentences) == limit:
            break
    if not sentences:
        raise InputError(f"{file}: no words; expected a sentence a line")
    shuffled = []
    for number, sentence in enumerate(sentences):
        words = sorted(sentence)
        random.Random(f"{seed} {number} {' '.join(words)}").shuffle(words)
        shuffled.append(words)
    return Bags(file.name.removesuffix(".gz").removesuffix(".txt"), sentences, shuffled)


def without_final_punctuation(tokens: Sequence[str]) -> list[str]:
    """The tokens up to the last that is no sentence or clause punctuation.

    >>> without_final_punctuation(["``", "no", ".", "''"])
    ['``', 'no']
    """
    end = len(tokens)
    while end and tokens[end - 1] in _FINAL:
        end -= 1
    return list(tokens[:end])


def training_lines(file: Path) -> Iterator[str]:
    """Language-model text as the test sentences are: tokens in lower case, without final punctuation.

    Files with ``.tok`` in their name are tokenised already.
    """
    tokenizer = make_tokenizer("none" if _TOKENISED.search(file.name) else "en")
    for line in read_lines(file):
        words = without_final_punctuation([word.lower() for word in tokenizer.tokenize(line)])
        words = [word for word in words if word not in ("<s>", "</s>", "<unk>")]
        if words:
            yield " ".join(words)


def make_language_model(texts: Sequence[Path], directory: Path, *, progress: Progress = no_progress) -> Path:
    """A trigram model of the texts in the directory, or the one that is there already if it is of these texts."""
    model, record = directory / "lm.binary", directory / "lm.json"
    sources = {str(file): fingerprint(file) for file in texts}
    if model.exists() and record.exists() and json.loads(record.read_text("utf-8")) == sources:
        return model
    record.unlink(missing_ok=True)
    prepared = directory / "lm.txt"
    with write_text(prepared) as out:
        for done, file in enumerate(texts):
            progress("reading text", done, len(texts))
            out.writelines(f"{line}\n" for line in training_lines(file))
    progress("reading text", len(texts), len(texts))
    estimate_language_model(prepared, model, order=3)
    with write_text(record) as out:
        json.dump(sources, out, indent=1)
    return model


def fingerprint(file: Path) -> str:
    """SHA-256 of a file's bytes."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def default_rows(bags: Bags) -> tuple[str, ...]:
    """The paper's rows that bags of these sizes allow, and some by the tightest bound there is."""
    return (*(SHORT_ROWS if bags.sizes[1] <= LONGEST_FOR_BFS else LONG_ROWS), *TIGHTER_ROWS)


def run(
    bags: Bags,
    model_file: Path,
    rows: Iterable[str],
    output: Path,
    *,
    budget: Budget | None = None,
    threads: int = 1,
    progress: Progress = no_progress,
) -> Results:
    """Order all bags by all rows; rows whose file in the output directory fits are read from there."""
    budget = budget or Budget()
    parsed = [Row.parse(name) for name in rows]
    model = load_language_model(model_file)
    settings = {"model": fingerprint(model_file), "bags": bags.shuffled, "budget": asdict(budget)}
    mark = hashlib.sha256(json.dumps(settings, ensure_ascii=False).encode()).hexdigest()
    results = Results(bags, [log_prob(model, sentence) for sentence in bags.sentences])
    # The model's pages come into memory before anything is timed.
    list(_search(bags.shuffled[:50], model, Row.parse("beam-0.5"), budget, 1))
    for row in parsed:
        file = output / bags.name / f"{row.name.replace(':', '-')}.jsonl"
        ordered = _read_row(file, mark)
        if ordered is None:
            ordered = []
            for one in _order(bags.shuffled, model, row, budget, threads):
                ordered.append(one)
                progress(f"{bags.name} {row.label}", len(ordered), len(bags.shuffled))
            _write_row(file, mark, row, bags, ordered)
        results.rows[row.name] = ordered
    return results


def log_prob(model: LanguageModel, words: Sequence[str]) -> float:
    """ln p of the words between ``<s>`` and ``</s>``."""
    return sum(model.score_words(words))


def _order(
    shuffled: Sequence[list[str]], model: LanguageModel, row: Row, budget: Budget, threads: int
) -> Iterator[Ordered]:
    if row.algorithm is not None:
        yield from _search(shuffled, model, row, budget, threads)
        return
    for words in shuffled:
        start = perf_counter()
        ordered = greedy_order(words, model) if row.name == "G" else inverse_lexicographic_order(words)
        seconds = perf_counter() - start
        yield Ordered(ordered, log_prob(model, ordered), seconds)


def _search(
    shuffled: Sequence[list[str]], model: LanguageModel, row: Row, budget: Budget, threads: int
) -> Iterator[Ordered]:
    # Orders of a bag are equally probable: only the language model counts.
    weights = WeightVector(
        widl=[0.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=0.0, unknown=0.0
    )
    options = SearchOptions(
        algorithm=row.algorithm or Algorithm.astar,
        lookback=row.lookback,
        beam=row.beam,
        bound=Bound[row.bound],
        max_seconds=budget.seconds,
        max_states=budget.states,
        max_memory=budget.memory,
    )
    realizer = Realizer(Vocabulary([]), [model])
    step = _BATCH * threads
    for begin in range(0, len(shuffled), step):
        batch = [bag(words) for words in shuffled[begin : begin + step]]
        for found in realizer.realize_expressions(batch, weights, options, threads=threads):
            statistics = found.statistics
            yield Ordered(
                words=found.words,
                log_prob=log_prob(model, found.words),
                seconds=statistics.seconds,
                states=statistics.states,
                edges=statistics.edges,
                memory=statistics.memory,
                proved=found.optimal,
                stopped=found.stopped,
            )


def _write_row(file: Path, mark: str, row: Row, bags: Bags, ordered: Sequence[Ordered]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with write_text(file) as out:
        out.write(json.dumps({"row": row.name, "settings": mark}) + "\n")
        for sentence, words, one in zip(bags.sentences, bags.shuffled, ordered, strict=True):
            entry = {"sentence": " ".join(sentence), "bag": " ".join(words)}
            entry |= asdict(one) | {"words": " ".join(one.words)}
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _read_row(file: Path, mark: str) -> list[Ordered] | None:
    """A finished row, unless it is of other bags, another model or another budget."""
    if not file.exists():
        return None
    lines = read_lines(file)
    try:
        if json.loads(next(lines, "{}")).get("settings") != mark:
            return None
        names = Ordered.__dataclass_fields__
        entries = [{k: v for k, v in json.loads(line).items() if k in names} for line in lines]
        return [Ordered(**entry | {"words": entry["words"].split()}) for entry in entries]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{file}: not a row that this command wrote; remove it") from None


def best_known(results: Results) -> list[float | None]:
    """For each bag the log-probability of its best string, where some row proved it.

    A certificate covers scores that agree up to 1e-6 of themselves. A string better than a proved
    optimum would be a bug of the search.
    """
    best: list[float | None] = []
    for of_bag in zip(*results.rows.values(), strict=True):
        proved = [one.log_prob for one in of_bag if one.proved]
        top = max(proved, default=None)
        if top is not None:
            found = max(one.log_prob for one in of_bag)
            assert found <= top + _TOLERANCE, f"{found} is better than the proved optimum {top}"
        best.append(top)
    return best


def is_worse(log_probability: float, other: float) -> bool:
    """Whether a string is less probable than another by more than rounding."""
    return log_probability < other - _TOLERANCE


def write_all(results: Results) -> Iterator[list[str]]:
    """Every bag's sentence, words and, by row, string and log-probability; the header first."""
    yield ["sentence", "log_prob", "bag", *chain(*([name, f"{name} log_prob"] for name in results.rows))]
    columns = zip(*results.rows.values(), strict=True)
    sentences = zip(results.bags.sentences, results.sentence_log_probs, results.bags.shuffled, strict=True)
    for (sentence, score, words), of_bag in zip(sentences, columns, strict=True):
        outputs = chain(*([" ".join(one.words), f"{one.log_prob:.4f}"] for one in of_bag))
        yield [" ".join(sentence), f"{score:.4f}", " ".join(words), *outputs]
