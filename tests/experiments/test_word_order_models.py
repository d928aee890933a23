"""Word ordering under several language models: their texts, mixtures and table."""

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.experiments.test_word_order import run, started
from widl.common.errors import InputError
from widl.decoder import load_language_model
from widl.experiments.config import read_config
from widl.experiments.text import table_lines
from widl.experiments.word_order import Bags, Ordered
from widl.experiments.word_order_experiment import WordOrderConfig
from widl.experiments.word_order_models import MadeModel
from widl.experiments.word_order_tables import ModelResults
from widl.experiments.word_order_text import PennTokenizer, directed_quotes, sample_lines, training_lines

WORDS = "the dog cat sees hears a house tree and".split()
STRETCHES = r"""
Cannot gonna plain 1990s more'n 'tis 'twas U.S. U.S (so) it's dogs' a, 1,000 3: ... -- $5 5% . )
no.) AT&T '80s 'n' “so far” "so far", `` '' (“x”) x:y end?! b.c. d'ye
""".split()


def write_text(path: Path, lines: int, *, seed: int, words: list[str] = WORDS) -> Path:
    draw = random.Random(seed)
    path.write_text("".join(" ".join(draw.choices(words, k=draw.randint(3, 7))) + ".\n" for _ in range(lines)))
    return path


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("It isn't, he can't, they're.", "It is n't , he ca n't , they 're ."),
        ("It isn’t “fun”.", "It is n't `` fun '' ."),
        ('"Yes," said Ann\'s sister, "and no."', "`` Yes , '' said Ann 's sister , `` and no . ''"),
        # Tokens of another style with blanks between them.
        ("the city's \" big \" plan didn't work .", "the city 's `` big '' plan did n't work ."),
        ("`` It is n't fun , '' he said .", "`` It is n't fun , '' he said ."),
        ("AT&T sold 5% – for $3.2 million – in the '80s.", "AT&T sold 5 % -- for $ 3.2 million -- in the '80s ."),
        ("He went to the U.S. in May, and stayed in the U.S.", "He went to the U.S. in May , and stayed in the U.S. ."),
        ("It grew by 1.0.", "It grew by 1.0 ."),
        ("", ""),
    ],
)
def test_penn_tokens(line: str, tokens: str) -> None:
    assert " ".join(PennTokenizer().tokenize(line)) == tokens
    assert " ".join(PennTokenizer().tokenize(tokens)) == tokens


@given(st.text(alphabet="ab1 .,'\"`-&$%“”’–…?\t", max_size=30))
def test_penn_tokens_keep_all_letters_and_have_no_blanks(line: str) -> None:
    tokens = PennTokenizer().tokenize(line)
    assert all(token and not any(map(str.isspace, token)) for token in tokens)
    assert [c for token in tokens for c in token if c.isalnum()] == [c for c in line if c.isalnum()]


@given(st.lists(st.sampled_from(STRETCHES)))
def test_tokens_of_stretches_are_those_of_the_line(stretches: list[str]) -> None:
    tokenizer = PennTokenizer()
    assert tokenizer.tokenize(" ".join(stretches)) == tokenizer.tokenize_whole(directed_quotes([*stretches]))


@given(st.text(alphabet="ab1U .,'“”`-&$%()[]?!:;@#…", max_size=30))
def test_tokens_of_arbitrary_stretches_are_those_of_the_line(line: str) -> None:
    tokenizer = PennTokenizer()
    whole = directed_quotes(line.replace("…", " ... ").split())
    assert tokenizer.tokenize(line) == tokenizer.tokenize_whole(whole)


def test_text_for_the_language_model(tmp_path: Path) -> None:
    tokenised, raw = tmp_path / "a.tok.txt.gz", tmp_path / "b.raw.txt"
    tokenised.write_bytes(gzip.compress(b"It 's `` fun , '' he said .\n.\n"))
    raw.write_text("It isn't fun, he said.\n", encoding="utf-8")
    assert list(training_lines(tokenised)) == ["it 's `` fun , '' he said"]
    assert list(training_lines(raw)) == ["it is n't fun , he said"]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=30), st.data())
def test_samples_are_nested_and_as_large_as_asked_for(lengths: list[int], data: st.DataObject) -> None:
    lines = [" ".join([f"w{k}"] * length) for k, length in enumerate(lengths)]
    smaller = data.draw(st.integers(1, sum(lengths)))
    larger = data.draw(st.integers(smaller, sum(lengths)))
    small, large = (sample_lines(lines, words, seed=3) for words in (smaller, larger))
    assert large[: len(small)] == small
    count = [len(line.split()) for line in small]
    assert sum(count) >= smaller > sum(count[:-1])
    assert len(set(large)) == len(large)
    with pytest.raises(InputError, match="the texts have fewer"):
        sample_lines(lines, sum(lengths) + 1, seed=3)


@pytest.fixture
def models_config(tmp_path: Path) -> Path:
    write_text(tmp_path / "bags.txt", 12, seed=1)
    write_text(tmp_path / "one.txt", 300, seed=2)
    write_text(tmp_path / "two.txt", 80, seed=3, words=[*WORDS, "mouse"])
    write_text(tmp_path / "held.txt", 40, seed=4)
    config = tmp_path / "models.toml"
    config.write_text(
        'bags = ["bags.txt"]\ntexts = ["one.txt", "two.txt"]\nheld_out = "held.txt"\nsizes = [300, 900]\n'
        'rows = ["astar"]\nresamples = 10\n'
        '[[model]]\nname = "one"\ntexts = ["one.txt"]\norder = 4\nprune = [0, 0, 1]\n'
        '[[model]]\nname = "two"\ntexts = ["two.txt"]\n'
        '[[model]]\nname = "mixed"\nlinear = ["one", "two"]\n'
    )
    return config


@pytest.mark.slow
def test_models_are_compared(models_config: Path) -> None:
    found, told = run(models_config)
    out = models_config.parent / "out"
    made = ["text one", "text two", "model all-texts"]
    assert started(told)[:3] == made
    table = found.tables[-1]
    *rows, papers = table.rows
    labels = [row.label for row in rows]
    assert [label.split(" ")[-1] for label in labels] == ["words"] * 3 + ["one", "two", "mixed"]
    assert (papers.label, papers.cells, papers.paper[0]) == ("the paper's A*", [], 170_000_000)
    counts = load_language_model(out / "models/one.arpa.gz"), load_language_model(out / "models/two.arpa.gz")
    assert [model.order for model in counts] == [4, 3]
    words = [row.cells[0] for row in rows]
    total = sum(len(line.split()) for name in ("one", "two") for line in training_lines(out.parent / f"{name}.txt"))
    assert 300 <= words[0] < 307
    assert 900 <= words[1] < 907
    assert words[2] == total == words[3] + words[4]
    assert words[5:] == [None]
    assert any(note.startswith("mixed: ") and note.endswith(" two.") for note in table.notes)
    assert sum(found.systems[-1].weights["learnt"].values()) == pytest.approx(1)
    # All strings are proved the best under their model, so that none is worse than the sentence itself.
    assert {row.cells[-2] for row in rows} == {0.0}
    assert {row.cells[-1] for row in rows} == {100.0}
    assert "mixed" in found.sets[-1].systems
    again, told = run(models_config)
    assert (again.tables, told) == (found.tables, [])


@pytest.mark.slow
def test_perplexity_and_unknown_words(arpa: Path) -> None:
    bags = Bags("x", [["a", "b"], ["a", "z"]], [["a", "b"], ["a", "z"]])
    results = ModelResults(bags)
    ordered = [Ordered(["a", "b"], -1.0, 0.0, proved=True), Ordered(["a", "z"], -9.0, 0.0, proved=True)]
    results.add(MadeModel("tiny", arpa, words=7), ordered)
    [row] = results.table().rows
    # log10: a .1, b .2, </s> 1; a .1, z unknown, </s> 1.
    assert row.cells[:4] == [7, pytest.approx(10 ** ((0.1 + 0.2 + 1 + 0.1 + 1) / 5), rel=1e-4), 25, 100]
    assert row.label == "tiny"


def test_models_beside_the_paper(arpa: Path) -> None:
    sentence = ["a"] * 10
    results = ModelResults(Bags("long", [sentence], [sentence]))
    for words in (1000, 2000):
        model = MadeModel(f"{words}-words", arpa, words=words, sampled=True)
        results.add(model, [Ordered(sentence, -4.0, 0.0, proved=True)])
    lines = [line.split() for line in table_lines(results.table())]
    assert lines[2][:2] == ["1,000", "words"]
    assert lines[4][:5] == ["the", "paper's", "B_0.1", "-", "(170,000,000)"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sizes = [300, 900]", "sizes = [300, 300]", "two sizes have the same name, '300'"),
        ("sizes = [300, 900]", "sizes = [0]", "sizes.0: expected at least 1, found 0"),
        ('linear = ["one", "two"]', 'linear = ["three"]', "model 'mixed': no model 'three' above it"),
        ('["one", "two"]\n', '["one", "two"]\norder = 3\n', "model 'mixed': 'order' has no effect on a mixture"),
        ("prune = [0, 0, 1]", "prune = [1, 0]", "model 'one': thresholds of 'prune' must not decrease"),
        ("prune = [0, 0, 1]", "prune = [-1]", "model.0.prune.0: expected at least 0, found -1"),
        ("order = 4", "order = 7", "model.0.order: expected at most 6, found 7"),
        ('linear = ["one", "two"]', "", "model 'mixed': give one of 'texts' and 'linear'"),
        ('name = "mixed"', 'name = "one"', "two models have the same name, 'one'"),
        ('name = "one"', 'name = "300-words"', "model '300-words': a model of 'texts' or 'sizes' has this name"),
        ('held_out = "held.txt"\n', "", "model 'mixed': a mixture needs 'held_out'"),
        ('texts = ["one.txt", "two.txt"]', 'lm = "one.txt"', "'sizes' are of 'texts'"),
    ],
)
def test_bad_configurations(models_config: Path, old: str, new: str, message: str) -> None:
    text = models_config.read_text()
    assert old in text
    models_config.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_config(models_config, WordOrderConfig)
