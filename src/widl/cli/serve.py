"""`widl serve`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from widl import __version__
from widl.cli.models import open_models
from widl.cli.parameters import CORES, Threads
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer, read_realization_weights
from widl.web import make_app, serve
from widl.web.service import SECONDS_OF_AN_ITEM


def serve_command(
    models: Annotated[
        list[Path] | None,
        Parameter(metavar="MODEL_DIR", help="A translation model, a headline model, or both."),
    ] = None,
    /,
    *,
    lm: Annotated[list[Path] | None, Parameter(name="--lm", help="A language model for /realize. Repeatable.")] = None,
    weights: Annotated[Path | None, Parameter(help="TOML file of weights for /realize.")] = None,
    host: Annotated[str, Parameter(help="Listen address; use 0.0.0.0 to accept other machines.")] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        Parameter(
            metavar="HOST",
            help="Host name that clients or a proxy ask for, besides localhost and IP addresses. Repeatable.",
        ),
    ] = None,
    port: Annotated[
        int, Parameter(validator=Number(gte=0, lte=65535), help="Port to listen on; 0: any free port.")
    ] = 8000,
    max_seconds: Annotated[
        float,
        Parameter(
            validator=Number(gt=0), help="Time limit for each item's search, in seconds; requests may ask for less."
        ),
    ] = SECONDS_OF_AN_ITEM,
    threads: Threads = CORES,
) -> None:
    """Answer JSON requests over HTTP; responses have the format of --json.

    POST /translate, /headline and /realize, GET /health; see docs/serving.md. The address is printed once the server is
    ready. On SIGTERM or Ctrl-C, the server answers pending requests and stops. It has no encryption or authentication:
    for access from other machines, run it behind a proxy that adds both.

      widl serve model &
      curl -H 'Content-Type: application/json' http://127.0.0.1:8000/translate \\
          -d '{"line": "我们明天出发。"}'
    """
    opened = open_models(models or [])
    realizer = None
    if lm:
        values = read_realization_weights(weights, len(lm)) if weights is not None else None
        realizer = Realizer([LanguageModel.load(path) for path in lm], values)
    elif weights is not None:
        raise InputError("--weights are for /realize; name its language models with --lm")
    service = make_app(
        translator=opened.translator,
        headliner=opened.headliner,
        realizer=realizer,
        max_seconds=max_seconds,
        threads=threads,
        version=__version__,
    )
    serve(
        service,
        host=host,
        port=port,
        names=name or [],
        listening=lambda url: print(f"widl serves at {url}"),
    )
