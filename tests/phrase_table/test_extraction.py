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


@given(
    bitext=bitexts(),
    max_length=st.integers(1, 8),
    smoothed=st.booleans(),
    in_domain=st.integers(0, 3),
    threads=st.sampled_from((1, 3)),
)
def test_scores_equal_the_definition(bitext, max_length, smoothed, in_domain, threads):
    options = {"max_phrase_length": max_length, "in_domain": in_domain, "threads": threads}
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
