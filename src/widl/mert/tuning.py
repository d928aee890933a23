"""The tuning loop: decode, merge the n-best lists with all earlier lists, optimize, repeat.

Everything is in the job's directory (`widl.common.resumable_steps`), and read back from there: run the same command
again to resume an interrupted job.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, TypedDict, Unpack

import numpy as np
from pydantic import Field

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.json_values import as_json, write_json
from widl.common.option_values import LARGEST, NOT_ON_COMMAND_LINE, Positive
from widl.common.options import Modes, adjust, option_set
from widl.common.resumable_steps import Job, JobInputs, open_job
from widl.decoder.weights import format_weights
from widl.mert.lattice import LatticeDecoder, LatticeSource, optimize_over_lattices
from widl.mert.nbest import Candidate, NbestLists, read_nbest, write_nbest
from widl.mert.optimization import interpolated, optimize
from widl.mert.problem import LATTICE_ALGORITHM, OptimizerOptions, TuningSet, WeightDomain
from widl.mert.tuning_results import Iteration, TuningResult, best_iteration, is_gain
from widl.metrics.objective import Objective

Decoder = Callable[[dict[str, float], int], Iterable[Sequence[Candidate]]]
"""Maps weights and n to the n best candidates of each sentence, best first; features are in the weights' order."""

KIND, NBEST, SUMMARY = "tuning job", "nbest.gz", "summary.json"
WEIGHTS, REPORT = "weights.toml", "report.html"

LIST_MODES = Modes("algorithm", reads={"mert": ("nbest",), "mira": ("nbest", "interpolation"), LATTICE_ALGORITHM: ()})


@option_set
class TuningOptions(OptimizerOptions):
    """Options of tuning around a decoder, and of its stopping criterion.

    Tuning stops when a decoding brings no new candidates, when no weight changes by more than `min_change`, when the
    decoder's output has not scored better for `patience` iterations, or after `max_iterations`.
    """

    MODES: ClassVar[tuple[Modes, ...]] = (LIST_MODES,)

    nbest: Annotated[Positive, NOT_ON_COMMAND_LINE] = 100
    "Size of the n-best lists."
    interpolation: Annotated[float, Field(gt=0, le=1), NOT_ON_COMMAND_LINE] = 0.3
    "mira: share of the weights found in those of the next decoding; the last ones have the rest."
    max_iterations: Annotated[int, Field(ge=2, le=LARGEST)] = 15
    "Maximum number of decodings; 2 at least, since new weights are decoded, too."
    patience: Annotated[Positive, NOT_ON_COMMAND_LINE] = 4
    "Stop after this number of iterations without improvement."
    min_change: Annotated[float, Field(ge=0), NOT_ON_COMMAND_LINE] = 1e-05
    "Stop when no weight changes by more than this."


class JobArguments(TypedDict, total=False):
    """More arguments of a tuning job; all are optional."""

    model_weights: Mapping[str, float]
    """All weights of the model, if only some of them are tuned. The result and all files of weights hold these, with
    the tuned weights replaced."""
    decoder_inputs: JobInputs
    """Inputs of the decoder's results besides the weights. A job with other inputs is refused."""
    unfitted_score: float | None
    """If the start weights are fitted to the references: the score of those before. Weights are written if they score
    better than these; the start weights are, too. None: if they score better than the start weights."""
    on_iteration: Callable[[Iteration], None]
    """Called after each iteration."""


def tune(
    decode: Decoder | LatticeDecoder,
    objective: Objective,
    start: Mapping[str, float],
    directory: PathLike,
    options: TuningOptions | None = None,
    *,
    first_lists: PathLike | None = None,
    **more: Unpack[JobArguments],
) -> TuningResult:
    """Tune a decoder's weights (Och 2003, Section 6), with all files in the job directory `directory`.

    There is a folder for each iteration with its weights, n-best lists and summary; at the end ``report.html``, and
    ``weights.toml`` if the weights have changed. The same call resumes an interrupted job: the result is as without
    interruption, if the decoder is deterministic.

    If `decode` is a `LatticeDecoder` and the algorithm is ``lattice-mert``, the candidates are the paths requested by
    the lattices' envelopes (Macherey et al. 2008).

    Weights are compared by the score of the decoder's output, not by their score on the lists.

    Args:
        decode: The decoder.
        objective: The metric of the output.
        start: The weights to tune, with their values at the start.
        directory: The job's directory; new, empty, or begun by the same call.
        options: The algorithm, and when to stop.
        first_lists: The n-best lists of the weights at the start, if another job has decoded them.
        more: see `JobArguments`.
    """
    directory = Path(directory)
    lists = None if first_lists is None else Path(first_lists)
    loop = _Loop(decode, objective, dict(start), options or TuningOptions(), lists, more)
    with open_job(directory, KIND, command=loop.command()) as job:
        return loop.run(job)


@checked
def tune_replications(
    decode: Decoder | LatticeDecoder,
    objective: Objective,
    start: Mapping[str, float],
    directory: PathLike,
    options: TuningOptions | None = None,
    *,
    seeds: Sequence[int],
    **more: Unpack[JobArguments],
) -> list[TuningResult]:
    """Tune once with each seed, in jobs ``seed-1`` and so on, to measure the variance of tuning (Clark et al. 2011).

    All begin with the lists that the first job decodes. ``weights.toml`` has the best weights, if they have changed.
    Everything else is as in `tune`.
    """
    directory = Path(directory)
    options = options or TuningOptions()
    if not seeds or len(set(seeds)) < len(seeds):
        raise InputError("replications need seeds, each another")
    shared = None if isinstance(decode, LatticeDecoder) else f"seed-{seeds[0]}/{_step(1)}/{NBEST}"
    with open_job(directory, KIND) as job:
        results = [
            tune(
                decode,
                objective,
                start,
                job.path(f"seed-{seed}"),
                adjust(options, seed=seed),
                first_lists=None if shared is None or seed == seeds[0] else job.path(shared),
                **more,
            )
            for seed in seeds
        ]
        best = max(results, key=lambda result: result.score)
        if is_gain(best, more.get("unfitted_score")):
            _write_weights(job, best.weights)
    return results


@dataclass
class _Loop:
    """Tuning from one seed, as steps of a job."""

    decode: Decoder | LatticeDecoder
    objective: Objective
    start: dict[str, float]
    options: TuningOptions
    first_lists: Path | None
    more: JobArguments

    def __post_init__(self) -> None:
        """Check the arguments, and that the report can be written, before the job is opened."""
        from widl.mert.tuning_page import tuning_page  # needs packages of an extra

        self.page = tuning_page
        self.model_weights = dict(self.more.get("model_weights") or {})
        if (self.options.algorithm == LATTICE_ALGORITHM) != isinstance(self.decode, LatticeDecoder):
            raise InputError(f"lattices are what {LATTICE_ALGORITHM} needs, and it alone; see LatticeDecoder")
        WeightDomain.of(tuple(self.start), self.start, self.options)
        self.data = TuningSet(self.objective)

    def command(self) -> JobInputs:
        """All inputs of the result."""
        decoder_inputs = self.more.get("decoder_inputs") or JobInputs()
        options = as_json(self.options)
        del options["threads"]
        settings = {
            "objective": self.objective.text,
            "metrics": self.objective.signatures(),
            "references": self.objective.digest,
            **options,
            "start": self.start,
            "model_weights": self.model_weights,
        }
        return replace(decoder_inputs, settings={**settings, **decoder_inputs.settings})

    def run(self, job: Job) -> TuningResult:
        """All iterations."""
        iterations: list[Iteration] = []
        while not iterations or iterations[-1].stopped is None:
            iterations.append(self._iterate(job, iterations))
            if "on_iteration" in self.more:
                self.more["on_iteration"](iterations[-1])
        best = best_iteration(iterations)
        tuned = TuningResult(best.weights, best.score, best.values, iterations)
        result = replace(tuned, weights=self.model_weights | tuned.weights)
        if is_gain(result, self.more.get("unfitted_score")):
            _write_weights(job, result.weights)

        def report() -> None:
            with write_text(job.path(REPORT)) as file:
                file.write(self.page(self.data.freeze(), tuned))

        job.run("report", report, outputs=[REPORT], after=[_step(len(iterations))])
        return result

    def _iterate(self, job: Job, earlier: Sequence[Iteration]) -> Iteration:
        """The next iteration. Complete steps are skipped, and their results are read."""
        number = len(earlier) + 1
        name = _step(number)
        weights = self.start if not earlier else earlier[-1].next_weights
        assert weights is not None
        begun, candidate_count = time.monotonic(), len(self.data)
        nbest, tuned_from, summary = (f"{name}/{file}" for file in (NBEST, WEIGHTS, SUMMARY))
        after = [_step(number - 1)] if earlier else []

        def decode() -> None:
            assert not isinstance(self.decode, LatticeDecoder)
            self._begin(job.path(tuned_from), weights)
            if self.first_lists is not None and not earlier:
                shutil.copyfile(self.first_lists, job.path(nbest))
                return
            write_nbest(job.path(nbest), self.decode(dict(weights), self.options.nbest), weights)

        def summarize(lists: NbestLists, new: int, source: LatticeSource | None = None) -> None:
            outcome = self._outcome(weights, earlier, lists, new, source)
            counts = {"new_candidates": len(self.data) - candidate_count, "candidates": len(self.data)}
            seconds = time.monotonic() - begun
            write_json(job.path(summary), {"number": number, **outcome, **counts, "seconds": seconds})

        def decode_lattices() -> None:
            assert isinstance(self.decode, LatticeDecoder)
            # Lattices are not stored: an iteration that was interrupted is decoded again.
            self._begin(job.path(tuned_from), weights)
            threads = self.options.threads
            sentences = self.objective.sentences
            source = LatticeSource.decoded(self.decode, weights, sentences, threads)
            lists = source.best(np.array(list(weights.values()), dtype=np.float64))
            summarize(lists, self.data.add(lists), source)
            write_nbest(job.path(nbest), source.by_sentence(), weights)

        if isinstance(self.decode, LatticeDecoder):
            if not job.run(name, decode_lattices, outputs=[tuned_from, nbest, summary], settings=weights, after=after):
                self.data.add(self._read_nbest(job.path(nbest), weights))
        else:
            job.run(f"{name}/decoding", decode, outputs=[tuned_from, nbest], settings=weights, after=after)
            lists = self._read_nbest(job.path(nbest), weights)
            new = self.data.add(lists)
            files = {"candidates": job.path(nbest)}
            job.run(name, lambda: summarize(lists, new), outputs=[summary], files=files, after=after)
        return Iteration(**job.read(summary))

    def _outcome(
        self,
        weights: dict[str, float],
        earlier: Sequence[Iteration],
        lists: NbestLists,
        new: int,
        source: LatticeSource | None,
    ) -> dict[str, object]:
        """The fields of an `Iteration` that follow from its candidates."""
        rows = self.objective.statistics(*_first_candidates(lists))
        totals = rows.sum(axis=0)
        score = self.objective.score(totals)
        stopped = self._reason_to_stop([*(iteration.score for iteration in earlier), score])
        if new == 0 and source is None:
            stopped = "no new candidates"
        next_weights, promised = None, None
        if stopped is None:
            entropy = [self.options.seed, len(earlier) + 1]
            seed = int(np.random.SeedSequence(entropy).generate_state(1)[0])
            options = adjust(self.options, seed=seed)
            if source is None:
                problem = self.data.freeze()
                optimized = optimize(problem, weights, options)
                if options.algorithm == "mira":
                    optimized = interpolated(problem, weights, optimized, options, share=options.interpolation)
            else:
                optimized = optimize_over_lattices(self.data, source, weights, options)
            next_weights, promised = optimized.weights, optimized.score
            if all(abs(next_weights[name] - weights[name]) <= self.options.min_change for name in weights):
                stopped = "the weights no longer change"
        return {
            "weights": weights,
            "score": score,
            "values": self.objective.values(totals),
            "next_weights": next_weights,
            "promised": promised,
            "stopped": stopped,
        }

    def _begin(self, path: Path, weights: Mapping[str, float]) -> None:
        with write_text(path) as file:
            file.write(format_weights(self.model_weights | dict(weights)))

    def _read_nbest(self, path: Path, weights: Mapping[str, float]) -> NbestLists:
        lists = read_nbest([path], sentences=self.objective.sentences)
        if lists.feature_names != tuple(weights):
            raise InputError(f"{path}: features {', '.join(lists.feature_names)}, but weights {', '.join(weights)}")
        return lists

    def _reason_to_stop(self, scores: Sequence[float]) -> str | None:
        if len(scores) >= self.options.max_iterations:
            return f"{counted(len(scores), 'iteration')}, the most that were allowed"
        since_best = len(scores) - 1 - scores.index(max(scores))
        if since_best >= self.options.patience:
            return f"no gain in {counted(since_best, 'iteration')}"
        return None


def _step(number: int) -> str:
    """The name of an iteration's step, and of its folder."""
    return f"iteration-{number:02}"


def _write_weights(job: Job, weights: dict[str, float]) -> None:
    def write() -> None:
        with write_text(job.path(WEIGHTS)) as file:
            file.write(format_weights(weights))

    job.run(WEIGHTS, write, outputs=[WEIGHTS], settings=weights)


def _first_candidates(lists: NbestLists) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], list[str]]:
    """The sentences' numbers and first candidates."""
    sentences, rows = np.unique(lists.sentences, return_index=True)
    return sentences, [lists.texts[row] for row in rows]
