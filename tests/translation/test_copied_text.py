"""What is only copied stays as it was: addresses, HTML's characters, words with signs; marks are no words."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.phrase_table import PhraseTable
from widl.phrase_table.moses_text import import_moses
from widl.translation import Sentence, Tiler, TranslationOptions, Translator
from widl.translation.copied_text import find_copied, find_foreign_words, with_characters
from widl.translation.tables import TranslationTables

ADDRESSES = (
    "http://x.cn/AI/index https://a.b-c.org/d_e?f=1,2&g=h#i ftp://x.cn/a--b www.AI.com AI@x.cn a.b+c@mail.x.com.cn "
    "AI.com x.cn/AI/ https://x.cn/?a=1&amp;b=AI"
).split()
WORDS = (
    "McDonald's O'Brien D'Angelo .NET ASP.NET Node.js C++ C++11 C# F# J.K. U.S. AT&T R&D TCP/IP a->b x=>y a=b "
    "std::sort #tag #AI @user @AI_news Disney+ F-16 iPhone15 COVID-19 file_name.txt AT&amp;T Tom’s Müller José"
).split()


@pytest.mark.parametrize("word", [*ADDRESSES, *WORDS])
def test_copied_words_are_printed_as_they_stand(translator: Translator, tmp_path: Path, word: str) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("AI\tartificial intelligence\nC\tcarbon\nO\toxygen\nT\ttime\n北京\tPeking\n", encoding="utf-8")
    lines = [f"总统访问{word}。", f"总统访问 {word} 和北京。", f"（{word}）", f"北京，{word}，总统。"]
    for line, result in zip(lines, translator.translate(lines, glossary=path), strict=True):
        assert word in result.text, line


LETTERS = st.text("ABCXYZabcxyz", min_size=1, max_size=4)
SIGNED = st.one_of(
    st.lists(LETTERS, min_size=2, max_size=3).flatmap(
        lambda parts: st.sampled_from(["'", "&", "-", "_", "/", "=", "+", "->", "=>", "::"]).map(
            lambda by: by.join(parts)
        )
    ),
    st.tuples(st.sampled_from("@#"), LETTERS).map("".join),
    st.tuples(LETTERS, st.sampled_from(["+", "++", "#"])).map("".join),
)


@given(SIGNED, st.sampled_from(["总统访问{}。", "{}公布了报告。", "公司用{}，总统说", "总统 {} 北京"]))
def test_any_word_with_signs_is_printed_as_it_stands(translator: Translator, word: str, line: str) -> None:
    (result,) = translator.translate([line.format(word)])
    # A capital may begin the sentence.
    assert word[1:] in result.text
    assert word.lower() in result.text.lower()


@pytest.mark.parametrize(
    ("line", "copied"),
    [
        ("看http://x.cn/a<br>后", ["http://x.cn/a", "<br>"]),
        ("（http://x.cn/a）和x.cn。", ["http://x.cn/a", "x.cn"]),
        ("见x.cn&nbsp;吧", ["x.cn"]),
        ("5 &lt; 6 &#38; &#x3C;", ["&lt;", "&#38;", "&#x3C;"]),
        ("&lt;b&gt;银行&lt;/b&gt;", ["&lt;b&gt;", "&lt;/b&gt;"]),
        ("A & B; 1 < 2, a.b, 3.5", []),
    ],
)
def test_what_is_copied(line: str, copied: list[str]) -> None:
    assert [" ".join(part.tokens) for _, _, part in find_copied(line)] == copied


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("“银行”&hellip;", "“银行”…"),
        ("银行&nbsp;公司", "银行\xa0公司"),
        ("&#20013;&#x56fd;", "中国"),
        ("a &amp; b &lt; c &gt; d", "a &amp; b &lt; c &gt; d"),
        ('<a title="&quot;">&quot;', '<a title="&quot;">"'),
        ("http://x.cn/?a=&copy=1", "http://x.cn/?a=&copy=1"),
        ("R&D; &nosuch;", "R&D; &nosuch;"),
    ],
)
def test_references_become_characters(line: str, expected: str) -> None:
    assert with_characters(line) == expected


def test_references_in_translations(translator: Translator) -> None:
    lines = [
        "<b>银行 &amp; 公司</b>公布了报告。",
        "<p>银行&nbsp;公布了报告。</p>",
        "价格 &lt; 5美元。",
        "“银行”&hellip;",
    ]
    company, blank, price, dots = (result.text for result in translator.translate(lines))
    assert " &amp; " in company or ">&amp; " in company
    assert "nbsp" not in blank
    assert "&lt;" in price
    assert "hellip" not in dots
    assert "..." in dots


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("他买了iPhone 15 Pro。", ["iPhone 15 Pro"]),
        ("用 Windows 10，Visual C++ 6.0", ["Windows 10", "Visual C++ 6.0"]),
        ("World Health Organization说", ["World Health Organization"]),
        ("“Don't worry， be happy”，AI，GDP", ["Don't worry， be happy"]),
        ("iPhone 15部", []),  # fifteen of them
        ("iPhone 15 部", []),
        ("GDP 5.2%", []),
        ("GDP增长，5 GB", []),
    ],
)
def test_names_of_several_words(text: str, names: list[str]) -> None:
    assert [part.text for _, _, part in find_foreign_words(text)] == names


def test_names_of_several_words_in_translations(translator: Translator) -> None:
    names = ["Don't worry, be happy", "iPhone 15 Pro", "Galaxy S 20 Ultra", "Visual Studio Code", "Windows 10"]
    for name, result in zip(
        names, translator.translate(f"总统星期五用 {name}，访问北京。" for name in names), strict=True
    ):
        assert name in result.text


TABLE = """\
- ||| the South-North ||| .9 .9 .9 .9 ||| 0-0 ||| 9 9 9
《 ||| book ||| .9 .9 .9 .9 ||| 0-0 ||| 9 9 9
《 ||| " ||| .5 .5 .5 .5 ||| 0-0 ||| 9 9 9
- 新华网 ||| Xinhua ||| .9 .9 .9 .9 ||| 0-0 1-0 ||| 9 9 9
新华网 ||| Xinhuanet ||| .9 .9 .9 .9 ||| 0-0 ||| 9 9 9
吗 ||| ? ||| .9 .9 .9 .9 ||| 0-0 ||| 9 9 9
吗 ||| really ||| .5 .5 .5 .5 ||| 0-0 ||| 9 9 9
咦 ||| ? ? ||| .9 .9 .9 .9 ||| 0-0 ||| 9 9 9
咦 ||| , " ||| .5 .5 .5 .5 ||| 0-0 ||| 9 9 9
吗 ？ ||| ? ||| .9 .9 .9 .9 ||| 0-0 1-0 ||| 9 9 9
？ ||| ? ||| .9 .9 .9 .9 ||| 0-0 ||| 9 9 9
"""


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> TranslationTables:
    path = tmp_path_factory.mktemp("marks") / "table"
    import_moses(io.BytesIO(TABLE.encode()), path)
    return TranslationTables(PhraseTable.open(path), is_chinese=True)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- 新华网", {(0, 1, "-"), (0, 2, "Xinhua"), (1, 2, "Xinhuanet")}),
        ("《 新华网", {(0, 1, '"'), (1, 2, "Xinhuanet")}),
        ("吗", {(0, 1, "?"), (0, 1, "really")}),
        ("吗 ？", {(0, 1, "really"), (0, 2, "?"), (1, 2, "?")}),
        ("咦 新华网", {(0, 1, ', "'), (1, 2, "Xinhuanet")}),
        ("咦 ？", {(0, 1, "咦"), (1, 2, "?")}),
    ],
)
def test_marks_are_no_words_and_are_not_repeated(
    lexicon: TranslationTables, source: str, expected: set[tuple[int, int, str]]
) -> None:
    (piece,) = Tiler(lexicon, TranslationOptions(table_threshold=0)).tile([Sentence(tuple(source.split()))])[0]
    assert {(begin, end, " ".join(words)) for begin, end, words, _ in piece.alternatives} == expected
