"""WIDL-expressions, and what is made of them by search under n-gram language models: translations and headlines.

>>> from widl import LanguageModel, Realizer, parse
>>> model = LanguageModel.estimate(["the cat sat on the mat"])
>>> Realizer([model]).realize_one(parse("∥(on the mat, sat, ×(the cat))")).text
'the cat sat on the mat'

Everything here is loaded when it is first asked for: ``import widl`` itself takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widl.decoder import LanguageModel, RealizationOptions, Realizer
    from widl.decoder import parse_expression as parse
    from widl.errors import InputError
    from widl.headline import HeadlineOptions, Headliner
    from widl.headline.documents import Document
    from widl.mert import TuningOptions
    from widl.pipeline.headline_training import HeadlineTraining, train_headlines
    from widl.pipeline.training import TrainingOptions, train
    from widl.pipeline.tuning import tune
    from widl.translation import TranslationOptions, Translator

__version__ = "0.1.0"

__all__ = [
    "Document",
    "HeadlineOptions",
    "HeadlineTraining",
    "Headliner",
    "InputError",
    "LanguageModel",
    "RealizationOptions",
    "Realizer",
    "TrainingOptions",
    "TranslationOptions",
    "Translator",
    "TuningOptions",
    "parse",
    "train",
    "train_headlines",
    "tune",
]

_PLACES = {
    "Document": "widl.headline.documents",
    "HeadlineOptions": "widl.headline",
    "HeadlineTraining": "widl.pipeline.headline_training",
    "Headliner": "widl.headline",
    "InputError": "widl.errors",
    "LanguageModel": "widl.decoder",
    "RealizationOptions": "widl.decoder",
    "Realizer": "widl.decoder",
    "TrainingOptions": "widl.pipeline.training",
    "TranslationOptions": "widl.translation",
    "Translator": "widl.translation",
    "TuningOptions": "widl.mert",
    "parse": "widl.decoder:parse_expression",
    "train": "widl.pipeline.training",
    "train_headlines": "widl.pipeline.headline_training",
    "tune": "widl.pipeline.tuning",
}
"""Where each public name is, and what it is called there if that is another name."""


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'widl' has no attribute {name!r}")
    module, _, there = _PLACES[name].partition(":")
    found: object = getattr(import_module(module), there or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
