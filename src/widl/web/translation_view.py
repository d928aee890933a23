"""View of a line's translation: its tiles, the chosen derivation, the n-best list with each feature's share."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from widl.common.errors import InputError
from widl.decoder import Tiles
from widl.translation import TranslationOptions, Translator
from widl.translation.line_parts import GivenTranslations
from widl.translation.phrase_drawing import draw_phrases
from widl.translation.results import Candidate
from widl.translation.sentence import GivenSpan
from widl.web.recorded_searches import NoResult
from widl.web.rendering import notebook, render

_NBEST = 5
_ALTERNATIVES = 4  # of a span


class ForcedTranslation(BaseModel):
    """A translation that the user wants for a span of the line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    begin: int = Field(ge=0)
    end: int = Field(ge=1)
    words: str = Field(min_length=1, max_length=500)


@dataclass(frozen=True)
class PhraseView:
    """A translation of a span, its p(e|f), and whether the derivation has it."""

    words: str
    probability: float
    chosen: bool


@dataclass(frozen=True)
class TranslationView:
    """A line's translation in the workbench, with changed weights and given translations of spans.

    TranslationView(Translator("model"), "警方正在调查这起事故。")  # the last line of a notebook's cell
    """

    translator: Translator
    line: str
    weights: Mapping[str, float] = field(default_factory=dict)
    """Replacements for the model's weights."""
    forced: Sequence[ForcedTranslation] = ()

    def html(self) -> Markup:
        """The translation, its tiles and the n best."""
        if not self.line.strip():
            return render("no_line")
        translator = self.translator
        if self.weights:
            translator = translator.reweighted({**translator.weights, **self._known_weights()})
        options = TranslationOptions(nbest=_NBEST)
        tokens = translator.tokens(self.line, options)
        pieces = translator.tiles(self.line, options, given=self._given(len(tokens)))
        if not pieces:
            raise InputError("the line has no words to translate")
        tiles, tokens = pieces[0], tokens[: len(pieces[0])]
        result = translator.realize(tiles, options.core_options())
        if not result.nbest:
            raise NoResult(result.failure)
        candidates = translator.candidates(result, tiles)
        return render(
            "translation",
            best=candidates[0],
            bound=result.bound,
            optimal=result.optimal,
            further=len(pieces) - 1,
            ribbons=Markup(draw_phrases(tokens, candidates[0].phrases)),
            tokens=tokens,
            spans=self._spans(tiles, candidates[0]),
            candidates=[self._row(candidate, translator.weights) for candidate in candidates],
            features=[name for name in translator.weights if any(candidate.features[name] for candidate in candidates)],
            forced=self.forced,
        )

    def _repr_html_(self) -> str:
        return notebook(self.html())

    def _known_weights(self) -> dict[str, float]:
        unknown = self.weights.keys() - self.translator.weights.keys()
        if unknown:
            raise InputError(f"unknown feature {min(unknown)!r}; this model has {', '.join(self.translator.weights)}")
        return dict(self.weights)

    def _given(self, length: int) -> list[GivenSpan]:
        spans: list[GivenSpan] = []
        for span in sorted(self.forced, key=lambda span: span.begin):
            if not (span.begin < span.end <= length and (not spans or spans[-1].end <= span.begin)):
                raise InputError(f"words {span.begin} to {span.end} can't be given a translation in this line")
            words = span.words.split()
            if not words:
                raise InputError("an empty translation")
            spans.append(GivenSpan(span.begin, span.end, GivenTranslations.evenly([words], exclusive=True)))
        return spans

    def _spans(self, tiles: Tiles, best: Candidate) -> list[dict[str, object]]:
        """The tiles by span, with the most probable translations of each span; a row holds spans side by side."""
        names = list(self.translator.core_layout.widl)
        direct = names.index("p_ef") if "p_ef" in names else 0
        chosen = {(phrase.begin, phrase.end, " ".join(phrase.words)) for phrase in best.phrases}
        spans = []
        ordered = sorted(
            tiles.alternatives,
            key=lambda alternative: (alternative[1] - alternative[0], alternative[0], -alternative[3][direct]),
        )
        for (begin, end), group in groupby(ordered, key=lambda alternative: alternative[:2]):
            by_text: dict[str, float] = {}  # the best of equal ones
            for _, _, words, scores in group:
                by_text.setdefault(" ".join(words), math.exp(scores[direct]))
            alternatives = [PhraseView(text, p, (begin, end, text) in chosen) for text, p in by_text.items()]
            shown = alternatives[:_ALTERNATIVES] + [
                alternative for alternative in alternatives[_ALTERNATIVES:] if alternative.chosen
            ]
            spans.append({"begin": begin, "end": end, "shown": shown, "more": len(alternatives) - len(shown)})
        return spans

    @staticmethod
    def _row(candidate: Candidate, weights: Mapping[str, float]) -> dict[str, object]:
        parts = [(name, value, weights[name] * value) for name, value in candidate.features.items()]
        most = sum(abs(part) for _, _, part in parts) or 1.0
        bars = [(name, part, 100 * abs(part) / most) for name, _, part in parts if part]
        return {"text": candidate.text, "score": candidate.score, "bars": bars, "features": candidate.features}
