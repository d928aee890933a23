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
from widl.cli.config_file import LoneOption
from widl.cli.schema import CommandOption, bounds_text, is_many, shown_default
from widl.decoder import RealizationOptions
from widl.decoder.enumeration import EnumerationOptions
from widl.decoder.language_model import ConversionOptions
from widl.decoder.lm_estimation import LanguageModelOptions
from widl.decoder.lm_interpolation import InterpolationOptions
from widl.experiments.config import (
    SearchComparisonOptions,
    SetConfig,
    SignificanceOptions,
    SizesOptions,
    TuningConfig,
)
from widl.experiments.headline import HeadlineExperimentConfig
from widl.experiments.headline_systems import HeadlineSystemConfig
from widl.experiments.translation_config import SystemConfig, TranslationExperimentConfig
from widl.experiments.word_order import Budget as BagBudget
from widl.experiments.word_order_experiment import WordOrderConfig
from widl.files import write_text
from widl.headline import HeadlineOptions
from widl.headline.budget import Budget
from widl.headline.expression import PhraseOptions
from widl.headline.keyword_phrases import PaperOptions
from widl.mert import MetricOptions, OptimizerOptions, TuningOptions
from widl.options import Option, bounds_of, choices_of, fields_of, is_option_set
from widl.phrase_table.extraction import ExtractionOptions, ExtractionSpace, ScoringOptions
from widl.phrase_table.moses_text import ImportOptions
from widl.phrase_table.pruning import Pruning, PruningOptions
from widl.pipeline.headline_training import HeadlineTraining
from widl.pipeline.training import TrainingOptions
from widl.serving.app import ServiceOptions
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
    "Headlines": (HeadlineOptions, Budget, PhraseOptions, PaperOptions, HeadlineTraining),
    "Tuning": (TuningOptions, OptimizerOptions, MetricOptions),
    "Expressions": (RealizationOptions, EnumerationOptions),
    "Comparisons": (SignificanceOptions, SizesOptions, SearchComparisonOptions),
    "Service": (ServiceOptions,),
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

Every command that has such options reads all its options from a file, too, also those at the end of this page:
`--config FILE.toml`. The command line wins over the file, the file over the defaults. Keys are the names of the command
line with `_` for `-`; flags are `true` or `false`; paths begin at the file's folder; what may be given several times is
a list.

    #:schema docs/schemas/translate.json
    search = "astar-k"
    k = 3
    distortion_limit = "none"
    threads = 4
    weights = "tuned.toml"

The first line tells editors that know JSON schemas what may follow; it names a file of `docs/schemas`. There is
one for each command with options, and one for each experiment.

"""


_NOTHING = "–"
"""The default of an option that may be left out."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command: click's object, and its option, which belongs to an option set or is alone."""

    command: str
    click: Any
    option: CommandOption | None
    alone: LoneOption | None


def parameters() -> Iterator[Parameter]:
    """The parameters of all commands except ``--help``."""
    for name, command in _commands(get_command(app), "widl"):
        wrapped: list[CommandOption] = getattr(command.callback, "__wrapped_options__", [])
        options = {command_option.option.key: command_option for command_option in wrapped}
        alone = {option.name: option for option in getattr(command.callback, "__lone_options__", [])}
        for parameter in command.params:
            if parameter.name != "help":
                yield Parameter(name, parameter, options.get(parameter.name), alone.get(parameter.name))


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for subname, subcommand in command.commands.items():
        yield from _commands(subcommand, f"{name} {subname}")


# --- tables ---


def page() -> str:
    """The page of all option sets, configurations, and parameters outside of option sets."""
    used: dict[type[Any], list[str]] = {}
    for parameter in parameters():
        if parameter.option is not None and parameter.command not in used.setdefault(parameter.option.owner, []):
            used[parameter.option.owner].append(parameter.command)
    parts = [_INTRODUCTION]
    for heading, sets in OPTION_SETS.items():
        parts.append(f"## {heading}\n\n")
        parts += [_set_section(options, used.get(options, [])) for options in sets]
    parts.append("## Configurations of experiments\n\nKeys of TOML files; docs/experiments.md describes them.\n\n")
    parts += [_model_section(f"`widl experiment {name}`", model) for name, model in CONFIGURATIONS.items()]
    parts += [_model_section(f"`{model.__name__}`", model) for model in _PARTS]
    parts.append("## Other parameters of commands\n\nThese name files, and choose what is printed.\n\n")
    parts.append(_table(["parameter", "of", "meaning"], _alone()))
    return "".join(parts).rstrip() + "\n"


def _set_section(options: type[Any], commands: list[str]) -> str:
    summary = (options.__doc__ or "").split("\n\n")[0].strip()
    of = f" Of {', '.join(f'`{command}`' for command in commands)}." if commands else ""
    bases = [base for base in options.__bases__ if is_option_set(base)]
    of += "".join(f" Also has the options of [`{base.__name__}`](#{base.__name__.lower()})." for base in bases)
    inherited = {option.name for base in bases for option in fields_of(base)}
    rows = [_row(option) for option in fields_of(options) if option.name not in inherited]
    columns = ["option", "command line", "values", "default", "meaning"]
    return f"### `{options.__name__}`\n\n{summary}{of}\n\n{_table(columns, rows)}\n"


def _row(option: Option) -> list[str]:
    if option.is_part:
        kind = option.annotation.__name__
        default = _NOTHING if option.default is None else ""
        return [f"`{option.name}`", "", f"[`{kind}`](#{kind.lower()})", default, "A nested option set."]
    flag = "" if option.command_line.hidden else f"`--{option.cli_name}`"
    return [f"`{option.name}`", flag, values_text(option), _plain(shown_default(option)), option.help]


def values_text(option: Option) -> str:
    """The type or choices of an option.

    >>> by_name = {option.name: option for option in fields_of(RealizationOptions)}
    >>> values_text(by_name["bound"]), values_text(by_name["nbest"])
    ('static, context, eq2, lagrangian', 'int 1..1000000')
    """
    if option.written is not None:
        return option.written.metavar.strip("<>").replace("|", " or ")
    if option.choices:
        return ", ".join(map(str, option.choices))
    if option.command_line.metavar is not None and "|" in option.command_line.metavar:
        return option.command_line.metavar.replace("|", ", ")
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
        default_value = PydanticUndefined if info.is_required() else info.get_default(call_default_factory=True)
        default = "needed" if default_value is PydanticUndefined else _plain(default_value)
        low = bounds_of(info).get("ge")
        kind = kind_text(info.annotation) + (f" from {low:g}" if low else "")
        rows.append([f"`{name}`", kind, default, info.description or ""])
    summary = (model.__doc__ or "").split("\n\n")[0].strip()
    return f"### {title}\n\n{summary}\n\n{_table(['key', 'values', 'default', 'meaning'], rows)}\n"


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(getattr(item, "name", str(item)) for item in value) or _NOTHING
    if value is None or not isinstance(value, bool | int | float | str):
        return _NOTHING if value is None else ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _alone() -> list[list[str]]:
    """Parameters outside of option sets; equal parameters of several commands share a row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for parameter in parameters():
        if parameter.option is None:
            names = ", ".join(f"`{name}`" for name in parameter.click.opts if name.startswith("-"))
            label = names or f"`{(parameter.click.metavar or parameter.click.name)}`"
            rows.setdefault((label, parameter.click.help or ""), []).append(f"`{parameter.command}`")
    return [[name, ", ".join(commands), help] for (name, help), commands in rows.items()]


def _table(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    escaped = ([cell.replace("|", r"\|").replace("<", "&lt;") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in escaped)


# --- JSON schemas ---


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each command's and each experiment's TOML file, by name."""
    properties: dict[str, dict[str, Any]] = {}
    for parameter in parameters():
        if parameter.option is not None:
            option = parameter.option.option
            owner_schema = TypeAdapter(parameter.option.owner).json_schema()
            name = parameter.command.removeprefix("widl ").replace(" ", "-")
            schema = _property(owner_schema["properties"][option.name], option)
            properties.setdefault(name, {})[option.key] = schema
    for parameter in parameters():
        name = parameter.command.removeprefix("widl ").replace(" ", "-")
        if parameter.alone is not None and name in properties:
            properties[name][parameter.alone.key] = _property_alone(parameter.alone, parameter.click.help or "")
    fixed = {"type": "object", "additionalProperties": False}
    schemas_by_name: dict[str, dict[str, Any]] = {
        name: {"title": f"Options of widl {name}", **fixed, "properties": options}
        for name, options in properties.items()
    }
    schemas_by_name |= {f"experiment-{name}": _configuration(model) for name, model in CONFIGURATIONS.items()}
    return {name: {"$schema": _DIALECT, **schema} for name, schema in schemas_by_name.items()}


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _property(schema: dict[str, Any], option: Option) -> dict[str, Any]:
    result: dict[str, Any] = {key: value for key, value in _plain_schema(schema).items() if key != "default"}
    shown_value = shown_default(option)
    if shown_value is not None and not (isinstance(shown_value, float) and math.isinf(shown_value)):
        number = option.written is not None and isinstance(shown_value, str) and shown_value.isdecimal()
        result["default"] = int(shown_value) if number else shown_value
    return result


def _property_alone(option: LoneOption, help: str) -> dict[str, Any]:
    kind = TypeAdapter(option.kind).json_schema()
    return {"description": help, **({"type": "array", "items": kind} if option.is_many else kind)}


def _configuration(model: type[BaseModel]) -> dict[str, Any]:
    schema: dict[str, Any] = _plain_schema(model.model_json_schema())
    systems = schema.get("$defs", {}).get("SystemConfig")
    if systems is not None:  # its options are keys of the same table as the name
        option_schemas = TypeAdapter(TranslationOptions).json_schema()["properties"]
        del systems["properties"]["options"]
        options = fields_of(TranslationOptions)
        systems["properties"] |= {option.name: _property(option_schemas[option.name], option) for option in options}
        schema["$defs"].pop("TranslationOptions", None)
    return schema


def _plain_schema(schema: Any) -> Any:
    """A schema without null, which TOML lacks, without numbers that JSON lacks, and without generated titles."""
    if isinstance(schema, list):
        return [_plain_schema(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain_schema(value) for key, value in schema.items() if not _is_no_value(key, value)}
    choices = plain.get("anyOf")
    if isinstance(choices, list) and len(choices) == 1:
        plain = {key: value for key, value in plain.items() if key != "anyOf"} | choices[0]
    return plain


def _is_no_value(key: str, value: Any) -> bool:
    if key == "title" and isinstance(value, str):
        return True
    return key == "default" and (value is None or (isinstance(value, float) and not math.isfinite(value)))


def files() -> dict[str, str]:
    """The text of each generated file, by name in the documentation's folder."""
    texts = {"options.md": page()}
    for name, schema in schemas().items():
        texts[f"schemas/{name}.json"] = json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    return texts


def write_reference(directory: Path) -> None:
    """Write the page and the schemas into the documentation's folder; remove schemas of former commands."""
    texts = files()
    (directory / "schemas").mkdir(exist_ok=True)
    for path in (directory / "schemas").glob("*.json"):
        if f"schemas/{path.name}" not in texts:
            path.unlink()
    for name, text in texts.items():
        with write_text(directory / name) as file:
            file.write(text)


if __name__ == "__main__":
    write_reference(Path(sys.argv[1]))
