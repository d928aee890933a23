"""`widl enumerate`."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

from cyclopts import Parameter

from widl.cli.expressions import Tally, located_expressions
from widl.cli.parameters import Json
from widl.cli.pictures import write_numbered_picture
from widl.common.errors import InputError
from widl.common.json_values import json_text
from widl.common.options import option_set, refuse_unread, values_of
from widl.common.presets import PresetOf2005, PresetOf2006
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
from widl.expressions.cut_acceptors import CutAcceptor, cut_acceptor
from widl.expressions.drawing import check_picture_name, draw_cuts
from widl.expressions.enumeration import EnumerationOptions
from widl.expressions.stack_acceptors import stack_acceptor

Files = Annotated[list[Path] | None, Parameter(help="WIDL-expressions, one per line (.gz too); default: stdin.")]

READS = {"count": (), "size": (), "cuts": ("limit",)}
"""The options of enumeration that some outputs read; the others read all."""


@option_set
class Outputs:
    """What is printed or drawn of each expression."""

    count: bool = False
    "Print only the exact number of derivations."
    size: bool = False
    "Print only the node counts: shared nodes counted once, and every time."
    acceptor: bool = False
    "Print the finite-state acceptor, in OpenFst's text format."
    cuts: bool = False
    "Print the acceptor with ε-arcs, whose states are cuts of the WIDL-graph."
    preset: PresetOf2005 | PresetOf2006 | None = None
    "--cuts: the graph of the 2005 paper's Figure 1, or states with the ∥-stacks of the 2006 paper's Figure 2 (b)."
    draw: Annotated[Path | None, Parameter(metavar="FILE")] = None
    "Draw the acceptor (.svg, .pdf, .png, .dot); for later expressions, to FILE-2 …"
    json: Json = False

    @property
    def of_acceptor(self) -> bool:
        """Whether an acceptor is printed or drawn."""
        return self.acceptor or self.cuts or self.draw is not None

    def check(self, options: EnumerationOptions) -> None:
        """Refuses options that exclude each other or are not read."""
        if self.count + self.size + self.of_acceptor > 1:
            raise InputError("--count, --size and --acceptor exclude each other")
        if self.cuts and self.json:
            raise InputError("--cuts is not printed as JSON; drop --json")
        if self.preset is not None and not self.cuts:
            raise InputError(f"--preset {self.preset} is read by --cuts alone; add --cuts, or drop the preset")
        for name, reads in READS.items():
            if getattr(self, name):
                refuse_unread(options, f"--{name}", reads)
        if self.draw is not None:
            check_picture_name(self.draw)


def enumerate_command(
    files: Files = None,
    /,
    *,
    outputs: Outputs = Outputs(),
    lm: Annotated[
        list[Path] | None, Parameter(name="--lm", help="Language model of the log-linear model. Repeatable.")
    ] = None,
    weights: Annotated[
        Path | None, Parameter(help="TOML file of the log-linear model's weights; default: all 1.")
    ] = None,
    options: EnumerationOptions = EnumerationOptions(),
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
    have no weights, and states are named by their vertices; with --preset paper-2006 they have both, vertices and the
    order in which the arguments of each ∥ were entered, and a fourth column with probabilities.
    """
    outputs.check(options)
    if lm and (outputs.count or outputs.size or outputs.of_acceptor):
        raise InputError("--lm goes with strings, not with --count, --size or --acceptor")
    model = _LogLinear.read(lm or [], weights)
    sys.set_int_max_str_digits(0)  # counts can have any number of digits

    def lines_of(expression: Expression, number: int) -> Iterable[str]:
        if model is not None:
            return model.lines(expression, options, as_json=outputs.json)
        if not outputs.of_acceptor:
            return _plain_lines(expression, options, outputs)
        if outputs.cuts:
            cuts = _cuts_of(expression, outputs.preset, options.limit)
            if outputs.draw is None:
                return [cuts.to_text().rstrip("\n")]
            picture = draw_cuts(cuts)
        else:
            acceptor = make_acceptor(expression, **values_of(options))
            if outputs.draw is None:
                return [_acceptor_text(acceptor, as_json=outputs.json)]
            picture = draw_acceptor(acceptor)
        write_numbered_picture(picture, outputs.draw, number)
        return []

    one_line = outputs.count or outputs.size
    _print(located_expressions(files), lines_of, one_line=one_line, grouped=not (one_line or outputs.json))


def _cuts_of(expression: Expression, preset: str | None, limit: int) -> CutAcceptor[Any]:
    """The acceptor of cuts, as a paper draws it."""
    if preset == "paper-2006":
        return stack_acceptor(expression, limit=limit)
    return cut_acceptor(expression, limit=limit, ends=preset == "paper-2005")


def _print(
    expressions: Iterator[tuple[str, Expression | InputError]],
    lines_of: Callable[..., Iterable[str]],
    *,
    one_line: bool,
    grouped: bool,
) -> None:
    """Print each expression's result; for an invalid expression, print a message, and an empty line if `one_line`."""
    tally = Tally()
    for number, (where, expression) in enumerate(expressions, 1):
        lines = _lines_or_error(expression, partial(lines_of, number=number))
        if isinstance(lines, InputError):
            tally.fail(str(lines) if lines is expression else f"{where}: {lines}")
            sys.stdout.write("\n" * one_line)
            continue
        if grouped and tally.done and lines:
            sys.stdout.write("\n")
        sys.stdout.writelines(line + "\n" for line in lines)
        sys.stdout.flush()  # before waiting for the next expression
        tally.done += 1
    tally.end()


def _lines_or_error(
    expression: Expression | InputError, lines_of: Callable[[Expression], Iterable[str]]
) -> list[str] | InputError:
    """The lines of an expression; an error of reading it, or of making them."""
    if isinstance(expression, InputError):
        return expression
    try:
        return list(lines_of(expression))
    except InputError as error:
        return error


def _plain_lines(expression: Expression, options: EnumerationOptions, outputs: Outputs) -> Iterator[str]:
    """The number of derivations, the size, or the strings with their probabilities."""
    if outputs.count:
        derivations = count_derivations(expression)
        yield json_text({"derivations": derivations}) if outputs.json else str(derivations)
    elif outputs.size:
        nodes, written = expression.size, written_size(expression)
        yield json_text({"nodes": nodes, "written": written}) if outputs.json else f"{nodes}\t{written}"
    else:
        for weighted in enumerate_strings(expression, limit=options.limit, shuffle_count=options.shuffle_count):
            if outputs.json:
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

    def lines(self, expression: Expression, options: EnumerationOptions, *, as_json: bool) -> Iterator[str]:
        for result in interpolate_strings(expression, self.language_models, self.weights, **values_of(options)):
            if as_json:
                yield json_text(asdict(result))
            else:
                yield f"{result.probability:.12g}\t{result.string}"


def _acceptor_text(acceptor: Acceptor, *, as_json: bool) -> str:
    if as_json:
        arcs = [[arc.source, arc.target, arc.word, *arc.probabilities] for arc in acceptor.arcs]
        return json_text({"states": acceptor.states, "final": acceptor.final, "arcs": arcs})
    return acceptor.to_text().rstrip("\n")
