"""Training on several machines writes the same bytes as on one machine, even if workers fail."""

import os
import pickle
import random
from pathlib import Path

import pytest

from tests.command import refused
from tests.pipeline.cluster_work import DeadlyEngine
from tests.sample import write_sample
from widl.common.errors import InputError
from widl.common.shared_folder import SharedFolder
from widl.phrase_table import alignment_shards, bitext
from widl.phrase_table import shards as phrase_shards
from widl.pipeline.cluster import open_engine
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.text.source_and_target import TextSettings

AFTER_ALIGNMENT = [5] * 4 + [4]  # phrases, the text of the language model


@pytest.fixture
def many_parts(monkeypatch):
    """Text of a hundred lines in many parts."""
    monkeypatch.setattr(bitext, "_CHUNK", 30)
    monkeypatch.setattr(alignment_shards, "_MIN_PAIRS", 40)
    monkeypatch.setattr(phrase_shards, "_MIN_PAIRS", 40)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """200 pairs, and 120 lines of English."""
    folder = tmp_path_factory.mktemp("corpus")
    write_sample(folder, 200, "train.zh", "train.en")
    write_sample(folder, 120, "mono.en")
    return folder


@pytest.fixture(scope="module")
def of_one_machine(corpus, tmp_path_factory) -> dict[str, bytes]:
    return files_of(trained_on(None, corpus, tmp_path_factory.mktemp("one") / "model"))


def trained_on(engine, corpus: Path, model: Path, **options) -> Path:
    train(TrainingFiles(bitext=[corpus / "train"], lm_text=[corpus / "mono.en"]), model, engine=engine, **options)
    return model


def files_of(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def assert_same(found: dict[str, bytes], expected: dict[str, bytes]) -> None:
    assert sorted(found) == sorted(expected)
    assert [name for name in found if found[name] != expected[name]] == []
    assert "alignment.gz" in found


class Shuffled:
    """An engine that runs tasks in any order, some of them twice."""

    def __init__(self, seed: int) -> None:
        self.numbers, self.sizes = random.Random(seed), []
        self.sent = 0  # bytes of the largest task, or result

    def map(self, work, items):
        pickled, items = pickle.dumps(work), list(items)
        self.sizes.append(len(items))
        self.sent = max([self.sent, len(pickled), *(len(pickle.dumps(item)) for item in items)])
        order = [*range(len(items)), *self.numbers.choices(range(len(items)), k=2)]
        self.numbers.shuffle(order)
        results = {i: next(iter(pickle.loads(pickled)([items[i]], self.numbers.choice((1, 2))))) for i in order}
        self.sent = max([self.sent, *(len(pickle.dumps(result)) for result in results.values())])
        yield from (results[i] for i in range(len(items)))


def test_parts_in_any_order_give_the_same_model(many_parts, corpus, of_one_machine, tmp_path) -> None:
    engine = Shuffled(1)
    assert_same(files_of(trained_on(engine, corpus, tmp_path / "model")), of_one_machine)
    tokenizing, *parts, mono = engine.sizes
    assert (tokenizing, mono) == (7, 4)
    assert len(parts) == (8 + 4 + 1) + 4  # alignment, phrases
    assert set(parts) == {5}
    assert engine.sent < 20_000  # text to tokenize; otherwise only file names, independent of file sizes
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]


def test_text_that_is_aligned_already(many_parts, corpus, tmp_path) -> None:
    """Only its tokens are sent."""
    from widl.phrase_table.given_alignment import GivenAlignments

    links = tmp_path / "links"
    links.write_text("0-0\n" * 200)
    options = TrainingOptions(alignments=GivenAlignments(alignment=(links,)), tokenized=True)
    result = [
        files_of(trained_on(engine, corpus, tmp_path / name, options=options))
        for name, engine in (("one", None), ("many", Shuffled(4)))
    ]
    assert_same(result[1], result[0])


def test_a_training_goes_on_elsewhere(many_parts, corpus, of_one_machine, tmp_path, monkeypatch) -> None:
    """One machine finishes a training that workers began, including remains of a killed process, and vice versa."""
    for first, second in ((Shuffled(5), None), (None, Shuffled(5))):
        model = tmp_path / ("one" if second is None else "many")
        with monkeypatch.context() as patch:
            patch.setattr("widl.pipeline.training_steps.TrainingSteps.extract", lambda self: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                trained_on(first, corpus, model)
        work = model.with_name(f"{model.name}.work")
        assert not (work / "shared").exists()
        (work / "shared").mkdir()
        (work / "shared" / "part.1").touch()
        if second is not None:
            assert_same(files_of(trained_on(second, corpus, model)), of_one_machine)
            assert second.sizes == AFTER_ALIGNMENT
        else:
            assert_same(files_of(trained_on(None, corpus, model)), of_one_machine)


def test_a_user_dictionary_is_read_where_the_work_is(many_parts, corpus, tmp_path, monkeypatch) -> None:
    words = tmp_path / "words"
    words.write_text("总统府\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    options = TrainingOptions(text=TextSettings(user_dictionary=Path("words")))
    here = files_of(trained_on(None, corpus, tmp_path / "here", options=options))

    class Elsewhere(Shuffled):
        def map(self, work, items):
            with monkeypatch.context() as patch:
                patch.chdir("/")
                yield from list(super().map(work, items))

    assert_same(files_of(trained_on(Elsewhere(6), corpus, tmp_path / "there", options=options)), here)


# --- failures ---


def test_machines_must_share_the_folder(corpus, tmp_path) -> None:
    class Elsewhere(Shuffled):
        def map(self, work, items):
            items = list(items)
            for path in (tmp_path / "model.work" / "shared").glob("function.*"):
                path.unlink()
            yield from super().map(work, items)

    with pytest.raises(InputError, match=r"shared/function\.\w+: no such file; all machines must share the folder"):
        trained_on(Elsewhere(7), corpus, tmp_path / "model")
    folder = SharedFolder(tmp_path / "none")
    with pytest.raises(InputError, match=r"none: no such directory; all machines must share the folder"):
        folder.write("x", b"")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cluster", "2"], "--cluster is for training on --bitext"),
        (["--bitext", "x", "--cluster", "0"], "--cluster 0: at least one worker process is needed"),
    ],
)
def test_options_that_do_not_fit(run, tmp_path, options, message) -> None:
    assert message in refused(run("train", tmp_path / "model", *options))


# --- on a cluster ---


@pytest.fixture(scope="module")
def workers():
    """Three worker processes with one thread each."""
    messages: list[str] = []
    with open_engine("3", threads=3, notify=messages.append, chunk=1, unit="part") as engine:
        yield engine, messages


@pytest.mark.slow
def test_a_worker_dies_in_each_stage(workers, many_parts, corpus, of_one_machine, tmp_path) -> None:
    """The stages: tokenization, one round of each model, alignment, and each phrase step."""
    engine, _ = workers
    kills = {0: "tokenize", 10: "markov", 13: "align"}
    kills |= {15: "extract", 16: "count phrases", 17: "score"}
    deadly = DeadlyEngine(engine, tmp_path, kills, seed=9)
    assert_same(files_of(trained_on(deadly, corpus, tmp_path / "model")), of_one_machine)
    assert deadly.calls == 19
    died = [int((tmp_path / f"died-{number}").read_text()) for number in kills]
    assert os.getpid() not in died
    assert len(set(died)) == len(kills)


@pytest.mark.slow
def test_the_same_model_by_the_command(workers, many_parts, corpus, of_one_machine, run, tmp_path) -> None:
    engine, _ = workers
    common = "train", "--bitext", corpus / "train", "--lm-text", corpus / "mono.en"
    code, out, err = run(*common, tmp_path / "model", "--cluster", engine.address, "--quiet")
    assert (code, out, err) == (0, "", "")
    assert_same(files_of(tmp_path / "model"), of_one_machine)
