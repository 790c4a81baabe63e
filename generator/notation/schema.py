"""JSON Schema of the files that a person writes, made of the types that they are read as.

An editor tells by it what may stand in a file, and what each key means: the docstrings of the types say so.
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
"""What editors of TOML know. What stands beside a `$ref` is nothing to it."""
NOTHING = {"type": "null"}
"""What a type may say of a key that is left out, and TOML cannot."""


def schema(kind: Any, title: str) -> dict[str, Any]:
    """The schema of files that are read as that type."""
    (root,), known = msgspec.json.schema_components([kind], ref_template="#/definitions/{name}")
    for cls in dict.fromkeys(_structs(types.type_info(kind))):
        made = known.get(cls.__name__) or known[f"{cls.__module__}.{cls.__qualname__}"]
        del made["title"]  # the name of a class, which tells a reader nothing
        made["description"] = _plain(made.get("description", ""))
        fields = dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
        for field, description in _field_docs(cls).items():
            made["properties"][fields[field]] |= {"description": description}
    whole = known.pop(root["$ref"].rpartition("/")[2]) if "$ref" in root else root
    made = _typed({**whole, "definitions": known})
    return {"$schema": DRAFT, "title": title, **made}


@cache
def _fields() -> dict[str, str]:
    """What keys mean in Japanese, by the English sentence: fields.toml of data/ and of each game."""
    data = shipped_path("data")
    files = (data / "fields.toml", *sorted(data.glob("*/fields.toml")))
    return {en: ja for file in files for en, ja in read(file, dict[str, str]).items()}


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """labels.toml of data/ and of each game."""

    key: dict[str, Words] = {}
    """What fields are called, by key, or by type and key."""
    word: dict[str, Words] = {}
    """What words are called that stand in files as values, or as keys of tables."""


@cache
def labels() -> Labels:
    """What the keys and words of owners' files are called."""
    data = shipped_path("data")
    found = [read(file, Labels) for file in (data / "labels.toml", *sorted(data.glob("*/labels.toml")))]
    return Labels(dict(ChainMap(*(of.key for of in found))), dict(ChainMap(*(of.word for of in found))))


def localized_schema(of: Any, lang: Lang, kind: str = "") -> Any:
    """A schema in that language: its descriptions, where fields.toml has them, and its keys' titles.

    `kind` is the type whose keys stand there.
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
    """The first line of a file of TOML whose schema lies beside it, as editors read it."""
    return f"#:schema ./{name}\n"


def ordered(values: Any, of: Mapping[str, Any], whole: Mapping[str, Any]) -> Any:
    """The values of a file in the order in which its schema `whole` names their keys; what is null is left out.

    `of` is the part of the schema that they are held against.
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
        keys.sort(key=int)  # as a program may have shuffled them
    rest = of.get("additionalProperties")
    other = rest if isinstance(rest, dict) else {}
    return {key: ordered(values[key], known.get(key, other), whole) for key in keys if values[key] is not None}


def ownership_key(of: Mapping[str, Any]) -> dict[str, str]:
    """What a file of that schema says of whose it is, where an owner typed it; empty where it does not say."""
    source = of.get("properties", {}).get("source", {})
    words = [source.get("default"), *source.get("enum", ())]
    words_of_owner = [word for word in words if word and word != "house"]
    return {"source": words_of_owner[0]} if words_of_owner else {}


def _typed(of: Any) -> Any:
    """A schema as a text of TOML may be held against it: nothing is null, and a `$ref` stands by itself."""
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
    if "prefixItems" in made:  # so many of one kind; draft 7 knows the word no more than editors do
        made["items"], *others = made.pop("prefixItems")
        assert all(other == made["items"] for other in others), "a list of several kinds"
    if "$ref" in made and len(made) > 1:
        made["anyOf"] = [{"$ref": made.pop("$ref")}]
    return made


def _structs(of: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs that a type is made of."""
    if isinstance(of, types.StructType):
        yield of.cls
    for name in of.__struct_fields__:
        value = getattr(of, name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, types.Type | types.Field):
                yield from _structs(inner)


@lru_cache(128)  # every type of a form: to find and parse its source takes longest, and forms share types
def _field_docs(cls: type[msgspec.Struct]) -> dict[str, str]:
    """What stands below the fields of a type, and of those that it builds on, by field; none without the source."""
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
    """The docstring that a statement is; empty where it is another."""
    docstring = of.value.value if isinstance(of, ast.Expr) and isinstance(of.value, ast.Constant) else ""
    return _plain(docstring) if isinstance(docstring, str) else ""


def _plain(text: str) -> str:
    return " ".join(text.split())
