"""Random texts for language-model estimation, and comparison of the results."""

import random
import tempfile

from hypothesis import strategies as st

from widl.decoder import EstimationOptions, NGramModel, TrainingText

words = st.sampled_from(["a", "b", "c", "d", "e", "é", "字"])
sentences = st.lists(st.lists(words, max_size=7), min_size=1, max_size=40).filter(any)
# Texts with enough repeated words to estimate discounts.
zipf_sentences = st.builds(
    lambda seed, n: [
        random.Random(seed + i).choices([f"w{k}" for k in range(40)], [1 / k for k in range(1, 41)], k=i % 9)
        for i in range(n)
    ],
    st.integers(0, 10**6),
    st.integers(20, 150),
)
corpora = st.one_of(sentences, zipf_sentences)


def as_text(corpus: list[list[str]]) -> bytes:
    return "".join(" ".join(sentence) + "\n" for sentence in corpus).encode()


def empty_text(order: int, memory: int = 1 << 26, directory: object = None) -> TrainingText:
    """The default memory is large enough to avoid temporary files."""
    return TrainingText(order=order, memory=memory, directory=str(directory or tempfile.gettempdir()))


def model_of(text: bytes, order: int, **options) -> NGramModel:
    training_text = empty_text(order)
    training_text.add(text)
    return NGramModel.estimate(training_text, EstimationOptions(order=order, **options))


def arpa_of(model) -> str:
    pieces: list[bytes] = []
    model.write_arpa(pieces.append)
    return b"".join(pieces).decode()


def assert_close(ours: dict, theirs: dict, tolerance: float = 1e-5) -> None:
    assert ours.keys() == theirs.keys()
    different = {key: (ours[key], theirs[key]) for key in ours if abs(ours[key] - theirs[key]) > tolerance}
    assert not different
