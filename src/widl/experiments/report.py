"""Results as text, tables for other programs, and a page: what all experiments print and write.

``report.html`` needs no network and no other file. It has all tables, the outputs side by side with marked differences,
and provenance. It can be read on a phone and in dark mode; without scripts it shows everything.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from widl import pages
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.arrays import FloatArray
from widl.common.files import write_text
from widl.experiments.results import RESULTS, Results, TestSet
from widl.pages.charts import Point, chart
from widl.pages.tables import Figure, Table, latex_lines, latex_text, number_of, text_lines, tsv_lines

PAGE, TEXT, LATEX, TSV = "report.html", "results.txt", "results.tex", "results.tsv"
SHOWN = 200
"""Items of a test set on a page; ``results.json`` has all."""
_SPEED = "words/s"
_LONG = 400  # characters of an input that are shown at once


@checked
def write_experiment(results: Results, directory: PathLike, more: Mapping[str, str] | None = None) -> Path:
    """Write the results in all forms, and `more` files by name; returns the page's path.

    The files are ``results.json``, ``results.txt``, ``results.tex``, ``results.tsv`` and
    ``report.html``. They appear together, and none of them after an error.
    """
    directory = Path(directory)
    texts = {
        **(more or {}),
        RESULTS: results.model_dump_json() + "\n",
        TEXT: results_text(results),
        LATEX: results_latex(results),
        TSV: results_tsv(results),
        PAGE: report_page(results),
    }
    with ExitStack() as stack:
        for name, text in texts.items():
            stack.enter_context(write_text(directory / name)).write(text)
    return directory / PAGE


@checked
def results_text(results: Results) -> str:
    """The tables of results, the paired tests, and signatures."""
    signatures = signatures_of(results)
    lines = [results.title, "", *_lines(results, text_lines)]
    lines += [*signatures, ""] if signatures else []
    return "\n".join([*lines, *results.notes]).rstrip() + "\n"


def signatures_of(results: Results) -> list[str]:
    """The metrics' signatures, a line for each; scores compare with those of the same signature alone."""
    metrics = {metric.name: metric.signature for test in results.sets for metric in test.metrics}
    return [f"{name}: {signature}" for name, signature in metrics.items() if signature]


def results_latex(results: Results) -> str:
    r"""The tables of results and the paired tests in LaTeX, each with its title as a comment.

    They need ``\usepackage{booktabs,amssymb}``.
    """
    lines = _lines(results, lambda table: [f"% {table.title}", *latex_lines(table)])
    lines += [f"% {signature}" for signature in signatures_of(results)]
    notes = [rf"{latex_text(note)}\par" for note in results.notes]
    return "\n".join([r"% \usepackage{booktabs,amssymb}", "", *lines, *notes]) + "\n" * bool(notes)


def results_tsv(results: Results) -> str:
    """The tables of results and the paired tests as tab-separated values, each below its title."""

    def lines_of(table: Table) -> list[str]:
        return [f"# {table.title}", *tsv_lines(table), *(f"# {note}" for note in table.all_notes())]

    about = [f"# {line}" for line in (*signatures_of(results), *results.notes)]
    return "\n".join([*_lines(results, lines_of), *about]) + "\n" * bool(about)


def _lines(results: Results, lines_of: Callable[[Table], Iterable[str]]) -> list[str]:
    """The lines of the tables of results and of the paired tests; an empty line after each table."""
    sections = ("Results", "Significance")
    return [line for table in results.tables if table.section in sections for line in (*lines_of(table), "")]


def report_page(results: Results) -> str:
    """The page of one experiment: a section for all tables that name it, outputs, provenance."""
    provenance = results.provenance
    about = f"widl {provenance['versions'].get('widl', '')}, {results.kind} experiment, {provenance['finished']}"
    content: dict[str, list[Markup]] = {}
    for table in results.tables:
        content.setdefault(table.section, []).append(pages.table(table))
        content[table.section] += charts(table)
    content["Outputs side by side"] = [part for test in results.sets for part in samples(test)]
    content["Provenance"] = list(_provenance(provenance))
    sections = [pages.Section(name.split()[0].lower(), name, parts) for name, parts in content.items()]
    return pages.page(results.title, about, sections, notes=results.notes)


def charts(table: Table) -> Iterator[Markup]:
    """The systems' scores with their intervals, by the first metric; and against speed, if the table has it."""
    column = next(
        (candidate for candidate in table.columns if candidate.better is not None and candidate.name != _SPEED), None
    )
    if column is None or table.of != "system":
        return
    figures = [(row, row.cells.get(column.name)) for row in table.rows]
    shown = [(row, cell) for row, cell in figures if isinstance(cell, Figure)]
    if shown and shown[0][1].low is not None:
        points = [Point(row.label, place, cell.value, cell.low, cell.high) for place, (row, cell) in enumerate(shown)]
        yield chart(points, x="", y=column.name)
    speeds = [(row, cell, number_of(row.cells.get(_SPEED))) for row, cell in shown]
    yield chart(
        [Point(row.label, speed, cell.value) for row, cell, speed in speeds if speed is not None],
        x=_SPEED,
        y=column.name,
    )


def _provenance(provenance: dict[str, Any]) -> Iterator[Markup]:
    """A table of each of its parts, the configuration as it is."""
    for name, part in provenance.items():
        if name != "config" and part:
            values = part if isinstance(part, dict) else {name: part}
            if name == "steps":
                values = {step["step"]: f"{step['seconds']:,.1f} s, {step['finished']}" for step in part}
            rows = [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in values.items()]
            yield pages.table(pages.text_table(name, ["", "value"], rows))
    configuration = json.dumps(provenance["config"], ensure_ascii=False, indent=2)
    yield Markup('<h3>config</h3>\n<pre tabindex="0" aria-label="configuration">{}</pre>').format(configuration)


def samples(test: TestSet, most: int = SHOWN) -> Iterator[Markup]:
    """At most `most` items of a test set, evenly spread, with the scores that the page sorts them by."""
    if not test.systems:
        return
    count = len(test.inputs)
    numbers = list(range(count)) if count <= most else [i * count // most for i in range(most)]
    names = list(test.systems)
    scores = {
        metric.name: {
            name: [round(float(x), 4) for x in _item_scores(test, name, metric.name)[numbers]] for name in names
        }
        for metric in test.metrics
    }
    yield pages.render(
        "samples",
        title=test.name,
        note=f"{most} of {count:,} items, evenly spread; all are in results.json." if count > most else "",
        metrics=[metric.name for metric in test.metrics],
        names=names,
        scores=htmlsafe_json_dumps(scores),
        items=[_item(test, number, row, scores) for row, number in enumerate(numbers)],
    )


def _item_scores(test: TestSet, system: str, metric: str) -> FloatArray:
    """The score of each item alone, in the system's first run."""
    return np.nan_to_num(test.metric(metric).scorer()(test.statistics(system, metric)[0]))


def _item(test: TestSet, number: int, row: int, scores: dict[str, dict[str, list[float]]]) -> dict[str, object]:
    """The template's variables for an item: input, beginning of a long input, references and outputs."""
    text = test.inputs[number]
    outputs: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for name, (run, *_) in test.systems.items():
        facts = [f"{metric} {of[name][row]:.{test.metric(metric).digits}f}" for metric, of in scores.items()]
        facts += [f"{fact} {values[number]:.4g}" for fact, values in run.facts.items() if values[number] is not None]
        outputs.setdefault(run.outputs[number], []).append((name, facts))
    base = next(iter(outputs))
    return {
        "number": number + 1,
        "same": len(outputs) == 1,
        "input": text,
        "beginning": text[:_LONG] if len(text) > _LONG else "",
        "references": [stream[number] for stream in test.references if stream[number]],
        "outputs": [
            {"systems": systems, "text": output if output == base else marked(base, output)}
            for output, systems in outputs.items()
        ],
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
    return pages.render("marked", parts=parts)
