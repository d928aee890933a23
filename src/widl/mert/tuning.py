"""The tuning loop: decode, merge the n-best lists with all earlier ones, optimise, and again.

Everything is in the job's directory, and read back from there: an interrupted job goes on to the same result.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np

from widl.arguments import PathLike, path_of
from widl.decoder.weights import format_weights
from widl.errors import InputError
from widl.files import write_text
from widl.mert.lattice import LatticeDecoder, LatticeSource, optimize_over_lattices
from widl.mert.nbest import Candidate, NbestLists, read_nbest, write_nbest
from widl.mert.objective import Objective
from widl.mert.optimization import optimize
from widl.mert.problem import LATTICE_ALGORITHM, OptimizerOptions, TuningSet, WeightSpace
from widl.options import option, option_set

Decoder = Callable[[dict[str, float], int], Iterable[Sequence[Candidate]]]
"""Told weights and n, gives for each sentence its n best candidates, the best first, features in the weights' order."""

JOB, NBEST, SUMMARY, WEIGHTS = "job.json", "nbest.gz", "summary.json", "weights.toml"


@option_set
class TuningOptions:
    """How to tune by decoding, and when to stop.

    That is when there are no new candidates, when no weight moves by more than `min_change`, when the decoder's own
    output has not scored better for `patience` iterations, or after `max_iterations`.
    """

    nbest: Annotated[
        int, option("With MODEL_DIR: n-best lists of so many candidates.", ge=1, name="candidates")
    ] = 100
    max_iterations: Annotated[int, option("Decode at most so many times.", ge=1)] = 15
    patience: Annotated[int, option("Stop after so many iterations without gain.", ge=1)] = 4
    min_change: Annotated[float, option("Stop when no weight moves by more than this.", ge=0, hidden=True)] = 1e-5
    optimizer: OptimizerOptions = OptimizerOptions()


@dataclass(frozen=True)
class Iteration:
    """One time decoding, and what was learned from it."""

    number: int
    weights: dict[str, float]
    """That were decoded with."""
    score: float
    """The objective on the decoder's best candidates, in points."""
    values: dict[str, float]
    """Each metric by itself, on the same."""
    new_candidates: int
    candidates: int
    """Of all iterations so far."""
    next_weights: dict[str, float] | None
    """The best on all candidates so far; None in the last iteration."""
    promised: float | None
    """The objective on all candidates so far that `next_weights` reach."""
    stopped: str | None
    """Why this is the last iteration."""
    seconds: float


@dataclass(frozen=True)
class TuningResult:
    """The weights whose decoding scored best, and all iterations."""

    weights: dict[str, float]
    score: float
    values: dict[str, float]
    iterations: list[Iteration]

    @property
    def stopped(self) -> str:
        """Why tuning ended."""
        return self.iterations[-1].stopped or ""


def tune(
    decode: Decoder | LatticeDecoder,
    objective: Objective,
    start: Mapping[str, float],
    directory: PathLike,
    options: TuningOptions | None = None,
    *,
    resume: bool = False,
    on_iteration: Callable[[Iteration], None] = lambda _: None,
) -> TuningResult:
    """Tune a decoder's weights (Och 2003, Section 6), with all files in `directory`.

    There is a folder for each iteration with its weights, n-best lists and summary; at the end, ``weights.toml`` and
    ``report.html``. After an interruption of any kind, `resume` goes on from what is complete: the result is that
    of a job that was not interrupted, if the decoder gives the same for the same weights. The options must be the same.

    With a `LatticeDecoder` and the algorithm ``lattice-mert`` the candidates are those that the lattices' envelopes ask
    for (Macherey et al. 2008).

    Weights are judged by what the decoder makes of them, not by what they promise on the lists.
    """
    directory = path_of(directory, "directory")
    options = options or TuningOptions()
    if (options.optimizer.algorithm == LATTICE_ALGORITHM) != isinstance(decode, LatticeDecoder):
        raise InputError(f"lattices are what {LATTICE_ALGORITHM} needs, and it alone; see LatticeDecoder")
    WeightSpace.of(tuple(start), start, options.optimizer)  # says what is wrong before anything is made
    job = _Job(decode, objective, dict(start), directory, options)
    job.open(resume=resume)
    iterations: list[Iteration] = []
    while not iterations or iterations[-1].stopped is None:
        iterations.append(job.iterate(iterations))
        on_iteration(iterations[-1])
    best = max(iterations, key=lambda iteration: iteration.score)
    result = TuningResult(best.weights, best.score, best.values, iterations)
    with write_text(directory / WEIGHTS) as file:
        file.write(format_weights(result.weights))
    from widl.mert.report import write_report  # matplotlib takes its time

    write_report(directory, job.data.freeze(), result)
    return result


def tune_replications(
    decode: Decoder | LatticeDecoder,
    objective: Objective,
    start: Mapping[str, float],
    directory: PathLike,
    options: TuningOptions | None = None,
    *,
    seeds: Sequence[int],
    resume: bool = False,
    on_iteration: Callable[[Iteration], None] = lambda _: None,
) -> list[TuningResult]:
    """Tune once with each seed, in folders ``seed-1`` and so on, to tell progress from luck (Clark et al. 2011).

    ``replications.json`` gets the scores, their mean and standard deviation; ``weights.toml`` those of the best.
    """
    directory = path_of(directory, "directory")
    options = options or TuningOptions()
    if not seeds or len(set(seeds)) < len(seeds):
        raise InputError("replications need seeds, each another")
    directory.mkdir(parents=True, exist_ok=True)
    results = []
    for seed in seeds:
        own = replace(options, optimizer=replace(options.optimizer, seed=seed))
        folder = directory / f"seed-{seed}"
        again = resume and folder.exists()
        results.append(tune(decode, objective, start, folder, own, resume=again, on_iteration=on_iteration))
    scores = [result.score for result in results]
    deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0
    with write_text(directory / "replications.json") as file:
        json.dump({"seeds": list(seeds), "scores": scores, "mean": float(np.mean(scores)), "std": deviation}, file)
    with write_text(directory / WEIGHTS) as file:
        file.write(format_weights(max(results, key=lambda result: result.score).weights))
    return results


@dataclass
class _Job:
    """A tuning job and its directory."""

    decode: Decoder | LatticeDecoder
    objective: Objective
    start: dict[str, float]
    directory: Path
    options: TuningOptions

    def __post_init__(self) -> None:
        self.data = TuningSet(self.objective)

    def open(self, *, resume: bool) -> None:
        """Make the directory, or check that what is there is this job."""
        record = self.directory / JOB
        settings = self._settings()
        if not resume:
            if self.directory.exists() and (not self.directory.is_dir() or any(self.directory.iterdir())):
                raise InputError(
                    f"{self.directory}: exists already; resume the job (--resume), or choose another directory"
                )
            self.directory.mkdir(parents=True, exist_ok=True)
            with write_text(record) as file:
                json.dump(settings, file, ensure_ascii=False, indent=1)
            return
        found = _read_json(record)
        for name, value in settings.items():
            if found.get(name) != value:
                raise InputError(
                    f"{record}: the job has {name} = {json.dumps(found.get(name), ensure_ascii=False)}, not "
                    f"{json.dumps(value, ensure_ascii=False)}; resume with the same settings, or start another job"
                )

    def _settings(self) -> dict[str, object]:
        """All that the result depends on, besides the decoder."""
        optimizer = asdict(self.options.optimizer)
        del optimizer["threads"]
        optimizer["fixed"] = sorted(self.options.optimizer.fixed)
        options = asdict(self.options) | {"optimizer": optimizer}
        settings = {
            "objective": self.objective.text,
            "metrics": self.objective.signatures(),
            "references": self.objective.digest,
            "start": self.start,
            **options,
        }
        return dict(json.loads(json.dumps(settings)))

    def iterate(self, earlier: Sequence[Iteration]) -> Iteration:
        """The next iteration: read where it is complete, otherwise done, or what is missing of it."""
        number = len(earlier) + 1
        folder = self.directory / f"iteration-{number:02}"
        weights = self.start if not earlier else earlier[-1].next_weights
        assert weights is not None
        begun = time.monotonic()
        if (folder / SUMMARY).exists():
            self.data.add(self._read_nbest(folder / NBEST, weights))
            return _read_iteration(folder / SUMMARY)
        known = len(self.data)
        source = None
        if isinstance(self.decode, LatticeDecoder):
            source = self._lattices(self.decode, folder, weights)
            lists = source.best(np.array(list(weights.values()), dtype=np.float64))
        else:
            lists = self._nbest(self.decode, folder, weights)
        new = self.data.add(lists)
        totals = self.objective.statistics(*_best_of_each(lists)).sum(axis=0)
        score = self.objective.score(totals)
        stopped = self._reason_to_stop([*(iteration.score for iteration in earlier), score])
        if new == 0 and source is None:
            stopped = "no new candidates"
        next_weights, promised = None, None
        if stopped is None:
            seed = int(np.random.SeedSequence([self.options.optimizer.seed, number]).generate_state(1)[0])
            options = replace(self.options.optimizer, seed=seed)
            if source is None:
                optimized = optimize(self.data, weights, options)
            else:
                optimized = optimize_over_lattices(self.data, source, weights, options)
            next_weights, promised = optimized.weights, optimized.score
            if all(abs(next_weights[name] - weights[name]) <= self.options.min_change for name in weights):
                stopped = "the weights no longer change"
        iteration = Iteration(
            number,
            weights,
            score,
            self.objective.values(totals),
            len(self.data) - known,
            len(self.data),
            next_weights,
            promised,
            stopped,
            time.monotonic() - begun,
        )
        if source is not None:
            write_nbest(folder / NBEST, source.by_sentence(), weights)
        with write_text(folder / SUMMARY) as file:
            json.dump(asdict(iteration), file, ensure_ascii=False, indent=1)
        return iteration

    def _nbest(self, decode: Decoder, folder: Path, weights: dict[str, float]) -> NbestLists:
        """The decoder's n-best lists, always as they are in the file."""
        path = folder / NBEST
        if not path.exists():
            _begin(folder, weights)
            write_nbest(path, decode(dict(weights), self.options.nbest), weights)
        return self._read_nbest(path, weights)

    def _lattices(self, decoder: LatticeDecoder, folder: Path, weights: dict[str, float]) -> LatticeSource:
        """The decoder's lattices, which are not kept: an iteration that was not completed is decoded again."""
        _begin(folder, weights)
        return LatticeSource.decoded(decoder, weights, self.objective.sentences, self.options.optimizer.threads)

    def _read_nbest(self, path: Path, weights: Mapping[str, float]) -> NbestLists:
        lists = read_nbest([path], sentences=self.objective.sentences)
        if lists.feature_names != tuple(weights):
            raise InputError(f"{path}: features {', '.join(lists.feature_names)}, but weights {', '.join(weights)}")
        return lists

    def _reason_to_stop(self, scores: Sequence[float]) -> str | None:
        if len(scores) >= self.options.max_iterations:
            return f"{len(scores)} iterations"
        since_best = len(scores) - 1 - scores.index(max(scores))
        if since_best >= self.options.patience:
            return f"no gain in {since_best} iterations"
        return None


def _begin(folder: Path, weights: Mapping[str, float]) -> None:
    folder.mkdir(exist_ok=True)
    with write_text(folder / WEIGHTS) as file:
        file.write(format_weights(dict(weights)))


def _best_of_each(lists: NbestLists) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], list[str]]:
    """Numbers and first candidates of all sentences."""
    sentences, rows = np.unique(lists.sentences, return_index=True)
    return sentences, [lists.texts[row] for row in rows]


def _read_json(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise InputError(f"{path}: no such file; the directory holds no tuning job to resume")
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}; start another job") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: not a tuning job's; start another job")
    return found


def _read_iteration(path: Path) -> Iteration:
    found = _read_json(path)
    try:
        return Iteration(**found)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{path}: not an iteration's summary; delete it to have it made again") from None
