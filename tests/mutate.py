"""Break valid files as people, tools and attackers do, with one random number generator."""

from __future__ import annotations

import copy
import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from generator.notation import text

Path = tuple[str | int, ...]

NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    7,
    13,
    98,
    99,
    100,
    101,
    255,
    999,
    1000,
    9999,
    65536,
    10**6,
    1 << 53,
    1 << 62,
)
ODD: tuple[Any, ...] = (
    True,
    False,
    0.5,
    -0.0,
    1e308,
    math.nan,
    math.inf,
    "",
    [],
    {},
    [[]],
    [{}],
    {"a": 1},
    "0",
    "no",
)
TEXTS = (
    "", " ", "-", "?", "x" * 80, "x" * 81, "x" * 3000, "戦" * 80, "a\nb", "a\tb", "\x1b[31m", "\u202eabc", "\u200b",
    "\0", "🐌", "👩", "𠮷", "０７０７", "A1", "a1", "Z99", "0101", "-1", "1e9", "<b>&amp;</b>", "{0}", "{x.y}",
    "%s", "{{ 7*7 }}", "{% if", "../../etc/passwd", "/dev/null", "con", "null", "None", "é", "e\u0301", "Ǆ", "ß",
    "ﬁ", "\ufeff", "\u3000", "\u00a0x", "\u00adx", "أ", "קמץ", "pennant", "standard", "blue", "red", "first",
    "second", "hussite", "crusader", "players", "Łódź", "word " * 300, "無" * 500, "i" * 2000, "W" * 400,
)  # fmt: skip
BYTES = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b'"', b"'", b'"""', b"[", b"]", b"{", b"}", b"=",
    b"#", b"\\", b"\xe3\x81", "戦".encode("cp932"), "\u202e".encode(), "🐌".encode(), b"0" * 5000, b"a." * 99,
    b"[" * 300, b"<", b",", b";", b"\x1b[2J",
)  # fmt: skip


def changed(text: bytes, kind: str, rng: Random) -> bytes:
    """Break a file one to three times, in its values if it is TOML or JSON, otherwise in its bytes."""
    tamed = {"toml": _toml, "json": _json}.get(kind)
    if tamed is None or rng.random() < 0.2:
        for _ in range(rng.choice((1, 1, 2, 5))):
            text = _bytes(text, rng)
        return text
    return tamed(text, rng)


def _toml(text: bytes, rng: Random) -> bytes:
    data = tomllib.loads(text.decode())
    _break(data, rng)
    return written(data).encode("utf-8", "surrogatepass")


def _json(text: bytes, rng: Random) -> bytes:
    data = json.loads(text)
    _break(data, rng)
    made = json.dumps(data, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 2)))
    if rng.random() < 0.1:  # repeat a key
        made = made.replace("{", '{"' + rng.choice(list(data) or ["a"]) + '": 1, ', 1)
    return made.encode("utf-8", "surrogatepass")


def written(data: Mapping[str, Any]) -> str:
    """Return a mapping as TOML, with tables under headers as people write them."""
    plain = {k: v for k, v in data.items() if not _tabled(v)}
    lines = [f"{text.key(k)} = {_value(v)}" for k, v in plain.items()]
    for key, value in data.items():
        for table in value if isinstance(value, list) else [value]:
            if key not in plain:
                head = f"[[{text.key(key)}]]" if isinstance(value, list) else f"[{text.key(key)}]"
                lines += ["", head, *(f"{text.key(k)} = {_value(v)}" for k, v in table.items())]
    return "\n".join(lines) + "\n"


def _tabled(value: Any) -> bool:
    """Return whether a value is written as one or several tables with headers."""
    rows = isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    return isinstance(value, dict) or rows


def _value(of: Any) -> str:
    """Return a value as TOML, with one row for each table of a list. Floats are allowed."""
    if isinstance(of, float):
        return repr(of) if math.isfinite(of) else str(of)
    if isinstance(of, dict):
        return "{ " + ", ".join(f"{text.key(k)} = {_value(v)}" for k, v in of.items()) + " }"
    if isinstance(of, list):
        rows = all(isinstance(row, dict) for row in of) and len(of) > 0
        made = [_value(row) for row in of]
        return "[\n" + "".join(f"  {row},\n" for row in made) + "]" if rows else "[" + ", ".join(made) + "]"
    if isinstance(of, str) and of.count("\n") > 1 and of.replace("\n", "").isprintable() and not set(of) & set('"\\'):
        return f'"""\n{of}"""'
    return text.value(of)


def _break(data: dict[str, Any], rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        paths = list(_paths(data, ()))
        if paths:
            rng.choice(_WAYS)(data, paths, rng)


def _paths(value: Any, path: Path) -> Iterator[Path]:
    """Yield every key path in a file, outermost first."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from _paths(inner, (*path, key))


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def _leaves(data: Any, paths: list[Path]) -> list[Path]:
    return [path for path in paths if not isinstance(_at(data, path), dict | list)] or paths


def _put(data: Any, path: Path, value: Any) -> None:
    _at(data, path[:-1])[path[-1]] = value


def _swap_with_like(data: Any, paths: list[Path], rng: Random) -> None:
    """Replace a value by a value of the same key elsewhere, as people confuse them."""
    path = rng.choice(_leaves(data, paths))
    last_key = next((key for key in reversed(path) if isinstance(key, str)), "")
    kin = [p for p in paths if p != path and last_key in p and type(_at(data, p)) is type(_at(data, path))]
    if kin:
        _put(data, path, copy.deepcopy(_at(data, rng.choice(kin))))


def _swap_with_any(data: Any, paths: list[Path], rng: Random) -> None:
    one, two = rng.choice(paths), rng.choice(_leaves(data, paths))
    if one[: len(two)] != two and two[: len(one)] != one:
        a, b = _at(data, one), _at(data, two)
        _put(data, one, b)
        _put(data, two, a)


def _number(data: Any, paths: list[Path], rng: Random) -> None:
    numbers = [p for p in paths if isinstance(_at(data, p), int) and not isinstance(_at(data, p), bool)]
    if numbers:
        path = rng.choice(numbers)
        _put(data, path, rng.choice((*NUMBERS, _at(data, path) + 1, _at(data, path) - 1, _at(data, path) * 2)))


def _text(data: Any, paths: list[Path], rng: Random) -> None:
    texts = [p for p in paths if isinstance(_at(data, p), str)]
    if texts:
        path = rng.choice(texts)
        was = _at(data, path)
        edits = (
            was + rng.choice(TEXTS),
            rng.choice(TEXTS) + was,
            was[: len(was) // 2],
            was[1:],
            was.upper(),
            was * 3,
        )
        _put(data, path, rng.choice((rng.choice(TEXTS), rng.choice(edits))))


def _character(data: Any, paths: list[Path], rng: Random) -> None:
    """Replace a character of a drawing or text by another character of the same text."""
    texts = [p for p in paths if isinstance(_at(data, p), str) and _at(data, p)]
    if texts:
        path = max(rng.sample(texts, min(3, len(texts))), key=lambda p: len(_at(data, p)))
        was = _at(data, path)
        at, new = rng.randrange(len(was)), rng.choice(was)
        _put(data, path, was[:at] + new + was[at + 1 :])


def _odd(data: Any, paths: list[Path], rng: Random) -> None:
    _put(data, rng.choice(paths), copy.deepcopy(rng.choice((*ODD, *NUMBERS))))


def _drop(data: Any, paths: list[Path], rng: Random) -> None:
    path = rng.choice(paths)
    del _at(data, path[:-1])[path[-1]]


def _double(data: Any, paths: list[Path], rng: Random) -> None:
    rows = [path for path in paths if isinstance(path[-1], int)]
    if rows:
        path = rng.choice(rows)
        of = _at(data, path[:-1])
        for _ in range(rng.choice((1, 1, 1, 5, 200))):
            of.insert(rng.randrange(len(of) + 1), copy.deepcopy(of[path[-1]]))


def _shuffle(data: Any, paths: list[Path], rng: Random) -> None:
    lists = [_at(data, path) for path in paths if isinstance(_at(data, path), list)]
    if lists:
        rng.shuffle(rng.choice(lists))


def _empty(data: Any, paths: list[Path], rng: Random) -> None:
    held = [path for path in paths if isinstance(_at(data, path), list | dict)]
    if held:
        _at(data, rng.choice(held)).clear()


def _rename(data: Any, paths: list[Path], rng: Random) -> None:
    keys = [path for path in paths if isinstance(path[-1], str)]
    path = rng.choice(keys)
    of = _at(data, path[:-1])
    of[rng.choice((*TEXTS, *(str(key[-1]) for key in keys)))] = of.pop(path[-1])


def _reach_over(data: Any, paths: list[Path], rng: Random) -> None:
    """Copy the value of a key in one row to all other rows."""
    rows = [path for path in paths if len(path) > 1 and isinstance(path[-2], int)]
    if rows:
        path = rng.choice(rows)
        value = _at(data, path)
        for row in _at(data, path[:-2]):
            if isinstance(row, dict):
                row[path[-1]] = copy.deepcopy(value)


_WAYS = (
    _swap_with_like, _swap_with_like, _swap_with_like, _swap_with_any, _number, _number, _text, _text, _text,
    _character, _character, _odd, _drop, _drop, _double, _shuffle, _empty, _rename, _reach_over,
)  # fmt: skip


def _bytes(text: bytes, rng: Random) -> bytes:
    at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    lines = text.splitlines(keepends=True)
    way = rng.randrange(10)
    if way == 0:
        return text[:at]
    if way == 1:
        return text[:at] + text[end:] if end - at < 2000 else text[:at] + text[at + 1 :]
    if way == 2 and at < len(text):
        return text[:at] + bytes([text[at] ^ (1 << rng.randrange(8))]) + text[at + 1 :]
    if way == 3:
        return text.decode("utf-8", "replace").encode(
            rng.choice(("utf-16", "utf-8-sig", "cp932", "utf-32")), "replace"
        )
    if way == 4 and len(lines) > 1:
        one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
        return b"".join(lines)
    if way == 5 and lines:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
        return b"".join(lines)
    if way == 6 and lines:
        del lines[rng.randrange(len(lines))]
        return b"".join(lines)
    if way == 7:
        return text.replace(
            *rng.choice(((b"\n", b"\r\n"), (b"\n", b"\r"), (b" ", b"\t"), (b'"', b"'"), (b"=", b":")))
        )
    if way == 8:
        return text[:at] + text[at:end] * 2 + text[end:]
    return text[:at] + rng.choice(BYTES) + text[at:]
