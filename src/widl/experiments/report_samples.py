"""Outputs of all systems for each item, with marks on the words in which they differ."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from widl.experiments.results import TestSet
from widl.mert.nbest import FloatArray
from widl.pages import render

SHOWN = 200
"""Items of a test set on a page; ``results.json`` has all."""
_LONG = 400  # characters of an input that are shown at once


def samples(test: TestSet, shown: int = SHOWN) -> Iterator[Markup]:
    """At most `shown` items of a test set, evenly spread, with the scores that the page sorts them by."""
    if not test.systems:
        return
    count = len(test.items)
    numbers = list(range(count)) if count <= shown else [i * count // shown for i in range(shown)]
    names = list(test.systems)
    scores = {
        metric.name: {
            name: [round(float(x), 4) for x in _item_scores(test, name, metric.name)[numbers]] for name in names
        }
        for metric in test.metrics
    }
    yield render(
        "samples",
        title=test.name,
        note=f"{shown} of {count:,} items, evenly spread; all are in results.json." if count > shown else "",
        metrics=[metric.name for metric in test.metrics],
        names=names,
        scores=htmlsafe_json_dumps(scores),
        items=[_item(test, number, row, scores) for row, number in enumerate(numbers)],
    )


def _item_scores(test: TestSet, system: str, metric: str) -> FloatArray:
    """The score of each item alone, in the system's first run."""
    rows = np.array(test.systems[system][0].statistics[metric], np.float64)
    return np.nan_to_num(test.metric(metric).scorer()(rows))


def _item(test: TestSet, number: int, row: int, scores: dict[str, dict[str, list[float]]]) -> dict[str, object]:
    """The template's variables for an item: input, beginning of a long input, references and outputs."""
    item = test.items[number]
    texts = {name: runs[0].outputs[number] for name, runs in test.systems.items()}
    base = next(iter(texts))
    outputs: dict[str, dict[str, Any]] = {}
    for name, text in texts.items():
        facts = [f"{metric} {of[name][row]:.{test.metric(metric).digits}f}" for metric, of in scores.items()]
        for fact, values in test.systems[name][0].facts.items():
            value = values[number]
            facts += [] if value is None else [f"{fact} {value:.4g}"]
        shown = text if text == texts[base] else marked(texts[base], text)
        output = outputs.setdefault(text, {"systems": [], "text": shown})
        output["systems"].append((name, facts))
    return {
        "number": number + 1,
        "same": len(set(texts.values())) == 1,
        "input": item.input,
        "beginning": item.input[:_LONG] if len(item.input) > _LONG else "",
        "references": item.references,
        "outputs": list(outputs.values()),
    }


def marked(base: str, text: str) -> Markup:
    """HTML of the edits from `base` to `text`: inserted and deleted words are marked.

    >>> str(marked("the cat sat down", "the dog sat"))
    'the <del>cat</del> <ins>dog</ins> sat <del>down</del>'
    """
    old, new = base.split(), text.split()
    parts = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(("", " ".join(new[k:m])))
            continue
        if i < j:
            parts.append(("del", " ".join(old[i:j])))
        if k < m:
            parts.append(("ins", " ".join(new[k:m])))
    return render("marked", parts=parts)
