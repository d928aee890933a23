"""``report.html``: an experiment's results as one page that needs nothing else, no network and no other file.

Its parts are the tables beside the paper's figures, scores with their intervals, paired tests of all pairs, pictures,
outputs side by side with differences marked, and provenance. It reads at the width of a phone and in a dark page, and
without scripts everything is there, in the order of the results.
"""

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from widl.arguments import PathLike, path_of
from widl.experiments.report_samples import samples
from widl.experiments.report_tables import caption, intervals_table, pair_matrices, result_table, text_table
from widl.experiments.results import Interval, Picture, Results, TestSet
from widl.files import write_text
from widl.pictures import drawing, inlined, svg

PAGE = "report.html"
Section = tuple[str, str, Sequence[str]]
"""Anchor, heading and what is below it."""


def write_report(results: Results, directory: PathLike) -> Path:
    """Write the page into a directory; returns its path."""
    path = path_of(directory, "directory") / PAGE
    with write_text(path) as file:
        file.write(report_page(results))
    return path


def report_page(results: Results) -> str:
    """The page of one experiment."""
    provenance = results.provenance
    about = f"widl {provenance.versions.get('widl', '')}, {results.kind} experiment, {provenance.finished}"
    sections: list[Section] = [
        ("tables", "Results", [result_table(table) for table in results.tables]),
        ("scores", "Scores and intervals", list(interval_parts(results.sets, results.intervals))),
        ("significance", "Significance", list(pair_matrices(results.sets, results.pairs))),
        ("pictures", "Pictures", [_figure(picture, i) for i, picture in enumerate(results.pictures)]),
        ("outputs", "Outputs side by side", [part for test in results.sets for part in samples(test)]),
        ("systems", "Systems", list(_systems(results))),
        ("provenance", "Provenance", list(_provenance(results))),
    ]
    notes = [f"<p>{escape(note)}</p>" for note in results.notes]
    return page(results.title, about, sections, opening=notes)


def page(title: str, about: str, sections: Sequence[Section], *, opening: Sequence[str] = ()) -> str:
    """A whole HTML document of the sections that have anything in them."""
    resources = files("widl.experiments")
    style, script = ((resources / f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    shown = [section for section in sections if section[2]]
    links = "".join(f'<li><a href="#{anchor}">{escape(heading)}</a></li>' for anchor, heading, _ in shown)
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n<script>\n{script}</script>\n</head>",
        f'<body><header><h1>{escape(title)}</h1><p class="muted">{escape(about)}</p></header>',
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n<main>',
        *opening,
    ]
    for anchor, heading, content in shown:
        parts += [f'<section id="{anchor}"><h2>{escape(heading)}</h2>', *content, "</section>"]
    return "\n".join([*parts, "</main></body></html>\n"])


def _figure(picture: Picture, number: int) -> str:
    drawn = inlined(picture.svg, f"picture{number}", picture.title, picture.description)
    return (
        f'<figure><figcaption><h3>{escape(picture.title)}</h3><p class="note">{escape(picture.description)}</p>'
        f'</figcaption><div class="scroll picture" tabindex="0" role="group" aria-label="{escape(picture.title)}">'
        f"{drawn}</div></figure>"
    )


def interval_parts(sets: Sequence[TestSet], intervals: Sequence[Interval]) -> Iterator[str]:
    """Tables of scores with their intervals, and drawings of them."""
    for number, test in enumerate(sets):
        own = [interval for interval in intervals if interval.set == test.name]
        if not own:
            continue
        yield intervals_table(test, own)
        for k, metric in enumerate(test.metrics):
            rows = [interval for interval in own if interval.metric == metric.name]
            if len(rows) < 2 or not metric.tested:
                continue
            with drawing(7, 0.8 + 0.28 * len(rows)) as figure:
                axes = figure.add_subplot()
                for i, row in enumerate(reversed(rows)):
                    # An interval of resampled items may leave out the mean of the runs.
                    axes.plot([row.low, row.high], [i, i], color="C0", linewidth=2)
                    axes.plot(row.score, i, "o", color="C1")
                axes.set_yticks(range(len(rows)), [row.system for row in reversed(rows)])
                axes.set_ylim(-0.6, len(rows) - 0.4)
                axes.set_xlabel(metric.name)
                axes.grid(True, axis="x")
                picture = Picture(
                    name=f"interval-{number}-{k}",
                    title=f"{metric.name} on {test.name}",
                    description="Score (dot) and 95 % confidence interval over the items (line) of each system.",
                    svg=svg(figure),
                )
            yield f"<details><summary>{escape(picture.title)}, drawn</summary>"
            yield _figure(picture, 1000 * (number + 1) + k) + "</details>"


def _systems(results: Results) -> Iterator[str]:
    for system in results.systems:
        if not system.settings and not system.weights:
            continue
        yield f"<details><summary>{escape(system.name)}</summary>"
        if system.settings:
            yield text_table(["option", "value"], [[k, _value(v)] for k, v in system.settings.items()], "settings")
        if system.weights:
            names = list(dict.fromkeys(name for weights in system.weights.values() for name in weights))
            rows = [
                [name, *(f"{weights[name]:.6g}" if name in weights else "" for weights in system.weights.values())]
                for name in names
            ]
            yield text_table(["weight", *system.weights], rows, "weights")
        yield "</details>"


def _provenance(results: Results) -> Iterator[str]:
    found = results.provenance
    facts = [*found.machine.items(), ("threads", found.threads), ("seed", found.seed), ("finished", found.finished)]
    yield text_table(["", "value"], [[name, _value(value)] for name, value in facts], "machine")
    yield f"<h3>{caption('versions')}</h3>"
    yield text_table(["program", "version"], [[name, value] for name, value in found.versions.items()], "versions")
    if found.inputs:
        yield f"<h3>{caption('inputs')}</h3>"
        yield text_table(["file", "SHA-256"], [[name, value] for name, value in found.inputs.items()], "inputs")
    if found.steps:
        yield f"<h3>{caption('steps')}</h3>"
        rows = [[step["step"], f"{step['seconds']:,.1f}", step["finished"]] for step in found.steps]
        yield text_table(["step", "seconds", "finished"], rows, "steps")
    yield f"<h3>{caption('configuration')}</h3>"
    text = json.dumps(found.config, ensure_ascii=False, indent=2)
    yield f'<pre tabindex="0" aria-label="configuration">{escape(text)}</pre>'


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
