"""All text readers ignore a byte-order mark and Windows line ends, and refuse UTF-16 in one line."""

import bz2
import gzip
import json
import lzma
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.experiments.conftest import ARPA
from widl.common.encodings import UNWRITTEN
from widl.common.errors import InputError
from widl.common.files import read_lines, write_bytes, write_text
from widl.decoder import LanguageModel
from widl.decoder.language_model import convert_language_model
from widl.decoder.lm_estimation import estimate_language_model
from widl.decoder.weights import read_table_weights, read_weights
from widl.experiments.bags import read_bags
from widl.experiments.config import read_config
from widl.experiments.word_order import WordOrderConfig
from widl.expressions.parsing import read_expressions
from widl.headline.documents import UnreadableDocument, read_documents, read_duc
from widl.mert.nbest import read_nbest
from widl.phrase_table import PhraseTable
from widl.phrase_table.given_alignment import read_links
from widl.phrase_table.moses_text import import_moses
from widl.pipeline.cluster import open_engine
from widl.text.penn import training_lines
from widl.text.segmentation import make_tokenizer
from widl.text.test_sets import read_test_set
from widl.text.truecasing import Truecaser
from widl.translation.glossary import Glossary

MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Reader:
    """Reads a file with this name and text; for UTF-16, the error message says so."""

    name: str
    text: str
    read: Callable[[Path], object]


def language_model(path: Path) -> list[object]:
    model = LanguageModel.load(path)
    return [model.order, [model.score_words(text.split()) for text in ("a b c", "b", "x")]]


def converted(path: Path) -> bytes:
    convert_language_model(path, path.with_name("converted.binary"), kind="probing")
    return path.with_name("converted.binary").read_bytes()


def estimated(path: Path, **options: object) -> str:
    output = path.with_name("estimated.arpa")
    estimate_language_model(path, output, order=2, **options)
    return output.read_text(encoding="utf-8")


def segmented(path: Path) -> list[str]:
    return make_tokenizer("zh", user_dictionary=path).tokenize("小明在杭研大厦学云计算")


def glossary(path: Path) -> object:
    return Glossary.read(path, normalize=str, split=str.split).terms


def configuration(path: Path) -> object:
    return read_config(path, WordOrderConfig)


def table(path: Path) -> list[object]:
    with path.open("rb") as stream:  # like from stdin
        import_moses(stream if path.suffix == ".in" else path, path.with_name("table"))
    with PhraseTable.open(path.with_name("table")) as opened:
        return list(opened.iterate())


def links(path: Path) -> list[str]:
    return [result.points(2, 2) for result in read_links(path)]


def nbest(path: Path) -> list[object]:
    result = read_nbest([path])
    return [result.sentences.tolist(), list(result.texts), result.features.tolist()]


def documents(path: Path) -> list[object]:
    result = list(read_documents([path]))
    for item in result:
        if isinstance(item, UnreadableDocument):
            raise InputError(item.message)
    return result


def duc(path: Path) -> list[object]:
    folder = path.parent / "documents" / "d30001t"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "A.1").write_text("Some news.\n")
    models = path.parent / "models"
    models.mkdir(exist_ok=True)
    shutil.copy(path, models / "D30001.P.10.T.A.A.1")
    return list(read_duc([folder.parent], [models]))


def scheduler(path: Path) -> str:
    """No scheduler is listening there."""
    with pytest.raises(InputError) as error, open_engine(str(path)):
        pass
    if "no Dask scheduler answers" not in str(error.value):
        raise error.value
    return str(error.value)


def expressions(path: Path) -> list[object]:
    return list(read_expressions(read_lines(path), name=str(path)))


SGML = """<srcset setid="x" srclang="zh"><doc docid="a">
<seg id="1">one
word</seg><seg id="2">two</seg></doc></srcset>
"""
DOCUMENT = """<DOC>
<DOCNO> A-1 </DOCNO>
<HEADLINE>Some news</HEADLINE>
<TEXT>
It rained.
It snowed.
</TEXT>
</DOC>
"""
MOSES = """das ||| the ||| 0.75 0.5 0.6 0.6 ||| 0-0 ||| 8 10 6 ||| |||
ein ||| a ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||
"""
NBEST = "0 ||| a b ||| lm= -1 2 ||| 3\n0 ||| b ||| lm= -2 1 ||| 2\n"
WEIGHTS = "p_fe = 1.0\nlm0 = 0.5\n"
TABLE_WEIGHTS = "p_fe = 1\np_ef = 1\nlex_fe = 1\nlex_ef = 1\nword_count = 0\n"

READERS = {
    "text": Reader("a.txt", "a é\n\nb\n", lambda path: list(read_lines(path))),
    "text, compressed": Reader("a.gz", "a é\n\nb\n", lambda path: list(read_lines(path))),
    "tokenized text for a language model": Reader("a.tok.txt", "a b .\nb a\n", lambda path: list(training_lines(path))),
    "bags": Reader("a.txt", "a b .\nb a\n", read_bags),
    "ARPA": Reader("a.arpa", ARPA, language_model),
    "ARPA, compressed": Reader("a.arpa.gz", ARPA, language_model),
    "ARPA to convert": Reader("a.arpa", ARPA, converted),
    "text of a language model": Reader("a.txt", "a é\nb a\n\nb", estimated),
    "text of a language model on disk": Reader("a.txt", "a é\nb a\n\nb", lambda path: estimated(path, memory=16 << 20)),
    "table": Reader("t.txt", MOSES, table),
    "table, compressed": Reader("t.gz", MOSES, table),
    "table from a stream": Reader("t.in", MOSES, table),
    "alignments": Reader("a.align", "0-0 1-1\n\n1-0\n", links),
    "n-best lists": Reader("n.txt", NBEST, nbest),
    "truecaser": Reader("t.tsv", "a\tA\nb\tb\n", lambda path: Truecaser.load(path)._usual),
    "user dictionary": Reader("u.txt", "杭研大厦\n云计算 5 n\n", segmented),
    "glossary": Reader("g.tsv", "a\tb\tc d\ne\tf\n", glossary),
    "expressions": Reader("e.widl", "∥(a, b)\n# é\nc\n", expressions),
    "expressions in JSON": Reader("e.json", '{"nodes": [{"word": "é"}]}\n', expressions),
    "weights": Reader("w.toml", WEIGHTS, lambda path: read_weights(path, ["p_fe", "lm0"])),
    "weights of a table": Reader("w.toml", TABLE_WEIGHTS, read_table_weights),
    "configuration": Reader("c.toml", 'bags = ["c.toml"]\nlm = "c.toml"\n', configuration),
    "test set": Reader("t.txt", "a é\nb\n", read_test_set),
    "test set in SGML": Reader("t.sgm", SGML, read_test_set),
    "document": Reader("d.txt", "It rained in Köln.\nIt snowed.\n\nMore.\n", documents),
    "documents in JSON": Reader("d.jsonl", '{"text": "It rained."}\n{"text": "It snowed."}\n', documents),
    "documents in SGML": Reader("d.sgm", DOCUMENT, documents),
    "references of DUC": Reader("r.txt", "Rain in Köln\n", duc),
    "scheduler file": Reader("s.json", json.dumps({"address": "tcp://127.0.0.1:1"}), scheduler),
}


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_marks_and_line_ends(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / reader.name
    content = reader.text.encode()
    expected = reader.read(write(path, content))
    windows = content.replace(b"\n", b"\r\n")
    for other in (MARK + content, windows, MARK + windows):
        assert reader.read(write(path, other)) == expected


@pytest.mark.parametrize("name", [name for name in READERS if name != "references of DUC"])  # these may be Latin-1
def test_utf16_is_refused(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    path = write(tmp_path / reader.name, reader.text.encode("utf-16"))
    with pytest.raises(InputError) as error:
        reader.read(path)
    message = str(error.value)
    assert "\n" not in message
    if name != "scheduler file":  # never written by users
        assert "it is UTF-16: convert it with iconv" in message
    assert path.name in message


COMPRESSED = {
    "zstd": b"\x28\xb5\x2f\xfd\x24\x15\xa9\x00\x00\xe6\x80\xbb",
    "lz4": b"\x04\x22\x4d\x18\x64\x40\xa7",
    "gzip": gzip.compress(b"text\n"),
    "xz": lzma.compress(b"text\n"),
    "bzip2": bz2.compress(b"text\n"),
    "zip": b"PK\x03\x04\x14\x00\x00\x00",
}


@pytest.mark.parametrize("kind", COMPRESSED)
@pytest.mark.parametrize("name", [name for name in READERS if name not in ("scheduler file", "references of DUC")])
def test_compressed_files_are_refused_by_name(name: str, kind: str, tmp_path: Path) -> None:
    """Whatever the ending of the name, but .gz, says: in one line, without a byte of the content."""
    path = tmp_path / Path(READERS[name].name).with_suffix(".in")
    path.write_bytes(COMPRESSED[kind])
    with pytest.raises(InputError, match=rf"{path.name}.*compressed by {kind}: .*decompress it") as error:
        READERS[name].read(path)
    assert "\n" not in str(error.value)
    assert "invalid" not in str(error.value)


def test_a_text_may_begin_like_a_compressed_file(tmp_path: Path) -> None:
    for text in ("BZh is no word", "BZh9", "PK", "7z", "\x04"):
        (tmp_path / "text").write_text(text)
        assert list(read_lines(tmp_path / "text")) == [text]


@pytest.mark.parametrize("ending", [*UNWRITTEN, ".ZST", ".Z"])
def test_no_plain_text_under_the_name_of_a_compressed_file(ending: str, tmp_path: Path) -> None:
    for write in (write_text, write_bytes):
        with pytest.raises(InputError, match=rf"out\.txt\{ending}: \w+ is not written; name a \.gz, \.xz or"):
            write(tmp_path / f"out.txt{ending}").__enter__()
    assert not list(tmp_path.iterdir())
