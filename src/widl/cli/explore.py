"""`widl explore`."""

from pathlib import Path
from typing import Annotated, Any, get_args

from cyclopts import Parameter
from cyclopts.validators import Number

from widl.cli.models import open_models
from widl.common.errors import InputError
from widl.common.files import read_lines, replacing
from widl.common.option_values import is_whole_number
from widl.common.options import option_set
from widl.decoder import LanguageModel, read_realization_weights
from widl.decoder.search_options import Search
from widl.web.workbench import ViewRequest, Workbench
from widl.web.workbench_server import serve


@option_set
class Start:
    """What the page shows first."""

    expression: Annotated[str | None, Parameter(metavar="TEXT")] = None
    "WIDL-expression to start with."
    line: Annotated[str | None, Parameter(metavar="TEXT")] = None
    "Line to start with; requires a translation model."
    document: Annotated[Path | None, Parameter(metavar="FILE")] = None
    "Document to start with; requires a headline model."
    search: Annotated[tuple[str, ...], Parameter(metavar="NAME")] = ()
    "One or two of bfs, astar, astar-1 (any k), beam, stack and cube."

    @property
    def room(self) -> str:
        """The room of the workbench that shows it."""
        if self.search or (self.line is None and self.document is None):
            return "search"
        return "headline" if self.line is None else "translation"

    def request(self) -> ViewRequest:
        """The first view; InputError for searches that don't exist."""
        given: dict[str, Any] = {"room": self.room}
        given |= {name: text for name in ("expression", "line") if (text := getattr(self, name)) is not None}
        if self.document is not None:
            given["document"] = "\n".join(read_lines(self.document))
        if len(self.search) > 2:
            raise InputError(f"--search: one or two at a time, found {len(self.search)}")
        if self.search:
            given["searches"] = [_search(name) for name in self.search]
            given["space"] = "expression" if self.line is None else "line"
        return ViewRequest.read(given)


def explore(
    models: Annotated[
        list[Path] | None, Parameter(metavar="MODEL", help="A translation model, a headline model, or one of each.")
    ] = None,
    /,
    *,
    lm: Annotated[
        list[Path] | None,
        Parameter(name="--lm", help="Language models for expressions; default: a model of a few sentences."),
    ] = None,
    weights: Annotated[Path | None, Parameter(help="TOML file of weights for expressions.")] = None,
    start: Start = Start(),
    save: Annotated[
        Path | None, Parameter(metavar="FILE.html", help="Write the view as a self-contained page, and exit.")
    ] = None,
    port: Annotated[
        int, Parameter(validator=Number(gte=0, lte=65535), help="Port on this machine; 0: any free port.")
    ] = 0,
) -> None:
    """Watch expressions unfold, searches find or lose the best derivation, and translations and headlines take shape.

    Opens a page in the browser, served only on this machine until Ctrl-C. No data leaves the machine, and only --save
    writes files. The page starts with an expression whose best derivation A*_1 loses and A* finds.

      widl explore demo/model --line "警方正在调查这起事故。"
    """
    request = start.request()
    opened = open_models(models or [])
    workbench = Workbench(
        translator=opened.translator,
        headliner=opened.headliner,
        language_models=[LanguageModel.load(path) for path in lm or ()],
        weights=read_realization_weights(weights, len(lm or ()) or 1) if weights else None,
    )
    if start.line is not None and workbench.translator is None:
        raise InputError("--line needs a translation model: widl explore MODEL --line TEXT")
    if start.document is not None and workbench.headliner is None:
        raise InputError("--document needs a headline model: widl explore MODEL --document FILE")
    if save is not None:
        page = workbench.save(request)
        with replacing(save) as temporary:
            temporary.write_text(page, encoding="utf-8")
        return
    serve(workbench, request, port=port, say=print)


def _search(name: str) -> dict[str, object]:
    """Parses a search name; k follows a dash: astar-2."""
    before, dash, k = name.rpartition("-")
    if dash and before == "astar" and is_whole_number(k):
        return {"search": "astar-k", "k": int(k)}
    if name not in get_args(Search):
        raise InputError(f"--search {name}: choose one of {', '.join(get_args(Search))}, and astar-1, astar-2, …")
    return {"search": name}
