"""Outputs side by side, item by item, with the words marked in which they differ."""

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape

import numpy as np

from widl.experiments.results import TestSet
from widl.mert.nbest import FloatArray

SHOWN = 200
"""Items of a set on a page; all are in ``results.json``."""
_LONG = 400  # characters of an input that are shown at once


def samples(test: TestSet, shown: int = SHOWN) -> Iterator[str]:
    """A set's items, spread evenly where there are more than `shown`, with what makes the page sort them."""
    if not test.systems:
        return
    count = len(test.items)
    numbers = list(range(count)) if count <= shown else [i * count // shown for i in range(shown)]
    names = list(test.systems)
    yield f'<section class="samples"><h3>{escape(test.name)}</h3>'
    if count > shown:
        yield f'<p class="note">{shown} of {count:,} items, evenly spread; all are in results.json.</p>'
    yield _controls([metric.name for metric in test.metrics], names)
    scores = {m.name: {name: _item_scores(test, name, m.name)[numbers] for name in names} for m in test.metrics}
    told = {m: {name: [round(float(x), 4) for x in row] for name, row in of.items()} for m, of in scores.items()}
    told_text = json.dumps(told).replace("<", "\\u003c")  # "</script" would end it
    yield f'<script type="application/json">{told_text}</script>'
    yield '<div class="list">'
    for row, number in enumerate(numbers):
        yield _article(test, number, row, told)
    yield "</div></section>"


def _item_scores(test: TestSet, system: str, metric: str) -> FloatArray:
    """Each item's own score, of the first run."""
    rows = np.array(test.systems[system][0].statistics[metric], np.float64)
    return np.nan_to_num(test.metric(metric).scorer()(rows))


def _controls(metrics: Sequence[str], names: Sequence[str]) -> str:
    def select(kind: str, options: Sequence[str], chosen: str) -> str:
        inner = "".join(
            f"<option{' selected' if option == chosen else ''}>{escape(option)}</option>" for option in options
        )
        return f'<select class="{kind}">{inner}</select>'

    place = "place in the set"
    return (
        '<div class="controls">'
        f"<label>Sort by {select('metric', [place, *metrics], place)}</label>"
        f"<label>of {select('second', names, names[-1])}</label>"
        f"<label>minus {select('first', names, names[0])}</label>"
        '<label><input type="checkbox" class="differing"> only where outputs differ</label>'
        f'<label><input type="checkbox" class="gone"> show words of {escape(names[0])} that others lack</label>'
        "</div>"
    )


def _article(test: TestSet, number: int, row: int, scores: dict[str, dict[str, list[float]]]) -> str:
    item = test.items[number]
    texts = {name: runs[0].outputs[number] for name, runs in test.systems.items()}
    base = next(iter(texts))
    outputs = []
    for name, text in texts.items():
        facts = [f"{metric} {of[name][row]:.{test.metric(metric).digits}f}" for metric, of in scores.items()]
        for fact, values in test.systems[name][0].facts.items():
            value = values[number]
            facts += [] if value is None else [f"{fact} {value:.4g}"]
        shown = escape(text) if name == base else marked(texts[base], text)
        outputs.append(
            f"<div><dt>{escape(name)} · {escape(', '.join(facts))}</dt><dd>{shown or '<i>nothing</i>'}</dd></div>"
        )
    references = "".join(f'<p class="reference">{escape(reference)}</p>' for reference in item.references)
    return (
        f'<article data-row="{row}" data-same="{int(len(set(texts.values())) == 1)}"><h4>{number + 1}</h4>'
        f'{_input(item.input)}{references}<dl class="outputs">{"".join(outputs)}</dl></article>'
    )


def _input(text: str) -> str:
    if len(text) <= _LONG:
        return f"<p>{escape(text)}</p>"
    return f"<details><summary>{escape(text[:_LONG])} …</summary><p>{escape(text)}</p></details>"


def marked(base: str, text: str) -> str:
    """HTML of `text` with the words marked that `base` has not at that place, and those of `base` that it lacks.

    >>> marked("the cat sat down", "the dog sat")
    'the <del>cat</del> <ins>dog</ins> sat <del>down</del>'
    """
    old, new = base.split(), text.split()
    parts = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(escape(" ".join(new[k:m])))
            continue
        if i < j:
            parts.append(f"<del>{escape(' '.join(old[i:j]))}</del>")
        if k < m:
            parts.append(f"<ins>{escape(' '.join(new[k:m]))}</ins>")
    return " ".join(parts)
