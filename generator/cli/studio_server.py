"""The server of the studio, which serves one page and runs command lines.

A request `POST /ask` with `{words, files}` is answered with `{exit, out, problems, files}`. `words` are the words
after `muster`. `files` contains the text of the files named in `words`, keyed by name without a folder. Text files
that the command wrote are returned as text. Printed files get an address, `/made/<hash>/<name>`, which is valid
until newer ones replace them.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import click
import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.cli.page_words import room_words
from generator.cli.request import GAME, GameCommand
from generator.cli.studio_answer import Answer
from generator.cli.studio_play_request import PlayRequest
from generator.cli.studio_runners import (
    POLL_INTERVAL_S,
    Client,
    ClientGoneError,
    OverLimitError,
    Runners,
    run_play,
)
from generator.cli.studio_tournament import PHONE_PATHS, TournamentRoom
from generator.common.tables import shared_words
from generator.localization import LANGS, Lang, LocalizedStr, localize, tr
from generator.model.words import Words
from generator.notation import toml
from generator.notation.printers import printers_path
from generator.store.folders import shipped_path
from generator.store.write import is_plain_name

T = TypeVar("T")
VERBS = frozenset(
    "games kit draw check edit rules fairness rulings odds print cards tokens reference "  # noqa: SIM905
    "sheets boards sight orders replay data moves intercept campaign carry".split()
)
"""The commands that the page may run. They read only the files in the request and write to a temporary folder."""
MAX_BODY_BYTES, MAX_WORDS, MAX_WORD_CHARS, MAX_FILES = 4 << 20, 120, 4096, 20
"""The maximum number of bytes of a request, of words, of characters in a word, and of files."""
BODY_TIMEOUT_S = 20
"""The maximum number of seconds within which a request must arrive."""
MAX_PRINTS = 40
"""The number of printed files that keep their address."""
MAX_CACHE_BYTES = 64 << 20
"""The maximum size of the answer cache in bytes. Answers are reused after going back, reloading or changing the
language.
"""
RANDOM_VERBS = {"kit", "draw", "boards", "campaign", "orders"}
"""Commands that may generate something at random. Without a code, the result is different each time."""
TEXT_SUFFIXES = {".toml", ".svg", ".json", ".txt"}
"""The suffixes of files that are returned as text."""
MEDIA_TYPES = {".pdf": "application/pdf", ".png": "image/png", ".gif": "image/gif", ".js": "text/javascript"}
"""The media types of files, keyed by suffix."""
MEDIA_TYPES |= {".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; frame-src 'self' blob:; object-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of every response. The page loads nothing from other servers, and other pages cannot embed it."""
FREE_TEXTS = {"--seal", "--secret"}
"""The options of `orders dice` whose values are free text."""
_TEXT_OPTION = re.compile("--[a-z-]+=")
"""Matches an option that is followed by its value."""
COOKIE = "muster"
"""The name of the cookie that contains the key of a shared studio."""
ROOM_PAGES = {
    "/tournament": "tournament.html",
    "/wall": "wall.html",
    "/slip": "phone.html",
    "/records": "records.html",
}
"""The pages of the tournament room, keyed by address."""
PAGE_PREFIXES = {"/slip": ("phone_", "language", "gone", "table_n", "game_n", "draw", "time_called")}
"""The beginnings of the keys of a page's texts. A phone receives only the texts of its slip."""
PAGES = Jinja2Templates(shipped_path("templates") / "studio")


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to run a command line."""

    words: list[str]
    files: dict[str, str] = {}
    """The text of each file, keyed by name without a folder."""
    progress: bool = False
    """Whether the answer is a stream of JSON lines: `{at, share}` for progress, and the answer at the end."""
    background: bool = False
    """Whether the command is less urgent than others, because the user does not wait for it at the moment."""


class Studio:
    """The state of the server: its runners, printed files, cached answers, and the time of the last request."""

    def __init__(
        self,
        hosts: frozenset[str],
        key: str = "",
        runners: Runners | None = None,
        events: Path | None = None,
        address: str = "",
    ) -> None:
        """Create a studio. Its events are below the folder `events`; phones reach it at `address`, ending in `/`."""
        self.hosts, self.key = hosts, key
        self.runners = runners or Runners()
        self.room = TournamentRoom(
            events or Path.cwd(), address or f"http://{min(hosts)}/", self.publish, self.is_local, self.note_request
        )
        self.prints: OrderedDict[str, bytes] = OrderedDict()
        self.cache: OrderedDict[bytes, Answer] = OrderedDict()
        self.lock = threading.Lock()
        self.last_seen = 0.0
        """By the monotonic clock, in seconds; 0 before the first page."""

    def app(self) -> Starlette:
        """Return the application for the web server."""

        @asynccontextmanager
        async def lifespan(_: Starlette) -> Any:
            try:
                yield
            finally:
                self.runners.close()
                self.room.runners.close()

        routes = [
            Route("/", self.page),
            *(Route(path, self.room_page) for path in ROOM_PAGES),
            *self.room.routes(),
            *(Route(f"/{file.name}", self.asset) for file in _page_assets()),
            Route("/ask", self.ask, methods=["POST"]),
            Route("/play", self.play, methods=["POST"]),
            Route("/alive", self.keep_alive, methods=["POST"]),
            Route("/made/{name:path}", self.printed_file),
        ]
        app = Starlette(routes=routes, lifespan=lifespan)
        app.add_middleware(_Guard, studio=self)
        return app

    def refusal(self, request: Request) -> Response | None:
        """Return the response to a request from another page, with an unknown host name or without the key."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host.casefold() not in self.hosts or (origin and origin.partition("://")[2].casefold() not in self.hosts):
            return _refusal(403, tr("the studio accepts requests only from its own page"))
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and request.url.path not in (
            "/", "/slip"
        ):  # fmt: skip
            return _refusal(403, tr("the studio accepts requests only from its own page"))
        if request.method == "POST" and request.headers.get("content-type") != "application/json":
            return _refusal(415, tr("the request must be JSON"))
        if request.url.path in PHONE_PATHS:
            return None
        given = (request.query_params.get("key", ""), request.cookies.get(COOKIE, ""))
        if self.key and not any(_same_key(self.key, key) for key in given):
            if request.method == "GET" and request.url.path == "/":
                return _locked_page(request, host)
            return _refusal(403, tr("open the whole address that `muster studio --share` printed, including the key"))
        return None

    async def page(self, request: Request) -> Response:
        """Return the page with its texts in both languages, in the language that the browser prefers."""
        self.last_seen = time.monotonic()
        await run_in_threadpool(self.runners.start_idle)
        words = {key: {lang: of[lang] for lang in LANGS} for key, of in page_texts().items()}
        lang = preferred_lang(request.headers.get("accept-language", ""))
        values = {"words": words, "lang": lang, "say": {key: of[lang] for key, of in words.items()}}
        return PAGES.TemplateResponse(request, "studio.html", values)

    async def room_page(self, request: Request) -> Response:
        """Return a page of the tournament room with its texts in both languages."""
        self.note_request()
        prefixes = PAGE_PREFIXES.get(request.url.path, ("",))
        known = {key: of for key, of in room_words().items() if key.startswith(prefixes)}
        words = {key: {lang: of[lang] for lang in LANGS} for key, of in known.items()}
        lang = preferred_lang(request.headers.get("accept-language", ""))
        values = {"words": words, "lang": lang, "say": {key: of[lang] for key, of in words.items()}}
        return PAGES.TemplateResponse(request, ROOM_PAGES[request.url.path], values)

    def note_request(self) -> None:
        """Record that a page is still open."""
        self.last_seen = time.monotonic()

    def is_local(self, request: Request) -> bool:
        """Return whether a request comes from this machine. Only a shared studio receives requests from elsewhere."""
        addresses = {"127.0.0.1", "::1", *(host.rpartition(":")[0] for host in self.hosts)}
        return not self.key or bool(request.client and request.client.host in addresses)

    async def asset(self, request: Request) -> Response:
        """Return a script or style sheet of the page."""
        file = shipped_path("templates") / "studio" / PurePosixPath(request.url.path).name
        return Response(file.read_bytes(), media_type=MEDIA_TYPES[file.suffix])

    async def keep_alive(self, _: Request) -> Response:
        """Record that a page is still open."""
        self.last_seen = time.monotonic()
        return JSONResponse({})

    async def ask(self, request: Request) -> Response:
        """Run the command of a request and return its answer."""
        command_request = await self.received(request, CommandRequest)
        if isinstance(command_request, Response):
            return command_request
        if fault := await run_in_threadpool(_request_fault, command_request):
            return _refusal(400, fault)
        client = Client(command_request.background)
        if command_request.progress:
            return StreamingResponse(self.progress(command_request, client), media_type="application/x-ndjson")
        values = await self.awaited(request, client, lambda: self.run(command_request, client))
        return JSONResponse(values, 503 if "problems" in values else 200)

    async def play(self, request: Request) -> Response:
        """Answer a request about a game in play."""
        self.last_seen = time.monotonic()
        play_request = await self.received(request, PlayRequest)
        if isinstance(play_request, Response):
            return play_request
        if fault := _files_fault(play_request.files):
            return _refusal(400, fault)
        client = Client(play_request.action == "rates")
        values = await self.awaited(request, client, lambda: self.run_play(play_request, client))
        return JSONResponse(values, 200 if "exit" not in values or values.get("problems") == [] else 422)

    async def received(self, request: Request, form: type[T]) -> T | Response:
        """Return the content of a request, or the response that refuses it."""
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES:
                        return _refusal(413, tr("the request is larger than {n} MiB", n=MAX_BODY_BYTES >> 20))
        except TimeoutError:
            return _refusal(408, tr("the request did not arrive within {n} seconds", n=BODY_TIMEOUT_S))
        try:
            return msgspec.json.decode(bytes(body), type=form)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _refusal(400, tr("the request must be JSON"))

    async def awaited(
        self, request: Request, client: Client, work_of: Callable[[], dict[str, object]]
    ) -> dict[str, object]:
        """Return the result of a function that runs in a thread. `client` learns if its page disconnects."""
        work = asyncio.create_task(run_in_threadpool(work_of))
        while not work.done():
            await asyncio.wait([work], timeout=POLL_INTERVAL_S)
            client.disconnected = client.disconnected or await request.is_disconnected()
        return work.result()

    def run(self, command_request: CommandRequest, client: Client) -> dict[str, object]:
        """Run a command and return its answer as plain values, or a problem if there is no answer."""
        files = {name: text.encode("utf-8", "replace") for name, text in command_request.files.items()}
        return _within_limits(lambda: self.answer_values(self.answer(command_request.words, files, client)))

    def run_play(self, play_request: PlayRequest, client: Client) -> dict[str, object]:
        """Return the answer to a request about a game in play, or a problem if there is no answer."""
        files = {name: text.encode("utf-8", "replace") for name, text in play_request.files.items()}
        words = [msgspec.json.encode(play_request).decode()]

        def values() -> dict[str, object]:
            found: dict[str, object] = json.loads(self.runners.run(words, files, client, run_play).out)
            return found

        return _within_limits(values)

    def answer(self, words: list[str], files: dict[str, bytes], client: Client) -> Answer:
        """Run a command, or return a cached answer if the command succeeded before and its result cannot differ."""
        if words[0] in RANDOM_VERBS and not any(word.partition("=")[0] == "--seed" for word in words):
            return self.runners.run(words, files, client)
        printers = printers_path()  # The saved printers may have changed since.
        since = printers.stat().st_mtime_ns if printers.is_file() else 0
        key = hashlib.sha256(repr((words, sorted(files.items()), since)).encode()).digest()
        with self.lock:
            found = self.cache.get(key)
        found = found or self.runners.run(words, files, client)
        with self.lock:
            if not found.exit:
                self.cache[key] = found
                self.cache.move_to_end(key)
            while sum(map(_answer_bytes, self.cache.values())) > MAX_CACHE_BYTES:
                self.cache.popitem(last=False)
        return found

    async def progress(self, command_request: CommandRequest, client: Client) -> AsyncIterator[bytes]:
        """Yield progress reports, then the answer, as JSON lines.

        The command is cancelled if the client disconnects.
        """
        work = asyncio.create_task(run_in_threadpool(self.run, command_request, client))
        heard = None
        try:
            while not work.done():
                await asyncio.wait([work], timeout=POLL_INTERVAL_S)
                self.last_seen = time.monotonic()
                if client.last_progress != heard and (heard := client.last_progress):
                    yield json.dumps({"at": heard[0], "share": heard[1]}).encode() + b"\n"
                elif not work.done():
                    yield b"\n"  # Lets the server detect that the client has disconnected.
            yield json.dumps(work.result()).encode() + b"\n"
        finally:
            client.disconnected = True

    def answer_values(self, answer: Answer) -> dict[str, object]:
        """Return an answer as plain values, with addresses for the printed files."""
        files: dict[str, object] = {}
        for name, content in answer.files.items():
            if PurePosixPath(name).suffix in TEXT_SUFFIXES:
                files[name] = content.decode("utf-8", "replace")
            else:
                files[name] = {"url": self.publish(name, content), "sha256": hashlib.sha256(content).hexdigest()}
        try:
            out = json.loads(answer.out)
        except ValueError:
            out = answer.out
        return {"exit": answer.exit, "out": out, "err": answer.err, "files": files}

    def publish(self, name: str, content: bytes) -> str:
        """Return an address for a printed file, which is valid until newer files replace it."""
        where = f"{hashlib.sha256(content).hexdigest()[:32]}/{PurePosixPath(name).name}"
        with self.lock:
            self.prints[where] = content
            self.prints.move_to_end(where)
            while len(self.prints) > MAX_PRINTS:
                self.prints.popitem(last=False)
        return f"/made/{where}"

    async def printed_file(self, request: Request) -> Response:
        """Return a printed file."""
        content = self.prints.get(request.path_params["name"])
        if content is None:
            return _refusal(404, tr("this file is no longer available; print it again"))
        kind = MEDIA_TYPES.get(PurePosixPath(request.url.path).suffix, "application/octet-stream")
        return Response(content, media_type=kind)


class _Guard:
    """Middleware that refuses requests from elsewhere and adds the headers of every response.

    It is plain ASGI, because Starlette's base class hides from an endpoint that its client has disconnected.
    """

    def __init__(self, app: ASGIApp, studio: Studio) -> None:
        self.app, self.studio = app, studio

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self.studio.refusal(request)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not refusal and self.studio.key and request.query_params.get("key", ""):
                    cookie = Response()
                    cookie.set_cookie(COOKIE, self.studio.key, httponly=True, samesite="strict")
                    headers.append("set-cookie", cookie.headers["set-cookie"])
            await send(message)

        await (refusal or self.app)(scope, receive, send_with_headers)


def _within_limits(work: Callable[[], dict[str, object]]) -> dict[str, object]:
    """Return the result of work in a runner, or a problem if it exceeds a limit, or nothing if no page waits."""
    try:
        return work()
    except OverLimitError:
        return _problem_values(
            tr("this request needs more time or memory than the studio allows; request less, or use the command line")
        )
    except ClientGoneError:
        return {}


def page_texts() -> dict[str, Words]:
    """Return the texts of the page, keyed by name, from data/studio.toml and the names of the parts of a print."""
    parts = {f"part_{part}": label for part, label in shared_words()["part"].items()}
    return toml.read(shipped_path("data") / "studio.toml", dict[str, Words]) | parts


def preferred_lang(accepted: str) -> Lang:
    """Return the first supported language of an Accept-Language header, or English if there is none."""
    command_request = (one.strip()[:2].casefold() for one in accepted.split(","))
    return next((lang for of in command_request for lang in LANGS if lang == of), LANGS[0])


def _answer_bytes(answer: Answer) -> int:
    """Return the approximate size of an answer in bytes, including a fixed overhead."""
    return 1024 + len(answer.out) + len(answer.err) + sum(map(len, answer.files.values()))


def _page_assets() -> list[Path]:
    """Return the scripts and style sheets of the page."""
    return [
        file for file in sorted((shipped_path("templates") / "studio").iterdir()) if file.suffix in (".js", ".css")
    ]


def _request_fault(command_request: CommandRequest) -> LocalizedStr | None:
    """Return the reason to reject a request, or None if it is allowed."""
    words = command_request.words
    if not words or words[0] not in VERBS:
        return tr("this command cannot be used in the studio")
    if len(words) > MAX_WORDS or any(len(word) > MAX_WORD_CHARS or "\0" in word for word in words):
        return tr("the request is too long")
    leading = {
        place for place, word in enumerate(words) if any(_may_leave_folder(part) for part in _word_parts(word))
    }
    if leading and leading - _free_texts(words, leading):
        return tr("the studio can read only files that are uploaded to it")
    if any(word.partition("=")[0] == "--cluster" for word in words):
        return tr("the studio computes on this machine only, so --cluster cannot be used")
    return _files_fault(command_request.files)


def _files_fault(files: Mapping[str, str]) -> LocalizedStr | None:
    """Return the reason to reject the files of a request, or None if they are allowed."""
    if len(files) > MAX_FILES or any(not is_plain_name(name) or len(name) > 100 for name in files):
        return tr("the file name must not contain a folder")
    return None


def _word_parts(word: str) -> Iterator[str]:
    """Yield a word and, if it is an option with =, the option's value."""
    yield word
    if word.startswith("-"):
        yield word.partition("=")[2]


def _free_texts(words: list[str], places: set[int]) -> set[int]:
    """Return the places of options whose value is free text and never a path, as in `--title=a/b`.

    Click parses the command line with a marker in place of each text. Only a value that Click assigns to such an
    option counts. Words after `-o` or `--` do not count, and a command line that Click rejects has no free texts.
    """
    from generator.cli import muster

    option = {place: words[place].partition("=")[0] for place in places if _TEXT_OPTION.match(words[place])}
    marked = [f"{option[place]}=\0{place}" if place in option else word for place, word in enumerate(words)]
    try:
        with click.Context(muster) as whole:
            command: click.Command | None = muster.get_command(whole, marked[0])
            args, free = marked[1:], set[str]()
            if isinstance(command, click.Group) and args:
                command, args, free = command.get_command(whole, args[0]), args[1:], FREE_TEXTS
            if command is None:
                return set()
            with click.Context(command, parent=whole) as ctx:
                if isinstance(command, GameCommand):
                    args = command.with_game(ctx, args)
                    options = ctx.meta[GAME].options
                    free = {f"--{one.name}" for one in options if not (one.file or one.choices)}
                values, _, params = command.make_parser(ctx).parse_args(args=args)
    except click.ClickException:
        return set()
    names = {name: str(param.name) for param in params for name in param.opts if name in free}
    return {place for place, name in option.items() if values.get(names.get(name, "")) == f"\0{place}"}


def _may_leave_folder(word: str) -> bool:
    """Return whether a word may be a path to something outside the folder of the files."""
    return any(sign in word for sign in "/\\") or word in (".", "..", "-") or word.startswith("~")


def _locked_page(request: Request, host: str) -> Response:
    """Return the page that explains to a browser without the key how to open the studio."""
    lang = preferred_lang(request.headers.get("accept-language", ""))
    page_words = {key: of[lang] for key, of in page_texts().items()}
    return PAGES.TemplateResponse(request, "locked.html", {"lang": lang, "say": page_words, "host": host}, 403)


def _same_key(key: str, given: str) -> bool:
    return hmac.compare_digest(key.encode(), given.encode())


def _refusal(status: int, why: LocalizedStr) -> Response:
    """Return a response that rejects a request, in the format in which commands report problems."""
    return JSONResponse(_problem_values(why), status)


def _problem_values(why: LocalizedStr) -> dict[str, object]:
    return {"exit": 2, "problems": [{"message": localize(why, lang), "lang": lang} for lang in LANGS]}
