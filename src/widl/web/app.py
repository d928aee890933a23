"""The HTTP service: an ASGI application over open models."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import Field
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from widl.common.errors import InputError
from widl.common.option_values import Megabytes, Positive
from widl.common.options import option_set
from widl.decoder import RealizationOptions, Realizer, Result
from widl.expressions import Expression, from_json, parse_expression
from widl.headline import Document, HeadlineOptions, Headliner
from widl.translation import TranslationOptions, Translator
from widl.web.batching import Batcher, QueueFull, Work
from widl.web.bodies import Form, object_item, text_item
from widl.web.http_server import CLOSE, listening_socket, message_line, read_body, run_application

_JSON = "application/json"
_LONGEST_PATH = 200  # maximum characters of a quoted value in a message
_DOCUMENT = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"id": {"type": "string"}, "text": {"type": "string"}},
            "required": ["text"],
            "additionalProperties": False,
        },
    ]
}


@option_set
class ServiceOptions:
    """Limits of requests. A request that would exceed a limit gets one line of JSON that names the limit."""

    max_bytes: Positive = 4000000
    "Maximum size of a request body, in bytes."
    max_items: Positive = 1000
    "Maximum number of lines, documents or expressions per request."
    max_request_seconds: Annotated[float, Field(gt=0)] = 60.0
    "Maximum duration of a request, from its first byte."
    max_item_seconds: Annotated[float, Field(gt=0)] = 5.0
    "Time limit for each item's search, in seconds; requests may ask for less."
    max_item_memory: Annotated[Megabytes, Field(ge=1)] = 500000000
    "Memory limit for each item's search, in megabytes; requests may ask for less."
    max_nbest: Positive = 1000
    "Maximum number of candidates per item that a request may ask for."
    waiting: Positive = 10000
    "Maximum number of waiting items; further requests get status 503."
    max_connections: Positive = 500
    "Maximum number of open connections; further ones get status 503."
    batch: Positive = 64
    "Maximum number of items per batch, across requests."


@dataclass
class _Endpoint:
    """A kind of request: the form of its bodies, and the function that processes them."""

    form: Form[Any, Any]
    batcher: Batcher[Any, Any, Result[Any]]
    answers: str
    """The key of the results."""


@dataclass
class _Service:
    endpoints: Mapping[str, _Endpoint]
    options: ServiceOptions
    version: str
    answered: int = field(default=0)

    async def answer(self, request: Request) -> Response:
        """The results of a request's items, in order."""
        endpoint = self.endpoints[request.scope["path"]]
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            # Another site's form can't send it, so no web page that a user opens can use a service on their machine.
            raise HTTPException(415, f"expected Content-Type: {_JSON}")
        try:
            async with asyncio.timeout(self.options.max_request_seconds):
                body = endpoint.form.parse(await self._body(request), most=self.options.max_items)
                work = endpoint.batcher.results(body.items, self._limited(body.options))
                results = await _while_connected(request, work)
        except TimeoutError:
            problem = f"no answer within {self.options.max_request_seconds:g} s; send less, or ask for less search"
            raise HTTPException(503, problem, CLOSE) from None
        except QueueFull:
            waiting = self.options.waiting
            raise HTTPException(
                503, f"{waiting} items may wait, and do; come again later", {"Retry-After": "1"}
            ) from None
        self.answered += 1
        records = [result.as_dict() for result in results]
        return JSONResponse(records[0] if body.alone else {endpoint.answers: records})

    async def health(self, _request: Request) -> Response:
        """Reports that the service is running, and how many items are waiting."""
        waiting = sum(endpoint.batcher.waiting for endpoint in self.endpoints.values())
        return JSONResponse(
            {
                "status": "ok",
                "version": self.version,
                "endpoints": list(self.endpoints),
                "waiting": waiting,
                "answered": self.answered,
            }
        )

    async def addresses(self, _request: Request) -> Response:
        """The endpoints, each with an example of a body."""
        forms = {path: endpoint.form for path, endpoint in self.endpoints.items()}
        posts = {f"POST {path}": {form.one: form.example} for path, form in forms.items()}
        gets = {
            "GET /health": "status, version, items that wait, requests answered",
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

    async def _body(self, request: Request) -> bytes:
        most = self.options.max_bytes
        content = await read_body(request, most)
        if content is None:
            raise HTTPException(413, f"the body has more than {most} bytes; send several requests", CLOSE)
        return content

    def _limited(self, options: Any) -> Any:
        """Caps the budgets at the service's maxima; InputError if too many candidates are requested."""
        most = self.options.max_nbest
        if options.nbest > most:
            raise InputError(f"options: nbest must be at most {most} here, but is {options.nbest}")
        seconds, memory = self.options.max_item_seconds, self.options.max_item_memory
        return replace(
            options,
            max_seconds=min(options.max_seconds or seconds, seconds),
            max_memory=min(options.max_memory or memory, memory),
        )

    @contextlib.asynccontextmanager
    async def run(self, _app: Starlette) -> AsyncIterator[None]:
        """Processes requests during the application's lifetime."""
        tasks = [asyncio.create_task(endpoint.batcher.run()) for endpoint in self.endpoints.values()]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _while_connected(request: Request, work: Coroutine[Any, Any, list[Any]]) -> list[Any]:
    """The results of the work. If the client closes the connection, cancels the work and raises ClientDisconnect."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, gone):
            task.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def make_app(
    *,
    translator: Translator | None = None,
    headliner: Headliner | None = None,
    realizer: Realizer | None = None,
    options: ServiceOptions | None = None,
    threads: int = 1,
    version: str = "",
) -> Starlette:
    """An ASGI application that answers POST /translate, /headline and /realize, and GET /, /health and /openapi.json.

    The application serves the given models only; `threads` is the number of threads per batch search. The application
    does not close the models. InputError without models.
    """
    options = options or ServiceOptions()
    endpoints: dict[str, _Endpoint] = {}

    def add(path: str, form: Form[Any, Any], answers: str, work: Work[Any, Any, Result[Any]]) -> None:
        endpoints[path] = _Endpoint(form, Batcher(work, most=options.batch, waiting=options.waiting), answers)

    if translator is not None:
        form: Form[Any, Any] = Form("line", "lines", TranslationOptions, text_item, "我们明天出发。")
        translate = translator.translate
        add("/translate", form, "translations", lambda lines, o: translate(lines, o, threads=threads))
    if headliner is not None:
        story = "Iran attacked three tankers in the Gulf on Monday, officials said."
        form = Form("document", "documents", HeadlineOptions, _document, story, _DOCUMENT)
        # More threads would mean more processes, each with its own parser.
        add("/headline", form, "headlines", headliner.generate)
    if realizer is not None:
        form = Form("expression", "expressions", RealizationOptions, _expression, "∥(a, ×(b c))")
        realize = realizer.realize
        add("/realize", form, "realizations", lambda expressions, o: realize(expressions, o, threads=threads))
    if not endpoints:
        raise InputError("nothing to serve: give a translation model, a headline model or language models")
    service = _Service(endpoints, options, version)
    routes = [Route(path, service.answer, methods=["POST"]) for path in endpoints]
    for path, answer in (("/", service.addresses), ("/health", service.health), ("/openapi.json", service.openapi)):
        routes.append(Route(path, answer, methods=["GET"]))
    handlers: Mapping[Any, Callable[[Request, Any], Awaitable[Response]]] = {
        InputError: _bad_request,
        HTTPException: _http_problem,
        ClientDisconnect: _gone,
        Exception: _fault,
    }
    application = Starlette(routes=routes, exception_handlers=handlers, lifespan=service.run)
    application.router.redirect_slashes = False
    return application


def _document(item: Any, place: str) -> Document:
    entries = {"text": text_item(item, place)} if isinstance(item, str) else object_item(item, place, ["id", "text"])
    if "text" not in entries:
        raise InputError(f"{place}: no 'text'; expected a string, or an object with 'text' and perhaps 'id'")
    return Document(entries.get("id", place), entries["text"])


def _expression(item: Any, place: str) -> Expression:
    text = text_item(item, place)
    return from_json(text, where=place) if text.lstrip().startswith("{") else parse_expression(text, where=place)


async def _bad_request(_request: Request, error: InputError) -> Response:
    return _problem(400, str(error))


async def _http_problem(request: Request, error: HTTPException) -> Response:
    detail = error.detail
    path = request.scope["path"]
    if len(path) > _LONGEST_PATH:
        path = f"{path[:_LONGEST_PATH]}…"
    if error.status_code == 404:
        detail = f"{message_line(path)}: no such address; GET / lists all addresses"
    elif error.status_code == 405:
        detail = f"{request.method[:_LONGEST_PATH]} {path}: use {(error.headers or {}).get('Allow', 'another method')}"
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


def serve(
    app: Starlette, *, host: str, port: int, listening: Callable[[str], None], connections: int = 500
) -> None:
    """Serve until SIGINT or SIGTERM; requests under way are answered first.

    Args:
        app: Application made by `make_app`.
        host: Name or IP address of this machine. port: 0 for any free port.
        listening: Called with the address once it can be used.
        connections: Maximum number; further requests get status 503.

    Raises:
        FileError: The address can't be used.
    """
    with contextlib.closing(listening_socket(host, port)) as listener:
        address = _url(listener)
        run_application(app, listener, lambda: listening(address), grace=_GRACE, lifespan=True, connections=connections)


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
