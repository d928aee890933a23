"""Serves the workbench on a local address: it sends no data to other hosts and writes no files."""

import contextlib
import hmac
import secrets
import webbrowser
from collections.abc import Awaitable, Callable
from threading import Thread

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, DispatchFunction, RequestResponseEndpoint
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from widl.common.errors import InputError
from widl.web.http_server import CLOSE, json_value, listening_socket, read_body, run_application
from widl.web.recorded_searches import NoResult
from widl.web.rendering import asset, style
from widl.web.workbench import ViewRequest, Workbench, page_of

HOST = "127.0.0.1"
_MAX_BYTES = 1_000_000  # of a request
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}


def reject_other_origins(port: int, token: str) -> DispatchFunction:
    """Rejects requests that do not come from the workbench's page: other host names, other origins, no token.

    A page of another site can reach a local address under its host name (DNS rebinding); it does not know the token,
    nor can it change the Host and Origin that the browser sends.
    """
    hosts = {f"{name}:{port}" for name in (HOST, "localhost")}

    def refusal(request: Request) -> Response | None:
        origin = request.headers.get("origin")
        if request.headers.get("host", "") not in hosts:
            return PlainTextResponse("this address has another name", 421)
        if origin is not None and origin not in {f"http://{name}" for name in hosts}:
            return PlainTextResponse("requests come from the workbench's own page", 403)
        given = request.scope["path"].removeprefix("/").partition("/")[0]
        if not hmac.compare_digest(given.encode(), token.encode()):
            return PlainTextResponse("the address of the workbench is the one that widl explore printed", 403)
        return None

    async def dispatch(request: Request, go_on: RequestResponseEndpoint) -> Response:
        response = refusal(request) or await go_on(request)
        response.headers.update(_HEADERS)
        return response

    return dispatch


def make_app(workbench: Workbench, first: ViewRequest, *, port: int, token: str) -> ASGIApp:
    """The workbench as an application; its page begins with a view."""

    async def index(_: Request) -> Response:
        return HTMLResponse(await run_in_threadpool(page_of, workbench, first))

    async def script(_: Request) -> Response:
        return Response(asset("explore.js"), media_type="text/javascript")

    async def sheet(_: Request) -> Response:
        return Response(style(), media_type="text/css")

    async def icon(_: Request) -> Response:
        return Response(asset("icon.svg"), media_type="image/svg+xml")

    def shown(request: ViewRequest) -> Response:
        views = workbench.view(request)
        parts = {place: str(part) for place, part in views.parts.items()}
        return JSONResponse({"title": views.title, "steps": views.steps, "html": parts})

    def saved(request: ViewRequest) -> Response:
        return HTMLResponse(workbench.save(request))

    routes = [
        Route(f"/{token}/", index),
        Route(f"/{token}/explore.js", script),
        Route(f"/{token}/explore.css", sheet),
        Route(f"/{token}/icon.svg", icon),
        Route(f"/{token}/view", _answering(shown), methods=["POST"]),
        Route(f"/{token}/save", _answering(saved), methods=["POST"]),
    ]
    return Starlette(
        routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=reject_other_origins(port, token))]
    )


def _answering(answer: Callable[[ViewRequest], Response]) -> Callable[[Request], Awaitable[Response]]:
    """The response to a request, or one line of JSON that describes the error."""

    async def respond(request: Request) -> Response:
        try:
            body = await read_body(request, _MAX_BYTES)
        except ClientDisconnect:
            return Response(status_code=400)  # the client is gone
        if body is None:
            return JSONResponse({"error": f"a request has at most {_MAX_BYTES:,} bytes"}, 413, CLOSE)
        try:
            return await run_in_threadpool(answer, ViewRequest.read(json_value(body)))
        except RecursionError:
            return JSONResponse({"error": "nested too deeply to show"}, 400)
        except NoResult as error:
            return JSONResponse({"error": str(error)}, 422)
        except InputError as error:
            return JSONResponse({"error": str(error)}, 400)

    return respond


def serve(workbench: Workbench, first: ViewRequest, *, port: int = 0, say: Callable[[str], None] = print) -> None:
    """Serve the workbench until Ctrl-C, and open it in a browser; `say` is called with its address. Port 0: any that is
    free.
    """
    with contextlib.closing(listening_socket(HOST, port)) as listener:
        port, token = listener.getsockname()[1], secrets.token_urlsafe(16)
        address = f"http://{HOST}:{port}/{token}/"

        def listening() -> None:
            say(address)
            Thread(target=webbrowser.open, args=[address], daemon=True).start()

        run_application(make_app(workbench, first, port=port, token=token), listener, listening, grace=2)
