"""`widl realize` and `widl order`."""

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from cyclopts import Parameter

from widl.cli.expressions import Tally, expression_runs
from widl.cli.parameters import (
    CORES,
    Json,
    Quiet,
    Threads,
    check_outputs,
    located_runs,
    shows_lines,
    source_of,
)
from widl.cli.pictures import write_numbered_picture
from widl.common.errors import InputError
from widl.common.json_values import json_text
from widl.common.options import adjust, option_set, refuse_unread
from widl.common.presets import check_order
from widl.common.workers import BatchSize
from widl.decoder import (
    LanguageModel,
    Lattice,
    RealizationOptions,
    RealizationResult,
    Realizer,
    Result,
    draw_search,
    greedy_order,
    inverse_lexicographic_order,
    read_realization_weights,
)
from widl.decoder.lattice_audit import audit_lattice
from widl.decoder.lattice_files import located_lattices
from widl.decoder.realizer import SearchSpace
from widl.decoder.word_order import without_ends
from widl.expressions import Expression, bag, draw_expression, draw_graph
from widl.expressions.drawing import check_picture_name
from widl.pipeline.progress import counting
from widl.text.penn import penn_words

NO_LOSS = 1e-6  # nats

SpaceOrError: TypeAlias = Expression | Lattice | InputError | None
"""An input or its error; None for an empty line."""
ResultOrError: TypeAlias = RealizationResult | InputError | None
LocatedSpace: TypeAlias = tuple[str, SpaceOrError]
"""The place of an input, and the input."""


_MAX_EVENTS = 1_000_000
"""Maximum number of recorded events for drawing a search."""


Picture = Literal["tree", "graph", "search"]
Lm = Annotated[
    list[Path], Parameter(name="--lm", help="A language model: ARPA file (.gz too) or KenLM binary. Repeatable.")
]
OptionalLm = Annotated[list[Path] | None, *get_args(Lm)[1:]]
Files = Annotated[list[Path] | None, Parameter(help="Input, one item per line (.gz too); default: stdin.")]
ModelWeights = Annotated[
    Path | None, Parameter(help="TOML file of weights; default: the most probable derivation is best.")
]


@option_set
class RealizeOptions:
    """The lattices to realize, and what is reported and drawn."""

    lattice: Annotated[tuple[Path, ...], Parameter(metavar="FILE")] = ()
    "Lattices instead of expressions: OpenFst text, HTK SLF or JSON; or directories of them. Repeatable."
    symbols: Annotated[Path | None, Parameter(metavar="FILE")] = None
    "OpenFst symbol table, for numeric labels."
    audit: bool = False
    "Print the loss of each lattice's own best path, in nats, and both strings."
    draw: Annotated[Path | None, Parameter(metavar="FILE")] = None
    "Draw a picture (.svg, .pdf, .png, .dot); for later expressions, to FILE-2 …"
    picture: Picture | None = None
    "What to draw: the expression's tree, its WIDL-graph, or the states of the search. Default: search."

    def check(self, files: list[Path] | None, lm: list[Path] | None, options: RealizationOptions) -> None:
        """Refuses options that exclude each other, and pictures that would overwrite an input."""
        check_outputs({"--draw": self.draw}, [*(files or ()), *self.lattice])
        if not self.lattice:
            if not lm:
                raise InputError("expressions are realized under a language model; name one with --lm")
            if self.audit or self.symbols is not None:
                raise InputError(
                    f"{'--audit' if self.audit else '--symbols'} is for lattices; name them with --lattice"
                )
        elif files:
            raise InputError(f"{files[0]}: both expressions and --lattice; give one of them")
        if self.audit and options.nbest > 1:
            raise InputError("--audit reports the best path only; drop --nbest")
        if self.draw is None and self.picture is not None:
            raise InputError("--picture needs --draw FILE")
        if self.draw is not None:
            check_picture_name(self.draw)
            if self.lattice and self.draws != "search":
                raise InputError("a lattice has no tree or graph of an expression; --picture search draws its search")

    @property
    def draws(self) -> Picture | None:
        """What is drawn, if anything."""
        return None if self.draw is None else self.picture or "search"

    def drawing(self, space: SearchSpace, result: RealizationResult, *, ends: bool) -> Any:
        """The picture of a space and its search; `ends`: whether graphs show <s> and </s>."""
        if self.draws == "search" or not isinstance(space, Expression):
            return draw_search(result.record)
        return draw_expression(space) if self.draws == "tree" else draw_graph(space, ends=ends)


def realize(
    files: Files = None,
    /,
    *,
    lm: OptionalLm = None,
    outputs: RealizeOptions = RealizeOptions(),
    weights: ModelWeights = None,
    options: RealizationOptions = RealizationOptions(),
    threads: Threads = CORES,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the string of the best derivation of each WIDL-expression or lattice under language models.

    A string with several derivations may be more probable than the best derivation's string; 'widl enumerate' sums
    them. Input has one expression per line, in text or JSON form; empty lines and lines that begin with # are skipped.
    With --nbest, output lines are 'score<TAB>string', with an empty line between expressions. An expression that is
    invalid or has no realization yields an empty line and a message, and the exit code is 1.

    The paths of a --lattice are derivations. With --audit, output lines are 'nats<TAB>own string<TAB>best string'.
    The first field is the gap, under the models and weights, between the best path by the lattice's scores and the best
    path overall.

      echo '∥(sat, ×(the cat))' | widl realize --lm model.binary
      widl realize --lattice lattices/ --lm model.binary --audit
    """
    outputs.check(files, lm, options)
    runs: Iterable[Iterator[LocatedSpace]]
    runs = _lattices(outputs.lattice, outputs.symbols) if outputs.lattice else expression_runs(files)
    realizer = _realizer(lm or [], weights, options)
    if outputs.draws == "search":
        options = adjust(options, record=_MAX_EVENTS)
    printer = Printer(options, outputs, as_json=as_json)
    _print_realized(runs, realizer, printer, threads=threads, quiet=quiet)


def order(
    files: Files = None,
    /,
    *,
    lm: Lm,
    baseline: Annotated[
        Literal["L", "G"] | None,
        Parameter(help="L: inverse lexicographic order. G: greedily join the most probable junctions."),
    ] = None,
    weights: ModelWeights = None,
    options: RealizationOptions = RealizationOptions(),
    threads: Threads = CORES,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put the words of each line, a sentence or a bag of words, in the most probable order.

    Words are separated by white space. With --preset paper-2005, they are lowercased Penn tokens without final
    punctuation. An empty line yields an empty line. The output format is that of 'widl realize'.

      echo rain tomorrow heavy | widl order --lm model.binary
    """
    words_of: Callable[[str], list[str]] = str.split
    if options.preset is not None:
        words_of = penn_words
    if baseline is None:
        runs = (_bags(run, words_of) for run in located_runs(files))
        printer = Printer(options, as_json=as_json)
        _print_realized(runs, _realizer(lm, weights, options), printer, threads=threads, quiet=quiet)
        return
    refuse_unread(options, f"baseline {baseline}", ("preset",))
    if weights is not None:
        raise InputError(f"weights: baseline {baseline} does not read it; leave it out")
    if len(lm) > 1:
        raise InputError(f"--baseline takes one language model, found {len(lm)}")
    model = LanguageModel.load(lm[0])
    check_order(options.preset, model.order, str(lm[0]))
    for run in located_runs(files):
        for where, line in run:
            start = time.perf_counter()
            try:
                words = without_ends(words_of(line))
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
            text = " ".join(greedy_order(words, model) if baseline == "G" else inverse_lexicographic_order(words))
            result: Result[Any] = Result(text=text, seconds=time.perf_counter() - start)
            sys.stdout.write((result.to_json() if as_json else text) + "\n")
        sys.stdout.flush()


def _lattices(files: Sequence[Path], symbols: Path | None) -> Iterator[Iterator[LocatedSpace]]:
    """The lattices of each file, or of each file of a directory, by name."""
    for file in files:
        for path in sorted(file.iterdir(), key=_by_number) if file.is_dir() else [file]:
            yield located_lattices(source_of(path), symbols=symbols)


def _by_number(path: Path) -> tuple[int, str]:
    """Sort key that orders numbered files by number: 10.slf after 9.slf."""
    number = re.match("[0-9]+", path.name)
    return int(number[0]) if number else 0, path.name


def _bags(lines: Iterator[tuple[str, str]], words_of: Callable[[str], list[str]]) -> Iterator[LocatedSpace]:
    for where, line in lines:
        try:
            words = without_ends(words_of(line))
            yield where, bag(words) if words else None
        except InputError as error:
            yield where, InputError(f"{where}: {error}")


def _realizer(lm: list[Path], weights: Path | None, options: RealizationOptions) -> Realizer:
    return Realizer(
        [LanguageModel.load(path) for path in lm],
        read_realization_weights(weights, len(lm)) if weights else None,
        preset=options.preset,
    )


class Printer:
    """Prints results on stdout, draws them, and counts them."""

    def __init__(
        self, options: RealizationOptions, outputs: RealizeOptions = RealizeOptions(), *, as_json: bool
    ) -> None:
        self.options, self._outputs, self._as_json = options, outputs, as_json
        self.tally = Tally()
        self.losses: list[float] = []
        """Nats that the own paths of audited lattices lose."""
        self._numbers = count(1)
        self._pictures = count(1)
        self._separated = options.nbest > 1 and not as_json

    def print(self, realizer: Realizer, where: str, space: SpaceOrError, result: ResultOrError) -> None:
        """Prints a result, and draws it."""
        number = next(self._numbers)
        if self._separated and number > 1:
            sys.stdout.write("\n")
        self._count(where, result)
        sys.stdout.writelines(line + "\n" for line in self._lines(realizer, space, result))
        if self._outputs.draw and isinstance(space, Expression | Lattice) and isinstance(result, RealizationResult):
            drawing = self._outputs.drawing(space, result, ends=self.options.preset == "paper-2005")
            write_numbered_picture(drawing, self._outputs.draw, next(self._pictures))

    def _count(self, where: str, result: ResultOrError) -> None:
        if isinstance(result, InputError):
            self.tally.fail(str(result))
        elif result is not None and result.failure:
            self.tally.miss(f"{where}: {result.failure}")
        else:
            self.tally.done += 1

    def _lines(self, realizer: Realizer, space: SpaceOrError, result: ResultOrError) -> list[str]:
        is_found = isinstance(result, RealizationResult) and bool(result.nbest)
        if not (self._outputs.audit and is_found and isinstance(space, Lattice)):
            return _shown(result, self.options.nbest, self._as_json)
        assert isinstance(result, RealizationResult)
        audit = audit_lattice(space, realizer, result)
        self.losses.append(audit.loss)
        return [json_text(audit.as_dict()) if self._as_json else f"{audit.loss:.6f}\t{audit.own}\t{result.text}"]

    def end(self) -> None:
        """The summary on stderr; exit code 1 if something failed."""
        if self.losses:
            lossless = sum(loss <= NO_LOSS for loss in self.losses)
            sys.stderr.write(
                f"the own path is the best of {lossless} of {len(self.losses)} lattices; "
                f"{sum(self.losses) / len(self.losses):.3f} nats below on average, {max(self.losses):.3f} at most\n"
            )
        self.tally.end()


def _print_realized(
    runs: Iterable[Iterator[LocatedSpace]], realizer: Realizer, printer: Printer, *, threads: int, quiet: bool
) -> None:
    """Realizes the spaces of each run in batches, and prints their results in order."""
    size = BatchSize(threads)
    with counting("expressions", quiet=quiet or shows_lines(None)) as counter:
        for batch in (batch for run in runs for batch in size.batches(run)):
            start = time.perf_counter()
            results = _realize_located(realizer, batch, printer.options, threads)
            for (where, space), result in zip(batch, results, strict=True):
                printer.print(realizer, where, space, result)
                if printer.options.nbest > 1 and isinstance(result, RealizationResult) and result.nbest_truncation:
                    counter.notify(f"{where}: {result.nbest_truncation}")
                counter.step()
            sys.stdout.flush()
            size.took(time.perf_counter() - start)
    printer.end()


def _realize_located(
    realizer: Realizer,
    batch: list[LocatedSpace],
    options: RealizationOptions,
    threads: int,
) -> Iterator[ResultOrError]:
    """The results, None for an empty line; an error names its line."""
    located = [(where, expression) for where, expression in batch if isinstance(expression, Expression | Lattice)]
    results: list[RealizationResult | InputError]
    try:
        results = [*realizer.realize([expression for _, expression in located], options, threads=threads)]
    except InputError:
        results = [_realize_one(realizer, where, expression, options) for where, expression in located]
    in_order = iter(results)
    for _, expression in batch:
        yield next(in_order) if isinstance(expression, Expression | Lattice) else expression


def _realize_one(
    realizer: Realizer, where: str, expression: SearchSpace, options: RealizationOptions
) -> RealizationResult | InputError:
    try:
        return realizer.realize_one(expression, options)
    except InputError as error:
        return InputError(f"{where}: {error}")


def _shown(result: ResultOrError, nbest: int, as_json: bool) -> list[str]:
    if not isinstance(result, RealizationResult):
        if not as_json:
            return [""]
        failure = {} if result is None else {"failure": str(result).split("\n", 1)[0]}
        return [json_text({**Result[Any](text="").as_dict(), **failure})]
    if as_json:
        return [result.to_json()]
    if nbest == 1 or not result.nbest:
        return [result.text]
    return [f"{candidate.score:.6f}\t{candidate.text}" for candidate in result.nbest]
