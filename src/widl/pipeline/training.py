"""Training: raw parallel text and language-model text into a model directory."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import TypeAdapter

from widl import __version__
from widl.alignment.aligner import Links, TextToAlign, WordAligner, learn_and_align
from widl.alignment.bitext import BitextReport, prepare_bitext, prepare_text
from widl.alignment.given import GivenAlignments
from widl.alignment.symmetrization import DEFAULT_METHOD, MethodOption, symmetrize_pair
from widl.arguments import PathLike, not_text, path_of, paths_of
from widl.decoder import convert_language_model, default_translation_weights, format_weights, load_language_model
from widl.decoder.language_model import DEFAULT_ORDER, MAX_ORDER
from widl.decoder.lm_estimation import estimate_language_model
from widl.errors import InputError, MissingFileError
from widl.files import open_source, read_lines, write_text
from widl.manifests import MANIFEST
from widl.options import option, option_set
from widl.phrase_table.extraction import (
    DEFAULT_LENGTH,
    LengthOption,
    ScoringOptions,
    check_temporary_directory,
    extract_phrases,
)
from widl.phrase_table.writing import build_phrase_table
from widl.pipeline.model_directory import (
    check_output_directory,
    file_sizes,
    new_model_directory,
)
from widl.text.cleaning import Cleaning
from widl.text.sides import TextSettings
from widl.text.truecasing import Truecaser
from widl.translation.manifest import TranslationManifest
from widl.workers import Progress, no_progress

TABLE, LANGUAGE_MODEL, TRUECASER, WEIGHTS = "phrase-table.lmdb", "lm0.binary", "truecaser.tsv", "weights.toml"
ALIGNMENT, USER_DICTIONARY = "alignment.gz", "user-dictionary.txt"
KENLM_MAGIC = b"mmap lm"


@option_set
class TrainingOptions:
    """How to train.

    Of parallel text that is tokenised already, `text` says how text to translate is tokenised. Given alignments replace
    our own.
    """

    order: Annotated[
        int, option("Order of the language model: longest n-grams.", ge=2, le=MAX_ORDER)
    ] = DEFAULT_ORDER
    lm_bitext: Annotated[bool, option("Whether the language model also sees the bitext.")] = True
    max_phrase_length: LengthOption = DEFAULT_LENGTH
    symmetrization: MethodOption = DEFAULT_METHOD
    text: TextSettings = TextSettings()
    cleaning: Cleaning = Cleaning()
    tokenized: Annotated[bool, option("The bitext is tokenised: leave its tokens as they are.")] = False
    alignments: GivenAlignments | None = None
    scoring: ScoringOptions = ScoringOptions()


@dataclass(frozen=True)
class TrainingReport:
    """What went in and came out; seconds by stage, of this run only."""

    bitext: BitextReport
    statistics: dict[str, int | float | str]
    seconds: dict[str, float]


def train(
    bitext: Sequence[PathLike],
    lm_text: Sequence[PathLike],
    directory: PathLike,
    options: TrainingOptions | None = None,
    *,
    language_models: Sequence[PathLike] = (),
    threads: int = 1,
    memory: int = 0,
    temporary_directory: PathLike | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
) -> TrainingReport:
    """Train a translation model from files PREFIX.zh and PREFIX.en (as the languages are) and make its directory.

    Stages: tokenise, clean and truecase; align both ways and symmetrise (or take the given alignments), and keep
    the aligner for later text; extract and score phrase pairs (Koehn et al. 2003); estimate
    the language model, lm0. `language_models` are finished ones (ARPA files or KenLM binaries of text in the same
    tokens and casing) that become lm1, lm2, and so on. Finished stages stay in ``DIRECTORY.work`` until the model is
    complete, so the same call goes on where an interrupted one stopped. The directory itself appears whole at the
    very end. `memory` bounds that of phrase extraction, in bytes (0: no limit); what doesn't fit goes to
    `temporary_directory`, by default ``DIRECTORY.work``.

    Raises InputError naming file and line of what can't be used, before the long work where that is possible.
    """
    bitext = list(not_text(bitext, "bitext", 'a list of prefixes: ["news"] for news.zh and news.en'))
    lm_text, language_models = paths_of(lm_text, "lm_text"), paths_of(language_models, "language_models")
    directory = path_of(directory, "directory")
    temporary_directory = None if temporary_directory is None else path_of(temporary_directory, "temporary_directory")
    options = options or TrainingOptions()
    options = replace(options, text=options.text.with_segmenter())
    check_output_directory(directory, overwrite=overwrite)
    for path in lm_text:
        if not path.is_file():
            raise MissingFileError(f"{path}: no such file; --lm-text names files of English text")
    check_temporary_directory(temporary_directory)
    work = directory.with_name(f"{directory.name}.work")
    stages = Stages(work, _fingerprint(bitext, lm_text, language_models, options))
    brought = [f"lm{m}.binary" for m in range(1, len(language_models) + 1)]
    if brought:
        stages.run("further language models", lambda: _bring(language_models, [work / name for name in brought]))
    job = _Job(bitext, lm_text, work, options, threads, memory, temporary_directory or work, progress)
    stages.run("bitext", job.prepare)
    stages.run("alignment", job.align)
    stages.run("phrase table", job.extract)
    stages.run("language model", job.estimate)
    report = job.report(stages.seconds)
    with new_model_directory(directory) as temporary:
        models = [LANGUAGE_MODEL, *brought]
        for name in (TABLE, TRUECASER, ALIGNMENT, *models):
            os.link(work / name, temporary / name)
        text = options.text
        if text.user_dictionary is not None:
            shutil.copyfile(text.user_dictionary, temporary / USER_DICTIONARY)
            text = replace(text, user_dictionary=Path(USER_DICTIONARY))
        (temporary / WEIGHTS).write_text(format_weights(default_translation_weights(len(models))), encoding="utf-8")
        manifest = TranslationManifest(
            text=text,
            phrase_table=TABLE,
            language_models=models,
            truecaser=TRUECASER,
            weights=WEIGHTS,
            alignment=ALIGNMENT,
            files=file_sizes(temporary),
            training=report.statistics,
        )
        (temporary / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(work)
    return report


class Stages:
    """Steps of a long job, each done once: a later run with the same fingerprint skips what is finished."""

    def __init__(self, directory: Path, fingerprint: str) -> None:
        self._record = directory / "stages.json"
        self.seconds: dict[str, float] = {}
        known: dict[str, object] = {}
        if self._record.exists():
            try:
                known = json.loads(self._record.read_text(encoding="utf-8"))
            except ValueError:
                known = {}
        if known.get("fingerprint") != fingerprint:
            # Other inputs or options, or another version: nothing of it may be used.
            if directory.exists():
                if not self._record.exists() and any(directory.iterdir()):
                    raise InputError(f"{directory}: in the way; move it, work in progress belongs there")
                shutil.rmtree(directory)
            directory.mkdir()
            known = {"fingerprint": fingerprint, "finished": []}
        self._known = known
        self._save()

    def run(self, name: str, step: Callable[[], None]) -> None:
        """Do the step unless an earlier run has finished it."""
        finished = self._known["finished"]
        assert isinstance(finished, list)
        if name in finished:
            return
        start = time.monotonic()
        try:
            step()
        except BaseException:
            if not finished:  # nothing to go on from
                shutil.rmtree(self._record.parent, ignore_errors=True)
            raise
        self.seconds[name] = time.monotonic() - start
        finished.append(name)
        self._save()

    def _save(self) -> None:
        with write_text(self._record) as file:
            json.dump(self._known, file)


def _bring(models: Sequence[Path], names: Sequence[Path]) -> None:
    """Finished language models as binaries; InputError for a file that is none."""
    for path, name in zip(models, names, strict=True):
        with open_source(path) as stream:
            is_binary = stream.read(len(KENLM_MAGIC)) == KENLM_MAGIC
        if is_binary:
            load_language_model(path)
            shutil.copyfile(path, name)
        else:
            convert_language_model(path, name)


def _fingerprint(
    bitext: Sequence[PathLike], lm_text: Sequence[Path], language_models: Sequence[Path], options: TrainingOptions
) -> str:
    """What a stage's results depend on: version, options, and name, size and time of every input."""
    source, target = options.text.source_language, options.text.target_language
    names = [f"{prefix}.{side}{gz}" for prefix in bitext for side in (source, target) for gz in ("", ".gz")]
    inputs = []
    links = [path for group in options.alignments.files for path in group] if options.alignments else []
    for path in [*map(Path, names), *lm_text, *links, *language_models]:
        if path.exists():
            status = path.stat()
            inputs.append([str(path.absolute()), status.st_size, status.st_mtime_ns])
    settings = TypeAdapter(TrainingOptions).dump_python(options, mode="json")
    return json.dumps([__version__, settings, len(language_models), inputs])


@dataclass
class _Job:
    """The stages of one training; each reads what the earlier ones wrote to `work`."""

    bitext: Sequence[PathLike]
    lm_text: Sequence[Path]
    work: Path
    options: TrainingOptions
    threads: int
    memory: int
    temporary_directory: Path
    progress: Progress

    @property
    def source(self) -> Path:
        return self.work / "corpus.source"

    @property
    def target(self) -> Path:
        return self.work / "corpus.target"

    @property
    def symmetrization(self) -> str:
        given = self.options.alignments
        return "given" if given is not None and given.symmetrized else self.options.symmetrization

    def prepare(self) -> None:
        prepared = prepare_bitext(
            self.bitext,
            self.work,
            settings=self.options.text,
            cleaning=self.options.cleaning,
            tokenized=self.options.tokenized,
            alignments=self.options.alignments,
            threads=self.threads,
            progress=self.progress,
        )
        prepared.truecaser.save(self.work / TRUECASER)
        prepared.source.rename(self.source)
        prepared.target.rename(self.target)
        with write_text(self.work / "bitext.json") as file:
            file.write(prepared.report.model_dump_json())

    def align(self) -> None:
        given, texts = self.options.alignments, (read_lines(self.source), read_lines(self.target))
        links: Iterable[Links]
        if given is None:
            aligner, links = learn_and_align(*texts, threads=self.threads, progress=self.progress)
        else:
            names = ["symmetrized.align"] * 2 if given.symmetrized else ["forward.align", "reverse.align"]
            forward, reverse = (list(read_lines(self.work / name)) for name in names)
            aligner = WordAligner.count(TextToAlign(*texts), forward, reverse)
            links = zip(forward, reverse, strict=True)
        # Both directions of links that are symmetrised already are the same, and so is their union.
        method = "union" if self.symmetrization == "given" else self.options.symmetrization
        with write_text(self.work / "corpus.align") as file:
            file.writelines(f"{symmetrize_pair(*pair, method)}\n" for pair in links)
        aligner.save(self.work / ALIGNMENT, threads=self.threads)

    def extract(self) -> None:
        phrases = extract_phrases(
            read_lines(self.source),
            read_lines(self.target),
            read_lines(self.work / "corpus.align"),
            max_length=self.options.max_phrase_length,
            **asdict(self.options.scoring),
            threads=self.threads,
            memory=self.memory,
            temporary_directory=self.temporary_directory,
        )
        table = self.work / TABLE
        info = build_phrase_table(table, phrases, symmetrization=self.symmetrization, progress=self.progress)
        with write_text(self.work / "table.json") as file:
            json.dump(asdict(info), file)

    def estimate(self) -> None:
        sources = [self.target] if self.options.lm_bitext or not self.lm_text else []
        if self.lm_text:
            text = self.work / "lm.text"
            prepare_text(
                self.lm_text,
                text,
                truecaser=Truecaser.load(self.work / TRUECASER),
                settings=self.options.text,
                threads=self.threads,
                progress=lambda stage, done, total: self.progress(f"{stage} lm text", done, total),
            )
            sources.append(text)
        model = estimate_language_model(sources, self.work / LANGUAGE_MODEL, order=self.options.order)
        with write_text(self.work / "lm.json") as file:
            json.dump({"words": model.words, "sentences": model.sentences, "ngrams": model.ngrams}, file)

    def report(self, seconds: dict[str, float]) -> TrainingReport:
        bitext = BitextReport.model_validate_json((self.work / "bitext.json").read_text(encoding="utf-8"))
        table = json.loads((self.work / "table.json").read_text(encoding="utf-8"))
        model = json.loads((self.work / "lm.json").read_text(encoding="utf-8"))
        statistics: dict[str, int | float | str] = {
            "pairs": bitext.pairs,
            "pairs_kept": bitext.kept,
            **{f"dropped: {fault}": count for fault, count in bitext.dropped.items()},
            "source_tokens": bitext.source_tokens,
            "target_tokens": bitext.target_tokens,
            "source_phrases": table["source_phrases"],
            "phrase_pairs": table["phrase_pairs"],
            "pruned_phrase_pairs": table["pruned_pairs"],
            "phrase_table_bytes": (self.work / TABLE).stat().st_size,
            "lm_words": model["words"],
            "lm_order": self.options.order,
            "lm_ngrams": " ".join(map(str, model["ngrams"])),
            "alignment": "own" if self.options.alignments is None else "given",
            "symmetrization": self.symmetrization,
            "widl": __version__,
        }
        return TrainingReport(bitext, statistics, seconds)
