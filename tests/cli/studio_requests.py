"""Generate malicious requests to the studio, with faulty paths, hosts, sizes, methods, bodies and command words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

PATHS = (
    "/",
    "/ask",
    "/play",
    "/alive",
    "/studio.js",
    "/made/x",
    "/made/../../etc/passwd",
    "/%2e%2e/etc/passwd",
    "//",
)
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
ACTIONS = ("new", "open", "move", "roll", "undo", "hint", "odds", "rates", "branch", "fly", "")
SAVED = {
    "format": 1,
    "game": "battling",
    "scenario": {"sha256": "", "text": LEADING, "folder": "/etc"},
    "code": "K7Q2M-9FHN5",
    "seats": [{"player": "person"}, {"player": ""}],
    "first": 0,
    "steps": [],
}
"""A saved game with a folder and a scenario that name files elsewhere."""
SAVED_FAULTS: tuple[dict[str, Any], ...] = (
    {},
    {"format": 10**30},
    {"scenario": {"sha256": "0", "text": "", "folder": "../.."}},
    {"scenario": {"sha256": "", "text": "[muster", "folder": "~"}},
    {"seats": [{"player": "/etc/passwd"}, {"player": "person"}]},
    {"code": "../canary"},
    {"first": -1},
    {"first": 2**70},
    {"steps": [{"seat": -9, "outcome": -1, "dice": ["<b>", 2**60]}]},
    {"steps": [{"seat": 0, "move": "x" * 5_000}] * 50},
)
"""Changes of this saved game."""
SLOW = 0.02
"""Fraction of the requests that never send their whole body."""
GAMES = 0.3
"""Fraction of the requests that are about games in play."""


ROOM = 0.15
"""Fraction of the requests that are about tournaments."""
EVENTS = ("../..", "/etc", "..", "~", "x/../../y", "\0", "", "-o", "x" * 5_000, "output/../..", "%2e%2e", "nope")
TOKENS = ("A" * 22, "", "../x", "\0", "x" * 5_000, "%00", 7, None, ["A" * 22])
ROOM_ACTIONS: tuple[Any, ...] = (
    {"kind": "pair", "reopen": True},
    {"kind": "pack", "paper": "../x"},
    {"kind": "record", "files": {"../results.csv": "eA=="}},
    {"kind": "record", "files": {"/etc/passwd": "!"}},
    {"kind": "result", "round": 10**30, "table": -1, "games": []},
    {"kind": "new", "game": "/etc/passwd", "name": "../../x"},
    {"kind": "new", "game": "battling", "name": "x", "options": {"deck": "/etc/passwd"}},
    {"kind": "days", "name": "--out=/tmp/x"},
    {"kind": "rm"},
    None,
)
"""Actions of the tournament room that have a fault, or whose event does not exist."""


class Sent(NamedTuple):
    """An HTTP request to the studio."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    slow: bool = False
    """Whether the request announces a longer body than it sends."""


def game_request(chosen: random.Random, host: str) -> Sent:
    """Return a faulty request about a game in play."""
    saved = SAVED | chosen.choice(SAVED_FAULTS)
    body: dict[str, Any] = {"action": chosen.choice(ACTIONS), "lang": chosen.choice(("en", "ja", "xx", "../x"))}
    body["saved"] = chosen.choice((json.dumps(saved), json.dumps(saved)[:50], "", "[" * 50_000, "null"))
    body["scenario"] = chosen.choice(TOML)
    for name, values in (
        ("files", ({"../battle.toml": ""}, {"/etc/passwd": "x"}, {"deck.toml": LEADING}, {"a" * 300: ""})),
        ("seats", ([], [{"player": "person"}], [{"player": "../x"}, {"level": "weak"}], "x")),
        ("code", ("/etc/passwd", "K7Q2M-9FHN5", "\0", "x" * 5_000)),
        ("step", (-1, 2**80, "1")),
        ("steps", ([-1], [2**40], list(range(5_000)))),
        ("games", (0, -5, 10**9)),
        ("faces", (["x"], [10**30], [{}])),
        ("move", ("../x", "\ud800", "x" * 5_000)),
        ("since", (-(2**60), 2**60)),
    ):
        if chosen.random() < 0.3:
            body[name] = chosen.choice(values)
    headers = {"host": host, "content-type": "application/json"}
    if chosen.random() < 0.2:
        headers["host"] = chosen.choice(HOSTS)
    if chosen.random() < 0.2:
        headers["origin"] = chosen.choice(ORIGINS)
    method = chosen.choice(METHODS) if chosen.random() < 0.1 else "POST"
    return Sent(method, "/play", headers, json.dumps(body).encode(), method == "POST" and chosen.random() < SLOW)


def room_request(chosen: random.Random, host: str) -> Sent:
    """Return a faulty request about a tournament, or one with a guessed token."""
    path, fields = chosen.choice(
        [
            *((f"/tournament/{name}", ("event",)) for name in ("state", "list")),
            *(("/tournament/file", ("event", "name")), ("/tournament/phones", ("event", "round"))),
            *(("/tournament/do", ("event", "do")), ("/tournament/preview", ("event", "text"))),
            *(("/wall/state", ("event",)), ("/slip/read", ("token",)), ("/slip/send", ("token", "games"))),
            *((name, ()) for name in ("/tournament", "/wall", "/slip", "/tournament/../secret.txt")),
        ]
    )
    values: dict[str, tuple[Any, ...]] = {
        "event": EVENTS,
        "name": ("secret.txt", "../x", "/etc/passwd", "round-1/../secret.txt", ""),
        "round": (0, -1, 10**30, "1"),
        "do": ROOM_ACTIONS,
        "text": ("=cmd", "\0", "x" * 5_000, "\ud800", 7),
        "token": TOKENS,
        "games": ([], [{"game": 1, "won": "a"}], [{"game": 9, "won": "c"}], "x"),
    }
    body = {field: chosen.choice(values[field]) for field in fields}
    headers = {"host": host, "content-type": "application/json"}
    if chosen.random() < 0.2:
        headers["host"] = chosen.choice(HOSTS)
    if chosen.random() < 0.2:
        headers["origin"] = chosen.choice(ORIGINS)
    return Sent(chosen.choice(("GET", "POST", "POST", "POST")), path, headers, json.dumps(body).encode())


def requests(count: int, host: str, seed: int = 20) -> Iterator[Sent]:
    """Yield `count` requests with at least one fault each, or with a text that looks like a path."""
    chosen = random.Random(seed)
    for _ in range(count):
        kind = chosen.random()
        if kind < GAMES + ROOM:
            yield (game_request if kind < GAMES else room_request)(chosen, host)
            continue
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
