"""Lattices of other programs: OpenFst's text form, HTK's Standard Lattice Format, JSON, acceptors of pynini."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

from widl._core import Lattice
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import Source, read_lines, source_name

NOTHING = frozenset({"<eps>", "<epsilon>", "!NULL", "<s>", "</s>", "!SENT_START", "!SENT_END"})
"""Labels without a word: ε, and the ends of a sentence, which language models add themselves."""

_FIELD = re.compile(r"""([^\s=]+)=("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S*)""")
_SCORE = re.compile("a|l|x[0-9]+")
_SEMIRINGS = ("tropical", "log", "log64")

Numbered = tuple[int, str]
"""A line's number and its text."""


def read_lattices(source: Source, *, symbols: PathLike | None = None) -> Iterator[Lattice]:
    """The lattices of a file, in the form that its first line is in; InputError for a wrong one.

    OpenFst's text (AT&T's), lattices with empty lines between: ``from to word [cost]``, and final states; costs are
    -ln p. `symbols` is a symbol table where labels are numbers, of which 0 is ε. HTK's SLF, one lattice a file, has a
    component for each of a, l, x1, x2 … that it has, times its scale, and the word penalty in the first. JSON lines as
    `widl translate --lattice` and `widl enumerate --acceptor --json` write them.
    """
    for _, found in located_lattices(source, symbols=symbols):
        if isinstance(found, InputError):
            raise found
        yield found


def located_lattices(
    source: Source, *, symbols: PathLike | None = None
) -> Iterator[tuple[str, Lattice | InputError]]:
    """The same with their places, ``FILE:LINE``, and with what is wrong of wrong ones."""
    words = _read_symbols(symbols) if symbols is not None else None
    name = source_name(source)
    lines = enumerate(read_lines(source), 1)
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        return
    every = chain([first], lines)
    start = first[1].lstrip()
    for block in _blocks(every, by_line=start.startswith("{"), whole="=" in start.split()[0]):
        where = f"{name}:{block[0][0]}"
        try:
            if start.startswith("{"):
                yield where, _of_json(block[0][1], where)
            elif "=" in start.split()[0]:
                yield where, _of_slf(block, name)
            else:
                yield where, _of_openfst(block, name, words)
        except InputError as error:
            yield where, error if str(error).startswith(f"{name}:") else InputError(f"{where}: {error}")


def lattice_of_fst(fst: Any) -> Lattice:
    """The lattice of an acyclic acceptor of pynini or of OpenFst's own Python module, over words.

    Labels are words by the acceptor's symbol table; without one they are numbers. InputError for a transducer, or
    weights that are not of the tropical or log semiring.
    """
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


def _number(text: str, place: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise InputError(f"{place}: {what} {text!r} is not a number")
    return value


def _state(text: str, place: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**32):
        raise InputError(f"{place}: state {text!r} is not a number from 0 to {2**32 - 1}")
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
    arcs: list[tuple[int, int, str, float]] = []
    finals: dict[int, float] = {}
    for number, line in block:
        place, fields = f"{name}:{number}", line.split()
        if len(fields) > 5:
            raise InputError(f"{place}: {len(fields)} fields; expected 'from to word cost' or 'state cost'")
        state = _state(fields[0], place)
        if not arcs and not finals:
            start = state
        if len(fields) <= 2:
            cost = _number(fields[1], place, "cost") if len(fields) == 2 else 0.0
            if cost != math.inf:
                finals[state] = -cost
            continue
        label, more = fields[2], fields[3:]
        if len(more) == 2 or (more and more[0] == label):  # what it writes
            if more[0] != label:
                _refuse_transducer(label, more[0])
            more = more[1:]
        what = f"label {label!r} is followed by" if len(fields) == 4 else "cost"
        cost = _number(more[0], place, what) if more else 0.0
        if words is not None and label not in words:
            raise InputError(f"{place}: label {label!r} is not a number of the symbol table")
        if cost != math.inf:
            word = label if words is None else words[label]
            arcs.append((state, _state(fields[1], place), _word(word), -cost))
    return Lattice.from_arcs(arcs, finals, start=start)


# --- HTK's Standard Lattice Format ---


def _of_slf(block: Sequence[Numbered], name: str) -> Lattice:
    header: dict[str, str] = {}
    of_nodes: dict[int, str] = {}
    links: list[tuple[str, dict[str, str]]] = []
    nodes: set[int] = set()
    for number, line in block:
        if line.lstrip().startswith("#"):
            continue
        place, fields = f"{name}:{number}", {key: _unquoted(text) for key, text in _FIELD.findall(line)}
        if "J" in fields:
            links.append((place, fields))
        elif "I" in fields:
            nodes.add(_state(fields["I"], place))
            of_nodes[_state(fields["I"], place)] = fields.get("W", fields.get("WORD", ""))
        elif fields:
            header |= {key.upper(): text for key, text in fields.items()}
        else:
            raise InputError(f"{place}: {line.strip()!r} is no field of a lattice in SLF, such as 'J=0 S=0 E=1 W=word'")
    base = _number(header.get("BASE", "2.718281828459045"), name, "base")
    if not 1 < base < math.inf:
        raise InputError(f"{name}: scores to the base {base:g}; expected logarithms, whose base is above 1")
    columns = sorted({key for _, fields in links for key in fields if _SCORE.fullmatch(key)}, key=_column) or ["a"]
    scales = [_scale(header, column, name) * math.log(base) for column in columns]
    penalty = _number(header.get("WDPENALTY", "0"), name, "word penalty") * math.log(base)
    arcs = []
    for place, fields in links:
        if not {"S", "E"} <= fields.keys():
            raise InputError(f"{place}: a link without S= and E=, the nodes that it is between")
        at, to = _state(fields["S"], place), _state(fields["E"], place)
        word = _word(fields.get("W", fields.get("WORD", of_nodes.get(to, ""))))
        values = [_number(fields.get(key, "0"), place, key) for key in columns]
        scores = [value * scale for value, scale in zip(values, scales, strict=True)]
        if not all(map(math.isfinite, scores)):
            continue
        scores[0] += penalty * bool(word)
        nodes |= {at, to}
        arcs.append((at, to, word, scores))
    starts = {_state(header["START"], name)} if "START" in header else nodes - {to for _, to, _, _ in arcs}
    ends = {_state(header["END"], name)} if "END" in header else nodes - {at for at, _, _, _ in arcs}
    if len(starts) != 1:
        raise InputError(f"{name}: {len(starts)} nodes without a link to them; say which is the first: start=0")
    return Lattice.from_arcs(arcs, {end: [0.0] * len(columns) for end in sorted(ends)}, start=min(starts))


def _unquoted(text: str) -> str:
    if text[:1] in ("'", '"') and len(text) > 1 and text[-1] == text[0]:
        text = text[1:-1]
    return re.sub(r"\\(.)", r"\1", text)


def _column(name: str) -> tuple[str, int]:
    return name[:1], int(name[1:] or 0)


def _scale(header: Mapping[str, str], column: str, name: str) -> float:
    key = {"a": "ACSCALE", "l": "LMSCALE"}.get(column, f"{column.upper()}SCALE")
    return _number(header.get(key, "1"), name, key.lower())


# --- JSON ---


def _of_json(line: str, where: str) -> Lattice:
    try:
        found = json.loads(line)
        if "final" in found:
            arcs = [(at, to, word, [math.log(p) for p in more]) for at, to, word, *more in found["arcs"]]
            return Lattice.from_arcs(arcs, {found["final"]: [0.0] * len(arcs[0][3])})
        made = [(arc["from"], arc["to"], " ".join(arc["words"]), float(arc["score"])) for arc in found["arcs"]]
        return Lattice.from_arcs(made, {found["nodes"] - 1: 0.0})
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise InputError(
            f"{where}: not a lattice in JSON, as 'widl translate --lattice' writes ({type(error).__name__}: {error})"
        ) from None
