"""The parts of a line's translation: its tokens, its tiles, and the search of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from widl.common.arguments import text_of
from widl.common.errors import InputError
from widl.common.options import with_more
from widl.common.presets import PresetOf2006
from widl.decoder import (
    CoreRealizer,
    CoreSearchOptions,
    Expression,
    FeatureLayout,
    Grammar,
    Realization,
    Tiles,
    WeightVector,
)
from widl.text.sides import TargetText
from widl.translation.folding import ShownFeatures
from widl.translation.lexicon import Lexicon
from widl.translation.options import TranslationOptions
from widl.translation.results import Candidate, candidates
from widl.translation.segmentations import with_segmentations
from widl.translation.sentence import GivenSpan, Sentence, SentenceReader
from widl.translation.tiling import tile
from widl.translation.written_tiles import expression_weights, written_tiles


class LineParts(ABC):
    """What a translator does with a line, step by step, for those who watch it or change it in between."""

    weights: dict[str, float]
    _lexicon: Lexicon
    _realizer: CoreRealizer
    _shown: ShownFeatures
    _target: TargetText
    _vector: WeightVector

    preset: PresetOf2006 | None
    """The preset whose features these are, if they are not the model's own."""

    def _own(self, options: TranslationOptions | None, **more: Any) -> TranslationOptions:
        """The options of a call; those of the preset if there are none; InputError if they are of another one."""
        if options is None:
            more = {"preset": self.preset} | more
        options = with_more(TranslationOptions, options, more)
        if options.preset != self.preset:
            found, own = options.preset or "no preset", self.preset or "none"
            raise InputError(f"options of {found}, but the model was opened with preset {own}; take the same for both")
        return options

    @abstractmethod
    def _check_open(self) -> None:
        """InputError after the model was closed."""

    @abstractmethod
    def reader(self, options: TranslationOptions) -> SentenceReader:
        """The reader of raw lines."""

    @abstractmethod
    def text(self, words: Sequence[str]) -> str:
        """The model's words as people write them."""

    def tiles(
        self, line: str, options: TranslationOptions | None = None, *, given: Sequence[GivenSpan] = ()
    ) -> list[Tiles]:
        """The tiles of each piece of a raw line; only long lines have several pieces.

        `given`: translations of spans of `tokens`.
        """
        options = self._own(options)
        sentence = self._sentence(line, options)
        kept = [span for span in sentence.given if all(span.end <= g.begin or g.end <= span.begin for g in given)]
        sentence = replace(sentence, given=tuple(sorted([*kept, *given], key=lambda span: span.begin)))
        return tile(sentence, self._lexicon, options)

    def expressions(self, line: str, options: TranslationOptions | None = None) -> list[Expression]:
        """The WIDL-expression of each piece of a raw line: the tiles that search chooses from, with their movement.

        Under `expression_weights` a `Realizer` of the same language models finds the same derivation with the same
        score, up to the scores of a reordering model and the limit of movement, which expressions do not have. Raises
        InputError for lines with zones or walls.
        """
        options = self._own(options)
        sentence = self._sentence(line, options)
        if sentence.zones or sentence.walls:
            raise InputError("zones and walls are not written as an expression; leave the tags or the clauses out")
        found = []
        for piece in tile(sentence, self._lexicon, options):
            kept = self._realizer.kept_alternatives(piece, self._vector, options.space())
            found.append(written_tiles(piece, kept, self._shown.core, self._shown.layout.widl))
        return found

    @property
    def expression_weights(self) -> dict[str, float]:
        """The weights of `expressions`, by the names that `Realizer` and ``widl realize --weights`` take."""
        return expression_weights(self._shown.core, self._shown.layout.widl, self.core_weights)

    def tokens(self, line: str, options: TranslationOptions | None = None) -> tuple[str, ...]:
        """The source words of a raw line, as its tiles count them."""
        return self._sentence(line, self._own(options)).tokens

    def _sentence(self, line: str, options: TranslationOptions) -> Sentence:
        self._check_open()
        return with_segmentations(self.reader(options).read(text_of(line, "line")), self._lexicon, options)

    def candidates(self, realization: Realization, tiles: Tiles) -> list[Candidate]:
        """The derivations of a search of `realize`, with their texts."""
        found = candidates(realization.nbest, tiles, 0, self._shown.of)
        return [candidate.with_text(self.text(candidate.words)) for candidate in found]

    def realize(self, tiles: Tiles, search: CoreSearchOptions, *, grammar: Grammar | None = None) -> Realization:
        """The search of one piece of a line, of the strings that a grammar accepts, with features in `core_layout`."""
        self._check_open()
        return self._realizer.realize([tiles], self._vector, search, grammar=grammar)[0]

    @property
    def core_layout(self) -> FeatureLayout:
        """Of the features that the search adds up, where movement is always one of its own."""
        return self._shown.core

    @property
    def core_weights(self) -> dict[str, float]:
        """The weights of `core_layout`."""
        return self._shown.core_weights(self.weights)

    def target_words(self, text: str) -> list[str]:
        """The words of a text of the target language, as the model knows them."""
        return self._target.tokens(text_of(text, "text"))
