"""TOML that a person can read in a diff; only what scenario files need."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence


def value(of: object) -> str:
    """A string, number, boolean, list or inline table as TOML."""
    if isinstance(of, bool):
        return "true" if of else "false"
    if isinstance(of, int):
        return str(of)
    if isinstance(of, str):
        # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
        return json.dumps(of, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(of, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in of.items()) + " }" if of else "{}"
    if isinstance(of, Sequence):
        return "[" + ", ".join(value(v) for v in of) + "]"
    raise TypeError(f"no TOML form for {type(of).__name__}")


def key(name: str) -> str:
    """A key, quoted where TOML wants it."""
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else value(name)


def lines(table: Mapping[str, object]) -> list[str]:
    """`key = value` for each entry; a drawing of several lines stands as it is drawn, with a last line end."""
    return [f'{key(k)} = """\n{v}\n"""' if _drawing(v) else f"{key(k)} = {value(v)}" for k, v in table.items()]


def _drawing(of: object) -> bool:
    """Whether a text of several lines needs no escape."""
    if not isinstance(of, str) or "\n" not in of:
        return False
    return not set(of) & set('"\\') and all(line.isprintable() for line in of.split("\n"))
