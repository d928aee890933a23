"""`widl translate`."""

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Annotated

from cyclopts import Parameter

from widl.cli.expression_outputs import ExpressionOutputs
from widl.cli.models import report_removed_features
from widl.cli.parameters import (
    CORES,
    Cluster,
    ModelDirectory,
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
from widl.common.arguments import counted
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.options import adjust, fields_of, option_set
from widl.common.workers import Engine
from widl.decoder import SearchOptions
from widl.decoder.lattice_json import lattice_json
from widl.decoder.results import WINDOW
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import ItemCounter, counting
from widl.translation import Translation, TranslationOptions, Translator

EXPRESSION_READS = fields_of(TranslationOptions).keys() - {*fields_of(SearchOptions), "decoder", "gap", "distinct"}
"""Options that expressions depend on: all except search options."""


@option_set
class Outputs(ExpressionOutputs):
    """The files to write, and their form."""

    nbest_file: Path | None = None
    "File for n-best lists; the output then has only the best translations."
    alignment: Path | None = None
    "File for word alignments, 0-0 1-2 …."
    lattice: Path | None = None
    "File for the lattices of explored derivations (JSON lines)."
    trace: bool = False
    "Show which source words each phrase translates: words |0-1| …."

    def check(self, files: list[Path] | None, options: TranslationOptions) -> None:
        """Refuses options that exclude each other or are not read, and outputs that would overwrite the input."""
        self.check_expressions(options, EXPRESSION_READS)
        if self.trace and (self.of_expressions or self.json or (options.nbest > 1 and not self.nbest_file)):
            raise InputError("--trace is of a translation alone; drop --expression, --json or --nbest")
        if self.nbest_file and options.nbest == 1:
            raise InputError("--nbest-file needs --nbest N, the number of candidates of a line")
        outputs = {"--output": self.output, "--nbest-file": self.nbest_file, "--alignment": self.alignment}
        outputs |= {"--lattice": self.lattice, "--draw": self.draw}
        check_outputs(outputs, files)
        if self.of_expressions and (self.nbest_file or self.alignment or self.lattice):
            raise InputError(
                "--expression and --draw write no translations; drop --nbest-file, --alignment and --lattice"
            )


def translate(
    model: ModelDirectory,
    files: Annotated[list[Path] | None, Parameter(help="Text to translate; default: stdin.")] = None,
    /,
    *,
    outputs: Outputs = Outputs(),
    options: TranslationOptions = TranslationOptions(),
    weights: Weights = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Translate text, one line of output for each line of input, in order.

    The decoder searches for each line's best translation under a log-linear model of phrase table, language models,
    word and phrase counts, and distortion. Lines of more than 200 words are split at punctuation.

      widl translate model < text.zh > text.en
      widl translate model text.zh --search astar --json
    """
    check_texts(model, files)
    outputs.check(files, options)
    options = adjust(options, lattice=outputs.lattice is not None)
    translator = Translator(model, weights=weights, preset=options.preset)
    report_removed_features(translator, quiet=quiet)
    if outputs.of_expressions:
        _print_expressions(translator, located_lines(files), options, outputs)
        return
    with (
        open_engine(cluster, threads=threads, notify=notify) as engine,
        counting("lines", number_of_lines(files), quiet=quiet or shows_lines(outputs.output)) as counter,
    ):
        summary = _translate(translator, files, options, outputs, engine, counter)
    summary.print(quiet=quiet, unknown=options.unknown)


def _print_expressions(
    translator: Translator, lines: Iterable[tuple[str, str]], options: TranslationOptions, outputs: Outputs
) -> None:
    """Print and draw the expressions of each line, one per piece; exit code 1 if a line has no expression."""
    failed, written = False, outputs.writer()
    if translator.layout.reordering and options.reordering:
        notify("the expressions lack the reordering model's scores, as with --no-reordering")
    if translator.weights.get("crossing"):
        notify("the expressions lack the feature crossing, as with its weight at 0")
    with output_stream(outputs.output) as out:
        for location, line in lines:
            try:
                expressions = translator.expressions(line, options)
            except InputError as error:
                notify(f"{location}: {error}")
                failed, expressions = True, []
            out.writelines(f"{line}\n" for line in map(written, expressions))
            if not expressions:
                out.write("\n")
    outputs.write_weights(translator.expression_weights)
    if failed:
        sys.exit(1)


_SUMMARIZED = 10  # lines; users see the problems of shorter runs themselves


class Summary(Counter[str]):
    """Counts of a run's lines, and of lines with each problem, to report to the user."""

    def add(self, result: Translation, options: TranslationOptions) -> None:
        """Count a line."""
        lists = options.nbest > 1 or options.lattice
        is_incomplete = lists and not (result.nbest_complete and result.lattice_complete)
        self.update(
            lines=1,
            failures=bool(result.failure),
            faults=bool(result.fault),
            unknown=result.has_unknown_words,
            incomplete=is_incomplete and bool(result.stopped),
            wide=is_incomplete and not result.stopped,
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
        if self["wide"]:
            notify(f"{counted(self['wide'], 'line')} with incomplete lists: {WINDOW}")
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
    outputs: Outputs,
    engine: Engine,
    counter: ItemCounter,
) -> Summary:
    """Translate the files' lines, and write the outputs chosen."""
    summary = Summary()
    with ExitStack() as open_here:

        def opened(path: Path | None) -> IO[str] | None:
            return open_here.enter_context(write_text(path)) if path else None

        output = open_here.enter_context(output_stream(outputs.output))
        nbest, alignment, lattice = opened(outputs.nbest_file), opened(outputs.alignment), opened(outputs.lattice)
        for run in located_runs(files):
            # All results of a run are written before waiting for the next run.
            locations, lines = _places_and_lines(run)
            for result in translator.translate(lines, options, engine=engine):
                number = summary["lines"]
                summary.add(result, options)
                location = locations.popleft()
                if result.failure:
                    counter.notify(f"{location}: not translated: {result.failure}")
                if result.fault:
                    counter.notify(f"{location}: {result.fault}")
                links_of = partial(translator.tables.links, result.source)
                candidates = partial(result.nbest_lines, number)
                if outputs.json:
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
    locations: deque[str] = deque()

    def lines() -> Iterator[str]:
        for location, line in run:
            locations.append(location)
            yield line

    return locations, lines()
