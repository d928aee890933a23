"""The HTTP service: an ASGI application over open models."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, WithJsonSchema
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from widl.common.errors import InputError
from widl.common.options import adjust
from widl.decoder import RealizationOptions, Realizer, Result
from widl.expressions import Expression, from_json, parse_expression
from widl.headline import Document, HeadlineOptions, Headliner
from widl.translation import TranslationOptions, Translator
from widl.web.http_server import CLOSE, HostCheck, listening_socket, message_line, read_body, run_application
from widl.web.request_bodies import Form

_JSON = "application/json"
_MAX_BYTES = 4_000_000  # of a body
_SECONDS_OF_A_BODY = 60  # until a request has arrived
_MAX_ITEMS = 1000  # of a request
_SECONDS_OF_A_REQUEST = 300.0  # of all its searches
_MAX_AT_WORK = 4  # requests; others wait
SECONDS_OF_AN_ITEM = 5.0  # of its search
_MAX_NBEST = 1000  # candidates of an item
_MAX_MEMORY = 500_000_000  # bytes of an item's search


class _DocumentItem(BaseModel, extra="forbid"):
    text: str
    id: str = ""


_DOCUMENT = Annotated[
    _DocumentItem,
    BeforeValidator(lambda item: {"text": item} if isinstance(item, str) else item),
    WithJsonSchema({"anyOf": [{"type": "string"}, _DocumentItem.model_json_schema()]}),
]


@dataclass
class _Endpoint:
    """A kind of request: the form of its bodies, the key of the results, and the function that makes them."""

    form: Form[Any, Any]
    answers: str
    work: Callable[[Sequence[Any], Any], Iterable[Result[Any]]]


@dataclass
class _Service:
    endpoints: Mapping[str, _Endpoint]
    max_seconds: float
    version: str
    at_work: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MAX_AT_WORK))

    async def answer(self, request: Request) -> Response:
        """The results of a request's items, in order."""
        endpoint = self.endpoints[request.scope["path"]]
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            # Another site's form can't send it, so no web page that a user opens can use a service on their machine.
            raise HTTPException(415, f"expected Content-Type: {_JSON}")
        try:
            async with asyncio.timeout(_SECONDS_OF_A_BODY):
                content = await read_body(request, _MAX_BYTES)
        except TimeoutError:
            raise HTTPException(408, f"the body was not whole within {_SECONDS_OF_A_BODY} s", CLOSE) from None
        if content is None:
            raise HTTPException(413, f"the body has more than {_MAX_BYTES} bytes; send several requests", CLOSE)
        body = endpoint.form.parse(content, most=_MAX_ITEMS)
        options = self._limited(body.options, max(1, len(body.items)))
        async with self.at_work:
            records = await run_in_threadpool(
                lambda: [result.as_dict() for result in endpoint.work(body.items, options)] if body.items else []
            )
        return JSONResponse(records[0] if body.alone else {endpoint.answers: records})

    async def health(self, _request: Request) -> Response:
        """Reports that the service is running."""
        return JSONResponse({"status": "ok", "version": self.version, "endpoints": list(self.endpoints)})

    async def addresses(self, _request: Request) -> Response:
        """The endpoints, each with an example of a body."""
        forms = {path: endpoint.form for path, endpoint in self.endpoints.items()}
        posts = {f"POST {path}": {form.one: form.example} for path, form in forms.items()}
        gets = {
            "GET /health": "status, version, endpoints",
            "GET /openapi.json": "the schema of all requests, with their options",
        }
        return JSONResponse({"service": "widl", "version": self.version, "addresses": posts | gets})

    async def openapi(self, _request: Request) -> Response:
        """The OpenAPI description of the service."""
        answer = {"description": "An object, or for a list of items an object with the list."}
        problem = {
            "description": "One line that says what is wrong.",
            "content": {_JSON: {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}},
        }
        paths: dict[str, Any] = {}
        for path, endpoint in self.endpoints.items():
            content = {"schema": endpoint.form.schema, "example": {endpoint.form.one: endpoint.form.example}}
            paths[path] = {
                "post": {
                    "operationId": path.removeprefix("/"),
                    "requestBody": {"required": True, "content": {_JSON: content}},
                    "responses": {"200": answer, "default": problem},
                }
            }
        for path in ("/", "/health"):
            paths[path] = {"get": {"responses": {"200": {"description": "An object."}}}}
        info = {"title": "widl", "version": self.version or "0"}
        return JSONResponse({"openapi": "3.1.0", "info": info, "paths": paths})

    def _limited(self, options: Any, items: int) -> Any:
        """Caps an item's budgets at the service's maxima; InputError if too many candidates are requested."""
        if options.nbest > _MAX_NBEST:
            raise InputError(f"options: nbest must be at most {_MAX_NBEST} here, but is {options.nbest}")
        seconds = min(self.max_seconds, _SECONDS_OF_A_REQUEST / items)
        return adjust(
            options,
            max_seconds=min(options.max_seconds or seconds, seconds),
            max_memory=min(options.max_memory or _MAX_MEMORY, _MAX_MEMORY),
        )


def make_app(
    *,
    translator: Translator | None = None,
    headliner: Headliner | None = None,
    realizer: Realizer | None = None,
    max_seconds: float = SECONDS_OF_AN_ITEM,
    threads: int = 1,
    version: str = "",
) -> Starlette:
    """An ASGI application that answers POST /translate, /headline and /realize, and GET /, /health and /openapi.json.

    The application serves the given models only; `threads` is the number of threads per request. The application
    does not close the models. The search of an item has `max_seconds`; requests may ask for less. InputError
    without models.
    """
    endpoints: dict[str, _Endpoint] = {}
    if translator is not None:
        form: Form[Any, Any] = Form("line", "lines", TranslationOptions, lambda line, _: line, "我们明天出发。")
        translate = translator.translate
        endpoints["/translate"] = _Endpoint(form, "translations", lambda lines, o: translate(lines, o, threads=threads))
    if headliner is not None:
        story = "Iran attacked three tankers in the Gulf on Monday, officials said."
        form = Form("document", "documents", HeadlineOptions, _document, story, _DOCUMENT)
        endpoints["/headline"] = _Endpoint(form, "headlines", _one_at_a_time(headliner.generate))  # one parser
    if realizer is not None:
        form = Form("expression", "expressions", RealizationOptions, _expression, "∥(a, ×(b c))")
        realize = realizer.realize
        endpoints["/realize"] = _Endpoint(form, "realizations", lambda given, o: realize(given, o, threads=threads))
    if not endpoints:
        raise InputError("nothing to serve: give a translation model, a headline model or language models")
    service = _Service(endpoints, max_seconds, version)
    routes = [Route(path, service.answer, methods=["POST"]) for path in endpoints]
    for path, answer in (("/", service.addresses), ("/health", service.health), ("/openapi.json", service.openapi)):
        routes.append(Route(path, answer, methods=["GET"]))
    handlers: Mapping[Any, Callable[[Request, Any], Awaitable[Response]]] = {
        InputError: _bad_request,
        HTTPException: _http_problem,
        ClientDisconnect: _gone,
        Exception: _fault,
    }
    application = Starlette(routes=routes, exception_handlers=handlers)
    application.router.redirect_slashes = False
    return application


def _one_at_a_time(
    work: Callable[[Sequence[Any], Any], Iterable[Result[Any]]],
) -> Callable[[Sequence[Any], Any], Iterable[Result[Any]]]:
    """The same work, an item at a time across requests, so that a long request does not keep short ones waiting."""
    lock = Lock()

    def locked(items: Sequence[Any], options: Any) -> Iterable[Result[Any]]:
        for item in items:
            with lock:
                results = list(work([item], options))
            yield from results

    return locked


def _document(item: _DocumentItem, location: str) -> Document:
    return Document(item.id or location, item.text)


def _expression(text: str, location: str) -> Expression:
    return from_json(text, where=location) if text.lstrip().startswith("{") else parse_expression(text, where=location)


async def _bad_request(_request: Request, error: InputError) -> Response:
    return _problem(400, str(error))


async def _http_problem(request: Request, error: HTTPException) -> Response:
    detail = error.detail
    path = request.scope["path"]
    if error.status_code == 404:
        detail = f"{message_line(path)}: no such address; GET / lists all addresses"
    elif error.status_code == 405:
        detail = f"{request.method} {path}: use {(error.headers or {}).get('Allow', 'another method')}"
    return _problem(error.status_code, detail, error.headers)


async def _gone(_request: Request, _error: ClientDisconnect) -> Response:
    return _problem(400, "the connection was closed before the request was whole")


async def _fault(_request: Request, error: Exception) -> Response:
    return _problem(500, f"an internal error: {type(error).__name__}; its log has more")


def _problem(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """One line of JSON; for a syntax error, only the message, without the excerpt and caret below it."""
    return JSONResponse(
        {"error": message_line(message.partition("\n")[0])}, status_code=status, headers=dict(headers or {})
    )


_GRACE = 30  # seconds granted to running requests on shutdown


def serve(app: Starlette, *, host: str, port: int, listening: Callable[[str], None], names: Sequence[str] = ()) -> None:
    """Serve until SIGINT or SIGTERM; requests under way are answered first.

    Args:
        app: Application made by `make_app`.
        host: Name or IP address of this machine. port: 0 for any free port.
        names: Host names of the service besides `host`, ``localhost`` and IP addresses. Requests for other hosts, and
            from pages of other sites, are not answered.
        listening: Called with the address once it can be used.

    Raises:
        FileError: The address can't be used.
    """
    with contextlib.closing(listening_socket(host, port)) as listener:
        address = _url(listener)
        run_application(HostCheck(app, [host, *names]), listener, lambda: listening(address), grace=_GRACE)


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
