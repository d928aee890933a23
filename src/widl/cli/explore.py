"""`widl explore`."""

from pathlib import Path
from typing import Annotated, Any, get_args

from cyclopts import Parameter
from cyclopts.validators import Number

from widl.cli.models import open_models
from widl.common.errors import InputError
from widl.common.files import read_lines, replacing
from widl.decoder import LanguageModel, read_realization_weights
from widl.decoder.search_options import Search
from widl.web.server import serve
from widl.web.workbench import ViewRequest, Workbench

Models = Annotated[
    list[Path] | None,
    Parameter(metavar="MODEL", help="A translation model, a headline model, or one of each."),
]
Lm = Annotated[
    list[Path] | None,
    Parameter(name="--lm", help="Language models for expressions; default: a model of a few sentences."),
]
Weights = Annotated[Path | None, Parameter(help="TOML file of weights for expressions.")]
Text = Annotated[str | None, Parameter(metavar="TEXT", help="WIDL-expression to start with.")]
Line = Annotated[str | None, Parameter(metavar="TEXT", help="Line to start with; requires a translation model.")]
DocumentFile = Annotated[
    Path | None, Parameter(metavar="FILE", help="Document to start with; requires a headline model.")
]
Searches = Annotated[
    list[str] | None,
    Parameter(metavar="NAME", help="One or two of bfs, astar, astar-1 (any k), beam, stack and cube."),
]
Step = Annotated[int, Parameter(validator=Number(gte=0), help="Search step to start with.")]
Save = Annotated[Path | None, Parameter(metavar="FILE.html", help="Write the view as a self-contained page, and exit.")]
Port = Annotated[int, Parameter(validator=Number(gte=0, lte=65535), help="Port on this machine; 0: any free port.")]
Browser = Annotated[bool, Parameter(name="--browser", negative="--no-browser", help="Open the page in a browser.")]


def explore(
    models: Models = None,
    /,
    *,
    lm: Lm = None,
    weights: Weights = None,
    expression: Text = None,
    line: Line = None,
    document: DocumentFile = None,
    search: Searches = None,
    step: Step = 0,
    save: Save = None,
    port: Port = 0,
    browser: Browser = True,
) -> None:
    """Watch expressions unfold, searches find or lose the best derivation, and translations and headlines take shape.

    Opens a page in the browser, served only on this machine until Ctrl-C. No data leaves the machine, and only --save
    writes files. The page starts with an expression whose best derivation A*_1 loses and A* finds.

      widl explore demo/model --line "警方正在调查这起事故。"
    """
    given: dict[str, Any] = {"expression": expression, "line": line, "step": step}
    if document is not None:
        given["document"] = "\n".join(read_lines(document))
    if search:
        if len(search) > 2:
            raise InputError(f"--search: one or two at a time, found {len(search)}")
        given["searches"] = [_search(name) for name in search]
    if line is not None and search:
        given["space"] = "line"
    given["room"] = _room(given)
    request = ViewRequest.read({name: value for name, value in given.items() if value is not None})
    opened = open_models(models or [])
    workbench = Workbench(
        translator=opened.translator,
        headliner=opened.headliner,
        language_models=[LanguageModel.load(path) for path in lm or ()],
        weights=read_realization_weights(weights, len(lm or ()) or 1) if weights else None,
    )
    if line is not None and workbench.translator is None:
        raise InputError("--line needs a translation model: widl explore MODEL --line TEXT")
    if document is not None and workbench.headliner is None:
        raise InputError("--document needs a headline model: widl explore MODEL --document FILE")
    if save is not None:
        page = workbench.save(request)
        with replacing(save) as temporary:
            temporary.write_text(page, encoding="utf-8")
        return
    serve(workbench, request, port=port, browser=browser, say=print)


def _room(given: dict[str, Any]) -> str:
    """The room of the workbench for the given options."""
    if given.get("searches"):
        return "search"
    if given.get("line") is not None:
        return "translation"
    return "headline" if given.get("document") is not None else "search"


def _search(name: str) -> dict[str, object]:
    """Parses a search name; k follows a dash: astar-2."""
    before, dash, k = name.rpartition("-")
    if dash and before == "astar" and k.isdecimal():
        return {"search": "astar-k", "k": int(k)}
    if name not in get_args(Search):
        raise InputError(f"--search {name}: choose one of {', '.join(get_args(Search))}, and astar-1, astar-2, …")
    return {"search": name}
