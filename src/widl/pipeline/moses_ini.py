"""Moses' configuration, ``moses.ini``: features with their files and weights, and settings of decoding.

Both forms are read: that of Moses 2 and later, with ``[feature]`` and named weights, and the older one with
``[ttable-file]``, ``[lmodel-file]`` and ``[weight-t]``.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from widl.arguments import PathLike, path_of
from widl.errors import InputError
from widl.files import read_lines


@dataclass(frozen=True)
class IniLine:
    """A line of a section, and its number in the file."""

    number: int
    text: str


@dataclass(frozen=True)
class Feature:
    """A feature function: its class, its name, its attributes, and its weights if there are any."""

    line: int
    kind: str
    name: str
    attributes: dict[str, str]
    weights: tuple[float, ...] | None = None
    source: str = ""
    """What the file calls it, for messages."""


@dataclass
class MosesIni:
    """The content of a configuration."""

    path: Path
    features: list[Feature] = field(default_factory=list)
    settings: dict[str, list[IniLine]] = field(default_factory=dict)
    """The sections that are no features and weights, by name."""
    stray_weights: dict[str, int] = field(default_factory=dict)
    """Names that have weights but are no feature, and their lines."""

    def fail(self, line: int, message: str) -> NoReturn:
        """Raise the InputError of a line."""
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
        """A file that the configuration names: from the working directory, as Moses does, or from its own."""
        paths = (Path(name), self.path.parent / name)
        candidates = (found for path in paths for found in (path, Path(f"{path}.gz")))
        file = next(filter(Path.exists, candidates), None)
        if file is None:
            self.fail(line, f"no such file: {name}")
        return file


def read_ini(path: PathLike) -> MosesIni:
    """Read a configuration; InputError names the line that makes no sense."""
    ini = MosesIni(path_of(path, "path"))
    sections = _sections(ini)
    if "feature" in sections:
        _read_features(ini, sections.pop("feature"), sections.pop("weight", []))
    elif "ttable-file" in sections:
        _read_old_form(ini, sections)
    else:
        raise InputError(f"{ini.path}: neither [feature] nor [ttable-file]; a moses.ini was expected")
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


# --- Moses 2 and later ---


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
        own = by_name.pop(name, None)
        ini.features.append(Feature(line.number, kind, name, attributes, own and own[1], name))
    ini.stray_weights = {name: number for name, (number, _) in by_name.items()}


# --- the older form ---

_OLD_WEIGHTS = {"weight-t": "tm", "weight-l": "lm", "weight-d": "d", "weight-w": "w", "weight-generation": "g"}
_OLD_TABLES = {"0": "PhraseDictionaryMemory", "1": "PhraseDictionaryBinary", "2": "PhraseDictionaryOnDisk",
               "6": "PhraseDictionaryMemory", "8": "PhraseDictionaryDynSuffixArray", "12": "PhraseDictionaryCompact"}
_OLD_MODELS = {"0": "SRILM", "1": "IRSTLM", "8": "KENLM", "9": "KENLM"}


def _read_old_form(ini: MosesIni, sections: dict[str, list[IniLine]]) -> None:
    weights: dict[str, list[float]] = {}
    weight_lines: dict[str, int] = {}
    for section, short in _OLD_WEIGHTS.items():
        lines = sections.pop(section, sections.pop(f"weight-{short}", []))
        weights[section] = [number for line in lines for number in ini.numbers(line.number, line.text.split())]
        if lines:
            weight_lines[section] = lines[0].number
    left = {section: list(numbers) for section, numbers in weights.items()}

    def take(section: str, count: int, line: int) -> tuple[float, ...]:
        if len(left[section]) < count:
            ini.fail(line, f"{count} weights are needed, but [{section}] has {len(left[section])} for it")
        taken, left[section] = left[section][:count], left[section][count:]
        return tuple(taken)

    number_of_tables = 0
    for line, kind, texts in _old_files(ini, sections.pop("ttable-file", []), (4, 5), _OLD_TABLES):
        factors_in, factors_out, size, path, *_ = texts
        attributes = {"num-features": size, "path": path, "input-factor": factors_in, "output-factor": factors_out}
        own = take("weight-t", _count(ini, line, size), line)
        name = f"TranslationModel{number_of_tables}"
        ini.features.append(Feature(line, kind, name, attributes, own, "[ttable-file]"))
        number_of_tables += 1
    for m, (line, kind, texts) in enumerate(_old_files(ini, sections.pop("lmodel-file", []), (4, 4), _OLD_MODELS)):
        factor, order, path, *_ = texts
        attributes = {"factor": factor, "order": order, "path": path}
        ini.features.append(Feature(line, kind, f"LM{m}", attributes, take("weight-l", 1, line), "[lmodel-file]"))
    if left["weight-d"]:
        line_of_d = weight_lines["weight-d"]
        own = take("weight-d", 1, line_of_d)
        ini.features.append(Feature(line_of_d, "Distortion", "Distortion0", {}, own, "[weight-d]"))
    for r, line_of_model in enumerate(sections.pop("distortion-file", [])):
        line, texts = line_of_model.number, line_of_model.text.split()
        if len(texts) != 4:
            ini.fail(line, f"expected factors, type, number of weights and path, found {line_of_model.text!r}")
        factors, kind, size, path = texts
        attributes = {"type": kind, "num-features": size, "path": path}
        attributes |= dict(zip(("input-factor", "output-factor"), factors.split("-"), strict=False))
        own = take("weight-d", _count(ini, line, size), line)
        name = f"LexicalReordering{r}"
        ini.features.append(Feature(line, "LexicalReordering", name, attributes, own, "[distortion-file]"))
    for g, line_of_model in enumerate(sections.pop("generation-file", [])):
        ini.features.append(
            Feature(line_of_model.number, "Generation", f"GenerationModel{g}", {}, None, "[generation-file]")
        )
        left["weight-generation"] = []
    if left["weight-w"]:
        line_of_w = weight_lines["weight-w"]
        own = take("weight-w", 1, line_of_w)
        ini.features.append(Feature(line_of_w, "WordPenalty", "WordPenalty0", {}, own, "[weight-w]"))
    for section, numbers in left.items():
        if numbers:
            ini.fail(weight_lines[section], f"[{section}] has {len(numbers)} weights more than its files need")


def _old_files(
    ini: MosesIni, lines: list[IniLine], lengths: tuple[int, int], kinds: dict[str, str]
) -> Iterator[tuple[int, str, list[str]]]:
    """Each file's line, kind and further texts; the oldest lines of tables do not begin with a kind."""
    for line in lines:
        texts = line.text.split()
        if len(texts) < lengths[0]:
            ini.fail(line.number, f"expected at least {lengths[0]} entries, found {line.text!r}")
        if len(texts) < lengths[1]:
            texts = ["0", *texts]
        yield line.number, kinds.get(texts[0], f"kind {texts[0]}"), texts[1:]


def _count(ini: MosesIni, line: int, text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or int(text) == 0:
        ini.fail(line, f"expected the number of scores, found {text!r}")
    return int(text)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
