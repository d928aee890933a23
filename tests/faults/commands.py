"""The commands that are killed, on inputs so small that each takes parts of a second."""

from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.light import SAMPLE
from tests.pipeline.news import write_stories
from widl.pipeline.demo import sample_corpus

_PAIRS = 60
_TRANSLATION = """
model = "model"
resamples = 20

[dev]
source = "dev.zh"
references = ["dev.en"]

[[test]]
name = "test"
source = "test.zh"
references = ["test.en"]

[tuning]
replications = 2
max_iterations = 1
candidates = 5

[[system]]
name = "widl"
pop_limit = 10

[[system]]
name = "stack"
decoder = "stack"
stack_size = 5
"""
_HEADLINE = """
train = ["stories.jsonl"]
dev = ["stories-dev.jsonl"]
test = ["stories-test.jsonl"]
resamples = 20

[tuning]
replications = 1
max_iterations = 1
candidates = 5

[[system]]
name = "lead10"
system = "lead"

[[system]]
name = "ours"
system = "widl"
"""


@dataclass(frozen=True)
class Command:
    """A command line, and the one that made the version that it replaces."""

    name: str
    arguments: list[str]
    earlier: list[str] | None = None
    needs: list[list[str]] = field(default_factory=list)
    """Command lines that make its inputs."""
    job: str = ""
    """The directory of a job, which holds more than results."""


def _train(model: str, *more: str) -> list[str]:
    return ["train", "--bitext", "small", "--lm-text", "mono.en", "--threads", "1", "--quiet", *more, model]


def _headlines(*more: str) -> list[str]:
    return ["headline", "train", "--threads", "1", "--quiet", *more, "stories.jsonl", "headlines"]


def _build(table: str, *more: str, text: str = "t") -> list[str]:
    texts = ["--source", f"{text}.zh", "--target", f"{text}.en", "--alignment", f"{text}.align"]
    return ["phrase-table", "build", *texts, "--threads", "1", "--quiet", *more, table]


def _estimate(output: str, *more: str, text: str = "t.en") -> list[str]:
    return ["lm", "estimate", text, "--output", output, *more]


COMMANDS = [
    Command("phrase-table build", _build("table"), _build("table", "--max-length", "2")),
    Command(
        "phrase-table build on disk",
        _build("table", "--memory", "1M", text="many"),
        _build("table", "--max-length", "2"),
    ),
    Command(
        "phrase-table import",
        ["phrase-table", "import", "moses.gz", "table", "--quiet"],
        _build("table", "--max-length", "2"),
        needs=[_build("whole"), ["phrase-table", "export", "whole", "moses.gz", "--quiet"]],
    ),
    Command(
        "phrase-table prune",
        ["phrase-table", "prune", "table", "pruned", "--limit", "2", "--quiet"],
        ["phrase-table", "prune", "table", "pruned", "--limit", "1", "--quiet"],
        needs=[_build("table")],
    ),
    Command("lm estimate", _estimate("lm.binary"), _estimate("lm.binary", "--order", "2")),
    Command(
        "lm estimate on disk",
        _estimate("lm.arpa.gz", "--memory", "16M", "--order", "4", text="long.en"),
        _estimate("lm.arpa.gz", "--order", "2"),
    ),
    Command("train", _train("model", "--overwrite"), _train("model", "--order", "2")),
    Command("headline train", _headlines("--overwrite"), _headlines("--order", "2")),
    Command(
        "tune",
        ["tune", "model", "--source", "dev.zh", "--reference", "dev.en", "-o", "tuned.toml", "--job", "tuning",
         "--max-iterations", "2", "--threads", "1", "--quiet"],
        None,
        needs=[_train("model")],
        job="tuning",
    ),
    Command(
        "experiment word-order",
        ["experiment", "word-order", "order.toml", "--output", "order", "--quiet"],
        None,
        needs=[_estimate("order.binary")],
        job="order",
    ),
    Command(
        "experiment translation",
        ["experiment", "translation", "translation.toml", "--output", "compared", "--threads", "1", "--quiet"],
        None,
        needs=[_train("model")],
        job="compared",
    ),
    Command(
        "experiment headline",
        ["experiment", "headline", "headline.toml", "--output", "headlined", "--threads", "1", "--quiet"],
        None,
        job="headlined",
    ),
    Command("demo", ["demo", "--threads", "1"], None, job="demo"),
]


def write_inputs(folder: Path) -> None:
    """The files that the command lines name."""
    corpus = sample_corpus()
    texts = {}
    for suffix in ("zh", "en"):
        for name, begin, number in (("small", "train", _PAIRS), ("dev", "dev", 3), ("test", "test", 2)):
            lines = (corpus / f"{begin}.{suffix}").read_text(encoding="utf-8").splitlines()[:number]
            (folder / f"{name}.{suffix}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            texts[name, suffix] = lines
    tokens = {suffix: list(map(split, texts["small", suffix])) for suffix, split in (("zh", list), ("en", str.split))}
    for suffix, sentences in tokens.items():
        (folder / f"t.{suffix}").write_text("".join(f"{' '.join(words)}\n" for words in sentences), encoding="utf-8")
    pairs = zip(tokens["zh"], tokens["en"], strict=True)
    links = (" ".join(f"{i}-{i}" for i in range(min(map(len, pair)))) for pair in pairs)
    (folder / "t.align").write_text("".join(f"{line}\n" for line in links))
    for suffix in ("zh", "en", "align"):
        text = (folder / f"t.{suffix}").read_bytes()
        (folder / f"many.{suffix}").write_bytes(text * 20)  # more than --memory 1M holds
        (folder / f"long.{suffix}").write_bytes(text * 250)  # more than --memory 16M holds
    mono = (corpus / "mono.en").read_text(encoding="utf-8").splitlines()[:_PAIRS]
    (folder / "mono.en").write_text("".join(f"{line}\n" for line in mono), encoding="utf-8")
    for seed, (name, number) in enumerate([("stories", 60), ("stories-dev", 4), ("stories-test", 3)], 1):
        write_stories(folder / f"{name}.jsonl", number, seed)
    (folder / "translation.toml").write_text(_TRANSLATION)
    (folder / "headline.toml").write_text(_HEADLINE)
    _write_sample(folder / SAMPLE)
    (folder / "bags.en").write_text("".join(f"{' '.join(words[:4])}\n" for words in tokens["en"][:4]))
    (folder / "order.toml").write_text('bags = ["bags.en"]\nlm = "order.binary"\nrows = ["L", "bfs", "astar"]\n')


def _write_sample(folder: Path) -> None:
    """The beginnings of the sample's files, for the demonstration."""
    folder.mkdir()
    lines = {"train": 60, "dev": 4, "test": 4, "mono": 60, "documents": 4}
    for file in sample_corpus().iterdir():
        if file.stem in lines and file.suffix != ".align":
            beginning = file.read_text(encoding="utf-8").splitlines(keepends=True)[: lines[file.stem]]
            (folder / file.name).write_text("".join(beginning), encoding="utf-8")
