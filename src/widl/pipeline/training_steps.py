"""The steps of a training, from parallel text to the files of a model."""

import json
import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from widl.common.errors import InputError
from widl.common.files import read_lines, write_text
from widl.common.resumable_steps import Job
from widl.common.streams import count_lines
from widl.decoder.lm_estimation import estimate_language_model
from widl.phrase_table.aligner import TextToAlign, WordAligner, learn_and_align
from widl.phrase_table.alignment_shards import Links
from widl.phrase_table.bitext import SOURCE, TARGET, links_names, prepare_bitext
from widl.phrase_table.building import phrases_of_text
from widl.phrase_table.dictionary import build_dictionary
from widl.phrase_table.extraction import ExtractionOptions
from widl.phrase_table.symmetrization import symmetrize_pair
from widl.phrase_table.writing import build_phrase_table
from widl.pipeline.given_models import TABLE, TRUECASER, import_language_models, store_table, table_name
from widl.pipeline.rare_words import split_rare_words
from widl.pipeline.training_files import TrainingFiles, bitext_files, text_settings, user_dictionary
from widl.pipeline.training_lm import Resources, default_order, estimate_model, memory_of_counts
from widl.pipeline.training_options import TrainingOptions
from widl.text.source_and_target import SourceText, TargetText
from widl.text.truecasing import Truecaser

logger = logging.getLogger(__name__)

LANGUAGE_MODEL = "lm0.binary"
ALIGNMENT, USER_DICTIONARY, DICTIONARY = "alignment.gz", "user-dictionary.txt", "dictionary.binary"


def estimates_model(files: TrainingFiles, options: TrainingOptions) -> bool:
    """Whether a language model is estimated: yes, unless only existing language models are used."""
    return options.lm_bitext or bool(files.lm_text) or not files.lm


@dataclass
class TrainingSteps:
    """The steps of a training; each reads the files of earlier steps in the job's directory."""

    files: TrainingFiles
    options: TrainingOptions
    resources: Resources
    job: Job

    @property
    def work(self) -> Path:
        """The folder of the job."""
        return self.job.directory

    @property
    def source(self) -> Path:
        """The tokens of the source text."""
        return self.work / SOURCE

    @property
    def target(self) -> Path:
        """The tokens of the target text."""
        return self.work / TARGET

    @property
    def symmetrization(self) -> str:
        """The symmetrization of links, or ``given``."""
        return "given" if self.options.links == "given" else self.options.symmetrization

    @property
    def estimates_model(self) -> bool:
        """Whether a language model is estimated."""
        return estimates_model(self.files, self.options)

    @property
    def further_models(self) -> list[str]:
        """The files of existing language models."""
        first = self.estimates_model + bool(self.files.in_domain)
        return [f"lm{first + m}.binary" for m in range(len(self.files.lm))]

    @property
    def in_domain_model(self) -> list[str]:
        """The file of the in-domain language model, or none."""
        return [f"lm{int(self.estimates_model)}.binary"] if self.files.in_domain else []

    @cached_property
    def in_domain_pairs(self) -> int:
        """Number of kept pairs of the in-domain text; they come first."""
        return int(self.job.read("bitext.json")["in_domain"])

    def run(self) -> None:
        """All steps that are not finished."""
        self.import_given()
        self.run_bitext()
        self.run_alignment()
        if self.files.dictionary:
            self.run_dictionary()
        self.run_phrase_table()
        for model in self.in_domain_model:
            self.run_in_domain_model(model)
        if self.estimates_model:
            self.run_language_model()

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

    def run_bitext(self) -> None:
        """The step that tokenizes, cleans and truecases the text."""
        options = self.options
        self.job.run(
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

    def run_alignment(self) -> None:
        """The step that aligns words."""
        self.job.run(
            "alignment",
            self.align,
            outputs=["corpus.align", ALIGNMENT],
            files=[self.source, self.target, *map(self.job.path, links_names(self.options.alignments))],
            settings={"symmetrization": self.symmetrization},
        )

    def run_dictionary(self) -> None:
        """The step that stores dictionaries."""
        self.job.run(
            "dictionary",
            self.add_dictionaries,
            outputs=[DICTIONARY],
            files=[*self.files.dictionary, self.job.path(TRUECASER), *user_dictionary(self.options.text)],
            settings={"text": text_settings(self.options.text)},
        )

    def run_phrase_table(self) -> None:
        """The step that extracts phrase pairs."""
        options = self.options
        self.job.run(
            "phrase table",
            self.extract,
            outputs=[TABLE, "table.json"],
            files=[self.source, self.target, self.job.path("corpus.align")],
            settings={
                "max_phrase_length": options.max_phrase_length,
                "smoothing": options.smoothing,
                "reordering": options.reordering,
                "in_domain": self.in_domain_pairs,
                "symmetrization": self.symmetrization,
            },
        )

    def run_in_domain_model(self, model: str) -> None:
        """The step that estimates the language model of the in-domain text."""
        self.job.run(
            "in-domain language model",
            partial(self.estimate_in_domain, self.job.path(model)),
            outputs=[model],
            files=[self.target],
            settings={"order": self.options.order, "pairs": self.in_domain_pairs},
        )

    def run_language_model(self) -> None:
        """The step that estimates the language model of all text."""
        options = self.options
        self.job.run(
            "language model",
            self.estimate,
            outputs=[LANGUAGE_MODEL, "lm.json"],
            files=[self.target, self.job.path(TRUECASER), *self.files.lm_text, *user_dictionary(options.text)],
            settings={
                "order": options.order,
                "prune": options.prune,
                "lm_bitext": options.lm_bitext,
                "text": text_settings(options.text),
            },
        )

    def prepare(self) -> None:
        """Tokenize, clean and truecase the text."""
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
        """Align words in both directions, or read given links, and join the directions."""
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
        """Store dictionaries as a phrase table."""
        source = SourceText(self.options.text)
        target = TargetText(self.options.text, Truecaser.load(self.work / TRUECASER))
        build_dictionary(
            self.files.dictionary, self.work / DICTIONARY, source=source.dictionary_key, target=target.term
        )

    def extract(self) -> None:
        """Extract, score and store phrase pairs."""
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
        """Estimate the language model of the in-domain text."""
        text = self.work / "in-domain.text"
        with write_text(text) as file:
            file.writelines(line + "\n" for line in islice(read_lines(self.target), self.in_domain_pairs))
        order = self.options.order or default_order([text])
        memory, folder = memory_of_counts(self.resources.memory), self.resources.temporary_directory
        estimate_language_model([text], model, order=order, memory=memory, temporary_directory=folder)

    def estimate(self) -> None:
        """Estimate the language model of all text."""
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
