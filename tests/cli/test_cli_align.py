"""Training on given alignments, alignment with a model, and tokenization, run as a user would run them."""

import gzip
import json
from pathlib import Path

import pytest

from tests.command import refused, widl
from widl.common.files import read_lines
from widl.phrase_table.aligner import LONGEST_SIDE, learn_and_align
from widl.phrase_table.symmetrization import symmetrize
from widl.pipeline.alignment import align
from widl.pipeline.demo import sample_corpus
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.text.cleaning import Cleaning
from widl.text.segmentation import segmenter_name
from widl.translation import Translator
from widl.translation.manifest import read_manifest


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prefix of the files with 300 tokenized pairs, alignments of both directions, and symmetrized ones."""
    directory = tmp_path_factory.mktemp("tokens")
    for side in ("zh", "en"):
        lines = list(read_lines(sample_corpus() / f"train.{side}"))[:300]
        result = widl("tokenize", "--source-language", side, stdin="\n".join(lines).encode())
        assert result.returncode == 0
        (directory / f"t.{side}").write_bytes(result.stdout)
    _, both = learn_and_align(read_lines(directory / "t.zh"), read_lines(directory / "t.en"), threads=1)
    directions = list(zip(*both, strict=True))
    for name, lines in zip(("forward", "reverse"), directions, strict=True):
        (directory / f"{name}.align").write_text("".join(f"{line}\n" for line in lines))
    links = symmetrize(*directions, "grow-diag-final-and")
    with gzip.open(directory / "t.align.gz", "wt") as file:
        file.writelines(f"{line}\n" for line in links)
    return directory / "t"


@pytest.mark.slow
def test_aligning_with_a_model(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "a.zh").write_text("总统访问法国。\n\n警方正在调查。\n政府批准了计划。\n", encoding="utf-8")
    with gzip.open(tmp_path / "a.en.gz", "wt", encoding="utf-8") as file:
        file.write("The president visited France.\nNothing.\n\nThe government approved the plan.\n")
    command = ("align", trained, "--source", tmp_path / "a.zh", "--target", tmp_path / "a.en.gz")
    result = widl(*command, "--json")
    assert result.returncode == 0, result.stderr
    actual = [json.loads(line) for line in result.stdout.splitlines()]
    assert actual[0]["source"] == ["总统", "访问", "法国", "。"]
    assert actual[0]["target"] == ["the", "president", "visited", "France", "."]
    # Words known from the training text: president, visited, France and the period.
    assert sum(link in actual[0]["links"] for link in ([0, 1], [1, 2], [2, 3], [3, 4])) >= 3
    assert [pair["links"] for pair in actual[1:3]] == [[], []]
    assert actual[3]["links"]

    plain = widl(*command, "--output", tmp_path / "links.gz", "--quiet")
    assert (plain.returncode, plain.stdout, plain.stderr) == (0, b"", b"")
    lines = list(read_lines(tmp_path / "links.gz"))
    assert len(lines) == 4
    assert lines[1] == lines[2] == ""
    assert all("-" in point for point in lines[0].split())


def test_alignment_of_tokenized_text(trained: Path, tmp_path: Path) -> None:
    """Tokens that the model's own tokenizers would split or rewrite; union has at least intersection's links."""
    (tmp_path / "a").write_text("总统访问 法国 ，\n" + "总统 " * (LONGEST_SIDE + 1) + "\n", encoding="utf-8")
    (tmp_path / "b").write_text("president's France ，\nx\n", encoding="utf-8")
    pairs = list(align(trained, tmp_path / "a", tmp_path / "b", tokenized=True, symmetrization="union"))
    assert pairs[0].source == ["总统访问", "法国", "，"]
    assert pairs[0].target == ["president's", "France", "，"]
    assert pairs[1].links == ""
    result = widl("align", trained, "--source", tmp_path / "a", "--target", tmp_path / "b", "--tokenized", "--quiet")
    assert result.returncode == 0
    assert result.stderr.decode() == "warning: 1 pairs with more than 1,000 tokens on a side were left unaligned\n"


@pytest.mark.slow
def test_what_cannot_be_aligned(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\nb\u3000c\n", encoding="utf-8")
    (tmp_path / "b").write_text("x\n", encoding="utf-8")
    texts = ("--source", tmp_path / "a", "--target", tmp_path / "b")
    assert "has 2 lines" in refused(widl("align", trained, *texts))
    same = ("--source", tmp_path / "a", "--target", tmp_path / "a", "--tokenized")
    assert refused(widl("align", trained, *same, "--output", tmp_path / "o")).startswith(f"{tmp_path}/a:2: a token")
    assert not (tmp_path / "o").exists()


@pytest.mark.slow
def test_a_model_of_another_segmenter(model: Path, tmp_path: Path) -> None:
    path = model / "manifest.json"
    manifest = json.loads(path.read_text())
    name = manifest["text"]["segmenter"]
    assert name == segmenter_name("zh")
    manifest["text"]["segmenter"] = "rjieba 9.1.0"
    path.write_text(json.dumps(manifest))
    (tmp_path / "a").write_text("a\n")
    message = (
        f"{path}: trained on words of rjieba 9.1.0, but {name} is installed, whose words may be others; "
        "install rjieba 9.1.0 or train the model again"
    )
    assert refused(widl("translate", model)) == message
    texts = ("--source", tmp_path / "a", "--target", tmp_path / "a")
    assert refused(widl("align", model, *texts)) == message
    assert widl("align", model, *texts, "--tokenized").returncode == 0


@pytest.mark.slow
def test_training_on_given_alignments(tokens: Path, tmp_path: Path) -> None:
    """Symmetrized links, and their two directions, give the same phrase table."""
    common = ("train", "--bitext", tokens, "--tokenized", "--threads", "1", "--quiet")
    item = widl(*common, "--alignment", f"{tokens}.align.gz", tmp_path / "one")
    assert (item.returncode, item.stderr) == (0, b"")
    directions = ("--forward", tokens.parent / "forward.align", "--reverse", tokens.parent / "reverse.align")
    other = widl(*common, *directions, tmp_path / "other")
    assert (other.returncode, other.stderr) == (0, b"")
    statistics = [read_manifest(tmp_path / name).training for name in ("one", "other")]
    assert [s["symmetrization"] for s in statistics] == ["given", "grow-diag-final-and"]
    assert {s["alignment"] for s in statistics} == {"given"}
    assert statistics[0]["phrase_pairs"] == statistics[1]["phrase_pairs"]
    for name in ("one", "other"):
        (translation,) = Translator(tmp_path / name).translate(["总统访问法国。"])
        assert translation.source == ("总统", "访问", "法国", "。")  # untokenized text to translate
        aligned = widl("align", tmp_path / name, "--source", f"{tokens}.zh", "--target", f"{tokens}.en", "--tokenized")
        assert aligned.returncode == 0
        assert len(aligned.stdout.splitlines()) == 300


@pytest.mark.slow
def test_cleaning_is_reported_and_kept(tmp_path: Path) -> None:
    for side, odd in (("zh", "The same.\n你 好\n"), ("en", "The same.\n你好\n")):
        lines = list(read_lines(sample_corpus() / f"train.{side}"))[:60]
        (tmp_path / f"t.{side}").write_text("".join(f"{line}\n" for line in lines) + odd, encoding="utf-8")
    result = widl("train", "--bitext", tmp_path / "t", tmp_path / "model")
    assert result.returncode == 0, result.stderr
    assert "62 sentence pairs read, 60 kept" in result.stderr.decode()
    assert "dropped: 1 copy, 1 source not zh\n" in result.stderr.decode()
    statistics = read_manifest(tmp_path / "model").training
    assert (statistics["dropped: copy"], statistics["dropped: source not zh"]) == (1, 1)
    options = TrainingOptions(cleaning=Cleaning(content=False, max_length=12))
    summary = train(
        TrainingFiles(bitext=[tmp_path / "t"]), tmp_path / "model", options, overwrite=True
    ).bitext.summary()
    assert "copy" not in summary
    assert "too long" in summary


@pytest.mark.slow
def test_tokenize(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("他说:“二〇一九年１２月”。\n\n", encoding="utf-8")
    assert widl("tokenize", tmp_path / "a").stdout.decode() == "他 说 ： “ 2019 年 12 月 ” 。\n\n"
    result = widl("tokenize", "--output", tmp_path / "o.gz", tmp_path / "a")
    assert result.returncode == 0
    assert list(read_lines(tmp_path / "o.gz")) == ["他 说 ： “ 2019 年 12 月 ” 。", ""]
    assert widl("tokenize", "--source-language", "en", stdin="“It’s…”".encode()).stdout.decode() == '" It \'s ... "\n'
    assert "unknown language 'xx'" in refused(widl("tokenize", "--source-language", "xx", tmp_path / "a"))


def test_exchanged_files_are_refused(trained) -> None:
    source, target = (sample_corpus() / f"test.{side}" for side in ("zh", "en"))
    message = refused(widl("align", trained, "--source", target, "--target", source))
    assert message == f"{target} and {source} seem to be exchanged: {source} has the Chinese text"
