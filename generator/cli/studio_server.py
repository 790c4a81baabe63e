"""The studio's server: one page, and one question, which is a command line.

`POST /ask` with `{words, files}` answers `{exit, out, problems, files}`: `words` are what stands behind `muster`, and
the files that they name are sent along, by bare names. Texts that a command wrote come back as texts; what is
printed gets an address, `/made/<hash>/<name>`, and stays there until newer ones have taken its place.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import PurePosixPath
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.cli.studio_workers import Answer, OverBoundError, Workers
from generator.model.words import Words
from generator.notation import toml
from generator.said import Said, say, told
from generator.store.folders import shipped
from generator.store.write import is_bare

VERBS = (
    *(
        "games",
        "kit",
        "draw",
        "check",
        "edit",
        "rules",
        "fairness",
        "rulings",
        "odds",
        "print",
        "cards",
        "tokens",
        "reference",
    ),
    *("sheets", "boards", "sight", "orders", "replay", "data", "moves", "intercept", "campaign"),
)
"""What the page may ask: verbs that read what they are sent, and write into a folder that goes afterwards."""
BODY, WORDS, WORD, FILES = 4 << 20, 120, 4096, 20
"""Bounds of a question: bytes, words, letters in a word, files."""
KEPT = 40
"""How many prints keep their address."""
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
PARTS = ("studio.css", "studio.js", "base.js", "ask.js", "move.js", "see.js", "seats.js")
"""What the page is made of: its looks, and its modules."""
COOKIE = "muster"
WORDS_HERE = "{}"
"""Where the page holds its words."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question."""

    words: list[str]
    files: dict[str, str] = {}
    """Texts by bare name."""


class Studio:
    """What the server keeps: its workers, what they printed, and when a page was last heard of."""

    def __init__(self, hosts: frozenset[str], key: str = "", workers: Workers | None = None) -> None:
        self.hosts, self.key = hosts, key
        self.workers = workers or Workers()
        self.made: OrderedDict[str, bytes] = OrderedDict()
        self.heard = 0.0
        """By the monotonic clock, in seconds; 0 before the first page."""

    def app(self) -> Starlette:
        """The application, to be served."""

        @asynccontextmanager
        async def life(_: Starlette) -> Any:
            try:
                yield
            finally:
                self.workers.close()

        routes = [
            Route("/", self.page),
            *(Route(f"/{name}", self.part) for name in PARTS),
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
            return _refusal(403, say("the studio answers its own page alone"))
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and request.url.path != "/":
            return _refusal(403, say("the studio answers its own page alone"))
        if request.method == "POST" and request.headers.get("content-type") != "application/json":
            return _refusal(415, say("a question is JSON"))
        shown = request.query_params.get("key", "")
        if self.key and not any(_same(self.key, typed) for typed in (shown, request.cookies.get(COOKIE, ""))):
            return _refusal(403, say("open the address that `muster studio --share` printed, with its key"))
        answer = await go_on(request)
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if self.key and shown:
            answer.set_cookie(COOKIE, self.key, httponly=True, samesite="strict")
        return answer

    async def page(self, _: Request) -> Response:
        """The page, with all its words in both languages."""
        self.heard = time.monotonic()
        words = {key: {"en": of["en"], "ja": of["ja"]} for key, of in texts().items()}
        spoken = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
        text = (shipped("templates") / "studio" / "studio.html").read_text("utf-8")
        return Response(text.replace(WORDS_HERE, spoken), media_type="text/html")

    async def part(self, request: Request) -> Response:
        """One of the PARTS."""
        file = shipped("templates") / "studio" / PurePosixPath(request.url.path).name
        return Response(file.read_bytes(), media_type=KINDS[file.suffix])

    async def alive(self, _: Request) -> Response:
        """A page says that it is still open."""
        self.heard = time.monotonic()
        return JSONResponse({})

    async def ask(self, request: Request) -> Response:
        """What a command leaves."""
        self.heard = time.monotonic()
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY:
                return _refusal(413, say("it is larger than {n} MiB", n=BODY >> 20))
        try:
            asked = msgspec.json.decode(bytes(body), type=Asked)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _refusal(400, say("a question is JSON"))
        if fault := _fault(asked):
            return _refusal(400, fault)
        files = {name: text.encode("utf-8", "replace") for name, text in asked.files.items()}
        try:
            answer = await run_in_threadpool(self.workers.run, asked.words, files)
        except OverBoundError:
            return _refusal(503, say("it took more time or memory than the studio gives: ask for less, or type it"))
        return JSONResponse(self.told(answer))

    def told(self, answer: Answer) -> dict[str, object]:
        """An answer as plain values, its prints by their addresses."""
        files: dict[str, object] = {}
        for name, content in answer.files.items():
            if PurePosixPath(name).suffix in TEXTS:
                files[name] = content.decode("utf-8", "replace")
            else:
                where = f"{hashlib.sha256(content).hexdigest()[:32]}/{PurePosixPath(name).name}"
                self.made[where] = content
                self.made.move_to_end(where)
                files[name] = {"url": f"/made/{where}", "sha256": hashlib.sha256(content).hexdigest()}
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
            return _refusal(404, say("it is no longer kept: print it again"))
        return Response(
            content, media_type=KINDS.get(PurePosixPath(request.url.path).suffix, "application/octet-stream")
        )


def texts() -> dict[str, Words]:
    """What the page says, by key: data/studio.toml."""
    return toml.read(shipped("data") / "studio.toml", dict[str, Words])


def _fault(asked: Asked) -> Said | str:
    """Why a question is not asked; empty where nothing is wrong with it."""
    words = asked.words
    if not words or words[0] not in VERBS:
        return say("the studio does not ask that verb")
    if len(words) > WORDS or any(len(word) > WORD or "\0" in word for word in words):
        return say("a question is too long")
    if any(_outside(part) for word in words for part in _parts(word)):
        return say("the studio reads what it is sent, and no other file")
    if len(asked.files) > FILES or any(not is_bare(name) or len(name) > 100 for name in asked.files):
        return say("a file has a bare name")
    return ""


def _parts(word: str) -> Iterator[str]:
    """A word, and what stands behind the = of an option."""
    yield word
    if word.startswith("-"):
        yield word.partition("=")[2]


def _outside(word: str) -> bool:
    """Whether a word may lead out of the folder that the files lie in."""
    return any(sign in word for sign in "/\\") or word in (".", "..", "-") or word.startswith("~")


def _same(key: str, typed: str) -> bool:
    return hmac.compare_digest(key.encode(), typed.encode())


def _refusal(status: int, why: Said | str) -> Response:
    """A refusal in both languages, as a verb tells a fault."""
    rows = [{"message": told(why, lang) if isinstance(why, Said) else why, "lang": lang} for lang in ("en", "ja")]
    return JSONResponse({"exit": 2, "problems": rows}, status)
