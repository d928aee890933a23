"""`widl translate`."""

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, Annotated, TextIO

from cyclopts import Parameter

from widl.cli.models import report_removed_features
from widl.cli.parameters import (
    CORES,
    Cluster,
    Json,
    ModelDirectory,
    Output,
    Quiet,
    Threads,
    Weights,
    check_outputs,
    check_texts,
    located_lines,
    located_runs,
    notify,
    number_of_lines,
    output_stream,
    shows_lines,
)
from widl.cli.pictures import DrawExpressions, write_numbered_picture
from widl.common.arguments import counted
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.workers import Engine
from widl.decoder import format_weights
from widl.expressions import draw_expression, to_json
from widl.expressions.drawing import check_picture_name
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import ItemCounter, counting
from widl.translation import Translation, TranslationOptions, Translator
from widl.translation.lattices import lattice_json

NbestFile = Annotated[
    Path | None, Parameter(help="File for n-best lists; the output then has only the best translations.")
]
AlignmentFile = Annotated[Path | None, Parameter(help="File for word alignments, 0-0 1-2 ….")]
LatticeFile = Annotated[
    Path | None,
    Parameter(help="File for the lattices of explored derivations (JSON lines)."),
]
Trace = Annotated[
    bool, Parameter(name="--trace", help="Show which source words each phrase translates: words |0-1| ….")
]


@dataclass(frozen=True, kw_only=True)
class _OutputChoices:
    """The files to write, and their form."""

    output: Path | None
    nbest: Path | None
    alignment: Path | None
    lattice: Path | None
    trace: bool
    as_json: bool

    def check(self, files: list[Path] | None, options: TranslationOptions) -> None:
        """Refuses options that exclude each other or have no effect, and outputs that would overwrite the input."""
        nbest = options.nbest
        if self.trace and self.as_json:
            raise InputError("--trace has no effect here; phrases are in --json anyway")
        if self.trace and nbest > 1 and not self.nbest:
            raise InputError("--trace has no effect here; n-best lists have no phrases, --json has")
        if self.nbest and nbest == 1:
            raise InputError("--nbest-file needs --nbest N, the number of candidates of a line")
        outputs = {"--output": self.output, "--nbest-file": self.nbest, "--alignment": self.alignment}
        check_outputs(outputs | {"--lattice": self.lattice}, files)


def translate(
    model: ModelDirectory,
    files: Annotated[list[Path] | None, Parameter(help="Text to translate; default: stdin.")] = None,
    /,
    *,
    output: Output = None,
    options: TranslationOptions = TranslationOptions(),
    weights: Weights = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    nbest_file: NbestFile = None,
    alignment: AlignmentFile = None,
    lattice: LatticeFile = None,
    trace: Trace = False,
    expression: Annotated[
        bool, Parameter(name="--expression", help="Print the searched WIDL-expressions instead of translations.")
    ] = False,
    expression_weights: Annotated[
        Path | None,
        Parameter(metavar="FILE", help="With --expression: file for the weights, for 'widl realize --weights'."),
    ] = None,
    draw: DrawExpressions = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Translate text, one line of output for each line of input, in order.

    The decoder searches for each line's best translation under a log-linear model of phrase table, language models,
    word and phrase counts, and distortion. Lines of more than 200 words are split at punctuation.

      widl translate model < text.zh > text.en
      widl translate model text.zh --search astar --json
    """
    outputs = _OutputChoices(
        output=output,
        nbest=nbest_file,
        alignment=alignment,
        lattice=lattice,
        trace=trace,
        as_json=as_json,
    )
    options = replace(options, lattice=lattice is not None)
    check_texts(model, files)
    outputs.check(files, options)
    if expression or draw is not None:
        if nbest_file or alignment or lattice:
            raise InputError(
                "--expression and --draw write no translations; drop --nbest-file, --alignment and --lattice"
            )
        check_outputs({"--output": output, "--draw": draw, "--expression-weights": expression_weights}, files)
        if draw is not None:
            check_picture_name(draw)
    translator = Translator(model, weights=weights, preset=options.preset)
    report_removed_features(translator, quiet=quiet)
    if expression or draw is not None:
        with output_stream(output) as out:
            _print_expressions(translator, located_lines(files), options, out, draw, as_json=as_json)
        if expression_weights is not None:
            with write_text(expression_weights) as file:
                file.write(format_weights(translator.expression_weights))
        return
    with (
        open_engine(cluster, threads=threads, notify=notify) as engine,
        counting("lines", number_of_lines(files), quiet=quiet or shows_lines(output)) as counter,
    ):
        summary = _translate(translator, files, options, outputs, engine, counter)
    summary.print(quiet=quiet, unknown=options.unknown)


def _print_expressions(
    translator: Translator,
    lines: Iterable[tuple[str, str]],
    options: TranslationOptions,
    out: TextIO,
    draw: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print and draw the expressions of each line, one per piece; exit code 1 if a line has no expression."""
    failed, number = False, count(1)
    if translator.layout.reordering and options.reordering:
        notify("the expressions lack the reordering model's scores, as with --no-reordering")
    if translator.weights.get("crossing"):
        notify("the expressions lack the feature crossing, as with its weight at 0")
    for place, line in lines:
        try:
            expressions = translator.expressions(line, options)
        except InputError as error:
            notify(f"{place}: {error}")
            failed, expressions = True, []
        for expression in expressions:
            if draw is not None:
                write_numbered_picture(draw_expression(expression), draw, next(number))
        out.writelines((to_json(expression) if as_json else str(expression)) + "\n" for expression in expressions)
        if not expressions:
            out.write("\n")
    if failed:
        sys.exit(1)


_SUMMARIZED = 10  # lines; users see the problems of shorter runs themselves


class Summary(Counter[str]):
    """Counts of a run's lines, and of lines with each problem, to report to the user."""

    def add(self, result: Translation, *, has_unknown: bool, options: TranslationOptions) -> None:
        """Count a line."""
        lists = options.nbest > 1 or options.lattice
        self.update(
            lines=1,
            failures=bool(result.failure),
            faults=bool(result.fault),
            unknown=has_unknown,
            incomplete=lists and not (result.nbest_complete and result.lattice_complete),
            traditional=result.traditional,
            foreign=bool(result.message),
        )

    def print(self, *, quiet: bool, unknown: str) -> None:
        """A line for each problem; exit code 1 if a line failed."""
        lines = self["lines"]
        if self["failures"]:
            notify(f"{counted(self['failures'], 'line')} could not be translated and passed through")
        if self["faults"]:
            notify(f"{counted(self['faults'], 'line')} with broken markup; the broken tags were ignored")
        if self["incomplete"]:
            notify(
                f"{counted(self['incomplete'], 'line')} with incomplete lists: a budget ran out; "
                "raise --max-seconds, --max-states or --max-memory"
            )
        if not quiet and self["traditional"]:
            notify(f"{counted(self['traditional'], 'line')} in traditional characters, read as simplified ones")
        if not quiet and 2 * self["foreign"] > lines:
            notify(
                f"{self['foreign']:,} of {counted(lines, 'line')}: no Chinese characters, but the model translates "
                "from Chinese; is this the text's other side?"
            )
        elif not quiet and self["unknown"] and lines >= _SUMMARIZED:
            hint = "; 'widl train --dictionary' adds a dictionary"
            hint = hint if unknown == "mark" else f"{hint}, --unknown mark shows them"
            notify(f"{self['unknown']:,} of {lines:,} lines have unknown words{hint}")
        if self["failures"] or self["faults"]:
            sys.exit(1)


def _translate(
    translator: Translator,
    files: list[Path] | None,
    options: TranslationOptions,
    outputs: _OutputChoices,
    engine: Engine,
    counter: ItemCounter,
) -> Summary:
    """Translate the files' lines, and write the outputs chosen."""
    summary = Summary()
    with ExitStack() as open_here:

        def opened(path: Path | None) -> IO[str] | None:
            return open_here.enter_context(write_text(path)) if path else None

        output = open_here.enter_context(output_stream(outputs.output))
        nbest, alignment, lattice = opened(outputs.nbest), opened(outputs.alignment), opened(outputs.lattice)
        for run in located_runs(files):
            # All results of a run are written before waiting for the next run.
            places, lines = _places_and_lines(run)
            for result in translator.translate(lines, options, engine=engine):
                number = summary["lines"]
                summary.add(result, has_unknown=translator.has_unknown_words(result), options=options)
                place = places.popleft()
                if result.failure:
                    counter.notify(f"{place}: not translated: {result.failure}")
                if result.fault:
                    counter.notify(f"{place}: {result.fault}")
                links_of = partial(translator.links, result.source)
                candidates = partial(result.nbest_lines, number)
                if outputs.as_json:
                    written = [result.to_json()]
                elif options.nbest > 1 and nbest is None:
                    written = candidates()
                else:
                    written = [result.best.trace() if outputs.trace else result.text]
                output.writelines(f"{line}\n" for line in written)
                if output is sys.stdout:
                    output.flush()
                if nbest:
                    nbest.writelines(f"{line}\n" for line in candidates())
                if alignment:
                    alignment.write(" ".join(f"{i}-{j}" for i, j in result.best.alignment(links_of)) + "\n")
                if lattice and result.lattice is not None:
                    layout, weights = translator.layout, translator.weights
                    lattice.write(lattice_json(number, result.lattice, result.source, layout, weights) + "\n")
                counter.step()
    return summary


def _places_and_lines(run: Iterable[tuple[str, str]]) -> tuple[deque[str], Iterator[str]]:
    """The lines, and the places of the lines read so far."""
    places: deque[str] = deque()

    def lines() -> Iterator[str]:
        for place, line in run:
            places.append(place)
            yield line

    return places, lines()
