"""The language model of a training: its text and its order."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from widl.common.arguments import PathLike
from widl.common.files import read_lines, write_text
from widl.common.shared_folder import Exchange
from widl.common.workers import Progress
from widl.decoder.language_model import DEFAULT_ORDER, MAX_ORDER
from widl.decoder.lm_estimation import DEFAULT_MEMORY, MIN_MEMORY, estimate_language_model
from widl.phrase_table.bitext import prepare_text
from widl.text.source_and_target import TextSettings
from widl.text.truecasing import Truecaser

OrderOption = Annotated[int | None, Field(ge=2, le=MAX_ORDER)]

_WORDS_OF_ORDER_4, _WORDS_OF_ORDER_5 = 1_000_000, 10_000_000


def default_order(texts: Iterable[PathLike]) -> int:
    """The default order for these tokenized texts: in larger texts, longer n-grams recur.

    On 12 million words, orders 4 and 5 translate a little better than 3, and take 2 and 4 times the space.
    """
    words = sum(len(line.split()) for path in texts for line in read_lines(path))
    return DEFAULT_ORDER + (words >= _WORDS_OF_ORDER_4) + (words >= _WORDS_OF_ORDER_5)


def memory_of_counts(memory: int) -> int:
    """The memory limit of an estimation in a training: not less than its minimum; its default for 0, no limit."""
    return max(memory, MIN_MEMORY) if memory else DEFAULT_MEMORY


@dataclass(frozen=True)
class Resources:
    """Resources of a training's steps.

    memory: limit in bytes for phrase extraction, and for counting n-grams, which raises it to the minimum of an
    estimation; 0: the default. exchange: the workers of a cluster, if any.
    """

    threads: int
    memory: int
    temporary_directory: Path
    progress: Progress
    exchange: Exchange | None = None


def estimate_model(
    target: Path | None,
    lm_text: Sequence[Path],
    model: Path,
    *,
    order: int | None,
    prune: Sequence[int] = (),
    truecaser: Truecaser,
    settings: TextSettings,
    resources: Resources,
) -> None:
    """Estimate the language model of tokenized and of raw text; facts for the manifest go to ``lm.json``."""
    sources = [] if target is None else [target]
    if lm_text:
        text = model.with_name("lm.text")
        prepare_text(
            lm_text,
            text,
            truecaser=truecaser,
            settings=settings,
            threads=resources.threads,
            progress=lambda stage, done, total: resources.progress(f"{stage} lm text", done, total),
            exchange=resources.exchange,
        )
        sources.append(text)
    order = order or default_order(sources)
    report = estimate_language_model(
        sources,
        model,
        order=order,
        prune=prune,
        memory=memory_of_counts(resources.memory),
        temporary_directory=resources.temporary_directory,
    )
    facts = {"lm_words": report.words, "lm_order": order, "lm_ngrams": " ".join(map(str, report.ngrams))}
    with write_text(model.with_name("lm.json")) as file:
        json.dump(facts, file)
