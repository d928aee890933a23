"""Options of translation outside of option sets, which commands share."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from widl.cli.schema import refuse_unused
from widl.errors import InputError
from widl.translation import TranslationOptions

MoreModels = Annotated[
    list[Path] | None,
    typer.Option(help="A further language model, with weight lm1, lm2, … in --weights. Repeatable."),
]
Markup = Annotated[
    bool, typer.Option("--markup", help='Input has markup: <x translation="…">, <zone>, <wall/>; else < is text.')
]
MarkupMode = Annotated[
    str, typer.Option(help="Translations in markup: exclusive, or inclusive: they compete with the table's.")
]


def with_markup(options: TranslationOptions, markup: bool, mode: str) -> TranslationOptions:
    """The options for input with markup or without."""
    if mode not in ("exclusive", "inclusive"):
        raise InputError(f"unknown markup-mode {mode!r}; it is one of exclusive, inclusive")
    if not markup:
        refuse_unused(["markup_mode"], "--markup")
    chosen: dict[str, Any] = {"markup": mode if markup else "none"}
    return replace(options, **chosen)
