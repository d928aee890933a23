"""`widl translate`."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from widl.cli.options import (
    CORES,
    Cluster,
    Distortion,
    Json,
    ModelDirectory,
    Output,
    Threads,
    Weights,
    command_group,
    located_lines,
    output_stream,
)
from widl.cli.schema import with_options
from widl.errors import InputError
from widl.files import read_lines, write_text
from widl.pipeline.cluster import open_engine
from widl.translation import Translation, TranslationOptions, Translator
from widl.translation.lattices import lattice_json, lattice_slf
from widl.translation.results import Links, TranslatedPhrase
from widl.workers import Engine

LatticeWriter = Callable[[int, Translation], None]

app = command_group()

MoreModels = Annotated[
    list[Path] | None,
    typer.Option(help="A further language model, with weight lm1, lm2, … in --weights. Repeatable."),
]
Markup = Annotated[
    bool, typer.Option("--markup", help='Input has markup: <x translation="…">, <zone>, <wall/>; else < is text.')
]
MarkupMode = Annotated[
    str, typer.Option(help="Of markup: exclusive, inclusive (beside the table's), constraint (the table's have them).")
]
NbestFile = Annotated[
    Path | None, typer.Option(help="File for n-best lists; the output is then text.")
]
NbestPhrases = Annotated[
    bool,
    typer.Option("--nbest-phrases", help="n-best lists with Moses' columns of segmentation, 0-1=0-1, and alignment."),
]
AlignmentFile = Annotated[Path | None, typer.Option(help="File for word alignments, 0-0 1-2 ….")]
LatticeFile = Annotated[
    Path | None,
    typer.Option(help="File for lattices of explored derivations, JSON lines; or a directory for an .slf each."),
]
Trace = Annotated[bool, typer.Option(help="Show which source words each phrase translates: words |0-1| ….")]
ReportDirectory = Annotated[
    Path | None, typer.Option(help="A directory for a page that shows both decoders' outputs side by side.")
]
Reference = Annotated[
    list[Path] | None, typer.Option(help="A reference translation for the report; may be repeated.")
]


@dataclass(frozen=True, kw_only=True)
class _OutputChoices:
    """The files to write, and their form."""

    output: Path | None
    nbest: Path | None
    nbest_phrases: bool
    alignment: Path | None
    lattice: Path | None
    report: Path | None
    references: list[Path]
    trace: bool
    as_json: bool

    def check(self) -> None:
        """Refuse options that exclude each other."""
        if self.trace and self.as_json:
            raise typer.BadParameter("phrases are in --json anyway", param_hint="--trace")
        if self.references and not self.report:
            raise typer.BadParameter("references are for --report", param_hint="--reference")


@app.command()
@with_options
def translate(
    model: ModelDirectory,
    files: Annotated[list[Path] | None, typer.Argument(help="Text to translate; stdin when there is none.")] = None,
    *,
    output: Output = None,
    options: TranslationOptions,
    weights: Weights = None,
    distortion: Distortion = "own",
    add_lm: MoreModels = None,
    markup: Markup = False,
    markup_mode: MarkupMode = "exclusive",
    threads: Threads = CORES,
    cluster: Cluster = None,
    nbest_file: NbestFile = None,
    nbest_phrases: NbestPhrases = False,
    alignment: AlignmentFile = None,
    lattice: LatticeFile = None,
    trace: Trace = False,
    report: ReportDirectory = None,
    reference: Reference = None,
    as_json: Json = False,
    gloss: Annotated[bool, typer.Option(help="Only replace each word by its likeliest translation.")] = False,
) -> None:
    """Translate text, one line of output for each line of input, in order.

    Each line's translations are searched under the log-linear model of phrase table, language models, word and
    phrase counts and movement. Lines of more than 200 words are translated in pieces cut at punctuation.

    \b
      widl translate model < text.zh > text.en
      widl translate model text.zh --search astar --json
    """
    if markup_mode == "none":
        raise typer.BadParameter("leave --markup out instead", param_hint="--markup-mode")
    changes: dict[str, Any] = {"lattice": lattice is not None, "markup": markup_mode if markup else "none"}
    options = replace(options, **changes)
    outputs = _OutputChoices(
        output=output,
        nbest=nbest_file,
        nbest_phrases=nbest_phrases,
        alignment=alignment,
        lattice=lattice,
        report=report,
        references=reference or [],
        trace=trace,
        as_json=as_json,
    )
    outputs.check()
    translator = Translator(model, weights=weights, distortion=distortion, language_models=add_lm or [])
    if gloss:
        with output_stream(output) as out:
            out.writelines(translator.gloss(line) + "\n" for _, line in located_lines(files))
        return
    with open_engine(cluster, threads=threads, tell=lambda text: typer.echo(text, err=True)) as engine:
        _translate(translator, files, options, outputs, engine)


def _translate(
    translator: Translator,
    files: list[Path] | None,
    options: TranslationOptions,
    wanted: _OutputChoices,
    engine: Engine,
) -> None:
    """Translate the files' lines, and write the outputs chosen."""
    texts: Iterable[tuple[str, str]] = located_lines(files)
    references: list[list[str]] = []
    if wanted.report:
        texts = list(texts)
        references = [_reference(path, len(texts)) for path in wanted.references]
    places: deque[str] = deque()  # of lines that are read and not yet written

    def lines() -> Iterator[str]:
        for place, line in texts:
            places.append(place)
            yield line

    with ExitStack() as open_here:

        def opened(path: Path | None) -> IO[str] | None:
            return open_here.enter_context(write_text(path)) if path else None

        outputs = _Outputs(
            translator,
            _line_form(wanted.as_json, wanted.trace, nbest_lists=options.nbest > 1 and wanted.nbest is None),
            nbest_phrases=wanted.nbest_phrases,
            output=opened(wanted.output) or sys.stdout,
            nbest=opened(wanted.nbest),
            alignment=opened(wanted.alignment),
            lattice=_lattice_writer(wanted.lattice, translator, opened),
        )
        translations = []
        for number, result in enumerate(translator.translate(lines(), options, engine=engine)):
            outputs.write(number, places.popleft(), result)
            if wanted.report:
                translations.append(result)
        if wanted.report:
            _write_report(
                wanted.report, translator, [line for _, line in texts], options, translations, references, engine
            )
    outputs.report()


def _reference(path: Path, lines: int) -> list[str]:
    reference = list(read_lines(path))
    if len(reference) != lines:
        raise InputError(f"{path}: {len(reference)} lines, but the text has {lines}; a reference has a line for each")
    return reference


def _write_report(
    directory: Path,
    translator: Translator,
    lines: list[str],
    options: TranslationOptions,
    translations: list[Translation],
    references: list[list[str]],
    engine: Engine,
) -> None:
    """Translate with the other decoder too, with its default options, and write a page that shows both."""
    from widl.experiments.side_by_side import write_side_by_side

    other = replace(
        options,
        decoder="stack" if options.decoder == "widl" else "widl",
        search=None,
        stack_size=None,
        pop_limit=None,
        threshold=None,
        nbest=1,
    )
    systems: dict[str, list[Translation]] = {options.decoder: translations}
    systems[other.decoder] = list(translator.translate(lines, other, engine=engine))
    tiles = [translator.tiles(line, options) for line in lines]
    page = write_side_by_side(directory, systems, references=references, tiles=tiles)
    typer.echo(f"report: {page}", err=True)


class _Outputs:
    """The open output files of a run."""

    def __init__(
        self,
        translator: Translator,
        lines_of: Callable[[int, Translation], list[str]] | None,
        *,
        nbest_phrases: bool,
        output: IO[str],
        nbest: IO[str] | None,
        alignment: IO[str] | None,
        lattice: LatticeWriter | None,
    ) -> None:
        self._translator, self._lines_of = translator, lines_of or self._nbest_lines
        self._nbest_phrases = nbest_phrases
        self._output, self._nbest, self._alignment, self._lattice = output, nbest, alignment, lattice
        self.failures = self.faults = 0

    def report(self) -> None:
        """Print how many lines failed; exit code 1 if any did."""
        if self.failures:
            typer.echo(f"{self.failures} lines could not be translated and were passed through", err=True)
        if self.faults:
            typer.echo(f"{self.faults} lines have broken markup; the tags at fault were left out", err=True)
        if self.failures or self.faults:
            raise typer.Exit(1)

    def _links_of(self, result: Translation) -> Callable[[TranslatedPhrase], Links]:
        return lambda phrase: self._translator.links(result.source, phrase)

    def _nbest_lines(self, number: int, result: Translation) -> list[str]:
        return result.nbest_lines(number, self._links_of(result) if self._nbest_phrases else None)

    def write(self, number: int, place: str, result: Translation) -> None:
        """Write the outputs of a line."""
        if result.failure:
            self.failures += 1
            typer.echo(f"{place}: not translated: {result.failure}", err=True)
        if result.fault:
            self.faults += 1
            typer.echo(f"{place}: {result.fault}", err=True)
        self._output.writelines(line + "\n" for line in self._lines_of(number, result))
        if self._output is sys.stdout:
            self._output.flush()
        if self._nbest:
            self._nbest.writelines(line + "\n" for line in self._nbest_lines(number, result))
        if self._alignment:
            links = result.best.alignment(self._links_of(result))
            self._alignment.write(" ".join(f"{i}-{j}" for i, j in links) + "\n")
        if self._lattice and result.lattice is not None:
            self._lattice(number, result)


def _lattice_writer(
    path: Path | None, translator: Translator, opened: Callable[[Path | None], IO[str] | None]
) -> LatticeWriter | None:
    """One object a line into a file, or a file for each line into a directory."""
    if path is not None and path.is_dir():

        def write_file(number: int, result: Translation) -> None:
            assert result.lattice is not None
            lines = lattice_slf(number, result.lattice, translator.layout, translator.weights)
            with write_text(path / f"{number}.slf") as file:
                file.writelines(line + "\n" for line in lines)

        return write_file
    if (stream := opened(path)) is None:
        return None

    def write_line(number: int, result: Translation) -> None:
        assert result.lattice is not None
        line = lattice_json(number, result.lattice, result.source, translator.layout, translator.weights)
        stream.write(line + "\n")

    return write_line


def _line_form(
    as_json: bool, trace: bool, *, nbest_lists: bool
) -> Callable[[int, Translation], list[str]] | None:
    """What to write of a translation; None: its n-best list."""
    if as_json:
        return lambda _, result: [result.to_json()]
    if nbest_lists:
        return None
    if trace:
        return lambda _, result: [result.best.trace()]
    return lambda _, result: [result.text]
