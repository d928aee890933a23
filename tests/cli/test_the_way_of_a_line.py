"""The way of one line from the command to the core's search and back to the printed line: few files, few functions.

CONTRIBUTING lists both ways; these tests trace them.
"""

import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import tests.command
from widl.headline import Headliner
from widl.headline.model import HeadlineModel
from widl.translation import Translator

SOURCE = Path(sys.modules["widl"].__file__ or "").parent
MOST = 12
CONTRIBUTING = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"


class Trace:
    """The package's functions that are on the stack at some places, with their files, in the order of the calls."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, str], None] = {}

    def record(self, *called: tuple[str, str]) -> None:
        """Adds the functions on the stack, from the command on, and those that are about to be called."""
        frame, here = sys._getframe(1), []
        while frame is not None:
            file = Path(frame.f_code.co_filename)
            if file.is_relative_to(SOURCE) and "<" not in frame.f_code.co_name:
                here.append((str(file.relative_to(SOURCE)), frame.f_code.co_qualname))
            frame = frame.f_back  # type: ignore[assignment]
        places = [place for place in reversed(here) if place[0] != "cli/__init__.py"]
        self.functions |= dict.fromkeys([*places, *called])

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(file for file, _ in self.functions))


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Trace:
    """Records whenever the core searches, a result is finished, or a line is printed."""
    trace = Trace()

    class Printed(io.TextIOWrapper):
        def write(self, text: str) -> int:
            trace.record()
            return super().write(text)

        def writelines(self, lines: Any) -> None:
            for line in lines:
                self.write(line)

    def text(stream: io.BytesIO, name: str) -> io.TextIOWrapper:
        stream.name = f"<{name}>"  # type: ignore[attr-defined]
        kind = Printed if name == "stdout" else io.TextIOWrapper
        return kind(stream, "utf-8", "strict", newline="\n", write_through=name != "stdin")

    monkeypatch.setattr(tests.command, "_text", text)
    return trace


class Recorded:
    """The core's realizer, which records who calls it."""

    def __init__(self, realizer: Any, trace: Trace) -> None:
        self._realizer, self._trace = realizer, trace

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._realizer, name)
        if not name.startswith("realize"):
            return attribute

        def realize(*arguments: Any, **options: Any) -> Any:
            if sys._getframe(1).f_code.co_name != "check_weights":
                self._trace.record()
            return attribute(*arguments, **options)

        return realize


def trace_stages(trace: Trace, front_end: type, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records the calls of `prepare` and `finish`."""
    for name in ("prepare", "finish"):
        original = getattr(front_end, name)

        def stage(self: Any, *arguments: Any, original: Any = original, name: str = name) -> Any:
            trace.record((file, f"{front_end.__name__}.{name}"))
            return original(self, *arguments)

        monkeypatch.setattr(front_end, name, stage)


def test_a_line_of_a_translation(run: Any, trained: Path, trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Translator.__init__

    def opening(self: Translator, *arguments: Any, **options: Any) -> None:
        opened(self, *arguments, **options)
        vars(self)["_realizer"] = Recorded(self._realizer, trace)

    monkeypatch.setattr(Translator, "__init__", opening)
    trace_stages(trace, Translator, "translation/translator.py", monkeypatch)
    code, out, _ = run("translate", trained, "--threads", "1", "--quiet", stdin="今天天气很好。\n")
    assert (code, out.strip() != "") == (0, True)
    check(trace, "translate")


def test_a_document_of_headlines(run: Any, headlines: Path, trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    made = HeadlineModel.realizer

    def making(self: HeadlineModel, *arguments: Any, **options: Any) -> Any:
        return Recorded(made(self, *arguments, **options), trace)

    monkeypatch.setattr(HeadlineModel, "realizer", making)
    trace_stages(trace, Headliner, "headline/headliner.py", monkeypatch)
    text = "The bank said on Monday that it will sell its shares in the old port."
    code, out, _ = run("headline", "generate", headlines, "--threads", "1", "--quiet", stdin=f"{text}\n")
    assert (code, out.strip() != "") == (0, True)
    check(trace, "headline generate")


def check(trace: Trace, command: str) -> None:
    """The way is short, and CONTRIBUTING lists its functions in the order of the calls."""
    names = [name for _, name in trace.functions]
    assert len(names) <= MOST, names
    assert len(trace.files) <= MOST, trace.files
    section = CONTRIBUTING.read_text(encoding="utf-8").split("## The way of a line")[1].split("\n## ")[0]
    listed = next(line for line in section.splitlines() if line.startswith(f"| `widl {command}`"))
    assert re.findall(r"`([\w.]+)`", listed.split("|")[2]) == names, ", ".join(f"`{name}`" for name in names)
