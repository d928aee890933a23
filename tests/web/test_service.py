"""`widl serve`, tested over a socket."""

import asyncio
import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from jsonschema import Draft202012Validator
from uvicorn.server import ServerState

from tests.pipeline.news import stories
from widl import Headliner, TranslationOptions, Translator
from widl.decoder import LanguageModel, Realizer, estimate_language_model
from widl.expressions import parse_expression
from widl.pipeline.demo import sample_corpus
from widl.web import make_app
from widl.web.http_server import SECONDS_OF_A_HEAD, TimedProtocol

PROGRAM = [sys.executable, "-c", "from widl.cli import main; main()"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@dataclass
class Service:
    """A running program."""

    program: "subprocess.Popen[bytes]"
    host: str
    port: int

    def ask(self, path: str, body: Any = None, *, kind: str = "application/json", method: str = "") -> tuple[int, Any]:
        """Status and JSON of an answer; `body` is JSON, or raw bytes."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        with contextlib.closing(connection):
            connection.request(
                method or ("GET" if body is None else "POST"),
                path,
                None if body is None else content,
                {"Content-Type": kind},
            )
            answer = connection.getresponse()
            text = answer.read()
        assert answer.headers["Content-Type"] == "application/json"
        assert b"\n" not in text
        return answer.status, json.loads(text)


@contextlib.contextmanager
def running(*arguments: object) -> Iterator[Service]:
    command = [*PROGRAM, "serve", *map(str, arguments), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        try:
            assert program.stdout is not None
            line = program.stdout.readline().decode()
            assert line.startswith("widl serves at http://"), line
            host, _, port = line.strip().removeprefix("widl serves at http://").rpartition(":")
            yield Service(program, host, int(port))
        finally:
            program.kill()


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm")
    (folder / "text").write_text("the cat sat\nthe cat ran\n")
    estimate_language_model(folder / "text", folder / "lm.arpa", order=2)
    return folder / "lm.arpa"


@pytest.fixture(scope="module")
def service(trained: Path, headlines: Path, lm: Path) -> Iterator[Service]:
    with running(trained, headlines, "--lm", lm, "--max-seconds", 2) as service:
        yield service


LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:12]


def without_times(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "seconds"}


def test_translations_are_those_of_the_library(service: Service, trained: Path) -> None:
    options = {"nbest": 2, "pop_limit": 50, "max_seconds": 2}
    expected = [line.as_dict() for line in Translator(trained).translate(LINES, TranslationOptions(**options))]
    status, answer = service.ask("/translate", {"lines": LINES, "options": options})
    assert status == 200
    assert list(map(without_times, answer["translations"])) == list(map(without_times, map(dict, expected)))
    status, item = service.ask("/translate", {"line": LINES[3], "options": options})
    assert (status, without_times(item)) == (200, without_times(dict(expected[3])))
    assert service.ask("/translate", {"lines": []}) == (200, {"translations": []})


def test_headlines_and_realizations_are_those_of_the_library(service: Service, headlines: Path, lm: Path) -> None:
    texts = [document["text"] for document in stories(3, seed=7)]
    expected = [Headliner(headlines).generate_one(text) for text in texts]
    status, answer = service.ask("/headline", {"documents": [texts[0], {"text": texts[1], "id": "b"}, texts[2]]})
    assert status == 200
    assert [item["text"] for item in answer["headlines"]] == [item.text for item in expected]
    assert answer["headlines"][1]["id"] == "b"
    status, answer = service.ask("/headline", {"document": texts[0], "options": {"words": 5}})
    assert status == 200
    assert len(answer["text"].split()) <= 5
    status, answer = service.ask("/headline", {"document": texts[0], "options": {"only_sure": 1.0}})
    assert (status, answer["text"], answer["kind"]) == (200, "", "none")
    assert answer["message"].startswith("withheld: its confidence is ")
    written = ["∥(sat, ×(the cat))", '{"nodes": [{"word": "cat"}]}']
    status, answer = service.ask("/realize", {"expressions": written})
    best = Realizer([LanguageModel.load(lm)]).realize_one(parse_expression(written[0]))
    assert status == 200
    assert [item["text"] for item in answer["realizations"]] == [best.text, "cat"]
    assert answer["realizations"][0]["score"] == best.score


def test_many_clients_get_their_own_answers(service: Service, trained: Path) -> None:
    expected = [line.text for line in Translator(trained).translate(LINES)]

    def client(number: int) -> list[str]:
        chosen = [(number + i) % len(LINES) for i in range(1 + number % 5)]
        status, answer = service.ask("/translate", {"lines": [LINES[i] for i in chosen]})
        assert status == 200
        assert [item["text"] for item in answer["translations"]] == [expected[i] for i in chosen]
        return chosen

    with ThreadPoolExecutor(12) as pool:
        assert len(list(pool.map(client, range(40)))) == 40


def test_health(service: Service) -> None:
    """The response reveals neither paths nor Python to a client."""
    status, answer = service.ask("/health")
    assert status == 200
    assert answer.keys() == {"status", "version", "endpoints"}
    assert answer["status"] == "ok"
    assert answer["endpoints"] == ["/translate", "/headline", "/realize"]


def test_the_addresses_with_examples_that_are_answered(service: Service) -> None:
    status, answer = service.ask("/")
    assert status == 200
    for address, body in answer["addresses"].items():
        method, path = address.split(" ")
        assert service.ask(path, body if method == "POST" else None)[0] == 200


def test_the_schema_of_requests(service: Service) -> None:
    """Bodies accepted by the service are valid, and many refused ones are not."""
    validator = Draft202012Validator
    status, answer = service.ask("/openapi.json")
    assert (status, answer["openapi"]) == (200, "3.1.0")
    bodies = {
        path: entry["post"]["requestBody"]["content"]["application/json"]["schema"]
        for path, entry in answer["paths"].items()
        if "post" in entry
    }
    assert bodies.keys() == {"/translate", "/headline", "/realize"}
    options = bodies["/translate"]["properties"]["options"]["properties"]
    assert "pop_limit" in options
    assert "glossary" not in options
    for schema in bodies.values():
        validator.check_schema(schema)
    fine = {"lines": ["a", "b"], "options": {"search": "astar", "nbest": 2}}
    assert service.ask("/translate", fine)[0] == 200
    validator(bodies["/translate"]).validate(fine)
    for wrong in ({}, {"line": "a", "lines": []}, {"lines": "a"}, {"line": "a", "options": {"pop_limits": 1}}):
        assert service.ask("/translate", wrong)[0] == 400
        assert not validator(bodies["/translate"]).is_valid(wrong)
    for document in ("One.", {"text": "One."}, {"id": "a", "text": "One."}):
        validator(bodies["/headline"]).validate({"document": document})
    assert not validator(bodies["/headline"]).is_valid({"document": {"id": "a"}})


WRONG: Sequence[tuple[str, Any, int, str]] = [
    ("/translate", b"{", 400, "the body is not JSON: "),
    ("/translate", b"[" * 15000, 400, "the body is not JSON: "),
    ("/translate", b'{"line": "\\ud800"}', 400, "the body is not JSON: "),
    ("/%0a" + "x" * 9000, {}, 404, "/\\nxxx"),
    ("/translate", {}, 400, "expected either 'lines', a list, or 'line'"),
    ("/translate", {"lines": "a"}, 400, "lines: expected a list, found 'a'"),
    ("/translate", {"lines": ["a"] * 1001}, 400, "lines: expected at most 1000 in the list, found 1001"),
    ("/translate", {"line": "a", "option": {}}, 400, "option: unknown key; did you mean 'options'?"),
    (
        "/translate",
        {"line": "a", "options": {"pop_limits": 1}},
        400,
        "options.pop_limits: unknown key; did you mean 'pop_limit'?",
    ),
    ("/translate", {"line": "a", "options": {"glossary": "/etc/passwd"}}, 400, "options.glossary: unknown key"),
    ("/translate", b'"' + b"a" * 4_000_001, 413, "the body has more than 4000000 bytes"),
    ("/realize", {"expression": "∥(a"}, 400, "expression: "),
    ("/../etc/passwd", None, 404, "no such address"),
    ("/translate", None, 405, "GET /translate: use POST"),
]


@pytest.mark.parametrize(("path", "body", "status", "message"), WRONG)
def test_wrong_requests_get_one_line(service: Service, path: str, body: Any, status: int, message: str) -> None:
    result, answer = service.ask(path, body)
    assert result == status
    assert answer.keys() == {"error"}
    assert message in answer["error"]
    assert len(answer["error"]) <= 1000
    assert service.ask("/health")[0] == 200


def test_a_client_that_sends_too_much_reads_the_answer(service: Service) -> None:
    assert service.ask("/translate", b'{"line": "%s"}' % (b"a" * 4_000_000))[0] == 413


RAW = [
    (b"GET /health HTTP/1.1\r\n\r\n", 400),
    (b"GET /health HTTP/1.1\r\nHost: a/b?c#[\r\nConnection: close\r\n\r\n", 421),
    (b"GET /translate HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n", 421),
    (b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
]


@pytest.mark.parametrize(("request_text", "status"), RAW)
def test_strange_requests(service: Service, request_text: bytes, status: int) -> None:
    with socket.create_connection((service.host, service.port), timeout=60) as connection:
        connection.sendall(request_text)
        with connection.makefile("rb") as answer:
            assert answer.readline().startswith(b"HTTP/1.1 %d " % status)
    assert service.ask("/health")[0] == 200


def test_forms_of_other_sites_are_refused(service: Service) -> None:
    assert service.ask("/translate", b'{"line": "a"}', kind="text/plain")[0] == 415
    assert service.ask("/translate", b'{"line": "a"}', kind="Application/JSON; charset=utf-8")[0] == 200


class Recorder(Realizer):
    """Records the options of its searches."""

    def realize(self, expressions, options=None, **_):
        self.options = options
        return []


def test_the_work_of_requests_is_limited(lm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four requests are at work, and the items of each share its time."""
    realizer = Recorder([LanguageModel.load(lm)])
    app = make_app(realizer=realizer)
    begun: list[Any] = []

    async def ask(items: int) -> int:
        body = json.dumps({"expressions": ["a"] * items}).encode()
        statuses: list[int] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            statuses.append(message.get("status", 0))

        headers = [(b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/realize", "headers": headers, "query_string": b""}
        await app(scope | {"root_path": "", "http_version": "1.1", "scheme": "http"}, receive, send)
        return statuses[0]

    async def six_at_a_time() -> tuple[int, list[int]]:
        release = asyncio.Event()

        async def wait(work: Any) -> Any:
            begun.append(work)
            await release.wait()
            return work()

        monkeypatch.setattr("widl.web.service.run_in_threadpool", wait)
        tasks = [asyncio.create_task(ask(1000)) for _ in range(6)]
        for _ in range(100):  # as far as they come
            await asyncio.sleep(0)
        at_work = len(begun)
        release.set()
        return at_work, await asyncio.gather(*tasks)

    assert asyncio.run(six_at_a_time()) == (4, [200] * 6)
    assert (len(begun), realizer.options.max_seconds) == (6, 0.3)


def test_half_a_request_harms_nobody(service: Service) -> None:
    for start in (
        b"POST /translate HTTP/1.1\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{",
        b"\x16\x03\x01",
    ):
        with socket.create_connection((service.host, service.port), timeout=60) as connection:
            connection.sendall(start)
    assert service.ask("/translate", {"line": LINES[0]})[0] == 200


def test_what_is_under_way_is_answered_before_it_stops(trained: Path) -> None:
    with (
        running(trained) as service,
        contextlib.closing(http.client.HTTPConnection(service.host, service.port, timeout=120)) as connection,
    ):
        body = json.dumps({"lines": LINES * 20, "options": {"search": "astar"}})
        connection.request("POST", "/translate", body, {"Content-Type": "application/json"})
        assert service.ask("/health")[0] == 200  # the other request has arrived, too
        service.program.send_signal(signal.SIGTERM)
        answer = connection.getresponse()
        assert answer.status == 200
        assert len(json.loads(answer.read())["translations"]) == 20 * len(LINES)
        assert service.program.wait(timeout=120) in (0, -signal.SIGTERM)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to serve"),
        (["--weights", "w.toml"], "name its language models with --lm"),
        (["nowhere"], "nowhere: no such directory"),
    ],
)
def test_what_can_not_be_served(arguments: list[str], message: str) -> None:
    done = subprocess.run([*PROGRAM, "serve", *arguments], capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.decode().split())
    assert b"Traceback" not in done.stderr


def test_a_port_that_is_taken(trained: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [*PROGRAM, "serve", str(trained), "--port", str(port)]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert f"127.0.0.1:{port}: can't listen there" in done.stderr.decode()


# --- other hosts, and clients that keep connections ---


def head(service: Service, headers: dict[str, str], path: str = "/health") -> int:
    """The status of a request with these headers."""
    connection = http.client.HTTPConnection(service.host, service.port, timeout=60)
    with contextlib.closing(connection):
        connection.putrequest("GET", path, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse().status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "127.0.0.1:{port}"}, 200),
        ({"Host": "127.0.0.1"}, 200),
        ({"Host": "localhost:{port}"}, 200),
        ({"Host": "LOCALHOST"}, 200),
        ({"Host": "[::1]:80"}, 200),
        ({"Host": "10.0.0.7"}, 200),  # an address can't be rebound
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:{port}"}, 421),
        ({"Host": "localhost.evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": ""}, 421),
        ({"Host": "localhost:{port}", "Origin": "http://localhost:{port}"}, 200),
        ({"Host": "localhost:{port}", "Origin": "http://evil.example"}, 403),
        ({"Host": "localhost:{port}", "Origin": "http://localhost:1"}, 403),
        ({"Host": "localhost:{port}", "Origin": "null"}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
    ],
)
def test_other_hosts_and_pages_of_other_sites_get_no_answer(
    service: Service, headers: dict[str, str], status: int
) -> None:
    filled = {name: value.format(port=service.port) for name, value in headers.items()}
    assert head(service, filled) == status
    assert head(service, filled, "/none") == (404 if status == 200 else status)


def test_a_service_has_the_names_that_it_is_given(lm: Path) -> None:
    with running("--lm", lm, "--name", "Widl.example", "--name", "w2") as service:
        assert head(service, {"Host": "widl.example:443", "Origin": "https://widl.example:443"}) == 200
        assert head(service, {"Host": "w2"}) == 200
        assert head(service, {"Host": "w3"}) == 421


class _Transport(asyncio.Transport):
    """What a protocol writes, and whether it closed the connection."""

    def __init__(self) -> None:
        super().__init__()
        self.sent, self.closed = b"", False

    def write(self, data: Any) -> None:
        self.sent += bytes(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class _Timers:
    """A loop's timers, which the test ends: no test waits for a clock."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.waiting: list[tuple[float, Any, list[bool]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def call_later(self, seconds: float, call: Any, *_: Any) -> Any:
        canceled = [False]
        self.waiting.append((seconds, call, canceled))

        class Handle:
            def cancel(self) -> None:
                canceled[0] = True

        return Handle()

    def minute(self) -> None:
        """Let all timers of a minute run out that were not canceled."""
        due, self.waiting = self.waiting, []
        for seconds, call, canceled in due:
            if not canceled[0] and seconds >= SECONDS_OF_A_HEAD:
                call()


ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    ("parts", "closed"),
    [
        ([b""], True),  # nothing
        ([b"GET"], True),
        ([ASK, b"a: b\r\n", b"c: d\r\n"], True),  # headers that drip
        ([ASK + b"\r\n"], False),  # it is being answered
        ([ASK + b"Content-Length: 5\r\n\r\n12"], False),  # the body has its own minute
    ],
)
def test_connections_without_a_whole_head_are_closed(parts: list[bytes], closed: bool) -> None:
    async def run() -> None:
        answer = asyncio.Event()

        async def app(_scope: Any, _receive: Any, send: Any) -> None:
            await answer.wait()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

        timers, transport = _Timers(asyncio.get_running_loop()), _Transport()
        config = uvicorn.Config(app, lifespan="off")
        config.load()
        protocol = TimedProtocol(config, ServerState(), {}, timers)  # type: ignore[arg-type]
        protocol.connection_made(transport)
        for part in parts:
            if part:
                protocol.data_received(part)
        await asyncio.sleep(0)
        timers.minute()
        assert transport.closed == closed
        if not closed and b"Content-Length" not in parts[0]:
            answer.set()
            while protocol.tasks:
                await asyncio.sleep(0)
            assert transport.sent.startswith(b"HTTP/1.1 200")
            protocol.data_received(ASK)  # the next request's headers drip
            timers.minute()
            assert transport.closed
        answer.set()
        while protocol.tasks:
            await asyncio.sleep(0)

    asyncio.run(run())


@pytest.mark.parametrize("first", [b"", b"POST /realize HTTP/1.1\r\nHost: x\r\n"])
def test_five_hundred_idle_connections_do_not_keep_the_service(
    lm: Path, first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While they are open others get 503, and after their time an answer; the time is short here."""
    code = "import widl.web.http_server as h; h.SECONDS_OF_A_HEAD = 1.0; from widl.cli import main; main()"
    monkeypatch.setitem(globals(), "PROGRAM", [sys.executable, "-c", code])
    with running("--lm", lm) as service, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection((service.host, service.port))) for _ in range(510)]
        for one in idle:
            one.sendall(first)
        for one in idle:
            one.settimeout(60)
            assert one.recv(100) == b""  # closed by the service
        assert service.ask("/health")[0] == 200
