"""`widl translate`."""

import math
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, cast

import typer

from widl.cli.options import Cluster, distortion_limit_of, located_lines, output_stream
from widl.errors import InputError

if TYPE_CHECKING:
    from widl.translation import Translation, TranslationOptions, Translator
    from widl.translation.options import UnknownWords
    from widl.translation.sentence import GivenMode
    from widl.workers import Engine

    LatticeWriter = Callable[[int, Translation], None]


def translate(
    model: Annotated[Path, typer.Argument(help="A directory made by 'widl train'.", metavar="MODEL_DIR")],
    files: Annotated[list[Path] | None, typer.Argument(help="Text to translate; stdin when there is none.")] = None,
    output: Annotated[Path | None, typer.Option(help="Where to write instead of stdout.")] = None,
    decoder: Annotated[str, typer.Option(help="widl, or stack: the baseline, as Pharaoh decodes.")] = "widl",
    search: Annotated[
        str | None, typer.Option(help="Of widl: cube, astar (exact), astar-k, beam, bfs; of stack: stack, cube.")
    ] = None,
    k: Annotated[int, typer.Option(help="astar-k: how many words a state may lag behind the longest.")] = 2,
    margin: Annotated[
        float, typer.Option(help="astar-k: go on while states promise the best score found less so many nats.")
    ] = 0.0,
    stack_size: Annotated[int | None, typer.Option(help="stack, beam, cube: states kept of a layer; 0: all.")] = None,
    pop_limit: Annotated[int | None, typer.Option(help="cube: states made for a layer; 0: all.")] = None,
    threshold: Annotated[
        float | None, typer.Option(help="stack, beam, cube: states need this much of the best one's probability.")
    ] = None,
    beam_prob: Annotated[float, typer.Option(help="Translations need this much of their span's best p(e|f).")] = 0.01,
    beam_size: Annotated[int, typer.Option(help="So many translations of a span take part; 0: all.")] = 20,
    distortion_limit: Annotated[
        str, typer.Option(help="Largest jump in source words; 0 keeps the order; 'none' for no limit.")
    ] = "6",
    max_states: Annotated[int, typer.Option(help="Budget of a line's search in states; 0: none.")] = 0,
    max_seconds: Annotated[float, typer.Option(help="Budget of a line's search in seconds; 0: none.")] = 0.0,
    weights: Annotated[Path | None, typer.Option(help="A TOML file of weights instead of the model's.")] = None,
    distortion: Annotated[
        str, typer.Option(help="Movement: own, a feature; or folded into the four WIDL features, as in the paper.")
    ] = "own",
    add_lm: Annotated[
        list[Path] | None, typer.Option(help="One more language model; --weights has lm1, lm2, … then. Repeatable.")
    ] = None,
    markup: Annotated[
        bool, typer.Option("--markup", help='Input has markup: <x translation="…">, <zone>, <wall/>; else < is text.')
    ] = False,
    markup_mode: Annotated[
        str, typer.Option(help="Translations in markup: exclusive, or inclusive: they compete with the table's.")
    ] = "exclusive",
    glossary: Annotated[
        Path | None, typer.Option(help="File of terms: source<TAB>translation[<TAB>translation…].")
    ] = None,
    glossary_mode: Annotated[
        str, typer.Option(help="Its terms: exclusive, or inclusive: they compete with the table's.")
    ] = "exclusive",
    entities: Annotated[
        str | None,
        typer.Option(help="Dates and numbers by rule: none, inclusive (zh to en: the default) or exclusive."),
    ] = None,
    unknown: Annotated[str, typer.Option(help="Words that nothing translates: copy, drop, or mark with UNK.")] = "copy",
    threads: Annotated[int, typer.Option(min=1, help="Threads that search.")] = os.cpu_count() or 1,
    cluster: Cluster = None,
    nbest: Annotated[int, typer.Option(help="Write so many candidates a line, in Moses' n-best format.")] = 1,
    nbest_file: Annotated[
        Path | None, typer.Option(help="Where to write n-best lists, so that the output stays text.")
    ] = None,
    distinct: Annotated[bool, typer.Option(help="Of equal strings only the best candidate.")] = True,
    alignment: Annotated[Path | None, typer.Option(help="Where to write word alignments, 0-0 1-2 ….")] = None,
    lattice: Annotated[
        Path | None,
        typer.Option(help="Where to write explored derivations: JSON lines, or in a directory a line's .slf each."),
    ] = None,
    lattice_arcs: Annotated[int, typer.Option(help="Of a line's lattice so many arcs, the best; 0: all.")] = 2000,
    lattice_beam: Annotated[
        float, typer.Option(help="Arcs whose best derivation scores at most so much less than the best of all.")
    ] = math.inf,
    trace: Annotated[bool, typer.Option(help="Show which source words each phrase translates: words |0-1| ….")] = False,
    report: Annotated[
        Path | None, typer.Option(help="A directory for a page that shows both decoders' outputs side by side.")
    ] = None,
    reference: Annotated[
        list[Path] | None, typer.Option(help="A reference translation for the report; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, with all scores.")] = False,
    gloss: Annotated[bool, typer.Option(help="Only replace each word by its likeliest translation.")] = False,
) -> None:
    """Translate text, one line of output for each line of input, in order.

    Each line's translations are searched under the log-linear model of phrase table, language models, word and
    phrase counts and movement. Lines of more than 200 words are translated in pieces cut at punctuation.

    \b
      widl translate model < text.zh > text.en
      widl translate model text.zh --search astar --json
    """
    from widl.files import write_text
    from widl.pipeline.cluster import open_engine
    from widl.translation import TranslationOptions, Translator

    options = TranslationOptions(
        decoder=decoder,
        search=search,
        k=k,
        margin=margin,
        stack_size=stack_size,
        pop_limit=pop_limit,
        threshold=threshold,
        beam_prob=beam_prob,
        beam_size=beam_size,
        distortion_limit=distortion_limit_of(distortion_limit),
        max_states=max_states,
        max_seconds=max_seconds,
        nbest=nbest,
        distinct=distinct,
        lattice=lattice is not None,
        lattice_arcs=lattice_arcs,
        lattice_beam=lattice_beam,
        markup=cast("GivenMode", markup_mode if markup else "none"),
        glossary=glossary,
        glossary_mode=cast("GivenMode", glossary_mode),
        entities=cast("GivenMode | None", entities),
        unknown=cast("UnknownWords", unknown),
    )
    options.search_options()
    if trace and as_json:
        raise typer.BadParameter("phrases are in --json anyway", param_hint="--trace")
    if markup_mode == "none":
        raise typer.BadParameter("leave --markup out instead", param_hint="--markup-mode")
    translator = Translator(model, weights=weights, distortion=distortion, language_models=add_lm or [])
    texts: Iterable[tuple[str, str]] = located_lines(files)
    if report:
        texts = list(texts)
        references = [_reference(path, len(texts)) for path in reference or []]
    elif reference:
        raise typer.BadParameter("references are for --report", param_hint="--reference")
    if gloss:
        with output_stream(output) as out:
            out.writelines(translator.gloss(line) + "\n" for _, line in texts)
        return
    places: deque[str] = deque()  # of lines that are read, but not written yet

    def lines() -> Iterator[str]:
        for place, line in texts:
            places.append(place)
            yield line

    with ExitStack() as open_here:
        engine = open_here.enter_context(
            open_engine(cluster, threads=threads, tell=lambda text: typer.echo(text, err=True))
        )

        def opened(path: Path | None) -> IO[str] | None:
            return open_here.enter_context(write_text(path)) if path else None

        outputs = _Outputs(
            translator,
            _line_form(as_json, trace, nbest_lists=nbest > 1 and nbest_file is None),
            output=opened(output) or sys.stdout,
            nbest=opened(nbest_file),
            alignment=opened(alignment),
            lattice=_lattice_writer(lattice, translator, opened),
        )
        found = []
        for number, result in enumerate(translator.translate(lines(), options, engine=engine)):
            outputs.write(number, places.popleft(), result)
            if report:
                found.append(result)
        if report:
            _write_report(report, translator, [line for _, line in texts], options, found, references, engine)
    outputs.report()


def _reference(path: Path, lines: int) -> list[str]:
    from widl.files import read_lines

    found = list(read_lines(path))
    if len(found) != lines:
        raise InputError(f"{path}: {len(found)} lines, but the text has {lines}; a reference has a line for each")
    return found


def _write_report(
    directory: Path,
    translator: "Translator",
    lines: list[str],
    options: "TranslationOptions",
    found: list["Translation"],
    references: list[list[str]],
    engine: "Engine",
) -> None:
    """Translate with the other decoder too, at its own defaults, and show both."""
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
    systems = {options.decoder: found, other.decoder: list(translator.translate(lines, other, engine=engine))}
    tiles = [translator.tiles(line, options) for line in lines]
    page = write_side_by_side(directory, systems, references=references, tiles=tiles)
    typer.echo(f"report: {page}", err=True)


class _Outputs:
    """All that a run writes."""

    def __init__(
        self,
        translator: "Translator",
        lines_of: Callable[[int, "Translation"], list[str]],
        *,
        output: IO[str],
        nbest: IO[str] | None,
        alignment: IO[str] | None,
        lattice: "LatticeWriter | None",
    ) -> None:
        self._translator, self._lines_of = translator, lines_of
        self._output, self._nbest, self._alignment, self._lattice = output, nbest, alignment, lattice
        self.failures = self.faults = 0

    def report(self) -> None:
        """Say how many lines went wrong, and end with exit code 1 if any did."""
        if self.failures:
            typer.echo(f"{self.failures} lines could not be translated and were passed through", err=True)
        if self.faults:
            typer.echo(f"{self.faults} lines have broken markup and were translated as plain text", err=True)
        if self.failures or self.faults:
            raise typer.Exit(1)

    def write(self, number: int, place: str, result: "Translation") -> None:
        """Write what is wanted of one line."""
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
            self._nbest.writelines(line + "\n" for line in result.nbest_lines(number))
        if self._alignment:
            links = result.best.alignment(lambda phrase: self._translator.links(result.source, phrase))
            self._alignment.write(" ".join(f"{i}-{j}" for i, j in links) + "\n")
        if self._lattice and result.lattice is not None:
            self._lattice(number, result)


def _lattice_writer(
    path: Path | None, translator: "Translator", opened: Callable[[Path | None], IO[str] | None]
) -> "LatticeWriter | None":
    """One object a line into a file, or a file for each line into a directory."""
    from widl.files import write_text
    from widl.translation.lattices import lattice_json, lattice_slf

    if path is not None and path.is_dir():

        def write_file(number: int, result: "Translation") -> None:
            assert result.lattice is not None
            lines = lattice_slf(number, result.lattice, translator.layout, translator.weights)
            with write_text(path / f"{number}.slf") as file:
                file.writelines(line + "\n" for line in lines)

        return write_file
    if (stream := opened(path)) is None:
        return None

    def write_line(number: int, result: "Translation") -> None:
        assert result.lattice is not None
        line = lattice_json(number, result.lattice, result.source, translator.layout, translator.weights)
        stream.write(line + "\n")

    return write_line


def _line_form(as_json: bool, trace: bool, *, nbest_lists: bool) -> Callable[[int, "Translation"], list[str]]:
    if as_json:
        return lambda _, result: [result.to_json()]
    if nbest_lists:
        return lambda number, result: result.nbest_lines(number)
    if trace:
        return lambda _, result: [result.best.trace()]
    return lambda _, result: [result.text]
