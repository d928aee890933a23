"""The spaCy component ``widl_headline``: it sets ``doc._.headline`` and ``doc._.headline_message`` of every document.

spaCy finds it by the entry point of the package:

    nlp = spacy.blank("en")  # or any other English pipeline
    nlp.add_pipe("widl_headline", config={"model": "headlines", "options": {"keywords": 8}})
    print(nlp("The Bank of Japan said on Monday it will sell bills.")._.headline)

The text is parsed by the package's own pipeline, which models are trained with; the other's parse is not used. spaCy
imports this module, nothing else of the package does.
"""

from collections.abc import Mapping
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.headline.headliner import Headliner
from widl.headline.options import HeadlineOptions

NAME = "widl_headline"


_EXTENSIONS = ("headline", "headline_message")
_set_here: set[str] = set()


class HeadlineComponent:
    """Sets ``doc._.headline``, a string, with the model of a directory.

    ``doc._.headline_message`` says why it is empty, or none of the system asked for; else it is empty.
    """

    def __init__(self, model: PathLike, options: HeadlineOptions | None = None) -> None:
        self._headliner = Headliner(model)
        self._options = options or HeadlineOptions()
        for extension in _EXTENSIONS:
            if not Doc.has_extension(extension):
                Doc.set_extension(extension, default=None)
                _set_here.add(extension)
            elif extension not in _set_here:
                raise InputError(
                    f"{NAME}: doc._.{extension} is an extension of yours; rename it, or remove it first: "
                    f"Doc.remove_extension({extension!r})"
                )

    def __call__(self, doc: Doc) -> Doc:
        """Make the document's headline."""
        headline = self._headliner.headline(doc.text, self._options)
        doc._.headline, doc._.headline_message = headline.text, headline.message
        return doc

    def __reduce__(self) -> tuple[type["HeadlineComponent"], tuple[PathLike, HeadlineOptions]]:
        return HeadlineComponent, (self._headliner.directory, self._options)


@Language.factory(
    NAME,
    default_config={"model": None, "options": {}},
    assigns=[f"doc._.{extension}" for extension in _EXTENSIONS],
)
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
        return HeadlineOptions(**options)
    except InputError as error:
        raise InputError(f"{NAME}: {error}; see HeadlineOptions") from None
