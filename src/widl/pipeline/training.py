"""Training: raw parallel text and language-model text into a model directory."""

import shutil
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, kind_of
from widl.common.errors import WrongTypeError
from widl.common.files import link_or_copy
from widl.common.manifests import file_facts
from widl.common.options import adjust, fields_of, merge_options, refuse_unread, values_of
from widl.common.shared_folder import open_exchange
from widl.common.workers import Engine, Progress, no_progress
from widl.decoder import default_translation_weights, format_weights
from widl.phrase_table.dictionary import check_dictionaries
from widl.phrase_table.extraction import check_temporary_directory
from widl.phrase_table.reordering import reordering_features, stored_name
from widl.pipeline.given_models import TABLE, TRUECASER, WEIGHTS, stored_table
from widl.pipeline.model_directory import (
    check_output_directory,
    command_digest,
    is_made,
    new_model_directory,
    open_training,
    write_manifest,
)
from widl.pipeline.training_files import TrainingFiles, bitext_files, check_lm_text
from widl.pipeline.training_lm import Resources
from widl.pipeline.training_options import TrainingOptions
from widl.pipeline.training_report import TrainingReport, report_of_model, report_of_steps
from widl.pipeline.training_steps import (
    ALIGNMENT,
    DICTIONARY,
    LANGUAGE_MODEL,
    USER_DICTIONARY,
    TrainingSteps,
    estimates_model,
)
from widl.translation.manifest import TranslationManifest, origins_of


@checked
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
        raise WrongTypeError(f"files: found {kind_of(files)}; pass TrainingFiles(bitext=[prefix])")
    options = merge_options(TrainingOptions, options, more)
    directory = Path(directory)
    temporary_directory = None if temporary_directory is None else Path(temporary_directory)
    options = _resolved(options)
    if not estimates_model(files, options):
        refuse_unread(options, "a training that estimates no language model", _without_model(files))
    command = partial(_command, files, options)
    if not overwrite and directory.is_dir() and is_made(directory, command()):
        return report_of_model(directory)
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
        steps = TrainingSteps(files, options, resources, job)
        steps.run()
        report = report_of_steps(steps)
        with new_model_directory(directory, command(), job) as temporary:
            _assemble(steps, temporary, report)
    return report


def _command(files: TrainingFiles, options: TrainingOptions) -> str:
    """The digest of the command that trains from these files."""
    texts = bitext_files(files.prefixes, options.text, options.alignments)
    paths = [*texts, *files.lm_text, *files.lm, *files.dictionary, *files.phrase_table]
    counts = {name: len(given) for name, given in values_of(files).items()}
    return command_digest("training of a translation model", paths, {"options": options, "counts": counts})


def _without_model(files: TrainingFiles) -> set[str]:
    """The options that are read if no language model is estimated, except perhaps the in-domain one."""
    return fields_of(TrainingOptions).keys() - {"prune", "order"} | ({"order"} if files.in_domain else set())


def _resolved(options: TrainingOptions) -> TrainingOptions:
    """The options with a segmenter, and with absolute paths for workers in other folders."""
    text = options.text.with_segmenter()
    if text.user_dictionary is not None:
        text = adjust(text, user_dictionary=text.user_dictionary.absolute())
    return adjust(options, text=text)


def _assemble(steps: TrainingSteps, directory: Path, report: TrainingReport) -> None:
    """Write the files of the model, hard links to the steps' outputs where possible."""
    models = [*([LANGUAGE_MODEL] if steps.estimates_model else []), *steps.in_domain_model, *steps.further_models]
    dictionary = DICTIONARY if steps.files.dictionary else None
    further = [stored_table(steps.work, number, table)[0] for number, table in enumerate(steps.files.tables, 1)]
    files = [TABLE, TRUECASER, ALIGNMENT, dictionary, *models, *(table.file for table in further)]
    for name in filter(None, files):
        link_or_copy(steps.work / name, directory / name)
    text = steps.options.text
    if text.user_dictionary is not None:
        shutil.copyfile(text.user_dictionary, directory / USER_DICTIONARY)
        text = adjust(text, user_dictionary=Path(USER_DICTIONARY))
    score_names = tuple(steps.job.read("table.json")["scores"])
    scores = [*score_names, *(name for table in further for name in table.scores)]
    origins, reordering = origins_of(text, has_dictionary=bool(dictionary)), steps.options.reordering
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
