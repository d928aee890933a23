"""A metric of an objective: its options, and what each metric can do."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator

from widl._core import Metric
from widl.common.arrays import FloatArray, IntArray
from widl.common.errors import InputError
from widl.common.extras import optional_packages
from widl.common.option_values import NOT_ON_COMMAND_LINE, Count, shown_in_help
from widl.common.options import option_set, refuse_unread

References = Sequence[Sequence[Any]]
"""Streams of a line or None for each sentence; sacrebleu's type hints do not allow None."""


def _known_tokenizer(name: str) -> str:
    with optional_packages():
        from sacrebleu.metrics.bleu import BLEU

    if name not in BLEU.TOKENIZERS:
        raise InputError(f"unknown tokenizer {name!r}; choose one of {', '.join(BLEU.TOKENIZERS)}")
    return name


@option_set
class MetricOptions:
    """Options of metrics, with sacrebleu's names and defaults."""

    tokenize: Annotated[str, AfterValidator(_known_tokenizer), shown_in_help(metavar="NAME")] = "13a"
    "bleu: sacrebleu's tokenizer; none for tokenized text."
    lowercase: bool = False
    "bleu, chrf: ignore case."
    any_script: Annotated[bool, NOT_ON_COMMAND_LINE] = False
    "rouge: count words of any script, Chinese by characters; rouge-score counts only a to z and digits."
    stem: Annotated[bool, NOT_ON_COMMAND_LINE] = False
    "rouge: compare words by their stems."
    jackknife: Annotated[bool, NOT_ON_COMMAND_LINE] = False
    "rouge: average over leaving one reference out in turn, as in DUC; else the best reference counts."
    pooled: Annotated[bool, NOT_ON_COMMAND_LINE] = False
    "rouge: matches and n-grams of several references are summed, as ROUGE 1.5.5 does."
    first_words: Annotated[Count, NOT_ON_COMMAND_LINE] = 0
    "rouge: number of first words of a text that count, as with -l of ROUGE 1.5.5; 0: all."

    def __post_init__(self) -> None:
        if self.jackknife and self.pooled:
            raise InputError("jackknife and pooled exclude each other; give one of them")


ROUGE_READS = ("any_script", "stem", "jackknife", "pooled", "first_words")
READS = {"bleu": ("tokenize", "lowercase"), "chrf": ("lowercase",), "ter": (), "rouge": ROUGE_READS}
"""The options that the metrics of a family read."""


def check_metric_options(options: MetricOptions, metrics: Iterable[str]) -> None:
    """OptionError if an option is set that none of the metrics reads; functions of users read none."""
    names = list(metrics)
    families = [family for family in READS if any(name.startswith(family) for name in names)]
    reads = {option for family in families for option in READS[family]}
    refuse_unread(options, f"metric {' and '.join(names)}", reads)


class MetricPart(ABC):
    """One metric: its statistics, and how the core computes it from them."""

    signature: str
    is_summed = True
    """Whether the score of a corpus follows from the statistics, so that samples of it can be scored."""

    @abstractmethod
    def add_to(self, metric: Metric, coefficient: float) -> None:
        """Add this term to a metric of the core."""

    @abstractmethod
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        """A row for each text."""

    def points_of(self, rows: FloatArray) -> FloatArray | None:  # noqa: ARG002
        """The values of candidates by their statistics, of a metric with its own units; None: 0 to 100."""
        return None

    @abstractmethod
    def reported(self, texts: Sequence[str]) -> float:
        """The score of one text per sentence, by the metric's own library; that of TER by the core, which is faster."""


def forget_lines(tokenizer: object) -> None:
    """Empty the caches of a tokenizer and of the tokenizers that it uses.

    Each of sacrebleu's tokenizers caches 65,536 lines until the process ends, so memory would grow with many tuning
    runs.
    """
    for part in (tokenizer, *vars(tokenizer).values()):
        for method in vars(type(part)).values():
            if hasattr(method, "cache_clear"):
                method.cache_clear()


def lines_of_sentences(references: References) -> list[list[str]]:
    """The references of each sentence, without missing ones."""
    return [[line for line in lines if line is not None] for lines in zip(*references, strict=True)]
