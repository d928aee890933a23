"""The reference of options in the documentation, and JSON schemas for editors, made from the option sets.

``python -m widl.cli.reference docs`` writes ``docs/options.md`` and ``docs/schemas/*.json``.
"""

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic_core import PydanticUndefined
from typer.main import get_command

from widl.alignment.given import GivenAlignments
from widl.alignment.symmetrization import Symmetrization
from widl.cli import app
from widl.cli.schema import CommandOption, bounds_text, is_many, shown_default
from widl.decoder import RealizationOptions
from widl.decoder.enumeration import EnumerationOptions
from widl.decoder.language_model import ConversionOptions
from widl.decoder.lm_estimation import LanguageModelOptions
from widl.decoder.lm_interpolation import InterpolationOptions
from widl.experiments.config import SetConfig, SignificanceOptions, TuningConfig
from widl.experiments.headline import HeadlineExperimentConfig, HeadlineSystemConfig
from widl.experiments.search import SearchComparisonOptions
from widl.experiments.sizes_table import SizesOptions
from widl.experiments.translation_config import SystemConfig, TranslationExperimentConfig
from widl.experiments.word_order import Budget as BagBudget
from widl.experiments.word_order_experiment import WordOrderConfig
from widl.files import write_text
from widl.headline import HeadlineOptions
from widl.headline.budget import Budget
from widl.headline.expression import PhraseOptions
from widl.mert import MetricOptions, OptimizerOptions, TuningOptions
from widl.options import Option, bounds_of, choices_of, fields_of, is_option_set
from widl.phrase_table.extraction import ExtractionOptions, ExtractionSpace, ScoringOptions
from widl.phrase_table.moses_text import ImportOptions
from widl.phrase_table.pruning import Pruning, PruningOptions
from widl.pipeline.cluster import ClusterOptions
from widl.pipeline.headline_training import HeadlineTraining
from widl.pipeline.training import TrainingOptions
from widl.text.cleaning import Cleaning
from widl.text.sides import TextSettings
from widl.translation import TranslationOptions

OPTION_SETS: dict[str, tuple[type[Any], ...]] = {
    "Training": (
        TrainingOptions,
        TextSettings,
        Cleaning,
        GivenAlignments,
        Symmetrization,
        ScoringOptions,
        ExtractionOptions,
        ExtractionSpace,
    ),
    "Phrase tables": (PruningOptions, Pruning, ImportOptions),
    "Language models": (LanguageModelOptions, ConversionOptions, InterpolationOptions),
    "Translation": (TranslationOptions,),
    "Headlines": (HeadlineOptions, Budget, PhraseOptions, HeadlineTraining),
    "Tuning": (TuningOptions, OptimizerOptions, MetricOptions),
    "Expressions": (RealizationOptions, EnumerationOptions),
    "Comparisons": (SignificanceOptions, SizesOptions, SearchComparisonOptions),
    "Clusters": (ClusterOptions,),
}
"""All option sets, under the headings of their tables."""

CONFIGURATIONS: dict[str, type[BaseModel]] = {
    "word-order": WordOrderConfig,
    "translation": TranslationExperimentConfig,
    "headline": HeadlineExperimentConfig,
}
"""Of experiments, by the experiment's name."""

_PARTS: tuple[type[BaseModel], ...] = (SetConfig, SystemConfig, HeadlineSystemConfig, TuningConfig, BagBudget)

_INTRODUCTION = """# Options

<!-- Made by `python -m widl.cli.reference docs`. -->

Every option is declared once, in an *option set*: a frozen dataclass in Python, whose fields are options of commands
and keys of TOML files. This page is made from them, as `widl COMMAND --help` is.

In Python the names are those of the first column, and a set checks its values when it is made:

    from widl import TranslationOptions
    TranslationOptions(search="astar-k", k=3, distortion_limit=None)

Every command that has such options reads them from a file, too: `--config FILE.toml`. The command line wins over the
file, the file over the defaults. Keys are the names of the command line with `_` for `-`; flags are `true` or `false`;
paths begin at the file's folder; what may be given several times is a list.

    #:schema docs/schemas/translate.json
    search = "astar-k"
    k = 3
    distortion_limit = "none"

The first line tells editors that know JSON schemas what may follow; it names a file of [schemas](schemas). There is
one for each command with options, and one for each experiment.

"""


_NOTHING = "–"
"""The default of an option that may be left out."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command: of click, and its option if it is of an option set."""

    command: str
    click: Any
    option: CommandOption | None


def parameters() -> Iterator[Parameter]:
    """All parameters of all commands, but ``--help``."""
    for name, command in _commands(get_command(app), "widl"):
        own = {one.option.key: one for one in getattr(command.callback, "__wrapped_options__", ())}
        for parameter in command.params:
            if parameter.name != "help":
                yield Parameter(name, parameter, own.get(parameter.name))


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for inner, found in command.commands.items():
        yield from _commands(found, f"{name} {inner}")


# --- tables ---


def page() -> str:
    """The page of all option sets, configurations, and parameters of commands alone."""
    used: dict[type[Any], list[str]] = {}
    for one in parameters():
        if one.option is not None and one.command not in used.setdefault(one.option.owner, []):
            used[one.option.owner].append(one.command)
    parts = [_INTRODUCTION]
    for heading, sets in OPTION_SETS.items():
        parts.append(f"## {heading}\n\n")
        parts += [_set_section(options, used.get(options, [])) for options in sets]
    parts.append("## Configurations of experiments\n\nKeys of TOML files; docs/experiments.md describes them.\n\n")
    parts += [_model_section(f"`widl experiment {name}`", model) for name, model in CONFIGURATIONS.items()]
    parts += [_model_section(f"`{model.__name__}`", model) for model in _PARTS]
    parts.append("## Parameters of commands alone\n\nThese say where things are, and what is printed.\n\n")
    parts.append(_table(["parameter", "of", "meaning"], _alone()))
    return "".join(parts).rstrip() + "\n"


def _set_section(options: type[Any], commands: list[str]) -> str:
    summary = (options.__doc__ or "").split("\n\n")[0].strip()
    of = f" Of {', '.join(f'`{command}`' for command in commands)}." if commands else ""
    bases = [base for base in options.__bases__ if is_option_set(base)]
    of += "".join(f" Also has the options of [`{base.__name__}`](#{base.__name__.lower()})." for base in bases)
    inherited = {one.name for base in bases for one in fields_of(base)}
    rows = [_row(one) for one in fields_of(options) if one.name not in inherited]
    columns = ["option", "command line", "values", "default", "meaning"]
    return f"### `{options.__name__}`\n\n{summary}{of}\n\n{_table(columns, rows)}\n"


def _row(option: Option) -> list[str]:
    if option.is_part:
        kind = option.annotation.__name__
        default = _NOTHING if option.default is None else ""
        return [f"`{option.name}`", "", f"[`{kind}`](#{kind.lower()})", default, "A part, with options of its own."]
    flag = "" if option.shown.hidden else f"`--{option.cli_name}`"
    shown = shown_default(option)
    default = _NOTHING if shown is None else str(shown).lower() if isinstance(shown, bool) else str(shown)
    return [f"`{option.name}`", flag, values_text(option), default, option.help]


def values_text(option: Option) -> str:
    """The type or choices of an option.

    >>> by_name = {one.name: one for one in fields_of(RealizationOptions)}
    >>> values_text(by_name["bound"]), values_text(by_name["nbest"])
    ('static, context, lagrangian', 'int 1..1000000')
    """
    if option.choices:
        return ", ".join(map(str, option.choices))
    if option.shown.metavar is not None and "|" in option.shown.metavar:
        return option.shown.metavar.replace("|", ", ")
    if option.written is not None:
        return option.written.metavar.strip("<>").replace("|", " or ")
    if is_many(option):
        return "paths" if option.is_path else "names" if not isinstance(option.default, dict) else "bounds by name"
    return kind_text(option.annotation) + bounds_text(option)


def kind_text(annotation: Any) -> str:
    """A type in words.

    >>> kind_text(int | None), kind_text(list[Path]), kind_text(bool)
    ('int', 'list of path', 'flag')
    """
    if choices := choices_of(annotation):
        return ", ".join(map(str, choices))
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return kind_text(inner[0])
    if origin in (Union, UnionType):
        return " or ".join(kind_text(kind) for kind in inner if kind is not NoneType)
    if origin is not None:
        plural = {list: "list", frozenset: "set", tuple: "row"}.get(origin, "table")
        return f"{plural} of {kind_text(inner[0])}"
    return {bool: "flag", Path: "path"}.get(annotation) or str(annotation.__name__)


def _model_section(title: str, model: type[BaseModel]) -> str:
    rows = []
    for name, info in model.model_fields.items():
        shown = PydanticUndefined if info.is_required() else info.get_default(call_default_factory=True)
        default = "needed" if shown is PydanticUndefined else _plain(shown)
        low = bounds_of(info).get("ge")
        kind = kind_text(info.annotation) + (f" from {low:g}" if low else "")
        rows.append([f"`{name}`", kind, default, info.description or ""])
    summary = (model.__doc__ or "").split("\n\n")[0].strip()
    return f"### {title}\n\n{summary}\n\n{_table(['key', 'values', 'default', 'meaning'], rows)}\n"


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(getattr(one, "name", str(one)) for one in value) or _NOTHING
    if value is None or not isinstance(value, bool | int | float | str):
        return _NOTHING if value is None else ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _alone() -> list[list[str]]:
    """Parameters that no option set has; equal ones of several commands in one row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for one in parameters():
        if one.option is None:
            names = ", ".join(f"`{name}`" for name in one.click.opts if name.startswith("-"))
            shown = names or f"`{(one.click.metavar or one.click.name)}`"
            rows.setdefault((shown, one.click.help or ""), []).append(f"`{one.command}`")
    return [[name, ", ".join(commands), help] for (name, help), commands in rows.items()]


def _table(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    escaped = ([cell.replace("|", r"\|").replace("<", "&lt;") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in escaped)


# --- JSON schemas ---


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each command's and each experiment's TOML file, by name."""
    properties: dict[str, dict[str, Any]] = {}
    for one in parameters():
        if one.option is not None:
            found = TypeAdapter(one.option.owner).json_schema()["properties"][one.option.option.name]
            name = one.command.removeprefix("widl ").replace(" ", "-")
            properties.setdefault(name, {})[one.option.option.key] = _property(found, one.option.option)
    made = {
        name: {"title": f"Options of widl {name}", "type": "object", "additionalProperties": False, "properties": of}
        for name, of in properties.items()
    }
    made |= {f"experiment-{name}": _configuration(model) for name, model in CONFIGURATIONS.items()}
    return {name: {"$schema": _DIALECT, **schema} for name, schema in made.items()}


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _property(schema: dict[str, Any], option: Option) -> dict[str, Any]:
    found: dict[str, Any] = {key: value for key, value in _plain_schema(schema).items() if key != "default"}
    shown = shown_default(option)
    if shown is not None and not (isinstance(shown, float) and math.isinf(shown)):
        number = option.written is not None and isinstance(shown, str) and shown.isdecimal()
        found["default"] = int(shown) if number else shown
    return found


def _configuration(model: type[BaseModel]) -> dict[str, Any]:
    schema: dict[str, Any] = _plain_schema(model.model_json_schema())
    systems = schema.get("$defs", {}).get("SystemConfig")
    if systems is not None:  # whose options stand beside the name
        own = TypeAdapter(TranslationOptions).json_schema()["properties"]
        del systems["properties"]["options"]
        systems["properties"] |= {one.name: _property(own[one.name], one) for one in fields_of(TranslationOptions)}
        schema["$defs"].pop("TranslationOptions", None)
    return schema


def _plain_schema(schema: Any) -> Any:
    """A schema without null, which TOML does not have, numbers that JSON does not have, and titles that say nothing."""
    if isinstance(schema, list):
        return [_plain_schema(one) for one in schema if one != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    found = {key: _plain_schema(value) for key, value in schema.items() if not _is_no_value(key, value)}
    choices = found.get("anyOf")
    if isinstance(choices, list) and len(choices) == 1:
        found = {key: value for key, value in found.items() if key != "anyOf"} | choices[0]
    return found


def _is_no_value(key: str, value: Any) -> bool:
    if key == "title" and isinstance(value, str):
        return True
    return key == "default" and (value is None or (isinstance(value, float) and not math.isfinite(value)))


def files() -> dict[str, str]:
    """All that is made, by name in the documentation's folder."""
    made = {"options.md": page()}
    for name, schema in schemas().items():
        made[f"schemas/{name}.json"] = json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    return made


def write_reference(directory: Path) -> None:
    """Write the page and the schemas into the documentation's folder; schemas of what is no command go."""
    made = files()
    (directory / "schemas").mkdir(exist_ok=True)
    for path in (directory / "schemas").glob("*.json"):
        if f"schemas/{path.name}" not in made:
            path.unlink()
    for name, text in made.items():
        with write_text(directory / name) as file:
            file.write(text)


if __name__ == "__main__":
    write_reference(Path(sys.argv[1]))
