"""The studio's server: one page, and one question, which is a command line.

`POST /ask` with `{words, files}` answers `{exit, out, problems, files}`: `words` are what stands behind `muster`, and
the files that they name are sent along, by bare names. Texts that a command wrote come back as texts; what is
printed gets an address, `/made/<hash>/<name>`, and stays there until newer ones have taken its place.
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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import click
import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from generator.cli.request import GAME, GameCommand
from generator.cli.studio_runners import LOOK, Answer, Asker, GoneError, OverBoundError, Runners
from generator.common.tables import shared_words
from generator.localization import LANGS, Lang, LocalizedStr, localize, tr
from generator.model.words import Words
from generator.notation import toml
from generator.notation.printers import place
from generator.store.folders import shipped_path
from generator.store.write import is_plain_name

VERBS = frozenset(
    "games kit draw check edit rules fairness rulings odds print cards tokens reference "  # noqa: SIM905
    "sheets boards sight orders replay data moves intercept campaign".split()
)
"""What the page may ask: verbs that read what they are sent, and write into a folder that goes afterwards."""
BODY, WORDS, WORD, FILES = 4 << 20, 120, 4096, 20
"""Bounds of a question: bytes, words, letters in a word, files."""
BODY_SECONDS = 20
"""How long a question may take to come."""
KEPT = 40
"""How many prints keep their address."""
KNOWN = 64 << 20
"""Bytes of answers that are remembered: who goes back, reloads, or changes the language again does not wait."""
DRAWING = {"kit", "draw", "boards", "campaign", "orders"}
"""Verbs that may draw something, or throw dice by a secret; without a code each time something else."""
TEXTS = {".toml", ".svg", ".json", ".txt"}
KINDS = {".pdf": "application/pdf", ".png": "image/png", ".gif": "image/gif", ".js": "text/javascript"}
KINDS |= {".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
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
FREE_TEXTS = {"--seal", "--secret"}
"""Options of `orders dice` whose value is a text."""
_TEXT_OPTION = re.compile("--[a-z-]+=")
COOKIE = "muster"
PAGES = Jinja2Templates(shipped_path("templates") / "studio")


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question."""

    words: list[str]
    files: dict[str, str] = {}
    """Texts by bare name."""
    progress: bool = False
    """Whether the answer comes by lines of JSON: what the command is at, `{at, share}`, and in the end the answer."""


class Studio:
    """What the server keeps: its runners, what they printed, and when a page was last heard of."""

    def __init__(self, hosts: frozenset[str], key: str = "", runners: Runners | None = None) -> None:
        self.hosts, self.key = hosts, key
        self.runners = runners or Runners()
        self.made: OrderedDict[str, bytes] = OrderedDict()
        self.known: OrderedDict[bytes, Answer] = OrderedDict()
        self.lock = threading.Lock()
        self.heard = 0.0
        """By the monotonic clock, in seconds; 0 before the first page."""

    def app(self) -> Starlette:
        """The application, to be served."""

        @asynccontextmanager
        async def life(_: Starlette) -> Any:
            try:
                yield
            finally:
                self.runners.close()

        routes = [
            Route("/", self.page),
            *(Route(f"/{file.name}", self.part) for file in _parts_of_the_page()),
            Route("/ask", self.ask, methods=["POST"]),
            Route("/alive", self.alive, methods=["POST"]),
            Route("/made/{name:path}", self.print),
        ]
        app = Starlette(routes=routes, lifespan=life)
        app.add_middleware(BaseHTTPMiddleware, dispatch=self.guarded)
        return app

    async def guarded(self, request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        """Refuse what another page, another name for this machine, or a stranger in the room sends."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host.casefold() not in self.hosts or (origin and origin.partition("://")[2].casefold() not in self.hosts):
            return _refusal(403, tr("the studio answers only its own page"))
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and request.url.path != "/":
            return _refusal(403, tr("the studio answers only its own page"))
        if request.method == "POST" and request.headers.get("content-type") != "application/json":
            return _refusal(415, tr("a request must be JSON"))
        shown = request.query_params.get("key", "")
        if self.key and not any(_same(self.key, typed) for typed in (shown, request.cookies.get(COOKIE, ""))):
            return _refusal(403, tr("open the address that `muster studio --share` printed, with its key"))
        answer = await go_on(request)
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if self.key and shown:
            answer.set_cookie(COOKIE, self.key, httponly=True, samesite="strict")
        return answer

    async def page(self, request: Request) -> Response:
        """The page, with all its words in both languages, at first in the one that the browser asks for."""
        self.heard = time.monotonic()
        await run_in_threadpool(self.runners.ready)
        words = {key: {lang: of[lang] for lang in LANGS} for key, of in texts().items()}
        lang = preferred(request.headers.get("accept-language", ""))
        values = {"words": words, "lang": lang, "say": {key: of[lang] for key, of in words.items()}}
        return PAGES.TemplateResponse(request, "studio.html", values)

    async def part(self, request: Request) -> Response:
        """A script of the page, or its looks."""
        file = shipped_path("templates") / "studio" / PurePosixPath(request.url.path).name
        return Response(file.read_bytes(), media_type=KINDS[file.suffix])

    async def alive(self, _: Request) -> Response:
        """A page says that it is still open."""
        self.heard = time.monotonic()
        return JSONResponse({})

    async def ask(self, request: Request) -> Response:
        """What a command leaves."""
        self.heard = time.monotonic()
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > BODY:
                        return _refusal(413, tr("it is larger than {n} MiB", n=BODY >> 20))
        except TimeoutError:
            return _refusal(408, tr("it was not sent within {n} seconds", n=BODY_SECONDS))
        try:
            asked = msgspec.json.decode(bytes(body), type=Asked)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _refusal(400, tr("a request must be JSON"))
        if fault := await run_in_threadpool(_fault, asked):
            return _refusal(400, fault)
        asker = Asker()
        if asked.progress:
            return StreamingResponse(self.progress(asked, asker), media_type="application/x-ndjson")
        told = await run_in_threadpool(self.run, asked, asker)
        return JSONResponse(told, 503 if "problems" in told else 200)

    def run(self, asked: Asked, asker: Asker) -> dict[str, object]:
        """What a command leaves, as plain values; why it leaves nothing."""
        files = {name: text.encode("utf-8", "replace") for name, text in asked.files.items()}
        try:
            return self.told(self.answer(asked.words, files, asker))
        except OverBoundError:
            return _why(
                tr("it needs more time or memory than the studio allows: ask for less, or use the command line")
            )
        except GoneError:
            return {}

    def answer(self, words: list[str], files: dict[str, bytes], asker: Asker) -> Answer:
        """What a command leaves: as before where it was done already, succeeded, and can only come out the same."""
        if words[0] in DRAWING and not any(word.partition("=")[0] == "--seed" for word in words):
            return self.runners.run(words, files, asker)
        printers = place()  # which may be set up anew meanwhile
        since = printers.stat().st_mtime_ns if printers.is_file() else 0
        key = hashlib.sha256(repr((words, sorted(files.items()), since)).encode()).digest()
        with self.lock:
            found = self.known.get(key)
        found = found or self.runners.run(words, files, asker)
        with self.lock:
            if not found.exit:
                self.known[key] = found
                self.known.move_to_end(key)
            while sum(map(_weight, self.known.values())) > KNOWN:
                self.known.popitem(last=False)
        return found

    async def progress(self, asked: Asked, asker: Asker) -> AsyncIterator[bytes]:
        """An answer in lines: how far the command is, now and then, and what it leaves; who goes away ends it."""
        work = asyncio.create_task(run_in_threadpool(self.run, asked, asker))
        heard = None
        try:
            while not work.done():
                await asyncio.wait([work], timeout=LOOK)
                self.heard = time.monotonic()
                if asker.heard != heard and (heard := asker.heard):
                    yield json.dumps({"at": heard[0], "share": heard[1]}).encode() + b"\n"
                elif not work.done():
                    yield b"\n"  # by which the server learns whether anybody still listens
            yield json.dumps(work.result()).encode() + b"\n"
        finally:
            asker.gone = True

    def told(self, answer: Answer) -> dict[str, object]:
        """An answer as plain values, its prints by their addresses."""
        files: dict[str, object] = {}
        for name, content in answer.files.items():
            if PurePosixPath(name).suffix in TEXTS:
                files[name] = content.decode("utf-8", "replace")
            else:
                digest = hashlib.sha256(content).hexdigest()
                where = f"{digest[:32]}/{PurePosixPath(name).name}"
                self.made[where] = content
                self.made.move_to_end(where)
                files[name] = {"url": f"/made/{where}", "sha256": digest}
        while len(self.made) > KEPT:
            self.made.popitem(last=False)
        try:
            out = json.loads(answer.out)
        except ValueError:
            out = answer.out
        return {"exit": answer.exit, "out": out, "err": answer.err, "files": files}

    async def print(self, request: Request) -> Response:
        """What was printed."""
        content = self.made.get(request.path_params["name"])
        if content is None:
            return _refusal(404, tr("it is no longer available: print it again"))
        kind = KINDS.get(PurePosixPath(request.url.path).suffix, "application/octet-stream")
        return Response(content, media_type=kind)


def texts() -> dict[str, Words]:
    """What the page says, by key: data/studio.toml, and what the parts of a print are called."""
    parts = {f"part_{part}": called for part, called in shared_words()["part"].items()}
    return toml.read(shipped_path("data") / "studio.toml", dict[str, Words]) | parts


def preferred(accepted: str) -> Lang:
    """The first of our languages that a browser accepts, as its header tells them in their order; else English."""
    asked = (one.strip()[:2].casefold() for one in accepted.split(","))
    return next((lang for of in asked for lang in LANGS if lang == of), LANGS[0])


def _weight(answer: Answer) -> int:
    """About how many bytes an answer takes, be it never so short."""
    return 1024 + len(answer.out) + len(answer.err) + sum(map(len, answer.files.values()))


def _parts_of_the_page() -> list[Path]:
    """What the page is made of besides itself: its scripts and its looks."""
    return [
        file for file in sorted((shipped_path("templates") / "studio").iterdir()) if file.suffix in (".js", ".css")
    ]


def _fault(asked: Asked) -> LocalizedStr | None:
    """Why a question is not asked; None where nothing is wrong with it."""
    words = asked.words
    if not words or words[0] not in VERBS:
        return tr("the studio does not use that command")
    if len(words) > WORDS or any(len(word) > WORD or "\0" in word for word in words):
        return tr("the request is too long")
    leading = {place for place, word in enumerate(words) if any(_outside(part) for part in _parts(word))}
    if leading and leading - _free_texts(words, leading):
        return tr("the studio reads only the files that it is sent")
    if any(word.partition("=")[0] == "--cluster" for word in words):
        return tr("the studio computes on this machine only")
    if len(asked.files) > FILES or any(not is_plain_name(name) or len(name) > 100 for name in asked.files):
        return tr("the file name must not contain a folder")
    return None


def _parts(word: str) -> Iterator[str]:
    """A word, and what stands behind the = of an option."""
    yield word
    if word.startswith("-"):
        yield word.partition("=")[2]


def _free_texts(words: list[str], places: set[int]) -> set[int]:
    """Return those of these places at which an option stands that takes a text and never a path, `--title=a/b`.

    Click parses the command line with a mark in place of each text: only a value that Click assigns to such an option
    counts. Words after `-o` or `--` do not count, and a command line that Click refuses has no free texts.
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


def _outside(word: str) -> bool:
    """Whether a word may lead out of the folder that the files lie in."""
    return any(sign in word for sign in "/\\") or word in (".", "..", "-") or word.startswith("~")


def _same(key: str, typed: str) -> bool:
    return hmac.compare_digest(key.encode(), typed.encode())


def _refusal(status: int, why: LocalizedStr) -> Response:
    """A refusal in both languages, as a verb tells a fault."""
    return JSONResponse(_why(why), status)


def _why(why: LocalizedStr) -> dict[str, object]:
    return {"exit": 2, "problems": [{"message": localize(why, lang), "lang": lang} for lang in LANGS]}
