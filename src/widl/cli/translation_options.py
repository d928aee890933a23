"""Translation options outside option sets, which commands share."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, get_args

from cyclopts import Parameter

from widl.cli.parameters import notify
from widl.common.errors import InputError
from widl.translation import TranslationOptions, Translator
from widl.translation.sentence import MarkupMode as Mode

MoreModels = Annotated[
    list[Path] | None,
    Parameter(help="Additional language model, with weight lm1, lm2, … in --weights. Repeatable."),
]
Markup = Annotated[
    bool,
    Parameter(
        name="--markup", help='Input has markup: <x translation="…">, <zone>, <wall/>; otherwise < is plain text.'
    ),
]
MarkupMode = Annotated[
    str,
    Parameter(help="Markup: exclusive, inclusive (competes with the table), constraint (table phrases contain it)."),
]


def with_markup(options: TranslationOptions, markup: bool, mode: str) -> TranslationOptions:
    """The options for input with markup or without."""
    modes = [name for name in get_args(Mode) if name != "none"]
    if mode not in modes:
        raise InputError(f"unknown markup-mode {mode!r}; choose one of {', '.join(modes)}")
    chosen: dict[str, Any] = {"markup": mode if markup else "none"}
    return replace(options, **chosen)


def distortion_of(options: TranslationOptions, distortion: str | None) -> str | None:
    """The chosen distortion mode, or None if the preset decides."""
    return distortion or (None if options.preset else "own")


def report_removed_features(translator: Translator, *, quiet: bool) -> None:
    """Reports on stderr which features of the model its preset removes."""
    if translator.left_out and not quiet:
        names = ", ".join(translator.left_out)
        notify(f"preset {translator.preset}: features of this model not used: {names}")
