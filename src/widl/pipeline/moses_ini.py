"""Moses' configuration, ``moses.ini``: features with their files and weights, and settings of decoding.

The format is Moses 2's and later, with ``[feature]`` and named weights.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines


@dataclass(frozen=True)
class IniLine:
    """A line of a section, and its number in the file."""

    number: int
    text: str


@dataclass(frozen=True)
class Feature:
    """A feature function: its class, its name, its attributes, and its optional weights."""

    line: int
    kind: str
    name: str
    attributes: dict[str, str]
    weights: tuple[float, ...] | None = None


@dataclass
class MosesIni:
    """The content of a configuration."""

    path: Path
    features: list[Feature] = field(default_factory=list)
    settings: dict[str, list[IniLine]] = field(default_factory=dict)
    """The named sections other than features and weights."""
    stray_weights: dict[str, int] = field(default_factory=dict)
    """Names with weights but without a feature, and their lines."""

    def fail(self, line: int, message: str) -> NoReturn:
        """Raise an InputError about a line."""
        raise InputError(f"{self.path}:{line}: {message}")

    def setting(self, name: str) -> IniLine | None:
        """The first value of a section."""
        return next(iter(self.settings.get(name, ())), None)

    def number(self, name: str) -> float | None:
        """The first value of a section as a number."""
        line = self.setting(name)
        return None if line is None else self.numbers(line.number, [line.text])[0]

    def numbers(self, line: int, texts: Sequence[str]) -> tuple[float, ...]:
        """Texts as finite numbers."""
        for text in texts:
            if not _is_number(text):
                self.fail(line, f"expected a number, found {text!r}")
        return tuple(map(float, texts))

    def file(self, line: int, name: str) -> Path:
        """A file named in the configuration: relative to the working directory, as in Moses, or to its own."""
        paths = (Path(name), self.path.parent / name)
        candidates = (candidate for path in paths for candidate in (path, Path(f"{path}.gz")))
        file = next(filter(Path.exists, candidates), None)
        if file is None:
            self.fail(line, f"no such file: {name}")
        return file


def read_ini(path: PathLike) -> MosesIni:
    """Read a configuration; InputError names the invalid line."""
    ini = MosesIni(Path(path))
    sections = _sections(ini)
    if "feature" not in sections:
        raise InputError(f"{ini.path}: no [feature]; a moses.ini of Moses 2 or later was expected")
    _read_features(ini, sections.pop("feature"), sections.pop("weight", []))
    ini.settings = sections
    return ini


def _sections(ini: MosesIni) -> dict[str, list[IniLine]]:
    sections: dict[str, list[IniLine]] = {}
    current: list[IniLine] | None = None
    for number, raw in enumerate(read_lines(ini.path), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        if line.startswith("["):
            if not re.fullmatch(r"\[[^\[\]]+\]", line):
                ini.fail(number, f"expected a section like [feature], found {line!r}")
            current = sections.setdefault(line[1:-1].strip(), [])
        elif current is None:
            ini.fail(number, f"expected a section like [feature] first, found {line!r}")
        else:
            current.append(IniLine(number, line))
    return sections


def _read_features(ini: MosesIni, features: list[IniLine], weights: list[IniLine]) -> None:
    by_name: dict[str, tuple[int, tuple[float, ...]]] = {}
    for line in weights:
        match = re.fullmatch(r"([^\s=]+)\s*=\s*(.*)", line.text)
        if match is None:
            ini.fail(line.number, f"expected weights like 'LM0= 0.5', found {line.text!r}")
        if match[1] in by_name:
            ini.fail(line.number, f"{match[1]} has weights already, on line {by_name[match[1]][0]}")
        by_name[match[1]] = line.number, ini.numbers(line.number, match[2].split())
    count: dict[str, int] = {}
    for line in features:
        kind, *texts = line.text.split()
        attributes: dict[str, str] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals:
                ini.fail(line.number, f"expected attributes like name=LM0, found {text!r}")
            attributes[name] = value
        name = attributes.get("name", f"{kind}{count.get(kind, 0)}")
        count[kind] = count.get(kind, 0) + 1
        if any(feature.name == name for feature in ini.features):
            ini.fail(line.number, f"there is a feature {name} already")
        values = by_name.pop(name, None)
        ini.features.append(Feature(line.number, kind, name, attributes, values and values[1]))
    ini.stray_weights = {name: number for name, (number, _) in by_name.items()}


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
