"""The first lines of the sample corpus, and the sets that an experiment's configuration makes of them."""

from pathlib import Path

from widl.pipeline.demo import sample_corpus

TEXT_SETS = """
[dev]
source = "dev.zh"
references = ["dev.en"]

[[test]]
name = "test"
source = "test.zh"
references = ["test.en"]
"""


def write_sample(folder: Path, lines: int, *names: str) -> None:
    """Writes the first lines of files of the corpus to `folder`; without names, of those that `TEXT_SETS` needs."""
    for name in names or ("dev.zh", "dev.en", "test.zh", "test.en"):
        text = (sample_corpus() / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(text[:lines]), encoding="utf-8")
