import gzip
from itertools import islice
from math import exp, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import bitexts, lines
from tests.phrase_table.tables import items_of, table_of
from tests.reference import extraction as slow
from widl.common.errors import InputError
from widl.phrase_table import extract_phrases


def links_of(grid):
    return " ".join(f"{i}-{j}" for i, row in enumerate(grid) for j, cell in enumerate(row) if cell == "*")


def test_an_alignment_of_blocks():
    # The alignment grid of the nine-word example in Koehn et al.'s (2003) and Moses' descriptions: blocks
    # A B C D of 1x1, 1x2, 3x1 and 2x1 words in order, then two words E and F that change places.
    grid = ["*......", ".**....", "...*...", "...*...", "...*...", "....*..", "....*..", "......*", ".....*."]
    text = ["a b c1 c2 c3 d1 d2 e f"], ["A B1 B2 C D F E"], [links_of(grid)]
    pairs = """
        a=A  b=B1 B2  c1 c2 c3=C  d1 d2=D  e=E  f=F
        a b=A B1 B2  b c1 c2 c3=B1 B2 C  c1 c2 c3 d1 d2=C D  e f=F E
        a b c1 c2 c3=A B1 B2 C  b c1 c2 c3 d1 d2=B1 B2 C D  d1 d2 e f=D F E
        a b c1 c2 c3 d1 d2=A B1 B2 C D  c1 c2 c3 d1 d2 e f=C D F E
        b c1 c2 c3 d1 d2 e f=B1 B2 C D F E  a b c1 c2 c3 d1 d2 e f=A B1 B2 C D F E
    """
    expected = {tuple(pair.split("=")) for line in pairs.split("\n") for pair in line.strip().split("  ") if pair}
    assert len(expected) == 17
    assert extract_words(*text, max_length=9) == expected
    # The last two have eight and nine words on one side.
    assert extract_words(*text) == {(f, e) for f, e in expected if len(f.split()) <= 7}


def test_a_lexical_weight_by_hand():
    # Koehn et al. (2003), Sec. 4.4: f1-e1, f2 linked to e2 and e3, f3 unaligned. Other sentences make the words
    # ambiguous: w(f1|e1) = 1/2, w(f2|e2) = 1/3, w(f2|e3) = 1, w(f3|NULL) = 1/2.
    sources = ["f1 f2 f3", "g", "h", "h", "h"]
    targets = ["e1 e2 e3", "e1", "e2", "e2", "e4"]
    scorer = extract_phrases(sources, targets, ["0-0 1-1 1-2", "0-0", "0-0", "0-0", ""])
    scores, _, _ = table_of(scorer)[("f1", "f2", "f3"), ("e1", "e2", "e3")]
    assert exp(scores[2]) == pytest.approx(1 / 2 * (1 / 3 + 1) / 2 * 1 / 2)
    # In the other direction: w(e1|f1) = 1, w(e2|f2) = w(e3|f2) = 1/2.
    assert exp(scores[3]) == pytest.approx(1 * 1 / 2 * 1 / 2)


def extract_words(*text, max_length=7):
    return {(" ".join(f), " ".join(e)) for f, e in table_of(extract_phrases(*text, max_length=max_length))}


def test_scores_by_hand():
    # das is linked to the twice and to this once; buch, next to das, is unaligned.
    scorer = extract_phrases(
        ["das haus", "das", "das buch"], ["the house", "this", "the"], ["0-0 1-1", "0-0", "0-0"], smoothing="none"
    )
    table = table_of(scorer)
    scores, counts, links = table[("das",), ("the",)]
    # count(das, the) = 2, count(the) = 3 (with "das buch"), count(das) = 3.
    assert counts == [3, 3, 2]
    assert links == [(0, 0)]
    assert scores[0] == pytest.approx(log(2 / 3))
    assert scores[1] == pytest.approx(log(2 / 3))
    # w(das|the) = 2/2, w(the|das) = 2/3.
    assert scores[2] == pytest.approx(0)
    assert scores[3] == pytest.approx(log(2 / 3))
    # "das buch": lex(f|e) = w(das|the) * w(buch|NULL) = 1 * 1; lex(e|f) = w(the|das).
    scores, counts, _ = table[("das", "buch"), ("the",)]
    assert counts == [3, 1, 1]
    assert scores == pytest.approx([log(1 / 3), 0, 0, log(2 / 3)])


def test_options_are_best_first():
    scorer = extract_phrases(["a"] * 6 + ["b"], ["x", "y", "y", "z", "w", "w", "w"], ["0-0"] * 7, smoothing="none")
    # Options of a: y 2/6; w 2/6, but p(a|w) = 2/3 only; then x before z, with the same scores.
    options = [e for f, e in table_of(scorer) if f == ("a",)]
    assert options[:2] == [("y",), ("w",)]
    assert set(options[2:]) == {("x",), ("z",)}


@pytest.mark.slow
@given(
    bitext=bitexts(),
    max_length=st.integers(1, 8),
    smoothed=st.booleans(),
    in_domain=st.integers(0, 3),
    threads=st.sampled_from((1, 3)),
)
def test_scores_equal_the_definition(bitext, max_length, smoothed, in_domain, threads):
    options = {"max_length": max_length, "in_domain": in_domain, "threads": threads}
    scorer = extract_phrases(*lines(bitext), smoothing="kneser-ney" if smoothed else "none", **options)
    in_domain = min(in_domain, len(bitext.sources)) * scorer.has_in_domain
    fast, expected = table_of(scorer), slow.score(bitext, max_length, smoothed=smoothed, in_domain=in_domain)
    assert fast.keys() == expected.keys()
    for pair, (scores, counts, links) in fast.items():
        assert tuple(counts) == expected[pair].counts
        assert set(links) == expected[pair].alignment
        exact = [i for i in range(len(scores)) if not (smoothed and i < 2) and i < 4]
        logs = [log(p) for p in expected[pair].scores]
        assert [scores[i] for i in exact] == pytest.approx([logs[i] for i in exact], rel=1e-5, abs=1e-6)
        assert scores == pytest.approx(logs, rel=1e-5, abs=1 / 4096)  # the other values have 12 binary digits


def test_words_with_control_characters_are_kept_apart():
    scorer = extract_phrases(["a a\x01 a"], ["x y z"], ["0-0 1-1 2-2"])
    keys = [key for key, _ in items_of(scorer)]
    assert keys == [b"a", b"a a\x01", b"a a\x01 a", b"a\x01", b"a\x01 a"]  # word by word


def test_phrases_can_be_left_before_their_end():
    phrases = extract_phrases(["a b c d e f g"] * 50, ["a b c d e f g"] * 50, ["0-0"] * 50)
    folder = phrases.exchange.folder.path
    assert next(phrases.batches()) is not None
    assert folder.is_dir()
    del phrases
    assert not folder.exists()


@pytest.mark.parametrize("links", ["0-0 2-0", "0-1"])
def test_links_outside_the_sentences(links):
    with pytest.raises(InputError, match=r"^line 2: alignment point \S+ is outside"):
        extract_phrases(["a b", "a b"], ["c", "c"], ["0-0", links])


def test_files_of_different_length():
    with pytest.raises(InputError, match=r"^line 2: the target and the alignment text ends before the others"):
        extract_phrases(["a", "b"], ["c"], ["0-0"])


# --- against Moses ---


def moses_phrases(moses, **options):
    with (
        (moses / "bitext.zh").open() as f,
        (moses / "bitext.en").open() as e,
        (moses / "gdfa.align").open() as a,
    ):
        return extract_phrases(f, e, a, **options, smoothing="none")


@pytest.fixture(scope="module")
def table_like_moses(moses):
    return table_of(moses_phrases(moses))


def moses_bitext(moses):
    def words(name):
        return [line.split() for line in (moses / name).read_text().splitlines()]

    links = [{tuple(map(int, point.split("-"))) for point in line} for line in words("gdfa.align")]
    return slow.Bitext(words("bitext.zh"), words("bitext.en"), links)


def moses_lexicon(path):
    with gzip.open(path, "rt") as file:
        return {
            tuple(None if word == "NULL" else word for word in words): float(p) for *words, p in map(str.split, file)
        }


def moses_table(moses):
    """(f, e) -> scores in Moses' order, links, counts of e, f, both."""
    with gzip.open(moses / "phrase-table.gz", "rt") as file:
        for line in file:
            f, e, scores, links, counts = line.split(" ||| ")[:5]
            yield (
                (tuple(f.split()), tuple(e.split())),
                [float(p) for p in scores.split()],
                [tuple(map(int, point.split("-"))) for point in links.split()],
                [int(n) for n in counts.split()],
            )


def test_phrase_pairs_probabilities_counts_and_alignments_equal_moses(moses, table_like_moses):
    table = table_like_moses
    lines = 0
    for pair, (p_f, _, p_e, _), links, counts in moses_table(moses):
        lines += 1
        if lines % 5:
            continue
        found_scores, found_counts, found_links = table[pair]
        assert found_counts == counts
        assert found_links == links
        assert isclose(exp(found_scores[0]), p_f, rel_tol=1e-4)
        assert isclose(exp(found_scores[1]), p_e, rel_tol=1e-4)
    assert lines == len(table) == 223811


def test_lexical_weights_equal_moses(moses, table_like_moses):
    # The reference table was scored with the two lexicons exchanged, where a missing pair weighs 1: its
    # column lex(e|f) looks up p(f|e) for (e, f). The first check gives our slow definition the same lexicons and gets
    # the same scores, which confirms the choice of alignment. The second check compares the core with the slow
    # definition under the correct lexicons.
    f2e, e2f = (
        {(second, first): p for (first, second), p in moses_lexicon(moses / name).items()}
        for name in ("lex.f2e.gz", "lex.e2f.gz")
    )
    w_f, w_e = slow.lexicons(moses_bitext(moses))
    w_f = {(e, f): p for (f, e), p in w_f.items()}
    table = table_like_moses
    for (f, e), (_, lex_f, _, lex_e), links, _ in islice(moses_table(moses), 0, None, 11):
        links, turned = set(links), {(j, i) for i, j in links}
        assert isclose(slow.lexical_weight(f, e, links, f2e, missing=1), lex_e, rel_tol=1e-4)
        assert isclose(slow.lexical_weight(e, f, turned, e2f, missing=1), lex_f, rel_tol=1e-4)
        result = table[f, e][0]
        assert isclose(exp(result[3]), slow.lexical_weight(f, e, links, w_e), rel_tol=1e-5)
        assert isclose(exp(result[2]), slow.lexical_weight(e, f, turned, w_f), rel_tol=1e-5)
