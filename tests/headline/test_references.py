"""Documents with references: their own headlines, DUC's model summaries, or files of lines."""

import json
from pathlib import Path

import pytest

from tests.headline.duc import name, summaries, write_documents, write_models
from widl.common.errors import InputError
from widl.headline.references import read_with_references


def write_stories(path: Path, *headlines: str | None) -> Path:
    stories = [{"text": f"Rain fell on day {i}."} | ({"headline": h} if h else {}) for i, h in enumerate(headlines)]
    path.write_text("".join(json.dumps(story) + "\n" for story in stories))
    return path


def test_duc(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "docs", [2, 1])
    write_documents(documents, [3], docset="d30002t")
    models = write_models(tmp_path / "models", [1, 2])
    write_models(models, [3], docset="D30002")
    result = read_with_references([documents], [models])
    assert [document.identifier for document in result] == [name(1), name(2), name(3)]
    for number, document in enumerate(result, 1):
        assert list(document.headlines) == summaries(number)
        assert "SECRET" not in document.text
        assert document.text.startswith(f"{['', 'Borealis', 'Candle', 'Dunmore'][number]} & Sons agreed")
    first = read_with_references([documents], [models], most=1)
    assert [document.headlines for document in first] == [(summaries(number)[0],) for number in (1, 2, 3)]


def test_some_of_ducs_sets(tmp_path: Path) -> None:
    """Halves of a year for dev and test are lists of its folders; references may be in several."""
    documents = write_documents(tmp_path / "docs", [1])
    write_documents(documents, [2], docset="d30002t")
    models = [write_models(tmp_path / "a", [1]), write_models(tmp_path / "b", [2], docset="D30002")]
    [item] = read_with_references([documents / "d30002t"], models)
    assert (item.identifier, list(item.headlines)) == (name(2), summaries(2))
    both = read_with_references([documents / "d30002t", documents / "d30001t"], models)
    assert [document.identifier for document in both] == [name(2), name(1)]


def test_lines(tmp_path: Path) -> None:
    stories = write_stories(tmp_path / "stories.jsonl", "its own", None)
    files = [tmp_path / "ref0", tmp_path / "ref1"]
    files[0].write_text("Rain falls\nMore rain\n")
    files[1].write_text("\n It rains \n")
    result = read_with_references([stories], files)
    assert [document.headlines for document in result] == [("Rain falls",), ("More rain", "It rains")]


def test_refusals(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "docs", [1, 2])
    models = write_models(tmp_path / "models", [1])
    lines = tmp_path / "lines"
    lines.write_text("a\nb\nc\n")
    stories = write_stories(tmp_path / "stories.jsonl", "its own", None)
    broken = tmp_path / "broken"
    broken.write_text("<DOC><TEXT>Rain")
    cases = [
        ([documents], [models], f"document {name(2)} has no headline to compare with; no model summary in {models}"),
        ([documents], [models, lines], f"{lines}: a file among folders of references"),
        ([documents], [lines], f"{lines}: 3 lines for 2 documents"),
        ([stories], [], "document stories.jsonl:2 has no headline to compare with; give it one, or name references"),
        ([broken], [], f"{broken}:1: this <DOC> has no </DOC>"),
        ([documents], [write_models(tmp_path / "others", [1], docset="D9")], "no references for the documents"),
    ]
    for given, references, message in cases:
        with pytest.raises(InputError) as error:
            read_with_references(given, references)
        assert message in str(error.value)
        assert "\n" not in str(error.value)
