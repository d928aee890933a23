"""Arbitrary bytes for the readers written in Python: mutations of valid inputs.

    python benchmarks/fuzz_readers.py [--seconds 60] [--runs N] [--seed 1] [--findings DIR] [READER …]

A reader must give a result or an InputError of one line (an expression's fault is shown below its line, with a caret).
Everything else is a finding: the input and its traceback go to DIR. So does an input that takes more than ten seconds.
The seed and the number of a run reproduce its input.
"""

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from widl._core import Expression
from widl.common.errors import InputError
from widl.decoder import read_weights
from widl.expressions import parse_expression
from widl.expressions.json_form import from_json, to_json
from widl.headline.documents import Document, UnreadableDocument, read_documents
from widl.mert.nbest import read_nbest
from widl.phrase_table.given_alignment import read_links
from widl.text.glosses import read_dictionary
from widl.text.test_sets import read_test_set
from widl.translation.glossary import Glossary
from widl.translation.markup import parse_markup

SLOW = 10.0
MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Reader:
    """A reader function, valid inputs, and fragments of its format."""

    read: Callable[[bytes, Path], object]
    sound: list[str]
    pieces: str = ""


def text_of(content: bytes) -> str:
    """Decodes bytes as a text reader's input, even invalid ones."""
    return content.decode("utf-8", errors="replace")


def from_file(read: Callable[[Path], object], suffix: str = ".txt") -> Callable[[bytes, Path], object]:
    """A reader of files, given bytes."""

    def of_bytes(content: bytes, folder: Path) -> object:
        path = folder / f"input{suffix}"
        path.write_bytes(content)
        return read(path)

    return of_bytes


def documents(path: Path) -> None:
    """All documents of a file; unreadable ones give a one-line error."""
    for document in read_documents([path]):
        if isinstance(document, UnreadableDocument):
            check_message(document.message)
        else:
            assert isinstance(document, Document)
            assert "\n" not in "".join(document.headlines)


def expression(content: bytes, _folder: Path) -> None:
    """A parsed expression is written, and reading it again must give the same expression."""
    read = parse_expression(text_of(content))
    assert parse_expression(str(read)) == read


def json_form(content: bytes, _folder: Path) -> None:
    """Like `expression`."""
    read: Expression = from_json(text_of(content))
    assert from_json(to_json(read)) == read


def check_message(message: str) -> None:
    """One line; or three, where the second shows the faulty line and the third points at the fault."""
    lines = message.split("\n")
    pointed = len(lines) == 3 and lines[2].strip() == "^"
    if not lines[0].strip() or not (len(lines) == 1 or pointed):
        raise AssertionError(f"a message of {len(lines)} lines: {message!r}")


READERS = {
    "expression": Reader(
        expression,
        [
            "∥{2 1: 0.8, perms: 0.2}(×(the · captives), ∨{0.3, 0.7}(finally, ε))",
            "tiles{3, expmove: 0.5}(0-1: a, 1-3: ∨(b, c), 1-2: x, 2-3: y)",
        ],
        "∥ ∨ × · ε { } ( ) , : 1 0.5 1e400 -1 nan shuffles perms tiles or lock interleave \\ 0-1 # 😀",
    ),
    "json": Reader(
        json_form,
        [
            to_json(parse_expression("∥{2 1: 0.8, perms: 0.2}(×(the · captives), ∨{0.3, 0.7}(finally, ε))")),
            to_json(parse_expression("∨(a, ×(b · c))")),
        ],
        '{ } [ ] " : , null true -1 1e999 9999999999999999999999 "nodes" "word" "lock" "interleave" [[[[[[ NaN',
    ),
    "nbest": Reader(
        from_file(lambda path: read_nbest([path])),
        [
            "0 ||| a b ||| LM0= -3.2 tm= -1 -2 ||| -1.5\n"
            "0 ||| a ||| LM0= -4 tm= 0 1 ||| -2\n1 ||| c ||| LM0= 0 tm= 0 0\n"
        ],
        "||| LM0= tm= 0 1 -1 1e999 nan inf \n = 99999999999 -2",
    ),
    "markup": Reader(
        lambda content, _: parse_markup(text_of(content).replace("\n", " "), str.split),
        [
            '<x translation="Obama||He" prob="0.6||0.4">奥巴马</x>说<wall/>'
            '<zone>你好 <n english="a">甲</n></zone>&lt;&#20013;'
        ],
        '< > </ /> <zone> </zone> <wall/> translation=" prob=" || " & &amp; &#0; &#x110000; 0.5 <!DOCTYPE <!-- ]]>',
    ),
    "documents": Reader(
        from_file(documents),
        [
            "<DOC>\n<DOCNO> A1 </DOCNO>\n<HEADLINE>\nRain stops play\n</HEADLINE>\n"
            "<TEXT>\n<P>\nIt rained. &AMP;\n</P>\n</TEXT>\n</DOC>\n",
            '{"id": "1", "text": "It rained.\\nMore rain.", "headline": "Rain"}\n'
            '{"text": "b", "headlines": ["a", "b"]}\n',
            "It rained on Friday.\n\nThe match was <b>stopped</b>.\n",
        ],
        '<DOC> </DOC> <TEXT> </TEXT> <P> <HEADLINE> &lt; &#65; { } " : , "text" "headlines" [ ] null \n \\ud800',
    ),
    "test_set": Reader(
        from_file(read_test_set, ".sgm"),
        [
            '<srcset setid="a" srclang="zh"><doc docid="d"><seg id="1">你好</seg><seg id="2">再见</seg></doc></srcset>',
            '<?xml version="1.0"?><dataset><doc id="d"><src lang="zh"><seg id="1">你</seg></src>'
            '<ref lang="en"><seg id="1">you</seg></ref></doc></dataset>',
        ],
        '< > </seg> <seg id="1"> <doc docid="d"> </doc> " & &lt; <!ENTITY %x; ]> <?xml \n 99999999999999999999',
    ),
    "links": Reader(
        from_file(lambda path: [links.points(5, 5) for links in read_links(path)]),
        ["0-0 1-1 2-3\n0-4\n\n"],
        "- ? 0 4 99999999999 -1 \n",
    ),
    "dictionary": Reader(
        from_file(lambda path: list(read_dictionary(path))),
        ["# c\n電腦 电脑 [dian4 nao3] /computer/CL:臺|台[tai2]/\n你好\thello\n"],
        "[ ] / \t \n # CL: ( ) ; |",
    ),
    "glossary": Reader(
        from_file(lambda path: Glossary.read(path, normalize=str.strip, split=str.split)),
        ["电脑\tcomputer\n你好\thello\thi there\n"],
        "\t \n ||| \\",
    ),
    "weights": Reader(
        from_file(lambda path: read_weights(path, ["lm0", "p_fe"])),
        ['lm0 = 0.5\n"p_fe" = 1\n', "# of a test\nlm0 = 1\np_fe = 2e-3\n"],
        '= [ ] " lm0 nan inf 1e999 \n # { } 1979-05-27',
    ),
}


def mutated(reader: Reader, rng: random.Random) -> bytes:
    """A valid input, or two of them joined, with up to eight changes."""
    content = bytearray(rng.choice(reader.sound).encode())
    if rng.random() < 0.1:
        other = rng.choice(reader.sound).encode()
        content = content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other)) :]
    pieces = [b"\n", b"\t", *(piece.encode() for piece in reader.pieces.split())]
    for _ in range(rng.randrange(9)):
        at = rng.randrange(len(content) + 1)
        end = min(len(content), at + rng.choice((1, 1, 2, 5, 20)))
        change = rng.randrange(6)
        if change == 0:
            content[at:at] = rng.choice(pieces)
        elif change == 1:
            content[at:end] = rng.choice(pieces)
        elif change == 2:
            del content[at:end]
        elif change == 3:
            content[at:at] = content[at:end] * rng.choice((1, 2, 50))
        elif change == 4:
            content[at:at] = rng.randbytes(rng.choice((1, 1, 4)))
        else:
            del content[at:]
    return bytes(content)


@dataclass
class Outcome:
    """Results of a reader's runs: the number that gave a result, the seconds of the longest, and findings."""

    runs: int = 0
    accepted: int = 0
    slowest: float = 0.0
    findings: int = 0


def run(name: str, seeds: Iterable[int], deadline: float, findings: Path | None = None) -> Outcome:
    """Gives a reader the mutations of these seeds until `deadline`, in seconds of `time.monotonic`."""
    reader, outcome = READERS[name], Outcome()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        for seed in seeds:
            content = mutated(reader, random.Random(f"{name} {seed}"))
            begin = time.monotonic()
            try:
                reader.read(content, Path(scratch))
                outcome.accepted += 1
                fault = ""
            except InputError as error:
                fault = ""
                try:
                    check_message(str(error))
                except AssertionError as wrong:
                    fault = str(wrong)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                fault = traceback.format_exc()
            seconds = time.monotonic() - begin
            outcome.slowest = max(outcome.slowest, seconds)
            outcome.runs += 1
            if not fault and seconds > SLOW:
                fault = f"it took {seconds:.1f} s"
            if fault:
                outcome.findings += 1
                print(f"{name}, seed {seed}: {fault}", file=sys.stderr)
                if findings is not None:
                    findings.mkdir(parents=True, exist_ok=True)
                    (findings / f"{name}-{seed}").write_bytes(content)
            if begin > deadline:
                break
    return outcome


def main() -> int:
    """The command; returns 1 if there are findings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}; all by default")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each reader")
    parser.add_argument("--runs", type=int, default=10**7, help="of each reader at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path, default=Path("build/fuzz/findings"))
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.readers if name not in READERS]:
        parser.error(f"no reader {unknown[0]!r}; there are {', '.join(READERS)}")
    found = 0
    for name in arguments.readers or READERS:
        first = arguments.seed * 10**8
        deadline = time.monotonic() + arguments.seconds
        outcome = run(name, range(first, first + arguments.runs), deadline, arguments.findings)
        found += outcome.findings
        print(
            f"{name}: {outcome.runs} runs, {outcome.accepted} accepted, slowest {outcome.slowest:.3f} s, "
            f"{outcome.findings} findings",
            flush=True,
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
