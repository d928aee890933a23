"""Random small word-aligned bitexts."""

import random

from hypothesis import strategies as st

from tests.reference.extraction import Bitext, Links


def links_text(links: Links) -> str:
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


def lines(bitext: Bitext) -> tuple[list[str], list[str], list[str]]:
    return (
        [" ".join(words) for words in bitext.sources],
        [" ".join(words) for words in bitext.targets],
        [links_text(links) for links in bitext.links],
    )


@st.composite
def links(draw: st.DrawFn, source_length: int, target_length: int) -> Links:
    # Sparse alignments, which have phrase pairs, and dense alignments.
    points = [(i, j) for i in range(source_length) for j in range(target_length)]
    if not points:
        return set()
    return draw(st.sets(st.sampled_from(points), max_size=source_length + target_length))


@st.composite
def bitexts(draw: st.DrawFn, sentences: int = 6, length: int = 7) -> Bitext:
    bitext = Bitext([], [], [])
    for _ in range(draw(st.integers(1, sentences))):
        # Few different words, so that phrases recur with different alignments.
        bitext.sources.append(draw(st.lists(st.sampled_from("的在了国"), max_size=length)))
        bitext.targets.append(draw(st.lists(st.sampled_from(["the", "of", "in", "a"]), max_size=length)))
        bitext.links.append(draw(links(len(bitext.sources[-1]), len(bitext.targets[-1]))))
    return bitext


def random_text(sentences=300, vocabulary=40, seed=1):
    """Sentences of Zipf-like words, their translations word by word with some neighbors exchanged."""
    draw = random.Random(seed)
    sources, targets, alignments = [], [], []
    for _ in range(sentences):
        words = [int(vocabulary ** draw.random()) for _ in range(draw.randint(1, 12))]
        order = list(range(len(words)))
        if len(words) > 2:
            i = draw.randrange(len(words) - 1)
            order[i], order[i + 1] = order[i + 1], order[i]
        sources.append(" ".join(f"f{word}" for word in words))
        targets.append(" ".join(f"e{words[i] % 17}" for i in order))
        alignments.append(" ".join(f"{i}-{j}" for j, i in enumerate(order) if draw.random() < 0.9))
    return sources, targets, alignments


TEXT = random_text()
