"""`widl enumerate`."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from cyclopts import Parameter

from widl.cli.expressions import Tally, located_expressions
from widl.cli.parameters import Json
from widl.cli.pictures import write_numbered_picture
from widl.common.errors import InputError
from widl.common.json_values import json_text
from widl.decoder import LanguageModel, interpolate_strings, read_realization_weights
from widl.expressions import (
    Acceptor,
    Expression,
    count_derivations,
    draw_acceptor,
    enumerate_strings,
    make_acceptor,
    written_size,
)
from widl.expressions.cuts import CutAcceptor, cut_acceptor
from widl.expressions.drawing import check_picture_name, draw_cuts
from widl.expressions.enumeration import EnumerationOptions

Files = Annotated[list[Path] | None, Parameter(help="WIDL-expressions, one per line (.gz too); default: stdin.")]
Acceptors = Annotated[
    bool, Parameter(name="--acceptor", help="Print the finite-state acceptor, in OpenFst's text format.")
]
Cuts = Annotated[
    bool, Parameter(name="--cuts", help="Print the acceptor with ε-arcs, whose states are cuts of the WIDL-graph.")
]
Models = Annotated[
    list[Path] | None,
    Parameter(name="--lm", help="Language model of the log-linear model. Repeatable."),
]
Weights = Annotated[Path | None, Parameter(help="TOML file of the log-linear model's weights; default: all 1.")]
Draw = Annotated[
    Path | None,
    Parameter(metavar="FILE", help="Draw the acceptor (.svg, .pdf, .png, .dot); for later expressions, to FILE-2 …"),
]


def enumerate_command(
    files: Files = None,
    /,
    *,
    count: Annotated[bool, Parameter(name="--count", help="Print only the exact number of derivations.")] = False,
    size: Annotated[
        bool,
        Parameter(name="--size", help="Print only the node counts: shared nodes counted once, and every time."),
    ] = False,
    acceptor: Acceptors = False,
    cuts: Cuts = False,
    lm: Models = None,
    weights: Weights = None,
    draw: Draw = None,
    options: EnumerationOptions = EnumerationOptions(),
    as_json: Json = False,
) -> None:
    r"""Print the strings of WIDL-expressions with their probabilities, most probable first.

    Each line is 'probability<TAB>string'. If choices have several probabilities, they are separated by spaces. The
    probability includes expmove scores: it is the sum of e^(widl + distortion) over the string's derivations. 'widl
    realize --json' prints these two features. Strings of different expressions are separated by an empty line. Empty
    input lines, and lines that begin with #, are skipped. An invalid line does not stop the others, but the exit code
    is 1.

    With --lm, the log-linear model gives the probabilities: exp Σ λ h(e), divided by the sum over all strings (Equation
    1 of Soricut & Marcu 2006). h0 is ln of the expression's probability.

    Each line of --acceptor is an arc, 'source<TAB>target<TAB>word<TAB>weight', the weight being -ln of its
    probability; the last line is the final state. State 0 is the start state; <eps> is the empty string. Arcs of --cuts
    have no weights, and states are named by their vertices.
    """
    acceptor = acceptor or cuts or draw is not None
    if count + size + acceptor > 1:
        raise InputError("--count, --size and --acceptor exclude each other")
    if cuts and as_json:
        raise InputError("--cuts is not printed as JSON; drop --json")
    if lm and (count or size or acceptor):
        raise InputError("--lm goes with strings, not with --count, --size or --acceptor")
    if draw is not None:
        check_picture_name(draw)
    model = _LogLinear.read(lm or [], weights)
    sys.set_int_max_str_digits(0)  # counts can have any number of digits

    def lines_of(expression: Expression, number: int) -> list[str]:
        if not acceptor:
            return list((model or _PlainOutput(count, size)).lines(expression, options, as_json))
        automaton = _acceptor(expression, options, cuts=cuts)
        if draw is None:
            return [_acceptor_text(automaton, as_json)]
        write_numbered_picture(_drawn(automaton), draw, number)
        return []

    _print(located_expressions(files), lines_of, one_line=count or size, grouped=not (count or size or as_json))


def _print(
    expressions: Iterator[tuple[str, Expression | InputError]],
    lines_of: Callable[[Expression, int], list[str]],
    *,
    one_line: bool,
    grouped: bool,
) -> None:
    """Print each expression's result; for an invalid expression, print a message, and an empty line if `one_line`."""
    tally = Tally()
    for number, (where, expression) in enumerate(expressions, 1):
        try:
            if isinstance(expression, InputError):
                raise expression
            lines = lines_of(expression, number)
        except InputError as error:
            tally.fail(str(error) if error is expression else f"{where}: {error}")
            sys.stdout.write("\n" * one_line)
            continue
        if grouped and tally.done and lines:
            sys.stdout.write("\n")
        sys.stdout.writelines(line + "\n" for line in lines)
        sys.stdout.flush()  # before waiting for the next expression
        tally.done += 1
    tally.end()


@dataclass
class _PlainOutput:
    """The number of derivations, the size, or the strings with their probabilities."""

    count: bool
    size: bool

    def lines(self, expression: Expression, options: EnumerationOptions, as_json: bool) -> Iterator[str]:
        if self.count:
            derivations = count_derivations(expression)
            yield json_text({"derivations": derivations}) if as_json else str(derivations)
        elif self.size:
            nodes, written = expression.size, written_size(expression)
            yield json_text({"nodes": nodes, "written": written}) if as_json else f"{nodes}\t{written}"
        else:
            for weighted in enumerate_strings(expression, limit=options.limit, shuffle_count=options.shuffle_count):
                if as_json:
                    entry = {"string": weighted.string, "probability": weighted.probability}
                    if len(weighted.probabilities) > 1:
                        entry["probabilities"] = weighted.probabilities
                    yield json_text(entry)
                else:
                    yield f"{' '.join(f'{p:.12g}' for p in weighted.probabilities)}\t{weighted.string}"


@dataclass
class _LogLinear:
    """The model whose probabilities are printed."""

    language_models: list[LanguageModel]
    weights: dict[str, float] | None

    @classmethod
    def read(cls, language_models: list[Path], weights: Path | None) -> Self | None:
        if not language_models:
            if weights is not None:
                raise InputError("--weights are of a log-linear model; name its language models with --lm")
            return None
        values = read_realization_weights(weights, len(language_models)) if weights is not None else None
        return cls([LanguageModel.load(path) for path in language_models], values)

    def lines(self, expression: Expression, options: EnumerationOptions, as_json: bool) -> Iterator[str]:
        for result in interpolate_strings(expression, self.language_models, self.weights, **vars(options)):
            if as_json:
                yield json_text(asdict(result))
            else:
                yield f"{result.probability:.12g}\t{result.string}"


def _acceptor(expression: Expression, options: EnumerationOptions, *, cuts: bool) -> Acceptor | CutAcceptor:
    return cut_acceptor(expression, limit=options.limit) if cuts else make_acceptor(expression, **vars(options))


def _acceptor_text(acceptor: Acceptor | CutAcceptor, as_json: bool) -> str:
    if isinstance(acceptor, CutAcceptor):
        return acceptor.to_text().rstrip("\n")
    if as_json:
        arcs = [[arc.source, arc.target, arc.word, *arc.probabilities] for arc in acceptor.arcs]
        return json_text({"states": acceptor.states, "final": acceptor.final, "arcs": arcs})
    return acceptor.to_text().rstrip("\n")


def _drawn(acceptor: Acceptor | CutAcceptor) -> Any:
    return draw_cuts(acceptor) if isinstance(acceptor, CutAcceptor) else draw_acceptor(acceptor)
