"""The spaCy component ``widl_headline``: it sets ``doc._.headline`` of every parsed document.

spaCy finds it by the entry point of the package:

    nlp = spacy.load("en_core_web_sm")
    nlp.add_pipe("widl_headline", config={"model": "headlines", "options": {"keywords": 8}})
    print(nlp("The Bank of Japan said on Monday it will sell bills.")._.headline)

It comes after the tagger, the lemmatizer and the parser. spaCy imports this module, nothing else of the package does.
"""

from collections.abc import Mapping
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from widl.arguments import PathLike, path_of
from widl.errors import InputError
from widl.headline.budget import Budget
from widl.headline.expression import PhraseOptions
from widl.headline.headliner import Headliner
from widl.headline.options import HeadlineOptions

NAME = "widl_headline"

_PARTS = {"budget": Budget, "phrases": PhraseOptions}
"""Options that are option sets themselves, as tables of a configuration."""


class HeadlineComponent:
    """Sets ``doc._.headline``, a string (empty if the document has no words), with the model of a directory."""

    def __init__(self, model: PathLike, options: HeadlineOptions | None = None) -> None:
        self._headliner = Headliner(model)
        self._options = options or HeadlineOptions()
        if not Doc.has_extension("headline"):
            Doc.set_extension("headline", default=None)

    def __call__(self, doc: Doc) -> Doc:
        """Make the document's headline."""
        doc._.headline = self._headliner.of_doc(doc, self._options).text
        return doc

    def __reduce__(self) -> tuple[type["HeadlineComponent"], tuple[PathLike, HeadlineOptions]]:
        return HeadlineComponent, (self._headliner.directory, self._options)


@Language.factory(NAME, default_config={"model": None, "options": {}}, assigns=["doc._.headline"])
def make_headline_component(
    nlp: Language,  # noqa: ARG001  # spaCy passes it
    name: str,
    model: str | None,
    options: Mapping[str, Any],
) -> HeadlineComponent:
    """The component of a model directory, with `HeadlineOptions` by name; ``budget`` and ``phrases`` are tables."""
    if model is None:
        raise InputError(
            f"{name}: no model; give a directory made by 'widl headline train', as in "
            f"add_pipe({NAME!r}, config={{'model': 'headlines'}})"
        )
    return HeadlineComponent(path_of(model, "model"), headline_options(options))


def headline_options(options: Mapping[str, Any]) -> HeadlineOptions:
    """`HeadlineOptions` of a table of a configuration; InputError names an option that there is not."""
    try:
        given = {name: _PARTS[name](**value) if name in _PARTS else value for name, value in options.items()}
        return HeadlineOptions(**given)
    except TypeError as error:
        raise InputError(f"{NAME}: {error}; see HeadlineOptions") from None
