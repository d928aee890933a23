"""Training: raw parallel text and language-model text into a model directory."""

import json
import logging
import shutil
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from widl import __version__
from widl.common.arguments import PathLike, kind_of
from widl.common.errors import InputError
from widl.common.files import link_or_copy, read_lines, write_text
from widl.common.manifests import file_facts
from widl.common.option_values import Count, Switch, WholeNumbers
from widl.common.options import Modes, adjust, fields_of, merge_options, option_set, refuse_unread, values_of
from widl.common.resumable_steps import Job
from widl.common.shared_folder import open_exchange
from widl.common.streams import count_lines
from widl.common.workers import Engine, Progress, no_progress
from widl.decoder import default_translation_weights, format_weights
from widl.decoder.lm_estimation import estimate_language_model
from widl.phrase_table.aligner import TextToAlign, WordAligner, learn_and_align
from widl.phrase_table.alignment_shards import Links
from widl.phrase_table.bitext import SOURCE, TARGET, BitextReport, links_names, prepare_bitext
from widl.phrase_table.building import phrases_of_text
from widl.phrase_table.dictionary import build_dictionary, check_dictionaries
from widl.phrase_table.extraction import (
    DEFAULT_LENGTH,
    ExtractionOptions,
    LengthOption,
    Smoothing,
    check_temporary_directory,
)
from widl.phrase_table.given_alignment import GivenAlignments
from widl.phrase_table.reordering import REORDERING, ReorderingOption, reordering_features, stored_name
from widl.phrase_table.symmetrization import DEFAULT_METHOD, MethodOption, symmetrize_pair
from widl.phrase_table.writing import build_phrase_table
from widl.pipeline.given_models import (
    TABLE,
    TRUECASER,
    WEIGHTS,
    import_language_models,
    store_table,
    stored_table,
    table_name,
)
from widl.pipeline.model_directory import (
    check_output_directory,
    command_digest,
    is_made,
    new_model_directory,
    open_training,
    write_manifest,
)
from widl.pipeline.rare_words import split_rare_words
from widl.pipeline.training_files import TrainingFiles, bitext_files, check_lm_text, text_settings, user_dictionary
from widl.pipeline.training_lm import (
    OrderOption,
    Resources,
    default_order,
    estimate_model,
    memory_of_counts,
)
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import SourceText, TargetText, TextSettings
from widl.text.truecasing import Truecaser
from widl.translation.manifest import TranslationManifest, origins_of, read_manifest

logger = logging.getLogger(__name__)

LANGUAGE_MODEL = "lm0.binary"
ALIGNMENT, USER_DICTIONARY, DICTIONARY = "alignment.gz", "user-dictionary.txt", "dictionary.binary"
_DROPPED = "dropped: "  # prefix for the names of counts in a manifest


ALIGNMENT_MODES = Modes(
    "links",
    reads={"own": ("symmetrization",), "given": ()},
    called={"own": "alignments of both directions", "given": "text with symmetrized alignments"},
)
WORD_MODES = Modes(
    "words",
    reads={"Chinese": ("rare_words",), "other": ()},
    called={"Chinese": "raw Chinese text", "other": "text that is tokenized or not Chinese"},
)


@option_set
class TrainingOptions:
    """Options of `train`.

    If the parallel text is `tokenized` already, `text` says how text to translate is tokenized. Given `alignments`
    replace the word aligner's.
    """

    MODES: ClassVar[tuple[Modes, ...]] = (ALIGNMENT_MODES, WORD_MODES)

    order: OrderOption = None
    "Order of the language model. Default: 3; 4 from 1 million words of text, 5 from 10 million."
    lm_bitext: Switch = True
    "Estimate the language model from the bitext, too; otherwise only from --lm-text, or use only existing models."
    prune: WholeNumbers = ()
    "Drop n-grams of the language model that occur at most N times: one N per order, the last for higher orders."
    max_phrase_length: LengthOption = DEFAULT_LENGTH
    "Maximum number of words of a phrase, on either side."
    smoothing: Smoothing = ExtractionOptions.smoothing
    "Smoothing of phrase translation probabilities: kneser-ney, or none, as in Moses."
    symmetrization: MethodOption = DEFAULT_METHOD
    "Symmetrization heuristic for the alignments of both directions, with Moses' names."
    text: TextSettings = TextSettings()
    cleaning: Cleaning = Cleaning()
    rare_words: Count = 2
    "Split Chinese words that occur at most N times into more frequent words; 0: split none."
    tokenized: bool = False
    "The bitext is already tokenized; keep its tokens."
    alignments: GivenAlignments | None = None
    reordering: ReorderingOption = REORDERING
    "Reordering model of phrase pairs: msd-bidirectional-fe, or none."

    @property
    def links(self) -> str:
        """Whether the links of words are given, or symmetrized here."""
        return "given" if self.alignments is not None and self.alignments.alignment else "own"

    @property
    def words(self) -> str:
        """Whether the words are those of a Chinese segmenter; only these can be split."""
        return "Chinese" if self.text.source_language == "zh" and not self.tokenized else "other"

    @property
    def needs_segmentation(self) -> bool:
        """Whether rare words are split; words with given alignments are never split."""
        return self.rare_words > 0 and self.words == "Chinese"


@dataclass(frozen=True)
class TrainingReport:
    """Sizes of the training data and of the model; seconds by stage, of this run only."""

    bitext: BitextReport
    statistics: dict[str, int | float | str]
    seconds: dict[str, float]


def train(
    files: TrainingFiles,
    directory: PathLike,
    options: TrainingOptions | None = None,
    *,
    threads: int = 1,
    memory: int = 0,
    temporary_directory: PathLike | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
    engine: Engine | None = None,
    **more: Any,
) -> TrainingReport:
    """Train a translation model from files PREFIX.zh and PREFIX.en (or other languages) and write its directory.

        train(TrainingFiles(bitext=["news"], lm_text=["more.en.gz"]), "model", order=4)

    Options may also be given by name. Stages: tokenize, clean and truecase; align in both directions and symmetrize (or
    read given alignments), and store the aligner for later text; extract and score phrase pairs (Koehn et al. 2003);
    estimate the language model, lm0.
    The word translations of in-domain text are two more scores of phrases, and its target side is a separate language
    model, lm1. Existing language models, of text in the same tokens and casing, become the next ones (lm0, lm1, … if
    none is estimated). Dictionaries (`widl.text.glosses`) are for words that the text lacks; the features of existing
    phrase tables begin with ``t1_``, ``t2_``, and so on.

    Finished stages stay in ``DIRECTORY.work`` until the model is complete: the same call resumes an interrupted
    training run; with other options, only the stages that depend on them run again. The directory itself appears when
    it is complete. `memory` limits phrase extraction and the language model's counts, in bytes (0: no limit); beyond it
    temporary files are written to `temporary_directory`, by default ``DIRECTORY.work``. The workers of an `engine`
    (`widl.pipeline.cluster`) do most of it, with the same result, and share files in ``DIRECTORY.work/shared``. If the
    same call has made the model already, it returns its report.

    Raises InputError with file and line of invalid input, before the long stages where possible.
    """
    if not isinstance(files, TrainingFiles):
        raise TypeError(f"files: found {kind_of(files)}; pass TrainingFiles(bitext=[prefix])")
    options = merge_options(TrainingOptions, options, more)
    directory = Path(directory)
    temporary_directory = None if temporary_directory is None else Path(temporary_directory)
    options = _resolved(options)
    if not estimates_model(files, options):
        refuse_unread(options, "a training that estimates no language model", _without_model(files))
    command = partial(_command, files, options)
    if not overwrite and directory.is_dir() and is_made(directory, command()):
        return _report_of(directory)
    check_output_directory(directory, overwrite=overwrite)
    check_lm_text(files.lm_text)
    check_dictionaries(files.dictionary)
    for table in files.tables:
        table.check()
    check_temporary_directory(temporary_directory)
    with (
        open_training(directory, "training of a translation model") as job,
        nullcontext() if engine is None else open_exchange(engine, job.path("shared"), progress) as exchange,
    ):
        resources = Resources(threads, memory, temporary_directory or job.directory, progress, exchange)
        training = _Training(files, options, resources, job)
        training.run()
        report = training.report()
        with new_model_directory(directory, command(), job) as temporary:
            training.assemble(temporary, report)
    return report


def _command(files: TrainingFiles, options: TrainingOptions) -> str:
    """The digest of the command that trains from these files."""
    texts = bitext_files(files.prefixes, options.text, options.alignments)
    paths = [*texts, *files.lm_text, *files.lm, *files.dictionary, *files.phrase_table]
    counts = {name: len(given) for name, given in values_of(files).items()}
    return command_digest("training of a translation model", paths, {"options": options, "counts": counts})


def _report_of(directory: Path) -> TrainingReport:
    """The report on a model that is complete."""
    statistics = read_manifest(directory).training
    dropped = {name.removeprefix(_DROPPED): count for name, count in statistics.items() if name.startswith(_DROPPED)}
    counts = {"pairs": "pairs", "kept": "pairs_kept", "in_domain": "pairs_in_domain"}
    counts |= {name: name for name in ("source_tokens", "target_tokens")}
    totals = {field: statistics.get(name, 0) for field, name in counts.items()}
    return TrainingReport(BitextReport.model_validate({**totals, "dropped": dropped}), statistics, {})


def estimates_model(files: TrainingFiles, options: TrainingOptions) -> bool:
    """Whether a language model is estimated: yes, unless only existing language models are used."""
    return options.lm_bitext or bool(files.lm_text) or not files.lm


def _without_model(files: TrainingFiles) -> set[str]:
    """The options that are read if no language model is estimated, except perhaps that of in-domain text."""
    return fields_of(TrainingOptions).keys() - {"prune", "order"} | ({"order"} if files.in_domain else set())


def _resolved(options: TrainingOptions) -> TrainingOptions:
    """The options with a segmenter, and with absolute paths for workers in other folders."""
    text = options.text.with_segmenter()
    if text.user_dictionary is not None:
        text = adjust(text, user_dictionary=text.user_dictionary.absolute())
    return adjust(options, text=text)


@dataclass
class _Training:
    """The steps of a training; each reads the files of earlier steps in the job's directory."""

    files: TrainingFiles
    options: TrainingOptions
    resources: Resources
    job: Job

    @property
    def work(self) -> Path:
        return self.job.directory

    @property
    def source(self) -> Path:
        return self.work / SOURCE

    @property
    def target(self) -> Path:
        return self.work / TARGET

    @property
    def symmetrization(self) -> str:
        return "given" if self.options.links == "given" else self.options.symmetrization

    @property
    def estimates_model(self) -> bool:
        return estimates_model(self.files, self.options)

    @property
    def further_models(self) -> list[str]:
        first = self.estimates_model + bool(self.files.in_domain)
        return [f"lm{first + m}.binary" for m in range(len(self.files.lm))]

    @property
    def in_domain_model(self) -> list[str]:
        return [f"lm{int(self.estimates_model)}.binary"] if self.files.in_domain else []

    @cached_property
    def in_domain_pairs(self) -> int:
        """Number of kept pairs of the in-domain text; they come first."""
        return int(self.job.read("bitext.json")["in_domain"])

    def run(self) -> None:
        """All steps that are not finished."""
        options, run, path = self.options, self.job.run, self.job.path
        self.import_given()
        run(
            "bitext",
            self.prepare,
            outputs=[TRUECASER, self.source.name, self.target.name, "bitext.json", *links_names(options.alignments)],
            files=bitext_files(self.files.prefixes, options.text, options.alignments),
            settings={
                "text": text_settings(options.text),
                "cleaning": options.cleaning,
                "tokenized": options.tokenized,
                "rare_words": options.rare_words if options.needs_segmentation else 0,
                "in_domain": len(self.files.in_domain),
            },
        )
        run(
            "alignment",
            self.align,
            outputs=["corpus.align", ALIGNMENT],
            files=[self.source, self.target, *map(path, links_names(options.alignments))],
            settings={"symmetrization": self.symmetrization},
        )
        if self.files.dictionary:
            run(
                "dictionary",
                self.add_dictionaries,
                outputs=[DICTIONARY],
                files=[*self.files.dictionary, path(TRUECASER), *user_dictionary(options.text)],
                settings={"text": text_settings(options.text)},
            )
        run(
            "phrase table",
            self.extract,
            outputs=[TABLE, "table.json"],
            files=[self.source, self.target, path("corpus.align")],
            settings={
                "max_phrase_length": options.max_phrase_length,
                "smoothing": options.smoothing,
                "reordering": options.reordering,
                "in_domain": self.in_domain_pairs,
                "symmetrization": self.symmetrization,
            },
        )
        for model in self.in_domain_model:
            run(
                "in-domain language model",
                partial(self.estimate_in_domain, path(model)),
                outputs=[model],
                files=[self.target],
                settings={"order": options.order, "pairs": self.in_domain_pairs},
            )
        if not self.estimates_model:
            return
        run(
            "language model",
            self.estimate,
            outputs=[LANGUAGE_MODEL, "lm.json"],
            files=[self.target, path(TRUECASER), *self.files.lm_text, *user_dictionary(options.text)],
            settings={
                "order": options.order,
                "prune": options.prune,
                "lm_bitext": options.lm_bitext,
                "text": text_settings(options.text),
            },
        )

    def import_given(self) -> None:
        """The steps that import existing language models and phrase tables."""
        if self.files.lm:
            models = [self.job.path(name) for name in self.further_models]
            self.job.run(
                "further language models",
                lambda: import_language_models(self.files.lm, models),
                outputs=self.further_models,
                files=self.files.lm,
            )
        for number, table in enumerate(self.files.tables, 1):
            store = partial(store_table, table, self.work, number)
            self.job.run(f"phrase table {number}", store, outputs=[table_name(number)], files=[table.path])

    def assemble(self, directory: Path, report: TrainingReport) -> None:
        """Write the files of the model, hard links to the steps' outputs where possible."""
        models = [*([LANGUAGE_MODEL] if self.estimates_model else []), *self.in_domain_model, *self.further_models]
        dictionary = DICTIONARY if self.files.dictionary else None
        further = [stored_table(self.work, number, table)[0] for number, table in enumerate(self.files.tables, 1)]
        files = [TABLE, TRUECASER, ALIGNMENT, dictionary, *models, *(table.file for table in further)]
        for name in filter(None, files):
            link_or_copy(self.work / name, directory / name)
        text = self.options.text
        if text.user_dictionary is not None:
            shutil.copyfile(text.user_dictionary, directory / USER_DICTIONARY)
            text = adjust(text, user_dictionary=Path(USER_DICTIONARY))
        score_names = tuple(self.job.read("table.json")["scores"])
        scores = [*score_names, *(name for table in further for name in table.scores)]
        origins, reordering = origins_of(text, has_dictionary=bool(dictionary)), self.options.reordering
        features = reordering_features(reordering)
        weights = default_translation_weights(len(models), origins, scores, features, crossing=True)
        (directory / WEIGHTS).write_text(format_weights(weights), encoding="utf-8")
        manifest = TranslationManifest(
            text=text,
            phrase_table=TABLE,
            scores=score_names,
            further_tables=tuple(further),
            language_models=models,
            truecaser=TRUECASER,
            weights=WEIGHTS,
            alignment=ALIGNMENT,
            dictionary=dictionary,
            reordering=stored_name(reordering),
            crossing=True,
            **file_facts(directory),
            training=report.statistics,
        )
        write_manifest(directory, manifest)

    def prepare(self) -> None:
        prepared = prepare_bitext(
            self.files.prefixes,
            self.work,
            settings=self.options.text,
            cleaning=self.options.cleaning,
            tokenized=self.options.tokenized,
            alignments=self.options.alignments,
            in_domain=len(self.files.in_domain),
            threads=self.resources.threads,
            progress=self.resources.progress,
            exchange=self.resources.exchange,
        )
        if self.files.in_domain and not prepared.report.in_domain:
            texts = ", ".join(map(str, self.files.in_domain))
            raise InputError(f"{texts}: no sentence pair of the in-domain text is left; {prepared.report.summary()}")
        prepared.truecaser.save(self.work / TRUECASER)
        report = prepared.report
        if self.options.needs_segmentation:
            tokens = split_rare_words(self.source, self.options.rare_words, self.options.text.user_words())
            report = report.model_copy(update={"source_tokens": tokens})
        with write_text(self.work / "bitext.json") as file:
            file.write(report.model_dump_json())

    def align(self) -> None:
        texts = read_lines(self.source), read_lines(self.target)
        links: Iterable[Links]
        if self.options.alignments is None:
            aligner, links = learn_and_align(
                *texts,
                threads=self.resources.threads,
                progress=self.resources.progress,
                exchange=self.resources.exchange,
            )
        else:
            links_of = [list(read_lines(self.work / name)) for name in links_names(self.options.alignments)]
            forward, reverse = links_of[0], links_of[-1]
            aligner = WordAligner.count(TextToAlign(*texts), forward, reverse)
            links = zip(forward, reverse, strict=True)
        # If the links are symmetrized already, both directions are the same, and so is their union.
        method = "union" if self.symmetrization == "given" else self.options.symmetrization
        with write_text(self.work / "corpus.align") as file:
            file.writelines(f"{symmetrize_pair(*pair, method)}\n" for pair in links)
        aligner.save(self.work / ALIGNMENT)

    def add_dictionaries(self) -> None:
        source = SourceText(self.options.text)
        target = TargetText(self.options.text, Truecaser.load(self.work / TRUECASER))
        build_dictionary(
            self.files.dictionary, self.work / DICTIONARY, source=source.dictionary_key, target=target.term
        )

    def extract(self) -> None:
        given = self.options
        options = ExtractionOptions(
            max_phrase_length=given.max_phrase_length, smoothing=given.smoothing, reordering=given.reordering
        )
        with phrases_of_text(
            (read_lines(self.source), read_lines(self.target), read_lines(self.work / "corpus.align")),
            options,
            in_domain=self.in_domain_pairs,
            threads=self.resources.threads,
            memory=self.resources.memory,
            temporary_directory=self.resources.temporary_directory,
            progress=self.resources.progress,
            exchange=self.resources.exchange,
            pairs=count_lines(self.source),
        ) as phrases:
            info = build_phrase_table(
                self.work / TABLE, phrases, symmetrization=self.symmetrization, progress=self.resources.progress
            )
        if not info.phrase_pairs:
            logger.warning("%s", self.no_phrase_pairs())
        with write_text(self.work / "table.json") as file:
            json.dump(asdict(info), file)

    def no_phrase_pairs(self) -> str:
        """Message about a bitext without phrase pairs: the reason and the remedy."""
        if self.options.alignments is None:
            mend = "give more text whose lines are translations of each other"
        else:
            mend = "give alignments that link words, or leave them out"
        return f"{', '.join(map(str, self.files.prefixes))}: no phrase pairs were found; {mend}"

    def estimate_in_domain(self, model: Path) -> None:
        text = self.work / "in-domain.text"
        with write_text(text) as file:
            file.writelines(line + "\n" for line in islice(read_lines(self.target), self.in_domain_pairs))
        order = self.options.order or default_order([text])
        memory, folder = memory_of_counts(self.resources.memory), self.resources.temporary_directory
        estimate_language_model([text], model, order=order, memory=memory, temporary_directory=folder)

    def estimate(self) -> None:
        estimate_model(
            self.target if self.options.lm_bitext or not self.files.lm_text else None,
            self.files.lm_text,
            self.work / LANGUAGE_MODEL,
            order=self.options.order,
            prune=self.options.prune,
            truecaser=Truecaser.load(self.work / TRUECASER),
            settings=self.options.text,
            resources=self.resources,
        )

    def report(self) -> TrainingReport:
        bitext = BitextReport.model_validate(self.job.read("bitext.json"))
        table, model = self.job.read("table.json"), self.job.read("lm.json") if self.estimates_model else {}
        statistics: dict[str, int | float | str] = {
            "pairs": bitext.pairs,
            "pairs_kept": bitext.kept,
            **({"pairs_in_domain": bitext.in_domain} if bitext.in_domain else {}),
            **{f"{_DROPPED}{fault}": count for fault, count in bitext.dropped.items()},
            "source_tokens": bitext.source_tokens,
            "target_tokens": bitext.target_tokens,
            "source_phrases": table["source_phrases"],
            "phrase_pairs": table["phrase_pairs"],
            "phrase_table_bytes": (self.work / TABLE).stat().st_size,
            **model,
            "alignment": "own" if self.options.alignments is None else "given",
            "symmetrization": self.symmetrization,
            "widl": __version__,
        }
        return TrainingReport(bitext, statistics, self.job.seconds)
