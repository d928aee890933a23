import random

import pytest
from hypothesis import given

from tests.phrase_table.bitexts import bitexts, lines
from widl.errors import InputError
from widl.files import read_lines
from widl.phrase_table import alignment
from widl.phrase_table.alignment import align_words, write_priors

WORDS = [f"w{i}" for i in range(12)]


def test_words_that_always_go_together_are_aligned(tmp_path):
    # Sentences of three words out of twelve, word by word, the last two exchanged.
    source = [[WORDS[i % 12], WORDS[(i * 5 + 1) % 12], WORDS[(i * 7 + 3) % 12]] for i in range(200)]
    target = [[a.upper(), c.upper(), b.upper()] for a, b, c in source]
    calls = []
    files = align_words(
        map(" ".join, source), map(" ".join, target), tmp_path, progress=lambda *call: calls.append(call)
    )
    assert files == (tmp_path / "forward.align", tmp_path / "reverse.align")
    assert calls == [("align", 0, 200), ("align", 200, 200)]
    for file in files:
        lines = file.read_text().splitlines()
        assert len(lines) == 200
        points = [tuple(map(int, point.split("-"))) for line in lines for point in line.split()]
        right = sum(point in {(0, 0), (1, 2), (2, 1)} for point in points)
        assert right > 0.8 * 600


def test_nothing_to_align(tmp_path):
    for file in align_words([], [], tmp_path):
        assert file.read_text() == ""


def test_different_numbers_of_lines(tmp_path):
    with pytest.raises(InputError, match="2 source lines and 1 target lines"):
        align_words(["a", "b"], ["c"], tmp_path)


def test_an_empty_line(tmp_path):
    with pytest.raises(InputError, match=r"^line 2: an empty line can't be aligned"):
        align_words(["a", " "], ["c", "d"], tmp_path)
    assert list(tmp_path.iterdir()) == []


def bilingual(lines, seed):
    """Sentences of four different words out of twelve, their translations in any order, and the right links."""
    numbers = random.Random(seed)
    source = [numbers.sample(WORDS, 4) for _ in range(lines)]
    orders = [numbers.sample(range(4), 4) for _ in range(lines)]
    target = [[words[i].upper() + "x" for i in order] for words, order in zip(source, orders, strict=True)]
    links = [{f"{i}-{j}" for j, i in enumerate(order)} for order in orders]
    return [" ".join(words) for words in source], [" ".join(words) for words in target], links


def test_priors_by_hand(tmp_path):
    """One pair: A-x and B-x forward, so x has fertility 1 of each; reverse A-x only."""
    write_priors(["A B"], ["X y"], ["0-0 1-0"], ["0-0"], tmp_path / "p.gz")
    assert list(read_lines(tmp_path / "p.gz")) == [
        "LEX\ta\tx\t1",
        "LEX\tb\tx\t1",
        "FERF\ta\t1\t1",
        "FERF\tb\t1\t1",
        "FERR\tx\t1\t1",
        # Jumps over source words: from the beginning to A, then to the end; B is x's second link.
        "HMMF\t1\t2",
        "HMMR\t1\t1",
        "HMMR\t2\t1",
    ]


def slow_lexical_counts(source, target, forward):
    counts = {}
    for words, others, links in zip(source, target, forward, strict=True):
        for link in links.split():
            i, j = map(int, link.split("-"))
            key = (words.split()[i].lower(), others.split()[j].lower())
            counts[key] = counts.get(key, 0) + 1
    return counts


@pytest.mark.slow
@given(bitexts())
def test_lexical_priors_are_counts_of_links(tmp_path_factory, bitext):
    source, target, alignment = lines(bitext)
    path = tmp_path_factory.mktemp("priors") / "p"
    write_priors(source, target, alignment, alignment, path)
    found = [line.split("\t") for line in read_lines(path)]
    lexical = {(a, b): int(count) for kind, a, b, count in (f for f in found if f[0] == "LEX")}
    assert lexical == slow_lexical_counts(source, target, alignment)
    assert sum(int(f[3]) for f in found if f[0] == "FERF") == sum(
        len({link.split("-")[0] for link in links.split()}) for links in alignment
    )


@pytest.mark.slow
def test_priors_make_few_lines_enough(tmp_path):
    source, target, _ = bilingual(300, seed=1)
    forward, reverse = align_words(source, target, tmp_path)
    priors = tmp_path / "priors.gz"
    write_priors(source, target, read_lines(forward), read_lines(reverse), priors)
    # In three lines alone nothing says which words belong together.
    source, target, right = bilingual(3, seed=2)
    for path in align_words(source, target, tmp_path, priors=priors):
        found = [set(line.split()) for line in read_lines(path)]
        assert sum(len(a & b) for a, b in zip(found, right, strict=True)) >= 10


@pytest.mark.parametrize(
    "line", ["", "LEX", "LEX\ta\tb", "FERF\ta\t1\tmany", "HMMF\t1\t2\t3", "XYZ\ta\tb\t1", "LEX\ta\tb\t-1"]
)
def test_bad_priors_are_named(tmp_path, line):
    path = tmp_path / "priors"
    path.write_text(f"LEX\ta\tb\t1\n{line}\n")
    with pytest.raises(InputError, match=r"priors:2: no line of alignment priors: .*train the model again"):
        align_words(["a"], ["b"], tmp_path, priors=path)


def test_only_priors_of_the_text_are_given(tmp_path):
    path = tmp_path / "priors"
    kept = ["LEX\ta\tx\t1", "LEX\tb\ty\t1e+06", "FERF\ta\t1\t2", "FERR\tx\t1\t2", "HMMF\t-1\t5", "HMMR\t2\t5"]
    other = ["LEX\tq\tx\t1", "LEX\ta\tq\t1", "FERF\tx\t1\t2", "FERR\ta\t1\t2"]
    path.write_text("".join(f"{line}\n" for line in kept + other))
    assert list(alignment._priors_of(path, {"a", "b"}, {"x", "y"})) == kept


def test_a_failing_eflomal_is_noticed(tmp_path, monkeypatch):
    """Its interface ignores the exit code of its program."""
    monkeypatch.setattr(alignment.eflomal.Aligner, "align", lambda self, *args, **options: None)
    with pytest.raises(OSError, match=r"forward.align: eflomal wrote 0 of 1 lines"):
        align_words(["a"], ["b"], tmp_path)


def test_a_very_long_line_has_no_links(tmp_path):
    long = " ".join(["a"] * (alignment.LONGEST_LINE + 1))
    for path in align_words(["b c", long, "b"], ["y z", "x", "y"], tmp_path):
        written = path.read_text().splitlines()
        assert len(written) == 3
        assert written[1] == ""
