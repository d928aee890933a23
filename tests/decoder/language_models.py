"""Small random language models as ARPA text and opened."""

import math
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from hypothesis import strategies as st

from tests.reference.arpa import arpa_text
from widl.decoder import LanguageModel

WORDS = ("a", "b", "c", "d")


@st.composite
def arpa_models(draw: st.DrawFn, words: Sequence[str] = WORDS) -> str:
    """A trigram model with arbitrary probabilities and back-offs <= 1; not normalized, which no search requires."""

    def log10(low: float = 0.01) -> float:
        return math.log10(draw(st.floats(low, 1.0)))

    backoffs = st.sampled_from([0.0, -0.1, -0.5, -1.0])
    unigrams = {("<unk>",): (-2.0, 0.0), ("<s>",): (-99.0, draw(backoffs)), ("</s>",): (log10(), 0.0)}
    unigrams |= {(word,): (log10(), draw(backoffs)) for word in words}
    contexts, ends = ["<s>", *words], [*words, "</s>"]
    pairs = draw(st.lists(st.sampled_from(list(product(contexts, ends))), unique=True, min_size=1, max_size=12))
    bigrams = {pair: (log10(), draw(backoffs)) for pair in pairs}
    possible = [(x, *pair) for x in contexts for pair in pairs if pair[0] != "<s>" and (x, pair[0]) in bigrams]
    some = st.lists(st.sampled_from(possible), unique=True, max_size=10) if possible else st.just([])
    trigrams = {triple: (log10(), 0.0) for triple in draw(some)} or {("<s>", "a", "b"): (-1.0, 0.0)}
    if ("<s>", "a", "b") in trigrams:
        bigrams.setdefault(("<s>", "a"), (-1.0, 0.0))
        bigrams.setdefault(("a", "b"), (-1.0, 0.0))
    orders = [unigrams, bigrams, trigrams]
    return arpa_text(*([
        f"{prob:.6f}\t{' '.join(gram)}" + ("" if len(gram) == 3 or gram[-1] == "</s>" else f"\t{backoff:g}")
        for gram, (prob, backoff) in grams.items()
    ] for grams in orders))  # fmt: skip


def model_of(arpa: str) -> LanguageModel:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.arpa"
        path.write_text(arpa, encoding="utf-8")
        return LanguageModel.load(str(path))
