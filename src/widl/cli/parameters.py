"""Shared by commands: parameters outside option sets; input from files or stdin, output to a file or stdout."""

import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Annotated, TextIO

from cyclopts import Parameter
from cyclopts.validators import Number

from widl.cli.commands import STANDARD_STREAM
from widl.common.errors import InputError, MissingFileError
from widl.common.files import COMPRESSED, Source, check_readable, source_name, standard_input, write_text
from widl.common.manifests import MANIFEST
from widl.common.option_values import LARGEST
from widl.common.streams import count_lines, line_runs
from widl.text.test_sets import refuse_markup

CORES = os.cpu_count() or 1

ModelDirectory = Annotated[Path, Parameter(metavar="MODEL_DIR", help="A directory made by 'widl train'.")]
HeadlineModel = Annotated[Path, Parameter(metavar="MODEL_DIR", help="A directory made by 'widl headline train'.")]
NewModel = Annotated[Path, Parameter(metavar="MODEL_DIR", help="Output directory for the model.")]
TargetText = Annotated[Path, Parameter(metavar="FILE", help="Its translation, line by line.")]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], help="Output file instead of stdout; - is stdout.")]
Weights = Annotated[Path | None, Parameter(help="A TOML file of weights instead of the model's.")]
Threads = Annotated[
    int,
    Parameter(
        validator=Number(gte=1, lte=LARGEST),
        show_default=False,
        help="Number of threads; default: one per core. Results do not depend on it.",
    ),
]
Json = Annotated[bool, Parameter(name="--json", help="Print one JSON object per line, with all scores.")]
Overwrite = Annotated[bool, Parameter(help="Replace an existing model.")]
Quiet = Annotated[bool, Parameter(name="--quiet", help="Do not print progress or a summary.")]
Cluster = Annotated[
    str | None,
    Parameter(
        metavar="ADDRESS|N",
        help="Run on a Dask cluster: tcp://HOST:PORT, a scheduler file, or N local processes (docs/cluster.md).",
    ),
]


_FEW_BYTES = 200_000_000
_TEXT = re.compile(r"\s|[∥∨×·(]")


def notify(text: str) -> None:
    """Write a line on stderr."""
    sys.stderr.write(f"{text}\n")


def text_lines(files: Sequence[Path] | None) -> Iterator[str]:
    """The lines of the files, in order, or of stdin by default."""
    return (line for _, line in located_lines(files))


def source_of(file: Path) -> Source:
    """The file, or stdin for ``-``."""
    return standard_input() if file == STANDARD_STREAM else file


def sources_of(files: Sequence[Path] | None) -> list[Source]:
    """The files, or stdin by default; ``-`` is stdin, too. MissingFileError for a text that is no file."""
    for file in files or ():
        if _TEXT.search(str(file)) and not file.exists():
            command = " ".join(("widl", *sys.argv[1:2]))
            raise MissingFileError(f"{file}: no such file; pipe text itself: echo {quote(str(file))} | {command} …")
    return [source_of(file) for file in files or (STANDARD_STREAM,)]


def located_lines(files: Sequence[Path] | None) -> Iterator[tuple[str, str]]:
    """Each line of the files or of stdin, with its location, ``FILE:LINE``."""
    return chain.from_iterable(located_runs(files))


def located_runs(files: Sequence[Path] | None) -> Iterator[Iterator[tuple[str, str]]]:
    """The same lines in runs. A run ends when a pipe or terminal has no more lines for now (`widl.common.streams`)."""
    for source in sources_of(files):
        name = source_name(source)
        for run in line_runs(source):
            yield ((f"{name}:{number}", line) for number, line in run)


def output_stream(output: Path | None) -> AbstractContextManager[TextIO]:
    """A file that appears only when complete, or stdout. After Ctrl-C, ``NAME.partial`` has the finished lines."""
    return nullcontext(sys.stdout) if output in (None, STANDARD_STREAM) else write_text(output, keep_interrupted=True)


def check_outputs(
    outputs: Mapping[str, Path | None], inputs: Sequence[Path] | None, *, may_be_of_models: bool = False
) -> None:
    """InputError if a file to write, by the name of its option, is an input, a model's, or is written twice."""
    read = set(map(os.path.realpath, inputs or ()))
    written: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None or path == STANDARD_STREAM:
            continue
        real_path = os.path.realpath(path)
        if real_path in read:
            raise InputError(f"{path}: is an input and would be overwritten; name another file for {option}")
        if not may_be_of_models:
            check_outside_models(path, f"name another file for {option}")
        if real_path in written:
            raise InputError(f"{path}: is named by both {written[real_path]} and {option}; give each its own file")
        written[real_path] = option


def make_directory(directory: Path) -> None:
    """Make the directory of a command's results, before the work; InputError if that can't be done."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{directory}: can't be made ({error.strerror}); name another directory") from None


def check_model_first(model: Path, files: Sequence[Path] | None) -> None:
    """InputError if a file is given instead of the model directory; suggests swapping them if the directory follows."""
    if model.is_file():
        directory = next((file for file in files or () if (file / MANIFEST).is_file()), None)
        hint = f"exchange it with {directory}" if directory else "give the model first, then the text"
        raise InputError(f"{model}: a file, where a model directory was expected; {hint}")


def check_texts(model: Path, files: Sequence[Path] | None) -> None:
    """InputError, before the model is opened, if the model is a file, or a file is unreadable or not plain text."""
    check_model_first(model, files)
    for file in files or ():
        if file != STANDARD_STREAM:
            check_readable(file)
            refuse_markup(file)


def check_outside_models(output: Path, way: str) -> None:
    """InputError if an output belongs to a model, whose checksums it would break; `way` names the alternative."""
    folder = Path(os.path.realpath(output)).parent
    if (folder / MANIFEST).is_file():
        model = folder if output.is_symlink() else output.parent
        raise InputError(f"{output}: would be a file of the model {model}; {way}")


def number_of_lines(files: Sequence[Path] | None) -> int:
    """The number of lines of the files, 0 if it is not known before they are read, or takes long to count."""
    if not files or any(file == STANDARD_STREAM or not file.is_file() for file in files):
        return 0
    if sum(file.stat().st_size for file in files if file.suffix in COMPRESSED) > _FEW_BYTES:
        return 0
    return sum(map(count_lines, files))


def shows_lines(output: Path | None) -> bool:
    """Whether the output is on the terminal, where each line shows progress."""
    return output in (None, STANDARD_STREAM) and sys.stdout.isatty()


@contextmanager
def resumable() -> Iterator[None]:
    """Run a job in the ``with`` block; if Ctrl-C or SIGTERM ends it, a line says how to resume it."""
    terminated = 128 + signal.SIGTERM

    def terminate(_number: int, _frame: object) -> None:
        raise SystemExit(terminated)

    before = signal.getsignal(signal.SIGTERM)
    if before == signal.SIG_DFL:  # keep it ignored
        signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as error:
        if isinstance(error, KeyboardInterrupt) or error.code == terminated:
            sys.stderr.write("interrupted; run the same command again to resume\n")
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
