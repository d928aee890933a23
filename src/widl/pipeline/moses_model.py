"""A model of `widl` from Moses' configuration: its phrase tables, reordering table, language models and weights."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.option_values import is_whole_number, shortened
from widl.common.workers import Progress, no_progress
from widl.decoder.features import REORDERING_FEATURES
from widl.phrase_table.entries import in_columns
from widl.phrase_table.moses_text import ImportOptions
from widl.phrase_table.reordering import REORDERING
from widl.pipeline.given_models import GivenTable, creation_digest, make_model
from widl.pipeline.model_directory import is_made
from widl.pipeline.moses_ini import Feature, MosesIni, read_ini
from widl.text.source_and_target import TextSettings
from widl.translation.manifest import AdditionalTableEntry, TableUse, TranslationManifest

OPTIONS_SUFFIX = ".toml"

_LANGUAGE_MODELS = ("KENLM", "SRILM", "IRSTLM", "LanguageModel")
_TEXT_TABLES = ("PhraseDictionaryMemory", "PhraseDictionaryMemoryPerSentence")
_OTHER_TABLES = ("PhraseDictionary", "ProbingPT", "Mmsapt", "SkeletonPT", "RuleTable", "Transliteration", "Generation")
_PHRASE_SEARCHES = ("0", "1", "2", "4")
"""Moses' search algorithms that translate with phrases; the others are chart decoders."""
_REORDERING_TYPES = tuple(f"{words}{REORDERING}{weights}" for words in ("wbe-", "") for weights in ("-allff", ""))
_UNKNOWN_WORD_SCORE = -100.0
_DISTORTION_LIMIT, _TABLE_LIMIT = 6, 20  # Moses' defaults


@dataclass
class MosesImport:
    """Result of `import_moses_model` for a configuration."""

    manifest: TranslationManifest
    options: Path
    """The file of options with which `widl translate` decodes as configured."""
    left_out: list[str] = field(default_factory=list)
    """Features that were not imported, with their lines in the configuration."""


def import_moses_model(
    ini: PathLike,
    directory: PathLike,
    *,
    text: TextSettings | None = None,
    memory: int = ImportOptions.memory,
    overwrite: bool = False,
    progress: Progress = no_progress,
) -> MosesImport:
    """Make a model directory of ``moses.ini``, and next to it ``DIRECTORY.toml``, options for `widl translate`.

    Phrase tables and a reordering table (text), language models (ARPA, KenLM's binaries), distance-based movement,
    penalties of words and phrases, weights, the table's and the distortion limit, and the treatment of unknown words
    are read. Other features are skipped and reported; for other settings `widl translate` has options. `text`:
    languages and casing of the text to translate; by default, tokens are separated by blanks, as in Moses.

    Raises InputError for a missing or unreadable file, for weights that do not fit, and for an unsupported
    configuration, such as one with factors or without a language model; no files are written then.
    """
    path = Path(directory)
    options = path.with_name(f"{path.name}{OPTIONS_SUFFIX}")
    reader = _Reader(read_ini(ini))
    reader.read()
    tables, models = reader.given_tables(), [file for _, file in reader.language_models]
    text = (text or TextSettings(source_language="none", target_language="none")).with_segmenter()
    if options.exists() and not overwrite and not is_made(path, creation_digest(tables, models, text, Path(ini))):
        raise InputError(
            f"{options}: exists, where the model's options go; add --overwrite (in Python overwrite=True) to replace it"
        )
    manifest = make_model(
        path,
        tables,
        models,
        text=text,
        weights=reader.weights,
        weights_of=Path(ini),
        memory=memory,
        overwrite=overwrite,
        progress=progress,
    )
    if overwrite or not options.exists():  # otherwise the same command has written it, and the user may have edited it
        with write_text(options) as file:
            file.write(reader.options_text(path))
    return MosesImport(manifest, options, reader.left_out)


@dataclass(frozen=True)
class _Table:
    feature: Feature
    given: GivenTable
    scores: int
    """Number of scores declared by the configuration."""


class _Reader:
    """Interprets the features and settings of a configuration."""

    def __init__(self, ini: MosesIni) -> None:
        self.ini = ini
        self.tables: list[_Table] = []
        self.language_models: list[tuple[Feature, Path]] = []
        self.left_out: list[str] = []
        self._single: dict[str, Feature] = {}
        self._reordering: Feature | None = None

    def read(self) -> None:
        """Check all that can be checked before the large files are read."""
        readers: Mapping[str, Callable[[Feature], None]] = {
            **dict.fromkeys(_TEXT_TABLES, self._read_table),
            **dict.fromkeys(_LANGUAGE_MODELS, self._read_language_model),
            "LexicalReordering": self._read_reordering,
            **dict.fromkeys(("WordPenalty", "PhrasePenalty", "Distortion", "UnknownWordPenalty"), self._read_single),
        }
        for feature in self.ini.features:
            if feature.kind in readers:
                readers[feature.kind](feature)
            elif feature.kind.startswith(_OTHER_TABLES):
                self.ini.fail(
                    feature.line,
                    f"{feature.name}: {feature.kind} can't be read; name the table's text, as PhraseDictionaryMemory",
                )
            else:
                self._leave_out(feature.line, feature.name, "a feature that widl lacks")
        for name, line in self.ini.stray_weights.items():
            self._leave_out(line, f"the weight of {name}", "there is no such feature")
        if not self.tables:
            raise InputError(f"{self.ini.path}: no phrase table; a model needs one, as text")
        if not self.language_models:
            raise InputError(f"{self.ini.path}: no language model that widl reads (ARPA or KenLM's); a model needs one")
        self._check_settings()

    def _leave_out(self, line: int, what: str, why: str) -> None:
        self.left_out.append(f"{self.ini.path}:{line}: left out: {what}: {why}")

    def _read_table(self, feature: Feature) -> None:
        for factor in ("input-factor", "output-factor"):
            if feature.attributes.get(factor, "0") != "0":
                self.ini.fail(feature.line, f"{feature.name}: a table of factors, which widl lacks")
        path = self.ini.file(feature.line, self._attribute(feature, "path"))
        announced = feature.attributes.get("num-features", "4")
        if not is_whole_number(announced):
            found = shortened(announced)
            self.ini.fail(feature.line, f"{feature.name}: expected the number of features, found {found!r}")
        weights = self._weights(feature, int(announced))
        use: TableUse = "back-off" if self._backs_off(len(self.tables)) else "alternatives"
        self.tables.append(_Table(feature, GivenTable(path, use), len(weights)))

    def _backs_off(self, number: int) -> bool:
        """Whether a table's decoding graph is used only where the graphs before it have no translation."""
        lines = self.ini.settings.get("decoding-graph-backoff", [])
        return number > 0 and number < len(lines) and lines[number].text != "0"

    def _read_language_model(self, feature: Feature) -> None:
        if feature.attributes.get("factor", "0") != "0":
            self.ini.fail(feature.line, f"{feature.name}: a language model of a factor, which widl lacks")
        weight, *others = self._weights(feature, None)
        if others:
            self._leave_out(feature.line, f"{len(others)} weights of {feature.name}", "its count of unknown words")
        if weight < 0:
            self.ini.fail(feature.line, f"{feature.name} has a negative weight; search needs language models >= 0")
        self.language_models.append((feature, self.ini.file(feature.line, self._attribute(feature, "path"))))

    def _read_reordering(self, feature: Feature) -> None:
        kind = feature.attributes.get("type", "")
        if self._reordering is not None or kind not in _REORDERING_TYPES:
            self._leave_out(feature.line, feature.name, f"widl has one reordering model, {REORDERING}")
            return
        self._weights(feature, len(REORDERING_FEATURES))
        self._reordering = feature

    def given_tables(self) -> list[GivenTable]:
        """The tables to import; the first has the scores of the reordering model."""
        first, *others = [table.given for table in self.tables]
        if (feature := self._reordering) is not None:
            file = self.ini.file(feature.line, self._attribute(feature, "path"))
            first = replace(first, reordering_table=file)
        return [first, *others]

    def _read_single(self, feature: Feature) -> None:
        if feature.kind in self._single:
            self.ini.fail(feature.line, f"a second {feature.kind}")
        self._single[feature.kind] = feature

    def _attribute(self, feature: Feature, name: str) -> str:
        if not feature.attributes.get(name):
            self.ini.fail(feature.line, f"{feature.name} has no {name}=")
        return feature.attributes[name]

    def _weights(self, feature: Feature, count: int | None) -> tuple[float, ...]:
        if feature.weights is None:
            self.ini.fail(feature.line, f"{feature.name} has no weights")
        if not feature.weights or (count is not None and len(feature.weights) != count):
            expected = "a weight" if count in (None, 1) else f"{count} weights"
            self.ini.fail(feature.line, f"{feature.name} needs {expected}, but has {len(feature.weights)}")
        return feature.weights

    def weights(self, stored: Sequence[AdditionalTableEntry]) -> dict[str, float]:
        """The weights of the model with these tables."""
        result: dict[str, float] = {}
        for table, kept in zip(self.tables, stored, strict=True):
            names, weights = in_columns(kept.scores), self._weights(table.feature, table.scores)
            if len(weights) != len(names):
                self.ini.fail(
                    table.feature.line,
                    f"{table.feature.name} has {len(weights)} weights, but {table.given.path} has {len(names)} scores",
                )
            result |= dict(zip(names, weights, strict=True))
        if self._reordering is not None:
            values = self._weights(self._reordering, len(REORDERING_FEATURES))
            result |= dict(zip(REORDERING_FEATURES, values, strict=True))
        result |= {f"lm{m}": self._weights(feature, None)[0] for m, (feature, _) in enumerate(self.language_models)}
        return result | {
            "word_count": -self._single_weight("WordPenalty"),
            "phrase_count": self._single_weight("PhrasePenalty"),
            "distortion": self._single_weight("Distortion"),
            "unknown": _UNKNOWN_WORD_SCORE * self._single_weight("UnknownWordPenalty", 1.0),
        }

    def _single_weight(self, kind: str, default: float = 0.0) -> float:
        """The weight of a feature that occurs at most once; only the weight of unknown words may be missing."""
        feature = self._single.get(kind)
        if feature is None or (feature.weights is None and kind == "UnknownWordPenalty"):
            return default if kind == "UnknownWordPenalty" else 0.0
        return self._weights(feature, 1)[0]

    # --- settings of decoding ---

    def _check_settings(self) -> None:
        search = self.ini.setting("search-algorithm")
        if search is not None and search.text not in _PHRASE_SEARCHES:
            self.ini.fail(search.number, f"search algorithm {search.text} uses rules; widl translates with phrases")
        for kind in self._single:
            self._single_weight(kind)
        for name in ("input-factors", "mapping"):
            lines = self.ini.settings.get(name, [])
            if len(lines) > 1 and not self._are_tables(name):
                self.ini.fail(lines[1].number, f"[{name}]: factors, which widl lacks")

    def _are_tables(self, name: str) -> bool:
        """Whether a mapping has only translation steps, one for each table."""
        return name == "mapping" and all(line.text.split()[-2:-1] == ["T"] for line in self.ini.settings[name])

    def options_text(self, model: Path) -> str:
        """Options of `widl translate` as TOML."""
        limits = {self._table_limit(table.feature) for table in self.tables}
        distortion_limit = self.ini.number("distortion-limit")
        unknown = "drop" if self._is_on("drop-unknown") else "mark" if self._is_on("mark-unknown") else "copy"
        limit = _DISTORTION_LIMIT if distortion_limit is None else int(distortion_limit)
        options: dict[str, object] = {
            "tokenized": True,
            "table_threshold": 0.0,
            "table_limit": 0 if 0 in limits else max(limits),
            "distortion_limit": "none" if limit < 0 else limit,
            "unknown": unknown,
        }
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in options.items()]
        title = f"# As {self.ini.path} decodes: widl translate {model} --config {model}{OPTIONS_SUFFIX}\n"
        return "".join([title, *lines])

    def _table_limit(self, feature: Feature) -> int:
        attribute = feature.attributes.get("table-limit")
        if attribute is not None:
            return int(self.ini.numbers(feature.line, [attribute])[0])
        number = self.ini.number("ttable-limit")
        return _TABLE_LIMIT if number is None else int(number)

    def _is_on(self, name: str) -> bool:
        lines = self.ini.settings.get(name)
        return lines is not None and (not lines or lines[0].text not in ("0", "false"))
