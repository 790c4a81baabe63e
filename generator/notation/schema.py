"""Generate JSON Schemas of the files that users write from the types of their contents.

With a schema, an editor can check a file and explain its keys. The explanations are the docstrings of the types.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections import ChainMap
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import msgspec
import msgspec.inspect as types

from generator.localization import Lang
from generator.model.words import Words
from generator.notation.toml import read
from generator.store.folders import shipped_path

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The version that TOML editors support. It ignores everything next to a `$ref`."""
NOTHING = {"type": "null"}
"""The type of a missing key in msgspec's schemas. TOML has no null."""


def schema(kind: Any, title: str) -> dict[str, Any]:
    """Return the schema of files that are read as a type."""
    (root,), known = msgspec.json.schema_components([kind], ref_template="#/definitions/{name}")
    for cls in dict.fromkeys(_structs(types.type_info(kind))):
        made = known.get(cls.__name__) or known[f"{cls.__module__}.{cls.__qualname__}"]
        del made["title"]  # the name of a class, which has no meaning for users
        made["description"] = _plain(made.get("description", ""))
        fields = dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
        for field, description in _field_docs(cls).items():
            made["properties"][fields[field]] |= {"description": description}
    whole = known.pop(root["$ref"].rpartition("/")[2]) if "$ref" in root else root
    made = _typed({**whole, "definitions": known})
    return {"$schema": DRAFT, "title": title, **made}


@cache
def _fields() -> dict[str, str]:
    """Return the Japanese explanations of keys by the English ones.

    They are in the files fields.toml of data/ and of each game.
    """
    data = shipped_path("data")
    files = (data / "fields.toml", *sorted(data.glob("*/fields.toml")))
    return {en: ja for file in files for en, ja in read(file, dict[str, str]).items()}


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the files labels.toml of data/ and of each game."""

    key: dict[str, Words] = {}
    """The labels of fields, by key, or by type and key."""
    word: dict[str, Words] = {}
    """The labels of words that occur in files as values or as keys of tables."""


@cache
def labels() -> Labels:
    """Return the labels of the keys and words of users' files."""
    data = shipped_path("data")
    found = [read(file, Labels) for file in (data / "labels.toml", *sorted(data.glob("*/labels.toml")))]
    return Labels(dict(ChainMap(*(of.key for of in found))), dict(ChainMap(*(of.word for of in found))))


def localized_schema(of: Any, lang: Lang, kind: str = "") -> Any:
    """Return a schema in a language. Explanations that fields.toml lacks remain in English, and keys get titles.

    `kind` is the name of the type that this part of the schema describes.
    """
    if isinstance(of, list):
        return [localized_schema(inner, lang) for inner in of]
    if not isinstance(of, dict):
        return of
    made: dict[str, Any] = {}
    for key, inner in of.items():
        if key == "description" and isinstance(inner, str):
            made[key] = inner if lang == "en" else _fields().get(inner, inner)
        elif key == "definitions":
            made[key] = {name: localized_schema(one, lang, name) for name, one in inner.items()}
        elif key == "properties":
            made[key] = {name: _titled(name, kind, lang) | localized_schema(one, lang) for name, one in inner.items()}
        else:
            made[key] = localized_schema(inner, lang)
    return made


def _titled(key: str, kind: str, lang: Lang) -> dict[str, str]:
    known = labels().key
    found = known.get(f"{kind}.{key}") or known.get(key)
    return {"title": found[lang]} if found else {}


def directive(name: str) -> str:
    """Return the first line of a TOML file, in which editors find the schema with this name in the same folder."""
    return f"#:schema ./{name}\n"


def ordered(values: Any, of: Mapping[str, Any], whole: Mapping[str, Any]) -> Any:
    """Return the values of a file in the order of the keys in its schema `whole`, without null values.

    `of` is the part of the schema that describes these values.
    """
    while "$ref" in of or "anyOf" in of:
        if "$ref" in of:
            of = whole["definitions"][of["$ref"].rpartition("/")[2]]
        else:
            of = next((one for one in of["anyOf"] if ("$ref" in one) == isinstance(values, dict)), {})
    if isinstance(values, list):
        return [ordered(value, of.get("items", {}), whole) for value in values]
    if not isinstance(values, dict):
        return values
    known = of.get("properties", {})
    keys = [*(key for key in known if key in values), *(key for key in values if key not in known)]
    if all(re.fullmatch("-?[0-9]{1,6}", key) for key in keys):
        keys.sort(key=int)  # another program may have reordered them
    rest = of.get("additionalProperties")
    other = rest if isinstance(rest, dict) else {}
    return {key: ordered(values[key], known.get(key, other), whole) for key in keys if values[key] is not None}


def ownership_key(of: Mapping[str, Any]) -> dict[str, str]:
    """Return the key and value that mark a file of this schema as a user's, or an empty mapping if there are none."""
    source = of.get("properties", {}).get("source", {})
    words = [source.get("default"), *source.get("enum", ())]
    words_of_owner = [word for word in words if word and word != "house"]
    return {"source": words_of_owner[0]} if words_of_owner else {}


def _typed(of: Any) -> Any:
    """Return a schema that is valid for TOML, which has neither null nor other keys next to a `$ref`."""
    if isinstance(of, list):
        return [_typed(inner) for inner in of]
    if not isinstance(of, dict):
        return of
    made = {key: _typed(value) for key, value in of.items() if value is not None}
    if NOTHING in made.get("anyOf", ()):
        options = [option for option in made.pop("anyOf") if option != NOTHING]
        made = {**options[0], **made} if len(options) == 1 else {**made, "anyOf": options}
    if None in made.get("enum", ()):
        made["enum"] = [word for word in made["enum"] if word is not None]
    # a fixed number of items of one type, because draft 7 and editors do not support the keyword
    if "prefixItems" in made:
        made["items"], *others = made.pop("prefixItems")
        assert all(other == made["items"] for other in others), "a list of several kinds"
    if "$ref" in made and len(made) > 1:
        made["anyOf"] = [{"$ref": made.pop("$ref")}]
    return made


def _structs(of: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs that a type contains."""
    if isinstance(of, types.StructType):
        yield of.cls
    for name in of.__struct_fields__:
        value = getattr(of, name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, types.Type | types.Field):
                yield from _structs(inner)


@lru_cache(128)  # for all types of a form, because parsing their source is slow and forms share types
def _field_docs(cls: type[msgspec.Struct]) -> dict[str, str]:
    """Return the docstrings of a struct's fields, including inherited ones.

    Without source code, the result is empty.
    """
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base in (object, msgspec.Struct):
            continue
        try:
            [tree] = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        except (OSError, TypeError):
            continue
        for field, below in pairwise(getattr(tree, "body", ())):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and (description := _text(below))
            ):
                found[field.target.id] = description
    return found


def _text(of: ast.AST) -> str:
    """Return the text of a statement that is a docstring, or an empty string for other statements."""
    docstring = of.value.value if isinstance(of, ast.Expr) and isinstance(of.value, ast.Constant) else ""
    return _plain(docstring) if isinstance(docstring, str) else ""


def _plain(text: str) -> str:
    return " ".join(text.split())
