"""An experiment's results directory, from its configuration to its report.

    def run_headline_experiment(config, directory, *, threads=1, progress=no_progress, tell=lambda _: None) -> Results:
        with open_experiment(config, directory, kind="headline", inputs={"documents": config.documents},
                             threads=threads, progress=progress, tell=tell) as run:
            run.steps.run("parse", …, outputs=["parsed.jsonl.gz"])          # see widl.experiments.steps
            weights = run.steps.value("systems/widl/weights", lambda: tune(…, progress=run.progress), …)
            …
            return run.finish(title="Headlines", tables=[…], sets=[…], systems=[…], pictures=[…])

and on the command line (`widl.pipeline.cli.experiment`)

    run_experiment(read_config(path, HeadlineExperimentConfig), run_headline_experiment, output, threads, quiet)

The directory holds ``experiment.json`` (the resolved configuration, versions, machine, SHA-256 of the inputs),
``experiment.log`` (what was done when), ``steps.json``, all that steps leave, and at the end ``results.json``, ``results.txt``
and ``report.html``, where what several experiments have in common is made: confidence intervals, paired tests of all pairs
of systems by all metrics, provenance.

Two runs at a time in one directory, and two kinds of experiments in one, are refused.
"""

import fcntl
import logging
import os
import platform
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations
from pathlib import Path
from typing import Any

import json

from widl import __version__
from widl.errors import InputError
from widl.experiments.config import ExperimentConfig
from widl.experiments.results import Interval, PairTest, Picture, Provenance, Results, System, Table, TestSet
from widl.experiments.results import write_results
from widl.experiments.steps import Steps, Tell, as_json, timestamp, write_json
from widl.workers import Progress, no_progress

RECORD, LOG = "experiment.json", "experiment.log"
_LIBRARIES = (
    *("numpy", "scipy", "matplotlib", "pydantic", "lmdb", "kenlm"),
    *("sacrebleu", "rouge-score", "jieba", "sacremoses", "eflomal"),
)


@dataclass
class ExperimentRun:
    """An experiment at work."""

    config: ExperimentConfig
    directory: Path
    kind: str
    inputs: Mapping[str, Path]
    threads: int
    steps: Steps
    tell: Tell
    """Writes into the log and to the user."""
    progress: Progress = no_progress

    def finish(
        self,
        *,
        title: str,
        tables: Sequence[Table],
        sets: Sequence[TestSet] = (),
        systems: Sequence[System] = (),
        pictures: Sequence[Picture] = (),
        notes: Sequence[str] = (),
    ) -> Results:
        """Put all together: intervals and paired tests, ``results.json``, ``results.txt``, ``report.html``."""
        raise NotImplementedError
