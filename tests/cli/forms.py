"""Read the JSON forms documented in docs/json.md, and compare them with the output of the verbs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

DOCS = Path(__file__).resolve().parents[2] / "docs"
SECTIONS = {
    match[1]: match[2]
    for match in re.finditer(r"^## (.+?)\n(.*?)(?=^## |\Z)", (DOCS / "json.md").read_text("utf-8"), re.S | re.M)
}


def documented(section: str) -> set[str]:
    return set(re.findall(r"^\| `(.+?)` \|", SECTIONS[section], re.M))


def paths(value: Any, fields: set[str], at: str = "") -> set[str]:
    """Return the field paths of a JSON value, down to the depth that the documentation describes."""
    if at in fields and not any(field.startswith((f"{at}.", f"{at}[")) for field in fields):
        return {at}
    if isinstance(value, list):
        inner = [paths(element, fields, f"{at}[]") for element in value]
        return set().union(*inner)
    if not isinstance(value, dict):
        return {at}
    free = next((m[0] for field in sorted(fields) if (m := re.match(rf"{re.escape(at)}\.?<\w+>", field))), "")
    prefix = f"{at}." if at else ""
    return set().union(*(paths(inner, fields, free or f"{prefix}{key}") for key, inner in value.items()))


def leaves(command: click.Command, path: str = "") -> dict[str, click.Command]:
    """Return every verb and subverb, keyed by its words."""
    if not isinstance(command, click.Group):
        return {path: command}
    found: dict[str, click.Command] = {}
    with click.Context(command) as ctx:
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            assert inner, name
            found |= leaves(inner, f"{path} {name}".strip())
    return found
