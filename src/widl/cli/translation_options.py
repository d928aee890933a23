"""Options of translation outside of option sets, which commands share."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from widl.cli.option_sets import given, refuse_unused
from widl.common.errors import InputError
from widl.translation import TranslationOptions, Translator
from widl.translation.sentence import MarkupMode as Mode

MoreModels = Annotated[
    list[Path] | None,
    typer.Option(help="A further language model, with weight lm1, lm2, … in --weights. Repeatable."),
]
Markup = Annotated[
    bool, typer.Option("--markup", help='Input has markup: <x translation="…">, <zone>, <wall/>; else < is text.')
]
MarkupMode = Annotated[
    str, typer.Option(help="Of markup: exclusive, inclusive (beside the table's), constraint (the table's have them).")
]


def with_markup(options: TranslationOptions, markup: bool, mode: str) -> TranslationOptions:
    """The options for input with markup or without."""
    modes = [name for name in get_args(Mode) if name != "none"]
    if mode not in modes:
        raise InputError(f"unknown markup-mode {mode!r}; it is one of {', '.join(modes)}")
    if not markup:
        refuse_unused(["markup_mode"], "--markup")
    chosen: dict[str, Any] = {"markup": mode if markup else "none"}
    return replace(options, **chosen)


def distortion_of(options: TranslationOptions, distortion: str) -> str | None:
    """How movement is counted: as chosen, or None where a preset says so and nothing else was chosen."""
    return distortion if options.preset is None or given("distortion") else None


def tell_left_out(translator: Translator, *, quiet: bool) -> None:
    """On stderr, which features of the model its preset leaves out."""
    if translator.left_out and not quiet:
        names = ", ".join(translator.left_out)
        typer.echo(f"preset {translator.preset}: left out of this model: {names}", err=True)
