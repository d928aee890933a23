"""Models that earlier versions made: used as before, or refused with what to do."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.models import OLD_MODELS
from tests.warm import warm_widl
from widl.headline.parsing import SHIPPED
from widl.pipeline.demo import sample_corpus

pytestmark = pytest.mark.slow

# What the first version made of lines that it was trained on, and of two others.
TRANSLATIONS = {
    "获得大奖的导演来自日本。": "The director who won the prize comes from Japan.",
    "为了降低价格，企业开始使用机器人。": "In order to lower prices, businesses began to use robots.",
    "外交部长将于下周访问日本。": "The foreign minister will visit Japan next week.",
    "": "",
    "选举将在2025年3月举行。": "The election will be held in March 2025.",
}
HEADLINES = {
    "packing": [  # whose weights the model has
        "Rail unions called off after train companies raised pay offer",
        "Engineers closed old harbour bridge on Monday after divers found",
    ],
    "widl": [
        "Rail unions call off national strike planned for Friday",
        "Engineers close old harbour bridge",
    ],
}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return Path(shutil.copytree(OLD_MODELS, tmp_path / "models"))


def widl(*arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    program = [*warm_widl(), *map(str, arguments)]
    return subprocess.run(program, input=text, capture_output=True, encoding="utf-8", timeout=100, check=False)


@pytest.mark.parametrize("search", ["cube", "astar"])
def test_translation(models: Path, search: str) -> None:
    done = widl("translate", models / "translation", "--search", search, text="".join(f"{k}\n" for k in TRANSLATIONS))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == list(TRANSLATIONS.values())


def test_alignment(models: Path, tmp_path: Path) -> None:
    for side, line in zip(("zh", "en"), next(iter(TRANSLATIONS.items())), strict=True):
        (tmp_path / f"new.{side}").write_text(f"{line}\n", encoding="utf-8")
    model = models / "translation"
    texts = "--source", tmp_path / "new.zh", "--target", tmp_path / "new.en"
    done = widl("align", model, *texts, "--quiet")
    if done.returncode == 0:
        links = [link.split("-") for link in done.stdout.split()]
        assert links
        assert all(int(source) < 7 and int(target) < 10 for source, target in links)
    else:
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(f"error: {model}")
        assert "train" in done.stderr


@pytest.mark.skipif(not (SHIPPED / "meta.json").exists(), reason="needs the parser of the package")
def test_headlines(models: Path, tmp_path: Path) -> None:
    stories = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()[:2]
    fields = [json.loads(story) for story in stories]
    text = "".join(json.dumps({"text": story["text"]}) + "\n" for story in fields)
    for system, made in HEADLINES.items():
        done = widl("headline", "generate", models / "headlines", "--system", system, text=text)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines() == made
