"""The parser, and the pipeline that comes with the package."""

import hashlib
import multiprocessing
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.headline import parsing
from widl.headline.documents import Document
from widl.headline.parsing import (
    SHIPPED,
    ParsedDocument,
    Token,
    _beginning,
    load_pipeline,
    parse_documents,
)

TEXT = "Iran attacked three oil tankers on Monday. Rebels in the north said they don't want peace.\nPrices rose"


@pytest.fixture(scope="module")
def parsed() -> ParsedDocument:
    (result,) = parse_documents([Document("1", TEXT)])
    return result


@pytest.mark.slow
def test_the_tokenizer_is_the_pipelines() -> None:
    loaded, expected = load_pipeline(SHIPPED), spacy.load(SHIPPED)
    assert loaded.tokenizer.to_bytes(exclude=["vocab"]) == expected.tokenizer.to_bytes(exclude=["vocab"])
    text = "I can't say he's gonna see U.S. rates at 4.5%... (Ph.D.'s cost 10km-long https://a.org/b :-) ''quotes''"
    assert [token.text for token in loaded.make_doc(text)] == [token.text for token in expected.make_doc(text)]


@pytest.mark.slow
def test_sentences_end_with_paragraphs(parsed: ParsedDocument) -> None:
    assert [sentence[0].text for sentence in parsed.sentences] == ["Iran", "Rebels", "Prices"]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("The New York Times Co said so", []),
        ("Rain fell. It went on! Really?", ["It", "Really"]),
        ("it fell. it rose.", ["it"]),
        ("Shares of Ace Inc. rose.", []),
        ("He left Ace Inc. Shares rose.", ["Shares"]),
        ("Ace Corp. Monday said so.", []),
        ("Then B.J. Smith left.", []),
        ("He left the U.S. Smith stayed.", ["Smith"]),
        ("He left early. Monday was calm.", ["Monday"]),
        ("He said (no.) She left.", [")", "She"]),
        ("Nothing (yet) Rain fell", []),
    ],
)
def test_where_a_sentence_may_begin(text: str, starts: list[str]) -> None:
    doc = parsing.forbid_sentence_ends(spacy.blank("en")(text))
    assert [token.text for token in doc[1:] if token.is_sent_start is not False] == starts


def test_no_sentence_ends_in_a_name() -> None:
    texts = ["The Fuji Heavy Motor Corp Holdings Of Nippon Ltd", "Lincoln Telecommunications Co said its profits rose"]
    for result in parse_documents([Document("1", text) for text in texts]):
        assert len(result.sentences) == 1


def test_tokens_give_the_text_back(parsed: ParsedDocument) -> None:
    tokens = [token for sentence in parsed.sentences for token in sentence]
    assert "".join(token.text + " " * token.space for token in tokens) == TEXT.replace("\n", "")


def test_an_easy_sentence(parsed: ParsedDocument) -> None:
    first = parsed.sentences[0]
    assert first == (
        Token("Iran", "iran", "PROPN", 1, "nsubj", True, "NNP"),
        Token("attacked", "attack", "VERB", 1, "root", True, "VBD"),
        Token("three", "three", "NUM", 4, "nummod", True, "CD"),
        Token("oil", "oil", "NOUN", 4, "compound", True, "NN"),
        Token("tankers", "tanker", "NOUN", 1, "obj", True, "NNS"),
        Token("on", "on", "ADP", 6, "case", True, "IN"),
        Token("Monday", "monday", "PROPN", 1, "obl", False, "NNP"),
        Token(".", ".", "PUNCT", 1, "punct", True, "."),
    )


def test_forms_of_a_word_have_one_lemma() -> None:
    texts = ["The attack failed.", "Rebels attacked the town.", "Their attacks went on.", "He will be attacking them."]
    parses = list(parse_documents([Document("1", text) for text in texts]))
    assert all("attack" in [token.lemma for token in result.sentences[0]] for result in parses)


@settings(max_examples=25)
@given(st.text(max_size=60))
@example("Der Hund bellt laut. 我们 去 北京。")
@example("<a> http://x.y/z?a=b 3.5% $4-5 bn--the... :-)")
def test_any_text_is_parsed_into_trees(text: str) -> None:
    (result,) = parse_documents([Document("1", text)])
    for sentence in result.sentences:
        assert [token.relation for token in sentence].count("root") == 1
        for position, token in enumerate(sentence):
            assert (token.head == position) == (token.relation == "root")
            assert 0 <= token.head < len(sentence)


@pytest.mark.parametrize(("text", "tokens"), [("a b\nc d e", 4), ("a" * 10**6, 1), ("word " * 10**5, 4)])
def test_only_the_beginning_is_parsed(text: str, tokens: int) -> None:
    (result,) = parse_documents([Document("1", text)], words=4)
    assert sum(map(len, result.sentences)) == tokens
    assert sum(len(token.text) for sentence in result.sentences for token in sentence) <= 4 * 20
    assert result.document.text == text


@pytest.mark.parametrize("text", ["（" * 5000, "a" * 5000, "x" * 300, "x" * 301, "中&" * 1000 + " end"])
def test_words_without_end_are_cut(text: str) -> None:
    """The tokenizer takes quadratic time in a word's length."""
    words = [word for line in _beginning(text, 300) for word in line.split(" ")]
    assert "".join(words) == text[:6000].replace(" ", "")
    assert max(map(len, words)) <= 300


@pytest.mark.slow
def test_order_and_processes() -> None:
    documents = [Document(str(number), f"{number} men left.") for number in range(150)]
    alone = list(parse_documents(documents))
    assert [result.document for result in alone] == documents
    assert [result.sentences[0][0].text for result in alone] == [str(number) for number in range(150)]
    assert list(parse_documents(documents, threads=2)) == alone
    assert multiprocessing.active_children() == []


def test_documents_are_read_as_they_are_needed() -> None:
    def endless() -> Iterator[Document]:
        while True:
            yield Document("1", "Rain fell.")

    assert next(parse_documents(endless())).sentences[0][0].text == "Rain"


def test_the_pipeline_is_the_release_and_nothing_else() -> None:
    def sums_of(path: Path) -> dict[str, str]:
        return {name: result for result, name in (line.split("  ", 1) for line in path.read_text().splitlines())}

    release = sums_of(Path(__file__).parents[2] / "training" / "parser" / "release.sha256")
    sums = sums_of(SHIPPED / "SHA256SUMS")
    there = {str(path.relative_to(SHIPPED)): path for path in SHIPPED.rglob("*") if path.is_file()}
    assert there.keys() == {*sums, "SHA256SUMS", "LICENSE.md"}
    assert sums == {name: hashlib.sha256(there[name].read_bytes()).hexdigest() for name in sums}
    assert {name for name in sums if sums[name] != release[name]} == {"config.cfg", "meta.json"}


@pytest.mark.parametrize(
    "code",
    ["import widl.headline.parsing", "from widl.cli import main; sys.argv = ['widl', '--help']; main()"],
    ids=["import", "help"],
)
def test_spacy_is_not_imported_before_it_is_needed(code: str) -> None:
    program = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nsys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, capture_output=True).returncode == 0


def test_a_pipeline_that_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "english"
    shutil.copytree(SHIPPED, folder)
    (folder / "config.cfg").unlink()
    monkeypatch.setattr(parsing, "SHIPPED", folder)
    with pytest.raises(InputError, match=r"spaCy can't load this pipeline \(.*\); install widl again"):
        next(parse_documents([Document("1", "Rain.")]))
