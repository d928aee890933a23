"""KenLM binaries damaged in their bodies, at the same size: an error in words, never a crash, a hang or a NaN."""

import itertools
import math
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decoder.test_language_model import BINARIES, arpa_of, seeded_text
from widl.common.errors import InputError
from widl.decoder import convert_language_model, load_language_model

ORDER = 4
WORDS = [f"w{i}" for i in range(12)]


@pytest.fixture(scope="module")
def binaries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A small model in every kind of binary."""
    folder = tmp_path_factory.mktemp("binaries")
    arpa = folder / "model.arpa"
    arpa.write_text(arpa_of(seeded_text(3), ORDER))
    for kind, options in BINARIES.items():
        convert_language_model(arpa, folder / kind, **options)
    return {kind: (folder / kind).read_bytes() for kind in BINARIES}


def sentences() -> Iterator[list[str]]:
    source = random.Random(5)
    yield WORDS
    for _ in range(8):
        yield source.choices([*WORDS, "never seen"], k=7)


def is_refused_or_scores(path: Path, content: bytes) -> bool:
    """Whether a file is refused, when it is opened or by a query; if not, all scores are numbers."""
    path.write_bytes(content)
    try:
        model = load_language_model(path)
        for words in sentences():
            scores = [*model.score_words(words), *model.bound_words(words)]
            assert not any(map(math.isnan, scores))
    except InputError as error:
        assert "damaged" in str(error) or "size" in str(error) or str(error).startswith(f"{path}:")
        assert "\n" not in str(error)
        return True
    return False


@pytest.mark.parametrize("kind", BINARIES)
def test_a_whole_file_is_not_refused(tmp_path: Path, binaries: dict[str, bytes], kind: str) -> None:
    assert not is_refused_or_scores(tmp_path / "whole", binaries[kind])


@pytest.mark.slow
@pytest.mark.parametrize("kind", BINARIES)
def test_damage_all_over_the_file(tmp_path: Path, binaries: dict[str, bytes], kind: str) -> None:
    whole = binaries[kind]
    damages = itertools.cycle([b"\xff" * 8, bytes(8), b"\x00\x00\xc0\x7f" * 2])  # all ones, nothing, two NaN
    refused = 0
    for at, damage in zip(range(88, len(whole) - 8, 40), damages, strict=False):
        refused += is_refused_or_scores(tmp_path / "damaged", whole[:at] + damage + whole[at + 8 :])
    assert refused > 3


@pytest.mark.slow
@given(st.data())
def test_random_damage(
    tmp_path_factory: pytest.TempPathFactory, binaries: dict[str, bytes], data: st.DataObject
) -> None:
    content = bytearray(binaries[data.draw(st.sampled_from(sorted(BINARIES)))])
    source = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(source.choice([1, 2, 10, 100])):
        begin = source.randrange(88, len(content))
        end = min(len(content), begin + source.choice([1, 4, 8, 64, 1000]))
        content[begin:end] = source.choice([source.randbytes(end - begin), b"\xff" * (end - begin), bytes(end - begin)])
    is_refused_or_scores(tmp_path_factory.mktemp("damaged") / "model", bytes(content))


def test_a_full_hash_table_is_refused(tmp_path: Path, binaries: dict[str, bytes]) -> None:
    """A query for a key that isn't there would go round for ever."""
    whole = binaries["probing"]
    path = tmp_path / "full"
    path.write_bytes(whole[:200] + b"\x01" * (len(whole) - 400) + whole[-200:])
    with pytest.raises(InputError, match="damaged"):
        load_language_model(path)


def test_a_number_that_is_none_is_refused(tmp_path: Path, binaries: dict[str, bytes]) -> None:
    whole = binaries["rest"]
    nans = b"\x00\x00\xc0\x7f"
    path = tmp_path / "nan"
    found = 0
    for at in range(len(whole) // 2 // 4 * 4, len(whole) // 2 // 4 * 4 + 400, 4):
        path.write_bytes(whole[:at] + nans + whole[at + 4 :])
        try:
            model = load_language_model(path)
            for words in sentences():
                model.score_words(words)
        except InputError as error:
            found += "no number" in str(error)
    assert found
