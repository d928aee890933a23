"""Interrupted tuning jobs: the same call resumes them, and the result equals an uninterrupted job's."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mert.tuning_jobs import OPTIONS, START, ListDecoder, run, without_seconds
from tests.pipeline.stopping import killed_at_writes


@pytest.mark.parametrize(
    ("call", "error"), [(1, RuntimeError("the decoder died")), (2, KeyboardInterrupt()), (3, OSError(28, "disk full"))]
)
def test_resuming_gives_the_same(job, tmp_path, call, error):
    make, finished, expected = job
    directory = tmp_path / "job"
    with pytest.raises(type(error)):
        run(directory, make(fail_at=call, error=error))
    assert not list(directory.rglob("*.tmp"))
    assert not (directory / "weights.toml").exists()
    assert not (directory / f"iteration-{call:02}" / "nbest.gz").exists()
    decoder = make()
    result = run(directory, decoder)
    assert without_seconds(result) == without_seconds(expected)
    assert decoder.calls == len(result.iterations) - call + 1
    for path in (finished / "weights.toml", *finished.rglob("nbest.gz")):
        assert (directory / path.relative_to(finished)).read_bytes() == path.read_bytes()


def test_resuming_a_finished_job_decodes_nothing(finished):
    decoder = ListDecoder()
    assert run(finished[0], decoder) == finished[1]
    assert decoder.calls == 0


def tune_in(number, folder):
    """A small job, for `killed_at_writes`."""
    run(Path(folder) / str(number), options=replace(OPTIONS, max_iterations=2), model_weights={"unknown": -100.0})


@pytest.mark.slow
def test_killed_at_any_write(tmp_path):
    """Files are complete or absent; weight files have all of the model's weights; resuming gives the same bytes."""
    calls = killed_at_writes("tests.mert.test_resumed_tuning:tune_in", tmp_path)
    assert calls > 12
    whole, timed = tmp_path / str(calls), {"job.json", "job.log", "summary.json", "report.html"}

    def contents(directory):
        paths = (path.relative_to(directory) for path in directory.rglob("*") if path.is_file())
        return {path: (directory / path).read_bytes() for path in paths if path.name not in timed}

    for number in range(1, calls):
        directory = tmp_path / str(number)
        for path in directory.rglob("[!.]*.toml"):
            assert len(tomllib.loads(path.read_text())) == len(START) + 1
        left = {path: text for path, text in contents(directory).items() if path.suffix != ".tmp"}
        assert left.items() <= contents(whole).items()
        tune_in(number, tmp_path)
        assert contents(directory) == contents(whole)
