"""Generate malicious requests to the studio, with faulty paths, hosts, sizes, methods, bodies and command words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

PATHS = ("/", "/ask", "/alive", "/studio.js", "/made/x", "/made/../../etc/passwd", "/%2e%2e/etc/passwd", "//")
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
HOSTS = ("localhost:1", "evil.example", "127.0.0.1.evil.example:8000", "", "[::1]:8000", "127.0.0.1")
ORIGINS = ("null", "http://evil.example", "https://127.0.0.1:8001", "file://")
OUTSIDE = (
    "/etc/passwd",
    "../x",
    "..",
    "~/x",
    "--deck=/etc/passwd",
    "--map=../x.toml",
    "-",
    "--out=/tmp/x",
    "-o/tmp/x",
    "--templates=..",
    "--cluster=evil.example:8786",
)
TEXTS = ("--title=a/b", "--title=../../canary", "--title=/etc/passwd", "--place-pennant=A7/standard", "--title=~")
"""Options that accept any text. After `-o`, `--deck` or `--` these values would be paths."""
INSIDE = (
    "--deck",
    "--",
    "battle.toml",
    "--json",
    "x" * 5_000,
    "A1",
    "\0",
    "--lang",
    "ja",
    "-o",
    "out.toml",
    "--count=3",
    "--different-maps",
    "--small-maps",
    "--games=4",
    "--swatches",
    "P1+A1",
    "P1-",
    "B1a@NE",
    "../P1+A1",
    "values",
    "write",
    "check",
)
BODIES = (b"", b"{", b"[]", b'{"words": 1}', b'{"words": []}', b"\xff\xfe", b"[" * 50_000, b'{"words": [""], "x": 1}')
HEAD = "[muster]\ngame = 'battling'\n"
LEADING = HEAD + '[muster.files]\ndeck = { name = "../../canary", sha256 = "" }\n'
TOML = ("", "\0", "[muster", 'game = "x"', HEAD + "a" * 9_000, "=", "[[" * 400, "x = " + "[" * 90, LEADING, "\ud800")
VERBS = (
    "draw",
    "check",
    "edit",
    "fairness",
    "rules",
    "sight",
    "print",
    "data",
    "orders",
    "tournament",
    "printer",
    "studio",
    "--version",
    "",
)
SLOW = 0.02
"""Fraction of the requests that never send their whole body."""


class Sent(NamedTuple):
    """An HTTP request to the studio."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    slow: bool = False
    """Whether the request announces a longer body than it sends."""


def requests(count: int, host: str, seed: int = 20) -> Iterator[Sent]:
    """Yield `count` requests with at least one fault each, or with a text that looks like a path."""
    chosen = random.Random(seed)
    for _ in range(count):
        body: Any = {"words": [chosen.choice(VERBS)], "files": {}}
        if chosen.random() < 0.1:
            body["words"] = ["draw", "call_to_arms", *chosen.sample(TEXTS, chosen.randrange(3))]
            headers = {"host": host, "content-type": "application/json"}
            yield Sent("POST", "/ask", headers, json.dumps(body).encode())
            continue
        for _ in range(chosen.randrange(4)):
            body["words"].append(chosen.choice((*OUTSIDE, *TEXTS, *INSIDE)))
        if chosen.random() < 0.7:
            name = chosen.choice(("battle.toml", "../battle.toml", "/etc/passwd", "a" * 300, "", "battle.toml\0"))
            body["files"][name] = chosen.choice(TOML)
        if chosen.random() < 0.1:
            body["progress"] = chosen.choice((True, 1, "yes"))
        raw = chosen.choice(BODIES) if chosen.random() < 0.2 else json.dumps(body).encode()
        if chosen.random() < 0.01:
            raw = b"x" * (5 << 20)
        headers = {"host": host, "content-type": "application/json"}
        if chosen.random() < 0.2:
            headers["host"] = chosen.choice(HOSTS)
        if chosen.random() < 0.2:
            headers["origin"] = chosen.choice(ORIGINS)
        if chosen.random() < 0.1:
            headers["content-type"] = chosen.choice(("text/plain", "multipart/form-data", ""))
        path = chosen.choice(PATHS) if chosen.random() < 0.3 else "/ask"
        method = chosen.choice(METHODS) if chosen.random() < 0.2 else "POST"
        yield Sent(method, path, headers, raw, method == "POST" and chosen.random() < SLOW)
