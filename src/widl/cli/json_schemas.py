"""`widl schema`: JSON schemas of what TOML files of options may hold, and of the results of ``--json``."""

import json
import math
import sys
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, TypeAdapter

from widl.cli.commands import Commands
from widl.cli.config_file import LoneOption
from widl.cli.option_sets import shown_default
from widl.cli.reference import CONFIGURATIONS, parameters
from widl.common.errors import InputError
from widl.common.option_values import plain_schema
from widl.common.options import Option, fields_of
from widl.common.validation import did_you_mean
from widl.decoder import ResultRecord
from widl.headline import HeadlineRecord
from widl.translation import TranslationOptions, TranslationRecord

app = Commands()

RESULT: TypeAdapter[Any] = TypeAdapter(
    TranslationRecord | HeadlineRecord | ResultRecord,
    config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True),
)
"""Checks a result, as `json.loads` gives it: of a translation, a headline, or an expression."""


@app.command()
def schema(
    names: Annotated[
        list[str],
        typer.Argument(
            help="A command, such as translate or headline generate; or result: a line that --json prints.",
            metavar="COMMAND",
        ),
    ],
) -> None:
    """Print the JSON schema of a command's options in a TOML file (--config), or of an experiment's configuration.

    \b
      widl schema translate > translate.schema.json
      widl schema experiment translation
      widl schema result
    """
    name = " ".join(names).replace(" ", "-")
    known = schemas() | {"result": result_schema()}
    if name not in known:
        raise InputError(f"no command {' '.join(names)!r} has options in a file; {did_you_mean(name, known)}")
    sys.stdout.write(json.dumps(known[name], indent=2, ensure_ascii=False) + "\n")


def result_schema() -> dict[str, Any]:
    """The schema of one line of `widl realize`, `order`, `translate` and `headline generate` with ``--json``."""
    head = {
        "$schema": _DIALECT,
        "title": "A result of widl",
        "description": "One line of what widl realize, order, translate and headline generate print with --json.",
    }
    schema = RESULT.json_schema()
    described: dict[str, str] = {}
    # A field is described where it is declared; records that inherit it get the same description.
    for name in ("PhraseRecord", "CandidateRecord", "ResultRecord", "HeadlineRecord", "TranslationRecord"):
        for key, entry in schema["$defs"][name]["properties"].items():
            del entry["title"]
            entry["description"] = entry.get("description") or described[key]
            described[key] = entry["description"]
    return head | schema


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each command's and each experiment's TOML file, by name."""
    properties: dict[str, dict[str, Any]] = {}
    owners: dict[type, dict[str, Any]] = {}
    for parameter in parameters():
        if parameter.option is not None:
            option = parameter.option.option
            owner = parameter.option.owner
            if owner not in owners:
                owners[owner] = TypeAdapter(owner).json_schema()
            name = parameter.command.removeprefix("widl ").replace(" ", "-")
            schema = _property(owners[owner]["properties"][option.name], option)
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
    result: dict[str, Any] = {key: value for key, value in plain_schema(schema).items() if key != "default"}
    shown_value = shown_default(option)
    if shown_value is not None and not (isinstance(shown_value, float) and math.isinf(shown_value)):
        number = option.written is not None and isinstance(shown_value, str) and shown_value.isdecimal()
        result["default"] = int(shown_value) if number else shown_value
    return result


def _property_alone(option: LoneOption, help: str) -> dict[str, Any]:
    kind = TypeAdapter(option.kind).json_schema()
    return {"description": help, **({"type": "array", "items": kind} if option.is_many else kind)}


def _configuration(model: type[BaseModel]) -> dict[str, Any]:
    schema: dict[str, Any] = plain_schema(model.model_json_schema())
    systems = schema.get("$defs", {}).get("SystemConfig")
    if systems is not None:  # its options are keys of the same table as the name
        option_schemas = TypeAdapter(TranslationOptions).json_schema()["properties"]
        del systems["properties"]["options"]
        options = fields_of(TranslationOptions)
        systems["properties"] |= {option.name: _property(option_schemas[option.name], option) for option in options}
        schema["$defs"].pop("TranslationOptions", None)
    return schema
