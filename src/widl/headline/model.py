"""The files of a headline model, opened: language models, content model, and the layout of features."""

import functools
import json
import re
from pathlib import Path

from widl.common.errors import InputError
from widl.common.files import open_source
from widl.common.manifests import MANIFEST
from widl.decoder import (
    DISTORTION,
    UNKNOWN,
    CoreRealizer,
    FeatureLayout,
    LanguageModel,
    Vocabulary,
    WeightVector,
)
from widl.expressions import Expression
from widl.headline.casing import Casing
from widl.headline.clause_expression import COMPONENTS, ClauseExpression
from widl.headline.content_model import ContentModel
from widl.headline.document_trees import DocumentTrees
from widl.headline.keywords import Keyword
from widl.headline.manifest import HeadlineManifest
from widl.headline.options import HeadlineOptions
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.shortened_texts import lemma_counts
from widl.headline.speakers import announced, attributed_sentences, with_speaker
from widl.headline.units import UnitTree
from widl.headline.unwanted_terms import Unwanted
from widl.headline.word_lists import content_fields
from widl.headline.words import keys_of

READY_MODEL = Path(__file__).parent / "ready"
"""The package's model; ``training/ready/make_ready_model.py`` makes it."""
MODEL_FILES = (MANIFEST, "words.json.gz", "weights.toml")
"""Files by which a directory is taken for a model, complete or not."""

_DOCUMENT_WORDS = 3000  # of the document's language model
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n")


def clause_layout(language_models: int) -> FeatureLayout:
    """The features of clauses with this number of language models, including the document's model."""
    return clause_core_layout(language_models).without([DISTORTION, UNKNOWN, "phrase_count"])


def clause_core_layout(language_models: int) -> FeatureLayout:
    """The features of clauses as the core's search counts them."""
    return FeatureLayout.of(COMPONENTS, language_models)


CLAUSE_WEIGHTS = {"cuts": 0.35, "forms": 2.0, "kept": 0.25, "words": 1.0, "pairs": 1.0, "place": 16.0, "torn": 1.2}
CLAUSE_WEIGHTS |= {"lm0": 0.01, "lm1": 0.02, "lm2": 0.02, "word_count": 2.0}
"""Weights of clauses before tuning, for models trained without headlines."""

TRAINED_CLAUSE_WEIGHTS = CLAUSE_WEIGHTS | {"cuts": 0.6, "forms": 3.0, "words": 2.5, "lm1": 0.06, "word_count": 4.0}
"""Weights for models trained on headlines, whose probability is concentrated in few words."""


@functools.cache
def package_content() -> ContentModel:
    """The package's learned deletion model, for models without one."""
    return ContentModel.from_json(content_fields())


def read_content_model(path: Path) -> ContentModel:
    """The content model that `widl headline train` wrote."""
    try:
        with open_source(path) as file:
            return ContentModel.from_json(json.load(file))
    except InputError:
        raise
    except (OSError, EOFError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: damaged ({error}); train the model again") from None


class HeadlineModel:
    """The resources for preparing documents; the `Headliner` has the weights and the parser."""

    def __init__(self, directory: Path, manifest: HeadlineManifest) -> None:
        self._language_models = [LanguageModel.load(directory / name) for name in manifest.language_models]
        self._content = read_content_model(directory / manifest.words)
        self.layout = clause_layout(len(self._language_models) + 1)
        self.core_layout = clause_core_layout(len(self._language_models) + 1)
        self.vocabulary = Vocabulary([])
        """Shared by the expressions of all documents."""

    @property
    def order(self) -> int:
        """Order of the general language model."""
        return self._language_models[0].order

    @functools.cached_property
    def casing(self) -> Casing:
        """The usual forms of words, from training and from the package."""
        models = [content.casing.forms for content in (package_content(), self._content) if content.casing]
        return Casing({lower: form for forms in models for lower, form in forms.items()})

    def keywords(self, parsed: ParsedDocument, count: int) -> list[Keyword]:
        """The document's keywords, the heaviest first."""
        return self._content.keywords.keywords(sentences_of(parsed), count)

    def clause_expression(self, parsed: ParsedDocument, options: HeadlineOptions) -> ClauseExpression | None:
        """The expression of the clauses of the document that fit the limit; None without any."""
        unwanted = Unwanted(options.without) if options.without else None
        return ClauseExpression.of(self.trees(parsed, options), options, unwanted, options.letters)

    def trees(self, parsed: ParsedDocument, options: HeadlineOptions) -> DocumentTrees:
        """The trees of the document's first sentences, and of their reported clauses about the speaker."""
        content, sentences = self._content, attributed_sentences(parsed, shorter=not options.has_terms)
        package = package_content()
        deletions, forms = content.deletions or package.deletions, content.forms or package.forms
        assert deletions is not None
        assert forms is not None
        considered, counts = sentences[: options.sentences], lemma_counts(sentences)
        trees = [UnitTree(words, number, counts=counts) for number, words in enumerate(considered)]
        for number, words in enumerate(considered):
            if (rewritten := with_speaker(words) or announced(words)) is not None:
                trees.append(UnitTree(rewritten, number, retold=True, counts=counts))
        return DocumentTrees(trees, deletions, forms, content.headlines)

    def check_weights(self, weights: WeightVector, *, headlines: bool = True) -> None:
        """InputError for weights that no search accepts; `headlines` as in `realizer`."""
        realizer = self.realizer("a", headlines=headlines)
        realizer.realize_expressions([Expression.word("a")], weights, HeadlineOptions().core_options())

    def realizer(self, text: str, *, headlines: bool = True) -> CoreRealizer:
        """A realizer with the model's language models and one estimated from the document's text.

        Without `headlines`, the language model of headlines is omitted.
        """
        models = self._language_models if headlines else self._language_models[:1]
        return CoreRealizer(self.vocabulary, [*models, LanguageModel.estimate(document_lines(text))])


def document_lines(text: str) -> list[str]:
    """The text from which a document's language model is estimated."""
    words = text.split(" ", _DOCUMENT_WORDS)[:_DOCUMENT_WORDS]
    lines = (keys_of(line) for line in _SENTENCE_END.split(" ".join(words)))
    return [" ".join(keys) for keys in lines if keys]
