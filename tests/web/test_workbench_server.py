"""The workbench's server: access, responses, and one-line JSON errors for invalid requests."""

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from starlette.types import Message

from widl.web.workbench import ViewRequest, Workbench
from widl.web.workbench_server import make_app

PORT, TOKEN = 4321, "a-token"
OWN = {"host": f"127.0.0.1:{PORT}"}


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> dict[str, object]:
        result = json.loads(self.body)
        assert isinstance(result, dict)
        return result


@pytest.fixture(scope="module")
def app():
    return make_app(Workbench(), ViewRequest(), port=PORT, token=TOKEN)


def ask(app, path: str, body: bytes | None = None, headers: dict[str, str] = OWN, *, whole: bool = True) -> Answer:
    """A request without a network; unless it is `whole`, its body never arrives."""
    answer = Answer()
    parts = [body or b""]

    async def receive() -> Message:
        if not whole:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": parts.pop(), "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
        "method": "GET" if body is None else "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": ("127.0.0.1", PORT), "client": ("127.0.0.1", 1),
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    return answer


def view(app, **wanted: object) -> Answer:
    return ask(app, f"/{TOKEN}/view", json.dumps(wanted).encode())


@pytest.mark.parametrize("name", ["", "explore.js", "explore.css", "icon.svg"])
def test_the_page_and_its_parts_are_served(app, name) -> None:
    answer = ask(app, f"/{TOKEN}/{name}")
    assert answer.status == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert answer.headers["cache-control"] == "no-store"
    assert b"http://" not in answer.body.replace(b'xmlns="http://www.w3.org/2000/svg"', b"")
    assert b"https://" not in answer.body


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", OWN, 403),
        ("/another-token/", OWN, 403),
        (f"/{TOKEN}x/view", OWN, 403),
        ("/tökèn/", OWN, 403),
        (f"/{TOKEN}/", {"host": "example.org"}, 421),
        (f"/{TOKEN}/", {"host": "127.0.0.1:1"}, 421),
        (f"/{TOKEN}/", {}, 421),
        (f"/{TOKEN}/", {**OWN, "origin": "http://example.org"}, 403),
        (f"/{TOKEN}/", {**OWN, "origin": "null"}, 403),
        (f"/{TOKEN}/", {**OWN, "origin": f"http://localhost:{PORT}"}, 200),
        (f"/{TOKEN}/", {"host": f"localhost:{PORT}"}, 200),
        (f"/{TOKEN}/nothing", OWN, 404),
    ],
)
def test_only_its_own_page_may_ask(app, path, headers, status) -> None:
    assert ask(app, path, headers=headers).status == status


def test_a_view_is_parts_of_the_page(app) -> None:
    result = view(app, step=9).json
    assert result["steps"] == 16
    assert set(result["html"]) == {"search-about", "search-verdict", "search-view"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"room": "expression", "expression": "∥(a,"}, "expected ')' to close the ∥ of column 1\n∥(a,\n    ^"),
        ({"room": "kitchen"}, "room: expected one of"),
        ({"color": "red"}, "color: unknown key; there are room"),
        ({"step": -1}, "step: expected at least 0"),
        ({"searches": []}, "searches: "),
        ({"searches": [{"search": "astar", "k": 10**9}]}, "searches.0.k: "),
        ({"expression": "a" * 30_000}, "expression: expected at most 20000 characters, found 30000"),
        ({"space": "line", "line": "我"}, "no translation model is open"),
    ],
)
def test_what_makes_no_sense_is_said_in_json(app, wanted, error) -> None:
    answer = view(app, **wanted)
    assert answer.status == 400
    assert error in str(answer.json["error"])


LONG_NUMBER = b'{"step": %s}' % (b"9" * 5_000)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 5_000, b"null", LONG_NUMBER], ids=range(7))
def test_broken_requests_are_answered(app, body) -> None:
    answer = ask(app, f"/{TOKEN}/view", body)
    assert answer.status == 400
    assert answer.json["error"]


def test_who_hangs_up_is_no_fault(app) -> None:
    assert ask(app, f"/{TOKEN}/view", b"{}", whole=False).status == 400


def test_a_huge_request_is_refused(app) -> None:
    assert ask(app, f"/{TOKEN}/view", b" " * 1_000_001).status == 413


def test_rooms_without_a_model_say_how_to_get_one(app) -> None:
    for room in ("translation", "headline"):
        assert "widl explore MODEL" in str(view(app, room=room).json["html"])


def test_a_view_is_saved_as_a_page(app) -> None:
    answer = ask(app, f"/{TOKEN}/save", json.dumps({"room": "search", "step": 9}).encode())
    assert answer.body.startswith(b"<!DOCTYPE html>")
