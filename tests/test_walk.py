"""Problems of new users and the current messages, each with the command or call that caused it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from widl.decoder import LanguageModel, RealizationOptions, Realizer, estimate_language_model
from widl.expressions import bag
from widl.headline import Budget, HeadlineOptions

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    (tmp_path / "text").write_text("the cat sat\nthe cat ran\n", encoding="utf-8")
    estimate_language_model([tmp_path / "text"], tmp_path / "a.arpa")
    return tmp_path / "a.arpa"


def test_bytes_alone_mean_no_limit_of_words() -> None:
    assert Budget(bytes=75) == Budget(words=0, bytes=75)
    assert Budget() == Budget(words=10, bytes=0) == HeadlineOptions().budget
    assert Budget(words=4, bytes=75).words == 4
    assert HeadlineOptions(budget={"bytes": 75}).budget.words == 0  # type: ignore[arg-type]


def test_realize_goes_on_after_a_wrong_line(run: Run, arpa: Path) -> None:
    code, out, err = run("realize", "--lm", arpa, stdin="the cat\n∨(a\n∨(sat, the)\n")
    assert (code, out.split("\n")[:2], out.count("\n")) == (1, ["the cat", ""], 3)
    assert err.startswith("error: <stdin>:2: found the end, expected ')' to close the ∨ of column 1\n")
    code, out, err = run("realize", "--lm", arpa, "--json", stdin="∨(a\nthe\n")
    first, second = map(json.loads, out.splitlines())
    assert (first["text"], second["text"], code) == ("", "the", 1)
    assert first["failure"] == "<stdin>:1: found the end, expected ')' to close the ∨ of column 1"
    code, out, err = run("realize", "--lm", arpa, "--max-words", 1, stdin="the cat\nsat\n")
    assert (code, out) == (1, "\nsat\n")
    assert err == "<stdin>:1: no string of the expression fits 1 words: proved\n"
    code, out, err = run("realize", "--lm", arpa, "--max-words", 1, "--json", stdin="the cat\n")
    assert (code, json.loads(out)["outcome"], json.loads(out)["failure"]) == (
        1,
        "proved_empty",
        "no string of the expression fits 1 words: proved",
    )
    assert run("realize", "--lm", arpa, stdin="∨(a\n")[0] == 2  # no expression succeeded


@pytest.mark.parametrize("search", ["beam", "stack"])
def test_layers_have_a_size_by_default(search: str) -> None:
    """Without a size, long bags have hundreds of times more states than exact search needs."""
    realizer = Realizer(LanguageModel.estimate(["the cat sat on the mat and the dog ran"]))
    words = bag("the cat sat on a mat and the dog ran to it so far")
    result, all_kept = (realizer.realize_one(words, search=search, **more) for more in ({}, {"stack_size": 0}))
    assert RealizationOptions(search=search).stack_size == 20  # type: ignore[arg-type]
    assert result.states <= 20 * 15 * 15
    assert result.states <= all_kept.states


def test_documents_without_headlines_name_the_keys_that_they_have(run: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"text": "Acme sells wells.", "title": "Acme", "id": n}) for n in range(3)]
    (tmp_path / "news.jsonl").write_text("\n".join(lines), encoding="utf-8")
    code, out, err = run("headline", "train", tmp_path / "news.jsonl", tmp_path / "model", "--quiet")
    assert (code, out) == (2, "")
    assert err == (
        f"error: {tmp_path / 'news.jsonl'}: no headline in 3 documents: expected them under the key 'headline' or "
        "'headlines'; other keys found are 'title'; rename one, or give the text alone with --lm-text\n"
    )
    assert not (tmp_path / "model").exists()


@pytest.mark.slow
def test_text_of_another_language_is_said_to_be(run: Run, trained: Path) -> None:
    code, _, err = run("translate", trained, stdin="The president was in Beijing.\nHe said nothing.\n")
    assert code == 0
    assert err == (
        "2 of 2 lines: no Chinese characters, but the model translates from Chinese; is this the text's other side?\n"
    )
    record = json.loads(run("translate", trained, "--json", stdin="Le président est à Paris.\n")[1])
    assert record["message"] == "no Chinese characters, but the model translates from Chinese"
    for line in ("总统在北京。", "100 %", "Microsoft", ""):
        assert "message" not in json.loads(run("translate", trained, "--json", stdin=f"{line}\n")[1])


def test_no_message_says_its_place_twice(tmp_path: Path) -> None:
    from widl.cli.headline import _located

    assert _located("stdin:1", "<stdin>:1: not JSON") == "<stdin>:1: not JSON"
    assert _located("stdin", "<stdin>:7: invalid UTF-8") == "<stdin>:7: invalid UTF-8"
    assert _located("news.jsonl:3", f"{tmp_path}/news.jsonl:3: not JSON") == f"{tmp_path}/news.jsonl:3: not JSON"
    assert _located("a", "the document has no words") == "a: the document has no words"


def test_a_table_is_exported_to_stdout_or_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "moses").write_text("a ||| b ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| |||\n", encoding="utf-8")
    table = tmp_path / "table"
    assert run("phrase-table", "import", tmp_path / "moses", table, "--quiet")[0] == 0
    assert run("phrase-table", "export", table, tmp_path / "text", "--quiet") == (0, "", "")
    assert (tmp_path / "text").read_text() == run("phrase-table", "export", table, "--quiet")[1]
