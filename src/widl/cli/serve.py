"""`widl serve`."""

from pathlib import Path
from typing import Annotated

import typer

from widl import __version__
from widl.cli.commands import Commands
from widl.cli.models import open_models
from widl.cli.option_sets import with_options
from widl.cli.parameters import CORES, Threads
from widl.decoder import LanguageModel, Realizer, read_realization_weights
from widl.serving import ServiceOptions, make_app, serve

app = Commands()


@app.command(name="serve")
@with_options
def serve_command(
    models: Annotated[
        list[Path] | None,
        typer.Argument(help="A translation model, a headline model, or both.", metavar="MODEL_DIR"),
    ] = None,
    *,
    lm: Annotated[list[Path] | None, typer.Option("--lm", help="A language model for /realize. Repeatable.")] = None,
    weights: Annotated[Path | None, typer.Option(help="TOML file of weights for /realize.")] = None,
    host: Annotated[
        str, typer.Option(help="Listen address; use 0.0.0.0 to accept other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen at; 0: any that is free.", min=0, max=65535)] = 8000,
    options: ServiceOptions,
    threads: Threads = CORES,
) -> None:
    """Answer requests over HTTP: JSON in, and out what --json prints.

    POST /translate, /headline and /realize, GET /health; see docs/serving.md. The address is printed once it can be
    used. Requests under way are answered before SIGTERM or Ctrl-C stop it. There is no encryption and nobody is asked
    for a password: to be reached from elsewhere, put it behind a proxy that does.

    \b
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
        raise typer.BadParameter("--weights are for /realize; name its language models with --lm")
    service = make_app(
        translator=opened.translator,
        headliner=opened.headliner,
        realizer=realizer,
        options=options,
        threads=threads,
        version=__version__,
    )
    serve(
        service,
        host=host,
        port=port,
        connections=options.max_connections,
        listening=lambda url: typer.echo(f"widl serves at {url}"),
    )
