"""Validate schemas and values against the part of JSON Schema that Muster uses."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from generator import games
from generator.cli.data_files import Form, forms
from generator.errors import DataError
from generator.notation import envelope
from generator.notation.schema import DRAFT
from generator.notation.toml import Source
from tests import hostile, mutate

Schema = dict[str, Any]
KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
HOLD: dict[str, Callable[[Any, Any], bool]] = {
    "enum": lambda value, words: any(spelt(value) == spelt(word) and type(value) is type(word) for word in words),
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "minLength": lambda value, limit: len(value) >= limit,
    "maxLength": lambda value, limit: len(value) <= limit,
    "minItems": lambda value, limit: len(value) >= limit,
    "maxItems": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, pattern: re.search(pattern, value) is not None,
}
TOLD = {"description", "title", "default", "$schema"}
SHAPED = {"type", "properties", "required", "additionalProperties", "propertyNames", "items", "anyOf", "$ref"}
_TOLD = (Path(__file__).parents[1] / "docs" / "formats" / "campaign.md").read_text("utf-8")
CAMPAIGNS = re.findall(r"```toml\n(.*?)```", _TOLD, re.S)
"""Records of campaigns in the documentation, because no record is shipped."""
BY_NAME = {form.name: form for form in forms()}


def resolved(schema: Schema, whole: Schema) -> Schema:
    """Return the schema to which a `$ref` refers."""
    while "$ref" in schema:
        schema = whole["definitions"][schema["$ref"].removeprefix("#/definitions/")]
    return schema


def inner(schema: Schema) -> Iterator[Schema]:
    """Yield the schemas inside a schema."""
    yield from schema.get("properties", {}).values()
    yield from schema.get("definitions", {}).values()
    yield from schema.get("anyOf", ())
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            yield schema[key]


def schema_faults(schema: Schema, whole: Schema, at: str = "") -> Iterator[str]:
    """Yield violations of JSON Schema draft 7 in a schema, with their path."""
    if strange := schema.keys() - HOLD.keys() - TOLD - SHAPED - ({"definitions"} if schema is whole else set()):
        yield f"{at}: unknown {sorted(strange)}"
    if "$ref" in schema and (len(schema) > 1 or resolved(schema, whole) is schema):
        yield f"{at}: a $ref beside {sorted(schema)}"
    if schema.get("type", "object") not in KINDS:
        yield f"{at}: type {schema['type']!r}"
    if lacking := set(schema.get("required", ())) - schema.get("properties", {}).keys():
        yield f"{at}: requires {sorted(lacking)}"
    if "pattern" in schema:
        re.compile(schema["pattern"])
    if schema is whole and schema.get("$schema") != DRAFT:
        yield f"{at}: $schema"
    if "default" in schema:
        yield from (f"{at}: its default: {fault}" for fault in misfits(schema["default"], schema, whole))
    for number, of in enumerate(inner(schema)):
        yield from schema_faults(of, whole, f"{at}/{number}")


def misfits(value: Any, schema: Schema, whole: Schema, at: str = "") -> Iterator[str]:
    """Yield the reasons why a value does not fit a schema, with their path."""
    schema = resolved(schema, whole)
    if "anyOf" in schema and all(any(misfits(value, option, whole)) for option in schema["anyOf"]):
        yield f"{at}: fits none of {len(schema['anyOf'])}"
    kind = schema.get("type")
    if kind and (not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean")):
        yield f"{at}: no {kind}"
        return
    yield from (
        f"{at}: {word} {schema[word]}" for word in HOLD.keys() & schema.keys() if not HOLD[word](value, schema[word])
    )
    if isinstance(value, list) and "items" in schema:
        for number, element in enumerate(value):
            yield from misfits(element, schema["items"], whole, f"{at}[{number}]")
    if isinstance(value, dict):
        yield from (f"{at}: lacks {key}" for key in schema.get("required", ()) if key not in value)
        for key, element in value.items():
            known = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            if known is False:
                yield f"{at}: no {key}"
            elif isinstance(known, dict):
                yield from misfits(element, known, whole, f"{at}.{key}")
            if "propertyNames" in schema:
                yield from misfits(key, schema["propertyNames"], whole, f"{at}.{key}")


@cache
def schema_of(name: str) -> Schema:
    """Return the schema of the form with the given name, as `muster schema` prints it."""
    schema: Schema = json.loads(BY_NAME[name].content)
    assert schema.pop("seal")
    return schema


def refused(name: str, data: Any) -> list[str]:
    """Return the reasons why a form's schema refuses a file's content."""
    return list(misfits(data, schema_of(name), schema_of(name)))


def keys(schema: Schema) -> set[str]:
    """Return every key in a schema."""
    return set(schema.get("properties", {})).union(*map(keys, inner(schema)))


def read(form: Form, source: Source) -> object:
    """Read a file as Muster does.

    Raises:
        DataError: If the file is refused.
    """
    if not form.game:
        return source.read(form.type)
    game = games.load(form.game)
    if form.kind == "scenario":
        return game.read(source, envelope.origin_of_head(envelope.head(source)), Path())
    [reader] = [content_type.read for content_type in game.content_types if content_type.kind == form.kind]
    assert reader
    return reader(source)


@cache
def examples(name: str) -> tuple[str, ...]:
    """Return valid files of a TOML form, which are all shipped files or some generated ones."""
    form = BY_NAME[name]
    if form.kind == "scenario":
        return tuple(hostile.drawn(form.game, code, which) for which, code in enumerate(hostile.CODES))
    if not form.game:
        return ("[office]\ndx = 0.5\n[attic]\ndx = -1.5\nscale = 99.6\nrotate = 0.1\n",)
    found = tuple(path.read_text("utf-8") for kind, _, path in hostile.own_files(form.game) if kind == form.kind)
    return found or tuple(text for text in CAMPAIGNS if refused(name, tomllib.loads(text)) == [])


TYPED = tuple(name for name, form in BY_NAME.items() if form.kind not in ("event", "commitment", "opening"))
"""TOML forms that users write."""


def mutated(number: int) -> tuple[bool, str]:
    """Break a file, selected by number. Return whether its schema refuses it, and a fault if Muster accepts it."""
    rng = Random(f"schemas {hostile.SEED} {number}")
    name = TYPED[number % len(TYPED)]
    text = mutate.changed(rng.choice(examples(name)).encode(), "toml", rng)
    try:
        source = Source("broken.toml", text.decode())
    except (DataError, UnicodeDecodeError):
        return False, ""
    why = refused(name, source.data)
    if not why:
        return False, ""
    try:
        read(BY_NAME[name], source)
    except DataError:
        return True, ""
    return True, f"{number} ({name}): Muster takes what the schema refuses: {why[0]}"


def spelt(value: object) -> object:
    """Return a word in small letters and half width, without spaces around it. Muster reads fixed words so."""
    return unicodedata.normalize("NFKC", value).strip().lower() if isinstance(value, str) else value
