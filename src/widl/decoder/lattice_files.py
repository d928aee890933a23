"""Lattices of other programs: OpenFst's text form, HTK's Standard Lattice Format, JSON, acceptors of pynini."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any, NoReturn

from widl._core import Lattice
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, kind_of
from widl.common.errors import InputError, WrongTypeError
from widl.common.files import Source, read_lines, source_name
from widl.common.option_values import is_whole_number, shortened
from widl.common.streams import number_in
from widl.decoder.lattice_json import lattice_of_json

NOTHING = frozenset({"<eps>", "<epsilon>", "!NULL", "<s>", "</s>", "!SENT_START", "!SENT_END"})
"""Labels without a word: ε, and the ends of a sentence, which language models add themselves."""

_FIELD = re.compile(r"""([^\s=]+)=("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S*)""")
_MISWRITTEN = re.compile(r"[-+.]*[0-9]|[-+]?(?:inf|nan)", re.IGNORECASE)
"""Text that is meant to be a number."""
_SCORE = re.compile("[alnr]|x[0-9]+")
_LONG_NAMES = {
    "START": "S", "END": "E", "WORD": "W", "NODES": "N", "LINKS": "L", "TIME": "t", "VAR": "v", "DIV": "d",
    "ACOUSTIC": "a", "LANGUAGE": "l", "NGRAM": "n", "PRON": "r",
}  # fmt: skip
"""Long names of SLF's fields, in capitals, with the short names (HTK Book, Section 20.2)."""
_SEMIRINGS = ("tropical", "log", "log64")

Numbered = tuple[int, str]
"""A line's number and its text."""


@checked
def read_lattices(source: Source, *, symbols: PathLike | None = None) -> Iterator[Lattice]:
    """The lattices of a file; its first line determines the format. Raises InputError for an invalid lattice.

    - OpenFst's text (AT&T's), lattices with empty lines between: ``from to word [cost]``, and final states. Costs are
      -ln p; a cost of infinity is no arc. The first line begins with the start state. `symbols` is a symbol table for
      labels that are numbers; 0 is ε. Kaldi's lattices begin with the name of their utterance, and their costs
      ``graph,acoustic,…`` are two components.
    - HTK's SLF, one lattice per file, has a component for each of its fields a, l, n, r, x1, x2 …, multiplied by the
    field's scale, and
      the word penalty in the first.
    - JSON lines as `widl translate --lattice` and `widl enumerate --acceptor --json` write them.

    Lines in front that begin with ``#`` are comments.
    """
    for _, lattice in located_lattices(source, symbols=symbols):
        if isinstance(lattice, InputError):
            raise lattice
        yield lattice


def located_lattices(source: Source, *, symbols: PathLike | None = None) -> Iterator[tuple[str, Lattice | InputError]]:
    """Like `read_lattices`, with locations, ``FILE:LINE``; a wrong lattice is an InputError in its place."""
    words = _read_symbols(symbols) if symbols is not None else None
    name = source_name(source)
    lines = enumerate(read_lines(source), 1)
    first = next(((number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")), None)
    if first is None:
        yield name, InputError(f"{name}: empty; a lattice was expected")
        return
    every = chain([first], lines)
    start = first[1].lstrip()
    for block in _blocks(every, by_line=start.startswith("{"), whole="=" in start.split()[0]):
        where = f"{name}:{block[0][0]}"
        try:
            if start.startswith("{"):
                yield where, lattice_of_json(block[0][1], where)
            elif "=" in start.split()[0]:
                yield where, _of_slf(block, name)
            else:
                yield where, _of_openfst(block, name, words)
        except InputError as error:
            yield where, error if str(error).startswith(f"{name}:") else InputError(f"{where}: {error}")


@checked
def lattice_of_fst(fst: Any) -> Lattice:
    """The lattice of an acyclic acceptor of pynini or of OpenFst's own Python module, over words.

    Labels are words by the acceptor's symbol table; without a symbol table, they are numbers. InputError for a
    transducer, or weights that are not of the tropical or log semiring.
    """
    if not hasattr(fst, "weight_type"):
        raise WrongTypeError(f"fst: found {kind_of(fst)}; pass an acceptor of pynini or of OpenFst's Python module")
    if fst.weight_type() not in _SEMIRINGS:
        raise InputError(f"weights of the semiring {fst.weight_type()!r}; expected one of {', '.join(_SEMIRINGS)}")
    table, of_outputs = fst.input_symbols(), fst.output_symbols()
    arcs = []
    finals = {}
    for state in fst.states() if fst.start() >= 0 else ():
        if math.isfinite(end := float(fst.final(state))):
            finals[state] = -end
        for arc in fst.arcs(state):
            word, written = _of_label(arc.ilabel, table), _of_label(arc.olabel, of_outputs)
            if word != written:
                _refuse_transducer(word, written)
            if math.isfinite(cost := float(arc.weight)):
                arcs.append((state, arc.nextstate, word, -cost))
    return Lattice.from_arcs(arcs, finals, start=max(fst.start(), 0))


def _blocks(lines: Iterable[Numbered], *, by_line: bool, whole: bool) -> Iterator[list[Numbered]]:
    """The lines of each lattice: each line, all lines, or those between empty lines."""
    block: list[Numbered] = []
    for number, line in lines:
        if line.strip():
            block.append((number, line))
        if block and (by_line or not (line.strip() or whole)):
            yield block
            block = []
    if block:
        yield block


def _word(label: str) -> str:
    return "" if label in NOTHING else label


def _of_label(label: int, symbols: Any) -> str:
    return "" if label == 0 else _word(symbols.find(label) if symbols else str(label))


def _refuse_transducer(first: str, second: str) -> NoReturn:
    raise InputError(
        f"an arc reads {first!r} and writes {second!r}; a lattice has one label an arc: project the transducer first"
    )


def _number(text: str, location: str, what: str) -> float:
    value = number_in(text)
    if math.isnan(value):
        raise InputError(f"{location}: {what} {text!r} is not a number")
    return value


def _state(text: str, location: str) -> int:
    if not (is_whole_number(text) and int(text) < 2**32):
        raise InputError(f"{location}: state {shortened(text)!r} is not a number from 0 to {2**32 - 1}")
    return int(text)


# --- OpenFst's text ---


def _read_symbols(path: PathLike) -> dict[str, str]:
    words: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2 or not fields[1].isdigit():
            raise InputError(f"{path}:{number}: expected a word and its number, found {line!r}")
        words[fields[1]] = "" if fields[1] == "0" else fields[0]
    return words


def _of_openfst(block: Sequence[Numbered], name: str, words: Mapping[str, str] | None) -> Lattice:
    if len(block) > 1 and len(block[0][1].split()) == 1 and not block[0][1].strip().isdigit():
        block = block[1:]  # Kaldi's name of the utterance
    arcs: list[tuple[int, int, str, list[float]]] = []
    finals: dict[int, list[float]] = {}
    has_two_labels = _has_two_labels([line.split() for _, line in block])
    start = _state(block[0][1].split()[0], f"{name}:{block[0][0]}")
    for number, line in block:
        location, fields = f"{name}:{number}", line.split()
        if len(fields) > 5:
            raise InputError(f"{location}: {len(fields)} fields; expected 'from to word cost' or 'state cost'")
        state = _state(fields[0], location)
        if len(fields) <= 2:
            scores = _scores_of_costs(fields[1], location) if len(fields) == 2 else []
            if -math.inf not in scores:
                finals[state] = scores
            continue
        target, label, more = _state(fields[1], location), fields[2], fields[3:]
        if has_two_labels and more:  # as pynini writes acceptors
            if more[0] != label:
                _refuse_transducer(label, more[0])
            more = more[1:]
        scores = _scores_of_costs(more[0], location, label) if more else []
        if words is not None and label not in words:
            raise InputError(f"{location}: label {label!r} is not a number of the symbol table")
        if -math.inf not in scores:
            arcs.append((state, target, _word(label if words is None else words[label]), scores))
    components = max(1, *(len(arc[3]) for arc in arcs), *map(len, finals.values()))
    padded = [(state, target, word, _padded(scores, components)) for state, target, word, scores in arcs]
    return Lattice.from_arcs(padded, {state: _padded(end, components) for state, end in finals.items()}, start=start)


def _has_two_labels(lines: Sequence[Sequence[str]]) -> bool:
    """Whether the arcs of a lattice have a label that they read and one that they write, and perhaps a cost.

    A fourth field is a cost or a label. It is a label if another arc has five fields, if it is no number, or if all
    arcs have the same number in both places.
    """
    fourth = [(fields[2], fields[3]) for fields in lines if len(fields) == 4]
    return (
        any(len(fields) == 5 for fields in lines)
        or any(math.isnan(number_in(cost.split(",")[0])) and not _MISWRITTEN.match(cost) for _, cost in fourth)
        or (bool(fourth) and all(label == cost for label, cost in fourth))
    )


def _scores_of_costs(text: str, location: str, label: str = "") -> list[float]:
    """ln p of a cost, or of Kaldi's ``graph,acoustic`` and ``graph,acoustic,transitions``."""
    costs = text.split(",")[:2]
    what = f"label {label!r} is followed by" if label else "cost"
    scores = [-_number(cost, location, what) for cost in costs]
    if math.inf in scores:
        raise InputError(
            f"{location}: cost {text!r} has no meaning; costs are -ln p, and only infinity stands for p = 0"
        )
    return scores


def _padded(scores: list[float], components: int) -> list[float]:
    return scores + [0.0] * (components - len(scores))


# --- HTK's Standard Lattice Format ---


_Fields = Mapping[str, str]
_Links = Sequence[tuple[str, _Fields]]
"""For each link, its location in the file and its fields."""


def _of_slf(block: Sequence[Numbered], name: str) -> Lattice:
    header, of_nodes, links = _fields_of_slf(block, name)
    _check_counts(header, nodes=len(of_nodes), links=len(links), name=name)
    scoring = _SlfScores(header, links, name)
    most = int(header["N"]) if is_whole_number(header.get("N", "")) else math.inf
    arcs = []
    nodes = set(of_nodes)
    order: TopologicalSorter[int] = TopologicalSorter()
    for location, fields in links:
        if not {"S", "E"} <= fields.keys():
            raise InputError(f"{location}: a link without S= and E=, the nodes that it is between")
        at, to = _state(fields["S"], location), _state(fields["E"], location)
        for node in (at, to):
            if node not in of_nodes if of_nodes else node >= most:
                raise InputError(
                    f"{location}: node {node} is not among the {len(of_nodes) or most} nodes of the lattice"
                )
        nodes |= {at, to}
        order.add(to, at)
        word = _word(fields.get("W", of_nodes.get(to, "")))
        if scores := scoring.of_link(fields, location, has_word=bool(word)):
            arcs.append((at, to, word, scores))
    try:
        order.prepare()
    except CycleError as error:
        raise InputError(f"{name}: node {error.args[1][0]} is on a cycle; a lattice has none") from None
    targets, sources = {to for _, to, _, _ in arcs}, {at for at, _, _, _ in arcs}
    starts = {_state(header["S"], name)} if "S" in header else nodes - targets
    ends = {_state(header["E"], name)} if "E" in header else nodes - sources
    if len(starts) != 1:
        raise InputError(f"{name}: {len(starts)} nodes without a link to them; say which is the first: start=0")
    start = min(starts)
    are_words_of_nodes = not all("W" in fields for _, fields in links) or not links
    if are_words_of_nodes and (word := _word(of_nodes.get(start, ""))):  # no link ends in this node
        arcs.append((max(nodes) + 1, start, word, _padded([scoring.penalty], len(scoring.columns))))
        start = max(nodes) + 1
    return Lattice.from_arcs(arcs, {end: [0.0] * len(scoring.columns) for end in sorted(ends)}, start=start)


def _fields_of_slf(block: Sequence[Numbered], name: str) -> tuple[dict[str, str], dict[int, str], _Links]:
    """The fields of the header, the words of nodes, and the links."""
    header: dict[str, str] = {}
    of_nodes: dict[int, str] = {}
    links: list[tuple[str, _Fields]] = []
    for number, line in block:
        if line.lstrip().startswith("#"):
            continue
        location = f"{name}:{number}"
        fields = {_LONG_NAMES.get(key.upper(), key): _unquoted(text) for key, text in _FIELD.findall(line)}
        if "J" in fields:
            links.append((location, fields))
        elif "I" in fields:
            if "L" in fields:
                raise InputError(f"{location}: a sub-lattice; expand it, as HTK's HBuild does")
            of_nodes[_state(fields["I"], location)] = fields.get("W", "")
        elif fields:
            header |= {key.upper() if len(key) > 1 else key: text for key, text in fields.items()}
        else:
            raise InputError(f"{location}: {line.strip()!r} is not an SLF field, such as 'J=0 S=0 E=1 W=word'")
    return header, of_nodes, links


class _SlfScores:
    """Conversion of link scores to natural logarithms, by base, scales and penalty of the header."""

    def __init__(self, header: _Fields, links: _Links, name: str) -> None:
        base = _number(header.get("BASE", "2.718281828459045"), name, "base")
        if base != 0 and not 1 < base < math.inf:
            raise InputError(f"{name}: scores to the base {base:g}; expected a base above 1, or 0 for probabilities")
        unit = math.log(base) if base else 1.0
        names = sorted({key for _, fields in links for key in fields if _SCORE.fullmatch(key)}, key=_column)
        self.columns = names or ["a"]
        self._scales = [_scale(header, column, name) * unit for column in self.columns]
        self._are_probabilities = base == 0
        self.penalty = _number(header.get("WDPENALTY", "0"), name, "word penalty") * unit

    def of_link(self, fields: _Fields, location: str, *, has_word: bool) -> list[float] | None:
        """The scores of a link; None if it is impossible."""
        missing = float(self._are_probabilities)
        values = [_number(fields[key], location, key) if key in fields else missing for key in self.columns]
        if self._are_probabilities:
            values = [_log(value, location) for value in values]
        if math.inf in values:
            raise InputError(f"{location}: a score of infinity has no meaning; scores are logarithms of probabilities")
        if -math.inf in values:
            return None
        scores = [value * scale for value, scale in zip(values, self._scales, strict=True)]
        scores[0] += self.penalty * has_word
        return scores


def _log(probability: float, location: str) -> float:
    if probability < 0:
        raise InputError(f"{location}: a negative score; base=0 says that scores are probabilities")
    return math.log(probability) if probability else -math.inf


def _check_counts(header: Mapping[str, str], *, nodes: int, links: int, name: str) -> None:
    """InputError unless a lattice has as many nodes and links as its header says. Nodes need no separate lines."""
    for key, what, count in (("N", "nodes", nodes), ("L", "links", links)):
        if key in header and header[key] != str(count) and not (key == "N" and count == 0):
            raise InputError(f"{name}: {key}={header[key]}, but it has {count} {what}; the file may be cut off")


def _unquoted(text: str) -> str:
    if text[:1] in ("'", '"') and len(text) > 1 and text[-1] == text[0]:
        text = text[1:-1]
    if "\\" not in text:
        return text
    octal = re.sub(rb"\\([0-7]{3}|.)", _unescaped, text.encode("utf-8"), flags=re.DOTALL)
    return octal.decode("utf-8", "replace")


def _unescaped(escape: re.Match[bytes]) -> bytes:
    """The byte of ``\\ooo``, or the character after the backslash."""
    return bytes([int(escape[1], 8) & 0xFF]) if len(escape[1]) == 3 else escape[1]


def _column(name: str) -> tuple[str, int]:
    return name[:1], int(name[1:] or 0)


def _scale(header: Mapping[str, str], column: str, name: str) -> float:
    key = {"a": "ACSCALE", "l": "LMSCALE", "n": "NGSCALE", "r": "PRSCALE"}.get(column, f"{column.upper()}SCALE")
    return _number(header.get(key, "1"), name, key.lower())
