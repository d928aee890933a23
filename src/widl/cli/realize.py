"""`widl realize` and `widl order`."""

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from widl.decoder import (
    Expression,
    LanguageModel,
    RealizationOptions,
    Realized,
    Realizer,
    Result,
    bag,
    draw_expression,
    draw_graph,
    draw_search,
    greedy_order,
    inverse_lexicographic_order,
    load_language_model,
    read_expressions,
    read_grammar,
    read_realization_weights,
    write_picture,
)
from widl.decoder.drawing import check_picture_name
from widl.errors import InputError
from widl.files import Source, read_lines, source_name


class Search(StrEnum):
    """Names of searches."""

    bfs = "bfs"
    astar = "astar"
    astar_k = "astar-k"
    beam = "beam"


class BoundName(StrEnum):
    """Names of bounds."""

    static = "static"
    context = "context"
    lagrangian = "lagrangian"


class Picture(StrEnum):
    """What to draw of an expression."""

    tree = "tree"
    graph = "graph"
    search = "search"


class Baseline(StrEnum):
    """Names of baselines."""

    lexicographic = "L"
    greedy = "G"


Lm = Annotated[list[Path], typer.Option("--lm", help="Language models: ARPA files (.gz too) or KenLM binaries.")]
Files = Annotated[list[Path] | None, typer.Argument(help="Input, one a line (.gz too); stdin when not given.")]


def search_parameters(
    weights: Annotated[
        Path | None, typer.Option(help="TOML file of weights; without it the most probable derivation is best.")
    ] = None,
    grammar: Annotated[
        Path | None, typer.Option(help="Context-free grammar: only strings that it accepts; see docs/grammars.md.")
    ] = None,
    search: Annotated[Search, typer.Option(help="astar is exact within the budget, bfs unfolds all.")] = Search.astar,
    k: Annotated[int, typer.Option(min=0, help="astar-k: how many words a state may lag behind the longest.")] = 2,
    beam: Annotated[float, typer.Option(help="beam: share of the best state's probability that a state needs.")] = 0.1,
    beam_size: Annotated[int, typer.Option(min=0, help="beam: so many states of each length; 0: all.")] = 0,
    bound: Annotated[
        BoundName, typer.Option(help="Of words to come: best contexts of all, or available; or all orders (bags).")
    ] = BoundName.lagrangian,
    nbest: Annotated[int, typer.Option(min=1, help="So many derivations; exact for astar and bfs.")] = 1,
    distinct: Annotated[bool, typer.Option("--distinct", help="Of equal strings only the best derivation.")] = False,
    max_words: Annotated[int, typer.Option(min=0, help="Hard limit on words of the output; 0: none.")] = 0,
    max_bytes: Annotated[int, typer.Option(min=0, help="Hard limit on bytes of the output; 0: none.")] = 0,
    max_seconds: Annotated[float, typer.Option(min=0, help="Budget of a search in seconds; 0: none.")] = 0.0,
    max_states: Annotated[int, typer.Option(min=0, help="Budget of a search in states; 0: none.")] = 0,
    max_memory: Annotated[int, typer.Option(min=0, help="Budget of a search in megabytes; 0: none.")] = 2000,
    threads: Annotated[int, typer.Option(min=1, help="Threads that search.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, with all scores.")] = False,
) -> None:
    """The options that both commands share."""


F = TypeVar("F", bound=Callable[..., None])


def with_search_options(command: F) -> F:
    """Give a command that takes ``**search`` the options of `search_parameters`."""
    own = [p for p in inspect.signature(command).parameters.values() if p.kind is not p.VAR_KEYWORD]
    shared = inspect.signature(search_parameters).parameters.values()
    parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in (*own, *shared)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


@with_search_options
def realize(
    lm: Lm,
    files: Files = None,
    draw: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw a picture: .svg, .pdf, .png, or .dot; of later expressions FILE-2 …"),
    ] = None,
    picture: Annotated[
        Picture, typer.Option(help="Of what: the expression's tree, its WIDL-graph, or what the search explored.")
    ] = Picture.search,
    drawn_states: Annotated[int, typer.Option(min=1, max=2000, help="Draw so many states of a search.")] = 200,
    **search: Any,
) -> None:
    """Print the best string of each WIDL-expression under language models.

    Expressions stand one a line, in text or JSON form; empty lines and lines that begin with # are
    skipped. With --nbest the lines are ``score<TAB>string``, and an empty line stands between the
    strings of two expressions.

    \b
      echo '∥(sat, ×(the cat))' | widl realize --lm model.binary
    """
    items = ((where, expression) for where, expression, _ in _expressions(files))
    if draw is None:
        return _print_realized(items, lm, search)
    check_picture_name(draw)
    drawn = count(1)
    trace = drawn_states if picture == Picture.search else 0

    def draw_one(expression: Expression, result: Realized) -> None:
        number = next(drawn)
        file = draw if number == 1 else draw.with_stem(f"{draw.stem}-{number}")
        makers = {Picture.tree: draw_expression, Picture.graph: draw_graph}
        made = makers[picture](expression) if picture in makers else draw_search(result.trace)
        written = write_picture(made, file)
        if written != file:
            sys.stderr.write(f"{written}: written instead of {file}, as Graphviz' program dot is not installed\n")

    return _print_realized(items, lm, search | {"trace": trace}, draw_one)


@with_search_options
def order(
    lm: Lm,
    files: Files = None,
    baseline: Annotated[
        Baseline | None,
        typer.Option(help="L: inverse lexicographic order. G: join the most probable junction, until all is joined."),
    ] = None,
    **search: Any,
) -> None:
    """Put the words of each line, a sentence or a bag, into the most probable order.

    The words are those between white space; an empty line gives an empty line. Output as for
    'widl realize'.

    \b
      echo rain tomorrow heavy | widl order --lm model.binary
    """
    if baseline is None:
        return _print_realized(_bags(files), lm, search)
    model = load_language_model(lm[0])
    for _, line in _lines(files):
        start = time.perf_counter()
        text = " ".join(_baseline(line.split(), model, baseline))
        found: Result[Any] = Result(text=text, seconds=time.perf_counter() - start)
        sys.stdout.write((found.to_json() if search["as_json"] else text) + "\n")
    return None


def _baseline(words: list[str], model: LanguageModel, baseline: Baseline) -> list[str]:
    return greedy_order(words, model) if baseline == Baseline.greedy else inverse_lexicographic_order(words)


def _lines(files: list[Path] | None) -> Iterator[tuple[str, str]]:
    sources: list[Source] = [*files] if files else [sys.stdin.buffer]
    for source in sources:
        for number, line in enumerate(read_lines(source), 1):
            yield f"{source_name(source)}:{number}", line


def _bags(files: list[Path] | None) -> Iterator[tuple[str, Expression | None]]:
    for where, line in _lines(files):
        try:
            yield where, bag(line) if line.split() else None
        except InputError as error:
            raise InputError(f"{where}: {error}") from None


def _expressions(files: list[Path] | None) -> Iterator[tuple[str, Expression, None]]:
    sources: list[Source] = [*files] if files else [sys.stdin.buffer]
    for source in sources:
        name = source_name(source)
        for number, expression in read_expressions(read_lines(source), name=name):
            yield f"{name}:{number}", expression, None


def _print_realized(
    items: Iterable[tuple[str, Expression | None]],
    lm: list[Path],
    search: dict[str, Any],
    look: Callable[[Expression, Realized], None] | None = None,
) -> None:
    weights_file, threads, as_json = search.pop("weights"), search.pop("threads"), search.pop("as_json")
    grammar_file = search.pop("grammar")
    megabytes = search.pop("max_memory")
    names = {"search": search.pop("search").value, "bound": search.pop("bound").value}
    options = RealizationOptions(**search, **names, max_memory=megabytes * 1_000_000)
    options.search_options()
    weights = read_realization_weights(weights_file, len(lm)) if weights_file else None
    grammar = read_grammar(grammar_file) if grammar_file else None
    realizer = Realizer([load_language_model(path) for path in lm], weights, grammar=grammar)
    stream = iter(items)
    first = True
    while batch := list(islice(stream, 32 * threads)):
        for (_, expression), result in zip(batch, _realize_located(realizer, batch, options, threads), strict=True):
            if options.nbest > 1 and not as_json and not first:
                sys.stdout.write("\n")
            first = False
            sys.stdout.writelines(line + "\n" for line in _shown(result, options.nbest, as_json))
            if look and expression is not None and result is not None:
                look(expression, result)
        sys.stdout.flush()


def _realize_located(
    realizer: Realizer, batch: list[tuple[str, Expression | None]], options: RealizationOptions, threads: int
) -> Iterator[Realized | None]:
    """The results, None for an empty line; an error names its line."""
    expressions = [expression for _, expression in batch if expression is not None]
    try:
        results = iter(list(realizer.realize(expressions, options, threads=threads)))
    except InputError:
        for where, expression in batch:  # whose was it?
            if expression is None:
                continue
            try:
                realizer.realize_one(expression, options)
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
        raise
    for _, expression in batch:
        yield None if expression is None else next(results)


def _shown(result: Realized | None, nbest: int, as_json: bool) -> list[str]:
    if result is None:
        return [Result(text="").to_json() if as_json else ""]
    if as_json:
        return [result.to_json()]
    if nbest == 1:
        return [result.text]
    return [f"{one.score:.6f}\t{one.text}" for one in result.nbest]
