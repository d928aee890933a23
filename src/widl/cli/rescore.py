"""`widl rescore`: a scorer's numbers as an additional feature of n-best lists."""

import json
import math
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from widl.cli.parameters import Output, check_outputs, located_lines, output_stream
from widl.common.errors import InputError, MissingFileError
from widl.common.files import read_lines
from widl.common.streams import number_in
from widl.decoder.rescoring import SCORER
from widl.mert.nbest import MAX_DIGITS, written_text


@dataclass(frozen=True)
class _Line:
    """A candidate: its sentence, its line of the n-best list, and its score."""

    sentence: int
    text: str
    features: str
    score: float
    more: tuple[str, ...] = ()


def rescore(
    *,
    nbest: Annotated[
        list[Path],
        Parameter(metavar="FILE", help="N-best lists in Moses' format, or JSON lines of results; - is stdin."),
    ],
    scores: Annotated[
        Path | None, Parameter(metavar="FILE", help="Scores, one line per candidate, in the order of the lists.")
    ] = None,
    command: Annotated[
        str | None,
        Parameter(metavar="CMD", help="Program that reads candidates, one per line, and writes a score for each."),
    ] = None,
    name: Annotated[str, Parameter(help="The feature's name.")] = SCORER,
    weight: Annotated[float, Parameter(help="The feature's weight in the new scores.")] = 1.0,
    best: Annotated[bool, Parameter(name="--best", help="Print each sentence's best string, not the lists.")] = False,
    output: Output = None,
) -> None:
    """Add an external score to each candidate of n-best lists, and sort the lists by the new scores.

    The new score is the old score plus --weight times the external score. -inf removes a candidate from its list.
    Sentences are written in numerical order. With --best, line N is sentence N, counted from 0; a sentence without
    candidates yields an empty line. To tune all weights, pass the new lists to 'widl tune nbest'.

      widl rescore --nbest dev.nbest --command 'python neural.py' -o new.nbest
      widl tune nbest new.nbest --reference dev.en -o new.toml
    """
    if not math.isfinite(weight):
        raise InputError(f"--weight {weight}: expected a finite number")
    check_outputs({"--output": output}, [*nbest, *([scores] if scores else [])])
    if (scores is None) == (command is None):
        raise InputError("give either --scores FILE or --command CMD")
    if not name or any(c.isspace() or c in "=|" for c in name):
        raise InputError(f"--name {name!r}: a feature's name has no blanks, '=' or '|'")
    lines = [
        line for location, text in located_lines(nbest) if text.strip() for line in _candidates(location, text, name)
    ]
    if command is not None:
        numbers = _numbers(_output_of(command, [line.text for line in lines]), f"--command {command}", lines)
    else:
        assert scores is not None
        numbers = _numbers(read_lines(scores), str(scores), lines)
    sentences: dict[int, list[_Scored]] = {}
    for candidate in zip(lines, numbers, strict=True):
        sentences.setdefault(candidate[0].sentence, []).append(candidate)
    failed = False
    with output_stream(output) as stream:
        for sentence in range(max(sentences, default=-1) + 1):
            ranked = _ranked(sentence, sentences.get(sentence, []), weight)
            failed |= not ranked
            if best:
                stream.write(f"{ranked[0][0].text if ranked else ''}\n")
            else:
                stream.writelines(_list_line(*scored, name, weight) for scored in ranked)
    if failed:
        sys.exit(1)


_Scored = tuple[_Line, float]
"""A candidate and its external score."""


def _ranked(sentence: int, group: Sequence[_Scored], weight: float) -> list[_Scored]:
    """The candidates that the scorer allows, best first; a message if there are none."""
    allowed = [scored for scored in group if scored[1] > -math.inf]
    if not allowed:
        why = "the scorer forbids all of its candidates" if group else "the lists have no candidate of it"
        sys.stderr.write(f"sentence {sentence}: {why}\n")
    return sorted(allowed, key=lambda scored: -(scored[0].score + weight * scored[1]))


def _list_line(line: _Line, number: float, name: str, weight: float) -> str:
    """A candidate in Moses' format, with the new feature and the new score."""
    features, score = f"{line.features} {name}= {number!r}".strip(), repr(line.score + weight * number)
    return " ||| ".join((str(line.sentence), line.text, features, score, *line.more)) + "\n"


def _candidates(location: str, text: str, name: str) -> Iterator[_Line]:
    if text.lstrip().startswith("{"):
        yield from _of_json(location, text, name)
        return
    fields = [field.strip() for field in text.split("|||")]
    if len(fields) < 4:
        raise InputError(f"{location}: {len(fields)} fields between '|||'; expected sentence, text, features and score")
    if f"{name}=" in fields[2].split():
        raise InputError(f"{location}: a feature {name!r} exists already; choose another --name")
    number = fields[0]
    if not (number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS):
        raise InputError(f"{location}: expected the sentence's number from 0, found {number!r}")
    yield _Line(int(number), fields[1], fields[2], _number(fields[3], location), tuple(fields[4:]))


def _of_json(location: str, text: str, name: str) -> Iterator[_Line]:
    """The candidates of a line; sentences are numbered from 0."""
    try:
        record: Any = json.loads(text)
        for candidate in record.get("nbest", [record]):
            if name in candidate["features"]:
                raise InputError(f"{location}: a feature {name!r} exists already; choose another --name")
            features = " ".join(f"{key}= {float(value)!r}" for key, value in candidate["features"].items())
            number = int(location.rpartition(":")[2]) - 1
            yield _Line(number, written_text(candidate["text"]), features, _number(str(candidate["score"]), location))
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{location}: no result in JSON, as --json prints ({type(error).__name__}: {error})") from None


def _number(text: str, location: str) -> float:
    value = number_in(text)
    if not math.isfinite(value):
        raise InputError(f"{location}: {text.strip()!r} is not a finite number")
    return value


def _numbers(given: Iterator[str], where: str, candidates: Sequence[_Line]) -> list[float]:
    """A number for each candidate; -inf where the scorer forbids it."""
    numbers: list[float] = []
    for at, text in enumerate(given, 1):
        if not text.strip():
            continue
        number = number_in(text)
        if math.isnan(number) or number == math.inf:
            of = f" for {candidates[len(numbers)].text!r}" if len(numbers) < len(candidates) else ""
            raise InputError(
                f"{where}:{at}: {text.strip()!r}{of} is not a finite number, nor -inf, which forbids a candidate"
            )
        numbers.append(number)
    if len(numbers) != len(candidates):
        raise InputError(f"{where}: {len(numbers)} numbers for {len(candidates)} candidates; one each is needed")
    return numbers


def _output_of(command: str, texts: Sequence[str]) -> Iterator[str]:
    """The output of a program that reads the texts, one per line. InputError if it fails."""
    try:
        program = shlex.split(command)
        process = subprocess.run(
            program, input="".join(f"{text}\n" for text in texts), stdout=subprocess.PIPE, encoding="utf-8", check=False
        )
    except (FileNotFoundError, IndexError):
        raise MissingFileError(f"--command {command}: no such program") from None
    except (OSError, ValueError) as error:
        raise InputError(f"--command {command}: can't be run ({error})") from None
    if process.returncode:
        how = f"exit code {process.returncode}" if process.returncode > 0 else f"signal {-process.returncode}"
        raise InputError(f"--command {command}: ended with {how}; nothing is rescored")
    return iter(process.stdout.splitlines())
