"""What translation gives back, and its text forms."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest

from widl.decoder import Derivation, Lattice, Tiles

Links = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class TranslatedPhrase:
    """Source positions [begin, end) and what they became, in target order."""

    begin: int
    end: int
    words: tuple[str, ...]
    unknown: bool = False
    """Passed through untranslated."""


@dataclass(frozen=True)
class Candidate:
    """One derivation of a whole line: its phrases, Σ λ h and h."""

    phrases: tuple[TranslatedPhrase, ...]
    score: float
    features: tuple[float, ...]

    def __getstate__(self) -> dict[str, object]:
        """Without `words`, which is soon made again."""
        return {name: value for name, value in vars(self).items() if name != "words"}

    @cached_property
    def words(self) -> list[str]:
        """The target words as the model knows them."""
        return [word for phrase in self.phrases for word in phrase.words]

    def alignment(self, links_of: Callable[[TranslatedPhrase], Links]) -> list[tuple[int, int]]:
        """Word alignment (source, target), given that of each phrase, which counts from the phrase's first words."""
        links = []
        start = 0
        for phrase in self.phrases:
            links += [(phrase.begin + i, start + j) for i, j in links_of(phrase)]
            start += len(phrase.words)
        return sorted(links)

    def trace(self) -> str:
        """Which phrase translated what, as Moses prints it: ``words |first-last| …``, source positions from 0.

        >>> Candidate((TranslatedPhrase(0, 2, ("a", "house")),), 0.0, ()).trace()
        'a house |0-1|'
        """
        return " ".join(f"{' '.join(phrase.words)} |{phrase.begin}-{phrase.end - 1}|" for phrase in self.phrases)


@dataclass(frozen=True)
class Translation:
    """One line's translation and the candidates beside it, best first.

    Score, bound and features add up over the pieces of a long line. No derivation scores more than `bound`, and
    `optimal` says that the best found reaches it. `stopped` is the budget that ran out, or empty. `failure` says why
    a line was passed through as it stands, which should not happen; `fault` what is wrong with its markup, so that it
    was translated as plain text.
    """

    text: str
    source: tuple[str, ...]
    nbest: tuple[Candidate, ...]
    texts: tuple[str, ...]
    """Of the candidates, as people write it."""
    feature_names: tuple[str, ...]
    bound: float
    optimal: bool
    stopped: str
    states: int
    edges: int
    seconds: float
    failure: str = ""
    fault: str = ""
    lattice: Lattice | None = None
    """Of the derivations explored, if they were asked for."""

    @property
    def best(self) -> Candidate:
        """The candidate that `text` is."""
        return self.nbest[0]

    @property
    def phrases(self) -> tuple[TranslatedPhrase, ...]:
        """Of the best candidate."""
        return self.best.phrases

    @property
    def score(self) -> float:
        """The best candidate's Σ λ h."""
        return self.best.score

    @property
    def features(self) -> dict[str, float]:
        """The best candidate's h."""
        return dict(zip(self.feature_names, self.best.features, strict=True))

    def as_json(self) -> dict[str, object]:
        """What ``--json`` prints."""
        names = ("text", "score", "bound", "optimal", "stopped", "features", "states", "edges", "seconds")
        phrases = [{"source": [p.begin, p.end], "words": list(p.words)} for p in self.phrases]
        record = {name: getattr(self, name) for name in names} | {"source": list(self.source), "phrases": phrases}
        if len(self.nbest) > 1:
            record["nbest"] = [
                {"text": text, "score": one.score, "features": dict(zip(self.feature_names, one.features, strict=True))}
                for one, text in zip(self.nbest, self.texts, strict=True)
            ]
        return record | {name: getattr(self, name) for name in ("failure", "fault") if getattr(self, name)}

    def nbest_lines(self, number: int) -> list[str]:
        """The candidates in Moses' n-best format: ``number ||| text ||| name= value … ||| score``."""
        lines = []
        for candidate, text in zip(self.nbest, self.texts, strict=True):
            features = zip(self.feature_names, candidate.features, strict=True)
            values = " ".join(f"{name}= {value:.9g}" for name, value in features)
            lines.append(f"{number} ||| {text} ||| {values} ||| {candidate.score:.9g}")
        return lines


def candidates(derivations: Iterable[Derivation], tiles: Tiles, start: int) -> list[Candidate]:
    """Derivations of the piece of a line that begins at token `start`."""
    known: dict[int, TranslatedPhrase] = {}  # n-best derivations share phrases; so their candidates do, also pickled
    found = []
    for derivation in derivations:
        words, at, phrases = derivation.words, 0, []
        for begin, end, count, alternative in derivation.phrases:
            if (phrase := known.get(alternative)) is None:
                passed = tiles.is_unknown(alternative)
                phrase = TranslatedPhrase(start + begin, start + end, tuple(words[at : at + count]), passed)
                known[alternative] = phrase
            phrases.append(phrase)
            at += count
        found.append(Candidate(tuple(phrases), derivation.score, tuple(derivation.features)))
    return found


def join(pieces: Sequence[Sequence[Candidate]], n: int, features: int) -> list[Candidate]:
    """The n best of all ways to choose a candidate for each piece of a line."""
    if len(pieces) == 1:
        return list(pieces[0])
    joined = [Candidate((), 0.0, (0.0,) * features)]
    for piece in pieces:
        # Of sorted lists, the n best pairs (i, j) have (i + 1)(j + 1) <= n.
        pairs = [(a, b) for i, a in enumerate(joined) for b in piece[: n // (i + 1)]]
        joined = [_concatenated(a, b) for a, b in nlargest(n, pairs, key=lambda pair: pair[0].score + pair[1].score)]
    return joined


def _concatenated(a: Candidate, b: Candidate) -> Candidate:
    features = tuple(x + y for x, y in zip(a.features, b.features, strict=True))
    return Candidate(a.phrases + b.phrases, a.score + b.score, features)
